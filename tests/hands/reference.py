"""Slow, obvious answers to compare with: recursion over divisions, laizi by trying every tile, distance by listing targets."""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

RANKS = 9


def sets_of(kinds: int) -> list[tuple[int, int, int]]:
    """Every set the game has: runs in the three suits and triplets."""
    runs = [(k, k + 1, k + 2) for k in range(27) if k % RANKS <= 6]
    return runs + [(k, k, k) for k in range(kinds)]


def divide(counts, sets: int, allowed_sets, allowed_pairs):
    """Yield every division of `counts` into `sets` sets and one pair, as (pair, sets in order)."""
    for pair in allowed_pairs:
        if counts[pair] >= 2:
            rest = list(counts)
            rest[pair] -= 2
            for division in divide_sets(rest, sets, allowed_sets):
                yield pair, division


def divide_sets(counts, sets: int, allowed_sets):
    """Yield every division into exactly `sets` sets, each once: the lowest tile left is always used next."""
    lowest = next((k for k, n in enumerate(counts) if n), None)
    if lowest is None or sets == 0:
        if lowest is None and sets == 0:
            yield ()
        return
    for one in allowed_sets:
        if one[0] == lowest and all(counts[k] >= one.count(k) for k in one):
            rest = list(counts)
            for k in one:
                rest[k] -= 1
            for others in divide_sets(rest, sets - 1, allowed_sets):
                yield (one, *others)


def has_terminal(tiles) -> bool:
    return any(k < 27 and k % RANKS in (0, 8) for k in tiles)


def all_258(tiles) -> bool:
    return all(k < 27 and k % RANKS in (1, 4, 7) for k in tiles)


def family_parts(kinds: int, triplets_only=False, terminal_sets=False, no_terminals=False, only_258=False, pair_258=False):
    """The sets and pairs of a family, filtered by its definition."""
    sets, pairs = sets_of(kinds), [(k, k) for k in range(kinds)]
    if triplets_only:
        sets = [s for s in sets if s[0] == s[2]]
    if terminal_sets:
        sets, pairs = [s for s in sets if has_terminal(s)], [p for p in pairs if has_terminal(p)]
    if no_terminals:
        sets, pairs = [s for s in sets if not has_terminal(s)], [p for p in pairs if not has_terminal(p)]
    if only_258:
        sets, pairs = [s for s in sets if all_258(s)], [p for p in pairs if all_258(p)]
    if pair_258:
        pairs = [p for p in pairs if all_258(p)]
    return sets, [p[0] for p in pairs]


def is_complete(counts, laizi: int, **family) -> bool:
    """Is there a map of the laizi to tiles which divides? All substitutions are tried."""
    counts = [int(n) for n in counts]
    sets, pairs = family_parts(len(counts), **family)
    wanted = (sum(counts) + laizi - 2) // 3
    for images in combinations_with_replacement(range(len(counts)), laizi):
        filled = list(counts)
        for kind in images:
            filled[kind] += 1
        if next(divide(filled, wanted, sets, pairs), None) is not None:
            return True
    return False


@cache
def suit_targets(ranks: int, runs: bool) -> dict[tuple[int, int], np.ndarray]:
    """(sets, pair) → every multiset of tiles of one suit which is so many sets and pairs."""
    sets = [(r, r, r) for r in range(ranks)] + [(r, r + 1, r + 2) for r in range(ranks - 2) if runs]
    targets = {}
    for number in range(5):
        for pair in (0, 1):
            rows = {
                tuple(np.bincount([*sum(chosen, ()), *(p,) * 2 * pair], minlength=ranks))
                for chosen in combinations_with_replacement(sets, number)
                for p in (range(ranks) if pair else (0,))
            }
            targets[number, pair] = np.array(sorted(rows))
    return targets


def suit_missing(counts, runs: bool, excess: int) -> dict[tuple[int, int, int], int]:
    """(sets, pair, excess) → fewest tiles to be drawn, with up to so many copies above four."""
    costs = {}
    for (sets, pair), targets in suit_targets(len(counts), runs).items():
        missing = np.maximum(0, targets - np.asarray(counts, int)).sum(axis=1)
        over = np.maximum(0, targets - 4).sum(axis=1)
        for most in range(excess + 1):
            costs[sets, pair, most] = int(min(missing[over <= most], default=99))
    return costs


def distance(counts, sets: int, laizi: int = 0) -> int:
    """Tiles still missing, over all ways to share the sets, the pair and the fifth copies among the suits, − laizi − 1."""
    parts = [suit_missing(counts[s : s + 9], s < 27, laizi) for s in range(0, len(counts), 9)]
    best = {(0, 0, 0): 0}
    for costs in parts:
        found: dict[tuple[int, int, int], int] = {}
        for (m, p, e), paid in best.items():
            for (m2, p2, e2), cost in costs.items():
                key = (m + m2, p + p2, e + e2)
                if key[0] <= sets and key[1] <= 1 and key[2] <= laizi:
                    found[key] = min(found.get(key, 99), paid + cost)
        best = found
    return min(best.get((sets, 1, e), 99) for e in range(laizi + 1)) - laizi - 1
