"""Players and option sets for tests that play every variant."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np

import mahjong_env as mj
from mahjong_env.rules.options import Setting
from mahjong_env.rules.players import EXPERT, GREEDY, choose_at, generators
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.variant import Variant

TABLE = np.zeros(1, np.int64)
STATES = generators(0, 1)


def greedy(game: mj.Game) -> int:
    """The compiled greedy player's choice."""
    return choice_of(game, GREEDY)


def expert(game: mj.Game) -> int:
    """The compiled expert's choice."""
    return choice_of(game, EXPERT)


def choice_of(game: mj.Game, player: int) -> int:
    """What a compiled player would do; asked of a copy, whose scratch fields it may write."""
    chosen = np.empty(1, np.int64)
    choose_at(game.copy()._games, TABLE, player, STATES, chosen)
    return int(chosen[0])


def mixed(game: mj.Game, rng: random.Random) -> int:
    """Greedy for the most part, so that hands are won; else random, and fond of gangs, which are rare."""
    gangs = [action for action in game.legal_actions() if "gang" in game.variant.actions.names[action]]
    if gangs and rng.random() < 0.6:
        return rng.choice(gangs)
    return rng.choice(game.legal_actions()) if rng.random() < 0.15 else greedy(game)


def play_out(game: mj.Game, rng: random.Random, greed: float = 1) -> mj.Game:
    """Play the game to its end by `mixed`, or, with chance 1 - greed for the whole hand, at random; returns it."""
    is_random = rng.random() >= greed
    while not game.is_over:
        game.play(rng.choice(game.legal_actions()) if is_random else mixed(game, rng))
    return game


def values_of(setting: Setting, default: Any) -> list[Any]:
    """What an option may be; of many numbers the lowest few and the default."""
    if setting.low is None or setting.high is None:
        return list(setting.values)
    numbers = set(range(setting.low, min(setting.low + 2, setting.high) + 1)) | {default}
    return [*sorted(number for number in numbers if type(number) is int), *setting.values]


def option_sets(name: str, per_preset: int, seed: int = 0) -> list[tuple[str, dict[str, Any]]]:
    """Presets with option sets: first each preset as it is, then sets in which every option takes all its values in turn."""
    variant = get_variant(name)
    rng = random.Random(seed)
    sets: list[tuple[str, dict[str, Any]]] = [(preset, {}) for preset in variant.presets]
    for preset in variant.presets:
        turns = {option: shuffled_values(variant, preset, option, rng) for option in variant.option_names}
        for k in range(per_preset):
            wanted = {option: values[k % len(values)] for option, values in turns.items()}
            sets.append((preset, going_together(variant, preset, wanted)))
    return sets


def going_together(variant: Variant, preset: str, wanted: dict[str, Any]) -> dict[str, Any]:
    """The options wanted, without those that don't go with others before them."""
    chosen: dict[str, Any] = {}
    for option, value in wanted.items():
        try:
            variant.choose_options(preset, chosen | {option: value})
        except ValueError:
            continue
        chosen[option] = value
    return chosen


def shuffled_values(variant: Variant, preset: str, option: str, rng: random.Random) -> Sequence[Any]:
    """The values of one option in random order."""
    default = variant.choose_options(preset, {})[1][option]
    values = values_of(variant.settings[option], default)
    return rng.sample(values, len(values))
