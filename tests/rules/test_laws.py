"""Each mistake that strangers made, and others like them, is told at its line; what the bundled variants do isn't one.

In the cases a comment `#! words` stands on each line where a problem with those words is expected, and nowhere else.
"""

import importlib.util
import itertools
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import mahjong_env as mj
from mahjong_env.rules.actions import VERBS
from mahjong_env.rules.laws.kernels import Answer, Problem, Vocabulary, looks_compiled
from mahjong_env.rules.laws.statements import kernel_problems, own_functions, reserved_names, unused_answers
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.source import law_problems, modules_of

ROOT = Path(__file__).parent.parent.parent
STRANGERS = (ROOT / "docs" / "examples" / "my_rules.py", ROOT / "tests" / "generic" / "other_variant.py")
BUNDLED = ("changsha", "erqishi", "hongzhong", "sichuan", "tuidaohu")

HEAD = """
import enum
import math
import random
import numpy as np
from mahjong_env.rules import state as fields
from mahjong_env.rules.actions import CHI, DISCARD, GANG, HU, PASS, PENG, SELF_GANG
from mahjong_env.rules import compiled, first_action, gain, lose, makes_sets, offer_discards, pay, random_below, verb_of
from mahjong_env.rules import HU_RANK, offer_gang_and_peng, offer_self_gangs, wall_left, write_slip
from mahjong_env.rules.draw.hooks import after_draw
from mahjong_env.rules.draw.turns import settle_claims
from mahjong_env.rules.state import DRAWING, NOBODY, OVER


SEVEN, WORTH, WORDS, TABLE = 7, (1, 2, 4), ("a", "b"), np.array([1, 2, 3])
LIST, DICT, SET, TEXT, NOTHING, HUGE = [1, 2], {1: 2}, {1}, "text", None, 1 << 70
class Rank(enum.IntEnum):
    LOW = 0
class Colour(enum.Enum):
    RED = 0
class Thing:
    size = 3
THING = Thing()
def helper(n):
    return n
"""

VOCABULARY = Vocabulary(
    fields={
        "points": (3,), "hands": (3, 27), "turn": (), "phase": (), "legal": (60,), "table_tile": (), "winning": (3,),
        "wall": (108,), "locked": (3,), "random": (4,), "after_claim": (), "grid": (3, 4, 5),
    },
    options=("value", "pengs", "mode"),
    verbs=("discard", "peng", "gang", "hu", "pass"),
    all_verbs={verb: number for number, verb in enumerate(VERBS)},
)  # fmt: skip

ANSWERS = {
    "turn_choices": Answer(("game", "seat"), None, "writes into legal what the seat may do", sets=("legal",)),
    "claim_choices": Answer(
        ("game", "seat"),
        "the best claim's rank or 0",
        "writes into legal what may be claimed, pass included",
        offers=("pass",),
    ),
    "waits_mask": Answer(("game", "seat"), "a bit for each kind"),
    "settle_hu": Answer(("game", "by", "source"), None, "pays the winners"),
    "after_hu": Answer(("game", "source"), None, "says how play goes on", sets=("phase",)),
    "after_draw": Answer(("game", "seat")),
    "settle_wall_end": Answer(("game",)),
    "laizi_kinds": Answer(("game",), "a bit for each wild kind"),
    "plays_on": Answer(("game", "seat"), "whether the seat plays"),
    "begin_hand": Answer(("game", "number"), sets_options=True),
    "is_possible": Answer(("state", "viewer"), "whether it can be", plain=True),
}

numbers = itertools.count()


def loaded(folder: Path, code: str) -> ModuleType:
    """A module of a file with that code after the usual imports."""
    path = folder / f"rules_{next(numbers)}.py"
    path.write_text(HEAD + code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def problems_in(folder: Path, code: str) -> list[Problem]:
    kernels = [kernel.function for kernel in own_functions([loaded(folder, code)]) if looks_compiled(kernel.function)]
    return kernel_problems(kernels, VOCABULARY, ANSWERS)


def check_marks(code: str, found: list[Problem]) -> None:
    """The problems are those that the code's marks say."""
    lines = (HEAD + code).splitlines()
    marked = {number: line.partition("#! ")[2] for number, line in enumerate(lines, 1) if "#! " in line}
    told = "\n".join(map(str, found)) or "nothing"
    assert {problem.line for problem in found} == set(marked), f"told: {told}"
    for number, words in marked.items():
        for part in words.split(" & "):
            assert any(part in str(each) for each in found if each.line == number), f"{part!r} isn't told: {told}"


# --- mistakes ---------------------------------------------------------------------------------------------------------

STATE = {
    "unknown field": "game.typo  #! the game has no field typo",
    "nearly a field": "x = game.point[seat]  #! the game has no field point; did you mean points?",
    "written field": "game.fase = 1  #! no field fase; did you mean phase?",
    "option as field": "x = game.value  #! it is an option: write game.options.value",
    "unknown option": "x = game.options.typo  #! there is no option typo; there are mode, pengs, value",
    "nearly an option": "x = game.options.valu + 1  #! there is no option valu; did you mean value?",
    "by string": "x = game.options['valu']  #! there is no option valu",
    "through a name": "o = game.options\n    x = o.valu  #! there is no option valu",
    "written option": "game.options.value = 3  #! writes the option value",
    "added option": "game.options.value += 3  #! writes the option value",
    "reading a method": "x = game.copy  #! the game has no field copy",
    "scalar indexed": "x = game.turn[seat]  #! game.turn is a single number: it takes no index",
    "option indexed": "x = game.options.value[0]  #! game.options.value is a single number",
    "too many": "x = game.points[seat, 0]  #! game.points takes 1 index (3 places), but 2 are given",
    "three for two": "x = game.hands[seat, 1, 2]  #! takes 2 indices (3 by 27), but 3 are given",
    "chained": "x = game.hands[seat][1][2]  #! is a single number: it takes no index",
    "row added to": "game.hands[seat] += 1  #! game.hands[seat] is a row of 27 numbers, and kernels & takes 2",
    "whole field": "game.points = 0  #! writes the whole field points",
    "whole field added": "game.points += 1  #! writes the whole field points",
    "row compared": "x = 1 if game.hands[seat] > 0 else 0  #! is a row of 27 numbers",
    "row tested": "if game.winning:  #! game.winning is a row of 3 numbers\n        return",
    "row cast": "x = int(game.hands[seat])  #! is a row of 27",
    "row as index": "x = game.points[game.winning]  #! game.winning is a row of 3",
    "table": "x = 1 + game.hands  #! game.hands is a table of 3 by 27 numbers",
    "alias": "legal = game.legal\n    x = legal + 1  #! legal is a row of 60 numbers & game.legal takes 1",
    "alias too many": "hands = game.hands\n    x = hands[seat, 1, 2]  #! hands takes 2 indices",
    "alias of two": "n, hands = 3, game.hands\n    x = hands[seat] + n  #! hands[seat] is a row of 27",
    "walrus": "x = (h := game.hands[seat]) + 1  #! is a row of 27",
    "outside": "game.hands[seat, 40] += 1  #! index 40 is outside game.hands, whose places here are 0 to 26",
    "outside of alias": "hand = game.hands[seat]\n    hand[27] = 1  #! index 27 is outside hand, whose places here are 0 to 26",
    "named outside": "x = game.points[SEVEN]  #! index SEVEN (7) is outside game.points",
    "calculated outside": "x = game.points[SEVEN - 4]  #! index SEVEN - 4 (3) is outside",
    "negative": "x = game.points[-1]  #! index -1 is outside game.points",
    "loop outside": "for other in range(4):\n        game.points[other] += 1  #! up to 3, but game.points has places 0 to 2",
    "loop outside in a condition": "for o in range(4):\n        if o != seat:\n            game.points[o] += 1  #! up to 3",
    "no length": "x = len(game.turn)  #! game.turn is a single number: it has no length",
    "gone through": "for x in game.turn:  #! game.turn is a single number\n        pass",
}

SYNTAX = {
    "raise": "raise ValueError(f'{seat} is wrong')  #! raises",
    "assert": "assert seat < 4  #! asserts",
    "try": "try:  #! nothing is raised\n        x = 1\n    finally:\n        pass",
    "with": "with open('x') as f:  #! kernels open nothing\n        pass",
    "f-string": "x = f'{seat}'  #! makes a string",
    "string": "x = 'a'  #! uses the string 'a'",
    "string compared": "x = game.options.mode == 'fast'  #! kernels read an option as 1 or 0",
    "string among": "x = 1 if game.options.mode in ('fast', 'slow') else 0  #! compares with a string",
    "list": "x = [1, 2]  #! makes a list",
    "dict": "x = {1: 2}  #! makes a dict",
    "set": "x = seat in {1, 2}  #! makes a set",
    "list comprehension": "x = sum([k for k in range(3)])  #! makes a list",
    "generator": "x = sum(k for k in range(3))  #! makes a generator",
    "lambda": "f = lambda x: x  #! makes a function",
    "yield": "yield 1  #! yields",
    "global": "global SEVEN  #! global",
    "import": "import os  #! imports inside",
    "inner function": "def inner():  #! defines a function inside\n        return 1",
    "inner class": "class Inner:  #! defines a class inside\n        pass",
    "del": "x = 1\n    del x  #! deletes",
    "star": "x = pay(*WORTH)  #! unpacks with a star",
    "two stars": "x = random_below(**WORTH)  #! unpacks with two stars",
    "None": "x = None  #! uses None",
    "is None": "x = 1 if seat is None else 2  #! uses None",
    "comparison for nothing": "game.phase == OVER  #! nothing is done with the result; did you mean game.phase = OVER?",
    "endless": "while True:  #! never ends: there is no break and no return in it\n        seat += 1",
    "unchanging": "kind = 0\n    while kind < 27:  #! never ends: nothing in it changes kind\n        game.points[seat] += 1",
}

NAMES = {
    "undefined": "x = seats + 1  #! seats isn't defined; did you mean seat?",
    "undefined function": "x = wall_lefts(game)  #! wall_lefts isn't defined; did you mean wall_left?",
    "added to nothing": "for k in range(3):\n        total += k  #! total is changed before it has a value: begin with total = 0",
    "added to a constant": "SEVEN += 1  #! a name of the file can't be changed",
    "list": "x = LIST[seat]  #! LIST is a list: kernels read numbers, tuples and NumPy arrays; make it a tuple",
    "dict": "x = DICT[seat]  #! DICT is a dict",
    "set in": "x = seat in SET  #! SET is a set",
    "text": "x = TEXT  #! TEXT is a string",
    "nothing": "x = NOTHING  #! NOTHING is None",
    "huge": "x = HUGE  #! HUGE is a number of more than 64 bits",
    "words": "x = WORDS[0]  #! WORDS holds a str",
    "object": "x = THING.size  #! THING is a Thing",
    "class": "x = Thing.size  #! Thing is a class",
    "object made": "x = Thing()  #! makes an object",
    "enum": "x = Colour.RED  #! an IntEnum's members are numbers",
    "of a module": "x = fields.OVR  #! fields has no OVR; did you mean OVER?",
    "plain function": "x = helper(seat)  #! helper is a plain function: kernels call only functions decorated with @compiled",
    "print": "print(seat)  #! print can't be called in a kernel",
    "sorted": "x = sorted(WORTH)  #! sorted can't be called",
    "str": "x = str(seat)  #! makes a str",
    "list()": "x = list(WORTH)  #! makes a list",
    "zeros": "x = np.zeros(3)  #! np.zeros makes an array",
    "concatenate": "x = np.concatenate((game.points, game.points))  #! np.concatenate makes an array",
    "copy": "x = game.points.copy()  #! kernels allocate nothing",
    "append": "x = WORTH\n    x.append(1)  #! x.append()",
    "chance": "x = random.randrange(4)  #! random.randrange draws chance that isn't the game's: use random_below",
    "numpy's chance": "x = np.random.randint(4)  #! draws chance that isn't the game's",
    "few arguments": "pay(game, 0, seat)  #! pay takes 5 (game, slip, payer, payee, amount), but 3 are given",
    "many arguments": "x = wall_left(game, seat)  #! wall_left takes 1 (game), but 2 are given",
    "wrong word": "lose(game, seat, kinds=3)  #! lose takes 3 (game, seat, kind), but 3 are given: ",
    "question by word": "after_draw(game, seat=seat)  #! after_draw is given seat by name",
    "question with too few": "after_draw(game)  #! after_draw takes 2 (game, seat), but 1 is given",
    "table with too few": "x = first_action(HU)  #! first_action takes 2 (game, verb), but 1 is given",
    "nothing used": "x = other(game)  #! other returns nothing, and its value is used here",
}

VERB = {
    "not in the game": "game.legal[first_action(game, CHI) + 1] = 1  #! first_action gives -1 for chi, which isn't among verbs",
    "one of two": "game.legal[first_action(game, CHI if seat else PENG)] = 1  #! -1 for chi",
    "compared": "x = 1 if verb_of(game, seat) == CHI else 0  #! no action has the verb chi",
    "compared by name": "verb = verb_of(game, seat)\n    x = 1 if verb == CHI else 0  #! no action has the verb chi",
    "in the package": "offer_self_gangs(game, seat)  #! offer_self_gangs offers self_gang, which isn't among verbs",
}

GOOD = {
    "guarded": "chi = first_action(game, CHI)\n    if chi >= 0:\n        game.legal[chi] = 1",
    "guarded pair": "hu, chi = first_action(game, HU), first_action(game, CHI)\n    if chi >= 0:\n        game.legal[hu + chi] = 1",
    "guarded helper": "if first_action(game, SELF_GANG) >= 0:\n        offer_self_gangs(game, seat)",
    "offers what is there": "offer_gang_and_peng(game, seat, 3, True)\n    offer_discards(game, seat, True)",
    "row written": "game.hands[seat, :] = 0\n    game.points[:] = 0\n    game.hands[seat] = 0",
    "length of words": "x = len(WORDS) + len(game.points) + len(game.hands[seat])",
    "by string": "x = game.options['value'] + game['turn']",
    "enum": "x = Rank.LOW + fields.OVER + math.floor(1.5) + np.int64(3) + TABLE[seat] + WORTH[seat]",
    "reduction": "x = game.points.sum() + np.sum(game.points) + game.hands[seat].max() + min(game.points)",
    "kind in row": "x = 3 in game.points",
    "walrus": "x = (kind := int(game.table_tile)) + kind",
    "chained": "x = 0 <= seat < 3 and game.points[seat] > 0",
    "tuple index": "at = seat, 3\n    game.hands[at] += 1",
    "row": "for held in game.hands[seat]:\n        seat += held",
    "narrowed loop": "for other in range(4):\n        if other < len(game.points):\n            game.points[other] += 1",
    "broken loop": "for other in range(4):\n        if game.points[other]:\n            break",
    "ended loop": "while True:\n        seat += 1\n        if seat > 3:\n            break",
    "loop by a field": "while game.turn < 3:\n        after_draw(game, seat)",
    "loop that changes": "kind = 0\n    while kind < 27 and game.hands[seat, kind] == 0:\n        kind += 1",
    "shape": "x = game.hands.shape[1]\n    for kind in range(game.hands.shape[1]):\n        x += game.hands[seat, kind]",
    "table dims": "x = game.grid[seat, 1, 4] + game.grid[seat][1][4] + len(game.grid[seat, 1])",
    "alias": "legal, hands = game.legal, game.hands\n    legal[0] = 1\n    hands[seat, 3] = 1",
    "swapped": "a = 0\n    b = 1\n    a, b = b, a",
    "round": "x = seat\n    y = x\n    x = y",
    "annotated": "x: int = 3\n    y: 'int' = x",
    "rebound state": "x = write_slip(game, 0, seat)\n    pay(game, x, 0, 1, amount=3)",
    "random": "x = random_below(game.random, 4)",
    "remark": "'a remark'",
}


@pytest.mark.parametrize("line", [*STATE.values(), *SYNTAX.values(), *NAMES.values(), *VERB.values(), *GOOD.values()])
def test_a_statement(tmp_path: Path, line: str) -> None:
    code = f"@compiled\ndef other(game):\n    game.turn = 1\n\n\n@compiled\ndef kernel(game, seat):\n    {line}\n"
    check_marks(code, problems_in(tmp_path, code))


WHOLE = {
    "forgotten return": """
@compiled
def claim_choices(game, seat):
    '''Claims.'''
    game.legal[first_action(game, PASS)] = 1
    if seat == 1:  #! in claim_choices: may end after this without a return; its answer is the best claim's rank or 0
        return 1
""",
    "no return": """
@compiled
def waits_mask(game, seat):  #! returns nothing; its answer is a bit for each kind
    game.turn = 1
""",
    "bare return": """
@compiled
def waits_mask(game, seat):
    if seat:
        return  #! returns nothing here; its answer is a bit for each kind
    return 1
""",
    "helper with both": """
@compiled
def worth(game, seat):
    if seat == 0:
        return 3
    elif seat == 1:
        return None  #! returns nothing here; line
    else:
        return 4
""",
    "all ways return": """
@compiled
def waits_mask(game, seat):
    while True:
        seat += 1
        if seat > 3:
            return 1
@compiled
def plays_on(game, seat):
    if seat:
        return True
    else:
        for k in range(3):
            if k: continue
        return False
@compiled
def settle_wall_end(game):
    return 3
""",
    "too few parameters": """
@compiled
def claim_choices(game):  #! claim_choices is a question with parameters (game, seat), not (game)
    return 0
""",
    "other order": """
@compiled
def settle_hu(game, source, by):  #! in another order than the question: it is asked as settle_hu(game, by, source)
    game.turn = 0
""",
    "unused by underscore": """
@compiled
def settle_hu(game, _by, _source):
    game.turn = 0
""",
    "stars": """
@compiled
def many(game, *seats):  #! takes *seats: name the parameters one by one
    return 0
""",
    "no phase": """
@compiled
def after_hu(game, source):  #! sets no phase: says how play goes on
    game.turn = source
""",
    "phase by a helper": """
@compiled
def stop(game):
    game.phase = OVER
@compiled
def after_hu(game, source):
    stop(game)
""",
    "no action": """
@compiled
def turn_choices(game, seat):  #! sets no legal
    game.turn = seat
""",
    "pass forgotten": """
@compiled
def claim_choices(game, seat):  #! never offers pass: writes into legal what may be claimed, pass included
    game.legal[first_action(game, HU)] = 1
    return HU_RANK
""",
    "nothing to claim": """
@compiled
def claim_choices(game, seat):
    return 0
""",
    "endless recursion": """
@compiled
def ping(game, n):
    return pong(game, n) + 1  #! ping → pong → ping never ends
@compiled
def pong(game, n):
    if n:
        return ping(game, n - 1)  #! pong → ping → pong never ends
    return ping(game, 0)
@compiled
def own(game, n):
    return own(game, n - 1)  #! own → own never ends
""",
    "recursion that ends": """
@compiled
def down(game, n):
    if n == 0:
        return 0
    return down(game, n - 1)
@compiled
def either(game, n):
    return n == 0 or either(game, n - 1)
""",
    "back into the cycle": """
@compiled
def settle_hu(game, by, source):
    settle_claims(game)  #! which calls win, which calls settle_hu: an answer never calls back
""",
    "switched off": """
@compiled
def offer(game, seat, gangs):
    if gangs and seat:
        offer_self_gangs(game, seat)  #! offers self_gang
@compiled
def claim(game, seat):
    offer(game, seat, False)
""",
    "options of a hand": """
@compiled
def begin_hand(game, number):
    game.options.value = number
""",
    "several at once": """
@compiled
def settle_hu(game, by, source):
    game.typo = 1  #! no field typo & in settle_hu
    game.points[source] = [1][0]  #! makes a list
    game.options.valu += 1  #! no option valu
""",
    "an answer that asks": """
@compiled
def waits_mask(game, seat):
    return 1 if makes_sets(game, seat, 0, True) else 0
@compiled
def laizi_kinds(game):
    return 0
""",
}


@pytest.mark.parametrize("code", WHOLE.values(), ids=WHOLE)
def test_a_kernel(tmp_path: Path, code: str) -> None:
    check_marks(code, problems_in(tmp_path, code))


def test_a_verb_through_the_package_is_left_out_where_an_argument_says_so(tmp_path: Path) -> None:
    code = "@compiled\ndef kernel(game, seat):\n    return offer_gang_and_peng(game, seat, 3, {})\n"
    without = Vocabulary(VOCABULARY.fields, VOCABULARY.options, ("discard", "peng", "hu", "pass"), VOCABULARY.all_verbs)
    for gangs, told in (("False", []), ("True", ["gang"]), ("seat", ["gang"])):
        kernel = loaded(tmp_path, code.format(gangs)).kernel
        assert [each.text.split()[2].rstrip(",") for each in kernel_problems([kernel], without, ANSWERS)] == told


def test_a_problem_reads_as_a_place_and_a_sentence(tmp_path: Path) -> None:
    (problem,) = problems_in(tmp_path, "@compiled\ndef settle(game):\n    game.phas = 1\n")
    line = HEAD.count("\n") + 3
    assert (
        str(problem) == f"{Path(problem.file).name}:{line} in settle: the game has no field phas; did you mean phase?"
    )


def test_a_function_without_source_is_left_alone() -> None:
    scope: dict = {}
    exec("def kernel(game): return game.typo", scope)
    assert kernel_problems([scope["kernel"], len], VOCABULARY, ANSWERS) == []


# --- functions that answer nothing ------------------------------------------------------------------------------------

UNUSED = """
@compiled
def settle_wallend(game):  #! in settle_wallend: answers nothing and nothing calls it; did you mean settle_wall_end?
    game.turn = 0
def describe(game):  #! answers nothing and nothing calls it
    return describe(game)
@compiled
def used(game):
    return 0
@compiled
def waits_mask(game, seat):
    return used(game)
def _private():
    return 0
def given(games):
    return 0
DETAILS = {"given": given}
def is_possible(kind, seat):  #! is_possible is a question with parameters (state, viewer), not (kind, seat); rename yours
    return True
def settle_hu(game, by, source):  #! must be decorated with @compiled
    game.turn = 0
"""


def test_functions_that_answer_nothing(tmp_path: Path) -> None:
    code = UNUSED.replace("def helper(n):\n    return n\n", "")
    module = loaded(tmp_path, code)
    found = [problem for problem in unused_answers([module], ANSWERS) if problem.function != "helper"]
    check_marks(code, found)


def test_an_answer_that_the_folder_imports_by_a_wrong_name(tmp_path: Path) -> None:
    part = loaded(tmp_path, "@compiled\ndef settle_wallend(game):\n    game.turn = helper(0)\ndef shown(): return 1\n")
    main = loaded(tmp_path, f"from {part.__name__} import settle_wallend, shown\n_ = helper\n")
    texts = [problem.text for problem in unused_answers([main, part], ANSWERS)]
    assert texts == ["answers nothing and nothing calls it; did you mean settle_wall_end?"]


# --- what there is ----------------------------------------------------------------------------------------------------


@pytest.fixture(params=[*BUNDLED, *STRANGERS], ids=lambda name: getattr(name, "stem", name))
def rules(request: pytest.FixtureRequest) -> str:
    return request.param if isinstance(request.param, str) else mj.load_variant(request.param)


def test_the_variants_that_are_there_have_no_problem(rules: str) -> None:
    variant = get_variant(rules)
    assert len([one for one in own_functions(modules_of(variant)) if looks_compiled(one.function)]) >= 4
    found = law_problems(variant)
    assert not found, "\n".join(map(str, found))


def test_names_that_numpys_records_have_already() -> None:
    assert {"any", "all", "base", "round", "max", "take", "size", "copy", "dtype", "field"} - reserved_names() <= {
        "field"
    }
    assert not reserved_names() & {*VOCABULARY.fields, "value", "pengs"}
    record = np.zeros(1, np.dtype((np.record, [("any", "i1"), ("other", "i1")])))[0]
    assert callable(record.any) and not callable(record.other), "what makes the names reserved"
