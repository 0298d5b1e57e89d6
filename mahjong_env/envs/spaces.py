"""The spaces of a seat's observations and actions, the same in PettingZoo and Gymnasium."""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space

from mahjong_env.batch.events import ROOM, most_token
from mahjong_env.batch.tables import check_observation
from mahjong_env.rules.observation import MOST
from mahjong_env.rules.variant import Variant, planes, rows


def observation_space(variant: Variant, kind: str = "counts") -> Dict:
    """`observation`, (rows, kinds) int8 counts, or 0 and 1 in planes, and `action_mask`, (actions,) int8; with "events"
    also those, (ROOM,) int16 tokens."""
    check_observation(kind)
    seen = Box(-MOST, MOST, (rows(variant), variant.tiles.kinds), np.int8)
    if kind == "planes":
        seen = Box(0, 1, (len(planes(variant)), variant.tiles.kinds), np.int8)
    space: dict[str, Space[Any]] = {"observation": seen, "action_mask": Box(0, 1, (len(variant.actions),), np.int8)}
    if kind == "events":
        space["events"] = Box(0, most_token(variant), (ROOM,), np.int16)
    return Dict(space)


def action_space(variant: Variant) -> Discrete:
    """The variant's actions; sample with the mask."""
    return Discrete(len(variant.actions))
