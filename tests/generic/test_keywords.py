"""No option or detail of a variant stands in the way of a keyword, and each such keyword is known to the loader."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mahjong_env as mj
from mahjong_env.envs.aec import RawEnv
from mahjong_env.envs.sb3 import MahjongVecEnv
from mahjong_env.envs.single import MahjongEnv
from mahjong_env.envs.vector import MahjongVectorEnv
from mahjong_env.play.scoring import best_wait, score, waits
from mahjong_env.rules.definition import KEYWORDS
from mahjong_env.rules.draw import position as draw_position
from mahjong_env.rules.flip import position as flip_position
from mahjong_env.tools.check import check

TAKE_OPTIONS: tuple[Callable[..., Any], ...] = (
    mj.Game, mj.Batch, mj.aec_env, mj.raw_aec_env, mj.sb3_vec_env, score, waits, best_wait, RawEnv, MahjongEnv,
    MahjongVectorEnv, MahjongVecEnv, draw_position.set_up, flip_position.set_up, check,
)  # fmt: skip

EXAMPLE = Path(__file__).parent.parent.parent / "docs" / "examples" / "my_rules.py"


def test_every_keyword_beside_options_is_kept() -> None:
    taken = set()
    for function in TAKE_OPTIONS:
        parameters = inspect.signature(function).parameters.values()
        assert any(p.kind == p.VAR_KEYWORD for p in parameters), function
        taken |= {p.name for p in parameters if p.kind != p.VAR_KEYWORD}
    assert taken == KEYWORDS


def edited(path: Path, *changes: tuple[str, str]) -> Path:
    """The example under another name, with these places changed."""
    text = EXAMPLE.read_text(encoding="utf-8").replace('name="my_rules"', f'name="{path.stem}"')
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    return path


def laid(line: str) -> tuple[str, str]:
    """The change that states this of the variant."""
    return '    slip_reasons=("hu",),\n', f'    slip_reasons=("hu",),\n    {line},\n'


@pytest.mark.parametrize("name", ["hands", "seed", "melds", "num_games"])
def test_an_option_named_like_a_keyword_is_refused(name: str, tmp_path: Path) -> None:
    option = ("class Options:\n", f"class Options:\n    {name}: int = number(1, 0, 9, 'a number')\n")
    with pytest.raises(mj.VariantError, match=rf"clashing.py:\d+: option '{name}' can't be given beside the keyword"):
        mj.load_variant(edited(tmp_path / "clashing.py", option))


def test_a_detail_named_like_a_keyword_or_an_option_is_refused(tmp_path: Path) -> None:
    for name, told in (
        ("seed", "'seed' can't be given beside the keyword"),
        ("value", "has 'value', which is an option"),
    ):
        detail = laid(f'details={{"{name}": lambda state, seat, value: None}}')
        with pytest.raises(mj.VariantError, match=rf"detailed.py:\d+: details {told}"):
            mj.load_variant(edited(tmp_path / "detailed.py", detail))


def test_a_value_that_a_detail_does_not_take_is_told(tmp_path: Path) -> None:
    line = 'details={"shown": lambda state, seat, value: value.upper()}'
    name = mj.load_variant(edited(tmp_path / "shows.py", laid(line)))
    with pytest.raises(ValueError, match="shown is False; it takes a value for each of the 4 seats"):
        mj.Game.from_position(name, hands=[None] * 4, shown=False)
    with pytest.raises(ValueError, match="shown=3 can't be read for seat 0"):
        mj.Game.from_position(name, hands=[None] * 4, shown=[3, "a", "a", "a"])
    with pytest.raises(ValueError, match="shown=3 can't be read"):
        mj.score(name, "123456789m 1234p", win_tile="4p", win_by="self_draw", shown=3)
