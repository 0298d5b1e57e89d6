"""What a hand is worth, apart from any game: the variant answers `score_position`, its cycle lays the hand."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from mahjong_env.play.outcome import pattern_counts
from mahjong_env.rules import api
from mahjong_env.rules.notation import SEAT, Tiles, check_copies, check_seat, hold
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.score import Score
from mahjong_env.rules.state import NO_TILE, copy_of
from mahjong_env.rules.variant import Variant


def score(
    variant: str,
    hand: Tiles,
    melds: Tiles = (),
    *,
    win_tile: str | None = None,
    win_by: str,
    flags: Iterable[str] = (),
    preset: str | None = None,
    **details_and_options: Any,
) -> Score:
    """What the hand is worth when `win_tile`, which is not in it, completes it.

    Parameters
    ----------
    hand: the concealed tiles, as `"678m 123p 7p"` or as names.
    melds: as `["gang 9m", "an_gang 4p"]`, or one text with commas.
    win_by: "self_draw", "discard" or "rob_gang".
    flags: the situation, as `("after_gang", "last_tile")`; which there are is the variant's.
    details_and_options: what the seat has declared by the variant's rules (`void="s"`), and options.

    ValueError names what is unknown or impossible and what is allowed; a hand that just doesn't win has `hu=False`.
    """
    rules = get_variant(variant)
    flags = tuple(flags)
    ways = rules.cycle.win_by
    if win_by not in ways:
        raise ValueError(f"win_by {win_by!r} is not possible; it takes {', '.join(ways)}")
    for flag in flags:
        if flag not in rules.flags:
            raise ValueError(f"{variant} knows no flag {flag!r}; its flags are {', '.join(rules.flags)}")
    rules, preset, games = rules.cycle.lay_hand(rules, hand, melds, preset, details_and_options)
    kind = NO_TILE if win_tile is None else rules.tiles.kind(win_tile)
    if kind != NO_TILE:
        check_copies(rules, (games["hands"] + games["melded"])[0, SEAT] + rules.tiles.counts([kind]))
    return score_laid(rules, preset, games, SEAT, kind, ways[win_by], flags)


def waits(
    variant: str, hand: Tiles, melds: Tiles = (), preset: str | None = None, **details_and_options: Any
) -> list[str]:
    """The tiles that complete the hand by the variant's rules; parameters and errors as of `score`."""
    rules = get_variant(variant)
    rules, _, games = rules.cycle.lay_hand(rules, hand, melds, preset, details_and_options)
    return [rules.tiles.names[kind] for kind in wait_kinds(rules, games, SEAT)]


def best_wait(
    variant: str, hand: Tiles, melds: Tiles = (), preset: str | None = None, **details_and_options: Any
) -> tuple[str, Score] | None:
    """The wait worth most by discard, without situation, and its score; None for a hand that isn't ready.

    What a ready hand is paid at the wall's end (查大叫). Parameters and errors as of `score`.
    """
    rules = get_variant(variant)
    rules, preset, games = rules.cycle.lay_hand(rules, hand, melds, preset, details_and_options)
    return best_laid(rules, preset, games, SEAT)


def waits_of(variant: Variant, states: np.ndarray, seat: int) -> list[str]:
    """As `waits`, for a seat of a game's (1,) states; a seat that has to discard waits for nothing."""
    check_seat(variant, "seat", seat)
    return [variant.tiles.names[kind] for kind in wait_kinds(variant, states, seat)]


def best_wait_of(variant: Variant, preset: str, states: np.ndarray, seat: int) -> tuple[str, Score] | None:
    """As `best_wait`, for a seat of a game's (1,) states."""
    check_seat(variant, "seat", seat)
    return best_laid(variant, preset, states, seat)


# --- in a state -------------------------------------------------------------------------------------------------------


def score_laid(
    variant: Variant, preset: str, states: np.ndarray, seat: int, kind: int, by: int, flags: tuple[str, ...]
) -> Score:
    """The score of the seat's concealed tiles with one of `kind` added; the (1,) states stay as they are."""
    states = copy_of(states)
    if variant.cycle.takes_win_tile:
        if kind == NO_TILE:
            raise ValueError("win_tile is missing; name the tile that completes the hand")
        hold(variant, states, seat, [kind])
    found: Score = variant.answers.score_position(states[0], seat, kind, by, flags)
    return replace(found, patterns=pattern_counts(variant, preset, states["patterns"][0])) if found.hu else found


def wait_kinds(variant: Variant, states: np.ndarray, seat: int) -> list[int]:
    """The kinds that complete the seat's concealed tiles; none while it has a tile to discard. The states stay as they are."""
    if variant.cycle.takes_win_tile and states["hands"][0, seat].sum() % 3 != 1:
        return []
    mask = int(api.waits_at(copy_of(states), 0, seat))
    return [kind for kind in range(variant.tiles.kinds) if mask >> kind & 1]


def best_laid(variant: Variant, preset: str, states: np.ndarray, seat: int) -> tuple[str, Score] | None:
    """The wait with most fan, then value; the first of several."""
    by_discard = variant.cycle.win_by["discard"]
    scored = [
        (variant.tiles.names[kind], score_laid(variant, preset, states, seat, kind, by_discard, ()))
        for kind in wait_kinds(variant, states, seat)
    ]
    return max(scored, key=lambda found: (found[1].fan_raw, found[1].value), default=None)
