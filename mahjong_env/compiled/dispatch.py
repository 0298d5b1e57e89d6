"""What a variant plugs in, by the marker of its record: hooks and constant tables."""

from collections.abc import Callable
from typing import Any

import numpy as np

MARKER = "rules_"
"""Prefix of the first field of every game's state; the rest is the variant's name and the digest of its source."""


class Implementations:
    """What one variant plugs in: compiled hooks and constant tables, by name."""

    def __init__(self, hooks: dict[str, Callable[..., Any]], tables: dict[str, np.ndarray]):
        self.hooks = hooks
        self.tables = tables


_implementations: dict[str, Implementations] = {}


def register(marker: str, implementations: Implementations) -> None:
    """Make a variant's hooks and tables the ones used for records whose first field is `marker`."""
    _implementations[marker] = implementations


def hook_of(marker: str, name: str) -> Any:
    """The variant's answer to a hook; KeyError where it has none."""
    return _implementations[marker].hooks[name]


def table_of(marker: str, name: str) -> np.ndarray:
    """The variant's table."""
    return _implementations[marker].tables[name]
