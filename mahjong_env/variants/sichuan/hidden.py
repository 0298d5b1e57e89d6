"""What a seat can infer of hidden tiles, and how others' secret choices are made anew; see `mahjong_env.resample`."""

import random
from typing import Any

import numpy as np

from mahjong_env.actions import GANG, PENG, SELF_GANG
from mahjong_env.cycles.draw import ADDED_GANG
from mahjong_env.fields import MOST_MELDS, NO_TILE, NOBODY, OPENING, TAKEN
from mahjong_env.resample import Known
from mahjong_env.variants.sichuan.options import BY_CHANCE, CLOCKWISE, COUNTER

FROM_HAND = {PENG: 2, GANG: 3, SELF_GANG: 4, ADDED_GANG: 3}
"""How many tiles of a meld come from the seat's own hand."""

READY_TRIES = 30
"""Hands built until one comes out that is ready on the winning tile."""


def known_hand(row: Any, seat: int, viewer: int, pool: np.ndarray, rng: random.Random) -> Known | None:
    """What the viewer knows of another seat's hand: tiles it gave, too few of the void suit, readiness on a tile won."""
    given = still_held(row, seat, viewer)
    if row["wins"][seat] and row["win_tile"][seat] != NO_TILE:
        for _ in range(READY_TRIES):
            hand = ready_hand(row, seat, given, pool.tolist(), rng)
            if hand is not None:
                return Known(tuple(hand))
        return None
    void = int(row["void"][seat])
    if void == NOBODY or row["phase"] == OPENING:
        return Known(tuple(given))
    suit = frozenset(suit_kinds(void))
    if row["wins"][seat]:
        return Known(tuple(given), suit, 0)
    if row["options"]["void_first"]:
        return Known(tuple(given), suit, int(row["most_void"][seat]))
    return Known(tuple(given))


def take_back(row: Any, viewer: int) -> None:
    """Tiles that others have picked for an exchange still to come are in their hands again."""
    for seat in others(viewer):
        for kind in row["given"][seat] if not is_exchanged(row) else ():
            if kind != NO_TILE:
                row["hands"][seat, kind] += 1


def choose_again(row: Any, viewer: int, rng: random.Random) -> None:
    """Make anew, as nearly everybody would, what the others have chosen and not shown: from their shortest suits."""
    if is_exchanged(row):
        swap_among_others(row, viewer, rng)
    elif row["options"]["exchange"] and row["phase"] == OPENING:
        pick_again(row, viewer, rng)
    for seat in others(viewer) if row["phase"] == OPENING else ():
        if row["void"][seat] != NOBODY:
            row["void"][seat] = min(range(3), key=lambda suit: (len(held(row, seat, suit)), rng.random()))


# --- the exchange -----------------------------------------------------------------------------------------------------


def pick_again(row: Any, viewer: int, rng: random.Random) -> None:
    """Before the exchange: as many tiles as each of the others has picked, and a direction where chance decides it."""
    if row["options"]["exchange_direction"] == BY_CHANCE:
        row["exchange_direction"] = rng.randrange(3)
    for seat in others(viewer):
        picked = int((row["given"][seat] != NO_TILE).sum())
        suits = [tiles for tiles in (held(row, seat, suit) for suit in range(3)) if len(tiles) >= 3]
        for place, kind in enumerate(rng.sample(min(suits, key=lambda tiles: (len(tiles), rng.random())), picked)):
            row["given"][seat, place] = kind
            row["hands"][seat, kind] -= 1


def swap_among_others(row: Any, viewer: int, rng: random.Random) -> None:
    """After the exchange: what others passed to each other are three tiles of a suit that the receiver has had since."""
    for giver in others(viewer):
        receiver = (giver + direction(row)) % 4
        if receiver != viewer:
            had = row["hands"][receiver] + shown(row, receiver)
            suits = [[kind for kind in suit_kinds(suit) for _ in range(had[kind])] for suit in range(3)]
            tiles = rng.sample(rng.choice([suit for suit in suits if len(suit) >= 3]), 3)
            row["given"][giver] = row["got"][receiver] = tiles


def still_held(row: Any, seat: int, viewer: int) -> list[int]:
    """Tiles that the viewer gave the seat and hasn't seen it play since."""
    if not is_exchanged(row) or (viewer + direction(row)) % 4 != seat:
        return []
    gone = shown(row, seat)
    if seat == row["dealer"] and row["self_draws"][seat]:
        gone = gone + row["aside"]  # a dealt hand that wins lays one of its tiles aside
    given = np.bincount(row["given"][viewer], minlength=27)
    return [kind for kind in range(27) for _ in range(given[kind] - gone[kind])]


def shown(row: Any, seat: int) -> np.ndarray:
    """(27,) numbers of tiles the seat has shown out of its own hand: discards, taken or not, and its part of its melds."""
    river = row["river_tile"][: row["river_length"]][row["river_seat"][: row["river_length"]] % TAKEN == seat]
    counts = np.bincount(river, minlength=27)
    for place in range(row["meld_count"][seat]):
        counts[row["meld_tile"][seat, place]] += FROM_HAND[int(row["meld_verb"][seat, place])]
    return counts


def is_exchanged(row: Any) -> bool:
    """Tiles have been exchanged."""
    return bool(row["got"][0, 2] != NO_TILE)


def direction(row: Any) -> int:
    """How many seats on tiles were passed."""
    return {COUNTER - 1: 1, CLOCKWISE - 1: 3}.get(int(row["exchange_direction"]), 2)


def others(viewer: int) -> list[int]:
    return [seat for seat in range(4) if seat != viewer]


def suit_kinds(suit: int) -> range:
    return range(9 * suit, 9 * suit + 9)


def held(row: Any, seat: int, suit: int) -> list[int]:
    """The seat's concealed tiles of a suit."""
    return [kind for kind in suit_kinds(suit) for _ in range(row["hands"][seat, kind])]


# --- a winner's hand --------------------------------------------------------------------------------------------------


def ready_hand(row: Any, seat: int, needed: list[int], pool: list[int], rng: random.Random) -> list[int] | None:
    """A hand of tiles of `pool`, those needed among them, that the seat's winning tile completes to sets and a pair; None
    where chance leads nowhere."""
    win = int(row["win_tile"][seat])
    suits = winning_suits(row, seat, rng)
    left = [count if kind // 9 in suits else 0 for kind, count in enumerate(pool)]
    left[win] += 1
    hand: list[int] = []
    wanted = [win, *needed]
    sets, pairs = MOST_MELDS - int(row["meld_count"][seat]), 1
    while sets or pairs:
        kind = wanted[0] if wanted else rng.choices(range(27), left)[0] if any(left) else 0
        choices = [block for block in blocks_with(kind, sets, pairs) if all(left[k] >= block.count(k) for k in block)]
        if not choices:
            return None
        block = rng.choice(choices)
        sets, pairs = sets - (len(block) == 3), pairs - (len(block) == 2)
        for k in block:
            left[k] -= 1
            if k in wanted:
                wanted.remove(k)
        hand += block
    hand.remove(win)
    return None if wanted else hand


def blocks_with(kind: int, sets: int, pairs: int) -> list[list[int]]:
    """The sets, and the pair, that a tile can be part of, if there are any still to be made."""
    runs = [[low, low + 1, low + 2] for low in range(kind - 2, kind + 1) if low // 9 == (low + 2) // 9 == kind // 9]
    return ([*runs, [kind] * 3] if sets else []) + ([[kind] * 2] if pairs else [])


def winning_suits(row: Any, seat: int, rng: random.Random) -> set[int]:
    """Suits that the winner's hand can have: those not void, or two of them, its melds' and its winning tile's included."""
    if row["void"][seat] != NOBODY:
        return {suit for suit in range(3) if suit != row["void"][seat]}
    melds = row["meld_tile"][seat, : row["meld_count"][seat]]
    suits = {int(kind) // 9 for kind in (*melds, row["win_tile"][seat])}
    return suits if len(suits) == 2 else suits | {rng.choice([suit for suit in range(3) if suit not in suits])}
