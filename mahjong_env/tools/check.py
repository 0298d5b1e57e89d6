"""The long random check: a batch plays at random, and after every step what must hold of any game is checked.

Checked at every table after every decision: no tile is lost or made; hands have their size, and their keys say what they
hold; discards are what is left of the river; payments add up to the points, and those to nothing where the rules say so;
somebody may always act until the hand is over; the batch shows what its games are. On a sample of tables, since it takes
Python: what a seat sees and may do doesn't change when all that is hidden from it is dealt anew; copies and bytes go on as
their game does.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mahjong_env.batch.batch import Batch
from mahjong_env.batch.tables import play_range, sample_range
from mahjong_env.compiled import compiled
from mahjong_env.play.game import Game, Record, record_of
from mahjong_env.rules import api
from mahjong_env.rules.chance import seed_halves
from mahjong_env.rules.errors import IllegalActionError
from mahjong_env.rules.greedy import generators
from mahjong_env.rules.state import NOBODY, OPENING, OVER, ROBBING, TAKEN, TURN, copy_of

TABLES = 1024
SAMPLED = 16
"""Steps until one more table is checked by what takes Python."""

ASKED = 32
"""Tables a step at which the variant is asked for tiles it has laid aside; others wait until a later step."""

LOST = "tiles are lost or made"
PROBLEMS = (
    "",
    LOST,
    "a hand and its keys differ",
    "a hand has the wrong size",
    "a meld lacks tiles or has too many",
    "the discards aren't what is left of the river",
    "points moved without a payment",
    "points don't add up",
    "the mask doesn't fit the phase",
)
"""What a kernel finds, by number."""

FINE, TILES, KEYS, SIZES, MELDS, RIVER, PAYMENTS, POINTS, MASK = range(len(PROBLEMS))


@dataclass(frozen=True)
class Failure:
    """What doesn't hold, and where: after the last decision of `record`, hand `hand` of table `table` of that seed."""

    what: str
    seed: int
    table: int
    hand: int
    record: Record

    def __str__(self) -> str:
        after = f"after decision {len(self.record.actions)}"
        return f"{self.what}: seed {self.seed}, table {self.table}, hand {self.hand}, {after}"


@dataclass(frozen=True)
class Result:
    """What was played; `failure` is the first thing that didn't hold, if any."""

    variant: str
    preset: str
    hands: int
    decisions: int
    sampled: int
    failure: Failure | None


# --- what holds of every game -----------------------------------------------------------------------------------------


@compiled
def look(games, gains, dealt, copies, weights, suit_of, has_sizes, is_zero_sum, river, missing, found):
    """Write into `found` the first problem of each game, and into `missing` its tiles that lie nowhere, by kind.

    gains: (n, seats) points moved by the latest decision, not looked at where a game is just `dealt`; has_sizes: hands
    have the same size but for one tile; river: (seats, kinds) numbers to reckon with.
    """
    for i in range(len(games)):
        found[i] = problem_of(
            games[i], gains[i], dealt[i], copies, weights, suit_of, has_sizes, is_zero_sum, river, missing[i]
        )


@compiled
def problem_of(game, gains, dealt, copies, weights, suit_of, has_sizes, is_zero_sum, river, missing):
    """The number of the first thing that doesn't hold."""
    if not count_tiles(game, copies, missing):
        return TILES
    if not keys_fit(game, weights, suit_of):
        return KEYS
    if has_sizes and not sizes_fit(game):
        return SIZES
    if not melds_fit(game):
        return MELDS
    if not river_fits(game, river):
        return RIVER
    if not dealt and not payments_fit(game, gains):
        return PAYMENTS
    if not points_fit(game, is_zero_sum):
        return POINTS
    return FINE if mask_fits(game) else MASK


@compiled
def count_tiles(game, copies, missing):
    """Count the tiles that lie in no hand, meld, discard or wall; False if there are too many of a kind, or too few."""
    for kind in range(len(copies)):
        left = copies[kind]
        for seat in range(len(game.points)):
            if game.hands[seat, kind] < 0:
                return False
            left -= int(game.hands[seat, kind]) + int(game.melded[seat, kind]) + int(game.discarded[seat, kind])
        missing[kind] = left
    for place in range(int(game.wall_front), int(game.wall_back)):
        missing[game.wall[place]] -= 1
    for kind in range(len(copies)):
        if missing[kind] < 0:
            return False
    return True


@compiled
def keys_fit(game, weights, suit_of):
    """The suit keys say what the hands hold."""
    for seat in range(len(game.points)):
        for suit in range(game.keys.shape[1]):
            key = 0
            for kind in range(len(weights)):
                key += int(game.hands[seat, kind]) * int(weights[kind]) if suit_of[kind] == suit else 0
            if key != game.keys[seat, suit]:
                return False
    return True


@compiled
def size_of(game, seat):
    """The seat's tiles, melds counting as three, less the one more that a seat has in its turn, or adding to a gang."""
    size = 3 * int(game.meld_count[seat])
    for kind in range(game.hands.shape[1]):
        size += int(game.hands[seat, kind])
    more = (game.phase == TURN and game.turn == seat) or (game.phase == ROBBING and game.table_from == seat)
    return size - 1 if more else size


@compiled
def sizes_fit(game):
    """All hands have the same size, after the opening and until the hand is over."""
    if game.phase == OPENING or game.phase == OVER:
        return True
    for seat in range(1, len(game.points)):
        if size_of(game, seat) != size_of(game, 0):
            return False
    return True


@compiled
def melds_fit(game):
    """A seat has no more melds than there is room for, of three or four tiles."""
    for seat in range(len(game.points)):
        melds = int(game.meld_count[seat])
        tiles = 0
        for kind in range(game.melded.shape[1]):
            tiles += int(game.melded[seat, kind])
        if melds < 0 or melds > game.meld_verb.shape[1] or tiles < 3 * melds or tiles > 4 * melds:
            return False
    return True


@compiled
def river_fits(game, river):
    """Each seat's discards are what is left of the river."""
    seats, kinds = game.discarded.shape
    for seat in range(seats):
        for kind in range(kinds):
            river[seat, kind] = game.discarded[seat, kind]
    for place in range(int(game.river_length)):
        if game.river_seat[place] < TAKEN:
            river[game.river_seat[place], game.river_tile[place]] -= 1
    for seat in range(seats):
        for kind in range(kinds):
            if river[seat, kind] != 0:
                return False
    return True


@compiled
def payments_fit(game, gains):
    """The payments of the latest decision are the points it has moved."""
    for seat in range(len(game.points)):
        paid = 0
        for slip in range(int(game.slips)):
            paid += int(game.slip_points[slip, seat])
        if paid != gains[seat]:
            return False
    return True


@compiled
def points_fit(game, is_zero_sum):
    """All points lost are somebody's, or at least nobody's are made."""
    total = 0
    for seat in range(len(game.points)):
        total += int(game.points[seat])
    return total == 0 if is_zero_sum else total <= 0


@compiled
def mask_fits(game):
    """Somebody may do something until the hand is over, and then nobody."""
    legal = 0
    for action in range(len(game.legal)):
        if game.legal[action] != 0 and game.legal[action] != 1:
            return False
        legal += int(game.legal[action])
    if game.phase == OVER:
        return legal == 0 and game.to_act == NOBODY
    return legal > 0 and game.to_act >= 0 and game.to_act < len(game.points)


# --- what holds of some games -----------------------------------------------------------------------------------------


def check_game(game: Game, seen: np.ndarray, rng: random.Random) -> str:
    """What doesn't hold of one game, in words; `seen` is what the batch shows the seat to act."""
    seat = game.to_act
    assert seat is not None
    if not np.array_equal(seen, game.observation()):
        return "the batch shows another observation than the game"
    for viewer in range(game.variant.seats):
        other = game.resample(viewer, rng.getrandbits(32))
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
    walk = Walk(variant, preset, seed, min(tables, hands), options)
    failure = None
    while walk.finished < hands and failure is None:
        failure = walk.step()
        progress(min(walk.finished, hands))
    name, preset = walk.batch.variant.name, walk.batch._tables.preset
    return Result(name, preset, walk.finished, walk.decisions, walk.sampled, failure)


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
        self.batch.reset()

    def step(self) -> Failure | None:
        """One decision at every table; the first thing that doesn't hold after it."""
        self._before.view(np.uint8)[:] = self.games.view(np.uint8)  # bytes: NumPy copies records field by field
        actions, hands = self.batch.sample_legal(), self._tables.hands - 1
        gains, done = self.batch.step(actions)
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
                yield k, PROBLEMS[found[k]]
            elif self.is_lost(games[k : k + 1], missing[k]):
                yield k, LOST
            elif games["phase"][k] != OVER or (games["points"][k] != kept[k]).any():
                yield k, "the batch says that a hand is over which isn't, or keeps other points of it"

    def problems(self, gains: np.ndarray, done: np.ndarray) -> Iterator[tuple[int, str]]:
        """What is wrong with hands that go on or have been dealt, by their table."""
        found, missing = self.look(self.games, gains, done)
        for i in np.flatnonzero(found).tolist():
            yield i, PROBLEMS[found[i]]
        other = (self.batch.to_act != self.games["to_act"]) | (self.batch.masks != self.games["legal"]).any(axis=1)
        for i in np.flatnonzero(other).tolist():
            yield i, "the batch shows another seat or mask than the game"
        changed = np.flatnonzero((missing != self._aside).any(axis=1)).tolist()
        for i in self.rng.sample(changed, min(ASKED, len(changed))):
            if self.is_lost(self.games[i : i + 1], missing[i]):
                yield i, LOST
            self._aside[i] = missing[i]
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
        low, high = seed_halves(self.seed)
        action, actions = np.zeros(1, np.int64), list[int]()
        for number in range(hand + 1):
            api.deal_at(games, 0, tables.blank, low, high, table, number, NOBODY)
            deal, actions = games[0].copy(), []
            while games["phase"][0] != OVER and (number < hand or len(actions) < decisions):
                sample_range(games, 0, 1, states, action)
                actions.append(int(action[0]))
                play_range(games, np.zeros(1, np.int64), action)
        record = record_of(self.variant, tables.preset, self.options, deal, deal["wall"], actions)
        record.points = games["points"][0].tolist()
        return Failure(what, self.seed, table, hand, record)
