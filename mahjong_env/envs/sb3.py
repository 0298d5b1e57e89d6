"""A native stable-baselines3 VecEnv: one learning seat a table, others played inside; for sb3-contrib's MaskablePPO.

Rewards are the points the learner gained since it last acted, so a hand's rewards add up to its points. A finished
table is dealt anew at once, and the learner moves on one seat; a hand that ends before its learner ever acts is left
out. `env_method("action_masks")` gives the (n, actions) masks, so MaskablePPO, VecMonitor and the maskable evaluation
callback work as they are.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from mahjong_env.agent import COMPILED, Agent, View, load_agent
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
from mahjong_env.engine import observe, play
from mahjong_env.fields import NOBODY, OVER
from mahjong_env.game import IllegalActionError
from mahjong_env.observation import rows

MINE, THEIRS = range(2)
"""State of a table between kernel calls: the learner is to act, or an agent outside the kernels."""


@compiled
def run_to_learner(
    games, start, stop, blank, low, high, hands, players, lineup, states, learners, before, rewards, done, ended, last,
    waiting,
):  # fmt: skip
    """Play compiled seats until each table waits for its learner or an outside agent; finished ones are dealt anew."""
    for i in range(start, stop):
        while waiting[i] != MINE:
            game = games[i]
            if game.to_act == NOBODY:
                finish_hand(game, i, learners, before, rewards, done, ended, last)
                seat_and_deal(games, i, blank, low, high, hands, players, lineup, learners)
            else:
                run_compiled(game, i, players, states)
                if game.to_act != NOBODY:
                    if players[i, game.to_act] == OUTSIDE:
                        break
                    waiting[i] = MINE
                    if not done[i]:  # what a new hand has brought before the learner's first action is paid after it
                        pay_learner(game, i, learners, before, rewards)


@compiled
def pay_learner(game, i, learners, before, rewards):
    """Reward the learner with the points it has gained since it was last paid."""
    rewards[i] += game.points[learners[i]] - before[i]
    before[i] = game.points[learners[i]]


@compiled
def finish_hand(game, i, learners, before, rewards, done, ended, last):
    """Settle a finished hand with its learner and keep the end as it sees it, unless it never acted in that hand."""
    if game.phase == OVER and not done[i]:
        pay_learner(game, i, learners, before, rewards)
        done[i] = True
        note_outcome(game, ended[i])
        observe(game, int(learners[i]), last[i], False)
    before[i] = 0


@compiled
def seat_and_deal(games, i, blank, low, high, hands, players, lineup, learners):
    """Seat the players one further on and deal the next hand."""
    seats = len(games[i].points)
    learner = (i + hands[i]) % seats
    learners[i] = learner
    for step in range(seats):
        players[i, (learner + step) % seats] = lineup[step]
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
        self._fresh = True
        self._players = np.zeros((num_envs, seats), np.int8)
        self._learners = np.zeros(num_envs, np.int8)
        self._before = np.zeros(num_envs, np.int64)
        self._waiting = np.zeros(num_envs, np.int8)
        self._rewards = np.zeros(num_envs, np.float32)
        self._done = np.zeros(num_envs, np.bool_)
        self.ended = np.zeros(num_envs, outcome_type(self.variant))
        self._observations = np.zeros((num_envs, *shape), np.int8)
        self.masks = np.zeros((num_envs, len(self.variant.actions)), np.int8)
        self._last = np.zeros_like(self._observations)
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
                agent = load_agent(opponent, self.variant, seed) if isinstance(opponent, str) else opponent
                self._outside[step] = agent

    # --- the VecEnv interface -----------------------------------------------------------------------------------------

    def reset(self) -> np.ndarray:
        """(n, rows, kinds) int8: every table dealt anew."""
        self._fresh = False
        self._tables.games["to_act"] = NOBODY
        self._tables.games["phase"] = 0
        self._done[:] = True
        self._play_others()
        self._rewards[:] = 0
        self._done[:] = False
        return self._observations.copy()

    def step_async(self, actions: np.ndarray) -> None:
        """Check the learners' actions, (n,) integers; IllegalActionError names the table and the action."""
        if self._fresh:
            raise RuntimeError("call reset() before the first step()")
        self._actions = self._tables.check(actions)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Observations, rewards (n,) float32, dones (n,) bool, infos.

        A finished table shows its next hand; its info has the learner's view of the end as "terminal_observation".
        """
        self._rewards[:] = 0
        self._done[:] = False
        self._tables.run(act_range, self._actions)
        self._play_others()
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(self._done):
            infos[i] = {"terminal_observation": self._last[i].copy(), "TimeLimit.truncated": False}
        return self._observations.copy(), self._rewards.copy(), self._done.copy(), infos

    def _play_others(self) -> None:
        tables = self._tables
        self._waiting[:] = THEIRS
        while True:
            tables.run(
                run_to_learner, tables.blank, tables.low, tables.high, tables.hands, self._players, self._lineup,
                tables.states, self._learners, self._before, self._rewards, self._done, self.ended, self._last,
                self._waiting,
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
                actions = np.asarray(agent.act_batch(view_of(self.variant, games, asked)))
                play_range(games, asked, self._check_outside(agent, asked, actions))

    def _check_outside(self, agent: Agent, asked: np.ndarray, actions: np.ndarray) -> np.ndarray:
        """The agent's actions as int64; IllegalActionError naming the agent and the table unless all are legal."""
        if actions.shape != asked.shape or actions.dtype.kind not in "iu":
            given = f"{actions.dtype} {actions.shape}"
            raise IllegalActionError(f"agent {agent.name!r} must give ({len(asked)},) whole numbers, not {given}")
        names = self.variant.actions.names
        legal = self._tables.games["legal"][asked]
        inside = (actions >= 0) & (actions < len(names))
        bad = ~inside | (legal[np.arange(len(asked)), np.where(inside, actions, 0)] == 0)
        for k in np.flatnonzero(bad)[:1]:
            chosen = repr(names[actions[k]]) if inside[k] else f"number {actions[k]}"
            allowed = ", ".join(names[action] for action in np.flatnonzero(legal[k]))
            raise IllegalActionError(
                f"table {asked[k]}: agent {agent.name!r} chose {chosen}, which is not legal; legal: {allowed}"
            )
        return actions.astype(np.int64, copy=False)

    def view(self) -> View:
        """What the learners see, as agents are given it, so that any agent can play or label their positions."""
        games = self._tables.games
        return View(self.variant, self._learners, self._observations, self.masks, games, np.arange(self.num_envs))

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
            self._fresh = True
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

    opponents: a compiled player's name ("random", "greedy"), a saved policy's path, an `Agent`, or one of these for
    each of the other seats, from the learner's next on. The rest as for `Batch`.
    """
    return MahjongVecEnv(variant, num_envs, opponents, seed, threads, preset, **options)
