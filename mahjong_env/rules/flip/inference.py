"""What can be inferred of hidden answers in the flip cycle."""

import random
from typing import Any

import numpy as np

from mahjong_env.hands.zipai import CHI_SETS
from mahjong_env.rules.hooks import plain


@plain(returns="kinds, or None")
def why_asked(state: Any, seat: int, pool: np.ndarray, rng: random.Random) -> tuple[int, ...] | None:
    """Cards out of `pool`, (kinds,) numbers of cards, that would let the seat claim the card on the table: why it, and not
    the viewer, may be the one who is asked. None where there are none."""
    kind = int(state["table_tile"])
    ways: list[tuple[int, ...]] = [(kind, kind)] if pool[kind] >= 2 else []
    for cards in CHI_SETS.tolist():
        if kind in cards:
            others = list(cards)
            others.remove(kind)
            if all(pool[card] >= others.count(card) for card in others):
                ways.append(tuple(others))
    return rng.choice(ways) if ways else None
