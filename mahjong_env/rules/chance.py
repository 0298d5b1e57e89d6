"""Random numbers inside kernels: xoshiro128++ (Blackman and Vigna) on words masked to 32 bits.

Masked signed integers give the same numbers compiled and plain. A game keeps its generator's state, (4,) uint32, in
`random`.
"""

import numpy as np

from mahjong_env.compiled import compiled

MASK = 0xFFFFFFFF


@compiled
def _mix(word):
    """A 32-bit finaliser: every input bit changes about half of the output bits."""
    word = (word ^ (word >> 16)) & MASK
    word = (word * 0x85EBCA6B) & MASK
    word = (word ^ (word >> 13)) & MASK
    word = (word * 0xC2B2AE35) & MASK
    return (word ^ (word >> 16)) & MASK


@compiled
def seed_random(state, low, high, table, hand):
    """Start a generator, (4,) uint32, from a 64-bit seed in two halves, a table's number and the hand's number there."""
    word = 0x9E3779B9
    for part in range(4):
        word = _mix(word ^ _mix(int(low) + part))
        word = _mix(word + _mix(int(high) ^ 0x5851F42D))
        word = _mix(word ^ _mix(int(table) + 0x2545F491))
        word = _mix(word + _mix(int(hand) ^ 0x14057B7E))
        state[part] = word | (part == 0)  # the all-zero state would never leave zero


@compiled
def random_below(state, n):
    """The next number in 0..n-1, n below 2**31; the bias is below n / 2**32."""
    s0, s1, s2, s3 = np.int64(state[0]), np.int64(state[1]), np.int64(state[2]), np.int64(state[3])
    total = (s0 + s3) & MASK
    word = ((((total << 7) | (total >> 25)) & MASK) + s0) & MASK
    shifted = (s1 << 9) & MASK
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = ((s3 << 11) | (s3 >> 21)) & MASK
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    return int((word * int(n)) >> 32)


@compiled
def shuffle_wall(game):
    """Put the tiles of the wall in random order (Fisher–Yates)."""
    for last in range(len(game.wall) - 1, 0, -1):
        other = random_below(game.random, last + 1)
        kind = game.wall[last]
        game.wall[last] = game.wall[other]
        game.wall[other] = kind


LARGEST_SEED = 2**64


def seed_halves(seed: int) -> tuple[int, int]:
    """A seed in two halves of 32 bits, as kernels take it; ValueError unless 0 <= seed < 2**64."""
    if not isinstance(seed, int | np.integer) or not 0 <= int(seed) < LARGEST_SEED:
        raise ValueError(f"seed {seed!r} is not possible; it takes a whole number from 0 to 2**64 - 1")
    return int(seed) & 0xFFFFFFFF, int(seed) >> 32
