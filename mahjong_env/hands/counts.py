"""Hands as users give them: text or counts, checked, or refused with the tile and the reason."""

from typing import Never

import numpy as np
from numpy.typing import ArrayLike

from mahjong_env.hands.automaton import COPIES
from mahjong_env.tiles import ALL, LAIZI, SUITS, TileSet, split_tiles

SETS = 4
MOST_LAIZI = 14
UINT8 = np.dtype(np.uint8)
GAMES: dict[int, TileSet] = {27: SUITS, 34: ALL}


def parse(text: str, kinds: int = 34) -> np.ndarray:
    """Counts of the tiles in `text`: `"123m 456p 77s"`, `"19m E C"`.

    Parameters
    ----------
    text : str
        Tiles in any order and spacing. Laizi (`L`) are not counts: give their number beside the counts.
    kinds : int
        34, or 27 for a game of three suits.

    Returns
    -------
    (kinds,) uint8 array

    Raises
    ------
    ValueError
        For what can't be read, a laizi, or more than four of a kind.
    """
    names = split_tiles(text)
    if LAIZI in names:
        raise ValueError(
            f"{LAIZI} in {text!r} is a laizi, which has no count; pass laizi={names.count(LAIZI)} beside the counts"
        )
    tiles = _game(kinds).parse_in_order(names)
    counts = np.bincount(np.array(tiles, np.int64), minlength=kinds)
    if counts.max() > COPIES:
        _refuse_counts(counts[None])
    return counts.astype(np.uint8)


def format(counts: ArrayLike) -> str:
    """The tiles of (kinds,) counts as text, `"123m 77s"`; `parse` reads it back."""
    return _text(one_hand(counts)[0])


def hands_of(counts: ArrayLike) -> np.ndarray:
    """The counts as (kinds,) or (hands, kinds) uint8 in C order, without a copy where they are so already.

    Counts above four are not refused here: the kernels see them first.
    """
    array = counts if isinstance(counts, np.ndarray) else np.asarray(counts)
    if array.ndim not in (1, 2) or array.shape[-1] not in GAMES:
        raise ValueError(f"counts are (kinds,) or (hands, kinds) with 27 or 34 kinds, got shape {array.shape}")
    if array.dtype != UINT8 or not array.flags.c_contiguous:
        array = _as_uint8(array)
    return array


def one_hand(counts: ArrayLike) -> np.ndarray:
    """The counts of one hand as a checked (1, kinds) array."""
    hand = np.atleast_2d(hands_of(counts))
    if len(hand) != 1:
        raise ValueError(f"one hand is wanted, got {len(hand)}")
    check_copies(hand)
    return hand


def _as_uint8(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind not in "iub":
        raise ValueError(f"counts are whole numbers, got {array.dtype}")
    if array.size and (array.min() < 0 or array.max() > COPIES):
        _refuse_counts(array.reshape(-1, array.shape[-1]))
    return np.ascontiguousarray(array, np.uint8)


def check_numbers(laizi: int, melds: int) -> None:
    """Refuse a number of laizi or called melds that no hand has."""
    if not 0 <= laizi <= MOST_LAIZI:
        raise ValueError(f"laizi must be 0 to {MOST_LAIZI}, got {laizi}")
    if not 0 <= melds <= SETS:
        raise ValueError(f"melds must be 0 to {SETS}, got {melds}")


def check_copies(hands: np.ndarray) -> None:
    """Refuse hands of which one holds more than four of a kind."""
    if hands.size and hands.max() > COPIES:
        _refuse_counts(hands)


def refuse(hands: np.ndarray, laizi: int, melds: int, drawn: tuple[int, ...], row: int = 0) -> Never:
    """Say what is wrong with hands[row]: a count, or the number of tiles (3 * sets + 1 + one of `drawn` are right)."""
    if hands[row].max() > COPIES:
        _refuse_counts(hands)
    wanted = " or ".join(str(3 * (SETS - melds) + 1 + more) for more in drawn)
    held = int(hands[row].sum())
    raise ValueError(
        f"{_hand(hands, row)} has {held} tiles and {laizi} laizi; "
        f"beside {melds} called melds there must be {wanted} in all"
    )


def _refuse_counts(hands: np.ndarray) -> Never:
    row, kind = np.argwhere((hands < 0) | (hands > COPIES))[0]
    name = _game(hands.shape[1]).names[kind]
    which = f"hand {row} holds" if len(hands) > 1 else "the hand holds"
    raise ValueError(f"{which} {hands[row, kind]} of {name}; there are 0 to {COPIES} of a kind")


def _hand(hands: np.ndarray, row: int) -> str:
    return f"hand {row} ({_text(hands[row])})" if len(hands) > 1 else f"the hand {_text(hands[row])}"


def _text(hand: np.ndarray) -> str:
    return _game(len(hand)).format(np.repeat(np.arange(len(hand)), hand).tolist())


def _game(kinds: int) -> TileSet:
    if kinds not in GAMES:
        raise ValueError(f"kinds must be 27 or 34, got {kinds}")
    return GAMES[kinds]
