"""A variant is one file: no name of one stands outside it, a stranger's is as good as ours, and a bad one says why."""

import ast
import io
import os
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import mahjong_env as mj
from mahjong_env.rules.registry import INHERITED

PACKAGE = Path(mj.__file__).parent
STRANGER = Path(__file__).parent / "other_variant.py"
COMING = ("changsha", "erqishi", "guobiao", "hongzhong", "paohuzi", "tuidaohu")


def outside_variants() -> list[Path]:
    """The package's files that must know no variant."""
    return [path for path in sorted(PACKAGE.rglob("*.py")) if PACKAGE / "variants" not in path.parents]


@pytest.mark.parametrize("path", outside_variants(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_variant_is_named_outside_its_file(path: Path) -> None:
    names = re.compile("|".join(sorted({*mj.variants(), *COMING})), re.IGNORECASE)
    found = [f"{path}:{line}: {text.strip()}" for line, text in code_of(path) if names.search(text)]
    assert not found, "a variant's name in code outside mahjong_env/variants/:\n" + "\n".join(found)


def code_of(path: Path) -> Iterator[tuple[int, str]]:
    """Names, strings and comments of a file with their lines; docstrings, whose examples may name a variant, left out."""
    source = path.read_text(encoding="utf-8")
    documented = docstring_lines(ast.parse(source))
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.NAME, tokenize.STRING, tokenize.COMMENT) and token.start[0] not in documented:
            yield token.start[0], token.string


def docstring_lines(tree: ast.AST) -> set[int]:
    """First lines of all strings that stand alone as a statement."""
    alone = (node for node in ast.walk(tree) if isinstance(node, ast.Expr))
    return {n.lineno for n in alone if isinstance(n.value, ast.Constant) and isinstance(n.value.value, str)}


# --- a stranger's variant ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def stranger() -> str:
    """The name of the variant outside the package, loaded."""
    return mj.load_variant(STRANGER)


def test_a_strangers_variant_walks_as_ours(stranger: str) -> None:
    from test_walk import walk_all

    walk_all(stranger, str(STRANGER))


def test_a_strangers_variant_is_in_every_environment(stranger: str) -> None:
    assert stranger in mj.variants()
    env = mj.raw_aec_env(stranger, preset="fast", value=3)
    env.reset(seed=1)
    while env.agents:
        observation, _, over, _, _ = env.last()
        env.step(None if over else int(observation["action_mask"].argmax()))


def test_a_strangers_variant_is_in_spawned_workers(stranger: str) -> None:
    name = f"mahjong_env/{stranger.capitalize()}-v0"
    envs = gymnasium.make_vec(
        name, 2, vectorization_mode="async", vector_kwargs={"context": "spawn"}, opponents="random"
    )
    observation, _ = envs.reset(seed=5)
    same = gymnasium.make(name, opponents="random")
    np.testing.assert_array_equal(observation["observation"][1], same.reset(seed=6)[0]["observation"])
    envs.step(observation["action_mask"].argmax(axis=1))
    envs.close()


def test_a_variant_that_has_gone_does_not_stop_other_processes(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("VARIANT = 1", encoding="utf-8")
    code = "import mahjong_env as mj; print(mj.variants())"
    paths = os.pathsep.join(map(str, (tmp_path / "gone.py", broken)))
    run = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {INHERITED: paths}, capture_output=True, text=True, check=True
    )
    assert "broken" not in run.stdout
    assert f"the variant of {broken}" in run.stderr


def test_loading_twice_is_the_same(stranger: str) -> None:
    assert mj.load_variant(STRANGER) == stranger


def test_another_variant_of_a_known_name_is_refused(stranger: str, tmp_path: Path) -> None:
    edited = tmp_path / "edited.py"
    edited.write_text(STRANGER.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    with pytest.raises(ValueError, match=stranger):
        mj.load_variant(edited)


# --- a bad one --------------------------------------------------------------------------------------------------------

BROKEN = """
from dataclasses import dataclass

from mahjong_env.rules import DRAW, SUITS, Variant, flag


@dataclass
class Options:
    fast: bool = flag(True, "quick")


def claim_choices(game, seat):
    return 0


VARIANT = Variant(
    name="Broken One", title="", version=0, cycle=DRAW, tiles=SUITS, seats=4, verbs=("discard", "shout", "bai"), options=Options,
    presets={"usual": {"fast": 7, "slow": True}, "other": {"slow": 1}}, chance={"dice": ("1", "2")},
)
"""

PROBLEMS = (
    "Broken One",  # not a word
    "shout",  # unknown verb
    "bai",  # a verb whose arguments are missing
    "preset 'usual'",
    "preset 'other'",
    "turn_choices(game, seat) is missing",
    "waits_mask(game, seat) is missing",
    "settle_hu(game, by, source) is missing",
    "claim_choices: answers a question of the rules, and must be decorated",
    "dice",  # chance without a field
)


def test_a_broken_variant_tells_all_its_problems_at_once(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text(BROKEN, encoding="utf-8")
    with pytest.raises(ValueError, match="can't be loaded") as raised:
        mj.load_variant(path)
    missing = [problem for problem in PROBLEMS if problem not in str(raised.value)]
    assert not missing, f"not told: {missing}; told: {raised.value}"
    assert "Broken One" not in mj.variants()


@pytest.mark.parametrize(
    ("text", "told"), [("", "no constant VARIANT"), ("VARIANT = 3", "no constant VARIANT"), (None, "no variant file")]
)
def test_a_file_that_is_no_variant(tmp_path: Path, text: str | None, told: str) -> None:
    path = tmp_path / "empty.py"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=told):
        mj.load_variant(path)


def test_a_variant_is_found_without_the_package_knowing_it() -> None:
    """A process that has loaded nothing doesn't have it."""
    asked = subprocess.run(
        [sys.executable, "-c", "import mahjong_env as mj; print(*mj.variants())"],
        capture_output=True, text=True, check=True, cwd=PACKAGE.parent, env=os.environ | {INHERITED: ""},
    )  # fmt: skip
    assert "plain_three_suits" not in asked.stdout.split()
