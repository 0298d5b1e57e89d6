"""What a seat sees: named pieces, each some rows of (kinds,) int8 numbers, the viewer's seat first.

Counts are counts; a scalar fills its row; points are clipped to ±127. Nothing in an observation depends on what the seat
can't know. The oracle's pieces come last and show everything, for critics.
"""

from dataclasses import dataclass
from typing import Any

from mahjong_env.compiled import compiled


@dataclass(frozen=True)
class Piece:
    """A named part of an observation: how many rows of (kinds,) numbers, one for each of the "seats" or of the "others",
    and what they say.

    `thresholds`: where the numbers are cut for observation "planes", one plane for each.
    """

    name: str
    rows: Any
    meaning: str
    thresholds: tuple[int, ...] = (1,)


MOST = 127
COUNTS = (1, 2, 3, 4)
SCALE = (-32, -16, -8, -4, -1, 1, 4, 8, 16, 32)
"""Thresholds of planes for counts of tiles, and for points."""

HIDDEN_PIECES = (
    Piece("other_hands", "others", "concealed tiles of the seats after the viewer, in turn order"),
    Piece("wall", 1, "tiles in the wall"),
    Piece("wall_next", 1, "1 + how many ordinary draws before the next tile of this kind; 0 for none"),
)
"""What only the oracle shows."""


@compiled
def cover(game, out, row, value):
    """A scalar over a whole row. It takes `game` since the number of kinds is then known when it is compiled."""
    for kind in range(game.hands.shape[1]):
        out[row, kind] = value


@compiled
def clip_points(value):
    return max(-MOST, min(MOST, value))


@compiled
def observe_hidden(game, seat, out, row):
    """The oracle's rows: other hands and the wall."""
    seats = len(game.points)
    for step in range(1, seats):
        for kind in range(game.hands.shape[1]):
            out[row + step - 1, kind] = game.hands[(seat + step) % seats, kind]
    row += seats - 1
    cover(game, out, row, 0)
    cover(game, out, row + 1, 0)
    for place in range(int(game.wall_back) - 1, int(game.wall_front) - 1, -1):
        kind = int(game.wall[place])
        out[row, kind] += 1
        out[row + 1, kind] = min(place - game.wall_front + 1, MOST)
