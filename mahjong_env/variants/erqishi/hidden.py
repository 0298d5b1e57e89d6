"""What a seat can infer of hidden cards, and how others' secret choices are made anew; see `mahjong_env.resample`."""

import random
from typing import Any

import numpy as np

from mahjong_env.fields import CLAIM, NO_ANSWER, NO_TILE, OPENING
from mahjong_env.resample import Known
from mahjong_env.variants.erqishi.choices import SWAPPED
from mahjong_env.variants.interface import get_variant


def known_hand(row: Any, seat: int, viewer: int, pool: np.ndarray, rng: random.Random) -> Known | None:
    """Cards that the viewer passed to the seat and hasn't seen since."""
    seats = len(row["points"])
    if row["phase"] == OPENING or row["got"][0, 0] == NO_TILE or (viewer + 1) % seats != seat:
        return Known()
    gone = row["melded"][seat] + row["discarded"][seat]
    given = np.bincount(row["given"][viewer], minlength=len(gone))
    return Known(tuple(kind for kind in range(len(gone)) for _ in range(given[kind] - gone[kind])))


def take_back(row: Any, viewer: int) -> None:
    """Cards that others have named in a swap still to come are in their hands again."""
    for seat in others(row, viewer) if row["phase"] == OPENING else ():
        for kind in row["given"][seat]:
            if kind != NO_TILE:
                row["hands"][seat, kind] += 1


def choose_again(row: Any, viewer: int, rng: random.Random) -> None:
    """As many cards named by each of the others; after the swap what they passed to each other is some of what they hold."""
    for seat in others(row, viewer):
        if row["phase"] == OPENING:
            named = int((row["given"][seat] != NO_TILE).sum())
            for place, kind in enumerate(rng.sample(held(row, seat), named)):
                row["given"][seat, place] = kind
                row["hands"][seat, kind] -= 1
        elif row["got"][0, 0] != NO_TILE:
            receiver = (seat + 1) % len(row["points"])
            if receiver != viewer and len(held(row, receiver)) >= SWAPPED:
                row["given"][seat] = row["got"][receiver] = rng.sample(held(row, receiver), SWAPPED)


def is_possible(row: Any, viewer: int) -> bool:
    """Whoever held three of a card that was shown would have had to take it, and hands gain no cards."""
    shown = row["river_tile"][: row["river_length"] - (row["phase"] == CLAIM)]  # the last is still to be taken
    return not (row["hands"][others(row, viewer)][:, shown] >= 3).any()


def ask_claims_again(row: Any, viewer: int, is_asked: bool) -> None:
    """The others have passed, if the viewer is asked or has answered; else all are asked anew."""
    answer = int(row["answers"][viewer])
    passed = get_variant("erqishi").actions.numbers["pass"]
    row["answers"] = NO_ANSWER if not is_asked and answer == NO_ANSWER else passed
    row["answers"][viewer] = NO_ANSWER if is_asked else answer


def others(row: Any, viewer: int) -> list[int]:
    return [seat for seat in range(len(row["points"])) if seat != viewer]


def held(row: Any, seat: int) -> list[int]:
    """The cards in a hand."""
    return [kind for kind, count in enumerate(row["hands"][seat].tolist()) for _ in range(count)]
