"""A variant in words and numbers: presets, options, actions, observation, all read from the variant itself."""

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.variant import Pattern, Variant, pieces, rows

WIDTH = 100
"""Columns of the printed form."""


@dataclass(frozen=True)
class OptionInfo:
    """One option: what it is, its value in each preset, and the values it takes, in words and, where they are named, as
    a tuple."""

    name: str
    about: str
    defaults: Mapping[str, Any]
    allowed: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class PieceInfo:
    """A named part of the observation: rows `first_row` to `first_row + rows - 1`."""

    name: str
    first_row: int
    rows: int
    meaning: str


@dataclass(frozen=True)
class Description:
    """What a variant is made of; `str` of it is its reference page.

    `presets` gives each preset's value of every option; `verbs` each verb's number of actions, `takes` what it takes;
    `oracle` are the rows that an observation has only with everything visible; `flags` and `details` what `score` takes
    beside options.
    """

    name: str
    title: str
    version: int
    seats: int
    kinds: tuple[str, ...]
    tiles: int
    presets: Mapping[str, Mapping[str, Any]]
    options: tuple[OptionInfo, ...]
    chance: Mapping[str, tuple[Any, ...]]
    patterns: tuple[Pattern, ...]
    verbs: Mapping[str, int]
    takes: Mapping[str, str]
    actions: tuple[str, ...]
    observation: tuple[PieceInfo, ...]
    observation_shape: tuple[int, int]
    oracle: tuple[PieceInfo, ...]
    flags: tuple[str, ...]
    details: tuple[str, ...]

    def option(self, name: str) -> OptionInfo:
        """The option called `name`; ValueError listing those there are."""
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(option.name for option in self.options)
        raise ValueError(f"{self.name} has no option {name!r}; its options are {known}")

    def to_dict(self) -> dict[str, Any]:
        """The description as plain Python values, ready for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.name}: {self.title}, rules version {self.version}"
        yield f"{self.seats} seats, {self.tiles} tiles of {len(self.kinds)} kinds"
        yield from _wrapped(" ".join(self.kinds))
        yield ""
        yield f"presets: {', '.join(self.presets)} (the first by default)"
        yield from self._option_lines()
        for name, values in self.chance.items():
            yield f"left to chance: {name} ({', '.join(map(str, values))})"
        yield ""
        yield f"actions: {len(self.actions)}"
        yield from _table([(verb, str(count), _takes(self.takes[verb])) for verb, count in self.verbs.items()])
        yield ""
        yield f"observation: {self.observation_shape} int8"
        yield from _table([(*_place(piece), piece.meaning) for piece in self.observation])
        yield "with everything visible also:"
        yield from _table([(*_place(piece), piece.meaning) for piece in self.oracle])
        yield ""
        yield "patterns:"
        yield from _table([(pattern.id, pattern.english, pattern.chinese) for pattern in self.patterns])
        yield ""
        yield "a hand apart from any game is scored with"
        yield from _wrapped(f"flags: {', '.join(self.flags) or 'none'}")
        yield from _wrapped(f"what the seat has declared: {', '.join(self.details) or 'nothing'}")

    def _option_lines(self) -> Iterator[str]:
        yield ""
        yield "options:"
        for option in self.options:
            values = {repr(value) for value in option.defaults.values()}
            by_preset = ", ".join(f"{preset} {value!r}" for preset, value in option.defaults.items())
            head = f"{option.name} = {values.pop() if len(values) == 1 else by_preset}"
            yield from textwrap.wrap(head, WIDTH, initial_indent="  ", subsequent_indent="    ")
            yield from _wrapped(f"{option.about}. Takes {option.allowed}.", "      ")


def describe(variant: str) -> Description:
    """The description of a variant, by its name; ValueError listing the names there are."""
    rules = get_variant(variant)
    own, everything = pieces(rules), pieces(rules, oracle=True)
    placed = _placed(everything)
    return Description(
        name=rules.name,
        title=rules.title,
        version=rules.version,
        seats=rules.seats,
        kinds=tuple(name for name, copies in zip(rules.tiles.names, rules.tiles.copies, strict=True) if copies),
        tiles=rules.tiles.total,
        presets={preset: rules.choose_options(preset, {})[1] for preset in rules.presets},
        options=tuple(_option(rules, name) for name in rules.settings),
        chance=rules.chance,
        patterns=rules.patterns,
        verbs={verb: len(rules.actions.arguments(verb)) for verb in rules.verbs},
        takes={verb: rules.actions.takes[verb] for verb in rules.verbs},
        actions=rules.actions.names,
        observation=placed[: len(own)],
        observation_shape=(rows(rules), rules.tiles.kinds),
        oracle=placed[len(own) :],
        flags=tuple(rules.flags),
        details=tuple(rules.details),
    )


def _option(variant: Variant, name: str) -> OptionInfo:
    setting = variant.settings[name]
    defaults = {preset: variant.choose_options(preset, {})[1][name] for preset in variant.presets}
    return OptionInfo(name, setting.about, defaults, setting.allowed(), setting.values)


def _placed(parts: tuple[Any, ...]) -> tuple[PieceInfo, ...]:
    placed, row = [], 0
    for piece in parts:
        placed.append(PieceInfo(piece.name, row, piece.rows, piece.meaning))
        row += piece.rows
    return tuple(placed)


def _place(piece: PieceInfo) -> tuple[str, str]:
    last = piece.first_row + piece.rows - 1
    return (str(piece.first_row) if piece.rows == 1 else f"{piece.first_row}-{last}"), piece.name


def _takes(takes: str) -> str:
    words = {"none": "", "kind": "a tile", "suit": "a suit", "place": "the claimed tile's place in its run"}
    return words.get(takes, "one of the variant's own list")


def _table(lines: list[tuple[str, str, str]]) -> Iterator[str]:
    """Three columns; the last one wraps under itself."""
    first = max((len(a) for a, _, _ in lines), default=0)
    second = max((len(b) for _, b, _ in lines), default=0)
    for a, b, c in lines:
        head = f"  {a:{first}}  {b:{second}}  "
        yield from textwrap.wrap(c, WIDTH, initial_indent=head, subsequent_indent=" " * len(head)) or [head.rstrip()]


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)
