"""Scores of single hands: what is printed, what flags do, and what bad input is told."""

from typing import Any

import pytest

import mahjong_env as mj
from mahjong_env.play.scoring import best_wait, waits

HAND: dict[str, Any] = {
    "hand": "678m 123p 7p",
    "melds": ["gang 9m", "an_gang 4p"],
    "win_tile": "7p",
    "win_by": "discard",
}
PLAIN: dict[str, Any] = {"hand": "123456789s 23p 99p", "win_tile": "4p"}


def test_a_hand_as_text_or_as_names() -> None:
    found = mj.score("sichuan", **HAND, flags=("last_tile",), preset="sbr2025", void="s")
    assert found == mj.Score(hu=True, fan=3, fan_raw=3, value=8, patterns={"gang": 2, "hai_di": 1})
    spelt = HAND | {"hand": ["6m", "7m", "8m", "1p", "2p", "3p", "7p"], "melds": "gang 9999m from 2, an_gang 4p"}
    assert mj.score("sichuan", **spelt, flags=["last_tile"], void="s") == found


def test_scores_print() -> None:
    assert str(mj.score("sichuan", **HAND)) == "2 fan, value 4: gang x2"
    capped = mj.score("sichuan", **HAND, flags=("last_tile", "after_gang_discard"))
    assert str(capped) == "3 fan (capped from 4), value 8: gang x2, gang_shang_pao, hai_di"
    assert str(mj.score("sichuan", **HAND, void="m")) == "no hu: has_void_suit"


@pytest.mark.parametrize(
    ("hand", "melds", "void", "reason"),
    [
        ("678m 123p 7p", ["gang 9s", "an_gang 4p"], "s", "has_void_suit"),  # also three suits, and a void meld
        ("678m 123p 7p", ["gang 9s", "an_gang 4p"], None, "three_suits"),
        ("678m 125p 7p", ["gang 9s", "an_gang 4p"], None, "three_suits"),  # no structure either
        ("678m 125p 7p", ["gang 9m", "an_gang 4p"], "s", "no_structure"),
    ],
)
def test_the_first_reason_for_no_win(hand: str, melds: list[str], void: str | None, reason: str) -> None:
    found = mj.score("sichuan", hand=hand, melds=melds, win_tile="7p", win_by="discard", void=void)
    assert found == mj.Score(hu=False, reason=reason)


@pytest.mark.parametrize(
    ("win_by", "flags", "options", "patterns"),
    [
        ("self_draw", (), {}, {"zi_mo": 1}),
        ("self_draw", ("after_gang",), {}, {"gang_shang_hua": 1, "zi_mo": 1}),
        ("self_draw", ("first_turn", "dealer"), {}, {"tian_hu": 1}),
        ("self_draw", ("tian_hu",), {}, {"tian_hu": 1}),
        ("self_draw", ("first_turn",), {}, {"di_hu": 1}),
        ("self_draw", ("di_hu",), {"tian_di": 0}, {"zi_mo": 1}),
        ("self_draw", ("di_hu",), {"mode": "xueliu"}, {"zi_mo": 1}),
        ("discard", ("di_hu",), {}, {"ping_hu": 1}),
        ("discard", ("di_hu",), {"di_hu": "dealer_first_discard"}, {"di_hu": 1}),
        ("discard", ("after_gang",), {}, {"gang_shang_pao": 1}),
        ("discard", ("after_gang_discard",), {}, {"gang_shang_pao": 1}),
        ("discard", ("last_tile",), {"hai_di": "self_draw"}, {"ping_hu": 1}),
        ("rob_gang", (), {}, {"qiang_gang": 1}),
        ("rob_gang", ("after_gang",), {}, {"qiang_gang": 1, "gang_shang_pao": 1}),
        ("rob_gang", ("after_gang",), {"rob_after_gang_counts_both": False}, {"qiang_gang": 1}),
    ],
)
def test_situations(win_by: str, flags: tuple[str, ...], options: dict[str, Any], patterns: dict[str, int]) -> None:
    found = mj.score("sichuan", **PLAIN, win_by=win_by, flags=flags, preset="online", void="m", **options)
    assert found.patterns == patterns


@pytest.mark.parametrize(("melds", "zi_mo"), [(["gang 5p"], 0), (["an_gang 5p"], 1), (["bu_gang 5p"], 1)])
def test_a_direct_gangs_flower_may_count_as_a_discard(melds: list[str], zi_mo: int) -> None:
    found = mj.score(
        "sichuan",
        hand="123456s 23p 99p",
        melds=melds,
        win_tile="4p",
        win_by="self_draw",
        flags=("after_gang",),
        preset="online",
        direct_gang_flower="dianpao",
    )
    assert found.patterns == {"gen": 1, "gang_shang_hua": 1} | ({"zi_mo": 1} if zi_mo else {})


def test_waits_and_the_best_of_them() -> None:
    assert waits("sichuan", "111p 23p 456s 789s 55s", void="m") == ["1p", "4p", "5s"]
    best = best_wait("sichuan", "111p 23p 456s 789s 55s", void="m")
    assert best is not None
    assert (best[0], best[1].patterns) == ("1p", {"gen": 1})
    assert best_wait("sichuan", "111p 23p 456s 789s 55s", void="p") is None
    assert waits("sichuan", "111p 23p 456s 789s 5m 5s") == []


BAD = [
    ({"win_by": "luck"}, "win_by 'luck' is not possible; it takes self_draw, discard, rob_gang"),
    ({"flags": ("late",)}, "knows no flag 'late'; its flags are after_gang, "),
    ({"flags": ("tian_hu",)}, "flag 'tian_hu' needs win_by 'self_draw'"),
    ({"flags": ("di_hu", "dealer")}, "flag 'di_hu' is for a seat that isn't dealer"),
    ({"flags": ("after_gang_discard",), "win_by": "self_draw"}, "flag 'after_gang_discard' needs win_by 'discard'"),
    ({"melds": ["kong 9m", "peng 4p"]}, "no meld 'kong' in 'kong 9m'; melds are peng, gang, bu_gang, an_gang"),
    ({"melds": ["gang 9m", "peng 45p"]}, "'peng 45p' must name one tile"),
    ({"melds": ["gang 9m", "peng 4p from 7"]}, "can't come from '7'"),
    ({"melds": ["gang 9m", "an_gang 4p from 1"]}, "can't come from '1'"),
    ({"melds": ["gang 9m"]}, "hand, the winning tile aside, has 7 tiles; with 1 melds it takes 10"),
    ({"melds": ["peng 1m"] * 5}, "5 melds are too many"),
    ({"hand": "678m 123p 7p 7p"}, "has 8 tiles; with 2 melds it takes 7"),
    ({"hand": "678m 123p 9m"}, "there are 5 of 9m; the game has 4"),
    ({"win_tile": "9m"}, "there are 5 of 9m; the game has 4"),
    ({"win_tile": "E"}, "no tile 'E' in this game"),
    ({"hand": "678x"}, "can't read 'x' in tiles"),
    ({"void": "z"}, "void 'z' is not possible; it takes m, p, s"),
    ({"viod": "s"}, "takes no 'viod'; its details are void; its options are mode, "),
    ({"preset": "mil"}, "no preset 'mil'"),
    ({"fan_cap": -1}, "option fan_cap=-1 is not possible"),
    ({"variant": "sichuen"}, "no variant 'sichuen'"),
]


@pytest.mark.parametrize(("bad", "told"), BAD, ids=[told for _, told in BAD])
def test_bad_input_is_named(bad: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the text is compared whole below
        mj.score(**({"variant": "sichuan"} | HAND | bad))
    assert told in str(error.value)
