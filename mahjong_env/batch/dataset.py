"""Played games as arrays for offline learning."""

from collections.abc import Sequence

import numpy as np

from mahjong_env.agents.view import view_of
from mahjong_env.batch.tables import play_range
from mahjong_env.play.game import Record
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.variant import rows


def arrays_of(records: Sequence[Record]) -> dict[str, np.ndarray]:
    """Every decision of some games of one variant, as arrays for offline learning; `np.savez(path, **arrays)` keeps them.

    With d decisions in all: `observations` (d, rows, kinds) int8 and `masks` (d, actions) int8 of the seat that decided,
    `seats` (d,) int8 who that was, `actions` (d,) int16, `gains` (d, seats) int32 the points moved by the decision, and
    `starts` (games + 1,) int64: game g has the decisions starts[g] to starts[g + 1] - 1.

    ValueError unless there are records, all of one variant; RecordError naming the first decision that isn't legal.
    """
    variants = sorted({record.variant for record in records})
    if len(variants) != 1:
        raise ValueError(f"arrays take records of one variant; these are of {', '.join(variants) or 'none'}")
    beginnings = [record.replay(0) for record in records]
    rules = beginnings[0].variant
    if any(game.variant.seats != rules.seats for game in beginnings):
        raise ValueError("arrays take records of games with one number of seats")
    games = np.concatenate([game._games for game in beginnings])
    lengths = np.array([len(record.actions) for record in records])
    starts = np.concatenate([[0], np.cumsum(lengths)])
    actions = np.array([number_of(record, k) for record in records for k in range(len(record.actions))], np.int16)
    arrays: dict[str, np.ndarray] = {
        "observations": np.zeros((len(actions), rows(rules), rules.tiles.kinds), np.int8),
        "masks": np.zeros((len(actions), len(rules.actions)), np.int8),
        "seats": np.zeros(len(actions), np.int8),
        "actions": actions,
        "gains": np.zeros((len(actions), rules.seats), np.int32),
        "starts": starts,
    }
    for ply in range(lengths.max()):  # all games in step
        tables = np.flatnonzero(lengths > ply)
        places = starts[tables] + ply
        illegal = np.flatnonzero(games["legal"][tables, actions[places]] == 0)
        if len(illegal):
            records[tables[illegal[0]]].replay()  # raises, saying why
        view = view_of(rules, games, tables)
        arrays["observations"][places], arrays["masks"][places] = view.observation, view.mask
        arrays["seats"][places] = view.seat
        before = games["points"][tables]
        play_range(games, tables, actions[places].astype(np.int64))
        arrays["gains"][places] = games["points"][tables] - before
    return arrays


def number_of(record: Record, number: int) -> int:
    """The number of an action of a record; RecordError if the variant has none of that name."""
    try:
        return get_variant(record.variant).actions.parse(record.actions[number])
    except ValueError as error:
        record._refuse(number, str(error))
