"""Dealing anew what a seat can't see: the worlds in which a search thinks.

Hidden from a seat are the other seats' concealed tiles, the wall, and choices not yet shown. What a seat can infer from
what it has seen, the variant says; it may state, as plain Python in its module, of the record `row` of a game:

- `known_hand(row, seat, viewer, pool, rng)`: the `Known` of another seat's hand, whose tiles are to come from `pool`,
  (kinds,) numbers of tiles not yet dealt; None if chance found no hand that fits;
- `take_back(row, viewer)`: put tiles that others have laid aside in secret back into their hands;
- `choose_again(row, viewer, rng)`: make the others' secret choices anew, from the hands they now hold;
- `ask_claims_again(row, viewer, is_asked)`: forget what others have answered to the tile on the table, such that asking
  goes on with the viewer, or after it; games of the draw cycle have that here;
- `ask_own_again(row, viewer)`: in a phase of its own, forget what others have answered in secret;
- `is_possible(row, viewer)`: whether the hands now dealt fit what the viewer has seen.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mahjong_env import engine
from mahjong_env.chance import seed_random
from mahjong_env.cycles.draw import rank_of
from mahjong_env.fields import CLAIM, NO_ANSWER, NO_TILE, OWN, ROBBING, TURN, copy_of
from mahjong_env.position import check_seat, hold, lay_wall
from mahjong_env.variants.interface import Variant

if TYPE_CHECKING:
    from mahjong_env.game import Game

TRIES = 16
"""Deals tried until one fits; the last leaves the hands as they are that are hardest to deal."""

SWAPS = 200
"""Places tried for a tile that a seat can't hold."""

WALL = -1
"""Where tiles lie that are in no hand."""


@dataclass(frozen=True)
class Known:
    """What a viewer knows of a hand: it holds these kinds, and at most `most` tiles of the `scarce` kinds."""

    holds: tuple[int, ...] = ()
    scarce: frozenset[int] = frozenset()
    most: int = 0


def resample(game: "Game", viewer: int, seed: int) -> "Game":
    """A copy in which everything hidden from `viewer` is dealt anew, consistently with what it knows.

    What the viewer sees and may do stays the same. Others who have answered to a tile before the viewer are taken to
    have passed; what locks them by passed wins stays as it is, being no matter of tiles. The copy is a function of game,
    viewer and seed; it has no history, which would tell of hidden choices, and so no record. In a finished hand nothing
    is hidden. Where `TRIES` deals all contradict what is known, the hidden tiles stay where they are.
    """
    from mahjong_env.game import seed_halves

    check_seat(game.variant, "seat", viewer)
    low, high = seed_halves(seed)
    rng = random.Random(int(seed))
    games = copy_of(game._games)
    for attempt in range(0 if game.is_over else TRIES):
        dealt = copy_of(game._games)
        kept = hardest(game) if attempt == TRIES - 1 else []
        if deal_hidden(game.variant, dealt, viewer, rng, kept) and ask_again(game, dealt, viewer):
            games = dealt
            break
    seed_random(games["random"][0], low, high, 0, 0)
    other = type(game)._from_row(game.variant, game.preset, game.options, games)
    other._payments = list(game._payments)
    return other


def hardest(game: "Game") -> list[int]:
    """The seats whose hands must fit a win, or a claim."""
    winners = np.flatnonzero(game._games["wins"][0]).tolist()
    return winners if game.to_act is None else [*winners, game.to_act]


# --- tiles ------------------------------------------------------------------------------------------------------------


def deal_hidden(variant: Variant, games: np.ndarray, viewer: int, rng: random.Random, kept: list[int]) -> bool:
    """Deal the others' hands and the wall anew; False where that comes to no deal that fits. `kept` hands stay."""
    row = games[0]
    tell(variant, "take_back", row, viewer)
    others = [seat for seat in range(variant.seats) if seat != viewer]
    sizes = {seat: int(row["hands"][seat].sum()) for seat in others}
    wall = np.bincount(row["wall"][row["wall_front"] : row["wall_back"]], minlength=variant.tiles.kinds)
    pool = row["hands"][others].sum(axis=0) + wall
    known: dict[int, Known] = {}
    for seat in sorted(others, key=lambda seat: row["wins"][seat] > 0):  # winners' hands are built from what is left
        found = whole_hand(row, seat) if seat in kept else known_hand(variant, row, seat, viewer, pool, rng)
        if found is None:
            return False
        known[seat] = found
        pool = pool - variant.tiles.counts(found.holds)
        if (pool < 0).any():
            return False
    free = np.repeat(np.arange(variant.tiles.kinds), pool).tolist()
    rng.shuffle(free)
    dealt = {seat: [free.pop() for _ in range(sizes[seat] - len(known[seat].holds))] for seat in others}
    dealt[WALL], known[WALL] = free, Known()
    if not all(make_room(seat, dealt, known, rng) for seat in others):
        return False
    draw_again(row, viewer, dealt, known, rng)
    for seat in others:
        row["hands"][seat] = variant.tiles.counts([*known[seat].holds, *dealt[seat]])
    tell(variant, "choose_again", row, viewer, rng)
    for seat in others:
        set_keys(variant, games, seat)
    lay_wall(variant, games, dealt[WALL])
    return True


def tell(variant: Variant, name: str, *arguments: Any) -> None:
    """Call a plain function of the variant, if it has one of that name."""
    function = getattr(variant.module, name, None)
    if function is not None:
        function(*arguments)


def known_hand(
    variant: Variant, row: Any, seat: int, viewer: int, pool: np.ndarray, rng: random.Random
) -> Known | None:
    """What the viewer knows of a hand: what the variant says, and the tile shown of a gang that may still be robbed."""
    infer = getattr(variant.module, "known_hand", None)
    found: Known | None = infer(row, seat, viewer, pool.copy(), rng) if infer else Known()
    if found is None or row["phase"] != ROBBING or row["table_from"] != seat or row["table_tile"] in found.holds:
        return found
    return Known((*found.holds, int(row["table_tile"])), found.scarce, found.most)


def whole_hand(row: Any, seat: int) -> Known:
    """The hand as it is."""
    return Known(tuple(kind for kind, held in enumerate(row["hands"][seat].tolist()) for _ in range(held)))


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
    row: Any, viewer: int, dealt: Mapping[int, list[int]], known: Mapping[int, Known], rng: random.Random
) -> None:
    """Which of its tiles another seat in turn has just drawn: not one it is known to have held before."""
    seat = int(row["turn"])
    if seat == viewer or row["drawn"] == NO_TILE:
        return
    if row["phase"] != TURN:
        row["drawn"] = row["table_tile"]  # as most often; it tells what an added gang is worth
    elif dealt[seat]:
        limit = known[seat]
        scarce = [kind for kind in dealt[seat] if kind in limit.scarce]
        row["drawn"] = rng.choice(scarce if scarce and surplus(limit, dealt[seat]) == 0 else dealt[seat])


def set_keys(variant: Variant, games: np.ndarray, seat: int) -> None:
    """The suit keys of a hand whose tiles have changed."""
    kinds = whole_hand(games[0], seat).holds
    games["hands"][0, seat] = 0
    games["keys"][0, seat] = 0
    hold(variant, games, seat, kinds)


# --- who is asked -----------------------------------------------------------------------------------------------------


def ask_again(game: "Game", games: np.ndarray, viewer: int) -> bool:
    """Have the seat asked whose turn it is now; False if that isn't what the viewer has seen: itself, or somebody else."""
    row, before = games[0], game._games[0]
    if not getattr(game.variant.module, "is_possible", lambda row, viewer: True)(row, viewer):
        return False
    if row["phase"] in (CLAIM, ROBBING):
        own = getattr(game.variant.module, "ask_claims_again", None)
        if own is not None:
            own(row, viewer, game.to_act == viewer)
        else:
            ask_claims_again(game.variant, row, viewer, game.to_act == viewer)
    elif row["phase"] >= OWN:
        tell(game.variant, "ask_own_again", row, viewer)
    engine.resume_at(games, 0)
    same = all(games[0][name] == before[name] for name in ("phase", "turn", "table_tile", "river_length"))
    return same and (games["to_act"][0] == viewer) == (game.to_act == viewer)


def ask_claims_again(variant: Variant, row: Any, viewer: int, is_asked: bool) -> None:
    """Forget what others have answered to the tile on the table. Asking goes on with the viewer, or after it if it has
    answered, or else begins anew."""
    answer = int(row["answers"][viewer])
    place = int(viewer - row["table_from"]) % variant.seats
    row["answers"] = NO_ANSWER
    row["best_rank"] = 0
    row["asking"] = place if is_asked else 1
    if answer != NO_ANSWER:
        row["answers"][viewer] = answer
        row["best_rank"] = rank_of(int(variant.actions.tables["verb_of"][answer]))
        row["asking"] = place + 1
