"""Hands and positions of the flip cycle from notation."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from mahjong_env.hands.zipai import CHI_SETS, WEIGHT
from mahjong_env.rules import api
from mahjong_env.rules.actions import ADDED_KAI, BAI, CHI_SET, DUI, KAI
from mahjong_env.rules.chance import LARGEST_SEED, seed_halves, seed_random
from mahjong_env.rules.notation import (
    Position,
    Tiles,
    by_seat,
    check_copies,
    check_seat,
    deal_unseen,
    declare,
    empty_table,
    hold,
    lay_detail,
    lay_on_river,
    lay_wall,
    split_keywords,
    unseen_tiles,
)
from mahjong_env.rules.registry import choose_rules, get_variant
from mahjong_env.rules.state import BY_DISCARD, DEALT, DRAWING, FLIP_OTHER, FLIP_SELF, NOBODY, TURN
from mahjong_env.rules.variant import Variant
from mahjong_env.tiles import TileSet

WIN_BY = {"flip_self": FLIP_SELF, "flip_other": FLIP_OTHER, "discard": BY_DISCARD, "dealt": DEALT}
"""How a hand is won, by the name used in notation."""


CLAIMED = {"dui": (DUI, 3), "kai": (KAI, 4), "bayu": (ADDED_KAI, 4)}
EATEN = {"chi": CHI_SET, "chi_set": CHI_SET, "bai": BAI}


def lay_melds(variant: Variant, games: np.ndarray, seat: int, melds: Tiles) -> None:
    """Exposed groups from `["dui s9", "chi s1 s2 s3", "kai b5 from 2"]`, or one text with commas; whose cards were taken
    is nobody's unless it is said. ValueError naming what can't be read and what is allowed."""
    for text in melds.split(",") if isinstance(melds, str) else list(melds):
        if text.strip():
            lay_meld(variant, games, seat, text.strip())


def lay_meld(variant: Variant, games: np.ndarray, seat: int, text: str) -> None:
    """One exposed group."""
    name, _, rest = text.partition(" ")
    called, _, source = rest.partition(" from ")
    if name not in CLAIMED and name not in EATEN:
        raise ValueError(
            f"no group {name!r} in {text!r}; groups are {', '.join([*CLAIMED, *EATEN])}, each with its cards"
        )
    if source and source.strip() not in map(str, range(variant.seats)):
        raise ValueError(f"{text!r} can't come from {source!r}; a claimed card comes from a seat's number")
    kinds = variant.tiles.parse(called)
    place = int(games["meld_count"][0, seat])
    if place == variant.most_melds:
        raise ValueError(f"{text!r} is one group too many; a seat has at most {variant.most_melds}")
    if name in CLAIMED:
        verb, size = CLAIMED[name]
        if len(set(kinds)) != 1 or len(kinds) not in (1, size):
            raise ValueError(f"{text!r} must name one card, as {name} {variant.tiles.names[0]}")
        what, cards = kinds[0], kinds[:1] * size
    else:
        sets, verb, cards = [tuple(row) for row in CHI_SETS.tolist()], EATEN[name], kinds
        if tuple(kinds) not in sets:
            raise ValueError(f"{text!r} is no set; sets are runs, 2-7-10 of one size, and mixes of one rank")
        what = sets.index(tuple(kinds))
    games["meld_verb"][0, seat, place] = verb
    games["meld_tile"][0, seat, place] = what
    games["meld_from"][0, seat, place] = int(source) if source else NOBODY
    games["meld_count"][0, seat] = place + 1
    np.add.at(games["melded"][0, seat], cards, 1)
    games["claims"] += name != "bai"


def check_sizes(waiting: Sequence[int], state: Any, seat: int, whose: str, more: int) -> None:
    """ValueError unless the seat has as many cards as one that waits, and `more`."""
    found = int(state["hands"][seat].sum() + state["melded"][seat].sum())
    sizes = [size + more for size in waiting]
    if found not in sizes:
        raise ValueError(
            f"{whose} has {found} cards, exposed ones included; it takes {' or '.join(map(str, sorted(set(sizes))))}"
        )


def lay_hand(
    variant: Variant, hand: Tiles, melds: Tiles, preset: str | None, given: dict[str, Any]
) -> tuple[Variant, str, np.ndarray]:
    """As the draw cycle's `lay_hand`. A hand with one card more is one just dealt."""
    details, options = split_keywords(variant, given)
    variant, preset, chosen = choose_rules(variant.name, preset, options)
    games = empty_table(variant, chosen)
    lay_melds(variant, games, 0, melds)
    kinds = variant.tiles.parse(hand)
    check_copies(variant, games["melded"][0, 0] + variant.tiles.counts(kinds))
    hold(variant, games, 0, kinds)
    for name, value in details.items():
        lay_detail(variant, games, 0, name, value)
    return variant, preset, games


def set_up(
    variant: str,
    preset: str | None = None,
    *,
    hands: Sequence[Tiles | None],
    melds: Sequence[Tiles] | None = None,
    discards: Sequence[Tiles] | None = None,
    flips: Sequence[Tiles] | None = None,
    wall: Tiles | None = None,
    to_act: int | None = None,
    to_flip: int | None = None,
    dealer: int = 0,
    points: Sequence[int] | None = None,
    seed: int | None = None,
    **details_and_options: Any,
) -> Position:
    """A game of the flip cycle in the middle: `to_act` discards next, or `to_flip` flips.

    Parameters
    ----------
    hands: cards in the hand by seat; None: dealt from those not in sight.
    melds: by seat: `["dui s9", "chi s1 s2 s3", "kai b5", "bayu s2"]`, or one text with commas.
    discards, flips: cards lying before each seat, discarded or flipped, in order.
    wall: the flips to come, as few as you like; by default all cards that are not in sight, shuffled.
    to_act: the seat that has one card too many and discards; with nothing shown yet it is the dealer and may win. The
        default is seat 0, unless `to_flip` is given.
    points, seed: as for other games.
    details_and_options: what seats have passed or swapped by the variant's rules, a value for each seat, and options.

    ValueError names what is impossible and what is allowed.
    """
    details, given = split_keywords(get_variant(variant), details_and_options)
    rules, preset, options = choose_rules(variant, preset, given)
    if to_act is not None and to_flip is not None:
        raise ValueError(f"to_act={to_act} and to_flip={to_flip} are both given; a seat either discards or flips next")
    turn = to_flip if to_flip is not None else to_act or 0
    check_seat(rules, "to_flip" if to_flip is not None else "to_act", turn)
    check_seat(rules, "dealer", dealer)
    games = empty_table(rules, options)
    seed = random.randrange(LARGEST_SEED) if seed is None else seed
    seed_random(games["random"][0], *seed_halves(seed), 0, 0)
    games["dealer"] = games["next_dealer"] = dealer
    games["points"] = by_seat(rules, "points", (0,) * rules.seats if points is None else points)
    declare(rules, games, details)
    for seat, called in enumerate(by_seat(rules, "melds", [""] * rules.seats if melds is None else melds)):
        lay_melds(rules, games, seat, called)
    lay_shown(rules, games, discards, flips)
    lay_hands(rules, games, hands, wall, None if to_flip is not None else turn)
    games["turn"], games["phase"] = turn, TURN if to_flip is None else DRAWING
    api.resume_at(games, 0)
    return Position(rules, preset, options, games, seed)


def lay_shown(
    variant: Variant, games: np.ndarray, discards: Sequence[Tiles] | None, flips: Sequence[Tiles] | None
) -> None:
    """Cards lying before the seats. A seat doesn't eat what it has discarded (过张)."""
    nothing = [""] * variant.seats
    for name, given in (("discards", discards), ("flips", flips)):
        for seat, cards in enumerate(by_seat(variant, name, nothing if given is None else given)):
            for kind in variant.tiles.parse_in_order(cards):
                lay_on_river(games, seat, kind)
                if name == "flips":
                    games["flips"][0, seat, kind] += 1
                    games["draws"][0, seat] += 1
                else:
                    games["chi_barred"][0, seat] |= 1 << kind


def lay_hands(
    variant: Variant, games: np.ndarray, hands: Sequence[Tiles | None], wall: Tiles | None, to_act: int | None
) -> None:
    """Hands and wall, from the cards not in sight where they aren't given."""
    read = [
        None if cards is None else variant.tiles.parse_in_order(cards) for cards in by_seat(variant, "hands", hands)
    ]
    left = None if wall is None else variant.tiles.parse_in_order(wall)
    sizes = [
        max(variant.answers.waiting_sizes(games[0], seat)) - int(games["melded"][0, seat].sum()) + (seat == to_act)
        for seat in range(variant.seats)
    ]
    unseen = unseen_tiles(variant, games, [*(cards for cards in read if cards is not None), left or []])
    for seat, kinds in enumerate(deal_unseen(unseen, read, sizes)):
        hold(variant, games, seat, kinds)
        waiting = variant.answers.waiting_sizes(games[0], seat)
        check_sizes(waiting, games[0], seat, f"seat {seat}", seat == to_act)
    lay_wall(variant, games, unseen if left is None else left)


def check_hand(waiting: Sequence[int], state: Any, seat: int, by: int) -> None:
    """ValueError unless the seat has as many cards as one that wins so, the winning card not counted; `waiting` are the
    numbers of cards that one that waits may have."""
    check_sizes(waiting, state, seat, "the hand, without the winning card,", by == DEALT)


def card_keys(tiles: TileSet) -> tuple[np.ndarray, np.ndarray, int]:
    """For each card the column of a state's `keys`, which is its size, and its weight there; and the number of columns."""
    return np.array(tiles.suit_of, np.int64), WEIGHT[: tiles.kinds].astype(np.int64), len(tiles.suits)
