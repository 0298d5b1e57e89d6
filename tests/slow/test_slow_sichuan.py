"""The slow Sichuan engine against hands with known answers, small scenes, and its own invariants."""

from __future__ import annotations

import copy
import random
import re
from collections import Counter
from typing import Any

import pytest

from .sichuan import (
    DIRECTIONS,
    FULL_WALL,
    KINDS,
    OPTION_VALUES,
    SEATS,
    Ledger,
    Meld,
    Mismatch,
    PassLock,
    Table,
    cha_jiao,
    full_options,
    likely_action,
    next_seat,
    random_game,
    random_options,
    replay,
    score,
    waits,
)


def tiles(text: str) -> list[str]:
    """ "123m 55p" -> 1m 2m 3m 5p 5p."""
    return [rank + block[-1] for block in text.split() for rank in block[:-1]]


def melds(text: str) -> list[Meld]:
    """ "peng 5m, gang 9s" -> pairs."""
    return [(kind, tile) for kind, tile in (one.split() for one in text.split(",") if one)]


# --- single hands -------------------------------------------------------------------------------------------

# preset, options, concealed, melds, win tile, how, flags, void -> patterns, raw fan, value.  The first ones
# are the worked examples of the competition rules, article 10.
HANDS: list[tuple[str, dict[str, Any], str, str, str, str, str, str | None, str, int, int]] = [
    ("sbr2025", {}, "678m 1237p", "gang 9m,an_gang 4p", "7p", "discard", "", None, "gang gang", 2, 4),
    ("sbr2025", {}, "4577s 677778p", "peng 3s", "3s", "discard", "", None, "gen gen", 2, 4),
    ("sbr2025", {}, "333346677m 5577s", "", "4m", "discard", "", None, "gen qi_dui", 3, 8),
    ("sbr2025", {}, "88p 99m", "peng 5m,peng 6m,peng 7p", "9m", "discard", "", None, "dui_dui_hu", 1, 2),
    ("sbr2025", {}, "2346788m", "peng 1m,peng 5m", "5m", "discard", "", None, "gen qing_yi_se", 3, 8),
    ("sbr2025", {}, "1122445578899s", "", "7s", "discard", "", None, "qi_dui qing_yi_se", 4, 8),
    ("sbr2025", {}, "2223344678m 789p", "", "3m", "discard", "after_gang", "s", "gang_shang_pao", 1, 2),
    (
        "sbr2025",
        {},
        "5m",
        "gang 2s,gang 4s,gang 9m,gang 3s",
        "5m",
        "discard",
        "",
        "p",
        "dui_dui_hu gang gang gang gang jin_gou_diao",
        6,
        8,
    ),
    (
        "sbr2025",
        {},
        "234m 4566789p",
        "an_gang 1m",
        "9p",
        "self_draw",
        "after_gang last_tile",
        "s",
        "gang gang_shang_hua hai_di",
        3,
        8,
    ),
    (
        "sbr2025",
        {},
        "678m 1237p",
        "gang 9m,an_gang 4p",
        "7p",
        "rob_gang",
        "after_gang",
        None,
        "gang gang gang_shang_pao qiang_gang",
        4,
        8,
    ),
    (
        "sbr2025",
        {"rob_after_gang_counts_both": False},
        "678m 1237p",
        "gang 9m,an_gang 4p",
        "7p",
        "rob_gang",
        "after_gang",
        None,
        "gang gang qiang_gang",
        3,
        8,
    ),
    ("sbr2025", {}, "222233334444m 5s", "", "5s", "discard", "", None, "gen gen gen qi_dui", 5, 8),
    (
        "online",
        {"fan_cap": 4},
        "111222333444m 5m",
        "",
        "5m",
        "self_draw",
        "",
        None,
        "dui_dui_hu qing_yi_se zi_mo",
        4,
        16,
    ),
    ("online", {}, "222555888m 5552s", "", "2s", "discard", "", None, "dui_dui_hu jiang", 3, 8),
    ("online", {}, "123789m 1111239s", "", "9s", "discard", "", None, "dai_yao_jiu gen", 3, 8),
    (
        "online",
        {"dragon_extra": 1},
        "11115566m 55778s",
        "",
        "8s",
        "discard",
        "",
        None,
        "dragon_extra gen qi_dui",
        4,
        16,
    ),
    (
        "online",
        {"dragon_extra": 1},
        "1111335577889m",
        "",
        "9m",
        "discard",
        "",
        None,
        "gen qi_dui qing_yi_se",
        5,
        32,
    ),
    (
        "online",
        {"men_qing": 1, "zhong_zhang": 1, "men_qing_zimo_only": True},
        "234345m 6785678s",
        "",
        "8s",
        "discard",
        "",
        None,
        "zhong_zhang",
        1,
        2,
    ),
    (
        "online",
        {"jgd_needs": "pair_wait"},
        "111333555m 8882s",
        "",
        "2s",
        "discard",
        "",
        None,
        "dui_dui_hu jin_gou_diao",
        2,
        4,
    ),
    ("online", {}, "123456789m 1122p", "", "1p", "self_draw", "first_turn dealer", "s", "tian_hu", 5, 32),
    ("online", {}, "123456789m 1122p", "", "1p", "discard", "first_turn", "s", "ping_hu", 0, 1),
]


@pytest.mark.parametrize("case", HANDS, ids=[f"{case[2]} {case[3]} + {case[4]}" for case in HANDS])
def test_hand(case: tuple[Any, ...]) -> None:
    preset, overrides, hand, sets, win_tile, how, flags, void, patterns, fan, value = case
    found = score(tiles(hand), melds(sets), win_tile, how, full_options(preset, overrides), flags.split(), void)
    assert " ".join(found.patterns) == patterns
    assert (found.fan_raw, found.value) == (fan, value)


@pytest.mark.parametrize(
    ("hand", "sets", "win_tile", "void", "reason"),
    [
        ("23456789m 11123p", "", "1m", "m", "has_void_suit"),
        ("111222333m 44p 55s", "", "4p", None, "three_suits"),
        ("2233m 556677889s", "", "8s", None, "no_structure"),
        ("1133557m", "peng 9m,peng 9s", "7m", None, "no_structure"),
        ("1111234567m 99s", "peng 1m", "9s", None, "bad_tile_count"),
        ("1111234567m", "peng 1m", "7m", None, "too_many_copies"),
    ],
)
def test_no_win(hand: str, sets: str, win_tile: str, void: str | None, reason: str) -> None:
    found = score(tiles(hand), melds(sets), win_tile, "discard", full_options("sbr2025"), (), void)
    assert (found.hu, found.reason) == (False, reason)


def test_waits_by_ting_rule() -> None:
    hand, sets = tiles("34566p 35s"), melds("peng 9p,an_gang 4s")
    assert waits(hand, sets, full_options("sbr2025")) == ["4s"]
    assert waits(hand, sets, full_options("online")) == []
    seen = Counter(hand) + Counter({"4s": 4})
    assert waits(hand, sets, full_options("online", {"ting_rule": "visible"}), None, seen) == []
    assert waits(tiles("111p 9m"), melds("peng 8m,peng 9m,peng 4p"), full_options("sbr2025")) == ["9m"]


def test_cha_jiao_takes_the_best_wait() -> None:
    options = full_options("sbr2025")
    assert cha_jiao(tiles("3444m"), melds("peng 1m,peng 8p,peng 9p"), options) == (1, "3m")
    assert cha_jiao(tiles("34567888p 99s"), melds("peng 5p"), options) == (2, "8p")
    fifth_copy = cha_jiao(tiles("34567p 88899s"), melds("peng 5p"), options)
    assert fifth_copy is not None and fifth_copy[0] == 1
    assert cha_jiao(tiles("1122557799m 113s"), [], options) == (2, "3s")


# --- money and small rules ----------------------------------------------------------------------------------


def test_gang_money_and_what_becomes_of_it() -> None:
    ledger = Ledger(full_options("sbr2025"))
    ledger.gang(0, "bu_gang")
    ledger.gang(0, "bu_gang", fresh=False)
    assert ledger.points == [3, -1, -1, -1]

    def after_gang_pao(how: str) -> list[int]:
        ledger = Ledger(full_options("online", {"gang_pao": how}))
        ledger.gang(0, "an_gang")
        last = ledger.gang(0, "gang", feeder=1)
        ledger.win_from(0, {2: 1}, last, robbed=False)
        return ledger.points

    assert after_gang_pao("refund") == [4, -2, 0, -2]
    assert after_gang_pao("transfer_last") == [4, -4, 2, -2]
    assert after_gang_pao("transfer_all") == [-2, -4, 8, -2]
    assert after_gang_pao("none") == [6, -4, 0, -2]


def test_transferred_gang_money_is_split_with_the_rest_to_the_nearest() -> None:
    ledger = Ledger(full_options("online"))
    last = ledger.gang(0, "bu_gang")
    ledger.win_from(0, {2: 1, 3: 1}, last, robbed=False)
    assert ledger.points == [-4, -1, 3, 2]


@pytest.mark.parametrize(
    ("preset", "overrides", "states", "points"),
    [
        ("sbr2025", {}, "ting2 active noting passive", [12, -28, -4, -4]),
        ("sbr2025", {}, "noting noting active active", [0, 0, -24, -24]),
        (
            "sbr2025",
            {"pig_amount": 16, "pig_to": "all", "pig_also_jiao": False},
            "noting noting active active",
            [32, 32, -32, -32],
        ),
        ("online", {}, "ting2 active noting ting1", [36, -96, 26, 34]),
        ("online", {}, "active active noting noting", [-64, -64, 64, 64]),
        ("online", {}, "ting2 ting0 ting1 ting3", [0, 0, 0, 0]),
    ],
)
def test_the_walls_end(preset: str, overrides: dict[str, Any], states: str, points: list[int]) -> None:
    ledger = Ledger(full_options(preset, overrides))
    names = {"active": "pig_active", "passive": "pig_passive", "noting": "noting"}
    ledger.exhaust(
        {
            seat: ("ting", int(word[4:])) if word.startswith("ting") else (names[word], 0)
            for seat, word in enumerate(states.split())
        }
    )
    assert ledger.points == points


def test_nobody_ready_gives_back_the_gang_money() -> None:
    ledger = Ledger(full_options("sbr2025"))
    ledger.gang(1, "gang", feeder=3)
    ledger.exhaust(dict.fromkeys(SEATS, ("noting", 0)))
    assert ledger.points == [0, 0, 0, 0]


def test_who_draws_after_a_win() -> None:
    assert next_seat(0, [1, 2], [1, 2]) == 3
    assert next_seat(3, [1], [1]) == 2
    assert next_seat(0, [1], [1, 2]) == 3


def test_pass_lock_keeps_the_maximum() -> None:
    lock = PassLock("higher_fan")
    lock.passed(3)
    lock.passed(1)
    assert not lock.allows(3) and lock.allows(4)
    lock.release()
    assert lock.allows(0)


# --- small scenes -------------------------------------------------------------------------------------------


def wall_with(hands: list[str], fourteenth: str, draws: str) -> list[str]:
    """A wall that deals these hands from seat 0 on; the tiles not named come at its end in plain order."""
    head = [tile for hand in hands for tile in tiles(hand)] + [fourteenth] + tiles(draws)
    rest = list(FULL_WALL)
    for tile in head:
        rest.remove(tile)
    return head + rest


# Seat 3 waits on 5m, of which seat 0 holds one and seat 1 two; void p, p, s, s.
DEALER, PAIR, OTHER, READY = "1122577m 336699s", "5533888m 124578s", "134467m 2255889p", "4699m 123456789p"
ROB_HANDS = [DEALER, PAIR, OTHER, READY]


def play_all(table: Table, moves: str) -> None:
    for move in moves.split(","):
        table.play(move.strip())


def asks(table: Table) -> tuple[int | None, str, list[str]]:
    return table.to_act, table.phase, table.legal()


def test_a_robbed_gang_does_not_stand_and_its_declarer_pays() -> None:
    table = Table(wall_with(ROB_HANDS, "8s", "3p 9p 4s 5m"), 0, "sbr2025")
    play_all(table, "void p, void p, void s, void s, discard 5m")
    assert asks(table) == (1, "claim", ["pass", "peng"])
    table.play("peng")
    assert asks(table) == (3, "claim", ["hu", "pass"])
    table.play("pass")
    assert (table.to_act, table.phase) == (1, "after_peng")
    play_all(table, "discard 1s, discard 3p, discard 9p, discard 4s")
    assert table.drawn == "5m" and "self_gang 5m" in table.legal()
    table.play("self_gang 5m")
    assert asks(table) == (3, "rob", ["hu", "pass"])
    passed = copy.deepcopy(table)
    table.play("hu")
    assert table.points == [0, -2, 0, 2]
    assert table.wins[0]["score"].patterns == ("qiang_gang",)
    assert ("peng", "5m") in table.melds[1] and table.discards[1][-1].tile == "5m"
    assert table.to_act == 0  # the next seat after the winner
    passed.play("pass")
    assert passed.points == [-1, 3, -1, -1]  # fresh: paid
    assert passed.to_act == 1 and passed.replacement_of is not None


def test_the_pass_lock_stops_the_same_fan() -> None:
    def asked_again(rule: str) -> bool:
        wall = wall_with(ROB_HANDS, "8s", "5m")
        table = Table(wall, 0, "sbr2025", {"pass_lock": rule})
        play_all(table, "void p, void p, void s, void s, discard 5m, pass, pass, discard 5m")
        return table.to_act == 3

    assert [rule for rule in OPTION_VALUES["pass_lock"] if asked_again(rule)] == ["none"]


def test_once_hu_is_said_a_mere_peng_is_not_asked() -> None:
    table = Table(wall_with([DEALER, READY, PAIR, OTHER], "8s", ""), 0, "sbr2025")
    play_all(table, "void p, void s, void p, void s, discard 5m, hu")
    assert table.wins[0]["seat"] == 1 and table.to_act == 2 and table.phase == "turn"
    assert table.points == [-1, 1, 0, 0]


def test_the_dealt_fourteen_may_win() -> None:
    hands = ["123456789m 1122p", "1112223334445s", "444777888999p 3p", "5556667778889s"]
    wall = wall_with(hands, "1p", "")
    table = Table(wall, 0, "online", {"exchange": False})
    play_all(table, "void s, void m, void m, void m")
    assert "hu" in table.legal()
    table.play("hu")
    assert table.points == [96, -32, -32, -32] and table.wins[0]["tile"] == "2p"
    assert table.to_act == 1


@pytest.mark.parametrize("direction", sorted(DIRECTIONS))
def test_exchange_asks_three_picks_in_a_row_and_moves_all_at_once(direction: str) -> None:
    table = random_game(random.Random(5), "online", {"exchange_direction": direction})
    before = [list(hand) for hand in table.hands]
    asked = []
    while table.phase == "swap":
        asked.append(table.to_act)
        table.play(table.legal()[0])
    assert asked == [(table.dealer + step) % 4 for step in SEATS for _ in range(3)]
    for seat in SEATS:
        received = table.picks[(seat - DIRECTIONS[direction]) % 4]
        kept = Counter(before[seat]) - Counter(table.picks[seat])
        assert Counter(table.hands[seat]) == kept + Counter(received)
        assert len({tile[1] for tile in received}) == 1


def test_a_xueliu_winner_discards_what_it_draws_and_wins_at_once() -> None:
    rng = random.Random(11)
    forced = Counter[str]()
    for _ in range(12):
        table = random_game(rng, "online", {"mode": "xueliu", "exchange": False}, rigged=True)
        while not table.over:
            legal = table.legal()
            if table.phase == "turn" and table.to_act in table.ledger.won:
                assert legal == ["hu"] or set(legal) <= {f"discard {table.drawn}", f"self_gang {table.drawn}"}
                forced[legal[0].split()[0]] += 1
            table.play("hu" if "hu" in legal else likely_action(table, rng))
        assert not table.wall
    assert forced["hu"] and forced["discard"]


# --- whole games --------------------------------------------------------------------------------------------


def check_position(table: Table) -> None:
    assert table.tile_count() == 108
    for seat in SEATS:
        size = len(table.hands[seat]) + 3 * len(table.melds[seat])
        on_turn = table.offer is None and seat == table.turn and not table.over
        dealt = seat == table.dealer and table.first_turn and table.phase in ("swap", "void")
        robbing = table.offer is not None and table.offer.robbing and seat == table.offer.shooter
        assert size == 13 + (on_turn or dealt or robbing)
    assert table.over == (table.to_act is None) == (not table.legal())


def play_to_the_end(table: Table, rng: random.Random) -> None:
    pattern = re.compile(r"(swap|discard|self_gang) [1-9][mps]|void [mps]|gang|peng|hu|pass")
    lost_to_nobody = table.options["pig_to"] == "void"
    while not table.over:
        check_position(table)
        legal = table.legal()
        assert legal == sorted(set(legal)) and all(pattern.fullmatch(name) for name in legal)
        if table.offer is not None:
            assert legal != ["pass"]
        assert sum(table.points) == 0
        table.play(likely_action(table, rng))
    check_position(table)
    assert sum(table.points) <= 0 if lost_to_nobody else sum(table.points) == 0
    if table.options["mode"] == "xueliu":
        assert not table.wall
    else:
        assert len(table.ledger.won) == 3 or (not table.wall and len(table.ledger.won) < 3)
    everything = Counter(table.wall)
    for seat in SEATS:
        everything += Counter(table.hands[seat]) + Counter(table.laid_aside[seat])
        everything += Counter(one.tile for one in table.discards[seat] if not one.taken)
        for kind, tile in table.melds[seat]:
            everything[tile] += 3 if kind == "peng" else 4
    assert everything == Counter(dict.fromkeys(KINDS, 4))
    assert table.next_dealer in SEATS


@pytest.mark.parametrize("preset", ["sbr2025", "online"])
@pytest.mark.parametrize("mode", ["xuezhan", "xueliu"])
@pytest.mark.parametrize("kind", ["plain", "options"])
def test_random_games(preset: str, mode: str, kind: str) -> None:
    rng = random.Random(f"{preset} {mode} {kind}")
    for number in range(30):
        options = {"mode": mode} if kind == "plain" else {**random_options(rng), "mode": mode}
        table = random_game(rng, preset, options, rigged=number % 2 == 0)
        play_to_the_end(table, rng)
        replay(table.record())


def test_replay_sees_every_kind_of_difference() -> None:
    rng = random.Random(3)
    table = random_game(rng, "online", rigged=True)
    play_to_the_end(table, rng)
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
    refused("is not legal", actions=["pass", *actions[1:]], legal=None)
    refused("legal sets differ", legal=[*legal[:-1], ["pass", "dance"]])
    refused("cannot be set up", wall=good["wall"][:-1])
    refused("cannot be set up", options={"no_such_option": 1})
