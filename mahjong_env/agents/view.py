"""What an agent is given, and what it answers.

An agent is given a `View`: what its seat may see, as arrays, for one table or for many. It may keep whatever it likes between
calls, but the tables of a batch come in any order, so what it keeps must not assume one.
"""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from mahjong_env.compiled import compiled
from mahjong_env.rules.hooks import observe
from mahjong_env.rules.variant import Variant, rows

# --- the protocol -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """What the seats to act see at some tables.

    observation: (n, rows, kinds) int8, as `describe(variant)` explains it; mask: (n, actions) int8, 1 where legal;
    seat: (n,) int8, the seat that sees it; variant: the rules played, with `variant.actions.names`.
    """

    variant: "Variant"
    seat: np.ndarray
    observation: np.ndarray
    mask: np.ndarray
    _games: np.ndarray
    """For the compiled players, which read in the state just what `observation` shows (a test holds them to it)."""
    _tables: np.ndarray


@runtime_checkable
class Agent(Protocol):
    """Something that plays. `View` says what it is given."""

    name: str

    def act(self, view: View) -> int:
        """One table: the number of a legal action."""
        ...

    def act_batch(self, view: View) -> np.ndarray:
        """Many tables: (n,) legal actions, in any integer dtype."""
        ...


@compiled
def show_tables(games, tables, seats, observations, masks):
    """Write what the seats to act at `tables` see and may do; row k belongs to table tables[k]."""
    for k in range(len(tables)):
        game = games[tables[k]]
        seats[k] = game.to_act
        observe(game, int(game.to_act), observations[k], False)
        for action in range(masks.shape[1]):
            masks[k, action] = game.legal[action]


def view_of(rules: Variant, games: np.ndarray, tables: np.ndarray) -> View:
    """What the seats to act at some tables see, for an agent."""
    n = len(tables)
    seats = np.zeros(n, np.int8)
    observations = np.zeros((n, rows(rules), rules.tiles.kinds), np.int8)
    masks = np.zeros((n, len(rules.actions)), np.int8)
    show_tables(games, tables, seats, observations, masks)
    return View(rules, seats, observations, masks, games, tables)
