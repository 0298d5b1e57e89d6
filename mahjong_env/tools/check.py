"""The long random check: a batch plays at random, and after every step what must hold of any game is checked.

The first hands are played in plain mode, where a state watches its fields (`plain_check`): there a mistake leads to its line.
The others play compiled, every second table dwelling on what is rare: wins, gangs, claims.

Checked at every table after every decision: no tile is lost or made; hands have their size, and their keys say what they
hold; discards are what is left of the river; payments add up to the points, and those to nothing where the rules say so;
somebody may always act until the hand is over; what the seat to act sees and may do doesn't change with the order of the
wall; the batch shows what its games are. On a sample of tables, since it takes
Python: what a seat sees and may do doesn't change when all that is hidden from it is dealt anew; copies and bytes go on as
their game does.
"""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from mahjong_env.batch.batch import Batch
from mahjong_env.batch.tables import play_range
from mahjong_env.play.game import Game, Record, record_of
from mahjong_env.play.record_format import MOST_DECISIONS
from mahjong_env.rules import api
from mahjong_env.rules.actions import DISCARD, PASS
from mahjong_env.rules.chance import seed_halves
from mahjong_env.rules.errors import IllegalActionError, NoDealError, RulesError
from mahjong_env.rules.players import generators
from mahjong_env.rules.registry import INHERITED, choose_rules, get_variant, inherited_variants, path_of
from mahjong_env.rules.state import NOBODY, OVER, copy_of
from mahjong_env.rules.table import CIRCLES, MUTE
from mahjong_env.tools.invariants import FINE, PROBLEMS, TILES, dwell_range, look, look_for_leaks
from mahjong_env.tools.plain_check import ENDLESS, in_words

PLAIN_TABLE = -1
"""In place of a table's number: the hand was played in plain mode."""
PLAIN_HANDS = 60
"""Hands played in plain mode first, where a state watches its fields; see `plain_check`."""
PLAIN_SECONDS = 300

TABLES = 1024
SAMPLED = 8
"""Steps until one more table is checked by what takes Python."""
SEES_WALL = "the seat to act sees something that depends on the order of the wall"
MAY_BY_WALL = "what is legal depends on the order of the wall"

ASKED = 32
"""Tables a step at which the variant is asked for tiles it has laid aside; others wait until a later step."""


@dataclass(frozen=True)
class Failure:
    """What doesn't hold, and where: after the last decision of `record`, hand `hand` of table `table` of that seed."""

    what: str
    seed: int
    table: int
    hand: int
    record: Record | None
    where: str = ""
    """In plain mode, the file, line and function of the variant's that did it."""

    def __str__(self) -> str:
        mode = "in plain mode" if self.table == PLAIN_TABLE else f"table {self.table}"
        place = f", {mode}, hand {self.hand}, " + (
            f"after decision {len(self.record.actions)}" if self.record is not None else "in the deal"
        )
        return f"{self.what}: seed {self.seed}{place}" + (f"\n  {self.where}" if self.where else "")


@dataclass(frozen=True)
class Result:
    """What was played; `failure` is the first thing that didn't hold, if any."""

    variant: str
    preset: str
    hands: int
    decisions: int
    sampled: int
    failure: Failure | None


# --- what holds of some games -----------------------------------------------------------------------------------------


def check_game(game: Game, seen: np.ndarray, rng: random.Random) -> str:
    """What doesn't hold of one game, in words; `seen` is what the batch shows the seat to act."""
    seat = game.to_act
    assert seat is not None
    if not np.array_equal(seen, game.observation()):
        return "the batch shows another observation than the game"
    for viewer in range(game.variant.seats):
        try:
            other = game.resample(viewer, rng.getrandbits(32))
        except NoDealError:  # nothing to compare with
            continue
        if not np.array_equal(other.observation(viewer), game.observation(viewer)):
            return f"seat {viewer} sees hidden tiles"
        if viewer == seat and (other.to_act != seat or other.legal_actions() != game.legal_actions()):
            return "what is legal depends on hidden tiles"
    return check_copies(game, rng)


def check_copies(game: Game, rng: random.Random) -> str:
    """What doesn't hold of a game's copies and bytes, in words."""
    before = game.to_bytes()
    copy, back = game.copy(), Game.from_bytes(before)
    if not copy == game == back:
        return "a copy differs from its game"
    action = rng.choice(game.legal_actions())
    copy.play(action)
    back.play(action)
    if copy != back or copy == game:
        return "a copy goes on differently"
    try:
        game.play(rng.choice(np.flatnonzero(game.mask() == 0).tolist()))
    except IllegalActionError:
        return "" if game.to_bytes() == before else "a copy's action, or a refused one, has changed the game"
    return "an illegal action was played"


# --- playing ----------------------------------------------------------------------------------------------------------


def check(
    variant: str,
    hands: int,
    preset: str | None = None,
    seed: int = 0,
    tables: int = TABLES,
    progress: Callable[[int], None] = lambda finished: None,
    **options: Any,
) -> Result:
    """Play that many hands at random, or until something doesn't hold.

    progress: called after every step with the number of hands finished. Raises ValueError as `Game` does, and for fewer
    than one hand.
    """
    if hands < 1:
        raise ValueError(f"{hands} hands are too few")
    _, preset, _ = choose_rules(variant, preset, options)
    failure = check_plain(variant, preset, options, min(hands, PLAIN_HANDS), seed)
    if failure is not None:
        return Result(variant, preset, failure.hand, 0, 0, failure)
    walk = Walk(variant, preset, seed, min(tables, hands), options)
    while walk.finished < hands and failure is None:
        failure = walk.step()
        progress(min(walk.finished, hands))
    name, preset = walk.batch.variant.name, walk.batch._tables.preset
    return Result(name, preset, walk.finished, walk.decisions, walk.sampled, failure)


def check_plain(variant: str, preset: str, options: dict[str, Any], hands: int, seed: int) -> Failure | None:
    """The first thing that doesn't hold of hands in plain mode, which take a process of their own."""
    request = {
        "variant": str(path_of(variant) or variant),
        "preset": preset,
        "options": options,
        "hands": hands,
        "seed": seed,
        "loaded": [str(path) for path in inherited_variants()],
    }
    try:
        done = subprocess.run(
            [sys.executable, "-m", "mahjong_env.tools.plain_check"],
            input=json.dumps(request),
            env=os.environ | {"NUMBA_DISABLE_JIT": "1", INHERITED: ""},
            capture_output=True,
            text=True,
            timeout=PLAIN_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        what = f"{hands} hands in plain mode don't end within {PLAIN_SECONDS} s"
        return Failure(what, seed, PLAIN_TABLE, 0, None)
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        return Failure(f"hands in plain mode end with {last[0]}", seed, PLAIN_TABLE, 0, None)
    answer = json.loads(done.stdout.splitlines()[-1])
    if not answer["problem"]:
        return None
    record = Record(**split_chance(answer["record"], variant)) if answer["record"] else None
    return Failure(answer["problem"], seed, PLAIN_TABLE, answer["hands"], record, answer["where"])


def split_chance(data: dict[str, Any], variant: str) -> dict[str, Any]:
    """A record's fields, those of chance together."""
    known = get_variant(variant).chance
    rest = {name: value for name, value in data.items() if name not in known}
    return rest | {"chance": {name: value for name, value in data.items() if name in known}}


STUCK = {
    CIRCLES: "no decision comes to pass: the rules go round in circles",
    MUTE: "the seat in turn is offered nothing; turn_choices must set `legal`",
}


class Walk:
    """A batch that is checked as it plays."""

    def __init__(self, variant: str, preset: str | None, seed: int, tables: int, options: dict[str, Any]):
        self.batch = Batch(variant, tables, seed, preset=preset, **options)
        self.variant, self.seed, self.options = self.batch.variant, seed, options
        self.rng = random.Random(seed)
        self.finished = self.decisions = self.sampled = self.steps = 0
        self._tables = self.batch._tables
        self.games = self._tables.games
        self._before = np.empty_like(self.games)
        self._any = Game._from_row(self.variant, self._tables.preset, self._tables.options, self.games[:1])
        self._aside = np.zeros((tables, self.variant.tiles.kinds), np.int64)
        self._rules = (
            np.array(self.variant.tiles.copies),
            self.variant.key_weight,
            self.variant.key_column,
            self.variant.cycle.has_sizes,
            bool(self.variant.answers.is_zero_sum(self._tables.options)),
            np.zeros((self.variant.seats, self.variant.tiles.kinds), np.int64),
        )
        tables_of = self.variant.actions.tables
        discards = np.flatnonzero(tables_of["verb_of"] == DISCARD)
        self._choosing = (
            np.arange(tables) % 2 == 0,
            np.array([discards[0], discards[-1] + 1] if len(discards) else [0, 0]),
            int(tables_of["first_action"][PASS]),
        )
        self._actions = np.zeros(tables, np.int64)
        self._leaks = (
            np.zeros(1, self.games.dtype),
            generators(seed, 1, tables)[0],
            np.zeros((2, *self.batch.observations.shape[1:]), np.int8),
            np.zeros(tables, np.int64),
        )
        self.batch.reset()

    def step(self) -> Failure | None:
        """One decision at every table; the first thing that doesn't hold after it."""
        self._before.view(np.uint8)[:] = self.games.view(np.uint8)  # bytes: NumPy copies records field by field
        self._tables.run(dwell_range, self._tables.generators, *self._choosing, self._actions)
        actions, hands = self._actions, self._tables.hands - 1
        gains, done = self.batch._gains, self.batch._done
        with suppress(RulesError):  # below it is told with the decision that led to it
            self.batch.step(actions)
        ended = np.flatnonzero(done)
        self.steps += 1
        self.decisions += len(done)
        self.finished += len(ended)
        for k, what in self.problems_at_end(ended, actions, gains):
            return self.failure(what, int(ended[k]), int(hands[ended[k]]), int(self._before["clock"][ended[k]]) + 1)
        for i, what in self.problems(gains, done):
            return self.failure(what, i, int(self._tables.hands[i]) - 1, int(self.games["clock"][i]))
        return None

    def problems_at_end(self, ended: np.ndarray, actions: np.ndarray, gains: np.ndarray) -> Iterator[tuple[int, str]]:
        """What is wrong with hands that have ended, by their place in `ended`.

        The batch has dealt their tables anew: their last decisions are played again.
        """
        games = self._before[ended]
        play_range(games, np.arange(len(ended)), actions[ended])
        found, missing = self.look(games, gains[ended], np.zeros(len(ended), bool))
        kept = self.batch.ended["points"][ended]
        for k in range(len(ended)):
            if found[k] != FINE:
                yield k, self.in_words(games[k : k + 1], found[k], missing[k])
            elif self.is_lost(games[k : k + 1], missing[k]):
                yield k, self.in_words(games[k : k + 1], TILES, missing[k])
            elif games["stuck"][k]:
                yield k, STUCK[int(games["stuck"][k])]
            elif games["phase"][k] != OVER or (games["points"][k] != kept[k]).any():
                yield k, "the batch says that a hand is over which isn't, or keeps other points of it"

    def problems(self, gains: np.ndarray, done: np.ndarray) -> Iterator[tuple[int, str]]:
        """What is wrong with hands that go on or have been dealt, by their table."""
        found, missing = self.look(self.games, gains, done)
        for i in np.flatnonzero(found).tolist():
            yield i, self.in_words(self.games[i : i + 1], found[i], missing[i])
        other = (self.batch.to_act != self.games["to_act"]) | (self.batch.masks != self.games["legal"]).any(axis=1)
        for i in np.flatnonzero(other).tolist():
            yield i, "the batch shows another seat or mask than the game"
        changed = np.flatnonzero((missing != self._aside).any(axis=1)).tolist()
        for i in self.rng.sample(changed, min(ASKED, len(changed))):
            if self.is_lost(self.games[i : i + 1], missing[i]):
                yield i, self.in_words(self.games[i : i + 1], TILES, missing[i])
            self._aside[i] = missing[i]
        for i in np.flatnonzero(self.games["clock"] > MOST_DECISIONS).tolist():
            yield i, ENDLESS
        look_for_leaks(self.games, *self._leaks)
        for i in np.flatnonzero(self._leaks[-1]).tolist():
            yield i, SEES_WALL if self._leaks[-1][i] == 1 else MAY_BY_WALL
        if self.steps % SAMPLED == 0:
            yield from self.problems_in_sample()

    def look(self, games: np.ndarray, gains: np.ndarray, dealt: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For each game its first problem, and its tiles, (n, kinds), that lie in no hand, meld, discard or wall."""
        found, missing = np.zeros(len(games), np.int64), np.zeros((len(games), self.variant.tiles.kinds), np.int64)
        look(games, gains, dealt, *self._rules, missing, found)
        return found, missing

    def is_lost(self, games: np.ndarray, missing: np.ndarray) -> bool:
        """Whether the tiles missing from one game aren't those that the variant says lie elsewhere."""
        if not missing.any():
            return False
        return not np.array_equal(self.variant.tiles.counts(self.variant.answers.tiles_aside(games[0])), missing)

    def in_words(self, games: np.ndarray, number: int, missing: np.ndarray) -> str:
        """A problem of one game in words; which tiles, where it is tiles."""
        if number != TILES:
            return PROBLEMS[number]
        aside = self.variant.tiles.counts(self.variant.answers.tiles_aside(games[0]))
        return in_words(self.variant.tiles.names, aside - missing)

    def game_of(self, games: np.ndarray) -> Game:
        """The game that is a copy of one row."""
        game = self._any.copy()
        game._games = copy_of(games)
        return game

    def problems_in_sample(self) -> Iterator[tuple[int, str]]:
        """What is wrong with one table, if anything, that takes Python to find."""
        i = self.rng.randrange(len(self.games))
        self.sampled += 1
        what = check_game(self.game_of(self.games[i : i + 1]), self.batch.observations[i], self.rng)
        if what:
            yield i, what

    def failure(self, what: str, table: int, hand: int, decisions: int) -> Failure:
        """A failure with the record that leads to it: the table's hands are played again up to there."""
        tables = self.batch._tables
        games, states = tables.blank.copy(), generators(self.seed, 1, table)
        dwelling, *rest = self._choosing
        low, high = seed_halves(self.seed)
        action, actions = np.zeros(1, np.int64), list[int]()
        for number in range(hand + 1):
            api.deal_at(games, 0, tables.blank, low, high, table, number, NOBODY)
            deal, actions = games[0].copy(), []
            while games["phase"][0] != OVER and (number < hand or len(actions) < decisions):
                dwell_range(games, 0, 1, states, dwelling[table : table + 1], *rest, action)
                actions.append(int(action[0]))
                play_range(games, np.zeros(1, np.int64), action)
        record = record_of(self.variant, tables.preset, self.options, deal, deal["wall"], actions)
        record.points = games["points"][0].tolist()
        return Failure(what, self.seed, table, hand, record)
