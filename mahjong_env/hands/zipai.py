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
SMALL_SEVENS_POINTS, BIG_SEVENS_POINTS = 3, 6
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
def cards_in(key):
    """How many cards a key holds."""
    pairs = (key & 0o0707070707) + (key >> LANE & 0o0707070707)
    return (pairs & 0o77) + (pairs >> 6 & 0o77) + (pairs >> 12 & 0o77) + (pairs >> 18 & 0o77) + (pairs >> 24 & 0o77)


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
def divide(small, big, pairs):
    """The complete division into chi sets, and so many pairs, with the most points: its small sets 2-7-10, plus 8 times
    the big ones; -1 if there is none."""
    best, most = -1, -1
    for s in range(most_sevens(small) + 1):
        for b in range(most_sevens(big) + 1):
            points = s * SMALL_SEVENS_POINTS + b * BIG_SEVENS_POINTS
            if points > most and divides(small - s * SEVENS, big - b * SEVENS, pairs):
                best, most = s + 8 * b, points
    return best


# --- how far from a win -----------------------------------------------------------------------------------------------

# What the lowest card of a size can be part of: cards of its own size and of the other, what is missing, and what it counts
# as. A set that lacks a card is completed by claiming it.
_OWN, _REST, _OTHER, _LACKS, _GROUP, _PAIR, _SMALL_POINTS, _BIG_POINTS, _RANK, _MISSING = range(10)
_ANY_RANK = -1
FIRST_LACKING = 5
"""The place of the first part that lacks a card; those before are whole."""


def _parts() -> np.ndarray:
    """(13, 10) int64, whole parts first. `_REST`: the lanes of `_OWN` beyond the lowest. `_MISSING`: the steps in rank to
    the cards that would complete it, + 16, five bits each."""
    sevens = SMALL_SEVENS_POINTS, BIG_SEVENS_POINTS
    nothing = 0, 0

    def part(own: tuple[int, ...], other: int, points: tuple[int, int], rank: int, *missing: int) -> list[int]:
        cards = sum(1 << LANE * step for step in own)
        steps = sum((step + 16) << 5 * place for place, step in enumerate(missing))
        is_pair = own in ((0, 0), (0,)) and other == 0 and points == nothing
        return [cards, cards & ~7, other, bool(missing), not is_pair, is_pair, *points, rank, steps]

    return np.array(
        [
            part((0, 5, 8), 0, sevens, 1),
            part((0, 1, 2), 0, nothing, _ANY_RANK),
            part((0, 0), 1, nothing, _ANY_RANK),
            part((0,), 2, nothing, _ANY_RANK),
            part((0, 0), 0, nothing, _ANY_RANK),
            part((0, 0), 0, (1, 3), _ANY_RANK, 0),
            part((0, 5), 0, sevens, 1, 8),
            part((0, 8), 0, sevens, 1, 5),
            part((0, 3), 0, sevens, 6, -5),
            part((0, 1), 0, nothing, _ANY_RANK, -1, 2),
            part((0, 2), 0, nothing, _ANY_RANK, 1),
            part((0,), 1, nothing, _ANY_RANK, 0, RANKS),
            part((0,), 0, nothing, _ANY_RANK, 0),
        ],
        np.int64,
    )


PARTS: np.ndarray = _parts()
NODES = KINDS
"""In a survey, after the kinds: how many steps of the search are still allowed."""
SURVEY = KINDS + 1
"""Length of a survey's array."""


@compiled
def missing_kinds(part, kind):
    """Bit per kind that completes a part whose lowest card is of `kind`; ranks below 1 and above 10 there are none."""
    mask, steps = 0, int(PARTS[part, _MISSING])
    while steps:
        step = (steps & 31) - 16
        if step == RANKS:
            mask |= 1 << (kind + RANKS) % KINDS
        elif 0 <= kind % RANKS + step < RANKS:
            mask |= 1 << kind + step
        steps >>= 5
    return mask


@compiled
def note(survey, small, big, rank, spare, lacking):
    """Keep a solution: for each kind left over, the kinds that complete the rest."""
    for kind in range(KINDS):
        key = big if kind >= RANKS else small
        place = kind % RANKS - rank
        if spare >> kind & 1 or (place >= 0 and key >> LANE * place & 7):
            survey[kind] |= lacking


@compiled
def search(survey, is_first, small, big, rank, groups, pairs, lacks, spares, points, spare, lacking):
    """Whether cards, as keys from `rank` on, make so many sets and pairs of which at most `lacks` lack a card, with at
    most `spares` left over, and at least `points` points.

    Stops at the first solution if `is_first`; else `survey`, (SURVEY,) int64, gathers them: for each kind that can be
    spared a bit for each kind that would then be of use. `spare` and `lacking` are those of the way so far. The steps
    allowed are in survey[NODES].
    """
    if groups + pairs == 0:
        if points > 0:
            return False
        if not is_first:
            note(survey, small, big, rank, spare, lacking)
        return True
    if small | big == 0 or points > 6 * groups or survey[NODES] <= 0:
        return False
    survey[NODES] -= 1
    while (small | big) & 7 == 0:
        small >>= LANE
        big >>= LANE
        rank += 1
    is_big = small & 7 == 0
    own, other = (big, small) if is_big else (small, big)
    kind, found = rank + RANKS if is_big else rank, False
    some = (own | own >> 1 | own >> 2) & ONES
    for part in range(FIRST_LACKING if lacks == 0 else len(PARTS)):
        if not is_possible(part, own & 7, some, other & 7, rank, groups, pairs):
            continue
        would = missing_kinds(part, kind) if part >= FIRST_LACKING else 0
        if part >= FIRST_LACKING and would == 0:
            continue
        own_left, other_left = own - int(PARTS[part, _OWN]), other - int(PARTS[part, _OTHER])
        if search(
            survey,
            is_first,
            other_left if is_big else own_left,
            own_left if is_big else other_left,
            rank,
            groups - int(PARTS[part, _GROUP]),
            pairs - int(PARTS[part, _PAIR]),
            lacks - int(PARTS[part, _LACKS]),
            spares,
            points - int(PARTS[part, _BIG_POINTS if is_big else _SMALL_POINTS]),
            spare,
            lacking | would,
        ):
            if is_first:
                return True
            found = True
    copies = own & 7
    if copies <= spares:  # what isn't used by now is left over
        small_left, big_left = (small, big - copies) if is_big else (small - copies, big)
        left = spare | 1 << kind
        if search(
            survey, is_first, small_left, big_left, rank, groups, pairs, lacks, spares - copies, points, left, lacking
        ):
            return True
    return found


@compiled
def is_possible(part, own, some, other, rank, groups, pairs):
    """Whether the cards of a part are there, and there is room for it: `own` and `other` of its lowest rank, and in `some`
    a bit for each rank of its size from there on."""
    if int(PARTS[part, _REST]) & ~some or own < PARTS[part, _OWN] & 7 or other < PARTS[part, _OTHER]:
        return False
    if groups < PARTS[part, _GROUP] or pairs < PARTS[part, _PAIR]:
        return False
    return PARTS[part, _RANK] == _ANY_RANK or PARTS[part, _RANK] == rank


@compiled
def is_within(survey, is_first, small, big, groups, pairs, points, spares, lacks):
    """Whether `lacks` claims, the last of them winning, make free cards into `groups` sets and `pairs` pairs with enough
    points, at least `spares` cards being left over meanwhile."""
    left = cards_in(small) + cards_in(big) - 3 * groups - 2 * pairs + lacks
    return left >= spares and search(survey, is_first, small, big, 0, groups, pairs, lacks, left, points, 0, 0)


@compiled
def distance(survey, is_first, small, big, groups, pairs, points, spares, least, most):
    """The fewest claims for which that is so, from `least` on; most + 1 if more are needed, or more steps than allowed to
    find out."""
    for lacks in range(least, most + 1):
        if is_within(survey, is_first, small, big, groups, pairs, points, spares, lacks):
            return lacks
    return most + 1
