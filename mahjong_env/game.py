"""Game: one table, for people, agents, search and tests. The rules are the engine's; this layer checks and explains."""

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mahjong_env import engine
from mahjong_env.actions import PLACES
from mahjong_env.fields import NOBODY, OVER, copy_of
from mahjong_env.observation import rows
from mahjong_env.outcome import Outcome, slips_of
from mahjong_env.variants.interface import Variant, choose_rules, get_variant

if TYPE_CHECKING:
    from mahjong_env.records import Record
    from mahjong_env.scoring import Score

LARGEST_SEED = 2**64


class IllegalActionError(ValueError):
    """An action that can't be played now; the message says why and what is legal."""


def seed_halves(seed: int) -> tuple[int, int]:
    """A seed in two halves of 32 bits, as kernels take it; ValueError unless 0 <= seed < 2**64."""
    if not isinstance(seed, int | np.integer) or not 0 <= int(seed) < LARGEST_SEED:
        raise ValueError(f"seed {seed!r} is not possible; it takes a whole number from 0 to 2**64 - 1")
    return int(seed) & 0xFFFFFFFF, int(seed) >> 32


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
            engine.deal_at(self._games, 0, blank, low, high, 0, hand, NOBODY if dealer is None else dealer)
        else:
            self._games["wall"] = self._read_wall(wall)
            engine.start_at(self._games, 0, low, high)
        self._deal: np.ndarray | None = self._games["wall"][0].copy()
        self._history: list[int] = []
        self._legal_history: list[tuple[int, ...]] = []
        self._payments: list[tuple[int, str, int, list[int]]] = []

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
        engine.observe_at(self._games, 0, seat, out, oracle)
        return out

    def play(self, action: int | str) -> None:
        """Play an action by its number or name; IllegalActionError leaves the game as it was."""
        number = self._legal_number(action)
        seat = self.to_act
        assert seat is not None
        self._legal_history.append(tuple(self.legal_actions()))
        engine.play_at(self._games, 0, number)
        self._history.append(number)
        self._payments += [(int(self._games["clock"][0]), *slip) for slip in slips_of(self.variant, self._games[0])]

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
        engine.begin_hand_at(self._games, 0, number)
        for name, setting in self.variant.settings.items():
            value = setting.value(int(self._games["options"][name][0]))
            if value != self.options[name]:
                self.options[name] = self.overrides[name] = value

    def resample(self, seat: int, seed: int) -> "Game":
        """A copy in which everything hidden from `seat` is dealt anew, consistently with what it knows: for search.

        See `mahjong_env.resample`. ValueError for a seat or a seed that isn't possible.
        """
        from mahjong_env.resample import resample

        return resample(self, seat, seed)

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
        return self._games.dtype == other._games.dtype and self._games.tobytes() == other._games.tobytes()

    __hash__ = None  # type: ignore[assignment]

    def to_bytes(self) -> bytes:
        """The state as bytes, the history left out; `Game.from_bytes` reads it back."""
        rules = self.variant
        head = f"{rules.name}\n{rules.version}\n{rules.digest}\n{self.preset}\n{rules.seats}\n"
        return head.encode() + self._games.tobytes()

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
        if len(parts[5]) != variant.dtype.itemsize:
            raise ValueError(f"a game of {name} has {variant.dtype.itemsize} bytes, these are {len(parts[5])}")
        row = np.frombuffer(parts[5], variant.dtype).copy()
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
        """A game in the middle, from notation; see `mahjong_env.position.set_up` for its parameters,
        and `mahjong_env.cycles.flip_position.set_up` for games of the flip cycle."""
        from mahjong_env.position import set_up

        own = getattr(get_variant(variant).module, "set_up", set_up)
        game: Game = own(cls, variant, preset, **position)
        return game

    def record(self, legal: bool = False) -> "Record":
        """The game so far as data; `legal` adds the legal names at every decision.

        ValueError for a game that was set up from a position, from bytes or by resampling, which has no beginning.
        """
        from mahjong_env.records import Record

        return Record.of(self, legal)

    def waits(self, seat: int) -> list[str]:
        """The tiles that complete the seat's concealed hand by the variant's rules, passed wins left aside."""
        from mahjong_env.scoring import waits_of

        return waits_of(self, seat)

    def best_wait(self, seat: int) -> "tuple[str, Score] | None":
        """The seat's wait worth most by discard, without situation, and its score; None if the seat isn't ready."""
        from mahjong_env.scoring import best_wait_of

        return best_wait_of(self, seat)

    def __str__(self) -> str:
        from mahjong_env.rendering.text import draw_table

        return draw_table(self)

    def __repr__(self) -> str:
        return f"<Game {self.variant.name} {self.preset}, {len(self._history)} decisions, to act: {self.to_act}>"

    @property
    def history(self) -> list[str]:
        """The names of the actions played so far."""
        return [self.variant.actions.names[action] for action in self._history]
