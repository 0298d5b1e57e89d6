"""Perft: how many sequences of n decisions a position allows. A change in any rule on the way shows as another count.

Run as a program, this file writes what is missing (`--all`: all anew): `python tests/generic/test_perft.py`. Each variant
has a file with positions of every preset: the deal, and some decisions into a hand. The last count is also kept by first action,
so that a failure names the action behind which the rules differ.
"""

import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from players import play_out

import mahjong_env as mj
from mahjong_env.rules import api

FOLDER = Path(__file__).parent / "perft"
MOST_SEQUENCES = 100_000
"""The deepest count of a position is the last one up to so many."""
DEALS = 2
STAGES = (0, 0.3, 0.7, 0.95)
"""Positions lie after these shares of a hand's decisions."""

COMMAND = f"python tests/generic/{Path(__file__).name}"

Position = dict[str, Any]
"""variant, preset, seed, actions played before; and the counts for 1, 2, … decisions, the last one also divided."""


def positions(name: str) -> list[Position]:
    """The positions of a variant; none if its file is missing."""
    path = FOLDER / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


@pytest.mark.parametrize("name", mj.variants())
def test_every_preset_is_counted(name: str) -> None:
    found = {position["preset"] for position in positions(name)}
    missing = set(mj.Game(name).variant.presets) - found
    assert not missing, f"perft of {name} lacks presets {sorted(missing)}; write them with: {COMMAND}"


@pytest.mark.parametrize(
    "position",
    [
        pytest.param(p, id=f"{p['variant']}-{p['preset']}-{p['seed']}-after{len(p['actions'])}")
        for name in mj.variants()
        for p in positions(name)
    ],
)
def test_perft(position: Position) -> None:
    game = set_up(position)
    depth = len(position["counts"])
    found = divide(game, depth)
    differ = {
        name: f"{position['divide'].get(name)} in the file, {found.get(name)} now"
        for name in position["divide"] | found
        if position["divide"].get(name) != found.get(name)
    }
    assert not differ, f"depth {depth}, by first action: {differ}\n{game}"
    assert [sum(divide(game, n).values()) for n in range(1, depth + 1)] == position["counts"]


def set_up(position: Position) -> mj.Game:
    """The game of a position."""
    game = mj.Game(position["variant"], position["preset"], seed=position["seed"])
    for action in position["actions"]:
        game.play(action)
    return game


def divide(game: mj.Game, depth: int) -> dict[str, int]:
    """For each legal action, how many sequences of `depth` decisions begin with it; a hand that is over has none."""
    games = np.repeat(game._games, depth + 1)
    counts = {}
    for action in game.legal_actions():
        games[1] = games[0]
        api.play_at(games, 1, action)
        counts[game.variant.actions.names[action]] = perft(games, 1, depth)
    return counts


def perft(games: np.ndarray, place: int, depth: int) -> int:
    """Sequences from games[place], where `place` decisions have been made, up to `depth`; later places are overwritten."""
    if place == depth:
        return 1
    if place == depth - 1:
        return int(games["legal"][place].sum())
    total = 0
    for action in np.flatnonzero(games["legal"][place]).tolist():
        games[place + 1] = games[place]
        api.play_at(games, place + 1, action)
        total += perft(games, place + 1, depth)
    return total


def count(name: str, preset: str, seed: int, actions: list[str]) -> Position:
    """A position with its counts."""
    position: Position = {"variant": name, "preset": preset, "seed": seed, "actions": actions}
    game = set_up(position)
    divides = [divide(game, 1)]
    while len(divides) < 6:
        deeper = divide(game, len(divides) + 1)
        if not 0 < sum(deeper.values()) <= MOST_SEQUENCES:
            break
        divides.append(deeper)
    return position | {"counts": [sum(d.values()) for d in divides], "divide": divides[-1]}


def main(rewrite: bool) -> None:
    """Write the files that are missing, or all."""
    FOLDER.mkdir(exist_ok=True)
    for name in mj.variants():
        path = FOLDER / f"{name}.json"
        if rewrite or not path.exists():
            found = []
            for preset in mj.Game(name).variant.presets:
                for seed in range(DEALS):
                    played = play_out(mj.Game(name, preset, seed=seed), random.Random(seed)).history
                    found += [count(name, preset, seed, played[: int(stage * len(played))]) for stage in STAGES]
            path.write_text("[\n" + ",\n".join(json.dumps(position) for position in found) + "\n]\n", encoding="utf-8")
            print(f"wrote {path}")


if __name__ == "__main__":
    main(rewrite="--all" in sys.argv[1:])
