"""How a hand went: who won on what, and every payment with its reason."""

from dataclasses import dataclass
from typing import Any

from mahjong_env.rules.state import NO_TILE, NOBODY
from mahjong_env.rules.variant import Variant

Slip = tuple[str, int, list[int]]


@dataclass(frozen=True)
class Win:
    """A seat's latest win: its tile, None with the cards dealt, the fan before the cap, and its patterns with how often
    each counts."""

    seat: int
    tile: str | None
    fan: int
    patterns: dict[str, int]


@dataclass(frozen=True)
class Payment:
    """Points moved by one decision, (seats,) ints; `seat` earned them, None where all settle with all."""

    decision: int
    reason: str
    seat: int | None
    points: tuple[int, ...]


@dataclass(frozen=True)
class Outcome:
    """The wins and payments of a hand so far, and each seat's points."""

    points: tuple[int, ...]
    wins: tuple[Win, ...]
    payments: tuple[Payment, ...]
    wall_end: bool

    @classmethod
    def of(
        cls, variant: "Variant", preset: str, game: Any, payments: list[tuple[int, str, int, list[int]]]
    ) -> "Outcome":
        """The outcome in a game's state, with the payments collected while it was played."""
        wins = tuple(
            Win(
                seat,
                None if game["win_tile"][seat] == NO_TILE else variant.tiles.names[int(game["win_tile"][seat])],
                int(game["win_fan"][seat]),
                pattern_counts(variant, preset, game["win_patterns"][seat]),
            )
            for seat in range(variant.seats)
            # of a win before a typed position the tile is not known; with the cards dealt there is none
            if game["wins"][seat] and (game["win_tile"][seat] != NO_TILE or game["clock"] == 1)
        )
        paid = tuple(Payment(n, why, None if seat == NOBODY else seat, tuple(p)) for n, why, seat, p in payments)
        return cls(tuple(int(p) for p in game["points"]), wins, paid, bool(game["wall_end"]))

    def __str__(self) -> str:
        lines = []
        for win in self.wins:
            patterns = ", ".join(name if n == 1 else f"{name} x{n}" for name, n in win.patterns.items())
            lines.append(
                f"seat {win.seat} won on {win.tile or 'the deal'}: {win.fan} fan{f' ({patterns})' if patterns else ''}"
            )
        if self.wall_end:
            lines.append("the wall is out")
        for paid in self.payments:
            who = "" if paid.seat is None else f" (seat {paid.seat})"
            lines.append(f"decision {paid.decision}: {paid.reason}{who} {' '.join(f'{p:+d}' for p in paid.points)}")
        return "\n".join([*lines, "points " + " ".join(f"{p:+d}" for p in self.points)])


def slips_of(variant: "Variant", game: Any) -> list[Slip]:
    """The payments of the latest decision: reason, seat, points of all seats; those of nothing left out."""
    slips = []
    for place in range(int(game["slips"])):
        points = [int(p) for p in game["slip_points"][place]]
        if any(points):
            slips.append((variant.slip_reasons[game["slip_reason"][place]], int(game["slip_seat"][place]), points))
    return slips


def pattern_counts(variant: "Variant", preset: str, counts: Any) -> dict[str, int]:
    """Patterns by the ids the preset uses, with how often each counts."""
    renamed = variant.renamed.get(preset, {})
    named: dict[str, int] = {}
    for pattern, count in zip(variant.patterns, counts, strict=True):
        if count:
            name = renamed.get(pattern.id, pattern.id)
            named[name] = named.get(name, 0) + int(count)
    return named
