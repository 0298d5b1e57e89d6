"""What can be inferred of hidden answers in the draw cycle."""

from typing import Any

from mahjong_env.compiled import compiled
from mahjong_env.rules.draw.turns import rank_of
from mahjong_env.rules.hooks import plain, verb_of
from mahjong_env.rules.state import NO_ANSWER


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
