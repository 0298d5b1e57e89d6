"""What is compiled when: by the content of kernels, once, and again only when that changes; and how errors are told."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mahjong_env.compiled import PLAIN, compiled
from mahjong_env.compiled.failures import KernelError

pytestmark = pytest.mark.skipif(PLAIN, reason="nothing is compiled in plain mode")

MODULE = '''
"""Kernels of a test."""

from mahjong_env.compiled import compiled, compiled_once


@compiled
def twice(n):
    """Twice as much."""
    return 2 * n


@compiled_once
def unit(n):
    return twice(n) + 1


@compiled
def entry(n):
    return unit(n)


def plain(n):
    return n
'''

RUN = """
import sys, time
sys.path.insert(0, sys.argv[1])
import kernels_of_a_test as module
from mahjong_env.compiled.kernels import Compiler
made, before = [], Compiler._compile
Compiler._compile = lambda self, key, kernel, *rest: (made.append(kernel.__name__), before(self, key, kernel, *rest))[1]
print(module.entry(20), *made)
"""


def run(folder: Path, cache: Path, wait: bool = True) -> "subprocess.Popen[str]":
    """Call `entry(20)` in a new process; it prints the result and the kernels that it has made machine code of."""
    environment = os.environ | {"MAHJONG_ENV_CACHE": str(cache)}
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, str(folder)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    if wait:
        process.wait(timeout=120)
    return process


def told(process: "subprocess.Popen[str]") -> str:
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return output.strip()


def write(folder: Path, source: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "kernels_of_a_test.py").write_text(source, encoding="utf-8")
    return folder


def test_what_an_edit_compiles(tmp_path: Path) -> None:
    """Docstrings, comments, plain functions and the place of the file: nothing. A kernel: itself and what calls it."""
    cache = tmp_path / "cache"
    one = write(tmp_path / "one", MODULE)
    assert told(run(one, cache)) == "41 entry unit"
    assert told(run(one, cache)) == "41"
    assert told(run(write(tmp_path / "two", MODULE), cache)) == "41", "another folder"
    edited = MODULE.replace('"""Twice as much."""', '"""Two times."""').replace(
        "def unit(n):\n", "def unit(n):\n    '''A unit.'''\n"
    )
    edited = edited.replace("return n\n", "return n + 1\n").replace("@compiled_once", "# a comment\n\n@compiled_once")
    assert told(run(write(one, edited), cache)) == "41"
    assert told(run(write(one, edited.replace("2 * n", "3 * n")), cache)) == "61 entry unit"


def test_a_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    folder, cache = write(tmp_path / "one", MODULE), tmp_path / "cache"
    told(run(folder, cache))
    entries = list((cache / "kernels").glob("*.kernel"))
    assert len(entries) == 2
    for entry, damage in zip(entries, (b"", os.urandom(500)), strict=True):
        entry.write_bytes(damage)
    assert told(run(folder, cache)) == "41 entry unit"
    assert told(run(folder, cache)) == "41"


def test_no_cache_folder(tmp_path: Path) -> None:
    nowhere = tmp_path / "file"
    nowhere.write_text("", encoding="utf-8")
    folder = write(tmp_path / "one", MODULE)
    assert told(run(folder, nowhere)) == "41 entry unit"


def test_two_processes_compile_nothing_twice(tmp_path: Path) -> None:
    slow = MODULE.replace(
        "return twice(n) + 1",
        "\n".join(["", *(f"    n = twice(n) - n + {k} - {k}" for k in range(300)), "    return twice(n) + 1"]),
    )
    folder, cache = write(tmp_path / "one", slow), tmp_path / "cache"
    processes = [run(folder, cache, wait=False), run(folder, cache, wait=False)]
    made = sorted(told(process).split()[1:] for process in processes)
    assert sorted(name for names in made for name in names) == ["entry", "unit"], (
        "each kernel by one process, or the other"
    )


# --- errors -----------------------------------------------------------------------------------------------------------


@compiled
def adds_a_text(n):
    return n + "a"


@compiled
def calls_it(n):
    return adds_a_text(n)


def test_an_error_leads_to_the_line() -> None:
    with pytest.raises(KernelError) as caught:
        calls_it(1)
    lines = str(caught.value).splitlines()
    assert len(lines) <= 10 and all(len(line) <= 300 for line in lines)
    assert "adds_a_text" in lines[0] and "test_kernels.py" in str(caught.value)
    assert 'return n + "a"' in str(caught.value)
    assert caught.value.__cause__ is None and caught.value.__context__ is None, "Numba's own account is not shown"
