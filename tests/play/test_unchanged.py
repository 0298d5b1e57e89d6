"""Looking at a game changes nothing of it: neither its bytes nor what it is equal to; and names that are imported stay there."""

import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from players import STATES, TABLE, mixed

import mahjong_env as mj
from mahjong_env.rules.players import EXPERT, GREEDY, choose_at
from mahjong_env.rules.registry import get_variant

LOOKS: dict[str, Callable[[mj.Game], Any]] = {
    "waits": lambda game: [game.waits(seat) for seat in range(game.variant.seats)],
    "best_wait": lambda game: [best_wait(game, seat) for seat in range(game.variant.seats)],
    "str": lambda game: [str(game), repr(game), *(game.draw(seat=seat) for seat in range(game.variant.seats))],
    "observation": lambda game: [game.observation(seat, oracle=True) for seat in range(game.variant.seats)],
    "greedy": lambda game: None if game.is_over else asked(game, GREEDY),
    "expert": lambda game: None if game.is_over else asked(game, EXPERT),
    "mask": lambda game: (game.mask(), game.legal_names()),
    "outcome": lambda game: (game.outcome, game.points, game.record(legal=True)),
    "resample": lambda game: resampled(game),
}
"""Ways to look at a game."""


def asked(game: mj.Game, player: int) -> None:
    """Ask a compiled player about the game itself."""
    choose_at(game._games, TABLE, player, STATES, np.empty(1, np.int64))


def best_wait(game: mj.Game, seat: int) -> Any:
    """The best wait, where the variant scores hands and the seat has one."""
    try:
        return game.best_wait(seat)
    except ValueError:
        return None


def resampled(game: mj.Game) -> Any:
    try:
        return game.resample(0, 1)
    except mj.NoDealError:
        return None


def states(name: str, preset: str, seed: int) -> list[mj.Game]:
    """A game at every few decisions, and at its end."""
    game, rng, found = mj.Game(name, preset, seed=seed), random.Random(seed), []
    while not game.is_over:
        if len(game.history) % 7 == 0:
            found.append(game.copy())
        game.play(mixed(game, rng))
    return [*found, game]


@pytest.mark.parametrize(("name", "preset"), [(n, p) for n in mj.variants() for p in get_variant(n).presets])
def test_looking_at_a_game_leaves_it_alone(name: str, preset: str) -> None:
    for game in states(name, preset, seed=2):
        before, copy = game.to_bytes(), game.copy()
        for look, at in LOOKS.items():
            at(game)
            assert game.to_bytes() == before, f"{look} changes the game's bytes after {game.history}"
            assert game == copy, f"{look} changes what the game is equal to after {game.history}"


@pytest.mark.parametrize("name", mj.variants())
def test_a_picture_leaves_it_alone(name: str) -> None:
    pytest.importorskip("PIL")
    for game in states(name, next(iter(get_variant(name).presets)), seed=4)[::4]:
        before, copy = game.to_bytes(), game.copy()
        for seat in (None, *range(game.variant.seats)):
            game.picture(seat)
        assert game.to_bytes() == before and game == copy


@pytest.mark.parametrize(
    "code",
    [
        "import mahjong_env.variants.sichuan as s, mahjong_env as mj; assert s.VARIANT.name == 'sichuan'; print(*mj.variants())",
        "import mahjong_env as mj; import mahjong_env.variants.sichuan; print(*mj.variants())",
        "from mahjong_env.variants import sichuan; import mahjong_env as mj; sichuan.VARIANT; print(*mj.variants())",
        "import mahjong_env as mj; print(*mj.variants()); from mahjong_env.variants.sichuan import VARIANT; mj.variants()",
    ],
)
def test_variants_are_a_list_and_a_package(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "sichuan" in done.stdout.split()
