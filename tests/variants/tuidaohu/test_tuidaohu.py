"""Tuidaohu: the ghost stands for any tile, and is found as the option says."""

import pytest

import mahjong_env as mj


def test_the_white_dragon_is_the_ghost() -> None:
    score = mj.score("tuidaohu", hand="123m 456m 789p EE 3s B", win_tile="5s", win_by="self_draw")
    assert score.hu
    assert score.value == 2
    assert not mj.score("tuidaohu", hand="123m 456m 789p EE 3s B", win_tile="5s", win_by="self_draw", ghost="none").hu


def test_seven_pairs_are_worth_twice() -> None:
    hand = "1122m 3344p 55s EE C"
    score = mj.score("tuidaohu", hand=hand, win_tile="C", win_by="self_draw", ghost="none", no_ghost_double=True)
    assert score.value == 8
    assert score.patterns == {"七对": 1, "无鬼": 1}


@pytest.mark.parametrize(
    ("turned", "ghosts"), [("9m", ["1m", "2m"]), ("B", ["E", "S"]), ("N", ["C", "F"]), ("4p", ["5p", "6p"])]
)
def test_a_tile_turned_up_makes_the_next_kinds_wild(turned: str, ghosts: list[str]) -> None:
    names = mj.Game("tuidaohu", seed=1).variant.tiles.names
    wall = [name for name in names for _ in range(4)]
    wall.remove(turned)
    for option, found in (("turned", ghosts[:1]), ("double_turned", ghosts)):
        game = mj.Game("tuidaohu", wall=[*wall, turned], dealer=0, ghost=option)
        row = game.observation(0)[-1]
        assert [name for name, wild in zip(names, row, strict=True) if wild] == found
        assert game._games["wall_back"][0] == len(wall)


def test_a_ghost_makes_no_peng_or_gang() -> None:
    game = mj.Game.from_position(
        "tuidaohu", hands=["BBB 1m 4m 7m 1p 4p 7p 1s 4s 7s E S", None, None, None], drawn="S", seed=1
    )
    assert not [name for name in game.legal_names() if "gang" in name]
    game = mj.Game.from_position(
        "tuidaohu", hands=["BB 1m 4m 7m 1p 4p 7p 1s 4s 7s E S", None, None, None], to_act=1, drawn="B", seed=1
    )
    game.play("discard B")
    assert game.to_act == 2, "nobody is asked about a discarded ghost"


def test_who_is_robbed_pays_for_all() -> None:
    game = mj.Game.from_position(
        "tuidaohu", hands=["1m 4m 7m 1p 4p 7p 2s 9s 7s E", "123m 456m 789p EE 35s", None, None],
        melds=["peng 4s", "", "", ""], drawn="4s", horses=0, seed=1,
    )  # fmt: skip
    assert "self_gang 4s" in game.legal_names()
    game.play("self_gang 4s")
    assert game.to_act == 1
    game.play("hu")
    assert game.points.tolist() == [-6, 6, 0, 0]
