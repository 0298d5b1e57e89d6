"""Recorder: what the records of many tables take, kept while they are played."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mahjong_env.play.game import Record, record_of
from mahjong_env.rules.variant import Variant


class Recorder:
    """What the records of many tables take: their deals, and their actions so far.

    A table's clock, the number of decisions made, says where its next action goes, and at 0 that it has just been dealt.
    """

    def __init__(self, variant: Variant, preset: str, options: Mapping[str, Any], tables: int):
        self._variant, self._preset, self._options = variant, preset, dict(options)
        self._deals = np.zeros(tables, variant.dtype)
        self._actions = np.zeros((tables, 128), np.int16)  # a longer hand makes it grow
        self._lengths = np.zeros(tables, np.int64)

    def note(self, games: np.ndarray, actions: np.ndarray) -> None:
        """(n,) legal actions that are about to be played at all tables."""
        places = games["clock"].astype(np.int64)
        dealt = np.flatnonzero(places == 0)
        self._deals[dealt] = games[dealt]
        if places.max() >= self._actions.shape[1]:
            self._actions = np.concatenate([self._actions, np.zeros_like(self._actions)], axis=1)
        self._actions[np.arange(len(games)), places] = actions
        self._lengths = places + 1

    def record(self, table: int, ended: Any) -> Record:
        """The record of a hand that the latest action has ended, with its numbers as `Batch.ended` keeps them."""
        deal, actions = self._deals[table], self._actions[table, : self._lengths[table]].tolist()
        record = record_of(self._variant, self._preset, self._options, deal, deal["wall"], actions)
        record.points, record.next_dealer = ended["points"].tolist(), int(ended["next_dealer"])
        return record
