"""Agents: the protocol, the agents by name, and the compiled random and greedy players that environments seat as opponents.

An agent is given a `View`: what its seat may see, as arrays, for one table or for many. It may keep whatever it likes
between calls, but the tables of a batch come in any order, so what it keeps must not assume one.
"""

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from mahjong_env.actions import (
    CHI,
    DECLARE,
    DISCARD,
    GANG,
    HU,
    OPEN_GANG,
    OPEN_SELF_GANG,
    PASS,
    PENG,
    PLACES,
    SELF_GANG,
    TAKE,
)
from mahjong_env.chance import random_below, seed_random
from mahjong_env.compiled import compiled, optional_hook
from mahjong_env.cycles.draw import argument_of, first_action, verb_of
from mahjong_env.cycles.laizi import laizi_held, laizi_kinds, natural_key, single_tiles
from mahjong_env.cycles.moves import gain, lose
from mahjong_env.fields import MOST_MELDS, OPENING, OWN, TURN
from mahjong_env.hands.queries import (
    ALL_SUITED,
    HONOUR_SUIT,
    SEVEN,
    count_kinds,
    distance_at,
    hand_useful,
    missing,
    seven_pairs_distance_at,
    seven_pairs_useful_at,
    useful_among_at,
)

if TYPE_CHECKING:
    from mahjong_env.variants.interface import Variant

# --- the compiled players ---------------------------------------------------------------------------------------------

RANDOM, GREEDY = range(2)
COMPILED = ("random", "greedy")
"""The players that run inside compiled steps, by number."""

PLAYERS = 1 << 20
"""In place of a hand's number when seeding players' generators, so that they share none with a deal."""

STEP = 1 << 8
"""In an appraisal one tile further from ready weighs more than all tiles that could be useful."""

WORST, MOST_WORTH = -(1 << 30), 2 * STEP
"""Less than any appraisal, and more than that of any hand: a complete one is worth STEP and its useful tiles."""


@optional_hook
def appraise(game, seat, floor):
    """What the seat's concealed tiles, one fewer than a complete hand, are worth keeping for; more is better.

    Only what is above `floor` matters: below it any number not above it will do, which saves counting useful tiles.
    """
    return appraise_shape(game, seat, 0, floor)


@optional_hook
def choose_opening(game, seat):
    """The greedy player's choice before the first turn."""
    return first_legal(game)


@optional_hook
def choose(game, seat):
    """The greedy player's choice in its turn and in claims, where it can't win."""
    if game.phase == TURN:
        return greedy_turn(game, seat)
    if game.phase >= OWN and seat == game.table_from:
        return first_legal(game)
    return greedy_claim(game, seat)


@compiled
def first_legal(game):
    action = 0
    while not game.legal[action]:
        action += 1
    return action


@compiled
def appraise_shape(game, seat, without, floor):
    """Sets and a pair: few tiles from ready, then many useful tiles left; kinds in the bit set `without` are of no use."""
    sets = MOST_MELDS - int(game.meld_count[seat])
    least = -STEP * distance_at(game.keys, seat, sets)
    if least + STEP <= floor:
        return least
    return least + unseen_copies(game, seat, useful_among_at(game.keys, seat, sets, ~without))


@compiled
def appraise_pairs(game, seat, without, floor):
    """Seven pairs, likewise; worth less than nothing once there is a meld."""
    if game.meld_count[seat] > 0:
        return -STEP * STEP
    least = -STEP * seven_pairs_distance_at(game.keys, seat, 0)
    if least + STEP <= floor:
        return least
    return least + unseen_copies(game, seat, seven_pairs_useful_at(game.keys, seat, 0) & ~without)


@compiled
def appraise_laizi(game, seat, honours, floor):
    """Sets and a pair, where some kinds are wild; `honours`: natural ones the game has, 7 or 0."""
    m, p, s = natural_key(game, seat, 0), natural_key(game, seat, 1), natural_key(game, seat, 2)
    z = natural_key(game, seat, HONOUR_SUIT)
    sets, laizi = MOST_MELDS - int(game.meld_count[seat]), laizi_held(game, seat)
    least = -STEP * (missing(m, p, s, z, sets, laizi) - laizi - 1)
    if least + STEP <= floor:
        return least
    useful = hand_useful(m, p, s, z, sets, laizi, honours, ALL_SUITED) | laizi_kinds(game)
    return least + unseen_copies(game, seat, useful)


@compiled
def appraise_laizi_pairs(game, seat, floor):
    """Seven pairs, likewise."""
    if game.meld_count[seat] > 0:
        return -STEP * STEP
    single, laizi = single_tiles(game, seat), laizi_held(game, seat)
    singles = count_kinds(single)
    wanted = SEVEN - (2 * SEVEN - 1 - laizi - singles) // 2
    least = -STEP * (wanted + max(0, wanted - singles) - laizi - 1)
    if least + STEP <= floor:
        return least
    return least + unseen_copies(game, seat, single | laizi_kinds(game))


@compiled
def unseen_copies(game, seat, kinds):
    """How many tiles of the kinds in the bit set the seat has not seen."""
    total = 0
    for kind in range(game.hands.shape[1]):
        left = 4 - int(game.hands[seat, kind])
        for other in range(len(game.points)):
            left -= int(game.melded[other, kind]) + int(game.discarded[other, kind])
        total += max(0, left) * (kinds >> kind & 1)
    return total


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
def greedy_action(game):
    """Take hu, or what else is paid at once; else whatever leaves the hand fewest tiles from ready, then with most useful
    tiles left."""
    seat = int(game.to_act)
    for verb in (HU, DECLARE, TAKE):
        action = first_action(game, verb)
        if action >= 0 and game.legal[action]:
            return action
    if game.phase == OPENING:
        return choose_opening(game, seat)
    return choose(game, seat)


@compiled
def greedy_turn(game, seat):
    """The best discard, or a gang that costs nothing; for want of both, what is legal."""
    best, most = first_legal(game), WORST
    for action in range(len(game.legal)):
        if game.legal[action]:
            verb = verb_of(game, action)
            kind = argument_of(game, action)
            worth = most
            if verb == DISCARD:
                lose(game, seat, kind)
                worth = appraise(game, seat, most)
                gain(game, seat, kind)
            elif verb in (SELF_GANG, OPEN_SELF_GANG):
                worth = appraise_melded(game, seat, kind, int(game.hands[seat, kind]), most - 1)
            if worth > most or (worth == most and (verb in (SELF_GANG, OPEN_SELF_GANG))):
                best, most = action, worth
    return best


@compiled
def greedy_claim(game, seat):
    """A gang that keeps the hand as near, or the peng or run that brings it nearest; else pass."""
    kind = int(game.table_tile)
    now = appraise(game, seat, WORST)
    as_near = now - STEP // 2 - 1
    for verb in (OPEN_GANG, GANG):
        gang = first_action(game, verb)
        if gang >= 0 and game.legal[gang] and appraise_melded(game, seat, kind, 3, as_near) > as_near:
            return gang
    best, most = first_action(game, PASS), now
    peng, chi = first_action(game, PENG), first_action(game, CHI)
    if peng >= 0 and game.legal[peng]:
        worth = appraise_after_claim(game, seat, kind, kind, most)
        if worth > most:
            best, most = peng, worth
    for place in range(len(PLACES) if chi >= 0 else 0):
        if game.legal[chi + place]:
            one = kind - place if place > 0 else kind + 1
            other = kind + 2 - place if place < 2 else kind - 1
            worth = appraise_after_claim(game, seat, one, other, most)
            if worth > most:
                best, most = chi + place, worth
    return best


@compiled
def appraise_melded(game, seat, kind, from_hand, floor):
    """The hand's worth once `from_hand` tiles have gone into a gang; adding to a peng makes no new meld."""
    new = 1 if from_hand > 1 else 0
    for _ in range(from_hand):
        lose(game, seat, kind)
    game.meld_count[seat] += new
    worth = appraise(game, seat, floor)
    game.meld_count[seat] -= new
    for _ in range(from_hand):
        gain(game, seat, kind)
    return worth


@compiled
def appraise_after_claim(game, seat, one, another, floor):
    """The hand's worth after a meld that takes two tiles of it and the best discard that follows, `floor` if it is less."""
    lose(game, seat, one)
    lose(game, seat, another)
    game.meld_count[seat] += 1
    most = floor
    for other in range(game.hands.shape[1]):
        if game.hands[seat, other] > 0:
            lose(game, seat, other)
            most = max(most, appraise(game, seat, most))
            gain(game, seat, other)
    game.meld_count[seat] -= 1
    gain(game, seat, one)
    gain(game, seat, another)
    return most


@compiled
def compiled_action(game, player, state):
    """The choice of a compiled player (RANDOM or GREEDY); `state` is the random one's generator."""
    if player == GREEDY:
        return greedy_action(game)
    return random_action(game, state)


@compiled
def choose_at(games, tables, player, states, out):
    """The choices of a compiled player at some tables: `tables` (n,) indices, `states` (all, 4) generators, `out` (n,)."""
    for k in range(len(tables)):
        i = tables[k]
        out[k] = compiled_action(games[i], player, states[i])


# --- the protocol -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """What the seats to act see at some tables.

    observation: (n, rows, kinds) int8, as `describe(variant)` explains it; mask: (n, actions) int8, 1 where legal;
    seat: (n,) int8, the seat that sees it; variant: the rules played, with `variant.actions.names`.
    """

    variant: "Variant"
    seat: np.ndarray
    observation: np.ndarray
    mask: np.ndarray
    _games: np.ndarray
    """For the compiled players, which read in the record just what `observation` shows (a test holds them to it)."""
    _tables: np.ndarray


@runtime_checkable
class Agent(Protocol):
    """Something that plays. `View` says what it is given."""

    name: str

    def act(self, view: View) -> int:
        """One table: the number of a legal action."""
        ...

    def act_batch(self, view: View) -> np.ndarray:
        """Many tables: (n,) legal actions, in any integer dtype."""
        ...


class CompiledAgent:
    """One of the players of this module, `random` or `greedy`."""

    def __init__(self, name: str, seed: int = 0):
        self.name = name
        self.player = COMPILED.index(name)
        self._seed = seed
        self._states = np.zeros((0, 4), np.uint32)

    def act(self, view: View) -> int:
        return int(self.act_batch(view)[0])

    def act_batch(self, view: View) -> np.ndarray:
        while len(self._states) < len(view._games):
            self._states = generators(self._seed, len(view._games))
        chosen = np.empty(len(view._tables), np.int64)
        choose_at(view._games, view._tables, self.player, self._states, chosen)
        return chosen


def generators(seed: int, n: int, first: int = 0) -> np.ndarray:
    """(n, 4) uint32: the states of the independent random generators number first, first + 1, … of a seed."""
    states = np.zeros((n, 4), np.uint32)
    for i in range(n):
        seed_random(states[i], seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF, first + i, PLAYERS)
    return states


def load_agent(name: str, variant: "Variant", seed: int = 0) -> Agent:
    """The agent called `name`: `random`, `greedy`, `module:Class` (called with the variant), or a saved policy's path.

    Raises ValueError saying what can't be found and what is allowed.
    """
    if name in COMPILED:
        return CompiledAgent(name, seed)
    if Path(name).suffix == ".npz":
        try:
            from agents.policy import PolicyAgent
        except ImportError as error:
            raise ValueError(f"agent {name!r} is a saved policy, which needs a checkout: pip install -e .") from error
        return PolicyAgent(name, variant)
    module, _, attribute = name.partition(":")
    if not attribute:
        raise ValueError(
            f"no agent {name!r}; it can be {', '.join(COMPILED)}, module:Class, or the path of a saved policy (.npz)"
        )
    try:
        made: Any = getattr(importlib.import_module(module), attribute)(variant)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"agent {name!r} can't be loaded: {error}") from error
    if not isinstance(made, Agent):
        raise ValueError(f"agent {name!r} lacks name, act or act_batch; see mahjong_env.agent.Agent")
    return made
