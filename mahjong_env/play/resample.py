"""Dealing anew what a seat can't see: the worlds in which a search thinks.

Hidden from a seat are the other seats' concealed tiles, the wall, and choices not yet shown. What a seat can infer from
what it has seen, the variant says, in answer to the plain questions of `rules/hooks.py`: `known_hand`, `take_back`,
`choose_again`, `ask_claims_again`, `ask_own_again`, `is_possible`.
"""

import random
from collections.abc import Mapping
from typing import Any

import numpy as np

from mahjong_env.rules import api
from mahjong_env.rules.chance import seed_halves, seed_random
from mahjong_env.rules.errors import NoDealError
from mahjong_env.rules.inference import Known, held
from mahjong_env.rules.notation import check_seat, hold, lay_wall
from mahjong_env.rules.state import CLAIM, NO_TILE, OVER, OWN, ROBBING, TURN, copy_of
from mahjong_env.rules.variant import Variant

TRIES = 100
"""Deals tried until one fits."""

FREE_TRIES = 15
"""After so many in which nobody but chance gives another seat the claim that it is asked about, one is given it."""

SWAPS = 200
"""Places tried for a tile that a seat can't hold."""

WALL = -1
"""Where tiles lie that are in no hand."""


def resample(variant: Variant, states: np.ndarray, viewer: int, seed: int) -> np.ndarray:
    """(1,) states in which everything hidden from `viewer` in `states`, (1,), is dealt anew, consistently with what it knows.

    What the viewer sees and may do stays the same. Others who have answered to a tile before the viewer are taken to
    have passed; what locks them by passed wins stays as it is, being no matter of tiles. The result is a function of the
    state, viewer and seed. In a finished hand nothing is hidden. NoDealError where `TRIES` deals all contradict what is
    known: to give the true tiles instead would tell of them.
    """
    check_seat(variant, "seat", viewer)
    low, high = seed_halves(seed)
    rng = random.Random(int(seed))
    dealt = copy_of(states)
    if states["phase"][0] != OVER:
        for attempt in range(TRIES):
            dealt = copy_of(states)
            asked = seat_asked(states[0], viewer, rng) if attempt >= FREE_TRIES else None
            if deal_hidden(variant, dealt, viewer, rng, asked) and ask_again(variant, states[0], dealt, viewer):
                break
        else:
            raise NoDealError(
                f"no deal of {TRIES} tried fits what seat {viewer} knows of hidden tiles in this game of {variant.name}"
            )
    seed_random(dealt["random"][0], low, high, 0, 0)
    return dealt


# --- tiles ------------------------------------------------------------------------------------------------------------


def seat_asked(state: Any, viewer: int, rng: random.Random) -> int | None:
    """A seat that may be the one asked about a tile, where the viewer knows just that it isn't itself."""
    if state["to_act"] == viewer or not (state["phase"] in (CLAIM, ROBBING) or state["phase"] >= OWN):
        return None
    return rng.choice([seat for seat in range(len(state["points"])) if seat != viewer])


def deal_hidden(variant: Variant, games: np.ndarray, viewer: int, rng: random.Random, asked: int | None = None) -> bool:
    """Deal the others' hands and the wall anew; False where that comes to no deal that fits. `asked`: a seat that is given
    what it may be asked about."""
    state = games[0]
    variant.answers.take_back(state, viewer)
    others = [seat for seat in range(variant.seats) if seat != viewer]
    sizes = {seat: int(state["hands"][seat].sum()) for seat in others}
    wall = np.bincount(state["wall"][state["wall_front"] : state["wall_back"]], minlength=variant.tiles.kinds)
    pool = state["hands"][others].sum(axis=0) + wall
    known: dict[int, Known] = {}
    for seat in sorted(others, key=lambda seat: state["wins"][seat] > 0):  # winners' hands are built from what is left
        found = known_hand(variant, state, seat, viewer, pool, rng)
        if found is None:
            return False
        pool = pool - variant.tiles.counts(found.holds)
        if (pool < 0).any():
            return False
        if seat == asked:
            claim = variant.answers.why_asked(state, seat, pool.copy(), rng)
            if claim is None:
                return False
            found = Known((*found.holds, *claim), found.scarce, found.most)
            pool = pool - variant.tiles.counts(claim)
            if len(found.holds) > sizes[seat] or (pool < 0).any():
                return False
        known[seat] = found
    free = np.repeat(np.arange(variant.tiles.kinds), pool).tolist()
    rng.shuffle(free)
    dealt = {seat: [free.pop() for _ in range(sizes[seat] - len(known[seat].holds))] for seat in others}
    dealt[WALL], known[WALL] = free, Known()
    if not all(make_room(seat, dealt, known, rng) for seat in others):
        return False
    draw_again(state, viewer, dealt, known, rng)
    for seat in others:
        state["hands"][seat] = variant.tiles.counts([*known[seat].holds, *dealt[seat]])
    variant.answers.choose_again(state, viewer, rng)
    for seat in others:
        set_keys(variant, games, seat)
    lay_wall(variant, games, dealt[WALL])
    return True


def known_hand(
    variant: Variant, state: Any, seat: int, viewer: int, pool: np.ndarray, rng: random.Random
) -> Known | None:
    """What the viewer knows of a hand: what the variant says, and the tile shown of a gang that may still be robbed."""
    found: Known | None = variant.answers.known_hand(state, seat, viewer, pool.copy(), rng)
    if found is None or state["phase"] != ROBBING or state["table_from"] != seat or state["table_tile"] in found.holds:
        return found
    return Known((*found.holds, int(state["table_tile"])), found.scarce, found.most)


def make_room(seat: int, dealt: Mapping[int, list[int]], known: Mapping[int, Known], rng: random.Random) -> bool:
    """Swap scarce tiles that the seat can't all hold for tiles dealt elsewhere; False if no place is found."""
    mine, limit = dealt[seat], known[seat]
    elsewhere = [place for place in dealt if place != seat]
    sizes = [len(dealt[place]) for place in elsewhere]
    while surplus(limit, mine) > 0:
        scarce = [k for k, kind in enumerate(mine) if kind in limit.scarce]
        if not scarce or not any(sizes):
            return False
        out = rng.choice(scarce)
        for _ in range(SWAPS):
            place = rng.choices(elsewhere, sizes)[0]
            into = rng.randrange(len(dealt[place]))
            welcome = mine[out] not in known[place].scarce or surplus(known[place], dealt[place]) < 0
            if welcome and dealt[place][into] not in limit.scarce:
                mine[out], dealt[place][into] = dealt[place][into], mine[out]
                break
        else:
            return False
    return True


def surplus(known: Known, dealt: list[int]) -> int:
    """How many scarce tiles more than it may the seat would hold."""
    return sum(kind in known.scarce for kind in (*known.holds, *dealt)) - known.most if known.scarce else 0


def draw_again(
    state: Any, viewer: int, dealt: Mapping[int, list[int]], known: Mapping[int, Known], rng: random.Random
) -> None:
    """Which of its tiles another seat in turn has just drawn: not one it is known to have held before."""
    seat = int(state["turn"])
    if seat == viewer or state["drawn"] == NO_TILE:
        return
    if state["phase"] != TURN:
        state["drawn"] = state["table_tile"]  # as most often; it tells what an added gang is worth
    elif dealt[seat]:
        limit = known[seat]
        scarce = [kind for kind in dealt[seat] if kind in limit.scarce]
        state["drawn"] = rng.choice(scarce if scarce and surplus(limit, dealt[seat]) == 0 else dealt[seat])


def set_keys(variant: Variant, games: np.ndarray, seat: int) -> None:
    """The suit keys of a hand whose tiles have changed."""
    kinds = held(games[0], seat)
    games["hands"][0, seat] = 0
    games["keys"][0, seat] = 0
    hold(variant, games, seat, kinds)


# --- who is asked -----------------------------------------------------------------------------------------------------


def ask_again(variant: Variant, before: Any, states: np.ndarray, viewer: int) -> bool:
    """Have the seat asked whose turn it is now; False if that isn't what the viewer has seen `before`: itself, or somebody
    else."""
    state, is_asked = states[0], bool(before["to_act"] == viewer)
    if not variant.answers.is_possible(state, viewer):
        return False
    if state["phase"] in (CLAIM, ROBBING):
        variant.answers.ask_claims_again(state, viewer, is_asked)
    elif state["phase"] >= OWN:
        variant.answers.ask_own_again(state, viewer)
    api.resume_at(states, 0)
    same = all(state[name] == before[name] for name in ("phase", "turn", "table_tile", "river_length"))
    return same and (state["to_act"] == viewer) == is_asked
