"""What a seat can infer of hidden cards, and how others' secret choices are made anew; see `play/resample.py`."""

import random
from typing import Any

import numpy as np

from mahjong_env.rules.flip.turns import pass_action
from mahjong_env.rules.inference import Known
from mahjong_env.rules.state import CLAIM, NO_ANSWER, NO_TILE, OPENING
from mahjong_env.variants.erqishi.legal import SWAPPED


def known_hand(state: Any, seat: int, viewer: int, pool: np.ndarray, rng: random.Random) -> Known | None:
    """Cards that the viewer passed to the seat and hasn't seen since."""
    seats = len(state["points"])
    if state["phase"] == OPENING or state["got"][0, 0] == NO_TILE or (viewer + 1) % seats != seat:
        return Known()
    gone = state["melded"][seat] + state["discarded"][seat]
    given = np.bincount(state["given"][viewer], minlength=len(gone))
    return Known(tuple(kind for kind in range(len(gone)) for _ in range(given[kind] - gone[kind])))


def take_back(state: Any, viewer: int) -> None:
    """Cards that others have named in a swap still to come are in their hands again."""
    for seat in others(state, viewer) if state["phase"] == OPENING else ():
        for kind in state["given"][seat]:
            if kind != NO_TILE:
                state["hands"][seat, kind] += 1


def choose_again(state: Any, viewer: int, rng: random.Random) -> None:
    """As many cards named by each of the others; after the swap what they passed to each other is some of what they hold."""
    for seat in others(state, viewer):
        if state["phase"] == OPENING:
            named = int((state["given"][seat] != NO_TILE).sum())
            for place, kind in enumerate(rng.sample(held(state, seat), named)):
                state["given"][seat, place] = kind
                state["hands"][seat, kind] -= 1
        elif state["got"][0, 0] != NO_TILE:
            receiver = (seat + 1) % len(state["points"])
            if receiver != viewer and len(held(state, receiver)) >= SWAPPED:
                state["given"][seat] = state["got"][receiver] = rng.sample(held(state, receiver), SWAPPED)


def is_possible(state: Any, viewer: int) -> bool:
    """Whoever held three of a card that was shown would have had to take it, and hands gain no cards."""
    shown = state["river_tile"][: state["river_length"] - (state["phase"] == CLAIM)]  # the last is still to be taken
    return not (state["hands"][others(state, viewer)][:, shown] >= 3).any()


def ask_claims_again(state: Any, viewer: int, is_asked: bool) -> None:
    """The others have passed, if the viewer is asked; else all that may be asked beside it are asked anew."""
    answer = int(state["answers"][viewer])
    state["answers"] = int(pass_action(state)) if is_asked else NO_ANSWER
    state["answers"][viewer] = NO_ANSWER if is_asked else answer


def others(state: Any, viewer: int) -> list[int]:
    return [seat for seat in range(len(state["points"])) if seat != viewer]


def held(state: Any, seat: int) -> list[int]:
    """The cards in a hand."""
    return [kind for kind, count in enumerate(state["hands"][seat].tolist()) for _ in range(count)]
