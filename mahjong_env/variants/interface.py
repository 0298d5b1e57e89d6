"""What a variant file states, and how variants are found, checked and loaded.

A variant is one file (or a folder of its name) with a constant `VARIANT` and, as plain functions of the module, the hooks
in which it differs from the defaults of its turn cycle. See `sichuan/` for one, and `mahjong_env/cycles/` for the hooks.

It may also have plain functions, for people and tests: `describe_seat(game, seat, viewer)`, what else a drawing of the
table says of a seat; `describe_phase(game)`, what is asked in a phase of its own; `tiles_aside(game)`, kinds that lie in no
hand, meld, discard or wall; `is_zero_sum(options)`, whether all points lost are somebody's (they are, if it isn't there);
`check_options(options)`, which raises ValueError for options that don't go together; and `known_hand`, `take_back`,
`choose_again` and `ask_own_again`, what a seat knows of hidden tiles (see `mahjong_env.resample`).
"""

import dataclasses
import importlib
import importlib.util
import os
import pkgutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from mahjong_env.actions import VERBS, ActionSpace
from mahjong_env.compiled import HOOKS, PLAIN, Implementations, register, source_digest
from mahjong_env.fields import MOST_MELDS, common_fields, record_type
from mahjong_env.observation import Piece
from mahjong_env.tiles import TileSet

ENGINE = ("mahjong_env.engine", "mahjong_env.observation", "mahjong_env.agent", "mahjong_env.cycles.laizi")
"""The modules whose hooks every variant answers; the others' depend on its turn cycle."""


# --- options ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """The values one option may take, and the small number that stands for each in the game record."""

    about: str
    values: tuple[Any, ...]
    low: int | None = None
    high: int | None = None

    def code(self, name: str, value: Any) -> int:
        """The number kernels read for `value`; ValueError naming the option and what is allowed."""
        if self.low is not None and self.high is not None:
            if type(value) is int and self.low <= value <= self.high:
                return value
            if value in self.values and type(value) is not bool:
                return -1 - self.values.index(value)
        else:
            for code, allowed in enumerate(self.values):
                if value == allowed and type(value) is type(allowed):
                    return code
        raise ValueError(f"option {name}={value!r} is not possible; it takes {self.allowed()}")

    def value(self, code: int) -> Any:
        """What `code` gave the number for."""
        if self.low is None:
            return self.values[code]
        return code if code >= 0 else self.values[-1 - code]

    def parse(self, name: str, text: str) -> Any:
        """The value written as `text`: on/off words for a flag, a number, or a value's own name."""
        words = {"true": True, "on": True, "false": False, "off": False, "none": None}
        candidates: list[Any] = [text, words.get(text.lower(), text)]
        if text.lstrip("-").isdigit():
            candidates.append(int(text))
        for value in candidates:
            try:
                self.code(name, value)
            except ValueError:
                continue
            return value
        self.code(name, text)  # raises, naming what is allowed
        return text

    def allowed(self) -> str:
        """The values in words."""
        named = [repr(value) for value in self.values]
        if self.low is not None:
            named.insert(0, f"a whole number from {self.low} to {self.high}")
        return ", ".join(named)


def flag(default: bool, about: str) -> Any:
    """An option that is on or off; kernels read 1 or 0."""
    return field(default=default, metadata={"setting": Setting(about, (False, True))})


def choice(values: Sequence[Any], about: str, default: Any = None) -> Any:
    """An option with named values, the first being the default unless one is given; kernels read the value's place."""
    return field(default=values[0] if default is None else default, metadata={"setting": Setting(about, tuple(values))})


def number(default: Any, low: int, high: int, about: str, also: Sequence[Any] = ()) -> Any:
    """A whole number, not negative; kernels read it, or -1, -2, … for the values of `also`."""
    return field(default=default, metadata={"setting": Setting(about, tuple(also), low, high)})


# --- the variant ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pattern:
    """Something a hand scores for: its id, its names, and what it is."""

    id: str
    chinese: str
    english: str


@dataclass(eq=False)
class Variant:
    """What a variant file states. Hooks are functions of its module; `fields` are its own fields of the game record as
    (name, dtype, shape), where a shape may use the words "seats" and "kinds"."""

    name: str
    title: str
    version: int
    tiles: TileSet
    seats: int
    verbs: tuple[str, ...]
    options: type
    presets: Mapping[str, Mapping[str, Any]]
    patterns: tuple[Pattern, ...] = ()
    slip_reasons: tuple[str, ...] = ()
    fields: tuple[tuple, ...] = ()
    pieces: tuple[Piece, ...] = ()
    implied: Mapping[str, Mapping[Any, Mapping[str, Any]]] = field(default_factory=dict)
    """Options that bring others with them, where those aren't given: option → value → values of other options."""
    chance: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """Chance beside wall and dealer: field name → names of its values; -1 in the field where the hand has no such thing. A
    field with a shape, (n,), holds values that are drawn one after another as they are needed."""
    own_arguments: Mapping[str, Sequence[str]] = field(default_factory=dict)
    renamed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Patterns that a preset calls by another's id: preset → id → id."""
    seats_option: str | None = None
    """The option that says how many seats there are, if one does; `seats` is its default."""
    most_melds: int = MOST_MELDS
    module: ModuleType | None = None
    digest: str = ""

    @cached_property
    def actions(self) -> ActionSpace:
        """The flat action space."""
        return ActionSpace(self.tiles, self.verbs, self.own_arguments)

    @cached_property
    def dtype(self) -> np.dtype:
        """The dtype of this variant's game records."""
        return record_type(self)

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

    def sized_fields(self) -> list[tuple]:
        """The variant's own fields with their shapes in numbers."""
        size = {"seats": self.seats, "kinds": self.tiles.kinds}
        return [(name, kind, tuple(size.get(n, n) for n in shape)) for name, kind, shape in self.fields]

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
        check = getattr(self.module, "check_options", None)
        if check is not None:
            check(chosen)
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
        """(1,) record: a game with these options, nothing dealt yet, all tiles in the wall."""
        row = np.zeros(1, self.dtype)
        for name, value in options.items():
            row["options"][name] = self.settings[name].code(name, value)
        for name in ("to_act", "dealer", "drawn", "table_tile", "table_from", *self.chance):
            row[name] = -1
        row["wall"] = self.full_wall
        return row


# --- checking and loading ---------------------------------------------------------------------------------------------


def problems_of(variant: Variant) -> list[str]:
    """Everything wrong with a variant, in words; empty if it can be played."""
    found = []
    if not variant.name.isidentifier() or variant.name != variant.name.lower():
        found.append(f"name {variant.name!r} must be a lower-case word")
    found += _verb_problems(variant) or _field_problems(variant)
    if not variant.presets:
        found.append("presets is empty; name at least one")
    if not dataclasses.is_dataclass(variant.options):
        found.append("options must be a dataclass made of flag, choice and number")
    else:
        found += _option_problems(variant)
    found += _hook_problems(variant)
    own = {name for name, *_ in variant.fields}
    found += [f"chance {name!r} has no field of that name" for name in variant.chance if name not in own]
    return found


def _verb_problems(variant: Variant) -> list[str]:
    found = [f"verb {verb!r} is unknown; verbs are {', '.join(VERBS)}" for verb in variant.verbs if verb not in VERBS]
    for verb in variant.verbs:
        if VERBS.get(verb) == "own" and verb not in variant.own_arguments:
            found.append(f"verb {verb!r} needs its arguments in own_arguments")
    return found


def _field_problems(variant: Variant) -> list[str]:
    taken = {name for name, *_ in common_fields(variant)}
    return [f"field {name!r} is already a common field" for name, *_ in variant.fields if name in taken]


def _option_problems(variant: Variant) -> list[str]:
    """Options not made here, and values they can't take: among the defaults, and in each preset."""
    options = dataclasses.fields(variant.options)
    settings = {f.name: f.metadata["setting"] for f in options if "setting" in f.metadata}
    found = [f"option {f.name!r} must be made by flag, choice or number" for f in options if f.name not in settings]
    given: dict[str, Mapping[str, Any]] = {"defaults": {f.name: f.default for f in options if f.name in settings}}
    given |= {f"preset {preset!r}": values for preset, values in variant.presets.items()}
    for name, brought in variant.implied.items():
        given |= {f"implied by {name} {value!r}": {name: value, **others} for value, others in brought.items()}
    for where, values in given.items():
        for name, value in values.items():
            try:
                if name not in {f.name for f in options}:
                    raise ValueError(f"no option {name!r}; options are {', '.join(f.name for f in options)}")
                if name in settings:
                    settings[name].code(name, value)
            except ValueError as error:
                found.append(f"{where}: {error}")
    return found


def hooks_of(variant: Variant) -> dict[str, Any]:
    """The hooks that can be asked of this variant: those of the engine and those known in the module its `play` comes
    from, its turn cycle; each with the variant's own function, the shared default, or None where it is missing."""
    for module in ENGINE:
        importlib.import_module(module)  # a module declares its hooks when it is imported
    play = getattr(variant.module, "play", None)
    cycle = vars(sys.modules[play.__module__]) if play is not None else {}
    asked = {name: default for module in ENGINE for name, default in HOOKS.get(module, {}).items()}
    for module, hooks in HOOKS.items():
        declared = vars(sys.modules[module])
        asked |= {name: default for name, default in hooks.items() if cycle.get(name) is declared[name]}
    return {name: getattr(variant.module, name, default) for name, default in asked.items()}


def _hook_problems(variant: Variant) -> list[str]:
    found = []
    for name, function in hooks_of(variant).items():
        if function is None:
            found.append(f"the function {name} is missing: {_question(name)}")
        elif not PLAIN and not hasattr(function, "py_func"):
            found.append(f"the function {name} must be decorated with @compiled")
    return found


def _question(hook: str) -> str:
    """The first line of what a hook asks."""
    for module in HOOKS:
        if hook in HOOKS[module]:
            return (getattr(sys.modules[module], hook).__doc__ or "").strip().splitlines()[0]
    return ""


_loaded: dict[str, Variant] = {}

INHERITED = "MAHJONG_ENV_VARIANTS"
"""Environment variable with the paths of variants loaded from elsewhere, by which worker processes have them too."""


def inherited_variants() -> list[Path]:
    """The files and folders that a parent process has loaded variants from, those that are still there."""
    return [path for path in map(Path, os.environ.get(INHERITED, "").split(os.pathsep)) if path.name and path.exists()]


def variant_names() -> tuple[str, ...]:
    """The names of the variants that come with the package and of those loaded from elsewhere, sorted."""
    folder = importlib.import_module("mahjong_env.variants")  # the attribute of that name is this very function
    own = {module.name for module in pkgutil.iter_modules(folder.__path__)} - {"interface"}
    return tuple(sorted(own | set(_loaded)))


def get_variant(name: str) -> Variant:
    """The variant called `name`; ValueError listing those there are."""
    if name not in _loaded:
        if name not in variant_names():
            raise ValueError(f"no variant {name!r}; there are {', '.join(variant_names())}")
        _adopt(importlib.import_module(f"mahjong_env.variants.{name}"), [])
    return _loaded[name]


def choose_rules(name: str, preset: str | None, given: Mapping[str, Any]) -> tuple[Variant, str, dict[str, Any]]:
    """The variant at a table of the size that the options say, the preset's name, and every option's value.

    ValueError naming what is unknown or doesn't go together, and what is allowed.
    """
    rules = get_variant(name)
    preset, options = rules.choose_options(preset, given)
    return rules.seated(options), preset, options


def load_variant(path: str | Path) -> str:
    """Load and check the variant of a file, or a folder with `__init__.py`; see `mahjong_env.load_variant`."""
    path = Path(path).resolve()
    file = path / "__init__.py" if path.is_dir() else path
    if not file.is_file():
        raise ValueError(f"no variant file at {path}")
    sources = sorted(path.rglob("*.py")) if path.is_dir() else [file]
    module_name = f"mahjong_variant_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    variant = _adopt(module, sources)
    inherited = os.environ.get(INHERITED, "").split(os.pathsep)
    if str(path) not in inherited:
        os.environ[INHERITED] = os.pathsep.join(filter(None, [*inherited, str(path)]))
    return variant.name


def _adopt(module: ModuleType, sources: list[Path]) -> Variant:
    """Check the module's VARIANT and make it playable."""
    variant = getattr(module, "VARIANT", None)
    if not isinstance(variant, Variant):
        raise ValueError(f"{module.__file__} has no constant VARIANT of type Variant")
    variant.module = module
    file = Path(module.__file__ or "")
    sources = sources or (sorted(file.parent.rglob("*.py")) if file.name == "__init__.py" else [file])
    variant.digest = source_digest(sources)
    known = _loaded.get(variant.name)
    if known is not None and known.digest != variant.digest:
        raise ValueError(f"there is a variant {variant.name!r} already; give yours another name")
    problems = problems_of(variant)
    if problems:
        raise ValueError(f"variant {variant.name!r} can't be loaded:\n- " + "\n- ".join(problems))
    names = variant.dtype.names or ()
    register(names[0], Implementations(hooks_of(variant), variant.actions.tables))
    _loaded[variant.name] = variant
    return variant
