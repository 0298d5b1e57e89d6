"""Hands to ask about: complete, nearly complete, with many equal tiles, or at random."""

import numpy as np
import slow_hands

SETS = 4


def tiles_of(laizi: int, melds: int, drawn: int) -> int:
    """Natural concealed tiles of a hand; `drawn` is 1 where it has its last tile."""
    return 3 * (SETS - melds) + 1 + drawn - laizi


def near_complete(
    rng: np.random.Generator, n: int, kinds: int, laizi: int = 0, melds: int = 0, drawn: int = 1, **family
) -> np.ndarray:
    """(n, kinds) counts: sets and a pair, of which the laizi took the place of some, and up to two tiles are others."""
    sets, pairs = (np.array(part) for part in slow_hands.family_parts(kinds, **family))
    found = np.zeros((0, kinds), np.uint8)
    while len(found) < n:
        chosen = rng.integers(len(sets), size=(2 * n, SETS - melds))
        alike = rng.random(2 * n) < 0.3  # two equal sets now and then: four of a kind
        chosen[alike, 1:2] = chosen[alike, :1]
        pair = pairs[rng.integers(len(pairs), size=2 * n)]
        tiles = np.column_stack([sets[chosen].reshape(2 * n, -1), pair, pair])
        tiles = rng.permuted(tiles, axis=1)[:, : tiles_of(laizi, melds, drawn)]
        for _ in range(2 * min(1, tiles.shape[1])):
            other = np.flatnonzero(rng.random(2 * n) < 0.5)
            tiles[other, rng.integers(tiles.shape[1], size=len(other))] = rng.integers(kinds, size=len(other))
        counts = (tiles[:, :, None] == np.arange(kinds)).sum(axis=1)
        found = np.concatenate([found, counts[counts.max(axis=1) <= 4].astype(np.uint8)])
    return found[:n]


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
