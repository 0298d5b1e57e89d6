"""The example of docs/write_a_variant.md is a whole variant, short, and holds as ours do."""

from pathlib import Path

import mahjong_env as mj

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "my_rules.py"
MOST_LINES = 60


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
