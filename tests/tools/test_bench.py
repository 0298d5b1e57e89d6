"""The benchmark runs in all its parts, and says what it leaves out."""

import json
import sys

import pytest
from typer.testing import CliRunner

from mahjong_env.rules.registry import get_variant
from mahjong_env.tools import bench
from mahjong_env.tools.cli import app


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few tables and little mixing."""
    for name, value in {
        "TABLES": (2, 8),
        "MOST": 8,
        "LEARNERS": 4,
        "COLLECTING": 4,
        "MIXING": 4,
        "SIGNED_GAMES": 4,
    }.items():
        monkeypatch.setattr(bench, name, value)


@pytest.mark.usefixtures("quick")
def test_every_figure_is_measured() -> None:
    report = bench.bench("sichuan", "online", seconds=0.01, peers=True)
    assert report.preset == "online" and set(report.signatures) == set(get_variant("sichuan").presets)
    assert all(figure.value > 0 for figure in report.figures if figure.unit != "ns")
    assert len(report.figures) + len(report.skipped) >= 15
    riichienv = [figure.value for figure in report.figures if figure.what == bench.RIICHIENV]
    for figure in report.figures:
        if riichienv and figure.unit == bench.DECISIONS and figure.to == bench.RIICHIENV:
            assert (
                0.2 < figure.ratio / (figure.value / riichienv[0]) < 5
            )  # the median of ratios, not the ratio of medians


@pytest.mark.usefixtures("quick")
def test_what_is_not_installed_is_left_out_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "riichienv", None)  # as if it weren't there
    report = bench.bench("sichuan", seconds=0.01, peers=True)
    assert "RiichiEnv: pip install riichienv" in report.skipped
    assert all(figure.to != bench.RIICHIENV for figure in report.figures)


@pytest.mark.usefixtures("quick")
def test_command_line() -> None:
    done = CliRunner().invoke(app, ["bench", "sichuan", "--seconds", "0.01", "--json"])
    (report,) = json.loads(done.stdout)
    assert report["variant"] == "sichuan" and report["figures"][0]["unit"] == "decisions/s"
    done = CliRunner().invoke(app, ["bench", "sichuan", "--seconds", "0.01"])
    assert "Batch, observation and mask" in done.stdout and "signature of online" in done.stdout


def test_bad_input() -> None:
    with pytest.raises(ValueError, match="seconds=0"):
        bench.bench("sichuan", seconds=0)
    with pytest.raises(ValueError, match="no preset 'x'"):
        bench.bench("sichuan", "x")
