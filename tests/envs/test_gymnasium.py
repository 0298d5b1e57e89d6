"""The Gymnasium environments: Gymnasium's own checks, and many tables equal to as many single ones, step by step."""

import warnings
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import mahjong_env as mj
from mahjong_env.agents.load import CompiledAgent
from mahjong_env.agents.view import View
from mahjong_env.batch.batch import Batch
from mahjong_env.batch.learners import Opponents
from mahjong_env.batch.tables import cuts
from mahjong_env.envs.single import MahjongEnv
from mahjong_env.envs.vector import MahjongVectorEnv

SEED = 2**33 + 5
VARIANT = mj.variants()[0]
MODES = [mode.value for mode in AutoresetMode]
OTHERS = ["greedy"] * (MahjongEnv(VARIANT).variant.seats - 2)
"""All opponents but one."""

each_variant = pytest.mark.parametrize("variant", mj.variants())


def made(variant: str, **arguments: Any) -> Any:
    """A single environment, unwrapped."""
    return gymnasium.make(f"mahjong_env/{variant.capitalize()}-v0", **arguments).unwrapped


def made_many(variant: str, num_envs: int, **arguments: Any) -> Any:
    """A vector environment."""
    return gymnasium.make_vec(f"mahjong_env/{variant.capitalize()}-v0", num_envs=num_envs, **arguments)


def play_episode(env: MahjongEnv, seed: int | None = None) -> tuple[float, dict[str, Any]]:
    """Play an episode at random: the sum of its rewards, and its last info."""
    _, info = env.reset(seed=seed)
    paid, over = 0.0, False
    while not over:
        _, reward, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
        paid += reward
    return paid, info


# --- Gymnasium's checks -----------------------------------------------------------------------------------------------


@each_variant
def test_check_env(variant: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(variant))
        check_env(made(variant, opponents="random", hands=3, reward="rank", render_mode="ansi"))


@each_variant
def test_spaces_hold_what_is_seen(variant: str) -> None:
    env, many = made(variant), made_many(variant, 3)
    assert env.observation_space == many.single_observation_space
    assert env.action_space == many.single_action_space
    assert env.observation_space.contains(env.reset(seed=1)[0])
    assert many.observation_space.contains(many.reset(seed=1)[0])
    for _ in range(30):
        assert many.observation_space.contains(many.step(many.sample_legal())[0])


def test_a_strangers_variant_is_registered_too() -> None:
    from test_variant_files import STRANGER

    name = mj.load_variant(STRANGER)
    assert made(name, value=3).reset(seed=1)[1]["action_mask"].any()
    assert made_many(name, 2, preset="fast").reset(seed=1)[0]["action_mask"].any()


# --- many tables and single ones --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "opponents", "arguments"),
    [
        *[(mode, "greedy", {}) for mode in MODES],
        ("SameStep", "random", {"reward": 8}),
        ("NextStep", "random", {"hands": 2}),
        ("SameStep", [*OTHERS, "random"], {"hands": 3, "reward": "rank"}),
        ("Disabled", [CompiledAgent("greedy"), *OTHERS], {"hands": 2}),
    ],
)
def test_many_tables_equal_single_ones(mode: str, opponents: Any, arguments: dict[str, Any]) -> None:
    """Observations, rewards, ends and infos are those of Gymnasium's own vector environment over single ones."""
    tables, rng = 3, np.random.default_rng(1)
    singles = SyncVectorEnv(
        [lambda: made(VARIANT, opponents=opponents, illegal="raise", **arguments)] * tables, autoreset_mode=mode
    )
    many = made_many(VARIANT, tables, opponents=opponents, autoreset_mode=mode, threads=2, **arguments)
    assert many.metadata["autoreset_mode"] == AutoresetMode(mode)
    shown = many.reset(seed=SEED)
    assert data_equivalence(shown, singles.reset(seed=SEED), exact=True)
    ended = 0
    for step in range(150):
        mask = shown[0]["action_mask"]
        actions = (mask * rng.random(mask.shape)).argmax(1)
        shown = many.step(actions)
        expected = singles.step(actions)
        assert data_equivalence(shown, expected, exact=True), f"step {step}"
        over = shown[2]
        ended += over.sum()
        if mode == "Disabled" and over.any():
            shown = many.reset(options={"reset_mask": over})
            expected = singles.reset(options={"reset_mask": over})
            assert data_equivalence(shown[0], expected[0], exact=True)
            assert np.array_equal(shown[1]["action_mask"], shown[0]["action_mask"])
    assert ended > (0 if "hands" in arguments else tables)


@each_variant
def test_a_batch_of_one_is_the_single_environment(variant: str) -> None:
    one, single = made_many(variant, 1, opponents="random"), made(variant, opponents="random")
    many_shown, shown = one.reset(seed=3), single.reset(seed=3)
    assert np.array_equal(many_shown[0]["observation"][0], shown[0]["observation"])
    over = False
    while not over:
        action = int(shown[0]["action_mask"].argmax())
        shown = single.step(action)
        many_shown = one.step(np.array([action]))
        over = shown[2]
        assert many_shown[1].shape == many_shown[2].shape == (1,)
        assert many_shown[1][0] == shown[1]
    final = many_shown[4]["final_obs"][0]
    assert data_equivalence(final, shown[0], exact=True)
    assert np.array_equal(many_shown[4]["final_info"]["points"][0], shown[4]["points"])


def walk(env: MahjongVectorEnv, steps: int, **reset: Any) -> list[bytes]:
    """Everything shown over some random steps."""
    observation, _ = env.reset(**reset)
    seen = []
    for _ in range(steps):
        seen.append(observation["observation"].tobytes() + observation["action_mask"].tobytes())
        observation, rewards, over, _, _ = env.step(env.sample_legal())
        seen.append(rewards.tobytes() + over.tobytes())
    return seen


@each_variant
def test_threads_and_kinds_of_opponents_make_no_difference(variant: str) -> None:
    expected = walk(made_many(variant, 5), 80, seed=SEED)
    assert expected == walk(made_many(variant, 5, threads=3), 80, seed=SEED)
    assert expected == walk(made_many(variant, 5, opponents=CompiledAgent("greedy")), 80, seed=SEED)
    assert expected == walk(made_many(variant, 5, copy=False), 80, seed=SEED)


# --- seeds ------------------------------------------------------------------------------------------------------------


@each_variant
def test_a_seed_deals_the_games_hand(variant: str) -> None:
    env = made(variant)
    env.reset(seed=7)
    game = mj.Game(variant, seed=7)
    assert env.seat == 0
    assert env.game.dealer == game.dealer
    if game.to_act == 0:
        assert np.array_equal(env._core.observations[0], game.observation())


def test_resets_go_on_from_the_seed() -> None:
    env = made_many(VARIANT, 4)
    first = walk(env, 30, seed=SEED)
    assert walk(env, 30) != first
    assert walk(env, 30, seed=SEED) == first
    assert walk(env, 30, seed=[SEED + i for i in range(4)]) == first
    shown = env.reset(seed=[SEED, None, SEED + 2, None])[0]["observation"]
    assert np.array_equal(shown[0], env.reset(seed=[SEED, None, None, 1])[0]["observation"][0])
    unseeded = [made_many(VARIANT, 4).reset()[0]["observation"] for _ in range(2)]
    assert not np.array_equal(*unseeded)
    assert len({row.tobytes() for row in unseeded[0]}) == 4


def test_bad_seeds_and_options_are_named() -> None:
    env = made_many(VARIANT, 2)
    for arguments, told in (
        ({"seed": [1]}, "1 seeds given for 2 tables"),
        ({"seed": [-1, 2]}, "seed -1"),
        ({"options": {"dealer": 9}}, "dealer 9"),
        ({"options": {"reset_mask": [1, 0]}}, "reset_mask must be"),
    ):
        with pytest.raises(ValueError, match=told):
            env.reset(**arguments)


@each_variant
def test_a_dealer_can_be_given(variant: str) -> None:
    env, many = made(variant), made_many(variant, 3)
    for dealer in range(env.variant.seats):
        env.reset(seed=3, options={"dealer": dealer})
        assert env.game.dealer == dealer
        many.reset(seed=3, options={"dealer": dealer})
        assert many._core.tables.games["dealer"].tolist() == [dealer] * 3


# --- opponents --------------------------------------------------------------------------------------------------------


class First:
    """An agent that plays the first legal action."""

    name = "first"

    def act(self, view: View) -> int:
        return int(view.mask[0].argmax())

    def act_batch(self, view: View) -> np.ndarray:
        return view.mask.argmax(1)


@pytest.mark.parametrize("opponents", ["greedy", "random", First(), "mixed"])
def test_opponents_are_seated_from_the_learners_next_on(opponents: Any) -> None:
    lineup: Sequence[Any] = [*OTHERS, First()] if opponents == "mixed" else opponents
    env = made_many(VARIANT, 8, opponents=lineup)
    env.reset(seed=1)
    ended = 0
    for _ in range(60):
        _, _, over, _, infos = env.step(env.sample_legal())
        ended += over.sum()
        for i in np.flatnonzero(over):
            info = infos["final_info"]
            assert info["_points"][i]
            assert 0 <= info["seat"][i] < env.variant.seats
    assert ended


def test_bad_arguments_are_named() -> None:
    for arguments, told in (
        ({"opponents": ["greedy"]}, "1 opponents given"),
        ({"opponents": "clever"}, "no agent 'clever'"),
        ({"preset": "?"}, "preset"),
        ({"shape": 1}, "shape"),
        ({"hands": 0}, "hands=0"),
        ({"hands": 129}, "1 to 128"),
        ({"reward": "money"}, "'points', 'rank', a number"),
        ({"reward": 0}, "reward 0"),
    ):
        with pytest.raises(ValueError, match=told):
            made(VARIANT, **arguments)
        with pytest.raises(ValueError, match=told):
            made_many(VARIANT, 2, **arguments)
    with pytest.raises(ValueError, match="'SameStep'"):
        made_many(VARIANT, 2, autoreset_mode="never")
    with pytest.raises(ValueError, match="render mode"):
        MahjongEnv(VARIANT, render_mode="rgb")
    with pytest.raises(ValueError, match="illegal='ask'"):
        made(VARIANT, illegal="ask")


# --- rewards and episodes of several hands ----------------------------------------------------------------------------


@pytest.mark.parametrize("hands", [1, 3])
def test_rewards_add_up_to_the_episodes_points(hands: int) -> None:
    env = made(VARIANT, hands=hands)
    for seed in range(5):
        paid, info = play_episode(env, seed)
        assert paid == info["points"][info["seat"]]
    env = made(VARIANT, hands=hands, reward=10)
    paid, info = play_episode(env, 1)
    assert paid == pytest.approx(info["points"][info["seat"]] / 10)


def test_rank_is_paid_at_the_end() -> None:
    env = made(VARIANT, reward="rank", opponents="random")
    for seed in range(8):
        paid, info = play_episode(env, seed)
        points, own = info["points"], info["points"][info["seat"]]
        assert paid == pytest.approx(((points < own).sum() - (points > own).sum()) / (len(points) - 1))


def test_a_callable_pays() -> None:
    asked = []

    def own(gains: np.ndarray, done: np.ndarray, totals: np.ndarray) -> np.ndarray:
        asked.append((gains.copy(), done.copy(), totals.copy()))
        return np.where(done[:, None], totals * 2.0, 0.5)

    env = made_many(VARIANT, 4, reward=own, hands=2)
    env.reset(seed=SEED)
    summed = np.zeros((4, env.variant.seats), np.int64)
    ended = 0
    for _ in range(150):
        _, rewards, over, _, infos = env.step(env.sample_legal())
        gains, done, totals = asked[-1]
        summed += gains
        assert np.array_equal(done, over)
        assert np.array_equal(summed, totals), "gains add up to totals"
        for i in range(4):
            expected = 2.0 * infos["final_info"]["points"][i, infos["final_info"]["seat"][i]] if over[i] else 0.5
            assert rewards[i] == expected
        summed[over] = 0
        ended += over.sum()
    assert ended
    wrong = made(VARIANT, reward=lambda gains, done, totals: gains[0])
    with pytest.raises(ValueError, match="must return"):
        play_episode(wrong, 1)


def test_an_episode_of_several_hands() -> None:
    env = made(VARIANT, hands=3, opponents="random")
    for seed in range(4):
        _, info = env.reset(seed=seed)
        seat, over, games = env.seat, False, [env.game]
        while not over:
            _, _, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
            assert env.seat == seat
            row = env._core.tables.games[0]
            if row["hands_left"] < games[-1]._games["hands_left"][0]:
                games.append(env.game)
        assert [int(game._games["hands_left"][0]) for game in games] == [2, 1, 0]
        for k, game in enumerate(games):
            dealt = mj.Game(VARIANT, seed=seed, hand=k, dealer=None if k == 0 else game.dealer)
            assert np.array_equal(dealt._games["wall"], game._games["wall"])
            assert dealt.dealer == game.dealer
        carried = games[-1]._games["carried"][0]
        assert np.array_equal(info["points"], carried + env.game.points)
        assert env.game.is_over
        env.reset()
        assert env.seat == (seat + 1) % env.variant.seats
        assert not env._core.tables.games["carried"].any()


# --- arrays, bad actions ----------------------------------------------------------------------------------------------


def test_arrays_are_the_same_at_every_step_where_asked_for() -> None:
    env = made_many(VARIANT, 3, copy=False)
    first, _ = env.reset(seed=1)
    for _ in range(40):
        shown, *_ = env.step(env.sample_legal())
        assert shown["observation"] is first["observation"]
        assert shown["action_mask"] is first["action_mask"]
    env = made_many(VARIANT, 3)
    first, _ = env.reset(seed=1)
    kept = first["observation"].copy()
    env.step(env.sample_legal())
    assert np.array_equal(first["observation"], kept)


def test_legal_samples_are_legal_and_all_of_them() -> None:
    env = made_many(VARIANT, 2000)
    shown, _ = env.reset(seed=1)
    mask = shown["action_mask"]
    sampled = np.array([env.sample_legal() for _ in range(3)])
    assert all(mask[np.arange(2000), actions].all() for actions in sampled)
    ranks = [np.flatnonzero(row).searchsorted(a) / row.sum() for row, a in zip(mask, sampled[0], strict=True)]
    assert abs(np.mean(ranks + 0.5 / mask.sum(1)) - 0.5) < 0.03


def test_an_illegal_action_names_the_table_and_moves_nothing() -> None:
    env = made_many(VARIANT, 4)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(np.zeros(4, np.int64))
    shown, _ = env.reset(seed=SEED)
    before, actions = env._core.tables.games.tobytes(), env.sample_legal()
    actions[2] = shown["action_mask"][2].argmin()
    with pytest.raises(mj.IllegalActionError, match=r"table 2: action '.*' is not legal"):
        env.step(actions)
    actions[2] = 10_000
    with pytest.raises(mj.IllegalActionError, match="table 2: action number 10000"):
        env.step(actions)
    for wrong in (actions[:3], actions.astype(np.float32)):
        with pytest.raises(mj.IllegalActionError, match="whole numbers"):
            env.step(wrong)
    assert env._core.tables.games.tobytes() == before


def test_an_illegal_action_in_the_single_environment() -> None:
    env = made(VARIANT, illegal="raise")
    shown, _ = env.reset(seed=SEED)
    before, illegal = env.game, int(shown["action_mask"].argmin())
    with pytest.raises(mj.IllegalActionError, match="not legal"):
        env.step(illegal)
    assert env.game == before
    for scale in (1, 10):
        env = made(VARIANT, reward=scale)
        env.reset(seed=SEED)
        for action in (-1, 10_000, 0.5):
            with pytest.raises(mj.IllegalActionError):
                env.step(action)
        shown, reward, terminated, truncated, info = env.step(illegal)
        assert (reward, terminated, truncated) == (-127 / scale, True, False)
        assert not shown["action_mask"].any()
        assert "legal: " in info["illegal_action"]
        with pytest.raises(RuntimeError, match="over"):
            env.step(illegal)
        env.reset()


def test_a_finished_table_waits_where_autoreset_is_disabled() -> None:
    env = made_many(VARIANT, 3, autoreset_mode="Disabled")
    shown, _ = env.reset(seed=1)
    over = np.zeros(3, np.bool_)
    while not over.any():
        shown, _, over, _, _ = env.step(env.sample_legal())
    assert not shown["action_mask"][over].any()
    with pytest.raises(RuntimeError, match=rf"table {over.argmax()} is over"):
        env.step(env.sample_legal())


# --- other observations -----------------------------------------------------------------------------------------------


def test_planes_are_the_counts_cut() -> None:
    counts, cut = (made_many(VARIANT, 6, observation=kind) for kind in ("counts", "planes"))
    one = made(VARIANT, observation="planes")
    row, least = cuts(counts.variant)
    seen, planes = counts.reset(seed=3)[0]["observation"], cut.reset(seed=3)[0]["observation"]
    np.testing.assert_array_equal(planes[0], one.reset(seed=3)[0]["observation"])
    ended = 0
    for _ in range(60):
        np.testing.assert_array_equal(planes, seen[:, row] >= least[:, None])
        actions = counts.sample_legal()
        first, _, done, _, infos = counts.step(actions)
        second, _, _, _, same = cut.step(actions)
        assert cut.observation_space.contains(second)
        seen, planes = first["observation"], second["observation"]
        for i in np.flatnonzero(done):
            end = infos["final_obs"][i]["observation"][row] >= least[:, None]
            np.testing.assert_array_equal(same["final_obs"][i]["observation"], end)
            ended += 1
    assert ended


@pytest.mark.parametrize("opponents", ["greedy", CompiledAgent("greedy")], ids=("inside", "outside"))
def test_events_are_those_of_a_batch(opponents: Opponents) -> None:
    many, one = (
        made_many(VARIANT, 1, opponents=opponents, observation="events"),
        made(VARIANT, opponents=opponents, observation="events"),
    )
    batch = Batch(VARIANT, 1, seed=5, observation="events", seating=(None, *["greedy"] * (many.variant.seats - 1)))
    seen, single = many.reset(seed=5)[0], one.reset(seed=5)[0]
    batch.reset()
    done = [False]
    while not done[0]:
        assert many.observation_space.contains(seen)
        assert one.observation_space.contains(single)
        np.testing.assert_array_equal(seen["observation"], batch.observations)
        np.testing.assert_array_equal(seen["events"], batch.events)
        np.testing.assert_array_equal(single["events"], batch.events[0])
        before = np.count_nonzero(single["events"])
        actions = batch.sample_legal()
        batch.step(actions)
        single = one.step(int(actions[0]))[0]
        seen, _, done, _, infos = many.step(actions)
    np.testing.assert_array_equal(infos["final_obs"][0]["events"], single["events"])
    assert np.count_nonzero(single["events"]) > before
    assert np.count_nonzero(seen["events"]) < before


def test_an_observation_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="no observation 'pictures'; it can be 'counts', 'planes', 'events'"):
        MahjongEnv(VARIANT, observation="pictures")


# --- the rest ---------------------------------------------------------------------------------------------------------


@each_variant
def test_rendering_shows_what_the_learner_sees(variant: str) -> None:
    env = made(variant, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert "in the wall" in text
    assert text.count(" tiles") == env.variant.seats - 1
    assert made(variant).render() is None
    many = made_many(variant, 2, render_mode="ansi")
    many.reset(seed=1)
    assert many.render()[0] == text
    assert made_many(variant, 2).render() is None


def test_pictures_are_the_learners() -> None:
    env, many = made(VARIANT, render_mode="rgb_array"), made_many(VARIANT, 2, render_mode="rgb_array")
    env.reset(seed=2)
    many.reset(seed=1)
    pictures = many.render()
    assert len(pictures) == 2
    assert pictures[1].shape == (640, 640, 3)
    np.testing.assert_array_equal(pictures[1], env.render())
    np.testing.assert_array_equal(env.render(), env.unwrapped.game.picture(env.unwrapped.seat))


def test_an_agents_error_leaves_nothing_to_step() -> None:
    class Wrong(First):
        def act_batch(self, view: View) -> np.ndarray:
            return np.full(len(view.seat), -1)

    env = made_many(VARIANT, 4, opponents=Wrong())
    with pytest.raises(mj.IllegalActionError, match=r"agent 'first'.*number -1"):
        env.reset(seed=1)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(np.zeros(4, np.int64))
