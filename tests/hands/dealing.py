"""Hands to ask about: complete, nearly complete, with many equal tiles, or at random."""

import numpy as np
import slow_hands

SETS = 4


def tiles_of(laizi: int, melds: int, drawn: int) -> int:
    """Natural concealed tiles of a hand; `drawn` is 1 where it has its last tile."""
    return 3 * (SETS - melds) + 1 + drawn - laizi


def near_complete(
    rng: np.random.Generator, n: int, kinds: int, laizi: int = 0, melds: int = 0, drawn: int = 1, **family
):
    """(n, kinds) counts: sets and a pair, of which the laizi took the place of some, and up to two tiles are others."""
    sets, pairs = slow_hands.family_parts(kinds, **family)
    hands = []
    while len(hands) < n:
        near = rng.integers(len(sets)) if rng.random() < 0.3 else None  # equal sets now and then: four of a kind
        chosen = [sets[rng.integers(len(sets)) if near is None else near] for _ in range(SETS - melds)]
        tiles = np.array([*sum(chosen, ()), *(pairs[rng.integers(len(pairs))],) * 2])
        rng.shuffle(tiles)
        tiles = tiles[: tiles_of(laizi, melds, drawn)]
        for _ in range(rng.integers(3)):
            if len(tiles):
                tiles[rng.integers(len(tiles))] = rng.integers(kinds)
        counts = np.bincount(tiles, minlength=kinds)
        if counts.max() <= 4:
            hands.append(counts)
    return np.array(hands, np.uint8)


def quads(rng: np.random.Generator, n: int, kinds: int, laizi: int, melds: int, drawn: int) -> np.ndarray:
    """(n, kinds) counts with as many fours of a kind as fit, where laizi may be further copies."""
    hands = np.zeros((n, kinds), np.uint8)
    for hand in hands:
        left = tiles_of(laizi, melds, drawn)
        while left:
            kind = rng.integers(kinds)
            more = min(left, 4 - int(hand[kind]), int(rng.choice([4, 4, 3, 2, 1])))
            hand[kind] += more
            left -= more
    return hands
