"""What an environment pays: `reward=` of every environment.

`"points"`: the points gained, as they are. A number: the points divided by it. `"rank"`: nothing until the episode ends,
then from 1 for the first to -1 for the last, in equal steps: (seats with fewer points - seats with more) / (seats - 1) by
the episode's points; those who share a place share its reward, and all together get 0.

Or a callable of yours, `reward(gains, done, totals)`, for n tables at once:

* gains: (n, seats) int64, points gained since the learner last acted (AEC: by this decision), every seat's;
* done: (n,) bool, where the episode has ended;
* totals: (n, seats) int64, points in the episode so far, `gains` included, at its end where it has ended;

it returns (n, seats) rewards. It mustn't keep or change the arrays, which are written anew at the next step.
"""

import math
from collections.abc import Callable

import numpy as np

Rewarding = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""(gains, done, totals) to rewards, as the module says."""

Reward = str | float | Rewarding
"""What environments take as `reward=`."""

ALLOWED = "'points', 'rank', a number above 0 to divide points by, or a callable of (gains, done, totals)"
FORFEIT = 127
"""Points charged for an illegal action where one ends the episode: far more than a hand usually costs."""


def choose_reward(reward: Reward) -> Rewarding:
    """The function behind a `reward=`; ValueError saying what is allowed."""
    if isinstance(reward, str) and reward in NAMED:
        return NAMED[reward]
    if isinstance(reward, int | float | np.number) and not isinstance(reward, bool):
        if math.isfinite(reward) and reward > 0:
            return Scaled(float(reward))
    elif callable(reward):
        return Checked(reward)
    raise ValueError(f"reward {reward!r} is not possible; it can be {ALLOWED}")


def by_points(gains: np.ndarray, done: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """The points gained."""
    return gains


def by_rank(gains: np.ndarray, done: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Where the episode has ended, the seat's place from 1 to -1."""
    rewards = np.zeros(totals.shape)
    if not done.any():
        return rewards
    ended = totals[done]
    rewards[done] = np.sign(ended[:, :, None] - ended[:, None, :]).sum(2) / (totals.shape[1] - 1)
    return rewards


NAMED: dict[str, Rewarding] = {"points": by_points, "rank": by_rank}


class Scaled:
    """The points gained, in units of `scale`."""

    def __init__(self, scale: float):
        self.scale = scale

    def __call__(self, gains: np.ndarray, done: np.ndarray, totals: np.ndarray) -> np.ndarray:
        return gains / self.scale


class Checked:
    """A user's callable; ValueError unless it returns numbers of the right shape."""

    def __init__(self, reward: Rewarding):
        self.reward = reward

    def __call__(self, gains: np.ndarray, done: np.ndarray, totals: np.ndarray) -> np.ndarray:
        rewards = np.asarray(self.reward(gains, done, totals))
        if rewards.shape != gains.shape or rewards.dtype.kind not in "iuf":
            raise ValueError(
                f"the reward's callable must return {gains.shape} numbers, not {rewards.dtype} {rewards.shape}"
            )
        return rewards


def forfeit(reward: Rewarding, seats: int) -> float:
    """What a seat is paid for an illegal action that ends the episode: as for an episode that lost it `FORFEIT` points."""
    lost = np.zeros((1, seats), np.int64)
    lost[0, 0] = -FORFEIT
    return float(reward(lost, np.ones(1, np.bool_), lost)[0, 0])
