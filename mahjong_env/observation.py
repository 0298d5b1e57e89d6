"""What a seat sees: named pieces, each some rows of (kinds,) int8 numbers, the viewer's seat first.

Counts are counts; a scalar fills its row; points are clipped to ±127. Nothing in an observation depends on what the seat
can't know. The oracle's pieces come last and show everything, for critics.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from mahjong_env.compiled import compiled, optional_hook
from mahjong_env.fields import NO_TILE, TAKEN, TURN

if TYPE_CHECKING:
    from mahjong_env.variants.interface import Variant


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
POINTS = 7  # the row after the single ones
COMMON_PIECES = (
    Piece("hand", 1, "own concealed tiles, the drawn one included", COUNTS),
    Piece("drawn", 1, "1 at the tile just drawn, in the own turn", (1,)),
    Piece("table", 1, "at the tile others are asked about: how many seats after the viewer its owner sits", (1, 2, 3)),
    Piece("turn", 1, "how many seats after the viewer the seat in turn sits", (1, 2, 3)),
    Piece(
        "phase",
        1,
        "0 choices before the first turn, 2 own turn, 3 a discard to claim, 4 an added gang to rob, from 7 the"
        " variant's own",
        (2, 3, 4),
    ),
    Piece("wall_left", 1, "tiles still in the wall", (1, 5, 9, 17, 25, 33, 41)),
    Piece("hands_left", 1, "hands still to come in the episode", (1, 2, 4, 8)),
    Piece("points", "seats", "each seat's points in the episode so far", SCALE),
    Piece("melds", "seats", "each seat's tiles in melds", COUNTS),
    Piece("discards", "seats", "each seat's discards that nobody took", COUNTS),
    Piece(
        "discard_age",
        "seats",
        "1 + how many discards ago the last one of this kind was; 0 for none",
        (1, 2, 5, 9, 17, 33),
    ),
)
"""What every game of the draw cycle shows."""
HIDDEN_PIECES = (
    Piece("other_hands", "others", "concealed tiles of the seats after the viewer, in turn order"),
    Piece("wall", 1, "tiles in the wall"),
    Piece("wall_next", 1, "1 + how many ordinary draws before the next tile of this kind; 0 for none"),
)
"""What only the oracle shows."""


def pieces(variant: "Variant", oracle: bool = False) -> tuple["Piece", ...]:
    """The pieces of a variant's observation, in order of their rows, with their numbers of rows."""
    common = getattr(variant.module, "COMMON_PIECES", COMMON_PIECES)
    found = common + variant.pieces + (HIDDEN_PIECES if oracle else ())
    return tuple(replace(piece, rows=rows_of(piece, variant.seats)) for piece in found)


def rows_of(piece: "Piece", seats: int) -> int:
    """The number of a piece's rows at a table with so many seats."""
    return {"seats": seats, "others": seats - 1}.get(piece.rows, piece.rows)


@cache
def rows(variant: "Variant", oracle: bool = False) -> int:
    """The number of rows of an observation."""
    return sum(piece.rows for piece in pieces(variant, oracle))


@cache
def planes(variant: "Variant") -> tuple[tuple[str, int, int], ...]:
    """The planes of observation "planes": (piece, row of the counts, threshold); a plane is 1 where the row reaches it."""
    found = []
    row = 0
    for piece in pieces(variant):
        for _ in range(piece.rows):
            found += [(piece.name, row, least) for least in piece.thresholds]
            row += 1
    return tuple(found)


@optional_hook
def observe_own(game, seat, out, row, all_seen):
    """Write the variant's own pieces from `row` on; return the next row. `all_seen`: also what is hidden from the seat."""
    return row


@compiled
def cover(game, out, row, value):
    """A scalar over a whole row. It takes `game` since the number of kinds is then known when it is compiled."""
    for kind in range(game.hands.shape[1]):
        out[row, kind] = value


@compiled
def clip_points(value):
    return max(-MOST, min(MOST, value))


@compiled
def observe(game, seat, out, all_seen):
    """Fill `out`, (rows, kinds) int8, for `seat`. For games of the draw cycle."""
    seats = len(game.points)
    kinds = out.shape[
        1
    ]  # copied in loops whose length is not a constant: those the compiler would unroll, not vectorise
    for kind in range(kinds):
        out[0, kind] = game.hands[seat, kind]
    cover(game, out, 1, 0)
    cover(game, out, 2, 0)
    if game.phase == TURN:
        if game.turn == seat and game.drawn != NO_TILE:
            out[1, int(game.drawn)] = 1
    elif game.phase > TURN and game.table_tile != NO_TILE and game.to_act >= 0:
        out[2, int(game.table_tile)] = (game.table_from - seat) % seats
    cover(game, out, 3, (game.turn - seat) % seats)
    cover(game, out, 4, int(game.phase))
    cover(game, out, 5, game.wall_back - game.wall_front)
    cover(game, out, 6, min(int(game.hands_left), MOST))
    river = int(game.river_length)
    for step in range(seats):
        other = (seat + step) % seats
        cover(game, out, POINTS + step, clip_points(int(game.points[other]) + int(game.carried[other])))
        for kind in range(kinds):
            out[POINTS + seats + step, kind] = game.melded[other, kind]
        for kind in range(kinds):
            out[POINTS + 2 * seats + step, kind] = game.discarded[other, kind]
        cover(game, out, POINTS + 3 * seats + step, 0)
    for place in range(river):  # a later discard of the same kind overwrites an earlier one
        step = (int(game.river_seat[place]) % TAKEN - seat) % seats
        out[POINTS + 3 * seats + step, int(game.river_tile[place])] = min(river - place, MOST)
    row = observe_own(game, seat, out, POINTS + 4 * seats, all_seen)
    if all_seen:
        observe_hidden(game, seat, out, row)


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
