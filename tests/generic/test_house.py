"""The house: imports only go down its floors, and never in a circle; variants and scripts see just what is meant for them.

An import counts wherever it stands: inside a function, or under TYPE_CHECKING, too.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = "mahjong_env"

FLOORS: tuple[tuple[str, ...], ...] = (
    ("tiles", "compiled", "kernel_cache"),
    ("hands",),
    ("rules",),
    ("variants", "rendering", "agents"),
    ("play",),
    ("batch",),
    ("envs",),
    ("tools",),
)
"""What stands on which floor, from the ground up; the package's own `__init__` stands above all."""

FOR_VARIANTS = ("rules", "hands", "tiles", "compiled")
"""What a variant imports from, beside its own folder."""

WITH_NUMBA = "compiled"
"""The one module, or folder, that imports Numba."""

SCRIPTS = ("training", "agents")
"""Folders beside the package that use it as a user does."""


class Import(NamedTuple):
    """An import: in which file and line, of what module, and which name of it ("" for the module itself)."""

    file: Path
    line: int
    module: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {self.module}{f' ({self.name})' if self.name else ''}"


# --- reading ----------------------------------------------------------------------------------------------------------


def module_name(root: Path, file: Path) -> str:
    """`root/package/part.py` as package.part, a folder's `__init__.py` as the folder."""
    parts = file.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules_in(root: Path, folder: str) -> dict[str, Path]:
    """The modules of a folder under `root`, by name."""
    return {module_name(root, file): file for file in sorted((root / folder).rglob("*.py"))}


def imports_of(file: Path, name: str, known: Iterable[str]) -> Iterator[Import]:
    """All imports in a file; `from package import part` is one of the part where that is a module of `known`."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (Import(file, node.lineno, one.name) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            for one in node.names:
                part = f"{module}.{one.name}"
                yield Import(file, node.lineno, part) if part in known else Import(file, node.lineno, module, one.name)
        elif isinstance(node, ast.Call) and "import_module" in ast.dump(node.func) and node.args:
            if isinstance(node.args[0], ast.Constant):
                yield Import(file, node.lineno, str(node.args[0].value))


def inside(module: str, folder: str) -> bool:
    """Whether a module is the folder's, or the folder itself."""
    return module == folder or module.startswith(f"{folder}.")


def floor_of(module: str) -> int:
    """The number of the floor on which a module of the package stands; the package itself stands above all."""
    part = module.split(".")[1] if "." in module else ""
    return next((number for number, parts in enumerate(FLOORS) if part in parts), len(FLOORS))


# --- the laws of the house --------------------------------------------------------------------------------------------


def homeless(root: Path) -> list[str]:
    """Modules that stand on no floor."""
    return [name for name in modules_in(root, PACKAGE) if floor_of(name) == len(FLOORS) and name != PACKAGE]


def climbing(root: Path) -> list[str]:
    """Imports from a floor above the importing module's own."""
    modules = modules_in(root, PACKAGE)
    return [
        f"{one} from floor {floor_of(name)}, which is below floor {floor_of(one.module)}"
        for name, file in modules.items()
        for one in imports_of(file, name, modules)
        if inside(one.module, PACKAGE) and floor_of(one.module) > floor_of(name)
    ]


def circle(root: Path) -> list[str]:
    """The modules of a circle of imports, the first one again at the end; empty if there is none."""
    modules = modules_in(root, PACKAGE)
    below = {
        name: sorted({one.module for one in imports_of(file, name, modules)} & set(modules) - {name})
        for name, file in modules.items()
    }
    done: set[str] = set()
    for name in modules:
        found = circle_from(name, below, done, [])
        if found:
            return found
    return []


def circle_from(name: str, below: Mapping[str, list[str]], done: set[str], way: list[str]) -> list[str]:
    """A circle that is met going on from `name`, which `way` leads to; modules from which none is met go into `done`."""
    if name in way:
        return [*way[way.index(name) :], name]
    if name in done:
        return []
    for other in below[name]:
        found = circle_from(other, below, done, [*way, name])
        if found:
            return found
    done.add(name)
    return []


def variants_beyond(root: Path) -> list[str]:
    """What variants import beside the language they are written in and their own folder."""
    modules = modules_in(root, PACKAGE)
    shelf = f"{PACKAGE}.variants"
    allowed = [f"{PACKAGE}.{part}" for part in FOR_VARIANTS]
    found = []
    for name, file in modules.items():
        if inside(name, shelf) and name != shelf:
            own = ".".join(name.split(".")[:3])
            for one in imports_of(file, name, modules):
                if inside(one.module, PACKAGE) and not any(inside(one.module, part) for part in (*allowed, own)):
                    found.append(str(one))
    return found


def scripts_beyond(root: Path) -> list[str]:
    """Names with a leading underscore that scripts beside the package import from it."""
    found = []
    known = modules_in(root, PACKAGE)
    for folder in SCRIPTS:
        for name, file in modules_in(root, folder).items():
            for one in imports_of(file, name, known):
                words = [*one.module.split("."), one.name]
                if inside(one.module, PACKAGE) and any(word.startswith("_") for word in words):
                    found.append(str(one))
    return found


def numba_elsewhere(root: Path) -> list[str]:
    """Imports of Numba by others than the one that may."""
    modules = modules_in(root, PACKAGE)
    return [
        str(one)
        for name, file in modules.items()
        for one in imports_of(file, name, modules)
        if inside(one.module, "numba") and not inside(name, f"{PACKAGE}.{WITH_NUMBA}")
    ]


Law = Callable[[Path], list[str]]
LAWS: tuple[Law, ...] = (homeless, climbing, circle, variants_beyond, scripts_beyond, numba_elsewhere)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_house_keeps_its_laws(law: Law) -> None:
    found = law(ROOT)
    assert not found, f"{law.__doc__}\n" + "\n".join(map(str, found))


def test_every_floor_is_there() -> None:
    parts = {name.split(".")[1] for name in modules_in(ROOT, PACKAGE) if "." in name}
    assert {part for floor in FLOORS for part in floor} == parts


# --- the laws can be broken ------------------------------------------------------------------------------------------

SOUND = {
    "mahjong_env/__init__.py": "from mahjong_env.play import game\nfrom mahjong_env.tools import cli",
    "mahjong_env/tiles.py": "import re",
    "mahjong_env/compiled.py": "import numba",
    "mahjong_env/hands/__init__.py": "from mahjong_env import tiles",
    "mahjong_env/rules/__init__.py": "from mahjong_env.rules.state import OVER",
    "mahjong_env/rules/state.py": "OVER = 5",
    "mahjong_env/variants/__init__.py": "",
    "mahjong_env/variants/one.py": "from mahjong_env.rules import OVER\nimport numpy",
    "mahjong_env/variants/two/__init__.py": "from .legal import may\nfrom . import legal",
    "mahjong_env/variants/two/legal.py": "from mahjong_env.hands import tiles",
    "mahjong_env/play/__init__.py": "",
    "mahjong_env/play/game.py": "from ..rules.state import OVER",
    "mahjong_env/tools/cli.py": "from mahjong_env.play.game import Game",
    "training/ppo.py": "import mahjong_env as mj\nfrom mahjong_env.play.game import Game",
}
"""A house as it should be."""

BROKEN = {
    "nowhere": (homeless, {"mahjong_env/helpers.py": ""}, "mahjong_env.helpers"),
    "up": (climbing, {"mahjong_env/rules/state.py": "from mahjong_env.play import game"}, "state.py:1 imports"),
    "up to the top": (climbing, {"mahjong_env/play/game.py": "import mahjong_env as mj"}, "game.py:1 imports"),
    "lazily up": (climbing, {"mahjong_env/tiles.py": "def draw():\n    import mahjong_env.hands"}, "tiles.py:2"),
    "up for types": (
        climbing,
        {"mahjong_env/play/game.py": "if TYPE_CHECKING:\n    from mahjong_env.tools.cli import app"},
        "game.py:2",
    ),
    "up by dots": (climbing, {"mahjong_env/hands/__init__.py": "from ..rules import state"}, "__init__.py:1"),
    "up by name": (
        climbing,
        {"mahjong_env/play/game.py": "import importlib\nimportlib.import_module('mahjong_env.tools.cli')"},
        "game.py:2",
    ),
    "two in a circle": (
        circle,
        {
            "mahjong_env/rules/state.py": "from mahjong_env.rules import draw",
            "mahjong_env/rules/draw.py": "from . import state",
        },
        "mahjong_env.rules.draw",
    ),
    "three in a circle": (
        circle,
        {
            "mahjong_env/play/game.py": "from mahjong_env.play import record",
            "mahjong_env/play/record.py": "def read():\n    from mahjong_env.play.score import best",
            "mahjong_env/play/score.py": "from .game import Game",
        },
        "mahjong_env.play.score",
    ),
    "another variant": (
        variants_beyond,
        {"mahjong_env/variants/one.py": "from mahjong_env.variants.two import may"},
        "one.py:1",
    ),
    "a floor too many": (
        variants_beyond,
        {"mahjong_env/variants/one.py": "from mahjong_env.rendering import text"},
        "one.py:1",
    ),
    "own name in another": (
        variants_beyond,
        {"mahjong_env/variants/two/legal.py": "from ..one import OVER"},
        "legal.py:1",
    ),
    "a private name": (scripts_beyond, {"training/ppo.py": "from mahjong_env.play.game import _row"}, "ppo.py:1"),
    "a private module": (scripts_beyond, {"agents/wise.py": "import mahjong_env.play._inner"}, "wise.py:1"),
    "numba": (
        numba_elsewhere,
        {"mahjong_env/rules/state.py": "def f():\n    from numba.core import event"},
        "state.py:2",
    ),
}


def build(root: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_a_sound_house_breaks_no_law(tmp_path: Path, law: Law) -> None:
    assert law(build(tmp_path, SOUND)) == []


@pytest.mark.parametrize(("law", "changed", "told"), BROKEN.values(), ids=BROKEN)
def test_a_broken_law_is_told(tmp_path: Path, law: Law, changed: dict[str, str], told: str) -> None:
    found = law(build(tmp_path, SOUND | changed))
    assert any(told in str(one) for one in found), found
