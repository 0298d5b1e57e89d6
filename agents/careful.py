"""An agent that plays by what it sees and nothing else: a model for one of your own.

    mahjong-env match sichuan agents.careful:Careful random random random --deals 50

It wins when it can, claims nothing else, and discards what it has fewest of and what lies on the table most often: tiles
that are hard to use and safe to give.
"""

import numpy as np

from mahjong_env.agents.view import View
from mahjong_env.rules.variant import Variant, pieces

ALWAYS = ("hu",)
"""Played whenever it is legal."""


class Careful:
    """Keeps pairs and gives what is safe."""

    name = "careful"

    def __init__(self, variant: Variant):
        names = variant.actions.names
        self._verbs = np.array([name.split()[0] for name in names])
        self._kinds = {name: kind for kind, name in enumerate(variant.tiles.names)}
        self._names = names
        places = np.cumsum([0, *(piece.rows for piece in pieces(variant))])
        self._rows = {piece.name: slice(a, b) for piece, a, b in zip(pieces(variant), places, places[1:], strict=False)}

    def act(self, view: View) -> int:
        """One table."""
        return int(self.act_batch(view)[0])

    def act_batch(self, view: View) -> np.ndarray:
        """(n,) legal actions."""
        return np.array([self._choose(seen, mask) for seen, mask in zip(view.observation, view.mask, strict=True)])

    def _choose(self, seen: np.ndarray, mask: np.ndarray) -> int:
        legal = np.flatnonzero(mask)
        for action in legal:
            if self._verbs[action] in ALWAYS:
                return int(action)
        passes = [action for action in legal if self._verbs[action] == "pass"]
        if passes:
            return int(passes[0])
        discards = [action for action in legal if self._verbs[action] == "discard"]
        return int(min(discards, key=lambda action: self._worth(seen, action))) if discards else int(legal[0])

    def _worth(self, seen: np.ndarray, action: int) -> tuple[int, int]:
        """What a tile is worth keeping: how many of it the hand holds, then how few lie on the table."""
        kind = self._kinds[self._names[action].split()[1]]
        held = int(seen[self._rows["hand"], kind].sum())
        gone = int(seen[self._rows["discards"], kind].sum()) + int(seen[self._rows["melds"], kind].sum())
        return held, -gone
