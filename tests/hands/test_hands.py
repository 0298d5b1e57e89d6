"""Every question with every option against slow answers, on more than 200,000 hands."""

import numpy as np
import pytest
import slow_hands
from dealing import near_complete, quads, tiles_of

from mahjong_env import hands
from mahjong_env.hands import queries
from mahjong_env.hands.tables import WEIGHT

KINDS = (27, 34)
MELDS = range(5)
FAMILIES = [
    {"triplets_only": True},
    {"terminal_sets": True},
    {"no_terminals": True},
    {"only_258": True},
    {"pair_258": True},
    {"triplets_only": True, "pair_258": True},
    {"terminal_sets": True, "triplets_only": True},
]
SUITS_HELD = [{}, {"one_suit": True}, {"lacking_suit": True}]


def with_each_kind(counts: np.ndarray, ask) -> np.ndarray:
    """(n, kinds) `ask(hands)` of the hands with one more tile of each kind; False where four are held already."""
    answers = np.zeros(counts.shape, bool)
    for kind in range(counts.shape[1]):
        room = counts[:, kind] < 4
        more = counts[room].copy()
        more[:, kind] += 1
        answers[room, kind] = ask(more, room)
    return answers


def ways_of(kinds: int, one_suit=False, lacking_suit=False) -> tuple[tuple[int, ...], ...]:
    """Suits whose tiles may be used, one choice after another."""
    honours = (3,) * (kinds > 27)
    if one_suit:
        return (0,), (1,), (2,)
    return ((1, 2, *honours), (0, 2, *honours), (0, 1, *honours)) if lacking_suit else ((0, 1, 2, *honours),)


def keys_of(counts: np.ndarray) -> np.ndarray:
    suits = [slice(first, first + ranks) for first, ranks in slow_hands.suits_of(counts.shape[1])]
    return np.stack([counts[:, s] @ WEIGHT[: counts.shape[1]][s] for s in suits], axis=1).astype(np.int32)


def bits(mask: int, kinds: int) -> list[bool]:
    return [bool(mask >> kind & 1) for kind in range(kinds)]


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("melds", MELDS)
def test_complete_and_waits(kinds, melds):
    """3,000 hands for each number of kinds, melds and laizi: 210,000."""
    rng = np.random.default_rng((kinds, melds))
    for laizi in range(9):
        if tiles_of(laizi, melds, 0) < 0:
            continue
        counts = near_complete(rng, 2000, kinds, laizi, melds)
        expected = slow_hands.laizi_needed(counts) <= laizi
        np.testing.assert_array_equal(hands.is_complete(counts, laizi, melds), expected)
        waiting = near_complete(rng, 1000, kinds, laizi, melds, drawn=0)
        expected = with_each_kind(waiting, lambda more, _, laizi=laizi: slow_hands.laizi_needed(more) <= laizi)
        np.testing.assert_array_equal(hands.waits(waiting, laizi, melds), expected)
        np.testing.assert_array_equal(hands.tenpai(waiting, laizi, melds), expected.any(axis=1))


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("melds", MELDS)
@pytest.mark.parametrize("drawn", [0, 1])
def test_distance_and_useful(kinds, melds, drawn):
    """1,500 hands each."""
    rng = np.random.default_rng((kinds, melds, drawn))
    counts = np.concatenate([near_complete(rng, 500, kinds, 0, melds, drawn), quads(rng, 1000, kinds, 0, melds, drawn)])
    now = slow_hands.draws(counts, 4 - melds)
    np.testing.assert_array_equal(hands.distance(counts, 0, melds), now - 1)
    expected = with_each_kind(counts, lambda more, room: slow_hands.draws(more, 4 - melds) < now[room])
    np.testing.assert_array_equal(hands.useful(counts, 0, melds), expected)


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("suits", SUITS_HELD, ids=lambda suits: "".join(suits) or "all_suits")
@pytest.mark.parametrize("family", [{}, *FAMILIES], ids=lambda family: "+".join(family) or "standard")
def test_families(kinds, suits, family):
    """All melds, and laizi that are no further copies: 500 hands each."""
    rng = np.random.default_rng((kinds, len(suits), len(family)))
    ways = ways_of(kinds, **suits)
    for melds in MELDS:
        laizi = int(rng.integers(0, 5)) if melds < 3 else 0
        counts = near_complete(rng, 100, kinds, laizi, melds, int(rng.integers(2)), **family)
        if suits:
            counts = moved_to_few_suits(rng, counts)
        lacking = slow_hands.draws(counts, 4 - melds, ways, **family)
        form = suits | family | {"fifth_copy": False}
        expected = np.where(lacking < slow_hands.FAR, lacking - laizi - 1, slow_hands.FAR)
        np.testing.assert_array_equal(hands.distance(counts, laizi, melds, **form), expected)
        np.testing.assert_array_equal(hands.is_complete(counts, laizi, melds, **form), expected == -1)
        useful = with_each_kind(
            counts[:10],
            lambda more, room, sets=4 - melds, now=lacking[:10]: (
                slow_hands.draws(more, sets, ways, **family) < now[room]
            ),
        )
        useful &= (expected[:10] >= 0)[:, None]
        np.testing.assert_array_equal(hands.useful(counts[:10], laizi, melds, **form), useful)


def moved_to_few_suits(rng: np.random.Generator, counts: np.ndarray) -> np.ndarray:
    """The hands with the tiles of one or two suits moved to others, where there is room."""
    moved = counts.copy()
    for hand in moved:
        for suit, to in ((0, rng.integers(3)), (1, rng.integers(3))):
            both = hand[9 * suit : 9 * suit + 9] + hand[9 * to : 9 * to + 9]
            if suit != to and both.max() <= 4:
                hand[9 * to : 9 * to + 9], hand[9 * suit : 9 * suit + 9] = both, 0
    return moved


@pytest.mark.parametrize("family", FAMILIES, ids="+".join)
def test_families_with_laizi_as_further_copies(family):
    """1,000 hands for each number of laizi."""
    rng = np.random.default_rng(len(family))
    for kinds, laizi in ((27, 1), (34, 2), (27, 3), (34, 4), (34, 6)):
        melds = int(rng.integers(0, 3))
        counts = near_complete(rng, 1000, kinds, laizi, melds, **family)
        expected = slow_hands.laizi_needed(counts, **family) <= laizi
        np.testing.assert_array_equal(hands.is_complete(counts, laizi, melds, **family), expected)


@pytest.mark.parametrize("suits", SUITS_HELD, ids=lambda suits: "".join(suits) or "all_suits")
def test_distance_with_laizi_as_further_copies(suits):
    """Fours of a kind, where the number of laizi limits the further copies."""
    rng = np.random.default_rng(7)
    for laizi in (1, 2, 3, 4, 5):
        for melds in (0, 1, 2):
            kinds, drawn = int(rng.choice(KINDS)), int(rng.integers(2))
            counts = quads(rng, 12, kinds, laizi, melds, drawn)
            expected = [slow_hands.distance(hand, 4 - melds, laizi, ways_of(kinds, **suits)) for hand in counts]
            np.testing.assert_array_equal(hands.distance(counts, laizi, melds, **suits), expected)


def test_three_further_copies_at_once():
    hand = hands.parse("EEEE SSSS WWW")
    assert hands.is_complete(hand, laizi=3)
    assert hands.distance(hand, laizi=3) == -1
    assert hands.distance(hand, laizi=3, fifth_copy=False) == 1
    assert not hands.is_complete(hand, laizi=3, fifth_copy=False)


@pytest.mark.parametrize(("laizi", "number"), [(0, 1000), (1, 160), (2, 30), (3, 6), (4, 1)])
@pytest.mark.parametrize("fifth_copy", [True, False])
def test_every_substitution_of_laizi(laizi, number, fifth_copy):
    """Laizi as every tile there is; families in turn."""
    rng = np.random.default_rng(laizi)
    for i in range(number):
        family = [{}, *FAMILIES][i % (1 + len(FAMILIES))]
        melds = int(rng.integers(0, 5 - laizi))
        (hand,) = near_complete(rng, 1, 27 if laizi > 2 else int(rng.choice(KINDS)), laizi, melds, **family)
        expected = slow_hands.is_complete(hand, laizi, fifth_copy, **family)
        assert hands.is_complete(hand, laizi, melds, fifth_copy=fifth_copy, **family) == expected, hands.format(hand)


def test_kernels_by_key_agree_with_the_batches():
    rng = np.random.default_rng(11)
    for kinds, laizi, melds in ((27, 0, 0), (34, 0, 1), (34, 2, 0), (27, 4, 2)):
        sets = 4 - melds
        counts = near_complete(rng, 300, kinds, laizi, melds)
        waiting = near_complete(rng, 300, kinds, laizi, melds, drawn=0)
        complete, waits = hands.is_complete(counts, laizi, melds), hands.waits(waiting, laizi, melds)
        distance, useful = hands.distance_and_useful(waiting, laizi, melds)
        for row, keys in ((row, keys_of(counts)) for row in range(300)):
            assert queries.complete_at(keys, row, laizi) == complete[row]
            for name, kernel in (
                ("pair_258", queries.pair_258_complete_at),
                ("triplets_only", queries.triplets_complete_at),
                ("terminal_sets", queries.terminals_complete_at),
            ):
                assert kernel(keys, row, laizi) == hands.is_complete(counts[row], laizi, melds, **{name: True})
        keys = keys_of(waiting)
        for row in range(300):
            assert bits(queries.waits_at(keys, row, laizi), kinds) == waits[row].tolist()
            assert queries.laizi_distance_at(keys, row, sets, laizi) == distance[row]
            assert bits(queries.laizi_useful_at(keys, row, sets, laizi), kinds) == useful[row].tolist()
            if laizi == 0:
                assert queries.distance_at(keys, row, sets) == distance[row]
                assert queries.useful_at(keys, row, sets) == queries.laizi_useful_at(keys, row, sets, 0)


def test_one_hand_is_asked_like_many():
    rng = np.random.default_rng(12)
    for kinds, laizi, melds, drawn in ((34, 0, 0, 1), (27, 1, 1, 0), (34, 3, 0, 0), (27, 0, 4, 1)):
        counts = near_complete(rng, 100, kinds, laizi, melds, drawn)
        for form in ({}, {"seven_pairs": True}, {"one_suit": True, "triplets_only": True}):
            many = hands.is_complete(counts, laizi, melds, **form)
            assert [hands.is_complete(hand, laizi, melds, **form) for hand in counts] == many.tolist()
            distances, useful = hands.distance_and_useful(counts, laizi, melds, **form)
            for hand, distance, kinds_useful in zip(counts, distances, useful, strict=True):
                assert hands.distance_and_useful(hand, laizi, melds, **form) == (
                    distance,
                    np.flatnonzero(kinds_useful).tolist(),
                )
            if drawn == 0:
                waits = [np.flatnonzero(row).tolist() for row in hands.waits(counts, laizi, melds, **form)]
                assert [hands.waits(hand, laizi, melds, **form) for hand in counts] == waits


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("count", [5, 127, 128, 255])
def test_a_count_above_four_is_found_in_any_of_many_hands(kinds, count):
    hand = hands.parse("1111m 2222m 3333m 9p", kinds)
    many = np.repeat(hand[None], 3, axis=0)
    for kind in range(kinds):
        wrong = many.copy()
        wrong[1, kind] = count
        for ask in (hands.is_complete, hands.distance, hands.waits, hands.useful):
            with pytest.raises(ValueError, match=f"hand 1 holds {count} of {hands.ALL.names[kind]}; "):
                ask(wrong)
