"""Mistakes in a stranger's file are told when it is loaded: what, where, and what is allowed; all at once; nothing half done.

Each mistake is an edit of `docs/examples/my_rules.py`. A comment `#!` marks the line that has to be told.
"""

import itertools
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import mahjong_env as mj
from mahjong_env.rules import registry
from mahjong_env.rules.registry import variant_names

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "my_rules.py"
RULES = EXAMPLE.read_text(encoding="utf-8").replace('name="my_rules"', 'name="mistaken"')

Edit = Callable[[str], str]


def swap(*pairs: str) -> Edit:
    """Put every second text in place of the one before it, which has to be there."""

    def edit(text: str) -> str:
        for old, new in zip(pairs[::2], pairs[1::2], strict=True):
            assert old in text, f"the example has no {old!r}"
            text = text.replace(old, new, 1)
        return text

    return edit


def stated(lines: str) -> Edit:
    """More fields in VARIANT, or other values of them."""
    name = lines.partition("=")[0]
    usual = {
        "name": 'name="mistaken"', "title": 'title="My rules"', "tiles": "tiles=SUITS", "seats": "seats=4",
        "verbs": 'verbs=("discard", "peng", "gang", "self_gang", "hu", "pass")', "options": "options=Options",
        "presets": 'presets={"usual": {}}', "slip_reasons": 'slip_reasons=("hu",)', "cycle": "cycle=DRAW",
    }  # fmt: skip
    return (
        swap(f"    {usual[name]},\n", f"    {lines},\n")
        if name in usual
        else swap("    seats=4,\n", f"    seats=4,\n    {lines},\n")
    )


def without(field: str) -> Edit:
    """VARIANT without a field."""
    return lambda text: "".join(line for line in text.splitlines(True) if not line.startswith(f"    {field}="))


def option(line: str) -> Edit:
    """One more option."""
    head = "class Options:\n"
    return swap(head, f"{head}    {line}\n", "    number,\n", "    choice,\n    flag,\n    number,\n")


def added(code: str) -> Edit:
    """More code before VARIANT."""
    return swap("VARIANT = Variant(", f"{code}\n\n\nVARIANT = Variant(")


def after_draw(body: str) -> Edit:
    """A hook of so many lines."""
    return added("@compiled\ndef after_draw(game, seat):\n" + "\n".join(f"    {line}" for line in body.split("\n")))


def imported(*names: str) -> Edit:
    """More names of the language."""
    return swap("    Variant,\n", "    Variant,\n" + "".join(f"    {name},\n" for name in names))


def both(*edits: Edit) -> Edit:
    def edit(text: str) -> str:
        for one in edits:
            text = one(text)
        return text

    return edit


def tiles(change: str) -> Edit:
    """The set of tiles with something else."""
    return both(stated(f"tiles=replace(SUITS, {change})"), swap("import dataclass\n", "import dataclass, replace\n"))


FIELDS = {
    "no name": (without("name"), ["the field name is missing", "a lower-case word"]),
    "no title": (without("title"), ["the field title is missing", "what people call it"]),
    "no tiles": (without("tiles"), ["the field tiles is missing", "SUITS, ALL, ZIPAI"]),
    "no seats": (without("seats"), ["the field seats is missing", "how many play"]),
    "no verbs": (without("verbs"), ["the field verbs is missing"]),
    "no options": (without("options"), ["the field options is missing", "flag, choice and number"]),
    "no presets": (without("presets"), ["the field presets is missing", "the first is the default"]),
    "no cycle": (without("cycle"), ["the field cycle is missing", "DRAW, FLIP"]),
    "misspelt field": (stated("slip_reason=('hu',)"), ["no field 'slip_reason'", "did you mean slip_reasons?"]),
    "unheard of field": (stated("zzz=1"), ["no field 'zzz'", "fields are name, title"]),
    "by place": (
        swap('    name="mistaken",\n', '    "mistaken",\n'),
        ["1 values are given without a name", "name=value"],
    ),
    "name with a blank": (stated("name='My Rules'"), ["name 'My Rules'", "a lower-case word of letters, digits and _"]),
    "name that is no text": (stated("name=7"), ["name must be a text, not 7"]),
    "title that is none": (stated("title=None"), ["title must be a text, not None"]),
    "seats as text": (stated("seats='4'"), ["seats must be a whole number, not '4'"]),
    "seats as yes": (stated("seats=True"), ["seats must be a whole number, not True"]),
    "one seat": (stated("seats=1"), ["seats=1 is not possible", "2 to 8"]),
    "nine seats": (stated("seats=9"), ["seats=9 is not possible", "2 to 8"]),
    "eight seats at 104 tiles": (
        both(stated("seats=8"), tiles("copies=(4,) * 26 + (0,)")),
        ["104 tiles are too few for 8 seats with 13 each and a wall"],
    ),
    "verbs as a text": (stated("verbs='discard'"), ["verbs must be a tuple of verbs, not 'discard'", "(x,)"]),
    "a verb that is none": (stated("verbs=('discard', 'hu', 'pass', 7)"), ["verbs has 7, which is not a verb"]),
    "cycle by name": (stated("cycle='draw'"), ["cycle must be a Cycle, as DRAW or FLIP, not 'draw'"]),
    "tiles by number": (stated("tiles=108"), ["tiles must be a TileSet, not 108"]),
    "options that are one": (stated("options=Options()"), ["options must be a dataclass"]),
    "options of a plain class": (
        swap("@dataclass(frozen=True)\n", ""),
        ["options must be a dataclass made of flag, choice and number"],
    ),
    "presets as a list": (stated("presets=['usual']"), ["presets must be a dict of dicts of options, not ['usual']"]),
    "no preset": (stated("presets={}"), ["presets is empty", "presets={'usual': {}}"]),
    "a preset that is a list": (stated("presets={'usual': ['value']}"), ["preset 'usual' must be a dict of options"]),
    "patterns as texts": (stated("patterns=('pinghu',)"), ["patterns has 'pinghu', which is not a Pattern"]),
    "pieces as texts": (stated("pieces=('locked',)"), ["pieces has 'locked', which is not a Piece"]),
    "slip reasons as a text": (
        stated("slip_reasons='hu'"),
        ["slip_reasons must be a tuple of texts, not 'hu'", "(x,)"],
    ),
    "flags of numbers": (stated("flags=(1,)"), ["flags has 1, which is not a text"]),
    "chance without a field": (stated("chance={'dice': (1, 2)}"), ["chance 'dice' has no field of that name"]),
    "renamed of no preset": (stated("renamed={'usul': {}}"), ["renamed has preset 'usul'", "did you mean usual?"]),
    "renamed of no pattern": (stated("renamed={'usual': {'hu': 'x'}}"), ["renamed has pattern 'hu'"]),
    "a pattern twice": (
        both(stated("patterns=(Pattern('p', 'x', 'y'),) * 2"), imported("Pattern")),
        ["pattern 'p' stands there twice"],
    ),
    "a piece twice": (
        both(stated("pieces=(Piece('p', 1, 'about'),) * 2"), imported("Piece")),
        ["piece 'p' stands there twice"],
    ),
    "a piece of no rows": (
        both(stated("pieces=(Piece('p', 0, 'about'),)"), imported("Piece")),
        ["piece 'p' has rows=0", "a number above 0, 'seats' or 'others'"],
    ),
    "most_melds of none": (stated("most_melds=0"), ["most_melds=0", "1"]),
    "most_melds of many": (stated("most_melds=40"), ["most_melds=40"]),
    "most_melds as a text": (stated("most_melds='four'"), ["most_melds must be a whole number, not 'four'"]),
    "version as a text": (stated("version='1.0'"), ["version must be a whole number, not '1.0'"]),
    "details without functions": (stated("details={'ting': 1}"), ["details", "'ting'", "function"]),
    "seats by an unknown option": (stated("seats_option='players'"), ["seats_option 'players' is no option"]),
    "seats by a number": (stated("seats_option=4"), ["seats_option", "4"]),
    "seats by a flag": (
        both(option("big: bool = flag(False, 'x')"), stated("seats_option='big'")),
        ["seats_option 'big'"],
    ),
}
"""What is stated in VARIANT, and what has to be told."""

TILES = {
    "copies as a list of floats": (
        tiles("copies=(4.0,) * 27"),
        ["copies must be a tuple of whole numbers, one for each kind"],
    ),
    "copies as one number": (tiles("copies=4"), ["copies must be a tuple of whole numbers", "not int"]),
    "too few copies": (tiles("copies=(4,) * 26"), ["copies has 26 numbers for 27 kinds"]),
    "negative copies": (tiles("copies=(4,) * 26 + (-1,)"), ["copies must be from 0 to 120"]),
    "too many tiles": (tiles("copies=(10,) * 27"), ["270 tiles are too many; there can be 250"]),
    "too few suits": (tiles("suit_of=(0,) * 9"), ["suit_of has 9 numbers for 27 kinds"]),
    "a suit that isn't there": (tiles("suit_of=(3,) * 27"), ["suit_of must be places in suits, 0 to 2"]),
    "suits by letter": (tiles("suit_of=('m',) * 27"), ["suit_of must be a tuple of whole numbers"]),
    "a tile twice": (tiles("names=(*SUITS.names[:26], '1m')"), ["a name stands there twice"]),
    "a wild tile that isn't there": (tiles("laizi='C'"), ["laizi 'C' is none of its names"]),
    "an odd order": (
        stated("tiles=TileSet(names=tuple('CFB'), copies=(40,) * 3, suits=('z',), suit_of=(0,) * 3)"),
        ["TileSet"],
    ),
    "dragons where runs are": (
        both(
            stated("tiles=replace(SUITS, names=(*SUITS.names[:24], 'C', 'F', 'B'))"),
            swap("import dataclass\n", "import dataclass, replace\n"),
        ),
        ["kind 24 is 'C', where the hand library has another tile", "tile_set("],
    ),
    "an unknown tile": (
        both(stated("tiles=tile_set('123456789m Q')"), imported("tile_set")),
        ["'Q'"],
    ),
    "standard too short": (tiles("standard=(0, 1)"), ["standard must have a number from 0 to 33 for each kind"]),
}

OPTIONS = {
    **{
        f"option {name}": (
            option(f"{name}: bool = flag(True, 'x')"),
            [f"option {name!r}", "NumPy", "call it otherwise"],
        )
        for name in ("any", "all", "round", "max", "take", "size", "copy", "base")
    },
    "numbers upside down": (option("speed: int = number(5, 9, 1, 'x')"), ["speed", "9", "1"]),
    "a number too large": (option("speed: int = number(5, 1, 100_000, 'x')"), ["speed", "32767"]),
    "a flag that is none": (option("fast: bool = flag('yes', 'x')"), ["fast='yes'", "False, True"]),
    "no choices": (option("kind: str = choice((), 'x')  #!"), ["IndexError"]),
    "an option without a default": (
        swap("class Options:\n", "class Options:\n    speed: int\n"),
        ["option 'speed'", "flag, choice or number"],
    ),
    "options that don't go together": (
        added("def check_options(options):\n    if options['value'] == 2:\n        raise ValueError('two is too few')"),
        ["preset 'usual'", "two is too few"],
    ),
    "a bare option": (option("speed: int = 3"), ["option 'speed' must be made by flag, choice or number"]),
    "an option twice": (option("value: int = number(1, 1, 9, 'again')"), ["option 'value' stands there twice"]),
    "a default that can't be": (
        option("speed: int = number(12, 1, 9, 'x')"),
        ["defaults", "speed=12", "a whole number from 1 to 9"],
    ),
    "a choice that can't be": (option("kind: str = choice(('a', 'b'), 'x', default='c')"), ["kind='c'", "'a', 'b'"]),
    "a preset's value": (stated("presets={'usual': {'value': 12}}"), ["preset 'usual'", "value=12", "from 1 to 9"]),
    "a preset's value of another type": (stated("presets={'usual': {'value': '2'}}"), ["value='2'", "from 1 to 9"]),
    "a preset's unknown option": (
        stated("presets={'usual': {'valu': 2}}"),
        ["no option 'valu'", "did you mean value?"],
    ),
    "implied by no option": (stated("implied={'fast': {True: {}}}"), ["no option 'fast'"]),
    "implied by no value": (stated("implied={'value': {12: {}}}"), ["implied by value 12", "from 1 to 9"]),
    "implied unknown": (stated("implied={'value': {2: {'fast': True}}}"), ["implied by value 2", "no option 'fast'"]),
    "implied impossible": (
        both(option("fast: bool = flag(False, 'x')"), stated("implied={'value': {2: {'fast': 2}}}")),
        ["implied by value 2", "fast=2", "False, True"],
    ),
    "implied, not a dict": (stated("implied={'value': 2}"), ["implied", "'value'", "dict"]),
}

STATE = {
    **{
        f"field {name}": (stated(f"fields=(({name!r}, 'i1', ()),)"), [f"field {name!r}", "NumPy", "call it otherwise"])
        for name in ("any", "max", "take", "base", "item")
    },
    "a field of every game": (
        stated("fields=(('points', 'i1', ('seats',)),)"),
        ["field 'points' is already a field of every game"],
    ),
    "a field twice": (stated("fields=(('x1', 'i1', ()),) * 2"), ["field 'x1' stands there twice"]),
    "a field in both": (
        stated("fields=(('x1', 'i1', ()),),\n    scratch=(('x1', 'i1', ()),)"),
        ["field 'x1' stands there twice"],
    ),
    "a bool": (stated("fields=(('x1', bool, ()),)"), ["field 'x1' has dtype", "a yes or no is 'i1'"]),
    "a bool by name": (stated("fields=(('x1', '?', ()),)"), ["field 'x1' has dtype '?'", "a yes or no is 'i1'"]),
    "a float": (stated("fields=(('x1', 'f4', ()),)"), ["field 'x1' has dtype 'f4'", "it takes i1, i2"]),
    "unheard of dtype": (stated("fields=(('x1', 'int', ()),)"), ["field 'x1' has dtype 'int'", "it takes i1, i2"]),
    "shape as a text": (stated("fields=(('x1', 'i1', 'seats'),)"), ["field 'x1' has shape 'seats'", "a tuple"]),
    "shape as a number": (stated("fields=(('x1', 'i1', 4),)"), ["field 'x1' has shape 4", "a tuple"]),
    "shape of an unknown word": (stated("fields=(('x1', 'i1', ('seat',)),)"), ["('seat',)", "'seats' and 'kinds'"]),
    "shape of nothing": (stated("fields=(('x1', 'i1', (0,)),)"), ["(0,)", "numbers above 0"]),
    "a keyword": (stated("fields=(('lambda', 'i1', ()),)"), ["field 'lambda'"]),
    "the package's prefix": (stated("fields=(('rules_x', 'i1', ()), ('gap_0', 'i1', ()))"), ["'rules_x'", "'gap_0'"]),
    "a pair": (stated("fields=(('x1', 'i1'),)"), ["field ('x1', 'i1') must be (name, dtype, shape)"]),
    "not in a tuple": (stated("fields=('x1', 'i1', ())"), ["field 'x1' must be (name, dtype, shape)"]),
    "a name that is none": (
        stated("fields=(('two words', 'i1', ()),)"),
        ["field 'two words'", "letters, digits and _"],
    ),
}

VERBS = {
    "unknown verb": (
        stated("verbs=('discard', 'hu', 'pass', 'shout', 'peng', 'gang', 'self_gang')"),
        ["verb 'shout' is unknown", "own_verbs"],
    ),
    "nearly a verb": (
        stated("verbs=('discard', 'hu', 'pass', 'pong', 'peng', 'gang', 'self_gang')"),
        ["verb 'pong' is unknown", "did you mean peng?"],
    ),
    "a verb twice": (
        stated("verbs=('discard', 'peng', 'gang', 'self_gang', 'hu', 'pass', 'hu')"),
        ["verb 'hu' stands there twice"],
    ),
    "sets without a list": (
        stated("verbs=('discard', 'peng', 'gang', 'self_gang', 'hu', 'pass', 'chi_set')"),
        ["verb 'chi_set' needs its arguments in own_arguments"],
    ),
    "own verb left out": (stated("own_verbs={'liang': 'kind'}"), ["own verb 'liang' is not among verbs"]),
    "own verb that is ours": (stated("own_verbs={'hu': 'none'}"), ["own verb 'hu' is one of the package's already"]),
    "own verb in capitals": (
        both(stated("own_verbs={'Liang': 'kind'}"), swap('"pass"),', '"pass", "Liang"),')),
        ["own verb 'Liang' must be a lower-case word"],
    ),
    "own verb takes what?": (
        both(stated("own_verbs={'liang': 'tile'}"), swap('"pass"),', '"pass", "liang"),')),
        ["own verb 'liang' takes 'tile'", "'none', 'kind', 'suit', 'place', 'own'"],
    ),
    "own verb without a list": (
        both(stated("own_verbs={'liang': 'own'}"), swap('"pass"),', '"pass", "liang"),')),
        ["verb 'liang' needs its arguments in own_arguments"],
    ),
    "arguments of no verb": (
        stated("own_arguments={'liang': ('a',)}"),
        ["own_arguments has 'liang', which takes none of its own"],
    ),
    "own verbs as a tuple": (stated("own_verbs=('liang',)"), ["own_verbs must be a dict: verb → what it takes"]),
    "offered and not had": (
        both(imported("DECLARE"), after_draw("game.legal[first_action(game, DECLARE)] = 1  #!")),
        ["first_action gives -1 for declare, which isn't among verbs"],
    ),
    "offered by a helper": (
        both(
            imported("CHI"),
            added("@compiled\ndef chi(game):\n    game.legal[first_action(game, CHI)] = 1  #!"),
            after_draw("chi(game)"),
        ),
        ["in chi", "first_action gives -1 for chi"],
    ),
    "offered by the package": (
        stated("verbs=('discard', 'peng', 'self_gang', 'hu', 'pass')"),
        ["offer_gang_and_peng offers gang, which isn't among verbs"],
    ),
}

HOOKS = {
    **{
        f"no {name}": (
            swap(f"@compiled\ndef {name}(", f"@compiled\ndef _{name}("),
            [f"the function {name}(", "is missing"],
        )
        for name in ("turn_choices", "claim_choices", "settle_hu")
    },
    "no waits_mask": (
        swap("import set_waits as waits_mask", "import set_waits"),
        ["the function waits_mask(game, seat) is missing"],
    ),
    "a hook that is no function": (
        added("settle_gang = 3"),
        ["settle_gang is a question and must be a function, not 3"],
    ),
    "not compiled": (
        swap("@compiled\ndef settle_hu(game, by, source):", "def settle_hu(game, by, source):  #!"),
        ["settle_hu", "decorated with @compiled"],
    ),
    "optional, not compiled": (
        added("def after_draw(game, seat):  #!\n    game.turn = seat"),
        ["after_draw", "decorated with @compiled"],
    ),
    "too few parameters": (
        swap("def settle_hu(game, by, source):", "def settle_hu(game, by):  #!\n    source = 0"),
        ["settle_hu is a question with parameters (game, by, source), not (game, by)"],
    ),
    "too many parameters": (
        swap("def turn_choices(game, seat):", "def turn_choices(game, seat, more):  #!"),
        ["turn_choices is a question with parameters (game, seat)"],
    ),
    "other parameters": (
        added("@compiled\ndef settle_gang(game, who, feeder):  #!\n    game.turn = who"),
        ["settle_gang is a question with parameters (game, seat, feeder)"],
    ),
    "parameters in another order": (
        swap("def settle_hu(game, by, source):", "def settle_hu(game, source, by):  #!"),
        ["in another order", "settle_hu(game, by, source)"],
    ),
    "misspelt settle_wall_end": (
        added("@compiled\ndef settle_wallend(game):  #!\n    game.turn = 0"),
        ["settle_wallend", "did you mean settle_wall_end?"],
    ),
    "misspelt settle_gang": (
        added("@compiled\ndef settle_gangs(game, seat, feeder):  #!\n    game.turn = 0"),
        ["settle_gangs", "did you mean settle_gang?"],
    ),
    "misspelt describe_seat": (
        added("def describe_saet(state, seat, viewer):  #!\n    return ''"),
        ["describe_saet", "did you mean describe_seat?"],
    ),
    "misspelt tiles_aside": (
        added("def tile_aside(state):  #!\n    return []"),
        ["tile_aside", "did you mean tiles_aside?"],
    ),
    "misspelt is_zero_sum": (
        added("def is_zerosum(options):  #!\n    return False"),
        ["is_zerosum", "did you mean is_zero_sum?"],
    ),
    "a helper called as a question": (
        added("def is_possible(kind):  #!\n    return kind > 0"),
        ["is_possible is a question with parameters (state, viewer), not (kind)"],
    ),
    "a kernel that answers nothing": (
        added("@compiled\ndef reckon(game):  #!\n    game.turn = 0"),
        ["reckon", "answers nothing and nothing calls it"],
    ),
    "a hook of any parameters": (
        added("@compiled\ndef after_draw(*given):  #!\n    given[0].turn = 0"),
        ["after_draw", "name the parameters one by one"],
    ),
    "a hook that is a lambda": (added("after_draw = lambda game, seat: None"), ["after_draw", "@compiled"]),
    "a hook that is a class": (added("class after_draw:\n    pass"), ["after_draw"]),
    "a plain question compiled": (
        added("@compiled\ndef tiles_aside(state):\n    return 0"),
        ["tiles_aside"],
    ),
    "a hook's sum is forgotten": (swap("    return HU_RANK if hu else rank\n", ""), ["claim_choices", "a rank, or 0"]),
    "a hook returns on one way": (
        added("@compiled\ndef plays_on(game, seat):\n    if game.wins[seat] > 0:\n        return False"),
        ["plays_on", "may end after this without a return"],
    ),
    "forgotten pass": (
        swap("    game.legal[first_action(game, PASS)] = 1 if hu or rank > 0 else 0\n", "", "    PASS,\n", ""),
        ["in claim_choices", "never offers pass"],
    ),
    "forgotten choices": (
        both(
            swap(
                "def turn_choices(game, seat):\n",
                "def turn_choices(game, seat):  #!\n    game.turn = seat\n\n\n@compiled\ndef _unused(game, seat):\n",
            )
        ),
        ["in turn_choices", "sets no legal"],
    ),
}

KERNELS = {
    "a list": (
        after_draw("for kind in [1, 2]:  #!\n    game.turn = kind"),
        ["after_draw", "makes a list", "write a tuple"],
    ),
    "a list of its own": (
        after_draw("kinds = [kind for kind in range(3)]  #!\ngame.turn = len(kinds)"),
        ["makes a list", "write the loop out"],
    ),
    "a dict": (after_draw("worth = {1: 2}  #!\ngame.turn = worth[1]"), ["makes a dict"]),
    "a set": (after_draw("if seat in {1, 2}:  #!\n    game.turn = 1"), ["makes a set"]),
    "an f-string": (after_draw("name = f'{seat}'  #!\ngame.turn = len(name)"), ["makes a string"]),
    "a string": (
        after_draw("if game.options.value == 'two':  #!\n    game.turn = 1"),
        ["compares with a string", "the number"],
    ),
    "raise": (after_draw("raise ValueError(seat)  #!"), ["raises: kernels can't"]),
    "assert": (after_draw("assert seat >= 0  #!"), ["asserts: kernels can't"]),
    "try": (
        after_draw("try:  #!\n    game.turn = seat\nexcept ValueError:\n    game.turn = 0"),
        ["try: nothing is raised in kernels"],
    ),
    "with": (after_draw("with open('x'):  #!\n    game.turn = seat"), ["with: kernels open nothing"]),
    "print": (after_draw("print(seat)  #!"), ["print can't be called in a kernel"]),
    "np.zeros": (
        both(
            swap("from dataclasses", "import numpy as np\nfrom dataclasses"),
            after_draw("left = np.zeros(3)  #!\ngame.turn = len(left)"),
        ),
        ["np.zeros makes an array"],
    ),
    "sorted": (after_draw("game.turn = sorted((1, seat))[0]  #!"), ["sorted can't be called in a kernel"]),
    "a method of arrays": (
        after_draw("game.turn = game.hands[seat].tolist()[0]  #!"),
        ["tolist", "kernels allocate nothing"],
    ),
    "chance of its own": (
        both(
            swap("from dataclasses", "import random\nfrom dataclasses"),
            after_draw("game.turn = random.randrange(3)  #!"),
        ),
        ["random.randrange", "random_below(game.random, number)"],
    ),
    "a lambda": (after_draw("more = lambda n: n + 1  #!\ngame.turn = more(seat)"), ["makes a function"]),
    "a global": (after_draw("global memory  #!\nmemory = seat"), ["keeps nothing outside the game's record"]),
    "a list of the file": (
        both(added("SAFE = [1, 2]"), after_draw("if seat in SAFE:  #!\n    game.turn = 1")),
        ["SAFE is a list", "make it a tuple"],
    ),
    "a plain function": (
        both(added("def double(n):\n    return 2 * n"), after_draw("game.turn = double(seat)  #!")),
        ["double is a plain function", "@compiled"],
    ),
    "None": (after_draw("game.turn = None  #!"), ["uses None", "NOBODY"]),
    "unknown field": (
        after_draw("game.tunr = seat  #!"),
        ["after_draw", "the game has no field tunr", "did you mean turn?"],
    ),
    "unknown field read": (after_draw("game.turn = game.best_tile  #!"), ["the game has no field best_tile"]),
    "unknown option": (
        after_draw("game.turn = game.options.valeu  #!"),
        ["there is no option valeu", "did you mean value?"],
    ),
    "an option as a field": (after_draw("game.turn = game.value  #!"), ["write game.options.value"]),
    "an option written": (after_draw("game.options.value = 3  #!"), ["writes the option value"]),
    "undefined name": (after_draw("game.turn = seaat  #!"), ["seaat isn't defined", "did you mean seat?"]),
    "not imported": (after_draw("game.turn = peng_of(game, seat, 3)  #!"), ["peng_of isn't defined"]),
    "too few arguments": (
        swap("offer_self_gangs(game, seat)", "offer_self_gangs(game)  #!"),
        ["offer_self_gangs takes 2 (game, seat), but 1 is given"],
    ),
    "too many arguments": (
        after_draw("game.turn = wall_left(game, seat)  #!"),
        ["wall_left takes 1 (game), but 2 are given"],
    ),
    "a question's arguments": (
        after_draw("game.turn = first_action(HU)  #!"),
        ["first_action takes 2 (game, verb), but 1 is given"],
    ),
    "own helper's arguments": (
        both(added("@compiled\ndef worth(game, kind):\n    return kind"), after_draw("game.turn = worth(game)  #!")),
        ["worth takes 2 (game, kind), but 1 is given"],
    ),
    "nothing is returned": (
        both(added("@compiled\ndef worth(game):\n    game.turn = 1"), after_draw("game.turn = worth(game)  #!")),
        ["worth returns nothing, and its value is used here"],
    ),
    "beyond the row": (after_draw("game.hands[seat, 27] += 1  #!"), ["hands", "27"]),
    "beyond the seats": (after_draw("game.points[4] = 1  #!"), ["points", "4"]),
    "before the row": (after_draw("game.hands[seat, -1] += 1  #!"), ["hands", "-1"]),
    "beyond the actions": (after_draw("game.legal[900] = 1  #!"), ["legal", "900"]),
    "beyond the patterns": (after_draw("game.patterns[2] = 1  #!"), ["patterns"]),
    "beyond the slip reasons": (after_draw("write_slip(game, 3, seat)  #!"), ["slip_reasons", "3"]),
    "too large for its field": (after_draw("game.turn = 300  #!"), ["turn", "300"]),
    "a value on one way": (
        after_draw("if seat > 0:\n    more = 1\ngame.turn = more  #!"),
        ["more"],
    ),
    "a loop that changes nothing": (after_draw("while game.turn < 4:  #!\n    pass"), ["never ends"]),
    "an index too many": (after_draw("game.points[seat, 0] = 1  #!"), ["game.points takes 1 index"]),
    "a row added to": (after_draw("game.hands[seat] += 1  #!"), ["game.hands[seat] is a row of 27 numbers"]),
    "a loop too long": (
        after_draw("for kind in range(34):\n    game.hands[seat, kind] += 0  #!"),
        ["kind goes up to 33", "places 0 to 26"],
    ),
    "endless while": (after_draw("while True:  #!\n    game.turn = seat"), ["never ends"]),
    "endless by a constant": (after_draw("while 1:  #!\n    game.turn += 1"), ["never ends"]),
    "calls itself for ever": (
        added("@compiled\ndef after_draw(game, seat):\n    after_draw(game, seat)  #!"),
        ["never ends"],
    ),
    "calls back into the cycle": (
        both(
            swap("VARIANT =", "from mahjong_env.rules.draw.turns import settle_claims\n\nVARIANT ="),
            after_draw("settle_claims(game)  #!"),
        ),
        ["an answer never calls back into what asks it"],
    ),
    "compares instead of setting": (
        after_draw("game.turn == seat  #!"),
        ["compares, and nothing is done", "did you mean game.turn = seat?"],
    ),
    "a value before it is there": (
        after_draw("total += seat  #!\ngame.turn = total"),
        ["total", "before it has a value"],
    ),
}

FILES = {
    "a syntax error": (
        swap("def settle_hu(game, by, source):", "def settle_hu(game, by, source)  #!"),
        ["expected ':'"],
    ),
    "a bracket left open": (swap("wall_left(game) > 0:", "wall_left(game > 0:  #!"), ["invalid syntax"]),
    "an indent": (
        swap(
            "    game.legal[first_action(game, HU)] = 1 if game",
            "      game.legal[first_action(game, HU)] = 1 if game",
            "    if wall_left(game) > 0:\n",
            "    if wall_left(game) > 0:  #!\n",
        ),
        ["unindent"],
    ),
    "an import that fails": (swap("    wall_left,\n", "    wall_lefft,\n"), ["wall_lefft"]),
    "a module that isn't there": (
        swap("from dataclasses import dataclass", "import no_such_module  #!\nfrom dataclasses import dataclass"),
        ["no_such_module"],
    ),
    "an exception": (added("WORTH = 1 / 0  #!"), ["ZeroDivisionError"]),
    "an exception in a function": (added("def reckon():\n    return {}['x']  #!\n\n\nreckon()"), ["KeyError", "'x'"]),
    "an unknown name": (added("WORTH = SEATS  #!"), ["NameError", "SEATS"]),
    "a tile that is unknown": (
        both(added("TILES = tile_set('12m Q')  #!"), imported("tile_set")),
        ["ValueError", "'Q'"],
    ),
    "it ends the process": (added("raise SystemExit(3)  #!"), ["SystemExit"]),
    "no VARIANT": (swap("VARIANT = ", "RULES = "), ["no constant VARIANT of type Variant"]),
    "VARIANT in lower case": (swap("VARIANT = ", "variant = "), ["no constant VARIANT of type Variant"]),
    "VARIANT of another type": (
        lambda text: text + "\nVARIANT = {'name': 'mistaken'}\n",
        ["no constant VARIANT of type Variant"],
    ),
    "VARIANT's class": (lambda text: text + "\nVARIANT = Variant\n", ["no constant VARIANT of type Variant"]),
    "a bundled name": (stated("name='sichuan'"), ["there is a bundled variant 'sichuan'", "another name"]),
    "like nothing": (
        both(imported("like"), added("LIKE = like('nothing', name='x', title='x')  #!")),
        ["no variant 'nothing'", "sichuan"],
    ),
    "like without a name": (
        both(imported("like"), lambda text: text + "\nVARIANT = like('sichuan', title='x')\n"),
        ["the field name is missing"],
    ),
    "like with a misspelt field": (
        both(
            imported("like"), lambda text: text + "\nVARIANT = like('sichuan', name='mistaken', title='x', preset={})\n"
        ),
        ["no field 'preset'", "did you mean presets?"],
    ),
}

NOT_TOLD = {
    "kernels a value on one way": "it loads; compiled, the name holds whatever was there",
    "kernels a loop that changes nothing": "it loads; the hand never goes on",
}
"""Mistakes that the loader doesn't tell yet, and what happens instead."""

ALL = {
    f"{group} {name}": case
    for group, cases in {
        "fields": FIELDS,
        "tiles": TILES,
        "options": OPTIONS,
        "state": STATE,
        "verbs": VERBS,
        "hooks": HOOKS,
        "kernels": KERNELS,
        "files": FILES,
    }.items()
    for name, case in cases.items()
}

CASES = [
    pytest.param(
        *case, id=name, marks=[pytest.mark.xfail(strict=True, reason=NOT_TOLD[name])] if name in NOT_TOLD else []
    )
    for name, case in ALL.items()
]


@pytest.fixture(autouse=True)
def _nothing_stays(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is loaded all the same is gone after the test, for other tests play all variants there are."""
    monkeypatch.setenv(registry.INHERITED, os.environ.get(registry.INHERITED, ""))
    loaded, paths = dict(registry._loaded), dict(registry._paths)
    yield
    for kept, before in ((registry._loaded, loaded), (registry._paths, paths)):
        kept.clear()
        kept.update(before)


numbers = itertools.count()
"""A name of its own for each, so that one that is loaded by mistake stands in no other's way."""


def refused(path: Path) -> str:
    """What is told of a file that can't be loaded, none of it being left behind."""
    names, modules = variant_names(), set(sys.modules)
    with pytest.raises(mj.VariantError) as raised:
        mj.load_variant(path)
    assert variant_names() == names == tuple(mj.variants()), "the variant is there all the same"
    left = [name for name in set(sys.modules) - modules if path.stem in name]
    assert not left, f"{left} are left in sys.modules"
    return str(raised.value)


@pytest.mark.parametrize(("edit", "told"), CASES)
def test_a_mistake_is_told(tmp_path: Path, edit: Edit, told: list[str]) -> None:
    path = tmp_path / "mistaken.py"
    text = edit(RULES).replace('"mistaken"', f'"mistaken_{next(numbers)}"')
    path.write_text(text, encoding="utf-8")
    message = refused(path)
    missing = [words for words in told if words not in message]
    assert not missing, f"not told: {missing}; told: {message}"
    for number, line in enumerate(text.splitlines(), 1):
        if line.endswith("#!"):
            told_at = (f"{path.name}:{number} in ", f"{path}, line {number}:")
            assert any(place in message for place in told_at), f"line {number} isn't told: {message}"


def test_the_cases_are_many_and_known() -> None:
    assert len(CASES) >= 60
    assert set(NOT_TOLD) <= set(ALL)


def test_the_example_itself_is_no_mistake(tmp_path: Path) -> None:
    path = tmp_path / "right.py"
    path.write_text(RULES.replace('"mistaken"', '"not_mistaken"'), encoding="utf-8")
    assert mj.load_variant(path) == "not_mistaken"


# --- several at once --------------------------------------------------------------------------------------------------


def test_all_mistakes_of_definition_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "mistaken.py"
    edits = [
        stated("fields=(('any', 'i1', ()), ('x1', bool, ()))"),
        stated("seats=1"),
        stated("verbs=('discard', 'peng', 'gang', 'self_gang', 'hu', 'pass', 'shout')"),
        stated("presets={'usual': {'value': 99}, 'other': {'fast': True}}"),
        swap("import set_waits as waits_mask", "import set_waits"),
    ]
    path.write_text(both(*edits)(RULES), encoding="utf-8")
    message = refused(path)
    for words in ("seats=1", "'shout'", "value=99", "'fast'", "'any'", "'x1'", "waits_mask"):
        assert words in message
    assert message.count("\n- ") >= 7


def test_mistakes_of_definition_and_of_code_are_told_together(tmp_path: Path) -> None:
    path = tmp_path / "mistaken.py"
    edits = [
        stated("seats=1"),
        after_draw("print(seat)\ngame.tunr = [1][0]"),
        added("@compiled\ndef settle_wallend(game):\n    game.turn = 0"),
        swap("def settle_hu(game, by, source):", "def settle_hu(game, by):\n    source = 0"),
    ]
    path.write_text(both(*edits)(RULES), encoding="utf-8")
    message = refused(path)
    for words in ("seats=1", "print", "tunr", "makes a list", "settle_wall_end", "settle_hu is a question"):
        assert words in message


def test_a_verb_and_a_kernel_are_told_together(tmp_path: Path) -> None:
    path = tmp_path / "mistaken.py"
    path.write_text(both(VERBS["unknown verb"][0], KERNELS["print"][0])(RULES), encoding="utf-8")
    message = refused(path)
    assert "verb 'shout' is unknown" in message and "print can't be called in a kernel" in message


def test_a_folders_mistakes_are_told_with_their_file(tmp_path: Path) -> None:
    folder = tmp_path / "mistaken"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        both(swap("VARIANT =", "from .draws import after_draw\n\nVARIANT ="))(RULES), encoding="utf-8"
    )
    (folder / "draws.py").write_text(
        "from mahjong_env.rules import compiled\n\n\n@compiled\ndef after_draw(game, seat):\n    game.tunr = seat\n",
        encoding="utf-8",
    )
    message = refused(folder)
    assert "draws.py:6 in after_draw: the game has no field tunr" in message


# --- the file itself --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "told"),
    [("rules.txt", "ends with .py"), ("gone.py", "no variant file"), ("folder", "no variant file")],
)
def test_what_is_no_python_file(tmp_path: Path, name: str, told: str) -> None:
    if name == "folder":
        (tmp_path / name).mkdir()
    elif name != "gone.py":
        (tmp_path / name).write_text(RULES, encoding="utf-8")
    assert told in refused(tmp_path / name)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda text: text.replace(b"My rules", b"My \xff rules"), id="in a text"),
    ],
)
def test_bytes_that_are_no_text(tmp_path: Path, spoil: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "mistaken.py"
    path.write_bytes(spoil(RULES.encode()))
    assert str(path) in refused(path)


def test_a_name_that_another_file_has(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(RULES.replace('"mistaken"', '"taken_name"'), encoding="utf-8")
    assert mj.load_variant(tmp_path / "one.py") == "taken_name"
    message = refused(tmp_path / "two.py")
    assert "'taken_name' already" in message and str(tmp_path / "one.py") in message
    assert mj.Game("taken_name", seed=1).variant.name == "taken_name"
