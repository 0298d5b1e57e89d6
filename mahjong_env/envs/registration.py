"""Registering the variants with PettingZoo, on import of the package and when a stranger's variant is loaded."""

from collections.abc import Iterable

import pettingzoo

NAMESPACE = "mahjong_env"


def register_environments(names: Iterable[str]) -> None:
    """Make `pettingzoo.make("aec", "mahjong_env/sichuan-v0")` and its like work for these variants."""
    for name in names:
        pettingzoo.register("aec", f"{NAMESPACE}/{name}-v0", "mahjong_env.envs.aec:aec_env", kwargs={"variant": name})
