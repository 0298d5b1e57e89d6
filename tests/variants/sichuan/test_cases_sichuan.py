"""Sichuan hands, settlements and procedures with their right answers (`cases/sichuan.json`), by the public API.

Hands are scored, and then won, or not, at a table. Settlements are played out from positions in which exactly the
events of the case happen.
"""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import mahjong_env as mj
from mahjong_env.play.scoring import best_wait, waits

CASES = json.loads((Path(__file__).parents[2] / "cases" / "sichuan.json").read_text(encoding="utf-8"))["cases"]
NO_VOID = "----"
UNSEEN = None
"""A hand dealt from the tiles not in sight, where a seat only has to be there."""


def of_kind(kind: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]


def rules_of(case: dict[str, Any]) -> dict[str, Any]:
    return {"preset": case["preset"], **case.get("options", {})}


def follow(game: mj.Game, script: str) -> None:
    """Play "seat action, seat action, …"; a seat that is asked and has no line passes."""
    for step in script.split(","):
        seat, _, action = step.strip().partition(" ")
        pass_until(game, int(seat))
        assert game.to_act == int(seat), f"seat {seat} isn't asked for {action!r}"
        game.play(action)


def pass_until(game: mj.Game, seat: int | None) -> None:
    """Let seats pass until `seat` is asked, or nobody can pass any more."""
    while game.to_act != seat and "pass" in game.legal_names():
        game.play("pass")


# --- hands ------------------------------------------------------------------------------------------------------------

IMPOSSIBLE = {"J16": "12 tiles beside a meld, and seven 1m"}
NOT_AT_A_TABLE = {"G15": "the added gang and the hand that waits for it would need five 7p"}


def score(case: dict[str, Any]) -> mj.Score:
    known = {"void": case["void"]} if "void" in case else {}
    return mj.score(
        "sichuan",
        hand=case["hand"],
        melds=case.get("melds", ()),
        win_tile=case["win_tile"],
        win_by=case["win_by"],
        flags=case.get("flags", ()),
        **rules_of(case),
        **known,
    )


@pytest.mark.parametrize("case", of_kind("hand"))
def test_hand_is_scored(case: dict[str, Any]) -> None:
    if case["id"] in IMPOSSIBLE:
        with pytest.raises(ValueError, match="it takes 10"):
            score(case)
        return
    found, expected = score(case), case["expected"]
    assert found.hu == expected["win"]
    if not expected["win"]:
        assert found == mj.Score(hu=False, reason=expected["reason"])
        return
    assert found.patterns == dict(Counter(expected["patterns"]))
    assert (found.fan_raw, found.fan, found.value) == (expected["fan_raw"], expected["fan"], expected["value"])


def before_the_win(case: dict[str, Any]) -> mj.Game:
    """Seat 0 has the hand; the winning tile is drawn by it, or by seat 1, given a gang where it needs one."""
    feeder_melds = []
    if case["win_by"] == "rob_gang":
        feeder_melds.append(f"peng {case['win_tile']}")
    elif "after_gang" in case.get("flags", ()) and case["win_by"] == "discard":
        feeder_melds.append("an_gang 1s")
    return mj.Game.from_position(
        "sichuan",
        hands=[case["hand"], UNSEEN, UNSEEN, UNSEEN],
        melds=[case.get("melds", []), feeder_melds, [], []],
        to_act=0 if case["win_by"] == "self_draw" else 1,
        drawn=case["win_tile"],
        replacement="after_gang" in case.get("flags", ()),
        wall="" if "last_tile" in case.get("flags", ()) else None,
        void=(case.get("void") or "-") + "---",
        dealer=3,
        seed=1,
        **rules_of(case),
    )


@pytest.mark.parametrize("case", of_kind("hand"))
def test_hand_is_won_at_a_table(case: dict[str, Any]) -> None:
    if case["id"] in IMPOSSIBLE | NOT_AT_A_TABLE:
        with pytest.raises(ValueError, match="; the game has 4"):
            before_the_win(case)
        return
    game, expected = before_the_win(case), case["expected"]
    if case["win_by"] != "self_draw":
        game.play(f"{'self_gang' if case['win_by'] == 'rob_gang' else 'discard'} {case['win_tile']}")
        pass_until(game, 0)
    assert (game.to_act == 0 and "hu" in game.legal_names()) == expected["win"]
    if not expected["win"]:
        return
    game.play("hu")
    pass_until(game, None)
    (win,) = game.outcome.wins
    assert (win.fan, win.patterns) == (expected["fan_raw"], dict(Counter(expected["patterns"])))
    each = expected["payment"]["each"]
    paid = next(payment.points for payment in game.outcome.payments if payment.reason == "hu")
    everybody = expected["payment"]["payers"] == "each_live_seat"
    assert paid == ((3 * each, -each, -each, -each) if everybody else (each, -each, 0, 0))


@pytest.mark.parametrize("case", of_kind("waits") + of_kind("cha_jiao"))
def test_waits(case: dict[str, Any]) -> None:
    hand, melds, rules = case["hand"], case.get("melds", []), rules_of(case)
    found, best = waits("sichuan", hand, melds, **rules), best_wait("sichuan", hand, melds, **rules)
    game = mj.Game.from_position(
        "sichuan", hands=[hand, UNSEEN, UNSEEN, UNSEEN], melds=[melds, [], [], []], to_act=1, seed=1, **rules
    )
    assert (game.waits(0), game.best_wait(0)) == (found, best)
    expected = case["expected"]
    if case["kind"] == "waits":
        assert found == expected["waits"]
        return
    assert expected["ting"]
    assert best is not None
    tile, worth = best
    assert (worth.fan_raw, worth.value) == (expected["max_fan_raw"], expected["value"])
    assert tile == expected.get("best_tile", tile)


# --- settlements ------------------------------------------------------------------------------------------------------


@dataclass
class Scene:
    """A position, by seat, and what is played in it; `void` as declared."""

    script: str
    hands: list[str | None]
    melds: list[str] = field(default_factory=lambda: [""] * 4)
    void: str = NO_VOID
    to_act: int = 0
    more: dict[str, Any] = field(default_factory=dict)


READY = "123456789s 23p 88p"
ALSO_READY = "123456789s 23p 99p"
"""Plain hands that wait for 1p and 4p."""
SIX_READY = "123456s 23p 88p"
"""As these, beside one meld; a declared gang makes it one fan."""
THREE_READY = "456s 23p 88p"
LAST_DISCARD = {"wall": ""}
AWAY, PENGS_A = "4m 7m 9m 1p", "peng 1m, peng 2m, peng 3m"
AWAY_TOO, PENGS_B = "1m 3m 8m 4p", "peng 4m, peng 5m, peng 6m"
AWAY_AS_WELL, PENGS_C = "2m 5m 6m 1p", "peng 7m, peng 8m, peng 9m"
"""Hands that aren't ready, with their melds; void s."""
PIG, PIG_MELDS = "8m 9m 1s 4s", "peng 5p, peng 6p, peng 7p"
ALSO_PIG, ALSO_PIG_MELDS = "8m 9m 2p 4p", "peng 6s, peng 7s, peng 8s"
"""Flower pigs with void m, active once they have discarded another suit."""

SCENES = {
    "A18": Scene(
        "0 self_gang 9m, 0 self_gang 6m", ["6m 123p 456p 9m", UNSEEN, UNSEEN, UNSEEN], ["peng 9m, peng 6m", "", "", ""]
    ),
    "B14": Scene("0 self_gang 1m", ["1111m 234m 567m 22p 33p", UNSEEN, UNSEEN, UNSEEN]),
    "B16": Scene("0 self_gang 9m", ["123p 456p 789p 1p 9m", UNSEEN, UNSEEN, UNSEEN], ["peng 9m", "", "", ""]),
    "B17": Scene("0 self_gang 9m", ["9m 123p 456p 789p 1p", UNSEEN, UNSEEN, UNSEEN], ["peng 9m", "", "", ""]),
    "B18": Scene(
        "0 self_gang 4p, 3 hu", ["123m 456m 789m 1m 4p", UNSEEN, UNSEEN, READY], ["peng 4p", "", "", ""], "---m"
    ),
    "B20": Scene(
        "0 discard 9p",
        [AWAY + "9p", AWAY_TOO, PIG, ALSO_PIG],
        [PENGS_A, PENGS_B, PIG_MELDS, ALSO_PIG_MELDS],
        "ssmm",
        more={"discards": ["", "", "9s", "9s"], **LAST_DISCARD},
    ),
    "C09": Scene("0 hu", [READY + "4p", UNSEEN, UNSEEN, UNSEEN]),
    "H11": Scene(
        "1 discard 9p",
        [ALSO_READY, AWAY + "9p", AWAY_TOO, AWAY_AS_WELL],
        ["", PENGS_A, PENGS_B, PENGS_C],
        "msss",
        1,
        LAST_DISCARD,
    ),
    "H12": Scene(
        "3 discard 9m",
        [THREE_READY, ALSO_READY, "123789s 23p 99p", "23p 88p 9m"],
        ["an_gang 5p, an_gang 6p", "", "an_gang 7p", "an_gang 1m, an_gang 2m, an_gang 3m"],
        "mmms",
        3,
        LAST_DISCARD,
    ),
    "H14": Scene(
        "3 self_gang 9m, 3 discard 4p, 1 hu, 2 discard 9p",
        [SIX_READY, ALSO_READY, "1m 4m 6m 8m", "9999m 4m 6m 8m 4p"],
        ["an_gang 5p", "", "peng 3m, peng 5m, peng 7m", "peng 1m, peng 2m"],
        "mmps",
        3,
        {"wall": "6p 9p"},
    ),
    "H15": Scene(  # after the second win seat 2 draws again: seats 0 and 1 have left
        "2 discard 4p, 0 hu, 1 discard 9m, 2 discard 6s, 1 hu, 2 discard 9s",
        [SIX_READY, "456s 78s 99p", AWAY + "4p", "789m 23p 99p"],
        ["an_gang 5p", "an_gang 6p, an_gang 7p", PENGS_A, "an_gang 5m, an_gang 6m"],
        "mmss",
        2,
        {"wall": "9m 6s 9s"},
    ),
    "H16": Scene(
        "2 discard 9p",
        [THREE_READY, "8m 9m 1s 4p", AWAY + "9p", "5m 6m 9p 4s"],
        ["an_gang 5p, an_gang 6p", "peng 7p, peng 8s, peng 9s", PENGS_A, "peng 1s, peng 2s, peng 3s"],
        "mmsm",
        2,
        {"discards": ["", "1p", "", "5m 6m"], **LAST_DISCARD},
    ),
    "H26": Scene(
        "0 self_gang 5p, 0 discard 9m, 1 discard 4p, 0 hu, 1 discard 9m, 2 discard 6p, 1 hu, 2 hu",
        ["5555p" + SIX_READY, "123456789s 78p 99p", "123456789m 23p 99p", UNSEEN],
        void="mms-",
        more={"wall": "9m 4p 9m 6p 1p 1m"},
    ),
    "H01": Scene(
        "2 discard 4p, 0 hu, 1 hu",
        [SIX_READY, "23p 55s", UNSEEN, UNSEEN],
        ["an_gang 5p", "an_gang 6p, an_gang 7p, an_gang 9p", "", ""],
        "mm--",
        2,
        {"drawn": "4p"},
    ),
    "H02": Scene(
        "2 self_gang 4p, 3 hu, 0 hu, 1 hu",
        [READY, SIX_READY, UNSEEN, "789s 23p 99p"],
        ["", "an_gang 5p", "peng 4p", "an_gang 6p, an_gang 7p"],
        "mm-m",
        2,
        {"drawn": "4p"},
    ),
    "H04": Scene(
        "1 discard 9m, 0 gang, 0 discard 4p, 2 hu",
        ["999m 4p 1122m 55m 777p", UNSEEN, SIX_READY, UNSEEN],
        ["", "", "an_gang 5p", ""],
        "--m-",
        1,
        {"drawn": "9m"},
    ),
    "H07": Scene(  # replacements come from the wall's end
        "0 self_gang 1m, 0 discard 2m, 1 discard 9m, 0 gang, 0 discard 4p, 2 hu",
        ["1111m 999m 4p 22m 55m 77p", UNSEEN, READY, UNSEEN],
        void="--m-",
        more={"wall": "9m 3m 3m 5s 6s"},
    ),
    "H08": Scene(
        "0 self_gang 1m, 0 discard 4p, 1 hu, 3 hu",
        ["1111m 999m 4p 22m 55m 77p", READY, UNSEEN, SIX_READY],
        ["", "", "", "an_gang 5p"],
        "-m-m",
    ),
    "H09": Scene(
        "0 self_gang 9m, 0 discard 4p, 2 hu, 3 hu",
        ["1122m 55m 777p 4p 9m", UNSEEN, READY, ALSO_READY],
        ["peng 9m", "", "", ""],
        "--mm",
    ),
    "H17": Scene(
        "2 discard 9p",
        [THREE_READY, "8m 9m 1s 4p", AWAY + "9p", "123456s 23p 99p"],
        ["an_gang 5p, an_gang 6p", "peng 7s, peng 8s, peng 9s", PENGS_A, "an_gang 7p"],
        "mmsm",
        2,
        {"discards": ["", "1p", "", ""], **LAST_DISCARD},
    ),
    "H20": Scene(
        "2 discard 9p",
        [PIG, ALSO_PIG, AWAY + "9p", AWAY_TOO],
        [PIG_MELDS, ALSO_PIG_MELDS, PENGS_A, PENGS_B],
        "mmss",
        2,
        {"discards": ["9s", "9s", "", ""], **LAST_DISCARD},
    ),
    "H22": Scene(
        "1 discard 9s, 0 gang, 0 hu",
        ["999s 123s 456s 23p 88p", UNSEEN, UNSEEN, UNSEEN],
        void="m---",
        to_act=1,
        more={"drawn": "9s", "wall": "1m 2m 4p"},
    ),
    "H24": Scene(
        "1 discard 9m, 0 gang",
        ["999m 4p 1122m 55m 777p", UNSEEN, UNSEEN, UNSEEN],
        to_act=1,
        more={"drawn": "9m"},
    ),
    "B40": Scene(
        "3 discard 6m, 1 gang, 1 discard 9p",
        [AWAY, "666m 1m 3m 8m 4p", "2m 5m 1p 4p", "1s 4s 7s 9s 6m"],
        [PENGS_A, "peng 4m, peng 5m", PENGS_C, PIG_MELDS],
        "sssm",
        3,
        {"wall": "9p"},
    ),
}
SCENES["B21"] = SCENES["B20"]


@pytest.mark.parametrize("case", of_kind("settlement"))
def test_settlement_is_played(case: dict[str, Any]) -> None:
    scene = SCENES[case["id"]]
    game = mj.Game.from_position(
        "sichuan",
        hands=scene.hands,
        melds=scene.melds,
        void=scene.void,
        to_act=scene.to_act,
        seed=1,
        **rules_of(case),
        **scene.more,
    )
    follow(game, scene.script)
    pass_until(game, None)
    assert game.points.tolist() == case["expected"]["deltas"], str(game.outcome)
    events = case["events"]
    won = {winner["seat"]: winner["fan"] for event in events if event["e"] == "hu" for winner in event["winners"]}
    assert {win.seat: win.fan for win in game.outcome.wins} == won
    gangs = [event["seat"] for event in events if event["e"] == "gang" and not event.get("robbed")]
    stale = [event for event in events if event.get("fresh") is False]
    assert [paid.seat for paid in game.outcome.payments if paid.reason == "gang"] == gangs[: len(gangs) - len(stale)]
    assert game.outcome.wall_end == (events[-1]["e"] == "exhaust")
    for seat, at_end in events[-1].get("status", {}).items():
        best = game.best_wait(int(seat))
        assert (best and best[1].fan_raw) == at_end.get("max_fan")


# --- procedures -------------------------------------------------------------------------------------------------------


def case_called(case_id: str) -> dict[str, Any]:
    return next(case for case in CASES if case["id"] == case_id)


def is_offered_hu(game: mj.Game, seat: int) -> bool:
    """Whether the seat may win the tile on the table; those asked before it pass."""
    pass_until(game, seat)
    return game.to_act == seat and "hu" in game.legal_names()


def test_own_draw_releases_a_passed_win() -> None:
    case = case_called("I03")

    def after_passing(wall: str) -> mj.Game:
        game = mj.Game.from_position(
            "sichuan",
            hands=["111p 23p 456s 789s 55s", UNSEEN, UNSEEN, UNSEEN],
            to_act=1,
            drawn="1p",
            wall=wall,
            void="m---",
            seed=1,
            **rules_of(case),
        )
        game.play("discard 1p")  # the fourth: one fan
        assert is_offered_hu(game, 0) == case["expected"]["result"][0]
        game.play("pass")
        return game

    game = after_passing("1m 2m 3m 4p 5m")
    follow(game, "2 discard 1m, 3 discard 2m, 0 discard 3m, 1 discard 4p")  # no fan
    assert is_offered_hu(game, 0) == case["expected"]["result"][1]
    locked = after_passing("4p 1m 2m 3m 5m")
    locked.play("discard 4p")
    assert not is_offered_hu(locked, 0)


@pytest.mark.parametrize("release", ["draw", "draw_or_call"])
def test_some_tables_release_it_at_a_call(release: str) -> None:
    case = case_called("I05")
    rules = rules_of(case) | {"pass_lock_release": release}
    game = mj.Game.from_position(
        "sichuan",
        hands=["23p 88p 456s 789s", UNSEEN, UNSEEN, UNSEEN],
        melds=["an_gang 1s", "", "", ""],
        to_act=1,
        drawn="4p",
        wall="8p 3p 1m 1m",
        void="m---",
        seed=1,
        **rules,
    )
    game.play("discard 4p")
    offered = [is_offered_hu(game, 0)]
    game.play("pass")
    follow(game, "2 discard 8p, 0 peng, 0 discard 2p, 1 discard 3p")  # ready on 3p, one fan for the gang as before
    offered.append(is_offered_hu(game, 0))
    assert offered == (case["expected"]["result"] if release == case["options"]["pass_lock_release"] else [True, False])


def test_any_tile_may_be_discarded_without_void_tiles() -> None:
    case = case_called("I08")
    game = mj.Game.from_position(  # two melds make the case's eight tiles a hand
        "sichuan",
        hands=[case["concealed"], UNSEEN, UNSEEN, UNSEEN],
        melds=["peng 9m, peng 8p", "", "", ""],
        void=case["void"] + "---",
        seed=1,
        **rules_of(case),
    )
    legal = [name.removeprefix("discard ") for name in game.legal_names() if name.startswith("discard")]
    assert sorted(legal) == sorted(case["expected"]["result"])


@pytest.mark.parametrize("case_id", ["I10", "I11", "I12"])
def test_who_draws_after_a_win(case_id: str) -> None:
    case = case_called(case_id)
    ready = dict(zip(case["winners"], [READY, ALSO_READY], strict=False))
    game = mj.Game.from_position(
        "sichuan",
        hands=[ready.get(seat, UNSEEN) for seat in range(4)],
        to_act=case["from"],
        drawn="4p",
        won=case.get("already_won", ()),
        void="".join("m" if seat in ready else "-" for seat in range(4)),
        seed=1,
        **rules_of(case),
    )
    follow(game, ", ".join([f"{case['from']} discard 4p", *(f"{seat} hu" for seat in case["winners"])]))
    pass_until(game, None)
    assert game.to_act == case["expected"]["result"]


@pytest.mark.parametrize("case_id", ["I13", "I14"])
def test_who_gets_the_exchanged_tiles(case_id: str) -> None:
    case = case_called(case_id)
    game = mj.Game("sichuan", case["preset"], seed=1, exchange=True, exchange_direction=case["direction"])
    while any(name.startswith("swap") for name in game.legal_names()):
        game.play(game.legal_actions()[0])
    row = {piece.name: piece.first_row for piece in mj.describe("sichuan").observation}
    for seat, receiver in enumerate(case["expected"]["result"]):
        given, got = game.observation(seat)[row["given"]], game.observation(receiver)[row["got"]]
        assert given.sum() == 3
        assert given.tolist() == got.tolist()


@pytest.mark.parametrize("number", range(5))
def test_when_a_gang_may_be_declared(number: int) -> None:
    case = case_called("J11")
    offer = case["offers"][number]
    tile, claimed, added = offer["tile"], offer["kind"] == "zhi", offer["kind"] == "bu"
    held = [tile] * {"an": 4, "zhi": 3, "bu": 1}[offer["kind"]]
    game = mj.Game.from_position(
        "sichuan",
        hands=[" ".join(held) + " 123p 456p 789p 1p", UNSEEN, UNSEEN, UNSEEN],
        melds=[f"peng {tile}" if added else "", "", "", ""],
        to_act=1 if claimed else 0,
        drawn=tile if claimed else None,
        after_claim=offer["just_peng"],
        wall=[f"{rank}m" for rank in (1, 2, 3, 5, 6, 7, 8, 9, 1)[: offer["wall"]]],
        void=case["void"] + "---",
        seed=1,
        **rules_of(case),
    )
    if claimed:
        game.play(f"discard {tile}")
        pass_until(game, 0)
    assert (("gang" if claimed else f"self_gang {tile}") in game.legal_names()) == case["expected"]["result"][number]


def test_every_case_is_driven() -> None:
    """Settlements have a scene each; procedures are named in their tests."""
    assert set(SCENES) == {case["id"] for case in CASES if case["kind"] == "settlement"}
    procedures = {"I03", "I05", "I08", "I10", "I11", "I12", "I13", "I14", "J11"}
    assert procedures == {case["id"] for case in CASES if case["kind"] == "legality"}
