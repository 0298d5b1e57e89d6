"""Batch: many tables step as one, and each is the game it would be alone."""

import numpy as np
import pytest

import mahjong_env as mj
from mahjong_env.rules import api
from mahjong_env.rules.chance import seed_halves
from mahjong_env.rules.state import NOBODY
from mahjong_env.rules.variant import planes, rows

SEED = 2**40 + 11


def walk(batch: mj.Batch, steps: int) -> list[bytes]:
    """Everything a batch shows over some random steps."""
    batch.reset()
    seen = []
    for _ in range(steps):
        gains, done = batch.step(batch.sample_legal())
        seen.append(b"".join(a.tobytes() for a in (batch.to_act, batch.observations, batch.masks, gains, done)))
    return seen


@pytest.mark.parametrize("variant", mj.variants())
def test_threads_give_the_same_bytes(variant: str) -> None:
    one = walk(mj.Batch(variant, 13, seed=SEED, threads=1), 120)
    assert one == walk(mj.Batch(variant, 13, seed=SEED, threads=3), 120)


@pytest.mark.parametrize("variant", mj.variants())
def test_a_table_is_the_game_it_would_be_alone(variant: str) -> None:
    batch = mj.Batch(variant, 3, seed=SEED)
    batch.reset()
    rules, (low, high) = batch.variant, seed_halves(SEED)
    blank = rules.blank(rules.choose_options(None, {})[1])
    alone = np.repeat(blank, 3)
    hands = [0, 0, 0]
    for i in range(3):
        api.deal_at(alone, i, blank, low, high, i, 0, NOBODY)
    for _ in range(400):
        actions = batch.sample_legal().copy()
        for i in range(3):
            assert batch.to_act[i] == alone["to_act"][i]
            assert np.array_equal(batch.masks[i], alone["legal"][i])
            out = np.zeros(batch.observations.shape[1:], np.int8)
            api.observe_at(alone, i, int(alone["to_act"][i]), out, False)
            assert np.array_equal(batch.observations[i], out)
            before = alone["points"][i].copy()
            api.play_at(alone, i, int(actions[i]))
            alone_gain = alone["points"][i] - before
            if i == 0:
                expected = alone_gain
            if alone["to_act"][i] == NOBODY:
                hands[i] += 1
                api.deal_at(alone, i, blank, low, high, i, hands[i], NOBODY)
        gains, _done = batch.step(actions)
        assert np.array_equal(gains[0], expected)
    assert sum(hands) > 3


def test_game_is_table_zero_hand_zero() -> None:
    batch = mj.Batch("sichuan", 2, seed=5)
    batch.reset()
    game = mj.Game("sichuan", seed=5)
    assert np.array_equal(batch.observations[0], game.observation())


def test_hands_differ_from_table_to_table_and_from_hand_to_hand() -> None:
    batch = mj.Batch("sichuan", 64, seed=1)
    batch.reset()
    first = {row.tobytes() for row in batch.observations}
    batch.reset()
    assert len(first | {row.tobytes() for row in batch.observations}) == 128


def test_gains_add_up_to_the_finished_hands_points() -> None:
    batch = mj.Batch("sichuan", 16, seed=9, preset="online")
    batch.reset()
    total = np.zeros((16, 4), np.int64)
    finished = 0
    for _ in range(300):
        gains, done = batch.step(batch.sample_legal())
        total += gains
        for i in np.flatnonzero(done):
            assert np.array_equal(total[i], batch.ended["points"][i])
            total[i] = 0
            finished += 1
    assert finished > 16


def test_a_bad_action_names_table_and_action_and_moves_nothing() -> None:
    batch = mj.Batch("sichuan", 4, seed=3)
    batch.reset()
    actions = batch.sample_legal().copy()
    shown = batch.observations.copy()
    actions[2] = batch.variant.actions.parse("peng")
    with pytest.raises(mj.IllegalActionError, match=r"table 2: action 'peng'"):
        batch.step(actions)
    actions[2] = 10_000
    with pytest.raises(mj.IllegalActionError, match=r"table 2: action number 10000"):
        batch.step(actions)
    with pytest.raises(mj.IllegalActionError, match=r"\(4,\)"):
        batch.step(actions[:3])
    assert np.array_equal(shown, batch.observations)


def test_seats_played_inside_are_never_yours() -> None:
    batch = mj.Batch("sichuan", 32, seed=4, seating=(None, "greedy", "random", None))
    batch.reset()
    total = np.zeros((32, 4), np.int64)
    finished = 0
    for _ in range(200):
        assert set(batch.to_act.tolist()) <= {0, 3}
        gains, done = batch.step(batch.sample_legal())
        total += gains
        for i in np.flatnonzero(done):
            assert np.array_equal(batch.ended["points"][i], total[i])
            total[i] = 0
            finished += 1
    assert finished > 32


def test_planes_are_the_counts_cut_at_their_thresholds() -> None:
    counts, cut = (mj.Batch("sichuan", 8, seed=6, observation=kind) for kind in ("counts", "planes"))
    counts.reset()
    cut.reset()
    for _ in range(60):
        for p, (_, row, least) in enumerate(planes(counts.variant)):
            assert np.array_equal(cut.observations[:, p] > 0, counts.observations[:, row] >= least)
        actions = counts.sample_legal()
        counts.step(actions)
        cut.step(actions)


def test_the_oracle_shows_every_tile() -> None:
    batch = mj.Batch("sichuan", 4, seed=6, oracle=True)
    batch.reset()
    for _ in range(80):
        for i, game in enumerate(batch._tables.games):
            seats = [(batch.to_act[i] + step) % 4 for step in range(1, 4)]
            shared = rows(batch.variant) - sum(piece.rows for piece in batch.variant.pieces)
            assert np.array_equal(batch.oracle[i, :shared], batch.observations[i, :shared])
            assert np.array_equal(batch.oracle[i, -5:-2], game["hands"][seats])
        batch.step(batch.sample_legal())


def test_your_buffers_are_written_and_never_replaced() -> None:
    buffers = {
        "observations": np.zeros((5, 35, 27), np.int8),
        "masks": np.zeros((5, 88), np.int8),
        "gains": np.zeros((5, 4), np.int32),
        "done": np.zeros(5, np.bool_),
        "to_act": np.zeros(5, np.int8),
    }
    batch, plain = mj.Batch("sichuan", 5, seed=1, buffers=buffers), mj.Batch("sichuan", 5, seed=1)
    batch.reset()
    plain.reset()
    for _ in range(200):
        gains, done = batch.step(batch.sample_legal())
        plain.step(plain.sample_legal())
        assert gains is buffers["gains"]
        assert done is buffers["done"]
        assert batch.observations is buffers["observations"]
        assert np.array_equal(buffers["observations"], plain.observations)
        assert np.array_equal(buffers["masks"], plain.masks)
    with pytest.raises(ValueError, match="buffer 'masks' must be"):
        mj.Batch("sichuan", 5, buffers={"masks": np.zeros((5, 87), np.int8)})
    with pytest.raises(ValueError, match="no buffer 'mask'"):
        mj.Batch("sichuan", 5, buffers={"mask": np.zeros((5, 88), np.int8)})


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="3 players given"):
        mj.Batch("sichuan", 1, seating=("greedy", None, None))
    with pytest.raises(ValueError, match="no player 'genius'"):
        mj.Batch("sichuan", 1, seating=("genius", None, None, None))
    with pytest.raises(ValueError, match="no seat is left"):
        mj.Batch("sichuan", 1, seating=("greedy",) * 4)
    with pytest.raises(ValueError, match="no observation 'pictures'"):
        mj.Batch("sichuan", 1, observation="pictures")
    with pytest.raises(ValueError, match="record=True"):
        mj.Batch("sichuan", 1, seating=("greedy", None, None, None), record=True)
    with pytest.raises(ValueError, match="num_games=0"):
        mj.Batch("sichuan", 0)
    with pytest.raises(ValueError, match="dealer 4"):
        mj.Batch("sichuan", 1, dealer=4)
    with pytest.raises(RuntimeError, match="reset"):
        mj.Batch("sichuan", 1).step([0])


def test_random_actions_are_uniform() -> None:
    batch = mj.Batch("sichuan", 4000, seed=1)
    batch.reset()
    shares = []
    for _ in range(5):
        actions = batch.sample_legal()
        ranks = [
            np.flatnonzero(mask).searchsorted(a) / mask.sum() for mask, a in zip(batch.masks, actions, strict=True)
        ]
        shares.append(np.mean(ranks) + np.mean(0.5 / batch.masks.sum(1)))
    assert abs(np.mean(shares) - 0.5) < 0.01
