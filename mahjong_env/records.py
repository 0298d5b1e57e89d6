"""A played game as data: one JSON line that anybody can replay.

A file of records is JSON Lines: one game a line, empty lines skipped. Files are never trusted: a line has a limit of
length and of decisions, every field must be there and have its type, a field that isn't known is refused, and what the
record says is played by the rules before anybody gets to use it. A record read is only data until `replay` or `verify`.
"""

import itertools
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from mahjong_env import engine
from mahjong_env.observation import rows
from mahjong_env.variants.interface import Variant, get_variant

if TYPE_CHECKING:
    from mahjong_env.game import Game

MOST_BYTES = 1 << 20  # of a line; a hand of 150 decisions takes 2 KB, with its legal names 10 KB
MOST_DECISIONS = 4096
MOST_LETTERS = 80  # of a name
MOST_SHOWN = 500  # letters of an error: a wrong value may be as long as a line


class RecordError(ValueError):
    """A record that can't be read, or that the rules contradict; the message names the file's line and the decision."""


@dataclass
class Record:
    """One game: the variant and its options, what chance decided, and every decision in order.

    `wall` and `actions` are names (see `Game`); `chance` other chance by its name; `options` those that differ from the
    preset's; `points` and `next_dealer` how it stood after the last decision, `next_dealer` None where the hand goes on
    or it isn't known; `legal` the legal names at each decision, if they were asked for; `place` where it was read.
    """

    variant: str
    version: int
    preset: str
    options: dict[str, Any]
    dealer: int
    wall: list[str]
    actions: list[str]
    points: list[int]
    next_dealer: int | None = None
    chance: dict[str, Any] = field(default_factory=dict)
    legal: list[list[str]] | None = None
    place: str = field(default="", compare=False)

    # --- writing ------------------------------------------------------------------------------------------------------

    @classmethod
    def of(cls, game: "Game", legal: bool = False) -> "Record":
        """The record of a game played so far; ValueError if it was set up in the middle."""
        if game._deal is None:
            raise ValueError(
                "a game that was set up from a position, from bytes or by resampling has no record: its deal is unknown"
            )
        names = game.variant.actions.names
        record = record_of(game.variant, game.preset, game.overrides, game._games[0], game._deal, game._history)
        record.points = game.points.tolist()
        record.next_dealer = game.next_dealer
        record.legal = [[names[a] for a in mask] for mask in game._legal_history] if legal else None
        return record

    def to_dict(self) -> dict[str, Any]:
        """The record as plain Python values, ready for JSON; other chance stands beside the wall by its own name."""
        data: dict[str, Any] = {
            "variant": self.variant,
            "version": self.version,
            "preset": self.preset,
            "options": self.options,
            "dealer": self.dealer,
            "wall": self.wall,
            **self.chance,
            "actions": self.actions,
            "points": self.points,
            "next_dealer": self.next_dealer,
        }
        if self.legal is not None:
            data["legal"] = self.legal
        return data

    def write(self, path: str | Path) -> None:
        """Append the record to a file as one line of JSON; a last line that was cut stays a line of its own."""
        line = json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":")) + "\n"
        with Path(path).open("a+b") as file:
            file.seek(0, os.SEEK_END)
            if file.tell():
                file.seek(-1, os.SEEK_END)
                line = line if file.read() == b"\n" else "\n" + line
            file.write(line.encode())

    # --- reading ------------------------------------------------------------------------------------------------------

    @classmethod
    def read(cls, path: str | Path) -> list["Record"]:
        """All records of a file, in order of its lines; `read_records` gives them one by one.

        RecordError naming the first line that can't be read; OSError if there is no such file.
        """
        return list(read_records(path))

    @classmethod
    def from_dict(cls, data: Any, place: str = "") -> "Record":
        """The record that `to_dict` gave; RecordError, beginning with `place`, naming the field that is wrong.

        The fields, their types, and the variant's version are checked; whether the game was possible `verify` finds out.
        """
        if not isinstance(data, dict):
            refuse(place, f"a record is a JSON object, not {type(data).__name__}")
        try:
            variant = get_variant(checked(data, "variant"))
            own = [name for name in data if name in variant.chance]
            for name in data:
                if name not in FIELDS and name not in own:
                    raise ValueError(f"no field {name!r}; fields are {', '.join([*FIELDS, *variant.chance])}")
            found = {name: checked(data, name) for name in FIELDS if name in data or name not in OPTIONAL}
            check_version(variant, found["version"])
            check_legal(found["actions"], found.get("legal"))
            for name in own:
                if not is_chance(data[name]):
                    raise ValueError(f"{name} must be {A_NAME}, or a list of whole numbers, not {data[name]!r}")
        except ValueError as error:
            refuse(place, str(error))
        return cls(**found, chance={name: data[name] for name in own}, place=place)

    # --- playing ------------------------------------------------------------------------------------------------------

    def replay(self, ply: int | None = None) -> "Game":
        """The game after `ply` decisions, all of them by default.

        RecordError naming the decision that can't be made; ValueError if there aren't that many.
        """
        ply = len(self.actions) if ply is None else ply
        if ply not in range(len(self.actions) + 1):
            raise ValueError(f"ply {ply!r} is not possible; the game has {len(self.actions)} decisions")
        game = self._begin()
        for number in range(ply):
            self._decide(game, number)
        return game

    def verify(self) -> "Game":
        """Replay the game and compare legal actions, points and next dealer with the record's; returns the game.

        RecordError naming the first decision that differs.
        """
        game = self._begin()
        for number in range(len(self.actions)):
            if self.legal is not None and sorted(self.legal[number]) != sorted(game.legal_names()):
                missing = sorted(set(game.legal_names()) - set(self.legal[number]))
                extra = sorted(set(self.legal[number]) - set(game.legal_names()))
                self._refuse(number, f"legal actions differ: missing {missing}, too many {extra}")
            self._decide(game, number)
        if self.points != game.points.tolist():
            self._refuse(None, f"points are {game.points.tolist()} by the rules, {self.points} in the record")
        if self.next_dealer is not None and self.next_dealer != game.next_dealer:
            self._refuse(None, f"the next dealer is {game.next_dealer} by the rules, {self.next_dealer} in the record")
        return game

    def to_arrays(self) -> dict[str, np.ndarray]:
        """The game for offline learning; see `arrays_of`."""
        return arrays_of([self])

    def _begin(self) -> "Game":
        """The game before its first decision."""
        from mahjong_env.game import Game

        try:
            variant = get_variant(self.variant)
            check_version(variant, self.version)
            variant.choose_options(self.preset, self.options)  # so that no option is taken for another argument
            game = Game(
                self.variant,
                self.preset,
                seed=0,
                dealer=self.dealer,
                wall=self.wall,
                chance=self.chance,
                **self.options,
            )
        except ValueError as error:
            refuse(self.place, str(error))
        missing = [name for name, drawn in chance_of(variant, game._games[0]).items() if name not in self.chance]
        if missing:
            refuse(self.place, f"{missing[0]} is missing, which these options leave to chance")
        return game

    def _decide(self, game: "Game", number: int) -> None:
        """Make decision `number`, counted from 0."""
        try:
            game.play(self.actions[number])
        except ValueError as error:
            self._refuse(number, str(error))
        for name, drawn in chance_of(game.variant, game._games[0]).items():
            if drawn != self.chance.get(name):
                self._refuse(number, f"{name} is {self.chance.get(name)} in the record, which holds too few")

    def _refuse(self, number: int | None, why: str) -> NoReturn:
        """Raise a RecordError at a decision, or at the end; people count decisions from 1."""
        total = len(self.actions)
        event = f"after all {total} decisions" if number is None else f"decision {number + 1} of {total}"
        shown = "" if number is None else f" ({self.actions[number]!r})"
        refuse(self.place, f"{event}{shown}: {why}")


# --- files ------------------------------------------------------------------------------------------------------------


def read_records(path: str | Path) -> Iterator[Record]:
    """The records of a file, one by one, for files of any length; errors as of `Record.read`."""
    with Path(path).open("rb") as file:
        for number in itertools.count(1):
            line = file.readline(MOST_BYTES + 1)
            if not line:
                return
            place = f"{path}, line {number}"
            if len(line) > MOST_BYTES:
                refuse(place, f"longer than {MOST_BYTES} bytes")
            if line.strip():
                yield Record.from_dict(parse_line(line, place), place)


def parse_line(line: bytes, place: str) -> Any:
    """The JSON value of a line; RecordError if it is none."""
    try:
        return json.loads(line.decode(), object_pairs_hook=without_repeats)
    except UnicodeDecodeError:
        refuse(place, "not UTF-8")
    except RecursionError:
        refuse(place, "nested too deep")
    except json.JSONDecodeError as error:
        refuse(place, f"not JSON, or cut: {error.msg} at column {error.colno}")
    except ValueError as error:
        refuse(place, str(error))


def without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; ValueError if a name stands in it twice, of which a reader would keep just one."""
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("a field stands there twice")
    return data


def refuse(place: str, why: str) -> NoReturn:
    """Raise a RecordError of one line."""
    message = f"{place}: {why}" if place else why
    raise RecordError(message if len(message) <= MOST_SHOWN else message[:MOST_SHOWN] + " …") from None


# --- fields -----------------------------------------------------------------------------------------------------------


def is_name(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= MOST_LETTERS


def is_whole(value: Any) -> bool:
    return type(value) is int and abs(value) < 1 << 31


def is_names(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= MOST_DECISIONS and all(map(is_name, value))


def is_chance(value: Any) -> bool:
    return is_name(value) or (isinstance(value, list) and len(value) <= MOST_DECISIONS and all(map(is_whole, value)))


def is_options(value: Any) -> bool:
    return isinstance(value, dict) and all(
        is_name(name) and (choice is None or isinstance(choice, bool) or is_whole(choice) or is_name(choice))
        for name, choice in value.items()
    )


A_NAME = f"a text of {MOST_LETTERS} letters at most"
FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "variant": (is_name, A_NAME),
    "version": (is_whole, "a whole number"),
    "preset": (is_name, A_NAME),
    "options": (is_options, "an object of options"),
    "dealer": (is_whole, "a seat"),
    "wall": (is_names, "a list of tile names"),
    "actions": (is_names, f"a list of {MOST_DECISIONS} action names at most"),
    "points": (lambda value: isinstance(value, list) and all(map(is_whole, value)), "a list of whole numbers"),
    "next_dealer": (lambda value: value is None or is_whole(value), "a seat or null"),
    "legal": (lambda value: isinstance(value, list) and all(map(is_names, value)), "a list of lists of action names"),
}
"""What a record's fields hold: a check, and what to say when it fails. Other chance comes on top, by its name."""

OPTIONAL = ("next_dealer", "legal")


def checked(data: Mapping[str, Any], name: str) -> Any:
    """A field's value; ValueError if it is missing or of another type."""
    if name not in data:
        raise ValueError(f"the field {name!r} is missing")
    fits, wanted = FIELDS[name]
    if not fits(data[name]):
        raise ValueError(f"{name} must be {wanted}, not {data[name]!r}")
    return data[name]


def check_version(variant: Variant, version: int) -> None:
    """ValueError unless the record was written by these rules."""
    if version != variant.version:
        raise ValueError(
            f"written by version {version} of the rules of {variant.name}; these are version {variant.version}"
        )


def check_legal(actions: Sequence[str], legal: Sequence[Sequence[str]] | None) -> None:
    """ValueError unless there is one list of legal names for each action, or none at all."""
    if legal is not None and len(legal) != len(actions):
        raise ValueError(f"legal has {len(legal)} lists for {len(actions)} actions")


# --- many tables ------------------------------------------------------------------------------------------------------


def record_of(
    variant: Variant, preset: str, options: Mapping[str, Any], row: Any, wall: np.ndarray, actions: Sequence[int]
) -> Record:
    """A record whose points aren't known yet; `row` has the dealer and other chance, `wall` is as it was dealt."""
    names, tiles = variant.actions.names, variant.tiles.names
    return Record(
        variant=variant.name,
        version=variant.version,
        preset=preset,
        options=dict(options),
        dealer=int(row["dealer"]),
        wall=[tiles[kind] for kind in wall.tolist()],
        actions=[names[action] for action in actions],
        points=[],
        chance=chance_of(variant, played(variant, row, actions)),
    )


def played(variant: Variant, row: Any, actions: Sequence[int]) -> Any:
    """The row of a game just dealt after these actions, where chance is drawn on the way; else the row itself."""
    if row["clock"] > 0 or not any(row[name].shape for name in variant.chance):
        return row
    games = np.zeros(1, variant.dtype)
    games[0] = row
    for action in actions:
        engine.play_at(games, 0, action)
    return games[0]


def chance_of(variant: Variant, row: Any) -> dict[str, Any]:
    """What chance has decided beside wall and dealer, by name."""
    found: dict[str, Any] = {}
    for name, values in variant.chance.items():
        if row[name].shape:
            drawn = [values[number] for number in row[name].tolist() if number >= 0]
            found |= {name: drawn} if drawn else {}
        elif row[name] >= 0:
            found[name] = values[int(row[name])]
    return found


class Tape:
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


def arrays_of(records: Sequence[Record]) -> dict[str, np.ndarray]:
    """Every decision of some games of one variant, as arrays for offline learning; `np.savez(path, **arrays)` keeps them.

    With d decisions in all: `observations` (d, rows, kinds) int8 and `masks` (d, actions) int8 of the seat that decided,
    `seats` (d,) int8 who that was, `actions` (d,) int16, `gains` (d, seats) int32 the points moved by the decision, and
    `starts` (games + 1,) int64: game g has the decisions starts[g] to starts[g + 1] - 1.

    ValueError unless there are records, all of one variant; RecordError naming the first decision that isn't legal.
    """
    from mahjong_env.batch import play_range, view_of

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
