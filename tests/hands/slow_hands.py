"""Slow, obvious answers to compare with.

Complete hands: recursion over all divisions, laizi by trying every tile, or (`laizi_needed`) by paying for what a set
lacks. Distance: the complete hands are listed, and the nearest one counted. Special forms by their definition.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, permutations

import numpy as np

RANKS = 9
FAR = 30

Sets = tuple[tuple[int, ...], ...]


def sets_of(kinds: int) -> Sets:
    """Every set there is: runs in the three suits and triplets."""
    runs = [(k, k + 1, k + 2) for k in range(min(kinds, 27)) if k % RANKS <= 6]
    return (*runs, *((k, k, k) for k in range(kinds)))


def divide(counts: list[int], sets: int, allowed: Sets, pairs: tuple[int, ...]) -> Iterator[tuple[int, Sets]]:
    """Every division into `sets` sets and one pair: the pair, and the sets from the lowest on."""
    for pair in pairs:
        if counts[pair] >= 2:
            rest = list(counts)
            rest[pair] -= 2
            for division in divide_sets(rest, sets, allowed):
                yield pair, division


def divide_sets(counts: list[int], sets: int, allowed: Sets) -> Iterator[Sets]:
    """Every division into exactly `sets` sets, each once: the lowest tile left is always used next."""
    lowest = next((k for k, n in enumerate(counts) if n), None)
    if lowest is None or sets == 0:
        if lowest is None and sets == 0:
            yield ()
        return
    for one in allowed:
        if one[0] == lowest and all(counts[k] >= one.count(k) for k in one):
            rest = list(counts)
            for k in one:
                rest[k] -= 1
            for others in divide_sets(rest, sets - 1, allowed):
                yield (one, *others)


def is_terminal(kind: int) -> bool:
    return kind < 27 and kind % RANKS in (0, 8)


def is_258(kind: int) -> bool:
    return kind < 27 and kind % RANKS in (1, 4, 7)


@cache
def family_parts(
    kinds: int, triplets_only=False, terminal_sets=False, no_terminals=False, only_258=False, pair_258=False
) -> tuple[Sets, tuple[int, ...]]:
    """The sets and the kinds of pairs of a family, by its definition."""
    sets, pairs = list(sets_of(kinds)), list(range(kinds))
    if triplets_only:
        sets = [s for s in sets if s[0] == s[2]]
    if terminal_sets:
        sets, pairs = [s for s in sets if any(map(is_terminal, s))], [p for p in pairs if is_terminal(p)]
    if no_terminals:
        sets, pairs = [s for s in sets if not any(map(is_terminal, s))], [p for p in pairs if not is_terminal(p)]
    if only_258:
        sets, pairs = [s for s in sets if all(map(is_258, s))], [p for p in pairs if is_258(p)]
    if pair_258:
        pairs = [p for p in pairs if is_258(p)]
    return tuple(sets), tuple(pairs)


def is_complete(counts, laizi: int, fifth_copy=True, **family) -> bool:
    """Is there a map of the laizi to tiles so that the hand divides? All maps are tried."""
    counts = [int(n) for n in counts]
    sets, pairs = family_parts(len(counts), **family)
    wanted = (sum(counts) + laizi - 2) // 3
    for images in combinations_with_replacement(range(len(counts)), laizi):
        filled = list(counts)
        for kind in images:
            filled[kind] += 1
        if (fifth_copy or max(filled) <= 4) and next(divide(filled, wanted, sets, pairs), None) is not None:
            return True
    return False


# --- laizi needed, for all patterns of a suit at once

MOST_TILES = 14


@cache
def suit_parts(
    first: int, ranks: int, kinds: int, family: tuple[tuple[str, bool], ...]
) -> tuple[Sets, tuple[int, ...]]:
    """The sets and pairs of a family within one suit, by rank."""
    sets, pairs = family_parts(kinds, **dict(family))
    inside = range(first, first + ranks)
    return (
        tuple(tuple(k - first for k in s) for s in sets if s[0] in inside),
        tuple(p - first for p in pairs if p in inside),
    )


def suits_of(kinds: int) -> list[tuple[int, int]]:
    """First kind and number of ranks of every suit."""
    return [(0, 9), (9, 9), (18, 9), (27, 7)][: 3 + (kinds > 27)]


@cache
def laizi_tables(ranks: int, sets: Sets, pairs: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """(5, 5, …) laizi needed by every pattern of up to 14 tiles for sets alone, and for sets and one pair.

    The lowest tile must be in some set, and whatever that set lacks is paid; patterns of fewer tiles come first.
    """
    grid = np.indices((5,) * ranks).reshape(ranks, -1).T
    tiles, lowest = grid.sum(axis=1), (grid > 0).argmax(axis=1)
    alone, paired = np.full(len(grid), FAR), np.full(len(grid), FAR)
    alone[0] = 0
    for number in range(1, MOST_TILES + 1):
        for one in sets:
            some = np.flatnonzero((tiles == number) & np.isin(lowest, one))
            alone[some] = np.minimum(alone[some], _paid(grid[some], one, alone))
    few = np.flatnonzero(tiles <= MOST_TILES)
    for pair in pairs:
        paired[few] = np.minimum(paired[few], _paid(grid[few], (pair, pair), alone))
    return alone.reshape((5,) * ranks), paired.reshape((5,) * ranks)


def _paid(patterns: np.ndarray, part: tuple[int, ...], alone: np.ndarray) -> np.ndarray:
    """Laizi needed if the patterns give what they can to a set or pair, and the rest forms sets."""
    rest = patterns - np.bincount(part, minlength=patterns.shape[1])
    places = 5 ** np.arange(patterns.shape[1])[::-1]
    return alone[np.maximum(rest, 0) @ places] + np.maximum(-rest, 0).sum(axis=1)


def laizi_needed(hands: np.ndarray, **family) -> np.ndarray:
    """(n,) laizi needed so that all tiles form sets and a pair, the pair in the suit where it costs least."""
    parts = []
    for first, ranks in suits_of(hands.shape[1]):
        tables = laizi_tables(ranks, *suit_parts(first, ranks, hands.shape[1], tuple(family.items())))
        parts.append([table[tuple(hands[:, first : first + ranks].T)] for table in tables])
    total = sum(alone for alone, _ in parts)
    return np.min([total - alone + paired for alone, paired in parts], axis=0)


# --- distance, no kind more than four times: all patterns of a suit at once


@cache
def draws_table(ranks: int, sets: Sets, pairs: tuple[int, ...]) -> np.ndarray:
    """(sets 0–4, pair 0–1, 5, 5, …) fewest tiles to be drawn by each pattern of a suit.

    Patterns that are so many sets and pairs need none. A tile more costs nothing, a tile less costs a draw.
    """
    table = np.full((5, 2) + (5,) * ranks, FAR, np.uint8)
    for number in range(5):
        for chosen in combinations_with_replacement(sets, number):
            for pair in (None, *pairs):
                target = np.bincount(sum(chosen, ()) + (pair,) * 2 * (pair is not None), minlength=ranks)
                if target.max(initial=0) <= 4:
                    table[(number, int(pair is not None), *target)] = 0
    for axis in range(2, 2 + ranks):
        by_count = np.moveaxis(table, axis, 0)
        for n in range(1, 5):
            np.minimum(by_count[n], by_count[n - 1], out=by_count[n])
        for n in range(3, -1, -1):
            np.minimum(by_count[n], by_count[n + 1] + 1, out=by_count[n])
    return table


def draws(hands: np.ndarray, sets: int, ways: tuple[tuple[int, ...], ...] | None = None, **family) -> np.ndarray:
    """(n,) tiles to be drawn for `sets` sets and a pair, no kind more than four times, in the best choice of suits."""
    kinds = hands.shape[1]
    parts = []
    for first, ranks in suits_of(kinds):
        table = draws_table(ranks, *suit_parts(first, ranks, kinds, tuple(family.items())))
        parts.append(table[(slice(None), slice(None), *hands[:, first : first + ranks].T)].astype(int))
    best = np.full(len(hands), FAR)
    for way in ways or (tuple(range(len(parts))),):
        whole = np.full((5, 2, len(hands)), FAR)
        whole[0, 0] = 0
        for suit in way:
            added = np.full_like(whole, FAR)
            for m, p, n, q in np.ndindex(5, 2, 5, 2):
                if m + n <= 4 and p + q <= 1:
                    np.minimum(added[m + n, p + q], whole[m, p] + parts[suit][n, q], out=added[m + n, p + q])
            whole = added
        best = np.minimum(best, whole[sets, 1])
    return best


# --- distance with laizi as further copies: one hand


@cache
def suit_targets(ranks: int, sets: Sets, pairs: tuple[int, ...]) -> dict[tuple[int, int], np.ndarray]:
    """(sets, pair) → every multiset of tiles of one suit which is so many sets and pairs."""
    targets = {}
    for number in range(5):
        for pair in (0, 1):
            rows = {
                tuple(np.bincount([*sum(chosen, ()), *(p,) * 2 * pair], minlength=ranks).tolist())
                for chosen in combinations_with_replacement(sets, number)
                for p in (pairs if pair else (0,))
            }
            targets[number, pair] = np.array(sorted(rows), int).reshape(-1, ranks)
    return targets


@cache
def suit_missing(
    suit: tuple[int, ...], sets: Sets, pairs: tuple[int, ...], laizi: int
) -> dict[tuple[int, int, int], int]:
    """(sets, pair, further copies) → fewest tiles to be drawn, with up to so many copies beyond four."""
    costs = {}
    for (number, pair), targets in suit_targets(len(suit), sets, pairs).items():
        missing = np.maximum(0, targets - np.array(suit)).sum(axis=1)
        beyond = np.maximum(0, targets - 4).sum(axis=1)
        for most in range(laizi + 1):
            costs[number, pair, most] = int(min(missing[beyond <= most], default=FAR))
    return costs


def distance(counts, sets: int, laizi: int, ways: tuple[tuple[int, ...], ...] | None = None, **family) -> int:
    """Tiles missing − laizi − 1, over all ways to share sets, pair and further copies among the suits."""
    counts = tuple(map(int, counts))
    parts = [
        suit_missing(
            counts[first : first + ranks], *suit_parts(first, ranks, len(counts), tuple(family.items())), laizi
        )
        for first, ranks in suits_of(len(counts))
    ]
    nearest = FAR
    for way in ways or (tuple(range(len(parts))),):
        best = {(0, 0, 0): 0}
        for suit in way:
            found: dict[tuple[int, int, int], int] = {}
            for (m, p, e), paid in best.items():
                for (n, q, f), cost in parts[suit].items():
                    key = (m + n, p + q, e + f)
                    if key[0] <= sets and key[1] <= 1 and key[2] <= laizi and paid + cost < found.get(key, FAR):
                        found[key] = paid + cost
            best = found
        nearest = min(nearest, *(best.get((sets, 1, e), FAR) for e in range(laizi + 1)))
    return nearest - laizi - 1 if nearest < FAR else FAR


# --- special forms: tiles missing for the nearest one


def seven_pairs_missing(counts, laizi: int, most_of_kind: int, kinds) -> int:
    """Over all ways to choose seven pairs, of a kind one or (`most_of_kind` 2) more, as far as laizi make copies."""
    best = {(0, 0): 0}
    for kind in kinds:
        found: dict[tuple[int, int], int] = {}
        for (pairs, beyond), paid in best.items():
            for more in range(8 if most_of_kind > 1 else 2):
                key = (pairs + more, beyond + max(0, 2 * more - 4))
                cost = paid + max(0, 2 * more - int(counts[kind]))
                if key[0] <= 7 and key[1] <= laizi and cost < found.get(key, FAR):
                    found[key] = cost
        best = found
    return min(best.get((7, e), FAR) for e in range(laizi + 1))


ORPHANS = tuple(k for k in range(34) if k >= 27 or is_terminal(k))
KNITTED = tuple(
    tuple(9 * suit + rank for suit, offset in enumerate(offsets) for rank in (offset, offset + 3, offset + 6))
    for offsets in permutations(range(3))
)


def orphans_missing(counts) -> int:
    return min(sum(max(0, 1 + (k == twice) - int(counts[k])) for k in ORPHANS) for twice in ORPHANS)


@cache
def knitted_straights(kinds: int, sets: int) -> np.ndarray:
    """All knitted straights with `sets` sets (1 or 0) and a pair: every order of the suits, every set, every pair."""
    rests = sets_of(kinds) if sets else ((),)
    targets = [
        np.bincount((*knitted, *one, pair, pair), minlength=kinds)
        for knitted in KNITTED
        for one in rests
        for pair in range(kinds)
    ]
    return np.array([target for target in targets if target.max() <= 4])


def knitted_straight_missing(counts, sets: int) -> int:
    return int(np.maximum(0, knitted_straights(len(counts), sets) - counts).sum(axis=1).min())


def honours_and_knitted_missing(counts) -> int:
    return min(14 - sum(int(counts[k]) > 0 for k in (*knitted, *range(27, 34))) for knitted in KNITTED)
