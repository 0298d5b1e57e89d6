"""Many tables at once: every step is one compiled call for all of them.

Table i's k-th hand depends on (seed, i, k) alone, whatever the number of threads.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mahjong_env.agent import COMPILED, View, compiled_action, generators, random_action
from mahjong_env.chance import seed_random
from mahjong_env.compiled import compiled
from mahjong_env.crew import Crew
from mahjong_env.engine import deal, observe, play
from mahjong_env.events import Log, forget_events, note_events, show_events
from mahjong_env.fields import NOBODY, OVER, readable
from mahjong_env.game import IllegalActionError, seed_halves
from mahjong_env.observation import planes, rows
from mahjong_env.records import Record, Tape
from mahjong_env.variants.interface import Variant, choose_rules

LEARNER, OUTSIDE = -1, -2
"""In `players`: the seat belongs to the caller, or to an agent outside the kernels; others are compiled players."""

LEAST_RANGE = 128
"""Tables that a thread takes at once at least, where there are many."""

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
    if masks.shape[1] > 0:
        for action in range(len(games[i].legal)):
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
def deal_range(games, start, stop, blank, low, high, hands, dealer, to_act, observations, masks, gains, done, ended):
    """Deal tables start..stop-1 anew and show them to their first seats."""
    for i in range(start, stop):
        forget_gains(i, gains, done)
        deal_next(games, i, blank, low, high, hands, dealer)
        to_act[i] = games[i].to_act
        show(games, i, int(games[i].to_act), observations, masks)


@compiled
def step_range(
    games, start, stop, actions, blank, low, high, hands, dealer, to_act, observations, masks, gains, done, ended
):
    """Play a legal action at each of these tables; hands that end are followed by new ones."""
    for i in range(start, stop):
        forget_gains(i, gains, done)
        play_one(games, i, actions[i], gains)
        if games[i].phase == OVER:
            done[i] = True
            note_outcome(games[i], ended[i])
            deal_next(games, i, blank, low, high, hands, dealer)
        to_act[i] = games[i].to_act
        show(games, i, int(games[i].to_act), observations, masks)


@compiled
def forget_gains(i, gains, done):
    """Begin a step at table i."""
    done[i] = False
    for seat in range(gains.shape[1]):
        gains[i, seat] = 0


@compiled
def play_one(games, i, action, gains):
    """Play a legal action at table i and add up the points it moves."""
    game = games[i]
    for seat in range(gains.shape[1]):
        gains[i, seat] -= game.points[seat]
    play(game, action)
    for seat in range(gains.shape[1]):
        gains[i, seat] += game.points[seat]


@compiled
def deal_with_players(
    games, start, stop, blank, low, high, hands, dealer, to_act, observations, masks, gains, done, ended, players,
    states, log, counts, seen, events,
):  # fmt: skip
    """As `deal_range`, then on to the first seat that is the caller's; public events are noted if there is a log."""
    for i in range(start, stop):
        forget_gains(i, gains, done)
        if log.shape[0] > 0:
            forget_events(i, counts, seen)
        deal_next(games, i, blank, low, high, hands, dealer)
        play_inside(games, i, blank, low, high, hands, dealer, players, states, gains, done, ended, log, counts, seen)
        show_seat(games, i, to_act, observations, masks, log, counts, events)


@compiled
def step_with_players(
    games, start, stop, actions, blank, low, high, hands, dealer, to_act, observations, masks, gains, done, ended,
    players, states, log, counts, seen, events,
):  # fmt: skip
    """As `step_range`, then the seats that are played inside; public events are noted if there is a log."""
    for i in range(start, stop):
        forget_gains(i, gains, done)
        play_one(games, i, actions[i], gains)
        if log.shape[0] > 0:
            note_events(games[i], i, log, counts, seen)
        play_inside(games, i, blank, low, high, hands, dealer, players, states, gains, done, ended, log, counts, seen)
        show_seat(games, i, to_act, observations, masks, log, counts, events)


@compiled
def play_inside(games, i, blank, low, high, hands, dealer, players, states, gains, done, ended, log, counts, seen):
    """Go on until one of the caller's seats has to act: deal where the hand is over, play where a compiled player is."""
    game = games[i]
    while True:
        if game.phase == OVER:
            done[i] = True
            note_outcome(game, ended[i])
            if log.shape[0] > 0:
                forget_events(i, counts, seen)
            deal_next(games, i, blank, low, high, hands, dealer)
        elif players[game.to_act] < 0:
            return
        else:
            play_one(games, i, compiled_action(game, players[game.to_act], states[i]), gains)
            if log.shape[0] > 0:
                note_events(game, i, log, counts, seen)


@compiled
def show_seat(games, i, to_act, observations, masks, log, counts, events):
    """Write who is to act at table i, what it sees and what it may do."""
    seat = int(games[i].to_act)
    to_act[i] = seat
    show(games, i, seat, observations, masks)
    if log.shape[0] > 0:
        show_events(games[i], i, seat, log, counts, events)


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
def note_tables(games, tables, log, counts, seen):
    """Note what the latest decisions at `tables` have made public."""
    for k in range(len(tables)):
        note_events(games[tables[k]], tables[k], log, counts, seen)


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
    return readable(np.dtype([("points", "i4", n), *small, ("wall_end", "i1"), ("next_dealer", "i1")], align=True))


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
        self.states = generators(seed, num_games)
        self._ranges = shares(num_games, threads)
        self._crew = Crew(threads) if threads > 1 else None

    def run(self, kernel: Callable[..., None], *arguments: Any) -> None:
        """Call kernel(games, start, stop, *arguments) over all tables; every thread takes ranges until none is left."""
        if self._crew is None:
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

        self._crew.run(take_ranges)

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


def cuts(variant: Variant) -> tuple[np.ndarray, np.ndarray]:
    """For every plane the row of the counts, and the least number that makes it 1."""
    found = planes(variant)
    return np.array([row for _, row, _ in found], np.int64), np.array([least for *_, least in found], np.int64)


KINDS_OF_OBSERVATION = ("counts", "planes", "events", None)


class Batch:
    """Many tables at once.

    Parameters
    ----------
    variant, preset, options: as for `Game`.
    num_games: how many tables, n.
    seed: table i's k-th hand is a function of (seed, i, k).
    threads: run on that many threads; the results don't depend on it.
    dealer: a seat, or None to draw it for every hand.
    seating: who plays each seat: None is yours (the default for all), "random" or "greedy" is played inside.
    observation: "counts"; "planes", one-hot thresholds of the counts (`planes(variant)` names them); "events", the counts
        and beside them `events`, tokens of what has been public so far (see `mahjong_env.events`); None for none.
    oracle: also write `oracle`, (n, rows, kinds) int8 with everything hidden, for critics.
    buffers: arrays of yours to be written instead of new ones, by name: to_act, observations, masks, gains, done.
    record: keep what `records` needs; all seats must be yours.

    After `reset` and each `step`: `to_act` (n,) int8, `observations` (n, rows, kinds) int8 and `masks` (n, actions) int8
    for the seat to act, and `ended`, (n,) records with the numbers of each table's latest finished hand (`points`,
    `wins`, `self_draws`, `deal_ins`, `ready`, `win_fan`, `wall_end`, `next_dealer`). The arrays are written in place by
    the next step.
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
        seating: Sequence[str | None] | None = None,
        observation: str | None = "counts",
        oracle: bool = False,
        buffers: Mapping[str, np.ndarray] | None = None,
        record: bool = False,
        **options: Any,
    ):
        self._tables = Tables(variant, num_games, seed, threads, preset, options)
        self.variant = self._tables.variant
        self._dealer = NOBODY if dealer is None else dealer
        if self._dealer not in (NOBODY, *range(self.variant.seats)):
            raise ValueError(f"dealer {dealer!r} is not a seat; seats are 0 to {self.variant.seats - 1}")
        if observation not in KINDS_OF_OBSERVATION:
            raise ValueError(f"no observation {observation!r}; there are 'counts', 'planes', 'events' and None")
        self._players = seat_players(self.variant, seating)
        if record and (self._players >= 0).any():
            raise ValueError("record=True needs every seat to be yours; some are played inside")
        self._make_arrays(observation, oracle, dict(buffers or {}))
        self._fresh = True
        self._tape = Tape(self.variant, self._tables.preset, options, num_games) if record else None

    def _make_arrays(self, observation: str | None, oracle: bool, buffers: dict[str, np.ndarray]) -> None:
        n, seats, kinds = self._tables.num_games, self.variant.seats, self.variant.tiles.kinds

        def array(name: str, shape: tuple[int, ...], kind: Any) -> np.ndarray:
            made = buffers.pop(name, None)
            if made is None:
                return np.zeros(shape, kind)
            if made.shape != shape or made.dtype != kind or not made.flags.c_contiguous or not made.flags.writeable:
                raise ValueError(f"buffer {name!r} must be a writeable C-ordered {np.dtype(kind)} array of {shape}")
            return made

        counts = (n if observation else 0, rows(self.variant), kinds)
        plane_rows = planes(self.variant)
        self.to_act = array("to_act", (n,), np.int8)
        if observation == "planes":
            self._counts = np.zeros(counts, np.int8)
            self.observations = array("observations", (n, len(plane_rows), kinds), np.int8)
        else:
            self._counts = self.observations = array("observations", counts, np.int8)
        self._cuts = cuts(self.variant)
        self.masks = array("masks", (n, len(self.variant.actions)), np.int8)
        self._gains = array("gains", (n, seats), np.int32)
        self._done = array("done", (n,), np.bool_)
        if buffers:
            raise ValueError(
                f"no buffer {next(iter(buffers))!r}; there are to_act, observations, masks, gains and done"
            )
        self.oracle = np.zeros((n if oracle else 0, rows(self.variant, oracle=True), kinds), np.int8)
        self.ended = np.zeros(n, outcome_type(self.variant))
        self._sampled = np.zeros(n, np.int64)
        self._log = Log(n if observation == "events" else 0, seats)
        self.events = self._log.shown

    def _run(self, alone: Any, with_players: Any, *first: Any) -> None:
        """Deal or step by the kernel for batches where every seat is the caller's, or by the other one; then show more."""
        tables = self._tables
        arguments = (
            *first, tables.blank, tables.low, tables.high, tables.hands, self._dealer, self.to_act, self._counts,
            self.masks, self._gains, self._done, self.ended,
        )  # fmt: skip
        if len(self.events) or (self._players >= 0).any():
            tables.run(with_players, *arguments, self._players, tables.states, *self._log.arrays)
        else:
            tables.run(alone, *arguments)
        if self._counts is not self.observations:
            tables.run(planes_range, self._counts, *self._cuts, self.observations)
        if len(self.oracle):
            tables.run(oracle_range, self.oracle)

    def reset(self) -> None:
        """Deal every table its next hand."""
        self._run(deal_range, deal_with_players)
        self._fresh = False

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray]:
        """Play one legal action, (n,) integers, at every table, and the seats played inside until one of yours is to act.

        Returns gains, (n, seats) int32 points moved meanwhile, and done, (n,) bool: a hand ended and a new one was dealt.
        Raises IllegalActionError naming the table and the action, and then no table has moved.
        """
        if self._fresh:
            raise RuntimeError("call reset() before the first step()")
        actions = self._tables.check(actions)
        if self._tape is not None:
            self._tape.note(self._tables.games, actions)
        self._run(step_range, step_with_players, actions)
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


def seat_players(variant: Variant, seating: Sequence[str | None] | None) -> np.ndarray:
    """(seats,) int8: the compiled player of every seat, LEARNER where it is the caller's; at least one must be."""
    named = [None] * variant.seats if seating is None else list(seating)
    if len(named) != variant.seats:
        raise ValueError(f"{len(named)} players given for {variant.seats} seats")
    for name in named:
        if name is not None and name not in COMPILED:
            raise ValueError(
                f"no player {name!r} to be played inside; there are {', '.join(COMPILED)}, and None for yours"
            )
    if all(named):
        raise ValueError("no seat is left to you; let at least one player be None")
    return np.array([LEARNER if name is None else COMPILED.index(name) for name in named], np.int8)
