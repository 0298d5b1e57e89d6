"""The long random check: it passes on what is right, finds what is wrong, and says where."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import mahjong_env as mj
from mahjong_env.hands.tables import WEIGHT
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.state import TURN
from mahjong_env.tools import check as checking
from mahjong_env.tools.check import Walk
from mahjong_env.tools.cli import app
from mahjong_env.tools.invariants import KEYS, MASK, MELDS, PAYMENTS, POINTS, PROBLEMS, RIVER, SIZES, TILES

SETTINGS = [(name, preset) for name in mj.variants() for preset in get_variant(name).presets]
TABLES = 16


@pytest.mark.parametrize(("name", "preset"), SETTINGS)
def test_random_play_holds(name: str, preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "PLAIN_HANDS", 3)  # each takes a second or two
    told: list[int] = []
    result = checking.check(name, 100, preset, seed=3, tables=TABLES, progress=told.append)
    assert result.failure is None
    assert result.hands >= 100 and told[-1] == 100 and result.sampled > 0


def walked(name: str, steps: int) -> Walk:
    """A walk in the middle of its hands."""
    walk = Walk(name, None, seed=5, tables=TABLES, options={})
    for _ in range(steps):
        assert walk.step() is None
    return walk


def swap_tile(row: Any) -> None:
    row["hands"][0, np.flatnonzero(row["hands"][0])[0]] += 4


def change_key(row: Any) -> None:
    row["keys"][1, 0] += 1


def hide_wall_tile(row: Any) -> None:
    kind = row["wall"][row["wall_front"]]
    row["wall_front"] += 1
    row["hands"][2, kind] += 1
    row["keys"][2, kind // 9] += WEIGHT[kind]


def count_meld_twice(row: Any) -> None:
    row["meld_count"][0] += 2
    row["meld_count"][1:] += 2  # sizes still agree


def change_river(row: Any) -> None:
    row["river_tile"][0] = (row["river_tile"][0] + 1) % row["hands"].shape[1]


def forget_payment(row: Any) -> None:
    row["slips"] = 1
    row["slip_points"][0] = 7


def lose_point(row: Any) -> None:
    row["points"][0] += 1


def forbid_all(row: Any) -> None:
    row["legal"][:] = 0


@pytest.mark.parametrize(
    ("spoil", "number"),
    [
        (swap_tile, TILES), (change_key, KEYS), (hide_wall_tile, SIZES), (count_meld_twice, MELDS), (change_river, RIVER),
        (forget_payment, PAYMENTS), (lose_point, POINTS), (forbid_all, MASK),
    ],
)  # fmt: skip
def test_what_is_wrong_is_found(spoil: Callable[[Any], None], number: int) -> None:
    walk = walked("sichuan", 30)
    table = int(np.flatnonzero((walk.games["phase"] == TURN) & (walk.games["river_seat"][:, 0] < 4))[0])
    spoil(walk.games[table])
    found = dict(walk.problems(np.zeros((TABLES, 4), np.int64), np.arange(TABLES) != table))
    assert set(found) == {table}
    if number == TILES:
        assert found[table] == "tiles are made: 4 of 1m"
    elif number != MASK:
        assert found[table] == PROBLEMS[number]


@pytest.mark.parametrize("name", mj.variants())
def test_lost_tiles_are_found(name: str) -> None:
    walk = walked(name, 30)
    walk.games["wall_front"][2] += 1
    found = dict(walk.problems(np.zeros((TABLES, 4), np.int64), np.ones(TABLES, bool)))
    assert found[2].startswith("tiles are lost: 1 of ")


@pytest.mark.parametrize("name", mj.variants())
def test_a_failure_leads_to_its_state(name: str) -> None:
    walk = walked(name, 250)
    for table in range(0, TABLES, 5):
        hand, row = int(walk._tables.hands[table]) - 1, walk.games[table]
        assert hand > 0
        failure = walk.failure("something is wrong", table, hand, int(row["clock"]))
        assert f"something is wrong: seed 5, table {table}, hand {hand}, after decision {row['clock']}" == str(failure)
        game = failure.record.verify()
        assert game.mask().tolist() == row["legal"].tolist()
        assert np.array_equal(game._games["hands"][0], row["hands"])


def test_command_line_says_what_failed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    walk = walked("sichuan", 90)
    failure = walk.failure("something is wrong", 1, 0, 20)
    result = checking.check("sichuan", 1)
    monkeypatch.setattr(checking, "check", lambda *a, **k: replace(result, failure=failure))
    file = tmp_path / "failed.jsonl"
    done = CliRunner().invoke(app, ["check", "sichuan", "--hands", "5", "--failed", str(file)])
    assert done.exit_code == 1
    assert "something is wrong: seed 5, table 1, hand 0, after decision 20" in done.stderr
    assert [len(record.actions) for record in mj.Record.read(file)] == [20]


def test_command_line_checks() -> None:
    done = CliRunner().invoke(app, ["check", "sichuan", "--hands", "20", "--preset", "online", "--set", "fan_cap=none"])
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("sichuan online, seed 0: ")
    with pytest.raises(ValueError, match="0 hands are too few"):
        checking.check("sichuan", 0)
