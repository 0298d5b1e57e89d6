"""The zipai hand questions against a slow, obvious reference that tries every choice of groups."""

import random
from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import pytest

from mahjong_env.hands import zipai
from mahjong_env.hands.zipai import CHI_SETS, KINDS, NODES, RANKS, SURVEY, distance, divide, free_part, search

SETS = [tuple(cards) for cards in CHI_SETS.tolist()]
SEVENS = {(1, 6, 9): 3, (11, 16, 19): 6}
Part = tuple[Counter[int], int, int]
"""Cards from the hand, cards missing, points."""


def key_of(cards: list[int], size: int) -> int:
    return sum(1 << 3 * (kind % RANKS) for kind in cards if kind // RANKS == size)


def parts() -> list[Part]:
    """Every way in which cards of the hand can be a set, or lack one card of it."""
    whole = [(Counter(cards), 0, SEVENS.get(cards, 0)) for cards in SETS]
    lacking = [
        (Counter(cards[:place] + cards[place + 1 :]), 1, SEVENS.get(cards, 0)) for cards in SETS for place in range(3)
    ]
    return whole + lacking + [(Counter({kind: 2}), 1, 3 if kind >= RANKS else 1) for kind in range(KINDS)]


PARTS = parts()
PAIRS: list[Part] = [(Counter({k: 2}), 0, 0) for k in range(KINDS)] + [(Counter({k: 1}), 1, 0) for k in range(KINDS)]


def slow_distance(cards: list[int], groups: int, pairs: int, points: int, most: int) -> int:
    """The fewest missing cards of any choice of groups and a pair; most + 1 for more."""
    held = Counter(cards)
    inside = [part for part in PARTS if part[0] <= held]
    best = most + 1
    for chosen in combinations_with_replacement(inside, groups):
        taken = sum((part[0] for part in chosen), Counter[int]())
        if taken <= held and sum(part[2] for part in chosen) >= points:
            lacks = sum(part[1] for part in chosen)
            left = held - taken
            ways = [part[1] for part in PAIRS if part[0] <= left] if pairs else [0]
            best = min([best, *(lacks + more for more in ways)])
    return best


def few_cards(rng: random.Random, number: int) -> list[int]:
    """Cards that often go together, no three of a kind."""
    ranks = rng.sample(range(RANKS), 6)
    kinds = rng.sample([kind for kind in range(KINDS) if kind % RANKS in ranks], 8)
    return sorted(rng.sample([kind for kind in kinds for _ in range(2)], number))


@pytest.mark.parametrize("groups", [1, 2, 3])
def test_distance(groups: int) -> None:
    rng = random.Random(groups)
    found = Counter[int]()
    for _ in range(60 if groups == 3 else 300):
        pairs, points = rng.randrange(2), rng.choice((0, 0, 1, 3, 6, 9))
        cards = few_cards(rng, min(3 * groups + 2 * pairs + rng.choice((-1, 0, 1)), 12))
        survey = np.zeros(SURVEY, np.int64)
        survey[NODES] = 10**6
        ours = distance(survey, True, key_of(cards, 0), key_of(cards, 1), groups, pairs, points, 0, 0, 4)
        assert ours == slow_distance(cards, groups, pairs, points, 4), (cards, groups, pairs, points)
        found[ours] += 1
    assert len(found) >= 3, found


def test_survey_names_what_a_spare_card_leaves_of_use() -> None:
    """s2 s3 with b5 to spare: s1 and s4 complete the run; without s2 nothing does."""
    cards = [1, 2, RANKS + 4]
    survey = np.zeros(SURVEY, np.int64)
    survey[NODES] = 1000
    assert search(survey, False, key_of(cards, 0), key_of(cards, 1), 0, 1, 0, 1, 1, 0, 0, 0)
    assert {kind: int(survey[kind]) for kind in range(KINDS) if survey[kind]} == {RANKS + 4: 1 | 1 << 3}


def test_division_takes_the_most_points() -> None:
    """Three mixes of ranks 2, 7 and 10, or three sets 2-7-10."""
    cards = [k for rank in (1, 6, 9) for k in (rank, rank, RANKS + rank)]
    assert divide(key_of(cards, 0), key_of(cards, 1), 0) == 2 + 8 * 1
    assert divide(key_of(cards[:-1], 0), key_of(cards[:-1], 1), 0) == -1


def test_three_equal_cards_are_not_free() -> None:
    assert free_part(key_of([0, 0, 0, 4, 4, 9], 0)) == key_of([4, 4, 9], 0)
    assert free_part(key_of([0, 0, 0, 0], 0)) == 0
    assert zipai.cards_in(key_of([0, 0, 4, 9, 9], 0)) == 5
