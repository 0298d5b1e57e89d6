"""Notation: hands, melds, discards and the wall as typed, laid into a game's state. Each cycle's `position.py` uses it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from mahjong_env.hands.queries import HONOUR_START
from mahjong_env.rules.actions import ADDED_GANG, CHI, GANG, PENG, SELF_GANG
from mahjong_env.rules.chance import random_below
from mahjong_env.rules.state import NOBODY, TAKEN
from mahjong_env.rules.variant import Variant

Tiles = str | Iterable[str]
"""Tiles as notation (`"123m 5p"`) or as names one by one."""

MELDS = {
    "chi": (CHI, 3, "chi"),
    "peng": (PENG, 3, "peng"),
    "gang": (GANG, 4, "gang"),
    "bu_gang": (ADDED_GANG, 4, "self_gang"),
    "an_gang": (SELF_GANG, 4, "self_gang"),
}
"""How a meld is called: its number in `meld_verb`, its tiles, and the verb a variant needs to have it."""

SEAT = 0
"""Where a hand apart from any game is laid."""

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


class Position(NamedTuple):
    """A game set up in the middle: the variant at its table, preset and options, (1,) states, and the seed of what is
    still to be decided by chance."""

    variant: Variant
    preset: str
    options: dict[str, Any]
    states: np.ndarray
    seed: int


# --- reading ----------------------------------------------------------------------------------------------------------


def split_keywords(variant: Variant, given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keywords parted into details of the variant and options; ValueError naming one that is neither."""
    known = variant.details
    for name in given:
        if name not in known and name not in variant.settings:
            listed, options = ", ".join(known) or "none", ", ".join(variant.settings)
            raise ValueError(f"{variant.name} takes no {name!r}; its details are {listed}; its options are {options}")
    details = {name: value for name, value in given.items() if name in known}
    return details, {name: value for name, value in given.items() if name not in known}


def lay_detail(variant: Variant, games: np.ndarray, seat: int, name: str, value: Any) -> None:
    """Write what a seat has declared; ValueError naming the detail and the value where the variant can't read it."""
    try:
        variant.details[name](games[0], seat, value)
    except (TypeError, KeyError, IndexError, AttributeError, OverflowError) as error:
        raise ValueError(f"{name}={value!r} can't be read for seat {seat}: {error}") from error


def read_melds(variant: Variant, melds: Tiles) -> list[Meld]:
    """Melds from `["peng 9m", "an_gang 4p"]`, or one text with commas; "from 2" may follow a claimed one.

    ValueError naming what can't be read and what is allowed.
    """
    texts = melds.split(",") if isinstance(melds, str) else list(melds)
    found = [read_meld(variant, text) for text in texts if text.strip()]
    if len(found) > variant.most_melds:
        raise ValueError(f"{len(found)} melds are too many; a hand has at most {variant.most_melds}")
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
        standard = [variant.tiles.standard[kind] if variant.tiles.standard else kind for kind in kinds]
        if (
            len(kinds) != 3
            or standard != list(range(standard[0], standard[0] + 3))
            or standard[0] // 9 != standard[2] // 9
            or standard[2] >= HONOUR_START
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
    """(1,) states with nothing on the table, past all choices before the first turn."""
    games = variant.blank(options)
    variant.answers.prepare(games[0])
    return games


def hold(variant: Variant, games: np.ndarray, seat: int, kinds: Iterable[int]) -> None:
    """Tiles into a concealed hand; the suit keys follow."""
    for kind in kinds:
        games["hands"][0, seat, kind] += 1
        games["keys"][0, seat, variant.key_column[kind]] += variant.key_weight[kind]


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


def lay_wall(variant: Variant, games: np.ndarray, kinds: Sequence[int]) -> None:
    """The tiles still to be drawn, in order; all others count as drawn already."""
    left = np.array(kinds, np.int8)
    gone = np.array(variant.tiles.copies) - variant.tiles.counts(kinds)
    games["wall"][0] = np.concatenate([np.repeat(np.arange(variant.tiles.kinds, dtype=np.int8), gone), left])
    games["wall_front"] = variant.tiles.total - len(left)
    games["wall_back"] = variant.tiles.total


def check_seat(variant: Variant, name: str, seat: Any) -> None:
    """ValueError unless it is a seat of the table."""
    if isinstance(seat, bool) or seat not in range(variant.seats):
        raise ValueError(f"{name} {seat!r} is not a seat; seats are 0 to {variant.seats - 1}")


def by_seat(variant: Variant, name: str, values: Iterable[Any]) -> list[Any]:
    """One value for each seat; ValueError if there are more or fewer."""
    if not isinstance(values, Iterable):
        raise ValueError(f"{name} is {values!r}; it takes a value for each of the {variant.seats} seats")
    listed = list(values)
    if len(listed) != variant.seats:
        raise ValueError(f"{name} has {len(listed)} entries; it takes one for each of the {variant.seats} seats")
    return listed


def declare(variant: Variant, games: np.ndarray, details: Mapping[str, Iterable[Any]]) -> None:
    """What the seats have declared, a value for each seat."""
    for name, values in details.items():
        for seat, value in enumerate(by_seat(variant, name, () if values is None else values)):
            lay_detail(variant, games, seat, name, value)


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
