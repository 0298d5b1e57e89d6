"""The ways in which a hand divides into sets and a pair, which is what scoring starts from."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from mahjong_env.compiled import compiled
from mahjong_env.hands.automaton import HONOURS, RANKS
from mahjong_env.hands.counts import SETS, check_numbers, one_hand

SUITED = 3 * RANKS
RUN = SUITED + HONOURS
"""A set is a number: the kind of a triplet, or RUN + the lowest kind of a run."""

NO_SET = -1
MOST_READINGS = 16
"""More than any hand has (a test counts them)."""


class Reading(NamedTuple):
    """One division: the kind of the pair, the lowest kind of each run, the kind of each triplet, all in order."""

    pair: int
    runs: tuple[int, ...]
    triplets: tuple[int, ...]


@compiled
def runs_after(counts, row, pair, triplets, sets, out, found):
    """Do the tiles beside the pair and the triplets (a mask) form runs? Writes a division into out[found] as it goes.

    From the lowest kind on there is no choice: what no run from below takes up begins a new run.
    """
    out[found, 0] = pair
    filled, older, newer = 0, 0, 0  # sets written; runs begun two kinds and one kind below
    for kind in range(counts.shape[1]):
        triplet = triplets >> kind & 1
        begun = int(counts[row, kind]) - 2 * int(kind == pair) - 3 * triplet - older - newer
        last = kind >= SUITED or kind % RANKS > RANKS - 3  # no run begins here
        if begun < 0 or (last and begun > 0) or filled + begun + triplet > sets:
            return False
        if triplet:
            out[found, 1 + filled] = kind
            filled += 1
        for _ in range(begun):
            out[found, 1 + filled] = RUN + kind
            filled += 1
        older, newer = newer, begun
    return filled == sets


@compiled
def readings_at(counts, row, sets, out):
    """Write every division of a row of counts into `sets` sets and a pair; returns how many.

    `out` (readings, 5) int: the pair's kind, then the sets (see RUN), NO_SET for sets that are called. Divisions that
    find no room are left out; with MOST_READINGS rows there is room for all. Each set of triplets taken out leaves at
    most one way to form runs, so no division comes twice.
    """
    threes = 0
    for kind in range(counts.shape[1]):
        threes |= int(counts[row, kind] >= 3) << kind
    found = 0
    for pair in range(counts.shape[1]):
        triplets = threes
        trying = counts[row, pair] >= 2
        while trying and found < len(out):
            for place in range(1, out.shape[1]):
                out[found, place] = NO_SET
            found += int(runs_after(counts, row, pair, triplets, sets, out, found))
            trying = triplets != 0
            triplets = (triplets - 1) & threes  # the next smaller choice of triplets
    return found


def readings(counts: ArrayLike, melds: int = 0) -> list[Reading]:
    """Every different division of one hand into sets and a pair.

    Parameters
    ----------
    counts : (kinds,) array of whole numbers
        The concealed tiles, without laizi.
    melds : int
        Number of called melds, which are not in the counts.

    Returns
    -------
    list of Reading
        Empty if the hand is not complete. Three equal runs and three triplets in a row are two readings.

    Raises
    ------
    ValueError
        For a count above four.
    """
    check_numbers(0, melds)
    hand = one_hand(counts)
    out = np.empty((MOST_READINGS, 1 + SETS), np.int8)
    found = readings_at(hand, 0, SETS - melds, out)
    return [_reading(row[0], [one for one in row[1:] if one != NO_SET]) for row in out[:found].tolist()]


def _reading(pair: int, sets: list[int]) -> Reading:
    runs = tuple(one - RUN for one in sets if one >= RUN)
    return Reading(pair, runs, tuple(one for one in sets if one < RUN))
