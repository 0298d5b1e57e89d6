"""Games of ErQiShi, as records with every legal set, decision for decision against the independent slow engine.

Random and greedy play over tables, player counts and option sets; walls half shuffled, half laid out for luck, so that
quads, bai and several claims to one card occur.
"""

import random
from collections import Counter
from typing import Any

import pytest
from players import play_out
from slow.erqishi import PRESETS, full_options, random_options, random_wall, replay

import mahjong_env as mj

GAMES = 30


def play(rng: random.Random, preset: str, options: dict[str, Any], greed: float) -> mj.Game:
    """A whole game; half of the walls are rigged."""
    full = full_options(preset, options)
    wall = random_wall(rng, full, rng.random() < 0.5)
    game = mj.Game(
        "erqishi", preset, seed=rng.randrange(2**32), dealer=rng.randrange(full["players"]), wall=wall, **options
    )
    return play_out(game, rng, greed)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("greed", [0.0, 1.0], ids=["random", "greedy"])
def test_presets(preset: str, greed: float) -> None:
    for seed in range(GAMES):
        replay(play(random.Random(seed), preset, {}, greed).record(legal=True).to_dict())


@pytest.mark.parametrize("part", range(4))
def test_option_sets(part: int) -> None:
    for seed in range(GAMES * part, GAMES * (part + 1)):
        rng = random.Random(seed)
        replay(play(rng, rng.choice(list(PRESETS)), random_options(rng), 0.7).record(legal=True).to_dict())


def test_games_reach_the_rare_rules() -> None:
    """What is compared holds every verb, every fan but 天胡, and rain."""
    played: Counter[str] = Counter()
    for seed in range(300):
        rng = random.Random(seed)
        options = {"rain": True, "swap3": seed % 3 == 0, "fan_gunfan": True, "fan_qing": True, "hand_size": 14}
        game = play(rng, "leshan", options | {"circle": seed % 10 + 1}, 0.8)
        played.update({action.split()[0] for action in game.history})
        played.update(fan for win in game.outcome.wins for fan in win.patterns)
        played.update({payment.reason for payment in game.outcome.payments})
    for name in (*game.variant.verbs, "di", "kun", "quan", "qing", "gunfan", "rain"):
        assert played[name], f"no game shows {name}; {dict(played)}"


def compare_many(random_games: int, greedy_games: int) -> None:
    """So many games of each table and number of players, and as many with options by chance; raises at the first
    difference."""
    settings: list[tuple[str, dict[str, Any] | None]] = [
        (table, {"players": n}) for table in PRESETS for n in (2, 3, 4)
    ]
    for preset, options in [*settings, ("any", None)]:
        for name, games, greed in (("random", random_games, 0.0), ("greedy", greedy_games, 1.0)):
            for seed in range(games):
                rng = random.Random(seed + 10**6)
                chosen = random_options(rng) if options is None else options
                game = play(rng, rng.choice(list(PRESETS)) if preset == "any" else preset, chosen, greed)
                replay(game.record(legal=True).to_dict())
            print(f"{preset} {options or 'any options'}: {games} {name} games agree", flush=True)


if (
    __name__ == "__main__"
):  # PYTHONPATH=tests:tests/generic python tests/variants/erqishi/test_records_erqishi.py 2000 500
    import sys

    compare_many(int(sys.argv[1]), int(sys.argv[2]))
