"""Compiling a variant ahead of use: every face plays a little, and the machine code stays in the user's cache."""

from typing import Any

from mahjong_env.batch.batch import Batch
from mahjong_env.compiled import STORE
from mahjong_env.envs.vector import MahjongVectorEnv
from mahjong_env.play.game import Game
from mahjong_env.rules.registry import get_variant
from mahjong_env.tools import arena


def precompile(variant: str) -> str:
    """Compile what Game, Batch, matches and environments need, at tables of another size all but environments; returns
    where it is kept, in words."""
    compile_games(variant)
    vector = MahjongVectorEnv(variant, num_envs=1)
    vector.reset(seed=0)
    vector.step(vector.sample_legal())
    rules = get_variant(variant)
    for seats in rules.settings[rules.seats_option].values if rules.seats_option else ():
        if seats != rules.seats:
            compile_games(variant, **{str(rules.seats_option): seats})
    return STORE.kept


def compile_games(variant: str, **options: Any) -> None:
    """Play a little of a game, a batch and a match."""
    game = Game(variant, seed=0, **options)
    game.observation(oracle=True)
    game.waits(0)
    Game.from_bytes(game.to_bytes()).play(game.legal_actions()[0])
    Game(variant, seed=0, wall=game.record().wall, **options)
    batch = Batch(variant, 1, **options)
    batch.reset()
    batch.step(batch.sample_legal())
    arena.match(variant, ["greedy"] + ["random"] * (game.variant.seats - 1), deals=2, options=options)
