"""One learning seat a table, the other seats played inside, finished episodes dealt anew: what the Gymnasium and
stable-baselines3 environments adapt.

An episode is one hand or several; the learner keeps its seat for an episode and moves on one in the next. What the others
do before the learner acts is paid with its next action; an episode that ends before the learner ever acts is left out.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from mahjong_env.agents.load import load_agent
from mahjong_env.agents.view import Agent, View, view_of
from mahjong_env.batch.episodes import check_hands
from mahjong_env.batch.events import Events, forget_events, note_events, show_events
from mahjong_env.batch.rewards import Reward, choose_reward
from mahjong_env.batch.tables import (
    LEARNER,
    NO_ACTIONS,
    OUTSIDE,
    Tables,
    check_observation,
    cuts,
    note_outcome,
    note_tables,
    outcome_type,
    planes_range,
    play_range,
    refuse_stuck,
    sample_range,
    show,
)
from mahjong_env.compiled import compiled
from mahjong_env.play.game import Game
from mahjong_env.rules.api import deal_at
from mahjong_env.rules.chance import seed_halves
from mahjong_env.rules.errors import IllegalActionError
from mahjong_env.rules.hooks import begin_hand, observe, play
from mahjong_env.rules.players import COMPILED, compiled_action, generators
from mahjong_env.rules.state import NOBODY, copy_of, readable
from mahjong_env.rules.variant import Variant, rows

Opponents = str | Agent | Sequence[str | Agent]
MINE, THEIRS, EMPTY, FINISHED = range(4)
"""States of a table: the learner is to act; others are; an episode is to be dealt; one is over and stays as it is."""


def episode_type(seats: int) -> np.dtype:
    """What is kept of a table's episode beside the game being played."""
    fields = [
        ("low", "i8"),  # the two halves of the seed of its deals
        ("high", "i8"),
        ("number", "i8"),  # the table's number among those of the same seed
        ("hand", "i8"),  # hands dealt so far
        ("begun", "i8"),  # episodes begun so far
        ("paid", "i8", (seats,)),  # points of the episode that have been counted as gains
        ("played", "i8"),  # hands of the episode dealt so far
        ("carried", "i8", (seats,)),  # points of the episode's earlier hands
        ("state", "i1"),
        ("learner", "i1"),
        ("dealer", "i1"),  # who deals the next episode's first hand; NOBODY draws it
        ("acted", "i1"),  # the learner has acted in this episode
    ]
    return readable(np.dtype(fields, align=True))


class Setting(NamedTuple):
    """What the tables play: (1,) blank state, hands in an episode, whether a finished episode is dealt anew at once, the
    players from the learner on, (seats,) int8, every table's episode, (n,), the players at every table, (n, seats) int8,
    and their generators."""

    blank: np.ndarray
    hands: int
    renew: bool
    lineup: np.ndarray
    episodes: np.ndarray
    players: np.ndarray
    generators: np.ndarray


class Seen(NamedTuple):
    """What a step writes; see `Learners`."""

    observations: np.ndarray
    masks: np.ndarray
    gains: np.ndarray
    totals: np.ndarray
    done: np.ndarray
    ended: np.ndarray


class Ends(NamedTuple):
    """The ends of episodes that were dealt anew at once, as their learners saw them: observations and event tokens."""

    observations: np.ndarray
    events: np.ndarray


# --- kernels ----------------------------------------------------------------------------------------------------------


@compiled
def play_to_learner(games, start, stop, actions, setting, seen, ends, events):
    """Play the learners' actions, if any are given, and then the others until every table waits for its learner, or for
    an agent outside, or, unless episodes are dealt anew, its episode is over."""
    for i in range(start, stop):
        game = games[i]
        episode = setting.episodes[i]
        if episode.state == MINE and len(actions) > 0:
            episode.acted = 1
            episode.state = THEIRS
            play_and_note(game, i, actions[i], events)
        while episode.state == EMPTY or episode.state == THEIRS:
            if episode.state == EMPTY:
                begin_episode(games, i, setting, events)
            elif game.to_act == NOBODY:
                finish_hand(games, i, setting, seen, ends, events)
            else:
                play_others(game, i, setting, events)
                if game.to_act != NOBODY:
                    if setting.players[i, game.to_act] == OUTSIDE:
                        break
                    episode.state = MINE
                    if episode.acted:
                        count_gains(game, i, episode, seen)
        if episode.state != THEIRS:
            show(games, i, int(episode.learner), seen.observations, seen.masks)
            if len(events.log) > 0:
                show_events(game, i, int(episode.learner), events, events.shown)


@compiled
def play_and_note(game, i, action, events):
    """A decision, and what it makes public."""
    play(game, action)
    if len(events.log) > 0:
        note_events(game, i, events)


@compiled
def play_others(game, i, setting, events):
    """Play the compiled seats of a table until another seat has to act or the hand is over."""
    while game.to_act != NOBODY and setting.players[i, game.to_act] >= 0:
        action = compiled_action(game, setting.players[i, game.to_act], setting.generators[i])
        play_and_note(game, i, action, events)


@compiled
def begin_episode(games, i, setting, events):
    """Seat the players one further on and deal the episode's first hand."""
    episode = setting.episodes[i]
    seats = len(episode.paid)
    learner = (episode.number + episode.begun) % seats
    episode.learner = learner
    for step in range(seats):
        setting.players[i, (learner + step) % seats] = setting.lineup[step]
        episode.paid[step] = 0
        episode.carried[step] = 0
    episode.begun += 1
    episode.acted = 0
    episode.played = 0
    episode.state = THEIRS
    deal_hand(games, i, setting, int(episode.dealer), setting.hands - 1)
    episode.dealer = NOBODY
    if len(events.log) > 0:
        forget_events(i, events)


@compiled
def deal_hand(games, i, setting, dealer, hands_left):
    """Deal the next hand of an episode."""
    episode = setting.episodes[i]
    low, high, number, hand = int(episode.low), int(episode.high), int(episode.number), int(episode.hand)
    deal_at(games, i, setting.blank, low, high, number, hand, dealer)
    episode.hand += 1
    begin_hand(games[i], int(episode.played))
    episode.played += 1
    games[i].hands_left = hands_left
    for seat in range(len(episode.carried)):
        games[i].carried[seat] = episode.carried[seat]


@compiled
def finish_hand(games, i, setting, seen, ends, events):
    """Deal the episode's next hand, or settle the episode with its learner and keep the end as it sees it."""
    game = games[i]
    episode = setting.episodes[i]
    if episode.acted or game.stuck:
        note_outcome(game, seen.ended[i])
    if game.hands_left > 0:
        if len(events.log) > 0:
            forget_events(i, events)
        for seat in range(len(episode.carried)):
            episode.carried[seat] += game.points[seat]
        deal_hand(games, i, setting, int(game.next_dealer), int(game.hands_left) - 1)
        return
    if len(events.log) > 0:
        show_events(game, i, int(episode.learner), events, ends.events)
    episode.state = EMPTY
    if episode.acted:
        seen.done[i] = True
        count_gains(game, i, episode, seen)
        if setting.renew:
            observe(game, int(episode.learner), ends.observations[i], False)
        else:
            episode.state = FINISHED


@compiled
def count_gains(game, i, episode, seen):
    """Every seat's points in the episode, and what of them is new since the learner acted."""
    for seat in range(seen.gains.shape[1]):
        total = int(game.carried[seat]) + int(game.points[seat])
        seen.gains[i, seat] = total - episode.paid[seat]
        episode.paid[seat] = total
        seen.totals[i, seat] = total


# --- the tables -------------------------------------------------------------------------------------------------------


class Learners:
    """n tables with one learner each.

    Parameters
    ----------
    variant, preset, options: as for `Game`.
    num_tables: how many tables, n.
    opponents: a compiled player's name ("random", "greedy", "expert"), a saved policy's path, an `Agent`, or one of these for each
        of the other seats, from the learner's next on.
    reward: see `mahjong_env.batch.rewards`.
    hands: hands in an episode; points are carried from one to the next, whose dealer the variant's rule names.
    observation: "counts", "planes" or "events"; see `Batch`.
    threads: run on that many threads; the results don't depend on it.

    After `reset` and `step`, for every table: `observations` (n, rows, kinds) int8, or planes for rows, and `masks`
    (n, actions) int8 for the learner to act, with "events" also `events` (n, ROOM) int16; after `step` also `gains` and
    `totals` (n, seats), `done` (n,), and where an episode ended and was dealt anew, `last` and `last_events`, the end as
    its learner saw it. `ended` has the numbers of the latest finished hand (see `Batch`). All are written in place by the
    next step.
    """

    def __init__(
        self,
        variant: str,
        num_tables: int,
        opponents: Opponents = "greedy",
        *,
        reward: Reward = "points",
        hands: int = 1,
        observation: str = "counts",
        threads: int = 1,
        preset: str | None = None,
        options: dict[str, Any] | None = None,
    ):
        check_observation(observation)
        self.tables = Tables(variant, num_tables, 0, threads, preset, options or {})
        self.variant: Variant = self.tables.variant
        self.reward = choose_reward(reward)
        self.hands = check_hands(hands)
        self._lineup, self._outside = seat_opponents(opponents, self.variant)
        seats, actions = self.variant.seats, len(self.variant.actions)
        self.episodes = np.zeros(num_tables, episode_type(seats))
        self.episodes["dealer"] = NOBODY
        self.episodes["state"] = EMPTY
        self.seeded = np.zeros(num_tables, np.bool_)
        self._players = np.zeros((num_tables, seats), np.int8)
        self._sampling = np.zeros((num_tables, 4), np.uint32)
        self._sampled = np.zeros(num_tables, np.int64)
        self._rows = np.arange(num_tables)
        self.gains = np.zeros((num_tables, seats), np.int64)
        self.totals = np.zeros((num_tables, seats), np.int64)
        self.done = np.zeros(num_tables, np.bool_)
        self.ended = np.zeros(num_tables, outcome_type(self.variant))
        self.earners = np.zeros(num_tables, np.int64)
        """The seats that the latest rewards are for."""
        self._counts = np.zeros((num_tables, rows(self.variant), self.variant.tiles.kinds), np.int8)
        self._last_counts = np.zeros_like(self._counts)
        self.observations, self.last = self._counts, self._last_counts
        self._cuts = cuts(self.variant)
        if observation == "planes":
            self.observations = np.zeros((num_tables, len(self._cuts[0]), self.variant.tiles.kinds), np.int8)
            self.last = np.zeros_like(self.observations)
        self._log = Events.of(num_tables if observation == "events" else 0, seats)
        self.events = self._log.shown
        self.last_events = np.zeros_like(self.events)
        self.masks = np.zeros((num_tables, actions), np.int8)
        tables = self.tables
        self._setting = Setting(
            tables.blank, self.hands, True, self._lineup, self.episodes, self._players, tables.generators
        )
        self._bundles = (
            Seen(self._counts, self.masks, self.gains, self.totals, self.done, self.ended),
            Ends(self._last_counts, self.last_events),
            self._log,
        )

    @property
    def seats(self) -> np.ndarray:
        """(n,) int8: where the learners sit."""
        return self.episodes["learner"]

    @property
    def finished(self) -> np.ndarray:
        """(n,) bool: tables whose episode is over and not dealt anew."""
        return self.episodes["state"] == FINISHED

    @property
    def needs_reset(self) -> bool:
        """Whether there are tables that haven't been reset since they were seeded, or stopped at an agent's error."""
        state = self.episodes["state"]
        return bool(((state == EMPTY) | (state == THEIRS)).any())

    def seed(self, seeds: Sequence[int | None], numbers: Sequence[int]) -> None:
        """Start the deals of the tables anew, at their next reset; None leaves a table as it is.

        Table i's k-th hand is then a function of (seeds[i], numbers[i], k), and of who deals it in a longer episode.
        """
        halves = [None if seed is None else seed_halves(seed) for seed in seeds]
        for i, (half, seed, number) in enumerate(zip(halves, seeds, numbers, strict=True)):
            if half is not None and seed is not None:
                episode = self.episodes[i]
                episode["low"], episode["high"] = half
                episode["number"], episode["hand"], episode["begun"], episode["state"] = number, 0, 0, EMPTY
                self.tables.generators[i] = generators(seed, 1, number)[0]
                self._sampling[i] = generators(seed, 1, self.tables.num_games + number)[0]
                self.seeded[i] = True

    def reset(self, which: np.ndarray | None = None, dealer: int | None = None) -> None:
        """Deal a new episode at the tables of the mask `which`, by default at all; `dealer` deals its first hand."""
        self.empty(which, dealer)
        self._play(NO_ACTIONS, True)

    def empty(self, which: np.ndarray | None = None, dealer: int | None = None) -> None:
        """Have the next step deal a new episode at these tables, whatever their actions."""
        if dealer is not None and dealer not in range(self.variant.seats):
            raise ValueError(f"dealer {dealer!r} is not a seat; seats are 0 to {self.variant.seats - 1}")
        chosen = slice(None) if which is None else which
        self.episodes["state"][chosen] = EMPTY
        self.episodes["dealer"][chosen] = NOBODY if dealer is None else dealer

    def check(self, actions: Any) -> np.ndarray:
        """(n,) int64 actions, legal except at finished tables, where they don't count.

        IllegalActionError names the first table and action that isn't legal. RuntimeError before the first reset.
        """
        if self.needs_reset:
            raise RuntimeError("call reset() before the first step()")
        return self.tables.check(actions)

    def step(self, actions: np.ndarray, renew: bool = True) -> np.ndarray:
        """Play `check`ed actions and return the learners' rewards, (n,); `renew` deals finished episodes anew at once."""
        np.copyto(self.earners, self.seats)
        self.gains[:] = 0
        self.done[:] = False
        self._play(actions, renew)
        return self.reward(self.gains, self.done, self.totals)[self._rows, self.earners]

    def _play(self, actions: np.ndarray, renew: bool) -> None:
        while True:
            self.tables.run(play_to_learner, actions, self._setting._replace(renew=renew), *self._bundles)
            pending = np.flatnonzero(self.episodes["state"] == THEIRS)
            if not len(pending):
                break
            self._ask_outside(pending)
            actions = NO_ACTIONS
        refuse_stuck(self.variant, self.ended)
        if self.observations is not self._counts:
            self.tables.run(planes_range, self._counts, *self._cuts, self.observations)
            row, least = self._cuts
            self.last[self.done] = self._last_counts[self.done][:, row] >= least[:, None]

    def _ask_outside(self, pending: np.ndarray) -> None:
        """One decision of every agent outside the kernels at the tables that wait for one."""
        games = self.tables.games
        steps = (games["to_act"][pending] - self.seats[pending]) % self.variant.seats
        for step, agent in self._outside.items():
            asked = pending[steps == step]
            if len(asked):
                actions = np.asarray(agent.act_batch(view_of(self.variant, games, asked)))
                play_range(games, asked, self._check_outside(agent, asked, actions))
                if len(self.events):
                    note_tables(games, asked, self._log)

    def _check_outside(self, agent: Agent, asked: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """The agent's actions as int64; IllegalActionError naming the agent and the table unless all are legal."""
        if actions.shape != asked.shape or actions.dtype.kind not in "iu":
            given = f"{actions.dtype} {actions.shape}"
            raise IllegalActionError(f"agent {agent.name!r} must give ({len(asked)},) whole numbers, not {given}")
        names = self.variant.actions.names
        legal = self.tables.games["legal"][asked]
        inside = (actions >= 0) & (actions < len(names))
        bad = ~inside | (legal[np.arange(len(asked)), np.where(inside, actions, 0)] == 0)
        for k in np.flatnonzero(bad)[:1]:
            chosen = repr(names[actions[k]]) if inside[k] else f"number {actions[k]}"
            allowed = ", ".join(names[action] for action in np.flatnonzero(legal[k]))
            raise IllegalActionError(
                f"table {asked[k]}: agent {agent.name!r} chose {chosen}, which is not legal; legal: {allowed}"
            )
        return actions.astype(np.int64, copy=False)

    def game_at(self, table: int) -> Game:
        """A copy of the hand being played at a table, without its history."""
        tables = self.tables
        return Game._from_row(self.variant, tables.preset, tables.options, copy_of(tables.games[table : table + 1]))

    def view(self) -> View:
        """What the learners see, as agents are given it, so that any agent can play or label their positions."""
        return View(self.variant, self.seats, self._counts, self.masks, self.tables.games, self._rows)

    def sample_legal(self) -> np.ndarray:
        """(n,) int64: a uniformly random legal action for every learner; 0 at finished tables."""
        self.tables.run(sample_range, self._sampling, self._sampled)
        return self._sampled


def seat_opponents(opponents: Opponents, variant: Variant) -> tuple[np.ndarray, dict[int, Agent]]:
    """The players from the learner's seat on, as kernels know them, and by their distance the agents that aren't compiled."""
    others = variant.seats - 1
    named = [opponents] * others if isinstance(opponents, str | Agent) else list(opponents)
    if len(named) != others:
        raise ValueError(f"{len(named)} opponents given; the learner has {others}, or one name for all")
    lineup = np.full(variant.seats, LEARNER, np.int8)
    outside: dict[int, Agent] = {}
    for step, opponent in enumerate(named, 1):
        if isinstance(opponent, str) and opponent in COMPILED:
            lineup[step] = COMPILED.index(opponent)
        else:
            lineup[step] = OUTSIDE
            outside[step] = load_agent(opponent, variant) if isinstance(opponent, str) else opponent
    return lineup, outside
