"""One table with one learning seat: the Gymnasium environment of every variant.

| Import | `gymnasium.make("mahjong_env/NAME-v0")`, the variant's name capitalised |
|---|---|
| Action space | `Discrete(actions)` |
| Observation space | `Dict(observation=Box(-127, 127, (rows, kinds), int8), action_mask=Box(0, 1, (actions,), int8))` |
| Render modes | the table as the learner sees it: `ansi`, as text, and `rgb_array`, a picture (needs Pillow) |

The other seats are played inside by `opponents`. An episode is one hand, or `hands` of them; the learner keeps its seat for
an episode and moves on one in the next. The observation is that of the AEC environment, see `mahjong_env.envs.aec`; the
mask is also in `info["action_mask"]`, for `action_space.sample(mask)`. The reward is the points gained since the learner
last acted, as `reward=` has it (see `mahjong_env.batch.rewards`). When the episode is over, the observation is the end as the
learner sees it, the mask all zero, and the info has `points`, every seat's in the episode, and `seat`, the learner's.

`reset(seed=7)` deals the hand of `mj.Game(NAME, seed=7)`, the learner in seat 0; a reset without a seed deals the next of a
row of different hands, which the last seed determines. `reset(options={"dealer": 2})` says who deals the first hand.

An illegal action ends the episode, as in the wrapped AEC environment: the learner is charged 127 points, and
`info["illegal_action"]` says what was legal. With `illegal="raise"` it raises `IllegalActionError` and changes nothing. A
number that is no action raises in any case.
"""

import importlib
from typing import Any

import gymnasium
import numpy as np

from mahjong_env.batch.learners import FINISHED, Learners, Opponents
from mahjong_env.batch.rewards import Reward, forfeit
from mahjong_env.envs.spaces import action_space, observation_space
from mahjong_env.play.game import Game
from mahjong_env.rules.errors import IllegalActionError

Observation = dict[str, np.ndarray]
DRAWN_SEEDS = 2**63
"""Without a seed given, one below this is drawn."""

RENDER_MODES = ("ansi", "rgb_array")


def check_render_mode(mode: str | None) -> None:
    """ValueError unless the mode is possible; ImportError saying what to install where a picture can't be drawn."""
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f"no render mode {mode!r}; it can be 'ansi', 'rgb_array' or None")
    if mode == "rgb_array":
        importlib.import_module("mahjong_env.rendering.picture")


def drawn(game: Game, seat: int, mode: str | None) -> Any:
    """The table as the seat sees it, as text or as a picture; None without a mode."""
    if mode == "rgb_array":
        return game.picture(seat)
    return game.draw(seat=seat) if mode == "ansi" else None


class MahjongEnv(gymnasium.Env[Observation, Any]):
    """One table with one learning seat; see the module's page.

    Parameters
    ----------
    variant: its name, as in `variants()`.
    opponents: a compiled player's name ("random", "greedy", "expert"), a saved policy's path, an `Agent`, or one of these for each
        of the other seats, from the learner's next on.
    render_mode: "ansi", "rgb_array" or None.
    reward: "points", "rank", a scale, or a callable; see `mahjong_env.batch.rewards`.
    hands: hands in an episode.
    observation: "counts"; "planes", one-hot thresholds of the counts; "events", the counts and beside them `events`, tokens
        of what has been public so far (see `Batch`).
    illegal: "end" or "raise", what an illegal action does.
    preset: one of the variant's presets; the first by default.
    game_options: the variant's options.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        variant: str,
        opponents: Opponents = "greedy",
        *,
        render_mode: str | None = None,
        reward: Reward = "points",
        hands: int = 1,
        observation: str = "counts",
        illegal: str = "end",
        preset: str | None = None,
        **game_options: Any,
    ):
        check_render_mode(render_mode)
        if illegal not in ("end", "raise"):
            raise ValueError(f"illegal={illegal!r} is not possible; it can be 'end' or 'raise'")
        self._core = Learners(
            variant,
            1,
            opponents,
            reward=reward,
            hands=hands,
            observation=observation,
            preset=preset,
            options=game_options,
        )
        self.variant = self._core.variant
        self.render_mode = render_mode
        self._illegal = illegal
        self.observation_space: Any = observation_space(self.variant, observation)
        self.action_space = action_space(self.variant)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new episode; `options` may name the `dealer` of its first hand. ValueError for what isn't possible."""
        super().reset(seed=seed)
        if seed is None and not self._core.seeded[0]:
            seed = int(self.np_random.integers(DRAWN_SEEDS))
        self._core.seed([seed], [0])
        self._core.reset(dealer=(options or {}).get("dealer"))
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the learner's action and the others' until it is to act again or the episode is over.

        RuntimeError before a reset, and once the episode is over.
        """
        core = self._core
        if core.finished[0]:
            raise RuntimeError("the episode is over; call reset()")
        try:
            actions = core.check(np.array([action]))
        except IllegalActionError as error:
            if self._illegal == "raise" or action not in self.action_space:
                raise
            return self._forfeit(str(error))
        reward = float(core.step(actions, renew=False)[0])
        return self._observation(), reward, bool(core.done[0]), False, self._info()

    def _forfeit(self, why: str) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """End the episode for an illegal action."""
        core = self._core
        core.episodes["state"] = FINISHED
        core.masks[:] = 0
        reward = forfeit(core.reward, self.variant.seats)
        return self._observation(), reward, True, False, self._info() | {"illegal_action": why}

    def _observation(self) -> Observation:
        core = self._core
        seen: Observation = {"observation": core.observations[0].copy(), "action_mask": core.masks[0].copy()}
        return seen | {"events": core.events[0].copy()} if len(core.events) else seen

    def _info(self) -> dict[str, Any]:
        core = self._core
        info: dict[str, Any] = {"action_mask": core.masks[0].copy()}
        if core.finished[0]:
            info |= {"points": core.totals[0].copy(), "seat": int(core.seats[0])}
        return info

    @property
    def seat(self) -> int:
        """Where the learner sits."""
        return int(self._core.seats[0])

    @property
    def game(self) -> Game:
        """A copy of the hand being played, without its history."""
        return self._core.game_at(0)

    def render(self) -> Any:
        """The table as the learner sees it: text in mode `ansi`, (640, 640, 3) uint8 in mode `rgb_array`."""
        return drawn(self.game, self.seat, self.render_mode)
