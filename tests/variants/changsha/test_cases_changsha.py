"""Changsha and Hongzhong hands, settlements and procedures with their right answers (`cases/changsha.json`), by the public
API.

Hands are scored, and those that need no special situation are then won, or not, at a table. Settlements and procedures are
played out from positions in which exactly the events of the case happen.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import mahjong_env as mj
from mahjong_env.play.scoring import waits

CASES = json.loads((Path(__file__).parents[2] / "cases" / "changsha.json").read_text(encoding="utf-8"))["cases"]
WIN_TILE = "5p"
READY = {0: "123m 456m 789s 34p 22s", 1: "111m 333m 999s 55p 77s", 2: "111333999p 55p 77p"}
"""Hands that win on 5p with so many units: a small win; all triplets; all triplets of one suit."""
UNSEEN = None
"""A hand dealt from the tiles not in sight, where a seat only has to be there."""
PENG = "55p 147m 369s 258m 18s"
FILL = "147p 147s 258p 258s 9p"


def of_kind(*kinds: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] in kinds]


def pass_until(game: mj.Game, seat: int | None) -> None:
    """Let seats pass until `seat` is asked, or nobody can pass any more."""
    while game.to_act != seat and "pass" in game.legal_names():
        game.play("pass")


def offered(game: mj.Game, *verbs: str) -> list[str]:
    """The legal actions of these verbs."""
    return [name for name in game.legal_names() if name.split()[0] in verbs]


# --- options ----------------------------------------------------------------------------------------------------------


def test_a_scoring_brings_its_companions() -> None:
    """Also on top of another preset; what is given stays (rules page section 10.2, 19)."""
    brought = mj.Game("changsha", "rulebook_a", scoring="jilai_cap42", seed=1)
    assert (brought.options["cap"], brought.options["piao"], brought.options["dealer_add"]) == (42, 1, "none")
    assert brought.options["dihu"] == "first_round"
    given = mj.Game("changsha", "jilai_cap42", scoring="classic_1267", cap=42, seed=1)
    assert (given.options["cap"], given.options["bird_mode"]) == (42, "double")
    for game in (brought, given, mj.Game("changsha", scoring="gs_1266", dealer_add="replace_per_unit", seed=1)):
        back = mj.Game.from_bytes(game.to_bytes())
        assert back.options == game.options
        assert mj.Game("changsha", back.preset, **back.overrides).options == game.options


# --- hands ------------------------------------------------------------------------------------------------------------


def score(case: dict[str, Any]) -> mj.Score:
    variant, hand = case.get("variant", "changsha"), case["hand"]
    tile, by = case.get("win_tile"), case.get("win_by", "self_draw")
    if tile is None:  # the whole hand is given: any of its tiles may be the last
        kinds = mj.hands.format(mj.hands.parse(hand.replace("C", ""))) if variant != "hongzhong" else hand
        tile, hand = kinds.split()[-1][-1], hand.rstrip()[:-1]
    flags = list(case.get("flags", ()))
    if "winning_tiles" in case:
        flags.append(f"after_gang_hits={case['winning_tiles']}")
    return mj.score(
        variant,
        hand=hand,
        melds=case.get("melds", ()),
        win_tile=tile,
        win_by=by,
        flags=flags,
        **case.get("options", {}),
    )


@pytest.mark.parametrize("case", of_kind("hand"))
def test_hand_is_scored(case: dict[str, Any]) -> None:
    found, expected = score(case), case["expected"]
    assert found.hu == expected["win"]
    if "patterns" in expected:
        assert found.patterns == dict(Counter(expected["patterns"]))
        assert found.fan == expected["units"]
        assert found.reason if not found.hu else not found.reason


PLAIN = [case for case in of_kind("hand") if not case.values[0].get("variant") and not case.values[0].get("flags")]
"""Changsha hands that need no situation."""


@pytest.mark.parametrize("case", PLAIN)
def test_hand_is_won_at_a_table(case: dict[str, Any]) -> None:
    own = case["win_by"] == "self_draw"
    game = mj.Game.from_position(
        "changsha", hands=[case["hand"], None, None, None], melds=[case.get("melds", []), [], [], []],
        to_act=0 if own else 1, drawn=case["win_tile"], dealer=3, seed=1, **case.get("options", {}),
    )  # fmt: skip
    if not own:
        game.play(f"discard {case['win_tile']}")
        pass_until(game, 0)
    assert (game.to_act == 0 and "hu" in game.legal_names()) == case["expected"]["win"]
    if case["expected"]["win"]:
        game.play("hu")
        pass_until(game, None)
        (win,) = game.outcome.wins
        assert (win.fan, win.patterns) == (case["expected"]["units"], dict(Counter(case["expected"]["patterns"])))


@pytest.mark.parametrize(
    ("hand", "melds", "expected"),
    [
        ("123456m 2245p 789s", [], ["3p", "6p"]),  # W03
        ("2m", ["peng 3m", "chi 456p", "peng 9s", "chi 123s"], ["2m"]),  # W04
        ("4m", ["peng 3m", "chi 456p", "peng 9s", "chi 123s"], ["4m"]),  # W05: 全求人 takes any pair
        ("1122335577m 11p 9s", [], ["9s"]),  # W06
    ],
)
def test_waits(hand: str, melds: list[str], expected: list[str]) -> None:
    assert waits("changsha", hand, melds) == expected


@pytest.mark.parametrize("case", of_kind("starting"))
def test_starting_items_are_declared(case: dict[str, Any]) -> None:
    """The items of a dealt hand are those that are paid, one small self-draw each."""
    options = {"si_xi": True, "ban_ban_hu": True, "que_yi_se": True, "liu_liu_shun": True, "jie_jie_gao": True}
    options |= {"san_tong": True, "yi_zhi_hua": "either", "jin_tong_yu_nv": True, "birds": 0, "starting_birds": False}
    options |= case.get("options", {})
    game = mj.Game(
        "changsha", wall=wall_dealing(case["hand"]), dealer=dealer_of(case["hand"]), dealer_add="none", **options
    )
    hits = case["expected"].get("hits", case["expected"])
    named = {name for name in hits if hits[name]}
    while game._games["phase"][0] == 0:
        game.play("declare" if game.to_act == 0 else "pass")
    declared = set(game.variant.answers.describe_seat(game.state, 0, None).replace(",", " ").split()) & set(ITEMS)
    assert declared == named
    assert game.points[0] == 3 * sum(int(hits[name]) for name in named)


ITEMS = ("四喜", "板板胡", "缺一色", "六六顺", "节节高", "三同", "一枝花", "金童玉女")


def dealer_of(hand: str) -> int:
    """Seat 0 has the hand: the dealer's has 14 tiles."""
    return 0 if len(mj.Game("changsha", seed=0).variant.tiles.parse(hand)) == 14 else 3


def wall_dealing(hand: str) -> list[str]:
    """A wall that deals these tiles to the dealer, 14, or to the next seat, 13; to the others whatever is left."""
    variant = mj.Game("changsha", seed=0).variant
    names = [variant.tiles.names[kind] for kind in variant.tiles.parse_in_order(hand)]
    rest = Counter(dict.fromkeys(variant.tiles.names, 4))
    rest.subtract(names)
    tiles = list(rest.elements())
    first, last = names[:13], names[13:]
    dealt = [tiles[place::7] for place in range(3)]
    others = [tile for part in dealt for tile in part[:13]]
    left = list((Counter(tiles) - Counter(others)).elements())
    dealer = others[:13]
    return [*first, *others, *last, *left] if last else [*dealer, *first, *others[13:], *left]


# --- settlements ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", [case for case in of_kind("settlement") if not case.values[0].get("variant")])
def test_settlement(case: dict[str, Any]) -> None:
    points = [0, 0, 0, 0]
    for part in case["parts"]:
        points = [a + int(b) for a, b in zip(points, played_out(part).points, strict=True)]
    assert points == case["expected"]["deltas"]


def played_out(part: dict[str, Any]) -> mj.Game:
    """A game in which these seats win so many units each, on 5p, and the next tiles of the wall are these birds."""
    winners = {int(seat): units for seat, units in part["units"].items()}
    shooter, dealer, origin = part["shooter"], part["dealer"], part["origin"]
    hands: list[str | None] = [READY[winners[seat]] if seat in winners else UNSEEN for seat in range(4)]
    counted_from = "dealer" if origin == dealer else "winner"
    settings = {"birds": len(part["birds"]), "bird_origin": counted_from, **part.get("options", {})}
    if part["preset"] == "jilai_cap42":
        settings.setdefault("bird_origin", "winner")
    game = mj.Game.from_position(
        "changsha", part["preset"], hands=hands, to_act=next(iter(winners)) if shooter is None else shooter,
        drawn=WIN_TILE, wall=[f"{rank}{'psm'[k % 3]}" for k, rank in enumerate(part["birds"])], dealer=dealer, seed=1,
        **settings,
    )  # fmt: skip
    if shooter is not None:
        game.play(f"discard {WIN_TILE}")
    while not game.is_over:
        game.play("hu" if game.to_act in winners else "pass")
    assert [win.seat for win in game.outcome.wins] == sorted(winners)
    return game


@pytest.mark.parametrize("case", [case for case in of_kind("settlement") if case.values[0].get("variant")])
def test_settlement_of_hongzhong(case: dict[str, Any]) -> None:
    wall = [*["1s", "5s", "9s"][: case["codes_hit"]], "2m", "3m", "4m", "6m"]
    game = mj.Game.from_position(
        "hongzhong", hands=["123m 456m 789s 34p 2s C", *[UNSEEN] * 3], to_act=case["winner"], drawn="5p", wall=wall, codes=4,
        self_draw_points=case["self_draw_points"], per_code=case["per_code"],
    )  # fmt: skip
    game.play("hu")
    assert game.points.tolist() == case["expected"]["deltas"]


# --- procedures -------------------------------------------------------------------------------------------------------


def at_claim(answers: dict[int, str], discarder: int, **options: Any) -> mj.Game:
    """5p is discarded; each seat holds what its answer takes."""
    takes = {"hu": READY[0], "peng": PENG, "chi": "46p 147m 369s 258m 18s", "pass": UNSEEN}
    hands = [takes[answers.get(seat, "pass")] for seat in range(4)]
    game = mj.Game.from_position("changsha", hands=hands, to_act=discarder, drawn=WIN_TILE, seed=1, **options)
    game.play(f"discard {WIN_TILE}")
    return game


@pytest.mark.parametrize("case", of_kind("claims"))
def test_claims(case: dict[str, Any]) -> None:
    answers = {int(seat): answer for seat, answer in case["answers"].items()}
    discarder, expected = case["discarder"], case["expected"]
    game = at_claim(answers, discarder, **case.get("options", {}))
    asked = []
    while game._games["phase"][0] == 3:
        seat = game.to_act
        assert seat is not None
        asked.append(seat)
        game.play(next(name for name in game.legal_names() if name.startswith(answers.get(seat, "pass"))))
    if expected["action"] == "hu":
        assert {win.seat for win in game.outcome.wins} == set(expected["seats"])
    elif expected["action"] == "pass":
        assert game.to_act == (discarder + 1) % 4
        assert not game._games["meld_count"].any()
    else:
        assert game.to_act == expected["seats"][0]
        assert game._games["meld_count"][0, game.to_act] == 1


@pytest.mark.parametrize("case", of_kind("chi"))
def test_chi(case: dict[str, Any]) -> None:
    seat, discarder, tile = case["seat"], case["discarder"], case["tile"]
    hands: list[str | None] = [None] * 4
    missing = 13 - len(mj.Game("changsha", seed=0).variant.tiles.parse(case["hand"]))
    filled = mj.Game("changsha", seed=0).variant.tiles.parse(FILL)[:missing]
    hands[seat] = f"{case['hand']} {mj.Game('changsha', seed=0).variant.tiles.format(filled)}"
    game = mj.Game.from_position("changsha", hands=hands, to_act=discarder, drawn=tile, seed=2)
    game.play(f"discard {tile}")
    pass_until(game, seat)
    runs = offered(game, "chi") if game.to_act == seat else []
    assert len(runs) == len(case["expected"])
    for run in case["expected"]:
        other = game.copy()
        other.play(f"chi {run}")
        assert f"chi {run} (from {discarder})" in str(other)


@pytest.mark.parametrize("case", of_kind("gang"))
def test_gang(case: dict[str, Any]) -> None:
    own = any("self" in name for name in case["expected"])
    game = mj.Game.from_position(
        "changsha", hands=[case["hand"], *[UNSEEN] * 3], melds=[case.get("melds", []), [], [], []], to_act=0 if own else 1,
        drawn=None if own else case["tile"], seed=1,
    )  # fmt: skip
    if not own:
        game.play(f"discard {case['tile']}")
        pass_until(game, 0)
    verbs = [name.split()[0] for name in offered(game, "gang", "open_gang", "self_gang", "open_self_gang")]
    assert sorted(verbs) == sorted(case["expected"])


@pytest.mark.parametrize("case", of_kind("bird_seats"))
def test_bird_seats(case: dict[str, Any]) -> None:
    from mahjong_env.variants.changsha.payments import hits

    origin = case["args"]["origin"]
    found = [next(s for s in range(4) if hits(rank, origin, s, s)) for rank in case["args"]["ranks"]]
    assert found == case["expected"]


@pytest.mark.parametrize("case", of_kind("haidi_order"))
def test_sea_bottom_is_offered(case: dict[str, Any]) -> None:
    due, tenpai = case["args"]["due"], case["args"]["tenpai"]
    ready = iter((READY[0], READY[1]))
    game = mj.Game.from_position(
        "changsha", hands=[next(ready) if is_ready else UNSEEN for is_ready in tenpai], to_act=(due + 3) % 4, drawn="9m",
        wall="9p", haidi_tenpai_only=case["args"]["tenpai_only"], seed=1,
    )  # fmt: skip
    game.play("discard 9m")
    asked = []
    while "pass" in game.legal_names() and "take" not in game.legal_names():
        game.play("pass")
    while not game.is_over:
        assert game.legal_names() == ["take", "pass"]
        asked.append(game.to_act)
        game.play("pass")
    assert asked == case["expected"]
    assert game.next_dealer == due


@pytest.mark.parametrize("case", of_kind("next_dealer"))
def test_next_dealer(case: dict[str, Any]) -> None:
    told = case["args"]
    if told["result"] == "draw":
        taker = told["haidi_taken_by"]
        hands = [READY[1] if seat == taker else UNSEEN for seat in range(4)]
        game = mj.Game.from_position("changsha", hands=hands, to_act=(taker + 3) % 4, drawn="9m", wall="9s", seed=1)
        game.play("discard 9m")
        pass_until(game, taker)
        game.play("take")
    else:
        winners = told.get("winners") or [told["winner"]]
        part = {
            "preset": "classic_1267",
            "units": {str(seat): 0 for seat in winners},
            "birds": [],
            "dealer": 0,
            "origin": 0,
        }
        if len(winners) > 1:
            part["units"][str(winners[1])] = 1
        game = played_out(part | {"shooter": told.get("discarder")})
    assert game.next_dealer == case["expected"]


@pytest.mark.parametrize("case", of_kind("can_replace"))
def test_wall_for_a_gang(case: dict[str, Any]) -> None:
    assert case["args"]["n"] == 1
    wall = ["9m"] * case["args"]["wall"]
    game = mj.Game.from_position("changsha", hands=["1111p 258m 147s 36m 9s 3p", *[UNSEEN] * 3], wall=wall, seed=1)
    assert (offered(game, "self_gang") != []) == case["expected"]


def test_passed_tile_is_barred_until_the_draw() -> None:
    """R15: 3m is passed, so the next 3m isn't offered, 6m is, and after the own draw 3m is again."""
    game = mj.Game.from_position(
        "changsha", pass_hu="tile_until_draw", hands=["45m 123p 456p 789p 22s", *[UNSEEN] * 3], to_act=1, drawn="3m",
        wall="3m 6m 9s 3m 9s 9s", seed=1,
    )  # fmt: skip
    seen = []
    for discard in ("3m", "3m", "6m", "9s", "3m"):
        game.play(f"discard {discard}")
        pass_until_hu_or_turn(game)
        seen.append(game.to_act == 0 and "hu" in game.legal_names() and "pass" in game.legal_names())
        pass_to_turn(game)
    assert seen == [True, False, True, False, True]


def pass_until_hu_or_turn(game: mj.Game) -> None:
    while "pass" in game.legal_names() and "hu" not in game.legal_names():
        game.play("pass")


def pass_to_turn(game: mj.Game) -> None:
    while "pass" in game.legal_names():
        game.play("pass")


def test_a_self_draw_is_never_barred() -> None:
    """R16."""
    game = mj.Game.from_position(
        "changsha", hands=["45m 123p 456p 789p 22s", None, None, None], to_act=3, drawn="3m", wall="3m 1s 1s", seed=1
    )
    game.play("discard 3m")
    pass_until_hu_or_turn(game)
    assert game.to_act == 0
    assert "hu" in game.legal_names()
    pass_to_turn(game)
    assert game.to_act == 0
    assert "hu" in game.legal_names()


def test_deal() -> None:
    """R17."""
    game = mj.Game("changsha", seed=1, dealer=2)
    assert [int(n) for n in game._games["hands"][0].sum(axis=1)] == [13, 13, 14, 13]
    assert game._games["wall_back"][0] - game._games["wall_front"][0] == 55


def test_a_four_is_declared_once() -> None:
    """R19."""
    game = mj.Game.from_position(
        "changsha", hands=["7777m 1s 258p 369p 14s 9m", None, None, None], mid_four=True, seed=1
    )
    assert "declare" in game.legal_names()
    game.play("declare")
    assert game.to_act == 0
    assert "declare" not in game.legal_names()
    assert [payment.reason for payment in game.outcome.payments] == ["mid-game win"]
