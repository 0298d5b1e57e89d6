"""What a seat can infer of hidden tiles; see `mahjong_env.resample`."""

import random
from typing import Any

import numpy as np

from mahjong_env.actions import CHI, GANG, PENG, SELF_GANG
from mahjong_env.cycles.draw import ADDED_GANG
from mahjong_env.fields import NO_TILE, NOBODY, TAKEN
from mahjong_env.resample import Known
from mahjong_env.variants.changsha.face_up import CLAIMING, WINNING

FROM_HAND = {PENG: 2, GANG: 3, SELF_GANG: 4, ADDED_GANG: 3}


def known_hand(row: Any, seat: int, viewer: int, pool: np.ndarray, rng: random.Random) -> Known | None:
    """What the viewer knows of another seat's hand: what it has shown and not played since."""
    gone = played(row, seat)
    shown = row["shown"][seat] - gone
    return Known(tuple(kind for kind in range(27) for _ in range(max(0, int(shown[kind])))))
