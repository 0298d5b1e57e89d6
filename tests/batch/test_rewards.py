"""What `reward=` can be, table by table."""

import numpy as np
import pytest

from mahjong_env.batch.rewards import choose_reward, forfeit

GAINS = np.array([[8, -4, -4, 0], [0, 0, 0, 0], [3, -1, -1, -1]])
TOTALS = np.array([[10, -5, -5, 0], [4, 4, -4, -4], [3, -1, -1, -1]])
DONE = np.array([True, False, True])


@pytest.mark.parametrize(
    ("reward", "expected"),
    [
        ("points", GAINS),
        (2, GAINS / 2),
        (0.5, GAINS * 2),
        (np.float32(4), GAINS / 4),
        ("rank", [[1, -2 / 3, -2 / 3, 1 / 3], [0] * 4, [1, -1 / 3, -1 / 3, -1 / 3]]),
        (lambda gains, done, totals: gains + 10 * done[:, None] + 100 * totals, GAINS + 10 * DONE[:, None] + 100 * TOTALS),
    ],
)  # fmt: skip
def test_each_kind(reward: object, expected: object) -> None:
    assert choose_reward(reward)(GAINS, DONE, TOTALS) == pytest.approx(np.array(expected))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ranks_add_up_to_nothing(seats: int) -> None:
    totals = np.random.default_rng(0).integers(-2, 3, (200, seats))
    rewards = choose_reward("rank")(totals, np.ones(200, bool), totals)
    assert rewards.sum(1) == pytest.approx(np.zeros(200))
    assert rewards.min() == -1
    assert rewards.max() == 1
    order = np.argsort(totals, axis=1)
    assert (np.diff(np.take_along_axis(rewards, order, 1), axis=1) >= 0).all()


@pytest.mark.parametrize("reward", ["money", 0, -1, True, None, float("nan"), float("inf"), [1]])
def test_a_bad_reward_is_named(reward: object) -> None:
    with pytest.raises(ValueError, match=r"'points', 'rank', a number above 0 .* or a callable"):
        choose_reward(reward)


@pytest.mark.parametrize("made", [lambda *_: np.zeros(3), lambda *_: np.zeros((3, 4), complex), lambda *_: "much"])
def test_a_callable_that_returns_nonsense(made: object) -> None:
    with pytest.raises(ValueError, match=r"must return \(3, 4\) numbers"):
        choose_reward(made)(GAINS, DONE, TOTALS)


@pytest.mark.parametrize(("reward", "expected"), [("points", -127), (10, -12.7), ("rank", -1)])
def test_forfeits(reward: object, expected: float) -> None:
    assert forfeit(choose_reward(reward), 4) == pytest.approx(expected)
