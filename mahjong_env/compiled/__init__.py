"""Compiled kernels and the hooks through which a variant plugs into them. The only folder that imports Numba.

Kernel code is plain Python over the game's state. `compiled` turns a function into machine code; with
`NUMBA_DISABLE_JIT=1` it leaves it as it is, so that a debugger can step through the same rules. A `hook` is a function
whose implementation is chosen by the type of the game's state it is called with, and a `lookup` is a constant array chosen
the same way: so the turn cycles are written once and every variant answers in its own file.

Kernels allocate nothing, raise nothing, print nothing and take no strings.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np

from mahjong_env.compiled.dispatch import MARKER, Implementations, hook_of, register, table_of
from mahjong_env.compiled.failures import KernelError, explain_by
from mahjong_env.kernel_cache import Store, cache_root

PLAIN: bool = bool(numba.config.DISABLE_JIT)
"""True where kernels run as plain Python (`NUMBA_DISABLE_JIT=1`)."""

if not PLAIN:
    from mahjong_env.compiled.digest import choices
    from mahjong_env.compiled.kernels import Compiler, Kernel, declare_question


def source_digest(paths: list[Path]) -> str:
    """Twelve hex digits that change with the content of any of the files."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


__all__ = ["HOOKS", "MARKER", "PLAIN", "STORE", "Implementations", "KernelError", "compiled", "compiled_once", "explain_by", "hook",
           "lookup", "optional_hook", "register", "source_digest"]  # fmt: skip

STORE = Store(None if PLAIN else cache_root())
"""Where machine code is kept."""
if not PLAIN:
    Kernel.compiler = Compiler(STORE)


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a kernel on first use, without the GIL, kept on disk; in plain mode the function itself."""
    return function if PLAIN else Kernel(function)


def compiled_once(function: Callable[..., Any]) -> Any:
    """As `compiled`, for a large kernel that several others call: its machine code is made once, and called by address.

    A call costs some nanoseconds and nothing is inlined: for what is called once a decision, not once a tile.
    """
    return function if PLAIN else Kernel(function, once=True)


HOOKS: dict[str, dict[str, Callable[..., Any] | None]] = {}
"""Hooks by the module that asks and their name, each with its shared default; None where a variant must answer."""


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

    choices[function] = choose
    declare_question(function, choose)
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
    return _dispatch(function, lambda marker: hook_of(marker, name))


def lookup(function: Callable[..., Any]) -> Any:
    """Declare a constant array of the variant, read as `name(game, index)`."""
    name = function.__name__

    def choose(marker: str) -> Callable[..., Any]:
        values = table_of(marker, name)
        if PLAIN:
            return lambda game, index: int(values[index])
        if marker not in known:
            known[marker] = Kernel(lambda game, index: np.int64(values[index]))
        return known[marker]

    known: dict[str, Any] = {}
    return _dispatch(function, choose)
