"""What a file can say beyond the usual, by `expressive.py`: an own verb, open hands, other sizes and tiles, in every face."""

import random
from pathlib import Path

import numpy as np
import pytest
from players import greedy, mixed, play_out

import mahjong_env as mj
from mahjong_env.batch.events import EVENTS
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.variant import pieces

FILE = Path(__file__).parent / "expressive.py"


@pytest.fixture(scope="module")
def name() -> str:
    return mj.load_variant(FILE)


def until_liang(name: str, seed: int = 0, **options: object) -> mj.Game:
    """A game in which somebody has just said liang; its hand goes on."""
    for number in range(seed, seed + 100):
        game, rng = mj.Game(name, seed=number, **options), random.Random(number)
        while not game.is_over:
            action = mixed(game, rng)
            game.play(action)
            if game.variant.actions.names[action].startswith("liang") and not game.is_over:
                return game
    raise AssertionError("nobody says liang")


def declarer(game: mj.Game) -> int:
    return int(np.flatnonzero(game.state["declared"])[0])


def rows_of(game: mj.Game, piece: str, viewer: int) -> np.ndarray:
    """The rows of a piece in what a viewer sees, the viewer's own first."""
    row = 0
    for one in pieces(game.variant):
        if one.name == piece:
            return game.observation(viewer)[row : row + one.rows]
        row += one.rows
    raise AssertionError(f"no piece {piece}")


# --- every face -------------------------------------------------------------------------------------------------------


def test_the_whole_walk_holds(name: str) -> None:
    from test_walk import walk_all

    walk_all(name, str(FILE))


@pytest.mark.parametrize("preset", ["open", "closed"])
def test_whole_hands_by_greedy_and_random_players(name: str, preset: str) -> None:
    said, won = 0, 0
    for seed in range(30):
        game = play_out(mj.Game(name, preset, seed=seed), random.Random(seed), greed=0.7)
        said += sum(action.startswith("liang") for action in game.history)
        won += len(game.outcome.wins)
        assert game.is_over and game.record().verify().points.tolist() == game.points.tolist()
    assert said >= 10 and won >= 10


def test_a_raw_aec_environment_plays_it(name: str) -> None:
    env = mj.raw_aec_env(name, hands=3)
    env.reset(seed=1)
    rng, turns = np.random.default_rng(1), 0
    while env.agents:
        observation, _, over, _, _ = env.last()
        env.step(None if over else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        turns += 1
    assert len(env.possible_agents) == 3 and turns > 30


def test_a_batch_tells_who_declares_what(name: str) -> None:
    batch = mj.Batch(name, 8, seed=3, observation="events")
    batch.reset()
    kinds, told = int(batch.variant.actions.tables["longest"][0]), 0
    for _ in range(120):
        for i, state in enumerate(batch._tables.games):
            tokens = batch.events[i][batch.events[i] > 0].astype(int) - 1
            seat, event, kind = tokens // (len(EVENTS) * kinds), tokens // kinds % len(EVENTS), tokens % kinds
            declares = event == EVENTS.index("declare")
            found = dict(zip(((seat + batch.to_act[i]) % 3)[declares].tolist(), kind[declares].tolist(), strict=True))
            assert found == {s: int(d) - 1 for s, d in enumerate(state["declared"]) if d}
            told += len(found)
        batch.step(batch.sample_legal())
    assert told > 0


# --- tiles and hands --------------------------------------------------------------------------------------------------


def test_ten_tiles_and_the_dealers_eleventh(name: str) -> None:
    game = mj.Game(name, seed=1)
    sizes = [int(hand.sum()) for hand in game.state["hands"]]
    assert sorted(sizes) == [10, 10, 11] and sizes[game.dealer] == 11
    assert len(game.record().wall) == 84 and game.variant.most_melds == 3


@pytest.mark.parametrize(
    ("hand", "drawn", "wins"),
    [
        ("123p 456p 99s CF", "B", False),
        ("123p 456p CC BB", "B", True),
        ("123p 456p CCC 9s", "9s", True),
        ("123p 789s 456s B", "B", True),
        ("123p 456s 89p 1s 9s", "9s", False),  # 8p 9p 1s lie in a row
        ("123p 456p 89s C 2p", "2p", False),  # as 8s 9s C do
    ],
)
def test_dragons_and_suits_borders_make_no_runs(name: str, hand: str, drawn: str, wins: bool) -> None:
    game = mj.Game.from_position(name, hands=[hand, None, None], drawn=drawn, seed=1)
    assert ("hu" in game.legal_names()) == wins


def test_a_position_of_ten_tiles(name: str) -> None:
    game = mj.Game.from_position(
        name,
        hands=["123p 456p 99s 57s", None, None],
        melds=["", "peng C", ""],
        drawn="6s",
        liang=[None, "5p", None],
        seed=1,
    )
    assert [int(hand.sum()) for hand in game.state["hands"]] == [11, 7, 10]
    assert {"hu", "liang 6s"} <= set(game.legal_names())
    assert "liang on 5p" in str(game) and "(open)" in str(game)


def test_hands_of_other_sizes_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="11"):
        mj.Game.from_position(name, hands=["123p 456p 789p 1s 2s 3s 4s", None, None], seed=1)


def test_triplets_are_found_by_the_readings(name: str) -> None:
    game = mj.Game.from_position(name, hands=["111p 222p 333p 9s", None, None], drawn="9s", seed=1)
    game.play("hu")
    (win,) = game.outcome.wins
    assert set(win.patterns) == {"hu", "triplets"}
    assert game.points.tolist() == [6, -3, -3]
    game = mj.Game.from_position(name, hands=["111p 234p 333p 9s", None, None], drawn="9s", seed=1)
    game.play("hu")
    assert game.points.tolist() == [2, -1, -1]


# --- liang ------------------------------------------------------------------------------------------------------------


def test_liang_declares_and_discards_in_one_decision(name: str) -> None:
    game = mj.Game.from_position(name, hands=["123p 456p 78s 99s", None, None], drawn="C", seed=4)
    assert "liang C" in game.legal_names() and "liang 1p" not in game.legal_names()
    game.play("liang C")
    state = game.state
    kind = game.variant.tiles.kind("C")
    assert state["declared"].tolist() == [1 + kind, 0, 0] and state["open_hand"].tolist() == [1, 0, 0]
    assert state["river_tile"][0] == kind and state["river_seat"][0] == 0
    assert state["hands"][0].sum() == 10


def test_who_has_said_liang_only_puts_back_what_it_draws(name: str) -> None:
    game = until_liang(name)
    seat = declarer(game)
    asked = 0
    while not game.is_over:
        if game.to_act == seat:
            drawn = int(game.state["drawn"])
            allowed = {"hu", "pass", *([f"discard {game.variant.tiles.names[drawn]}"] if drawn >= 0 else [])}
            assert set(game.legal_names()) <= allowed
            asked += 1
        game.play(next(a for a in game.legal_names() if a != "hu"))
    assert asked > 0


def test_greedy_says_liang_and_a_proud_one_declines_a_cheap_win(name: str) -> None:
    hands = ["123p 456p 78s 99s", "1199p 1199s C F", None]
    for proud, claim in ((False, "hu"), (True, "pass")):
        game = mj.Game.from_position(name, hands=hands, to_act=1, drawn="6s", proud=proud, seed=1)
        game.play("discard 6s")
        while game.to_act != 0:
            game.play("pass")
        assert "hu" in game.legal_names()
        assert game.variant.actions.names[greedy(game)] == claim
    game = mj.Game.from_position(name, hands=["123p 456p 78s 99s", None, None], drawn="C", seed=1)
    assert game.variant.actions.names[greedy(game)] == "liang C"


# --- open hands -------------------------------------------------------------------------------------------------------


def test_an_open_hand_is_seen_by_all(name: str) -> None:
    game = until_liang(name)
    seat = declarer(game)
    names = game.variant.tiles.names
    tiles = " ".join(names[kind] for kind, n in enumerate(game.state["hands"][seat]) for _ in range(n))
    for viewer in range(3):
        assert f"{tiles} (open)" in game.draw(seat=viewer)
        away = (seat - viewer) % 3
        assert np.array_equal(rows_of(game, "open_hands", viewer)[away], game.state["hands"][seat])
        closed = [step for step in range(3) if step != away]
        assert not rows_of(game, "open_hands", viewer)[closed].any()


def test_a_picture_shows_an_open_hand_to_others(name: str) -> None:
    pytest.importorskip("PIL")
    game = until_liang(name)
    seat = declarer(game)
    hidden = game.copy()
    hidden.state["open_hand"][seat] = 0
    for viewer in range(3):
        differs = not np.array_equal(game.picture(viewer), hidden.picture(viewer))
        assert differs == (viewer != seat), "what others see is the faces of its tiles"


def test_a_closed_one_is_not(name: str) -> None:
    game = until_liang(name, preset="closed")
    for viewer in range(3):
        assert not rows_of(game, "open_hands", viewer).any()
        assert rows_of(game, "liang", viewer).sum() == 1


def test_dealing_anew_keeps_open_hands_and_deals_the_rest(name: str) -> None:
    game = until_liang(name)
    seat = declarer(game)
    viewer, third = [other for other in range(3) if other != seat]
    others = set()
    for number in range(12):
        dealt = game.resample(viewer, number)
        assert np.array_equal(dealt.state["hands"][seat], game.state["hands"][seat])
        assert np.array_equal(dealt.observation(viewer), game.observation(viewer))
        others.add(dealt.state["hands"][third].tobytes())
    assert len(others) > 6


def test_a_closed_declared_hand_is_dealt_ready(name: str) -> None:
    rules, hands = get_variant(name), set()
    for seed in range(0, 30, 6):
        game = until_liang(name, seed, preset="closed")
        seat = declarer(game)
        for number in range(6):
            dealt = game.resample((seat + 1) % 3, number)
            state = dealt.state
            if state["hands"][seat].sum() % 3 == 1:
                assert rules.kernels["waits_mask"](state, seat) != 0
            hands.add(state["hands"][seat].tobytes())
    assert len(hands) > 15


def test_knowledge_that_no_deal_meets_is_an_error(name: str) -> None:
    """A hand known to be ready, to be built of tiles of which no two go together."""
    apart = "147p 147s C F B"
    game = mj.Game.from_position(
        name,
        "closed",
        hands=["222333555p 66p", f"{apart} 9p", f"{apart} 9s"],
        wall="",
        liang=[None, "5p", None],
        seed=1,
    )
    before = game.to_bytes()
    with pytest.raises(mj.NoDealError, match="seat 0 knows"):
        game.resample(0, 1)
    assert game.to_bytes() == before
