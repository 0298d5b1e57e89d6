"""Game: one table, for people, agents, search and tests. The rules are the engine's; this layer checks and explains."""

import itertools
import json
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from mahjong_env.play.outcome import Outcome, slips_of
from mahjong_env.play.record_format import (
    A_NAME,
    FIELDS,
    MOST_BYTES,
    OPTIONAL,
    check_legal,
    check_version,
    checked,
    is_chance,
    parse_line,
    refuse,
)
from mahjong_env.play.resample import resample
from mahjong_env.play.scoring import best_wait_of, waits_of
from mahjong_env.rendering.text import draw_table
from mahjong_env.rules import api
from mahjong_env.rules.actions import PLACES
from mahjong_env.rules.chance import LARGEST_SEED, seed_halves
from mahjong_env.rules.errors import IllegalActionError, RulesError
from mahjong_env.rules.registry import choose_rules, get_variant
from mahjong_env.rules.score import Score
from mahjong_env.rules.state import NOBODY, OVER, copy_of, lasting_bytes
from mahjong_env.rules.table import MUTE
from mahjong_env.rules.variant import Variant, rows


def listed(values: Sequence[Any]) -> str:
    """Values in words."""
    return ", ".join(map(str, values))


def is_one_of(value: Any, values: Sequence[Any]) -> bool:
    """Whether the value is there, and of that type."""
    return any(value == allowed and type(value) is type(allowed) for allowed in values)


class Game:
    """One hand of a variant.

    Parameters
    ----------
    variant: its name, as in `variants()`.
    preset: one of the variant's presets; the first by default.
    seed: 0 <= seed < 2**64; the deal is a function of it. None draws one.
    hand: which of the hands of that seed, the first by default.
    dealer: a seat; None draws it from the seed.
    wall: tile names in drawing order (each seat's dealt hand from the dealer on, the dealer's extra tile, the draws).
    chance: other chance by its name, e.g. {"exchange_direction": "across"}, a list where there are several, as
        {"dice": [3, 5]}; what isn't given comes from the seed.
    options: the variant's options, as `describe(variant)` lists them.

    Raises ValueError naming the variant, preset, option or value that isn't possible and what is allowed.
    """

    def __init__(
        self,
        variant: str,
        preset: str | None = None,
        *,
        seed: int | None = None,
        hand: int = 0,
        dealer: int | None = None,
        wall: str | Sequence[str] | None = None,
        chance: Mapping[str, Any] | None = None,
        **options: Any,
    ):
        self.variant: Variant
        self.variant, self.preset, self.options = choose_rules(variant, preset, options)
        self.overrides = dict(options)
        self.seed: int | None = random.randrange(LARGEST_SEED) if seed is None else seed
        low, high = seed_halves(self.seed)
        if dealer is not None and dealer not in range(self.variant.seats):
            raise ValueError(f"dealer {dealer!r} is not a seat; seats are 0 to {self.variant.seats - 1}")
        self._games = self.variant.blank(self.options)
        self._games["dealer"] = NOBODY if dealer is None else dealer
        self._set_chance(chance or {})
        if wall is None:
            blank = copy_of(self._games)
            api.deal_at(self._games, 0, blank, low, high, 0, hand, NOBODY if dealer is None else dealer)
        else:
            self._games["wall"] = self._read_wall(wall)
            api.start_at(self._games, 0, low, high)
        self._deal: np.ndarray | None = self._games["wall"][0].copy()
        self._history: list[int] = []
        self._legal_history: list[tuple[int, ...]] = []
        self._payments: list[tuple[int, str, int, list[int]]] = []
        self._check_rules()

    def _set_chance(self, chance: Mapping[str, Any]) -> None:
        for name, value in chance.items():
            if name not in self.variant.chance:
                known = ", ".join(self.variant.chance) or "nothing"
                raise ValueError(f"{self.variant.name} leaves no {name!r} to chance; beside wall and dealer: {known}")
            values, room = self.variant.chance[name], self._games[name][0]
            several = list(value) if room.shape and isinstance(value, list | tuple) else [value]
            allowed = f"up to {len(room)} of {listed(values)}, in a list" if room.shape else listed(values)
            fits = len(several) <= room.size and isinstance(value, list | tuple) == bool(room.shape)
            if not fits or not all(is_one_of(one, values) for one in several):
                raise ValueError(f"{name}={value!r} is not possible; it takes {allowed}")
            numbers = [values.index(one) for one in several]
            self._games[name] = numbers + [-1] * (room.size - len(numbers)) if room.shape else numbers[0]

    def _read_wall(self, wall: str | Sequence[str]) -> np.ndarray:
        tiles = self.variant.tiles
        kinds = np.array(tiles.parse_in_order(wall), np.int8)
        if not np.array_equal(np.bincount(kinds, minlength=tiles.kinds), tiles.copies):
            for kind, (found, copies) in enumerate(
                zip(np.bincount(kinds, minlength=tiles.kinds), tiles.copies, strict=True)
            ):
                if found != copies:
                    raise ValueError(f"wall has {found} of {tiles.names[kind]}; a full wall has {copies}")
        return kinds

    # --- the state of play --------------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The game's state, one record of NumPy's: `state["hands"][seat]` are the concealed tiles by kind; the fields are
        explained in docs/write_a_variant.md. It is the game itself, not a copy."""
        return self._games[0]

    @property
    def to_act(self) -> int | None:
        """The seat to act, or None when the hand is over."""
        seat = int(self._games["to_act"][0])
        return None if seat == NOBODY else seat

    @property
    def is_over(self) -> bool:
        """Whether the hand has ended."""
        return bool(self._games["phase"][0] == OVER)

    @property
    def points(self) -> np.ndarray:
        """(seats,) int32: points gained in this hand so far."""
        return self._games["points"][0].copy()

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return int(self._games["dealer"][0])

    @property
    def next_dealer(self) -> int | None:
        """Who deals the next hand by the variant's rule; None while this one goes on."""
        return int(self._games["next_dealer"][0]) if self.is_over else None

    @property
    def outcome(self) -> Outcome:
        """Who has won on what so far, and every payment with its reason; printable."""
        return Outcome.of(self.variant, self.preset, self._games[0], self._payments)

    def mask(self) -> np.ndarray:
        """(actions,) int8: 1 for each legal action of the seat to act; all 0 when the hand is over."""
        return self._games["legal"][0].copy()

    def legal_actions(self) -> list[int]:
        """The numbers of the legal actions, in order."""
        return np.flatnonzero(self._games["legal"][0]).tolist()

    def legal_names(self) -> list[str]:
        """The names of the legal actions, in order of their numbers."""
        return [self.variant.actions.names[action] for action in self.legal_actions()]

    def observation(self, seat: int | None = None, oracle: bool = False) -> np.ndarray:
        """(rows, kinds) int8: what `seat` (default: the seat to act) sees; `oracle` adds what is hidden."""
        if seat is None:
            seat = self.to_act if self.to_act is not None else 0
        if seat not in range(self.variant.seats):
            raise ValueError(f"seat {seat!r} is not at this table; seats are 0 to {self.variant.seats - 1}")
        out = np.zeros((rows(self.variant, oracle), self.variant.tiles.kinds), np.int8)
        api.observe_at(self._games, 0, seat, out, oracle)
        return out

    def play(self, action: int | str) -> None:
        """Play an action by its number or name; IllegalActionError leaves the game as it was."""
        number = self._legal_number(action)
        seat = self.to_act
        assert seat is not None
        self._legal_history.append(tuple(self.legal_actions()))
        api.play_at(self._games, 0, number)
        self._history.append(number)
        self._check_rules()
        self._payments += [(int(self._games["clock"][0]), *slip) for slip in slips_of(self.variant, self._games[0])]

    def _check_rules(self) -> None:
        """RulesError where a decision has left the game so that nobody can go on: the variant's fault."""
        if self._games["stuck"][0]:
            last = f"after {self.history[-1]!r} " if self._history else ""
            if self._games["stuck"][0] == MUTE:
                raise RulesError(
                    f"the rules of {self.variant.name} offer seat {int(self._games['turn'][0])} nothing {last}in seed"
                    f" {self.seed}; its turn_choices must set `legal`"
                )
            raise RulesError(
                f"the rules of {self.variant.name} go round in circles {last}in seed {self.seed}: no seat is asked, and the"
                f" hand doesn't end; `mahjong-env check` names the place"
            )

    def _legal_number(self, action: int | str) -> int:
        if self.is_over:
            raise IllegalActionError(f"can't play {action!r}: the hand is over")
        names = self.variant.actions.names
        try:
            number = self._number(action) if isinstance(action, str) else int(action)
        except (ValueError, TypeError) as error:
            raise IllegalActionError(f"{error}; legal now: {', '.join(self.legal_names())}") from None
        if not 0 <= number < len(names):
            raise IllegalActionError(f"action {number} is not one of 0 to {len(names) - 1}")
        if not self._games["legal"][0, number]:
            raise IllegalActionError(
                f"seat {self.to_act} can't play {names[number]!r} now; legal: {', '.join(self.legal_names())}"
            )
        return number

    def _number(self, name: str) -> int:
        """The action called `name`; a run may be named by its tiles, `chi 234s`, one of them being on the table."""
        verb, _, tiles = " ".join(name.split()).partition(" ")
        if verb != "chi" or verb not in self.variant.verbs or not tiles[:1].isdigit():
            return self.variant.actions.parse(name)
        run, claimed = self.variant.tiles.parse(tiles), int(self._games["table_tile"][0])
        if len(run) != len(PLACES) or run != list(range(run[0], run[0] + 3)) or claimed not in run:
            raise ValueError(f"{name!r} is no run with the tile on the table")
        return self.variant.actions.parse(f"chi {PLACES[claimed - run[0]]}")

    def begin_hand(self, number: int) -> None:
        """Make this game, just dealt, the hand `number` (from 0) of an episode: some rules set options by that."""
        api.begin_hand_at(self._games, 0, number)
        for name, setting in self.variant.settings.items():
            value = setting.value(int(self._games["options"][name][0]))
            if value != self.options[name]:
                self.options[name] = self.overrides[name] = value

    def resample(self, seat: int, seed: int) -> "Game":
        """A copy in which everything hidden from `seat` is dealt anew, consistently with what it knows: for search.

        See `mahjong_env.play.resample`. NoDealError where no deal was found that fits all the seat knows; ValueError for a
        seat or a seed that isn't possible.
        """
        states = resample(self.variant, self._games, seat, seed)
        other = type(self)._from_row(self.variant, self.preset, self.options, states)
        other._payments = list(self._payments)
        return other

    # --- copies, bytes, text, records ---------------------------------------------------------------------------------

    def copy(self) -> "Game":
        """An independent game in the same state, with the same history."""
        other = object.__new__(Game)
        other.__dict__.update(self.__dict__)
        other._games = copy_of(self._games)
        other._history, other._legal_history = list(self._history), list(self._legal_history)
        other._payments = list(self._payments)
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        if self._games.dtype != other._games.dtype:
            return False
        return bool((lasting_bytes(self._games) == lasting_bytes(other._games)).all())

    __hash__ = None  # type: ignore[assignment]

    def to_bytes(self) -> bytes:
        """The state as bytes, the history left out; `Game.from_bytes` reads it back."""
        rules = self.variant
        head = f"{rules.name}\n{rules.version}\n{rules.digest}\n{self.preset}\n{rules.seats}\n"
        return head.encode() + lasting_bytes(self._games).tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> "Game":
        """The game that `to_bytes` wrote; ValueError if the bytes are cut, or written by other rules."""
        parts = data.split(b"\n", 5)
        if len(parts) != 6:
            raise ValueError("these bytes aren't a game: their head is cut")
        name, version, digest, preset, seats = (part.decode(errors="replace") for part in parts[:5])
        variant = get_variant(name)
        if digest != variant.digest:
            raise ValueError(
                f"these bytes are a game of {name} version {version} written by another build of its rules"
            )
        variant = variant.with_seats(int(seats) if seats.isdigit() else 0)
        row = np.zeros(1, variant.dtype)
        lasting = lasting_bytes(row)
        if len(parts[5]) != lasting.size:
            raise ValueError(f"a game of {name} has {lasting.size} bytes, these are {len(parts[5])}")
        lasting[:] = np.frombuffer(parts[5], np.uint8)
        options = {name: setting.value(int(row["options"][name][0])) for name, setting in variant.settings.items()}
        game = cls._from_row(variant, preset, options, row)
        return game

    @classmethod
    def _from_row(cls, variant: Variant, preset: str, options: dict[str, Any], row: np.ndarray) -> "Game":
        """A game from a record, without history."""
        game = object.__new__(cls)
        game.variant, game.preset, game.options = variant, preset, options
        game.overrides = variant.overrides(preset, options)
        game.seed, game._games, game._deal = None, row, None
        game._history, game._legal_history, game._payments = [], [], []
        return game

    @classmethod
    def from_position(cls, variant: str, preset: str | None = None, **position: Any) -> "Game":
        """A game in the middle, from notation; see `mahjong_env.rules.draw.position.set_up` for its parameters, and
        `mahjong_env.rules.flip.position.set_up` for games of the flip cycle."""
        rules, preset, options, states, seed = get_variant(variant).cycle.set_up(variant, preset, **position)
        game = cls._from_row(rules, preset, options, states)
        game.seed = seed
        return game

    def record(self, legal: bool = False) -> "Record":
        """The game so far as data; `legal` adds the legal names at every decision.

        ValueError for a game that was set up from a position, from bytes or by resampling, which has no beginning.
        """

        return Record.of(self, legal)

    def waits(self, seat: int) -> list[str]:
        """The tiles that complete the seat's concealed hand by the variant's rules, passed wins left aside."""
        return waits_of(self.variant, self._games, seat)

    def best_wait(self, seat: int) -> "tuple[str, Score] | None":
        """The seat's wait worth most by discard, without situation, and its score; None if the seat isn't ready."""
        return best_wait_of(self.variant, self.preset, self._games, seat)

    def __str__(self) -> str:
        return self.draw()

    def picture(self, seat: int | None = None, size: int = 640) -> np.ndarray:
        """The table as a picture, (size, size, 3) uint8: all hands open, or what `seat` sees. ImportError without Pillow."""
        from mahjong_env.rendering.picture import draw_picture

        return draw_picture(self.variant, self.preset, self.state, seat, size)

    def draw(self, *, seat: int | None = None, glyphs: bool = False) -> str:
        """The table as text: all hands open, or what `seat` sees; `glyphs` draws tiles as Unicode has them."""
        return draw_table(self.variant, self.preset, self.state, self.outcome, seat=seat, glyphs=glyphs)

    def __repr__(self) -> str:
        return f"<Game {self.variant.name} {self.preset}, {len(self._history)} decisions, to act: {self.to_act}>"

    @property
    def history(self) -> list[str]:
        """The names of the actions played so far."""
        return [self.variant.actions.names[action] for action in self._history]


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

    def _begin(self) -> "Game":
        """The game before its first decision."""

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


def read_records(path: str | Path, only: int | None = None) -> Iterator[Record]:
    """The records of a file, one by one, for files of any length; errors as of `Record.read`. `only`: the file's N-th game,
    from 1, alone; the others aren't looked into."""
    games = 0
    with Path(path).open("rb") as file:
        for number in itertools.count(1):
            line = file.readline(MOST_BYTES + 1)
            if not line:
                return
            place = f"{path}, line {number}"
            if len(line) > MOST_BYTES:
                refuse(place, f"longer than {MOST_BYTES} bytes")
            games += bool(line.strip())
            if line.strip() and only in (None, games):
                yield Record.from_dict(parse_line(line, place), place)


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
        api.play_at(games, 0, action)
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
