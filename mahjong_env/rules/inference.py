"""What a seat can infer of hidden tiles: the words in which a variant says so, and hands built to fit it."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mahjong_env.rules.actions import CHI, GANG, PENG, SELF_GANG
from mahjong_env.rules.state import TAKEN

READY_TRIES = 30
"""Hands built until one comes out that fits."""

FROM_HAND = {PENG: 2, GANG: 3, SELF_GANG: 4, -SELF_GANG: 3}
"""How many tiles of a meld come from the seat's own hand at most, by its verb; a run's are counted apart."""


@dataclass(frozen=True)
class Known:
    """What a viewer knows of a hand: it holds these kinds, and at most `most` tiles of the `scarce` kinds."""

    holds: tuple[int, ...] = ()
    scarce: frozenset[int] = frozenset()
    most: int = 0


def known_open_hand(state: Any, seat: int) -> Known:
    """All tiles of a hand that lies open; nothing of another."""
    return Known(held(state, seat) if state["open_hand"][seat] else ())


def held(state: Any, seat: int) -> tuple[int, ...]:
    """The concealed tiles of a seat, one entry a tile."""
    return tuple(kind for kind, count in enumerate(state["hands"][seat].tolist()) for _ in range(count))


def tiles_shown(state: Any, seat: int) -> np.ndarray:
    """(kinds,) most tiles that the seat can have played out of its own hand: discards, taken or not, and its melds' part."""
    length = int(state["river_length"])
    river = state["river_tile"][:length][state["river_seat"][:length] % TAKEN == seat]
    counts = np.bincount(river, minlength=state["hands"].shape[1])
    for place in range(int(state["meld_count"][seat])):
        verb, kind = int(state["meld_verb"][seat, place]), int(state["meld_tile"][seat, place])
        if verb == CHI:
            counts[kind : kind + 3] += 1
        else:
            counts[kind] += FROM_HAND[verb]
    return counts


def ready_hand(
    pool: Sequence[int],
    sets: int,
    needed: Sequence[int],
    rng: random.Random,
    *,
    win: int | None = None,
    standard: Sequence[int] | None = None,
    is_pair: Callable[[int], bool] = lambda kind: True,
    tries: int = READY_TRIES,
) -> tuple[int, ...] | None:
    """Tiles that lack one of `sets` sets and a pair: what a variant's `known_hand` says of a seat known to be ready.

    pool: (kinds,) numbers of tiles to build with; needed: kinds that are among the tiles; win: the kind that completes
    them, None for any; standard: the standard number of each kind, by which runs are
    made, for a game whose kinds have others (`standard_numbers`); is_pair: kinds that may be the pair. None
    where chance finds none in `tries`.
    """
    for _ in range(tries):
        hand = _complete_hand(list(pool), sets, list(needed), rng, win, standard, is_pair)
        if hand is None:
            continue
        if win is not None:
            hand.remove(win)
            return tuple(hand)
        free = [kind for kind in hand if hand.count(kind) > needed.count(kind)]
        if free:
            hand.remove(rng.choice(free))
            return tuple(hand)
    return None


def _complete_hand(
    left: list[int],
    sets: int,
    needed: list[int],
    rng: random.Random,
    win: int | None,
    standard: Sequence[int] | None,
    is_pair: Callable[[int], bool],
) -> list[int] | None:
    """Sets and a pair of tiles of `left`, those needed and the winning one among them; None where chance leads nowhere."""
    wanted = needed if win is None else [win, *needed]
    if win is not None:
        left[win] += 1
    hand: list[int] = []
    pairs = 1
    while sets or pairs:
        kind = wanted[0] if wanted else rng.choices(range(len(left)), left)[0] if any(left) else 0
        blocks = [
            block
            for block in _blocks_with(kind, sets, pairs and is_pair(kind), standard)
            if all(left[k] >= block.count(k) for k in block)
        ]
        if not blocks:
            return None
        block = rng.choice(blocks)
        sets, pairs = sets - (len(block) == 3), pairs - (len(block) == 2)
        for k in block:
            left[k] -= 1
            if k in wanted:
                wanted.remove(k)
        hand += block
    return None if wanted else hand


def _blocks_with(kind: int, sets: int, pairs: int, standard: Sequence[int] | None) -> list[list[int]]:
    """The sets, and the pair, that a tile can be part of, if there are any still to be made."""
    runs = [sorted((kind, *others)) for others in runs_with(kind, standard)]
    return ([*runs, [kind] * 3] if sets else []) + ([[kind] * 2] if pairs else [])


def runs_with(kind: int, standard: Sequence[int] | None = None) -> list[tuple[int, int]]:
    """The pairs of kinds that make a run with a kind, from the lowest run on; none with an honour. `standard` as for
    `ready_hand`."""
    own = range(SUITED) if standard is None else standard
    number = kind if standard is None else standard[kind]
    found = []
    for low in range(number - 2, number + 1):
        if low >= 0 and low // RANKS == (low + 2) // RANKS and low + 2 < SUITED:
            run = [k for k in (low, low + 1, low + 2) if k != number]
            if all(k in own for k in run):
                found.append((run[0], run[1]) if standard is None else (standard.index(run[0]), standard.index(run[1])))
    return found


SUITED, RANKS = 27, 9
"""Standard kinds of the three suits, and of each."""
