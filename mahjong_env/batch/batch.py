"""Batch: many tables at once, every seat yours or played inside."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mahjong_env.batch.events import Events
from mahjong_env.batch.recorder import Recorder
from mahjong_env.batch.tables import (
    LEARNER,
    NO_ACTIONS,
    Deals,
    Players,
    Shown,
    Tables,
    cuts,
    oracle_range,
    outcome_type,
    planes_range,
    refuse_stuck,
    sample_range,
    step_range,
)
from mahjong_env.play.game import Record
from mahjong_env.rules.players import COMPILED
from mahjong_env.rules.state import NOBODY
from mahjong_env.rules.variant import Variant, planes, rows

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
    seating: who plays each seat: None is yours (the default for all), "random", "greedy" or "expert" is played inside.
    observation: "counts"; "planes", one-hot thresholds of the counts (`planes(variant)` names them); "events", the counts
        and beside them `events`, tokens of what has been public so far (see `mahjong_env.batch.events`); None for none.
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
        self._recorder = Recorder(self.variant, self._tables.preset, options, num_games) if record else None

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
        self._log = Events.of(n if observation == "events" else 0, seats)
        self.events = self._log.shown
        tables = self._tables
        self._bundles = (
            Deals(tables.blank, tables.low, tables.high, tables.hands, self._dealer),
            Shown(self.to_act, self._counts, self.masks, self._gains, self._done, self.ended),
            Players(self._players, tables.generators),
            self._log,
        )

    def _run(self, actions: np.ndarray) -> None:
        """Step, or deal if there are no actions, and show more where more is wanted."""
        tables = self._tables
        tables.run(step_range, actions, *self._bundles)
        if self._counts is not self.observations:
            tables.run(planes_range, self._counts, *self._cuts, self.observations)
        if len(self.oracle):
            tables.run(oracle_range, self.oracle)
        refuse_stuck(self.variant, self.ended)

    def reset(self) -> None:
        """Deal every table its next hand."""
        self._run(NO_ACTIONS)
        self._fresh = False

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray]:
        """Play one legal action, (n,) integers, at every table, and the seats played inside until one of yours is to act.

        Returns gains, (n, seats) int32 points moved meanwhile, and done, (n,) bool: a hand ended and a new one was dealt.
        Raises IllegalActionError naming the table and the action, and then no table has moved; RulesError where a
        variant's rules have left a hand stuck.
        """
        if self._fresh:
            raise RuntimeError("call reset() before the first step()")
        actions = self._tables.check(actions)
        if self._recorder is not None:
            self._recorder.note(self._tables.games, actions)
        self._run(actions)
        return self._gains, self._done

    def records(self) -> list[Record]:
        """The records of the hands that the last step has ended, in order of their tables; the batch needs `record=True`.

        To be asked for before the next step, which plays on.
        """
        if self._recorder is None:
            raise RuntimeError("this batch keeps no records; make it with record=True")
        return [self._recorder.record(i, self.ended[i]) for i in np.flatnonzero(self._done).tolist()]

    def sample_legal(self) -> np.ndarray:
        """(n,) int64: a uniformly random legal action for every table."""
        self._tables.run(sample_range, self._tables.generators, self._sampled)
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
