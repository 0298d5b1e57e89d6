"""A played game as data: one JSON line that anybody can replay."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mahjong_env.game import Game


@dataclass
class Record:
    """One game: the variant and its options, what chance decided, and every decision in order.

    `wall` and `actions` are names (see `Game`); `chance` other chance by its name; `options` those that differ from the
    preset's; `legal` the legal names at each decision, if they were asked for.
    """

    variant: str
    version: int
    preset: str
    options: dict[str, Any]
    dealer: int
    wall: list[str]
    actions: list[str]
    points: list[int]
    next_dealer: int | None
    chance: dict[str, str] = field(default_factory=dict)
    legal: list[list[str]] | None = None

    @classmethod
    def of(cls, game: "Game", legal: bool = False) -> "Record":
        """The record of a game played so far; ValueError if it was set up in the middle."""
        if game._deal is None:
            raise ValueError("a game that was set up from a position or from bytes has no record: its deal is unknown")
        variant, row = game.variant, game._games[0]
        names = variant.actions.names
        return cls(
            variant=variant.name,
            version=variant.version,
            preset=game.preset,
            options=dict(game.overrides),
            dealer=game.dealer,
            wall=[variant.tiles.names[kind] for kind in game._deal],
            actions=game.history,
            points=[int(p) for p in game.points],
            next_dealer=game.next_dealer,
            chance={name: values[int(row[name])] for name, values in variant.chance.items() if row[name] >= 0},
            legal=[[names[a] for a in mask] for mask in game._legal_history] if legal else None,
        )

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
        """Append the record to a file as one line of JSON."""
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps(self.to_dict(), ensure_ascii=False) + "\n")
