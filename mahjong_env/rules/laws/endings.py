"""How a kernel ends: with a value, without one, by calling itself for ever, or never."""

import ast
from collections.abc import Callable

from mahjong_env.rules.laws.kernels import Kernel, Problem, body_of, shown, within

Hits = Callable[[ast.AST], bool]


def returns_of(kernel: Kernel) -> tuple[list[ast.Return], list[ast.Return]]:
    """The returns with a value, and those without."""
    found = [node for node in within(body_of(kernel.node)) if isinstance(node, ast.Return)]
    return [node for node in found if has_value(node)], [node for node in found if not has_value(node)]


def has_value(node: ast.Return) -> bool:
    """Whether something comes back; None is nothing."""
    return node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None)


def return_problems(kernel: Kernel, returns: str | None) -> list[Problem]:
    """Ways in which the kernel ends without the value that it owes, to its question or by its other returns."""
    with_value, without = returns_of(kernel)
    if not with_value and returns is None:
        return []
    owed = f"its answer is {returns}" if returns else f"line {with_value[0].lineno} has {shown(with_value[0])}"
    if not with_value and not without:
        return [kernel.problem(kernel.node, f"returns nothing; {owed}")] if ends(kernel.node.body) else []
    found = [kernel.problem(node, f"returns nothing here; {owed}") for node in without]
    if ends(kernel.node.body):
        last = kernel.node.body[-1]
        found.append(kernel.problem(last, f"may end after this without a return; {owed}"))
    return found


def ends(statements: list[ast.stmt]) -> bool:
    """Whether play can run out of the last of some statements."""
    return all(goes_on(statement) for statement in statements)


def goes_on(statement: ast.stmt) -> bool:
    """Whether the next statement can be reached."""
    if isinstance(statement, ast.Return | ast.Raise | ast.Continue | ast.Break):
        return False
    if isinstance(statement, ast.If):
        return ends(statement.body) or ends(statement.orelse)
    if isinstance(statement, ast.While):
        return not is_always(statement.test) or breaks(statement)
    if isinstance(statement, ast.With):
        return ends(statement.body)
    if isinstance(statement, ast.Match):
        last = statement.cases[-1]
        whole = isinstance(last.pattern, ast.MatchAs) and not last.pattern.pattern and not last.guard
        return not whole or any(ends(case.body) for case in statement.cases)
    return True


def is_always(test: ast.expr) -> bool:
    """`while True`, `while 1`."""
    return isinstance(test, ast.Constant) and bool(test.value)


def breaks(loop: ast.While | ast.For) -> bool:
    """Whether a break leaves that very loop."""
    waiting: list[ast.AST] = list(loop.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, ast.While | ast.For):
            waiting += node.orelse
        else:
            waiting += ast.iter_child_nodes(node)
    return False


def endless_problems(kernel: Kernel) -> list[Problem]:
    """Loops that nothing ends."""
    found = []
    for node in kernel.nodes:
        if (
            isinstance(node, ast.While)
            and not breaks(node)
            and not any(isinstance(n, ast.Return) for n in within(node.body))
        ):
            if is_always(node.test):
                found.append(
                    kernel.problem(node, f"while {shown(node.test)} never ends: there is no break and no return in it")
                )
            elif names := unchanging(kernel, node):
                found.append(
                    kernel.problem(node, f"while {shown(node.test)} never ends: nothing in it changes {names}")
                )
    return found


def unchanging(kernel: Kernel, loop: ast.While) -> str:
    """The locals a condition is made of, if it is made of nothing else and none of them changes in the loop."""
    parts = [node for node in ast.walk(loop.test) if isinstance(node, ast.expr)]
    plain = (ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Tuple)
    names = sorted({node.id for node in parts if isinstance(node, ast.Name) and node.id in kernel.locals})
    inside = {id(node) for node in ast.walk(loop)}
    changed = any(id(place) in inside for name in names for place in kernel.stores.get(name, []))
    return "" if changed or not all(isinstance(node, plain) for node in parts) else " or ".join(names)


# --- what is certain to be called -------------------------------------------------------------------------------------


def always_calls(kernel: Kernel, is_call: Hits) -> bool:
    """Whether the kernel can't end without one of the calls."""
    falls, returns = passing(kernel.node.body, lambda node: calls_for_sure(node, is_call))
    return not falls and not returns


def passing(statements: list[ast.stmt], hits: Hits) -> tuple[bool, bool]:
    """Whether, without a hit, some statements can be run through, and whether they can return."""
    returned = False
    for statement in statements:
        falls, returns = passing_one(statement, hits)
        returned |= returns
        if not falls:
            return False, returned
    return True, returned


def passing_one(statement: ast.stmt, hits: Hits) -> tuple[bool, bool]:
    if isinstance(statement, ast.If | ast.While):
        if hits(statement.test):
            return False, False
        body, other = passing(statement.body, hits), passing(statement.orelse, hits)
        if isinstance(statement, ast.While):
            leaves = not is_always(statement.test) or breaks(statement)
            return leaves, body[1] or other[1]
        return body[0] or other[0], body[1] or other[1]
    if isinstance(statement, ast.For):
        return (False, False) if hits(statement.iter) else (True, passing(statement.body, hits)[1])
    if isinstance(statement, ast.Try | ast.With | ast.Match):
        return True, True  # no kernel has them: nothing is certain
    if isinstance(statement, ast.Return):
        return False, statement.value is None or not hits(statement.value)
    if isinstance(statement, ast.Break | ast.Continue):
        return True, False  # taken for running on, which is never wrong: it leaves more ways out
    return not hits(statement), False


def calls_for_sure(node: ast.AST, is_call: Hits) -> bool:
    """Whether a call is made whenever the node is evaluated."""
    if isinstance(node, ast.BoolOp):
        return calls_for_sure(node.values[0], is_call)
    if isinstance(node, ast.Compare):
        return calls_for_sure(node.left, is_call) or calls_for_sure(node.comparators[0], is_call)
    if isinstance(node, ast.IfExp):
        both = calls_for_sure(node.body, is_call) and calls_for_sure(node.orelse, is_call)
        return calls_for_sure(node.test, is_call) or both
    if isinstance(node, ast.Lambda | ast.FunctionDef | ast.ClassDef):
        return False
    return is_call(node) or any(calls_for_sure(part, is_call) for part in ast.iter_child_nodes(node))
