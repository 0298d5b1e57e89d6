"""The automaton that reads one suit rank by rank and knows what its tiles still lack.

Reading a suit from its first rank to its last, all that matters about the ranks already read is, for every number of
runs still open, the fewest tiles to be added. Those costs are a vector; patterns that lead to the same vector are the
same state, and there are only a few hundred states. So nine ranks of 0–4 tiles (1,953,125 patterns) are walked in
three blocks of three ranks, through small tables, and only NumPy is needed to make them.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

RANKS = 9
HONOURS = 7
COPIES = 4
BLOCK = 3
"""Ranks read by one look-up."""

PATTERNS = (COPIES + 1) ** BLOCK
FIELD = 128
"""Entries for one block: its 125 patterns and room, so that a block's pattern is seven bits of a key."""

IMPOSSIBLE = 30
"""A cost no hand can pay; sums are cut off here."""


class Allowed(NamedTuple):
    """Which sets and pairs a family of hands may hold in one suit, rank by rank (a run is named by its lowest rank)."""

    runs: tuple[bool, ...]
    triplets: tuple[bool, ...]
    pairs: tuple[bool, ...]

    @property
    def equal_runs(self) -> int:
        """Most equal runs worth counting: three are three triplets, where all of those are allowed."""
        swappable = all(
            self.triplets[rank] for start, ok in enumerate(self.runs) if ok for rank in range(start, start + 3)
        )
        return 0 if not any(self.runs) else 2 if swappable else 4


class Goal(NamedTuple):
    """What is counted: the sets formed (up to `sets`) or, with `all_used`, that no tile is left outside a set."""

    sets: int
    excess: int
    all_used: bool


NEED = Goal(sets=0, excess=0, all_used=True)
"""Laizi needed so that every tile of the suit is in a set or the pair."""

DISTANCE = Goal(sets=4, excess=3, all_used=False)
"""Tiles to be drawn for so many sets. More than three tiles beyond four copies never save a tile (the tests hold this);
three do in EEEE SSSS WWW with three laizi: EEE SSS WWW, E and two laizi, S and one."""


class Automaton(NamedTuple):
    """`costs[state]` after the last rank; `steps[rank][state, tiles]` is the next state."""

    costs: np.ndarray
    steps: list[np.ndarray]


def unique_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different rows, and for each row the index of its like; faster than `np.unique(axis=0)`."""
    rows = np.ascontiguousarray(rows)
    words = rows.view(np.dtype((np.void, rows.shape[1] * rows.dtype.itemsize))).ravel()
    _, first, inverse = np.unique(words, return_index=True, return_inverse=True)
    return rows[first], inverse.ravel()


def _advance(costs: np.ndarray, have: int, rank: int, allowed: Allowed, goal: Goal) -> np.ndarray:
    """Costs once it is decided what the `have` tiles of `rank` are used for.

    The axes are runs begun two ranks ago, runs begun one rank ago, sets, pair, most copies over four, state (the long
    axis last, which NumPy is quick on).
    """
    width = len(costs)
    begin = width if rank + 2 < len(allowed.pairs) and allowed.runs[rank] else 1
    triplets = 3 if allowed.triplets[rank] else 1
    pairs = 2 if allowed.pairs[rank] else 1
    after = np.full_like(costs, IMPOSSIBLE)
    uses = product(range(width), range(width), range(begin), range(triplets), range(pairs))
    for older, newer, run, triplet, pair in uses:
        used = older + newer + run + 3 * triplet + 2 * pair
        sets = 0 if goal.all_used else run + triplet
        excess = 0 if goal.all_used else max(0, used - COPIES)
        if sets > goal.sets or excess > goal.excess or (goal.all_used and used < have):
            continue
        before = costs[older, newer, : goal.sets + 1 - sets, : 2 - pair, : goal.excess + 1 - excess]
        target = after[newer, run, sets:, pair:, excess:]
        np.minimum(target, before + max(0, used - have), out=target)
    return np.minimum(after, IMPOSSIBLE)


def read_suit(allowed: Allowed, goal: Goal) -> Automaton:
    """The automaton of one suit of `len(allowed.pairs)` ranks; its costs have the axes state, sets, pair, excess."""
    width = allowed.equal_runs + 1
    costs = np.full((width, width, goal.sets + 1, 2, goal.excess + 1, 1), IMPOSSIBLE, np.uint8)
    costs[0, 0, 0, 0] = 0  # for any excess: that axis is the most that is allowed
    steps = []
    for rank in range(len(allowed.pairs)):
        after = np.stack([_advance(costs, have, rank, allowed, goal) for have in range(COPIES + 1)], axis=-1)
        if rank == len(allowed.pairs) - 1:
            after = after[:1, :1]  # runs still open can't be closed any more
        shape = after.shape[:-2]
        states, following = unique_rows(after.reshape(np.prod(shape), -1).T)
        costs = np.ascontiguousarray(states.T).reshape(*shape, -1)
        steps.append(following.reshape(-1, COPIES + 1))
    return Automaton(np.moveaxis(costs[0, 0], -1, 0), steps)


class Blocks(NamedTuple):
    """Pattern of a suit → its class in three look-ups: `last[second[first[a], b], c]` for the blocks a, b, c."""

    first: np.ndarray
    second: np.ndarray
    last: np.ndarray


def _through_block(steps: list[np.ndarray]) -> np.ndarray:
    """(states, patterns) state after the ranks of one block."""
    states = np.arange(len(steps[0]))[:, None]
    for step in steps:
        states = step[states].reshape(len(states), -1)
    return states


def in_blocks(steps: list[np.ndarray]) -> Blocks:
    """The automaton in three blocks, states that behave alike made one; a short suit has a short first block."""
    ends = [len(steps) - 2 * BLOCK, len(steps) - BLOCK]
    last, alike = unique_rows(_through_block(steps[ends[1] :]))
    second, alike = unique_rows(alike[_through_block(steps[ends[0] : ends[1]])])
    return Blocks(alike[_through_block(steps[: ends[0]])], second, last)


def stacked(parts: list[Blocks]) -> Blocks:
    """Several suits' blocks in common arrays of 128 columns: row i of `first` leads to the states of part i."""
    firsts: list[np.ndarray] = []
    seconds: list[np.ndarray] = []
    lasts: list[np.ndarray] = []
    for part in parts:
        firsts.append(_padded(part.first + _rows(seconds)))
        seconds.append(_padded(part.second + _rows(lasts)))
        lasts.append(_padded(part.last))
    return Blocks(*(_smallest(np.concatenate(rows)) for rows in (firsts, seconds, lasts)))


def _rows(tables: list[np.ndarray]) -> int:
    return sum(len(table) for table in tables)


def _padded(rows: np.ndarray) -> np.ndarray:
    return np.pad(rows, ((0, 0), (0, FIELD - rows.shape[1])))


def _smallest(values: np.ndarray) -> np.ndarray:
    return values.astype(np.min_scalar_type(int(values.max())))


def add_costs(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(a, b, sets, pair, excess) cheapest ways to divide sets, pair and excess between two parts of a hand."""
    left, right = (np.ascontiguousarray(np.moveaxis(costs, 0, -1)) for costs in (a, b))
    most_sets, most_pairs, most_excess = left.shape[:3]
    total = np.full((*left.shape, len(b)), IMPOSSIBLE, np.uint8)
    for sets, pair, excess in np.ndindex(*right.shape[:3]):
        rest = left[: most_sets - sets, : most_pairs - pair, : most_excess - excess, :, None]
        target = total[sets:, pair:, excess:]
        np.minimum(target, rest + right[sets, pair, excess], out=target)
    return np.moveaxis(total, (-2, -1), (0, 1))


def closed_under_addition(costs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All cost vectors that sums of the given ones reach, and the table of their sums: `merge[i, j]`.

    There are few (219 with honours), which is why a hand of several suits costs one look-up for each further suit.
    """
    shape = costs.shape[1:]
    found, _ = unique_rows(costs.reshape(len(costs), -1))
    while True:
        known = found.reshape(-1, *shape)
        sums = add_costs(known, known).reshape(len(found) ** 2, -1)
        closed, index = unique_rows(np.concatenate([found, sums]))
        if len(closed) == len(found):
            return known, index[len(found) :].reshape(len(found), len(found))
        found = closed
