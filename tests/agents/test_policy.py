"""Saved policies: written, read and played, and refused when they are cut, foreign or for other rules."""

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mahjong_env as mj
from mahjong_env.agents.load import load_agent
from mahjong_env.agents.policy import LARGEST_FILE, Metadata, PolicyAgent, by_suit, save_policy, suit_places
from mahjong_env.agents.view import Agent, View
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.variant import Variant
from mahjong_env.tiles import ALL

NAMES = mj.variants()
SUIT_LAYERS, LAYERS = [6, 5], [7]


def write(path: Path, variant: Variant) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
    """A policy of random weights."""
    rng = np.random.default_rng(0)
    metadata = Metadata.of(variant, next(iter(variant.presets)), {}, SUIT_LAYERS, LAYERS)
    shapes = metadata.shapes(suit_places(variant.tiles))
    weights = [rng.normal(size=shape).astype(np.float32) for shape in shapes]
    biases = [rng.normal(size=shape[:1]).astype(np.float32) for shape in shapes]
    scale = rng.uniform(0.5, 2, sum(rows for _, rows in metadata.pieces)).astype(np.float32)
    save_policy(path, metadata, scale, weights, biases)
    return weights, biases, scale


@pytest.fixture
def variant() -> Variant:
    return get_variant(NAMES[0])


@pytest.fixture
def saved(tmp_path: Path, variant: Variant) -> Path:
    write(tmp_path / "policy.npz", variant)
    return tmp_path / "policy.npz"


def view_of_batch(batch: mj.Batch) -> View:
    nothing = np.zeros(0)
    return View(batch.variant, batch.to_act, batch.observations, batch.masks, nothing, nothing)


@pytest.mark.parametrize("name", NAMES)
def test_a_policy_plays_what_its_weights_say(name: str, tmp_path: Path) -> None:
    rules = get_variant(name)
    weights, biases, scale = write(tmp_path / "p.npz", rules)
    agent = load_agent(str(tmp_path / "p.npz"), rules)
    assert isinstance(agent, Agent)
    assert agent.name == str(tmp_path / "p.npz")
    batch = mj.Batch(name, 5, seed=3)
    batch.reset()
    for _ in range(40):
        view = view_of_batch(batch)
        actions = agent.act_batch(view)
        one = View(rules, view.seat[:1], view.observation[:1], view.mask[:1], np.zeros(0), np.zeros(0))
        assert agent.act(one) == actions[0]
        x = by_suit(view.observation / scale[:, None], suit_places(rules.tiles))
        for i in range(len(SUIT_LAYERS)):
            x = np.maximum(np.einsum("oi,nsi->nso", weights[i], x) + biases[i], 0)
        x = np.maximum(x.reshape(5, -1) @ weights[2].T + biases[2], 0) @ weights[3].T + biases[3]
        assert np.array_equal(actions, np.where(view.mask > 0, x, -np.inf).argmax(1))
        batch.step(actions)


def test_shorter_suits_are_filled_with_zeros() -> None:
    places = suit_places(ALL)
    assert places.shape == (4, 9)
    assert places[3].tolist() == [27, 28, 29, 30, 31, 32, 33, 34, 34]
    cut = by_suit(np.arange(1, 69, dtype=np.int8).reshape(1, 2, 34), places)
    assert cut.shape == (1, 4, 18)
    assert cut[0, 3].tolist() == [*range(28, 35), 0, 0, *range(62, 69), 0, 0]


# --- files that are refused -------------------------------------------------------------------------------------------


def change_metadata(**changes: Any) -> Callable[[dict[str, Any], Metadata], None]:
    def change(arrays: dict[str, Any], metadata: Metadata) -> None:
        arrays["metadata"] = np.array(json.dumps(asdict(metadata) | changes))

    return change


def set_array(name: str, value: Any) -> Callable[[dict[str, Any], Metadata], None]:
    return lambda arrays, metadata: arrays.update({name: value})


BAD: dict[str, tuple[Callable[[dict[str, Any], Metadata], Any], str]] = {
    "another variant": (change_metadata(variant="another"), "it was made for variant 'another'; here it is"),
    "another version": (change_metadata(version=-1), "it was made for version -1"),
    "other actions": (change_metadata(actions=3), "it was made for actions 3"),
    "another observation": (change_metadata(pieces=[["hand", 1]]), "it was made for pieces"),
    "another format": (change_metadata(format=99), "it has format 99; this version reads 1"),
    "huge layers": (change_metadata(layers=[10**12]), "layers must be a list of layer sizes"),
    "no layer sizes": (change_metadata(layers="7"), "layers must be a list of layer sizes"),
    "metadata too few": (set_array("metadata", np.array("{}")), "its metadata must have format, variant"),
    "metadata not JSON": (set_array("metadata", np.array("{")), "its metadata isn't JSON"),
    "metadata a number": (set_array("metadata", np.array(3)), "no metadata, so it is no policy file"),
    "no metadata": (lambda arrays, _: arrays.pop("metadata"), "no metadata, so it is no policy file"),
    "an array missing": (lambda arrays, _: arrays.pop("bias_1"), "needed are bias_0, bias_1"),
    "an array more": (set_array("extra", np.zeros(1)), "it has arrays bias_0"),
    "a wrong shape": (
        set_array("bias_1", np.zeros(4, np.float32)),
        r"bias_1 must be float32 \(5,\), not float32 \(4,\)",
    ),
    "a wrong type": (set_array("bias_1", np.zeros(5)), r"bias_1 must be float32 \(5,\), not float64"),
    "not a number": (set_array("bias_1", np.full(5, np.nan, np.float32)), "bias_1 has numbers that aren't finite"),
    "a pickle inside": (set_array("bias_1", np.array([print] * 5)), "can't be read: .*allow_pickle"),
    "too large": (set_array("extra", np.zeros(LARGEST_FILE + 1, np.int8)), "a policy has [0-9]+ at most"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_policy_is_refused(case: str, saved: Path, variant: Variant) -> None:
    spoil, complaint = BAD[case]
    with np.load(saved) as archive:
        arrays = {name: archive[name] for name in archive.files}
    spoil(arrays, Metadata(**json.loads(str(arrays["metadata"]))))
    np.savez_compressed(saved, **arrays)
    with pytest.raises(ValueError, match=f"policy .*{saved.name}.*{complaint}"):
        PolicyAgent(saved, variant)


def test_a_cut_or_damaged_policy_is_refused(saved: Path, variant: Variant) -> None:
    whole = saved.read_bytes()
    for length in range(0, len(whole), 97):
        saved.write_bytes(whole[:length])
        with pytest.raises(ValueError, match=f"policy .*{saved.name}' is cut, or no policy file"):
            PolicyAgent(saved, variant)
    middle = len(whole) // 2
    saved.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    with pytest.raises(ValueError, match=saved.name):
        PolicyAgent(saved, variant)


def test_an_array_that_claims_to_be_huge_is_refused(saved: Path, variant: Variant) -> None:
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (10**13,)})
    with zipfile.ZipFile(saved, "a") as archive:
        archive.writestr("extra.npy", header.getvalue())
    with pytest.raises(ValueError, match=saved.name):
        PolicyAgent(saved, variant)


def test_a_missing_policy_is_named(variant: Variant) -> None:
    with pytest.raises(ValueError, match=r"no policy file 'nowhere\.npz'"):
        load_agent("nowhere.npz", variant)
