"""Training: a run that is killed and continued, what it leaves behind, and checkpoints that are refused."""

import io
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra train")

import torch

import mahjong_env as mj
from mahjong_env.agents.policy import Metadata, PolicyAgent
from mahjong_env.rules.registry import get_variant
from training import ppo
from training.options import run_script, sentences

VARIANT = mj.variants()[0]
PATIENCE = 240
"""Seconds for what takes a few, on a machine that does much else, or has the rules to compile first."""


def command(folder: Path, **options: Any) -> list[str]:
    """A tiny run."""
    chosen = {"variant": VARIANT, "run": folder, "num-envs": 8, "minutes": 0.1, "deals": 4, "checkpoint-seconds": 0.2}
    words = [word for name, value in (chosen | options).items() for word in (f"--{name}", str(value))]
    return [sys.executable, "-m", "training.ppo", *words]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess]:
    """A run that was killed once it had a checkpoint, and then continued to its end: its folder and the second process."""
    folder = tmp_path_factory.mktemp("runs") / "killed"
    with subprocess.Popen(command(folder, minutes=30), stderr=subprocess.DEVNULL) as first:
        started = time.monotonic()
        while not (folder / "checkpoint.pt").exists():
            assert first.poll() is None, "the run ended before its first checkpoint"
            assert time.monotonic() - started < PATIENCE
            time.sleep(0.1)
        os.kill(first.pid, signal.SIGKILL)
    assert first.returncode == -signal.SIGKILL
    assert not (folder / "policy.npz").exists()
    second = subprocess.run(command(folder), capture_output=True, text=True, timeout=PATIENCE)
    return folder, second


def options_for(folder: Path, **changes: Any) -> ppo.Options:
    return ppo.Options(variant=VARIANT, **({"run": folder, "num_envs": 8, "minutes": 0.1, "deals": 0} | changes))


def built(options: ppo.Options) -> tuple[Any, dict[str, Any]]:
    """A fresh model, and the rules its checkpoints are for."""
    variant = get_variant(options.variant)
    env = ppo.ScaledRewards(mj.sb3_vec_env(options.variant, options.num_envs))
    metadata = Metadata.of(variant, next(iter(variant.presets)), {}, ppo.SUIT_LAYERS, ppo.LAYERS)
    return ppo.build(options, variant, env, ppo.Clock(1)), asdict(metadata)


def test_a_killed_run_is_continued_to_its_matches(run: tuple[Path, subprocess.CompletedProcess]) -> None:
    folder, second = run
    assert second.returncode == 0, second.stderr
    assert f"continuing from {folder / 'checkpoint.pt'}" in second.stderr
    rows = [line.split() for line in second.stdout.splitlines()]
    played = [(row[1], row[3]) for row in rows if len(row) > 8 and row[3] in ("random", "greedy")]
    assert played == [("trained", "random"), ("trained", "greedy"), ("greedy", "random")], second.stdout
    left = {path.name.split(".")[0] for path in folder.iterdir()}
    assert left == {"checkpoint", "events", "policy"}


def test_the_saved_policy_is_the_network(run: tuple[Path, subprocess.CompletedProcess]) -> None:
    folder, _ = run
    options = options_for(folder)
    model, rules = built(options)
    state = ppo.Checkpoints(folder, 1).read(model, rules)
    assert state is not None
    assert state.imitated
    assert model.num_timesteps > 0
    agent = PolicyAgent(folder / "policy.npz", get_variant(VARIANT))
    observations = model.env.reset()
    masks = np.asarray(model.env.env_method("action_masks"))
    with torch.no_grad():
        expected = ppo.player_logits(model, observations, masks).numpy()
    logits = np.where(masks > 0, agent.logits(observations), -np.inf)
    np.testing.assert_allclose(logits, expected, rtol=1e-3, atol=1e-3)


def test_the_player_chooses_as_sb3_would(tmp_path: Path) -> None:
    """Its quicker way gives the same values, probabilities and best actions, and actions as frequent as they are probable."""
    model, _ = built(options_for(tmp_path))
    seen, masks = torch.from_numpy(model.env.reset()), np.asarray(model.env.env_method("action_masks"))
    with torch.no_grad():
        actions, values, chances = model.policy(seen, action_masks=masks)
        same_values, same_chances, _ = model.policy.evaluate_actions(seen, actions, masks)
        torch.testing.assert_close(values, same_values)
        torch.testing.assert_close(chances, same_chances)
        distribution = model.policy.get_distribution(seen, masks)
        best, _, _ = model.policy(seen, deterministic=True, action_masks=masks)
        torch.testing.assert_close(best, distribution.mode())
        many = torch.stack([model.policy(seen, action_masks=masks)[0] for _ in range(2000)])
    found = torch.nn.functional.one_hot(many, masks.shape[1]).float().mean(dim=0)
    assert (found[masks == 0] == 0).all()
    torch.testing.assert_close(found, distribution.distribution.probs, atol=0.05, rtol=0)


def test_suits_of_different_lengths_are_cut_alike() -> None:
    from gymnasium import spaces

    from mahjong_env.agents.policy import by_suit, suit_places
    from mahjong_env.tiles import ALL

    network = ppo.SuitNetwork(spaces.Box(-128, 127, (3, 34), np.int8), suit_places(ALL))
    observations = np.random.default_rng(0).integers(-3, 5, (2, 3, 34)).astype(np.float32)
    x = torch.from_numpy(by_suit(observations, suit_places(ALL)))
    for layer in network.suit_layers:
        x = torch.relu(layer(x))
    for layer in network.layers:
        x = torch.relu(layer(x.flatten(1)))
    torch.testing.assert_close(network(torch.from_numpy(observations)), x)


# --- checkpoints that are refused -------------------------------------------------------------------------------------


class Trap:
    """Unpickling this would write a file."""

    def __init__(self, path: Path):
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


def refused(folder: Path, capsys: pytest.CaptureFixture[str], **changes: Any) -> str:
    """The one line on stderr with which a run stops."""
    with pytest.raises(SystemExit) as stopped:
        ppo.main(options_for(folder, **changes))
    assert stopped.value.code == 1
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("error: ")
    return lines[0]


@pytest.fixture
def copy(run: tuple[Path, subprocess.CompletedProcess], tmp_path: Path) -> Path:
    """A copy of the finished run."""
    return shutil.copytree(run[0], tmp_path / "copy")


@pytest.mark.parametrize("kept", [0.0, 0.3, 0.99])
def test_a_cut_checkpoint_is_named(kept: float, copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = copy / "checkpoint.pt"
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept)])
    line = refused(copy, capsys)
    assert str(path) in line
    assert "move it away to start anew, or name another folder with --run" in line
    assert path.stat().st_size == int(len(whole) * kept), "nothing is overwritten"


def foreign(kind: str, trap: Path) -> bytes:
    """Files that aren't checkpoints of a run."""
    file = io.BytesIO()
    if kind == "pickle":
        file.write(pickle.dumps(Trap(trap)))
    elif kind == "torch pickle":
        torch.save({"state": Trap(trap)}, file)
    elif kind == "another dictionary":
        torch.save({"weights": torch.zeros(3)}, file)
    elif kind == "no state":
        torch.save({"state": "[]", "policy": {}, "ppo": {}}, file)
    else:
        file.write(b"hello")
    return file.getvalue()


@pytest.mark.parametrize("kind", ["pickle", "torch pickle", "another dictionary", "no state", "text"])
def test_a_foreign_checkpoint_is_named_and_not_unpickled(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "checkpoint.pt").write_bytes(foreign(kind, tmp_path / "trap"))
    assert str(tmp_path / "checkpoint.pt") in refused(tmp_path, capsys)
    assert not (tmp_path / "trap").exists()


def test_a_checkpoint_of_other_rules_or_another_network_is_named(
    copy: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = list(get_variant(VARIANT).presets)[-1]
    assert f"not {other!r}" in refused(copy, capsys, preset=other)
    monkeypatch.setattr(ppo, "LAYERS", (64,))
    assert "it is a run with layers [256], not [64]" in refused(copy, capsys)


def test_a_checkpoint_with_weights_of_a_wrong_shape_changes_nothing(copy: Path) -> None:
    model, rules = built(options_for(copy))
    found = torch.load(copy / "checkpoint.pt", weights_only=True)
    found["ppo"]["state"][0]["exp_avg"] = torch.zeros(3)
    torch.save(found, copy / "checkpoint.pt")
    with pytest.raises(ValueError, match="exp_avg has shape"):
        ppo.Checkpoints(copy, 1).read(model, rules)


# --- options ----------------------------------------------------------------------------------------------------------


def test_every_option_has_a_sentence() -> None:
    about = sentences(ppo.Options)
    assert list(about) == [field.name for field in fields(ppo.Options)]
    assert all(sentence.endswith(".") for sentence in about.values())


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"variant": "bridge"}, "no variant 'bridge'; there are"),
        ({"preset": "none"}, "has no preset 'none'"),
        ({"set": ["depth=3"]}, "has no option 'depth'"),
        ({"opponents": "clever"}, "no agent 'clever'"),
        ({"teacher": "clever"}, "no agent 'clever'"),
    ],
)
def test_bad_input_is_one_line(
    changes: dict[str, Any], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = {"variant": VARIANT, "run": tmp_path / "new", **changes}
    with pytest.raises(SystemExit):
        ppo.main(ppo.Options(**options))
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1
    assert complaint in lines[0]
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("changes", [{"minutes": 0}, {"imitation": 0.9, "critic": 0.2}, {"deals": 1}, {"num_envs": -1}])
def test_impossible_numbers_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(changes))}.* must be"):
        ppo.Options(variant=VARIANT, **changes)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [(["--minutes", "0"], "minutes=0.0 must be above 0"), (["--minutes", "x"], "'--minutes'"), ([], "--variant")],
)
def test_bad_options_end_the_command(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    variant = ["--variant", VARIANT] if words else []
    monkeypatch.setattr(sys, "argv", ["ppo", *variant, *words])
    with pytest.raises(SystemExit) as stopped:
        run_script(ppo.main, ppo.Options)
    assert stopped.value.code == 2
    assert complaint in capsys.readouterr().err
