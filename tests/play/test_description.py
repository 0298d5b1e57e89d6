"""The description of a variant agrees with the variant."""

import json

import pytest

import mahjong_env as mj


@pytest.mark.parametrize("variant", mj.variants())
def test_description_agrees_with_a_game(variant: str) -> None:
    described, game = mj.describe(variant), mj.Game(variant, seed=1)
    assert len(described.actions) == sum(described.verbs.values()) == len(game.mask())
    assert described.observation_shape == game.observation().shape
    last = described.observation[-1]
    assert last.first_row + last.rows == described.observation_shape[0]
    oracle = described.oracle[-1]
    assert oracle.first_row + oracle.rows == game.observation(oracle=True).shape[0]
    assert described.seats == len(game.points)
    assert described.presets[game.preset] == game.options


@pytest.mark.parametrize("variant", mj.variants())
def test_every_name_is_printed(variant: str) -> None:
    described = mj.describe(variant)
    printed = str(described)
    named = [*described.presets, *described.verbs, *described.kinds, *(option.name for option in described.options)]
    named += [piece.name for piece in (*described.observation, *described.oracle)]
    named += [pattern.id for pattern in described.patterns]
    assert [name for name in named if name not in printed] == []
    assert max(map(len, printed.splitlines())) <= 120
    assert json.loads(json.dumps(described.to_dict()))["name"] == variant


def test_one_option() -> None:
    cap = mj.describe("sichuan").option("fan_cap")
    assert cap.defaults == {"sbr2025": 3, "online": 5}
    assert cap.allowed == "a whole number from 0 to 20, None"
    with pytest.raises(ValueError, match="no option 'cap'"):
        mj.describe("sichuan").option("cap")
