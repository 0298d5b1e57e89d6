"""What is wrong in a variant's source: laws of kernels broken, answers to nothing, and where its definition stands."""

import ast
import dataclasses
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from mahjong_env.compiled.dispatch import MARKER
from mahjong_env.compiled.failures import explain_by
from mahjong_env.rules.actions import VERBS
from mahjong_env.rules.answers import questions_of
from mahjong_env.rules.hooks import Question, declared_as
from mahjong_env.rules.laws import explain
from mahjong_env.rules.laws.kernels import (
    Answer,
    Kernel,
    Problem,
    Vocabulary,
    looks_compiled,
    name_of,
    plain_function,
    read_kernel,
)
from mahjong_env.rules.laws.statements import kernel_problems, own_functions, unused_answers
from mahjong_env.rules.variant import Variant

explain_by(explain)


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


def sources_of(variant: Variant) -> str:
    """The text of the variant's files."""
    file = Path(getattr(variant.module, "__file__", None) or "")
    files = sorted(file.parent.rglob("*.py")) if file.name == "__init__.py" else [file] if file.is_file() else []
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)


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
