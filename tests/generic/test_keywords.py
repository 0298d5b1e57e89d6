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


@pytest.mark.parametrize("name", ["hands", "seed", "melds", "num_games"])
def test_an_option_named_like_a_keyword_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "clashing.py"
    text = EXAMPLE.read_text(encoding="utf-8").replace('name="my_rules"', 'name="clashing"')
    path.write_text(
        text.replace("class Options:", f"class Options:\n    {name}: int = number(1, 0, 9, 'a number')", 1),
        encoding="utf-8",
    )
    with pytest.raises(mj.VariantError, match=f"option '{name}' can't be given beside the keyword"):
        mj.load_variant(path)
