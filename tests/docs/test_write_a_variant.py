"""The example of docs/write_a_variant.md is a whole variant, short, and holds as ours do."""

from pathlib import Path

import pytest

import mahjong_env as mj
from mahjong_env.rules.registry import get_variant
from mahjong_env.tools.check import check_plain

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "my_rules.py"
MOST_LINES = 80
EXAMPLES = sorted(EXAMPLE.parent.glob("*.py"))
HANDS = 12


def test_the_example_is_short() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_the_example_walks_as_ours() -> None:
    from test_walk import walk_all

    walk_all(mj.load_variant(EXAMPLE), str(EXAMPLE))


def test_1s_is_wild() -> None:
    mj.load_variant(EXAMPLE)
    game = mj.Game.from_position("my_rules", hands=["123m 456m 789p 1s 9s 35p", None, None, None], drawn="4p", seed=1)
    assert "hu" in game.legal_names(), "the pair is 9s and the wild 1s"
    game.play("hu")
    assert game.points.tolist() == [6, -2, -2, -2]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_holds_in_plain_mode(path: Path) -> None:
    name = mj.load_variant(path)
    for preset in get_variant(name).presets:
        assert check_plain(name, preset, {}, HANDS, seed=1) is None


def test_a_bright_hand_is_declared_with_its_discard_and_lies_open() -> None:
    mj.load_variant(EXAMPLE.parent / "bright.py")
    game = mj.Game.from_position("bright", hands=["123p 456p 789s CC F 4s", None], drawn="4s", seed=1)
    assert "bright 4s" not in game.legal_names(), "two singles are left"
    game = mj.Game.from_position("bright", hands=["123p 456p 789s CCF F", None], drawn="4s", seed=1)
    game.play("bright 4s")
    state = game.state
    assert (state["bright"][0], state["declared"][0], state["open_hand"][0]) == (1, 1 + 12, 1)
    assert state["discarded"][0, 12] == 1
    assert game.draw(seat=1).splitlines()[2].endswith("(open)")


def test_who_is_bright_is_scored_double() -> None:
    mj.load_variant(EXAMPLE.parent / "bright.py")
    hand = {"hand": "123p 777s 789s CC F F", "win_tile": "F", "win_by": "self_draw"}
    assert mj.score("bright", **hand, bright=True).value == 2 * mj.score("bright", **hand).value == 6  # type: ignore[arg-type]
