"""Mahjong in turns: the PettingZoo AEC environment of every variant.

| Import | `mj.aec_env(NAME)`, `mj.raw_aec_env(NAME)`, or `pettingzoo.make("aec", "mahjong_env/NAME-v0")` |
|---|---|
| Agents | `player_0` … one per seat of the variant, in turn order |
| Parallel API | no |
| Action space | `Discrete(actions)` |
| Observation space | `Dict(observation=Box(-127, 127, (rows, kinds), int8), action_mask=Box(0, 1, (actions,), int8))` |
| State space | `Box(-127, 127, (rows + hidden rows, kinds), int8)` |
| Render modes | `ansi` (the table as text), `human` (prints it at every turn), `rgb_array` (a picture; needs Pillow) |

An episode is one hand, dealt, played and settled, or with `hands=N` so many: the end of one deals the next, by the dealer
whom the variant's rule names, and points are carried on. The seat that has to decide acts next, be it on its own turn or on
another's tile; a seat without a choice is skipped. A seat that has won, in games that go on after a win, stays alive until
the hand ends and is simply never asked. All seats end together, after the last hand. The options of the variant, those of a
preset or single ones, are given by name: `mj.aec_env(NAME, preset=…, option=value)`; `mj.describe(NAME)` lists them.

`reset(seed=7)` deals the hand of `mj.Game(NAME, seed=7)`, and an episode's later hands are `mj.Game(NAME, seed=7, hand=1)`
and so on. A reset without a seed deals the next of a row of different hands, which the last seed determines.
`reset(options={"dealer": 2})` says who deals first; otherwise the seed does.

### Observation

`observation` holds (rows, kinds) counts. A scalar fills its row, points are clipped to ±127, the viewer's seat comes
first and the others follow in turn order. `S` is the number of seats. These are the pieces of mahjong games;
`mj.describe(NAME)` lists those of every game.

| Piece | Rows | Meaning |
|---|---|---|
| hand | 1 | own concealed tiles, the drawn one included |
| drawn | 1 | 1 at the tile just drawn, in the own turn |
| table | 1 | at the tile others are asked about: how many seats after the viewer its owner sits |
| turn | 1 | how many seats after the viewer the seat in turn sits |
| phase | 1 | 0 choices before the first turn, 2 own turn, 3 a discard to claim, 4 an added gang to rob, from 7 the variant's own |
| wall_left | 1 | tiles still in the wall |
| hands_left | 1 | hands still to come in the episode |
| points | S | each seat's points in the episode so far |
| melds | S | each seat's tiles in melds |
| discards | S | each seat's discards that nobody took |
| discard_age | S | 1 + how many discards ago the last one of this kind was; 0 for none |

The variant's own pieces follow; `mj.describe(NAME)` prints the whole table. `action_mask` has a 1 for each legal action
of the seat to act, and is all zero for every other seat. `state()` is what the seat to act would see if all tiles lay
open (the oracle's observation), with these pieces at its end:

| Piece | Rows | Meaning |
|---|---|---|
| other_hands | S - 1 | concealed tiles of the seats after the viewer, in turn order |
| wall | 1 | tiles in the wall |
| wall_next | 1 | 1 + how many ordinary draws before the next tile of this kind; 0 for none |

### Actions

The variant's verbs laid end to end, each with its arguments: `Game(NAME).variant.actions.names[action]` is an action's
name, such as `discard 3m`, and `.parse` its inverse. An illegal action raises `IllegalActionError` in the raw
environment and leaves the game as it was. The wrapped one ends the episode, as PettingZoo's classic games do, and charges
the seat 127 points, far more than a hand usually costs.

### Rewards

`last()` gives the points the seat has gained since it last acted, as whole numbers: every decision's payments count for
all seats at once. Over an episode they add up to the seat's points. Whether all seats' sum to zero is up to the variant
and its options. `reward=` pays by a scale, by rank, or by a callable of yours; see `mahjong_env.batch.rewards`.

### Version history

* v0: the rules of the package's first versions; what a seat sees and does may still change.
"""

import importlib
import random
from typing import Any

import numpy as np
from gymnasium.spaces import Box
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from mahjong_env.batch.episodes import check_hands
from mahjong_env.batch.rewards import Reward, by_points, choose_reward, forfeit
from mahjong_env.envs.spaces import action_space, observation_space
from mahjong_env.play.game import Game
from mahjong_env.rules.chance import LARGEST_SEED, seed_halves
from mahjong_env.rules.errors import IllegalActionError
from mahjong_env.rules.observation import MOST
from mahjong_env.rules.registry import choose_rules
from mahjong_env.rules.variant import rows

Observation = dict[str, np.ndarray]
Action = int | str | None
"""An action's number, in the raw environment also its name; None for an agent that is out."""


def aec_env(
    variant: str,
    render_mode: str | None = None,
    preset: str | None = None,
    *,
    reward: Reward = "points",
    hands: int = 1,
    **game_options: Any,
) -> AECEnv[str, Observation, Action]:
    """The environment in PettingZoo's usual wrappers; parameters as for `RawEnv`."""
    raw = raw_aec_env(variant, render_mode, preset, reward=reward, hands=hands, **game_options)
    env: AECEnv[str, Observation, Action] = raw
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=forfeit(raw.reward, len(raw.possible_agents)))
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


def raw_aec_env(
    variant: str,
    render_mode: str | None = None,
    preset: str | None = None,
    *,
    reward: Reward = "points",
    hands: int = 1,
    **game_options: Any,
) -> "RawEnv":
    """The environment without wrappers, several times as fast; parameters as for `RawEnv`."""
    return RawEnv(variant, render_mode, preset, reward=reward, hands=hands, **game_options)


class RawEnv(AECEnv[str, Observation, Action]):
    """One table of a variant, every seat an agent; see the module's page.

    Parameters
    ----------
    variant: its name, as in `variants()`.
    render_mode: "ansi", "human", "rgb_array", or None.
    preset: one of the variant's presets; the first by default.
    reward: "points", "rank", a scale, or a callable; see `mahjong_env.batch.rewards`.
    hands: hands in an episode.
    game_options: the variant's options.

    `game` is the `Game` being played, once the environment is reset. Raises ValueError as `Game` does.
    """

    metadata = {"render_modes": ["human", "ansi", "rgb_array"], "is_parallelizable": False, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        variant: str,
        render_mode: str | None = None,
        preset: str | None = None,
        *,
        reward: Reward = "points",
        hands: int = 1,
        **game_options: Any,
    ) -> None:
        super().__init__()
        rules, _, _ = choose_rules(variant, preset, game_options)
        if render_mode not in (None, "human", "ansi", "rgb_array"):
            raise ValueError(f"no render mode {render_mode!r}; it can be 'human', 'ansi', 'rgb_array' or None")
        if render_mode == "rgb_array":
            importlib.import_module("mahjong_env.rendering.picture")  # raises now where Pillow is missing
        self.metadata = {**self.metadata, "name": f"{variant}_v{rules.version}"}
        self.render_mode = render_mode
        self.reward = choose_reward(reward)
        self.hands = check_hands(hands)
        self.game: Game
        self._seed = 0
        self._setting = {"variant": variant, "preset": preset, **game_options}
        self._seeds = random.Random()
        self._shape = rows(rules), rules.tiles.kinds
        self._over, self._not_over = np.ones(1, np.bool_), np.zeros(1, np.bool_)
        self._no_mask = np.zeros(len(rules.actions), np.int8)
        self.possible_agents = [f"player_{seat}" for seat in range(rules.seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation_space(rules))
        self.action_spaces = {agent: action_space(rules) for agent in self.possible_agents}
        self.state_space = Box(-MOST, MOST, (rows(rules, oracle=True), rules.tiles.kinds), np.int8)

    def observation_space(self, agent: str) -> Any:
        """The same space for every agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The variant's actions; sample with the mask."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new episode; `options` may name its first `dealer`. ValueError for a seed or a dealer that isn't possible."""
        if seed is not None:
            seed_halves(seed)
            self._seeds = random.Random(int(seed))
        self._seed = self._seeds.randrange(LARGEST_SEED) if seed is None else int(seed)
        self.game = Game(**self._setting, seed=self._seed, dealer=(options or {}).get("dealer"))
        self._row["hands_left"] = self.hands - 1
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._go_on()

    def step(self, action: Action) -> None:
        """Play an action of the agent selected; None once the hand is over. IllegalActionError changes nothing."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            legal = ", ".join(self.game.legal_names())
            raise IllegalActionError(f"{self.agent_selection} has to act and can't play None; legal: {legal}")
        before = self.game.points
        self.game.play(action)
        self._cumulative_rewards[self.agent_selection] = 0
        self.rewards = dict(zip(self.agents, self._pay(self.game.points - before), strict=True))
        self._accumulate_rewards()
        self._go_on()

    @property
    def _row(self) -> np.ndarray:
        """The state of the hand being played."""
        return self.game.state

    def _pay(self, gains: np.ndarray) -> list[Any]:
        """Every seat's reward for the points gained by a decision."""
        if self.reward is by_points:  # the usual case, and the rest would take longer than the play
            return gains.tolist()
        is_last = self.game.is_over and not self._row["hands_left"]
        done = self._over if is_last else self._not_over
        return self.reward(gains[None].astype(np.int64), done, self.points[None])[0].tolist()

    @property
    def points(self) -> np.ndarray:
        """(seats,) int64: every seat's points in the episode so far."""
        return self._row["carried"].astype(np.int64) + self._row["points"]

    def _deal_next(self) -> None:
        """Deal the episode's next hand."""
        if self.render_mode == "human":
            self.render()
        points, left, dealer = self.points, int(self._row["hands_left"]) - 1, self.game.next_dealer
        number = self.hands - 1 - left
        self.game = Game(**self._setting, seed=self._seed, hand=number, dealer=dealer)
        self.game.begin_hand(number)
        self._row["hands_left"], self._row["carried"] = left, points

    def _go_on(self) -> None:
        """Select the seat to act, dealing the next hand if there is one; or the first seat, for all to be taken away in turn."""
        seat = self.game.to_act
        while seat is None and self._row["hands_left"]:
            self._deal_next()
            seat = self.game.to_act
        if seat is None:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[seat or 0]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """What the agent's seat sees now, and its legal actions if it is the one to act."""
        seat = self._seats[agent]
        seen = self.game.observation(seat)
        mask = self.game.mask() if self.game.to_act == seat else self._no_mask.copy()
        return {"observation": seen, "action_mask": mask}

    def state(self) -> np.ndarray:
        """The oracle's observation from the seat to act: what it sees, and all that is hidden from it."""
        return self.game.observation(oracle=True)

    def render(self) -> str | np.ndarray | None:
        """The table, all hands open: returned as text in mode `ansi`, as a picture, (640, 640, 3) uint8, in mode
        `rgb_array`, printed in mode `human`."""
        if self.render_mode is None:
            raise ValueError("nothing to render: the environment was made without a render_mode")
        if self.render_mode == "rgb_array":
            return self.game.picture()
        text = str(self.game)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing to release."""
