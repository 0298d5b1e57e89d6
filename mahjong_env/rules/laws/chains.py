"""What kernels do through others: verbs offered by the package's kernels, kernels that come back to themselves.

A call is followed into the package by the live functions; a question that the package asks leads to the answer.
"""

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import FunctionType
from typing import Any

from mahjong_env.rules.laws.endings import always_calls
from mahjong_env.rules.laws.kernels import (
    Answer,
    Kernel,
    Problem,
    Vocabulary,
    did_you_mean,
    name_of,
    plain_function,
    read_kernel,
)

FIRST_ACTION, VERB_OF = "first_action", "verb_of"


@dataclass(frozen=True)
class Need:
    """A verb that a kernel takes to be in the game, by the kernels through which it does, unless one of its parameters
    `only_if` is false."""

    verb: str
    through: tuple[str, ...] = ()
    only_if: frozenset[str] = frozenset()


class Chains:
    """The variant's kernels, and what can be reached from them."""

    def __init__(self, kernels: Iterable[Kernel], vocabulary: Vocabulary, answers: Mapping[str, Answer]):
        self.own = {kernel.function: kernel for kernel in kernels}
        self.answering = {kernel.name: kernel for kernel in self.own.values() if kernel.name in answers}
        self.vocabulary = vocabulary
        self.answers = answers
        self._read: dict[Any, Kernel | None] = {}
        self._needs: dict[Any, list[Need]] = {}
        self._calls: dict[Kernel, list[tuple[ast.Call, Any]]] = {}

    def read(self, function: Any) -> Kernel | None:
        """The kernel of a function of the package or the variant; None for a question, and where nothing can be read."""
        plain = plain_function(function)
        if plain in self.own:
            return self.own[plain]
        if self.is_question(plain):
            return None
        if plain not in self._read:
            self._read[plain] = read_kernel(plain)
        return self._read[plain]

    def is_question(self, function: Any) -> bool:
        """Whether calling the function asks the variant, or reads its constants."""
        name, inner = name_of(function), plain_function(function)
        if inner in self.own:
            return False
        answer = self.answers.get(name)
        is_asked = answer is not None and answer.asked in (None, function, inner)
        return is_asked or name in self.vocabulary.tables

    def calls(self, kernel: Kernel) -> list[tuple[ast.Call, Any]]:
        """The calls in a kernel whose function is known."""
        if kernel not in self._calls:
            calls = [node for node in kernel.nodes if isinstance(node, ast.Call)]
            found = [(node, plain_function(kernel.thing(node.func))) for node in calls]
            self._calls[kernel] = [(node, function) for node, function in found if isinstance(function, FunctionType)]
        return self._calls[kernel]

    # --- verbs --------------------------------------------------------------------------------------------------------

    def verbs_in(self, kernel: Kernel, node: ast.Call) -> list[str]:
        """The verbs whose first action a call asks for; empty where they aren't known."""
        if name_of(kernel.thing(node.func)) != FIRST_ACTION or len(node.args) != 2:
            return []
        choices = [node.args[1].body, node.args[1].orelse] if isinstance(node.args[1], ast.IfExp) else [node.args[1]]
        numbers = [kernel.constant(choice) for choice in choices]
        return [verb for number in numbers if number is not None and (verb := self.vocabulary.verb_numbered(number))]

    def verb_problems(self, kernel: Kernel) -> list[Problem]:
        """Verbs that the kernel, or one of the package that it calls, offers and the variant hasn't got."""
        found = []
        for node, function in self.calls(kernel):
            for verb in self.verbs_in(kernel, node):
                if verb not in self.vocabulary.verbs and not self.is_asked_for(kernel, verb):
                    text = f"first_action gives -1 for {verb}, which isn't among verbs{self.verb_like(verb)}"
                    found.append(kernel.problem(node, f"{text}; -1 as an index is the place of another action"))
            if function not in self.own and not self.is_question(function):
                found += [kernel.problem(node, text) for text in self.missing_through(kernel, node, function)]
        return found + self.compared(kernel)

    def missing_through(self, kernel: Kernel, node: ast.Call, function: Any) -> list[str]:
        """The verbs that a call of one of the package's kernels needs, in words."""
        found = []
        for need in self.passed_on(kernel, node, function):
            known = need.verb in self.vocabulary.verbs or self.is_asked_for(kernel, need.verb)
            if not known and not need.only_if - set(kernel.parameters):
                by = f" (through {', '.join(need.through[1:])})" if len(need.through) > 1 else ""
                found.append(
                    f"{need.through[0]}{by} offers {need.verb}, which isn't among verbs{self.verb_like(need.verb)}"
                )
        return list(dict.fromkeys(found))

    def compared(self, kernel: Kernel) -> list[Problem]:
        """Comparisons of an action's verb with one that no action has."""
        found = []
        for node in kernel.nodes:
            if isinstance(node, ast.Compare) and any(
                self.is_verb(kernel, side) for side in (node.left, *node.comparators)
            ):
                for side in (node.left, *node.comparators):
                    number = kernel.constant(side)
                    verb = None if number is None else self.vocabulary.verb_numbered(number)
                    if verb is not None and verb not in self.vocabulary.verbs:
                        text = f"no action has the verb {verb}, which isn't among verbs{self.verb_like(verb)}"
                        found.append(kernel.problem(node, text))
        return found

    def is_verb(self, kernel: Kernel, node: ast.AST) -> bool:
        """Whether an expression is an action's verb."""
        value = kernel.bindings.get(node.id) if isinstance(node, ast.Name) else node
        return isinstance(value, ast.Call) and name_of(kernel.thing(value.func)) == VERB_OF

    def verb_like(self, verb: str) -> str:
        return did_you_mean(verb, self.vocabulary.verbs)

    def needs(self, function: Any) -> list[Need]:
        """The verbs that a kernel of the package takes to be there."""
        if function not in self._needs:
            self._needs[function] = []  # also the answer while it is being found: a kernel that comes back to itself
            kernel = self.read(function)
            self._needs[function] = list(dict.fromkeys(self.found_needs(kernel))) if kernel else []
        return self._needs[function]

    def found_needs(self, kernel: Kernel) -> list[Need]:
        found = []
        for node, function in self.calls(kernel):
            conditions = parameters_asked(kernel, node)
            for verb in self.verbs_in(kernel, node):
                if self.is_index(kernel, node) and not self.is_asked_for(kernel, verb):
                    found.append(Need(verb, (kernel.name,), conditions))
            if not self.is_question(function) and function not in self.own:
                for need in self.passed_on(kernel, node, function):
                    if not self.is_asked_for(kernel, need.verb):
                        found.append(Need(need.verb, (kernel.name, *need.through), need.only_if | conditions))
        return found

    def passed_on(self, kernel: Kernel, node: ast.Call, function: Any) -> list[Need]:
        """The needs of a called kernel that this call doesn't switch off, by the parameters of the calling one."""
        callee = self.read(function)
        found = []
        for need in self.needs(function) if callee else ():
            given = [argument_for(callee, node, name) for name in need.only_if] if callee else []
            if not any(isinstance(value, ast.Constant) and not value.value for value in given):
                passed = {v.id for v in given if isinstance(v, ast.Name) and v.id in kernel.parameters}
                found.append(Need(need.verb, need.through, frozenset(passed)))
        return found

    def is_index(self, kernel: Kernel, node: ast.Call) -> bool:
        """Whether the first action of a verb is used to find a place."""
        uses: list[ast.AST] = [node]
        for name, value in kernel.bindings.items():
            if node in ast.walk(value):
                uses += [n for n in kernel.nodes if isinstance(n, ast.Name) and n.id == name]
        return any(
            isinstance(outer, ast.Subscript) and inner is outer.slice
            for use in uses
            for outer, inner in kernel.ancestors(use)
        )

    def is_asked_for(self, kernel: Kernel, verb: str) -> bool:
        """Whether some comparison in the kernel asks if the verb's first action is there."""
        for node in kernel.nodes:
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                values = [kernel.bindings.get(side.id) if isinstance(side, ast.Name) else side for side in sides]
                values = [value.value if isinstance(value, ast.NamedExpr) else value for value in values]
                asked = any(isinstance(value, ast.Call) and verb in self.verbs_in(kernel, value) for value in values)
                if asked and any(kernel.constant(side) in (-1, 0) for side in sides):
                    return True
        return False

    # --- kernels that come back to themselves -------------------------------------------------------------------------

    def recursion_problems(self, kernel: Kernel) -> list[Problem]:
        """Ways back to the kernel that never end, or that ask the variant again from within its answer."""
        found = []
        for node, function in self.calls(kernel):
            way = self.way_back(function, kernel)
            if way is None:
                continue
            if any(self.is_question(step) for step in way):
                chain = f"{kernel.name} calls " + ", which calls ".join(name_of(step) for step in way)
                found.append(kernel.problem(node, f"{chain}: an answer never calls back into what asks it"))
            elif self.never_ends([kernel.function, *way]):
                chain = " → ".join(name_of(step) for step in (kernel.function, *way))
                found.append(kernel.problem(node, f"{chain} never ends: nothing returns before the next call"))
        return found[:1]

    def way_back(self, start: Any, goal: Kernel) -> list[Any] | None:
        """The functions called one by the other from `start` until the kernel is reached again; None if it isn't."""
        ways: list[list[Any]] = [[start]]
        seen: set[Any] = {start}
        while ways:
            way = ways.pop(0)
            here = way[-1]
            kernel = self.answering.get(name_of(here)) if self.is_question(here) else self.read(here)
            if kernel is goal:
                return way
            for _, function in self.calls(kernel) if kernel else ():
                if function not in seen:
                    seen.add(function)
                    ways.append([*way, function])
        return None

    def never_ends(self, round_trip: list[Any]) -> bool:
        """Whether each function calls the next one before it can return."""
        for here, after in pairwise(round_trip):
            kernel = self.read(here)
            if kernel is None or not self.calls_always(kernel, after):
                return False
        return True

    def calls_always(self, kernel: Kernel, function: Any) -> bool:
        calls = {id(node) for node, called in self.calls(kernel) if called is function}
        return always_calls(kernel, lambda node: id(node) in calls)

    # --- what an answer must have done --------------------------------------------------------------------------------

    def duty_problems(self, kernel: Kernel, answer: Answer) -> list[Problem]:
        """Fields that neither the answer nor a kernel it calls writes, and verbs that it forgets to offer."""
        reached = self.reached(kernel)
        if reached is None or any(hands_out_fields(each) for each in reached):
            return []
        written = {name for each in reached for name in fields_written(each)}
        found = [f"sets no {name}: {answer.sentence}" for name in answer.sets if name not in written]
        if "legal" in written and all(self.writes_by_verb(each) for each in reached):
            asked = {verb for each in reached for node, _ in self.calls(each) for verb in self.verbs_in(each, node)}
            missing = [verb for verb in answer.offers if verb not in asked]
            found += [f"never offers {verb}: {answer.sentence}" for verb in missing]
        return [kernel.problem(kernel.node, text) for text in found]

    def reached(self, kernel: Kernel) -> list[Kernel] | None:
        """The kernel and all that it calls, by itself or through others; None where one can't be read."""
        found, waiting = [kernel], [kernel]
        while waiting:
            for _, function in self.calls(waiting.pop()):
                called = self.read(function)
                if called is None and self.is_question(function) and name_of(function) in self.answers:
                    called = self.answering.get(name_of(function))
                elif called is None and not self.is_question(function):
                    return None
                if called is not None and called not in found:
                    found.append(called)
                    waiting.append(called)
        return found

    def writes_by_verb(self, kernel: Kernel) -> bool:
        """Whether every action that the kernel offers is found by a verb that is known before the game."""
        for node in kernel.nodes:
            asks = isinstance(node, ast.Call) and name_of(kernel.thing(node.func)) == FIRST_ACTION
            if asks and not self.verbs_in(kernel, node):  # type: ignore[arg-type]
                return False
            if not isinstance(node, ast.Subscript) or isinstance(node.ctx, ast.Load):
                continue
            if field_of(kernel, node) == "legal":
                if kernel.constant(node.slice) is not None or isinstance(node.slice, ast.Slice):
                    return False
        return True


def parameters_asked(kernel: Kernel, node: ast.AST) -> frozenset[str]:
    """The parameters without which, being false, a node isn't reached."""
    found: set[str] = set()
    for outer, inner in kernel.ancestors(node):
        if isinstance(outer, ast.If) and inner in outer.body:
            test = outer.test
            parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
            found |= {part.id for part in parts if isinstance(part, ast.Name) and part.id in kernel.parameters}
    return frozenset(found - set(kernel.stores))


def argument_for(callee: Kernel, node: ast.Call, name: str) -> ast.expr | None:
    """What a call gives for a parameter."""
    place = callee.parameters.index(name)
    named = [keyword.value for keyword in node.keywords if keyword.arg == name]
    return node.args[place] if place < len(node.args) else named[0] if named else None


def field_of(kernel: Kernel, node: ast.AST | None) -> str | None:
    """The field of the state that an expression is, or is part of."""
    if isinstance(node, ast.Attribute):
        return node.attr if isinstance(node.value, ast.Name) and node.value.id in kernel.states else None
    if isinstance(node, ast.Subscript):
        return field_of(kernel, node.value)
    return field_of(kernel, kernel.bindings.get(node.id)) if isinstance(node, ast.Name) else None


def fields_written(kernel: Kernel) -> set[str]:
    """The fields of the state that a kernel writes itself."""
    places = (
        n for n in kernel.nodes if isinstance(n, ast.Attribute | ast.Subscript) and not isinstance(n.ctx, ast.Load)
    )
    return {field for node in places if (field := field_of(kernel, node))}


def hands_out_fields(kernel: Kernel) -> bool:
    """Whether a kernel gives fields to another under a name that isn't followed: then what is written isn't known."""
    takes_state = bool(kernel.states)
    for node in kernel.nodes:
        if isinstance(node, ast.Call) and not isinstance(kernel.thing(node.func), type):
            for part in node.args:
                whole = field_of(kernel, part) == "legal" and isinstance(part, ast.Attribute | ast.Name)
                if whole and name_of(kernel.thing(node.func)) != "len":
                    return True
    return not takes_state and any(
        isinstance(n, ast.Subscript) and not isinstance(n.ctx, ast.Load) for n in kernel.nodes
    )
