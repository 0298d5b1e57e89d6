"""Chinese mahjong as a reinforcement-learning environment."""

import importlib
from typing import TYPE_CHECKING, Any

from mahjong_env.rules import registry

registry.bundle("mahjong_env.variants")

from mahjong_env import variants  # noqa: E402 - a package that can be called
from mahjong_env.compiled.failures import KernelError  # noqa: E402
from mahjong_env.envs.registration import load_variant, register_all  # noqa: E402
from mahjong_env.play.game import Game  # noqa: E402
from mahjong_env.rules.errors import IllegalActionError, NoDealError, RulesError, VariantError  # noqa: E402
from mahjong_env.rules.registry import like  # noqa: E402

if TYPE_CHECKING:
    from mahjong_env import hands
    from mahjong_env.batch import Batch
    from mahjong_env.envs.aec import aec_env, raw_aec_env
    from mahjong_env.envs.sb3 import sb3_vec_env
    from mahjong_env.play.description import describe
    from mahjong_env.play.game import Record
    from mahjong_env.play.record_format import RecordError
    from mahjong_env.play.scoring import score
    from mahjong_env.rules.score import Score

__version__ = "0.1.0"

_LAZY = {
    "Batch": "mahjong_env.batch",
    "Record": "mahjong_env.play.game",
    "RecordError": "mahjong_env.play.record_format",
    "Score": "mahjong_env.rules.score",
    "aec_env": "mahjong_env.envs.aec",
    "describe": "mahjong_env.play.description",
    "raw_aec_env": "mahjong_env.envs.aec",
    "sb3_vec_env": "mahjong_env.envs.sb3",
    "score": "mahjong_env.play.scoring",
}
"""Where names live that not every program needs: imported on first use, so that importing the package is quick."""

__all__ = ["Batch", "Game", "IllegalActionError", "KernelError", "NoDealError", "Record", "RecordError",
           "RulesError", "Score", "VariantError", "aec_env", "describe", "hands", "like", "load_variant",
           "raw_aec_env", "sb3_vec_env", "score", "variants"]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "hands":
        return importlib.import_module("mahjong_env.hands")
    if name not in _LAZY:
        raise AttributeError(f"module 'mahjong_env' has no attribute {name!r}")
    return getattr(importlib.import_module(_LAZY[name]), name)


register_all()
