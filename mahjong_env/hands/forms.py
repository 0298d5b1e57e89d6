"""Hands of a family (restricted sets, pairs, suits), special forms, and laizi that may not be a fifth copy.

All of it is one question: how many tiles does a hand lack for the nearest complete hand of the form. That number less
the laizi decides distance, completeness, waits and useful tiles alike. It costs some tenths of a microsecond, where
the standard form has its own short ways (`queries`, `batches`).
"""

from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

from mahjong_env.compiled import compiled
from mahjong_env.hands.automaton import COPIES, IMPOSSIBLE, RANKS
from mahjong_env.hands.batches import honour_key, suit_key, tiles_of
from mahjong_env.hands.queries import (
    ALL_HONOURS,
    HONOUR_START,
    HONOUR_SUIT,
    LOW,
    SEVEN,
    count_kinds,
    hand_kinds,
    missing,
)
from mahjong_env.hands.tables import (
    BLOCK_BITS,
    FULL,
    HELD,
    ODD,
    PAIRED,
    STANDARD_CLASSES,
    WEIGHT,
    Family,
    build_classes,
)

TILES = 14


class Form(NamedTuple):
    """What a complete hand may be besides sets and a pair, and what it must be: the options of every question.

    Special forms, each one more way to be complete, without called melds:
    seven_pairs: seven pairs (七对). quads_as_pairs: four equal tiles are two of them (default).
    thirteen_orphans: one of every terminal and honour, and one more of them (十三幺).
    knitted_straight: 147 of one suit, 258 of another, 369 of the third, a set (also a called one) and a pair (组合龙).
    honours_and_knitted: fourteen different tiles among the honours and such a 147 258 369 (全不靠).

    Families, which the sets and the pair must belong to (several: to all of them):
    triplets_only: no runs. terminal_sets: each set and the pair holds a 1 or 9. pair_258: the pair is a 2, 5 or 8.
    Families which every tile must belong to, also in special forms:
    no_terminals: no 1, no 9. only_258: ranks 2, 5 and 8 only. one_suit: all tiles of one of the suits m, p, s.
    lacking_suit: none of one of them. Honours are neither terminals nor 2, 5, 8, nor one of the suits.
    Called melds are not seen here: whether they belong to the family is the caller's to check.

    fifth_copy: a laizi may stand for a kind of which four are in the hand (default).
    """

    seven_pairs: bool = False
    quads_as_pairs: bool = True
    thirteen_orphans: bool = False
    knitted_straight: bool = False
    honours_and_knitted: bool = False
    triplets_only: bool = False
    terminal_sets: bool = False
    pair_258: bool = False
    no_terminals: bool = False
    only_258: bool = False
    one_suit: bool = False
    lacking_suit: bool = False
    fifth_copy: bool = True


def form_of(options: dict[str, bool]) -> Form:
    """The form with these options; TypeError for a name that is none."""
    unknown = options.keys() - set(Form._fields)
    if unknown:
        raise TypeError(f"no option {min(unknown)!r}; options are {', '.join(Form._fields)}")
    return Form(**options)


class Plan(NamedTuple):
    """A form as numbers for the kernels."""

    first: np.ndarray
    second: np.ndarray
    last: np.ndarray
    merge: np.ndarray
    cost: np.ndarray
    ways: tuple[int, int, int]  # suits the tiles may be of (bits m, p, s, z), one choice after another
    kinds: tuple[int, int, int]  # mask of the kinds the special forms may use, in each choice
    special: tuple[int, int, int, int]  # pairs one kind may make in seven pairs, or 0; 1 for each of the other forms
    fifth_copy: int


def _mask(ranks: tuple[int, ...], honours: bool) -> int:
    return sum(1 << RANKS * suit + rank for suit in range(3) for rank in ranks) + ALL_HONOURS * honours


ORPHANS = _mask((0, 8), True)
KNITTED: np.ndarray = np.array(
    [
        sum(1 << RANKS * s + o + 3 * i for s, o in enumerate(offsets) for i in range(3))
        for offsets in permutations(range(3))
    ]
)
"""(6,) masks of 147 258 369 over the suits in every order."""

KNITTED_OFFSETS: np.ndarray = np.array(list(permutations(range(3))))
"""(6, 3) lowest rank of m, p, s in each."""


def _ways(form: Form, honours: bool) -> tuple[int, int, int]:
    """Which suits may be held together: three choices, bits m, p, s, z."""
    if form.one_suit:
        return 0b0001, 0b0010, 0b0100
    z = 0b1000 * honours
    return (0b0110 + z, 0b0101 + z, 0b0011 + z) if form.lacking_suit else (0b0111 + z,) * 3


def _kinds_of(form: Form, way: int) -> int:
    """Mask of the kinds whose tiles the form allows in a choice of suits."""
    ranks = tuple(
        r for r in range(RANKS) if not (form.no_terminals and r % 8 == 0) and not (form.only_258 and r % 3 != 1)
    )
    suits = sum(((1 << RANKS) - 1) << RANKS * suit for suit in range(3) if way >> suit & 1)
    honours = bool(way >> HONOUR_SUIT) and not form.only_258
    return _mask(ranks, honours) & (suits | ALL_HONOURS)


@cache
def plan_of(form: Form, kinds: int) -> Plan:
    """The plan of a form in a game of so many kinds; ValueError for a form that needs honours where there are none."""
    honours = kinds > HONOUR_START
    for name in ("thirteen_orphans", "honours_and_knitted"):
        if getattr(form, name) and not honours:
            raise ValueError(f"{name} needs the 34 kinds with honours, got {kinds} kinds")
    family = Family(*(bool(getattr(form, name)) for name in Family._fields))
    tables = STANDARD_CLASSES if family == Family() else build_classes(family)
    every_tile_free = not (form.no_terminals or form.only_258 or form.one_suit or form.lacking_suit)
    first, second, third = _ways(form, honours)
    return Plan(
        *tables,
        ways=(first, second, third),
        kinds=(_kinds_of(form, first), _kinds_of(form, second), _kinds_of(form, third)),
        special=(
            form.seven_pairs * (1 + form.quads_as_pairs),
            int(form.thirteen_orphans and every_tile_free),
            int(form.knitted_straight and every_tile_free),
            int(form.honours_and_knitted and every_tile_free),
        ),
        fifth_copy=int(form.fifth_copy),
    )


@compiled
def class_by(plan, key, part):
    """As `queries.suit_class`, in the tables of a plan."""
    first = plan.first[part, key >> 2 * BLOCK_BITS & LOW]
    return int(plan.last[plan.second[first, key >> BLOCK_BITS & LOW], key & LOW])


@compiled
def sets_lack(plan, keys, sets, laizi):
    """Tiles lacking for sets and a pair of the family, in the best choice of suits."""
    classes = (
        class_by(plan, keys[0], 0),
        class_by(plan, keys[1], 0),
        class_by(plan, keys[2], 0),
        class_by(plan, keys[3], 1),
    )
    excess = min(laizi, plan.cost.shape[1] - 1) * plan.fifth_copy
    best, before = IMPOSSIBLE, 0
    for way in plan.ways:
        whole = -1
        for suit in range(4 * int(way != before)):  # most forms have one choice, three times
            if way >> suit & 1:
                whole = classes[suit] if whole < 0 else int(plan.merge[whole, classes[suit]])
        if way != before:
            best = min(best, int(plan.cost[whole, excess, sets]))
        before = way
    return best


@compiled
def seven_pairs_lack(held, paired, full, odd, kinds, pairs_of_kind, further_copies):
    """Tiles lacking for seven pairs of the `kinds`; `further_copies`: laizi that may be fifth and sixth of a kind."""
    pairs = count_kinds(paired & kinds)
    single = held & ~paired
    if pairs_of_kind > 1:
        pairs += count_kinds(full & kinds)
        single = odd
    singles = count_kinds(single & kinds)
    wanted = max(0, SEVEN - pairs)
    new = max(0, wanted - singles)
    beyond = max(0, new - (pairs_of_kind * count_kinds(kinds) - pairs - singles))
    if beyond and (pairs_of_kind == 1 or 2 * beyond > further_copies):
        return IMPOSSIBLE
    return wanted + new


@compiled
def orphans_lack(held, paired):
    """Tiles lacking for thirteen orphans."""
    return TILES - count_kinds(held & ORPHANS) - int(paired & ORPHANS != 0)


@compiled
def knitted_straight_lack(keys, held, sets, further_copies):
    """Tiles lacking for a knitted straight, `sets` sets (1 or 0) and a pair."""
    best = IMPOSSIBLE
    for order in range(len(KNITTED)):
        there = held & int(KNITTED[order])
        m, p, s = keys[0], keys[1], keys[2]
        for block in range(3):
            digits = 3 * block + int(KNITTED_OFFSETS[order, 0]), 3 * block + int(KNITTED_OFFSETS[order, 1])
            third = 3 * block + int(KNITTED_OFFSETS[order, 2])
            m -= int(WEIGHT[digits[0]]) * (there >> digits[0] & 1)
            p -= int(WEIGHT[digits[1]]) * (there >> RANKS + digits[1] & 1)
            s -= int(WEIGHT[third]) * (there >> 2 * RANKS + third & 1)
        best = min(best, RANKS - count_kinds(there) + missing(m, p, s, keys[3], sets, further_copies))
    return best


@compiled
def honours_and_knitted_lack(held):
    """Tiles lacking for fourteen different tiles among the honours and a 147 258 369."""
    best = IMPOSSIBLE
    for order in range(len(KNITTED)):
        best = min(best, TILES - count_kinds(held & (int(KNITTED[order]) | ALL_HONOURS)))
    return best


@compiled
def special_lack(special, choices, keys, sets, further_copies):
    """Tiles lacking for the nearest of the special forms (`Plan.special`), with `Plan.kinds` for choices."""
    m, p, s, z = keys
    pairs_of_kind, orphans, straight, knitted = special
    held, paired = hand_kinds(m, p, s, z, HELD), hand_kinds(m, p, s, z, PAIRED)
    best = IMPOSSIBLE
    if pairs_of_kind and sets == 4:
        full, odd = hand_kinds(m, p, s, z, FULL), hand_kinds(m, p, s, z, ODD)
        for kinds in choices:
            best = min(best, seven_pairs_lack(held, paired, full, odd, kinds, pairs_of_kind, further_copies))
    if orphans and sets == 4:
        best = min(best, orphans_lack(held, paired))
    if straight and sets >= 3:
        best = min(best, knitted_straight_lack(keys, held, sets - 3, further_copies))
    if knitted and sets == 4:
        best = min(best, honours_and_knitted_lack(held))
    return best


@compiled
def lack(plan, keys, sets, laizi):
    """Tiles lacking for the nearest complete hand of the form."""
    special = special_lack(plan.special, plan.kinds, keys, sets, laizi * plan.fifth_copy)
    return min(sets_lack(plan, keys, sets, laizi), special)


@compiled
def drawing(keys, kind):
    """The keys with one more tile."""
    m, p, s, z = keys
    suit, weight = kind // RANKS, int(WEIGHT[kind])
    return (
        m + weight * int(suit == 0),
        p + weight * int(suit == 1),
        s + weight * int(suit == 2),
        z + weight * int(suit == 3),
    )


@compiled
def ask_form(plan, counts, laizi, sets, most_drawn, distances, useful):
    """distances[i], and with rows in `useful` also useful[i, kind]; returns the first bad row, else -1.

    Bad is a number of tiles, laizi included, that is not 3 * sets + 1 or up to `most_drawn` more.
    """
    for row in range(len(counts)):
        drawn = tiles_of(counts, row) + laizi - 3 * sets - 1
        if drawn < 0 or drawn > most_drawn:
            return row
        keys = (
            suit_key(counts, row, 0),
            suit_key(counts, row, RANKS),
            suit_key(counts, row, 2 * RANKS),
            honour_key(counts, row),
        )
        now = lack(plan, keys, sets, laizi)
        distances[row] = now - laizi - 1 if now < IMPOSSIBLE else IMPOSSIBLE
        if len(useful):
            for kind in range(counts.shape[1]):
                useful[row, kind] = (
                    now > laizi and counts[row, kind] < COPIES and lack(plan, drawing(keys, kind), sets, laizi) < now
                )
    return -1
