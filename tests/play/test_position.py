"""Positions from notation: the record they make, how play goes on, and what bad input is told."""

from typing import Any

import numpy as np
import pytest

import mahjong_env as mj
from mahjong_env.hands.tables import WEIGHT
from mahjong_env.rules.state import TAKEN

POSITION: dict[str, Any] = {
    "hands": ["123456s 23p 88p 5m", "1m 4m 7m 9m", "123456789m 23p 99p", None],
    "melds": ["an_gang 5p", "peng 2m from 3, peng 8s from 0, peng 3m", "", ""],
    "discards": ["9s 9s", "8s", "7s", "6m"],
    "void": "mps-",
    "seed": 5,
}


def place(**changes: Any) -> mj.Game:
    return mj.Game.from_position("sichuan", **(POSITION | changes))


def test_all_tiles_are_somewhere() -> None:
    game = place()
    row = game._games[0]
    wall = row["wall"][row["wall_front"] : row["wall_back"]]
    everywhere = (row["hands"].astype(int) + row["melded"] + row["discarded"]).sum(axis=0)
    assert (everywhere + np.bincount(wall, minlength=27) == 4).all()
    assert (np.bincount(row["wall"], minlength=27) == 4).all()
    assert row["hands"].sum(axis=1).tolist() == [11, 4, 13, 13]


def test_the_record_is_as_play_would_leave_it() -> None:
    row = place()._games[0]
    keys = (row["hands"].astype(int) * np.asarray(WEIGHT)[:27]).reshape(4, 3, 9).sum(axis=2)
    assert row["keys"].tolist() == keys.tolist()
    river = [
        (int(row["river_seat"][i]) % TAKEN, int(row["river_tile"][i]), int(row["river_seat"][i]) // TAKEN)
        for i in range(7)
    ]
    two_m, eight_s, nine_s = 1, 25, 26
    assert river[:4] == [(3, two_m, 1), (0, eight_s, 1), (0, nine_s, 0), (1, eight_s, 0)]
    assert row["river_length"] == 7
    assert row["last_discard"][0, nine_s] == 7
    assert row["discarded"][0, nine_s] == 2
    assert row["meld_from"][1].tolist()[:3] == [3, 0, -1]


def test_the_drawn_tile() -> None:
    names = mj.describe("sichuan").kinds
    assert names[place()._games[0]["drawn"]] == "5m"  # the last one written
    assert names[place(drawn="2p")._games[0]["drawn"]] == "2p"
    beside = place(hands=["123456s 23p 88p", *POSITION["hands"][1:]], drawn="5m")
    assert beside == place()
    assert place(after_claim=True)._games[0]["drawn"] == -1


def test_a_position_is_a_function_of_its_seed() -> None:
    assert place() == place()
    assert place() != place(seed=6)
    game = place(wall="1m 2s 3p")
    assert game._games[0]["wall_back"] - game._games[0]["wall_front"] == 3


def test_play_goes_on_from_a_position() -> None:
    game = place(points=[3, -1, -1, -1], to_act=0)
    assert game.to_act == 0
    assert game.legal_names() == ["discard 5m"]  # void suit first
    copy = mj.Game.from_bytes(game.to_bytes())
    while not game.is_over:
        game.play(game.legal_actions()[0])
        copy.play(copy.legal_actions()[0])
    assert game == copy
    with pytest.raises(ValueError, match="no record"):
        game.record()


def test_winning_a_replacement() -> None:
    game = mj.Game.from_position(
        "sichuan",
        "online",
        hands=["123456s 23p 88p", None, None, None],
        melds=["gang 5p", "", "", ""],
        drawn="4p",
        replacement=True,
        void="m---",
        seed=1,
    )
    game.play("hu")
    assert game.outcome.wins[0].patterns == {"gen": 1, "gang_shang_hua": 1, "zi_mo": 1}


@pytest.mark.parametrize(("dealer", "draws", "pattern"), [(0, 0, "tian_hu"), (1, 1, "di_hu"), (1, None, "zi_mo")])
def test_winning_in_the_first_turn(dealer: int, draws: int | None, pattern: str) -> None:
    game = mj.Game.from_position(
        "sichuan",
        "online",
        hands=["123456789s 23p 88p 4p", None, None, None],
        dealer=dealer,
        draws=None if draws is None else [draws, 0, 0, 0],
        seed=1,
    )
    game.play("hu")
    assert game.outcome.wins[0].patterns == {pattern: 1}


BAD = [
    ({"hands": ["1m"] * 3}, "hands has 3 entries; it takes one for each of the 4 seats"),
    ({"hands": ["123456s 23p 88p", *POSITION["hands"][1:]]}, "hand of seat 0 has 10 tiles; with 1 melds it takes 11"),
    ({"to_act": 2}, "hand of seat 0 has 11 tiles; with 1 melds it takes 10"),
    ({"discards": ["5p", "", "", ""]}, "there are 5 of 5p; the game has 4"),
    ({"wall": "5p"}, "there are 5 of 5p; the game has 4"),
    ({"wall": "1x"}, "can't read 'x'"),
    ({"to_act": 4}, "to_act 4 is not a seat; seats are 0 to 3"),
    ({"dealer": -1}, "dealer -1 is not a seat"),
    ({"won": [5]}, "won 5 is not a seat"),
    ({"won": [0]}, "to_act 0 has won and plays no more"),
    ({"won": [1, 2, 3]}, "won leaves only seat 0 in play"),
    ({"drawn": "9p"}, "drawn 9p is not in the hand of seat 0"),
    ({"drawn": "2p", "after_claim": True}, "drawn is given and after_claim is set"),
    ({"replacement": True, "melds": ["peng 5p", *POSITION["melds"][1:]]}, "seat 0 has no gang"),
    ({"melds": ["an_gong 5p", "", "", ""]}, "no meld 'an_gong'"),
    ({"void": "mp"}, "void has 2 entries"),
    ({"void": "mpsx"}, "void 'x' is not possible; it takes m, p, s"),
    ({"points": [0]}, "points has 1 entries"),
    ({"seed": -1}, "seed -1 is not possible"),
    ({"colour": "red"}, "takes no 'colour'; its details are void"),
    ({"fan_cap": "high"}, "option fan_cap='high' is not possible"),
    ({"preset": "house"}, "no preset 'house'"),
    (
        {"wall": [f"{rank}{suit}" for suit in "ps" for rank in (6, 7, 8, 9) for _ in range(2)] * 2},
        "of 8p; the game has",
    ),
]


@pytest.mark.parametrize(("bad", "told"), BAD, ids=[told for _, told in BAD])
def test_bad_input_is_named(bad: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the text is compared whole below
        place(**bad)
    assert told in str(error.value)
