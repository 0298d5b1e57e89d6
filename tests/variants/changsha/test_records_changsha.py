"""Games of Changsha mahjong, as records with every legal set, decision for decision against the independent slow engine.

Random, greedy and gang-loving play over presets and option sets; walls half shuffled, half laid out for luck, so that rare
hands, robbings, tiles turned up and the sea bottom occur.
"""

import random
from collections import Counter
from typing import Any

import pytest
from players import mixed, play_out
from slow.changsha import random_options, random_wall, replay

import mahjong_env as mj
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.state import ROBBING

VARIANT = "changsha"
GAMES = 30
PRESETS = tuple(get_variant(VARIANT).presets)


def play(rng: random.Random, preset: str, options: dict[str, Any], greed: float) -> mj.Game:
    """A whole game; half of the walls are rigged."""
    wall = random_wall(rng, rng.random() < 0.5)
    game = mj.Game(VARIANT, preset, seed=rng.randrange(2**32), dealer=rng.randrange(4), wall=wall, **options)
    return play_out(game, rng, greed)


def play_for_gangs(rng: random.Random, preset: str, options: dict[str, Any]) -> mj.Game:
    """A game in which most wins are passed and every gang is made, so that it is long and rare things happen."""
    wall = random_wall(rng, True)
    game = mj.Game(VARIANT, preset, seed=rng.randrange(2**32), dealer=rng.randrange(4), wall=wall, **options)
    passes = rng.random()
    while not game.is_over:
        names = game.legal_names()
        wanted = [name for name in names if "gang" in name or name in ("declare", "take")]
        others = [name for name in names if name != "hu"]
        if "hu" in names and game._games["phase"][0] >= ROBBING and rng.random() < 0.8:
            game.play("hu")
        elif wanted and rng.random() < 0.8:
            game.play(rng.choice(wanted))
        elif "peng" in names and rng.random() < 0.6:
            game.play("peng")
        elif "hu" in names and others and rng.random() < passes:
            game.play(rng.choice(others))
        else:
            game.play(mixed(game, rng))
    return game


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("greed", [0.0, 1.0], ids=["random", "greedy"])
def test_presets(preset: str, greed: float) -> None:
    for seed in range(GAMES):
        replay(play(random.Random(seed), preset, {}, greed).record(legal=True).to_dict())


@pytest.mark.parametrize("part", range(4))
def test_option_sets(part: int) -> None:
    for seed in range(GAMES * part, GAMES * (part + 1)):
        rng = random.Random(seed)
        replay(play(rng, rng.choice(PRESETS), random_options(rng), 0.8).record(legal=True).to_dict())


@pytest.mark.parametrize("part", range(4))
def test_gangs(part: int) -> None:
    for seed in range(GAMES * part, GAMES * (part + 1)):
        rng = random.Random(seed)
        replay(play_for_gangs(rng, rng.choice(PRESETS), random_options(rng)).record(legal=True).to_dict())


def test_games_reach_the_rare_rules() -> None:
    """What is compared holds every verb, and nearly every pattern of a win."""
    played: Counter[str] = Counter()
    for seed in range(400):
        rng = random.Random(seed)
        options = {"mid_four": True, "mid_six": True, "menqing": True, "gang_points": "table"}
        game = play_for_gangs(rng, rng.choice(PRESETS), options)
        played.update({action.split()[0] for action in game.history})
        played.update(pattern for win in game.outcome.wins for pattern in win.patterns)
        played.update({payment.reason for payment in game.outcome.payments})
    rare = (
        "七小对",
        "清一色",
        "碰碰胡",
        "将将胡",
        "杠上开花",
        "杠上炮",
        "抢杠胡",
        "海底捞月",
        "门清",
        "mid-game win",
        "gang",
    )
    for name in (*game.variant.verbs, *rare):
        assert played[name], f"no game shows {name}; {dict(played)}"


def game_with_dice() -> mj.Game:
    """A game in which starting wins have been declared."""
    game = mj.Game(
        VARIANT, seed=next(seed for seed in range(500) if "declare" in mj.Game(VARIANT, seed=seed).legal_names())
    )
    game.play("declare")
    return play_out(game, random.Random(1))


def test_dice_are_in_the_record() -> None:
    record = game_with_dice().record()
    dice = record.chance["dice"]
    assert len(dice) % 2 == 0
    assert dice
    assert set(dice) <= set(range(1, 7))
    assert record.verify().points.tolist() == record.points


@pytest.mark.parametrize("dice", [None, [], [3], [0, 7], ["3", "4"], 3, [1] * 99])
def test_wrong_dice_are_refused(dice: Any) -> None:
    data = game_with_dice().record().to_dict()
    if dice is None:
        del data["dice"]
    else:
        data["dice"] = dice
    with pytest.raises(mj.RecordError, match="dice"):
        mj.Record.from_dict(data).verify()


def compare_many(random_games: int, greedy_games: int) -> None:
    """So many games of each preset, and as many with options by chance; raises at the first difference."""
    for preset in (*PRESETS, "any"):
        for name, games, greed in (
            ("random", random_games, 0.0),
            ("greedy", greedy_games, 1.0),
            ("gang", greedy_games, -1.0),
        ):
            for seed in range(games):
                rng = random.Random(seed + 10**6)
                options = random_options(rng) if preset == "any" else {}
                chosen = rng.choice(PRESETS) if preset == "any" else preset
                game = play(rng, chosen, options, greed) if greed >= 0 else play_for_gangs(rng, chosen, options)
                replay(game.record(legal=True).to_dict())
            print(f"{preset}: {games} {name} games agree", flush=True)


if (
    __name__ == "__main__"
):  # PYTHONPATH=tests:tests/generic python tests/variants/changsha/test_records_changsha.py 2000 500
    import sys

    compare_many(int(sys.argv[1]), int(sys.argv[2]))
