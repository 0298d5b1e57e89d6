"""What a variant states: its tiles, seats, verbs, options, state and turn cycle, as data."""

# ruff: noqa: RUF009 - what `stated` gives is a field

import dataclasses
import difflib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, replace
from functools import cache, cached_property
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from mahjong_env.rules.actions import ActionSpace
from mahjong_env.rules.cycle import Cycle
from mahjong_env.rules.observation import HIDDEN_PIECES, Piece
from mahjong_env.rules.options import Setting
from mahjong_env.rules.state import MOST_MELDS, sized, state_type
from mahjong_env.tiles import TileSet

# --- what a seat sees -------------------------------------------------------------------------------------------------


def pieces(variant: "Variant", oracle: bool = False) -> tuple[Piece, ...]:
    """The pieces of a variant's observation, in order of their rows, with their numbers of rows."""
    found = variant.cycle.pieces + tuple(variant.pieces) + (HIDDEN_PIECES if oracle else ())
    return tuple(replace(piece, rows=rows_of(piece, variant.seats)) for piece in found)


def rows_of(piece: Piece, seats: int) -> int:
    """The number of a piece's rows at a table with so many seats."""
    return {"seats": seats, "others": seats - 1}.get(piece.rows, piece.rows)


@cache
def rows(variant: "Variant", oracle: bool = False) -> int:
    """The number of rows of an observation."""
    return sum(piece.rows for piece in pieces(variant, oracle))


@cache
def planes(variant: "Variant") -> tuple[tuple[str, int, int], ...]:
    """The planes of observation "planes": (piece, row of the counts, threshold); a plane is 1 where the row reaches it."""
    found = []
    row = 0
    for piece in pieces(variant):
        for _ in range(piece.rows):
            found += [(piece.name, row, least) for least in piece.thresholds]
            row += 1
    return tuple(found)


# --- the variant ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pattern:
    """Something a hand scores for: its id, its names, and what it is."""

    id: str
    chinese: str
    english: str


def stated(about: str, default: Any = MISSING, factory: Any = MISSING) -> Any:
    """A field that a variant states, with the sentence that says what it is."""
    return dataclasses.field(default=default, default_factory=factory, metadata={"about": about})


@dataclass(eq=False, init=False)
class Variant:
    """What a variant file states, all by keyword. What is missing or unknown is kept in `misstated` and reported, with all
    other problems, when the variant is loaded. In shapes of `fields` and `scratch` the words "seats" and "kinds" may stand.
    """

    name: str = stated("a lower-case word")
    title: str = stated("what people call it, in English and Chinese")
    version: int = stated("a whole number, one more with each change of the rules", 0)
    tiles: TileSet = stated("the tiles: SUITS, ALL, ZIPAI, or what `tile_set` makes")
    seats: int = stated("how many play")
    verbs: tuple[str, ...] = stated("the verbs used, in order of their actions' numbers")
    options: type = stated("a frozen dataclass whose fields are made by flag, choice and number")
    presets: Mapping[str, Mapping[str, Any]] = stated("sets of options by name; the first is the default")
    cycle: Cycle = stated("the turn cycle: DRAW, FLIP, or one of your own")
    patterns: tuple[Pattern, ...] = stated("what a hand scores for", ())
    slip_reasons: tuple[str, ...] = stated("what payments are made for, by number", ())
    fields: tuple[tuple, ...] = stated("fields of its own in the state: (name, dtype, shape)", ())
    scratch: tuple[tuple, ...] = stated("fields in which kernels only reckon, no part of how a game stands", ())
    pieces: tuple[Piece, ...] = stated("what a seat sees beside the cycle's pieces", ())
    implied: Mapping[str, Mapping[Any, Mapping[str, Any]]] = stated(
        "options that bring others with them, where those aren't given: option → value → values of other options",
        factory=dict,
    )
    chance: Mapping[str, tuple[Any, ...]] = stated(
        "chance beside wall and dealer: field → names of its values; -1 in the field where the hand has no such thing; a"
        " field with a shape, (n,), holds values that are drawn one after another as they are needed",
        factory=dict,
    )
    own_verbs: Mapping[str, str] = stated(
        "verbs that `actions.VERBS` hasn't got → what each takes: none, kind, suit, place or own; their numbers are"
        " OWN_VERB, OWN_VERB + 1, … in this order",
        factory=dict,
    )
    own_arguments: Mapping[str, Sequence[str]] = stated(
        "the arguments of verbs that take a list of its own", factory=dict
    )
    renamed: Mapping[str, Mapping[str, str]] = stated(
        "patterns that a preset calls by another's id: preset → id → id", factory=dict
    )
    flags: tuple[str, ...] = stated("the situations that `score` knows", ())
    details: Mapping[str, Any] = stated(
        "what a seat can have declared, for `score` and positions: name → function(state, seat, value) that lays it",
        factory=dict,
    )
    seats_option: str | None = stated("the option that says how many seats there are; `seats` is its default", None)
    most_melds: int = stated("melds a seat can have", MOST_MELDS)
    base: "Variant | None" = stated("the variant that this one is made from; `like` sets it", None)
    module: ModuleType | None = stated("the module it stands in; set when it is loaded", None)
    digest: str = stated("of the files it stands in; set when it is loaded", "")
    answers: Any = stated("its plain functions, or their defaults, by name; set when it is loaded", None)
    kernels: Mapping[str, Any] = stated(
        "its compiled hooks, or their defaults, by name; set when it is loaded", factory=dict
    )

    def __init__(self, *positional: Any, **given: Any):
        self.misstated: list[str] = []
        known = {field.name: field for field in dataclasses.fields(self)}
        if positional:
            self.misstated.append(f"{len(positional)} values are given without a name; give each as name=value")
        for name in given:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                meant = f"; did you mean {near[0]}?" if near else f"; fields are {', '.join(known)}"
                self.misstated.append(f"Variant has no field {name!r}{meant}")
        for name, field in known.items():
            if name in given:
                setattr(self, name, given[name])
            elif field.default is not MISSING:
                setattr(self, name, field.default)
            elif field.default_factory is not MISSING:
                setattr(self, name, field.default_factory())
            else:
                self.misstated.append(f"the field {name} is missing: {field.metadata['about']}")

    @cached_property
    def actions(self) -> ActionSpace:
        """The flat action space."""
        return ActionSpace(self.tiles, self.verbs, self.own_arguments, self.own_verbs)

    @cached_property
    def dtype(self) -> np.dtype:
        """The dtype of this variant's states."""
        return state_type(self)

    @cached_property
    def settings(self) -> dict[str, Setting]:
        """Every option with what it may be."""
        return {f.name: f.metadata["setting"] for f in dataclasses.fields(self.options)}

    @cached_property
    def option_names(self) -> tuple[str, ...]:
        return tuple(self.settings)

    @cached_property
    def full_wall(self) -> np.ndarray:
        """(total,) int8: every tile of the game, in order of kind."""
        return np.repeat(np.arange(self.tiles.kinds, dtype=np.int8), self.tiles.copies)

    @cached_property
    def _keys(self) -> tuple[np.ndarray, np.ndarray, int]:
        return self.cycle.keys_of(self.tiles)

    @property
    def key_column(self) -> np.ndarray:
        """(kinds,) int64: the column of the state's `keys` in which each kind counts."""
        return self._keys[0]

    @property
    def key_weight(self) -> np.ndarray:
        """(kinds,) int64: what one tile of each kind adds there."""
        return self._keys[1]

    @property
    def key_columns(self) -> int:
        """The number of columns of `keys`."""
        return self._keys[2]

    def own_fields(self) -> list[tuple]:
        """The cycle's and the variant's own fields with their shapes in numbers."""
        return self._sized((*self.cycle.fields, *self.fields))

    def scratch_fields(self) -> list[tuple]:
        """The variant's scratch fields, likewise."""
        return self._sized(self.scratch)

    def _sized(self, fields: Sequence[tuple]) -> list[tuple]:
        return sized(fields, {"seats": self.seats, "kinds": self.tiles.kinds})

    @property
    def tables(self) -> dict[str, np.ndarray]:
        """The constant arrays that kernels look things up in."""
        standard = self.tiles.standard or range(self.tiles.kinds)
        own_kind = np.full(max(*standard, 33) + 1, -1, np.int64)
        own_kind[list(standard)] = np.arange(self.tiles.kinds)
        keys = {
            "copies_of": np.array(self.tiles.copies, np.int64),
            "key_column": self.key_column,
            "key_weight": self.key_weight,
            "standard_kind": np.array(standard, np.int64),
            "own_kind": own_kind,
        }
        return self.actions.tables | keys

    def seated(self, options: Mapping[str, Any]) -> "Variant":
        """This variant at a table with as many seats as the options say."""
        return self.with_seats(options[self.seats_option]) if self.seats_option else self

    def with_seats(self, seats: int) -> "Variant":
        """This variant with that number of seats; ValueError where it can't be played so."""
        possible = self.settings[self.seats_option].values if self.seats_option else (self.seats,)
        if seats not in possible:
            raise ValueError(f"{self.name} has not {seats} seats but {' or '.join(map(str, possible))}")
        if seats not in self._by_seats:
            self._by_seats[seats] = dataclasses.replace(self, seats=seats)
        return self._by_seats[seats]

    @cached_property
    def _by_seats(self) -> "dict[int, Variant]":
        return {self.seats: self}

    def choose_options(self, preset: str | None, given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """The preset's name and every option's value; ValueError naming what is unknown and what is allowed."""
        preset = preset if preset is not None else next(iter(self.presets))
        if preset not in self.presets:
            raise ValueError(f"{self.name} has no preset {preset!r}; its presets are {', '.join(self.presets)}")
        for name in given:
            if name not in self.settings:
                raise ValueError(f"{self.name} has no option {name!r}; its options are {', '.join(self.settings)}")
        chosen = {f.name: f.default for f in dataclasses.fields(self.options)}
        for source in (self.presets[preset], given):
            chosen |= self.brought_by(source) | dict(source)
        for name, value in chosen.items():
            self.settings[name].code(name, value)
        self.answers.check_options(chosen)
        return preset, chosen

    def brought_by(self, source: Mapping[str, Any]) -> dict[str, Any]:
        """The options that those of `source` bring with them."""
        found: dict[str, Any] = {}
        for name, values in self.implied.items():
            if name in source:
                self.settings[name].code(name, source[name])
                found |= values.get(source[name], {})
        return found

    def overrides(self, preset: str, options: Mapping[str, Any]) -> dict[str, Any]:
        """What has to be given beside the preset to have these options."""
        usual = self.choose_options(preset, {})[1]
        given = {name: value for name, value in options.items() if value != usual[name]}
        chosen = self.choose_options(preset, given)[1]
        return given | {name: value for name, value in options.items() if value != chosen[name]}

    def blank(self, options: Mapping[str, Any]) -> np.ndarray:
        """(1,) states: a game with these options, nothing dealt yet, all tiles in the wall."""
        row = np.zeros(1, self.dtype)
        for name, value in options.items():
            row["options"][name] = self.settings[name].code(name, value)
        for name in ("to_act", "dealer", "drawn", "table_tile", "table_from", *self.chance):
            row[name] = -1
        row["wall"] = self.full_wall
        return row

    def hand_size(self, state: Any) -> int:
        """The number of tiles dealt to each seat."""
        return int(self.kernels["hand_size"](state))


def answers_of(functions: Mapping[str, Any]) -> SimpleNamespace:
    """Plain functions by name, to be called as `variant.answers.name(...)`."""
    return SimpleNamespace(**functions)
