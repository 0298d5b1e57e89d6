"""The native VecEnv: what stable-baselines3 expects of one, and hand for hand the games it claims to play."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra train")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

import mahjong_env as mj
from mahjong_env.agents.load import CompiledAgent
from mahjong_env.agents.view import View
from mahjong_env.rules import api
from mahjong_env.rules.chance import seed_halves
from mahjong_env.rules.players import choose_at, generators
from mahjong_env.rules.state import NOBODY
from mahjong_env.rules.variant import pieces

SEED = 2**33 + 5
VARIANT = mj.variants()[0]


def legal_choices(env: Any, rng: np.random.Generator) -> np.ndarray:
    """A random legal action at every table."""
    masks = env.env_method("action_masks")
    return (masks * rng.random(masks.shape)).argmax(1)


def walk(env: Any, steps: int, seed: int = 0) -> list[bytes]:
    """Everything the environment shows over some random steps."""
    rng, seen = np.random.default_rng(seed), [env.reset().tobytes()]
    for _ in range(steps):
        observations, rewards, dones, infos = env.step(legal_choices(env, rng))
        ends = [info["terminal_observation"].tobytes() for info in infos if "terminal_observation" in info]
        seen.append(b"".join([observations.tobytes(), rewards.tobytes(), dones.tobytes(), *ends]))
    return seen


class Shadow:
    """One table played by the engine alone: the learner's actions as told, greedy in the other seats."""

    def __init__(self, variant: str, table: int):
        self.rules = mj.Batch(variant, 1).variant
        self.blank = self.rules.blank(self.rules.choose_options(None, {})[1])
        self.game, self.table, self.hand = self.blank.copy(), table, 0
        self.states = generators(0, 1)
        self.deal()

    def deal(self) -> None:
        low, high = seed_halves(SEED)
        api.deal_at(self.game, 0, self.blank, low, high, self.table, self.hand, NOBODY)
        self.learner = (self.table + self.hand) % self.rules.seats
        self.hand += 1
        self.run()

    def run(self) -> None:
        while self.game["to_act"][0] not in (NOBODY, self.learner):
            chosen = np.zeros(1, np.int64)
            choose_at(self.game, np.zeros(1, np.int64), 1, self.states, chosen)
            api.play_at(self.game, 0, int(chosen[0]))

    @property
    def points(self) -> int:
        return int(self.game["points"][0, self.learner])

    def view(self) -> np.ndarray:
        out = np.zeros((sum(piece.rows for piece in pieces(self.rules)), self.rules.tiles.kinds), np.int8)
        api.observe_at(self.game, 0, self.learner, out, False)
        return out


@pytest.mark.parametrize("variant", mj.variants())
def test_every_table_is_the_game_the_engine_plays(variant: str) -> None:
    tables, rng = 3, np.random.default_rng(1)
    env = mj.sb3_vec_env(variant, tables, "greedy", seed=SEED)
    observations = env.reset()
    shadows, paid, ended = [Shadow(variant, i) for i in range(tables)], [0] * tables, 0
    for _ in range(200):
        actions = legal_choices(env, rng)
        for i, shadow in enumerate(shadows):
            assert np.array_equal(observations[i], shadow.view())
            assert np.array_equal(env.masks[i], shadow.game["legal"][0])
        observations, rewards, dones, infos = env.step(actions)
        for i, shadow in enumerate(shadows):
            api.play_at(shadow.game, 0, int(actions[i]))
            shadow.run()
            paid[i] += int(rewards[i])
            assert paid[i] == shadow.points, "a hand's rewards add up to the learner's points"
            over = shadow.game["to_act"][0] == NOBODY
            assert dones[i] == over
            if over:
                assert np.array_equal(infos[i]["terminal_observation"], shadow.view())
                assert np.array_equal(env.ended["points"][i], shadow.game["points"][0])
                paid[i], ended = 0, ended + 1
                shadow.deal()
            else:
                assert "terminal_observation" not in infos[i]
    assert ended > 2 * tables


def test_seeds_reproduce() -> None:
    first = walk(mj.sb3_vec_env(VARIANT, 5, "random", seed=SEED), 60)
    assert first == walk(mj.sb3_vec_env(VARIANT, 5, "random", seed=SEED, threads=2), 60)
    env = mj.sb3_vec_env(VARIANT, 5, "random", seed=1)
    assert first != walk(env, 60)
    env.seed(SEED)
    assert first == walk(env, 60)


def test_an_agent_outside_the_kernels_plays_as_inside() -> None:
    inside = walk(mj.sb3_vec_env(VARIANT, 6, "greedy", seed=SEED), 80)
    assert inside == walk(mj.sb3_vec_env(VARIANT, 6, CompiledAgent("greedy"), seed=SEED), 80)
    mixed = ["greedy"] * 2 + [CompiledAgent("greedy")] * (mj.sb3_vec_env(VARIANT, 1).variant.seats - 3)
    assert inside == walk(mj.sb3_vec_env(VARIANT, 6, mixed, seed=SEED), 80)


def test_one_table() -> None:
    many, one = mj.sb3_vec_env(VARIANT, 4, seed=SEED), mj.sb3_vec_env(VARIANT, 1, seed=SEED)
    assert np.array_equal(many.reset()[:1], one.reset())
    _, rewards, dones, infos = one.step(one.action_masks().argmax(1))
    assert rewards.shape == dones.shape == (1,)
    assert len(infos) == 1


def test_any_agent_can_play_for_the_learners() -> None:
    env = mj.sb3_vec_env(VARIANT, 64, "random", seed=SEED)
    env.reset()
    greedy, points = CompiledAgent("greedy"), []
    for _ in range(60):
        _, _, dones, _ = env.step(greedy.act_batch(env.view()))
        points += env.ended["points"][dones].tolist()
    assert np.mean(np.max(points, 1)) > 0
    assert env.view().mask is env.masks


# --- rewards and episodes of several hands ----------------------------------------------------------------------------


@pytest.mark.parametrize("hands", [1, 3])
@pytest.mark.parametrize("reward", ["points", 8, "rank"])
def test_rewards_over_an_episode(hands: int, reward: Any) -> None:
    env, rng = mj.sb3_vec_env(VARIANT, 6, seed=SEED, reward=reward, hands=hands), np.random.default_rng(0)
    env.reset()
    paid, ended = np.zeros(6), 0
    for _ in range(150):
        learners = env._learners.copy()
        _, rewards, dones, _ = env.step(legal_choices(env, rng))
        assert rewards.dtype == np.float32
        paid += rewards
        for i in np.flatnonzero(dones):
            points = env._core.totals[i]
            own = points[learners[i]]
            place = ((points < own).sum() - (points > own).sum()) / (len(points) - 1)
            assert paid[i] == pytest.approx({"points": own, 8: own / 8, "rank": place}[reward])
            assert env._learners[i] == (learners[i] + 1) % len(points), "the learner moves on after an episode"
            paid[i], ended = 0, ended + 1
        assert np.array_equal(env._learners[~dones], learners[~dones])
    assert ended


def test_bad_rewards_and_hands_are_named() -> None:
    with pytest.raises(ValueError, match="'points', 'rank', a number above 0"):
        mj.sb3_vec_env(VARIANT, 2, reward="money")
    with pytest.raises(ValueError, match="1 to 128 hands"):
        mj.sb3_vec_env(VARIANT, 2, hands=0)


# --- what stable-baselines3 expects -----------------------------------------------------------------------------------


def test_maskable_ppo_learns_and_is_evaluated(tmp_path: Any) -> None:
    env = VecMonitor(mj.sb3_vec_env(VARIANT, 8, seed=SEED))
    assert is_masking_supported(env)
    assert np.array_equal(get_action_masks(env), env.venv.masks)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=0, device="cpu")
    watch = MaskableEvalCallback(
        VecMonitor(mj.sb3_vec_env(VARIANT, 4, seed=1)),
        eval_freq=40,
        n_eval_episodes=8,
        log_path=str(tmp_path),
        verbose=0,
    )
    model.learn(512, watch)
    assert len(watch.evaluations_results) > 0
    returns, lengths = evaluate_policy(model, env, n_eval_episodes=16, return_episode_rewards=True)
    assert len(returns) == 16
    assert min(lengths) > 1
    assert all(points == int(points) for points in returns)


def test_the_monitor_counts_points_and_decisions() -> None:
    env, rng = VecMonitor(mj.sb3_vec_env(VARIANT, 16, seed=SEED)), np.random.default_rng(0)
    env.reset()
    learners, finished = env.venv._learners.copy(), 0
    for _ in range(60):
        _, _, dones, infos = env.step(legal_choices(env, rng))
        for i in np.flatnonzero(dones):
            assert infos[i]["episode"]["r"] == env.venv.ended["points"][i, learners[i]]
            assert infos[i]["TimeLimit.truncated"] is False
            finished += 1
        learners = env.venv._learners.copy()
    assert finished


def test_attributes_and_methods_reach_every_table() -> None:
    env = mj.sb3_vec_env(VARIANT, 3)
    env.reset()
    assert env.get_attr("num_envs") == [3, 3, 3]
    assert env.env_method("action_masks", indices=[2]).shape == (1, len(env.variant.actions))
    assert env.env_is_wrapped(VecMonitor) == [False] * 3


# --- bad input --------------------------------------------------------------------------------------------------------


def test_an_illegal_action_names_the_table_and_moves_nothing() -> None:
    env = mj.sb3_vec_env(VARIANT, 4, seed=SEED)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(np.zeros(4, np.int64))
    env.reset()
    before = env._tables.games.tobytes()
    actions = env.masks.argmax(1)
    actions[2] = env.masks[2].argmin()
    with pytest.raises(mj.IllegalActionError, match=r"table 2: action '.*' is not legal"):
        env.step(actions)
    actions[2] = 10_000
    with pytest.raises(mj.IllegalActionError, match="table 2: action number 10000"):
        env.step(actions)
    with pytest.raises(mj.IllegalActionError, match="whole numbers"):
        env.step(np.zeros(4, np.float32))
    assert env._tables.games.tobytes() == before


class Wrong:
    """An agent that answers with the same number always."""

    name = "wrong"

    def __init__(self, answer: Any):
        self.answer = answer

    def act(self, view: View) -> int:
        return self.answer

    def act_batch(self, view: View) -> np.ndarray:
        return np.full(len(view.seat), self.answer)


@pytest.mark.parametrize(("answer", "complaint"), [(-1, "number -1"), (10_000, "number 10000"), (0.5, "whole numbers")])
def test_an_opponent_that_cheats_is_named(answer: Any, complaint: str) -> None:
    env = mj.sb3_vec_env(VARIANT, 4, Wrong(answer), seed=SEED)
    with pytest.raises(mj.IllegalActionError, match=f"agent 'wrong'.*{complaint}"):
        env.reset()


def test_the_number_of_opponents_must_fit() -> None:
    with pytest.raises(ValueError, match="1 opponents given; the learner has"):
        mj.sb3_vec_env(VARIANT, 2, ["greedy"])
    with pytest.raises(ValueError, match="no agent 'clever'"):
        mj.sb3_vec_env(VARIANT, 2, "clever")
