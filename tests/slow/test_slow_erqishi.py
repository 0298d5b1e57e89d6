"""The slow ErQiShi engine against hands with known answers, small scenes, and its own invariants."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from .erqishi import (
    CARDS,
    FULL_WALL,
    OPTION_VALUES,
    Mismatch,
    Table,
    banned_discards,
    chi_options,
    full_options,
    likely_action,
    random_game,
    random_options,
    replay,
    score,
    settlement,
)
from .zipai_solvers import (
    CHI_GROUPS,
    Division,
    Hand,
    best,
    by_exact_cover,
    by_recursion,
    in_order,
    near_complete_hand,
    parse_meld,
    value,
)

CASES = json.loads((Path(__file__).parents[1] / "cases" / "erqishi.json").read_text(encoding="utf-8"))["cases"]


def of_kind(kind: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]


def case_of(name: str) -> dict[str, Any]:
    return next(case for case in CASES if case["id"] == name)


# --- single hands --------------------------------------------------------------------------------------------------


def normal(division: Division) -> Division:
    return tuple(sorted(division))


def score_case(case: dict[str, Any], **more: Any) -> Any:
    options = full_options("leshan", {**case.get("options", {}), **more})
    melds, quan = case.get("melds", []), case.get("quan")
    return score(case["hand"].split(), melds, case["win_tile"], case["win_by"], options, quan=quan)


@pytest.mark.parametrize("case", of_kind("win"))
def test_hand(case: dict[str, Any]) -> None:
    found, expected = score_case(case), case["expected"]
    assert (found.hu, found.points) == (expected["win"], expected["points"])
    if "fans" in expected:
        assert sorted(found.fans) == sorted(expected["fans"])
    if "sets" in expected:
        options = full_options("leshan", case.get("options"))
        melds = tuple(map(parse_meld, case.get("melds", [])))
        hand = Hand(tuple(case["hand"].split()), melds, case["win_tile"], case["win_by"], quan=case.get("quan"))
        sets = normal(tuple((kind, in_order(cards.split())) for kind, cards in expected["sets"]))
        assert sets in map(normal, by_recursion(hand, options))


@pytest.mark.parametrize("case", of_kind("setvalue"))
def test_set_value(case: dict[str, Any]) -> None:
    kind, *cards = case["set"].split()
    if case["expected"]["points"] is None:
        with pytest.raises(ValueError, match="no chi set"):
            parse_meld(case["set"])
        return
    group = parse_meld(case["set"]) if kind == "chi" else (kind, tuple(cards))
    assert value(group) == case["expected"]["points"]


@pytest.mark.parametrize("case", of_kind("score"))
def test_settlement(case: dict[str, Any]) -> None:
    found = settlement(case["points"], case["fans"], case["how"], full_options(case["preset"], case["options"]))
    assert found == (case["expected"]["ge"], case["expected"]["pay"])


@pytest.mark.parametrize("case", of_kind("chi"))
def test_chi(case: dict[str, Any]) -> None:
    expected = case["expected"]

    def listed(options: list[dict[str, Any]]) -> list[tuple[str, list[str]]]:
        return sorted((one["set"], sorted(one["bai"])) for one in options)

    assert listed(chi_options(case["hand"].split(), case["claim"])) == listed(expected["options"])
    if "forbidden" in expected:
        banned = banned_discards(expected["forbidden_after"].split(), case["claim"])
        assert banned & set(case["hand"].split()) == set(expected["forbidden"])


def test_there_are_38_chi_sets() -> None:
    assert Counter(kind for kind, _ in CHI_GROUPS) == {"run": 16, "2710": 2, "mix": 20}


def test_the_articles_order_stops_at_the_first_division() -> None:
    # E23 is no trap for that very order: the dui of the target comes before its runs and mixes.
    assert [score_case(case_of(name), split="first").points for name in ("E37", "E23")] == [12, 18]
    # E22: b2 comes before the quan card b7 and takes one of it away for a 2-7-10.
    found = score_case(case_of("E22"), split="first")
    assert (found.points, found.fans) == (15, ())


def test_the_articles_order_takes_the_dui_of_the_quan_card_before_a_2710() -> None:
    hand = {"hand": "s2 s7 s7 s9 s10 s10 b2 b2 b7 b7 b9 b9 b10 b10", "win_tile": "b2", "win_by": "discard"}
    for quan, small_or_big, fans in (("b2", "s2", ("quan",)), ("b3", "b2", ())):
        found = score_case({**hand, "quan": quan}, hand_size=14, split="first")
        assert [cards[0] for kind, cards in found.sets if kind == "2710"] == [small_or_big]
        assert found.fans == fans


def test_the_paid_division_has_the_quan() -> None:
    assert score_case(case_of("E22")).fans == ("quan",)
    assert score_case(case_of("E22"), fan_quan=False).fans == ()


def test_a_fourth_card_is_a_quad_unless_hu_over_kai() -> None:
    assert not score_case(case_of("E15"), hu_over_kai=False).hu
    bayu = {"hand": "b4 b5 b6 b6 b6 b1 b1 s7 s8 s9 s1", "melds": ["dui b3"], "win_tile": "b3", "win_by": "flip_self"}
    loose = {"hand": "b4 b5 b9 b9 b9 s7 s8 s9 s1 s2 s3", "melds": ["dui b3"], "win_tile": "b3", "win_by": "flip_self"}
    short = {"hand_size": 14}
    assert score_case({**bayu, "options": short}).points is None
    assert score_case({**loose, "options": short}).points is None
    assert score_case({**loose, "options": short}, hu_over_kai=True).points == 9
    assert score_case({**loose, "options": short, "win_by": "flip_other"}).points == 9


def test_a_freed_gun_is_no_quad() -> None:
    hand = {"hand": "s3 s3 s3 s3 b3 s4 s5 s2 s1 b7 b7 b7 b1 b2", "win_tile": "b3", "win_by": "discard"}
    assert score_case(hand, hand_size=14).points is None
    freed = score_case(hand, hand_size=14, lock_kan=False)
    assert freed.points == 6 and "pair" not in [kind for kind, _ in freed.sets]


def test_more_than_four_copies_are_refused() -> None:
    with pytest.raises(ValueError, match="four copies of s8"):
        score(["s8"] * 4, [], "s8", "discard", full_options())


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ({}, (20, 3, 10)),
        ({"players": 4}, (14, 1, 50)),
        ({"hand_size": 14, "table": "qianwei"}, (14, 1, 50)),
        ({"table": "meishan", "players": 2}, (20, 10, 30)),
    ],
)
def test_defaults_that_hang_on_other_options(overrides: dict[str, Any], expected: tuple[int, ...]) -> None:
    options = full_options("leshan", overrides)
    assert options["hand_size"] == expected[0] and options["cap"] == expected[2]
    assert options["min_points"] == (1 if expected[0] == 14 else 10)


@pytest.mark.parametrize("overrides", [{"players": 4, "hand_size": 20}, {"split": "worst"}, {"fan_piao": True}])
def test_bad_options_are_refused(overrides: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"four players|option"):
        full_options("leshan", overrides)


# --- the two solvers -----------------------------------------------------------------------------------------------


def compare_solvers(seeds: range) -> Counter[str]:
    """Both solvers on a random hand per seed; counts what was seen."""
    seen = Counter[str]()
    for seed in seeds:
        rng = random.Random(seed)
        options = full_options(rng.choice(("leshan", "qianwei", "meishan")), random_options(rng))
        hand = near_complete_hand(rng, options)
        one, other = by_recursion(hand, options), by_exact_cover(hand, options)
        assert set(map(normal, one)) == set(map(normal, other)), (hand, options)
        assert len(set(map(normal, other))) == len(other)
        paid, paid_too = best(one, hand, options), best(other, hand, options)
        if paid is None or paid_too is None:
            assert paid is paid_too is None
            continue
        if options["split"] == "best":
            assert (paid.payment, paid.points, paid.fan_count) == (
                paid_too.payment,
                paid_too.points,
                paid_too.fan_count,
            )
        seen.update(["complete", *({"several divisions"} if len(other) > 1 else ())])
        seen.update({kind for kind, _ in paid.division} | set(paid.fans))
    return seen


def test_two_solvers_find_the_same_divisions() -> None:
    seen = compare_solvers(range(2000))
    for name in ("kan", "gun", "kai", "bayu", "dui", "pair", "2710", "run", "mix", "kun", "quan", "di", "gunfan"):
        assert seen[name] >= 10, (name, seen)
    assert seen["complete"] >= 300 and seen["several divisions"] >= 50, seen


# --- small scenes --------------------------------------------------------------------------------------------------


def table_with(hands: list[str], extra: str, flips: str = "", **options: Any) -> Table:
    """Deals these hands from the dealer, seat 0, on, then these flips; the rest comes in plain order."""
    head = [card for hand in hands for card in hand.split()] + [extra, *flips.split()]
    rest = list(FULL_WALL)
    for card in head:
        rest.remove(card)
    return Table(head + rest, 0, "leshan", {"players": len(hands), "hand_size": 14, **options})


def play_all(table: Table, moves: str) -> None:
    for move in moves.split(","):
        table.play(move.strip())


def asks(table: Table) -> tuple[int | None, str, list[str]]:
    return table.to_act, table.phase, table.legal()


LOOSE = "b1 b1 b4 b4 b7 b7 s1 s1 s4 s4 s7 s7 b10 b10"
WAITS_S9 = "s8 s10 b6 b6 b6 s1 s2 s3 s4 s5 s6 b8 b9 b10"  # 6 points
KAN_S9 = "s9 s9 s9 b2 b2 b3 b3 b5 b5 b8 b8 s2 s2 s5"


def test_kai_is_forced_and_followed_by_a_discard() -> None:
    table = table_with([LOOSE, KAN_S9], "s9")
    table.play("discard s9")
    assert (table.to_act, table.phase) == (1, "discard")
    assert table.seats[1].melds == [("kai", ("s9",) * 4)]
    assert "discard s2" in table.legal() and table.actions == ["discard s9"]


def test_a_forced_kai_shortens_no_menu_and_overrules_the_rest() -> None:
    table = table_with([LOOSE, WAITS_S9, KAN_S9], "s9")
    table.play("discard s9")
    assert asks(table) == (1, "claim", ["hu", "chi_set s8 s9 s10", "pass"])
    won, passed = copy.deepcopy(table), copy.deepcopy(table)
    table.play("chi_set s8 s9 s10")
    assert table.seats[2].melds and not table.seats[1].melds
    assert (table.seats[1].passed_fans, table.seats[1].barred) == (1, set())  # overruled: not declined
    passed.play("pass")
    assert passed.seats[1].barred == {"s9"}
    won.play("hu")
    assert won.win is not None and won.win["score"].fans == ("di",)
    assert won.points == [-72, 72, 0] and won.next_dealer == 1  # 6 x 2 (di) x base 2 x 3


def test_the_holder_of_a_kan_chooses_between_hu_and_kai() -> None:
    table = table_with([LOOSE, "s8 s8 s8 b6 b6 b5 b5 b5 s1 s2 s3 b2 b3 b4"], "s8")
    table.play("discard s8")
    assert asks(table) == (1, "claim", ["hu", "kai"])
    kai = copy.deepcopy(table)
    kai.play("kai")
    assert (kai.to_act, kai.phase, kai.seats[1].passed_fans) == (1, "discard", None)
    table.play("hu")
    assert table.points == [-96, 96]  # 12 x 2 (di) x base 2 x 2


def test_hu_is_asked_before_a_chi_of_an_earlier_seat() -> None:
    eater = "s7 s10 b2 b2 b3 b3 b5 b5 b7 s2 s5 b4 s4 s6"
    table = table_with([LOOSE.replace("s7 s7", "b6 b9"), eater.replace("s10", "s8"), WAITS_S9], "s9")
    table.play("discard s9")
    assert asks(table) == (2, "claim", ["hu", "pass"])
    table.play("pass")
    assert asks(table) == (1, "claim", ["chi_set s7 s8 s9", "pass"])
    table.play("chi_set s7 s8 s9")
    assert table.seats[2].passed_fans == 1 and table.claimed
    assert "discard s6" not in table.legal() and "discard s5" in table.legal()  # kuikae


def test_bai_is_asked_of_the_eater_until_no_copy_is_left() -> None:
    table = table_with([LOOSE, "s1 s2 s3 s4 s5 b3 b9 b9 b8 b8 s8 s8 b6 b6"], "s3")
    table.play("discard s3")
    assert {"chi_set s1 s2 s3", "chi_set s3 s4 s5", "chi_set s3 s3 b3", "pass"} <= set(table.legal())
    assert "chi_set s2 s3 s4" not in table.legal()  # the other s3 would be left alone
    table.play("chi_set s1 s2 s3")
    assert asks(table) == (1, "bai", ["bai s3 s4 s5"])
    table.play("bai s3 s4 s5")
    assert table.phase == "discard" and "discard b3" in table.legal()


def test_passes_and_discards_bar_the_chi_of_a_card() -> None:
    hand = "s1 s2 b4 b5 b9 b9 b8 b8 s8 s8 b6 b6 s6 s10"
    table = table_with([LOOSE, hand], "s3", "s3 b2 b2")
    play_all(table, "discard s3, pass")
    assert table.flips >= 2, "the second s3 is not offered again"
    assert "s3" in table.seats[0].barred and "s3" in table.seats[1].barred


def test_two_dealt_guns_put_off_the_discard() -> None:
    table = table_with([LOOSE, "s6 s6 s6 s6 b9 b9 b9 b9 s9 s9 b5 b2 b3 b8"], "s9", "b6")
    table.play("discard s9")
    assert "dui" in table.legal()
    table.play("dui")
    assert table.seats[1].total() == 15 and table.flips >= 1


def test_a_dealer_without_a_free_card_does_not_discard() -> None:
    table = table_with(["s1 s1 s1 s1 s4 s4 s4 s4 b7 b7 b7 b7 b9 b9", KAN_S9], "b9")
    assert table.actions == [] and table.flips >= 1  # seat 1 flipped first
    assert (table.seats[0].total(), table.seats[0].quads()) == (15, 3)


def test_tian_hu_is_offered_beside_the_discards() -> None:
    table = table_with(["s1 s2 s3 s4 s5 s6 s7 s8 s9 b6 b6 b6 b8 b9", LOOSE], "b10")
    assert table.legal()[0] == "hu" and "discard s1" in table.legal() and "discard b6" not in table.legal()
    declined = copy.deepcopy(table)
    declined.play("discard s1")
    assert declined.seats[0].passed_fans is None
    table.play("hu")
    assert table.points == [24, -24] and table.win is not None and table.win["score"].fans == ("tian",)


def test_swapped_cards_go_to_the_next_seat_at_once() -> None:
    table = table_with([LOOSE, KAN_S9], "s9", swap3=True)
    play_all(table, "swap s9, swap b1")
    assert "swap b10" in table.legal() and "swap s9" not in table.legal()
    table.play("swap b1")
    assert "swap b1" not in table.legal()
    play_all(table, "swap s9, swap s9, swap s9")
    assert table.seats[0].hand["s9"] == 3 and table.seats[1].hand["s9"] == 1 and table.seats[1].hand["b1"] == 2
    assert table.phase == "opening" and "discard s9" not in table.legal()


def test_the_owner_of_a_dui_flips_the_fourth_card() -> None:
    table = table_with([LOOSE, "s9 s9 b2 b2 b3 b3 b5 b5 b8 b8 s2 s2 s5 s10"], "s9", "s6 s9")
    play_all(table, "discard s9, dui, discard s10")
    while table.flips < 2:
        table.play("pass")
    assert table.seats[1].melds == [("bayu", ("s9",) * 4)]
    assert (table.to_act, table.phase) == (1, "discard")


def test_rain_is_paid_at_the_end() -> None:
    gun = "b9 b9 b9 b9 s3 s3 b6 b6 s6 s6 s8 s8 s10 s10"
    table = table_with([LOOSE, KAN_S9, gun], "s9", rain=True)
    table.play("discard s9")
    while not table.over:
        legal = table.legal()
        table.play("pass" if "pass" in legal else legal[0])
    assert table.win is None and table.next_dealer == 0
    assert table.points == [-3 - 4, -3 + 4, 6]


def test_a_passed_hu_waits_for_more_fans() -> None:
    table = table_with([LOOSE, WAITS_S9, KAN_S9.replace("s9 s9 s9", "s9 s7 b7")], "s9", "b1 s9")
    play_all(table, "discard s9, pass")
    asked = []
    while table.flips < 3 and not table.over:
        asked.append(table.legal())
        table.play("pass" if "pass" in table.legal() else table.legal()[0])
    assert not any("hu" in legal for legal in asked)


# --- whole games ---------------------------------------------------------------------------------------------------


def check_position(table: Table) -> None:
    assert table.card_count() == 80
    assert table.over == (table.to_act is None) == (not table.legal())
    assert len(set(table.legal())) == len(table.legal())
    assert sum(table.points) == 0
    size = table.options["hand_size"]
    for place, seat in enumerate(table.seats):
        works = place == table.turn and table.phase in ("discard", "bai")
        holds_dealt = place == table.dealer and not any(name.startswith("discard") for name in table.actions)
        assert seat.total() <= size + max(0, seat.quads() - 1) + (works or holds_dealt), str(table)


def play_out(table: Table, rng: random.Random) -> Table:
    while not table.over:
        check_position(table)
        table.play(likely_action(table, rng))
    check_position(table)
    return table


def test_games_with_any_options_conserve_cards_and_points() -> None:
    seen = Counter[str]()
    for seed in range(250):
        rng = random.Random(seed)
        preset = rng.choice(("leshan", "qianwei", "meishan"))
        table = play_out(random_game(rng, preset, random_options(rng), rigged=seed % 4 > 0), rng)
        replay(json.loads(json.dumps(table.record())))
        seen.update(name.split()[0] for name in table.actions)
        seen.update(kind for seat in table.seats for kind, _ in seat.melds)
        seen.update(table.win["score"].fans if table.win else ["draw"])
    for name in ("hu", "dui", "chi_set", "bai", "pass", "swap", "kai", "bayu", "2710", "draw", "di", "tian", "kun"):
        assert seen[name], (name, seen)


def draw_share(how: str, games: int) -> float:
    drawn = 0
    for seed in range(games):
        rng = random.Random(seed)
        table = random_game(rng)
        while not table.over:
            legal = table.legal()
            table.play("hu" if how == "hu" and "hu" in legal else rng.choice(legal))
        drawn += table.win is None
    return drawn / games


def test_share_of_draws_of_random_play() -> None:
    assert 0.88 <= draw_share("random", 300) <= 0.97
    assert 0.79 <= draw_share("hu", 300) <= 0.91


def test_a_record_that_differs_is_told() -> None:
    rng = random.Random(3)
    record = play_out(random_game(rng, rigged=True), rng).record()
    replay(record)
    middle = len(record["actions"]) // 2

    def changed(**parts: Any) -> dict[str, Any]:
        return {**copy.deepcopy(record), **parts}

    fewer = copy.deepcopy(record["legal"])
    fewer[middle] = [*fewer[middle], "discard b11"]
    for other, message in (
        (changed(points=[1, *record["points"][1:]]), "points differ"),
        (changed(next_dealer=7), "next dealer"),
        (changed(legal=fewer), "legal sets differ"),
        (changed(actions=record["actions"][:-1], legal=record["legal"][:-1]), "actions are missing"),
        (changed(actions=[*record["actions"], "pass"], legal=[*record["legal"], ["pass"]]), "the hand is over"),
        (changed(variant="sichuan"), "not an ErQiShi record"),
        (changed(wall=record["wall"][1:]), "cannot be set up"),
        (changed(options={"players": 5}), "cannot be set up"),
    ):
        with pytest.raises(Mismatch, match=message):
            replay(other)


def test_a_record_may_name_the_circle() -> None:
    table = random_game(random.Random(1), options={"circle": 4})
    record = play_out(table, random.Random(1)).record()
    del record["options"]["circle"]
    assert replay({**record, "circle": 4}).options["circle"] == 4


def test_random_options_are_taken() -> None:
    for seed in range(300):
        full_options("leshan", random_options(random.Random(seed), share=0.9))
    assert set(OPTION_VALUES["circle"]) == {None, *range(1, 11)}
    assert in_order(FULL_WALL) == tuple(card for card in CARDS for _ in range(4))
