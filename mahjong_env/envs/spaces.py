"""The spaces of a seat's observations and actions, the same in PettingZoo and Gymnasium."""

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from mahjong_env.observation import MOST, rows
from mahjong_env.variants.interface import Variant


def observation_space(variant: Variant) -> Dict:
    """`observation`, (rows, kinds) int8 counts, and `action_mask`, (actions,) int8."""
    seen = Box(-MOST, MOST, (rows(variant), variant.tiles.kinds), np.int8)
    return Dict({"observation": seen, "action_mask": Box(0, 1, (len(variant.actions),), np.int8)})


def action_space(variant: Variant) -> Discrete:
    """The variant's actions; sample with the mask."""
    return Discrete(len(variant.actions))
