"""Many tables with one learning seat each: the Gymnasium vector environment of every variant.

| Import | `gymnasium.make_vec("mahjong_env/NAME-v0", num_envs=n)`, the variant's name capitalised |
|---|---|
| Action space | `MultiDiscrete([actions] * n)` |
| Observation space | `Dict(observation=Box(-127, 127, (n, rows, kinds), int8), action_mask=Box(0, 1, (n, actions), int8))` |
| Render modes | `ansi`, `rgb_array`: a tuple with every table |
| Autoreset | same step; `autoreset_mode=` takes the other two |

All tables step in one compiled call. Each is the environment of `mahjong_env.envs.single`, step by step: table i after
`reset(seed=s)` plays what the single environment plays after `reset(seed=s + i)`; a list gives every table its seed. The
infos are Gymnasium's: `action_mask` for all tables; of tables whose episode has just ended `points` and `seat`, with
`autoreset_mode="SameStep"` under `final_info`, the ends themselves being in `final_obs`; `_NAME` tells which tables have
NAME. An illegal action raises `IllegalActionError` naming the table and the action, and no table has moved.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from mahjong_env.batch.learners import Learners, Opponents
from mahjong_env.batch.rewards import Reward
from mahjong_env.envs.single import DRAWN_SEEDS, RENDER_MODES, Observation, check_render_mode, drawn
from mahjong_env.envs.spaces import action_space, observation_space

Infos = dict[str, Any]


class MahjongVectorEnv(gymnasium.vector.VectorEnv[Observation, np.ndarray, np.ndarray]):
    """Many tables with one learning seat each; see the module's page.

    Parameters
    ----------
    variant, opponents, render_mode, reward, hands, observation, preset, game_options: as for `mahjong_env.envs.single.MahjongEnv`.
    num_envs: how many tables, n.
    autoreset_mode: "SameStep" (default), "NextStep" or "Disabled", also as `gymnasium.vector.AutoresetMode`.
    threads: run on that many threads; the results don't depend on it.
    copy: False gives the same arrays of observations and masks at every step, which the next one writes anew.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        variant: str,
        num_envs: int = 1,
        opponents: Opponents = "greedy",
        *,
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        threads: int = 1,
        copy: bool = True,
        reward: Reward = "points",
        hands: int = 1,
        observation: str = "counts",
        preset: str | None = None,
        **game_options: Any,
    ):
        check_render_mode(render_mode)
        self.render_mode = render_mode
        try:
            self._mode = AutoresetMode(autoreset_mode)
        except ValueError:
            modes = ", ".join(repr(mode.value) for mode in AutoresetMode)
            raise ValueError(f"autoreset_mode={autoreset_mode!r} is not possible; it can be {modes}") from None
        self._core = Learners(
            variant,
            num_envs,
            opponents,
            reward=reward,
            hands=hands,
            observation=observation,
            threads=threads,
            preset=preset,
            options=game_options,
        )
        self.variant = self._core.variant
        self.num_envs = num_envs
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self._copy = copy
        self.single_observation_space = observation_space(self.variant, observation)
        self.single_action_space = action_space(self.variant)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(  # type: ignore[override]
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Infos]:
        """Deal every table a new episode, or those of the mask `options["reset_mask"]`, (n,) bool.

        seed: s seeds table i with s + i; a list, every table with its own, None leaving one as it is. `options` may name
        the `dealer` of the first hands. ValueError for what isn't possible.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        options = options or {}
        which = self._reset_mask(options.get("reset_mask"))
        self._core.seed(self._seeds(seed, which), [0] * self.num_envs)
        self._core.reset(which, options.get("dealer"))
        observation = self._observation()
        return observation, self._masks_info(observation)

    def _seeds(self, seed: int | Sequence[int | None] | None, which: np.ndarray) -> list[int | None]:
        """Every table's seed, drawn where it has none yet; None where the deals go on."""
        if seed is None:
            seed = [None] * self.num_envs
        elif isinstance(seed, int | np.integer):
            seed = [int(seed) + i for i in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds given for {self.num_envs} tables")
        seeds = [one if chosen else None for one, chosen in zip(seed, which, strict=True)]
        for i in np.flatnonzero(~self._core.seeded):
            seeds[i] = int(self.np_random.integers(DRAWN_SEEDS)) if seeds[i] is None else seeds[i]
        return seeds

    def _reset_mask(self, mask: Any) -> np.ndarray:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        mask = np.asarray(mask)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise ValueError(f"reset_mask must be ({self.num_envs},) bool, not {mask.dtype} {mask.shape}")
        return mask

    def step(self, actions: Any) -> tuple[Observation, np.ndarray, np.ndarray, np.ndarray, Infos]:
        """Play the learners' actions, (n,) integers, and the others' until every learner is to act again.

        Observations, rewards (n,) float64, terminations and truncations (n,) bool, infos. RuntimeError before a reset and,
        with autoreset disabled, for a table whose episode is over.
        """
        core = self._core
        over = np.flatnonzero(core.finished)
        if len(over) and self._mode == AutoresetMode.DISABLED:
            raise RuntimeError(f"the episode of table {over[0]} is over; call reset(options={{'reset_mask': …}})")
        actions = core.check(actions)
        core.empty(over)
        rewards = core.step(actions, renew=self._mode == AutoresetMode.SAME_STEP)
        observation = self._observation()
        infos = self._masks_info(observation)
        if core.done.any():
            infos |= self._ends()
        return observation, rewards.astype(np.float64), core.done.copy(), np.zeros(self.num_envs, np.bool_), infos

    def _observation(self) -> Observation:
        core = self._core
        seen: Observation = {"observation": core.observations, "action_mask": core.masks}
        if len(core.events):
            seen["events"] = core.events
        return {name: array.copy() for name, array in seen.items()} if self._copy else seen

    def _masks_info(self, observation: Observation) -> Infos:
        return {"action_mask": observation["action_mask"], "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _ends(self) -> Infos:
        """What the infos say of the episodes that have just ended."""
        core, done = self._core, self._core.done
        ends: Infos = {
            "points": np.where(done[:, None], core.totals, 0),
            "_points": done.copy(),
            "seat": np.where(done, core.earners, 0),
            "_seat": done.copy(),
        }
        if self._mode != AutoresetMode.SAME_STEP:
            return ends
        no_action = np.zeros_like(core.masks)
        final = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(done):
            final[i] = {"observation": core.last[i].copy(), "action_mask": no_action[i].copy()}
            if len(core.events):
                final[i]["events"] = core.last_events[i].copy()
        ends |= {"action_mask": no_action, "_action_mask": done.copy()}
        return {"final_obs": final, "_final_obs": done.copy(), "final_info": ends, "_final_info": done.copy()}

    def render(self) -> tuple[Any, ...] | None:
        """Every table as its learner sees it, as the single environment draws it; None without a render mode."""
        if self.render_mode is None:
            return None
        core = self._core
        return tuple(drawn(core.game_at(i), int(core.seats[i]), self.render_mode) for i in range(self.num_envs))

    def sample_legal(self) -> np.ndarray:
        """(n,) int64: a uniformly random legal action for every table; 0 where the episode is over."""
        return self._core.sample_legal().copy()
