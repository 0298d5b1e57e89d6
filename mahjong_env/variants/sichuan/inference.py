"""What a seat can infer of hidden tiles, and how others' secret choices are made anew; see `play/resample.py`."""

import random
from typing import Any

import numpy as np

from mahjong_env.rules.inference import READY_TRIES, Known, ready_hand, tiles_shown
from mahjong_env.rules.state import MOST_MELDS, NO_TILE, NOBODY, OPENING
from mahjong_env.variants.sichuan.options import BY_CHANCE, CLOCKWISE, COUNTER


def known_hand(state: Any, seat: int, viewer: int, pool: np.ndarray, rng: random.Random) -> Known | None:
    """What the viewer knows of another seat's hand: tiles it gave, too few of the void suit, readiness on a tile won."""
    given = still_held(state, seat, viewer)
    if state["wins"][seat] and state["win_tile"][seat] != NO_TILE:
        return known_winner(state, seat, given, pool, rng)
    void = int(state["void"][seat])
    if void == NOBODY or state["phase"] == OPENING:
        return Known(tuple(given))
    suit = frozenset(suit_kinds(void))
    if state["wins"][seat]:
        return Known(tuple(given), suit, 0)
    if state["options"]["void_first"]:
        return Known(tuple(given), suit, int(state["most_void"][seat]))
    return Known(tuple(given))


def take_back(state: Any, viewer: int) -> None:
    """Tiles that others have picked for an exchange still to come are in their hands again."""
    for seat in others(viewer):
        for kind in state["given"][seat] if not is_exchanged(state) else ():
            if kind != NO_TILE:
                state["hands"][seat, kind] += 1


def choose_again(state: Any, viewer: int, rng: random.Random) -> None:
    """Make anew, as nearly everybody would, what the others have chosen and not shown: from their shortest suits."""
    if is_exchanged(state):
        swap_among_others(state, viewer, rng)
    elif state["options"]["exchange"] and state["phase"] == OPENING:
        pick_again(state, viewer, rng)
    for seat in others(viewer) if state["phase"] == OPENING else ():
        if state["void"][seat] != NOBODY:
            state["void"][seat] = min(range(3), key=lambda suit: (len(held(state, seat, suit)), rng.random()))


# --- the exchange -----------------------------------------------------------------------------------------------------


def pick_again(state: Any, viewer: int, rng: random.Random) -> None:
    """Before the exchange: as many tiles as each of the others has picked, and a direction where chance decides it."""
    if state["options"]["exchange_direction"] == BY_CHANCE:
        state["exchange_direction"] = rng.randrange(3)
    for seat in others(viewer):
        picked = int((state["given"][seat] != NO_TILE).sum())
        suits = [tiles for tiles in (held(state, seat, suit) for suit in range(3)) if len(tiles) >= 3]
        for place, kind in enumerate(rng.sample(min(suits, key=lambda tiles: (len(tiles), rng.random())), picked)):
            state["given"][seat, place] = kind
            state["hands"][seat, kind] -= 1


def swap_among_others(state: Any, viewer: int, rng: random.Random) -> None:
    """After the exchange: what others passed to each other are three tiles of a suit that the receiver has had since."""
    for giver in others(viewer):
        receiver = (giver + direction(state)) % 4
        if receiver != viewer:
            had = state["hands"][receiver] + tiles_shown(state, receiver)
            suits = [[kind for kind in suit_kinds(suit) for _ in range(had[kind])] for suit in range(3)]
            tiles = rng.sample(rng.choice([suit for suit in suits if len(suit) >= 3]), 3)
            state["given"][giver] = state["got"][receiver] = tiles


def still_held(state: Any, seat: int, viewer: int) -> list[int]:
    """Tiles that the viewer gave the seat and hasn't seen it play since."""
    if not is_exchanged(state) or (viewer + direction(state)) % 4 != seat:
        return []
    gone = tiles_shown(state, seat)
    if seat == state["dealer"] and state["self_draws"][seat]:
        gone = gone + state["aside"]  # a dealt hand that wins lays one of its tiles aside
    given = np.bincount(state["given"][viewer], minlength=27)
    return [kind for kind in range(27) for _ in range(given[kind] - gone[kind])]


def is_exchanged(state: Any) -> bool:
    """Tiles have been exchanged."""
    return bool(state["got"][0, 2] != NO_TILE)


def direction(state: Any) -> int:
    """How many seats on tiles were passed."""
    return {COUNTER - 1: 1, CLOCKWISE - 1: 3}.get(int(state["exchange_direction"]), 2)


def others(viewer: int) -> list[int]:
    return [seat for seat in range(4) if seat != viewer]


def suit_kinds(suit: int) -> range:
    return range(9 * suit, 9 * suit + 9)


def held(state: Any, seat: int, suit: int) -> list[int]:
    """The seat's concealed tiles of a suit."""
    return [kind for kind in suit_kinds(suit) for _ in range(state["hands"][seat, kind])]


# --- a winner's hand --------------------------------------------------------------------------------------------------


def known_winner(state: Any, seat: int, given: list[int], pool: np.ndarray, rng: random.Random) -> Known | None:
    """A hand that the seat's winning tile completes to sets and a pair, in suits it may have."""
    sets = MOST_MELDS - int(state["meld_count"][seat])
    for _ in range(READY_TRIES):
        suits = winning_suits(state, seat, rng)
        left = [count if kind // 9 in suits else 0 for kind, count in enumerate(pool.tolist())]
        hand = ready_hand(left, sets, given, rng, win=int(state["win_tile"][seat]), tries=1)
        if hand is not None:
            return Known(hand)
    return None


def winning_suits(state: Any, seat: int, rng: random.Random) -> set[int]:
    """Suits that the winner's hand can have: those not void, or two of them, its melds' and its winning tile's included."""
    if state["void"][seat] != NOBODY:
        return {suit for suit in range(3) if suit != state["void"][seat]}
    melds = state["meld_tile"][seat, : state["meld_count"][seat]]
    suits = {int(kind) // 9 for kind in (*melds, state["win_tile"][seat])}
    return suits if len(suits) == 2 else suits | {rng.choice([suit for suit in range(3) if suit not in suits])}
