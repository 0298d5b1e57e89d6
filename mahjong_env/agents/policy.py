"""A saved policy: a small network in one `.npz` file, played with NumPy alone.

The file holds plain arrays, read without pickle: `metadata`, a JSON text (see `Metadata`); `scale`, (rows,), what each
row of an observation is divided by; and `weight_0`, `bias_0`, `weight_1`, … of the layers in order, weights being
(outputs, inputs).

The network. Observations are cut into suits, the shorter ones filled up with zeros: (suits, rows * longest suit). The
`suit_layers` read every suit with the same weights, the `layers` read all suits together, and a last layer gives a
number for every action. All but the last are followed by max(0, x). The legal action with the largest number is played.
"""

import json
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from mahjong_env.agents.view import View
from mahjong_env.rules.variant import Variant, pieces
from mahjong_env.tiles import TileSet

FORMAT = 1
LARGEST_FILE = 64 << 20
"""Bytes, packed and unpacked: more than any policy here needs, and little enough to read blindly."""


@dataclass(frozen=True)
class Metadata:
    """What a policy was made for."""

    format: int
    variant: str
    version: int
    preset: str
    options: dict[str, Any]
    pieces: list[list[Any]]
    """Name and rows of each piece of the observation, in order."""
    kinds: int
    actions: int
    suit_layers: list[int]
    layers: list[int]

    @classmethod
    def of(
        cls, variant: Variant, preset: str, options: dict[str, Any], suit_layers: Iterable[int], layers: Iterable[int]
    ) -> "Metadata":
        """The metadata of a policy for a variant; `options` are those that differ from the preset's."""
        return cls(
            FORMAT, variant.name, variant.version, preset, options, [[p.name, p.rows] for p in pieces(variant)],
            variant.tiles.kinds, len(variant.actions), list(suit_layers), list(layers),
        )  # fmt: skip

    def shapes(self, places: np.ndarray) -> list[tuple[int, int]]:
        """The shapes of the layers' weights, first to last; `places` as `suit_places` gives them."""
        suits, longest = places.shape
        width, found = sum(rows for _, rows in self.pieces) * longest, []
        for outputs in self.suit_layers:
            found.append((outputs, width))
            width = outputs
        width *= suits
        for outputs in [*self.layers, self.actions]:
            found.append((outputs, width))
            width = outputs
        return found


def suit_places(tiles: TileSet) -> np.ndarray:
    """(suits, longest) int64: the kinds of each suit in order, filled up to the longest suit with `kinds`."""
    members = [[k for k in range(tiles.kinds) if tiles.suit_of[k] == s] for s in range(len(tiles.suits))]
    longest = max(map(len, members))
    return np.array([suit + [tiles.kinds] * (longest - len(suit)) for suit in members], np.int64)


def by_suit(observations: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(n, rows, kinds) cut into (n, suits, rows * longest)."""
    padded = np.concatenate([observations, np.zeros_like(observations[:, :, :1])], 2)
    return padded[:, :, places].transpose(0, 2, 1, 3).reshape(len(observations), len(places), -1)


def save_policy(
    path: str | Path, metadata: Metadata, scale: np.ndarray, weights: list[np.ndarray], biases: list[np.ndarray]
) -> None:
    """Write a policy; the arrays as the module says, cast to float32."""
    arrays = {"metadata": np.array(json.dumps(asdict(metadata))), "scale": np.asarray(scale, np.float32)}
    for i, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        arrays[f"weight_{i}"], arrays[f"bias_{i}"] = np.asarray(weight, np.float32), np.asarray(bias, np.float32)
    with open(path, "wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]


class PolicyAgent:
    """Plays a saved policy.

    Raises ValueError naming the file and what is wrong: it is missing, cut, too large, no policy, or for other rules.
    """

    def __init__(self, path: str | Path, variant: Variant):
        self.name = str(path)
        arrays = _read(Path(path))
        try:
            self.metadata = _metadata(arrays.pop("metadata", None))
            _check_rules(self.metadata, variant)
            self._places = suit_places(variant.tiles)
            shapes = self.metadata.shapes(self._places)
            _check_arrays(arrays, {"scale": (sum(rows for _, rows in self.metadata.pieces),)} | _named(shapes))
        except ValueError as error:
            raise ValueError(f"policy {self.name!r}: {error}") from None
        self._scale = arrays["scale"][:, None]
        self._layers = [(arrays[f"weight_{i}"].T.copy(), arrays[f"bias_{i}"]) for i in range(len(shapes))]

    def act(self, view: View) -> int:
        """The legal action with the largest number, at one table."""
        return int(self.act_batch(view)[0])

    def act_batch(self, view: View) -> np.ndarray:
        """(n,) int64: the legal action with the largest number, at each table."""
        return np.where(view.mask > 0, self.logits(view.observation), -np.inf).argmax(1)

    def logits(self, observations: np.ndarray) -> np.ndarray:
        """(n, actions) float32: the network's numbers for (n, rows, kinds) observations."""
        x = by_suit(observations / self._scale, self._places)
        for i, (weight, bias) in enumerate(self._layers):
            if i == len(self.metadata.suit_layers):
                x = x.reshape(len(x), -1)
            x = x @ weight + bias
            if i < len(self._layers) - 1:
                x = np.maximum(x, 0)
        return x


# --- reading what strangers may have written --------------------------------------------------------------------------


def _read(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a file."""
    if not path.is_file():
        raise ValueError(f"no policy file {str(path)!r}")
    try:
        with zipfile.ZipFile(path) as archive:
            size = max(path.stat().st_size, sum(member.file_size for member in archive.infolist()))
        if size > LARGEST_FILE:
            raise ValueError(f"it holds {size} bytes; a policy has {LARGEST_FILE} at most")
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, MemoryError) as error:
        raise ValueError(f"policy {str(path)!r} is cut, or no policy file: {error}") from None
    except ValueError as error:
        raise ValueError(f"policy {str(path)!r} can't be read: {error}") from None


def _metadata(text: np.ndarray | None) -> Metadata:
    """The metadata, each part of the type it must be of."""
    if text is None or text.shape != () or text.dtype.kind != "U":
        raise ValueError("it has no metadata, so it is no policy file")
    try:
        found = json.loads(str(text))
    except (json.JSONDecodeError, RecursionError):
        raise ValueError("its metadata isn't JSON") from None
    names = [field.name for field in fields(Metadata)]
    if not isinstance(found, dict) or sorted(found) != sorted(names):
        raise ValueError(f"its metadata must have {', '.join(names)}")
    if found["format"] != FORMAT:
        raise ValueError(f"it has format {found['format']!r}; this version reads {FORMAT}")
    for name in ("suit_layers", "layers"):
        sizes = found[name]
        if not isinstance(sizes, list) or not all(type(size) is int and 0 < size <= LARGEST_FILE for size in sizes):
            raise ValueError(f"{name} must be a list of layer sizes, not {sizes!r}")
    return Metadata(**found)


def _check_rules(metadata: Metadata, variant: Variant) -> None:
    """ValueError unless the policy was made for the observation and actions of these rules."""
    made = asdict(metadata)
    for name, value in asdict(Metadata.of(variant, metadata.preset, metadata.options, [], [])).items():
        if name not in ("suit_layers", "layers") and made[name] != value:
            raise ValueError(f"it was made for {name} {made[name]!r}; here it is {value!r}")


def _named(shapes: list[tuple[int, int]]) -> dict[str, tuple[int, ...]]:
    """The arrays of the layers with their shapes."""
    weights: dict[str, tuple[int, ...]] = {f"weight_{i}": shape for i, shape in enumerate(shapes)}
    return weights | {f"bias_{i}": shape[:1] for i, shape in enumerate(shapes)}


def _check_arrays(arrays: dict[str, np.ndarray], shapes: dict[str, tuple[int, ...]]) -> None:
    """ValueError unless these are the arrays, of finite numbers, and the scale is above zero."""
    if sorted(arrays) != sorted(shapes):
        raise ValueError(f"it has arrays {', '.join(sorted(arrays)) or 'none'}; needed are {', '.join(sorted(shapes))}")
    for name, shape in shapes.items():
        if arrays[name].shape != shape or arrays[name].dtype != np.float32:
            given = f"{arrays[name].dtype} {arrays[name].shape}"
            raise ValueError(f"{name} must be float32 {shape}, not {given}")
        if not np.isfinite(arrays[name]).all():
            raise ValueError(f"{name} has numbers that aren't finite")
    if (arrays["scale"] <= 0).any():
        raise ValueError("scale must be above zero")
