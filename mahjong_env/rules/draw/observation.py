"""What a seat sees in a game of the draw cycle."""

from mahjong_env.compiled import compiled_once
from mahjong_env.rules.hooks import observe_own
from mahjong_env.rules.observation import COUNTS, MOST, SCALE, Piece, clip_points, cover, observe_hidden
from mahjong_env.rules.state import NO_TILE, TAKEN, TURN

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


@compiled_once
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
