"""Games of the package, as records with every legal set, decision for decision against the independent slow engine.

Random and greedy play over presets, modes and option sets; walls half shuffled, half laid out for luck, so that rare
hands and gangs occur.
"""

import random
from collections import Counter
from typing import Any

import pytest
from players import play_out
from slow.sichuan import random_options, random_wall, replay

import mahjong_env as mj

VARIANT = "sichuan"
GAMES = 40
SETTINGS = [(preset, {"mode": mode}) for preset in ("sbr2025", "online") for mode in ("xuezhan", "xueliu")]


def play(rng: random.Random, preset: str, options: dict[str, Any], greed: float) -> mj.Game:
    """A whole game; half of the walls are rigged."""
    wall = random_wall(rng, rng.random() < 0.5)
    game = mj.Game(VARIANT, preset, seed=rng.randrange(2**32), dealer=rng.randrange(4), wall=wall, **options)
    return play_out(game, rng, greed)


@pytest.mark.parametrize(("preset", "options"), SETTINGS)
@pytest.mark.parametrize("greed", [0.0, 1.0], ids=["random", "greedy"])
def test_presets_and_modes(preset: str, options: dict[str, Any], greed: float) -> None:
    for seed in range(GAMES):
        replay(play(random.Random(seed), preset, options, greed).record(legal=True).to_dict())


@pytest.mark.parametrize("part", range(4))
def test_option_sets(part: int) -> None:
    for seed in range(GAMES * part, GAMES * (part + 1)):
        rng = random.Random(seed)
        game = play(rng, rng.choice(("sbr2025", "online")), random_options(rng), 0.8)
        replay(game.record(legal=True).to_dict())


def test_games_reach_the_rare_rules() -> None:
    """What is compared holds every verb, and nearly every pattern of a win."""
    played: Counter[str] = Counter()
    for seed in range(300):
        rng = random.Random(seed)
        game = play(rng, "online", {"mode": rng.choice(("xuezhan", "xueliu")), "men_qing": 1, "zhong_zhang": 1}, 1)
        played.update({action.split()[0] for action in game.history})
        played.update(pattern for win in game.outcome.wins for pattern in win.patterns)
        played.update({payment.reason for payment in game.outcome.payments})
    for name in (*game.variant.verbs, "qi_dui", "qing_yi_se", "gang_shang_hua", "qiang_gang", "gang money moved"):
        assert played[name], f"no game shows {name}; {dict(played)}"


def compare_many(random_games: int, greedy_games: int) -> None:
    """So many games of each preset and mode, and as many with options by chance; raises at the first difference."""
    for preset, options in [*SETTINGS, ("any", None)]:
        for name, games, greed in (("random", random_games, 0.0), ("greedy", greedy_games, 1.0)):
            for seed in range(games):
                rng = random.Random(seed + 10**6)
                chosen = random_options(rng) if options is None else options
                game = play(rng, rng.choice(("sbr2025", "online")) if preset == "any" else preset, chosen, greed)
                replay(game.record(legal=True).to_dict())
            print(f"{preset} {options or 'any options'}: {games} {name} games agree", flush=True)


if (
    __name__ == "__main__"
):  # PYTHONPATH=tests:tests/generic python tests/variants/sichuan/test_records_sichuan.py 2000 500
    import sys

    compare_many(int(sys.argv[1]), int(sys.argv[2]))
