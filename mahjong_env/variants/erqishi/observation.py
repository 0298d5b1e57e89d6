"""What an observation of ErQiShi shows beside the pieces of the flip cycle, and what a drawing of the table says."""

from typing import Any

from mahjong_env.compiled import compiled
from mahjong_env.hands.zipai import RANKS
from mahjong_env.rules.observation import COUNTS, Piece, cover
from mahjong_env.rules.state import NO_TILE, NOBODY, OPENING
from mahjong_env.tiles import ZIPAI
from mahjong_env.variants.erqishi.legal import SWAPPED
from mahjong_env.variants.erqishi.reading import meld_points

PIECES = (
    Piece("quan", 1, "1 at the circle's card"),
    Piece("passed", 1, "1 + the fans of the win the viewer has passed since its hand changed; 0 for none", (1, 2, 3)),
    Piece("given", 1, "cards the viewer has named in the swap", COUNTS),
    Piece("got", 1, "cards the viewer got in the swap", COUNTS),
    Piece("exposed_points", "seats", "points of each seat's exposed groups", (1, 3, 6, 9, 12, 15, 20)),
)


@compiled
def observe_own(game, seat, out, row, all_seen):
    """The pieces above."""
    seats = len(game.points)
    cover(game, out, row, 0)
    cover(game, out, row + 2, 0)
    cover(game, out, row + 3, 0)
    if game.options.circle > 0:
        out[row, RANKS + int(game.options.circle) - 1] = 1
    cover(game, out, row + 1, int(game.passed_fans[seat]) + 1)
    for place in range(SWAPPED):
        if game.given[seat, place] != NO_TILE:
            out[row + 2, int(game.given[seat, place])] += 1
        if game.got[seat, place] != NO_TILE:
            out[row + 3, int(game.got[seat, place])] += 1
    for step in range(seats):
        other, points = (seat + step) % seats, 0
        for place in range(int(game.meld_count[other])):
            points += meld_points(game, other, place)
        cover(game, out, row + 4 + step, points)
    return row + 4 + seats


def describe_seat(state: Any, seat: int, viewer: int | None) -> str:
    """What the seat has passed, and gave and got in the swap, for its own eyes."""
    if viewer not in (None, seat):
        return ""
    facts = [f"passed a win of {state['passed_fans'][seat]} fans"] if state["passed_fans"][seat] != NOBODY else []
    for word, place in (("gave", "given"), ("got", "got")) if state["options"]["swap3"] else ():
        kinds = [int(kind) for kind in state[place][seat] if kind != NO_TILE]
        facts += [f"{word} {ZIPAI.format(kinds)}"] if kinds else []
    return ", ".join(facts)


def tiles_aside(state: Any) -> list[int]:
    """Cards named in a swap still to come."""
    return [int(kind) for kind in state["given"].flat if kind != NO_TILE] if state["phase"] == OPENING else []
