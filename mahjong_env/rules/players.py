"""The compiled players by number: `random`, `greedy` and `expert`, which run inside steps and playouts."""

import numpy as np

from mahjong_env.compiled import compiled
from mahjong_env.rules.chance import random_below, seed_random
from mahjong_env.rules.expert import expert_action
from mahjong_env.rules.greedy import greedy_action

RANDOM, GREEDY, EXPERT = range(3)
COMPILED = ("random", "greedy", "expert")
"""The players that run inside compiled steps, by number."""

PLAYERS = 1 << 20
"""In place of a hand's number when seeding players' generators, so that they share none with a deal."""

STRIDE = 8
"""Actions that the random player steps over at once."""


@compiled
def random_action(game, state):
    """A legal action, all equally likely."""
    legal = game.legal
    actions, total = len(legal), 0
    for action in range(actions):
        total += int(legal[action])
    skip = random_below(state, total)
    action = 0
    while action + STRIDE <= actions:  # quicker than to look at each action
        inside = 0
        for k in range(STRIDE):
            inside += int(legal[action + k])
        if inside > skip:
            break
        skip -= inside
        action += STRIDE
    while action < actions:
        skip -= int(legal[action])
        if skip < 0:
            return action
        action += 1
    return 0


@compiled
def compiled_action(game, player, state):
    """The choice of a compiled player (RANDOM, GREEDY or EXPERT); `state` is the random one's generator."""
    if player == EXPERT:
        return expert_action(game)
    if player == GREEDY:
        return greedy_action(game)
    return random_action(game, state)


@compiled
def choose_at(games, tables, player, states, out):
    """The choices of a compiled player at some tables: `tables` (n,) indices, `states` (all, 4) generators, `out` (n,)."""
    for k in range(len(tables)):
        i = tables[k]
        out[k] = compiled_action(games[i], player, states[i])


def generators(seed: int, n: int, first: int = 0) -> np.ndarray:
    """(n, 4) uint32: the states of the independent random generators number first, first + 1, … of a seed."""
    states = np.zeros((n, 4), np.uint32)
    for i in range(n):
        seed_random(states[i], seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF, first + i, PLAYERS)
    return states
