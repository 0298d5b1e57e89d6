"""The slow Changsha engine against hands with known answers (`cases/changsha.json`), small scenes, and its invariants."""

from __future__ import annotations

import copy
import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from .changsha import (
    FULL_WALL,
    OPTION_VALUES,
    PRESETS,
    RANKS,
    PassBar,
    Score,
    Table,
    bird_seats,
    can_replace,
    chi_names,
    full_options,
    groups_of,
    haidi_order,
    likely_action,
    lucky_game,
    pay,
    random_game,
    random_options,
    replay,
    score,
    starting_items,
    unite,
    waits,
)
from .laizi_hands import KINDS, SEATS, Meld, Mismatch, runs_with

CASES_DIR = Path(__file__).parents[1] / "cases"
CASES = json.loads((CASES_DIR / "changsha.json").read_text(encoding="utf-8"))["cases"]
HANDS = json.loads((CASES_DIR / "hands_laizi.json").read_text(encoding="utf-8"))


def of_kind(*kinds: str) -> list[Any]:
    chosen = [case for case in CASES if case["kind"] in kinds and case.get("variant") != "hongzhong"]
    return [pytest.param(case, id=case["id"]) for case in chosen]


def tiles(text: str) -> list[str]:
    """ "123m 55p C" -> 1m 2m 3m 5p 5p C."""
    return [tile for block in text.split() for tile in ([block] if len(block) == 1 else _of_suit(block))]


def _of_suit(block: str) -> list[str]:
    return [rank + block[-1] for rank in block[:-1]]


def melds(texts: list[str]) -> list[Meld]:
    """ "chi 123m" -> ("chi", "1m")."""
    return [(kind, what[0] + what[-1]) for kind, what in (text.split() for text in texts)]


# --- the cases --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", of_kind("hand"))
def test_hand(case: dict[str, Any]) -> None:
    options = full_options("classic_1267", case.get("options"))
    sets = melds(case.get("melds", []))
    found = score(tiles(case["hand"]), sets, case["win_tile"], case["win_by"], options, case.get("flags", []))
    if case.get("winning_tiles"):
        found = unite([found] * case["winning_tiles"], options)
    expected = case["expected"]
    assert found.hu == expected["win"]
    assert (sorted(found.patterns), found.units) == (sorted(expected["patterns"]), expected["units"])


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in HANDS if case["id"].startswith("W")])
def test_waits(case: dict[str, Any]) -> None:
    sets = [("peng", tile) for tile in ("3m", "9s", "1s", "9p")[: case["melds"]]]
    assert waits(tiles(case["hand"]), sets, full_options()) == case["waits"]


@pytest.mark.parametrize("case", of_kind("starting"))
def test_starting_items(case: dict[str, Any]) -> None:
    every = {"jie_jie_gao": True, "san_tong": True, "jin_tong_yu_nv": True, "yi_zhi_hua": "either"}
    assert starting_items(tiles(case["hand"]), full_options("classic_1267", every)) == case["expected"]


@pytest.mark.parametrize("case", of_kind("settlement"))
def test_settlement(case: dict[str, Any]) -> None:
    total = [0, 0, 0, 0]
    for part in case["parts"]:
        options = full_options(part["preset"], part.get("options"))
        units = {int(seat): value for seat, value in part["units"].items()}
        points = pay(options, part["dealer"], units, part["shooter"], part["birds"], origin=part["origin"])
        total = [old + new for old, new in zip(total, points, strict=True)]
    assert total == case["expected"]["deltas"]


class Claims(Table):
    """A table where seats answer as they are told."""

    def told(self, discarder: int, answers: dict[int, str], multi_ron: bool) -> tuple[str, list[int]]:
        self.options["multi_ron"] = multi_ron
        wins: dict[int, tuple[Score, list[str]] | None] = {
            seat: (Score(True), ["1m"]) if answers.get(seat) == "hu" else None for seat in SEATS
        }

        def claims(seat: int) -> list[str]:
            answer = answers.get(seat, "pass")
            allowed = answer != "chi" or seat == (discarder + 1) % 4
            return [answer] if allowed and answer not in ("hu", "pass") else []

        asking = self._ask("claim", discarder, ["1m"], wins, claims)
        try:
            seat, _, _ = next(asking)
            while True:
                seat, _, _ = asking.send(answers[seat])
        except StopIteration as end:
            given = end.value
        winners = list(self._winners(discarder, given, wins))
        if winners:
            return "hu", winners
        best = max(given, key=lambda seat: RANKS[given[seat]], default=None)
        return ("pass", []) if best is None else (given[best], [best])


@pytest.mark.parametrize("case", of_kind("claims"))
def test_claims(case: dict[str, Any]) -> None:
    table = Claims(FULL_WALL, options=STILL)
    answers = {int(seat): answer for seat, answer in case["answers"].items()}
    multi_ron = case.get("options", {}).get("multi_ron", True)
    action, seats = table.told(case["discarder"], answers, multi_ron)
    assert {"action": action, "seats": seats} == case["expected"]


@pytest.mark.parametrize("case", of_kind("chi"))
def test_chi(case: dict[str, Any]) -> None:
    names = chi_names(tiles(case["hand"]), case["tile"]) if case["seat"] == (case["discarder"] + 1) % 4 else []
    runs = [runs_with(case["tile"])[name.split()[1]] for name in names]
    assert sorted(runs) == [tiles(text) for text in case["expected"]]


@pytest.mark.parametrize("case", of_kind("gang"))
def test_gang(case: dict[str, Any]) -> None:
    hand, tile = tiles(case["hand"]), case["tile"]
    rest = sorted((Counter(FULL_WALL) - Counter(hand)).elements())
    table = Table([*hand[:13], *rest[:39], *hand[13:], *rest[39:]], options=STILL)
    if hand.count(tile) == 4:
        names = [name.split()[0] for name in table.legal() if "gang" in name]
    else:
        names = [name for name in table._claim_names(0, tile, 1) if "gang" in name]
    assert sorted(names) == sorted(case["expected"])


def _passes(mode: str, events: list[list[Any]]) -> list[bool]:
    bar, offered = PassBar(mode), []
    last: tuple[str, int] = ("", 0)
    for what, *more in events:
        if what == "offer":
            last = (more[0], more[1])
            offered.append(not bar.bars_kind(more[0]) and not bar.bars_value(more[1]))
        elif what == "self":
            offered.append(True)
        elif what == "pass":
            bar.passed(last[1], [last[0]])
        else:
            bar.drew()
    return offered


RULES = {
    "bird_seats": lambda given: bird_seats(given["ranks"], given["origin"]),
    "haidi_order": lambda given: haidi_order(given["due"], given["tenpai"], given["tenpai_only"]),
    "can_replace": lambda given: can_replace(given["wall"], given["n"], full_options()),
    "pass_hu": lambda given: _passes(given["mode"], given["events"]),
    "mid_four": lambda given: [
        group for group in groups_of(given["hand"], True, False) if group[1] not in given["declared"]
    ],
}


@pytest.mark.parametrize("case", of_kind(*RULES))
def test_rule(case: dict[str, Any]) -> None:
    assert RULES[case["kind"]](case["args"]) == case["expected"]


@pytest.mark.parametrize("case", of_kind("next_dealer"))
def test_next_dealer(case: dict[str, Any]) -> None:
    given, table = case["args"], Table(FULL_WALL, options=STILL)
    if given["result"] == "draw":
        table.wall = table.wall[:1]
        taking = table._take_sea_bottom(given["haidi_taken_by"])
        for question in taking:
            raise AssertionError(f"asked {question}")
    else:
        winners = given.get("winners", [given.get("winner")])
        table._won(dict.fromkeys(winners, Score(True)), given.get("discarder"))
    assert table.next_dealer == case["expected"]


@pytest.mark.parametrize("case", of_kind("deal"))
def test_deal(case: dict[str, Any]) -> None:
    table = Table(FULL_WALL, dealer=2)
    assert [len(table.hands[seat]) for seat in (2, 3, 0, 1)] == [case["expected"]["dealer"]] + [13] * 3
    assert len(table.wall) == case["expected"]["wall"]


# --- options of one hand ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "hand", "sets", "win", "how", "flags", "patterns"),
    [
        ({"small_self_draw_only": True}, "1235m 789p 456s", "an_gang 9m", "5m", "discard", "", None),
        ({"small_self_draw_only": True}, "1235m 789p 456s", "an_gang 9m", "5m", "self_draw", "", "平胡"),
        ({"small_self_draw_only": True}, "1235m 789p 456s", "an_gang 9m", "5m", "discard", "last_tile", "海底炮"),
        ({"big_only": True}, "1235m 789p 456s", "an_gang 9m", "5m", "self_draw", "", None),
        ({"need_open_door": True}, "1235m 789p 456s", "an_gang 9m", "5m", "self_draw", "", None),
        ({"need_open_door": True}, "1235m 789p 456s", "bu_gang 9m", "5m", "self_draw", "", "平胡"),
        ({"menqing": True}, "1235m 789p 456s", "an_gang 9m", "5m", "self_draw", "", "门清"),
        ({"menqing": True}, "1235m 789p 456s", "an_gang 9m", "5m", "discard", "", "平胡"),
        ({"menqing": True}, "1234m 789p 456s", "an_gang 9m", "4m", "self_draw", "", None),
        (
            {"menqing": True, "menqing_need_258": False},
            "1234m 789p 456s",
            "an_gang 9m",
            "4m",
            "self_draw",
            "",
            "门清",
        ),
        ({"menqing": True}, "1234m 789p 456s", "peng 9m", "4m", "self_draw", "", None),
        ({"luxury_weights": "1/1/1/1"}, "1111334466m 113p", "", "3p", "discard", "", "豪华七小对"),
        ({}, "1234m 789p 456s", "an_gang 9m", "4m", "self_draw", "tian_hu", "天胡"),
        ({"tianhu_need_258": True}, "1234m 789p 456s", "an_gang 9m", "4m", "self_draw", "tian_hu", None),
        ({"quanqiuren_need_258": True}, "3p", "chi 123m,peng 5p,chi 789s,chi 234s", "3p", "discard", "", None),
        (
            {"quanqiuren_concealed_gang": False},
            "2p",
            "chi 123m,an_gang 5p,chi 789s,chi 234s",
            "2p",
            "discard",
            "",
            "平胡",
        ),
        ({}, "1235m 789p 456s", "an_gang 9m", "5m", "rob_gang", "", "平胡"),
        ({}, "2p", "gang 2m,peng 5m,peng 8m,peng 8p", "5p", "discard", "", "将将胡"),
    ],
)
def test_options_of_a_hand(
    options: dict[str, Any], hand: str, sets: str, win: str, how: str, flags: str, patterns: str | None
) -> None:
    full = full_options("classic_1267", options)
    found = score(tiles(hand), melds(sets.split(",") if sets else []), win, how, full, flags.split())
    assert (" ".join(found.patterns) if found.hu else None) == patterns


def test_payments_of_a_robbing() -> None:
    options = full_options("classic_1267", {"rob_pays_three": True})
    assert pay(options, 0, {1: 1}, 2, [6], robbed=True) == [0, 7 * 2 + 6 * 2 + 6 * 2, -38, 0]
    assert pay(options, 0, {1: 1}, 2, [6]) == [0, 12, -12, 0]
    assert pay(full_options("egret_x", {"rob_pays_three": True}), 0, {1: 1, 3: 1}, 2, robbed=True) == [0, 10, -20, 10]
    gs = full_options("gs_1266", {"cap": 21, "piao": 2})
    assert pay(gs, 0, {0: 3}, 1, [1]) == [21 + 1 + 4, -26, 0, 0]


# --- small scenes -----------------------------------------------------------------------------------------------------

STILL: dict[str, Any] = {"si_xi": False, "ban_ban_hu": False, "que_yi_se": False, "liu_liu_shun": False}
OPENER = "1239999m 2278p 456s"  # fourteen: 开杠 leaves it waiting for 6p and 9p
READY = "123678m 78p 23455s"  # waits for 6p and 9p as well


def scene(hands: dict[int, str], draws: str = "", tail: str = "", **options: Any) -> Table:
    """A table with these hands, filled up with tiles that go with nothing; the dealer, seat 0, holds fourteen.

    draws come first; the tail is taken from its right.
    """
    preset = options.pop("preset", "classic_1267")
    held = {seat: tiles(hands.get(seat, "")) for seat in SEATS}
    rest = Counter(FULL_WALL) - Counter(tiles(draws)) - Counter(tiles(tail))
    for hand in held.values():
        assert not Counter(hand) - rest, "more than four of a kind"
        rest -= Counter(hand)
    for seat, hand in held.items():
        while len(hand) < (14 if seat == 0 else 13):
            alone = min(rest, key=lambda tile: (sum(_nearness(tile, other) for other in hand), tile))
            hand.append(alone)
            rest -= Counter([alone])
    dealt = held[0][:13] + held[1] + held[2] + held[3] + held[0][13:]
    wall = [*dealt, *tiles(draws), *sorted(rest.elements()), *tiles(tail)]
    return Table(wall, 0, preset, {**STILL, "birds": 0, **options}, [1, 2] * 20)


def _nearness(one: str, other: str) -> int:
    gap = abs(int(one[0]) - int(other[0]))
    return 0 if one[1] != other[1] or gap > 2 else (10, 4, 2)[gap]


def let(table: Table, *moves: str) -> Table:
    """Plays "seat action"; seats that are asked before discard what they drew, or pass."""
    for move in moves:
        seat, _, name = move.partition(" ")
        reach(table, int(seat), name)
        table.play(name)
    return table


def reach(table: Table, seat: int, name: str) -> None:
    while table.to_act != seat or name not in table.legal():
        assert table.to_act is not None, f"over before {seat} {name}"
        legal = table.legal()
        table.play("pass" if "pass" in legal else f"discard {table.hands[table.to_act][-1]}")


def patterns(table: Table) -> list[str]:
    return [" ".join(win["patterns"]) for win in table.wins]


def test_turned_up_tiles_win_for_the_gang_player() -> None:
    table = let(scene({0: OPENER}, tail="9p 6p"), "0 open_self_gang 9m")
    assert table.turned == ["6p", "9p"]
    assert (table.to_act, table.phase, table.legal()) == (0, "flower", ["hu", "pass"])
    table.play("hu")
    assert patterns(table) == ["杠上开花 杠上开花"]
    assert table.points == [42, -14, -14, -14] and table.next_dealer == 0


def test_turned_up_tiles_win_for_others_together() -> None:
    table = let(scene({0: OPENER, 2: READY}, tail="5m 6p"), "0 open_self_gang 9m", "0 pass", "2 hu")
    assert patterns(table) == ["杠上炮"] and table.points == [-7, 0, 7, 0]
    hands = {0: OPENER, 2: READY, 3: "112233m 45678s 55p"}
    table = let(scene(hands, tail="9s 6p"), "0 open_self_gang 9m", "0 pass", "2 hu", "3 hu")
    assert patterns(table) == ["杠上炮", "杠上炮"] and table.points == [-14, 0, 7, 7] and table.next_dealer == 0
    table = let(scene(hands, tail="9s 6p", multi_ron=False), "0 open_self_gang 9m", "0 pass", "2 hu")
    assert table.over and table.points == [-7, 0, 7, 0]


def test_a_passed_flower_bars_its_value_until_released() -> None:
    def offered(mode: str) -> list[str]:
        table = scene({0: OPENER, 1: "9p"}, tail="1s 6p", draws="7s", pass_hu=mode)
        let(table, "0 open_self_gang 9m", "0 pass", "1 discard 9p")
        return table.legal() if table.to_act == 0 else []

    assert [mode for mode in OPTION_VALUES["pass_hu"] if "hu" in offered(mode)] == ["tile_until_draw", "none"]


def test_turned_up_tiles_are_claimed_kind_by_kind() -> None:
    table = scene({0: OPENER, 1: "57m", 3: "88m"}, tail="8m 6m")
    let(table, "0 open_self_gang 9m", "1 pass")
    assert (table.to_act, table.phase) == (3, "turned") and table.legal() == ["pass", "peng"]
    table = let(scene({0: OPENER, 1: "57m", 3: "88m"}, tail="8m 6m"), "0 open_self_gang 9m", "1 chi middle")
    assert (table.to_act, table.phase, table.legal()) == (3, "turned", ["pass", "peng"])
    taken, refused = table.copy(), table
    taken.play("peng")
    assert (taken.to_act, taken.phase) == (3, "after_claim") and taken.rivers[0] == ["6m"]
    refused.play("pass")
    assert (refused.to_act, refused.phase) == (1, "after_claim") and refused.rivers[0] == ["8m"]


def test_one_chosen_tile_is_named_before_the_claims() -> None:
    def chosen(tile: str) -> Table:
        table = scene({0: OPENER, 1: "66m"}, tail="8s 6m", preset="rulebook_a")
        let(table, "0 open_self_gang 9m")
        assert (table.to_act, table.phase, table.legal()) == (0, "choose", ["discard 6m", "discard 8s"])
        return let(table, f"0 discard {tile}")

    assert "peng" in chosen("6m").legal()
    assert "peng" not in chosen("8s").legal()


def test_a_locked_hand_discards_what_it_draws_and_gangs_without_changing_its_waits() -> None:
    table = let(scene({0: OPENER}, tail="8s 1p", draws="1s 1s 1s 7m"), "0 open_self_gang 9m")
    reach(table, 0, "discard 7m")
    assert table.legal() == ["discard 7m"]
    table = scene({0: "9999m 444p 77789s 22s"}, tail="8s 1m 6s 4p")
    let(table, "0 open_self_gang 9m")
    reach(table, 0, "open_self_gang 4p")
    assert (table.phase, table.legal()) == ("again", ["open_self_gang 4p", "pass"])
    table.play("open_self_gang 4p")
    assert table.anything_turned and ("an_gang", "4p") in table.melds[0] and table.rivers[0][0] == "6s"


ROBBERY = {0: "6p", 1: "66p 123m", 3: READY}


@pytest.mark.parametrize(
    ("form", "preset", "expected", "won"),
    [
        ("open_self_gang", "rulebook_a", "抢杠胡", 6),
        ("self_gang", "rulebook_a", "平胡", 1),
        ("self_gang", "classic_1267", "抢杠胡", 6),
    ],
)
def test_a_robbed_gang(form: str, preset: str, expected: str, won: int) -> None:
    table = scene(ROBBERY, draws="1p 1s 1s 6p", preset=preset, gang_need_tenpai="none", pass_hu="none")
    let(table, "0 discard 6p", "1 peng", "3 pass")
    reach(table, 1, f"{form} 6p")
    let(table, f"1 {form} 6p", "3 hu")
    assert ("peng", "6p") in table.melds[1] and table.rivers[1][-1] == "6p"
    assert patterns(table) == [expected] and table.points == [0, -won, 0, won]


def test_starting_wins_are_paid_with_dice_birds() -> None:
    def points(**options: Any) -> list[int]:
        table = scene({0: "1111m 444p"}, **{"si_xi": True, "liu_liu_shun": True, **options})
        assert (table.to_act, table.phase, table.legal()) == (0, "start", ["declare", "pass"])
        table.play("declare")
        return table.points

    # Dice 1 and 2 hit the dealer and seat 1; the dealer's share is 2.
    assert points() == [32, -16, -8, -8]
    assert points(starting_birds=False) == [12, -4, -4, -4]
    assert points(starting_birds=False, starting_wins_each=False) == [6, -2, -2, -2]


def test_mid_game_items_come_one_by_one_after_a_draw() -> None:
    table = scene({0: "1117m 444p 777s"}, draws="9m 9s 9m 1m", mid_four=True, mid_six=True)
    assert "declare" not in table.legal()
    let(table, "0 discard 7m")
    reach(table, 0, "declare")
    for _ in range(4):  # 1111m; 1m 4p, 1m 7s, 4p 7s
        table.play("declare")
    assert "declare" not in table.legal() and len(table.thrown) == 8


def test_heaven_and_earth() -> None:
    table = let(scene({0: "123999m 33678p 456s"}), "0 hu")
    assert patterns(table) == ["天胡"] and table.points == [21, -7, -7, -7]
    table = let(scene({0: "6p", 2: READY}), "0 discard 6p", "2 hu")
    assert patterns(table) == ["地胡"] and table.points == [-7, 0, 7, 0]
    table = let(scene({0: "6p", 2: READY}, dihu="off"), "0 discard 6p", "2 hu")
    assert patterns(table) == ["平胡"] and table.points == [-2, 0, 2, 0]


def test_the_sea_bottom() -> None:
    table = scene({2: READY}, draws="1s", tail="9p")
    reach(table, 2, "take")
    assert table.phase == "haidi" and len(table.wall) == 1
    let(table, "2 take", "2 hu")
    assert patterns(table) == ["海底捞月"] and table.next_dealer == 2
    refused = scene({2: READY}, draws="1s", tail="9p", haidi_tenpai_only=False)
    while refused.phase != "haidi":
        refused.play("pass" if "pass" in refused.legal() else f"discard {refused.hands[refused.to_act or 0][-1]}")
    due, asked = refused.to_act, []
    while not refused.over:
        asked.append(refused.to_act)
        refused.play("pass")
    assert len(asked) == 4 and refused.points == [0, 0, 0, 0] and refused.next_dealer == due


def test_a_passed_small_win_lets_a_bigger_one_through() -> None:
    bar = PassBar("value_until_discard")
    bar.passed(0, ["3m"])
    bar.drew()
    assert bar.bars_value(0) and not bar.bars_value(1)
    bar.discarded()
    assert not bar.bars_value(0)


# --- whole games ------------------------------------------------------------------------------------------------------


def check_position(table: Table) -> None:
    assert Counter(table.tiles()) == Counter(dict.fromkeys(KINDS, 4))
    own_turn = table.phase in ("dealt", "draw", "replacement", "after_claim")
    for seat in SEATS:
        size = len(table.hands[seat]) + 3 * len(table.melds[seat])
        has_more = (own_turn or table.phase == "haidi_hu") and seat == table.to_act
        if table.phase == "start":
            has_more = seat == table.dealer
        if table.phase == "rob":
            has_more = size == 14
        if table.over and table.wins:
            continue
        assert size == 13 + has_more
    assert sum(table.points) == 0
    assert table.over == (table.to_act is None) == (not table.legal())
    assert len(table.turned) in (0, table.options["gang_reveal_count"])


NAMES = re.compile(
    r"(discard|(open_)?self_gang) [1-9][mps]|chi (low|middle|high)|peng|(open_)?gang|hu|pass|take|declare"
)


def play_to_the_end(table: Table, rng: random.Random, wins: float) -> None:
    while not table.over:
        check_position(table)
        legal = table.legal()
        assert legal == sorted(set(legal)) and all(NAMES.fullmatch(name) for name in legal)
        assert legal != ["pass"]
        table.play(likely_action(table, rng, wins))
    check_position(table)
    assert table.next_dealer in SEATS


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("kind", ["plain", "options"])
def test_random_games(preset: str, kind: str) -> None:
    rng = random.Random(f"{preset} {kind}")
    for number in range(10):
        options = {} if kind == "plain" else random_options(rng)
        table = random_game(rng, preset, options, rigged=number % 2 == 0)
        play_to_the_end(table, rng, rng.choice((0.05, 0.7)))
        assert replay(table.record()).points == table.points


def test_lucky_games_reach_the_rare_rules() -> None:
    rng = random.Random(8)
    seen = Counter[str]()
    for number in range(18):
        table = lucky_game(rng, PRESETS[number % len(PRESETS)], random_options(rng, 0.1), wins=0.1)
        replay(table.record())
        seen.update(action.split()[0] for action in table.actions)
        seen.update(pattern for win in table.wins for pattern in win["patterns"])
    for name in ("declare", "take", "open_gang", "open_self_gang", "gang", "self_gang", "chi", "杠上炮", "杠上开花"):
        assert seen[name], f"no game shows {name}: {seen}"


def test_replay_sees_every_kind_of_difference() -> None:
    table = lucky_game(random.Random(3), "classic_1267")
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
    refused("cannot be set up", options={"no_such_option": 1})
    refused("dice", dice=[*good.get("dice", []), 1, 1])
