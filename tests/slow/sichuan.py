"""A slow, plain engine of Sichuan mahjong, written from the rules page alone, to check a fast one against.

Nothing here is shared with the package: hands are lists of names, readings are found by plain recursion over
all decompositions, and every payment is a line of a ledger.  "rules section N" in a docstring names the
section of the rules page it was written from; "detail N" is an item of its section 9.2.

How to use it::

    replay(record)                       # raises Mismatch at the first difference
    table = Table(wall, dealer=0, preset="online", options={"fan_cap": 4}, exchange_direction="across")
    while not table.over:
        table.play(rng.choice(table.legal()))
    table.points, table.next_dealer, table.record(), table.wins
    options = full_options("sbr2025", {"fan_cap": 4})
    score(["5m", "5m", …], [("peng", "9s")], "5m", "discard", options, flags=["last_tile"], void="p")
    waits(concealed, melds, options, void)
    cha_jiao(concealed, melds, options, void)    # (most fan, its tile) or None

Where the page is silent (or leaves more than one reading), this engine holds that:

* A seat that may hu is asked with its full set (peng and gang too) even after another seat said hu; a peng or
  gang answered then comes to nothing and counts as passing the hu.
* ``pass_lock_release=draw_or_call``: passing hu by peng sets the lock and the peng then releases it.
* The lock of an own discard is set after a peng's discard as well (the 14 tiles were complete, though hu was
  not legal).  After a peng the release for "not ready after that discard" is judged first, with the discard
  already lying on the table; then the discarded tile may set a lock anew.
* The lock of an own discard, like 查叫, takes men_qing as for a win by discard (men_qing_zimo_only: none),
  and takes the discarded kind as the kind won on (``pair_wait``) and as the kind locked (``same_tile``).
* An added gang that is robbed sets no lock on its declarer, though the tile then counts as a discard.
* A win that the lock forbids is not offered, and passing it changes nothing.
* ``di_hu=dealer_first_discard``: a meld on the table (the dealer's concealed gang) rules this di_hu out, too.
* tian_hu and di_hu by self-draw are paid as self-draws (``zimo=base``: value + 1).
* ``jiang=0``: nothing is left for ``jiang_excludes_zhong_zhang`` to exclude, so zhong_zhang counts.
* dai_yao_jiu is never given to seven pairs (section 5.3: default not counted).
* ``direct_gang_flower=dianpao`` on the last wall tile: hai_di as for a self-draw.
* ``gang_pao=transfer_all`` with several winners: the sum of all gangs is split once.
* ``pig_to=void`` takes ``pig_amount`` once from each pig.
* A first win by several seats robbing one gang makes the gang's declarer the next dealer.
* A xueliu winner with no wait left by ting_rule may gang if there is none after the gang either;
  ``force_hu_last4`` takes pass away from xueliu winners as well.
* A reading is chosen by fan alone; of two readings with equal fan, shape A comes before seven pairs.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

SUITS = "mps"
KINDS = [f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)]
SEATS = range(4)
FULL_WALL = sorted(KINDS * 4)
DIRECTIONS = {"counter": 1, "across": 2, "clockwise": 3}

# rules section 9, the table of options: name -> (sbr2025, online).
_OPTION_TABLE: dict[str, tuple[Any, Any]] = {
    "mode": ("xuezhan", "xuezhan"),
    "exchange": (False, True),
    "exchange_same_suit": (True, True),
    "exchange_direction": ("random", "random"),
    "dingque": (True, True),
    "void_first": (True, True),
    "fan_cap": (3, 5),
    "zimo": ("base", "fan"),
    "gang_pao": ("refund", "transfer_last"),
    "direct_gang_flower": ("zimo", "zimo"),
    "stale_added_gang_pays": (0, 1),
    "direct_gang_others": (0, 0),
    "gang_replacement": ("front", "back"),
    "dai_yao_jiu": (0, 2),
    "jiang": (0, 2),
    "men_qing": (0, 0),
    "zhong_zhang": (0, 0),
    "men_qing_zimo_only": (False, False),
    "men_qing_seven_pairs": (False, False),
    "jiang_excludes_zhong_zhang": (True, True),
    "tian_di": (0, 5),
    "di_hu": ("first_draw", "first_draw"),
    "jgd_needs": ("four_melds", "four_melds"),
    "dragon_extra": (0, 0),
    "hai_di": ("both", "both"),
    "rob_after_gang_counts_both": (True, True),
    "pass_lock": ("higher_fan", "higher_fan"),
    "pass_lock_release": ("draw", "draw"),
    "ting_rule": ("hand4", "own4"),
    "pig_amount": (24, "cap"),
    "pig_to": ("void", "active"),
    "pig_also_jiao": (True, False),
    "passive_pig": (True, False),
    "tui_shui": (True, True),
    "force_hu_last4": (False, False),
    "last_discard_peng": (True, True),
    "dealer_rule": ("first_winner", "first_winner"),
    "xueliu_winners_receive": (False, False),
}
PRESETS: dict[str, dict[str, Any]] = {
    preset: {name: pair[column] for name, pair in _OPTION_TABLE.items()}
    for column, preset in enumerate(("sbr2025", "online"))
}
# What each option may be; for the open-ended integers, a few values worth playing with.
OPTION_VALUES: dict[str, tuple[Any, ...]] = {
    **{name: (False, True) for name, pair in _OPTION_TABLE.items() if isinstance(pair[0], bool)},
    "mode": ("xuezhan", "xueliu"),
    "exchange_direction": ("random", "counter", "clockwise", "across"),
    "fan_cap": (3, 4, 5, 6, None),
    "zimo": ("base", "fan", "none"),
    "gang_pao": ("refund", "transfer_last", "transfer_all", "none"),
    "direct_gang_flower": ("zimo", "dianpao"),
    "stale_added_gang_pays": (0, 1),
    "direct_gang_others": (0, 1),
    "gang_replacement": ("front", "back"),
    "dai_yao_jiu": (0, 1, 2, 3),
    "jiang": (0, 1, 2),
    "men_qing": (0, 1),
    "zhong_zhang": (0, 1),
    "tian_di": (0, 3, 5, 6),
    "di_hu": ("first_draw", "dealer_first_discard"),
    "jgd_needs": ("four_melds", "pair_wait"),
    "dragon_extra": (0, 1),
    "hai_di": ("both", "self_draw", "discard", "off"),
    "pass_lock": ("higher_fan", "strict", "same_tile", "none"),
    "pass_lock_release": ("draw", "draw_or_call"),
    "ting_rule": ("hand4", "own4", "visible"),
    "pig_amount": (16, 24, 48, "cap"),
    "pig_to": ("void", "active", "all"),
    "dealer_rule": ("first_winner", "first_winner_or_next"),
}
_OPEN_INTEGERS = {"fan_cap", "dai_yao_jiu", "jiang", "men_qing", "zhong_zhang", "tian_di", "pig_amount"}

Options = dict[str, Any]
Meld = tuple[str, str]  # (peng | gang | bu_gang | an_gang, tile)
GANGS = ("gang", "bu_gang", "an_gang")


class Mismatch(AssertionError):  # noqa: N818 (what differs is no error of the reader)
    """The record and the rules part here."""


def full_options(preset: str, overrides: dict[str, Any] | None = None) -> Options:
    """The preset with the overrides applied (rules section 9)."""
    if preset not in PRESETS:
        raise ValueError(f"unknown preset {preset!r}, not one of {sorted(PRESETS)}")
    options = dict(PRESETS[preset], preset=preset)
    for name, value in (overrides or {}).items():
        if name not in _OPTION_TABLE:
            raise ValueError(f"unknown option {name!r}")
        an_integer = name in _OPEN_INTEGERS and isinstance(value, int) and value >= 0
        if not an_integer and value not in OPTION_VALUES[name]:
            raise ValueError(f"option {name} cannot be {value!r}; allowed: {OPTION_VALUES[name]}")
        options[name] = value
    return options


# --- tiles --------------------------------------------------------------------------------------------------


def rank(tile: str) -> int:
    return int(tile[0])


def suit(tile: str) -> str:
    return tile[1]


def order(tile: str) -> tuple[str, str]:
    """1m < … < 9m < 1p < … < 9s (detail 5)."""
    return tile[1], tile[0]


def without(tiles: Sequence[str], *gone: str) -> list[str]:
    left = list(tiles)
    for tile in gone:
        left.remove(tile)
    return left


def meld_tiles(melds: Iterable[Meld]) -> list[str]:
    return [tile for kind, tile in melds for _ in range(3 if kind == "peng" else 4)]


# --- readings of a hand -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reading:
    """One way to read the concealed tiles: shape "A" (sets and a pair) or "B" (seven pairs)."""

    shape: str
    sets: tuple[tuple[str, str, str], ...]
    pair: str  # of shape B: its lowest


def _ways_to_sets(tiles: tuple[str, ...]) -> list[tuple[tuple[str, str, str], ...]]:
    """All ways to cut sorted tiles into runs and triplets: the first tile is in a triplet or starts a run."""
    if not tiles:
        return [()]
    first = tiles[0]
    candidates = []
    if tiles.count(first) >= 3:
        candidates.append((first, first, first))
    second, third = f"{rank(first) + 1}{suit(first)}", f"{rank(first) + 2}{suit(first)}"
    if second in tiles and third in tiles:
        candidates.append((first, second, third))
    return [(one, *rest) for one in candidates for rest in _ways_to_sets(tuple(without(tiles, *one)))]


@lru_cache(maxsize=200_000)
def _readings(tiles: tuple[str, ...]) -> tuple[Reading, ...]:
    found = []
    for pair in sorted(set(tiles), key=order):
        if tiles.count(pair) >= 2:
            rest = tuple(without(tiles, pair, pair))
            found += [Reading("A", sets, pair) for sets in _ways_to_sets(rest)]
    if len(tiles) == 14 and all(tiles.count(kind) % 2 == 0 for kind in set(tiles)):
        found.append(Reading("B", (), tiles[0]))
    return tuple(found)


def readings(concealed: Sequence[str]) -> tuple[Reading, ...]:
    """Every reading of the concealed tiles, the winning tile among them (rules section 4).

    Shape B has fourteen concealed tiles, so it asks for a hand without melds.
    """
    return _readings(tuple(sorted(concealed, key=order)))


# --- fan ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Score:
    """What a hand is worth to one payer, before the +1 of zimo=base."""

    hu: bool
    patterns: tuple[str, ...] = ()
    fan_raw: int = 0
    fan: int = 0
    value: int = 0
    reason: str | None = None


def capped(fan: int, options: Options) -> int:
    return fan if options["fan_cap"] is None else min(fan, options["fan_cap"])


def value_of(fan: int, options: Options) -> int:
    """rules section 5.4, with a base of 1."""
    return 1 << capped(fan, options)


def why_not(
    concealed: Sequence[str], melds: Sequence[Meld], win_tile: str, void: str | None, fifth_copy: bool = False
) -> str | None:
    """The first reason why these tiles do not win, or None (the order of rules section 2.2)."""
    hand = [*concealed, win_tile]
    everything = hand + meld_tiles(melds)
    if len(hand) + 3 * len(melds) != 14:
        return "bad_tile_count"
    if not fifth_copy and max(Counter(everything).values()) > 4:
        return "too_many_copies"
    suits = {suit(tile) for tile in everything}
    if void in suits:
        return "has_void_suit"
    if len(suits) > 2:
        return "three_suits"
    if not readings(hand):
        return "no_structure"
    return None


def _reading_fan(
    reading: Reading, tiles: list[str], melds: Sequence[Meld], win_tile: str, win_by: str, options: Options
) -> list[tuple[str, int]]:
    """The components that depend on the reading (rules section 5.1)."""
    found: list[tuple[str, int]] = []
    sets = [*reading.sets, *((tile, tile, tile) for _, tile in melds)]
    shape_a = reading.shape == "A"
    all_triplets = shape_a and all(one[0] == one[1] for one in sets)
    if all_triplets:
        found.append(("dui_dui_hu", 1))
        pair_wait = options["jgd_needs"] == "pair_wait" and reading.pair == win_tile  # detail 23
        if len(melds) == 4 or pair_wait:
            found.append(("jin_gou_diao", 1))
    if not shape_a:
        found.append(("qi_dui", 2))
        two_suits = len({suit(tile) for tile in tiles}) == 2
        has_root = any(tiles.count(kind) >= 4 for kind in set(tiles))
        if options["dragon_extra"] and two_suits and has_root:  # detail 2
            found.append(("dragon_extra", options["dragon_extra"]))
    if options["dai_yao_jiu"] and shape_a:
        blocks = [*sets, (reading.pair, reading.pair)]
        if all(any(rank(tile) in (1, 9) for tile in block) for block in blocks):
            found.append(("dai_yao_jiu", options["dai_yao_jiu"]))
    jiang = bool(options["jiang"]) and all(rank(tile) in (2, 5, 8) for tile in tiles)
    jiang = jiang and (all_triplets or not shape_a)
    if jiang:
        found.append(("jiang", options["jiang"]))
    if options["men_qing"] and all(kind == "an_gang" for kind, _ in melds):
        right_draw = win_by == "self_draw" or not options["men_qing_zimo_only"]
        right_shape = shape_a or options["men_qing_seven_pairs"]
        if right_draw and right_shape:
            found.append(("men_qing", options["men_qing"]))
    excluded = jiang and options["jiang_excludes_zhong_zhang"]
    if options["zhong_zhang"] and not excluded and not any(rank(tile) in (1, 9) for tile in tiles):
        found.append(("zhong_zhang", options["zhong_zhang"]))
    return found


def _tiles_fan(tiles: list[str], melds: Sequence[Meld], options: Options) -> list[tuple[str, int]]:
    """The components that all readings share: flush, gangs and roots (rules section 5.1, detail 1)."""
    found: list[tuple[str, int]] = []
    if len({suit(tile) for tile in tiles}) == 1:
        found.append(("qing_yi_se", 2))
    ganged = {tile for kind, tile in melds if kind in GANGS}
    found += [("gen" if options["preset"] == "online" else "gang", 1) for _ in ganged]
    # ">= 4", since the tile of a wait may be a theoretical fifth copy (rules section 7.1).
    found += [("gen", 1) for kind in sorted(set(tiles)) if tiles.count(kind) >= 4 and kind not in ganged]
    return found


def _situation_fan(win_by: str, flags: set[str], options: Options) -> list[tuple[str, int]]:
    """The components of how the tile came (rules sections 5.1, 3.2 and 6.1)."""
    found: list[tuple[str, int]] = []
    after_gang = bool(flags & {"after_gang", "after_gang_discard"})
    last_tile = "last_tile" in flags
    if win_by == "self_draw":
        if after_gang:
            found.append(("gang_shang_hua", 1))
        as_dianpao = after_gang and "direct_gang" in flags and options["direct_gang_flower"] == "dianpao"
        if options["zimo"] == "fan" and not as_dianpao:
            found.append(("zi_mo", 1))
        if last_tile and options["hai_di"] in ("both", "self_draw"):
            found.append(("hai_di", 1))
    elif win_by == "discard":
        if after_gang:
            found.append(("gang_shang_pao", 1))
        if last_tile and options["hai_di"] in ("both", "discard"):
            found.append(("hai_di", 1))
    else:
        found.append(("qiang_gang", 1))
        if after_gang and options["rob_after_gang_counts_both"]:
            found.append(("gang_shang_pao", 1))
    return found


def _heaven_or_earth(win_by: str, flags: set[str], options: Options) -> str | None:
    """tian_hu or di_hu, if the win is one (rules section 5.1, details 6 and 22)."""
    if not options["tian_di"] or options["mode"] == "xueliu":
        return None
    first_turn = "first_turn" in flags
    if "tian_hu" in flags or (first_turn and "dealer" in flags and win_by == "self_draw"):
        return "tian_hu"
    if "di_hu" in flags or (first_turn and "dealer" not in flags and win_by == "self_draw"):
        return "di_hu"
    if first_turn and win_by == "discard" and options["di_hu"] == "dealer_first_discard":
        return "di_hu"
    return None


def score(
    concealed: Sequence[str],
    melds: Sequence[Meld],
    win_tile: str,
    win_by: str,
    options: Options,
    flags: Iterable[str] = (),
    void: str | None = None,
    fifth_copy: bool = False,
) -> Score:
    """One hand, the winning tile apart, at its best reading (rules sections 4 to 5.4).

    win_by: self_draw | discard | rob_gang.  Flags: after_gang (the win tile is a replacement, or the discard
    or added gang made after one), direct_gang (that replacement was for a direct gang), last_tile,
    first_turn, dealer.
    """
    reason = why_not(concealed, melds, win_tile, void, fifth_copy)
    if reason:
        return Score(False, reason=reason)
    flags = set(flags)
    hand = [*concealed, win_tile]
    tiles = hand + meld_tiles(melds)
    shared = _tiles_fan(tiles, melds, options) + _situation_fan(win_by, flags, options)
    best: list[tuple[str, int]] | None = None
    for reading in readings(hand):
        found = _reading_fan(reading, tiles, melds, win_tile, win_by, options) + shared
        if best is None or sum(fan for _, fan in found) > sum(fan for _, fan in best):
            best = found
    assert best is not None
    fan_raw = sum(fan for _, fan in best)
    patterns = [name for name, _ in best] or ["ping_hu"]
    special = _heaven_or_earth(win_by, flags, options)
    if special and options["tian_di"] >= fan_raw:
        fan_raw, patterns = options["tian_di"], [special]
    return Score(True, tuple(sorted(patterns)), fan_raw, capped(fan_raw, options), value_of(fan_raw, options))


def waits(
    concealed: Sequence[str],
    melds: Sequence[Meld],
    options: Options,
    void: str | None = None,
    seen: Counter[str] | None = None,
) -> list[str]:
    """The kinds this hand waits on by ting_rule (rules section 4.1).

    seen: what the seat sees in all, own hand and melds included (detail 9), for ting_rule=visible.
    """
    hand_count = Counter(concealed)
    own_count = hand_count + Counter(meld_tiles(melds))
    rule = options["ting_rule"]
    count = hand_count if rule == "hand4" else own_count
    if rule == "visible" and seen is not None:
        count = seen
    return [
        kind for kind in KINDS if count[kind] < 4 and why_not(concealed, melds, kind, void, fifth_copy=True) is None
    ]


def structural_fan(
    concealed: Sequence[str], melds: Sequence[Meld], tile: str, options: Options, void: str | None = None
) -> int | None:
    """The fan of winning the tile by discard, without situational fan; None where it does not win."""
    one = score(concealed, melds, tile, "discard", options, (), void, fifth_copy=True)
    return one.fan_raw if one.hu else None


def cha_jiao(
    concealed: Sequence[str],
    melds: Sequence[Meld],
    options: Options,
    void: str | None = None,
    seen: Counter[str] | None = None,
) -> tuple[int, str] | None:
    """(most fan, its tile) over all waits, or None for a hand that is not ready (rules section 7.1)."""
    best = None
    for tile in waits(concealed, melds, options, void, seen):
        fan = structural_fan(concealed, melds, tile, options, void)
        if fan is not None and (best is None or fan > best[0]):
            best = (fan, tile)
    return best


# --- passing a win ------------------------------------------------------------------------------------------


@dataclass
class PassLock:
    """What a seat passed since the last release (rules sections 3.3 and 9.1, details 20 and 21)."""

    rule: str
    fan: int | None = None
    kinds: set[str | None] = field(default_factory=set)

    def allows(self, fan: int, kind: str | None = None) -> bool:
        if self.fan is None or self.rule == "none":
            return True
        if self.rule == "strict":
            return False
        if self.rule == "same_tile":
            return kind not in self.kinds
        return fan > self.fan

    def passed(self, fan: int, kind: str | None = None) -> None:
        # The maximum is kept: passing 3 and then 1 still blocks 3.
        self.fan = fan if self.fan is None else max(self.fan, fan)
        self.kinds.add(kind)

    def release(self) -> None:
        self.fan = None
        self.kinds.clear()


# --- small rules of procedure -------------------------------------------------------------------------------


def seats_after(seat: int) -> list[int]:
    return [(seat + step) % 4 for step in (1, 2, 3)]


def next_seat(shooter: int, winners: Iterable[int], out: Iterable[int] = ()) -> int:
    """Who draws after a win on shooter's tile (rules section 3).

    out: the seats that play no more, in xuezhan the new winners among them.  After a self-draw, or when
    nobody won, shooter stands for the seat itself and winners is just that seat.
    """
    winners = set(winners)
    last = [seat for seat in [shooter, *seats_after(shooter)] if seat in winners][-1]
    return next(seat for seat in [*seats_after(last), last] if seat not in set(out))


def discards_of(hand: Sequence[str], void: str | None, options: Options) -> list[str]:
    """The kinds that may be discarded (rules section 2.2)."""
    if options["void_first"] and any(suit(tile) == void for tile in hand):
        hand = [tile for tile in hand if suit(tile) == void]
    return sorted(set(hand), key=order)


def may_gang(tile: str, void: str | None, wall_left: int, after_peng: bool = False) -> bool:
    """What every gang needs beside its tiles (rules sections 2.2, 3 and 3.1)."""
    return wall_left >= 1 and not after_peng and suit(tile) != void


def swap_choices(hand: Sequence[str], picked: Sequence[str], options: Options) -> list[str]:
    """The kinds for the next pick of the exchange (rules sections 2.1 and 9.1)."""
    left = without(hand, *picked)
    if options["exchange_same_suit"]:
        if picked:
            left = [tile for tile in left if suit(tile) == suit(picked[0])]
        else:
            left = [tile for tile in left if sum(suit(other) == suit(tile) for other in hand) >= 3]
    return sorted(set(left), key=order)


# --- money --------------------------------------------------------------------------------------------------


@dataclass
class Gang:
    """One gang and who paid what for it."""

    seat: int
    kind: str
    paid: dict[int, int]
    feeder: int | None = None
    moved: bool = False


class Ledger:
    """All payments of a hand: gangs, wins, the wall's end (rules sections 3.1, 6 and 7)."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.points = [0, 0, 0, 0]
        self.won: list[int] = []
        self.gangs: list[Gang] = []

    def pay(self, payer: int, receiver: int, amount: int) -> None:
        self.points[payer] -= amount
        self.points[receiver] += amount

    def payers(self, seat: int) -> list[int]:
        """Everybody else; who has won in xuezhan pays no more (rules sections 6.1 and 8)."""
        xueliu = self.options["mode"] == "xueliu"
        return [other for other in seats_after(seat) if xueliu or other not in self.won]

    def gang(self, seat: int, kind: str, feeder: int | None = None, fresh: bool = True) -> Gang:
        """rules section 3.1."""
        if kind == "gang":
            assert feeder is not None
            paid = dict.fromkeys(self.payers(seat), self.options["direct_gang_others"])
            paid[feeder] = 2
        elif kind == "an_gang":
            paid = dict.fromkeys(self.payers(seat), 2)
        else:
            each = 1 if fresh else self.options["stale_added_gang_pays"]
            paid = dict.fromkeys(self.payers(seat), each)
        for payer, amount in paid.items():
            self.pay(payer, seat, amount)
        gang = Gang(seat, kind, paid, feeder)
        self.gangs.append(gang)
        return gang

    def self_draw(self, seat: int, fan: int, direct_feeder: int | None = None) -> None:
        """rules section 6.1; direct_feeder: who fed the direct gang whose replacement won (detail 19)."""
        value = value_of(fan, self.options)
        if direct_feeder is not None and self.options["direct_gang_flower"] == "dianpao":
            self.pay(direct_feeder, seat, value)
        else:
            extra = 1 if self.options["zimo"] == "base" else 0
            for payer in self.payers(seat):
                self.pay(payer, seat, value + extra)
        self._has_won(seat)

    def win_from(self, shooter: int, fans: dict[int, int], after_gang: Gang | None, robbed: bool) -> None:
        """A discard or added gang won by one or more seats (rules sections 6.1 and 6.2)."""
        winners = [seat for seat in seats_after(shooter) if seat in fans]
        for seat in winners:
            self.pay(shooter, seat, value_of(fans[seat], self.options))
        ruled_out = robbed and not self.options["rob_after_gang_counts_both"]  # detail 13
        if after_gang is not None and not ruled_out:
            self._gang_pao(shooter, winners, after_gang)
        for seat in winners:
            self._has_won(seat)

    def _has_won(self, seat: int) -> None:
        if seat not in self.won:
            self.won.append(seat)

    def _give_back(self, gang: Gang) -> None:
        for payer, amount in gang.paid.items():
            self.pay(gang.seat, payer, amount)
        gang.moved = True

    def _gang_pao(self, shooter: int, winners: list[int], last: Gang) -> None:
        """rules section 6.2, detail 26; winners in order from the shooter."""
        how = self.options["gang_pao"]
        if how == "none" or last.moved:
            return
        if how == "refund":
            self._give_back(last)
            return
        moving = [last]
        if how == "transfer_all":
            moving = [gang for gang in self.gangs if gang.seat == shooter and not gang.moved]
        income = sum(sum(gang.paid.values()) for gang in moving)
        share, rest = divmod(income, len(winners))
        for place, seat in enumerate(winners):
            self.pay(shooter, seat, share + (rest if place == 0 else 0))
        for gang in moving:
            gang.moved = True

    def exhaust(self, states: dict[int, tuple[str, int]]) -> None:
        """The wall's end: pigs, 查大叫, 退税 (rules section 7.1, details 3 and 4).

        states: seat -> (ting | noting | pig_active | pig_passive, most fan), of the seats that are checked;
        in xueliu all four, winners as ting.
        """
        options = self.options
        state = {seat: name for seat, (name, _) in states.items()}
        for seat, name in state.items():
            if name == "pig_passive":
                state[seat] = "noting" if options["passive_pig"] else "pig"
            elif name == "pig_active":
                state[seat] = "pig"
        pigs = [seat for seat in state if state[seat] == "pig"]
        may_receive = [seat for seat in state if seat not in self.won or options["xueliu_winners_receive"]]
        if len(set(state.values())) > 1 or pigs:
            self._pay_pigs(pigs, [seat for seat in may_receive if seat not in pigs])
            payers = [seat for seat in state if state[seat] == "noting"]
            if options["pig_also_jiao"]:
                payers += pigs
            for seat in may_receive:
                if state[seat] == "ting":
                    for payer in payers:
                        self.pay(payer, seat, value_of(states[seat][1], options))
        if options["tui_shui"]:
            for gang in self.gangs:
                if not gang.moved and state.get(gang.seat) in ("noting", "pig"):
                    self._give_back(gang)

    def _pay_pigs(self, pigs: list[int], receivers: list[int]) -> None:
        amount = self.options["pig_amount"]
        if amount == "cap":
            cap = self.options["fan_cap"]
            amount = 2 ** (5 if cap is None else cap)
        for pig in pigs:
            if self.options["pig_to"] == "void":
                self.points[pig] -= amount
            elif self.options["pig_to"] == "all":
                for other in seats_after(pig):
                    self.pay(pig, other, amount)
            else:
                for other in receivers:
                    self.pay(pig, other, amount)


# --- the table ----------------------------------------------------------------------------------------------


@dataclass
class Discard:
    tile: str
    taken: bool = False  # for a meld


@dataclass
class Offer:
    """A discard or added gang on the table, and the answers so far (rules sections 3 and 3.2)."""

    tile: str
    shooter: int
    robbing: bool
    after_gang: Gang | None  # the gang whose replacement the shooter drew last
    last_tile: bool
    dealer_first: bool
    fresh: bool = True  # robbing: the added tile is the one just drawn
    to_ask: list[int] = field(default_factory=list)
    answers: dict[int, str] = field(default_factory=dict)
    scores: dict[int, Score] = field(default_factory=dict)  # seats whose lock lets them win


class Table:
    """One hand of Sichuan mahjong, decision by decision."""

    def __init__(
        self,
        wall: Sequence[str],
        dealer: int = 0,
        preset: str = "sbr2025",
        options: dict[str, Any] | None = None,
        exchange_direction: str | None = None,
    ) -> None:
        if sorted(wall) != FULL_WALL:
            raise ValueError("the wall must hold four tiles of each of the 27 kinds")
        if dealer not in SEATS:
            raise ValueError(f"no such dealer: {dealer!r}")
        self.preset = preset
        self.overrides = dict(options or {})
        self.options = full_options(preset, options)
        self.xueliu = self.options["mode"] == "xueliu"
        self.dealer = dealer
        self.direction = self._direction(exchange_direction)
        self.full_wall = list(wall)
        self.hands: list[list[str]] = [[], [], [], []]
        self.melds: list[list[Meld]] = [[], [], [], []]
        self.discards: list[list[Discard]] = [[], [], [], []]
        self.laid_aside: list[list[str]] = [[], [], [], []]  # self-drawn winning tiles
        self.voids: list[str | None] = [None, None, None, None]
        self.locks = [PassLock(self.options["pass_lock"]) for _ in SEATS]
        self.draws = [0, 0, 0, 0]
        self.ledger = Ledger(self.options)
        self.wins: list[dict[str, Any]] = []  # every win, for the reader
        self.first_win: tuple[list[int], int | None] | None = None  # winners, shooter
        self.actions: list[str] = []
        self.legal_log: list[list[str]] = []
        self.turn = dealer
        self.drawn: str | None = None  # the latest tile drawn in this turn
        self.replacement_of: Gang | None = None  # the gang that drawn replaces
        self.first_turn = True  # the dealer's, on its dealt 14
        self.offer: Offer | None = None
        self.picks: list[list[str]] = [[], [], [], []]
        self.phase = "swap" if self.options["exchange"] else "void" if self.options["dingque"] else "turn"
        self._deal()
        self._legal: list[str] | None = None

    def _direction(self, given: str | None) -> str | None:
        if not self.options["exchange"]:
            return None
        fixed = self.options["exchange_direction"]
        if given is None and fixed != "random":
            given = fixed
        if given not in DIRECTIONS:
            raise ValueError(f"exchange_direction must be one of {sorted(DIRECTIONS)}, not {given!r}")
        if fixed not in ("random", given):
            raise ValueError(f"exchange_direction is {given}, the option says {fixed}")
        return given

    def _deal(self) -> None:
        """Thirteen each from the dealer on, then the dealer's fourteenth (detail 25)."""
        self.wall = list(self.full_wall)
        for seat in [self.dealer, *seats_after(self.dealer)]:
            self.hands[seat] = self.wall[:13]
            del self.wall[:13]
        self.hands[self.dealer].append(self.wall.pop(0))

    # --- what is asked

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    def points(self) -> list[int]:
        return list(self.ledger.points)

    @property
    def to_act(self) -> int | None:
        """rules section 9.2, details 17 and 18."""
        if self.over:
            return None
        if self.phase in ("swap", "void"):
            from_dealer = [self.dealer, *seats_after(self.dealer)]
            if self.phase == "swap":
                return next(seat for seat in from_dealer if len(self.picks[seat]) < 3)
            return next(seat for seat in from_dealer if self.voids[seat] is None)
        if self.offer is not None:
            return self.offer.to_ask[0]
        return self.turn

    def legal(self) -> list[str]:
        """The names of the actions the seat to act may take, sorted."""
        if self._legal is None:
            self._legal = sorted(self._find_legal())
        return list(self._legal)

    def _find_legal(self) -> list[str]:
        seat = self.to_act
        if seat is None:
            return []
        if self.phase == "swap":
            return [f"swap {tile}" for tile in swap_choices(self.hands[seat], self.picks[seat], self.options)]
        if self.phase == "void":
            return [f"void {name}" for name in SUITS]
        if self.offer is not None:
            return self._answers_of(seat)
        if self.phase == "after_peng":
            return self._discard_names(seat)
        if seat in self.ledger.won:
            return self._turn_of_winner(seat)
        return self._turn_of(seat)

    def _discard_names(self, seat: int) -> list[str]:
        return [f"discard {tile}" for tile in discards_of(self.hands[seat], self.voids[seat], self.options)]

    def _turn_of(self, seat: int) -> list[str]:
        """rules sections 2.2 and 3; on the dealer's first turn as well."""
        names = ["hu"] if self._score_own_turn(seat).hu else []
        if names and self._hu_is_forced():
            return names
        hand = self.hands[seat]
        for tile in sorted(set(hand)):
            has_tiles = hand.count(tile) == 4 or ("peng", tile) in self.melds[seat]
            if has_tiles and may_gang(tile, self.voids[seat], len(self.wall)):
                names.append(f"self_gang {tile}")
        return names + self._discard_names(seat)

    def _turn_of_winner(self, seat: int) -> list[str]:
        """A xueliu winner wins at once, or discards or gangs the drawn tile (rules section 8, detail 8)."""
        if self._score_own_turn(seat).hu:
            return ["hu"]
        tile = self.drawn
        assert tile is not None
        names = [f"discard {tile}"]
        before = without(self.hands[seat], tile)
        melds = self.melds[seat]
        if before.count(tile) == 3:
            hand_after, melds_after = without(before, tile, tile, tile), [*melds, ("an_gang", tile)]
        elif ("peng", tile) in melds:
            hand_after = before
            melds_after = [("bu_gang", tile) if meld == ("peng", tile) else meld for meld in melds]
        else:
            return names
        same_waits = self._waits(seat, before, melds) == self._waits(seat, hand_after, melds_after)
        if same_waits and may_gang(tile, self.voids[seat], len(self.wall)):
            names.append(f"self_gang {tile}")
        return names

    def _answers_of(self, seat: int) -> list[str]:
        """What the seat may answer to the tile on offer; ["pass"] alone where it is not asked."""
        offer = self.offer
        assert offer is not None
        names = []
        if seat in offer.scores:
            names.append("hu")
            if self._hu_is_forced():
                return names
        if not offer.robbing and seat not in self.ledger.won and suit(offer.tile) != self.voids[seat]:
            copies = self.hands[seat].count(offer.tile)
            if copies >= 2 and (self.wall or self.options["last_discard_peng"]):
                names.append("peng")
            if copies >= 3 and may_gang(offer.tile, self.voids[seat], len(self.wall)):
                names.append("gang")
        return [*names, "pass"]

    def _hu_is_forced(self) -> bool:
        """detail 7."""
        return self.options["force_hu_last4"] and len(self.wall) <= 4

    # --- scores of the moment

    def _no_melds(self) -> bool:
        return not any(self.melds)

    def _win_tile_of_turn(self, seat: int) -> str:
        """The drawn tile; of the dealt fourteen the highest kind (detail 5)."""
        return self.drawn if self.drawn is not None else max(self.hands[seat], key=order)

    def _score_own_turn(self, seat: int) -> Score:
        """Winning by self-draw now (rules sections 4 to 6.1)."""
        flags = set()
        if self.replacement_of is not None:
            flags.add("after_gang")
            if self.replacement_of.kind == "gang":
                flags.add("direct_gang")
        if not self.wall:
            flags.add("last_tile")
        if seat == self.dealer:
            flags.add("dealer")
            if self.first_turn:
                flags.add("first_turn")
        elif self.draws[seat] == 1 and self._no_melds():
            flags.add("first_turn")  # detail 6
        tile = self._win_tile_of_turn(seat)
        concealed = without(self.hands[seat], tile)
        return score(concealed, self.melds[seat], tile, "self_draw", self.options, flags, self.voids[seat])

    def _score_offer(self, seat: int, offer: Offer) -> Score:
        """Winning the discard or robbing the gang on offer."""
        flags = set()
        if offer.after_gang is not None:
            flags.add("after_gang")
        if offer.last_tile:
            flags.add("last_tile")
        if offer.dealer_first and self._no_melds():
            flags.add("first_turn")
        win_by = "rob_gang" if offer.robbing else "discard"
        hand, melds, void = self.hands[seat], self.melds[seat], self.voids[seat]
        return score(hand, melds, offer.tile, win_by, self.options, flags, void)

    def _seen(self, concealed: Sequence[str], melds: Sequence[Meld], seat: int) -> Counter[str]:
        """What the seat sees with this hand and these melds (detail 9)."""
        seen = Counter(concealed) + Counter(meld_tiles(melds))
        for other in seats_after(seat):
            seen += Counter(meld_tiles(self.melds[other]))
        for pile in self.discards:
            seen += Counter(discard.tile for discard in pile if not discard.taken)
        for tiles in self.laid_aside:
            seen += Counter(tiles)
        return seen

    def _waits(self, seat: int, concealed: Sequence[str], melds: Sequence[Meld]) -> list[str]:
        seen = self._seen(concealed, melds, seat)
        return waits(concealed, melds, self.options, self.voids[seat], seen)

    # --- playing

    def play(self, name: str) -> None:
        """Plays the action for the seat to act; ValueError where it is not legal."""
        legal = self.legal()
        if name not in legal:
            raise ValueError(f"{name!r} is not legal for seat {self.to_act}; legal: {legal}")
        self.actions.append(name)
        self.legal_log.append(legal)
        self._legal = None
        seat = self.to_act
        assert seat is not None
        verb, _, what = name.partition(" ")
        if verb == "swap":
            self._swap(seat, what)
        elif verb == "void":
            self._declare_void(seat, what)
        elif self.offer is not None:
            self._answer(seat, verb)
        elif verb == "hu":
            self._win_by_self_draw(seat)
        elif verb == "self_gang":
            self._self_gang(seat, what)
        else:
            self._discard(seat, what)

    def _swap(self, seat: int, tile: str) -> None:
        """rules section 2.1: all three tiles change at once, after everybody has chosen."""
        self.picks[seat].append(tile)
        if any(len(picks) < 3 for picks in self.picks):
            return
        for giver in SEATS:
            self.hands[giver] = without(self.hands[giver], *self.picks[giver])
        assert self.direction is not None
        for giver in SEATS:
            self.hands[(giver + DIRECTIONS[self.direction]) % 4] += self.picks[giver]
        self.phase = "void" if self.options["dingque"] else "turn"

    def _declare_void(self, seat: int, name: str) -> None:
        """rules section 2.2."""
        self.voids[seat] = name
        if None not in self.voids:
            self.phase = "turn"

    def _draw(self, seat: int, replacing: Gang | None = None) -> None:
        """The seat draws and is on turn; without a wall the hand ends (rules sections 3, 3.1, 3.3, 7)."""
        if not self.wall:
            self._exhaust()
            return
        from_back = replacing is not None and self.options["gang_replacement"] == "back"
        tile = self.wall.pop(-1 if from_back else 0)
        self.hands[seat].append(tile)
        self.draws[seat] += 1
        self.locks[seat].release()
        self.turn, self.drawn, self.replacement_of = seat, tile, replacing
        self.first_turn = False
        self.phase = "turn"

    def _discard(self, seat: int, tile: str) -> None:
        """rules sections 3 and 3.3."""
        self.hands[seat].remove(tile)
        self.discards[seat].append(Discard(tile))
        if seat not in self.ledger.won:
            self._lock_by_own_discard(seat, tile)
        offer = Offer(
            tile=tile,
            shooter=seat,
            robbing=False,
            after_gang=self.replacement_of,
            last_tile=not self.wall,
            dealer_first=seat == self.dealer and len(self.discards[seat]) == 1,
        )
        self._open(offer)

    def _lock_by_own_discard(self, seat: int, tile: str) -> None:
        """rules sections 3.3 and 9.1, detail 20."""
        hand, melds, void = self.hands[seat], self.melds[seat], self.voids[seat]
        if self.phase == "after_peng" and not self._waits(seat, hand, melds):
            self.locks[seat].release()
        fan = structural_fan(hand, melds, tile, self.options, void)
        if fan is not None:
            self.locks[seat].passed(fan, tile)

    def _self_gang(self, seat: int, tile: str) -> None:
        """rules sections 3.1 and 3.2: an added gang can be robbed, a concealed one cannot."""
        if ("peng", tile) not in self.melds[seat]:
            self.hands[seat] = without(self.hands[seat], tile, tile, tile, tile)
            self.melds[seat].append(("an_gang", tile))
            self._draw(seat, self.ledger.gang(seat, "an_gang"))
            return
        offer = Offer(
            tile=tile,
            shooter=seat,
            robbing=True,
            after_gang=self.replacement_of,
            last_tile=False,
            dealer_first=False,
            fresh=tile == self.drawn,
        )
        self._open(offer)

    def _open(self, offer: Offer) -> None:
        """Finds who is asked about the tile, from the seat after the shooter (detail 17)."""
        self.offer = offer
        self.phase = "rob" if offer.robbing else "claim"
        for seat in seats_after(offer.shooter):
            if seat in self.ledger.won and not self.xueliu:
                continue
            result = self._score_offer(seat, offer)
            # A xueliu winner has no lock (rules section 9.1).
            unlocked = seat in self.ledger.won or self.locks[seat].allows(result.fan_raw, offer.tile)
            if result.hu and unlocked:
                offer.scores[seat] = result
            if self._answers_of(seat) != ["pass"]:
                offer.to_ask.append(seat)
        if not offer.to_ask:
            self._settle_offer()

    def _answer(self, seat: int, verb: str) -> None:
        offer = self.offer
        assert offer is not None
        offer.answers[seat] = verb
        offer.to_ask.remove(seat)
        if seat in offer.scores and verb != "hu" and seat not in self.ledger.won:
            self.locks[seat].passed(offer.scores[seat].fan_raw, offer.tile)
        if "hu" in offer.answers.values():
            offer.to_ask = [other for other in offer.to_ask if other in offer.scores]
        if not offer.to_ask:
            self._settle_offer()

    def _settle_offer(self) -> None:
        """Any hu comes before gang and peng, and every hu wins (rules section 3)."""
        offer = self.offer
        assert offer is not None
        self.offer = None
        winners = [seat for seat in seats_after(offer.shooter) if offer.answers.get(seat) == "hu"]
        callers = [seat for seat, verb in offer.answers.items() if verb in ("peng", "gang")]
        if winners:
            self._win_offer(offer, winners)
        elif offer.robbing:
            self._add_gang(offer)
        elif callers:
            (caller,) = callers
            self._call(caller, offer, offer.answers[caller])
        else:
            self._draw(self._next_live(offer.shooter))

    def _next_live(self, seat: int) -> int:
        return next_seat(seat, [seat], self._out())

    def _out(self) -> list[int]:
        return [] if self.xueliu else self.ledger.won

    def _add_gang(self, offer: Offer) -> None:
        """An added gang nobody robbed stands and is paid (rules section 3.1)."""
        seat, tile = offer.shooter, offer.tile
        self.hands[seat].remove(tile)
        self.melds[seat][self.melds[seat].index(("peng", tile))] = ("bu_gang", tile)
        self._draw(seat, self.ledger.gang(seat, "bu_gang", fresh=offer.fresh))

    def _call(self, seat: int, offer: Offer, verb: str) -> None:
        """peng: discard next, without drawing; gang: pays, then a replacement (rules sections 3 and 3.1)."""
        copies = 2 if verb == "peng" else 3
        self.hands[seat] = without(self.hands[seat], *[offer.tile] * copies)
        self.melds[seat].append((verb, offer.tile))
        self.discards[offer.shooter][-1].taken = True
        if self.options["pass_lock_release"] == "draw_or_call":
            self.locks[seat].release()
        if verb == "gang":
            self._draw(seat, self.ledger.gang(seat, "gang", feeder=offer.shooter))
            return
        self.turn, self.drawn, self.replacement_of, self.first_turn = seat, None, None, False
        self.phase = "after_peng"

    # --- wins and the end

    def _win_by_self_draw(self, seat: int) -> None:
        """The tile leaves the hand, the thirteen stay (rules sections 3, 6.1 and 8)."""
        result = self._score_own_turn(seat)
        tile = self._win_tile_of_turn(seat)
        self.hands[seat].remove(tile)
        self.laid_aside[seat].append(tile)
        gang = self.replacement_of
        feeder = gang.feeder if gang is not None else None
        self.ledger.self_draw(seat, result.fan_raw, feeder)
        self._note_win([seat], None, tile, {seat: result})
        self._go_on_after_win(seat, [seat])

    def _win_offer(self, offer: Offer, winners: list[int]) -> None:
        """Wins on a discard or by robbing (rules sections 3, 3.2, 6.1 and 6.2)."""
        if offer.robbing:
            # The gang does not exist: its tile is the declarer's discard (detail 12).
            self.hands[offer.shooter].remove(offer.tile)
            self.discards[offer.shooter].append(Discard(offer.tile))
        fans = {seat: offer.scores[seat].fan_raw for seat in winners}
        self.ledger.win_from(offer.shooter, fans, offer.after_gang, offer.robbing)
        self._note_win(winners, offer.shooter, offer.tile, offer.scores)
        self._go_on_after_win(offer.shooter, winners)

    def _note_win(self, winners: list[int], shooter: int | None, tile: str, scores: dict[int, Score]) -> None:
        if self.first_win is None:
            self.first_win = (winners, shooter)
        for seat in winners:
            self.wins.append({"seat": seat, "from": shooter, "tile": tile, "score": scores[seat]})

    def _go_on_after_win(self, shooter: int, winners: list[int]) -> None:
        """The hand ends with three winners in xuezhan; else the next seat draws (rules sections 3 and 7)."""
        if not self.xueliu and len(self.ledger.won) >= 3:
            self.phase = "over"
            return
        self._draw(next_seat(shooter, winners, self._out()))

    def _exhaust(self) -> None:
        """rules section 7.1 and, for xueliu, section 8."""
        checked = [seat for seat in SEATS if self.xueliu or seat not in self.ledger.won]
        self.ledger.exhaust({seat: self._state_at_end(seat) for seat in checked})
        self.phase = "over"

    def _state_at_end(self, seat: int) -> tuple[str, int]:
        """(ting | noting | pig_active | pig_passive, most fan); details 15 and 16."""
        hand, melds, void = self.hands[seat], self.melds[seat], self.voids[seat]
        best = cha_jiao(hand, melds, self.options, void, self._seen(hand, melds, seat))
        if seat in self.ledger.won:
            return "ting", best[0] if best else 0
        suits = {suit(tile) for tile in hand + meld_tiles(melds)}
        if self.options["dingque"] and void in suits:
            passive = all(suit(discard.tile) == void for discard in self.discards[seat])
            return ("pig_passive" if passive else "pig_active"), 0
        if not self.options["dingque"] and len(suits) == 3:
            return "pig_active", 0
        return ("ting", best[0]) if best else ("noting", 0)

    @property
    def next_dealer(self) -> int | None:
        """rules section 1; None before the end."""
        if not self.over:
            return None
        if self.first_win is None:
            goes_on = self.options["dealer_rule"] == "first_winner_or_next"
            return (self.dealer + 1) % 4 if goes_on else self.dealer
        winners, shooter = self.first_win
        if len(winners) == 1:
            return winners[0]
        return shooter

    # --- records and messages

    def record(self) -> dict[str, Any]:
        """What replay() takes."""
        record: dict[str, Any] = {
            "variant": "sichuan",
            "version": 1,
            "preset": self.preset,
            "options": dict(self.overrides),
            "dealer": self.dealer,
            "wall": list(self.full_wall),
            "actions": list(self.actions),
            "legal": [list(legal) for legal in self.legal_log],
            "points": self.points,
            "next_dealer": self.next_dealer,
        }
        if self.direction is not None:
            record["exchange_direction"] = self.direction
        return record

    def tile_count(self) -> int:
        """All tiles on the table; 108 at every moment."""
        piles = sum(1 for pile in self.discards for discard in pile if not discard.taken)
        hands = sum(map(len, self.hands)) + sum(len(meld_tiles(melds)) for melds in self.melds)
        return hands + piles + sum(map(len, self.laid_aside)) + len(self.wall)

    def __str__(self) -> str:
        lines = [f"phase {self.phase}, to act {self.to_act}, wall {len(self.wall)}, points {self.points}"]
        if self.offer is not None:
            offer = self.offer
            lines.append(f"on offer: {offer.tile} of seat {offer.shooter}, answers {offer.answers}")
        else:
            lines.append(f"drawn {self.drawn}, replacement of {self.replacement_of}")
        for seat in SEATS:
            lock = self.locks[seat]
            pile = " ".join(one.tile + ("*" if one.taken else "") for one in self.discards[seat])
            lines.append(
                f"seat {seat}{' (dealer)' if seat == self.dealer else ''}"
                f"{' WON' if seat in self.ledger.won else ''} void {self.voids[seat]}"
                f" hand {' '.join(sorted(self.hands[seat], key=order))}"
                f" | melds {' '.join(f'{kind}:{tile}' for kind, tile in self.melds[seat]) or '-'}"
                f" | discards {pile or '-'}"
                f" | passed fan {lock.fan} {sorted(map(str, lock.kinds))}"
            )
        for win in self.wins:
            lines.append(f"win: {win}")
        return "\n".join(lines)


# --- replay -------------------------------------------------------------------------------------------------


def replay(record: dict[str, Any]) -> None:
    """Plays the record by the rules; Mismatch at the first difference."""
    if record.get("variant") != "sichuan":
        raise Mismatch(f"not a Sichuan record: variant {record.get('variant')!r}")
    try:
        table = Table(
            record["wall"],
            record["dealer"],
            record["preset"],
            record.get("options"),
            record.get("exchange_direction"),
        )
    except ValueError as error:
        raise Mismatch(f"the record cannot be set up: {error}") from error
    actions, given = record["actions"], record.get("legal")
    if given is not None and len(given) != len(actions):
        raise Mismatch(f"{len(actions)} actions, but {len(given)} legal sets")
    for index, action in enumerate(actions):
        if table.over:
            what = f"the hand is over, {len(actions) - index} actions are left"
            raise Mismatch(_tell(table, record, index, what))
        legal = table.legal()
        if given is not None and sorted(given[index]) != legal:
            missing = sorted(set(legal) - set(given[index]))
            extra = sorted(set(given[index]) - set(legal))
            what = f"legal sets differ (action {action!r})\n  by the rules {legal}"
            what += f"\n  in the record {sorted(given[index])}\n  missing {missing}, too many {extra}"
            raise Mismatch(_tell(table, record, index, what))
        if action not in legal:
            raise Mismatch(_tell(table, record, index, f"{action!r} is not legal\n  by the rules {legal}"))
        table.play(action)
    if not table.over:
        what = f"actions are missing; next legal: {table.legal()}"
        raise Mismatch(_tell(table, record, len(actions), what))
    if list(record["points"]) != table.points:
        what = f"points differ: by the rules {table.points}, in the record {list(record['points'])}"
        raise Mismatch(_tell(table, record, len(actions), f"{what}\n  gangs {table.ledger.gangs}"))
    if record.get("next_dealer") is not None and record["next_dealer"] != table.next_dealer:
        what = f"next dealer: by the rules {table.next_dealer}, in the record {record['next_dealer']}"
        raise Mismatch(_tell(table, record, len(actions), what))


def _tell(table: Table, record: dict[str, Any], index: int, what: str) -> str:
    recent = record["actions"][max(0, index - 6) : index]
    head = f"decision {index}, seat {table.to_act}, phase {table.phase}: {what}"
    setting = f"preset {table.preset}, options {table.overrides}, dealer {table.dealer}"
    return f"{head}\n{setting}\nactions just before: {recent}\n{table}"


# --- games for tests ----------------------------------------------------------------------------------------


def random_options(rng: random.Random, share: float = 0.4) -> dict[str, Any]:
    """Overrides for about this share of the options."""
    return {name: rng.choice(values) for name, values in OPTION_VALUES.items() if rng.random() < share}


def likely_action(table: Table, rng: random.Random) -> str:
    """A random action that leans to winning, calling and keeping connected tiles, so that somebody wins."""
    legal = table.legal()
    seat = table.to_act
    assert seat is not None
    if rng.random() < 0.1:
        return rng.choice(legal)
    if "hu" in legal and rng.random() < 0.75:
        return "hu"
    gangs = [name for name in legal if "gang" in name]
    if gangs and rng.random() < 0.8:
        return rng.choice(gangs)
    if "peng" in legal and rng.random() < 0.6:
        return "peng"
    if "pass" in legal:
        return "pass"
    hand = table.hands[seat]
    if table.phase == "void":
        return min(legal, key=lambda name: sum(suit(tile) == name[-1] for tile in hand))

    def worth(name: str) -> float:
        tile = name[-2:]
        near = sum(suit(other) == suit(tile) and abs(rank(other) - rank(tile)) <= 2 for other in hand)
        return near + 2 * hand.count(tile) + rng.random()

    return min((name for name in legal if name != "hu"), key=worth, default="hu")


def random_wall(rng: random.Random, rigged: bool = False) -> list[str]:
    """A shuffled wall; a rigged one deals every seat sets and pairs of two suits, and a few loose tiles."""
    rest = list(FULL_WALL)
    rng.shuffle(rest)
    if not rigged:
        return rest
    dealt = []
    for _ in SEATS:
        hand: list[str] = []
        loose = rng.choice((0, 1, 1, 2, 3))
        own_suits = rng.sample(SUITS, rng.choice((1, 2, 2, 2)))
        for _ in range(200):
            first = rng.choice([tile for tile in KINDS if suit(tile) in own_suits])
            copies = rng.choice((2, 2, 3, 3, 4))
            run = [f"{rank(first) + step}{suit(first)}" for step in range(3)]
            block = rng.choice((run, [first] * copies))
            enough = all(rest.count(tile) >= block.count(tile) for tile in block)
            if enough and len(hand) + len(block) <= 13 - loose:
                hand += block
                rest = without(rest, *block)
        while len(hand) < 13:
            hand.append(rest.pop())
        dealt += hand
    wall = dealt + rest
    _lay_out_luck(wall, rng)
    return wall


def _lay_out_luck(wall: list[str], rng: random.Random) -> None:
    """Brings early winning tiles, and pengs whose added gangs can be robbed, to where they matter."""

    def bring(tile: str, place: int) -> None:
        later = [index for index in range(58, 108) if wall[index] == tile]
        if later:
            wall[place], wall[later[0]] = tile, wall[place]

    options = full_options("online")
    ready = [waits(wall[13 * place : 13 * place + 13], [], options) for place in SEATS]
    for place in SEATS:
        if ready[place] and rng.random() < 0.4:
            bring(rng.choice(ready[place]), rng.choice((52, 53, 54, 55)) if place else 52)
    robber = rng.choice(SEATS)
    if ready[robber]:
        tile = rng.choice(ready[robber])
        feeder, declarer = rng.sample([place for place in SEATS if place != robber], 2)
        for place in (13 * feeder, 13 * declarer, 13 * declarer + 1, rng.randrange(53, 58)):
            bring(tile, place)


def random_game(rng: random.Random, preset: str, options: dict[str, Any] | None = None, rigged: bool = False) -> Table:
    """A fresh table with a shuffled (or rigged) wall."""
    wall = random_wall(rng, rigged)
    fixed = (options or {}).get("exchange_direction", "random")
    direction = rng.choice(sorted(DIRECTIONS)) if fixed == "random" else fixed
    return Table(wall, rng.randrange(4), preset, options, direction)
