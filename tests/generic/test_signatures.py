"""Signatures: digests of hands played by each preset, as they are kept in signatures.json; what changes one is another game.

Run as a program, this file writes the signatures that are missing (`--all`: all anew): `python
tests/generic/test_signatures.py`.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import mahjong_env as mj
from mahjong_env.rules.registry import get_variant
from mahjong_env.tools import bench

FILE = Path(__file__).parent / "signatures.json"
COMMAND = f"python tests/generic/{Path(__file__).name}"


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


if __name__ == "__main__":
    main(rewrite="--all" in sys.argv[1:])
