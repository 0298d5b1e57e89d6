"""A native stable-baselines3 VecEnv: one learning seat a table, others played inside; for sb3-contrib's MaskablePPO.

Rewards are the points the learner gained since it last acted, so an episode's rewards add up to its points; `reward=` pays
otherwise. A finished table is dealt anew at once, and the learner moves on one seat; an episode that ends before its
learner ever acts is left out. `env_method("action_masks")` gives the (n, actions) masks, so MaskablePPO, VecMonitor and the
maskable evaluation callback work as they are.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from mahjong_env.agents.view import View
from mahjong_env.batch.learners import Learners, Opponents
from mahjong_env.batch.rewards import Reward
from mahjong_env.envs.spaces import action_space


class MahjongVecEnv(VecEnv):
    """One learning seat a table; see the module.

    opponents: a compiled player's name ("random", "greedy", "expert"), a saved policy's path, an `Agent`, or one of these for
    each of the other seats, from the learner's next on. reward: see `mahjong_env.batch.rewards`. hands: hands in an episode.
    The rest as for `Batch`.
    """

    def __init__(
        self,
        variant: str,
        num_envs: int,
        opponents: Opponents = "greedy",
        *,
        seed: int = 0,
        threads: int = 1,
        preset: str | None = None,
        reward: Reward = "points",
        hands: int = 1,
        **options: Any,
    ):
        self._core = Learners(
            variant, num_envs, opponents, reward=reward, hands=hands, threads=threads, preset=preset, options=options
        )
        self._tables, self._learners = self._core.tables, self._core.seats
        self.variant = self._core.variant
        self.masks = self._core.masks
        self.ended = self._core.ended
        self.render_mode = None
        space = spaces.Box(-128, 127, self._core.observations.shape[1:], np.int8)
        super().__init__(num_envs, space, action_space(self.variant))
        self._actions = np.zeros(num_envs, np.int64)
        self.seed(seed)

    def reset(self) -> np.ndarray:
        """(n, rows, kinds) int8: every table dealt anew."""
        self._core.reset()
        return self._core.observations.copy()

    def step_async(self, actions: np.ndarray) -> None:
        """Check the learners' actions, (n,) integers; IllegalActionError names the table and the action."""
        self._actions = self._core.check(actions)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Observations, rewards (n,) float32, dones (n,) bool, infos.

        A finished table shows its next episode; its info has the learner's view of the end as "terminal_observation".
        """
        core = self._core
        rewards = core.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(core.done):
            infos[i] = {"terminal_observation": core.last[i].copy(), "TimeLimit.truncated": False}
        return core.observations.copy(), rewards.astype(np.float32), core.done.copy(), infos

    def view(self) -> View:
        """What the learners see, as agents are given it, so that any agent can play or label their positions."""
        return self._core.view()

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
        """Start the deals anew from a seed, at the next reset; table i's k-th hand is a function of (seed, i, k)."""
        self._core.seed([seed] * self.num_envs, range(self.num_envs))
        return [seed] * self.num_envs

    def close(self) -> None:
        """Nothing to release."""


sb3_vec_env = MahjongVecEnv
"""The name under which the package offers it."""
