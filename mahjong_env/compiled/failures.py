"""What a kernel's author is told when it doesn't compile."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

_PACKAGE = Path(__file__).parent.parent
_PREAMBLE = ("Failed in", "During", "File", "- ")
_PLACED = re.compile(r".+, line \d+: ")


class KernelError(ValueError):
    """A kernel can't be compiled."""


class Failures:
    """The innermost kernel that failed, among those that are being compiled for one call, and why."""

    def __init__(self) -> None:
        self._thread = threading.local()

    @contextmanager
    def noted(self, function: FunctionType) -> Iterator[None]:
        """Remember the first thing that goes wrong: what comes after it is Numba's account of who called whom."""
        try:
            yield
        except Exception as error:
            if getattr(self._thread, "first", None) is None:
                self._thread.first = function, error
            raise

    def explained(self, compile_it: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """compile_it(*arguments), what goes wrong while a kernel is compiled raised as a KernelError."""
        self._thread.first = None
        try:
            return compile_it(*arguments, **keywords)
        except Exception:
            if self._thread.first is None:
                raise
            function, error = self._thread.first
            self._thread.first = None
            message = told_of(function, _explainer[0](error, lambda file: not Path(file).is_relative_to(_PACKAGE)))
        raise KernelError(message)


def told_of(function: FunctionType, explanation: str) -> str:
    """The explanation with the kernel's name, and its place where the explanation has none."""
    if _PLACED.match(explanation):
        return f"kernel {function.__name__}: {explanation}"
    return f"kernel {function.__name__}: {function.__code__.co_filename}, line {function.__code__.co_firstlineno}: {explanation}"


def first_reason(error: BaseException, mine: Callable[[str], bool]) -> str:
    """Numba's first line that says something."""
    lines = [line.strip() for line in re.sub(r"\x1b\[[0-9;]*m", "", str(error)).splitlines()]
    return next((line for line in lines if line and not line.startswith(_PREAMBLE)), repr(error))


Explainer = Callable[[BaseException, Callable[[str], bool]], str]
_explainer: list[Explainer] = [first_reason]


def explain_by(explainer: Explainer) -> None:
    """Have errors put in words by explainer(error, mine), where mine(file) says whether a file is its author's: at most ten
    lines, the first of which names the place where there is one. The layer of the rules knows the words."""
    _explainer[:] = [explainer]
