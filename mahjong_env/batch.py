"""Many tables at once: every step is one compiled call for all of them.

Table i's k-th hand depends on (seed, i, k) alone, whatever the number of threads.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from mahjong_env.agent import View, compiled_action, generators, random_action
from mahjong_env.chance import seed_random
from mahjong_env.compiled import compiled
from mahjong_env.engine import deal, observe, play
from mahjong_env.fields import NOBODY, OVER
from mahjong_env.game import IllegalActionError, seed_halves
from mahjong_env.observation import rows
from mahjong_env.records import Record, Tape
from mahjong_env.variants.interface import Variant, get_variant

LEARNER, OUTSIDE = -1, -2
"""In `players`: the seat belongs to the caller, or to an agent outside the kernels; others are compiled players."""


# --- kernels ----------------------------------------------------------------------------------------------------------


@compiled
def first_illegal(games, actions):
    """The first table whose action isn't legal, or -1."""
    for i in range(len(games)):
        action = actions[i]
        if action < 0 or action >= len(games[i].legal) or not games[i].legal[action]:
            return i
    return -1


@compiled
def deal_next(games, i, blank, low, high, hands, dealer):
    """Deal table i's next hand; `hands` counts those it has been dealt."""
    games[i] = blank[0]
    game = games[i]
    game.dealer = dealer
    seed_random(game.random, low, high, i, hands[i])
    hands[i] += 1
    deal(game)


@compiled
def show(games, i, seat, observations, masks):
    """Write what the seat sees and may do into row i."""
    if observations.shape[0] > 0:
        observe(games[i], seat, observations[i], False)
    for action in range(masks.shape[1]):
        masks[i, action] = games[i].legal[action]


@compiled
def note_outcome(game, ended):
    """Keep the numbers of a finished hand."""
    ended.wall_end = game.wall_end
    ended.next_dealer = game.next_dealer
    for seat in range(len(game.points)):
        ended.points[seat] = game.points[seat]
        ended.wins[seat] = game.wins[seat]
        ended.self_draws[seat] = game.self_draws[seat]
        ended.deal_ins[seat] = game.deal_ins[seat]
        ended.ready[seat] = game.ready[seat]
        ended.win_fan[seat] = game.win_fan[seat]


@compiled
def deal_range(games, start, stop, blank, low, high, hands, dealer, to_act, observations, masks):
    """Deal tables start..stop-1 anew and show them to their first seats."""
    for i in range(start, stop):
        deal_next(games, i, blank, low, high, hands, dealer)
        to_act[i] = games[i].to_act
        show(games, i, int(to_act[i]), observations, masks)


@compiled
def step_range(
    games, start, stop, actions, blank, low, high, hands, dealer, to_act, observations, masks, gains, done, ended
):
    """Play a legal action at each of these tables; those whose hand ends are dealt anew."""
    for i in range(start, stop):
        game = games[i]
        for seat in range(gains.shape[1]):
            gains[i, seat] = -game.points[seat]
        play(game, actions[i])
        for seat in range(gains.shape[1]):
            gains[i, seat] += game.points[seat]
        done[i] = game.phase == OVER
        if game.phase == OVER:
            note_outcome(game, ended[i])
            deal_next(games, i, blank, low, high, hands, dealer)
        to_act[i] = games[i].to_act
        show(games, i, int(to_act[i]), observations, masks)


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
def run_range(games, start, stop, players, states):
    """As `run_compiled`, for these tables."""
    for i in range(start, stop):
        run_compiled(games[i], i, players, states)


@compiled
def play_range(games, tables, actions):
    """Play a legal action at each of `tables`."""
    for k in range(len(tables)):
        play(games[tables[k]], actions[k])


@compiled
def show_tables(games, tables, seats, observations, masks):
    """Write what the seats to act at `tables` see and may do; row k belongs to table tables[k]."""
    for k in range(len(tables)):
        game = games[tables[k]]
        seats[k] = game.to_act
        observe(game, int(game.to_act), observations[k], False)
        for action in range(masks.shape[1]):
            masks[k, action] = game.legal[action]


# --- the batch --------------------------------------------------------------------------------------------------------


def outcome_type(variant: Variant) -> np.dtype:
    """The numbers kept of a finished hand, per seat but for `wall_end` and `next_dealer`."""
    n = (variant.seats,)
    small = [(name, "i1", n) for name in ("wins", "self_draws", "deal_ins", "ready", "win_fan")]
    return np.dtype([("points", "i4", n), *small, ("wall_end", "i1"), ("next_dealer", "i1")], align=True)


class Tables:
    """The arrays behind many tables of one variant, and threads to run kernels over ranges of them."""

    def __init__(
        self, variant: str, num_games: int, seed: int, threads: int, preset: str | None, options: dict[str, Any]
    ):
        if num_games < 1 or threads < 1:
            raise ValueError(f"num_games={num_games} and threads={threads} must be 1 at least")
        self.variant = get_variant(variant)
        self.preset, self.options = self.variant.choose_options(preset, options)
        self.num_games = num_games
        self.low, self.high = seed_halves(seed)
        self.blank = self.variant.blank(self.options)
        self.games = np.repeat(self.blank, num_games)
        self.hands = np.zeros(num_games, np.int64)
        self.states = generators(seed, num_games)
        self.ranges = [(num_games * k // threads, num_games * (k + 1) // threads) for k in range(threads)]
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def run(self, kernel: Callable[..., None], *arguments: Any) -> None:
        """Call kernel(games, start, stop, *arguments) over all tables, one range a thread."""
        if self._pool is None:
            kernel(self.games, 0, self.num_games, *arguments)
            return
        for future in [self._pool.submit(kernel, self.games, a, b, *arguments) for a, b in self.ranges]:
            future.result()

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


def view_of(rules: Variant, games: np.ndarray, tables: np.ndarray) -> View:
    """What the seats to act at some tables see, for an agent."""
    n = len(tables)
    seats = np.zeros(n, np.int8)
    observations = np.zeros((n, rows(rules), rules.tiles.kinds), np.int8)
    masks = np.zeros((n, len(rules.actions)), np.int8)
    show_tables(games, tables, seats, observations, masks)
    return View(rules, seats, observations, masks, games, tables)


class Batch:
    """Many tables, every seat yours.

    Parameters
    ----------
    variant, preset, options: as for `Game`.
    num_games: how many tables, n.
    seed: table i's k-th hand is a function of (seed, i, k).
    threads: run on that many threads; the results don't depend on it.
    dealer: a seat, or None to draw it for every hand.
    observe: False leaves observations out, for those who need rules and masks alone.
    record: keep what `records` needs.

    After `reset` and each `step`: `to_act` (n,) int8, `observations` (n, rows, kinds) int8 and `masks` (n, actions) int8
    for the seat to act, and `ended`, (n,) records with the numbers of each table's latest finished hand (`points`, `wins`,
    `self_draws`, `deal_ins`, `ready`, `win_fan`, `wall_end`, `next_dealer`). The arrays are written in place by the next step.
    """

    def __init__(
        self,
        variant: str,
        num_games: int,
        seed: int = 0,
        threads: int = 1,
        *,
        preset: str | None = None,
        dealer: int | None = None,
        observe: bool = True,
        record: bool = False,
        **options: Any,
    ):
        self._tables = Tables(variant, num_games, seed, threads, preset, options)
        self.variant = self._tables.variant
        self._dealer = NOBODY if dealer is None else dealer
        if self._dealer not in (NOBODY, *range(self.variant.seats)):
            raise ValueError(f"dealer {dealer!r} is not a seat; seats are 0 to {self.variant.seats - 1}")
        seats, kinds, actions = self.variant.seats, self.variant.tiles.kinds, len(self.variant.actions)
        self.to_act = np.zeros(num_games, np.int8)
        self.observations = np.zeros((num_games if observe else 0, rows(self.variant), kinds), np.int8)
        self.masks = np.zeros((num_games, actions), np.int8)
        self.ended = np.zeros(num_games, outcome_type(self.variant))
        self._gains = np.zeros((num_games, seats), np.int32)
        self._done = np.zeros(num_games, np.bool_)
        self._sampled = np.zeros(num_games, np.int64)
        self._fresh = True
        self._tape = Tape(self.variant, self._tables.preset, options, num_games) if record else None

    @property
    def _deal_arguments(self) -> tuple:
        tables = self._tables
        return (
            tables.blank,
            tables.low,
            tables.high,
            tables.hands,
            self._dealer,
            self.to_act,
            self.observations,
            self.masks,
        )

    def reset(self) -> None:
        """Deal every table its next hand."""
        self._tables.run(deal_range, *self._deal_arguments)
        self._fresh = False
        self._done[:] = False

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray]:
        """Play one legal action, (n,) integers, at every table.

        Returns gains, (n, seats) int32 points moved by this decision, and done, (n,) bool; finished tables are dealt anew.
        Raises IllegalActionError naming the table and the action, and then no table has moved.
        """
        if self._fresh:
            raise RuntimeError("call reset() before the first step()")
        actions = self._tables.check(actions)
        if self._tape is not None:
            self._tape.note(self._tables.games, actions)
        self._tables.run(step_range, actions, *self._deal_arguments, self._gains, self._done, self.ended)
        return self._gains, self._done

    def records(self) -> list[Record]:
        """The records of the hands that the last step has ended, in order of their tables; the batch needs `record=True`.

        To be asked for before the next step, which plays on.
        """
        if self._tape is None:
            raise RuntimeError("this batch keeps no records; make it with record=True")
        return [self._tape.record(i, self.ended[i]) for i in np.flatnonzero(self._done).tolist()]

    def sample_legal(self) -> np.ndarray:
        """(n,) int64: a uniformly random legal action for every table."""
        self._tables.run(sample_range, self._tables.states, self._sampled)
        return self._sampled
