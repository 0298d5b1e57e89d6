"""Numba's real errors, of kernels three calls deep behind a question, come out in a few lines with the author's first.

The kernels of `mistakes.py` are the author's; this file stands for the package.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mistakes
import numba
import numpy as np
import pytest
from numba.extending import overload

from mahjong_env.rules.laws.explain import MOST_COLUMNS, MOST_LINES, explain
from mahjong_env.rules.laws.words import short

GAME = np.dtype(
    [("rules_x", "i1"), ("options", np.dtype([("value", "i1")])), ("points", "i4", (4,)), ("hands", "i1", (4, 27))]
    + [(f"field{n}", "i1") for n in range(60)]
    + [("turn", "i1")]
)

compiling = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="plain kernels aren't compiled")


def is_mine(path: str) -> bool:
    return path == mistakes.__file__


def ask(kernel: Any) -> Callable[[np.ndarray], Any]:
    """A cycle that asks a question, answered by the kernel, as the package does it."""

    def question(game, seat):
        pass

    @overload(question)
    def resolve(game, *arguments):
        return lambda game, *arguments: kernel(game, *arguments)

    @numba.njit
    def cycle(game):
        return question(game, 1)

    return numba.njit(lambda games: cycle(games[0]))


def error_of(kernel: Any) -> BaseException:
    with pytest.raises(Exception) as raised:  # noqa: PT011 — whatever Numba makes of it
        ask(kernel)(np.zeros(1, GAME))
    return raised.value


def told(kernel: Any) -> str:
    """The explanation, which is short whatever the error is."""
    text = explain(error_of(kernel), is_mine)
    lines = text.splitlines()
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= MOST_COLUMNS
    assert "field1[" not in text, "a record's fields are all told"
    return text


def marked() -> dict[str, list[tuple[int, str]]]:
    """For each kernel that has them, its lines with a comment `#! words`."""
    found: dict[str, list[tuple[int, str]]] = {}
    name = ""
    for number, line in enumerate(Path(mistakes.__file__).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("def "):
            name = line[4 : line.index("(")]
        if "#! " in line:
            found.setdefault(name, []).append((number, line.partition("#! ")[2]))
    return found


@compiling
@pytest.mark.parametrize("name", marked())
def test_an_error_leads_to_its_line(name: str) -> None:
    text = told(getattr(mistakes, name))
    first, source = text.splitlines()[:2]
    marks = [
        (number, words) for number, words in marked()[name] if first.startswith(f"mistakes.py:{number} in {name}: ")
    ]
    assert marks, text  # Numba names one of two returns that don't agree, now this one, now that
    assert marks[0][1] in first, text
    written = Path(mistakes.__file__).read_text(encoding="utf-8").splitlines()[marks[0][0] - 1]
    assert source.strip().startswith(written.partition("#")[0].strip())


@compiling
def test_an_error_three_calls_deep_names_the_kernel_and_who_called_it() -> None:
    lines = told(mistakes.deep).splitlines()
    assert lines[0].startswith("mistakes.py:") and " in deepest: " in lines[0]
    assert [line.rpartition(" in ")[2] for line in lines[2:5]] == ["deeper", "deep", "cycle"]


@compiling
def test_a_name_that_is_missing_in_a_kernel_that_is_called() -> None:
    """Numba tells no line for it, only the kernel."""
    lines = told(mistakes.calls_no_name).splitlines()
    assert " in no_name: missing_thing isn't defined" in lines[0]
    assert "missing_thing + turn" in lines[1]


@compiling
def test_a_call_with_wrong_arguments_names_where_the_kernel_is_written() -> None:
    text = told(mistakes.too_few_arguments)
    assert "it isn't given 'seat'" in text
    assert "it is written at mistakes.py" in text and "def deeper(game, seat):" in text


@compiling
def test_an_answer_without_a_value_is_found_from_the_package() -> None:
    """Only the package's line is in the error; the kernel that was asked there is looked for."""

    @numba.njit
    def cycle(games):
        return answers_nothing(games[0]) > 1

    with pytest.raises(numba.TypingError) as raised:
        cycle(np.zeros(1, GAME))
    lines = explain(raised.value, is_mine).splitlines()
    assert " in answers_nothing: returns nothing; its answer is needed at test_explain.py:" in lines[0]
    assert "there is no `>` between nothing and 1" in lines[1] or "nothing and number" in lines[1]


answers_nothing = mistakes.answers_nothing


@compiling
def test_an_error_inside_another_files_kernel_is_told_at_the_call() -> None:
    @numba.njit
    def package_kernel(row):
        return row + "a"

    text = told(mistakes.calls(package_kernel))
    assert text.splitlines()[0].startswith("mistakes.py:") and " in calling: " in text.splitlines()[0]
    assert "inside test_explain.py" in text and 'return row + "a"' in text


# --- without the compiler's help --------------------------------------------------------------------------------------

FILE = mistakes.__file__
RECORD = "Record(" + ",".join(f"field{n}[type=int8;offset={n}]" for n in range(300)) + ";300;False)"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"Unknown attribute 'typo' of type {RECORD}\n\nFile \"{FILE}\", line 3:\n", "the game has no field or option typo"),
        ("Can't unify return type from the following types: int64, none", "returns number on some ways and nothing on others"),
        ("Untyped global name 'x': Cannot determine Numba type of <class 'mod.Thing'>", "x is a Thing, which kernels can't read"),
        ("Cannot determine Numba type of <class 'object'>", "a object can't be given to kernels"),
        ("Use of unsupported opcode (SETUP_WITH) found", "uses `with` in a kernel"),
        ("Failed in nopython mode pipeline (step: x)\nSomething new about " + RECORD, "RuntimeError: Something new about game"),
        ("", "RuntimeError"),
    ],
)  # fmt: skip
def test_a_text_alone(text: str, words: str) -> None:
    lines = explain(RuntimeError(text), is_mine).splitlines()
    assert words in lines[0]
    assert len(lines) <= MOST_LINES and max(map(len, lines)) <= MOST_COLUMNS


def test_an_error_in_plain_mode() -> None:
    """There a kernel is a function, and its line is in the frames."""
    with pytest.raises(AttributeError) as raised:
        getattr(mistakes.field, "py_func", mistakes.field)(np.zeros(1, np.dtype((np.record, GAME)))[0], 1)
    assert "the game has no field or option typo" in explain(raised.value, is_mine).splitlines()[0]
    assert " in field: " in explain(raised.value, is_mine)


def test_types_in_the_authors_words() -> None:
    assert short(f"add({RECORD}, nestedarray(int8, (4, 27)))") == "add(game, table of 4 by 27 numbers)"
    assert short("Tuple(int64, UniTuple(int8 x 2), Literal[int](3))") == "tuple of 3"
    assert short("OptionalType(int64)") == "number or nothing"
    assert short("Literal[str](a), unicode_type, none, boolean") == "string, string, nothing, number"
