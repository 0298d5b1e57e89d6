"""Compiled kernels and the hooks through which a variant plugs into them. The only file that imports Numba.

Kernel code is plain Python over the game record. `compiled` turns a function into machine code; with
`NUMBA_DISABLE_JIT=1` it leaves it as it is, so that a debugger can step through the same rules. A `hook` is a function
whose implementation is chosen by the type of the game record it is called with, and a `table` is a constant array chosen
the same way: so the turn cycles are written once and every variant answers in its own file.

Kernels allocate nothing, raise nothing, print nothing and take no strings.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import event
from numba.extending import overload

config: Any = numba.config

PLAIN: bool = bool(config.DISABLE_JIT)
"""True where kernels run as plain Python (`NUMBA_DISABLE_JIT=1`)."""

MARKER = "rules_"
"""Prefix of the first field of every game record; the rest is the variant's name and the digest of its source."""


def source_digest(paths: list[Path]) -> str:
    """Twelve hex digits that change with the content of any of the files."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


def cache_root() -> Path | None:
    """The folder for machine code and tables: `MAHJONG_ENV_CACHE`, or the user's cache; None where nothing is writable."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    root = Path(os.environ.get("MAHJONG_ENV_CACHE") or Path(home) / "mahjong_env")
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return None


def _is_kernel_source(path: Path) -> bool:
    # What kernels are made of: this module's importers, the constants of actions.py, and the hand tables.
    if "variants" in path.relative_to(Path(__file__).parent).parts:
        return False
    return path.parent.name == "hands" or path.name == "actions.py" or b"mahjong_env.compiled" in path.read_bytes()


def _kernel_cache() -> Path | None:
    # Numba notices an edit in the file of a function, not in the files of the functions it calls; a folder named by all
    # kernel sources can't go stale. Variant files stay out of it: their digest is in the type of their record.
    root = cache_root()
    sources = [path for path in Path(__file__).parent.rglob("*.py") if _is_kernel_source(path)]
    return root / f"kernels-{source_digest([Path(__file__), *sources])}" if root and not PLAIN else None


CACHE: Path | None = _kernel_cache()


@contextmanager
def _cache_folder() -> Iterator[None]:
    # Numba reads the folder when a function is decorated: set it for ours only, and leave other people's kernels alone.
    before, config.CACHE_DIR = config.CACHE_DIR, str(CACHE)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a kernel on first use, without the GIL, kept on disk; in plain mode the function itself."""
    if PLAIN:
        return function
    with _cache_folder():
        return _widening(numba.njit(cache=CACHE is not None, nogil=True, error_model="numpy")(function))


def _widening(dispatcher: Any) -> Any:
    """Let kernels call this one with any integers, always as int64.

    Numba would compile it anew for every constant and every width it is called with, which tripled the time to compile.
    """
    specialised = dispatcher.get_call_template

    def get_call_template(arguments: Any, keywords: Any) -> Any:
        plain = [types.unliteral(kind) for kind in arguments]
        return specialised([types.int64 if isinstance(k, types.Integer) else k for k in plain], keywords)

    dispatcher.get_call_template = get_call_template
    return dispatcher


class Implementations:
    """What one variant plugs in: compiled hooks and constant tables, by name."""

    def __init__(self, hooks: dict[str, Callable[..., Any]], tables: dict[str, np.ndarray]):
        self.hooks = hooks
        self.tables = tables


_implementations: dict[str, Implementations] = {}
HOOKS: dict[str, dict[str, Callable[..., Any] | None]] = {}
"""Hooks by the module that asks and their name, each with its shared default; None where a variant must answer."""


def register(marker: str, implementations: Implementations) -> None:
    """Make a variant's hooks and tables the ones used for records whose first field is `marker`."""
    _implementations[marker] = implementations


def _marker(record: Any) -> str:
    return next(name for name in record.fields if name.startswith(MARKER))


def _dispatch(function: Callable[..., Any], choose: Callable[[str], Callable[..., Any]]) -> Any:
    """A function that stands for `choose(marker)` of the record it is called with."""
    if PLAIN:
        chosen: dict[str, Callable[..., Any]] = {}

        def plain(game: Any, *arguments: Any) -> Any:
            marker = game.dtype.names[0]
            if marker not in chosen:
                chosen[marker] = choose(marker)
            return chosen[marker](game, *arguments)

        plain.__name__, plain.__doc__ = function.__name__, function.__doc__
        return plain

    @overload(function)
    def resolve(game, *arguments):  # Numba compares signatures: no annotations
        if isinstance(game, types.Record):
            implementation = choose(_marker(game))
            return lambda game, *arguments: implementation(game, *arguments)
        return None

    return function


def hook(function: Callable[..., Any]) -> Any:
    """Declare a question that every variant must answer."""
    return _declare(function, None)


def optional_hook(function: Callable[..., Any]) -> Any:
    """Declare a question whose body is the answer of a variant that gives none."""
    # A copy: the hook itself is the key by which Numba finds the implementation.
    copy = FunctionType(function.__code__, function.__globals__, function.__name__)
    return _declare(function, compiled(copy))


def _declare(function: Callable[..., Any], default: Callable[..., Any] | None) -> Any:
    name = function.__name__
    HOOKS.setdefault(function.__module__, {})[name] = default
    return _dispatch(function, lambda marker: _implementations[marker].hooks[name])


def lookup(function: Callable[..., Any]) -> Any:
    """Declare a constant array of the variant, read as `name(game, index)`."""
    name = function.__name__

    def choose(marker: str) -> Callable[..., Any]:
        values = _implementations[marker].tables[name]
        if PLAIN:
            return lambda game, index: int(values[index])
        return _widening(numba.njit(lambda game, index: np.int64(values[index])))

    return _dispatch(function, choose)


class _Announcer(event.Listener):
    """Says once on stderr that kernels are being compiled, so that a silent minute isn't taken for a hang."""

    def __init__(self) -> None:
        self.said: set[str] = set()

    def on_start(self, event: Any) -> None:
        for kind in event.data["args"]:
            record = getattr(kind, "dtype", kind)
            if isinstance(record, types.Record) and record.members[0][0].startswith(MARKER):
                variant = record.members[0][0].removeprefix(MARKER).rpartition("_")[0]
                if variant not in self.said:
                    self.said.add(variant)
                    kept = f"kept in {CACHE}" if CACHE else "not kept: no writable cache folder"
                    print(f"mahjong-env: compiling the rules of {variant} (up to a minute; {kept})", file=sys.stderr)

    def on_end(self, event: Any) -> None:
        pass


if not PLAIN:
    event.register("numba:compile", _Announcer())
