"""A native stable-baselines3 VecEnv: one learning seat a table, the others played inside, for sb3-contrib's MaskablePPO.

Rewards are the points the learner gained since it last acted. A finished table is dealt anew at once, and the learner
moves on one seat. `env_method("action_masks")` gives the (n, actions) masks, so MaskablePPO, VecMonitor and the maskable
evaluation callback work as they are.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from mahjong_env.agent import COMPILED, Agent, load_agent
from mahjong_env.batch import (
    LEARNER,
    OUTSIDE,
    Tables,
    deal_next,
    note_outcome,
    outcome_type,
    play_range,
    run_compiled,
    show,
    view_of,
)
from mahjong_env.compiled import compiled
from mahjong_env.engine import play
from mahjong_env.fields import NOBODY, OVER
from mahjong_env.observation import rows

MINE, THEIRS = range(2)
"""State of a table between kernel calls: the learner is to act, or an agent outside the kernels."""


@compiled
def run_to_learner(games, start, stop, blank, low, high, hands, players, lineup, states, learners, before, rewards, done, ended, waiting):
    """Play compiled seats until every table waits for its learner or an outside agent; finished tables are dealt anew."""
    for i in range(start, stop):
        while waiting[i] != MINE:
            game = games[i]
            if game.to_act == NOBODY:
                finish_and_deal(games, i, blank, low, high, hands, players, lineup, learners, before, rewards, done, ended)
            else:
                run_compiled(game, i, players, states)
                if game.to_act != NOBODY:
                    if players[i, game.to_act] == OUTSIDE:
                        break
                    waiting[i] = MINE
                    rewards[i] += game.points[learners[i]] - before[i]
                    before[i] = game.points[learners[i]]


@compiled
def finish_and_deal(games, i, blank, low, high, hands, players, lineup, learners, before, rewards, done, ended):
    """Settle a finished hand with the learner, seat the players one further on, and deal."""
    game = games[i]
    seats = len(game.points)
    if game.phase == OVER and hands[i] > 0:
        rewards[i] += game.points[learners[i]] - before[i]
        done[i] = True
        note_outcome(game, ended[i])
    learner = (i + hands[i]) % seats
    learners[i] = learner
    for step in range(seats):
        players[i, (learner + step) % seats] = lineup[step]
    before[i] = 0
    deal_next(games, i, blank, low, high, hands, NOBODY)


@compiled
def show_range(games, start, stop, learners, observations, masks):
    """Write what every learner sees and may do."""
    for i in range(start, stop):
        show(games, i, int(learners[i]), observations, masks)


@compiled
def act_range(games, start, stop, actions):
    """Play every learner's action."""
    for i in range(start, stop):
        play(games[i], actions[i])


class MahjongVecEnv(VecEnv):
    """See the module; `sb3_vec_env` makes one."""

    def __init__(
        self,
        variant: str,
        num_envs: int,
        opponents: str | Agent | Sequence[str | Agent] = "greedy",
        seed: int = 0,
        threads: int = 1,
        preset: str | None = None,
        **options: Any,
    ):
        self._arguments = (variant, num_envs, seed, threads, preset, options)
        self._tables = Tables(*self._arguments)
        self.variant = self._tables.variant
        kinds, seats = self.variant.tiles.kinds, self.variant.seats
        shape = (rows(self.variant), kinds)
        space = spaces.Box(-128, 127, shape, np.int8)
        self.render_mode = None
        super().__init__(num_envs, space, spaces.Discrete(len(self.variant.actions)))
        self._seat_opponents(opponents, seed)
        self._players = np.zeros((num_envs, seats), np.int8)
        self._learners = np.zeros(num_envs, np.int8)
        self._before = np.zeros(num_envs, np.int64)
        self._waiting = np.zeros(num_envs, np.int8)
        self._rewards = np.zeros(num_envs, np.float32)
        self._done = np.zeros(num_envs, np.bool_)
        self.ended = np.zeros(num_envs, outcome_type(self.variant))
        self._observations = np.zeros((num_envs, *shape), np.int8)
        self.masks = np.zeros((num_envs, len(self.variant.actions)), np.int8)
        self._actions = np.zeros(num_envs, np.int64)

    def _seat_opponents(self, opponents: str | Agent | Sequence[str | Agent], seed: int) -> None:
        """`lineup`: the players from the learner's seat on; agents that aren't compiled are kept by their distance."""
        others = self.variant.seats - 1
        named = [opponents] * others if isinstance(opponents, str | Agent) else list(opponents)
        if len(named) != others:
            raise ValueError(f"{len(named)} opponents given; the learner has {others}, or one name for all")
        self._lineup = np.full(self.variant.seats, LEARNER, np.int8)
        self._outside: dict[int, Agent] = {}
        for step, opponent in enumerate(named, 1):
            if isinstance(opponent, str) and opponent in COMPILED:
                self._lineup[step] = COMPILED.index(opponent)
            else:
                self._lineup[step] = OUTSIDE
                self._outside[step] = load_agent(opponent, self.variant, seed) if isinstance(opponent, str) else opponent

    # --- the VecEnv interface -----------------------------------------------------------------------------------------

    def reset(self) -> np.ndarray:
        """(n, rows, kinds) int8: every table dealt anew."""
        self._tables.games["to_act"] = NOBODY
        self._tables.games["phase"] = 0
        self._play_others()
        self._rewards[:] = 0
        self._done[:] = False
        return self._observations.copy()

    def step_async(self, actions: np.ndarray) -> None:
        """Check the learners' actions, (n,) integers; IllegalActionError names the table and the action."""
        self._actions = self._tables.check(actions)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Observations, rewards (n,) float32, dones (n,) bool, infos; a finished table shows its next hand."""
        self._rewards[:] = 0
        self._done[:] = False
        self._tables.run(act_range, self._actions)
        self._play_others()
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(self._done):
            infos[i] = {"terminal_observation": self._observations[i], "TimeLimit.truncated": False}
        return self._observations.copy(), self._rewards.copy(), self._done.copy(), infos

    def _play_others(self) -> None:
        tables = self._tables
        self._waiting[:] = THEIRS
        while True:
            tables.run(
                run_to_learner, tables.blank, tables.low, tables.high, tables.hands, self._players, self._lineup,
                tables.states, self._learners, self._before, self._rewards, self._done, self.ended, self._waiting,
            )  # fmt: skip
            pending = np.flatnonzero(self._waiting == THEIRS)
            if not len(pending):
                break
            self._ask_outside(pending)
        tables.run(show_range, self._learners, self._observations, self.masks)

    def _ask_outside(self, pending: np.ndarray) -> None:
        """One decision of every agent outside the kernels at the tables that wait for one."""
        games = self._tables.games
        steps = (games["to_act"][pending] - self._learners[pending]) % self.variant.seats
        for step, agent in self._outside.items():
            asked = pending[steps == step]
            if len(asked):
                actions = np.asarray(agent.act_batch(view_of(self.variant, games, asked))).astype(np.int64)
                play_range(games, asked, actions)

    def action_masks(self) -> np.ndarray:
        """(n, actions) int8: the learners' legal actions."""
        return self.masks

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """`action_masks` as one array; the others as SB3 expects, a list over tables."""
        result = getattr(self, method_name)(*args, **kwargs)
        if method_name == "action_masks":
            return result if indices is None else result[list(self._get_indices(indices))]
        return [result for _ in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute, once for every table."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of the whole environment."""
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Tables are never wrapped one by one."""
        return [False for _ in self._get_indices(indices)]

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Start the deals anew from a seed, at the next reset."""
        if seed is not None:
            variant, num_envs, _, threads, preset, options = self._arguments
            self._tables = Tables(variant, num_envs, seed, threads, preset, options)
        return [seed] * self.num_envs

    def close(self) -> None:
        """Nothing to release."""


def sb3_vec_env(
    variant: str,
    num_envs: int,
    opponents: str | Agent | Sequence[str | Agent] = "greedy",
    *,
    seed: int = 0,
    threads: int = 1,
    preset: str | None = None,
    **options: Any,
) -> MahjongVecEnv:
    """A native stable-baselines3 VecEnv with one learning seat a table.

    opponents: a compiled player's name ("random", "greedy"), a saved policy's path, an `Agent`, or one of these for each of
    the other seats, from the learner's next on. The rest as for `Batch`.
    """
    return MahjongVecEnv(variant, num_envs, opponents, seed, threads, preset, **options)
