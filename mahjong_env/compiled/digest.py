"""The content of a kernel: a digest of everything that its machine code depends on, and of nothing else.

That is its bytecode and constants, the values of the globals it reads, and the same of every kernel it calls; hooks and
tables are those of the variant whose record it is called with. Where the code stands, its docstrings and comments, and
whatever it doesn't reach are left out.
"""

import dis
import hashlib
import math
import re
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import registry

from mahjong_env.compiled.dispatch import MARKER

FORMAT = 5
"""Raise it when kernels are compiled in another way, so that machine code from before isn't found."""

_SETTINGS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "LLVM_REFPRUNE_PASS",
             "LLVM_REFPRUNE_FLAGS", "USE_LLVMLITE_MEMORY_MANAGER")  # fmt: skip
_EXTENDED, _GLOBAL, _CODE_UNIT = dis.opmap["EXTENDED_ARG"], dis.opmap["LOAD_GLOBAL"], 2
_HAS_DOCSTRING = 1 << 26  # a flag from Python 3.13 on
_CONSTANTS = frozenset(dis.hasconst)
_PLAIN_MODULES = (np, math)
_VERSION_IN_MARKER = re.compile(rf"\b{MARKER}\w+?_[0-9a-f]{{12}}\b")

Token = bytes | Any
"""Part of a function's content: bytes, or a kernel or a hook that it refers to."""

choices: dict[Any, Callable[[str], Any]] = {}
"""What stands for a hook or a table, given a marker: a kernel, or the array."""


def content_key(function: FunctionType, arguments: tuple[Any, ...]) -> str:
    """The digest, in hex digits, of a kernel's content for these argument types."""
    kinds = [str(kind) for kind in arguments]
    markers = sorted({name for kind in kinds for name in _VERSION_IN_MARKER.findall(kind)})
    digest = hashlib.sha256(_machine())
    for kind in kinds:
        digest.update(_VERSION_IN_MARKER.sub(MARKER, kind).encode() + b"\0")
    for part in _closure(function, markers):
        digest.update(part)
    return digest.hexdigest()[:32]


@cache
def _machine() -> bytes:
    """What all kernels depend on."""
    settings = [str(getattr(numba.config, name, None)) for name in _SETTINGS]
    codegen = registry.cpu_target.target_context.codegen().magic_tuple()
    versions = (FORMAT, sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    return repr((versions, codegen, settings)).encode()


def _closure(function: FunctionType, markers: list[str]) -> Iterator[bytes]:
    """The content of the function and of all it refers to; each is told once, and by its number after that."""
    numbers = {id(function): 0}
    waiting: list[Any] = [function]
    for one in waiting:
        for token in _answers(one, markers) if one in choices else _tokens(one):
            if isinstance(token, bytes):
                yield token
                continue
            if id(token) not in numbers:
                numbers[id(token)] = len(numbers)
                waiting.append(token)
            yield b"<%d>" % numbers[id(token)]
        yield b"\n"


def _answers(question: Any, markers: list[str]) -> list[Token]:
    """A hook or a table, as the variants of these markers answer it."""
    found: list[Token] = []
    for marker in markers:
        try:
            _describe(choices[question](marker), found)
        except KeyError:
            found.append(b"missing;")
    return found


_known: dict[FunctionType, list[Token]] = {}


def _tokens(function: FunctionType) -> list[Token]:
    """The content of one function by itself."""
    if function not in _known:
        found: list[Token] = []
        _describe_code(function.__code__, function, found)
        _describe(function.__defaults__, found)
        _known[function] = found
    return _known[function]


def _describe_code(code: CodeType, function: FunctionType, found: list[Token]) -> None:
    names = (code.co_name, code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars)
    shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & ~_HAS_DOCSTRING)
    instructions, constants = _instructions(code)
    found.append(repr((names, shape)).encode() + instructions)
    for constant in constants:
        if isinstance(constant, CodeType):
            _describe_code(constant, function, found)
        else:
            _describe(constant, found)
    for name in _globals_read(code):
        _describe_global(name, code, function, found)
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    for name in code.co_freevars:
        if name in cells:
            found.append(name.encode() + b"=")
            _describe(cells[name].cell_contents, found)


def _instructions(code: CodeType) -> tuple[bytes, list[Any]]:
    """The bytecode without the places of its constants, and the constants in the order of their use.

    A docstring is a constant that is never used, and moves the others.
    """
    plain, constants, high = bytearray(code.co_code), [], 0
    for place in range(0, len(plain), _CODE_UNIT):
        operation, argument = plain[place], plain[place + 1] | high
        if operation in _CONSTANTS:
            constants.append(code.co_consts[argument])
            plain[place + 1] = 0
        high = argument << 8 if operation == _EXTENDED else 0
    return bytes(plain), constants


def _globals_read(code: CodeType) -> list[str]:
    """Names of globals that the code loads, in order."""
    found: dict[str, None] = {}
    high = 0
    for place in range(0, len(code.co_code), _CODE_UNIT):
        operation, argument = code.co_code[place], code.co_code[place + 1] | high
        if operation == _GLOBAL:
            found[code.co_names[argument >> 1]] = None
        high = argument << 8 if operation == _EXTENDED else 0
    return list(found)


def _describe_global(name: str, code: CodeType, function: FunctionType, found: list[Token]) -> None:
    found.append(name.encode() + b"=")
    if name not in function.__globals__:
        found.append(b"builtin;")
        return
    value = function.__globals__[name]
    _describe(value, found)
    if isinstance(value, ModuleType) and value not in _PLAIN_MODULES:
        for attribute in code.co_names:  # which of them are the module's isn't known: those it has
            if hasattr(value, attribute):
                found.append(attribute.encode() + b"=")
                _describe(getattr(value, attribute), found)


def _describe(value: Any, found: list[Token]) -> None:
    """Append what stands for a value."""
    inner = getattr(value, "py_func", value)
    if isinstance(inner, FunctionType) and inner is not value:  # a kernel, or a function compiled in Numba's own way
        found.append(f"{getattr(value, 'once', '')} {getattr(value, 'targetoptions', '')!r};".encode())
        found.append(inner)
    elif isinstance(value, Enum):
        found.append(f"{type(value).__name__}.{value.name}:".encode())
        _describe(value.value, found)
    elif value is None or isinstance(value, bool | int | float | complex | str | bytes | np.generic | np.dtype):
        found.append(f"{type(value).__name__} {value!r};".encode())
    elif isinstance(value, tuple | frozenset):
        found.append(f"{type(value).__name__} {len(value)}:".encode())
        for one in value if isinstance(value, tuple) else sorted(value, key=repr):
            _describe(one, found)
    elif isinstance(value, np.ndarray):
        found.append(_array_content(value))
    elif isinstance(value, FunctionType):
        found.append(value)
    elif isinstance(value, ModuleType | BuiltinFunctionType | type) or hasattr(value, "__name__"):
        found.append(f"{getattr(value, '__module__', '')}.{value.__name__};".encode())
    else:
        found.append(f"{type(value).__name__} {value!r};".encode())


_arrays: dict[int, tuple[np.ndarray, bytes]] = {}


def _array_content(array: np.ndarray) -> bytes:
    """An array's type and the digest of its values; kept, since the hands' tables are large."""
    if id(array) not in _arrays:
        digest = hashlib.blake2b(np.ascontiguousarray(array).view(np.uint8).data, digest_size=16).digest()
        _arrays[id(array)] = array, f"array {array.dtype!r} {array.shape} {array.flags.c_contiguous};".encode() + digest
    return _arrays[id(array)][1]
