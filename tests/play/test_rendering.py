"""The table as text: whole in every state, and nothing in it that the seat it is drawn for doesn't see."""

import random
import re

import pytest
from players import mixed
from test_walk import shuffle_hidden

import mahjong_env as mj
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.state import CLAIM, ROBBING
from mahjong_env.tiles import GLYPHS

SETTINGS = [(name, preset) for name in mj.variants() for preset in get_variant(name).presets]
GAMES = 4


def states(name: str, preset: str) -> list[mj.Game]:
    """Every state of some games."""
    found = []
    for seed in range(GAMES):
        game, rng = mj.Game(name, preset, seed=seed), random.Random(seed)
        found.append(game.copy())
        while not game.is_over:
            game.play(mixed(game, rng))
            found.append(game.copy())
    return found


@pytest.mark.parametrize(("name", "preset"), SETTINGS)
def test_open_table_shows_every_tile(name: str, preset: str) -> None:
    for game in states(name, preset):
        text = game.draw()
        row, tiles = game._games[0], game.variant.tiles
        for seat in range(game.variant.seats):
            hand = re.findall(r"^   hand +(.*)$", text, re.MULTILINE)[seat].replace(" +", "").replace("+ ", "")
            assert sorted(tiles.parse(hand)) == [k for k, n in enumerate(row["hands"][seat]) for _ in range(n)]
        rivers = [line.split()[1:] for line in text.splitlines() if line.startswith("   discards")]
        left = [tile for river in rivers for tile in river if not tile.startswith("(")]
        taken = [tile for river in rivers for tile in river if tile.startswith("(")]
        assert len(left) == row["discarded"].sum()
        assert len(left) + len(taken) == row["river_length"]
        assert f"{row['wall_back'] - row['wall_front']} in the wall" in text
        assert (f">seat {game.to_act}" in text) != game.is_over


@pytest.mark.parametrize(("name", "preset"), SETTINGS)
def test_a_seats_table_hides_what_it_does_not_see(name: str, preset: str) -> None:
    rng = random.Random(1)
    for game in states(name, preset):
        for seat in range(game.variant.seats):
            other = game.copy()
            shuffle_hidden(other, seat, rng)
            assert game.draw(seat=seat) == other.draw(seat=seat)


@pytest.mark.parametrize(("name", "preset"), SETTINGS)
def test_who_is_asked_about_a_tile_is_not_shown_to_others(name: str, preset: str) -> None:
    asked = [game for game in states(name, preset) if game._games["phase"][0] in (CLAIM, ROBBING)]
    assert asked
    for game in asked:
        for seat in range(game.variant.seats):
            text = game.draw(seat=seat)
            assert (f"seat {game.to_act} is asked" in text) == (seat == game.to_act)
            assert (">" in text) == (seat == game.to_act)


@pytest.mark.parametrize("name", mj.variants())
def test_glyphs(name: str) -> None:
    game = mj.Game(name, seed=1)
    names, glyphs = game.draw(), game.draw(glyphs=True)
    for tile in game.variant.tiles.names:
        if tile in GLYPHS:
            names = re.sub(rf"(?<= ){tile}\b", GLYPHS[tile], names)
    assert names == glyphs
    assert str(game) == game.draw()
