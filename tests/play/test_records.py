"""Records: what is written is read, replayed and verified; whatever else stands in a file is one clear error."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import run
from players import option_sets, play_out

import mahjong_env as mj
from mahjong_env.batch.dataset import arrays_of
from mahjong_env.play.game import Record, read_records
from mahjong_env.play.record_format import MOST_BYTES, MOST_SHOWN
from mahjong_env.rules.registry import get_variant

SETTINGS = [
    pytest.param(name, preset, options, id=f"{name}-{preset}-{k}")
    for name in mj.variants()
    for k, (preset, options) in enumerate(option_sets(name, 3))
]


def played(seed: int = 1, preset: str = "online", **options: Any) -> mj.Game:
    return play_out(mj.Game("sichuan", preset, seed=seed, **options), random.Random(seed))


def same_state(one: mj.Game, other: mj.Game) -> bool:
    """Equal but for the generator: a given wall isn't shuffled."""
    names = [name for name in one._games.dtype.names or () if name != "random"]
    return all(np.array_equal(one._games[name], other._games[name]) for name in names)


# --- there and back ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "preset", "options"), SETTINGS)
def test_a_record_is_read_as_it_was_written(name: str, preset: str, options: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    games = [play_out(mj.Game(name, preset, seed=seed, **options), random.Random(seed), 0.7) for seed in range(3)]
    for game in games:
        game.record(legal=True).write(path)
    records = mj.Record.read(path)
    assert records == [game.record(legal=True) for game in games]
    for record, game in zip(records, games, strict=True):
        assert same_state(record.verify(), game)
        assert str(record.replay().outcome) == str(game.outcome)


def test_replay_stops_at_any_ply() -> None:
    game = mj.Game("sichuan", "online", seed=4)
    rng = random.Random(4)
    states = [game.copy()]
    while not game.is_over:
        game.play(rng.choice(game.legal_actions()))
        states.append(game.copy())
    record = game.record()
    for ply, state in enumerate(states):
        assert same_state(record.replay(ply), state)
    for ply in (-1, len(states)):
        with pytest.raises(ValueError, match=f"ply {ply} is not possible"):
            record.replay(ply)


def test_a_game_that_goes_on_has_a_record_too(tmp_path: Path) -> None:
    game = mj.Game("sichuan", "online", seed=4)
    game.play(game.legal_actions()[0])
    game.record().write(tmp_path / "game.jsonl")
    (record,) = mj.Record.read(tmp_path / "game.jsonl")
    assert record.next_dealer is None and same_state(record.verify(), game)


def test_lines_are_small_and_may_be_parted_by_empty_ones(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for seed in range(20):
        played(seed).record().write(path)
    lines = path.read_bytes().splitlines()
    assert len(lines) == 20 and max(map(len, lines)) < 4096
    path.write_bytes(b"\n\n".join(lines))
    assert len(mj.Record.read(path)) == 20
    assert next(read_records(path)).verify().is_over
    path.write_bytes(b"")
    assert mj.Record.read(path) == []


def test_fields_that_may_be_left_out() -> None:
    data = played().record(legal=True).to_dict()
    del data["next_dealer"], data["legal"]
    assert Record.from_dict(data).verify().is_over


# --- what isn't trusted -----------------------------------------------------------------------------------------------


def replaced(name: str, value: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda data: data | {name: value}


def without(name: str) -> Callable[[dict[str, Any]], Any]:
    return lambda data: {key: value for key, value in data.items() if key != name}


def changed(name: str, place: int, value: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda data: data | {name: [*data[name][:place], value, *data[name][place + 1 :]]}


WRONG: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda data: [data], "a record is a JSON object, not list"),
    (lambda data: None, "not NoneType"),
    *(
        (without(name), f"the field '{name}' is missing")
        for name in ("variant", "version", "preset", "options", "wall")
    ),
    *((without(name), f"the field '{name}' is missing") for name in ("dealer", "actions", "points")),
    (without("exchange_direction"), "exchange_direction is missing"),
    (replaced("exchange_direction", "up"), "exchange_direction='up' is not possible"),
    (replaced("exchange_direction", 1), "exchange_direction must be a text"),
    (replaced("note", "x"), "no field 'note'"),
    (replaced("variant", "chess"), "no variant 'chess'"),
    (replaced("variant", ["sichuan"]), "variant must be a text"),
    (replaced("version", 10**6), "written by version 1000000 of the rules of sichuan; these are version"),
    (replaced("version", "1"), "version must be a whole number, not '1'"),
    (replaced("version", True), "version must be a whole number, not True"),
    (replaced("preset", "nowhere"), "no preset 'nowhere'"),
    (replaced("options", {"fan": 3}), "no option 'fan'"),
    (replaced("options", {"seed": 3}), "no option 'seed'"),
    (replaced("options", {"fan_cap": 3.5}), "options must be"),
    (replaced("options", {"fan_cap": [3]}), "options must be"),
    (replaced("options", []), "options must be"),
    (replaced("dealer", 4), "dealer 4 is not a seat"),
    (replaced("dealer", None), "dealer must be a seat"),
    (replaced("dealer", 10**400), "dealer must be a seat"),
    (replaced("wall", "1m" * 108), "wall must be a list"),
    (replaced("wall", ["1m"] * 108), "wall has 108 of 1m"),
    (replaced("wall", []), "wall has 0 of 1m"),
    (changed("wall", 3, "1z"), "no tile"),
    (changed("wall", 3, 5), "wall must be a list of tile names"),
    (changed("actions", 3, None), "actions must be a list"),
    (changed("actions", 3, "x" * 100), "actions must be a list"),
    (changed("actions", 3, "fly 3m"), "decision 4 of"),
    (changed("actions", 12, "hu"), "decision 13 of .* can't play 'hu' now"),
    (lambda data: data | {"actions": [*data["actions"], "pass"], "legal": [*data["legal"], []]}, "the hand is over"),
    (replaced("actions", ["pass"] * 5000), "actions must be a list of 4096"),
    (replaced("legal", []), "legal has 0 lists for"),
    (changed("legal", 2, ["hu"]), "decision 3 of .* legal actions differ: missing"),
    (replaced("legal", 5), "legal must be a list of lists"),
    (replaced("points", [1, 2, 3, 4]), "after all .* points are"),
    (replaced("points", []), "points are"),
    (replaced("points", [0.0] * 4), "points must be"),
    (replaced("next_dealer", 7), "the next dealer is"),
    (replaced("next_dealer", "0"), "next_dealer must be a seat or null"),
]


@pytest.mark.parametrize(("change", "named"), WRONG, ids=[named[:40] for _, named in WRONG])
def test_a_wrong_record_is_one_clear_error(change: Callable[[dict[str, Any]], Any], named: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    right = played().record(legal=True)
    right.write(path)
    with path.open("a") as file:
        file.write(json.dumps(change(right.to_dict())) + "\n")
    with pytest.raises(mj.RecordError, match=f"games.jsonl, line 2: .*{named}") as caught:
        mj.Record.read(path)[1].verify()
    assert len(str(caught.value)) < MOST_SHOWN + 10 and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        (b'{"variant": "sichuan", "wall": ["1m"', "not JSON, or cut"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"variant": "sichuan", "variant": "sichuan"}', "a field stands there twice"),
        (b'{"variant": NaN}', "variant must be a text"),
        (b'{"dealer": ' + b"9" * 5000 + b"}", "Exceeds the limit"),
        (b'{"variant": "\\ud800"}', "no variant"),
        (b" " * (MOST_BYTES + 1), "longer than"),
        (b'{"variant": "' + b"x" * 2000 + b'"}', "variant must be a text"),
        (b"1", "a record is a JSON object, not int"),
    ],
)
def test_a_line_that_is_no_record(line: bytes, named: str, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b"\n" + line)
    with pytest.raises(mj.RecordError, match=f"line 2: {named}") as caught:
        mj.Record.read(path)
    str(caught.value).encode()


def test_a_record_cut_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played().record().write(path)
    whole = path.read_bytes().rstrip()
    for length in range(1, len(whole), 37):
        path.write_bytes(whole[:length])
        with pytest.raises(mj.RecordError, match="line 1: not JSON, or cut"):
            mj.Record.read(path)


def test_damage_never_does_anything_else(tmp_path: Path) -> None:
    """Bytes changed by chance: the record is refused, or it is another game that the rules allow."""
    path = tmp_path / "game.jsonl"
    game = played(preset="sbr2025")
    game.record(legal=True).write(path)
    whole, rng = path.read_bytes(), random.Random(1)
    refused = 0
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(rng.choice((1, 1, 1, 5))):
            damaged[rng.randrange(len(damaged))] = rng.choice(b'0123456789mpsx",:[]{} \xc3')
        path.write_bytes(damaged)
        try:
            for record in mj.Record.read(path):
                record.verify()
                arrays_of([record])
        except mj.RecordError:
            refused += 1
    assert refused > 200


# --- arrays -----------------------------------------------------------------------------------------------------------


def test_arrays_are_what_the_game_showed() -> None:
    game = played(3)
    arrays = arrays_of([game.record()])
    other = mj.Game("sichuan", "online", seed=3)
    for k, action in enumerate(game.history):
        assert arrays["seats"][k] == other.to_act
        assert np.array_equal(arrays["observations"][k], other.observation())
        assert np.array_equal(arrays["masks"][k], other.mask())
        assert game.variant.actions.names[arrays["actions"][k]] == action
        before = other.points
        other.play(action)
        assert np.array_equal(arrays["gains"][k], other.points - before)
    assert arrays["starts"].tolist() == [0, len(game.history)]
    types = {name: str(values.dtype) for name, values in arrays.items()}
    assert types == {"observations": "int8", "masks": "int8", "seats": "int8", "actions": "int16", "gains": "int32",
                     "starts": "int64"}  # fmt: skip


def test_arrays_of_many_games_lie_one_after_the_other(tmp_path: Path) -> None:
    games = [played(seed, mode=mode) for seed in range(3) for mode in ("xuezhan", "xueliu")]
    games.append(mj.Game("sichuan", seed=1))  # without any decision
    records = [game.record() for game in games]
    arrays = arrays_of(records)
    for g, record in enumerate(records):
        part = slice(arrays["starts"][g], arrays["starts"][g + 1])
        for name, values in arrays_of([record]).items():
            assert name == "starts" or np.array_equal(arrays[name][part], values)
        assert arrays["gains"][part].sum(axis=0).tolist() == record.points
    np.savez(tmp_path / "games.npz", **arrays)


def test_arrays_of_wrong_records() -> None:
    record = played().record()
    for action in ("hu", "fly"):
        record.actions[5] = action
        with pytest.raises(mj.RecordError, match="decision 6 of"):
            arrays_of([record])
    with pytest.raises(ValueError, match="one variant"):
        arrays_of([])


# --- batches ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "preset", "options"), SETTINGS)
def test_a_batch_records_its_hands(name: str, preset: str, options: dict[str, Any]) -> None:
    batch = mj.Batch(name, 7, seed=11, preset=preset, record=True, **options)
    batch.reset()
    assert batch.records() == []
    found = 0
    while found < 12:
        _, done = batch.step(batch.sample_legal())
        records = batch.records()
        assert len(records) == done.sum()
        for table, record in zip(np.flatnonzero(done), records, strict=True):
            game = record.verify()
            assert game.is_over and record.points == batch.ended["points"][table].tolist()
            assert record == game.record()
        found += len(records)


def test_a_batchs_first_hand_is_that_of_the_game() -> None:
    batch = mj.Batch("sichuan", 2, seed=5, preset="online", record=True, fan_cap=4)
    batch.reset()
    game = mj.Game("sichuan", "online", seed=5, fan_cap=4)
    while not game.is_over:
        actions = batch.sample_legal()
        game.play(int(actions[0]))
        with pytest.raises(mj.IllegalActionError):
            batch.step(np.full(2, -1))  # leaves no trace
        batch.step(actions)
    assert batch.records()[0] == game.record()


def test_a_reset_batch_forgets_hands_half_played() -> None:
    batch = mj.Batch("sichuan", 3, seed=5, record=True)
    for _ in range(2):
        batch.reset()
        for _ in range(20):
            batch.step(batch.sample_legal())
    while not batch.records():
        batch.step(batch.sample_legal())
    for record in batch.records():
        record.verify()


def test_a_batch_records_when_asked_to() -> None:
    with pytest.raises(RuntimeError, match="record=True"):
        mj.Batch("sichuan", 1).records()


# --- the command ------------------------------------------------------------------------------------------------------


def test_replay_prints_table_and_outcome(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    games = [played(seed) for seed in range(2)]
    for game in games:
        game.record().write(path)
    several = run("replay", str(path))
    assert several.returncode == 0, several.stderr
    assert [line.split(":")[0] for line in several.stdout.splitlines()] == ["1", "2"]
    one = run("replay", str(path), "--game", "2")
    assert str(games[1]) in one.stdout
    early = json.loads(run("replay", str(path), "--game", "2", "--ply", "3", "--json").stdout)
    assert early[0]["ply"] == 3 and early[0]["decisions"] == len(games[1].history)
    assert early[0]["legal"] == games[1].record().replay(3).legal_names()


def test_replay_explains_itself() -> None:
    done = run("replay", "--help")
    assert done.returncode == 0 and "--ply" in done.stdout


def test_replay_of_bad_files_is_one_clear_line(tmp_path: Path) -> None:
    good, cut, empty = tmp_path / "good.jsonl", tmp_path / "cut.jsonl", tmp_path / "empty.jsonl"
    for _ in range(2):
        played().record().write(good)
    cut.write_bytes(good.read_bytes()[:-20])
    empty.touch()
    for words, named in (
        ([str(cut)], "cut.jsonl, line 2: not JSON, or cut"),
        ([str(empty)], "holds no game"),
        ([str(tmp_path / "none.jsonl")], "none.jsonl"),
        ([str(good), "--game", "3"], "good.jsonl holds no game 3"),
        ([str(good), "--ply", "3"], "--ply needs --game"),
        ([str(good), "--game", "1", "--ply", "9999"], "ply 9999 is not possible"),
    ):
        done = run("replay", *words)
        assert done.returncode != 0 and done.stdout == ""
        assert named in done.stderr and len(done.stderr.strip().splitlines()) == 1, done.stderr


def test_every_variant_is_recorded_by_its_names() -> None:
    for name in mj.variants():
        record = mj.Game(name, seed=1).record()
        assert record.variant == name and record.version == get_variant(name).version


def test_writing_after_a_cut_line_keeps_the_new_record_whole(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    first, second = played(1).record(), played(2).record()
    first.write(path)
    first.write(path)
    path.write_bytes(path.read_bytes()[:-20])
    second.write(path)
    with pytest.raises(mj.RecordError, match="line 2: not JSON, or cut"):
        mj.Record.read(path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == 3
    path.write_text(lines[0] + lines[2], encoding="utf-8")
    assert mj.Record.read(path) == [first, second]
