"""Tiles: kinds, suits, and notation both ways (`"123m 55z"`, `"s2 b10"`).

A kind is an index: 0–8 are 1–9 characters (万, `m`), 9–17 dots (筒, `p`), 18–26 bamboo (条, `s`), then the honours
E S W N C(中) F(发) B(白), also written 1z–7z. A game with fewer kinds uses the first ones. Zipai cards (字牌) are 0–9 for the
small 一–十 (`s1`–`s10`) and 10–19 for the big 壹–拾 (`b1`–`b10`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

COPIES = 4
SUITED = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10))
HONOURS = ("E", "S", "W", "N", "C", "F", "B")
LAIZI = "L"
GLYPHS = {name: chr(0x1F007 + 9 * "msp".index(name[1]) + int(name[0]) - 1) for name in SUITED} | dict(
    zip(HONOURS, "🀀🀁🀂🀃🀄🀅🀆", strict=True)
)
CARDS = tuple(f"{size}{rank}" for size in "sb" for rank in range(1, 11))
GLYPHS |= dict(zip(CARDS, "一二三四五六七八九十壹贰叁肆伍陆柒捌玖拾", strict=True))


@dataclass(frozen=True)
class TileSet:
    """The tiles of a game: their names in order of kind, how many copies of each, and the suits.

    `copies` holds one number per kind; `suit_of` the index of each kind's suit in `suits`; `laizi` the kind that "L" stands
    for in a hand, where the game has just one that is wild. `standard`: where each kind stands among the 34 of the hand
    library, for a set that isn't simply the first of them; see `tile_set`.
    """

    names: tuple[str, ...]
    copies: tuple[int, ...]
    suits: tuple[str, ...]
    suit_of: tuple[int, ...]
    laizi: str | None = None
    standard: tuple[int, ...] | None = None

    @property
    def kinds(self) -> int:
        return len(self.names)

    @property
    def total(self) -> int:
        """Number of tiles in the game, which is the length of the wall before the deal."""
        return sum(self.copies)

    @property
    def is_compact(self) -> bool:
        """Whether kinds have other numbers than in the hand library."""
        return self.standard is not None and self.standard != tuple(range(self.kinds))

    def parse(self, text: str | Iterable[str]) -> list[int]:
        """Kinds named by `text`, sorted: `"123m 55z"`, `"6m 6m 2s"`, or an iterable of names.

        Raises ValueError naming what it can't read and what is allowed.
        """
        return sorted(self.parse_in_order(text))

    def parse_in_order(self, text: str | Iterable[str]) -> list[int]:
        """As `parse`, but in the order written: for walls and discards."""
        words = split_tiles(text) if isinstance(text, str) else list(text)
        return [self.kind(word) for word in words]

    def kind(self, name: str) -> int:
        """The kind called `name`; ValueError if this game has none."""
        if len(name) == 2 and name[1] == "z" and name[0] in "1234567":
            name = HONOURS[int(name[0]) - 1]
        if name == LAIZI and self.laizi is not None:
            name = self.laizi
        if name not in self.names:
            raise ValueError(f"no tile {name!r} in this game; tiles are {', '.join(self.names)}")
        return self.names.index(name)

    def format(self, kinds: Iterable[int]) -> str:
        """The tiles as text, grouped by suit: `"123m 55p"`; `parse` reads it back."""
        groups: dict[str, str] = {}
        for kind in sorted(kinds):
            name = self.names[kind]
            if len(name) == 2 and name[1] in "mps":
                groups[name[1]] = groups.get(name[1], "") + name[0]
            else:
                groups[name] = (groups[name] + " " if name in groups else "") + name
        return " ".join(ranks + suit if suit in ("m", "p", "s") else ranks for suit, ranks in groups.items())

    def counts(self, kinds: Iterable[int]) -> np.ndarray:
        """(kinds,) uint8: how many of each kind."""
        return np.bincount(np.fromiter(kinds, np.int64), minlength=self.kinds).astype(np.uint8)


def split_tiles(text: str) -> list[str]:
    """Names in `text`, in order: `"12m E 3p"` → `["1m", "2m", "E", "3p"]`, `"s2 b10"` → `["s2", "b10"]`; spaces and order
    are free.

    Raises ValueError naming the character that doesn't belong.
    """
    if re.match(r"\s*[sb]\d", text):
        return split_cards(text)
    names: list[str] = []
    ranks = ""
    for character in text:
        if character.isdigit():
            ranks += character
        elif character in "mpsz" and ranks:
            names += [f"{rank}{character}" for rank in ranks]
            ranks = ""
        elif (character in HONOURS or character == LAIZI) and not ranks:
            names.append(character)
        elif not character.isspace() or ranks:
            raise ValueError(
                f"can't read {character!r} in tiles {text!r}; write ranks before their suit, as 123m 55p E"
            )
    if ranks:
        raise ValueError(f"tiles {text!r} end with ranks {ranks!r} without a suit (m, p, s or z)")
    return names


def split_cards(text: str) -> list[str]:
    """Names of zipai cards in `text`; ValueError naming what doesn't belong."""
    other = re.sub(r"[sb]\d+|\s+", "", text)
    if other:
        raise ValueError(f"can't read {other!r} in cards {text!r}; write a size before its rank, as s2 b10")
    return re.findall(r"[sb]\d+", text)


SUITS = TileSet(names=SUITED, copies=(COPIES,) * 27, suits=("m", "p", "s"), suit_of=tuple(k // 9 for k in range(27)))
"""The 108 tiles of the three suits."""

ALL = TileSet(
    names=SUITED + HONOURS,
    copies=(COPIES,) * 34,
    suits=("m", "p", "s", "z"),
    suit_of=tuple(k // 9 for k in range(34)),
)
"""The 136 tiles with honours."""

STANDARD = {name: kind for kind, name in enumerate(SUITED + HONOURS)}
"""Where each mahjong tile stands among the 34 kinds."""


def tile_set(tiles: str | Iterable[str], copies: int | Iterable[int] = COPIES, laizi: str | None = None) -> TileSet:
    """The set with just these mahjong tiles, each named once: `tile_set("123456789p 123456789s C F B")`.

    copies: of each kind, or one number for all. The kinds are numbered in the usual order (m, p, s, E S W N C F B), without
    gaps; runs go by the tiles' names, so that dragons make none. ValueError for an unknown tile, or one named twice.
    """
    named = split_tiles(tiles) if isinstance(tiles, str) else list(tiles)
    named = [HONOURS[int(name[0]) - 1] if name[1:] == "z" else name for name in named]
    for name in named:
        if name not in STANDARD or named.count(name) > 1:
            raise ValueError(
                f"tile {name!r} is {'named twice' if name in STANDARD else 'unknown'}; tiles are 1m to 9s, {', '.join(HONOURS)}"
            )
    many = [copies] * len(named) if isinstance(copies, int) else list(copies)
    if len(many) != len(named):
        raise ValueError(f"{len(many)} numbers of copies given for {len(named)} kinds")
    pairs = sorted(zip(named, many, strict=True), key=lambda pair: STANDARD[pair[0]])
    standard = tuple(STANDARD[name] for name, _ in pairs)
    letters = [name[1] if len(name) == 2 else "z" for name, _ in pairs]
    suits = tuple(dict.fromkeys(letters))
    return TileSet(
        names=tuple(name for name, _ in pairs),
        copies=tuple(number for _, number in pairs),
        suits=suits,
        suit_of=tuple(suits.index(letter) for letter in letters),
        laizi=laizi,
        standard=standard,
    )


ZIPAI = TileSet(names=CARDS, copies=(COPIES,) * 20, suits=("s", "b"), suit_of=tuple(k // 10 for k in range(20)))
"""The 80 zipai cards."""
