"""Positions from notation: hands, melds, discards and the wall as typed, laid into a game record.

For games of the draw cycle; another cycle brings a `set_up` of its own. A variant may state, as plain Python in its
module, `DETAILS`, what a seat can have declared (name → function of games, seat, value), `prepare(games)`, which clears
its own fields of a blank record, and `note_replacement(games, seat)`, which keeps account of the gang whose replacement
the seat has drawn.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mahjong_env import engine
from mahjong_env.actions import CHI, GANG, PENG, SELF_GANG
from mahjong_env.chance import random_below, seed_random
from mahjong_env.cycles import draw
from mahjong_env.fields import NO_TILE, NOBODY, TAKEN, TURN
from mahjong_env.hands.queries import HONOUR_START
from mahjong_env.hands.tables import WEIGHT
from mahjong_env.variants.interface import Variant, choose_rules, get_variant

if TYPE_CHECKING:
    from mahjong_env.game import Game

Tiles = str | Iterable[str]
"""Tiles as notation (`"123m 5p"`) or as names one by one."""

MELDS = {
    "chi": (CHI, 3, "chi"),
    "peng": (PENG, 3, "peng"),
    "gang": (GANG, 4, "gang"),
    "bu_gang": (draw.ADDED_GANG, 4, "self_gang"),
    "an_gang": (SELF_GANG, 4, "self_gang"),
}
"""How a meld is called: its number in `meld_verb`, its tiles, and the verb a variant needs to have it."""

LONG_SINCE = 2
"""Tiles drawn by a seat that is past its first turn."""


@dataclass(frozen=True)
class Meld:
    """A meld read from notation: its number in `meld_verb`, its kind (a run's lowest), its tiles, and who discarded it or
    NOBODY."""

    verb: int
    kind: int
    tiles: int
    source: int

    @property
    def kinds(self) -> list[int]:
        """The kinds of its tiles."""
        return [self.kind + (place if self.verb == CHI else 0) for place in range(self.tiles)]


# --- reading ----------------------------------------------------------------------------------------------------------


def split_keywords(variant: Variant, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keywords parted into details of the variant and options; ValueError naming one that is neither."""
    known = details_of(variant)
    for name in given:
        if name not in known and name not in variant.settings:
            listed, options = ", ".join(known) or "none", ", ".join(variant.settings)
            raise ValueError(f"{variant.name} takes no {name!r}; its details are {listed}; its options are {options}")
    details = {name: value for name, value in given.items() if name in known}
    return details, {name: value for name, value in given.items() if name not in known}


def details_of(variant: Variant) -> Mapping[str, Callable[[np.ndarray, int, Any], None]]:
    """What a seat can have declared by the variant's rules: name → function that lays it into games."""
    return getattr(variant.module, "DETAILS", {})


def read_melds(variant: Variant, melds: Tiles) -> list[Meld]:
    """Melds from `["peng 9m", "an_gang 4p"]`, or one text with commas; "from 2" may follow a claimed one.

    ValueError naming what can't be read and what is allowed.
    """
    texts = melds.split(",") if isinstance(melds, str) else list(melds)
    found = [read_meld(variant, text) for text in texts if text.strip()]
    if len(found) > 4:
        raise ValueError(f"{len(found)} melds are too many; a hand has at most 4")
    return found


def read_meld(variant: Variant, text: str) -> Meld:
    """One meld: `"peng 9m"`, `"gang 9999m from 2"`."""
    name, _, rest = text.strip().partition(" ")
    called, _, source = rest.partition(" from ")
    allowed = [meld for meld, (*_, verb) in MELDS.items() if verb in variant.verbs]
    if name not in allowed:
        raise ValueError(f"no meld {name!r} in {text!r}; melds are {', '.join(allowed)}, each with its tile")
    verb, tiles, _ = MELDS[name]
    kinds = variant.tiles.parse(called)
    if verb == CHI:
        suits = {variant.tiles.suit_of[kind] for kind in kinds}
        if (
            len(kinds) != 3
            or kinds != list(range(kinds[0], kinds[0] + 3))
            or len(suits) > 1
            or kinds[2] >= HONOUR_START
        ):
            raise ValueError(f"{text.strip()!r} must name a run, as chi 234s")
    elif len(set(kinds)) != 1 or len(kinds) not in (1, tiles):
        raise ValueError(f"{text.strip()!r} must name one tile, as {name} {variant.tiles.names[0]}")
    if source and (name == "an_gang" or source.strip() not in map(str, range(variant.seats))):
        raise ValueError(f"{text.strip()!r} can't come from {source!r}; a claimed meld comes from a seat's number")
    return Meld(verb, kinds[0], tiles, int(source) if source else NOBODY)


def check_size(whose: str, tiles: int, melds: int, size: int) -> None:
    """ValueError unless concealed tiles and melds, three tiles each, make up a hand."""
    if tiles + 3 * melds != size:
        raise ValueError(f"{whose} has {tiles} tiles; with {melds} melds it takes {size - 3 * melds}")


def check_copies(variant: Variant, counts: np.ndarray) -> None:
    """ValueError naming the first kind of which there are more than the game has; `counts` is (kinds,)."""
    for kind, (found, copies) in enumerate(zip(counts, variant.tiles.copies, strict=True)):
        if found > copies:
            raise ValueError(f"there are {found} of {variant.tiles.names[kind]}; the game has {copies}")


# --- laying -----------------------------------------------------------------------------------------------------------


def empty_table(variant: Variant, options: Mapping[str, Any]) -> np.ndarray:
    """(1,) record with nothing on the table, past all choices before the first turn."""
    games = variant.blank(options)
    prepare = getattr(variant.module, "prepare", None)
    if prepare is not None:
        prepare(games)
    return games


def hold(variant: Variant, games: np.ndarray, seat: int, kinds: Iterable[int]) -> None:
    """Tiles into a concealed hand; the suit keys follow."""
    weight = weights_of(variant)
    for kind in kinds:
        games["hands"][0, seat, kind] += 1
        games["keys"][0, seat, variant.tiles.suit_of[kind]] += weight[kind]


def weights_of(variant: Variant) -> np.ndarray:
    """What one tile of each kind adds to the key of its suit, (kinds,) int32 at least."""
    weights: np.ndarray = getattr(variant.module, "WEIGHT", WEIGHT)
    return weights


def lay_melds(games: np.ndarray, seat: int, melds: Sequence[Meld]) -> None:
    """Melds before a seat; a claimed tile whose discarder is known lies on the river too, as taken."""
    for place, meld in enumerate(melds):
        games["meld_verb"][0, seat, place] = meld.verb
        games["meld_tile"][0, seat, place] = meld.kind
        games["meld_from"][0, seat, place] = meld.source
        np.add.at(games["melded"][0, seat], meld.kinds, 1)
        if meld.source != NOBODY:
            lay_on_river(games, meld.source, meld.kind, taken=True)
    games["meld_count"][0, seat] = len(melds)


def lay_on_river(games: np.ndarray, seat: int, kind: int, taken: bool = False) -> None:
    """One more discard."""
    place = int(games["river_length"][0])
    games["river_tile"][0, place] = kind
    games["river_seat"][0, place] = seat + TAKEN * taken
    games["river_length"] = place + 1
    games["discarded"][0, seat, kind] += not taken
    games["last_discard"][0, seat, kind] = place + 1


def lay_discards(games: np.ndarray, dealer: int, discards: Sequence[Sequence[int]]) -> None:
    """Everybody's discards, taken to have been made in turn from the dealer on."""
    seats = len(discards)
    for turn in range(max(map(len, discards))):
        for step in range(seats):
            seat = (dealer + step) % seats
            if turn < len(discards[seat]):
                lay_on_river(games, seat, discards[seat][turn])


def lay_wall(variant: Variant, games: np.ndarray, kinds: Sequence[int]) -> None:
    """The tiles still to be drawn, in order; all others count as drawn already."""
    left = np.array(kinds, np.int8)
    gone = np.array(variant.tiles.copies) - variant.tiles.counts(kinds)
    games["wall"][0] = np.concatenate([np.repeat(np.arange(variant.tiles.kinds, dtype=np.int8), gone), left])
    games["wall_front"] = variant.tiles.total - len(left)
    games["wall_back"] = variant.tiles.total


# --- a whole position -------------------------------------------------------------------------------------------------


def set_up(
    cls: "type[Game]",
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
) -> "Game":
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
    from mahjong_env.game import LARGEST_SEED, seed_halves

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
    engine.resume_at(games, 0)
    game = cls._from_row(rules, preset, options, games)
    game.seed = seed
    return game


def check_seat(variant: Variant, name: str, seat: Any) -> None:
    """ValueError unless it is a seat of the table."""
    if isinstance(seat, bool) or seat not in range(variant.seats):
        raise ValueError(f"{name} {seat!r} is not a seat; seats are 0 to {variant.seats - 1}")


def by_seat(variant: Variant, name: str, values: Iterable[Any]) -> list[Any]:
    """One value for each seat; ValueError if there are more or fewer."""
    listed = list(values)
    if len(listed) != variant.seats:
        raise ValueError(f"{name} has {len(listed)} entries; it takes one for each of the {variant.seats} seats")
    return listed


def declare(variant: Variant, games: np.ndarray, details: Mapping[str, Iterable[Any]]) -> None:
    """What the seats have declared, a value for each seat."""
    for name, values in details.items():
        for seat, value in enumerate(by_seat(variant, name, () if values is None else values)):
            details_of(variant)[name](games, seat, value)


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
    sizes = [draw.HAND - 3 * int(games["meld_count"][0, seat]) for seat in range(variant.seats)]
    own, just_drawn = read[to_act], None if drawn is None else variant.tiles.kind(drawn)
    beside = [] if just_drawn is None or (own is not None and len(own) > sizes[to_act]) else [just_drawn]
    sizes[to_act] += 1 - len(beside)
    unseen = unseen_tiles(variant, games, [*(tiles for tiles in read if tiles is not None), left or [], beside])
    dealt = deal_unseen(unseen, read, sizes)
    dealt[to_act] += beside
    for seat, kinds in enumerate(dealt):
        check_size(f"hand of seat {seat}", len(kinds), int(games["meld_count"][0, seat]), draw.HAND + (seat == to_act))
        hold(variant, games, seat, kinds)
    lay_wall(variant, games, unseen if left is None else left)
    games["drawn"] = drawn_tile(variant, games, to_act, dealt[to_act], just_drawn, after_claim)


def unseen_tiles(variant: Variant, games: np.ndarray, given: Sequence[Sequence[int]]) -> list[int]:
    """All tiles that aren't in sight, shuffled by the game's generator; ValueError where a kind has too many."""
    seen = (games["melded"][0] + games["discarded"][0]).sum(axis=0)
    for kinds in given:
        seen = seen + variant.tiles.counts(kinds)
    check_copies(variant, seen)
    unseen = np.repeat(np.arange(variant.tiles.kinds), np.array(variant.tiles.copies) - seen).tolist()
    for last in range(len(unseen) - 1, 0, -1):
        other = random_below(games["random"][0], last + 1)
        unseen[last], unseen[other] = unseen[other], unseen[last]
    return unseen


def deal_unseen(unseen: list[int], hands: Sequence[list[int] | None], sizes: Sequence[int]) -> list[list[int]]:
    """Hands with those not given taken from the end of `unseen`."""
    dealt = []
    for kinds, size in zip(hands, sizes, strict=True):
        if kinds is None:
            if len(unseen) < size:
                raise ValueError(f"only {len(unseen)} tiles are not in sight; a hand to be dealt takes {size}")
            kinds = [unseen.pop() for _ in range(size)]
        dealt.append(kinds)
    return dealt


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
    note = getattr(variant.module, "note_replacement", None)
    if note is not None:
        note(games, to_act)


def check_players(variant: Variant, games: np.ndarray, to_act: int) -> None:
    """ValueError unless the seat in turn, and another one, still plays."""
    plays_on = getattr(variant.module, "plays_on", draw.plays_on)
    live = [seat for seat in range(variant.seats) if plays_on(games[0], seat)]
    if to_act not in live:
        raise ValueError(f"to_act {to_act} has won and plays no more; seats still in play: {live}")
    if len(live) < 2:
        raise ValueError(f"won leaves only seat {to_act} in play; the hand would be over")
