"""Numba's errors in a few lines: the author's file, line and function, what is wrong there, and how play got there.

Numba tells an error from the inside out, hundreds of lines long, since a record's type prints all its fields; of some
errors, as of an unknown field, it tells nothing but the name. Then the place is taken from what its frames know.
"""

import ast
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from mahjong_env.rules.laws.endings import return_problems
from mahjong_env.rules.laws.kernels import Kernel, first_line, plain_function, read_kernel, tree_of
from mahjong_env.rules.laws.words import reason_of

MOST_LINES, MOST_COLUMNS = 10, 160
MOST_CALLERS = 4
WIRING = ("resolve", "get_call_template", "plain")
"""Functions that stand between a question and its answer."""
PACKAGE = Path(__file__).resolve().parent.parent

PLACES = re.compile(
    r'File "(?P<file>[^"\n]+)", line (?P<line>\d+)|'
    r"(?: at|[Rr]aised from|defined at) (?P<at>[^\s()][^()\n]*\.py) \((?P<number>\d+)\)"
)
CALLEE = re.compile(r"resolving callee type: [^\n]*?CPUDispatcher\(<function (?P<name>[\w.<>]+) at")


@dataclass(frozen=True)
class Place:
    """A line of a file."""

    file: str
    line: int

    @property
    def function(self) -> str:
        """The function that the line stands in, the innermost; empty if there is none."""
        found = [node for node in self.functions() if first_line(node) <= self.line <= (node.end_lineno or node.lineno)]
        return max(found, key=lambda node: node.lineno).name if found else ""

    def functions(self) -> Iterator[ast.FunctionDef]:
        tree = tree_of(self.file)
        return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)) if tree else iter(())

    @property
    def at_name(self) -> "Place":
        """The line of a function's name, for one of its decorators."""
        after = [node.lineno for node in self.functions() if first_line(node) <= self.line < node.lineno]
        return Place(self.file, after[0]) if after else self

    @property
    def source(self) -> str:
        """The line as it is written."""
        try:
            lines = Path(self.file).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError):
            return ""
        return lines[self.line - 1].strip() if 0 < self.line <= len(lines) else ""

    def __str__(self) -> str:
        return f"{Path(self.file).name}:{self.line}" + (f" in {self.function}" if self.function else "")


def explain(error: BaseException, mine: Callable[[str], bool]) -> str:
    """What an error of compiling, or running, a kernel says, in at most ten short lines.

    `mine` tells whether a file is the author's. The first line names the innermost place in one of those, or else in
    the package, and the reason; then come the source, what was called from there, and how it was reached.
    """
    text = text_of(error)
    places = [place.at_name for place in places_of(error, text, mine) if is_rules(place, mine)]
    places = list(dict.fromkeys(places))
    reason = reason_of(error, text)
    named = callee_in(text, mine)
    inside = named if named and "Cannot bind" not in text else None
    here = inside or next((place for place in places if mine(place.file)), None) or named or next(iter(places), None)
    if here is None:
        return cut([reason])
    lines = [f"{here}: {reason}", *sources(here, places, mine)]
    if "nothing" in reason:
        silent = gives_nothing(here, mine)
        lines = [*silent, *lines] if not mine(here.file) else [*lines, *silent]
    if named is not None and named.function != here.function:
        lines.append(f"it is written at {named}: {named.source}")
    return cut([*lines, *callers(here, places)])


def gives_nothing(here: Place, mine: Callable[[str], bool]) -> list[str]:
    """Of the author's kernels that are called where something was missing, where one ends without a value."""
    nodes = [node for node in here.functions() if node.name == here.function]
    calls = [node.func for each in nodes for node in ast.walk(each) if isinstance(node, ast.Call)]
    names = sorted({function.id for function in calls if isinstance(function, ast.Name)})
    kernels = [kernel for name in names if (kernel := written_by(name, mine))]
    needed = f"needed at {Path(here.file).name}:{here.line}"
    return [str(problem) for kernel in kernels for problem in return_problems(kernel, needed)][:2]


def written_by(name: str, mine: Callable[[str], bool]) -> Kernel | None:
    """The author's function of that name."""
    for module in list(sys.modules.values()):
        function: Any = getattr(module, "__dict__", {}).get(name)
        code = getattr(plain_function(function), "__code__", None)
        if code is not None and code.co_name == name and mine(code.co_filename):
            return read_kernel(function)
    return None


def is_rules(place: Place, mine: Callable[[str], bool]) -> bool:
    """A place in a file that is there, and isn't the compiler's own."""
    path = Path(place.file)
    return path.is_file() and (mine(place.file) or not {"site-packages", "numba"} <= set(path.parts))


def sources(here: Place, places: list[Place], mine: Callable[[str], bool]) -> list[str]:
    """The line itself, and the line of the package inside which it went wrong."""
    lines = [f"    {here.source}"] if here.source else []
    if here in places and here != places[0] and not mine(places[0].file):
        lines.append(f"inside {places[0]}: {places[0].source}")
    return lines


def callers(here: Place, places: list[Place]) -> list[str]:
    """How the place was reached."""
    after = places[places.index(here) + 1 :] if here in places else places
    known = {place.function: place for place in reversed(after) if place.function not in (*WIRING, here.function)}
    after = [place for place in after if known.get(place.function) == place]
    shown = [f"called from {place}" for place in after[:MOST_CALLERS]]
    return [*shown, f"called from {len(after) - MOST_CALLERS} more"] if len(after) > MOST_CALLERS else shown


def cut(lines: list[str]) -> str:
    """At most ten lines, none too long."""
    flat = [part for line in lines for part in line.split("\n") if part.strip()][:MOST_LINES]
    return "\n".join(line if len(line) <= MOST_COLUMNS else line[: MOST_COLUMNS - 1] + "…" for line in flat)


# --- where ------------------------------------------------------------------------------------------------------------


def text_of(error: BaseException) -> str:
    """All that an error says, and the errors it came from, without colours."""
    texts, seen = [], set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        texts.append(str(each))
        each = each.__cause__ or each.__context__
    return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(texts))


def places_of(error: BaseException, text: str, mine: Callable[[str], bool]) -> Iterator[Place]:
    """The places an error names, from the inside out: in its text, then in its frames."""
    for match in PLACES.finditer(text):
        file = match["file"] or match["at"]
        yield Place(os.path.abspath(file), int(match["line"] or match["number"]))
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        yield from places_in_frames(each.__traceback__, mine)
        each = each.__cause__ or each.__context__


def places_in_frames(traceback: TracebackType | None, mine: Callable[[str], bool]) -> list[Place]:
    """From the inside out: the line that a frame of the author's or the package's runs, or, of a frame of the compiler,
    the line that it compiles."""
    found: list[Place] = []
    while traceback is not None:
        place = place_of(traceback.tb_frame, traceback.tb_lineno, mine)
        found = [place, *found] if place else found
        traceback = traceback.tb_next
    return found


def place_of(frame: FrameType, line: int, mine: Callable[[str], bool]) -> Place | None:
    """The place of one frame; None for the workings of anything else than rules."""
    file: Any = os.path.abspath(frame.f_code.co_filename)
    if str(frame.f_globals.get("__name__", "")).partition(".")[0] == "numba":
        compiled = getattr(frame.f_locals.get("self"), "loc", None)  # what is being compiled, of whatever kind it is
        file, number = getattr(compiled, "filename", None), getattr(compiled, "line", None)
        return Place(os.path.abspath(file), number) if isinstance(file, str) and isinstance(number, int) else None
    return Place(file, line) if mine(file) or PACKAGE in Path(file).parents else None


def callee_in(text: str, mine: Callable[[str], bool]) -> Place | None:
    """The author's kernel inside which, or by whose parameters, it went wrong, where the text says no line of it."""
    unbound = text.find("Cannot bind")
    first_place, match = PLACES.search(text), CALLEE.search(text, max(unbound, 0))
    if match is None:
        return None
    if unbound < 0:  # the error came inside it if it was being compiled, and has no line if the first is the call's
        has_line = first_place is not None and first_place.start() < match.start()
        if has_line or "During: Pass" not in text[: match.start()]:
            return None
    kernel = written_by(match["name"].rpartition(".")[2], mine)
    undefined = re.search(r"name '(\w+)' is not defined", text)
    return line_in(kernel, undefined[1] if undefined else "") if kernel else None


def line_in(kernel: Kernel, word: str) -> Place:
    """The line of a kernel in which a name stands, or else the one that begins it."""
    words = [node.lineno for node in ast.walk(kernel.node) if isinstance(node, ast.Name) and node.id == word]
    return Place(kernel.file, min(words, default=kernel.node.lineno))
