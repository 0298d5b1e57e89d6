"""Questions about one hand, as kernels over suit keys: complete, waits, distance, useful tiles.

A hand is four keys m, p, s, z, the sums of `WEIGHT[kind]` over the natural concealed tiles of each suit (z 0 in a game
without honours), or a row of an int32 array `keys` (rows, suits) with 3 suits (27 kinds) or 4 (34 kinds). Laizi (wild
tiles) are in no key; they are given as a number and may stand for any tile, also a fifth copy. Called melds are in no
key either and need no case of their own. A mask has bit k set for kind k.

No kind in a returned mask is one the hand holds four of: there is no such tile to draw. The number of tiles is the
caller's to check, and that no kind is held more than four times; then no kernel reads outside its tables.

Functions that take `keys` are straight lines: with a branch, Numba would count references to the array in every call,
which costs more than the look-ups.
"""

from mahjong_env.compiled import compiled
from mahjong_env.hands.automaton import FIELD, HONOURS, RANKS
from mahjong_env.hands.tables import (
    BLOCK_BITS,
    CLASS_FIRST,
    CLASS_LAST,
    CLASS_SECOND,
    COST,
    FULL,
    KINDS_IN_BLOCK,
    MERGE,
    NEED_FIRST,
    NEED_LAST,
    NEED_SECOND,
    ODD,
    PAIR_258,
    PAIRS_BITS,
    PAIRS_IN_BLOCK,
    RADIX,
    SAVES_PAIR,
    STANDARD,
    TERMINALS,
    TRIPLETS,
    WEIGHT,
)

HONOUR_SUIT = 3
HONOUR_START = RANKS * HONOUR_SUIT
"""The first kind of honour."""

LOW = FIELD - 1
"""The bits of one block of a key."""

NO_PAIR_YET = 2
"""Laizi that make the pair where no suit saves one by holding it."""

MOST_EXCESS = COST.shape[1] - 1
SUIT = (1 << RANKS) - 1
ALL_SUITED = (1 << HONOUR_START) - 1
ALL_HONOURS = (1 << HONOUR_START + HONOURS) - 1 - ALL_SUITED
SEVEN = 7


@compiled
def honour_key_at(keys, row):
    """Key of the honours, 0 in a game without them."""
    present = int(keys.shape[1] > HONOUR_SUIT)
    return int(keys[row, HONOUR_SUIT * present]) * present


@compiled
def all_kinds(keys):
    """Mask of the kinds of the game: 27, or 34 where there is a suit of honours."""
    return ALL_SUITED + ALL_HONOURS * int(keys.shape[1] > HONOUR_SUIT)


# --- sets and pair: how many laizi are needed


@compiled
def suit_need(key, part):
    """Laizi this suit needs, + `SAVES_PAIR` if the pair is cheaper here; `part`: row of NEED_FIRST."""
    first = NEED_FIRST[part, key >> 2 * BLOCK_BITS & LOW]
    return int(NEED_LAST[NEED_SECOND[first, key >> BLOCK_BITS & LOW], key & LOW])


@compiled
def laizi_of(need):
    """Laizi a whole hand needs, by the sum of its suits' needs: one pair is wanted, best where it saves a laizi."""
    return (need & SAVES_PAIR - 1) + (NO_PAIR_YET if need < SAVES_PAIR else -1)


@compiled
def total_need(m, p, s, z, family):
    """Sum of the suits' needs in a family."""
    suit = 2 * family
    return suit_need(m, suit) + suit_need(p, suit) + suit_need(s, suit) + suit_need(z, suit + 1)


@compiled
def laizi_needed_at(keys, row, family):
    """Laizi needed so that all tiles form sets and a pair of the family (STANDARD, PAIR_258, TRIPLETS, TERMINALS)."""
    z = honour_key_at(keys, row)
    return laizi_of(total_need(int(keys[row, 0]), int(keys[row, 1]), int(keys[row, 2]), z, family))


@compiled
def hand_complete(m, p, s, z):
    """As `complete_at` without laizi, for the keys of the suits; z is 0 in a game without honours."""
    return laizi_of(total_need(m, p, s, z, STANDARD)) == 0


@compiled
def complete_at(keys, row, laizi):
    """Do all tiles and `laizi` wild tiles form sets and one pair? 3n + 2 tiles, laizi included."""
    return laizi_needed_at(keys, row, STANDARD) <= laizi


@compiled
def pair_258_complete_at(keys, row, laizi):
    """As `complete_at`, the pair being of rank 2, 5 or 8."""
    return laizi_needed_at(keys, row, PAIR_258) <= laizi


@compiled
def triplets_complete_at(keys, row, laizi):
    """As `complete_at`, every set a triplet."""
    return laizi_needed_at(keys, row, TRIPLETS) <= laizi


@compiled
def terminals_complete_at(keys, row, laizi):
    """As `complete_at`, every set and the pair holding a 1 or 9; called melds are the caller's to check."""
    return laizi_needed_at(keys, row, TERMINALS) <= laizi


# --- kinds of a hand as masks


@compiled
def suit_kinds(key, what):
    """Nine bits: the ranks of a suit that are held so many times (`HELD`, `PAIRED`, `FULL`, `ODD`)."""
    low = int(KINDS_IN_BLOCK[what, key >> 2 * BLOCK_BITS & LOW])
    middle = int(KINDS_IN_BLOCK[what, key >> BLOCK_BITS & LOW])
    return low | middle << 3 | int(KINDS_IN_BLOCK[what, key & LOW]) << 6


@compiled
def hand_kinds(m, p, s, z, what):
    """Mask of the kinds a hand holds at least one of (`HELD`), two (`PAIRED`), four (`FULL`), or 1 or 3 (`ODD`)."""
    honours = suit_kinds(z, what) >> RANKS - HONOURS  # they fill a key from the right
    suited = suit_kinds(m, what) | suit_kinds(p, what) << RANKS | suit_kinds(s, what) << 2 * RANKS
    return suited | honours << HONOUR_START


@compiled
def kinds_at(keys, row, what):
    """As `hand_kinds`, for a row of keys."""
    z = honour_key_at(keys, row)
    return hand_kinds(int(keys[row, 0]), int(keys[row, 1]), int(keys[row, 2]), z, what)


@compiled
def count_kinds(mask):
    """Number of kinds in a mask: bits added in pairs, fours, and so on."""
    mask -= mask >> 1 & 0x155555555
    mask = (mask & 0x333333333) + (mask >> 2 & 0x333333333)
    mask = mask + (mask >> 4) & 0xF0F0F0F0F
    mask += mask >> 8
    mask += mask >> 16
    return mask + (mask >> 32) & 0x3F


# --- waits


@compiled
def suit_waits(key, part, first_kind, kinds, total, laizi):
    """Mask of the kinds of one suit that complete a hand which lacks one tile; `total`: sum of all suits' needs."""
    own = suit_need(key, part)
    others = total - own
    if own == 0 and others >= SAVES_PAIR:
        return 0  # the suit lacks nothing and the pair is elsewhere
    full = suit_kinds(key, FULL) >> RANKS - kinds
    mask = 0
    for rank in range(kinds):
        drawn = key + int(WEIGHT[first_kind + rank])  # with four held already this reads a wrong, harmless entry
        mask |= int(laizi_of(others + suit_need(drawn, part)) <= laizi) << rank
    return (mask & ~full) << first_kind


@compiled
def hand_waits(m, p, s, z, laizi, honours):
    """As `waits_at`; `honours`: 7, or 0 in a game without them."""
    total = total_need(m, p, s, z, STANDARD)
    lacking = laizi_of(total) - laizi
    if lacking > 1:
        return 0
    if lacking < 1:  # laizi to spare take any tile in
        return (ALL_SUITED + ALL_HONOURS * int(honours > 0)) & ~hand_kinds(m, p, s, z, FULL)
    suit, honour = 2 * STANDARD, 2 * STANDARD + 1
    mask = suit_waits(m, suit, 0, RANKS, total, laizi) | suit_waits(p, suit, RANKS, RANKS, total, laizi)
    mask |= suit_waits(s, suit, 2 * RANKS, RANKS, total, laizi)
    return mask | suit_waits(z, honour, HONOUR_START, honours, total, laizi)


@compiled
def waits_at(keys, row, laizi):
    """Mask of the kinds that complete the standard form of 3n + 1 tiles, laizi included."""
    z, honours = honour_key_at(keys, row), HONOURS * int(keys.shape[1] > HONOUR_SUIT)
    return hand_waits(int(keys[row, 0]), int(keys[row, 1]), int(keys[row, 2]), z, laizi, honours)


# --- distance


@compiled
def suit_class(key, part):
    """Number of the suit's cost vector; `part`: 0 for a suit, 1 for the honours."""
    first = CLASS_FIRST[part, key >> 2 * BLOCK_BITS & LOW]
    return int(CLASS_LAST[CLASS_SECOND[first, key >> BLOCK_BITS & LOW], key & LOW])


@compiled
def merged(a, b):
    """Number of the cost vector of two parts of a hand together."""
    return int(MERGE[a, b])


@compiled
def missing(m, p, s, z, sets, laizi):
    """Tiles, or laizi, that `sets` sets and a pair still lack."""
    whole = merged(merged(suit_class(m, 0), suit_class(p, 0)), merged(suit_class(s, 0), suit_class(z, 1)))
    return int(COST[whole, min(laizi, MOST_EXCESS), sets])


@compiled
def laizi_distance_at(keys, row, sets, laizi):
    """Distance (shanten: -1 complete, 0 ready) to `sets` sets and a pair; 3 * sets + 1 or + 2 tiles, laizi included."""
    z = honour_key_at(keys, row)
    return missing(int(keys[row, 0]), int(keys[row, 1]), int(keys[row, 2]), z, sets, laizi) - laizi - 1


@compiled
def distance_at(keys, row, sets):
    """As `laizi_distance_at`, without laizi."""
    return laizi_distance_at(keys, row, sets, 0)


@compiled
def suit_useful(key, part, first_kind, kinds, others, excess, sets, now):
    """Mask of the kinds of one suit that lower the hand's cost below `now`, the other suits being of class `others`."""
    if kinds == 0:
        return 0
    high, middle, low = key >> 2 * BLOCK_BITS & LOW, key >> BLOCK_BITS & LOW, key & LOW
    first = int(CLASS_FIRST[part, high])
    second = int(CLASS_SECOND[first, middle])
    mask, weight = 0, RADIX**2
    for place in range(3):  # of each block; with four held already this reads a wrong, harmless entry
        drawn = int(CLASS_FIRST[part, high + weight & LOW])
        mask |= is_cheaper(int(CLASS_LAST[CLASS_SECOND[drawn, middle], low]), others, excess, sets, now) << place
        drawn = int(CLASS_SECOND[first, middle + weight & LOW])
        mask |= is_cheaper(int(CLASS_LAST[drawn, low]), others, excess, sets, now) << 3 + place
        drawn = int(CLASS_LAST[second, low + weight & LOW])
        mask |= is_cheaper(drawn, others, excess, sets, now) << 6 + place
        weight //= RADIX
    return ((mask & ~suit_kinds(key, FULL)) >> RANKS - kinds) << first_kind


@compiled
def is_cheaper(drawn, others, excess, sets, now):
    """1 if the hand costs less than `now` with a suit of class `drawn` beside others of class `others`, else 0."""
    return int(COST[merged(others, drawn), excess, sets] < now)


@compiled
def hand_useful(m, p, s, z, sets, laizi, honours, among):
    """As `laizi_useful_at`, in the suits that have a kind in the mask `among`; `honours`: 7, or 0 without them."""
    now = missing(m, p, s, z, sets, laizi)
    if now <= laizi:
        return 0
    excess = min(laizi, MOST_EXCESS)
    a, b, c, d = suit_class(m, 0), suit_class(p, 0), suit_class(s, 0), suit_class(z, 1)
    ab, cd = merged(a, b), merged(c, d)
    kinds_m, kinds_p = RANKS * int(among & SUIT != 0), RANKS * int(among >> RANKS & SUIT != 0)
    mask = suit_useful(m, 0, 0, kinds_m, merged(b, cd), excess, sets, now)
    mask |= suit_useful(p, 0, RANKS, kinds_p, merged(a, cd), excess, sets, now)
    kinds_s = RANKS * int(among >> 2 * RANKS & SUIT != 0)
    mask |= suit_useful(s, 0, 2 * RANKS, kinds_s, merged(ab, d), excess, sets, now)
    return mask | suit_useful(z, 1, HONOUR_START, honours, merged(ab, c), excess, sets, now)


@compiled
def laizi_useful_at(keys, row, sets, laizi):
    """Mask of the kinds that lower the distance when drawn (a laizi always does, unless the hand is complete)."""
    z, honours = honour_key_at(keys, row), HONOURS * int(keys.shape[1] > HONOUR_SUIT)
    m, p, s = int(keys[row, 0]), int(keys[row, 1]), int(keys[row, 2])
    return hand_useful(m, p, s, z, sets, laizi, honours, ALL_SUITED)


@compiled
def useful_at(keys, row, sets):
    """As `laizi_useful_at`, without laizi."""
    return laizi_useful_at(keys, row, sets, 0)


@compiled
def useful_among_at(keys, row, sets, among):
    """As `useful_at`, of the kinds in the mask `among`; a suit that has none of them takes no time."""
    z, honours = honour_key_at(keys, row), HONOURS * int(keys.shape[1] > HONOUR_SUIT)
    m, p, s = int(keys[row, 0]), int(keys[row, 1]), int(keys[row, 2])
    return hand_useful(m, p, s, z, sets, 0, honours, among) & among


# --- seven pairs, four equal tiles being two of them


@compiled
def suit_pairs(key):
    """Number of pairs in a suit, + that of single tiles << PAIRS_BITS."""
    pairs = int(PAIRS_IN_BLOCK[key >> 2 * BLOCK_BITS & LOW]) + int(PAIRS_IN_BLOCK[key >> BLOCK_BITS & LOW])
    return pairs + int(PAIRS_IN_BLOCK[key & LOW])


@compiled
def pairs_at(keys, row):
    """As `suit_pairs`, of the whole hand."""
    pairs = suit_pairs(int(keys[row, 0])) + suit_pairs(int(keys[row, 1])) + suit_pairs(int(keys[row, 2]))
    return pairs + suit_pairs(honour_key_at(keys, row))


@compiled
def seven_pairs_at(keys, row, laizi):
    """Are the 14 tiles, laizi included, seven pairs? Concealed hands only: melds are the caller's to check."""
    return pairs_at(keys, row) >> PAIRS_BITS <= laizi


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
    pairs = pairs_at(keys, row)
    wanted = max(0, SEVEN - (pairs & (1 << PAIRS_BITS) - 1))
    return wanted + max(0, wanted - (pairs >> PAIRS_BITS))


@compiled
def seven_pairs_distance_at(keys, row, laizi):
    """Distance of a concealed hand of 13 or 14 tiles, laizi included, to seven pairs."""
    return seven_pairs_missing_at(keys, row) - laizi - 1


@compiled
def seven_pairs_useful_at(keys, row, laizi):
    """Mask of the kinds that lower the distance to seven pairs: single ones, and others where too few are single."""
    lacking = seven_pairs_missing_at(keys, row)
    if lacking <= laizi:
        return 0
    odd = kinds_at(keys, row, ODD)
    return odd if lacking <= pairs_at(keys, row) >> PAIRS_BITS else all_kinds(keys) & ~kinds_at(keys, row, FULL)
