"""The tables behind every question about a hand: made here once, kept in the user's cache, read as constants.

One suit is one number, its key: three blocks of three ranks, seven bits each, every block a base-5 number of its tile
counts. Honours fill the same places from the right (1 + 3 + 3). So a tile drawn or discarded is one addition,
`key += WEIGHT[kind]`, and a key reads its tables block by block. An entry is

* need (`NEED_…`): laizi needed so that all tiles of the suit form sets, +128 if taking the pair here saves one; or
* class (`CLASS_…`): the suit's number in the list of cost vectors, which `MERGE` adds and `COST` reads.

The kernels embed these arrays in their machine code, so none of them may be large; the sorted tables are
for batches, which take them as arguments.
"""

import os
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mahjong_env.compiled import source_digest
from mahjong_env.hands.automaton import (
    BLOCK,
    COPIES,
    DISTANCE,
    FIELD,
    HONOURS,
    NEED,
    PATTERNS,
    RANKS,
    Allowed,
    Blocks,
    Goal,
    closed_under_addition,
    in_blocks,
    read_suit,
    stacked,
    unique_rows,
)
from mahjong_env.kernel_cache import cache_root

KINDS = 34
RADIX = COPIES + 1
BLOCK_BITS = 7
SAVES_PAIR = 128
"""In an entry of need: with the pair in this suit one laizi fewer is needed; without this bit, two more."""


def _weights() -> np.ndarray:
    """(34,) int32: what one tile of a kind adds to the key of its suit, `kind // 9`."""
    place = [kind % RANKS + (RANKS - HONOURS if kind >= 3 * RANKS else 0) for kind in range(KINDS)]
    digits = [(COPIES + 1) ** (BLOCK - 1 - p % BLOCK) << BLOCK_BITS * (2 - p // BLOCK) for p in place]
    return np.array(digits, np.int32)


WEIGHT: np.ndarray = _weights()
"""(34,) int32: what one tile of a kind adds to the key of its suit, `kind // 9`."""


class Family(NamedTuple):
    """Which sets and pairs the complete hands of a family are made of.

    triplets_only: no runs. terminal_sets: every set and the pair holds a 1 or 9, so no honours. no_terminals: no 1 and
    no 9. only_258: nothing but 2, 5, 8. pair_258: the pair is 2, 5 or 8. Several at once: all of them.
    """

    triplets_only: bool = False
    terminal_sets: bool = False
    no_terminals: bool = False
    only_258: bool = False
    pair_258: bool = False

    def _admits(self, ranks: range) -> bool:
        terminal = bool({0, RANKS - 1} & set(ranks))
        middle = all(rank % BLOCK == 1 for rank in ranks)
        return (
            (terminal or not self.terminal_sets)
            and not (terminal and self.no_terminals)
            and (middle or not self.only_258)
        )

    def suit(self) -> Allowed:
        """What the family allows in a suit of nine ranks."""
        run = [
            not self.triplets_only and rank <= RANKS - 3 and self._admits(range(rank, rank + 3))
            for rank in range(RANKS)
        ]
        triplet = [self._admits(range(rank, rank + 1)) for rank in range(RANKS)]
        pair = [ok and (rank % BLOCK == 1 or not self.pair_258) for rank, ok in enumerate(triplet)]
        return Allowed(tuple(run), tuple(triplet), tuple(pair))

    def goal(self) -> Goal:
        """What to count: more further copies may matter where the pair can't be one of them, or few triplets exist."""
        few = sum(self.suit().triplets) <= 2
        return DISTANCE._replace(excess=6 if few else 4 if self.pair_258 else DISTANCE.excess)

    def honours(self) -> Allowed:
        """What the family allows among the honours, which are neither terminals nor 2, 5, 8."""
        triplet = not self.terminal_sets and not self.only_258
        pair = triplet and not self.pair_258
        return Allowed((False,) * HONOURS, (triplet,) * HONOURS, (pair,) * HONOURS)


STANDARD, PAIR_258, TRIPLETS, TERMINALS = range(4)
"""The families whose need is at hand for kernels, as numbers: rows of NEED_FIRST, two each (suit, honours)."""

_NEED_FAMILIES = (Family(), Family(pair_258=True), Family(triplets_only=True), Family(terminal_sets=True))


class ClassTables(NamedTuple):
    """Distance for one family: blocks of a key → class (row 0 of `first`: suits, 1: honours); `merge` adds classes.

    `cost[class, excess, sets]`: tiles to be drawn for so many sets and the pair, up to `excess` beyond four copies.
    """

    first: np.ndarray
    second: np.ndarray
    last: np.ndarray
    merge: np.ndarray
    cost: np.ndarray


def _kinds_in_block() -> np.ndarray:
    """(4, 128) int8: three bits, lowest for the first rank: which of a block's ranks are held so many times."""
    pattern = np.arange(PATTERNS)
    counts = np.stack([pattern // (COPIES + 1) ** (BLOCK - 1 - rank) % (COPIES + 1) for rank in range(BLOCK)])
    such = np.stack([counts >= 1, counts >= 2, counts == COPIES, counts % 2 == 1])
    bits = (such << np.arange(BLOCK)[:, None]).sum(axis=1)
    return np.pad(bits, ((0, 0), (0, FIELD - PATTERNS))).astype(np.int8)


PAIRS_BITS = 8
HELD, PAIRED, FULL, ODD = range(4)
"""Rows of `KINDS_IN_BLOCK`: at least one, at least two, four, and one or three of a kind."""

KINDS_IN_BLOCK: np.ndarray = _kinds_in_block()
"""(4, 128) int8: three bits, lowest for the first rank: which of a block's ranks are held so many times."""


PAIRS_IN_BLOCK: np.ndarray = np.array(
    [
        sum(
            pattern // RADIX**rank % RADIX // 2 + (pattern // RADIX**rank % RADIX % 2 << PAIRS_BITS)
            for rank in range(BLOCK)
        )
        for pattern in range(FIELD)
    ],
    np.int16,
)
"""(128,) int16: a block's pairs, four of a kind being two, + its single tiles << PAIRS_BITS."""


def _need_blocks(allowed: Allowed) -> Blocks:
    automaton = read_suit(allowed, NEED)
    alone, with_pair = automaton.costs[:, 0, 0, 0], automaton.costs[:, 0, 1, 0]
    entries = (alone + SAVES_PAIR * (with_pair < alone)).astype(np.uint8)
    blocks = in_blocks(automaton.steps)
    return blocks._replace(last=entries[blocks.last])


def _need_tables() -> Blocks:
    return stacked(
        [_need_blocks(allowed) for family in _NEED_FAMILIES for allowed in (family.suit(), family.honours())]
    )


@cache
def build_classes(family: Family) -> ClassTables:
    """The distance tables of a family (some tenths of a second)."""
    suits = [read_suit(allowed, family.goal()) for allowed in (family.suit(), family.honours())]
    costs = np.concatenate([suit.costs for suit in suits])
    vectors, merge = closed_under_addition(costs)
    _, index = unique_rows(np.concatenate([vectors, costs]).reshape(len(vectors) + len(costs), -1))
    parts, offset = [], len(vectors)
    for suit in suits:
        blocks = in_blocks(suit.steps)
        parts.append(blocks._replace(last=index[offset:][blocks.last]))
        offset += len(suit.costs)
    cost = np.ascontiguousarray(vectors[:, :, 1].transpose(0, 2, 1)).astype(np.int8)
    return ClassTables(*stacked(parts), merge.astype(np.min_scalar_type(len(vectors) - 1)), cost)


def _build() -> dict[str, np.ndarray]:
    need = {f"need_{name}": array for name, array in _need_tables()._asdict().items()}
    return need | {f"class_{name}": array for name, array in build_classes(Family())._asdict().items()}


def _read(path: Path) -> dict[str, np.ndarray] | None:
    try:
        with np.load(path, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except Exception:  # missing, cut short or overwritten: NumPy and zip raise half a dozen types; we build it again
        return None


def _write(path: Path, arrays: dict[str, np.ndarray]) -> None:
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".npz", delete=False) as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
        os.replace(file.name, path)  # whole or not at all, also with several processes at it
    except OSError:
        pass  # a full or read-only disk costs the next process the time to build


def _load() -> dict[str, np.ndarray]:
    """The tables from the cache, or built and left there."""
    root = cache_root()
    if root is None:
        return _build()
    here = Path(__file__).parent
    path = root / f"hands-{source_digest([here / 'automaton.py', here / 'tables.py'])}.npz"
    arrays = _read(path)
    if arrays is None:
        arrays = _build()
        _write(path, arrays)
    return arrays


_tables = _load()
NEED_FIRST, NEED_SECOND, NEED_LAST = (_tables[f"need_{name}"] for name in Blocks._fields)
STANDARD_CLASSES = ClassTables(*(_tables[f"class_{name}"] for name in ClassTables._fields))
CLASS_FIRST, CLASS_SECOND, CLASS_LAST, MERGE, COST = STANDARD_CLASSES


# --- for batches: large tables, which are arguments of kernels instead of being embedded

Flat = tuple[np.ndarray, np.ndarray]
"""A table for a suit, (5**9,), and one for the honours, (5**7,), by pattern: its counts as a number of base 5, the first
rank's count the highest digit."""


def _flat(first: np.ndarray, second: np.ndarray, last: np.ndarray, ranks: int) -> np.ndarray:
    """Entry of every pattern of a suit of so many ranks."""
    middle = second[first[: RADIX ** (ranks - 2 * BLOCK)]][:, :PATTERNS]
    return last[middle][:, :, :PATTERNS].reshape(-1)


@cache
def flat_needs() -> Flat:
    """Need, uint8."""
    suit, honours = (_flat(NEED_FIRST[k], NEED_SECOND, NEED_LAST, ranks) for k, ranks in enumerate((RANKS, HONOURS)))
    return suit, honours


@cache
def flat_classes() -> Flat:
    """Class, uint8."""
    suit, honours = (_flat(CLASS_FIRST[k], CLASS_SECOND, CLASS_LAST, ranks) for k, ranks in enumerate((RANKS, HONOURS)))
    return suit, honours


HALF = 4
"""Ranks in one half of a suit or of the honours; the other has those that remain."""

HALF_BITS = 3 * HALF
"""Bits of half a suit: counts of three bits each, the first rank's lowest."""


def _counts(ranks: int) -> np.ndarray:
    """(ranks, 5**ranks) the counts of every pattern."""
    return np.indices((RADIX,) * ranks).reshape(ranks, -1)


def _in_bits(ranks: int) -> np.ndarray:
    """(5**ranks,) the counts of every pattern in three bits each, the first rank's lowest."""
    return (_counts(ranks) << 3 * np.arange(ranks)[:, None]).sum(axis=0)


def _by_tiles(ranks: int) -> np.ndarray:
    """(5**ranks,) all patterns, those of fewer tiles first."""
    return np.argsort(_counts(ranks).sum(axis=0), kind="stable")


class Places(NamedTuple):
    """Where sorted tables keep what they know of a suit, int32, by counts of three bits each.

    The place is `suits[a] + fours[b]`, a being the suit's last five counts, b its first four; for honours it is
    `honours[a] + fours[b]`, a their first three counts after one of 0, b their last four. From bit TILES_AT on stands
    the number of tiles, WRONG_TILES or more with a count above four. Patterns of few tiles, as hands have them, lie together
    in a processor's nearest memory.
    """

    suits: np.ndarray
    honours: np.ndarray
    fours: np.ndarray


TILES_AT, WRONG_TILES = 23, 200
"""So that the places of four suits add without a carry, and no hand has so many tiles."""


@cache
def places() -> Places:
    """Where the sorted tables below keep the suits."""
    row, suits = RADIX**HALF, RADIX ** (RANKS - HALF)
    return Places(_places(RANKS - HALF, row), _places(HONOURS - HALF, row, suits * row, skipped=1), _places(HALF, 1))


def _places(ranks: int, step: int, start: int = 0, skipped: int = 0) -> np.ndarray:
    """A table of `Places`: `start`, then `step` for each pattern before; `skipped`: counts of 0 before the ranks."""
    found = np.full(1 << 3 * (ranks + skipped), WRONG_TILES << TILES_AT, np.int32)
    order, tiles = _by_tiles(ranks), _counts(ranks).sum(axis=0)
    found[_in_bits(ranks)[order] << 3 * skipped] = start + step * np.arange(len(order)) + (tiles[order] << TILES_AT)
    return found


def _sorted(suit: np.ndarray, honours: np.ndarray) -> np.ndarray:
    """The entries of a flat table for suits and of one for honours, in their `places`."""
    four, five, three = (_by_tiles(ranks) for ranks in (HALF, RANKS - HALF, HONOURS - HALF))
    suit, honours = suit.reshape(len(four), len(five)), honours.reshape(len(three), len(four))
    return np.concatenate([suit[four].T[five], honours[three][:, four]]).reshape(-1)


@cache
def sorted_needs() -> np.ndarray:
    """Need, uint8, in their `places`."""
    return _sorted(*flat_needs())


@cache
def sorted_classes() -> np.ndarray:
    """Class, uint8, in their `places`."""
    return _sorted(*flat_classes())


WAITS_ALONE, WAITS_CHANGED, WAITS_PAIR = 8, 17, 31
"""Where the parts of an entry of `sorted_waits` begin; the need is in the bits below, so that it adds for four suits."""


@cache
def sorted_waits() -> np.ndarray:
    """For waits, int32, in their `places`: need, two masks of ranks, and the sign if the pair here saves one.

    A draw of the first mask's ranks lowers the need without the pair here; of those of both masks' exclusive or, the need
    with the pair here.
    """
    suit, honours = flat_needs()
    return _sorted(_waits(suit, RANKS), _waits(honours, HONOURS))


def _waits(needs: np.ndarray, ranks: int) -> np.ndarray:
    grid = needs.astype(np.int32).reshape((RADIX,) * ranks)  # one axis for the count of each rank
    alone, saves = grid & SAVES_PAIR - 1, grid // SAVES_PAIR
    paired = alone + 2 - 3 * saves
    waits = alone | -saves << WAITS_PAIR
    for rank in range(ranks):
        before, drawn = ((slice(None),) * rank + (part,) for part in (slice(0, COPIES), slice(1, None)))
        lowers_alone, lowers_paired = alone[drawn] < alone[before], paired[drawn] < paired[before]
        waits[before] |= lowers_alone.astype(np.int32) << WAITS_ALONE + rank
        waits[before] |= (lowers_alone != lowers_paired).astype(np.int32) << WAITS_CHANGED + rank
    return waits.reshape(-1)


@cache
def cost_of_two(laizi: int, sets: int) -> np.ndarray:
    """(classes, classes) int8: cost of two parts of a hand together."""
    return np.ascontiguousarray(COST[MERGE, min(laizi, COST.shape[1] - 1), sets])
