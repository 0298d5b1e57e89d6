"""Questions about one hand, as kernels over suit keys: complete, waits, distance, useful tiles.

`keys` is an int32 array (rows, suits): row `row` is a hand, suits are 3 (27 kinds) or 4 (34 kinds), a key is the sum of
`WEIGHT[kind]` over the natural concealed tiles of that suit. Laizi (wild tiles) are in no key; they are given as a
number and may stand for any tile, also a fifth copy. Called melds are in no key either and need no case of their own.
A mask has bit k set for kind k.

No kind in a returned mask is one the row holds four of: there is no such tile to draw. The kernels never read
outside their tables whatever the keys of up to four copies are, and don't check the number of tiles: that is the caller's.
"""

from mahjong_env.compiled import compiled
from mahjong_env.hands.automaton import FIELD, HONOURS, RANKS
from mahjong_env.hands.tables import (
    BLOCK_BITS,
    CLASS_FIRST,
    CLASS_LAST,
    CLASS_SECOND,
    COST,
    EMPTY_CLASS,
    FULL,
    KINDS_IN_BLOCK,
    MERGE,
    NEED_FIRST,
    NEED_LAST,
    NEED_SECOND,
    ODD,
    PAIR_258,
    PAIRED,
    SAVES_PAIR,
    STANDARD,
    TERMINALS,
    TRIPLETS,
    WEIGHT,
)

HONOUR_SUIT = 3
LOW = FIELD - 1
"""The bits of one block of a key."""

NO_PAIR_YET = 2
"""Laizi that make the pair where no suit saves one by holding it."""

MOST_EXCESS = COST.shape[1] - 1


# --- sets and pair: how many laizi are needed


@compiled
def suit_need(key, suit, family):
    """Laizi this suit needs in a family, + `SAVES_PAIR` if the pair is cheaper here."""
    first = NEED_FIRST[2 * family + (suit == HONOUR_SUIT), key >> 2 * BLOCK_BITS]
    return int(NEED_LAST[NEED_SECOND[first, key >> BLOCK_BITS & LOW], key & LOW])


@compiled
def laizi_of(need):
    """Laizi a whole hand needs, from the sum of its suits' needs: one pair is wanted, and it is best where it saves one."""
    return need % SAVES_PAIR + (NO_PAIR_YET if need < SAVES_PAIR else -1)


@compiled
def family_need_at(keys, row, family):
    """Laizi needed so that all tiles form sets and a pair of the family (a row of NEED_FIRST)."""
    need = 0
    for suit in range(keys.shape[1]):
        need += suit_need(int(keys[row, suit]), suit, family)
    return laizi_of(need)


@compiled
def complete_at(keys, row, laizi):
    """Do all tiles and `laizi` wild tiles form sets and one pair? 3n + 2 tiles, laizi included."""
    return family_need_at(keys, row, STANDARD) <= laizi


@compiled
def pair_258_complete_at(keys, row, laizi):
    """As `complete_at`, the pair being of rank 2, 5 or 8."""
    return family_need_at(keys, row, PAIR_258) <= laizi


@compiled
def triplets_complete_at(keys, row, laizi):
    """As `complete_at`, every set a triplet."""
    return family_need_at(keys, row, TRIPLETS) <= laizi


@compiled
def terminals_complete_at(keys, row, laizi):
    """As `complete_at`, every set and the pair holding a 1 or 9; called melds are the caller's to check."""
    return family_need_at(keys, row, TERMINALS) <= laizi


# --- kinds of a hand as masks


@compiled
def first_kind(suit, block):
    """Kind of the first rank of a block of a suit; the honours' first block has its only kind third."""
    return RANKS * suit + 3 * block - (RANKS - HONOURS if suit == HONOUR_SUIT else 0)


@compiled
def kinds_at(keys, row, what):
    """Mask of the kinds of which the row holds: at least one (`HELD`), two (`PAIRED`), four (`FULL`), or 1 or 3 (`ODD`)."""
    mask = 0
    for suit in range(keys.shape[1]):
        key = int(keys[row, suit])
        for block in range(3):
            pattern = key >> BLOCK_BITS * (2 - block) & LOW
            mask |= int(KINDS_IN_BLOCK[what, pattern]) << first_kind(suit, block)
    return mask


@compiled
def all_kinds(keys):
    """Mask of the kinds of the game: 27, or 34 where there is a suit of honours."""
    return (1 << RANKS * HONOUR_SUIT + (HONOURS if keys.shape[1] > HONOUR_SUIT else 0)) - 1


@compiled
def count_kinds(mask):
    """Number of kinds in a mask."""
    mask -= mask >> 1 & 0x155555555
    mask = (mask & 0x333333333) + (mask >> 2 & 0x333333333)
    mask = mask + (mask >> 4) & 0xF0F0F0F0F
    mask += mask >> 8
    mask += mask >> 16
    return (mask + (mask >> 32)) & 0x3F


# --- waits


@compiled
def waits_at(keys, row, laizi):
    """Mask of the kinds that complete the standard form of 3n + 1 tiles, laizi included."""
    need = 0
    for suit in range(keys.shape[1]):
        need += suit_need(int(keys[row, suit]), suit, STANDARD)
    if laizi_of(need) > laizi + 1:
        return 0
    full = kinds_at(keys, row, FULL)
    mask = 0
    for suit in range(keys.shape[1]):
        key = int(keys[row, suit])
        others = need - suit_need(key, suit, STANDARD)
        for kind in range(RANKS * suit, RANKS * suit + (HONOURS if suit == HONOUR_SUIT else RANKS)):
            if not full >> kind & 1 and laizi_of(others + suit_need(key + int(WEIGHT[kind]), suit, STANDARD)) <= laizi:
                mask |= 1 << kind
    return mask


# --- distance


@compiled
def suit_class(key, suit):
    """Number of the suit's cost vector."""
    first = CLASS_FIRST[int(suit == HONOUR_SUIT), key >> 2 * BLOCK_BITS]
    return CLASS_LAST[CLASS_SECOND[first, key >> BLOCK_BITS & LOW], key & LOW]


@compiled
def class_without(keys, row, left_out):
    """Number of the cost vector of all suits but one (of all, if `left_out` is no suit); 0–3 suits in any order."""
    found = EMPTY_CLASS
    for suit in range(keys.shape[1]):
        if suit != left_out:
            found = MERGE[found, suit_class(int(keys[row, suit]), suit)]
    return found


@compiled
def laizi_distance_at(keys, row, sets, laizi):
    """Distance (shanten: -1 complete, 0 ready) to `sets` sets and a pair, by 3 * sets + 1 or + 2 tiles, laizi included."""
    return int(COST[class_without(keys, row, -1), min(laizi, MOST_EXCESS), sets]) - laizi - 1


@compiled
def distance_at(keys, row, sets):
    """As `laizi_distance_at`, without laizi."""
    return int(COST[class_without(keys, row, -1), 0, sets]) - 1


@compiled
def laizi_useful_at(keys, row, sets, laizi):
    """Mask of the kinds that lower the distance when drawn (a laizi always does, unless the hand is complete)."""
    excess = min(laizi, MOST_EXCESS)
    full = kinds_at(keys, row, FULL)
    now = int(COST[class_without(keys, row, -1), excess, sets])
    mask = 0
    if now <= laizi:
        return mask
    for suit in range(keys.shape[1]):
        key = int(keys[row, suit])
        others = class_without(keys, row, suit)
        for kind in range(RANKS * suit, RANKS * suit + (HONOURS if suit == HONOUR_SUIT else RANKS)):
            if not full >> kind & 1:
                drawn = MERGE[others, suit_class(key + int(WEIGHT[kind]), suit)]
                mask |= int(COST[drawn, excess, sets] < now) << kind
    return mask


@compiled
def useful_at(keys, row, sets):
    """As `laizi_useful_at`, without laizi."""
    return laizi_useful_at(keys, row, sets, 0)


# --- seven pairs, four equal tiles being two of them


@compiled
def seven_pairs_at(keys, row, laizi):
    """Are the 14 tiles, laizi included, seven pairs? Concealed hands only: melds are the caller's to check."""
    return count_kinds(kinds_at(keys, row, ODD)) <= laizi


@compiled
def seven_pairs_waits_at(keys, row, laizi):
    """Mask of the kinds that make 13 tiles, laizi included, seven pairs."""
    odd = kinds_at(keys, row, ODD)
    single = count_kinds(odd)
    if single > laizi + 1:
        return 0
    return odd if single == laizi + 1 else all_kinds(keys) & ~kinds_at(keys, row, FULL)


@compiled
def seven_pairs_missing_at(keys, row):
    """Tiles to be drawn for seven pairs: one for each single tile that is wanted, two for a pair of a new kind."""
    pairs = count_kinds(kinds_at(keys, row, PAIRED)) + count_kinds(kinds_at(keys, row, FULL))
    singles = count_kinds(kinds_at(keys, row, ODD))
    wanted = max(0, 7 - pairs)
    return wanted + max(0, wanted - singles)


@compiled
def seven_pairs_distance_at(keys, row, laizi):
    """Distance of a concealed hand of 13 or 14 tiles, laizi included, to seven pairs."""
    return seven_pairs_missing_at(keys, row) - laizi - 1


@compiled
def seven_pairs_useful_at(keys, row, laizi):
    """Mask of the kinds that lower the distance to seven pairs: single ones, and others where too few are single."""
    missing = seven_pairs_missing_at(keys, row)
    if missing <= laizi:
        return 0
    odd = kinds_at(keys, row, ODD)
    enough = missing <= count_kinds(odd)
    return odd if enough else all_kinds(keys) & ~kinds_at(keys, row, FULL)
