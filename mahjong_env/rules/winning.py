"""Hands of mahjong as the hand library sees them: how tiles make keys, and the divisions of a complete hand."""

import numpy as np

from mahjong_env.compiled import compiled
from mahjong_env.hands.queries import HONOUR_SUIT
from mahjong_env.hands.reading import MOST_READINGS, readings_at
from mahjong_env.hands.tables import WEIGHT
from mahjong_env.rules.hooks import own_kind
from mahjong_env.rules.laizi import sets_of
from mahjong_env.rules.state import MOST_MELDS
from mahjong_env.tiles import STANDARD, TileSet

READINGS_FIELDS = (
    ("readings", "i1", (MOST_READINGS, 1 + MOST_MELDS)),  # the pair's kind, then the sets, as `readings_at` writes them
    ("tiles_read", "i1", (1, len(STANDARD))),
)
"""For `scratch` of a variant that asks `note_readings`."""


def standard_keys(tiles: TileSet) -> tuple[np.ndarray, np.ndarray, int]:
    """For each kind the column of a state's `keys` and the weight of one tile, as the hand library has them; and the number
    of columns, three suits and, where the game has them, honours."""
    standard = np.array(tiles.standard or range(tiles.kinds), np.int64)
    columns = HONOUR_SUIT + int(standard.max() // 9 >= HONOUR_SUIT)
    return standard // 9, WEIGHT[standard].astype(np.int64), columns


@compiled
def note_readings(game, seat):
    """Write every division of the seat's concealed tiles into sets and a pair into `game.readings`; return how many.

    A row holds the pair's kind and the sets: the kind of a triplet, or RUN + the lowest kind of a run; NO_SET for those
    that are melds. Kinds are standard ones (0-33). For hands without laizi, of a variant with READINGS_FIELDS in `scratch`.
    """
    for kind in range(game.tiles_read.shape[1]):
        own = own_kind(game, kind)
        game.tiles_read[0, kind] = game.hands[seat, own] if own >= 0 else 0
    return readings_at(game.tiles_read, 0, sets_of(game) - int(game.meld_count[seat]), game.readings)
