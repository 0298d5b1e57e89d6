"""Questions about many hands given as counts, answered through large tables, which are arguments here.

`hands` is an array of `hand_type(27)` or `hand_type(34)` over (n, kinds) uint8 counts. `suited` is SUITS_ONLY or
WITH_HONOURS. `suits`, `honours` and `fours` are the tables of `places()`; needs, classes and waits those of
`sorted_needs()`, `sorted_classes()` and `sorted_waits()`. A kernel that finds a count above four, or a wrong number of
tiles where that is an error, returns its row, else -1.

Eight counts are read at once as a word of eight bytes, the first count lowest (so on every machine that NumPy's wheels
are made for), and checked and packed in all bytes at a time.
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
    HALF,
    HALF_BITS,
    RADIX,
    STANDARD,
    TILES_AT,
    WAITS_ALONE,
    WAITS_CHANGED,
    WAITS_PAIR,
    WRONG_TILES,
)


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

ABOVE_SEVEN = -(1 << 63) | 0x78F8F8F8F8F8F8F8
HALF_OF_SUIT = (1 << HALF_BITS) - 1
PLACE = (1 << TILES_AT) - 1
NEED = (1 << WAITS_ALONE) - 1
RANK_BITS = (1 << RANKS) - 1
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
def above_seven(hand):
    """Is a count above seven, so that it can't be read in three bits?"""
    words = int(hand.m) | int(hand.p) | int(hand.s) | int(hand.last)
    return words & ABOVE_SEVEN | (int(hand.m9) | int(hand.p9)) & 0xF8 != 0  # `last` holds the third suit's ninth


@compiled
def halves(word):
    """Eight counts as two halves of HALF_BITS, the first four lowest and the others from bit 32 on."""
    twos = (word | word >> 5) & 0x003F003F003F003F
    return twos | twos >> 10


@compiled
def halves_of_suit(word, ninth):
    """A suit's last five counts and its first four, in three bits each."""
    both = halves(word)
    return ninth << HALF_BITS | both >> 32 & HALF_OF_SUIT, both & HALF_OF_SUIT


@compiled
def halves_of_hand(hand, suited):
    """The halves of each suit as `places()` are read; of the honours, a 0 and the first three, and the last four."""
    m, p = halves_of_suit(int(hand.m), int(hand.m9)), halves_of_suit(int(hand.p), int(hand.p9))
    honours = halves(int(hand.last) & suited)
    z = honours & HALF_OF_SUIT, honours >> 32 & HALF_OF_SUIT
    return m, p, halves_of_suit(int(hand.s), int(hand.s9)), z


@compiled
def place(both, rows, fours):
    """Place of a suit by its halves, its number of tiles from TILES_AT on; `rows`: suits or honours."""
    return int(rows[both[0]]) + int(fours[both[1]])


# --- many hands: the questions


@compiled
def complete_hands(hands, suited, laizi, tiles, suits, honours, fours, needs, answers):
    """answers[i]: is hand i complete? `tiles`: how many natural tiles a complete hand has."""
    for row in range(len(hands)):
        hand = hands[row]
        if above_seven(hand):
            return row
        m, p, s, z = halves_of_hand(hand, suited)
        a, b, c, d = place(m, suits, fours), place(p, suits, fours), place(s, suits, fours), place(z, honours, fours)
        held = a + b + c + d >> TILES_AT
        if held >= WRONG_TILES:
            return row
        need = int(needs[a & PLACE]) + int(needs[b & PLACE]) + int(needs[c & PLACE]) + int(needs[d & PLACE])
        answers[row] = (held == tiles) & (laizi_of(need) <= laizi)
    return -1


@compiled
def distance_of_hands(hands, suited, laizi, tiles, suits, honours, fours, classes, merge, cost, distances):
    """distances[i]; `cost`: of two parts, for this number of sets; `tiles`: natural tiles before a draw."""
    for row in range(len(hands)):
        hand = hands[row]
        if above_seven(hand):
            return row
        m, p, s, z = halves_of_hand(hand, suited)
        a, b, c, d = place(m, suits, fours), place(p, suits, fours), place(s, suits, fours), place(z, honours, fours)
        drawn = (a + b + c + d >> TILES_AT) - tiles
        if drawn != 0 and drawn != 1:
            return row
        ab, cd = merge[classes[a & PLACE], classes[b & PLACE]], merge[classes[c & PLACE], classes[d & PLACE]]
        distances[row] = int(cost[ab, cd]) - laizi - 1
    return -1


@compiled
def write_kinds(hand, m, p, s, z, suited, answer):
    """Set a byte for every rank of the suits' masks but those the hand holds four of: only such a count has a third bit."""
    answer.m = int(EIGHT_FLAGS[m & 0xFF]) & ~(int(hand.m) >> 2)
    answer.m9 = m >> 8 & ~(int(hand.m9) >> 2) & 1
    answer.p = int(EIGHT_FLAGS[p & 0xFF]) & ~(int(hand.p) >> 2)
    answer.p9 = p >> 8 & ~(int(hand.p9) >> 2) & 1
    answer.s = int(EIGHT_FLAGS[s & 0xFF]) & ~(int(hand.s) >> 2)
    last = (s & RANK_BITS | z << RANKS) >> (RANKS - 1 if suited == WITH_HONOURS else 1)
    answer.last = int(EIGHT_FLAGS[last & 0xFF]) & ~(int(hand.last) >> 2)  # after `s`, which it may overlap


@compiled
def waits_of_suit(entry, others):
    """The ranks of a suit that complete a hand lacking one tile, and higher bits; `others`: entries of the other suits.

    The pair is to be here unless another suit's saves one. (Bits instead of branches, which would often be guessed wrong.)
    """
    elsewhere = others >> WAITS_PAIR
    return entry >> WAITS_ALONE ^ entry >> WAITS_CHANGED & ~elsewhere


@compiled
def waits_of_hands(hands, suited, laizi, tiles, suits, honours, fours, waits, answers):
    """The kinds that complete each hand; `answers` is an array of `hand_type` over (n, kinds) bools."""
    for row in range(len(hands)):
        hand = hands[row]
        if above_seven(hand):
            return row
        m, p, s, z = halves_of_hand(hand, suited)
        a, b, c, d = place(m, suits, fours), place(p, suits, fours), place(s, suits, fours), place(z, honours, fours)
        if a + b + c + d >> TILES_AT != tiles:
            return row
        a, b, c, d = int(waits[a & PLACE]), int(waits[b & PLACE]), int(waits[c & PLACE]), int(waits[d & PLACE])
        ab, cd = a | b, c | d
        lacking = (a + b + c + d & NEED) + (NO_PAIR_YET if ab | cd >= 0 else -1) - laizi
        if lacking > 1:
            write_kinds(hand, 0, 0, 0, 0, suited, answers[row])
            continue
        every = -int(lacking < 1)  # laizi to spare take any tile in
        a, b = waits_of_suit(a, b | cd) | every, waits_of_suit(b, a | cd) | every
        c, d = waits_of_suit(c, ab | d) | every, waits_of_suit(d, ab | c) | every
        write_kinds(hand, a, b, c, d, suited, answers[row])
    return -1


@compiled
def lowering(half, ranks, rows, other, classes, others, cost, now):
    """Bits for the ranks in this half of a suit that lower the cost below `now`; `other`: place of the other half."""
    mask = 0
    for rank in range(ranks):  # with four held already this reads a wrong, harmless entry
        after = classes[int(rows[half + (1 << 3 * rank)]) + other & PLACE]
        mask |= int(cost[others, after] < now) << rank
    return mask


@compiled
def lowering_suit(suit, suits, fours, classes, others, cost, now):
    """Such bits for the nine ranks of a suit."""
    mask = lowering(suit[1], HALF, fours, int(suits[suit[0]]), classes, others, cost, now)
    return mask | lowering(suit[0], RANKS - HALF, suits, int(fours[suit[1]]), classes, others, cost, now) << HALF


@compiled
def lowering_honours(z, honours, fours, classes, others, cost, now):
    """Such bits for the honours, before the first of which a half has another place."""
    mask = lowering(z[0], HALF, honours, int(fours[z[1]]), classes, others, cost, now) >> 1
    return mask | lowering(z[1], HALF, fours, int(honours[z[0]]), classes, others, cost, now) << HALF - 1


@compiled
def useful_of_hands(
    hands, suited, laizi, tiles, suits, honours, fours, classes, merge, cost, distances, answers
):  # fmt: skip
    """The kinds that lower distances[i]; `answers` as in `waits_of_hands`."""
    for row in range(len(hands)):
        hand = hands[row]
        if above_seven(hand):
            return row
        m, p, s, z = halves_of_hand(hand, suited)
        a, b, c, d = place(m, suits, fours), place(p, suits, fours), place(s, suits, fours), place(z, honours, fours)
        drawn = (a + b + c + d >> TILES_AT) - tiles
        if drawn != 0 and drawn != 1:
            return row
        a, b = int(classes[a & PLACE]), int(classes[b & PLACE])
        c, d = int(classes[c & PLACE]), int(classes[d & PLACE])
        ab, cd = int(merge[a, b]), int(merge[c, d])
        now = int(cost[ab, cd])
        distances[row] = now - laizi - 1
        now *= int(now > laizi)  # nothing lowers the distance of a complete hand
        in_m = lowering_suit(m, suits, fours, classes, int(merge[b, cd]), cost, now)
        in_p = lowering_suit(p, suits, fours, classes, int(merge[a, cd]), cost, now)
        in_s = lowering_suit(s, suits, fours, classes, int(merge[ab, d]), cost, now)
        in_z = lowering_honours(z, honours, fours, classes, int(merge[ab, c]), cost, now)
        write_kinds(hand, in_m, in_p, in_s, in_z, suited, answers[row])
    return -1
