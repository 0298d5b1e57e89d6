"""Rules that leave a seat nothing to do end a batch's step, or an environment's, with an error that names them."""

from pathlib import Path
from typing import Any

import pytest

import mahjong_env as mj
from mahjong_env.envs.vector import MahjongVectorEnv

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "my_rules.py"
ALWAYS, TWICE = (
    "    offer_discards(game, seat, True)\n",
    "    if game.draws[seat] < 3:\n        offer_discards(game, seat, True)\n",
)
WORDS = r"offer the seat to act nothing at table \d+; `mahjong-env check falls_silent` names the place"


def play(table: Any) -> None:
    """Two hundred random decisions at every table."""
    for _ in range(200):
        table.step(table.sample_legal())


@pytest.fixture(scope="module")
def falls_silent(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The example, whose seats are offered nothing once they have drawn three tiles."""
    path = tmp_path_factory.mktemp("rules") / "falls_silent.py"
    text = EXAMPLE.read_text(encoding="utf-8")
    assert text.count(ALWAYS) == 1
    path.write_text(text.replace('name="my_rules"', 'name="falls_silent"').replace(ALWAYS, TWICE), encoding="utf-8")
    return mj.load_variant(path)


def test_a_batch_tells_of_rules_that_offer_nothing(falls_silent: str) -> None:
    batch = mj.Batch(falls_silent, 4, seed=3)
    batch.reset()
    with pytest.raises(mj.RulesError, match=WORDS):
        play(batch)


def test_an_environment_tells_of_rules_that_offer_nothing(falls_silent: str) -> None:
    env = MahjongVectorEnv(falls_silent, num_envs=4, opponents="random")
    env.reset(seed=3)
    with pytest.raises(mj.RulesError, match=WORDS):
        play(env)
