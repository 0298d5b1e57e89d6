"""Questions about many hands given as counts: one look-up a suit in flat tables, which are arguments here.

`counts` is (hands, 27 or 34) uint8 with no count above four (the caller checks). Needs, classes and waits are the
tables of `flat_needs()`, `flat_counted_classes()`, `flat_classes()` and `flat_waits()`, one for suits and one for
honours. A kernel that finds a hand with the wrong number of tiles returns its row, else -1.
"""

from mahjong_env.compiled import compiled
from mahjong_env.hands.automaton import COPIES, HONOURS, RANKS
from mahjong_env.hands.queries import (
    ALL_HONOURS,
    ALL_SUITED,
    HONOUR_START,
    NO_PAIR_YET,
    hand_kinds,
    hand_useful,
    hand_waits,
    laizi_of,
    missing,
    total_need,
)
from mahjong_env.hands.tables import (
    BLOCK_BITS,
    CLASS_SHIFT,
    FULL,
    NEED_TILES,
    STANDARD,
    WAITS_ALONE,
    WAITS_PAIR,
    WAITS_PAIRED,
    WAITS_TILES,
    WEIGHT,
)

RADIX = COPIES + 1
NEED_BITS = (1 << NEED_TILES) - 1
TILES_BITS = (1 << CLASS_SHIFT) - 1
RANK_BITS = (1 << RANKS) - 1
SUM_BITS = (1 << WAITS_ALONE) - 1


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
    return hand_useful(m, p, s, z, sets, laizi, honours)


# --- many hands


@compiled
def complete_hands(counts, laizi, tiles, suit_needs, honour_needs, answers):
    """answers[i]: is hand i complete? `tiles`: how many natural tiles a complete hand has."""
    for row in range(len(counts)):
        total = int(suit_needs[suit_key(counts, row, 0)]) + int(suit_needs[suit_key(counts, row, RANKS)])
        total += int(suit_needs[suit_key(counts, row, 2 * RANKS)]) + int(honour_needs[honour_key(counts, row)])
        fits = total >> NEED_TILES == tiles
        answers[row] = fits & (laizi_of(total & NEED_BITS) <= laizi)


@compiled
def distance_of_hands(counts, laizi, tiles, suit_classes, honour_classes, merge, cost, distances):
    """distances[i]; `cost`: of two parts, for this number of sets; `tiles`: natural tiles before a draw."""
    for row in range(len(counts)):
        a, b = int(suit_classes[suit_key(counts, row, 0)]), int(suit_classes[suit_key(counts, row, RANKS)])
        c, d = int(suit_classes[suit_key(counts, row, 2 * RANKS)]), int(honour_classes[honour_key(counts, row)])
        drawn = (a + b + c + d & TILES_BITS) - tiles
        if drawn != 0 and drawn != 1:
            return row
        ab, cd = merge[a >> CLASS_SHIFT, b >> CLASS_SHIFT], merge[c >> CLASS_SHIFT, d >> CLASS_SHIFT]
        distances[row] = int(cost[ab, cd]) - laizi - 1
    return -1


@compiled
def suit_of_waits(entry, saving):
    """Nine bits: what completes a hand lacking one tile, in a suit; `saving`: suits where the pair saves one."""
    here = entry >> WAITS_PAIR & 1
    alone = int(saving == 0 or saving > here)
    paired = int(saving == 0 or here == 1)
    return entry >> WAITS_ALONE & RANK_BITS * alone | entry >> WAITS_PAIRED & RANK_BITS * paired


@compiled
def waits_of_hands(counts, laizi, tiles, suit_waits, honour_waits, answers):
    """Set answers[i, kind], all False before, where the kind completes hand i."""
    every = ALL_SUITED + ALL_HONOURS * int(counts.shape[1] > HONOUR_START)
    for row in range(len(counts)):
        m, p = suit_key(counts, row, 0), suit_key(counts, row, RANKS)
        s, z = suit_key(counts, row, 2 * RANKS), honour_key(counts, row)
        a, b, c, d = int(suit_waits[m]), int(suit_waits[p]), int(suit_waits[s]), int(honour_waits[z])
        total = (a & SUM_BITS) + (b & SUM_BITS) + (c & SUM_BITS) + (d & SUM_BITS)
        if total >> WAITS_TILES != tiles:
            return row
        saving = total >> WAITS_PAIR & 7
        lacking = (total & (1 << WAITS_PAIR) - 1) + (NO_PAIR_YET if saving == 0 else -1) - laizi
        if lacking > 1:
            continue
        if lacking == 1:
            mask = suit_of_waits(a, saving) | suit_of_waits(b, saving) << RANKS
            mask |= suit_of_waits(c, saving) << 2 * RANKS | suit_of_waits(d, saving) << HONOUR_START
        else:  # laizi to spare take any tile in
            mask = every & ~hand_kinds(m, p, s, z, FULL)
        for kind in range(counts.shape[1]):
            answers[row, kind] = mask >> kind & 1
    return -1


@compiled
def useful_of_hands(counts, laizi, tiles, suit_classes, honour_classes, merge, cost, distances, answers):
    """answers[i, kind]: does the kind lower distances[i]? (The calls are few and the loop long: see `queries`.)"""
    for row in range(len(counts)):
        keys = suit_key(counts, row, 0), suit_key(counts, row, RANKS), suit_key(counts, row, 2 * RANKS)
        a, b, c = int(suit_classes[keys[0]]), int(suit_classes[keys[1]]), int(suit_classes[keys[2]])
        z = honour_key(counts, row)
        d = int(honour_classes[z])
        ab, cd = int(merge[a, b]), int(merge[c, d])
        now, drawn = int(cost[ab, cd]), -tiles
        distances[row] = now - laizi - 1
        now *= int(now > laizi)  # nothing lowers the distance of a complete hand
        others = int(merge[b, cd]), int(merge[a, cd]), int(merge[ab, d])
        for suit in range(3):
            for kind in range(RANKS * suit, RANKS * suit + RANKS):
                after = suit_classes[keys[suit] + int(WEIGHT[kind])]
                answers[row, kind] = (cost[others[suit], after] < now) & (counts[row, kind] < COPIES)
                drawn += int(counts[row, kind])
        without = int(merge[ab, c])
        for kind in range(HONOUR_START, counts.shape[1]):
            after = honour_classes[z + int(WEIGHT[kind])]
            answers[row, kind] = (cost[without, after] < now) & (counts[row, kind] < COPIES)
            drawn += int(counts[row, kind])
        if drawn != 0 and drawn != 1:
            return row
    return -1
