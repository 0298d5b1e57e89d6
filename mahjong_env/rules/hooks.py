"""Everything that is asked of a game: compiled hooks of every turn cycle, and plain functions for people and search.

A variant answers a question by a function of that name and those parameters in its file; what it leaves out has the default
that stands here (or beside the turn cycle that asks it: `draw/hooks.py`, `flip/hooks.py`, and `greedy.py` for the greedy
player). `questions_of(cycle)` in `definition.py` lists them all; what a variant defines and nobody asks is reported.

Compiled hooks take the game's state as `game`; plain ones take it as `state`, the same record as Python reads it
(`state["hands"][seat]`).
"""

import inspect
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from mahjong_env import compiled as kernels
from mahjong_env.rules.inference import Known, known_open_hand
from mahjong_env.rules.score import Score
from mahjong_env.rules.state import TURN

HAND = 13
"""Tiles dealt to a seat where a variant says nothing else."""

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Question:
    """Something asked of a variant.

    parameters: their names, in order, which an answer has to have; returns: what it gives back, in words, "" for nothing;
    asks: the sentence that says what is asked; module: where it is declared; is_compiled: answered by a kernel; default: the
    answer of a variant that gives none, None where it must give one; sets: fields that an answer has to write; offers: verbs
    that it has to offer beside any other; sets_options: it may write options, which no other kernel may.
    """

    name: str
    parameters: tuple[str, ...]
    returns: str
    asks: str
    module: str
    is_compiled: bool
    default: Callable[..., Any] | None
    sets: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    sets_options: bool = False

    @property
    def is_required(self) -> bool:
        """Whether a variant must answer."""
        return self.default is None


_declared: dict[str, dict[str, Question]] = {}


def asked_in(module: str) -> dict[str, Question]:
    """The questions declared in a module, by name."""
    return _declared.get(module, {})


def hook(
    *, returns: str = "", sets: tuple[str, ...] = (), offers: tuple[str, ...] = ()
) -> Callable[[Callable[..., Any]], Any]:
    """Declare a compiled question that every variant must answer."""

    def declare(function: Callable[..., Any]) -> Any:
        asked = kernels.hook(function)
        _note(function, returns, True, None, sets=sets, offers=offers)
        return asked

    return declare


def optional_hook(*, returns: str = "", sets_options: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Declare a compiled question whose body is the answer of a variant that gives none."""

    def declare(function: Callable[..., Any]) -> Any:
        asked = kernels.optional_hook(function)
        default = kernels.HOOKS[function.__module__][function.__name__]
        _note(function, returns, True, default, sets_options=sets_options)
        return asked

    return declare


def plain(*, returns: str = "", required: bool = False) -> Callable[[Function], Function]:
    """Declare a question answered in plain Python; its body is the answer of a variant that gives none."""

    def declare(function: Function) -> Function:
        _note(function, returns, False, None if required else function)
        return function

    return declare


def _note(
    function: Callable[..., Any],
    returns: str,
    is_compiled: bool,
    default: Callable[..., Any] | None,
    **duties: Any,
) -> None:
    question = Question(
        function.__name__,
        tuple(inspect.signature(function).parameters),
        returns,
        " ".join((function.__doc__ or "").split()),
        function.__module__,
        is_compiled,
        default,
        **duties,
    )
    _declared.setdefault(function.__module__, {})[question.name] = question


def declared_as(question: Question) -> Any:
    """The function that asks it."""
    return getattr(sys.modules[question.module], question.name)


# --- actions by number ------------------------------------------------------------------------------------------------


@kernels.lookup
def first_action(game, verb):
    """The number of the first action of `verb` (a constant of `actions`); -1 if the variant hasn't got the verb."""


@kernels.lookup
def verb_of(game, action):
    """The verb of an action."""


@kernels.lookup
def argument_of(game, action):
    """The place of an action among its verb's: a kind, a suit, …"""


# --- tiles by number --------------------------------------------------------------------------------------------------


@kernels.lookup
def copies_of(game, kind):
    """How many tiles of `kind` the game has."""


@kernels.lookup
def key_column(game, kind):
    """The column of `keys` that a tile of `kind` counts in."""


@kernels.lookup
def key_weight(game, kind):
    """What a tile of `kind` adds to its key."""


@kernels.lookup
def standard_kind(game, kind):
    """The standard number (0-33, as the hand library has them) of one of the game's kinds."""


@kernels.lookup
def own_kind(game, kind):
    """The game's number of a standard kind (0-33, as the hand library has them); -1 if it has no such tile."""


@kernels.hook
def standard_mask(game, mask):
    """A bit set over the game's kinds as one over standard kinds."""


@kernels.hook
def own_mask(game, mask):
    """A bit set over standard kinds as one over the game's kinds, others left out."""


# --- parts of a turn cycle ----------------------------------------------------------------------------------------------


@kernels.hook
def deal(game):
    """Shuffle, deal and go on to the first decision; `random` is seeded, `dealer` set or NOBODY."""


@kernels.hook
def start(game):
    """As `deal`, from the wall as it lies; a dealer and other chance may be given too."""


@kernels.hook
def play(game, action):
    """One legal decision of the seat to act, and on to the next decision."""


@kernels.hook
def resume(game):
    """On to the next decision of a game that was set up in the middle, its `phase` and `turn` being set."""


@kernels.hook
def observe(game, seat, out, all_seen):
    """Write what `seat` sees into `out`, (rows, kinds) int8; with `all_seen` also the oracle's rows."""


# --- compiled questions of every game -----------------------------------------------------------------------------------


@hook(returns="the mask")
def waits_mask(game, seat):
    """Bit per kind that completes the seat's concealed tiles."""


@optional_hook(returns="the number")
def hand_size(game):
    """The number of tiles dealt to each seat; the dealer gets one more. In games of sets and a pair, one more than a
    multiple of three."""
    return HAND


@optional_hook(returns="the mask")
def laizi_kinds(game):
    """Bit per kind that is wild."""
    return 0


@optional_hook(sets_options=True)
def begin_hand(game, number):
    """A hand of an episode has been dealt, its `number` counted from 0: set the options that go by that."""


@optional_hook(returns="the next row")
def observe_own(game, seat, out, row, all_seen):
    """Write the variant's own pieces from `row` on; return the next row. `all_seen`: also what is hidden from the seat."""
    return row


@optional_hook()
def draw_chance(game):
    """Draw what chance decides beside the wall and the dealer, unless it has been given."""


@optional_hook()
def begin_opening(game):
    """Before the first turn: set the phase to OPENING if there is anything to ask, else to TURN."""
    game.phase = TURN


@optional_hook(returns="whether somebody is asked")
def ask_opening(game):
    """Offer the next choice before the first turn (write `legal`, `to_act`) and return True; False when all are made."""
    return False


@optional_hook()
def answer_opening(game, action):
    """Take an answer to `ask_opening`."""
    game.phase = TURN


@optional_hook()
def passed_hu(game, seat):
    """The seat was offered hu on the tile on the table and answered otherwise."""


# --- plain questions: rules and options ---------------------------------------------------------------------------------


@plain()
def check_options(options: Mapping[str, Any]) -> None:
    """Raise ValueError, saying why, for options that don't go together; `options` has every option's value."""


@plain(returns="whether it does")
def is_zero_sum(options: Mapping[str, Any]) -> bool:
    """Whether all points that somebody loses are somebody's."""
    return True


@plain(returns="a list of kinds")
def tiles_aside(state: Any) -> list[int]:
    """The kinds that lie in no hand, meld, discard or wall, one entry a tile."""
    return []


# --- plain questions: drawings ------------------------------------------------------------------------------------------


@plain(returns="a text")
def describe_seat(state: Any, seat: int, viewer: int | None) -> str:
    """What a drawing of the table says of a seat beside the usual, to `viewer` (None: to all who may see everything)."""
    return ""


@plain(returns="a text")
def describe_phase(state: Any) -> str:
    """What is asked in a phase of the variant's own."""
    return "a choice of its own"


# --- plain questions: hands and positions in notation -------------------------------------------------------------------


@plain()
def prepare(state: Any) -> None:
    """Set the variant's own fields in a blank state, past all choices before the first turn."""


@plain()
def note_replacement(state: Any, seat: int) -> None:
    """A position is set up in which the tile the seat has just drawn replaced a gang's."""


@plain(returns="a Score")
def score_position(state: Any, seat: int, kind: int, by: int, flags: tuple[str, ...]) -> Score:
    """The score, without names of patterns, of the seat's concealed tiles, completed by a tile of `kind` (-1: none named)
    won `by`; what each pattern counts is left in the state's `patterns`."""
    raise ValueError("this variant scores no hand apart from a game: it has no score_position")


# --- plain questions: what a seat can infer of hidden tiles -------------------------------------------------------------


@plain(returns="a Known, or None if chance found no hand that fits")
def known_hand(state: Any, seat: int, viewer: int, pool: np.ndarray, rng: random.Random) -> Known | None:
    """What the viewer knows of another seat's hand, whose tiles are to come from `pool`, (kinds,) numbers of tiles."""
    return known_open_hand(state, seat)


@plain()
def take_back(state: Any, viewer: int) -> None:
    """Put tiles that others have laid aside in secret back into their hands, before the hands are dealt anew."""


@plain()
def choose_again(state: Any, viewer: int, rng: random.Random) -> None:
    """Make the others' secret choices anew, from the hands they now hold."""


@plain()
def ask_own_again(state: Any, viewer: int) -> None:
    """In a phase of the variant's own: forget what others have answered in secret."""


@plain(returns="whether they do")
def is_possible(state: Any, viewer: int) -> bool:
    """Whether the hands now dealt fit what the viewer has seen."""
    return True
