"""A slow, plain engine of Hongzhong mahjong (红中麻将), written from the rules page alone, to check a fast one against.

Hands are lists of names, the red dragon "C" the wild one among them; complete hands are found by plain recursion over
sets (`laizi_hands`), and a hand is one generator that reads as the rules tell it.  "rules section N" names the
section of the rules page (the game's own is 12.1); "detail N" is an item of its section 10.2.

How to use it::

    replay(record)                       # raises Mismatch at the first difference
    table = Table(wall, dealer=0, preset="gs", options={"codes": 6})
    while not table.over:
        table.play(rng.choice(table.legal()))
    options = full_options("mil2024", {"seven_pairs": False})
    score(concealed, melds, win_tile, "self_draw", options)
    pay(options, {1: False}, None, ["5m", "2p", "C"])   # winners and whether they hold a red dragon

Where the page is silent (or leaves more than one reading), this engine holds that:

* A discarded red dragon cannot be won on either: nobody may claim it.
* `discard_hongzhong=false`: if nothing else is held, a red dragon may be discarded after all.
* Four red dragons win only in a turn after a draw or on the dealt hand, replacements included; they make no robbing
  and no win on a discard.
* `no_hongzhong` looks at the concealed hand with the winning tile; a discard win is then always without.
* `one_more_code` and `six_codes` look at their tiles also with `codes=0`; `six_codes` looks at six in all.
* `one_code_all` takes one tile, whatever `codes` says; `double` doubles base and that rank as well.
* Codes are taken from the front for all winners at once: the first of them for those with, one more (or six) for
  those without a red dragon.
* `added_gang_drawn_only`: an added gang may be made at any time but pays only if its tile is the one just drawn.
* A gang answered to a discard is complete at once; an added gang is paid when nobody has robbed it.
* `seven_pairs_laizi=false`: two or four red dragons are pairs of their own.
* `fifth_copy=not_in_hand` holds for seven pairs, too; laizi alone in a set or pair stand for kinds not held.
* `draw_dealer=last_drawer`: a replacement is a draw.
* `mil2024` changes what the page names and nothing else: no robbing, no gang right after a peng, two codes at 1,
  `added_gang_drawn_only`, `fifth_copy=not_in_hand`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from .changsha import Flow, Hand, Options, Score, claim_rank, follow
from .laizi_hands import (
    KINDS,
    SEATS,
    Meld,
    Mismatch,
    completes,
    meld_tiles,
    order,
    pairs_with_laizi,
    rank,
    run_from,
    seats_after,
    seven_pairs,
    suit,
    tiles_of,
    without,
)

__all__ = ["Mismatch", "Table", "replay"]

WILD = "C"
FULL_WALL = sorted([*KINDS * 4, *[WILD] * 4])

_DEFAULTS: dict[str, Any] = {  # detail 28
    "seven_pairs": True,
    "seven_pairs_laizi": True,
    "four_hongzhong_wins": True,
    "discard_hongzhong": True,
    "rob_gang": True,
    "rob_pays_three": True,
    "discard_win": False,
    "self_draw_points": 2,
    "discard_points": 1,
    "codes": 4,
    "per_code": 2,
    "no_hongzhong": "one_more_code",
    "one_code_all": False,
    "gang_points": "2/1/3",
    "keep_gang_points": False,
    "draw_dealer": "stays",
    "multi_ron": True,
    "pass_hu": "all_until_draw",
    "gang_after_claim": True,
    "fifth_copy": "allowed",
    "added_gang_drawn_only": False,
}
_MIL2024: dict[str, Any] = {
    "rob_gang": False,
    "gang_after_claim": False,
    "codes": 2,
    "per_code": 1,
    "added_gang_drawn_only": True,
    "fifth_copy": "not_in_hand",
}
PRESETS = {"gs": {}, "mil2024": _MIL2024}
OPTION_VALUES: dict[str, tuple[Any, ...]] = {
    **{name: (False, True) for name, value in _DEFAULTS.items() if isinstance(value, bool)},
    "self_draw_points": (1, 2),
    "discard_points": (1, 2),
    "codes": (0, 2, 4, 6),
    "per_code": (1, 2),
    "no_hongzhong": ("one_more_code", "six_codes", "double", "off"),
    "gang_points": ("2/1/3", "2/1/each1", "2/1/1"),
    "draw_dealer": ("stays", "last_drawer"),
    "pass_hu": ("value_until_discard", "all_until_draw", "tile_until_draw", "none"),
    "fifth_copy": ("allowed", "not_in_hand"),
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
    return {**_DEFAULTS, **PRESETS[preset], **(overrides or {})}


# --- one hand ---------------------------------------------------------------------------------------------------------


def score(
    concealed: Sequence[str],
    melds: Sequence[Meld],
    win_tile: str,
    win_by: str,
    options: Options,
    flags: Sequence[str] = (),
) -> Score:
    """One hand, the winning tile apart (rules sections 11 and 12.1).  win_by: self_draw | discard | rob_gang."""
    hand = [*concealed, win_tile]
    if len(hand) + 3 * len(melds) != 14:
        return Score(False, reason="bad_tile_count")
    counts = Counter(hand + meld_tiles(melds))
    if max(counts.values()) > 4:
        return Score(False, reason="too_many_copies")
    if win_by == "discard":
        if not options["discard_win"]:
            return Score(False, reason="self_draw_only")
        if WILD in hand:
            return Score(False, reason="hongzhong_in_hand")
    naturals = [tile for tile in hand if tile != WILD]
    laizi = len(hand) - len(naturals)
    fifth_copy = options["fifth_copy"] == "allowed"
    if options["seven_pairs"] and not melds:
        wild = pairs_with_laizi(naturals, laizi, fifth_copy)
        if wild if options["seven_pairs_laizi"] else seven_pairs(hand):
            return Score(True, ("七小对",))
    if completes(naturals, laizi, len(melds), fifth_copy=fifth_copy):
        return Score(True, ("平胡",))
    if win_by == "self_draw" and laizi == 4 and options["four_hongzhong_wins"]:
        return Score(True, ("四红中",))
    return Score(False, reason="no_structure")


def waits(concealed: Sequence[str], melds: Sequence[Meld], options: Options) -> list[str]:
    """The kinds that win by self-draw; those of which the hand holds four do not count."""
    held = Counter([*concealed, *meld_tiles(melds)])
    return [
        kind for kind in [*KINDS, WILD] if held[kind] < 4 and score(concealed, melds, kind, "self_draw", options).hu
    ]


# --- payments ---------------------------------------------------------------------------------------------------------


def codes_seen(options: Options, has_wild: bool) -> int:
    """How many tiles a winner looks at (rules section 12.1, details 29 and 33)."""
    if options["one_code_all"]:
        return 1
    if not has_wild and options["no_hongzhong"] == "one_more_code":
        return int(options["codes"]) + 1
    if not has_wild and options["no_hongzhong"] == "six_codes":
        return 6
    return int(options["codes"])


def is_code(tile: str) -> bool:
    return tile == WILD or rank(tile) in (1, 5, 9)


def each_pays(options: Options, has_wild: bool, self_draw: bool, codes: Sequence[str]) -> int:
    """One payment to a winner; codes: the tiles drawn for all of them, in order."""
    amount = int(options["self_draw_points"] if self_draw else options["discard_points"])
    seen = codes[: codes_seen(options, has_wild)]
    if options["one_code_all"]:
        amount += sum(10 if tile == WILD else rank(tile) for tile in seen)
    else:
        amount += int(options["per_code"]) * sum(map(is_code, seen))
    if not has_wild and options["no_hongzhong"] == "double":
        amount *= 2
    return amount


def pay(
    options: Options, wins: dict[int, bool], shooter: int | None, codes: Sequence[str], robbed: bool = False
) -> list[int]:
    """The points of seats 0 to 3 for wins (seat -> whether it holds a red dragon) on shooter's tile or by self-draw."""
    points = [0, 0, 0, 0]
    for winner, has_wild in wins.items():
        three = shooter is None or (robbed and options["rob_pays_three"])
        amount = each_pays(options, has_wild, three, codes)
        for payer in seats_after(winner) if three else [shooter]:
            paying = payer if shooter is None else shooter
            assert paying is not None
            points[paying] -= amount
            points[winner] += amount
    return points


def gang_pay(options: Options, seat: int, kind: str, feeder: int | None) -> list[int]:
    """The points of seats 0 to 3 for a gang (rules section 12.1, detail 28)."""
    concealed, added, exposed = options["gang_points"].split("/")
    points = [0, 0, 0, 0]
    if kind == "gang" and exposed != "each1":
        assert feeder is not None
        points[feeder] -= int(exposed)
        points[seat] += int(exposed)
        return points
    each = {"an_gang": int(concealed), "bu_gang": int(added), "gang": 1}[kind]
    for payer in seats_after(seat):
        points[payer] -= each
        points[seat] += each
    return points


# --- the table --------------------------------------------------------------------------------------------------------


class Table(Hand):
    """One hand of Hongzhong mahjong, decision by decision."""

    variant = "hongzhong"

    def __init__(
        self,
        wall: Sequence[str],
        dealer: int = 0,
        preset: str = "gs",
        options: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(wall, dealer, FULL_WALL, full_options(preset, options))
        self.preset = preset
        self.overrides = dict(options or {})
        self.wild = {WILD}
        self.codes: list[str] = []
        self.gang_total = [0, 0, 0, 0]
        self._begin(self._hand())

    def copy(self) -> Table:
        """The same position anew."""
        twin = Table(self.full_wall, self.dealer, self.preset, self.overrides)
        for name in self.actions:
            twin.play(name)
        return twin

    # --- the hand, phase by phase

    def _hand(self) -> Flow:
        step: Flow | None = self._turn(self.dealer, None, "dealt")
        while step is not None:
            step = yield from step

    def _turn(self, seat: int, drawn: str | None, how: str) -> Flow:
        """A seat's own turn; how: dealt | draw | replacement | after_claim."""
        answer = yield seat, how, self._turn_names(seat, how)
        verb, _, tile = answer.partition(" ")
        if verb == "hu":
            return self._won([seat], None)
        if verb == "discard":
            return self._discard(seat, tile)
        return self._own_gang(seat, tile, drawn)

    def _discard(self, seat: int, tile: str) -> Flow:
        """A discard, and whoever claims it (rules section 1.1, details 2 and 3); a red dragon nobody may."""
        self.hands[seat].remove(tile)
        self.rivers[seat].append(tile)
        self.bars[seat].discarded()
        wins = {other: self._win_on(other, tile, "discard") for other in seats_after(seat)}
        answers = yield from self._ask("claim", seat, [tile], wins, lambda one: self._claim_names(one, tile))
        winners = self._winners(seat, answers, wins)
        if winners:
            return self._won(list(winners), seat, tile)
        claimant = max(answers, key=lambda one: claim_rank(answers[one]), default=None)
        if claimant is None or answers[claimant] == "pass":
            return self._next_draw(seat)
        self.rivers[seat].pop()
        verb = answers[claimant]
        self.hands[claimant] = without(self.hands[claimant], *[tile] * (2 if verb == "peng" else 3))
        self.melds[claimant].append((verb, tile))
        if verb == "peng":
            return self._turn(claimant, None, "after_claim")
        self._pay_gang(claimant, "gang", seat)
        return self._replace(claimant)

    def _own_gang(self, seat: int, tile: str, drawn: str | None) -> Flow:
        """A concealed gang, or an added one, which can be robbed first (rules sections 2 and 3.5)."""
        if self.hands[seat].count(tile) == 4:
            self.hands[seat] = without(self.hands[seat], tile, tile, tile, tile)
            self.melds[seat].append(("an_gang", tile))
            self._pay_gang(seat, "an_gang", None)
            return self._replace(seat)
        wins = {other: self._win_on(other, tile, "rob_gang") for other in seats_after(seat)}
        answers = yield from self._ask("rob", seat, [tile], wins, lambda _: [])
        winners = self._winners(seat, answers, wins)
        self.hands[seat].remove(tile)
        if winners:
            self.rivers[seat].append(tile)  # It counts as discarded; the peng stays.
            return self._won(list(winners), seat, tile, robbed=True)
        self._add_to_peng(seat, tile)
        if tile == drawn or not self.options["added_gang_drawn_only"]:
            self._pay_gang(seat, "bu_gang", None)
        return self._replace(seat)

    def _replace(self, seat: int) -> Flow:
        """One tile from the tail (rules section 12.1)."""
        return self._taken(seat, -1, "replacement")

    def _next_draw(self, seat: int) -> Flow | None:
        """The seat after this one draws; without a wall the hand ends (detail 29)."""
        if self.wall:
            return self._taken((seat + 1) % 4, 0, "draw")
        stays = self.options["draw_dealer"] == "stays"
        self.next_dealer = self.dealer if stays else self.last_taken[0]
        if not self.options["keep_gang_points"]:
            self._add([-points for points in self.gang_total], "gang points given back")
        return None

    def _taken(self, seat: int, place: int, how: str) -> Flow:
        tile = self._take(seat, place)
        self.hands[seat].append(tile)
        self.bars[seat].drew()
        return self._turn(seat, tile, how)

    # --- what a seat may do

    def _turn_names(self, seat: int, how: str) -> list[str]:
        hand, names = self.hands[seat], []
        if how != "after_claim" and self._score(seat, hand[:-1], hand[-1], "self_draw").hu:
            names.append("hu")
        if self.wall:
            if how != "after_claim" or self.options["gang_after_claim"]:
                for tile in set(hand) - self.wild:
                    if hand.count(tile) == 4 or ("peng", tile) in self.melds[seat]:
                        names.append(f"self_gang {tile}")
        allowed = set(hand)
        if not self.options["discard_hongzhong"] and allowed != {WILD}:
            allowed.discard(WILD)
        return names + [f"discard {tile}" for tile in allowed]

    def _claim_names(self, seat: int, tile: str) -> list[str]:
        if tile in self.wild:
            return []
        copies = self.hands[seat].count(tile)
        names = ["gang"] if copies == 3 and self.wall else []
        return names + (["peng"] if copies >= 2 else [])

    def _score(self, seat: int, concealed: Sequence[str], tile: str, win_by: str) -> Score:
        return score(concealed, self.melds[seat], tile, win_by, self.options)

    def _win_on(self, seat: int, tile: str, win_by: str) -> tuple[Score, list[str]] | None:
        """The win on another's tile; None if there is none or it is barred (detail 31)."""
        if tile in self.wild or (win_by == "rob_gang" and not self.options["rob_gang"]):
            return None
        result = self._score(seat, self.hands[seat], tile, win_by)
        barred = self.bars[seat].bars_kind(tile) or self.bars[seat].bars_value(0)
        return (result, [tile]) if result.hu and not barred else None

    # --- payments and the end

    def _gang_points(self, seat: int, kind: str, feeder: int | None) -> list[int]:
        return gang_pay(self.options, seat, kind, feeder)

    def _pay_gang(self, seat: int, kind: str, feeder: int | None) -> None:
        points = self._gang_points(seat, kind, feeder)
        self.gang_total = [old + new for old, new in zip(self.gang_total, points, strict=True)]
        self._add(points, f"seat {seat} {kind}")

    def _won(self, winners: list[int], shooter: int | None, tile: str | None = None, robbed: bool = False) -> None:
        """Codes, payments, next dealer (rules sections 9 and 12.1, details 29 to 33)."""
        wins = {seat: WILD in self.hands[seat] for seat in winners}
        number = max(codes_seen(self.options, has_wild) for has_wild in wins.values())
        self.codes, self.wall = self.wall[:number], self.wall[number:]
        for seat, has_wild in wins.items():
            self.wins.append({"seat": seat, "from": shooter, "tile": tile, "wild": has_wild})
        points = pay(self.options, wins, shooter, self.codes, robbed)
        self._add(points, f"hu of {winners} on {shooter}, codes {self.codes}")
        self.next_dealer = winners[0] if len(winners) == 1 else shooter

    # --- records and messages

    def record(self) -> dict[str, Any]:
        """What replay() takes."""
        return {
            "variant": self.variant,
            "version": 1,
            "preset": self.preset,
            "options": dict(self.overrides),
            "dealer": self.dealer,
            "wall": list(self.full_wall),
            "actions": list(self.actions),
            "legal": [list(legal) for legal in self.legal_log],
            "points": list(self.points),
            "next_dealer": self.next_dealer,
        }

    def tiles(self) -> list[str]:
        """All tiles on the table; the 112 at every moment."""
        seats = [tile for seat in SEATS for tile in self.hands[seat] + self.rivers[seat] + meld_tiles(self.melds[seat])]
        return seats + self.codes + self.wall

    def __str__(self) -> str:
        lines = [f"phase {self.phase}, to act {self.to_act}, wall {len(self.wall)}, points {self.points}"]
        for seat in SEATS:
            melds = " ".join(f"{meld[0]}:{''.join(tiles_of(meld))}" for meld in self.melds[seat])
            bar = self.bars[seat]
            lines.append(
                f"seat {seat}{' (dealer)' if seat == self.dealer else ''}"
                f" hand {' '.join(sorted(self.hands[seat], key=order))} | melds {melds or '-'}"
                f" | river {' '.join(self.rivers[seat]) or '-'}"
                f"{f' | passed {bar.value} {sorted(bar.kinds)}' if bar.value >= 0 else ''}"
            )
        return "\n".join([*lines, *self.payments, *(f"win: {win}" for win in self.wins)])


# --- replay -----------------------------------------------------------------------------------------------------------


def replay(record: dict[str, Any]) -> Table:
    """Plays the record by the rules; Mismatch at the first difference."""
    if record.get("variant") != "hongzhong":
        raise Mismatch(f"not a Hongzhong record: variant {record.get('variant')!r}")
    try:
        table = Table(record["wall"], record["dealer"], record["preset"], record.get("options"))
    except ValueError as error:
        raise Mismatch(f"the record cannot be set up: {error}") from error
    follow(table, record)
    return table


# --- games for tests --------------------------------------------------------------------------------------------------


def random_options(rng: random.Random, share_given: float = 0.35) -> dict[str, Any]:
    """Overrides for about this share of the options."""
    return {name: rng.choice(values) for name, values in OPTION_VALUES.items() if rng.random() < share_given}


def likely_action(table: Table, rng: random.Random, wins: float = 0.7) -> str:
    """A random action that leans to winning, calling and keeping connected tiles, so that somebody wins."""
    legal = table.legal()
    seat = table.to_act
    assert seat is not None
    if rng.random() < 0.05:
        return rng.choice(legal)
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
        if tile == WILD:
            return 20 if rng.random() < 0.95 else 0
        near = sum(suit(other) == suit(tile) and abs(rank(other) - rank(tile)) <= 2 for other in hand if other != WILD)
        return near + 2 * hand.count(tile) + rng.random()

    return min((name for name in legal if name.startswith("discard")), key=worth)


def random_wall(rng: random.Random, rigged: bool = False) -> list[str]:
    """A shuffled wall; a rigged one deals sets, pairs and red dragons, and brings fourth tiles early."""
    rest = list(FULL_WALL)
    rng.shuffle(rest)
    if not rigged:
        return rest
    dealt = []
    for _ in SEATS:
        hand = [WILD] * rng.choice((0, 0, 1, 1, 2, 4 if rng.random() < 0.3 else 1))
        hand = hand if rest.count(WILD) >= len(hand) else []
        rest = without(rest, *hand)
        loose, only_pairs = rng.choice((0, 1, 2, 3)), rng.random() < 0.1
        for _ in range(200):
            first = rng.choice(KINDS)
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
        for tile in sorted({tile for tile in hand if hand.count(tile) in (2, 3) and tile != WILD}):
            later = [index for index in range(52, 112) if wall[index] == tile]
            if later and rng.random() < 0.7:
                other, early = rng.choice(later), rng.randrange(52, 70)
                wall[early], wall[other] = wall[other], wall[early]
    return wall


def random_game(rng: random.Random, preset: str, options: dict[str, Any] | None = None, rigged: bool = False) -> Table:
    """A fresh table with a shuffled (or rigged) wall."""
    return Table(random_wall(rng, rigged), rng.randrange(4), preset, options)


def lucky_game(rng: random.Random, preset: str, options: dict[str, Any] | None = None, wins: float = 0.3) -> Table:
    """A whole game in which added gangs are drawn by seats that others can rob more often than by chance."""
    table = random_game(rng, preset, options, rigged=True)
    while not table.over:
        if table.phase in ("draw", "after_claim") and table.to_act is not None and rng.random() < 0.3:
            due = (table.to_act + 1) % 4
            pengs = [tile for kind, tile in table.melds[due] if kind == "peng" and tile in table.wall]
            robbers = [other for other in SEATS if other != due]
            for tile in pengs:
                if any(
                    score(table.hands[one], table.melds[one], tile, "rob_gang", table.options).hu for one in robbers
                ):
                    table.rearrange(tile, 0)
        table.play(likely_action(table, rng, wins))
    return table
