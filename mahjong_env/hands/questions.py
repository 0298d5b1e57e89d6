"""The public questions about hands given as counts: checks, then the shortest way to the answer."""

import numpy as np
from numpy.typing import ArrayLike

from mahjong_env.hands import batches
from mahjong_env.hands.batches import COMPLETE, DISTANCE, SUITS_ONLY, USEFUL, WAITS, WITH_HONOURS, WRONG
from mahjong_env.hands.counts import SETS, check_copies, check_numbers, hands_of, refuse
from mahjong_env.hands.forms import Form, ask_form, form_of, plan_of
from mahjong_env.hands.queries import HONOUR_START
from mahjong_env.hands.tables import MERGE, cost_of_two, places, sorted_classes, sorted_needs, sorted_waits

BEFORE_DRAW, AFTER_DRAW = 0, 1
"""Tiles beyond 3 * sets + 1: the hand waiting for a draw, and with it."""


def is_complete(counts: ArrayLike, laizi: int = 0, melds: int = 0, **form: bool) -> bool | np.ndarray:
    """Is the hand complete: all its tiles four sets and a pair, or another form that is asked for?

    Parameters
    ----------
    counts : (kinds,) or (n, kinds) array of whole numbers
        Natural concealed tiles; kinds is 34, or 27 without honours. Fastest as C-ordered uint8.
    laizi : int
        Number of wild tiles in the hand (赖子), for all hands the same.
    melds : int
        Number of called melds (0–4), which are not in the counts.
    **form
        The options of `Form`.

    Returns
    -------
    bool, or (n,) bool array
        False also for another number of tiles than 3 * (4 - melds) + 2, laizi included.

    Raises
    ------
    ValueError
        For a count above four, saying of which kind, and for a shape, laizi or melds that no game has.
    """
    check_numbers(laizi, melds)
    hands = hands_of(counts)
    if form:
        answers = _complete_forms(np.atleast_2d(hands), laizi, melds, form_of(form))
        return answers if hands.ndim == 2 else bool(answers[0])
    if hands.ndim == 1:
        return _ask(COMPLETE, hands, laizi, melds) == 1
    answers = np.empty(len(hands), np.bool_)
    tiles = _tiles(laizi, melds, AFTER_DRAW)
    bad = batches.complete_hands(*_words(hands), laizi, tiles, *places(), sorted_needs(), answers)
    return answers if bad < 0 else refuse(hands, laizi, melds, (AFTER_DRAW,), bad)


def distance(counts: ArrayLike, laizi: int = 0, melds: int = 0, **form: bool) -> int | np.ndarray:
    """How many draws the hand is from being ready (向听, shanten): -1 complete, 0 ready.

    Takes 3 * (4 - melds) + 1 tiles, or one more after a draw, laizi included. See `is_complete` for parameters and
    errors; another number of tiles is a ValueError too. Returns an int, or an (n,) int8 array; 30 where the form has no
    complete hand.
    """
    check_numbers(laizi, melds)
    hands = hands_of(counts)
    if form:
        distances, _ = _ask_forms(np.atleast_2d(hands), laizi, melds, form_of(form), useful=False)
        return distances if hands.ndim == 2 else int(distances[0])
    if hands.ndim == 1:
        return _ask(DISTANCE, hands, laizi, melds)
    distances, cost = np.empty(len(hands), np.int8), cost_of_two(laizi, SETS - melds)
    tiles = _tiles(laizi, melds)
    bad = batches.distance_of_hands(*_words(hands), laizi, tiles, *places(), sorted_classes(), MERGE, cost, distances)
    return distances if bad < 0 else refuse(hands, laizi, melds, (BEFORE_DRAW, AFTER_DRAW), bad)


def waits(counts: ArrayLike, laizi: int = 0, melds: int = 0, **form: bool) -> list[int] | np.ndarray:
    """The kinds that complete the hand (听牌): of 3 * (4 - melds) + 1 tiles, laizi included.

    See `is_complete` for parameters and errors; another number of tiles is a ValueError too. Returns the kinds in
    order, or an (n, kinds) bool array. A kind of which the hand holds all four is no wait: it can't be drawn.
    """
    check_numbers(laizi, melds)
    hands = hands_of(counts)
    if form:
        distances, answers = _ask_forms(
            np.atleast_2d(hands), laizi, melds, form_of(form), useful=True, most=BEFORE_DRAW
        )
        answers &= (distances == 0)[:, None]
        return answers if hands.ndim == 2 else _kinds(answers[0])
    if hands.ndim == 1:
        return _kinds_in(_ask(WAITS, hands, laizi, melds))
    answers, tiles = np.empty(hands.shape, np.bool_), _tiles(laizi, melds)
    bad = batches.waits_of_hands(*_words(hands), laizi, tiles, *places(), sorted_waits(), _as_words(answers))
    return answers if bad < 0 else refuse(hands, laizi, melds, (BEFORE_DRAW,), bad)


def useful(counts: ArrayLike, laizi: int = 0, melds: int = 0, **form: bool) -> list[int] | np.ndarray:
    """The kinds that lower the distance when drawn (有效牌); with a draw in the hand already, after the best discard.

    Parameters and errors as of `distance`. Returns the kinds in order, or an (n, kinds) bool array. A complete hand has
    none, and a kind of which the hand holds all four is none.
    """
    return distance_and_useful(counts, laizi, melds, **form)[1]


def distance_and_useful(
    counts: ArrayLike, laizi: int = 0, melds: int = 0, **form: bool
) -> tuple[int, list[int]] | tuple[np.ndarray, np.ndarray]:
    """`distance` and `useful` at once, which costs no more than `useful`."""
    check_numbers(laizi, melds)
    hands = hands_of(counts)
    if form:
        distances, answers = _ask_forms(np.atleast_2d(hands), laizi, melds, form_of(form), useful=True)
        return (distances, answers) if hands.ndim == 2 else (int(distances[0]), _kinds(answers[0]))
    if hands.ndim == 1:
        return _ask(DISTANCE, hands, laizi, melds), _kinds_in(_ask(USEFUL, hands, laizi, melds))
    distances, answers = np.empty(len(hands), np.int8), np.empty(hands.shape, np.bool_)
    tiles, cost = _tiles(laizi, melds), cost_of_two(laizi, SETS - melds)
    bad = batches.useful_of_hands(
        *_words(hands), laizi, tiles, *places(), sorted_classes(), MERGE, cost, distances, _as_words(answers)
    )
    return (distances, answers) if bad < 0 else refuse(hands, laizi, melds, (BEFORE_DRAW, AFTER_DRAW), bad)


def tenpai(counts: ArrayLike, laizi: int = 0, melds: int = 0, **form: bool) -> bool | np.ndarray:
    """Is the hand ready (听), one tile from complete; or, after a draw, complete or ready by some discard?

    Parameters and errors as of `distance`. Returns a bool, or an (n,) bool array.
    """
    return distance(counts, laizi, melds, **form) <= 0


def _ask(question: int, hand: np.ndarray, laizi: int, melds: int) -> int:
    """The kernel's answer about one hand of a standard form."""
    answer = batches.ask(question, hand, laizi, SETS - melds)
    if answer == WRONG:
        refuse(hand.reshape(1, -1), laizi, melds, (BEFORE_DRAW,) if question == WAITS else (BEFORE_DRAW, AFTER_DRAW))
    return answer


def _as_words(array: np.ndarray) -> np.ndarray:
    """(n, kinds) bytes as kernels read and write many of them."""
    return array.view(batches.hand_type(array.shape[1])).reshape(len(array))


def _words(hands: np.ndarray) -> tuple[np.ndarray, int]:
    """Hands so, and which bytes of the words are honours."""
    return _as_words(hands), WITH_HONOURS if hands.shape[1] > HONOUR_START else SUITS_ONLY


def _tiles(laizi: int, melds: int, drawn: int = BEFORE_DRAW) -> int:
    """Natural concealed tiles of a hand."""
    return 3 * (SETS - melds) + 1 + drawn - laizi


def _ask_forms(
    hands: np.ndarray, laizi: int, melds: int, form: Form, useful: bool, most: int = AFTER_DRAW
) -> tuple[np.ndarray, np.ndarray]:
    check_copies(hands)
    distances = np.empty(len(hands), np.int8)
    answers = np.empty(hands.shape if useful else (0, 0), np.bool_)
    bad = ask_form(plan_of(form, hands.shape[1]), hands, laizi, SETS - melds, most, distances, answers)
    if bad >= 0:
        refuse(hands, laizi, melds, (BEFORE_DRAW, AFTER_DRAW)[: most + 1], bad)
    return distances, answers


def _complete_forms(hands: np.ndarray, laizi: int, melds: int, form: Form) -> np.ndarray:
    check_copies(hands)
    answers = hands.sum(axis=1) == _tiles(laizi, melds, AFTER_DRAW)
    distances, _ = _ask_forms(hands[answers], laizi, melds, form, useful=False)
    answers[answers] = distances < 0
    return answers


def _kinds(answers: np.ndarray) -> list[int]:
    return np.flatnonzero(answers).tolist()


def _kinds_in(mask: int) -> list[int]:
    kinds = []
    while mask:
        kinds.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return kinds
