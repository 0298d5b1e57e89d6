"""Bugs and pitfalls that others have reported in public, each with its right answer (rules page section 14, by number)."""

from typing import Any

import numpy as np
import pytest

import mahjong_env as mj
from mahjong_env import hands as mj_hands

UNSEEN = None
SMALL = "123m 456m 789s 34p 22s"
"""A small win on 2p and 5p."""
TRIPLETS = "111m 333m 999s 55p 77s"
"""All triplets on 5p and 7s."""


def position(hands: list[str | None], variant: str = "changsha", **more: Any) -> mj.Game:
    return mj.Game.from_position(
        variant, hands=[*hands, *[UNSEEN] * (4 - len(hands))], seed=more.pop("seed", 1), **more
    )


def complete(hand: str, laizi: int = 0, melds: int = 0) -> bool:
    return bool(mj_hands.is_complete(mj_hands.parse(hand), laizi=laizi, melds=melds))


def pass_to(game: mj.Game, seat: int) -> None:
    while game.to_act != seat and "pass" in game.legal_names():
        game.play("pass")


def verbs(game: mj.Game) -> set[str]:
    return {name.split()[0] for name in game.legal_names()}


def test_1_a_peng_does_not_kill_anothers_win() -> None:
    """mahjax, pull request 87: seat 1 could win but pengs; seat 2 must still be asked, and wins."""
    game = position([UNSEEN, TRIPLETS, SMALL], to_act=0, drawn="5p")
    game.play("discard 5p")
    assert {"hu", "peng"} <= verbs(game)
    game.play("peng")
    assert game.to_act == 2
    game.play("hu")
    assert [win.seat for win in game.outcome.wins] == [2]


def test_2_a_chi_is_offered_when_nobody_can_peng() -> None:
    """rlcard, pull requests 333 and 334; and issue 312: this hand is a win."""
    game = position(["46p 147m 369s 258m 18s"], to_act=3, drawn="5p")
    game.play("discard 5p")
    pass_to(game, 0)
    assert "chi middle" in game.legal_names()
    assert complete("444p 222234m 555s BB")


def test_3_a_gang_counts_as_three_tiles() -> None:
    """cs-mahjong, audit R5: with one gang a hand of fifteen tiles wins by self-draw."""
    game = position(["123m 456m 78s 22s"], melds=["an_gang 9p", "", "", ""], drawn="9s", draws=[2, 2, 2, 2])
    assert "hu" in game.legal_names()


def test_4_all_are_asked_and_both_winners_paid() -> None:
    """cs-mahjong, audit R6 to R8."""
    game = position([UNSEEN, SMALL, TRIPLETS], to_act=0, drawn="5p", birds=0, dealer=3)
    game.play("discard 5p")
    while not game.is_over:
        game.play("hu")
    assert [win.seat for win in game.outcome.wins] == [1, 2]
    assert game.points.tolist() == [-7, 1, 6, 0]


def test_5_four_of_a_kind_are_no_triplet_and_a_tile() -> None:
    """cs-mahjong, audit P1-6: not all triplets."""
    assert not mj.score("changsha", hand="1111m 222s 333s 55p 9p", win_tile="7m", win_by="self_draw").hu


def test_6_the_sea_bottom() -> None:
    """open_mahjong_unity, pull requests 66, 73, 74, 75."""
    reserved = position(["1111p 258m 147s 36m 9s 3p"], wall="9m")
    assert "self_gang" not in verbs(reserved), "a replacement takes the sea bottom"
    nobody_ready = position(["147m 369s 28p 9m 1144s"], to_act=0, drawn="9m", wall="9p")
    nobody_ready.play("discard 9m")
    while not nobody_ready.is_over:
        nobody_ready.play("pass")
    assert nobody_ready.next_dealer == 1
    empty = position([UNSEEN, SMALL], to_act=0, drawn="9m", wall="5p", dealer=1, birds=2)
    empty.play("discard 9m")
    pass_to(empty, 1)
    empty.play("take")
    empty.play("hu")
    assert empty.points.tolist() == [-28, 84, -28, -28], "both birds are the sea bottom: 7 twice doubled"


def test_7_laizi_are_spent_once_and_3n_tiles_never_win() -> None:
    """q_algorithm, issues 10, 32, 45, 59."""
    assert not complete("33334m 4p 4s N", laizi=3, melds=1)
    assert not complete("123s", melds=3)
    assert complete("1119m 24p 1368s", laizi=4)


def test_8_the_fourth_tile_of_a_peng_and_the_turn_after_it() -> None:
    """ratel-online, issue 36 and pull request 59."""
    drawn = position(["147m 369s 258p 1s"], melds=["peng 7p", "", "", ""], drawn="7p", draws=[3, 3, 3, 3])
    assert "self_gang 7p" in drawn.legal_names()
    game = position([UNSEEN, UNSEEN, "55p 147m 369s 258m 18s"], to_act=0, drawn="5p")
    game.play("discard 5p")
    pass_to(game, 2)
    game.play("peng")
    assert game.to_act == 2
    assert "discard 1m" in game.legal_names()


def test_9_chi_and_gangs() -> None:
    """akochan, issue 23: no chi of a tile added to a gang; Mortal, issue 105: a gang right after a claim is an option."""
    adding = position(["147m 369s 258p 1s", "56p 123m 789m 22s 11s 7s"], melds=["peng 7p", "", "", ""], drawn="7p")
    adding.play("self_gang 7p")
    assert "chi" not in verbs(adding)
    for allowed in (True, False):
        game = position(["55p 9999m 147s 258s 1p"], to_act=3, drawn="5p", gang_after_claim=allowed)
        game.play("discard 5p")
        pass_to(game, 0)
        game.play("peng")
        assert ("self_gang 9m" in game.legal_names()) == allowed


def test_9_chi_on_tiles_turned_up() -> None:
    """In Changsha tiles turned up after 开杠 may be claimed by the next seat, unless the option is off."""
    for allowed in (True, False):
        game = position(
            ["9999m 123m 456m 78s 22s", "46p 147m 369s 258m 18s"], drawn="9m", wall="1s 3s 5p 1p", gang_reveal_count=1,
            chi_on_gang_tiles=allowed, seed=4,
        )  # fmt: skip
        last = int(game._games["wall"][0, -1])
        game.play("open_self_gang 9m")
        assert game.variant.tiles.names[last] == "1p"
        pass_to(game, 1)
        assert "chi" not in verbs(game)
    game = position(
        ["9999m 123m 456m 78s 22s", "46p 147m 369s 258m 18s"], drawn="9m", wall="1s 3s 1p 5p", gang_reveal_count=1
    )
    game.play("open_self_gang 9m")
    pass_to(game, 1)
    assert "chi middle" in game.legal_names()


def test_10_nobody_sees_anothers_tiles() -> None:
    """CS-MaJiang 0.8.9: what a seat sees doesn't tell anothers' concealed tiles, and all piles hold 108 tiles."""
    game = mj.Game("changsha", seed=3)
    while not game.is_over:
        row = game._games[0]
        piles = row["hands"].sum() + row["melded"].sum() + row["discarded"].sum() + row["wall_back"] - row["wall_front"]
        assert piles == 108
        for seat in range(4):
            other = game.resample(seat, 5)
            assert np.array_equal(other.observation(seat), game.observation(seat))
        game.play(game.legal_actions()[0])


def test_11_no_dealer_add_between_two_who_are_not_dealer() -> None:
    """csmj: neither side is dealer."""
    for preset, amount in (("classic_1267", 6), ("gs_1266", 6)):
        game = position([UNSEEN, TRIPLETS], preset=preset, to_act=0, drawn="5p", dealer=3, birds=0)
        game.play("discard 5p")
        pass_to(game, 1)
        game.play("hu")
        assert game.points.tolist() == [-amount, amount, 0, 0]


def test_12_a_replacement_is_no_gang_flower() -> None:
    """open_mahjong_unity's code against its book: a win on a 补张 tile is an ordinary self-draw, unless the option is on."""
    for option, patterns in ((False, {"平胡": 1}), (True, {"杠上开花": 1})):
        game = position(
            ["9999m 123m 456m 78s 22s"], drawn="9m", wall="1s 3s 1p 9s", buzhang_win_is_gang_draw=option, draws=[2] * 4
        )
        game.play("self_gang 9m")
        game.play("hu")
        (win,) = game.outcome.wins
        assert win.patterns == patterns


def test_13_both_birds_use_the_last_tile() -> None:
    """open_mahjong_unity at 1548d7d takes one bird from an empty wall; the book both."""
    game = position([UNSEEN, SMALL], to_act=0, drawn="9m", wall="5p", dealer=0, birds=4, dealer_add="none")
    game.play("discard 9m")
    pass_to(game, 1)
    game.play("take")
    game.play("hu")
    assert game.points.tolist() == [-6 * 16, 6 * 18, -6, -6], "four birds of 5p, counted from the dealer"


def test_14_a_suit_that_a_library_misses() -> None:
    """HuPaiMJ, version 4: 224420000."""
    assert complete("11 22 3333 4444 55m".replace(" ", ""))


@pytest.mark.parametrize("hand", ["22255m 225588p 55s", "225588m 225588p 2s"])
def test_all_258_needs_no_sets(hand: str) -> None:
    assert mj.score("changsha", hand=hand, win_tile="8s", win_by="self_draw").patterns["将将胡"] == 1


def test_no_run_across_suits() -> None:
    game = position(["8m 1p 147s 369s 258p 36p"], to_act=3, drawn="9m")
    game.play("discard 9m")
    assert game.to_act != 0 or "chi" not in verbs(game)


def test_a_robbing_is_asked_before_the_replacement_is_drawn() -> None:
    game = position(["147m 369s 28p 11s", SMALL], melds=["peng 5p", "", "", ""], drawn="5p")
    left = game._games["wall_back"][0] - game._games["wall_front"][0]
    game.play("self_gang 5p")
    pass_to(game, 1)
    assert "hu" in game.legal_names()
    assert game._games["wall_back"][0] - game._games["wall_front"][0] == left


def test_a_concealed_gang_is_no_pair_of_seven_pairs() -> None:
    assert not mj.score(
        "changsha", hand="1133m 5577p 9s 1s", melds=["an_gang 9m"], win_tile="1s", win_by="self_draw"
    ).hu
