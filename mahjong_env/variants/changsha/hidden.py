"""What a seat can infer of hidden tiles, and how others' secret choices are made anew; see `mahjong_env.resample`."""

import random
from typing import Any

import numpy as np

from mahjong_env.actions import CHI, GANG, PENG, SELF_GANG
from mahjong_env.cycles.draw import ADDED_GANG
from mahjong_env.fields import MOST_MELDS, NO_ANSWER, OPENING, TAKEN
from mahjong_env.hands.tables import WEIGHT
from mahjong_env.resample import Known
from mahjong_env.variants.changsha.face_up import CLAIMING, WINNING
from mahjong_env.variants.changsha.hand import waits_mask
from mahjong_env.variants.changsha.options import TENPAI_258
from mahjong_env.variants.changsha.starting import items_met

FROM_HAND = {PENG: 2, GANG: 3, SELF_GANG: 4, ADDED_GANG: 3}
"""Most tiles of a meld that come from the seat's own hand."""

READY_TRIES = 30
"""Hands built until one comes out that is ready."""


def known_hand(row: Any, seat: int, viewer: int, pool: np.ndarray, rng: random.Random) -> Known | None:
    """What the viewer knows of another seat's hand: what it has shown and not played since; a locked one is ready."""
    held = np.maximum(row["shown"][seat] - played(row, seat), 0)
    needed = [kind for kind in range(27) for _ in range(held[kind])]
    if not row["locked"][seat] or row["options"]["gang_need_tenpai"] != TENPAI_258:
        return Known(tuple(needed))
    for _ in range(READY_TRIES):
        hand = ready_hand(int(row["meld_count"][seat]), needed, pool.tolist(), rng)
        if hand is not None:
            more = int(row["hands"][seat].sum()) - len(hand)  # a drawn tile, which may be any
            return Known(tuple(hand)) if more >= 0 else None
    return None


def played(row: Any, seat: int) -> np.ndarray:
    """(27,) most tiles that the seat can have played out of its own hand, as discards and in melds."""
    river = row["river_tile"][: row["river_length"]][row["river_seat"][: row["river_length"]] % TAKEN == seat]
    counts = np.bincount(river, minlength=27)
    for place in range(row["meld_count"][seat]):
        verb, kind = int(row["meld_verb"][seat, place]), int(row["meld_tile"][seat, place])
        if verb == CHI:
            counts[kind : kind + 3] += 1
        else:
            counts[kind] += FROM_HAND[verb]
    return counts


def ready_hand(melds: int, needed: list[int], pool: list[int], rng: random.Random) -> list[int] | None:
    """Tiles of `pool`, those needed among them, that lack one of sets and a pair of 2, 5 or 8; None where chance leads
    nowhere."""
    left, wanted, hand = list(pool), list(needed), list[int]()
    sets, pairs = MOST_MELDS - melds, 1
    while sets or pairs:
        kind = wanted[0] if wanted else rng.choices(range(27), left)[0] if any(left) else 0
        blocks = [block for block in blocks_with(kind, sets, pairs) if all(left[k] >= block.count(k) for k in block)]
        if not blocks:
            return None
        block = rng.choice(blocks)
        sets, pairs = sets - (len(block) == 3), pairs - (len(block) == 2)
        for k in block:
            left[k] -= 1
            if k in wanted:
                wanted.remove(k)
        hand += block
    free = [kind for kind in hand if hand.count(kind) > needed.count(kind)]
    if wanted or not free:
        return None
    hand.remove(rng.choice(free))
    return hand


def blocks_with(kind: int, sets: int, pairs: int) -> list[list[int]]:
    """The sets, and the pair, that a tile can be part of, if there are any still to be made."""
    runs = [[low, low + 1, low + 2] for low in range(kind - 2, kind + 1) if low // 9 == (low + 2) // 9 == kind // 9]
    return ([*runs, [kind] * 3] if sets else []) + ([[kind] * 2] if pairs and kind % 3 == 1 else [])


def choose_again(row: Any, viewer: int, rng: random.Random) -> None:
    """Starting wins the others have declared and not shown, dice not thrown yet, and what locked hands wait for."""
    row["dice"][2 * int(row["throws"]) :] = -1
    for seat in [seat for seat in range(4) if seat != viewer]:
        for suit in range(3):
            tiles = row["hands"][seat, 9 * suit : 9 * suit + 9]
            row["keys"][seat, suit] = int((tiles * WEIGHT[9 * suit : 9 * suit + 9]).sum())
        if row["phase"] == OPENING and (seat - int(row["dealer"])) % 4 < row["asking"]:
            row["declaring"][seat] = int(items_met(row, seat) != 0)
        if row["locked"][seat]:
            row["lock_waits"][seat] = locked_waits(row, seat)


def locked_waits(row: Any, seat: int) -> int:
    """What the hand waits for, a tile just drawn aside."""
    if row["hands"][seat].sum() % 3 == 1:
        return int(waits_mask(row, seat))
    return int(row["lock_waits"][seat])


def ask_own_again(row: Any, viewer: int) -> None:
    """Forget what others have answered about tiles that lie face up; they are taken to have passed."""
    answer = int(row["answers"][viewer])
    mine = row["phase"] == CLAIMING and row["claimant"] == viewer
    keeps = mine or (row["phase"] == WINNING and answer != NO_ANSWER)
    row["answers"] = NO_ANSWER
    row["answers"][viewer] = answer
    row["best_rank"] = int(row["best_rank"]) if keeps else 0
