"""Special forms against their definitions, readings, problem sets and cases."""

import json
from pathlib import Path

import numpy as np
import pytest
import slow_hands
from dealing import near_complete, quads

from mahjong_env import hands
from mahjong_env.hands.reading import MOST_READINGS, readings_at
from mahjong_env.tiles import ALL, LAIZI

HERE = Path(__file__)
CASES = json.loads((HERE.parents[1] / "cases" / "hands_laizi.json").read_text(encoding="utf-8"))
PROBLEMS = HERE.parents[3] / "shared" / "data" / "hands"


def standard_missing(hand, melds, laizi) -> int:
    if laizi == 0:
        return int(slow_hands.draws(hand[None], 4 - melds)[0])
    return slow_hands.distance(hand, 4 - melds, laizi) + laizi + 1


def check_form(counts, laizi, melds, missing, **form):
    """The form's distance is the nearer of the standard form and `missing(hand)`, and all questions agree with it."""
    expected = np.array([min(standard_missing(h, melds, laizi), missing(h)) for h in counts]) - laizi - 1
    np.testing.assert_array_equal(hands.distance(counts, laizi, melds, **form), expected)
    np.testing.assert_array_equal(hands.is_complete(counts, laizi, melds, **form), expected == -1)
    hand, now = counts[0], expected[0]
    useful = []
    for kind in np.flatnonzero(hand < 4) if now >= 0 and laizi == 0 else ():
        more = hand.copy()
        more[kind] += 1
        if min(standard_missing(more, melds, laizi), missing(more)) - laizi - 1 < now:
            useful.append(int(kind))
    assert laizi or hands.useful(hand, laizi, melds, **form) == useful


def near_pairs(rng, n, kinds, laizi, drawn):
    counts = np.zeros((n, kinds), np.uint8)
    for hand in counts:
        while hand.sum() < 13 + drawn - laizi:
            kind = rng.integers(kinds)
            hand[kind] += min(4 - int(hand[kind]), 13 + drawn - laizi - int(hand.sum()), int(rng.choice([2, 2, 4, 1])))
    return counts


@pytest.mark.parametrize("quads_as_pairs", [True, False])
@pytest.mark.parametrize("laizi", [0, 1, 2, 4])
def test_seven_pairs(quads_as_pairs, laizi):
    rng = np.random.default_rng(laizi)
    for kinds in (27, 34):
        counts = near_pairs(rng, 40 if laizi == 0 else 8, kinds, laizi, drawn=int(rng.integers(2)))

        def missing(hand, every=range(kinds)):
            return slow_hands.seven_pairs_missing(hand, laizi, 1 + quads_as_pairs, every)

        check_form(counts, laizi, 0, missing, seven_pairs=True, quads_as_pairs=quads_as_pairs)


@pytest.mark.parametrize(
    ("family", "allowed"), [("only_258", slow_hands.is_258), ("no_terminals", lambda k: k % 9 not in (0, 8))]
)
def test_seven_pairs_of_a_family(family, allowed):
    """Tiles of the family alone make pairs; called melds make seven pairs impossible."""
    rng = np.random.default_rng(5)
    counts = near_pairs(rng, 100, 27, 0, 1)
    kinds = [k for k in range(27) if allowed(k)]
    missing = [slow_hands.seven_pairs_missing(hand, 0, 2, kinds) for hand in counts]
    standard = hands.distance(counts, **{family: True}) + 1
    np.testing.assert_array_equal(
        hands.distance(counts, seven_pairs=True, **{family: True}) + 1, np.minimum(missing, standard)
    )
    called = near_complete(rng, 20, 27, 0, 1)
    np.testing.assert_array_equal(hands.distance(called, 0, 1, seven_pairs=True), hands.distance(called, 0, 1))


def test_thirteen_orphans():
    rng = np.random.default_rng(6)
    counts = np.zeros((60, 34), np.uint8)
    for i, hand in enumerate(counts):
        np.add.at(hand, rng.permutation(slow_hands.ORPHANS)[: rng.integers(6, 14)], 1)
        while hand.sum() < 13 + i % 2:
            kind = rng.integers(34)
            hand[kind] += hand[kind] < 4
    for drawn in (0, 1):
        check_form(counts[drawn::2], 0, 0, slow_hands.orphans_missing, thirteen_orphans=True)
    assert hands.is_complete(hands.parse("19m 19p 1s ESWNCF"), laizi=3, thirteen_orphans=True)


@pytest.mark.parametrize("melds", [0, 1])
def test_knitted_straight(melds):
    rng = np.random.default_rng(melds)
    counts = np.zeros((30, 34), np.uint8)
    for hand in counts:
        knitted = list(slow_hands.KNITTED[rng.integers(6)])[: rng.integers(6, 10)]
        rest = near_complete(rng, 1, 34, 0, 3 + melds)[0]
        hand += rest + np.bincount(knitted, minlength=34).astype(np.uint8)
        while hand.sum() < 14 - 3 * melds:
            hand[rng.integers(34)] += 1
    counts = counts[(counts <= 4).all(axis=1)]
    check_form(
        counts, 0, melds, lambda hand: slow_hands.knitted_straight_missing(hand, 1 - melds), knitted_straight=True
    )


def test_honours_and_knitted():
    rng = np.random.default_rng(8)
    counts = np.zeros((40, 34), np.uint8)
    for hand in counts:
        several = [*slow_hands.KNITTED[rng.integers(6)], *range(27, 34)]
        np.add.at(hand, rng.permutation(several)[: rng.integers(9, 15)], 1)
        while hand.sum() < 14:
            kind = rng.integers(34)
            hand[kind] += hand[kind] < 4
    check_form(counts, 0, 0, slow_hands.honours_and_knitted_missing, honours_and_knitted=True)


def test_readings_are_all_divisions():
    rng = np.random.default_rng(9)
    most = 0
    for i in range(1500):
        melds = i % 5
        kinds = (27, 34)[i % 2]
        hand = near_complete(rng, 1, kinds, 0, melds)[0] if i % 3 else quads(rng, 1, 9, 0, melds, 1)[0]
        hand = np.pad(hand, (0, kinds - len(hand)))
        sets, pairs = slow_hands.family_parts(kinds)
        divisions = slow_hands.divide(hand.tolist(), 4 - melds, sets, pairs)
        expected = {
            (
                pair,
                tuple(sorted(s[0] for s in found if s[0] != s[2])),
                tuple(sorted(s[0] for s in found if s[0] == s[2])),
            )
            for pair, found in divisions
        }
        found = hands.readings(hand, melds)
        assert len(found) == len(set(found))
        assert set(found) == expected
        most = max(most, len(found))
    assert most < MOST_READINGS


def test_no_hand_has_more_readings_than_there_is_room_for():
    """All 14-tile patterns of one suit that are sets and a pair; more suits leave fewer tiles to divide."""
    out = np.empty((MOST_READINGS, 5), np.int8)
    _alone, paired = slow_hands.laizi_tables(9, *slow_hands.suit_parts(0, 9, 34, ()))
    patterns = np.argwhere(paired == 0)
    patterns = patterns[patterns.sum(axis=1) == 14]
    counts = np.zeros((len(patterns), 27), np.uint8)
    counts[:, :9] = patterns
    assert max(readings_at(counts, row, 4, out) for row in range(len(counts))) < MOST_READINGS


@pytest.mark.skipif(not PROBLEMS.is_dir(), reason=f"no problem sets in {PROBLEMS}")
@pytest.mark.parametrize("name", ["ara_p_hon", "ara_p_koku", "ara_p_normal", "ara_p_tin"])
def test_problem_sets(name):
    """14 tiles a line, then the distances to the standard form, thirteen orphans and seven different pairs."""
    lines = np.loadtxt(PROBLEMS / f"{name}.txt", dtype=int)
    counts = np.stack([np.bincount(tiles, minlength=34) for tiles in lines[:, :14]]).astype(np.uint8)
    standard, orphans, pairs = lines[:, 14:].T
    np.testing.assert_array_equal(hands.distance(counts), standard)
    np.testing.assert_array_equal(hands.distance(counts, thirteen_orphans=True), np.minimum(standard, orphans))
    with_pairs = hands.distance(counts, seven_pairs=True, quads_as_pairs=False)
    np.testing.assert_array_equal(with_pairs, np.minimum(standard, pairs))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case):
    hand = hands.parse(case["hand"], case["kinds"])
    laizi, melds, form = case["laizi"], case["melds"], {"seven_pairs": case.get("seven_pairs", False)}
    if "complete" in case:
        assert hands.is_complete(hand, laizi, melds, **form) == case["complete"]
    if "fewest_laizi" in case:
        assert hands.is_complete(hand, case["fewest_laizi"], 0)
        assert not any(hands.is_complete(hand, fewer, 0) for fewer in range(case["fewest_laizi"]))
    if "pairs" in case:
        assert [ALL.names[pair] for pair in sorted({r.pair for r in hands.readings(hand, melds)})] == case["pairs"]
    if "waits" in case:
        assert [ALL.names[kind] for kind in hands.waits(hand, laizi, melds, **form)] == case["waits"]


def test_cases_hold_no_laizi_in_their_hands():
    assert not any(LAIZI in case["hand"] for case in CASES)
