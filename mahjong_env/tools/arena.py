"""Matches that mean something: duplicate deals, every distinct seating of the line-up, intervals clustered by deal.

Each deal (wall, dealer and other chance) is played once for every distinct seating of the agents, so that luck of the deal
cancels; the hands of one deal depend on each other, so the interval is taken over deals, not hands.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy import stats

from mahjong_env.agents.load import load_agent
from mahjong_env.agents.view import Agent, view_of
from mahjong_env.batch.tables import OUTSIDE, play_range, run_range
from mahjong_env.rules.api import deal_at
from mahjong_env.rules.chance import seed_halves
from mahjong_env.rules.players import COMPILED, generators
from mahjong_env.rules.registry import choose_rules
from mahjong_env.rules.state import NOBODY
from mahjong_env.rules.variant import Variant

TABLES_AT_ONCE = 2048
FORMATS = ("1vN", "2v2", "all")
WIDTH = 110  # columns of the table where the terminal is narrower, or there is none


@dataclass(frozen=True)
class Row:
    """How one agent did. Rates are shares of the hands it played, seat by seat.

    points_per_hand: mean points; interval: its 95 % interval, clustered by deal; hu, self_draw, deal_in: hands with at
    least one; ready_at_end: of the hands it had not won when the wall was out, those in which it was ready (None without
    any); drawn: hands in which nobody won; fan: mean fan of its hands' last wins (None without any).
    """

    agent: str
    points_per_hand: float
    interval: tuple[float, float]
    hu: float
    self_draw: float
    deal_in: float
    ready_at_end: float | None
    drawn: float
    fan: float | None


@dataclass(frozen=True)
class MatchResult:
    """A finished match: `rows` in order of the agents' first appearance in the line-up."""

    variant: str
    preset: str
    options: dict[str, Any]
    agents: list[str]
    deals: int
    seatings: int
    hands: int
    seed: int
    rows: list[Row]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self)


def line_up(agents: Sequence[str], seats: int, format: str | None) -> list[str]:
    """The agents seat by seat: as given, or two agents spread over the table as the format says.

    Raises ValueError if their number doesn't fit.
    """
    if format is not None and format not in FORMATS and format != f"1v{seats - 1}":
        raise ValueError(f"no format {format!r}; there are {', '.join(FORMATS)} (1v{seats - 1} is 1vN)")
    if len(agents) == 2 and format in ("1vN", f"1v{seats - 1}", "2v2"):
        ours = 2 if format == "2v2" else 1
        return [agents[0]] * ours + [agents[1]] * (seats - ours)
    if len(agents) != seats:
        raise ValueError(f"{len(agents)} agents given for {seats} seats; give {seats}, or two with --format 1vN or 2v2")
    counts = sorted(agents.count(agent) for agent in set(agents))
    if format == "2v2" and counts != [2, seats - 2]:
        raise ValueError("format 2v2 takes two agents, two seats each")
    if format in ("1vN", f"1v{seats - 1}") and counts != [1, seats - 1]:
        raise ValueError("format 1vN takes one agent against the same agent in all other seats")
    return list(agents)


def match(
    variant: str,
    agents: Sequence[str],
    deals: int = 200,
    seed: int = 0,
    preset: str | None = None,
    format: str | None = None,
    options: Mapping[str, Any] | None = None,
    progress: bool = False,
) -> MatchResult:
    """Play a duplicate match.

    agents: names as `agent.load_agent` takes them, one a seat, or two with a format ("1vN": the first against the second
    in all other seats; "2v2"); "all" is any line-up as given. deals: each is played once per distinct seating.
    Raises ValueError for an unknown variant, option, agent or format, and for an agent that answers with an illegal action.
    """
    rules, preset, chosen = choose_rules(variant, preset, options or {})
    if deals < 2:
        raise ValueError(f"{deals} deals are too few; an interval takes 2 at least")
    lined_up = line_up(agents, rules.seats, format)
    seatings = sorted(set(itertools.permutations(lined_up)))
    players = {name: load_agent(name, rules, seed) for name in dict.fromkeys(lined_up)}
    low, high = seed_halves(seed)
    hands = _Hands(seatings, list(players))
    per_chunk = max(1, TABLES_AT_ONCE // len(seatings))
    for first in _chunks(deals, per_chunk, progress):
        numbers = range(first, min(first + per_chunk, deals))
        games = _deal(rules, chosen, low, high, numbers, len(seatings))
        _play(rules, games, list(seatings) * len(numbers), players, generators(seed, len(games), first * len(seatings)))
        hands.add(games)
    return MatchResult(
        variant, preset, dict(options or {}), lined_up, deals, len(seatings), deals * len(seatings), seed, hands.rows()
    )


def _chunks(deals: int, size: int, progress: bool) -> Iterator[int]:
    starts = range(0, deals, size)
    if not progress:
        yield from starts
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(starts, description="playing", console=Console(stderr=True))


def _deal(
    rules: Variant, options: Mapping[str, Any], low: int, high: int, numbers: Sequence[int], seatings: int
) -> np.ndarray:
    """One table per deal and seating, dealt."""
    blank = rules.blank(options)
    games = np.repeat(blank, len(numbers) * seatings)
    for i in range(len(games)):
        deal_at(games, i, blank, low, high, numbers[i // seatings], 0, NOBODY)
    return games


def _play(
    rules: Variant, games: np.ndarray, seated: list[tuple[str, ...]], players: Mapping[str, Agent], states: np.ndarray
) -> None:
    """Play all tables to the end of their hands; `seated` names the agent in each seat of each table."""
    names = list(players)
    who = np.array([[names.index(name) for name in table] for table in seated])
    codes = np.array([COMPILED.index(name) if name in COMPILED else OUTSIDE for name in names], np.int8)[who]
    while True:
        run_range(games, 0, len(games), codes, states)
        pending = np.flatnonzero(games["to_act"] != NOBODY)
        if not len(pending):
            return
        asked = who[pending, games["to_act"][pending]]
        for number in np.unique(asked):
            tables = pending[asked == number]
            play_range(games, tables, _answers(names[number], players[names[number]], rules, games, tables))


def _answers(name: str, agent: Agent, rules: Variant, games: np.ndarray, tables: np.ndarray) -> np.ndarray:
    """(n,) int64: what an agent plays at some tables; ValueError if one of the actions isn't legal."""
    view = view_of(rules, games, tables)
    actions = np.asarray(agent.act_batch(view))
    fits = actions.shape == (len(tables),) and actions.dtype.kind in "iu"
    if not fits or (actions < 0).any() or (actions >= view.mask.shape[1]).any():
        raise ValueError(
            f"agent {name!r} must answer ({len(tables)},) action numbers, not {actions.dtype} {actions.shape}"
        )
    illegal = np.flatnonzero(view.mask[np.arange(len(tables)), actions] == 0)
    if len(illegal):
        k = illegal[0]
        legal = ", ".join(rules.actions.names[a] for a in np.flatnonzero(view.mask[k]))
        raise ValueError(
            f"agent {name!r} played {rules.actions.names[actions[k]]!r}, which is not legal; legal: {legal}"
        )
    return actions.astype(np.int64)


class _Hands:
    """Sums over the finished hands, by agent and deal."""

    def __init__(self, seatings: Sequence[tuple[str, ...]], names: list[str]):
        self.names = names
        self.seat_of = {name: np.array([[n == name for n in table] for table in seatings]) for name in names}
        self.kept: list[np.ndarray] = []

    def add(self, games: np.ndarray) -> None:
        """Keep what counts of finished hands, tables lying deal by deal in order of the seatings."""
        names = ["points", "wins", "self_draws", "deal_ins", "ready", "win_fan", "wall_end"]
        self.kept.append(games[names].copy())

    def rows(self) -> list[Row]:
        """One row per agent."""
        games = np.concatenate(self.kept)
        return [self._row(name, games) for name in self.names]

    def _row(self, name: str, games: np.ndarray) -> Row:
        here = self.seat_of[name]
        deals = len(games) // len(here)
        seats = np.tile(here, (deals, 1))  # (tables, seats): where the agent sat
        points = np.where(seats, games["points"], 0).reshape(deals, -1).sum(1) / here.sum()
        won = games["wins"] > 0
        left = seats & ~won & games["wall_end"].astype(bool)[:, None]
        nobody = np.broadcast_to(~won.any(axis=1, keepdims=True), seats.shape)
        return Row(
            agent=name,
            points_per_hand=float(points.mean()),
            interval=interval_of(points),
            hu=float(won[seats].mean()),
            self_draw=float((games["self_draws"] > 0)[seats].mean()),
            deal_in=float((games["deal_ins"] > 0)[seats].mean()),
            ready_at_end=float((games["ready"] > 0)[left].mean()) if left.any() else None,
            drawn=float(nobody[seats].mean()),
            fan=float(games["win_fan"][seats & won].mean()) if (seats & won).any() else None,
        )


def interval_of(values: np.ndarray) -> tuple[float, float]:
    """The 95 % interval of the mean of independent values, by Student's t."""
    mean, error = float(values.mean()), float(stats.sem(values))
    if error == 0:
        return mean, mean
    low, high = stats.t.interval(0.95, len(values) - 1, loc=mean, scale=error)
    return float(low), float(high)


def print_table(result: MatchResult) -> None:
    """The match as a table on standard output."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    options = "".join(f", {name}={value}" for name, value in result.options.items())
    hands = f"{result.deals} deals x {result.seatings} seatings = {result.hands} hands"
    table = Table(title=f"{result.variant} {result.preset}{options}: {hands}, seed {result.seed}", box=box.SIMPLE)
    table.add_column("agent", min_width=10, overflow="fold")
    for heading in ("points/hand", "95 % interval", "hu", "self-draw", "deal-in", "ready at end", "drawn", "fan"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in result.rows:
        low, high = row.interval
        cells = [row.agent, f"{row.points_per_hand:+.3f}", f"{low:+.3f} .. {high:+.3f}"]
        rates = (row.hu, row.self_draw, row.deal_in, row.ready_at_end, row.drawn)
        cells += ["-" if rate is None else f"{100 * rate:.1f} %" for rate in rates]
        table.add_row(*cells, "-" if row.fan is None else f"{row.fan:.2f}")
    Console(width=max(WIDTH, Console().width)).print(table)
