"""What users type, in a process of its own."""

import json

import pytest
from commands import run


def test_match_prints_a_table() -> None:
    done = run("match", "sichuan", "greedy", "random", "random", "random", "--deals", "4")
    assert done.returncode == 0, done.stderr
    assert "4 deals x 4 seatings = 16 hands" in done.stdout and "greedy" in done.stdout


def test_match_as_json() -> None:
    done = run(
        "match", "sichuan", "greedy", "random", "--format", "1v3", "--deals", "3", "--set", "fan_cap=none", "--json"
    )
    result = json.loads(done.stdout)
    assert result["options"] == {"fan_cap": None} and result["hands"] == 12
    row = result["rows"][0]
    assert row["agent"] == "greedy" and len(row["interval"]) == 2 and "points_per_hand" in row


def test_variants_are_listed_and_described() -> None:
    assert "sichuan" in run("variants").stdout.split()
    assert "fan_cap" in run("variants", "sichuan").stdout


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["match", "sichuen", "greedy"], "no variant 'sichuen'"),
        (["match", "sichuan", "greedy", "--preset", "x"], "no preset 'x'"),
        (["match", "sichuan", "greedy", "--set", "fan=3"], "no option 'fan'"),
        (["match", "sichuan", "greedy", "--set", "fan_cap=many"], "fan_cap='many'"),
        (["match", "sichuan", "greedy", "--deals", "0"], "0 deals are too few"),
        (["match", "sichuan", "nowhere.npz", "random", "--format", "1vN"], "nowhere.npz"),
        (["variants", "no_such_file.py"], "no_such_file.py"),
        (["match", "sichuan", "--nonsense"], "--nonsense"),
    ],
)
def test_bad_input_is_one_clear_line(words: list[str], named: str) -> None:
    done = run(*words)
    assert done.returncode != 0
    assert named in done.stderr and len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_help_of_every_command() -> None:
    for command in ("variants", "match", "replay", "bench", "check", "compile"):
        done = run(command, "--help")
        assert done.returncode == 0 and "Usage" in done.stdout
