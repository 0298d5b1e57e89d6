"""A turn cycle as an object: who is asked when, and all that comes with it.

`draw/` and `flip/` hold the two of the package, `DRAW` and `FLIP`; a stranger's third one is made the same way: kernels that
deal, play and observe, the questions they ask, and plain functions that read hands and positions.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mahjong_env.rules.hooks import Question
from mahjong_env.rules.observation import Piece
from mahjong_env.rules.state import Field
from mahjong_env.tiles import TileSet


@dataclass(frozen=True, eq=False)
class Cycle:
    """A turn cycle.

    name: a word; deal, start, play, resume, observe: its kernels, which answer the hooks of these names in `hooks.py`;
    questions: what it asks of a variant beside what every game is asked; pieces: what every observation shows first;
    fields: of the state beside the common ones; win_by: how a hand is won, by the name used in notation; takes_win_tile:
    the winning tile enters the hand; has_sizes: all hands have one size but for the seat's in turn; verbs: those that
    every variant of it must have; keys_of: for a set of tiles the column of `keys` and the weight of each kind, and the
    number of columns; set_up: lays a position from notation; lay_hand: lays one hand.
    """

    name: str
    deal: Callable[..., Any]
    start: Callable[..., Any]
    play: Callable[..., Any]
    resume: Callable[..., Any]
    observe: Callable[..., Any]
    questions: Mapping[str, Question]
    pieces: tuple[Piece, ...]
    win_by: Mapping[str, int]
    set_up: Callable[..., Any]
    lay_hand: Callable[..., Any]
    keys_of: Callable[[TileSet], tuple[np.ndarray, np.ndarray, int]]
    fields: tuple[Field, ...] = ()
    takes_win_tile: bool = True
    has_sizes: bool = True
    verbs: tuple[str, ...] = ()

    @property
    def kernels(self) -> dict[str, Callable[..., Any]]:
        """The kernels by the hook that each answers."""
        return {name: getattr(self, name) for name in ("deal", "start", "play", "resume", "observe")}
