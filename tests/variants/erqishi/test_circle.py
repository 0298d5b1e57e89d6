"""圈: the circle of ErQiShi moves on with the hands of an episode (rules page section 8)."""

import random

import numpy as np

import mahjong_env as mj
from mahjong_env.envs.vector import MahjongVectorEnv
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.variant import Variant, pieces

HANDS = 8


def circle_of(observation: np.ndarray, rules: Variant) -> int:
    """The rank of the quan card shown."""
    row = 0
    for piece in pieces(rules):
        if piece.name == "quan":
            return int(observation[row].argmax()) - 9
        row += piece.rows
    raise AssertionError("no quan card in the observation")


def test_circle_moves_on_after_as_many_hands_as_seats() -> None:
    rng = random.Random(1)
    env = mj.raw_aec_env("erqishi", hands=HANDS, circle=9)
    env.reset(seed=1)
    circles = []
    for agent in env.agent_iter():
        if env.terminations[agent]:
            break
        if not env.game.history:
            circles.append(circle_of(env.observe(agent)["observation"], env.game.variant))
        env.step(rng.choice(env.game.legal_actions()))
    assert circles == [9, 9, 9, 10, 10, 10, 1, 1]
    assert env.game.record().options["circle"] == 1
    env.game.record().verify()


def test_vector_environment_moves_the_circle_too() -> None:
    env = MahjongVectorEnv("erqishi", num_envs=4, hands=HANDS, circle=9, opponents="random")
    env.reset(seed=1)
    circles = set()
    for _ in range(400):
        seen, *_ = env.step(env.sample_legal())
        circles |= {circle_of(one, get_variant("erqishi")) for one in seen["observation"]}
    assert circles == {9, 10, 1}
