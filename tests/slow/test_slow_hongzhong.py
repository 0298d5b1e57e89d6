"""The slow Hongzhong engine, tuidaohu, and hands with laizi, against known answers, small scenes, and invariants."""

from __future__ import annotations

import copy
import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from . import tuidaohu
from .hongzhong import (
    FULL_WALL,
    OPTION_VALUES,
    PRESETS,
    Table,
    full_options,
    gang_pay,
    likely_action,
    lucky_game,
    pay,
    random_game,
    random_options,
    replay,
    score,
    waits,
)
from .laizi_hands import HONOURS, KINDS, SEATS, Mismatch, completes, completes_by_images

CASES_DIR = Path(__file__).parents[1] / "cases"
CASES = json.loads((CASES_DIR / "changsha.json").read_text(encoding="utf-8"))["cases"]
LAIZI = [
    pytest.param(case, id=case["id"])
    for case in json.loads((CASES_DIR / "hands_laizi.json").read_text(encoding="utf-8"))
    if "complete" in case
]


def of_kind(kind: str) -> list[Any]:
    chosen = [case for case in CASES if case["kind"] == kind and case.get("variant") == "hongzhong"]
    return [pytest.param(case, id=case["id"]) for case in chosen]


def tiles(text: str) -> list[str]:
    """ "123m 55p CC E" -> 1m 2m 3m 5p 5p C C E."""
    return [
        tile
        for block in text.split()
        for tile in (list(block) if block[-1].isupper() else [rank + block[-1] for rank in block[:-1]])
    ]


# --- complete hands with laizi ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", LAIZI)
def test_laizi_hand(case: dict[str, Any]) -> None:
    pairs_too = case.get("seven_pairs", False)
    assert completes(tiles(case["hand"]), case["laizi"], case["melds"], pairs_too) == case["complete"]


@pytest.mark.parametrize("fifth_copy", [True, False])
def test_recursion_finds_what_the_definition_finds(fifth_copy: bool) -> None:
    """Runs of one suit with many copies, so that wins are common and fifth copies matter."""
    rng, wins = random.Random(1), Counter[bool]()
    for number in range(250):
        laizi = rng.choice((0, 1, 1, 2, 2, 3)) if number % 10 else 4
        melds = rng.choice((1, 2, 3)) if laizi < 4 else 3
        pool = [tile for tile in KINDS if tile[1] == "m" or tile in ("1p", "2p", "5s")] * 4
        hand = rng.sample(pool, 3 * (4 - melds) + 2 - laizi)
        kinds = [tile for tile in KINDS if tile[1] in "mp"] + ["5s"]
        expected = completes_by_images(hand, laizi, melds, kinds, fifth_copy=fifth_copy)
        assert completes(hand, laizi, melds, fifth_copy=fifth_copy) == expected, (hand, laizi, melds)
        wins[expected] += 1
    assert min(wins.values()) > 50


def test_seven_pairs_with_laizi_by_the_definition() -> None:
    rng = random.Random(2)
    for _ in range(60):
        laizi = rng.choice((0, 1, 2))
        hand = (rng.sample(KINDS, 7) * 2)[: 14 - laizi]
        if rng.random() < 0.5:
            hand[0] = hand[8]
        expected = completes_by_images(hand, laizi, 0, KINDS, pairs_too=True)
        assert completes(hand, laizi, 0, pairs_too=True) == expected


def test_fifth_copies() -> None:
    hand = tiles("99995555666m 3m")
    assert completes(hand, 2, 0) and not completes(hand, 2, 0, fifth_copy=False)
    assert completes(tiles("1111m"), 1, 3) and not completes(tiles("1111m"), 1, 3, fifth_copy=False)
    assert completes(tiles("111m"), 2, 3, fifth_copy=False)
    assert set(HONOURS) & set(FULL_WALL) == {"C"}


# --- one hand and its payments ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", of_kind("hand"))
def test_hand(case: dict[str, Any]) -> None:
    hand = tiles(case["hand"])
    found = score(hand[:-1], [], hand[-1], "self_draw", full_options("gs", case["options"]))
    assert found.hu == case["expected"]["win"]


@pytest.mark.parametrize("case", of_kind("settlement"))
def test_settlement(case: dict[str, Any]) -> None:
    given = {name: case[name] for name in ("self_draw_points", "per_code")}
    options = full_options("gs", given)
    codes = ["5m"] * case["codes_hit"] + ["2m"] * (4 - case["codes_hit"])
    assert pay(options, {case["winner"]: True}, None, codes) == case["expected"]["deltas"]


@pytest.mark.parametrize(
    ("options", "has_wild", "codes", "each"),
    [
        ({}, True, "1m 2m 3m 4m 5m", 2 + 2),
        ({}, False, "1m 2m 3m 4m 5m", 2 + 4),
        ({"no_hongzhong": "six_codes"}, False, "1m 2m 3m 4m 5m C", 2 + 6),
        ({"no_hongzhong": "double"}, False, "1m 2m 3m C", 2 * (2 + 4)),
        ({"no_hongzhong": "off", "codes": 2, "per_code": 1}, False, "9m C", 2 + 2),
        ({"one_code_all": True}, True, "7m 1m", 2 + 7),
        ({"one_code_all": True}, True, "C", 2 + 10),
        ({}, True, "", 2),
    ],
)
def test_codes(options: dict[str, Any], has_wild: bool, codes: str, each: int) -> None:
    full = full_options("gs", options)
    assert pay(full, {2: has_wild}, None, codes.split()) == [-each, -each, 3 * each, -each]


def test_payments_of_a_robbing_and_of_a_discard() -> None:
    full = full_options("gs", {"codes": 0, "no_hongzhong": "off"})
    assert pay(full, {1: True, 3: True}, 0, [], robbed=True) == [-12, 6, 0, 6]
    assert pay({**full, "rob_pays_three": False}, {1: True}, 0, [], robbed=True) == [-1, 1, 0, 0]
    assert pay(full, {1: False}, 0, []) == [-1, 1, 0, 0]


@pytest.mark.parametrize(
    ("rates", "exposed"), [("2/1/3", [0, 3, -3, 0]), ("2/1/each1", [-1, 3, -1, -1]), ("2/1/1", [0, 1, -1, 0])]
)
def test_gang_points(rates: str, exposed: list[int]) -> None:
    full = full_options("gs", {"gang_points": rates})
    assert gang_pay(full, 1, "gang", 2) == exposed
    assert gang_pay(full, 1, "bu_gang", None) == [-1, 3, -1, -1]
    assert gang_pay(full, 1, "an_gang", None) == [-2, 6, -2, -2]


def test_waits() -> None:
    full = full_options()
    assert waits(tiles("123456789m 1155p"), [], full) == ["1p", "5p", "C"]
    assert waits(tiles("1133557799m 11p C"), [], {**full, "seven_pairs_laizi": False}) == ["C"]
    assert "9s" in waits(tiles("1133557799m 11p C"), [], full)
    assert waits(tiles("147m 258p 369s 1s CCC"), [], full) == ["C"]


# --- small scenes -----------------------------------------------------------------------------------------------------


def scene(hands: dict[int, str], draws: str = "", preset: str = "gs", **options: Any) -> Table:
    """A table with these hands, filled up with tiles that go with nothing; the dealer, seat 0, holds fourteen."""
    held = {seat: tiles(hands.get(seat, "")) for seat in SEATS}
    rest = Counter(FULL_WALL) - Counter(tiles(draws))
    for hand in held.values():
        assert not Counter(hand) - rest, "more than four of a kind"
        rest -= Counter(hand)
    for seat, hand in held.items():
        while len(hand) < (14 if seat == 0 else 13):
            alone = min(rest, key=lambda tile: (tile == "C", sum(_nearness(tile, other) for other in hand), tile))
            hand.append(alone)
            rest -= Counter([alone])
    dealt = held[0][:13] + held[1] + held[2] + held[3] + held[0][13:]
    return Table([*dealt, *tiles(draws), *sorted(rest.elements())], 0, preset, options)


def _nearness(one: str, other: str) -> int:
    if "C" in (one, other) or one[1] != other[1]:
        return 0
    gap = abs(int(one[0]) - int(other[0]))
    return 0 if gap > 2 else (10, 4, 2)[gap]


def reach(table: Table, seat: int, name: str) -> Table:
    """Seats that are asked before discard what they drew, or pass."""
    while table.to_act != seat or name not in table.legal():
        assert table.to_act is not None, f"over before {seat} {name}"
        hand = table.hands[table.to_act]
        table.play("pass" if "pass" in table.legal() else f"discard {hand[-1]}")
    table.play(name)
    return table


# Seats 2 and 3 wait for 6p.
ROBBERY = {0: "6p", 1: "66p", 2: "C 123456m 78p 3399s", 3: "123m 78p 22234445s"}


@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({}, [0, -30, 12, 18]),
        ({"multi_ron": False}, [0, -12, 12, 0]),
        ({"rob_pays_three": False}, [0, -8, 3, 5]),
        ({"preset": "mil2024"}, None),
        ({"rob_gang": False}, None),
    ],
)
def test_a_robbed_gang(options: dict[str, Any], points: list[int] | None) -> None:
    # The codes: 5p for both, and 9p for the seat without a red dragon.
    table = scene(ROBBERY, draws="1p 1s 1s 6p 2p 3p 5p 7p 9p", **options)
    reach(table, 0, "discard 6p")
    reach(table, 1, "peng")
    while table.to_act != 1 or table.phase != "draw":
        assert table.to_act is not None
        table.play("pass" if "pass" in table.legal() else f"discard {table.hands[table.to_act][-1]}")
    table.play("self_gang 6p")
    if points is None:
        assert table.to_act == 1 and table.points == [-1, 3, -1, -1]
        return
    while not table.over:
        table.play("hu")
    assert table.points == points and ("peng", "6p") in table.melds[1]
    assert table.next_dealer == (2 if options.get("multi_ron") is False else 1)


def test_four_red_dragons_win_in_a_turn_after_a_draw() -> None:
    table = scene({0: "CCCC"})
    assert "hu" in table.legal()
    assert "hu" not in scene({0: "CCCC"}, four_hongzhong_wins=False).legal()
    table = scene({0: "6p", 1: "CCCC 66p"}, draws="1s")
    reach(table, 0, "discard 6p")
    reach(table, 1, "peng")
    assert table.phase == "after_claim" and "hu" not in table.legal()


def test_red_dragons_are_not_claimed_and_bar_winning_on_a_discard() -> None:
    ready = "123m 78p 22234s 345s"
    table = reach(scene({0: "C 6p", 2: "CC", 3: ready}, discard_win=True), 0, "discard C")
    assert table.phase == "draw" and table.to_act == 1
    table = reach(scene({0: "6p", 3: ready}, discard_win=True), 0, "discard 6p")
    assert (table.to_act, table.legal()) == (3, ["hu", "pass"])
    table = reach(scene({0: "6p", 3: "123m 78p C 2234s 345s"}, discard_win=True), 0, "discard 6p")
    assert table.phase == "draw"
    assert "discard C" not in scene({0: "C"}, discard_hongzhong=False).legal()


def test_an_added_gang_pays_only_when_drawn() -> None:
    def points(**options: Any) -> list[int]:
        table = scene({0: "6p", 1: "666p"}, draws="1s", **options)
        reach(table, 0, "discard 6p")
        reach(table, 1, "peng")
        return reach(table, 1, "self_gang 6p").points

    assert points() == [-1, 3, -1, -1]
    assert points(added_gang_drawn_only=True) == [0, 0, 0, 0]


def test_gang_points_are_given_back_in_a_draw() -> None:
    def points(**options: Any) -> list[int]:
        table = reach(scene({0: "1111m", 1: "9m"}, **options), 0, "self_gang 1m")
        assert table.points == [6, -2, -2, -2]
        while not table.over:
            assert table.to_act is not None
            name = next(name for name in table.legal() if name != "hu" and "gang" not in name and name != "peng")
            table.play("pass" if "pass" in table.legal() else name)
        return table.points

    assert points() == [0, 0, 0, 0]
    assert points(keep_gang_points=True) == [6, -2, -2, -2]


# --- whole games ------------------------------------------------------------------------------------------------------

NAMES = re.compile(r"discard ([1-9][mps]|C)|self_gang [1-9][mps]|peng|gang|hu|pass")


def check_position(table: Table) -> None:
    assert Counter(table.tiles()) == Counter(dict.fromkeys([*KINDS, "C"], 4))
    for seat in SEATS:
        size = len(table.hands[seat]) + 3 * len(table.melds[seat])
        own_turn = table.phase in ("dealt", "draw", "replacement", "after_claim") and seat == table.to_act
        if table.phase not in ("claim", "rob", "over"):
            assert size == 13 + own_turn
    assert sum(table.points) == 0
    assert table.over == (table.to_act is None) == (not table.legal())


def play_to_the_end(table: Table, rng: random.Random, wins: float) -> None:
    while not table.over:
        check_position(table)
        legal = table.legal()
        assert legal == sorted(set(legal)) and all(NAMES.fullmatch(name) for name in legal)
        assert legal != ["pass"]
        table.play(likely_action(table, rng, wins))
    check_position(table)
    assert table.next_dealer in SEATS


@pytest.mark.parametrize("preset", sorted(PRESETS))
@pytest.mark.parametrize("kind", ["plain", "options", "lucky"])
def test_random_games(preset: str, kind: str) -> None:
    rng = random.Random(f"{preset} {kind}")
    for number in range(20):
        options = {} if kind == "plain" else random_options(rng)
        if kind == "lucky":
            table = lucky_game(rng, preset, options, rng.choice((0.05, 0.5)))
        else:
            table = random_game(rng, preset, options, rigged=number % 2 == 0)
            play_to_the_end(table, rng, rng.choice((0.05, 0.7)))
        assert replay(table.record()).points == table.points


# --- tuidaohu ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ghost", "turned", "expected"),
    [
        ("none", "9m", ""),
        ("white", "9m", "B"),
        ("turned", "9m", "1m"),
        ("double_turned", "8s", "1s 9s"),
        ("turned", "B", "E"),
        ("double_turned", "N", "C F"),
    ],
)
def test_ghosts(ghost: str, turned: str, expected: str) -> None:
    assert sorted(tuidaohu.ghosts({"ghost": ghost}, turned)) == expected.split()


def test_tuidaohu_payments() -> None:
    options = tuidaohu.full_options("gs", {"no_ghost_double": True})
    assert tuidaohu.each_pays(options, False, True, []) == 2
    assert tuidaohu.each_pays(options, True, True, ["5m", "E", "2p"]) == 12
    assert tuidaohu.each_pays(options, True, False, []) == 8


def test_random_games_of_tuidaohu() -> None:
    rng = random.Random("tuidaohu")
    for number in range(24):
        table = tuidaohu.random_game(rng, "gs", tuidaohu.random_options(rng), rigged=number % 2 == 0)
        wins = rng.choice((0.05, 0.7))
        while not table.over:
            assert sorted(table.tiles()) == tuidaohu.FULL_WALL and sum(table.points) == 0
            claimed = table.legal() if table.phase == "claim" else []
            assert not claimed or {"peng", "gang"} & set(claimed)
            table.play(tuidaohu.likely_action(table, rng, wins))
        assert sum(table.points) == 0 and table.next_dealer in SEATS
        assert tuidaohu.replay(table.record()).points == table.points


def test_options_are_checked() -> None:
    with pytest.raises(ValueError, match="unknown option"):
        full_options("gs", {"birds": 2})
    for name in OPTION_VALUES:
        with pytest.raises(ValueError, match=name):
            full_options("gs", {name: "no such value"})


def test_replay_sees_every_kind_of_difference() -> None:
    table = lucky_game(random.Random(5), "gs")
    good = table.record()
    replay(good)

    def refused(match: str, **changes: Any) -> None:
        with pytest.raises(Mismatch, match=match):
            replay({**copy.deepcopy(good), **changes})

    actions, legal = good["actions"], good["legal"]
    refused("points differ", points=[value + 1 for value in good["points"]])
    refused("next dealer", next_dealer=(good["next_dealer"] + 1) % 4)
    refused("actions are missing", actions=actions[:-1], legal=legal[:-1])
    refused("are left", actions=[*actions, "pass"], legal=[*legal, ["pass"]])
    refused("is not legal", actions=["dance", *actions[1:]], legal=None)
    refused("legal sets differ", legal=[*legal[:-1], ["pass", "dance"]])
    refused("cannot be set up", wall=good["wall"][:-1])
