"""Registering the variants with PettingZoo and Gymnasium, on import of the package and when a stranger's is loaded."""

from collections.abc import Iterable

import gymnasium
import pettingzoo

NAMESPACE = "mahjong_env"


def register_environments(names: Iterable[str]) -> None:
    """Have `pettingzoo.make("aec", "mahjong_env/sichuan-v0")`, `gymnasium.make("mahjong_env/Sichuan-v0")`, `gymnasium.make_vec`
    and their likes work for these variants."""
    for name in names:
        pettingzoo.register("aec", f"{NAMESPACE}/{name}-v0", "mahjong_env.envs.aec:aec_env", kwargs={"variant": name})
        gymnasium.register(
            f"{NAMESPACE}/{name.capitalize()}-v0",
            entry_point="mahjong_env.envs.single:MahjongEnv",
            vector_entry_point="mahjong_env.envs.vector:MahjongVectorEnv",
            kwargs={"variant": name},
        )
