"""Fields of the game as kernels use them: names that aren't there, and places that a field hasn't got.

An expression is followed only as far as it is certain: the state, its fields, their parts, and locals that are set
once to one of those. Whatever else there is passes.
"""

import ast
from collections.abc import Iterator

from mahjong_env.rules.laws.kernels import Kernel, Problem, Vocabulary, counted, did_you_mean, shown

Shape = tuple[int | None, ...]
"""Sizes of an array, None for one that isn't known; () for a single number."""

READ_ONLY = "options are chosen before the game, and kernels only read them"
CASTS = ("int", "abs", "bool", "float", "range", "round", "divmod")
PAIRWISE = ("min", "max")
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def place_problems(kernel: Kernel, vocabulary: Vocabulary, sets_options: bool) -> list[Problem]:
    """Every field, option and place that the kernel uses and the game hasn't got."""
    return Places(kernel, vocabulary, sets_options).found


class Places:
    """One kernel's use of the state."""

    def __init__(self, kernel: Kernel, vocabulary: Vocabulary, sets_options: bool):
        self.kernel = kernel
        self.vocabulary = vocabulary
        self.sets_options = sets_options
        self.found: list[Problem] = []
        for node in kernel.nodes:
            self.check(node)

    def tell(self, node: ast.AST, text: str) -> None:
        self.found.append(self.kernel.problem(node, text))

    # --- what an expression is ----------------------------------------------------------------------------------------

    def is_state(self, node: ast.AST | None) -> bool:
        """The record of the game, or another name for it."""
        if not isinstance(node, ast.Name):
            return False
        return node.id in self.kernel.states or self.is_state(self.kernel.bindings.get(node.id))

    def is_options(self, node: ast.AST | None) -> bool:
        """The options of the game."""
        if isinstance(node, ast.Name):
            return self.is_options(self.kernel.bindings.get(node.id))
        return named_part(node) == "options" and self.is_state(node.value)  # type: ignore[union-attr]

    def shape(self, node: ast.AST | None) -> Shape | None:
        """The shape of an expression; None if it isn't known."""
        if isinstance(node, ast.Name):
            return self.shape(self.kernel.bindings.get(node.id))
        if isinstance(node, ast.NamedExpr):
            return self.shape(node.value)
        name = named_part(node)
        if isinstance(node, ast.Attribute | ast.Subscript) and name is not None:
            if self.is_state(node.value):
                return self.vocabulary.fields.get(name)
            return () if self.is_options(node.value) and name in self.vocabulary.options else None
        return self.shape_of_part(node) if isinstance(node, ast.Subscript) else None

    def shape_of_part(self, node: ast.Subscript) -> Shape | None:
        """What an index leaves of a shape."""
        whole, indices = self.shape(node.value), self.indices(node)
        if whole is None or indices is None or len(indices) > len(whole):
            return None
        kept = [None for index in indices if isinstance(index, ast.Slice)]
        return (*kept, *whole[len(indices) :])

    def indices(self, node: ast.Subscript) -> list[ast.expr] | None:
        """The indices of a subscript, one for each axis; None where that can't be said."""
        if isinstance(node.slice, ast.Tuple):
            return None if any(self.may_be_several(index) for index in node.slice.elts) else list(node.slice.elts)
        return None if self.may_be_several(node.slice) or self.is_found(node.slice) else [node.slice]

    def may_be_several(self, index: ast.expr) -> bool:
        """An index that stands for several axes, or for none."""
        if isinstance(index, ast.Starred | ast.Tuple) or (
            isinstance(index, ast.Constant) and type(index.value) is not int
        ):
            return True
        if isinstance(index, ast.Name) and index.id in self.kernel.stores:
            return isinstance(self.kernel.bindings.get(index.id), ast.Tuple) or not self.is_counter(index.id)
        return False

    def is_found(self, index: ast.expr) -> bool:
        """What another kernel has given back, which may be a tuple."""
        value = self.kernel.bindings.get(index.id) if isinstance(index, ast.Name) else index
        known = (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Name)
            and value.func.id in (*CASTS, *PAIRWISE, "len")
        )
        return isinstance(value, ast.Call) and not known

    def is_counter(self, name: str) -> bool:
        """A local that is never set to a tuple."""
        for place in self.kernel.stores[name]:
            parent = self.kernel.parents.get(place)
            if isinstance(parent, ast.Assign) and isinstance(parent.value, ast.Tuple) and place in parent.targets:
                return False
        return True

    # --- what is wrong with it ----------------------------------------------------------------------------------------

    def check(self, node: ast.AST) -> None:
        name = named_part(node)
        if isinstance(node, ast.Attribute | ast.Subscript) and name is not None:
            self.check_name(node, name)
        elif isinstance(node, ast.Subscript):
            self.check_indices(node)
        elif isinstance(node, ast.Call):
            self.check_call(node)
        for part in needs_number(node):
            self.check_number(part)
        if isinstance(node, ast.For) and self.shape(node.iter) == ():
            self.tell(node.iter, f"{shown(node.iter)} is a single number: it can't be gone through")

    def check_name(self, node: ast.Attribute | ast.Subscript, name: str) -> None:
        """A field or an option that isn't there, or may not be written."""
        fields, options = self.vocabulary.fields, self.vocabulary.options
        written = not isinstance(node.ctx, ast.Load)
        if self.is_options(node.value):
            if name not in options:
                self.tell(node, f"there is no option {name}{did_you_mean(name, options)}")
            elif written and not self.sets_options:
                self.tell(node, f"writes the option {name}: {READ_ONLY}")
        elif self.is_state(node.value) and name == "options":
            if written:
                self.tell(node, f"writes game.options: {READ_ONLY}")
        elif self.is_state(node.value):
            if name not in fields:
                self.tell(node, self.no_field(name))
            elif written and fields[name]:
                self.tell(node, f"writes the whole field {name}, which is written place by place: {self.how(name)}")

    def no_field(self, name: str) -> str:
        """The game has no such field; perhaps an option is meant."""
        if name in self.vocabulary.options:
            return f"the game has no field {name}; it is an option: write game.options.{name}"
        return f"the game has no field {name}{did_you_mean(name, self.vocabulary.fields)}"

    def check_indices(self, node: ast.Subscript) -> None:
        """Too many indices, or one beyond the field."""
        whole, indices = self.shape(node.value), self.indices(node)
        if whole is None or indices is None:
            return
        text = shown(node.value)
        if not whole:
            self.tell(node, f"{text} is a single number: it takes no index")
        elif len(indices) > len(whole):
            told = f"{counted(len(whole), 'index', 'indices')} ({by(whole)})"
            self.tell(node, f"{text} takes {told}, but {len(indices)} are given")
        else:
            for index, size in zip(indices, whole, strict=False):
                self.check_index(node, index, size)

    def check_index(self, node: ast.Subscript, index: ast.expr, size: int | None) -> None:
        """One index that is known before the game and lies beyond the places there are."""
        if size is None or isinstance(index, ast.Slice):
            return
        number, text = self.kernel.constant(index), shown(node.value)
        if number is not None and not 0 <= number < size:
            written = shown(index) if isinstance(index, ast.Constant | ast.UnaryOp) else f"{shown(index)} ({number})"
            self.tell(node, f"{shown(node)}: index {written} is outside {text}, whose places here are 0 to {size - 1}")
        elif isinstance(index, ast.Name):
            loop = self.loop_of(index)
            last = None if loop is None else self.last_of(loop)
            if loop is not None and last is not None and last >= size and not self.is_narrowed(index.id, loop):
                reach = f"{index.id} goes up to {last}"
                self.tell(node, f"{shown(node)}: {reach}, but {text} has places 0 to {size - 1} here")

    def loop_of(self, index: ast.Name) -> ast.For | None:
        """The loop that alone sets the name, where it is used inside."""
        places = self.kernel.stores.get(index.id, [])
        for outer, inner in self.kernel.ancestors(index):
            if isinstance(outer, ast.For) and places == [outer.target] and inner in outer.body:
                return outer
        return None

    def last_of(self, loop: ast.For) -> int | None:
        """The last number of a loop over a range known before the game."""
        call = loop.iter
        if not (
            isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and self.kernel.thing(call.func) is range
        ):
            return None
        numbers = [self.kernel.constant(each) for each in call.args]
        if not 1 <= len(numbers) <= 2 or None in numbers or numbers[-1] is None:
            return None
        return numbers[-1] - 1 if numbers[-1] > (numbers[0] or 0) or len(numbers) == 1 else None

    def is_narrowed(self, name: str, loop: ast.For) -> bool:
        """Whether something in the loop may keep the index from its last values."""
        for node in ast.walk(loop):
            if isinstance(node, ast.Break | ast.Continue | ast.Return):
                return True
            if isinstance(node, ast.Compare):
                sides = [node.left, *node.comparators]
                mentions = [side for side in sides if name in names_in(side)]
                fixed = any(self.kernel.constant(side) is not None or isinstance(side, ast.Tuple) for side in sides)
                if mentions and (fixed or any(isinstance(operator, ORDERS) for operator in node.ops)):
                    return True
            if isinstance(node, ast.If | ast.IfExp | ast.While | ast.BoolOp):
                tests = node.values if isinstance(node, ast.BoolOp) else [node.test]
                if any(decides(test, name) for test in tests):
                    return True
        return False

    def check_call(self, node: ast.Call) -> None:
        """Numbers of whole rows, and the length of a number."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "len" and len(node.args) == 1 and self.shape(node.args[0]) == ():
            self.tell(node, f"{shown(node.args[0])} is a single number: it has no length")
        if name in CASTS or (name in PAIRWISE and len(node.args) > 1):
            for part in node.args:
                self.check_number(part)

    def check_number(self, node: ast.AST) -> None:
        """A row where one number is needed."""
        shape = self.shape(node)
        if shape:
            field = self.field_of(node)
            how = f": {self.how(field)}" if field else ""
            self.tell(node, f"{shown(node)} is {row_of(shape)}, and kernels calculate with single ones{how}")

    def field_of(self, node: ast.AST | None) -> str | None:
        """The field that an expression is part of."""
        if (name := named_part(node)) is not None:
            return name if name in self.vocabulary.fields else None
        if isinstance(node, ast.Subscript | ast.NamedExpr):
            return self.field_of(node.value)
        return self.field_of(self.kernel.bindings.get(node.id)) if isinstance(node, ast.Name) else None

    def how(self, field: str) -> str:
        """How a field is indexed."""
        shape = self.vocabulary.fields[field]
        return f"game.{field} takes {counted(len(shape), 'index', 'indices')} ({by(shape)})"


def named_part(node: ast.AST | None) -> str | None:
    """The name in `record.name` or `record["name"]`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    named = (
        isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str)
    )
    return node.slice.value if named else None  # type: ignore[union-attr]


def needs_number(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of an expression or a statement that have to be single numbers."""
    if isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.BoolOp):
        yield from node.values
    elif isinstance(node, ast.Compare):
        yield node.left
        yield from (
            side for operator, side in zip(node.ops, node.comparators, strict=True)
            if not isinstance(operator, ast.In | ast.NotIn)
        )  # fmt: skip
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield node.test
    elif isinstance(node, ast.AugAssign):
        yield from (node.value,) if isinstance(node.target, ast.Attribute) else (node.target, node.value)
    elif isinstance(node, ast.Subscript):
        given = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for index in given:
            yield from (index.lower, index.upper) if isinstance(index, ast.Slice) else (index,)  # type: ignore[misc]


def names_in(node: ast.AST) -> set[str]:
    """All names in an expression."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def decides(test: ast.AST, name: str) -> bool:
    """Whether a condition depends on the number itself: calculates with it, or gives it to another kernel."""
    if isinstance(test, ast.Name):
        return test.id == name
    if isinstance(test, ast.BinOp | ast.Call):
        return name in names_in(test)
    return isinstance(test, ast.BoolOp | ast.UnaryOp) and any(
        decides(part, name) for part in ast.iter_child_nodes(test)
    )


def row_of(shape: Shape) -> str:
    """What an array is, in words."""
    if len(shape) == 1:
        return f"a row of {shape[0]} numbers" if shape[0] is not None else "a row of numbers"
    return f"a table of {by(shape)} numbers"


def by(shape: Shape) -> str:
    """`4 by 27`; `4 places`."""
    if len(shape) == 1:
        return f"{shape[0]} places"
    return " by ".join("?" if size is None else str(size) for size in shape)
