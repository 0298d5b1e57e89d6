"""Hands of zipai cards (字牌): the sets that can be eaten, whether cards divide into them, and how far they are from a win.

A kind is rank - 1 for the small cards (一–十) and 10 + rank - 1 for the big ones (壹–拾). One size is one number, its key:
three bits a rank, so that a card drawn or laid is one addition, `key += WEIGHT[kind]`. Sets of three by claim or in the
hand are runs of one size, 2-7-10 of one size (二七十), and mixes of one rank (红吃黑); three or four equal cards are
locked in the hand. Source: rules page "ErQiShi and paohuzi", sections 2 and 7.
"""

import numpy as np

from mahjong_env.compiled import compiled

RANKS = 10
KINDS = 2 * RANKS
LANE = 3  # bits of a key for one rank
WEIGHT: np.ndarray = np.array([1 << LANE * (kind % RANKS) for kind in range(KINDS)], np.int32)
"""(20,) int32: what one card of a kind adds to the key of its size, `kind // 10`."""

RUN = 0o111  # lanes of a run from the lowest rank on
SEVENS = 0o1001000010  # lanes of ranks 2, 7 and 10
ONES = 0o1111111111
FOURS = 0o4444444444


def chi_sets() -> list[tuple[int, int, int]]:
    """The 38 sets that can be eaten, each as three kinds in order: runs, 2-7-10, mixes."""
    sizes = (0, RANKS)
    runs = [(size + low, size + low + 1, size + low + 2) for size in sizes for low in range(RANKS - 2)]
    sevens = [(size + 1, size + 6, size + 9) for size in sizes]
    mixes = [
        cards for rank in range(RANKS) for cards in ((rank, rank, RANKS + rank), (rank, RANKS + rank, RANKS + rank))
    ]
    return runs + sevens + mixes


CHI_SETS: np.ndarray = np.array(chi_sets(), np.int8)
"""(38, 3) int8: the kinds of each set."""
SMALL_SEVENS, BIG_SEVENS = 16, 17
"""The places of the two sets 2-7-10."""


def _sets_with() -> np.ndarray:
    found = [[s for s, cards in enumerate(chi_sets()) if kind in cards] for kind in range(KINDS)]
    return np.array([sets + [-1] * (6 - len(sets)) for sets in found], np.int8)


SETS_WITH: np.ndarray = _sets_with()
"""(20, 6) int8: the sets that a kind can be part of, -1 where there are no more."""


@compiled
def lane(key, rank):
    """How many cards of a rank (from 0) the key holds."""
    return key >> LANE * rank & 7


@compiled
def free_part(key):
    """The key without the kinds of which it holds three or four, which are locked."""
    locked = ((key + ONES) & FOURS) >> 2
    return key & ~(locked * 7)


@compiled
def starts_run(key, cards):
    """Whether that many runs can start at the lowest rank."""
    return (key >> LANE & 7) >= cards and (key >> 2 * LANE & 7) >= cards


@compiled
def divides(small, big, pairs):
    """Whether the cards of two keys divide into runs, mixes and so many pairs (0 or 1).

    2-7-10 aside: the caller takes those out first.
    """
    while (small | big) & 7 == 0:
        if small | big == 0:
            return pairs == 0
        small >>= LANE
        big >>= LANE
    a, b = small & 7, big & 7
    if (
        starts_run(small, a)
        and starts_run(big, b)
        and divides((small - a * RUN) >> LANE, (big - b * RUN) >> LANE, pairs)
    ):
        return True
    if a >= 2 and b >= 1 and divides(small - 2, big - 1, pairs):
        return True
    if a >= 1 and b >= 2 and divides(small - 1, big - 2, pairs):
        return True
    if pairs == 0:
        return False
    return (a >= 2 and divides(small - 2, big, pairs - 1)) or (b >= 2 and divides(small, big - 2, pairs - 1))


@compiled
def most_sevens(key):
    """How many sets 2-7-10 the cards of one size could form at most."""
    return min(key >> LANE & 7, key >> 6 * LANE & 7, key >> 9 * LANE & 7)


@compiled
def divide(small, big, pairs, small_worth, big_worth):
    """The complete division into chi sets, and so many pairs, with the most points: its small sets 2-7-10, plus 8 times
    the big ones; -1 if there is none. `small_worth`, `big_worth`: points of a set 2-7-10; others have none."""
    best, most = -1, -1
    for s in range(most_sevens(small) + 1):
        for b in range(most_sevens(big) + 1):
            points = s * small_worth + b * big_worth
            if points > most and divides(small - s * SEVENS, big - b * SEVENS, pairs):
                best, most = s + 8 * b, points
    return best
