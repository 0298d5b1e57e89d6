"""Compiling a variant ahead of use: every face plays a little, and the machine code stays in the user's cache."""

import importlib.util

from mahjong_env import arena
from mahjong_env.batch import Batch
from mahjong_env.compiled import CACHE
from mahjong_env.game import Game


def precompile(variant: str) -> str:
    """Compile what Game, Batch, matches and, if installed, the SB3 environment need; returns where it is kept, in words."""
    game = Game(variant, seed=0)
    game.observation(oracle=True)
    game.waits(0)
    Game.from_bytes(game.to_bytes()).play(game.legal_actions()[0])
    Game(variant, seed=0, wall=game.record().wall)
    batch = Batch(variant, 1)
    batch.reset()
    batch.step(batch.sample_legal())
    arena.match(variant, ["greedy"] + ["random"] * (game.variant.seats - 1), deals=2)
    if importlib.util.find_spec("stable_baselines3"):
        from mahjong_env.envs.sb3 import sb3_vec_env

        vector = sb3_vec_env(variant, 1)
        vector.reset()
        vector.step(vector.masks.argmax(1))
    return f"in {CACHE}" if CACHE else "nowhere: no writable cache folder"
