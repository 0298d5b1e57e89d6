"""Games of Hongzhong mahjong, as records with every legal set, decision for decision against the independent slow engine."""

import random
from collections import Counter
from typing import Any

import pytest
from players import mixed, play_out
from slow.hongzhong import random_options, random_wall, replay

import mahjong_env as mj
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.state import ROBBING

VARIANT = "hongzhong"
GAMES = 40
PRESETS = tuple(get_variant(VARIANT).presets)


def begin(rng: random.Random, preset: str, options: dict[str, Any]) -> mj.Game:
    """A game, for half of the seeds with a rigged wall."""
    wall = random_wall(rng, rng.random() < 0.5)
    return mj.Game(VARIANT, preset, seed=rng.randrange(2**32), dealer=rng.randrange(4), wall=wall, **options)


def play_for_gangs(game: mj.Game, rng: random.Random) -> mj.Game:
    """Most wins are passed and every gang is made, so that the hand is long."""
    passes = rng.random()
    while not game.is_over:
        names = game.legal_names()
        gangs, others = [name for name in names if "gang" in name], [name for name in names if name != "hu"]
        if "hu" in names and game._games["phase"][0] == ROBBING and rng.random() < 0.8:
            game.play("hu")
        elif gangs and rng.random() < 0.8:
            game.play(rng.choice(gangs))
        elif "peng" in names and rng.random() < 0.6:
            game.play("peng")
        elif "hu" in names and others and rng.random() < passes:
            game.play(rng.choice(others))
        else:
            game.play(mixed(game, rng))
    return game


def play(rng: random.Random, preset: str, options: dict[str, Any], greed: float) -> mj.Game:
    """A whole game; with negative greed one full of gangs."""
    game = begin(rng, preset, options)
    return play_out(game, rng, greed) if greed >= 0 else play_for_gangs(game, rng)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("greed", [0.0, 1.0, -1.0], ids=["random", "greedy", "gangs"])
def test_presets(preset: str, greed: float) -> None:
    for seed in range(GAMES):
        replay(play(random.Random(seed), preset, {}, greed).record(legal=True).to_dict())


@pytest.mark.parametrize("part", range(4))
def test_option_sets(part: int) -> None:
    for seed in range(GAMES * part, GAMES * (part + 1)):
        rng = random.Random(seed)
        game = play(rng, rng.choice(PRESETS), random_options(rng), rng.choice((1.0, -1.0)))
        replay(game.record(legal=True).to_dict())


def test_games_reach_the_rare_rules() -> None:
    """What is compared holds every verb, every pattern of a win and every reason for a payment."""
    played: Counter[str] = Counter()
    for seed in range(300):
        rng = random.Random(seed)
        game = play(rng, rng.choice(PRESETS), {"discard_win": True}, -1.0)
        played.update({action.split()[0] for action in game.history})
        played.update(pattern for win in game.outcome.wins for pattern in win.patterns)
        played.update({payment.reason for payment in game.outcome.payments})
    for name in (*game.variant.verbs, *(pattern.id for pattern in game.variant.patterns), *game.variant.slip_reasons):
        assert played[name], f"no game shows {name}; {dict(played)}"


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
                game = play(rng, rng.choice(PRESETS) if preset == "any" else preset, options, greed)
                replay(game.record(legal=True).to_dict())
            print(f"{preset}: {games} {name} games agree", flush=True)


if (
    __name__ == "__main__"
):  # PYTHONPATH=tests:tests/generic python tests/variants/hongzhong/test_records_hongzhong.py 2000 500
    import sys

    compare_many(int(sys.argv[1]), int(sys.argv[2]))
