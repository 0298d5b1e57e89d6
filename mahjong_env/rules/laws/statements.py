"""What is wrong with a variant's kernels, told when the file is loaded: each mistake by file, line and function.

Numba would tell it hundreds of lines long, or compile in silence what goes wrong in play. A check tells only what is
certain: whatever it can't follow passes.
"""

import ast
import enum
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from mahjong_env.rules.laws.chains import Chains
from mahjong_env.rules.laws.endings import endless_problems, return_problems, returns_of
from mahjong_env.rules.laws.kernels import (
    MISSING,
    Answer,
    Kernel,
    Problem,
    Vocabulary,
    decorators_of,
    did_you_mean,
    looks_compiled,
    name_of,
    plain_function,
    read_kernel,
    shown,
    signature_of,
    tree_of,
)
from mahjong_env.rules.laws.places import place_problems

__all__ = ["Answer", "Problem", "Vocabulary", "kernel_problems", "reserved_names", "unused_answers"]

FORBIDDEN: dict[type[ast.AST], str] = {
    ast.Raise: "raises: kernels can't; give back a number that says so",
    ast.Assert: "asserts: kernels can't; the tests and `check` look at what they do",
    ast.Try: "try: nothing is raised in kernels",
    ast.With: "with: kernels open nothing",
    ast.JoinedStr: "makes a string: kernels have none",
    ast.List: "makes a list: kernels allocate nothing; write a tuple, or keep numbers in a field of the game",
    ast.Set: "makes a set: kernels allocate nothing; a number can hold a bit for each kind",
    ast.Dict: "makes a dict: kernels allocate nothing; a tuple or a NumPy constant can be read by number",
    ast.ListComp: "makes a list: kernels allocate nothing; write the loop out",
    ast.SetComp: "makes a set: kernels allocate nothing; write the loop out",
    ast.DictComp: "makes a dict: kernels allocate nothing; write the loop out",
    ast.GeneratorExp: "makes a generator: write the loop out",
    ast.Lambda: "makes a function: write a kernel of its own",
    ast.FunctionDef: "defines a function inside: write a kernel of its own",
    ast.ClassDef: "defines a class inside: kernels make no objects",
    ast.Yield: "yields: a kernel gives back one answer",
    ast.YieldFrom: "yields: a kernel gives back one answer",
    ast.Await: "awaits: kernels wait for nothing",
    ast.Global: "global: a kernel keeps nothing outside the game's record; use a field",
    ast.Nonlocal: "nonlocal: a kernel keeps nothing outside the game's record; use a field",
    ast.Import: "imports inside: import at the top of the file",
    ast.ImportFrom: "imports inside: import at the top of the file",
    ast.Delete: "deletes: there is nothing to delete in a kernel",
    ast.Starred: "unpacks with a star: name the values one by one",
}
"""Syntax that no kernel has, and why or what to write instead."""

CALLABLE = (
    int, float, bool, abs, min, max, range, len, sum, round, divmod, pow, enumerate, zip, any, all, reversed
)  # fmt: skip
"""What kernels may call of Python's own."""

ALLOCATING = (
    "zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like", "full_like", "array", "asarray",
    "ascontiguousarray", "arange", "linspace", "concatenate", "stack", "hstack", "vstack", "column_stack", "append",
    "insert", "delete", "repeat", "tile", "unique", "sort", "argsort", "cumsum", "cumprod", "copy", "nonzero",
    "flatnonzero", "argwhere", "where", "bincount", "eye", "identity", "diff", "roll", "outer", "meshgrid",
    "reshape", "ravel", "split"
)  # fmt: skip
"""NumPy's functions that make an array."""

METHODS = (
    "copy", "append", "extend", "insert", "pop", "remove", "clear", "update", "add", "discard", "setdefault", "get",
    "items", "keys", "values", "tolist", "astype", "flatten", "ravel", "nonzero", "repeat", "cumsum", "cumprod",
    "argsort", "tobytes", "format", "join", "split", "strip", "lower", "upper", "startswith", "endswith"
)  # fmt: skip
"""Methods of arrays that make one, and of objects that kernels haven't got."""


def kernel_problems(
    kernels: Iterable[Callable[..., Any]],
    vocabulary: Vocabulary,
    answers: Mapping[str, Answer],
    is_kernel: Callable[[Any], bool] = looks_compiled,
) -> list[Problem]:
    """Everything that is certainly wrong with a variant's kernels, in the order of their files; empty if nothing is.

    `kernels` are the compiled functions of the variant's own files, answers and others; one is an answer by its name.
    `answers` says what each question of the turn cycle asks. `is_kernel` tells whether a function may be called by a
    kernel: by default, whether it is compiled or written with such a decorator, or is a question.
    """
    read = [kernel for function in kernels if (kernel := read_kernel(function)) is not None]
    chains = Chains(read, vocabulary, answers)
    found: list[Problem] = []
    for kernel in read:
        answer = answers.get(kernel.name)
        answer = None if answer is None or answer.plain else answer
        found += Laws(kernel, chains, is_kernel).found
        found += place_problems(kernel, vocabulary, answer is not None and answer.sets_options)
        found += return_problems(kernel, answer.returns if answer else None)
        found += endless_problems(kernel)
        found += chains.verb_problems(kernel)
        found += chains.recursion_problems(kernel)
        if answer:
            found += parameter_problems(kernel, answer) or chains.duty_problems(kernel, answer)
    return sorted(set(found))


# --- law by law -------------------------------------------------------------------------------------------------------


class Laws(ast.NodeVisitor):
    """One kernel's syntax, names and calls."""

    def __init__(self, kernel: Kernel, chains: Chains, is_kernel: Callable[[Any], bool]):
        self.kernel = kernel
        self.chains = chains
        self.is_kernel = is_kernel
        self.found: list[Problem] = []
        self.check_stars()
        self.check_first_values()
        for statement in kernel.node.body:
            self.visit(statement)

    def tell(self, node: ast.AST, text: str) -> None:
        self.found.append(self.kernel.problem(node, text))

    def visit(self, node: ast.AST) -> None:
        """Forbidden syntax is told once, and what stands in it isn't looked at."""
        if type(node) in FORBIDDEN:
            self.tell(node, FORBIDDEN[type(node)])
        else:
            super().visit(node)

    def check_stars(self) -> None:
        """Parameters of any number."""
        given = self.kernel.node.args
        for star, each in (("*", given.vararg), ("**", given.kwarg)):
            if each:
                self.tell(self.kernel.node, f"takes {star}{each.arg}: name the parameters one by one")

    def check_first_values(self) -> None:
        """Locals that are only ever added to, and so have nothing to be added to."""
        for name, places in self.kernel.stores.items():
            parents = [self.kernel.parents.get(place) for place in places]
            if all(isinstance(parent, ast.AugAssign) for parent in parents) and name not in self.kernel.parameters:
                means = self.kernel.function.__globals__.get(name, MISSING) is not MISSING
                hint = " (a name of the file can't be changed: keep such a number in a field)" if means else ""
                self.tell(places[0], f"{name} is changed before it has a value: begin with {name} = 0{hint}")

    # --- statements and values ----------------------------------------------------------------------------------------

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return  # a docstring, or a remark: it does nothing
        if isinstance(node.value, ast.Compare):
            meant = (
                f"; did you mean {shown(node.value).replace('==', '=', 1)}?"
                if isinstance(node.value.ops[0], ast.Eq)
                else ""
            )
            self.tell(node, f"{shown(node.value)} compares, and nothing is done with the result{meant}")
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.target)
        if node.value:
            self.visit(node.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str | bytes):
            self.tell(node, f"uses the string {node.value!r}: kernels have only numbers; name it by a constant")
        elif node.value is None and not isinstance(self.kernel.parents.get(node), ast.Return | ast.Slice):
            self.tell(node, "uses None: kernels have only numbers; NOBODY and NO_TILE stand for nothing")

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        named = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
        if not (named and isinstance(node.value, ast.Name | ast.Attribute)):  # game["points"] is game.points
            self.visit(node.slice)

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for side in sides:
            parts = side.elts if isinstance(side, ast.Tuple | ast.List | ast.Set) else [side]
            texts = [part for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
            if texts:
                self.tell(node, f"{shown(node)} compares with a string: {self.number_meant(sides)}")
                return
        self.generic_visit(node)

    def number_meant(self, sides: Sequence[ast.expr]) -> str:
        """What to compare with instead of a string."""
        options = [side for side in sides if isinstance(side, ast.Attribute) and shown(side.value) == "game.options"]
        if options:
            return "kernels read an option as 1 or 0, the value's place in its choices, or the number"
        return "kernels have only numbers; name it by a constant"

    # --- names --------------------------------------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load) or node.id in self.kernel.locals:
            return
        value = self.kernel.meaning(node.id)
        if value is MISSING:
            self.tell(node, f"{node.id} isn't defined{did_you_mean(node.id, self.known_names())}")
        elif reason := self.unreadable(value):
            self.tell(node, f"{node.id} {reason}")

    def known_names(self) -> list[str]:
        """Names that a kernel could have meant; enough of them that they are never listed."""
        padding = [f"a name {i}" for i in range(13)]
        return [*self.kernel.locals, *self.kernel.function.__globals__, *(f.__name__ for f in CALLABLE), *padding]

    def visit_Attribute(self, node: ast.Attribute) -> None:
        owner = self.kernel.thing(node.value)
        if isinstance(owner, ModuleType) or (isinstance(owner, type) and issubclass(owner, enum.IntEnum)):
            value = self.kernel.thing(node)
            if value is MISSING:
                self.tell(node, f"{shown(node.value)} has no {node.attr}{did_you_mean(node.attr, dir(owner))}")
            elif reason := self.unreadable(value):
                self.tell(node, f"{shown(node)} {reason}")
        elif isinstance(owner, enum.EnumMeta):
            self.tell(node, f"{shown(node)} is a member of an Enum: an IntEnum's members are numbers")
        else:
            self.visit(node.value)

    def unreadable(self, value: Any) -> str | None:
        """Why a kernel can't read a thing of its file; None if it can."""
        if value is None:
            return "is None: kernels have only numbers"
        if isinstance(value, str | bytes):
            return "is a string: kernels have only numbers"
        if isinstance(value, bool | int | float | np.number | np.bool_):
            big = isinstance(value, int) and not -(1 << 63) <= value < 1 << 63
            return "is a number of more than 64 bits" if big else None
        if isinstance(value, tuple):
            return self.unreadable_parts(value)
        if isinstance(value, np.ndarray):
            return None if value.dtype.kind in "biuf" else f"is an array of {value.dtype}, not of numbers"
        if isinstance(value, list | dict | set | frozenset):
            instead = {dict: "an array", list: "a tuple"}.get(type(value), "a number with a bit for each")
            return f"is a {type(value).__name__}: kernels read numbers, tuples and NumPy arrays; make it {instead}"
        if isinstance(value, type):
            known = value in CALLABLE or issubclass(value, enum.IntEnum | BaseException) or value.__module__ == "numpy"
            return None if known else f"is a class: kernels make no objects, and read no {value.__name__}"
        if isinstance(value, ModuleType) or callable(value):
            return None if isinstance(value, ModuleType) else self.uncallable(value)
        return f"is a {type(value).__name__}: kernels read numbers, tuples of numbers and NumPy arrays, no objects"

    def unreadable_parts(self, value: tuple[Any, ...]) -> str | None:
        for part in value:
            if self.unreadable(part) is not None:
                return f"holds a {type(part).__name__}: kernels read tuples of numbers only"
        return None

    # --- calls --------------------------------------------------------------------------------------------------------

    def uncallable(self, function: Any) -> str | None:
        """Why a kernel can't call a function; None if it can."""
        name, home = name_of(function), getattr(function, "__module__", None) or ""
        if function in CALLABLE or home == "math" or isinstance(function, np.ufunc):
            return None
        if home == "builtins":
            usual = ", ".join(each.__name__ for each in CALLABLE[:8])
            return f"can't be called in a kernel; of Python's own there are {usual} and a few more"
        if home.startswith(("numpy.random", "random")) or "random" in str(getattr(function, "__self__", "")).lower():
            return "draws chance that isn't the game's: use random_below(game.random, number)"
        if home.startswith("numpy"):
            allocates = "makes an array: kernels allocate nothing; keep numbers in a field of the game"
            return allocates if name in ALLOCATING else None
        if self.chains.is_question(function) or plain_function(function) in self.chains.own or self.is_kernel(function):
            return None
        if isinstance(function, FunctionType):
            return "is a plain function: kernels call only functions decorated with @compiled"
        return "can't be called in a kernel"

    def visit_Call(self, node: ast.Call) -> None:
        function = self.kernel.thing(node.func)
        if isinstance(node.func, ast.Attribute) and function is MISSING and not self.is_module(node.func.value):
            if node.func.attr in METHODS:
                self.tell(node, f"{shown(node.func)}(): kernels allocate nothing, and have only numbers and fields")
            self.visit(node.func.value)
        elif isinstance(function, type) and function not in CALLABLE and function.__module__ != "numpy":
            self.tell(node, self.class_called(node, function))
        else:
            self.visit(node.func)
            self.check_arguments(node, function)
        for part in (*node.args, *(keyword.value for keyword in node.keywords)):
            if not (function is len and is_words(self.kernel.thing(part))):  # how many they are is a number
                self.visit(part)

    def is_module(self, node: ast.AST) -> bool:
        return isinstance(self.kernel.thing(node), ModuleType)

    def class_called(self, node: ast.Call, made: type) -> str:
        if made in (list, set, dict, tuple, str, bytes, bytearray, frozenset, object):
            return f"{shown(node)} makes a {made.__name__}: kernels have only numbers, and allocate nothing"
        return f"{shown(node)} makes an object: kernels have only numbers, and allocate nothing"

    def check_arguments(self, node: ast.Call, function: Any) -> None:
        """As many arguments as a kernel takes, and none by name where it is a question."""
        if any(not word.arg for word in node.keywords):
            self.tell(node, "unpacks with two stars: name the values one by one")
        elif any(isinstance(part, ast.Starred) for part in node.args):
            return  # told as what it is
        elif self.chains.is_question(function):
            self.check_question(node, name_of(function))
        elif isinstance(plain_function(function), FunctionType):
            self.check_signature(node, function)
            self.check_use(node, self.chains.own.get(plain_function(function)))

    def check_question(self, node: ast.Call, name: str) -> None:
        answer = self.chains.answers.get(name)
        wanted = list(answer.parameters) if answer else ["game", "verb" if name == "first_action" else "action"]
        if node.keywords:
            by_place = f"{name} takes ({', '.join(wanted)}) by place"
            self.tell(node, f"{name} is given {node.keywords[0].arg} by name: {by_place}")
        elif len(node.args) != len(wanted):
            self.tell(node, wrong_number(name, wanted, len(node.args)))

    def check_signature(self, node: ast.Call, function: Any) -> None:
        signature = signature_of(function)
        try:
            if signature is not None:
                signature.bind(*node.args, **{str(word.arg): word.value for word in node.keywords})
        except TypeError as error:
            given = len(node.args) + len(node.keywords)
            words = wrong_number(name_of(function), list(signature.parameters) if signature else [], given)
            self.tell(node, f"{words}: {error}" if node.keywords else words)

    def check_use(self, node: ast.Call, own: Kernel | None) -> None:
        """The value of a kernel that gives none."""
        if own and own.name not in self.chains.answers and not returns_of(own)[0]:
            if not isinstance(self.kernel.parents.get(node), ast.Expr | ast.Return):
                self.tell(node, f"{own.name} returns nothing, and its value is used here")


def is_words(value: Any) -> bool:
    """A tuple of strings."""
    return isinstance(value, tuple) and all(isinstance(part, str) for part in value)


def wrong_number(name: str, wanted: Sequence[str], given: int) -> str:
    """A call with too many or too few arguments."""
    return f"{name} takes {len(wanted)} ({', '.join(wanted)}), but {given} {'is' if given == 1 else 'are'} given"


def parameter_problems(kernel: Kernel, answer: Answer) -> list[Problem]:
    """An answer whose parameters aren't its question's. An underscore before the name of an unused one is no matter."""
    given, wanted = [name.lstrip("_") for name in kernel.parameters], list(answer.parameters)
    if given == wanted or kernel.node.args.vararg:
        return []
    asked, yours = ", ".join(wanted), ", ".join(kernel.parameters)
    if sorted(given) == sorted(wanted):
        text = f"has the parameters ({yours}) in another order than the question: it is asked as {kernel.name}({asked})"
    else:
        text = f"{kernel.name} is a question with parameters ({asked}), not ({yours}); rename yours if it is a helper"
    return [kernel.problem(kernel.node, text)]


# --- functions that answer nothing ------------------------------------------------------------------------------------


def unused_answers(
    modules: Sequence[ModuleType], questions: Mapping[str, Answer], is_kernel: Callable[[Any], bool] = looks_compiled
) -> list[Problem]:
    """Functions of a variant's modules that look like answers and are none: called by nobody and asked by nobody.

    The first module is the one whose attributes are the variant's answers. A name that begins with an underscore, and
    a function with a decorator that isn't known here, are left alone. Also told: answers of plain questions with other
    parameters, and answers of kernels' questions that aren't compiled.
    """
    mentions = [mentioned(module, questions if module is modules[0] else {}) for module in modules]
    found = []
    for kernel in own_functions(modules):
        answer = questions.get(kernel.name)
        decorators = decorators_of(kernel.node, kernel.function.__globals__)
        if answer is not None:
            found += parameter_problems(kernel, answer) if answer.plain else []
            if not answer.plain and not is_kernel(kernel.function):
                found.append(
                    kernel.problem(kernel.node, "answers a question of the rules, and must be decorated with @compiled")
                )
        elif not kernel.name.startswith("_") and all(name in ("compiled", "njit", "jit") for name in decorators):
            if not any(kernel.name in names for names in mentions):
                found.append(
                    kernel.problem(kernel.node, f"answers nothing and nothing calls it{meant(kernel.name, questions)}")
                )
    return sorted(set(found))


def meant(name: str, questions: Mapping[str, Answer]) -> str:
    """The question whose name is like it."""
    close = get_close_matches(name, questions, 1, 0.6)
    return f"; did you mean {close[0]}?" if close else ""


def own_functions(modules: Iterable[ModuleType]) -> list[Kernel]:
    """The functions that the modules define themselves."""
    found: dict[FunctionType, None] = {}
    for module in modules:
        for value in vars(module).values():
            plain = plain_function(value)
            if isinstance(plain, FunctionType) and plain.__module__ == module.__name__:
                found |= {plain: None} if "<" not in plain.__qualname__ else {}
    return [kernel for function in found if (kernel := read_kernel(function)) is not None]


def mentioned(module: ModuleType, questions: Collection[str]) -> set[str]:
    """Every name that a module's code uses, a function's own name inside it aside. What is imported counts, unless
    its name is nearly that of one of the questions that the module answers."""
    tree = tree_of(module.__file__ or "")
    found: set[str] = set()
    waiting: list[tuple[ast.AST, str]] = [(tree, "")] if tree else []
    while waiting:
        node, inside = waiting.pop()
        names: set[str] = set()
        if isinstance(node, ast.Name):
            names = {node.id}
        elif isinstance(node, ast.Attribute):
            names = {node.attr}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names = {node.value}
        elif isinstance(node, ast.ImportFrom):
            names = {each.name for each in node.names if not get_close_matches(each.name, questions, 1, 0.8)}
        found |= names - {inside}
        inside = node.name if isinstance(node, ast.FunctionDef) and not inside else inside
        waiting += [(child, inside) for child in ast.iter_child_nodes(node)]
    return found


def reserved_names() -> frozenset[str]:
    """Names that a field or an option can't have: in plain mode `record.any` is NumPy's method, not the field."""
    return frozenset(name for name in dir(np.record) if not name.startswith("__"))
