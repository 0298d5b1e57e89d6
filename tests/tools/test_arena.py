"""Matches: duplicate deals, seatings, statistics, and agents that misbehave."""

import numpy as np
import pytest

from mahjong_env.agents.view import View
from mahjong_env.tools import arena


class First:
    """Plays the first legal action; made without a name to be found by `module:Class`."""

    name = "first"

    def __init__(self, variant: object) -> None:
        self.asked = 0

    def act(self, view: View) -> int:
        return int(self.act_batch(view)[0])

    def act_batch(self, view: View) -> np.ndarray:
        self.asked += len(view.mask)
        return view.mask.argmax(1)


class Cheat(First):
    """Plays an action that is never legal at the start."""

    def act_batch(self, view: View) -> np.ndarray:
        return np.full(len(view.mask), view.variant.actions.parse("peng"))


class Mute:
    """Not an agent."""

    def __init__(self, variant: object) -> None:
        pass


HERE = __name__


def test_greedy_beats_random_clear_of_zero() -> None:
    result = arena.match("sichuan", ["greedy", "random", "random", "random"], deals=100, seed=3)
    greedy, rand = result.rows
    assert (greedy.agent, rand.agent) == ("greedy", "random")
    assert greedy.interval[0] > 0 > rand.interval[1]
    assert result.hands == 400 and result.seatings == 4
    assert greedy.hu > 0.5 > rand.hu


def test_the_expert_beats_greedy_where_hands_differ_in_worth() -> None:
    result = arena.match("sichuan", ["expert", "greedy", "greedy", "greedy"], deals=600, seed=5, preset="online")
    expert, greedy = result.rows
    assert expert.interval[0] > 0 > greedy.interval[1]
    assert expert.fan is not None
    assert greedy.fan is not None
    assert expert.fan > greedy.fan, "it declines no cheap wins"


def test_equal_agents_gain_nothing_on_zero_sum_rules() -> None:
    result = arena.match("sichuan", ["greedy"] * 4, deals=20, preset="online")
    (row,) = result.rows
    assert row.points_per_hand == pytest.approx(0) and result.seatings == 1


def test_a_match_is_a_function_of_its_arguments() -> None:
    arguments = {"deals": 40, "seed": 8, "options": {"fan_cap": 4}}
    first = arena.match("sichuan", ["greedy", "random"], format="1vN", **arguments)
    again = arena.match("sichuan", ["greedy", "random", "random", "random"], format="1v3", **arguments)
    assert first == again
    assert first != arena.match("sichuan", ["greedy", "random"], format="1vN", deals=40, seed=9)


def test_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = arena.match("sichuan", ["greedy", "random"], deals=12, format="2v2")
    monkeypatch.setattr(arena, "TABLES_AT_ONCE", 7)
    assert whole == arena.match("sichuan", ["greedy", "random"], deals=12, format="2v2")
    assert whole.seatings == 6


def test_a_strangers_agent_plays() -> None:
    result = arena.match("sichuan", [f"{HERE}:First", "random", "greedy", "random"], deals=4)
    assert result.seatings == 12 and len(result.rows) == 3


@pytest.mark.parametrize(
    ("agents", "format", "message"),
    [
        (["greedy"], None, "1 agents given for 4 seats"),
        (["greedy", "random"], None, "2 agents given"),
        (["greedy", "random"], "5v5", "no format '5v5'"),
        (["greedy", "greedy", "greedy", "random"], "2v2", "2v2 takes two agents"),
        (["greedy", "greedy", "random", "random"], "1vN", "1vN takes one agent"),
        (["genius", "random", "random", "random"], None, "no agent 'genius'"),
        ([f"{HERE}:Nobody", "random", "random", "random"], None, "can't be loaded"),
        ([f"{HERE}:Mute", "random", "random", "random"], None, "lacks name, act or act_batch"),
        ([f"{HERE}:Cheat", "random", "random", "random"], None, "played 'peng', which is not legal"),
    ],
)
def test_bad_line_ups_are_named(agents: list[str], format: str | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        arena.match("sichuan", agents, deals=2, format=format)


def test_interval_covers_the_mean_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    covered = [low <= 0 <= high for low, high in (arena.interval_of(rng.normal(size=8)) for _ in range(2000))]
    assert 0.93 < np.mean(covered) < 0.97
