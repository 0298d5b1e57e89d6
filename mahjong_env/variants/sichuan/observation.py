"""What a seat sees beside the common pieces, and what drawings and tests ask."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mahjong_env.compiled import compiled
from mahjong_env.rules.observation import COUNTS, Piece, cover
from mahjong_env.rules.state import NO_TILE, NOBODY, OPENING
from mahjong_env.tiles import SUITS
from mahjong_env.variants.sichuan.options import CLOCKWISE, COUNTER

PIECES = (
    Piece("void", 4, "1 over each seat's void suit, once all have declared (the own one at once)"),
    Piece("won", 4, "how often each seat has won", (1, 2)),
    Piece("given", 1, "tiles the viewer gave in the exchange", COUNTS),
    Piece("got", 1, "tiles the viewer got", COUNTS),
    Piece("direction", 1, "how many seats on tiles were passed; 0 before the exchange or without one", (1, 2, 3)),
    Piece("lock", 1, "1 + most fan of the wins the viewer has passed since its last draw; 0 for none", (1, 2, 3, 4, 5)),
)


@compiled
def observe_own(game, seat, out, row, all_seen):
    """The pieces above; choices before the first turn stay hidden until all have chosen."""
    for step in range(4):
        other = (seat + step) % 4
        shown = step == 0 or all_seen or game.phase != OPENING
        cover(game, out, row + step, 0)
        if shown and game.void[other] != NOBODY:
            for kind in range(9 * int(game.void[other]), 9 * int(game.void[other]) + 9):
                out[row + step, kind] = 1
        cover(game, out, row + 4 + step, int(game.wins[other]))
    cover(game, out, row + 8, 0)
    cover(game, out, row + 9, 0)
    for place in range(3):
        if game.given[seat, place] != NO_TILE:
            out[row + 8, int(game.given[seat, place])] += 1
        if game.got[seat, place] != NO_TILE:
            out[row + 9, int(game.got[seat, place])] += 1
    exchanged = game.got[seat, 2] != NO_TILE
    steps = 1 if game.exchange_direction == COUNTER - 1 else 3 if game.exchange_direction == CLOCKWISE - 1 else 2
    cover(game, out, row + 10, steps if exchanged else 0)
    cover(game, out, row + 11, game.lock_fan[seat] + 1)
    return row + 12


def describe_seat(state: Any, seat: int, viewer: int | None) -> str:
    """The void suit, once the viewer may know it, and what the seat gave and got in the exchange, for its own eyes."""
    mine = viewer is None or viewer == seat
    facts = []
    if state["void"][seat] != NOBODY and (mine or state["phase"] != OPENING):
        facts.append(f"void {SUITS.suits[state['void'][seat]]}")
    for word, place in (("gave", "given"), ("got", "got")) if mine and state["options"]["exchange"] else ():
        kinds = [int(kind) for kind in state[place][seat] if kind != NO_TILE]
        facts += [f"{word} {SUITS.format(kinds)}"] if kinds else []
    return ", ".join(facts)


def tiles_aside(state: Any) -> list[int]:
    """Kinds that lie in no hand, meld, discard or wall: won by self-draw, or picked for an exchange still to come."""
    won = np.repeat(np.arange(27), state["aside"]).tolist()
    if state["got"].max() != NO_TILE:  # the exchange is over, and what was given lies in other hands
        return won
    return won + [kind for kind in state["given"].ravel().tolist() if kind != NO_TILE]


def is_zero_sum(options: Mapping[str, Any]) -> bool:
    """Whether all points lost are somebody's: the competition rules fine a flower pig without paying anyone."""
    return options["pig_to"] != "void"
