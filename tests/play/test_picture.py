"""The table as a picture: it shows what can be seen, and nothing that the seat it is drawn for doesn't see."""

import random
import sys

import numpy as np
import pytest
from players import mixed
from test_walk import shuffle_hidden

import mahjong_env as mj
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.state import CLAIM, OVER

pytest.importorskip("PIL")

from mahjong_env.rendering.picture import PLACES, Box

SETTINGS = [(name, preset) for name in mj.variants() for preset in get_variant(name).presets]


def states(name: str, preset: str, every: int = 7) -> list[mj.Game]:
    """Some states of a game, the first and the last among them."""
    game, rng = mj.Game(name, preset, seed=4), random.Random(4)
    found = [game.copy()]
    while not game.is_over:
        game.play(mixed(game, rng))
        if len(game.history) % every == 0 or game.is_over:
            found.append(game.copy())
    return found


@pytest.mark.parametrize(("name", "preset"), SETTINGS)
def test_every_stage_is_drawn(name: str, preset: str) -> None:
    pictures = [game.picture() for game in states(name, preset)]
    assert all(picture.shape == (640, 640, 3) and picture.dtype == np.uint8 for picture in pictures)
    assert len({picture.tobytes() for picture in pictures}) == len(pictures)


@pytest.mark.parametrize("size", [240, 641, 1000])
def test_sizes(size: int) -> None:
    assert mj.Game("sichuan", seed=1).picture(size=size).shape == (size, size, 3)


@pytest.mark.parametrize(("name", "preset"), SETTINGS)
def test_hidden_hands_stay_hidden(name: str, preset: str) -> None:
    rng = random.Random(2)
    for game in states(name, preset):
        for seat in range(game.variant.seats):
            other = game.copy()
            shuffle_hidden(other, seat, rng)
            assert np.array_equal(game.picture(seat), other.picture(seat)), f"seat {seat} sees hidden tiles"


@pytest.mark.parametrize("name", mj.variants())
def test_an_open_table_shows_every_hand(name: str) -> None:
    game = mj.Game(name, seed=1)
    for seat in range(game.variant.seats):
        other = game.copy()
        shuffle_hidden(other, (seat + 1) % game.variant.seats, random.Random(3))
        assert not np.array_equal(game.picture(), other.picture())


@pytest.mark.parametrize("name", mj.variants())
def test_who_is_asked_about_a_tile_is_not_shown_to_others(name: str) -> None:
    asked = [
        game for game in states(name, next(iter(get_variant(name).presets)), 1) if game._games["phase"][0] == CLAIM
    ]
    assert asked
    for game in asked:
        other = game.copy()
        other._games["to_act"] = (game._games["to_act"] + 1) % game.variant.seats
        for seat in {*range(game.variant.seats)} - {game.to_act, other.to_act}:
            assert np.array_equal(game.picture(seat), other.picture(seat))
        assert not np.array_equal(game.picture(), other.picture())


CHANGES = {
    "points": lambda row: row["points"].__setitem__(2, 31),
    "wall": lambda row: row.__setitem__("wall_front", row["wall_front"] + 1),
    "turn": lambda row: [row.__setitem__(name, (row["turn"] + 1) % 4) for name in ("to_act", "turn")],
    "a discard": lambda row: row["river_tile"].__setitem__(0, (row["river_tile"][0] + 1) % 27),
    "a discard that is taken": lambda row: row["river_seat"].__setitem__(0, row["river_seat"][0] ^ 16),
    "a hand": lambda row: row["hands"].__setitem__(1, np.roll(row["hands"][1], 1)),
    "the end": lambda row: row.__setitem__("phase", OVER),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_is_visible_is_drawn(what: str) -> None:
    game = mj.Game("sichuan", seed=3)
    rng = random.Random(1)
    while len(game.history) < 20 or game._games["phase"][0] != 2:
        game.play(mixed(game, rng))
    other = game.copy()
    CHANGES[what](other._games[0])
    assert not np.array_equal(game.picture(), other.picture())


@pytest.mark.parametrize("seats", PLACES)
def test_nothing_overlaps(seats: int) -> None:
    boxes = [box for place in PLACES[seats] for box in (place.hand, place.discards, place.label)]
    assert not [(a, b) for k, a in enumerate(boxes) for b in boxes[:k] if overlap(a, b)]


def overlap(a: Box, b: Box) -> bool:
    return a.left < b.right and b.left < a.right and a.top < b.bottom and b.top < a.bottom


def test_environment_renders_pictures() -> None:
    env = mj.aec_env("sichuan", render_mode="rgb_array")
    env.reset(seed=1)
    assert np.array_equal(env.render(), mj.Game("sichuan", seed=1).picture())


def test_bad_arguments() -> None:
    game = mj.Game("sichuan", seed=1)
    with pytest.raises(ValueError, match="seat 4"):
        game.picture(seat=4)
    with pytest.raises(ValueError, match="size 100"):
        game.picture(size=100)


def test_without_pillow_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "mahjong_env.rendering.picture")
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r"pip install -e '.\[render\]'"):
        mj.raw_aec_env("sichuan", render_mode="rgb_array")
