"""The PettingZoo environment: its own checks, and what its page promises."""

import random
import re
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import mahjong_env as mj
from mahjong_env.envs import aec
from mahjong_env.rules.draw import DRAW
from mahjong_env.rules.draw.observation import COMMON_PIECES
from mahjong_env.rules.observation import HIDDEN_PIECES
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.variant import pieces

pytestmark = pytest.mark.parametrize("name", mj.variants())

MAKERS = [mj.raw_aec_env, mj.aec_env]


def finish(env: Any, rng: random.Random) -> dict[str, int]:
    """Play an environment at random to its end; what each agent was given in `last`."""
    given = dict.fromkeys(env.possible_agents, 0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        given[agent] += reward
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        env.step(None if termination or truncation else rng.choice(legal))
    return given


@pytest.mark.parametrize("make", MAKERS)
def test_api(name: str, make: Callable[..., Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # it warns of Dict observations and of all-zero masks, which classic games have too
        for preset in get_variant(name).presets:
            api_test(make(name, preset=preset), num_cycles=400)


@pytest.mark.parametrize("make", MAKERS)
def test_seeding(name: str, make: Callable[..., Any]) -> None:
    seed_test(partial(make, name), num_cycles=200)


def test_rendering(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(mj.aec_env, name))
    assert "in the wall" in capsys.readouterr().out
    env = mj.raw_aec_env(name, render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.game)


def test_is_registered(name: str) -> None:
    env = pettingzoo.make("aec", f"mahjong_env/{name}-v0")
    env.reset(seed=4)
    assert len(env.agents) == get_variant(name).seats
    assert env.unwrapped.metadata["name"] == f"{name}_v{get_variant(name).version}"


def test_a_seed_deals_the_games_hand(name: str) -> None:
    env = mj.raw_aec_env(name)
    env.reset(seed=7)
    assert env.game == mj.Game(name, seed=7)
    rows = []
    for _ in range(2):
        env.reset(seed=7)
        row = [env.game.to_bytes()]
        for _ in range(5):
            env.reset()
            row.append(env.game.to_bytes())
        rows.append(row)
    assert rows[0] == rows[1], "resets after a seed differ"
    assert len(set(rows[0])) == 6, "a hand is dealt twice"
    unseeded = [mj.raw_aec_env(name) for _ in range(2)]
    for env in unseeded:
        env.reset()
    assert unseeded[0].game != unseeded[1].game


def test_a_dealer_can_be_given(name: str) -> None:
    env = mj.aec_env(name)
    for dealer in range(get_variant(name).seats):
        env.reset(seed=3, options={"dealer": dealer})
        assert env.unwrapped.game.dealer == dealer
    with pytest.raises(ValueError, match="dealer 9"):
        env.reset(options={"dealer": 9})


@pytest.mark.parametrize("make", MAKERS)
def test_rewards_add_up_to_points(name: str, make: Callable[..., Any]) -> None:
    for seed in range(10):
        env = make(name)
        env.reset(seed=seed)
        given = finish(env, random.Random(seed))
        assert list(given.values()) == env.unwrapped.game.points.tolist()


def test_rewards_are_what_the_seat_gained_since_it_acted(name: str) -> None:
    env, rng = mj.raw_aec_env(name), random.Random(5)
    for seed in range(5):
        env.reset(seed=seed)
        since = dict.fromkeys(env.agents, 0)
        while not any(env.terminations.values()):
            agent, seat = env.agent_selection, env.game.to_act
            points = env.game.points.tolist()
            assert env.last()[1] == points[seat] - since[agent]
            env.step(rng.choice(env.game.legal_actions()))
            since[agent] = points[seat]
        for agent, points in zip(env.possible_agents, env.game.points.tolist(), strict=True):
            assert env._cumulative_rewards[agent] == points - since[agent]


def test_only_the_seat_to_act_has_a_mask(name: str) -> None:
    env, rng = mj.raw_aec_env(name), random.Random(0)
    env.reset(seed=11)
    while not any(env.terminations.values()):
        assert env.agents == env.possible_agents, "a seat left before the hand's end"
        for agent in env.agents:
            observation = env.observe(agent)
            assert env.observation_space(agent).contains(observation)
            assert observation["action_mask"].any() == (agent == env.agent_selection)
            seat = env.agents.index(agent)
            assert np.array_equal(observation["observation"], env.game.observation(seat))
        assert env.agent_selection == f"player_{env.game.to_act}"
        env.step(rng.choice(env.game.legal_actions()))
    assert all(done is True for done in env.terminations.values())
    assert not any(env.truncations.values())


def test_state_is_the_oracles_observation(name: str) -> None:
    env = mj.aec_env(name)
    env.reset(seed=2)
    assert env.state_space.contains(env.state())
    assert np.array_equal(env.state(), env.unwrapped.game.observation(oracle=True))


def test_an_illegal_action_changes_nothing_in_the_raw_environment(name: str) -> None:
    env = mj.raw_aec_env(name)
    env.reset(seed=1)
    illegal = int(env.game.mask().argmin())
    before, agent = env.game.to_bytes(), env.agent_selection
    for action in (illegal, -1, 10_000, None, "shout"):
        with pytest.raises(mj.IllegalActionError):
            env.step(action)
        assert env.game.to_bytes() == before
        assert env.agent_selection == agent


def test_an_illegal_action_ends_the_hand_in_the_wrapped_environment(name: str) -> None:
    env = mj.aec_env(name)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(int(env.unwrapped.game.mask().argmin()))
    assert all(env.terminations.values())
    assert env.rewards[agent] == -127
    with pytest.raises(AssertionError):
        env.reset(seed=1) or env.step(len(env.unwrapped.game.mask()))


def test_an_agent_that_is_out_can_only_pass_none(name: str) -> None:
    env = mj.raw_aec_env(name)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(env.game.legal_actions()[0])
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    for left in range(len(env.possible_agents), 0, -1):
        assert len(env.agents) == left
        assert env.last()[2]
        env.step(None)
    env.reset()
    assert env.agents == env.possible_agents


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"preset": "?"}, "preset"),
        ({"shape": 1}, "shape"),
        ({"render_mode": "rgb"}, "render mode"),
        ({"seed": 1}, "seed"),
        ({"hands": 0}, "1 to 128 hands"),
        ({"hands": True}, "1 to 128 hands"),
        ({"reward": "money"}, "'points', 'rank', a number above 0"),
        ({"reward": -1}, "reward -1"),
    ],
)
def test_bad_arguments_are_named(name: str, arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        mj.aec_env(name, **arguments)
    with pytest.raises(ValueError, match=name):
        mj.aec_env(f"{name}?")


def test_the_page_lists_the_observation(name: str) -> None:
    """The tables of the module's page are the pieces that every variant of the draw cycle has."""
    if get_variant(name).cycle is not DRAW:
        pytest.skip("a game of another cycle, which has pieces of its own")
    told = re.findall(r"^\| (\w+) \| (S - 1|S|\d+) \| (.+) \|$", aec.__doc__ or "", re.MULTILINE)
    rows = {"seats": "S", "others": "S - 1"}
    common = [(p.name, str(rows.get(p.rows, p.rows)), p.meaning) for p in (*COMMON_PIECES, *HIDDEN_PIECES)]
    assert told == common


# --- rewards and episodes of several hands ----------------------------------------------------------------------------


def test_an_episode_of_several_hands(name: str) -> None:
    env, rng = mj.raw_aec_env(name, hands=3), random.Random(2)
    for seed in range(4):
        env.reset(seed=seed)
        games, carried = [env.game], np.zeros(len(env.agents), np.int64)
        while not any(env.terminations.values()):
            seen, hand = env.observe(env.agent_selection)["observation"], env.game
            rows = {p.name: sum(q.rows for q in pieces(hand.variant)[:k]) for k, p in enumerate(pieces(hand.variant))}
            seats = (np.arange(len(carried)) + env._seats[env.agent_selection]) % len(carried)
            assert seen[rows["hands_left"], 0] == 3 - len(games)
            expected = np.clip(carried + hand.points, -127, 127)[seats]
            assert np.array_equal(seen[rows["points"] : rows["points"] + len(seats), 0], expected)
            before = env.points.copy()
            env.step(rng.choice(env.game.legal_actions()))
            if env.game is not hand:
                carried += hand.points
                games.append(env.game)
                assert env.game.dealer == hand.next_dealer
                assert hand.is_over
            assert np.array_equal(env.points, carried + env.game.points)
        for k, game in enumerate(games):
            assert game.record().wall == mj.Game(name, seed=seed, hand=k, dealer=game.dealer).record().wall
        assert len(games) == 3
        assert list(env._cumulative_rewards.values()) != [0] * len(carried) or (env.points == before).all()


@pytest.mark.parametrize("make", MAKERS)
def test_rewards_of_all_hands_add_up_to_points(name: str, make: Callable[..., Any]) -> None:
    for seed in range(3):
        env = make(name, hands=2)
        env.reset(seed=seed)
        given = finish(env, random.Random(seed))
        assert list(given.values()) == env.unwrapped.points.tolist()


def test_scale_rank_and_callable_pay(name: str) -> None:
    def double(gains: np.ndarray, done: np.ndarray, totals: np.ndarray) -> np.ndarray:
        assert gains.shape == totals.shape == (1, len(env.possible_agents))
        return 2.0 * gains

    for reward in (4, "rank", double):
        env = mj.raw_aec_env(name, reward=reward, hands=2)
        env.reset(seed=5)
        given = list(finish(env, random.Random(5)).values())
        points = env.points
        places = [int((points < own).sum() - (points > own).sum()) / (len(points) - 1) for own in points]
        expected = {"rank": places, 4: points / 4, double: 2 * points}[reward]
        assert given == pytest.approx(list(expected))


def test_an_illegal_action_costs_as_the_reward_has_it(name: str) -> None:
    for reward, cost in ((10, -12.7), ("rank", -1)):
        env = mj.aec_env(name, reward=reward)
        env.reset(seed=1)
        agent = env.agent_selection
        env.step(int(env.unwrapped.game.mask().argmin()))
        assert env.rewards[agent] == cost


def test_the_api_holds_for_several_hands(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(mj.aec_env(name, hands=2, reward="rank"), num_cycles=400)
    seed_test(partial(mj.aec_env, name, hands=2), num_cycles=200)
