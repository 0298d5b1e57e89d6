"""Winning hands of mahjong: how tiles make keys, and what a variant with sets and a pair asks of a hand."""

import numpy as np

from mahjong_env.hands.queries import HONOUR_SUIT
from mahjong_env.hands.tables import WEIGHT
from mahjong_env.tiles import TileSet


def standard_keys(tiles: TileSet) -> tuple[np.ndarray, np.ndarray, int]:
    """For each kind the column of a state's `keys` and the weight of one tile, as the hand library has them; and the number
    of columns, three suits and, where the game has them, honours."""
    standard = np.array(tiles.standard or range(tiles.kinds), np.int64)
    columns = HONOUR_SUIT + int(standard.max() // 9 >= HONOUR_SUIT)
    return standard // 9, WEIGHT[standard].astype(np.int64), columns
