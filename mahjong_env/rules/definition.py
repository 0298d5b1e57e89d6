"""What is asked of a variant, what it answers, and everything that is wrong with its definition, in words."""

import ast
import dataclasses
import difflib
import inspect
import keyword
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mahjong_env.compiled.dispatch import MARKER
from mahjong_env.rules.actions import TAKES, VERBS
from mahjong_env.rules.answers import answers_given, questions_of
from mahjong_env.rules.cycle import Cycle
from mahjong_env.rules.laws.kernels import looks_compiled, plain_function
from mahjong_env.rules.observation import Piece
from mahjong_env.rules.options import Setting
from mahjong_env.rules.source import UNKNOWN, law_problems, placed, places_of, sources_of, use_problems
from mahjong_env.rules.state import COMMON_FIELDS
from mahjong_env.rules.variant import Pattern, Variant
from mahjong_env.tiles import TileSet

MOST_KINDS, MOST_TILES, MOST_SEATS = 62, 250, 8
"""Kinds make bit sets of 64; tiles are counted in small numbers; the claims of one tile are weighed in eighths."""


# --- problems ---------------------------------------------------------------------------------------------------------


def problems_of(variant: Variant, with_laws: bool = True) -> list[str]:
    """Everything wrong with a variant, in words, with the lines where it stands; empty if it can be played.

    with_laws: also hold the laws of kernels against its source, which takes up to 0.3 s; for the package's own a test does.
    """
    found = definition_problems(variant)
    if with_laws and isinstance(getattr(variant, "cycle", None), Cycle):
        is_known = is_stated(variant) and not any(text.startswith(UNKNOWN) for text in found)
        laws = [*map(str, law_problems(variant) if is_known else use_problems(variant))]
    else:
        laws = []
    places = places_of(variant) if found else {}
    return [placed(text, places) for text in found] + laws


def definition_problems(variant: Variant) -> list[str]:
    """What is wrong with what the variant states, and with questions that it doesn't answer."""
    found = [*variant.misstated, *wrong_types(variant)]
    if not is_stated(variant):  # the rest goes by what is stated
        return found
    found += name_problems(variant)
    found += tile_problems(variant.tiles)
    found += verb_problems(variant)
    about_options = [*option_problems(variant)]
    found += about_options or preset_problems(variant)
    found += field_problems(variant)
    found += size_problems(variant)
    found += answer_problems(variant)
    return found


def is_stated(variant: Variant) -> bool:
    """Every field is there and of its type."""
    return not any(wrong_types(variant)) and all(hasattr(variant, field.name) for field in dataclasses.fields(variant))


def near(name: str, allowed: Any) -> str:
    """What `name` may have meant, or what is allowed."""
    close = difflib.get_close_matches(name, allowed, 1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(allowed)}"


TYPES: dict[str, tuple[type | tuple[type, ...], str]] = {
    "name": (str, "a text"),
    "title": (str, "a text"),
    "version": (int, "a whole number"),
    "tiles": (TileSet, "a TileSet"),
    "seats": (int, "a whole number"),
    "verbs": ((tuple, list), "a tuple of verbs"),
    "options": (type, "a dataclass"),
    "presets": (Mapping, "a dict of dicts of options"),
    "cycle": (Cycle, "a Cycle, as DRAW or FLIP"),
    "patterns": ((tuple, list), "a tuple of Pattern"),
    "slip_reasons": ((tuple, list), "a tuple of texts"),
    "fields": ((tuple, list), "a tuple of (name, dtype, shape)"),
    "scratch": ((tuple, list), "a tuple of (name, dtype, shape)"),
    "pieces": ((tuple, list), "a tuple of Piece"),
    "implied": (Mapping, "a dict: option → value → other options"),
    "chance": (Mapping, "a dict: field → names of its values"),
    "own_verbs": (Mapping, "a dict: verb → what it takes"),
    "own_arguments": (Mapping, "a dict: verb → its arguments"),
    "renamed": (Mapping, "a dict: preset → id → id"),
    "flags": ((tuple, list), "a tuple of texts"),
    "details": (Mapping, "a dict: name → function(state, seat, value)"),
    "most_melds": (int, "a whole number"),
}


MEMBERS: dict[str, tuple[type, str]] = {
    "verbs": (str, "a verb"),
    "patterns": (Pattern, "a Pattern"),
    "slip_reasons": (str, "a text"),
    "pieces": (Piece, "a Piece"),
    "flags": (str, "a text"),
}


def wrong_types(variant: Variant) -> Iterator[str]:
    """Fields that aren't what they should be."""
    for name, (kind, wanted) in TYPES.items():
        if not hasattr(variant, name):
            continue  # reported as missing
        value: Any = getattr(variant, name)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            hint = "; a tuple of one has a comma: (x,)" if isinstance(value, str) and "tuple" in wanted else ""
            yield f"{name} must be {wanted}, not {value!r}{hint}"
        elif name in MEMBERS:
            member, wanted = MEMBERS[name]
            others = [one for one in list(getattr(variant, name)) if not isinstance(one, member)]
            yield from (f"{name} has {one!r}, which is not {wanted}" for one in others)
    if isinstance(getattr(variant, "options", None), type) and not dataclasses.is_dataclass(variant.options):
        yield "options must be a dataclass made of flag, choice and number; decorate it with @dataclass(frozen=True)"


def name_problems(variant: Variant) -> Iterator[str]:
    """A name that isn't one, or seats that no table has."""
    if not variant.name.isidentifier() or variant.name != variant.name.lower() or not variant.name.isascii():
        yield f"name {variant.name!r} must be a lower-case word of letters, digits and _, not beginning with a digit"
    if not 2 <= variant.seats <= MOST_SEATS:
        yield f"seats={variant.seats} is not possible; a table has 2 to {MOST_SEATS}"
    if not variant.presets:
        yield "presets is empty; name at least one, as presets={'usual': {}}"
    for what, ids in (("pattern", [p.id for p in variant.patterns]), ("piece", [p.name for p in variant.pieces])):
        yield from (f"{what} {one!r} stands there twice" for one in sorted({i for i in ids if ids.count(i) > 1}))
    for piece in variant.pieces:
        if piece.rows not in ("seats", "others") and not (isinstance(piece.rows, int) and piece.rows > 0):
            yield f"piece {piece.name!r} has rows={piece.rows!r}; it takes a number above 0, 'seats' or 'others'"
    for preset, names in variant.renamed.items():
        if preset not in variant.presets:
            yield f"renamed has preset {preset!r}; {near(preset, variant.presets)}"
        ids = [pattern.id for pattern in variant.patterns]
        yield from (f"renamed has pattern {old!r}; {near(old, ids)}" for old in names if old not in ids)


def tile_problems(tiles: TileSet) -> Iterator[str]:
    """A set of tiles whose parts don't fit together."""
    kinds = len(tiles.names)
    if not 1 <= kinds <= MOST_KINDS:
        yield f"tiles: {kinds} kinds are not possible; there can be 1 to {MOST_KINDS}"
    for name in ("copies", "suit_of"):
        values = getattr(tiles, name)
        if not isinstance(values, tuple | list) or not all(type(n) is int for n in values):
            yield f"tiles: {name} must be a tuple of whole numbers, one for each kind, not {type(values).__name__}"
        elif len(values) != kinds:
            yield f"tiles: {name} has {len(values)} numbers for {kinds} kinds; there is one for each"
        elif name == "copies" and not all(0 <= n <= 120 for n in values):
            yield "tiles: copies must be from 0 to 120"
        elif name == "suit_of" and not all(0 <= n < len(tiles.suits) for n in values):
            yield f"tiles: suit_of must be places in suits, 0 to {len(tiles.suits) - 1}"
    if len(set(tiles.names)) != kinds:
        yield "tiles: a name stands there twice"
    if tiles.laizi is not None and tiles.laizi not in tiles.names:
        yield f"tiles: laizi {tiles.laizi!r} is none of its names"


def verb_problems(variant: Variant) -> Iterator[str]:
    """Verbs that don't exist, or lack what they take."""
    known = VERBS | dict(variant.own_verbs)
    for verb in variant.verbs:
        if verb not in known:
            yield f"verb {verb!r} is unknown; {near(verb, known)}; one of your own is stated by own_verbs={{{verb!r}: 'none'}}"
        elif known[verb] == "own" and not variant.own_arguments.get(verb):
            yield f"verb {verb!r} needs its arguments in own_arguments"
    yield from (
        f"verb {verb!r} stands there twice" for verb in sorted({v for v in variant.verbs if variant.verbs.count(v) > 1})
    )
    for verb, takes in variant.own_verbs.items():
        if verb in VERBS:
            yield f"own verb {verb!r} is one of the package's already; just name it in verbs"
        elif not isinstance(verb, str) or not verb.isidentifier() or verb != verb.lower():
            yield f"own verb {verb!r} must be a lower-case word"
        elif verb not in variant.verbs:
            yield f"own verb {verb!r} is not among verbs"
        if takes not in TAKES:
            yield f"own verb {verb!r} takes {takes!r}; it can be {', '.join(map(repr, TAKES))}"
    for verb in variant.own_arguments:
        if known.get(verb) != "own":
            yield f"own_arguments has {verb!r}, which takes none of its own"


def option_problems(variant: Variant) -> Iterator[str]:
    """Options not made here or badly named, and values they can't take: among the defaults, and in each preset."""
    options = dataclasses.fields(variant.options)
    settings: dict[str, Setting] = {f.name: f.metadata["setting"] for f in options if "setting" in f.metadata}
    yield from (f"option {f.name!r} must be made by flag, choice or number" for f in options if f.name not in settings)
    read_by_index = sources_of(variant)
    for name in settings:
        if reserved(name) and f'options["{name}"]' not in read_by_index:
            yield f"option {reserved(name)}"
    yield from (
        f"{what} {name!r} can't be given beside the keyword {name} that Game, score or an environment takes; give it another name"
        for what, names in (("option", settings), ("details", variant.details))
        for name in names
        if name in KEYWORDS
    )
    yield from (
        f"details has {name!r}, which is an option as well; give one of them another name"
        for name in settings
        if name in variant.details
    )
    given: dict[str, Mapping[str, Any]] = {"defaults": {f.name: f.default for f in options if f.name in settings}}
    given |= {f"preset {preset!r}": values for preset, values in variant.presets.items()}
    for name, brought in variant.implied.items():
        if not isinstance(brought, Mapping) or not all(isinstance(others, Mapping) for others in brought.values()):
            yield f"implied {name!r} must be a dict: value → a dict of other options, not {brought!r}"
            continue
        given |= {f"implied by {name} {value!r}": {name: value, **others} for value, others in brought.items()}
    for where, values in given.items():
        if not isinstance(values, Mapping):
            yield f"{where} must be a dict of options, not {values!r}"
            continue
        for name, value in values.items():
            try:
                if name not in {f.name for f in options}:
                    raise ValueError(f"no option {name!r}; {near(name, [f.name for f in options])}")
                if name in settings:
                    settings[name].code(name, value)
            except ValueError as error:
                yield f"{where}: {error}"
    yield from (
        f"option {name!r} goes up to {setting.high}; kernels read numbers up to {LARGEST_NUMBER}"
        for name, setting in settings.items()
        if (setting.high or 0) > LARGEST_NUMBER
    )
    yield from (f"option {name!r} stands there twice" for name in options_twice(variant.options))
    yield from seats_problems(variant, settings)


KEYWORDS = frozenset({
    "after_claim", "autoreset_mode", "buffers", "chance", "copy", "dealer", "discards", "drawn", "draws", "flags",
    "flips", "hand", "hands", "illegal", "melds", "num_envs", "num_games", "observation", "opponents", "oracle",
    "points", "preset", "progress", "record", "render_mode", "replacement", "reward", "seating", "seed", "tables",
    "threads", "to_act", "to_flip", "variant", "wall", "win_by", "win_tile", "won",
})  # fmt: skip
"""What a variant's name, options and details are given beside: the keywords of everything that makes games."""

LARGEST_NUMBER = 32_767
"""Options have 16 bits at most."""


def options_twice(options: type) -> list[str]:
    """Options that a dataclass states twice, of which Python keeps the second alone."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(options)))
    except (OSError, TypeError, SyntaxError):
        return []
    names = [
        node.target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]
    return sorted({name for name in names if names.count(name) > 1})


def seats_problems(variant: Variant, settings: Mapping[str, Setting]) -> Iterator[str]:
    """An option that can't say how many seats there are."""
    name = variant.seats_option
    if name is None:
        return
    if not isinstance(name, str):
        yield f"seats_option must be the name of an option, not {name!r}"
    elif name not in settings:
        yield f"seats_option {name!r} is no option; {near(name, settings)}"
    elif (
        not all(type(value) is int and 2 <= value <= MOST_SEATS for value in settings[name].values)
        or not settings[name].values
    ):
        yield f"seats_option {name!r} must be made by choice((2, 3, 4), …): its values are numbers of seats, 2 to {MOST_SEATS}"


def preset_problems(variant: Variant) -> Iterator[str]:
    """Presets whose options don't go together; asked once options are right by themselves."""
    refuses = answers_given(variant).get("check_options")
    if refuses is None:
        return
    for preset, values in variant.presets.items():
        chosen = {f.name: f.default for f in dataclasses.fields(variant.options)}
        chosen |= variant.brought_by(values) | dict(values)
        try:
            refuses(chosen)
        except ValueError as error:
            yield f"preset {preset!r} is refused by check_options: {error}"


RESERVED = frozenset(dir(np.record))
"""What NumPy's records have already: `game.options.base` is something else in plain mode than compiled. A kernel that reads
such an option by `game.options["base"]` may have it."""


def reserved(name: str) -> str:
    """Why a field or an option can't be called so, or nothing."""
    if name in RESERVED:
        return f"{name!r} is a name that NumPy's own records have; call it otherwise, as {name}_option or {name}s"
    return "" if name.isidentifier() and name.isascii() else f"{name!r} must be a word of letters, digits and _"


WHOLE = ("i1", "i2", "i4", "i8", "u1", "u2", "u4")


def field_problems(variant: Variant) -> Iterator[str]:
    """Fields of the state that can't be."""
    common = [field for group in COMMON_FIELDS.values() for field in group]
    taken = {field.name for field in (*common, *variant.cycle.fields)} | {"options", "patterns"}
    own = [field[0] for field in (*variant.fields, *variant.scratch) if isinstance(field, tuple) and field]
    for field in (*variant.fields, *variant.scratch):
        if not isinstance(field, tuple | list) or len(field) != 3 or not isinstance(field[0], str):
            yield f"field {field!r} must be (name, dtype, shape), as ('locked', 'i1', ('seats',))"
            continue
        name, kind, shape = field
        if name in taken:
            yield f"field {name!r} is already a field of every game"
        if own.count(name) > 1:
            yield f"field {name!r} stands there twice"
        if reserved(name):
            yield f"field {reserved(name)}"
        elif keyword.iskeyword(name) or name.startswith((MARKER, "gap_")):
            yield f"field {name!r} is a name that Python, or the package, keeps for itself"
        if kind not in WHOLE:
            yield f"field {name!r} has dtype {kind!r}; it takes {', '.join(WHOLE)} (a yes or no is 'i1')"
        if not isinstance(shape, tuple):
            yield f"field {name!r} has shape {shape!r}; it takes a tuple: () for one number, ('seats',), ('seats', 'kinds'), (3,)"
        elif not all(size in ("seats", "kinds") or (type(size) is int and size > 0) for size in shape):
            yield f"field {name!r} has shape {shape!r}; sizes are numbers above 0, 'seats' and 'kinds'"
    yield from (f"chance {name!r} has no field of that name" for name in variant.chance if name not in own)


MOST_SETS = 4
"""Sets that the hand library's tables go to."""


def size_problems(variant: Variant) -> Iterator[str]:
    """More tiles dealt than there are, or more than can be counted."""
    tiles = variant.tiles
    if list(tile_problems(tiles)):
        return
    if tiles.total > MOST_TILES:
        yield f"tiles: {tiles.total} tiles are too many; there can be {MOST_TILES}"
    sizes = answers_given(variant).get("hand_size")
    if sizes is None and tiles.total <= variant.seats * 13:
        yield f"tiles: {tiles.total} tiles are too few for {variant.seats} seats with 13 each and a wall"
    if variant.cycle.takes_win_tile and not 1 <= variant.most_melds <= MOST_SETS:
        yield f"most_melds={variant.most_melds} is not possible; the hand library knows hands of 1 to {MOST_SETS} sets and a pair"
    missing = [verb for verb in variant.cycle.verbs if verb not in variant.verbs]
    if missing:
        yield f"verbs lacks {', '.join(missing)}, which the {variant.cycle.name} cycle asks for"
    standard = tiles.standard
    if standard is not None and (len(standard) != tiles.kinds or not all(0 <= k < 34 for k in standard)):
        yield "tiles: standard must have a number from 0 to 33 for each kind; make such a set by tile_set(...)"
    if (
        standard is None
        and variant.cycle.takes_win_tile
        and tiles.names[: tiles.kinds] != STANDARD_NAMES[: tiles.kinds]
    ):
        odd = next(k for k, name in enumerate(tiles.names) if STANDARD_NAMES[k : k + 1] != (name,))
        yield (
            f"tiles: kind {odd} is {tiles.names[odd]!r}, where the hand library has another tile; make the set by"
            f" tile_set({' '.join(tiles.names)!r}), which says where each stands"
        )


def answer_problems(variant: Variant) -> Iterator[str]:
    """Questions that aren't answered, or not as they have to be."""
    given = answers_given(variant)
    for name, question in questions_of(variant.cycle).items():
        function = given.get(name)
        if function is None:
            if question.is_required:
                yield f"the function {name}({', '.join(question.parameters)}) is missing: {question.asks}"
        elif not callable(function):
            yield f"{name} is a question and must be a function, not {function!r}; call it otherwise if it is none"
        elif isinstance(function, type) or getattr(plain_function(function), "__name__", "") == "<lambda>":
            made = "made by def and decorated with @compiled" if question.is_compiled else "made by def"
            yield f"{name} is a question and must be a function {made}, not {function!r}"
        elif not question.is_compiled and looks_compiled(function):
            yield f"{name} is a question answered in plain Python; take @compiled off"
    for name, lay in variant.details.items():
        if not callable(lay):
            yield f"details {name!r} must be a function(state, seat, value), not {lay!r}"


STANDARD_NAMES = (*tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)), "E", "S", "W", "N", "C", "F", "B")
