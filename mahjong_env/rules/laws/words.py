"""Reasons of Numba's errors in plain words, and its types shortened to what an author knows them as."""

import re
from collections.abc import Callable

OPERATIONS = {
    "add": "+", "iadd": "+=", "sub": "-", "isub": "-=", "mul": "*", "imul": "*=", "truediv": "/", "floordiv": "//",
    "ifloordiv": "//=", "mod": "%", "pow": "**", "lshift": "<<", "rshift": ">>", "and_": "&", "iand": "&=", "or_": "|",
    "ior": "|=", "xor": "^", "invert": "~", "neg": "-", "not_": "not", "eq": "==", "ne": "!=", "lt": "<", "le": "<=",
    "gt": ">", "ge": ">=", "contains": "in", "matmul": "@", "is_": "is", "is_not": "is not",
}  # fmt: skip
"""Python's names of its operators, as they are written."""

OPCODES = {
    "IMPORT": "an import inside a kernel: import at the top of the file",
    "BUILD_CLASS": "a class inside a kernel",
    "WITH": "`with` in a kernel",
    "YIELD": "`yield` in a kernel",
    "AWAIT": "`await` in a kernel",
    "ASYNC": "`async` in a kernel",
    "DELETE": "`del` in a kernel",
    "MATCH": "`match` of more than numbers: write if and elif",
    "STORE_GLOBAL": "`global`: a kernel keeps nothing outside the game's record; use a field",
    "DICT": "a dict in a kernel",
    "SET": "a set in a kernel",
    "RAISE": "raising in a kernel",
}
"""Parts of bytecode names, and what was written for them."""


def reason_of(error: BaseException, text: str) -> str:
    """Why an error came, in one sentence; the error's own words where none is known."""
    for pattern, words in REASONS:
        if match := re.search(pattern, text):
            if isinstance(words, str):
                return words.format(**{name: short(found or "") for name, found in match.groupdict().items()})
            return words(match)
    if operation := innermost_operation(text):
        return no_implementation(operation)
    if type(error) is KeyError and error.args and isinstance(error.args[0], str):
        return missing_part(error.args[0])
    return f"{type(error).__name__}: {own_words(text)}"


def missing_part(name: str) -> str:
    """A bare KeyError of the compiler: a record, or a type, hasn't got that."""
    if name.startswith("__"):
        return f"needs {name}, as strings and other objects have it: kernels have only numbers"
    return f"the game has no field or option {name}"


def own_words(text: str) -> str:
    """The line of an error that says most: the last before its first place, or the first."""
    before = re.split(r'\n\s*(?:File "|During: )', text)[0]
    lines = [line.strip() for line in before.splitlines() if line.strip() and not line.strip().startswith(SAYS_NOTHING)]
    return short(lines[-1] if lines else text.strip().partition("\n")[0])


SAYS_NOTHING = (
    "Failed in nopython mode", "- Of which", "Overload", "With argument", "Rejected as", "There are", "No match", "* ", ">>>", "^",
)  # fmt: skip
"""How lines begin that any error of Numba has."""


def innermost_operation(text: str) -> re.Match[str] | None:
    """The operation that failed by itself, not by an error in a kernel that it stands for, as a question does."""
    found = list(NO_IMPLEMENTATION.finditer(text))
    return found[-1] if found and "Failed in nopython mode" not in text[found[-1].end() :] else None


# --- types ------------------------------------------------------------------------------------------------------------


def end_of(text: str, start: int) -> int:
    """Behind the bracket that closes the one at `start`."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in "([") - (text[place] in ")]")
        if depth == 0:
            return place + 1
    return len(text)


def folded(text: str, name: str, words: Callable[[str], str]) -> str:
    """Every `name(…)` of a text replaced by words for what stands in the brackets."""
    place = text.find(name + "(")
    while place >= 0:
        end = end_of(text, place + len(name))
        new = words(text[place + len(name) + 1 : end - 1])
        text = text[:place] + new + text[end:]
        place = text.find(name + "(", place + len(new))
    return text


def short(text: str) -> str:
    """A text with Numba's types in the author's words: a record is `game`, whatever its width a number is a number."""
    text = folded(text, "Record", lambda inner: "game" if "Record(" in inner or len(inner) > 400 else "record")
    text = folded(text, "nestedarray", array_words)
    text = folded(text, "array", lambda inner: "array")
    text = re.sub(r"Literal\[int\]\((-?\d+)\)", r"\1", text)
    text = re.sub(r"Literal\[str\]\([^)]*\)|unicode_type", "string", text)
    text = folded(text, "UniTuple", lambda inner: f"tuple of {inner.rpartition(' x ')[2]}")
    text = folded(text, "Tuple", lambda inner: f"tuple of {len(split(inner))}")
    text = folded(text, "OptionalType", lambda inner: "number or nothing")
    text = re.sub(r"\b(?:u?int(?:8|16|32|64)|float(?:32|64)|boolean|bool)\b", "number", text)
    text = re.sub(r"\?number|Optional\(number\)", "number or nothing", text)
    text = re.sub(r"type\(CPUDispatcher\(<function ([\w.<>]+) at 0x[0-9a-f]+>\)\)", r"\1", text)
    text = re.sub(r"<class '([\w.]+)'>", r"\1", text)
    return re.sub(r"\bnone\b", "nothing", text)


def array_words(inner: str) -> str:
    """`int8, (4, 27)` as a table of 4 by 27 numbers."""
    sizes = re.findall(r"\d+", inner.partition("(")[2])
    return f"row of {sizes[0]} numbers" if len(sizes) == 1 else f"table of {' by '.join(sizes)} numbers"


def split(inner: str) -> list[str]:
    """The parts between commas that stand in no brackets."""
    parts, depth = [""], 0
    for letter in inner:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


# --- reasons ----------------------------------------------------------------------------------------------------------


def attribute(match: re.Match[str]) -> str:
    name, owner = match["name"], short(match["owner"])
    if owner in ("game", "record"):
        return f"the game has no field or option {name}"
    if module := re.match(r"Module\(<module '([\w.]+)'", owner):
        return f"kernels can't use {module[1]}.{name}"
    return f"a {owner} has no .{name}"


def untyped(match: re.Match[str]) -> str:
    name, kind = match["name"], match["kind"].rpartition(".")[2]
    if kind in ("function", "builtin_function_or_method", "method"):
        return f"{name} is a plain function: kernels call only functions decorated with @compiled"
    return f"{name} is a {kind}, which kernels can't read: they have numbers, tuples of numbers and NumPy arrays"


def unbound(match: re.Match[str]) -> str:
    callee = re.search(r"resolving callee type: [^\n]*?<function ([\w.<>]+) at", match.string[match.end() :])
    name = callee[1].rpartition(".")[2] if callee else "a kernel"
    why = match["why"].rstrip('".')
    why = why.replace("missing a required argument:", "it isn't given")
    why = why.replace("too many positional arguments", "there are too many")
    return f"{name} is called with other arguments than it takes: {why}"


def both(match: re.Match[str]) -> str:
    name = match["name"].partition(".")[0].lstrip("$")
    return f"{name} is once {short(match['one'])}, once {short(match['other'])}: it has to be one of them throughout"


def returned(match: re.Match[str]) -> str:
    kinds = list(dict.fromkeys(short(kind) for kind in split(match["kinds"])))
    return f"returns {' on some ways and '.join(kinds)} on others: every way must return the same kind of thing"


def unsupported(match: re.Match[str]) -> str:
    """What was written for an instruction that isn't compiled."""
    name = match["name"]
    return "uses " + next(
        (words for part, words in OPCODES.items() if part in name), f"what kernels haven't got ({name})"
    )


def no_implementation(match: re.Match[str]) -> str:
    """An operation that there isn't for such types."""
    name, call = match["name"].rpartition(".")[2], match["call"]
    given = [short(part) for part in split(call[call.find("(") + 1 : end_of(call, call.find("(")) - 1])]
    hint = nothing_hint(given)
    if name in ("getitem", "static_getitem") and len(given) == 2:
        return f"a {given[0]} can't be indexed by {given[1]}{hint}"
    if name in ("setitem", "static_setitem") and len(given) == 3:
        return f"{given[2]} can't be put into a {given[0]} at {given[1]}{hint}"
    if name in OPERATIONS and len(given) == 2:
        one, other = reversed(given) if name == "contains" else given
        return f"there is no `{OPERATIONS[name]}` between {one} and {other}{hint}"
    operation = f"`{OPERATIONS[name]}`" if name in OPERATIONS else name
    return f"{operation} can't take {', '.join(given) or 'nothing'}{hint}"


def nothing_hint(given: list[str]) -> str:
    if any("nothing" in part for part in given):
        return "; a kernel that was called there returns nothing, or not always"
    return ""


NO_IMPLEMENTATION = re.compile(
    r"No implementation of function Function\(<(?:built-in |intrinsic |function |class |ufunc )*'?(?P<name>[\w.<>]+?)'?"
    r"(?: at 0x[0-9a-f]+)?>\) found for signature:\s*\n\s*>>> (?P<call>[^\n]*)"
)

REASONS: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"Unknown attribute '(?P<name>\w+)' of type (?P<owner>[^\n]+)", attribute),
    (
        r"(?:recarray|record|numpy\.\w+)'? (?:object )?has no attribute '?(?P<name>\w+)",
        "the game has no field or option {name}",
    ),
    (r"Cannot bind '?args=[^\n]*?: (?P<why>(?:missing|too many|got)[^\n]*)", unbound),
    (r"[Nn]ame '(?P<name>\w+)' is not defined", "{name} isn't defined"),
    (
        r"Untyped global name '(?P<name>[\w.]+)':? +[Cc]annot determine Numba type of <class '(?P<kind>[\w.]+)'>",
        untyped,
    ),
    (r"Untyped global name '(?P<name>[\w.]+)'", "{name} can't be read by kernels"),
    (r"[Cc]annot determine Numba type of <class '(?P<kind>[\w.]+)'>", "a {kind} can't be given to kernels"),
    (
        r"[Vv]ariable '?(?P<name>\w+)'? (?:is not defined|referenced before assignment)",
        "{name} is used before it has a value",
    ),
    (r"cannot access local variable '(?P<name>\w+)'", "{name} is used before it has a value"),
    (
        r"use of a (?:reflected )?(?P<kind>\w+)[^\n]*assigned to variable '(?P<name>\w+)' in globals",
        "{name} is a {kind}: kernels read numbers, tuples and NumPy arrays",
    ),
    (r"Can't unify return type from the following types: (?P<kinds>[^\n]*)", returned),
    (r"Cannot unify (?P<one>[^\n]*) and (?P<other>[^\n]*) for '(?P<name>[^']*)'", both),
    (r"unsupported opcode \((?P<name>\w+)\)", unsupported),
    (r"runaway recursion", "calls itself, and no way through it ends without that"),
    (r"use of yield", "makes a generator: write the loop out"),
    (r"cannot index (?P<array>[^\n]*) with (?P<number>\d+) indices", "a {array} can't take {number} indices"),
    (
        r"Cannot cast (?P<one>[^\n]*?) to (?P<other>[^\n:]*(?:\(.*\))?): ",
        "{one} can't be put where there is a {other}: write place by place",
    ),
    (r"truth value of an array", "asks a whole row whether it is true: index one of its numbers"),
    (r"module '(?P<module>[\w.]+)' has no attribute '(?P<name>\w+)'", "{module} has no {name}"),
    (r"'with [^\n]* construct", "uses `with`: kernels open nothing"),
    (r"Illegal IR, del", "uses `del`: there is nothing to delete in a kernel"),
    (r"Int value is too large: (?P<value>-?\d+)", "{value} is a number of more than 64 bits"),
    (r"Invalid use of (?:u?int\d+|float\d+|bool\w*) with", "calls a number as if it were a function"),
    (r"cannot unpack|failed to unpack", "takes several values from something that is one"),
)
"""What an error's text says, and what it means, by the parts that the pattern names; the first that fits is told."""
