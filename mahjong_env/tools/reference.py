"""The reference of a variant's contract, read from the code, as Markdown: the end of `docs/write_a_variant.md`.

python -m mahjong_env.tools.reference            # prints it
python -m mahjong_env.tools.reference --write    # writes it into the page of the checkout
"""

import ast
import dataclasses
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from mahjong_env.rules import answers, expert, greedy, hooks
from mahjong_env.rules.actions import OWN_VERB, VERBS
from mahjong_env.rules.cycle import Cycle
from mahjong_env.rules.draw import DRAW
from mahjong_env.rules.flip import FLIP
from mahjong_env.rules.hooks import Question
from mahjong_env.rules.state import COMMON_FIELDS, PATTERNS_FIELD, Field
from mahjong_env.rules.variant import Variant

COMMAND = "python -m mahjong_env.tools.reference --write"
PACKAGE = Path(__file__).resolve().parent.parent
PAGE = PACKAGE.parent / "docs" / "write_a_variant.md"
BEGIN, END = "<!-- reference -->", "<!-- end of reference -->"
WIDTH = 130
SHORT = 100
"""Letters of a default answer that are shown at most; of a constant's value half as many."""


def reference() -> str:
    """All of it."""
    parts = [
        "### The fields of `Variant`",
        *map(variant_line, dataclasses.fields(Variant)),
        "### The fields of the state",
        'A kernel reads `game.name`, a plain function `state["name"]`. In shapes `seats`, `kinds`, `tiles`, `actions`, `melds` and'
        " `patterns` are numbers of the variant's, `columns` suits with a key, `slips` payments that one decision can cause.",
    ]
    for group, fields in COMMON_FIELDS.items():
        parts += [f"**{group.capitalize()}**", *map(field_line, fields)]
    parts += ["**Scratch**, no part of how a game stands", field_line(PATTERNS_FIELD)]
    for cycle in (DRAW, FLIP):
        if cycle.fields:
            parts += [f"**Of the {cycle.name} cycle alone**", *map(field_line, cycle.fields)]
    for asker, questions in askers():
        parts += [f"### Asked {asker}"]
        for kind, is_compiled in (("Compiled", True), ("Plain", False)):
            asked = [question for question in questions if question.is_compiled is is_compiled]
            parts += [f"**{kind}**", *map(question_line, asked)] if asked else []
    parts += ["### Verbs", *verb_lines()]
    parts += ["### What `mahjong_env.rules` offers", *face_lines()]
    return "\n".join(spaced(parts))


def spaced(parts: Iterable[str]) -> Iterator[str]:
    """Lines no wider than the page, with an empty one around headings and lists."""
    was_item = False
    for part in parts:
        is_item = part.startswith("- ")
        if not (is_item and was_item):
            yield ""
        lines = [part] if part.startswith("#") else textwrap.wrap(part, WIDTH, break_on_hyphens=False)
        yield from (line if number == 0 or not is_item else f"  {line}" for number, line in enumerate(lines))
        was_item = is_item


# --- data -------------------------------------------------------------------------------------------------------------


def variant_line(field: Any) -> str:
    """One field of a variant."""
    if field.default is not dataclasses.MISSING:
        default = f" = {field.default!r}"
    else:
        default = f" = {field.default_factory()!r}" if field.default_factory is not dataclasses.MISSING else ""
    return f"- `{field.name}{default}`: {field.metadata['about']}"


def field_line(field: Field) -> str:
    """One field of the state."""
    shape = f"({', '.join(map(str, field.shape))})" if field.shape else "one number"
    return f"- `{field.name}`, {field.dtype or 'i1, or i2 from 127 tiles on'}, {shape}: {field.about}"


def verb_lines() -> Iterator[str]:
    """Every verb with its number, what it takes, and which cycle carries it out."""
    known = {cycle.name: vars(sys.modules[cycle.play.__module__]) for cycle in (DRAW, FLIP)}
    for number, (verb, takes) in enumerate(VERBS.items()):
        at_home = [name for name, names in known.items() if verb.upper() in names]
        by = "every game" if verb == "pass" else " and ".join(f"the {name} cycle" for name in at_home)
        yield f"- `{verb}` ({number}) takes {takes}; {f'known to {by}' if by else 'what it does, the variant says'}"
    yield f"- verbs of a variant's own (`own_verbs`) are numbered from `OWN_VERB` ({OWN_VERB}) on; the variant says what they do"


# --- questions --------------------------------------------------------------------------------------------------------


def askers() -> Iterator[tuple[str, list[Question]]]:
    """Who asks, and what."""
    words = {hooks.__name__: "of every game", greedy.__name__: "by the greedy player", expert.__name__: "by the expert"}
    for module in answers.EVERY_GAME:
        yield words[module], list(hooks.asked_in(module).values())
    for cycle in (DRAW, FLIP):
        yield f"by the {cycle.name} cycle", list(own_questions(cycle))


def own_questions(cycle: Cycle) -> Iterator[Question]:
    """What this cycle alone asks."""
    return (question for question in cycle.questions.values() if question.module not in answers.EVERY_GAME)


def question_line(question: Question) -> str:
    """One question: what it is asked with and gives back, and what holds where a variant doesn't answer."""
    needed = "**required**" if question.is_required else default_of(question)
    returns = f" Returns {question.returns}." if question.returns else ""
    return f"- `{question.name}({', '.join(question.parameters)})`, {needed}: {question.asks}{returns}"


def default_of(question: Question) -> str:
    """What is answered by default: its code, where that is short."""
    body = definitions(question.module)[question.name].body[1:]  # type: ignore[attr-defined]
    code = "; ".join(ast.unparse(statement) for statement in body)
    if not code:
        return "nothing by default"
    return f"by default `{code}`" if len(code) <= SHORT and "\n" not in code else "has a default"


# --- the face ---------------------------------------------------------------------------------------------------------


def face_lines() -> Iterator[str]:
    """Every name that variants import, by the module that it comes from."""
    face = ast.parse((PACKAGE / "rules" / "__init__.py").read_text(encoding="utf-8"))
    for imported in (node for node in face.body if isinstance(node, ast.ImportFrom)):
        module = str(imported.module)
        yield f"**`{module.removeprefix('mahjong_env.')}`**: {first_sentence(module_tree(module))}"
        lines: dict[str, list[str]] = {}
        for name in (alias.name for alias in imported.names):
            lines.setdefault(face_line(module, name), []).append(name)
        for line, names in lines.items():
            yield line.replace("NAMES", ", ".join(constants(module, names)))


def constants(module: str, names: list[str]) -> Iterator[str]:
    """Constants with their values, where those are short; numbers in order."""
    values = {name: getattr(sys.modules[module], name) for name in names}
    if all(isinstance(value, int) for value in values.values()):
        names = sorted(names, key=lambda name: abs(values[name]))
    for name in names:
        is_short = isinstance(values[name], int | str | tuple) and len(repr(values[name])) <= SHORT // 2
        yield f"`{name} = {values[name]!r}`" if is_short else f"`{name}`"


def face_line(module: str, name: str) -> str:
    """What a name stands for; constants that are explained together give the same line, with NAMES for themselves."""
    node = definitions(module)[name]
    if isinstance(node, ast.FunctionDef):
        return f"- `{name}({bare_arguments(node)})`: {first_sentence(node)}"
    if isinstance(node, ast.ClassDef):
        return f"- `{name}`: {first_sentence(node)}"
    about = about_constant(module, node)
    return f"- NAMES: {about}" if about else "- NAMES"


def bare_arguments(node: ast.FunctionDef) -> str:
    """A function's parameters and their defaults, without types."""
    given = ast.parse(ast.unparse(node)).body[0].args  # type: ignore[attr-defined]
    for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.kwarg):
        if argument is not None:
            argument.annotation = None
    return ast.unparse(given)


def first_sentence(node: Any) -> str:
    """The first paragraph of a docstring, up to its first full stop."""
    text = " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())
    return re.split(r"(?<=[.:]) (?=[A-Z`(])", text)[0] if text else "(no docstring)"


def about_constant(module: str, node: ast.stmt) -> str:
    """The text that stands under a constant."""
    body = module_tree(module).body
    after = body[body.index(node) + 1 :][:1]
    told = after and isinstance(after[0], ast.Expr) and isinstance(after[0].value, ast.Constant)
    return " ".join(str(after[0].value.value).split()) if told else ""  # type: ignore[attr-defined]


@cache
def module_tree(module: str) -> ast.Module:
    """A module's syntax."""
    return ast.parse(Path(sys.modules[module].__file__ or "").read_text(encoding="utf-8"))


@cache
def definitions(module: str) -> dict[str, ast.stmt]:
    """What a module defines at its top, by name."""
    found: dict[str, ast.stmt] = {}
    for node in module_tree(module).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
            found |= dict.fromkeys(names, node)
    return found


# --- the page ---------------------------------------------------------------------------------------------------------


def page_with(text: str) -> str:
    """The page with this reference between its marks; ValueError if it hasn't got them."""
    before, begun, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not begun or not ended:
        raise ValueError(f"{PAGE} lacks the marks {BEGIN} and {END}")
    return f"{before}{BEGIN}\n{text.strip()}\n{END}{after}"


def main() -> None:
    """Print the reference, or write it into the page."""
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page_with(reference()), encoding="utf-8")
    else:
        print(reference().strip())


if __name__ == "__main__":
    main()
