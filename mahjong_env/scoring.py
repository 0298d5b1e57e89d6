"""What a hand is worth, apart from any game.

A variant states, as plain Python in its module, `FLAGS`, the situations it knows, and `score_position(games, seat,
kind, by, flags)`: the `Score`, without names of patterns, of the concealed tiles of `seat` in the (1,) record `games`,
completed by a tile of `kind`; pattern counts are left in the record's `patterns`. See also `position.py`. Another cycle
brings its own `WIN_BY`, `lay_hand`, and `TAKES_WIN_TILE`, whether the winning tile enters the hand.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mahjong_env import engine
from mahjong_env.cycles.draw import HAND
from mahjong_env.fields import BY_DISCARD, BY_ROBBING, NO_TILE, SELF_DRAW, copy_of
from mahjong_env.outcome import pattern_counts
from mahjong_env.position import (
    Tiles,
    check_copies,
    check_seat,
    check_size,
    details_of,
    empty_table,
    hold,
    lay_melds,
    read_melds,
    split_keywords,
)
from mahjong_env.variants.interface import Variant, choose_rules, get_variant

if TYPE_CHECKING:
    from mahjong_env.game import Game

WIN_BY = {"self_draw": SELF_DRAW, "discard": BY_DISCARD, "rob_gang": BY_ROBBING}
"""How a hand is won, by the name used in notation."""

SEAT = 0
"""Where a hand apart from any game is laid."""


@dataclass(frozen=True)
class Score:
    """What a hand is worth.

    `fan` is after the cap, `fan_raw` before; `value` is what one payer pays, before anything a self-draw adds to it;
    `patterns` how often each counts, by id. Without a win all are 0 or empty and `reason` says why. Where a win takes
    points, `points` are those of the best division, None without a complete one, and `sets` its groups, as
    `("kan", "b5 b5 b5")`; also if they are too few.
    """

    hu: bool
    fan: int = 0
    fan_raw: int = 0
    value: int = 0
    patterns: dict[str, int] = field(default_factory=dict)
    reason: str | None = None
    points: int | None = None
    sets: list[tuple[str, str]] = field(default_factory=list)

    def __str__(self) -> str:
        if not self.hu:
            return f"no hu: {self.reason}"
        named = ", ".join(name if n == 1 else f"{name} x{n}" for name, n in self.patterns.items())
        capped = f" (capped from {self.fan_raw})" if self.fan < self.fan_raw else ""
        return f"{self.fan} fan{capped}, value {self.value}: {named}"


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
    ways = getattr(rules.module, "WIN_BY", WIN_BY)
    if win_by not in ways:
        raise ValueError(f"win_by {win_by!r} is not possible; it takes {', '.join(ways)}")
    for flag in flags:
        if flag not in known_flags(rules):
            raise ValueError(f"{variant} knows no flag {flag!r}; its flags are {', '.join(known_flags(rules))}")
    rules, preset, games = lay(rules, hand, melds, preset, details_and_options)
    kind = NO_TILE if win_tile is None else rules.tiles.kind(win_tile)
    if kind != NO_TILE:
        check_copies(rules, (games["hands"] + games["melded"])[0, SEAT] + rules.tiles.counts([kind]))
    return score_laid(rules, preset, games, SEAT, kind, ways[win_by], flags)


def lay(
    variant: Variant, hand: Tiles, melds: Tiles, preset: str | None, given: dict[str, Any]
) -> tuple[Variant, str, np.ndarray]:
    """As `lay_hand`, or the variant's own."""
    own = getattr(variant.module, "lay_hand", lay_hand)
    laid: tuple[Variant, str, np.ndarray] = own(variant, hand, melds, preset, given)
    return laid


def waits(
    variant: str, hand: Tiles, melds: Tiles = (), preset: str | None = None, **details_and_options: Any
) -> list[str]:
    """The tiles that complete the hand by the variant's rules; parameters and errors as of `score`."""
    rules = get_variant(variant)
    rules, _, games = lay(rules, hand, melds, preset, details_and_options)
    return [rules.tiles.names[kind] for kind in wait_kinds(rules, games, SEAT)]


def best_wait(
    variant: str, hand: Tiles, melds: Tiles = (), preset: str | None = None, **details_and_options: Any
) -> tuple[str, Score] | None:
    """The wait worth most by discard, without situation, and its score; None for a hand that isn't ready.

    What a ready hand is paid at the wall's end (查大叫). Parameters and errors as of `score`.
    """
    rules = get_variant(variant)
    rules, preset, games = lay(rules, hand, melds, preset, details_and_options)
    return best_laid(rules, preset, games, SEAT)


def waits_of(game: "Game", seat: int) -> list[str]:
    """As `waits`, for a seat of a game; a seat that has to discard waits for nothing."""
    rules = game.variant
    return [rules.tiles.names[kind] for kind in wait_kinds(rules, records(game, seat), seat)]


def best_wait_of(game: "Game", seat: int) -> tuple[str, Score] | None:
    """As `best_wait`, for a seat of a game."""
    return best_laid(game.variant, game.preset, records(game, seat), seat)


# --- on a record ------------------------------------------------------------------------------------------------------


def known_flags(variant: Variant) -> tuple[str, ...]:
    """The situations the variant knows."""
    return getattr(variant.module, "FLAGS", ())


def lay_hand(
    variant: Variant, hand: Tiles, melds: Tiles, preset: str | None, given: dict[str, Any]
) -> tuple[Variant, str, np.ndarray]:
    """The variant, the preset's name, and a (1,) record with the hand at `SEAT` and nothing else on the table."""
    details, options = split_keywords(variant, given)
    variant, preset, chosen = choose_rules(variant.name, preset, options)
    games = empty_table(variant, chosen)
    kinds = variant.tiles.parse(hand)
    called = read_melds(variant, melds)
    check_size("hand, the winning tile aside,", len(kinds), len(called), HAND)
    check_copies(variant, variant.tiles.counts([*kinds, *(kind for meld in called for kind in meld.kinds)]))
    hold(variant, games, SEAT, kinds)
    lay_melds(games, SEAT, called)
    for name, value in details.items():
        details_of(variant)[name](games, SEAT, value)
    return variant, preset, games


def score_laid(
    variant: Variant, preset: str, games: np.ndarray, seat: int, kind: int, by: int, flags: tuple[str, ...]
) -> Score:
    """The score of the seat's concealed tiles with one of `kind` added; the record stays as it is."""
    score_position = getattr(variant.module, "score_position", None)
    if score_position is None:
        raise ValueError(f"{variant.name} scores no hand apart from a game: its module has no score_position")
    games = copy_of(games)
    if kind == NO_TILE and getattr(variant.module, "TAKES_WIN_TILE", True):
        raise ValueError("win_tile is missing; name the tile that completes the hand")
    if getattr(variant.module, "TAKES_WIN_TILE", True):
        hold(variant, games, seat, [kind])
    found: Score = score_position(games, seat, kind, by, flags)
    return replace(found, patterns=pattern_counts(variant, preset, games["patterns"][0])) if found.hu else found


def records(game: "Game", seat: int) -> np.ndarray:
    """The game's (1,) record; ValueError unless the seat is at its table."""
    check_seat(game.variant, "seat", seat)
    return game._games


def wait_kinds(variant: Variant, games: np.ndarray, seat: int) -> list[int]:
    """The kinds that complete the seat's concealed tiles; none while it has a tile to discard."""
    if getattr(variant.module, "TAKES_WIN_TILE", True) and games["hands"][0, seat].sum() % 3 != 1:
        return []
    mask = int(engine.waits_at(games, 0, seat))
    return [kind for kind in range(variant.tiles.kinds) if mask >> kind & 1]


def best_laid(variant: Variant, preset: str, games: np.ndarray, seat: int) -> tuple[str, Score] | None:
    """The wait with most fan, then value; the first of several."""
    by_discard = getattr(variant.module, "WIN_BY", WIN_BY)["discard"]
    scored = [
        (variant.tiles.names[kind], score_laid(variant, preset, games, seat, kind, by_discard, ()))
        for kind in wait_kinds(variant, games, seat)
    ]
    return max(scored, key=lambda found: (found[1].fan_raw, found[1].value), default=None)
