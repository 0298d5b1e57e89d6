"""Agents by name."""

import importlib
from pathlib import Path
from typing import Any

import numpy as np

from mahjong_env.agents.policy import PolicyAgent
from mahjong_env.agents.view import Agent, View
from mahjong_env.rules.players import COMPILED, choose_at, generators
from mahjong_env.rules.variant import Variant


class CompiledAgent:
    """One of the compiled players, `random`, `greedy` or `expert`."""

    def __init__(self, name: str, seed: int = 0):
        self.name = name
        self.player = COMPILED.index(name)
        self._seed = seed
        self._states = np.zeros((0, 4), np.uint32)

    def act(self, view: View) -> int:
        return int(self.act_batch(view)[0])

    def act_batch(self, view: View) -> np.ndarray:
        while len(self._states) < len(view._games):
            self._states = generators(self._seed, len(view._games))
        chosen = np.empty(len(view._tables), np.int64)
        choose_at(view._games, view._tables, self.player, self._states, chosen)
        return chosen


def load_agent(name: str, variant: "Variant", seed: int = 0) -> Agent:
    """The agent called `name`: `random`, `greedy`, `expert`, `module:Class` (called with the variant), or a saved policy's path.

    Raises ValueError saying what can't be found and what is allowed.
    """
    if name in COMPILED:
        return CompiledAgent(name, seed)
    if Path(name).suffix == ".npz":
        return PolicyAgent(name, variant)
    module, _, attribute = name.partition(":")
    if not attribute:
        raise ValueError(
            f"no agent {name!r}; it can be {', '.join(COMPILED)}, module:Class, or the path of a saved policy (.npz)"
        )
    try:
        made: Any = getattr(importlib.import_module(module), attribute)(variant)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"agent {name!r} can't be loaded: {error}") from error
    if not isinstance(made, Agent):
        raise ValueError(f"agent {name!r} lacks name, act or act_batch; see mahjong_env.agents.view.Agent")
    return made
