"""Compiling a variant ahead of use: every face plays a little, and the machine code stays in the user's cache."""

from mahjong_env import arena
from mahjong_env.batch import Batch
from mahjong_env.compiled import CACHE
from mahjong_env.envs.vector import MahjongVectorEnv
from mahjong_env.game import Game


def precompile(variant: str) -> str:
    """Compile what Game, Batch, matches and environments need; returns where it is kept, in words."""
    game = Game(variant, seed=0)
    game.observation(oracle=True)
    game.waits(0)
    Game.from_bytes(game.to_bytes()).play(game.legal_actions()[0])
    Game(variant, seed=0, wall=game.record().wall)
    batch = Batch(variant, 1)
    batch.reset()
    batch.step(batch.sample_legal())
    arena.match(variant, ["greedy"] + ["random"] * (game.variant.seats - 1), deals=2)
    vector = MahjongVectorEnv(variant, num_envs=1)
    vector.reset(seed=0)
    vector.step(vector.sample_legal())
    return f"in {CACHE}" if CACHE else "nowhere: no writable cache folder"
