"""The tables against slow answers for every pattern of a suit, and how they are stored."""

import os
import subprocess
import sys

import numpy as np
import pytest
import slow_hands

from mahjong_env.hands import automaton, tables
from mahjong_env.hands.automaton import COPIES, FIELD, HONOURS, RANKS, Goal
from mahjong_env.hands.tables import SAVES_PAIR, Family

FAMILIES = [{}, *({name: True} for name in Family._fields)]
SUIT, HONOUR = (0, RANKS), (27, HONOURS)


def keys_of_all(ranks: int) -> np.ndarray:
    """The key of every pattern, with one axis for the count of each rank."""
    blocks = np.arange(FIELD**3).reshape(FIELD, FIELD, FIELD)
    return blocks[: 5 ** (ranks - 6), :125, :125].reshape((5,) * ranks)


def test_keys_are_sums_of_weights():
    for first, ranks in (SUIT, HONOUR):
        counts = np.indices((COPIES + 1,) * ranks)
        np.testing.assert_array_equal(keys_of_all(ranks), np.tensordot(tables.WEIGHT[first : first + ranks], counts, 1))


@pytest.mark.parametrize(("part", "first", "ranks"), [(0, *SUIT), (1, *HONOUR)], ids=("suit", "honours"))
def test_need_of_every_pattern_of_up_to_14_tiles(part, first, ranks):
    """405,350 patterns of a suit, and those of the honours, against the recursion over all divisions."""
    alone, paired = slow_hands.laizi_tables(ranks, *slow_hands.suit_parts(first, ranks, 34, ()))
    few = np.indices((COPIES + 1,) * ranks).sum(axis=0) <= slow_hands.MOST_TILES
    needs = tables.flat_needs()[part].reshape((COPIES + 1,) * ranks)[few].astype(int)
    found = needs & SAVES_PAIR - 1
    np.testing.assert_array_equal(found, alone[few])
    np.testing.assert_array_equal(found + np.where(needs & SAVES_PAIR, -1, 2), paired[few])
    if part == 0:
        # so many patterns are in the tables of yuanfengyun/qipai for no laizi, without and with a pair
        assert ((alone == 0).sum() - 1, (paired == 0).sum()) == (2868, 18874)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: "".join(family) or "standard")
def test_distance_costs_of_every_pattern(family):
    """All 1,953,125 patterns of a suit and 78,125 of the honours, without further copies."""
    classes = tables.build_classes(Family(**family))
    for part, (first, ranks) in enumerate((SUIT, HONOUR)):
        slow = slow_hands.draws_table(ranks, *slow_hands.suit_parts(first, ranks, 34, tuple(family.items())))
        keys = keys_of_all(ranks)
        found = classes.last[classes.second[classes.first[part][keys >> 14], keys >> 7 & 127], keys & 127]
        for sets in range(5):
            np.testing.assert_array_equal(
                classes.cost[:, 0, sets][found], slow[sets, 1], err_msg=f"{sets} sets, part {part}"
            )


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: "".join(family) or "standard")
def test_a_pair_saves_one_laizi_or_costs_two(family):
    for allowed in (Family(**family).suit(), Family(**family).honours()):
        costs = automaton.read_suit(allowed, automaton.NEED).costs.astype(int)
        alone, paired = costs[:, 0, 0, 0], costs[:, 0, 1, 0]
        possible = (alone < automaton.IMPOSSIBLE) & (paired < automaton.IMPOSSIBLE)
        assert set((paired - alone)[possible]) <= {-1, 2}


def test_more_than_three_further_copies_save_nothing():
    """Costs with up to five copies beyond four, over all whole hands of three suits and honours."""
    goal = Goal(sets=4, excess=5, all_used=False)
    for family in (Family(), Family(only_258=True)):
        suit, honours = (automaton.read_suit(part, goal).costs for part in (family.suit(), family.honours()))
        for parts in ((suit, suit, suit), (suit, suit, suit, honours), (suit,)):
            whole = parts[0]
            for part in parts[1:]:
                sums = automaton.add_costs(whole, part)
                sums = sums.reshape(-1, *sums.shape[2:])
                whole = automaton.unique_rows(sums.reshape(len(sums), -1))[0].reshape(-1, *sums.shape[1:])
            for excess in (4, 5):
                np.testing.assert_array_equal(whole[:, :, 1, 3], whole[:, :, 1, excess])


def test_a_place_is_of_one_pattern_and_knows_its_tiles():
    """By counts of three bits each: a suit's last five and first four; the honours' first three after a 0, and last four."""
    places = tables.places()
    seen = []
    for ranks, table, skipped in ((RANKS, places.suits, 0), (HONOURS, places.honours, 1)):
        counts = np.indices((COPIES + 1,) * ranks).reshape(ranks, -1)
        four, rest = (counts[:4], counts[4:]) if ranks == RANKS else (counts[3:], counts[:3])
        found = table[_in_bits(rest) << 3 * skipped] + places.fours[_in_bits(four)]
        np.testing.assert_array_equal(found >> tables.TILES_AT, counts.sum(axis=0))
        seen.append(found & (1 << tables.TILES_AT) - 1)
        np.testing.assert_array_equal(tables.sorted_needs()[seen[-1]], tables.flat_needs()[skipped])
        np.testing.assert_array_equal(tables.sorted_classes()[seen[-1]], tables.flat_classes()[skipped])
    assert sorted(np.concatenate(seen)) == list(range(len(tables.sorted_needs())))


def test_a_place_with_five_of_a_kind_is_wrong_but_within_the_tables():
    for table in tables.places():
        wrong = table >> tables.TILES_AT >= tables.WRONG_TILES
        for bits in np.flatnonzero(wrong)[:: 1 + len(table) // 1000]:
            counts = [int(bits) >> 3 * place & 7 for place in range(5)]
            assert max(counts) > COPIES or (table is tables.places().honours and counts[0])
        assert (table[wrong] & (1 << tables.TILES_AT) - 1).max() == 0
    assert sum((table >> tables.TILES_AT < tables.WRONG_TILES).sum() for table in tables.places()) == 5**5 + 5**3 + 5**4


@pytest.mark.parametrize("ranks", [RANKS, HONOURS])
def test_sorted_waits_are_the_draws_that_lower_the_need(ranks):
    rng = np.random.default_rng(4)
    places, needs, waits = tables.places(), tables.sorted_needs().astype(int), tables.sorted_waits()
    for counts in rng.choice(5, (1000, ranks), p=(0.5, 0.2, 0.15, 0.1, 0.05)):
        here = _place(counts, places)
        assert waits[here] & (1 << tables.WAITS_ALONE) - 1 == needs[here] & SAVES_PAIR - 1
        assert (waits[here] < 0) == (needs[here] >= SAVES_PAIR)
        for rank in range(ranks):
            drawn = _place(counts + (np.arange(ranks) == rank), places) if counts[rank] < COPIES else here
            alone, changed = (waits[here] >> start + rank & 1 for start in (tables.WAITS_ALONE, tables.WAITS_CHANGED))
            assert alone == (_need(needs[drawn], 0) < _need(needs[here], 0))
            assert alone ^ changed == (_need(needs[drawn], 1) < _need(needs[here], 1))


def _place(counts: np.ndarray, places: tables.Places) -> int:
    if len(counts) == RANKS:
        found = places.suits[_in_bits(counts[4:])] + places.fours[_in_bits(counts[:4])]
    else:
        found = places.honours[_in_bits(counts[:3]) << 3] + places.fours[_in_bits(counts[3:])]
    return int(found) & (1 << tables.TILES_AT) - 1


def _in_bits(counts: np.ndarray) -> np.ndarray:
    return sum(row << 3 * place for place, row in enumerate(counts))


def _need(entry: int, paired: int) -> int:
    return (entry & SAVES_PAIR - 1) + paired * (-1 if entry & SAVES_PAIR else 2)


def in_new_process(code: str, **environment: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return result.stdout.strip()


LOAD = "from mahjong_env.hands import tables; print(tables.COST.sum(), tables.NEED_LAST.sum())"


def test_a_broken_file_is_built_again(tmp_path):
    whole = in_new_process(LOAD, MAHJONG_ENV_CACHE=str(tmp_path))
    (file,) = tmp_path.glob("hands-*.npz")
    good = file.read_bytes()
    for broken in (b"not a zip", good[: len(good) // 2]):
        file.write_bytes(broken)
        assert in_new_process(LOAD, MAHJONG_ENV_CACHE=str(tmp_path)) == whole
        assert file.read_bytes()[:2] == good[:2]
    assert [path.name for path in tmp_path.glob("*.npz")] == [file.name]


def test_no_writable_folder_means_building_in_memory(tmp_path):
    (tmp_path / "a_file").write_text("")
    nowhere = str(tmp_path / "a_file" / "folder")
    assert in_new_process(LOAD, MAHJONG_ENV_CACHE=nowhere) == in_new_process(LOAD, MAHJONG_ENV_CACHE=str(tmp_path))
