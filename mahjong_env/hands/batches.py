"""Questions about many hands given as counts, answered through large tables, which are arguments here.

`hands` is an array of `hand_type(27)` or `hand_type(34)` over (n, kinds) uint8 counts. `suited` is SUITS_ONLY or
WITH_HONOURS. Needs, classes and waits are the tables of `halved_needs()`, `flat_classes()` and `flat_waits()`. A kernel
that finds a count above four, or a wrong number of tiles where that is an error, returns its row, else -1.

Eight counts are read at once as a word of eight bytes, the first count lowest (so on every machine that NumPy's wheels
are made for), and added, checked and packed in all bytes at a time; never beyond 64 bits, since compiled kernels take it
that sums and products of signed numbers stay within.
"""

from functools import cache

import numpy as np

from mahjong_env.compiled import PLAIN, compiled
from mahjong_env.hands.automaton import COPIES, HONOURS, RANKS
from mahjong_env.hands.queries import (
    ALL_SUITED,
    HONOUR_START,
    NO_PAIR_YET,
    hand_useful,
    hand_waits,
    laizi_of,
    missing,
    total_need,
)
from mahjong_env.hands.tables import (
    BLOCK_BITS,
    FLAT_WEIGHT,
    HALF_BITS,
    RADIX,
    STANDARD,
    WAITS_ALONE,
    WAITS_PAIR,
    WAITS_PAIRED,
)

RANK_BITS = (1 << RANKS) - 1
SUM_BITS = (1 << WAITS_PAIRED) - 1


@compiled
def block_of(counts, row, kind):
    """One block of a key: the counts of three kinds in a row as a number of base 5."""
    return (int(counts[row, kind]) * RADIX + int(counts[row, kind + 1])) * RADIX + int(counts[row, kind + 2])


@compiled
def suit_key(counts, row, kind):
    """Key of the suit whose first kind is `kind`."""
    high, middle = block_of(counts, row, kind), block_of(counts, row, kind + 3)
    return high << 2 * BLOCK_BITS | middle << BLOCK_BITS | block_of(counts, row, kind + 6)


@compiled
def honour_key(counts, row):
    """Key of the honours; without them 0, read from the first kinds so that there is no branch."""
    present = int(counts.shape[1] > HONOUR_START)
    kind = HONOUR_START * present
    middle, low = block_of(counts, row, kind + 1), block_of(counts, row, kind + 4)
    return (int(counts[row, kind]) << 2 * BLOCK_BITS | middle << BLOCK_BITS | low) * present


# --- one hand, checked


COMPLETE, DISTANCE, WAITS, USEFUL = range(4)
WRONG = -2
"""The answer for a count above four or a wrong number of tiles; no other answer is below -1."""


@compiled
def tiles_of(counts, row):
    """Number of tiles of a hand, or -1000 if a count is above four."""
    tiles = 0
    for kind in range(counts.shape[1]):
        tiles += int(counts[row, kind]) - 1000 * int(counts[row, kind] > COPIES)
    return max(tiles, -1000)


@compiled
def ask(question, hand, laizi, sets):
    """What is asked about (kinds,) counts, as a number or a mask; -1 ≤ it, or WRONG. `sets`: 4 − called melds."""
    counts = hand.reshape(1, hand.size)
    drawn = tiles_of(counts, 0) + laizi - 3 * sets - 1
    if drawn < -100 or (question != COMPLETE and drawn != 0 and (drawn != 1 or question == WAITS)):
        return WRONG
    m, p = suit_key(counts, 0, 0), suit_key(counts, 0, RANKS)
    s, z = suit_key(counts, 0, 2 * RANKS), honour_key(counts, 0)
    honours = HONOURS * int(hand.size > HONOUR_START)
    if question == COMPLETE:
        return int(drawn == 1 and laizi_of(total_need(m, p, s, z, STANDARD)) <= laizi)
    if question == DISTANCE:
        return missing(m, p, s, z, sets, laizi) - laizi - 1
    if question == WAITS:
        return hand_waits(m, p, s, z, laizi, honours)
    return hand_useful(m, p, s, z, sets, laizi, honours, ALL_SUITED)


# --- many hands: words of eight counts

WITH_HONOURS, SUITS_ONLY = -(1 << 8), 0
"""The bytes of `last` that hold honours: all but the first, or none."""

ONES = 0x0101010101010101
HIGH_BITS = -(1 << 63) | 0x0080808080808080
MOST_COUNTS = COPIES * ONES
HALF = (1 << HALF_BITS) - 1
EIGHT_FLAGS: np.ndarray = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").view(
    np.int64
)[:, 0]
"""(256,) int64: the bits of a byte as eight bytes, the lowest first."""


@cache
def hand_type(kinds: int) -> np.dtype:
    """Counts of a hand as words: m, p, s the first eight of a suit; m9, p9, s9 its ninth; last the last eight of all."""
    words = [("m", "i8", 0), ("p", "i8", RANKS), ("s", "i8", 2 * RANKS), ("last", "i8", kinds - 8)]
    ninths = [("m9", "u1", 8), ("p9", "u1", RANKS + 8), ("s9", "u1", 2 * RANKS + 8)]
    names, formats, offsets = (list(part) for part in zip(*words, *ninths, strict=True))
    base = np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": kinds})
    return np.dtype((np.record, base)) if PLAIN else base


@compiled
def above_four(word):
    """Has a byte's highest bit set if a count is above four: by itself, or once it is taken from four."""
    return word | MOST_COUNTS - (word & ~HIGH_BITS)


@compiled
def is_wrong(hand):
    """Is a count above four? (`last` holds the ninth count of the third suit too.)"""
    high = above_four(int(hand.m)) | above_four(int(hand.p)) | above_four(int(hand.s)) | above_four(int(hand.last))
    return (high | COPIES - int(hand.m9) | COPIES - int(hand.p9)) & HIGH_BITS != 0


@compiled
def tiles_held(hand, suited):
    """Number of tiles, the counts being right."""
    words = int(hand.m) + int(hand.p) + int(hand.s) + (int(hand.last) & suited)
    fours = words + (words >> 32) & 0xFFFFFFFF
    return (fours * 0x01010101 >> 24 & 0xFF) + int(hand.m9) + int(hand.p9) + int(hand.s9)


@compiled
def halves(word):
    """Eight counts as two halves of HALF_BITS, the first four lowest and the others from bit 32 on."""
    twos = (word | word >> 5) & 0x003F003F003F003F
    return twos | twos >> 10


@compiled
def suit_need(word, ninth, suits, entries):
    """Need of a suit, by `halved_needs`."""
    both = halves(word)
    row = int(suits[ninth << HALF_BITS | both >> 32 & HALF])
    return int(entries[row << HALF_BITS | both & HALF])


@compiled
def honour_need(word, honours, entries):
    """Need of the honours, in the last seven bytes of the word."""
    both = halves(word)
    return int(entries[int(honours[both & HALF]) << HALF_BITS | both >> 32 & HALF])


@compiled
def pattern_of(word):
    """Eight counts as a number of base 5, the first count the highest digit."""
    twos = word * RADIX + (word >> 8) & 0x00FF00FF00FF00FF
    fours = twos * RADIX**2 + (twos >> 16) & 0x0000FFFF0000FFFF
    return fours * RADIX**4 + (fours >> 32) & 0xFFFFFFFF


@compiled
def patterns(hand, suited):
    """The patterns of the suits and of the honours, as `Flat` tables are read."""
    m, p = pattern_of(int(hand.m)) * RADIX + int(hand.m9), pattern_of(int(hand.p)) * RADIX + int(hand.p9)
    return m, p, pattern_of(int(hand.s)) * RADIX + int(hand.s9), pattern_of(int(hand.last) & suited)


# --- many hands: the questions


@compiled
def complete_hands(hands, suited, laizi, tiles, suits, honours, entries, answers):
    """answers[i]: is hand i complete? `tiles`: how many natural tiles a complete hand has."""
    for row in range(len(hands)):
        hand = hands[row]
        if is_wrong(hand):
            return row
        need = suit_need(int(hand.m), int(hand.m9), suits, entries) + suit_need(
            int(hand.p), int(hand.p9), suits, entries
        )
        need += suit_need(int(hand.s), int(hand.s9), suits, entries)
        need += honour_need(int(hand.last) & suited, honours, entries)
        answers[row] = (tiles_held(hand, suited) == tiles) & (laizi_of(need) <= laizi)
    return -1


@compiled
def distance_of_hands(hands, suited, laizi, tiles, suit_classes, honour_classes, merge, cost, distances):
    """distances[i]; `cost`: of two parts, for this number of sets; `tiles`: natural tiles before a draw."""
    for row in range(len(hands)):
        hand = hands[row]
        if is_wrong(hand):
            return row
        drawn = tiles_held(hand, suited) - tiles
        if drawn != 0 and drawn != 1:
            return row
        m, p, s, z = patterns(hand, suited)
        ab, cd = merge[suit_classes[m], suit_classes[p]], merge[suit_classes[s], honour_classes[z]]
        distances[row] = int(cost[ab, cd]) - laizi - 1
    return -1


@compiled
def suit_of_waits(entry, saving):
    """Nine bits: what completes a hand lacking one tile, in a suit; `saving`: suits where the pair saves one.

    The pair is to be here unless another suit's saves one. (Bits instead of branches, which would often be guessed wrong.)
    """
    elsewhere = saving - (entry >> WAITS_PAIR & 1) + 3 >> 2
    return entry >> WAITS_PAIRED + (WAITS_ALONE - WAITS_PAIRED) * elsewhere & RANK_BITS


@compiled
def write_kinds(hand, mask, honours, answer):
    """Set a byte for every kind of the mask but those the hand holds four of: only such a count has a third bit."""
    answer.m = int(EIGHT_FLAGS[mask & 0xFF]) & ~(int(hand.m) >> 2)
    answer.m9 = mask >> 8 & ~(int(hand.m9) >> 2) & 1
    answer.p = int(EIGHT_FLAGS[mask >> RANKS & 0xFF]) & ~(int(hand.p) >> 2)
    answer.p9 = mask >> RANKS + 8 & ~(int(hand.p9) >> 2) & 1
    answer.s = int(EIGHT_FLAGS[mask >> 2 * RANKS & 0xFF]) & ~(int(hand.s) >> 2)
    last = int(EIGHT_FLAGS[mask >> HONOUR_START - 8 + honours & 0xFF]) & ~(int(hand.last) >> 2)
    answer.last = last  # after `s`, which it may overlap


@compiled
def waits_of_hands(hands, suited, laizi, tiles, suit_waits, honour_waits, answers):
    """The kinds that complete each hand; `answers` is an array of `hand_type` over (n, kinds) bools."""
    honours = HONOURS * int(suited == WITH_HONOURS)
    every = (1 << HONOUR_START + honours) - 1
    for row in range(len(hands)):
        hand = hands[row]
        if is_wrong(hand) or tiles_held(hand, suited) != tiles:
            return row
        m, p, s, z = patterns(hand, suited)
        a, b, c, d = int(suit_waits[m]), int(suit_waits[p]), int(suit_waits[s]), int(honour_waits[z])
        total = (a & SUM_BITS) + (b & SUM_BITS) + (c & SUM_BITS) + (d & SUM_BITS)
        saving = total >> WAITS_PAIR
        lacking = (total & (1 << WAITS_PAIR) - 1) - 1 + (NO_PAIR_YET + 1) * (1 >> saving) - laizi
        if lacking > 1:
            write_kinds(hand, 0, honours, answers[row])
            continue
        mask = suit_of_waits(a, saving) | suit_of_waits(b, saving) << RANKS
        mask |= suit_of_waits(c, saving) << 2 * RANKS | suit_of_waits(d, saving) << HONOUR_START
        if lacking < 1:  # laizi to spare take any tile in
            mask = every
        write_kinds(hand, mask, honours, answers[row])
    return -1


@compiled
def lowering(pattern, kind, kinds, classes, others, cost, now):
    """Bits for the kinds from `kind` on, all of one suit, that lower the cost below `now`."""
    mask = 0
    for rank in range(kinds):
        after = classes[pattern + int(FLAT_WEIGHT[kind + rank])]
        mask |= int(cost[others, after] < now) << rank
    return mask << kind


@compiled
def useful_of_hands(
    hands, suited, laizi, tiles, suit_classes, honour_classes, merge, cost, distances, answers
):  # fmt: skip
    """The kinds that lower distances[i]; `answers` as in `waits_of_hands`."""
    honours = HONOURS * int(suited == WITH_HONOURS)
    for row in range(len(hands)):
        hand = hands[row]
        if is_wrong(hand):
            return row
        drawn = tiles_held(hand, suited) - tiles
        if drawn != 0 and drawn != 1:
            return row
        m, p, s, z = patterns(hand, suited)
        a, b, c, d = int(suit_classes[m]), int(suit_classes[p]), int(suit_classes[s]), int(honour_classes[z])
        ab, cd = int(merge[a, b]), int(merge[c, d])
        now = int(cost[ab, cd])
        distances[row] = now - laizi - 1
        now *= int(now > laizi)  # nothing lowers the distance of a complete hand
        mask = lowering(m, 0, RANKS, suit_classes, int(merge[b, cd]), cost, now)
        mask |= lowering(p, RANKS, RANKS, suit_classes, int(merge[a, cd]), cost, now)
        mask |= lowering(s, 2 * RANKS, RANKS, suit_classes, int(merge[ab, d]), cost, now)
        mask |= lowering(z, HONOUR_START, honours, honour_classes, int(merge[ab, c]), cost, now)
        write_kinds(hand, mask, honours, answers[row])
    return -1
