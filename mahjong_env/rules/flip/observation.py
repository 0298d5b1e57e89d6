"""What a seat sees in a game of the flip cycle: its pieces, and how they are written."""

from mahjong_env.compiled import compiled, compiled_once
from mahjong_env.rules.actions import ADDED_KAI, DUI, KAI
from mahjong_env.rules.hooks import observe_own
from mahjong_env.rules.observation import COUNTS, MOST, SCALE, Piece, clip_points, cover, observe_hidden
from mahjong_env.rules.state import CLAIM, LAYING, TURN

SINGLE = 13
"""Rows before those that every seat has."""

STEPS = (1, 2, 3, 4)
COMMON_PIECES = (
    Piece("hand", 1, "own cards in the hand", COUNTS),
    Piece("table", 1, "at the card to be claimed: 1 + how many seats after the viewer it lies", STEPS),
    Piece("flipped", 1, "1 if the card to be claimed was flipped, 0 if it was discarded"),
    Piece("eaten", 1, "1 at the card whose further copies the viewer has to lay"),
    Piece("no_discard", 1, "1 at kinds that the viewer may not discard after eating"),
    Piece("chi_barred", 1, "1 at kinds that the viewer may not eat any more"),
    Piece("turn", 1, "how many seats after the viewer the seat in turn sits", STEPS),
    Piece("dealer", 1, "how many seats after the viewer the dealer sits", STEPS),
    Piece("phase", 1, "0 choices before play, 2 a discard, 3 a card to claim, 6 further copies to lay", (2, 3, 6)),
    Piece("wall_left", 1, "cards still to be flipped", (1, 4, 8, 12, 16, 24, 32)),
    Piece("hands_left", 1, "hands still to come in the episode", (1, 2, 4, 8)),
    Piece("claims", 1, "cards that anybody has taken", (1, 2, 4, 8)),
    Piece("shown", 1, "1 + how many cards ago the last one of this kind was shown; 0 for none", (1, 2, 5, 9, 17)),
    Piece("points", "seats", "each seat's points in the episode so far", SCALE),
    Piece("hand_size", "seats", "cards in each seat's hand", (2, 5, 8, 11, 14, 17, 20)),
    Piece("melds", "seats", "each seat's cards in exposed groups", COUNTS),
    Piece("duis", "seats", "3 at each seat's exposed dui, 4 at its quads", (3, 4)),
    Piece("discards", "seats", "each seat's discards that nobody took", COUNTS),
    Piece("flips", "seats", "cards that each seat flipped and nobody took", COUNTS),
)
"""What every game of this cycle shows."""


@compiled_once
def observe(game, seat, out, all_seen):
    """Fill `out`, (rows, kinds) int8, for `seat`."""
    observe_table(game, seat, out)
    observe_shown(game, out)
    seats = len(game.points)
    for step in range(seats):
        observe_seat(game, (seat + step) % seats, out, SINGLE + step, seats)
    row = observe_own(game, seat, out, SINGLE + 6 * seats, all_seen)
    if all_seen:
        observe_hidden(game, seat, out, row)


@compiled
def observe_table(game, seat, out):
    """The hand, the card on the table, and what the seat may not do."""
    seats = len(game.points)
    mine = game.turn == seat and (game.phase == TURN or game.phase == LAYING)
    for kind in range(out.shape[1]):
        out[0, kind] = game.hands[seat, kind]
        out[1, kind] = 0
        out[3, kind] = 1 if mine and game.eaten == kind else 0
        out[4, kind] = game.no_discard >> kind & 1 if mine else 0
        out[5, kind] = game.chi_barred[seat] >> kind & 1
    is_claimed = game.phase == CLAIM and game.to_act >= 0
    if is_claimed:
        out[1, int(game.table_tile)] = (int(game.table_from) - seat) % seats + 1
    cover(game, out, 2, game.flipped if is_claimed else 0)
    cover(game, out, 6, (int(game.turn) - seat) % seats)
    cover(game, out, 7, (int(game.dealer) - seat) % seats)
    cover(game, out, 8, int(game.phase))
    cover(game, out, 9, int(game.wall_back) - int(game.wall_front))
    cover(game, out, 10, min(int(game.hands_left), MOST))
    cover(game, out, 11, int(game.claims))


@compiled
def observe_shown(game, out):
    """When each kind was shown last."""
    river = int(game.river_length)
    for kind in range(out.shape[1]):
        last = 0
        for seat in range(len(game.points)):
            last = max(last, int(game.last_discard[seat, kind]))
        out[12, kind] = river + 1 - last if last > 0 else 0


@compiled
def observe_seat(game, seat, out, row, seats):
    """What everybody sees of a seat; its rows are `seats` apart."""
    cover(game, out, row, clip_points(int(game.points[seat]) + int(game.carried[seat])))
    size = 0
    for kind in range(out.shape[1]):
        size += int(game.hands[seat, kind])
        out[row + 2 * seats, kind] = game.melded[seat, kind]
        out[row + 3 * seats, kind] = 0
        out[row + 4 * seats, kind] = int(game.discarded[seat, kind]) - int(game.flips[seat, kind])
        out[row + 5 * seats, kind] = game.flips[seat, kind]
    cover(game, out, row + seats, size)
    for place in range(int(game.meld_count[seat])):
        verb = game.meld_verb[seat, place]
        if verb in (DUI, KAI, ADDED_KAI):
            out[row + 3 * seats, int(game.meld_tile[seat, place])] = 3 if verb == DUI else 4
