"""Hands and positions of the draw cycle from notation."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from mahjong_env.rules import api
from mahjong_env.rules.chance import LARGEST_SEED, seed_halves, seed_random
from mahjong_env.rules.notation import (
    LONG_SINCE,
    MELDS,
    SEAT,
    Position,
    Tiles,
    by_seat,
    check_copies,
    check_seat,
    check_size,
    deal_unseen,
    declare,
    empty_table,
    hold,
    lay_detail,
    lay_melds,
    lay_on_river,
    lay_wall,
    read_melds,
    split_keywords,
    unseen_tiles,
)
from mahjong_env.rules.registry import choose_rules, get_variant
from mahjong_env.rules.state import BY_DISCARD, BY_ROBBING, NO_TILE, SELF_DRAW, TURN
from mahjong_env.rules.variant import Variant


def lay_discards(games: np.ndarray, dealer: int, discards: Sequence[Sequence[int]]) -> None:
    """Everybody's discards, taken to have been made in turn from the dealer on."""
    seats = len(discards)
    for turn in range(max(map(len, discards))):
        for step in range(seats):
            seat = (dealer + step) % seats
            if turn < len(discards[seat]):
                lay_on_river(games, seat, discards[seat][turn])


# --- a whole position -------------------------------------------------------------------------------------------------


def set_up(
    variant: str,
    preset: str | None = None,
    *,
    hands: Sequence[Tiles | None],
    melds: Sequence[Tiles] | None = None,
    discards: Sequence[Tiles] | None = None,
    wall: Tiles | None = None,
    to_act: int = 0,
    drawn: str | None = None,
    after_claim: bool = False,
    replacement: bool = False,
    draws: Sequence[int] | None = None,
    dealer: int = 0,
    points: Sequence[int] | None = None,
    won: Sequence[int] = (),
    seed: int | None = None,
    **details_and_options: Any,
) -> Position:
    """A game in the middle, in the turn of seat `to_act`; a tile to claim is reached by playing a discard.

    Parameters
    ----------
    hands: concealed tiles by seat. With its melds, three tiles each, a seat has 13, the seat in turn 14. None: dealt
        from the tiles not in sight.
    melds: by seat: `["peng 9m", "bu_gang 4p from 2"]`, or one text with commas. Gang money counts as settled long ago.
    discards: by seat, in order, without those taken into melds.
    wall: tiles in drawing order, as few as you like; by default all that are not in sight, shuffled.
    drawn: the tile the seat in turn has just drawn; it may stand in its hand, as the 14th tile, or beside 13. By
        default the last one written.
    after_claim: the seat in turn has just claimed, not drawn.
    replacement: the drawn tile replaced a gang's.
    draws: tiles drawn since the deal, by seat: 0 for a dealer in its first turn, 1 for another seat in its first; by
        default nobody's first turn.
    points: points gained so far, by seat. won: seats that have won, in order.
    seed: decides what is dealt from the tiles not in sight, and later chance; None draws one.
    details_and_options: what seats have declared by the variant's rules, a value for each seat (`void="spms"`), and
        options.

    ValueError names what is impossible and what is allowed: an unknown keyword, tile, meld or seat, a wrong number of
    tiles, more copies than there are.
    """
    details, given = split_keywords(get_variant(variant), details_and_options)
    rules, preset, options = choose_rules(variant, preset, given)
    for name, seat in (("to_act", to_act), ("dealer", dealer), *(("won", seat) for seat in won)):
        check_seat(rules, name, seat)
    games = empty_table(rules, options)
    seed = random.randrange(LARGEST_SEED) if seed is None else seed
    seed_random(games["random"][0], *seed_halves(seed), 0, 0)
    games["dealer"] = games["next_dealer"] = dealer
    games["draws"] = by_seat(rules, "draws", (LONG_SINCE,) * rules.seats if draws is None else draws)
    games["points"] = by_seat(rules, "points", (0,) * rules.seats if points is None else points)
    declare(rules, games, details)
    note_winners(games, won)
    lay_table(rules, games, dealer, melds, discards)
    lay_hands(rules, games, hands, wall, to_act, drawn, after_claim)
    games["after_claim"] = after_claim
    if replacement:
        note_replacement(rules, games, to_act)
    games["turn"], games["phase"] = to_act, TURN
    check_players(rules, games, to_act)
    api.resume_at(games, 0)
    return Position(rules, preset, options, games, seed)


def note_winners(games: np.ndarray, won: Sequence[int]) -> None:
    """Seats that have won before, on tiles unknown; the first of them deals next."""
    games["win_tile"][0] = NO_TILE
    for seat in won:
        games["wins"][0, seat] += 1
    if won:
        games["next_dealer"] = won[0]


def lay_table(
    variant: Variant, games: np.ndarray, dealer: int, melds: Sequence[Tiles] | None, discards: Sequence[Tiles] | None
) -> None:
    """Melds and discards."""
    for seat, called in enumerate(by_seat(variant, "melds", [""] * variant.seats if melds is None else melds)):
        lay_melds(games, seat, read_melds(variant, called))
    thrown = by_seat(variant, "discards", [""] * variant.seats if discards is None else discards)
    lay_discards(games, dealer, [variant.tiles.parse_in_order(tiles) for tiles in thrown])


def lay_hands(
    variant: Variant,
    games: np.ndarray,
    hands: Sequence[Tiles | None],
    wall: Tiles | None,
    to_act: int,
    drawn: str | None,
    after_claim: bool,
) -> None:
    """Hands and wall, from the tiles not in sight where they aren't given; and the tile just drawn."""
    named = by_seat(variant, "hands", hands)
    read = [None if tiles is None else variant.tiles.parse_in_order(tiles) for tiles in named]
    left = None if wall is None else variant.tiles.parse_in_order(wall)
    hand = variant.hand_size(games[0])
    sizes = [hand - 3 * int(games["meld_count"][0, seat]) for seat in range(variant.seats)]
    own, just_drawn = read[to_act], None if drawn is None else variant.tiles.kind(drawn)
    beside = [] if just_drawn is None or (own is not None and len(own) > sizes[to_act]) else [just_drawn]
    sizes[to_act] += 1 - len(beside)
    unseen = unseen_tiles(variant, games, [*(tiles for tiles in read if tiles is not None), left or [], beside])
    dealt = deal_unseen(unseen, read, sizes)
    dealt[to_act] += beside
    for seat, kinds in enumerate(dealt):
        check_size(f"hand of seat {seat}", len(kinds), int(games["meld_count"][0, seat]), hand + (seat == to_act))
        hold(variant, games, seat, kinds)
    lay_wall(variant, games, unseen if left is None else left)
    games["drawn"] = drawn_tile(variant, games, to_act, dealt[to_act], just_drawn, after_claim)


def drawn_tile(
    variant: Variant, games: np.ndarray, to_act: int, hand: Sequence[int], drawn: int | None, after_claim: bool
) -> int:
    """The tile just drawn: none after a claim and on the dealt hand, else the one named or the last one of the hand."""
    if drawn is not None and after_claim:
        raise ValueError("drawn is given and after_claim is set; a seat that has claimed has drawn nothing")
    if drawn is not None and drawn not in hand:
        raise ValueError(f"drawn {variant.tiles.names[drawn]} is not in the hand of seat {to_act}")
    if drawn is not None:
        return drawn
    return NO_TILE if after_claim or games["draws"][0, to_act] == 0 else hand[-1]


def note_replacement(variant: Variant, games: np.ndarray, to_act: int) -> None:
    """The tile just drawn replaced a gang's; ValueError if the seat has no gang."""
    gangs = [verb for verb, tiles, _ in MELDS.values() if tiles == 4]
    if games["drawn"][0] == NO_TILE or not np.isin(games["meld_verb"][0, to_act], gangs).any():
        raise ValueError(f"replacement is set, but seat {to_act} has no gang, or has drawn nothing")
    games["replacement"] = 1
    variant.answers.note_replacement(games[0], to_act)


def check_players(variant: Variant, games: np.ndarray, to_act: int) -> None:
    """ValueError unless the seat in turn, and another one, still plays."""
    live = [seat for seat in range(variant.seats) if variant.kernels["plays_on"](games[0], seat)]
    if to_act not in live:
        raise ValueError(f"to_act {to_act} has won and plays no more; seats still in play: {live}")
    if len(live) < 2:
        raise ValueError(f"won leaves only seat {to_act} in play; the hand would be over")


WIN_BY = {"self_draw": SELF_DRAW, "discard": BY_DISCARD, "rob_gang": BY_ROBBING}
"""How a hand is won, by the name used in notation."""


def lay_hand(
    variant: Variant, hand: Tiles, melds: Tiles, preset: str | None, given: dict[str, Any]
) -> tuple[Variant, str, np.ndarray]:
    """The variant, the preset's name, and a (1,) states with the hand at `SEAT` and nothing else on the table."""
    details, options = split_keywords(variant, given)
    variant, preset, chosen = choose_rules(variant.name, preset, options)
    games = empty_table(variant, chosen)
    kinds = variant.tiles.parse(hand)
    called = read_melds(variant, melds)
    check_size("hand, the winning tile aside,", len(kinds), len(called), variant.hand_size(games[0]))
    check_copies(variant, variant.tiles.counts([*kinds, *(kind for meld in called for kind in meld.kinds)]))
    hold(variant, games, SEAT, kinds)
    lay_melds(games, SEAT, called)
    for name, value in details.items():
        lay_detail(variant, games, SEAT, name, value)
    return variant, preset, games
