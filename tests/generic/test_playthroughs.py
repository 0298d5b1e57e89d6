"""Whole hands as readable text: they are played again from what the files say, and every line must come out the same.

Each variant has a playthrough for each preset, for each mode if one of its options is called `mode`, and for `swap3` if
it has that. Run as a program, this file writes the missing ones (`--all`: writes all anew): `python
tests/generic/test_playthroughs.py`. What changes in a file under review is what changed in the rules.
"""

import json
import random
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from players import play_out

import mahjong_env as mj
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.state import OPENING

FOLDER = Path(__file__).parent / "playthroughs"
TRIES = 300
"""Hands looked through for the one that shows most."""
MOST_TRIES = 30_000
"""As many for a verb that would otherwise be shown nowhere."""


def wanted(name: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """File name → preset and options of the playthroughs a variant should have."""
    variant = get_variant(name)
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for preset in variant.presets:
        found[f"{name}_{preset}.txt"] = preset, {}
        usual = variant.choose_options(preset, {})[1].get("mode")
        for mode in variant.settings["mode"].values if usual is not None else ():
            if mode != usual:
                found[f"{name}_{preset}_{mode}.txt"] = preset, {"mode": mode}
    if "swap3" in variant.settings:
        found[f"{name}_swap3.txt"] = next(iter(variant.presets)), {"swap3": True}
    return found


FILES = [(file, name, *setting) for name in mj.variants() for file, setting in wanted(name).items()]


@pytest.mark.parametrize(("file", "name", "preset", "options"), FILES, ids=[case[0] for case in FILES])
def test_playthrough(file: str, name: str, preset: str, options: dict[str, Any]) -> None:
    path = FOLDER / file
    assert path.exists(), f"{path} is missing; write it with: python tests/generic/{Path(__file__).name}"
    lines = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[0])["variant"] == name
    assert json.loads(lines[0])["preset"] == preset
    for number, (ours, theirs) in enumerate(zip_longest(replay(lines), lines), 1):
        assert ours == theirs, f"{file}, line {number}: the rules now give\n  {ours}\nwhere the file has\n  {theirs}"


@pytest.mark.parametrize("name", mj.variants())
def test_every_verb_is_played(name: str) -> None:
    """The playthroughs of a variant show every verb it has."""
    assert verbs_shown(name) == set(get_variant(name).verbs)


def verbs_shown(name: str) -> set[str]:
    """The verbs in the playthroughs of a variant that are there."""
    files = [FOLDER / file for file in wanted(name) if (FOLDER / file).exists()]
    return {line.split("> ")[1].split()[0] for file in files for line in decisions(file)}


def decisions(path: Path) -> list[str]:
    """The lines of a file on which somebody decides."""
    return [line for line in path.read_text(encoding="utf-8").splitlines() if "> " in line and line[:1].isdigit()]


def replay(lines: list[str]) -> list[str]:
    """The lines that the game at the head of a file, played by the actions in it, gives."""
    game = mj.Game(**json.loads(lines[0]))
    return write(game, [line.split("> ")[1] for line in lines if "> " in line and line[:1].isdigit()])


def write(game: mj.Game, actions: list[str]) -> list[str]:
    """A game as text: what it is a function of; the table at first, before the first turn and at the end; every decision."""
    head = {"variant": game.variant.name, "preset": game.preset, "seed": game.seed, **game.overrides}
    lines = [json.dumps(head), *str(game).splitlines()]
    opening = game._games["phase"][0] == OPENING
    for number, action in enumerate(actions, 1):
        if opening and game._games["phase"][0] != OPENING:
            lines += str(game).splitlines()
            opening = False
        legal = ", ".join(game.legal_names())
        lines.append(f"{number} seat {game.to_act} ({legal}) > {action}")
        payments = len(game.outcome.payments)
        game.play(action)
        for paid in game.outcome.payments[payments:]:
            lines.append(f"   {paid.reason}: {' '.join(f'{points:+d}' for points in paid.points)}")
    return lines + str(game).splitlines()


def most_telling(name: str, preset: str, options: dict[str, Any]) -> mj.Game:
    """Of some hands the first in which most verbs are played that no other playthrough of the variant shows, then most of
    all, then most hands won."""
    shown = verbs_shown(name)

    def telling(game: mj.Game) -> tuple[int, int, int]:
        verbs = {action.split()[0] for action in game.history}
        return len(verbs - shown), len(verbs), len(game.outcome.wins)

    def tried(first: int, last: int) -> Iterator[mj.Game]:
        for seed in range(first, last):
            yield play_out(mj.Game(name, preset, seed=seed, **options), random.Random(seed))

    best = max(tried(0, TRIES), key=telling)
    missing = set(get_variant(name).verbs) - shown - {action.split()[0] for action in best.history}
    if missing and len(shown) and len([file for file in wanted(name) if not (FOLDER / file).exists()]) == 1:
        return next((g for g in tried(TRIES, MOST_TRIES) if missing & {a.split()[0] for a in g.history}), best)
    return best


def main(rewrite: bool) -> None:
    """Write the playthroughs that are missing, or all."""
    FOLDER.mkdir(exist_ok=True)
    for file, name, preset, options in FILES:
        if rewrite or not (FOLDER / file).exists():
            actions = most_telling(name, preset, options)
            game = mj.Game(name, preset, seed=actions.seed, **options)
            (FOLDER / file).write_text("\n".join(write(game, actions.history)) + "\n", encoding="utf-8")
            print(f"wrote {FOLDER / file}")


if __name__ == "__main__":
    main(rewrite="--all" in sys.argv[1:])
