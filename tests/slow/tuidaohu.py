"""A slow, plain engine of the small Guangdong tuidaohu (推倒胡, rules section 12.3), to check a fast one against.

136 tiles, no chi, self-draw only and robbing an added gang, ghosts (鬼) as laizi, with the scores of the GS text.  The
flow of the hand is that of `hongzhong`; what differs stands here.  The page gives this game a few lines only, so most
of it is this engine's reading:

* `ghost`: none; white (the white dragon B); turned, the kind after the turned tile; double_turned, the two kinds
  after it.  After 9 comes 1 of the suit; the honours go round E S W N C F B.
* The turned tile is the last of the wall; it lies open and is never drawn, so one tile less can be drawn.
* Ghosts stand for any of the 34 kinds, themselves included, with fifth copies allowed; they may be discarded, nobody
  claims them, and they form no peng or gang of their own.
* A win pays `self_draw_points` from each; seven pairs (`seven_pairs`) double it, and so does a hand without any ghost
  under `no_ghost_double` where there are ghosts at all.  A hand that is both is read as seven pairs.
* `horses` tiles from the front are looked at, fewer if fewer are left.  A horse counts for the winner by its rank,
  1, 5 and 9 as the codes of Hongzhong do, E and C among the honours; each adds `self_draw_points` to each payment,
  before doubling.
* A robbed seat pays all three shares (抢杠全包) or, with `rob_pays_three=false`, the one of its own.
* Gangs: exposed 3 from the discarder, added 1 and concealed 2 from each; a robbed one nothing; given back in a draw
  unless `keep_gang_points`.
* One tile in the wall is enough for a gang; a due draw from an empty wall ends the hand, and the dealer stays.
* The winner deals next, after several robbers the robbed seat.  Passing a robbing bars nothing.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from . import hongzhong
from .changsha import Flow, Hand, Options, Score, follow
from .laizi_hands import (
    HONOURS,
    KINDS,
    SEATS,
    Meld,
    Mismatch,
    completes,
    is_honour,
    meld_tiles,
    pairs_with_laizi,
    rank,
    run_from,
    seats_after,
    suit,
    without,
)

__all__ = ["Mismatch", "Table", "replay"]

ALL_KINDS = [*KINDS, *HONOURS]
FULL_WALL = sorted(ALL_KINDS * 4)
_DEFAULTS: dict[str, Any] = {
    "ghost": "white",
    "seven_pairs": True,
    "no_ghost_double": False,
    "self_draw_points": 2,
    "horses": 0,
    "rob_gang": True,
    "rob_pays_three": True,
    "gang_after_claim": True,
    "keep_gang_points": False,
    "multi_ron": True,
}
PRESETS: dict[str, dict[str, Any]] = {"gs": {}}
OPTION_VALUES: dict[str, tuple[Any, ...]] = {
    **{name: (False, True) for name, value in _DEFAULTS.items() if isinstance(value, bool)},
    "ghost": ("none", "white", "turned", "double_turned"),
    "self_draw_points": (1, 2),
    "horses": (0, 2, 4, 6, 8),
}
# What the flow of Hongzhong asks for and this game leaves no choice of.
_FIXED: dict[str, Any] = {
    "pass_hu": "none",
    "discard_hongzhong": True,
    "added_gang_drawn_only": False,
    "draw_dealer": "stays",
}


def full_options(preset: str = "gs", overrides: dict[str, Any] | None = None) -> Options:
    """The preset with the overrides applied."""
    if preset not in PRESETS:
        raise ValueError(f"unknown preset {preset!r}, not one of {sorted(PRESETS)}")
    for name, value in (overrides or {}).items():
        if name not in OPTION_VALUES:
            raise ValueError(f"unknown option {name!r}")
        if value not in OPTION_VALUES[name]:
            raise ValueError(f"option {name} cannot be {value!r}; allowed: {OPTION_VALUES[name]}")
    return {**_FIXED, **_DEFAULTS, **PRESETS[preset], **(overrides or {})}


def kind_after(tile: str) -> str:
    """The next kind: 9 is followed by 1 of its suit, B by E."""
    if is_honour(tile):
        return HONOURS[(HONOURS.index(tile) + 1) % len(HONOURS)]
    return f"{rank(tile) % 9 + 1}{suit(tile)}"


def ghosts(options: Options, turned: str) -> set[str]:
    """The wild kinds."""
    first = kind_after(turned)
    return {"none": set(), "white": {"B"}, "turned": {first}, "double_turned": {first, kind_after(first)}}[
        options["ghost"]
    ]


def score(
    concealed: Sequence[str], melds: Sequence[Meld], win_tile: str, win_by: str, options: Options, wild: set[str]
) -> Score:
    """One hand, the winning tile apart.  win_by: self_draw | rob_gang."""
    hand = [*concealed, win_tile]
    if len(hand) + 3 * len(melds) != 14:
        return Score(False, reason="bad_tile_count")
    if max(Counter(hand + meld_tiles(melds)).values()) > 4:
        return Score(False, reason="too_many_copies")
    if win_by == "discard":
        return Score(False, reason="self_draw_only")
    naturals = [tile for tile in hand if tile not in wild]
    laizi = len(hand) - len(naturals)
    if options["seven_pairs"] and not melds and pairs_with_laizi(naturals, laizi):
        return Score(True, ("七小对",))
    if completes(naturals, laizi, len(melds)):
        return Score(True, ("平胡",))
    return Score(False, reason="no_structure")


def is_horse(tile: str) -> bool:
    return tile in ("E", "C") if is_honour(tile) else rank(tile) in (1, 5, 9)


def each_pays(options: Options, pairs: bool, has_ghost: bool, horses: Sequence[str]) -> int:
    """One share of a win; horses: the tiles looked at."""
    amount = int(options["self_draw_points"]) * (1 + sum(map(is_horse, horses)))
    if pairs:
        amount *= 2
    if options["no_ghost_double"] and options["ghost"] != "none" and not has_ghost:
        amount *= 2
    return amount


class Table(hongzhong.Table):
    """One hand of tuidaohu, decision by decision."""

    variant = "tuidaohu"

    def __init__(
        self,
        wall: Sequence[str],
        dealer: int = 0,
        preset: str = "gs",
        options: dict[str, Any] | None = None,
    ) -> None:
        Hand.__init__(self, wall, dealer, FULL_WALL, full_options(preset, options))
        self.preset = preset
        self.overrides = dict(options or {})
        self.turned = [self.wall.pop()] if "turned" in self.options["ghost"] else []
        self.wild = ghosts(self.options, wall[-1])
        self.codes = []
        self.gang_total = [0, 0, 0, 0]
        flow: Flow = self._hand()
        self._begin(flow)

    def copy(self) -> Table:
        """The same position anew."""
        twin = Table(self.full_wall, self.dealer, self.preset, self.overrides)
        for name in self.actions:
            twin.play(name)
        return twin

    def _score(self, seat: int, concealed: Sequence[str], tile: str, win_by: str) -> Score:
        return score(concealed, self.melds[seat], tile, win_by, self.options, self.wild)

    def _gang_points(self, seat: int, kind: str, feeder: int | None) -> list[int]:
        return hongzhong.gang_pay({"gang_points": "2/1/3"}, seat, kind, feeder)

    def _won(self, winners: list[int], shooter: int | None, tile: str | None = None, robbed: bool = False) -> None:
        number = self.options["horses"]
        self.codes, self.wall = self.wall[:number], self.wall[number:]
        points = [0, 0, 0, 0]
        for winner in winners:
            hand = self.hands[winner]
            concealed, won = (hand[:-1], hand[-1]) if tile is None else (hand, tile)
            result = self._score(winner, concealed, won, "self_draw" if tile is None else "rob_gang")
            has_ghost = bool(set(hand) & self.wild)
            amount = each_pays(self.options, result.patterns == ("七小对",), has_ghost, self.codes)
            three = tile is None or self.options["rob_pays_three"]
            for payer in seats_after(winner) if three else [shooter]:
                paying = payer if shooter is None else shooter
                assert paying is not None
                points[paying] -= amount
                points[winner] += amount
            self.wins.append({"seat": winner, "from": shooter, "patterns": result.patterns, "ghost": has_ghost})
        self._add(points, f"hu of {winners} on {shooter}, horses {self.codes}")
        self.next_dealer = winners[0] if len(winners) == 1 else shooter

    def tiles(self) -> list[str]:
        """All tiles on the table; the 136 at every moment."""
        return super().tiles() + self.turned


def replay(record: dict[str, Any]) -> Table:
    """Plays the record by the rules; Mismatch at the first difference."""
    if record.get("variant") != "tuidaohu":
        raise Mismatch(f"not a tuidaohu record: variant {record.get('variant')!r}")
    try:
        table = Table(record["wall"], record["dealer"], record["preset"], record.get("options"))
    except ValueError as error:
        raise Mismatch(f"the record cannot be set up: {error}") from error
    follow(table, record)
    return table


# --- games for tests --------------------------------------------------------------------------------------------------


def random_options(rng: random.Random, share_given: float = 0.4) -> dict[str, Any]:
    """Overrides for about this share of the options."""
    return {name: rng.choice(values) for name, values in OPTION_VALUES.items() if rng.random() < share_given}


def likely_action(table: Table, rng: random.Random, wins: float = 0.7) -> str:
    """A random action that leans to winning, calling and keeping ghosts, pairs and connected tiles."""
    legal = table.legal()
    seat = table.to_act
    assert seat is not None
    if "hu" in legal and rng.random() < (wins if table.phase != "rob" else 0.7):
        return "hu"
    for verb, chance in (("self_gang", 0.8), ("gang", 0.8), ("peng", 0.6)):
        names = [name for name in legal if name.startswith(verb)]
        if names and rng.random() < chance:
            return rng.choice(names)
    if "pass" in legal:
        return "pass"
    hand = table.hands[seat]

    def worth(name: str) -> float:
        tile = name.split()[1]
        if tile in table.wild:
            return 20 if rng.random() < 0.95 else 0
        alike = [other for other in hand if suit(other) == suit(tile) and not is_honour(tile)]
        return sum(abs(rank(other) - rank(tile)) <= 2 for other in alike) + 2 * hand.count(tile) + rng.random()

    return min((name for name in legal if name.startswith("discard")), key=worth)


def random_wall(rng: random.Random, rigged: bool = False) -> list[str]:
    """A shuffled wall; a rigged one deals sets and pairs, and brings fourth tiles early."""
    rest = list(FULL_WALL)
    rng.shuffle(rest)
    if not rigged:
        return rest
    dealt = []
    for _ in SEATS:
        hand: list[str] = []
        loose, only_pairs = rng.choice((0, 1, 2, 3)), rng.random() < 0.1
        for _ in range(200):
            first = rng.choice(ALL_KINDS)
            block = rng.choice((run_from(first) or [first] * 2, [first] * rng.choice((2, 3, 3, 4))))
            if only_pairs:
                block = [first] * 2
            enough = all(rest.count(tile) >= block.count(tile) for tile in block)
            if enough and len(hand) + len(block) <= 13 - loose:
                hand += block
                rest = without(rest, *block)
        while len(hand) < 13:
            hand.append(rest.pop())
        dealt += hand
    wall = dealt + rest
    for place in SEATS:
        hand = wall[13 * place : 13 * place + 13]
        for tile in sorted({tile for tile in hand if hand.count(tile) in (2, 3)}):
            later = [index for index in range(52, 136) if wall[index] == tile]
            if later and rng.random() < 0.7:
                other, early = rng.choice(later), rng.randrange(52, 76)
                wall[early], wall[other] = wall[other], wall[early]
    return wall


def random_game(rng: random.Random, preset: str, options: dict[str, Any] | None = None, rigged: bool = False) -> Table:
    """A fresh table with a shuffled (or rigged) wall."""
    return Table(random_wall(rng, rigged), rng.randrange(4), preset, options)
