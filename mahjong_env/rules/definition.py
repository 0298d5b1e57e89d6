"""What is asked of a variant, what it answers, and everything that is wrong with its definition, in words."""

import ast
import dataclasses
import difflib
import inspect
import keyword
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from mahjong_env.compiled import MARKER, explain_by
from mahjong_env.rules import greedy, hooks
from mahjong_env.rules.actions import TAKES, VERBS
from mahjong_env.rules.cycle import Cycle
from mahjong_env.rules.hooks import Question, asked_in, declared_as
from mahjong_env.rules.laws import (
    Answer,
    Problem,
    Vocabulary,
    explain,
    kernel_problems,
    looks_compiled,
    own_functions,
    unused_answers,
)
from mahjong_env.rules.laws.kernels import Kernel, name_of, plain_function, read_kernel
from mahjong_env.rules.observation import Piece
from mahjong_env.rules.options import Setting
from mahjong_env.rules.state import COMMON_FIELDS
from mahjong_env.rules.variant import Pattern, Variant
from mahjong_env.tiles import TileSet

explain_by(explain)

EVERY_GAME = (hooks.__name__, greedy.__name__)
"""The modules whose questions every variant is asked."""

MOST_KINDS, MOST_TILES, MOST_SEATS = 62, 250, 8
"""Kinds make bit sets of 64; tiles are counted in small numbers; the claims of one tile are weighed in eighths."""


def questions_of(cycle: Cycle) -> dict[str, Question]:
    """Everything that is asked of a variant of this cycle, by name."""
    asked: dict[str, Question] = {}
    for module in EVERY_GAME:
        asked |= asked_in(module)
    return asked | dict(cycle.questions)


def answers_given(variant: Variant) -> dict[str, Any]:
    """The functions by which the variant, or what it is made from, answers questions."""
    given = answers_given(variant.base) if variant.base is not None else {}
    asked = questions_of(variant.cycle)
    return given | {name: vars(variant.module)[name] for name in asked if name in vars(variant.module)}


def all_answers(variant: Variant) -> tuple[dict[str, Any], dict[str, Any]]:
    """The compiled and the plain functions by which each question is answered, defaults included."""
    given = answers_given(variant)
    asked = questions_of(variant.cycle)
    found = {name: given.get(name, question.default) for name, question in asked.items()}
    compiled = {name: function for name, function in found.items() if asked[name].is_compiled}
    return compiled, {name: function for name, function in found.items() if not asked[name].is_compiled}


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


def places_of(variant: Variant) -> dict[str, str]:
    """Where the file's VARIANT states each of its fields, and the dataclass each option, as `file:line`."""
    file = Path(getattr(variant.module, "__file__", None) or "")
    try:
        tree = ast.parse(file.read_text(encoding="utf-8", errors="replace"))
    except (OSError, SyntaxError, ValueError):
        return {}
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            if any(isinstance(target, ast.Name) and target.id == "VARIANT" for target in node.targets):
                found[""] = f"{file.name}:{node.lineno}"
                found |= {one.arg: f"{file.name}:{one.value.lineno}" for one in node.value.keywords if one.arg}
        elif isinstance(node, ast.ClassDef) and node.name == getattr(getattr(variant, "options", None), "__name__", ""):
            options = [one for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]
            found |= {f"option {one.target.id}": f"{file.name}:{one.lineno}" for one in options}  # type: ignore[union-attr]
    return found


STATED_IN = {
    "field": "fields",
    "chance": "chance",
    "verb": "verbs",
    "own": "own_verbs",
    "preset": "presets",
    "implied": "implied",
    "pattern": "patterns",
    "piece": "pieces",
    "renamed": "renamed",
    "details": "details",
}
"""The field of `Variant` that problems which begin with a word are about, where it isn't the word itself."""


def placed(text: str, places: Mapping[str, str]) -> str:
    """A problem with the line where it stands, as far as that is known."""
    words = re.findall(r"\w+", text)
    if words[0] in ("option", "defaults"):
        named = [word for word in words[1:4] if f"option {word}" in places]
        place = places.get(f"option {named[0]}" if named else "options")
    elif text.startswith("Variant has no field"):
        place = places.get(words[4])
    elif text.startswith("the field"):
        place = places.get("")
    else:
        place = places.get(STATED_IN.get(words[0], words[0]))
    return f"{place}: {text}" if place else text


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


def sources_of(variant: Variant) -> str:
    """The text of the variant's files."""
    file = Path(getattr(variant.module, "__file__", None) or "")
    files = sorted(file.parent.rglob("*.py")) if file.name == "__init__.py" else [file] if file.is_file() else []
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


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


# --- kernels ----------------------------------------------------------------------------------------------------------


UNKNOWN = ("field ", "option ", "tiles: ", "own verb ", "seats_option ")
"""How problems begin by which it isn't known what kernels find in their game, so that their laws can't be held."""


def law_problems(variant: Variant) -> list[Problem]:
    """What is wrong in the code of a variant's own functions: laws broken, names that don't exist, answers to nothing."""
    kernels = [one.function for one in own_functions(modules_of(variant)) if looks_compiled(one.function)]
    answers = {name: answer_of(question) for name, question in questions_of(variant.cycle).items()}
    told = kernel_problems(kernels, vocabulary_of(variant), answers)
    return sorted({*told, *number_problems(variant, kernels), *use_problems(variant)})


def number_problems(variant: Variant, kernels: Iterable[Any]) -> Iterator[Problem]:
    """Constants that don't fit the field they are written to, and payments for reasons that there aren't."""
    dtype = largest_table(variant)
    for kernel in filter(None, map(read_kernel, kernels)):
        for node in kernel.nodes:
            if isinstance(node, ast.Call) and name_of(kernel.thing(node.func)) == "write_slip" and len(node.args) == 3:
                reason = constant_of(kernel, node.args[1])
                if reason is not None and reason >= len(variant.slip_reasons):
                    reasons = ", ".join(map(repr, variant.slip_reasons)) or "none"
                    yield kernel.problem(
                        node, f"write_slip for reason {reason}; slip_reasons are {reasons}, counted from 0"
                    )
            elif isinstance(node, ast.Assign) and len(node.targets) == 1:
                target = node.targets[0]
                field = target.value if isinstance(target, ast.Subscript) else target
                value = constant_of(kernel, node.value)
                if value is not None and isinstance(field, ast.Attribute) and isinstance(field.value, ast.Name):
                    if field.value.id == "game" and field.attr in (dtype.names or ()):
                        room = np.iinfo(dtype.fields[field.attr][0].base)  # type: ignore[index]
                        if not room.min <= value <= room.max:
                            text = f"{value} doesn't fit game.{field.attr}, which holds {room.min} to {room.max}"
                            yield kernel.problem(node, text)


def constant_of(kernel: Kernel, node: ast.expr) -> int | None:
    """The number that an expression stands for, if that is certain."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        positive = constant_of(kernel, node.operand)
        return None if positive is None else -positive
    value: Any = None
    if isinstance(node, ast.Constant):
        value = node.value
    elif isinstance(node, ast.Name):
        value = kernel.thing(node)
    return value if type(value) is int else None


def use_problems(variant: Variant) -> list[Problem]:
    """Functions that look like answers and are none, and answers that aren't compiled."""
    modules = modules_of(variant)
    answers = {name: answer_of(question) for name, question in questions_of(variant.cycle).items()}
    kernels = {one.name for one in own_functions(modules) if looks_compiled(one.function)}
    return [
        one
        for one in unused_answers(modules, answers)
        if one.function in kernels
        or "did you mean" in one.text
        or "answers nothing" not in one.text  # a plain function may be there for other files
    ]


def answer_of(question: Question) -> Answer:
    """A question as the laws are held against its answers."""
    return Answer(
        question.parameters,
        question.returns or None,
        question.asks,
        plain=not question.is_compiled,
        sets=question.sets,
        offers=question.offers,
        sets_options=question.sets_options,
        asked=plain_function(declared_as(question)),
    )


def vocabulary_of(variant: Variant) -> Vocabulary:
    """What the variant's kernels can know, at its largest table."""
    dtype = largest_table(variant)
    names = [name for name in dtype.names or () if not name.startswith((MARKER, "gap_", "options"))]
    fields = {name: dtype.fields[name][0].shape for name in names}  # type: ignore[index]
    verbs = {verb: number for number, verb in enumerate(variant.actions.takes)}
    return Vocabulary(fields, tuple(variant.settings), variant.verbs, verbs, LOOKUPS)


def largest_table(variant: Variant) -> np.dtype:
    """The type of a state with the most seats, verbs that aren't known left out."""
    seats = max(variant.settings[variant.seats_option].values) if variant.seats_option else variant.seats
    takes = VERBS | dict(variant.own_verbs)
    known = [v for v in variant.verbs if v in takes and (takes[v] != "own" or variant.own_arguments.get(v))]
    return dataclasses.replace(variant, seats=seats, verbs=tuple(known)).dtype


LOOKUPS = (
    "first_action",
    "verb_of",
    "argument_of",
    "copies_of",
    "key_column",
    "key_weight",
    "standard_kind",
    "own_kind",
    "standard_mask",
    "own_mask",
)
"""What kernels look up in constants, or ask of the set of tiles, as `name(game, index)`."""


def modules_of(variant: Variant) -> list[ModuleType]:
    """The variant's modules, the one that answers first."""
    first = variant.module
    assert first is not None
    inside = sorted(name for name in sys.modules if name.startswith(f"{first.__name__}."))
    return [first, *(sys.modules[name] for name in inside)]


STANDARD_NAMES = (*tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)), "E", "S", "W", "N", "C", "F", "B")
