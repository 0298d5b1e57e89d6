"""Variants and the ecosystems: registering them with PettingZoo and Gymnasium, and loading a stranger's."""

import os
import warnings
from collections.abc import Iterable
from pathlib import Path

import gymnasium
import pettingzoo

from mahjong_env.rules import registry

NAMESPACE = "mahjong_env"


def register_environments(names: Iterable[str]) -> None:
    """Have `pettingzoo.make("aec", "mahjong_env/sichuan-v0")`, `gymnasium.make("mahjong_env/Sichuan-v0")`, `gymnasium.make_vec`
    and their likes work for these variants. A name keeps its underscores: my_rules is "mahjong_env/My_rules-v0"."""
    for name in names:
        pettingzoo.register("aec", f"{NAMESPACE}/{name}-v0", "mahjong_env.envs.aec:aec_env", kwargs={"variant": name})
        gymnasium.register(
            f"{NAMESPACE}/{name.capitalize()}-v0",
            entry_point="mahjong_env.envs.single:MahjongEnv",
            vector_entry_point="mahjong_env.envs.vector:MahjongVectorEnv",
            kwargs={"variant": name},
        )


def load_variant(path: str | Path) -> str:
    """Load a variant from a file, or a folder with `__init__.py`, outside the package; return its name, usable from then on,
    also in processes started from then on. A file that has been edited is loaded anew; games begun before go on as they were.

    The file is Python and is run: load only what you trust. VariantError, a ValueError, lists every problem of its definition
    at once.
    """
    known = registry.variant_names()
    name = registry.load_variant(path)
    if name not in known:
        register_environments([name])
    return name


def find_variant(name: str) -> str:
    """The name of a variant given by its name or, ending with .py or holding a slash, by its file, which is loaded first."""
    is_path = name.endswith(".py") or os.sep in name or "/" in name
    return load_variant(name) if is_path else registry.get_variant(name).name


def register_all() -> None:
    """Register the variants that come with the package, and those that a parent process has loaded."""
    register_environments(registry.variant_names())
    for path in registry.inherited_variants():
        try:
            load_variant(path)
        except Exception as error:  # whatever has become of the file: this process may not need it
            warnings.warn(f"the variant of {path}, loaded by a parent process, can't be loaded: {error}", stacklevel=1)
