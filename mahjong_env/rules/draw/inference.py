"""What can be inferred of hidden answers in the draw cycle."""

import random
from typing import Any

import numpy as np

from mahjong_env.compiled import compiled
from mahjong_env.rules.actions import CHI, HU, PENG
from mahjong_env.rules.draw.turns import rank_of
from mahjong_env.rules.hooks import first_action, plain, standard_kind, verb_of
from mahjong_env.rules.inference import ready_hand, runs_with
from mahjong_env.rules.state import NO_ANSWER, ROBBING


@plain()
def ask_claims_again(state: Any, viewer: int, is_asked: bool) -> None:
    """Forget what others have answered to the tile on the table. Asking goes on with the viewer, or after it if it has
    answered, or else begins anew."""
    answer = int(state["answers"][viewer])
    place = int(viewer - state["table_from"]) % len(state["points"])
    state["answers"] = NO_ANSWER
    state["best_rank"] = 0
    state["asking"] = place if is_asked else 1
    if answer != NO_ANSWER:
        state["answers"][viewer] = answer
        state["best_rank"] = int(rank_of_action(state, answer))
        state["asking"] = place + 1


@compiled
def rank_of_action(game, action):
    """The priority of an action as a claim."""
    return rank_of(verb_of(game, action))


@plain(returns="kinds, or None")
def why_asked(state: Any, seat: int, pool: np.ndarray, rng: random.Random) -> tuple[int, ...] | None:
    """Tiles out of `pool`, (kinds,) numbers of tiles, that would let the seat claim the tile on the table: why it, and not
    the viewer, may be the one who is asked. None where chance finds none."""
    kind, standard = int(state["table_tile"]), standard_numbers(state)
    ways: list[tuple[int, ...]] = []
    if state["phase"] != ROBBING:
        if has_verb(state, PENG) and pool[kind] >= 2:
            ways.append((kind, kind))
        if has_verb(state, CHI) and (seat - int(state["table_from"])) % len(state["points"]) == 1:
            ways += [others for others in runs_with(kind, standard) if (pool[list(others)] > 0).all()]
    if has_verb(state, HU) and (not ways or rng.random() < 1 / 4):
        sets = state["meld_verb"].shape[1] - int(state["meld_count"][seat])
        hand = ready_hand(pool.tolist(), sets, (), rng, win=kind, standard=standard, tries=4)
        ways += [hand] if hand is not None else []
    return rng.choice(ways) if ways else None


def standard_numbers(state: Any) -> list[int]:
    """The standard number of each of the game's kinds."""
    return [int(standard_number(state, kind)) for kind in range(state["hands"].shape[1])]


@compiled
def standard_number(game, kind):
    """The standard number of a kind."""
    return standard_kind(game, kind)


@compiled
def has_verb(game, verb):
    """Whether the variant has the verb."""
    return first_action(game, verb) >= 0
