"""Variants made from another by `like`: the examples of docs/examples play as they say, in a few lines, and hold as ours do."""

import random
from pathlib import Path

import pytest
from players import play_out

import mahjong_env as mj
from mahjong_env.rules.registry import get_variant

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
MADE = {"daodaohu": "sichuan", "zhuanzhuan": "hongzhong"}
"""Example → what it is made from."""
MOST_LINES = 30


@pytest.fixture(params=MADE)
def made(request: pytest.FixtureRequest) -> str:
    return mj.load_variant(EXAMPLES / f"{request.param}.py")


def games(name: str, number: int, preset: str | None = None, **options: object) -> list[mj.Game]:
    return [play_out(mj.Game(name, preset, seed=n, **options), random.Random(n), greed=0.9) for n in range(number)]


@pytest.mark.parametrize("name", MADE)
def test_it_is_short(name: str) -> None:
    assert len((EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_it_walks_as_ours(made: str) -> None:
    from test_walk import walk_all

    walk_all(made, str(EXAMPLES / f"{made}.py"), per_preset=3)  # with all options its base is walked


def test_it_has_the_others_options_and_its_own_presets(made: str) -> None:
    variant, base = get_variant(made), get_variant(MADE[made])
    assert variant.settings == base.settings
    assert variant.verbs == base.verbs and variant.patterns == base.patterns and variant.pieces == base.pieces
    assert set(variant.presets) == {"daodaohu": {"usual", "exchange"}, "zhuanzhuan": {"usual", "self_draw"}}[made]
    for preset, given in variant.presets.items():
        options = mj.Game(made, preset, seed=1).options
        assert {name: options[name] for name in given} == dict(given)


def test_records_replay(made: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    played = games(made, 4)
    for game in played:
        game.record().write(path)
    for game, record in zip(played, mj.Record.read(path), strict=True):
        assert record.variant == made
        assert record.verify().points.tolist() == game.points.tolist()


def test_the_base_stays_as_it_is(made: str) -> None:
    base = get_variant(MADE[made])
    assert base.name == MADE[made] and base.digest != get_variant(made).digest
    assert base.dtype != get_variant(made).dtype


# --- daodaohu ---------------------------------------------------------------------------------------------------------


def test_the_first_win_of_daodaohu_ends_the_hand() -> None:
    name = mj.load_variant(EXAMPLES / "daodaohu.py")
    won = [game for game in games(name, 12) if game.outcome.wins]
    assert won
    for game in won:
        assert len({paid.decision for paid in game.outcome.payments if paid.reason == "hu"}) == 1
        assert game.history[-1] in ("hu", "pass")
    assert any(len(game.outcome.wins) > 1 for game in games("sichuan", 8)), "where its base goes on"


def test_several_win_on_one_tile_of_daodaohu() -> None:
    name = mj.load_variant(EXAMPLES / "daodaohu.py")
    hands = ["9m 47p 258p 369p 4567p", "123m 456m 78m 99m 123p", "123m 456m 78m 11p 456p", None]
    game = mj.Game.from_position(name, hands=hands, drawn="9m", void="ssss", seed=1)
    game.play("discard 9m")
    while not game.is_over:
        game.play(
            "hu" if "hu" in game.legal_names() else "pass" if "pass" in game.legal_names() else game.legal_names()[0]
        )
    assert [win.seat for win in game.outcome.wins] == [1, 2]


# --- zhuanzhuan -------------------------------------------------------------------------------------------------------


def test_no_red_dragon_is_dealt_in_zhuanzhuan() -> None:
    name = mj.load_variant(EXAMPLES / "zhuanzhuan.py")
    red = get_variant(name).tiles.names.index("C")
    for seed in range(30):
        game = mj.Game(name, seed=seed)
        assert len(game.record().wall) == 108 and "C" not in game.record().wall
        assert not game.state["hands"][:, red].any()
    with pytest.raises(ValueError, match="C"):
        mj.Game.from_position(name, hands=["123m 456m 789m 99p CC", None, None, None], seed=1)


def test_discards_can_be_won_on_in_zhuanzhuan() -> None:
    name = mj.load_variant(EXAMPLES / "zhuanzhuan.py")
    for preset, wins in (("usual", True), ("self_draw", False)):
        hands = [None, "123m 456m 78m 99m 123p", None, None]
        game = mj.Game.from_position(name, preset, hands=hands, drawn="9m", seed=1)
        game.play("discard 9m")
        while game.to_act not in (1, None) and "pass" in game.legal_names():
            game.play("pass")
        assert (game.to_act == 1 and "hu" in game.legal_names()) == wins
