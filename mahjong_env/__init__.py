"""Chinese mahjong as a reinforcement-learning environment."""

import importlib
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mahjong_env.envs.registration import register_environments
from mahjong_env.game import Game, IllegalActionError
from mahjong_env.variants import interface
from mahjong_env.variants.interface import variant_names as variants

if TYPE_CHECKING:
    from mahjong_env import hands
    from mahjong_env.batch import Batch
    from mahjong_env.description import describe
    from mahjong_env.envs.aec import aec_env, raw_aec_env
    from mahjong_env.envs.sb3 import sb3_vec_env
    from mahjong_env.records import Record, RecordError
    from mahjong_env.scoring import Score, score

__version__ = "0.1.0"

_LAZY = {
    "Batch": "mahjong_env.batch",
    "Record": "mahjong_env.records",
    "RecordError": "mahjong_env.records",
    "Score": "mahjong_env.scoring",
    "aec_env": "mahjong_env.envs.aec",
    "describe": "mahjong_env.description",
    "raw_aec_env": "mahjong_env.envs.aec",
    "sb3_vec_env": "mahjong_env.envs.sb3",
    "score": "mahjong_env.scoring",
}
"""Where names live that not every program needs: imported on first use, so that importing the package is quick."""

__all__ = ["Batch", "Game", "IllegalActionError", "Record", "RecordError", "Score", "aec_env", "describe", "hands",
           "load_variant", "raw_aec_env", "sb3_vec_env", "score", "variants"]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "hands":
        return importlib.import_module("mahjong_env.hands")
    if name not in _LAZY:
        raise AttributeError(f"module 'mahjong_env' has no attribute {name!r}")
    return getattr(importlib.import_module(_LAZY[name]), name)


def load_variant(path: str | Path) -> str:
    """Load a variant from a file, or a folder with `__init__.py`, outside the package; return its name, usable from then on,
    also in processes started from then on.

    The file is Python and is run: load only what you trust. ValueError lists every problem of its definition at once.
    """
    known = variants()
    name = interface.load_variant(path)
    if name not in known:
        register_environments([name])
    return name


register_environments(variants())
for _path in interface.inherited_variants():
    try:
        load_variant(_path)
    except Exception as _error:  # whatever has become of the file: this process may not need it
        warnings.warn(f"the variant of {_path}, loaded by a parent process, can't be loaded: {_error}", stacklevel=1)
