"""The benchmark runs in all its parts, and the signatures of the rules are those kept in signatures.json.

Run as a program, this file writes the signatures that are missing (`--all`: all anew): `python tests/test_bench.py`.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import mahjong_env as mj
from mahjong_env.rules.registry import get_variant
from mahjong_env.tools import bench
from mahjong_env.tools.cli import app

FILE = Path(__file__).parent / "signatures.json"
COMMAND = f"python tests/{Path(__file__).name}"


# --- signatures -------------------------------------------------------------------------------------------------------


def kept() -> dict[str, dict[str, Any]]:
    """For each variant its version, and a signature for each preset."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


@pytest.mark.parametrize("name", mj.variants())
def test_rules_have_their_signature(name: str) -> None:
    variant = get_variant(name)
    was = kept().get(name)
    assert was is not None, f"{FILE.name} has no signature of {name}; write it with: {COMMAND}"
    assert was["version"] == variant.version, f"the signature is of version {was['version']}; write it anew: {COMMAND}"
    found = {preset: bench.signature(name, preset) for preset in variant.presets}
    assert found == was["presets"], (
        f"{name} is played by other rules than before: is that meant? Then raise its version, and write: {COMMAND} --all"
    )


def test_signature_is_of_rules_and_preset() -> None:
    assert bench.signature("sichuan", "online") != bench.signature("sichuan", "sbr2025")


def signed(name: str) -> dict[str, Any]:
    """What is kept of a variant."""
    variant = get_variant(name)
    presets = {preset: bench.signature(name, preset) for preset in variant.presets}
    return {"version": variant.version, "presets": presets}


def main(rewrite: bool) -> None:
    """Write the signatures that are missing or of another version, or all."""
    found = kept()
    for name in mj.variants():
        if rewrite or found.get(name, {}).get("version") != get_variant(name).version:
            found[name] = signed(name)
            print(f"{name}: {found[name]}")
    FILE.write_text(json.dumps(found, indent=2, sort_keys=True) + "\n", encoding="utf-8")


# --- the benchmark ----------------------------------------------------------------------------------------------------


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


if __name__ == "__main__":
    main(rewrite="--all" in sys.argv[1:])
