"""What must hold for any hand, the notation, the refusals, and plain mode."""

import doctest
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mahjong_env import hands

EXAMPLES = settings(max_examples=150, deadline=None)


@st.composite
def hand_and_numbers(draw, drawn=(0, 1)):
    """Counts near a complete hand, laizi, melds."""
    kinds = draw(st.sampled_from((27, 34)))
    melds = draw(st.integers(0, 4))
    laizi = draw(st.integers(0, min(8, 3 * (4 - melds) + 1)))
    wanted = 3 * (4 - melds) + 1 + draw(st.sampled_from(drawn)) - laizi
    runs = st.integers(0, 26).filter(lambda k: k % 9 < 7).map(lambda k: (k, k + 1, k + 2))
    equal = st.tuples(st.integers(0, kinds - 1), st.integers(1, 4)).map(lambda group: (group[0],) * group[1])
    groups = draw(st.lists(st.one_of(runs, equal), max_size=6))
    filling = range(draw(st.integers(0, kinds - 1)), 100 * kinds, draw(st.sampled_from((1, 2, 4, 7))))
    counts = np.zeros(kinds, np.uint8)
    for kind in (*sum(groups, ()), *(k % kinds for k in filling)):
        if counts[kind] < 4 and counts.sum() < wanted:
            counts[kind] += 1
    return counts, laizi, melds


def answers(counts, laizi, melds) -> tuple:
    distance, useful = hands.distance_and_useful(counts, laizi, melds)
    return hands.is_complete(counts, laizi, melds), distance, sorted(useful)


@EXAMPLES
@given(hand_and_numbers(), st.permutations(range(3)))
def test_suits_are_alike(hand, order):
    counts, laizi, melds = hand
    place = np.arange(len(counts))
    for suit, other in enumerate(order):
        place[9 * suit : 9 * suit + 9] = range(9 * other, 9 * other + 9)
    complete, distance, useful = answers(counts[place], laizi, melds)
    assert (complete, distance, sorted(place[useful])) == answers(counts, laizi, melds)


@EXAMPLES
@given(hand_and_numbers())
def test_ranks_may_be_reversed(hand):
    counts, laizi, melds = hand
    place = np.array([k if k >= 27 else 9 * (k // 9) + 8 - k % 9 for k in range(len(counts))])
    complete, distance, useful = answers(counts[place], laizi, melds)
    assert (complete, distance, sorted(place[useful])) == answers(counts, laizi, melds)


@EXAMPLES
@given(hand_and_numbers(), st.data())
def test_a_laizi_for_a_tile_is_no_worse(hand, data):
    counts, laizi, melds = hand
    if counts.any():
        changed = counts.copy()
        changed[data.draw(st.sampled_from(np.flatnonzero(counts).tolist()))] -= 1
        before, after = hands.distance(counts, laizi, melds), hands.distance(changed, laizi + 1, melds)
        assert before - 1 <= after <= before
        if hands.is_complete(counts, laizi, melds):
            assert hands.is_complete(changed, laizi + 1, melds)


@EXAMPLES
@given(hand_and_numbers(drawn=(0,)))
def test_questions_agree(hand):
    counts, laizi, melds = hand
    distance, useful = hands.distance_and_useful(counts, laizi, melds)
    assert hands.waits(counts, laizi, melds) == (useful if distance == 0 else [])
    assert hands.tenpai(counts, laizi, melds) == (distance == 0)
    for kind in range(len(counts)):
        if counts[kind] < 4:
            counts[kind] += 1
            after = hands.distance(counts, laizi, melds)
            assert after == distance - (kind in useful)
            assert hands.is_complete(counts, laizi, melds) == (after == -1)
            if laizi == 0:
                assert bool(hands.readings(counts, melds)) == (after == -1)
            counts[kind] -= 1


@EXAMPLES
@given(hand_and_numbers())
def test_text_and_back(hand):
    counts = hand[0]
    np.testing.assert_array_equal(hands.parse(hands.format(counts), len(counts)), counts)


def test_nine_laizi_take_in_any_five_tiles():
    rng = np.random.default_rng(1)
    for _ in range(200):
        counts = np.bincount(rng.permutation(np.repeat(np.arange(34), 4))[:5], minlength=34)
        assert hands.is_complete(counts, laizi=9)


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: hands.is_complete([5] + [0] * 33), "holds 5 of 1m"),
        (lambda: hands.is_complete(np.full((2, 27), 5, np.uint8)), "hand 0 holds 5 of 1m"),
        (lambda: hands.is_complete([0] * 33 + [-1]), "holds -1 of B"),
        (lambda: hands.distance(np.pad([5, 8], (0, 32)).astype(np.uint8)), "holds 5 of 1m"),
        (lambda: hands.distance(np.pad([5, 8], (0, 32)).astype(np.uint8), one_suit=True), "holds 5 of 1m"),
        (lambda: hands.distance(hands.parse("123m")), r"the hand 123m has 3 tiles .* 13 or 14"),
        (lambda: hands.distance(hands.parse("123m"), one_suit=True), r"the hand 123m has 3 tiles .* 13 or 14"),
        (lambda: hands.distance(np.zeros((2, 34), int), 0, 2), r"hand 0 .* 7 or 8"),
        (lambda: hands.waits(hands.parse("11123456789999m")), r"14 tiles .* must be 13"),
        (lambda: hands.waits(hands.parse("11123456789999m"), pair_258=True), r"14 tiles .* must be 13"),
        (lambda: hands.useful(np.zeros((1, 34), int)), "0 tiles"),
        (lambda: hands.is_complete([0] * 33), "shape"),
        (lambda: hands.is_complete(0), "shape"),
        (lambda: hands.is_complete([0.5] * 34), "whole numbers"),
        (lambda: hands.is_complete([0] * 34, laizi=-1), "laizi"),
        (lambda: hands.is_complete([0] * 34, melds=5), "melds"),
        (lambda: hands.is_complete([0] * 27, thirteen_orphans=True), "34 kinds"),
        (lambda: hands.readings([[0] * 34] * 2), "one hand"),
        (lambda: hands.parse("11111m"), "holds 5 of 1m"),
        (lambda: hands.parse("1m L"), "laizi=1"),
        (lambda: hands.parse("1x"), "x"),
        (lambda: hands.parse("E", 27), "E"),
        (lambda: hands.parse("1m", 30), "27 or 34"),
    ],
)
def test_refusals(ask, says):
    with pytest.raises(ValueError, match=says):
        ask()


def test_an_unknown_option_names_the_known_ones():
    with pytest.raises(TypeError, match=r"seven_pair.*options are seven_pairs"):
        hands.is_complete([0] * 34, seven_pair=True)


def test_answers_are_plain_python():
    hand = hands.parse("123m 456m 789s 45p 22p")
    assert [type(x) for x in (hands.is_complete(hand), hands.distance(hand), hands.tenpai(hand))] == [bool, int, bool]
    assert hands.waits(hand) == hands.waits(hand.tolist()) == hands.waits(hand.astype(float).astype(int)) == [11, 14]
    assert {type(kind) for kind in hands.waits(hand, seven_pairs=True)} == {int}


def test_the_page_on_hands_is_true():
    page = Path(__file__).parents[2] / "docs" / "hands.md"
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert tried
    assert not failed


PLAIN = """
import sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from dealing import near_complete
from mahjong_env import hands
from mahjong_env.hands import queries
from mahjong_env.hands.tables import WEIGHT
rng = np.random.default_rng(3)
said = []
for kinds, laizi, melds in ((34, 0, 0), (27, 2, 1), (34, 4, 0)):
    counts = near_complete(rng, 6, kinds, laizi, melds, drawn=0)
    said += [hands.waits(counts, laizi, melds), *hands.distance_and_useful(counts, laizi, melds)]
    said += [hands.is_complete(counts, laizi, melds), hands.distance(counts, laizi, melds)]
    said += [hands.distance_and_useful(counts[0], laizi, melds), hands.waits(counts[1], laizi, melds)]
    forms = dict(seven_pairs=True, knitted_straight=True, triplets_only=True, lacking_suit=True)
    said += [*hands.distance_and_useful(counts[:1], laizi, melds, **forms)]
    keys = np.add.reduceat(counts * WEIGHT[:kinds], range(0, kinds, 9), axis=1).astype(np.int32)
    for row in range(6):
        for kernel in (queries.seven_pairs_at, queries.seven_pairs_waits_at, queries.seven_pairs_useful_at):
            said.append(int(kernel(keys, row, laizi)))
    said.append(hands.readings(near_complete(rng, 1, kinds, 0, melds)[0], melds))
print([x.tolist() if isinstance(x, np.ndarray) else x for x in said])
"""


def test_plain_mode_gives_the_same_answers():
    here = os.path.dirname(__file__)
    said = [
        subprocess.run(
            [sys.executable, "-c", PLAIN, here],
            env=os.environ | {"NUMBA_DISABLE_JIT": mode},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for mode in ("0", "1")
    ]
    assert said[0] == said[1]
    assert len(said[0]) > 1000
