"""Kernels as they stand in their files: their syntax with true line numbers, and what the names in them mean.

Nothing here compiles or calls a kernel. A function whose source can't be read is no `Kernel`; nobody judges it.
"""

import ast
import builtins
import enum
import inspect
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property, lru_cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

MISSING: Any = object()
"""What a name means that means nothing, or nothing that is known before the kernel runs."""

DECORATORS = ("compiled", "hook", "optional_hook", "table", "njit", "jit")
"""Names of the decorators that make a function a kernel."""

STATE = "game"
"""What a kernel calls the state of its game."""


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake, and where it stands."""

    file: str
    line: int
    function: str
    text: str

    def __str__(self) -> str:
        return f"{Path(self.file).name}:{self.line} in {self.function}: {self.text}"


@dataclass(frozen=True)
class Answer:
    """What a question asks of the function that answers it.

    `returns` says in words what comes back, None for nothing. `plain` marks a question for people, whose answer is no
    kernel. `sets` names fields each of which the answer, or what it calls, must write; `offers` names verbs that it
    must offer if it offers any. Only an answer with `sets_options` may write to the options.
    """

    parameters: tuple[str, ...]
    returns: str | None = None
    sentence: str = ""
    plain: bool = False
    sets: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    sets_options: bool = False
    asked: Any = None
    """The function that asks it, where that is known: another one of its name is a kernel like any."""


@dataclass(frozen=True)
class Vocabulary:
    """What kernels can know of their game.

    `fields` gives the shape of each field of the state, () for a single number, at a table with the most seats;
    `options` and `verbs` are the variant's own; `all_verbs` gives the number of every verb there is. `tables` are the
    questions that the package answers from constants, as `name(game, index)`.
    """

    fields: Mapping[str, tuple[int, ...]]
    options: Collection[str]
    verbs: Collection[str]
    all_verbs: Mapping[str, int]
    tables: Collection[str] = ("first_action", "verb_of", "argument_of")

    def verb_numbered(self, number: int) -> str | None:
        """The verb of that number, None if there is none."""
        return next((verb for verb, known in self.all_verbs.items() if known == number), None)


def plain_function(function: Callable[..., Any]) -> Any:
    """The Python function inside a compiled one, or the function itself."""
    return getattr(function, "py_func", function)


# --- reading ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Source:
    """A file's syntax, and its functions by name and the line they begin at."""

    tree: ast.Module
    functions: Mapping[tuple[str, int], ast.FunctionDef]


@lru_cache(maxsize=128)
def _parsed(path: str, _time: int, _size: int) -> Source | None:
    try:
        tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return None
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return Source(tree, {(node.name, first_line(node)): node for node in functions})


def source_of(path: str) -> Source | None:
    """A file as it is now; None where it can't be read."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return _parsed(path, status.st_mtime_ns, status.st_size)


def tree_of(path: str) -> ast.Module | None:
    """The syntax of a file as it is now; None where it can't be read."""
    source = source_of(path)
    return source.tree if source else None


def first_line(node: ast.FunctionDef) -> int:
    """Where a function begins for Python: at its first decorator."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def read_kernel(function: Callable[..., Any]) -> "Kernel | None":
    """The kernel of a function, compiled or not; None where its source can't be found."""
    plain = plain_function(function)
    if not isinstance(plain, FunctionType):
        return None
    source = source_of(plain.__code__.co_filename)
    node = source.functions.get((plain.__code__.co_name, plain.__code__.co_firstlineno)) if source else None
    return Kernel(plain, node) if node else None


@dataclass(eq=False)
class Kernel:
    """A function and its syntax."""

    function: FunctionType
    node: ast.FunctionDef
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for node in ast.walk(self.node):
            self.parents |= dict.fromkeys(ast.iter_child_nodes(node), node)

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def file(self) -> str:
        return self.function.__code__.co_filename

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters, those with a star aside."""
        given = self.node.args
        return tuple(each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs))

    @cached_property
    def stores(self) -> dict[str, list[ast.AST]]:
        """Where each local name gets a value, parameters aside."""
        found: dict[str, list[ast.AST]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                found.setdefault(node.id, []).append(node)
            elif isinstance(node, ast.MatchAs | ast.MatchStar | ast.ExceptHandler) and node.name:
                found.setdefault(node.name, []).append(node)
            elif isinstance(node, ast.MatchMapping) and node.rest:
                found.setdefault(node.rest, []).append(node)
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.setdefault(node.name, []).append(node)
            elif isinstance(node, ast.alias):
                found.setdefault((node.asname or node.name).partition(".")[0], []).append(node)
        return found

    @cached_property
    def locals(self) -> frozenset[str]:
        """Every name that belongs to the function."""
        star = {each.arg for each in (self.node.args.vararg, self.node.args.kwarg) if each}
        inner = {each.arg for node in self.nodes if isinstance(node, ast.Lambda) for each in node.args.args}
        return frozenset({*self.parameters, *self.stores, *star, *inner})

    @cached_property
    def states(self) -> frozenset[str]:
        """The parameters that are the state of the game, and stay it."""
        return frozenset({STATE} & set(self.parameters) - set(self.stores))

    @cached_property
    def bindings(self) -> dict[str, ast.expr]:
        """The values of locals that are set once, by a plain assignment, from what was there before."""
        found = {}
        for name, places in self.stores.items():
            value = self.value_given(places[0]) if len(places) == 1 and name not in self.parameters else None
            if value is not None and self.is_older(value, places[0]):
                found[name] = value
        return found

    def value_given(self, place: ast.AST) -> ast.expr | None:
        """What a plain assignment gives a name, alone or as one of several; None for another way to set it."""
        parent = self.parents.get(place)
        if isinstance(parent, ast.NamedExpr | ast.AnnAssign) or (
            isinstance(parent, ast.Assign) and place in parent.targets
        ):
            return parent.value
        assignment = self.parents.get(parent) if isinstance(parent, ast.Tuple) else None
        if not (isinstance(parent, ast.Tuple) and isinstance(assignment, ast.Assign) and parent in assignment.targets):
            return None
        parts = assignment.value.elts if isinstance(assignment.value, ast.Tuple) else []
        starred = any(isinstance(each, ast.Starred) for each in (*parts, *parent.elts))
        return None if starred or len(parts) != len(parent.elts) else parts[parent.elts.index(place)]  # type: ignore[arg-type]

    def is_older(self, value: ast.expr, place: ast.AST) -> bool:
        """Whether all locals in a value were set before a place, so that following them comes to an end."""
        names = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
        return all(position(each) < position(place) for name in names for each in self.stores.get(name, []))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of its body, docstring aside."""
        return tuple(node for statement in body_of(self.node) for node in ast.walk(statement))

    def ancestors(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        """What a node stands in, from the inside out, each with its child on the way."""
        while node in self.parents:
            yield self.parents[node], node
            node = self.parents[node]

    def meaning(self, name: str) -> Any:
        """What a name that isn't a local stands for; MISSING if nothing."""
        if name in self.locals:
            return MISSING
        cells = dict(zip(self.function.__code__.co_freevars, self.function.__closure__ or (), strict=True))
        if name in cells:
            return cells[name].cell_contents
        scope = self.function.__globals__
        return scope[name] if name in scope else getattr(builtins, name, MISSING)

    def thing(self, node: ast.AST) -> Any:
        """What a name, or an attribute of a module or of an enumeration, stands for; MISSING if it isn't known."""
        if isinstance(node, ast.Name):
            return self.meaning(node.id)
        if isinstance(node, ast.Attribute):
            owner = self.thing(node.value)
            if isinstance(owner, ModuleType) or (isinstance(owner, type) and issubclass(owner, enum.IntEnum)):
                return getattr(owner, node.attr, MISSING)
        return MISSING

    def constant(self, node: ast.AST) -> int | None:
        """The whole number that an expression is, where it doesn't depend on the game."""
        if isinstance(node, ast.Constant):
            return node.value if type(node.value) is int else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self.constant(node.operand)
            return None if inner is None else -inner
        if isinstance(node, ast.BinOp):
            return _calculated(node.op, self.constant(node.left), self.constant(node.right))
        value = self.thing(node)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def problem(self, node: ast.AST, text: str) -> Problem:
        """A mistake at a node."""
        return Problem(self.file, getattr(node, "lineno", self.node.lineno), self.name, text)


def position(node: ast.AST) -> tuple[int, int]:
    """Where a node stands in its file."""
    return getattr(node, "lineno", 0), getattr(node, "col_offset", 0)


def _calculated(operator: ast.operator, left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        return None
    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    return left * right if isinstance(operator, ast.Mult) else None


def body_of(node: ast.FunctionDef) -> list[ast.stmt]:
    """A function's statements without its docstring."""
    first = node.body[0]
    documented = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return node.body[1:] if documented else node.body


def within(statements: list[ast.stmt]) -> Iterator[ast.AST]:
    """Every node of some statements, those of functions and classes made in them aside."""
    waiting: list[ast.AST] = list(statements)
    while waiting:
        node = waiting.pop(0)
        yield node
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            waiting = [*ast.iter_child_nodes(node), *waiting]


# --- what functions are -----------------------------------------------------------------------------------------------


def looks_compiled(function: Any) -> bool:
    """Whether a function is a kernel: compiled, or written with one of the decorators where those do nothing."""
    if hasattr(function, "py_func"):
        return True
    kernel = read_kernel(function)
    return kernel is not None and any(
        name in DECORATORS for name in decorators_of(kernel.node, kernel.function.__globals__)
    )


def decorators_of(node: ast.FunctionDef, scope: Mapping[str, Any]) -> list[str]:
    """The names of a function's decorators, as they were called where they were defined."""
    found = []
    for decorator in node.decorator_list:
        inner = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")
        found.append(getattr(scope.get(name), "__name__", name) if isinstance(inner, ast.Name) else name)
    return found


def signature_of(function: Any) -> inspect.Signature | None:
    """The parameters of a function; None where they aren't known, as of a question asked through the package."""
    try:
        signature = inspect.signature(plain_function(function))
    except (TypeError, ValueError):
        return None
    kinds = {parameter.kind for parameter in signature.parameters.values()}
    return None if inspect.Parameter.VAR_POSITIONAL in kinds else signature


def name_of(function: Any) -> str:
    """What a function is called where it was defined."""
    return getattr(plain_function(function), "__name__", "")


# --- words ------------------------------------------------------------------------------------------------------------


def did_you_mean(name: str, known: Collection[str]) -> str:
    """`; did you mean x?`, or what there is if nothing is like it, or nothing if there is too much."""
    close = get_close_matches(name, [each for each in known if each != name], 1, 0.6)
    if close:
        return f"; did you mean {close[0]}?"
    return f"; there are {', '.join(sorted(known))}" if 0 < len(known) <= 12 else ""


def shown(node: ast.AST, most: int = 50) -> str:
    """An expression as it is written, cut short."""
    text = ast.unparse(node)
    return text if len(text) <= most else text[: most - 1] + "…"


def counted(number: int, noun: str, many: str | None = None) -> str:
    """`1 index`, `2 indices`."""
    return f"{number} {noun if number == 1 else many or noun + 's'}"
