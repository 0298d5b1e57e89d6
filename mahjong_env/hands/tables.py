"""The tables behind every question about a hand: made here once, kept in the user's cache, read as constants.

One suit is one number, its key: three blocks of three ranks, seven bits each, every block a base-5 number of its tile
counts. Honours fill the same places from the right (1 + 3 + 3). So a tile drawn or discarded is one addition,
`key += WEIGHT[kind]`, and a key reads its tables block by block. An entry is

* need (`NEED_…`): laizi needed so that all tiles of the suit form sets, +128 if taking the pair here saves one; or
* class (`CLASS_…`): the suit's number in the list of cost vectors, which `MERGE` adds and `COST` reads.

The kernels embed these arrays in their machine code, so none of them may be large; `flat_classes` and `flat_waits` are
for batches, which take them as arguments.
"""

import os
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mahjong_env.compiled import cache_root, source_digest
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

KINDS = 34
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
        return (terminal or not self.terminal_sets) and not (terminal and self.no_terminals) and (middle or not self.only_258)

    def suit(self) -> Allowed:
        """What the family allows in a suit of nine ranks."""
        run = [not self.triplets_only and rank <= RANKS - 3 and self._admits(range(rank, rank + 3)) for rank in range(RANKS)]
        triplet = [self._admits(range(rank, rank + 1)) for rank in range(RANKS)]
        pair = [ok and (rank % BLOCK == 1 or not self.pair_258) for rank, ok in enumerate(triplet)]
        return Allowed(tuple(run), tuple(triplet), tuple(pair))

    def honours(self) -> Allowed:
        """What the family allows among the honours, which are neither terminals nor 2, 5, 8."""
        triplet = not self.terminal_sets and not self.only_258
        pair = triplet and not self.pair_258
        return Allowed((False,) * HONOURS, (triplet,) * HONOURS, (pair,) * HONOURS)


STANDARD, PAIR_258, TRIPLETS, TERMINALS = range(4)
"""The families whose need is at hand for kernels, as numbers: rows of NEED_FIRST, two each (suit, honours)."""

_NEED_FAMILIES = (Family(), Family(pair_258=True), Family(triplets_only=True), Family(terminal_sets=True))


class ClassTables(NamedTuple):
    """Distance for one family: blocks of a key → class (row 0 of `first` for suits, 1 for honours); classes add by `merge`.

    `cost[class, excess, sets]`: tiles to be drawn for so many sets and the pair, with up to `excess` fifth copies.
    """

    first: np.ndarray
    second: np.ndarray
    last: np.ndarray
    merge: np.ndarray
    cost: np.ndarray


def _kinds_in_block() -> np.ndarray:
    """(4, 128) uint8: three bits, lowest for the first rank: which of a block's ranks are held so many times."""
    pattern = np.arange(PATTERNS)
    counts = np.stack([pattern // (COPIES + 1) ** (BLOCK - 1 - rank) % (COPIES + 1) for rank in range(BLOCK)])
    such = np.stack([counts >= 1, counts >= 2, counts == COPIES, counts % 2 == 1])
    bits = (such << np.arange(BLOCK)[:, None]).sum(axis=1)
    return np.pad(bits, ((0, 0), (0, FIELD - PATTERNS))).astype(np.uint8)


HELD, PAIRED, FULL, ODD = range(4)
"""Rows of `KINDS_IN_BLOCK`: at least one, at least two, four, and one or three of a kind."""

KINDS_IN_BLOCK: np.ndarray = _kinds_in_block()
"""(4, 128) uint8: three bits, lowest for the first rank: which of a block's ranks are held so many times."""


def _need_blocks(allowed: Allowed) -> Blocks:
    automaton = read_suit(allowed, NEED)
    alone, with_pair = automaton.costs[:, 0, 0, 0], automaton.costs[:, 0, 1, 0]
    entries = (alone + SAVES_PAIR * (with_pair < alone)).astype(np.uint8)
    blocks = in_blocks(automaton.steps)
    return blocks._replace(last=entries[blocks.last])


def _need_tables() -> Blocks:
    return stacked([_need_blocks(allowed) for family in _NEED_FAMILIES for allowed in (family.suit(), family.honours())])


def build_classes(family: Family, goal: Goal = DISTANCE) -> ClassTables:
    """The distance tables of a family (some tenths of a second)."""
    suits = [read_suit(allowed, goal) for allowed in (family.suit(), family.honours())]
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
            np.savez_compressed(file, **arrays)
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
CLASS_FIRST, CLASS_SECOND, CLASS_LAST, MERGE, COST = (_tables[f"class_{name}"] for name in ClassTables._fields)
EMPTY_CLASS = int(CLASS_LAST[CLASS_SECOND[CLASS_FIRST[0, 0], 0], 0])
"""The class of no tiles: adding it changes nothing."""
