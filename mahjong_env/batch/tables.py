"""Many tables at once: every step is one compiled call for all of them.

Table i's k-th hand depends on (seed, i, k) alone, whatever the number of threads.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from mahjong_env.batch.events import forget_events, note_events, show_events
from mahjong_env.batch.threads import WorkerThreads
from mahjong_env.compiled import compiled
from mahjong_env.rules.chance import seed_halves, seed_random
from mahjong_env.rules.errors import IllegalActionError, RulesError
from mahjong_env.rules.hooks import deal, observe, play
from mahjong_env.rules.players import compiled_action, generators, random_action
from mahjong_env.rules.registry import choose_rules
from mahjong_env.rules.state import NOBODY, OVER, readable
from mahjong_env.rules.table import MUTE
from mahjong_env.rules.variant import Variant, planes

LEARNER, OUTSIDE = -1, -2
"""Among players: the seat belongs to the caller, or to an agent outside the kernels; others are compiled players."""

LEAST_RANGE = 128
"""Tables that a thread takes at once at least, where there are many."""

NO_ACTIONS = np.zeros(0, np.int64)
"""In place of actions: deal anew."""


class Deals(NamedTuple):
    """What a batch's hands are dealt from: (1,) blank state, the seed in two halves of 32 bits, how many hands each table
    has been dealt, (n,) int64, and the dealer or NOBODY."""

    blank: np.ndarray
    low: int
    high: int
    hands: np.ndarray
    dealer: int


class Players(NamedTuple):
    """Who is played inside: a compiled player or LEARNER for every seat, (seats,) int8, and the players' generators."""

    seated: np.ndarray
    generators: np.ndarray


class Shown(NamedTuple):
    """What a step writes for the caller; see `Batch`. Without rows of observations, or columns of masks, none are written."""

    to_act: np.ndarray
    observations: np.ndarray
    masks: np.ndarray
    gains: np.ndarray
    done: np.ndarray
    ended: np.ndarray


# --- kernels ----------------------------------------------------------------------------------------------------------


@compiled
def first_illegal(games, actions):
    """The first table whose action isn't legal, or -1; where the hand is over, any will do."""
    for i in range(len(games)):
        action = actions[i]
        if games[i].to_act != NOBODY and (action < 0 or action >= len(games[i].legal) or not games[i].legal[action]):
            return i
    return -1


@compiled
def deal_next(games, i, deals):
    """Deal table i's next hand."""
    games[i] = deals.blank[0]
    game = games[i]
    game.dealer = deals.dealer
    seed_random(game.random, deals.low, deals.high, i, deals.hands[i])
    deals.hands[i] += 1
    deal(game)


@compiled
def show(games, i, seat, observations, masks):
    """Write what the seat sees and may do into row i."""
    if observations.shape[0] > 0:
        observe(games[i], seat, observations[i], False)
    if masks.shape[1] > 0:
        for action in range(len(games[i].legal)):
            masks[i, action] = games[i].legal[action]


@compiled
def note_outcome(game, ended):
    """Keep the numbers of a finished hand."""
    ended.wall_end = game.wall_end
    ended.stuck = max(int(ended.stuck), int(game.stuck))  # of any hand: it is told once the step is done
    ended.next_dealer = game.next_dealer
    for seat in range(len(game.points)):
        ended.points[seat] = game.points[seat]
        ended.wins[seat] = game.wins[seat]
        ended.self_draws[seat] = game.self_draws[seat]
        ended.deal_ins[seat] = game.deal_ins[seat]
        ended.ready[seat] = game.ready[seat]
        ended.win_fan[seat] = game.win_fan[seat]


@compiled
def step_range(games, start, stop, actions, deals, shown, players, events):
    """Play a legal action at each of these tables, or deal them anew if there are no actions, and go on to the first seat
    that is the caller's; hands that end are followed by new ones. Public events are noted if there is room for them."""
    for i in range(start, stop):
        shown.done[i] = False
        for seat in range(shown.gains.shape[1]):
            shown.gains[i, seat] = 0
        if len(actions) == 0:
            begin_hand_at_table(games, i, deals, events)
        else:
            play_one(games, i, actions[i], shown, events)
        play_inside(games, i, deals, shown, players, events)
        seat = int(games[i].to_act)
        shown.to_act[i] = seat
        show(games, i, seat, shown.observations, shown.masks)
        if len(events.log) > 0:
            show_events(games[i], i, seat, events, events.shown)


@compiled
def begin_hand_at_table(games, i, deals, events):
    """Deal table i its next hand."""
    if len(events.log) > 0:
        forget_events(i, events)
    deal_next(games, i, deals)


@compiled
def play_one(games, i, action, shown, events):
    """Play a legal action at table i and add up the points it moves."""
    game = games[i]
    for seat in range(shown.gains.shape[1]):
        shown.gains[i, seat] -= game.points[seat]
    play(game, action)
    for seat in range(shown.gains.shape[1]):
        shown.gains[i, seat] += game.points[seat]
    if len(events.log) > 0:
        note_events(game, i, events)


@compiled
def play_inside(games, i, deals, shown, players, events):
    """Go on until one of the caller's seats has to act: deal where the hand is over, play where a compiled player is."""
    game = games[i]
    while True:
        if game.phase == OVER:
            shown.done[i] = True
            note_outcome(game, shown.ended[i])
            begin_hand_at_table(games, i, deals, events)
        elif players.seated[game.to_act] < 0:
            return
        else:
            action = compiled_action(game, players.seated[game.to_act], players.generators[i])
            play_one(games, i, action, shown, events)


@compiled
def planes_range(games, start, stop, observations, plane_row, plane_least, out):
    """One-hot thresholds: out[i, p] is 1 where row plane_row[p] of the counts is plane_least[p] at least."""
    for i in range(start, stop):
        for p in range(len(plane_row)):
            row, least = plane_row[p], plane_least[p]
            for kind in range(out.shape[2]):
                out[i, p, kind] = observations[i, row, kind] >= least


@compiled
def oracle_range(games, start, stop, out):
    """Write everything, hidden tiles too, from the view of every seat to act."""
    for i in range(start, stop):
        observe(games[i], int(games[i].to_act), out[i], True)


@compiled
def sample_range(games, start, stop, states, out):
    """A uniformly random legal action at each of these tables."""
    for i in range(start, stop):
        out[i] = random_action(games[i], states[i])


@compiled
def run_compiled(game, i, players, states):
    """Play the compiled seats of a table until another seat has to act or the hand is over."""
    while game.to_act != NOBODY and players[i, game.to_act] >= 0:
        play(game, compiled_action(game, players[i, game.to_act], states[i]))


@compiled
def note_tables(games, tables, events):
    """Note what the latest decisions at `tables` have made public."""
    for k in range(len(tables)):
        note_events(games[tables[k]], tables[k], events)


@compiled
def run_range(games, start, stop, players, states):
    """As `run_compiled`, for these tables."""
    for i in range(start, stop):
        run_compiled(games[i], i, players, states)


@compiled
def play_range(games, tables, actions):
    """Play a legal action at each of `tables`."""
    for k in range(len(tables)):
        play(games[tables[k]], actions[k])


# --- the batch --------------------------------------------------------------------------------------------------------


def outcome_type(variant: Variant) -> np.dtype:
    """The numbers kept of a finished hand, per seat but for `wall_end`, `next_dealer` and `stuck` (see `refuse_stuck`)."""
    n = (variant.seats,)
    small = [(name, "i1", n) for name in ("wins", "self_draws", "deal_ins", "ready", "win_fan")]
    single = [(name, "i1") for name in ("wall_end", "next_dealer", "stuck")]
    return readable(np.dtype([("points", "i4", n), *small, *single], align=True))


def refuse_stuck(variant: Variant, ended: np.ndarray) -> None:
    """RulesError where the rules have left a table a hand that can't go on: the variant's fault."""
    if ended["stuck"].any():
        table = int(ended["stuck"].argmax())
        why = "offer the seat to act nothing" if ended["stuck"][table] == MUTE else "go round in circles"
        raise RulesError(
            f"the rules of {variant.name} {why} at table {table}; `mahjong-env check {variant.name}` names the place"
        )


def shares(tables: int, threads: int) -> list[tuple[int, int]]:
    """Ranges of tables for threads to take in turn: ever smaller ones, so that all threads end at about the same time."""
    found, start = [], 0
    least = min(LEAST_RANGE, 1 + tables // (4 * threads))
    while start < tables:
        stop = min(tables, start + max(least, 2 * (tables - start) // (3 * threads)))
        found.append((start, stop))
        start = stop
    return found


class Tables:
    """The arrays behind many tables of one variant, and threads to run kernels over ranges of them."""

    def __init__(
        self, variant: str, num_games: int, seed: int, threads: int, preset: str | None, options: dict[str, Any]
    ):
        if num_games < 1 or threads < 1:
            raise ValueError(f"num_games={num_games} and threads={threads} must be 1 at least")
        self.variant, self.preset, self.options = choose_rules(variant, preset, options)
        self.num_games = num_games
        self.low, self.high = seed_halves(seed)
        self.blank = self.variant.blank(self.options)
        self.games = np.repeat(self.blank, num_games)
        self.hands = np.zeros(num_games, np.int64)
        self.generators = generators(seed, num_games)
        self._ranges = shares(num_games, threads)
        self._threads = WorkerThreads(threads) if threads > 1 else None

    def run(self, kernel: Callable[..., None], *arguments: Any) -> None:
        """Call kernel(games, start, stop, *arguments) over all tables; every thread takes ranges until none is left."""
        if self._threads is None:
            kernel(self.games, 0, self.num_games, *arguments)
            return
        left = self._ranges[::-1]

        def take_ranges() -> None:
            while True:
                try:
                    start, stop = left.pop()  # one thread at a time: nothing interrupts a list's own methods
                except IndexError:
                    return
                kernel(self.games, start, stop, *arguments)

        self._threads.run(take_ranges)

    def check(self, actions: Any) -> np.ndarray:
        """(n,) int64 legal actions; IllegalActionError naming the first table and action that isn't, nothing played."""
        actions = np.asarray(actions)
        if actions.shape != (self.num_games,) or actions.dtype.kind not in "iu":
            raise IllegalActionError(
                f"actions must be ({self.num_games},) whole numbers, not {actions.dtype} {actions.shape}"
            )
        actions = actions.astype(np.int64, copy=False)
        i = first_illegal(self.games, actions)
        if i >= 0:
            names = self.variant.actions.names
            legal = ", ".join(names[a] for a in np.flatnonzero(self.games["legal"][i]))
            action = int(actions[i])
            shown = repr(names[action]) if 0 <= action < len(names) else f"number {action}"
            raise IllegalActionError(f"table {i}: action {shown} is not legal; legal: {legal}. No table has moved")
        return actions


def cuts(variant: Variant) -> tuple[np.ndarray, np.ndarray]:
    """For every plane the row of the counts, and the least number that makes it 1."""
    found = planes(variant)
    return np.array([row for _, row, _ in found], np.int64), np.array([least for *_, least in found], np.int64)


OBSERVATIONS = ("counts", "planes", "events")


def check_observation(kind: str) -> None:
    """ValueError unless it is a kind of observation that environments have."""
    if kind not in OBSERVATIONS:
        raise ValueError(f"no observation {kind!r}; it can be {', '.join(map(repr, OBSERVATIONS))}")
