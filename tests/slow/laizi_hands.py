"""Tiles, melds and complete hands with or without laizi, in plain words; what the slow engines share.

A tile is its name ("3m", "C" for the red dragon), a hand a list of names, a meld a pair (kind, tile), where the tile
of a chi is the lowest of its run.  Wild tiles are never in the hands asked about here: they are counted apart.

`completes_by_images` is the definition itself (rules section 11): try every tile for every laizi.  `completes` finds
the same by recursion over sets and is what games can afford; a test holds the two together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

Meld = tuple[str, str]  # (chi | peng | gang | bu_gang | an_gang, tile)

SUITS = "mps"
KINDS = [f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)]
HONOURS = ["E", "S", "W", "N", "C", "F", "B"]
SEATS = range(4)


class Mismatch(AssertionError):  # noqa: N818 (what differs is no error of the reader)
    """The record and the rules part here."""


# --- tiles ------------------------------------------------------------------------------------------------------------


def is_honour(tile: str) -> bool:
    return len(tile) == 1


def rank(tile: str) -> int:
    return int(tile[0])


def suit(tile: str) -> str:
    return tile[-1]


_PLACES = {tile: place for place, tile in enumerate([*KINDS, *HONOURS])}


def order(tile: str) -> int:
    """1m < … < 9m < 1p < … < 9s < E S W N C F B."""
    return _PLACES[tile]


def without(tiles: Sequence[str], *gone: str) -> list[str]:
    left = list(tiles)
    for tile in gone:
        left.remove(tile)
    return left


def run_from(tile: str) -> list[str]:
    """The run this tile is the lowest of; [] where there is none."""
    if is_honour(tile) or rank(tile) > 7:
        return []
    return [f"{rank(tile) + step}{suit(tile)}" for step in range(3)]


def runs_with(tile: str) -> dict[str, list[str]]:
    """The runs a tile can be claimed for, by its place in them: low, middle, high."""
    found = {}
    for step, place in enumerate(("low", "middle", "high")):
        lowest = f"{rank(tile) - step}{suit(tile)}" if not is_honour(tile) else tile
        if not is_honour(tile) and rank(tile) - step >= 1 and run_from(lowest):
            found[place] = run_from(lowest)
    return found


def tiles_of(meld: Meld) -> list[str]:
    kind, tile = meld
    if kind == "chi":
        return run_from(tile)
    return [tile] * (3 if kind == "peng" else 4)


def meld_tiles(melds: Iterable[Meld]) -> list[str]:
    return [tile for meld in melds for tile in tiles_of(meld)]


def seats_after(seat: int) -> list[int]:
    return [(seat + step) % 4 for step in (1, 2, 3)]


def seats_from(seat: int) -> list[int]:
    return [seat, *seats_after(seat)]


# --- complete hands without laizi ---------------------------------------------------------------------------------

Set = tuple[str, str, str]


def _ways_to_sets(tiles: tuple[str, ...]) -> list[tuple[Set, ...]]:
    """All ways to cut sorted tiles into runs and triplets: the first tile is in a triplet or starts a run."""
    if not tiles:
        return [()]
    first = tiles[0]
    candidates: list[Set] = []
    if tiles.count(first) >= 3:
        candidates.append((first, first, first))
    run = run_from(first)
    if run and all(tile in tiles for tile in run):
        candidates.append((run[0], run[1], run[2]))
    return [(one, *rest) for one in candidates for rest in _ways_to_sets(tuple(without(tiles, *one)))]


@lru_cache(maxsize=200_000)
def _splits(tiles: tuple[str, ...]) -> tuple[tuple[tuple[Set, ...], str], ...]:
    found = []
    for pair in dict.fromkeys(tiles):
        if tiles.count(pair) >= 2:
            found += [(sets, pair) for sets in _ways_to_sets(tuple(without(tiles, pair, pair)))]
    return tuple(found)


def splits(tiles: Sequence[str]) -> tuple[tuple[tuple[Set, ...], str], ...]:
    """Every way to read the tiles as sets and one pair."""
    return _splits(tuple(sorted(tiles, key=order)))


def seven_pairs(tiles: Sequence[str]) -> bool:
    """Fourteen tiles in pairs; four equal tiles are two of them."""
    return len(tiles) == 14 and all(count % 2 == 0 for count in Counter(tiles).values())


# --- complete hands with laizi ------------------------------------------------------------------------------------


def completes_by_images(
    naturals: Sequence[str],
    laizi: int,
    melds: int,
    kinds: Sequence[str] = tuple(KINDS),
    pairs_too: bool = False,
    fifth_copy: bool = True,
) -> bool:
    """rules section 11, the definition: some map of the laizi to kinds completes the hand."""
    if len(naturals) + laizi != 3 * (4 - melds) + 2:
        return False
    for images in combinations_with_replacement(kinds, laizi):
        hand = [*naturals, *images]
        if not fifth_copy and max(Counter(hand).values()) > 4:
            continue
        if splits(hand) or (pairs_too and melds == 0 and seven_pairs(hand)):
            return True
    return False


def _sets_with_laizi(tiles: tuple[str, ...], laizi: int, fifth_copy: bool, used: tuple[str, ...]) -> bool:
    """Whether sorted tiles and laizi, 3n together, are n sets; used: what the sets so far and the pair stand for."""
    if not fifth_copy and used and max(Counter(used).values()) > 4:
        return False
    if not tiles:
        return laizi % 3 == 0  # Sets of laizi alone stand for kinds the hand has none of.
    first = tiles[0]
    choices = [[first] * 3]
    if not is_honour(first):
        choices += runs_with(first).values()
    for one in choices:
        missing = Counter(one) - Counter(tiles)
        have = list((Counter(one) - missing).elements())
        # A tile at hand may be left for another set and a laizi stand in its place.
        for taken in _part_holding(first, have):
            need = 3 - len(taken)
            if need <= laizi and _sets_with_laizi(
                tuple(without(tiles, *taken)), laizi - need, fifth_copy, (*used, *one) if not fifth_copy else ()
            ):
                return True
    return False


def _part_holding(first: str, have: list[str]) -> list[list[str]]:
    """The parts of a set's own tiles with the first tile in them, the largest first."""
    rest = without(have, first)
    parts = {tuple(sorted(part)) for size in range(len(rest) + 1) for part in _choose(rest, size)}
    return [[first, *part] for part in sorted(parts, key=len, reverse=True)]


def _choose(tiles: list[str], size: int) -> list[list[str]]:
    if size == 0:
        return [[]]
    return [[tile, *more] for place, tile in enumerate(tiles) for more in _choose(tiles[place + 1 :], size - 1)]


@lru_cache(maxsize=200_000)
def _completes(tiles: tuple[str, ...], laizi: int, fifth_copy: bool) -> bool:
    for pair in dict.fromkeys(tiles):
        for copies in (1, 2):
            need = 2 - copies
            if tiles.count(pair) >= copies and need <= laizi:
                rest = tuple(without(tiles, *[pair] * copies))
                if _sets_with_laizi(rest, laizi - need, fifth_copy, (pair, pair) if not fifth_copy else ()):
                    return True
    return laizi >= 2 and _sets_with_laizi(tiles, laizi - 2, fifth_copy, ())


def completes(
    naturals: Sequence[str], laizi: int, melds: int, pairs_too: bool = False, fifth_copy: bool = True
) -> bool:
    """The same answer as `completes_by_images`, by recursion over the sets."""
    if len(naturals) + laizi != 3 * (4 - melds) + 2:
        return False
    if pairs_too and melds == 0 and pairs_with_laizi(naturals, laizi, fifth_copy):
        return True
    return _completes(tuple(sorted(naturals, key=order)), laizi, fifth_copy)


def pairs_with_laizi(naturals: Sequence[str], laizi: int, fifth_copy: bool = True) -> bool:
    """Seven pairs: every kind held an odd number of times takes one laizi (rules section 11)."""
    counts = Counter(naturals)
    if not fifth_copy and counts and max(counts.values()) > 4:
        return False
    return len(naturals) + laizi == 14 and sum(count % 2 for count in counts.values()) <= laizi
