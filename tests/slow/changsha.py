"""A slow, plain engine of Changsha mahjong, written from the rules page alone, to check a fast one against.

Nothing here is shared with the package: hands are lists of names, readings are found by plain recursion over all
decompositions, and a hand is one generator that reads from the deal to the payments as the rules tell it: every
`yield` is a question to a seat.  "rules section N" names the section of the rules page a function was written from;
"detail N" is an item of its section 10.2.

How to use it::

    replay(record)                       # raises Mismatch at the first difference
    table = Table(wall, dealer=0, preset="classic_1267", options={"birds": 4}, dice=[3, 5, 1, 1])
    while not table.over:
        table.play(rng.choice(table.legal()))
    table.points, table.next_dealer, table.record(), table.wins
    options = full_options("gs_1266", {"menqing": True})
    score(["5m", "5m", …], [("peng", "9s")], "5m", "discard", options, flags=["last_tile"])
    waits(concealed, melds, options)
    starting_items(hand, options)        # {"四喜": 1, …}
    pay(options, dealer=0, wins={1: 2}, shooter=2, birds=[3, 3])

Where the page is silent (or leaves more than one reading), this engine holds that:

* Dice birds count from the dealer under `bird_origin=dealer`, too; from the declarer under `winner` (detail 23).
* Only 四喜 can be met several times (once for each quad); every other starting item counts once, also when three
  kinds have triplets or two ranks make 三同.
* `liu_liu_shun_exact` is about the starting item; 中途六六顺 takes every two kinds held three or four times.
* A declared starting 六六顺 marks every two kinds of which the starting hand held three or more as declared.
* 天胡 and 地胡 need no 258 pair (`tianhu_need_258`: 天胡 does), whatever `situational_need_258` says; a big shape
  always does.
* `menqing_need_258` is met by a big shape as well; `situational_need_258=false` does not lift it, and neither does
  天胡 with a pair that is no 258.
* 全求人 with `quanqiuren_self_draw=false` counts on a discard, a turned-up tile and a robbing.
* `small_self_draw_only` and `need_open_door` concern hands without any big pattern, a situational one included; a
  robbing that counts as a small win is no self-draw.
* Step d of the turned-up tiles: the claimant is offered the same forms as for a discard, gang and open_gang (3.3).
* A locked seat's gang asks only for unchanged waits and the wall, not for `gang_need_tenpai` again.
* A gang just after a claim may be made in both forms, also with the tile claimed; the replacement then drawn makes it
  an ordinary turn, without `swap_calling_ban`.
* `gang_tiles_claimable=one_chosen`: the tile is named even if nobody could claim any.
* The sea-bottom round is held whenever one tile is left, also with `reserve_haidi_tile=false`.
* A passed step a bars all kinds the turned-up tiles could have won with (`tile_until_draw`); a passed step b likewise.
* `dihu=first_round` looks at melds on the table: any meld of any seat, concealed gangs included, ends it.
* `cap` is applied to each of the three shares of `rob_pays_three`, and so are `plus1_once` and piao.
* A `scoring` given in the options brings the companions of that scoring (detail 19).
* The turn after a passed win on the sea-bottom tile asks nothing: that tile is discarded at once.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .laizi_hands import (
    KINDS,
    SEATS,
    Meld,
    Mismatch,
    meld_tiles,
    order,
    rank,
    run_from,
    runs_with,
    seats_after,
    seats_from,
    seven_pairs,
    splits,
    suit,
    tiles_of,
    without,
)

__all__ = ["Mismatch", "Table", "replay"]

FULL_WALL = sorted(KINDS * 4)
JIANG = (2, 5, 8)  # the ranks of a 将 pair

# rules section 7.1: scoring -> small (discard, self), big per unit (discard, self), companions (detail 19).
_SCORINGS: dict[str, tuple[tuple[int, int], tuple[int, int], dict[str, Any]]] = {
    "classic_1267": (
        (1, 1),
        (6, 6),
        {"dealer_add": "replace_per_unit", "bird_mode": "double", "bird_origin": "dealer", "cap": None, "piao": 0},
    ),
    "gs_1266": (
        (1, 2),
        (6, 6),
        {"dealer_add": "plus1_once", "bird_mode": "linear", "bird_origin": "winner", "cap": None, "piao": 0},
    ),
    "egret_x": (
        (1, 1),
        (6, 3),
        {"dealer_add": "replace_per_unit", "bird_mode": "double", "bird_origin": "dealer", "cap": None, "piao": 0},
    ),
    "flat_2_8": (
        (2, 2),
        (8, 8),
        {"dealer_add": "none", "bird_mode": "double", "bird_origin": "dealer", "cap": None, "piao": 0},
    ),
    "jilai_cap42": (
        (2, 2),
        (7, 7),
        {"dealer_add": "none", "bird_mode": "linear", "bird_origin": "winner", "cap": 42, "piao": 1},
    ),
}
# Every option beside scoring and its companions, with its default (rules section 10).
_DEFAULTS: dict[str, Any] = {
    "birds": 2,
    "si_xi": True,
    "ban_ban_hu": True,
    "que_yi_se": True,
    "liu_liu_shun": True,
    "jie_jie_gao": False,
    "san_tong": False,
    "yi_zhi_hua": "off",
    "jin_tong_yu_nv": False,
    "mid_four": False,
    "mid_six": False,
    "liu_liu_shun_exact": False,
    "starting_wins_each": True,
    "starting_birds": True,
    "gang_reveal_count": 2,
    "gang_tiles_claimable": "all",
    "gang_need_tenpai": "tenpai258",
    "buzhang_win_is_gang_draw": False,
    "rob_buzhang_is_big": True,
    "reserve_haidi_tile": True,
    "haidi_tenpai_only": True,
    "situational_need_258": True,
    "luxury_weights": "1/2/3/4",
    "quanqiuren_self_draw": True,
    "quanqiuren_need_258": False,
    "quanqiuren_concealed_gang": True,
    "menqing": False,
    "menqing_need_258": True,
    "multi_ron": True,
    "pass_hu": "value_until_discard",
    "small_self_draw_only": False,
    "big_only": False,
    "no_chi": False,
    "need_open_door": False,
    "rob_pays_three": False,
    "gang_points": "off",
    "gang_after_claim": True,
    "swap_calling_ban": False,
    "tianhu_need_258": False,
    "chi_on_gang_tiles": True,
    "dihu": "first_discard",
}
# Rule book A's choices beside classic_1267.
_RULEBOOK_A: dict[str, Any] = {
    "rob_buzhang_is_big": False,
    "gang_tiles_claimable": "one_chosen",
    "situational_need_258": False,
    "starting_wins_each": False,
    "dihu": "first_round",
}
PRESETS = [*_SCORINGS, "rulebook_a"]
OPTION_VALUES: dict[str, tuple[Any, ...]] = {
    **{name: (False, True) for name, value in _DEFAULTS.items() if isinstance(value, bool)},
    "scoring": tuple(_SCORINGS),
    "dealer_add": ("replace_per_unit", "plus1_once", "none"),
    "birds": (0, 1, 2, 4, 6),
    "bird_mode": ("double", "linear", "add1", "add2"),
    "bird_origin": ("dealer", "winner"),
    "cap": (None, 21, 42),
    "piao": (0, 1, 2, 3, 4, 5),
    "yi_zhi_hua": ("off", "single_258", "suit", "either"),
    "gang_reveal_count": (1, 2, 3, 4),
    "gang_tiles_claimable": ("all", "one_chosen"),
    "gang_need_tenpai": ("tenpai258", "any258", "none"),
    "luxury_weights": ("1/2/3/4", "1/1/1/1"),
    "pass_hu": ("value_until_discard", "all_until_draw", "tile_until_draw", "none"),
    "gang_points": ("off", "table"),
    "dihu": ("first_discard", "first_round", "off"),
}

Options = dict[str, Any]


def full_options(preset: str = "classic_1267", overrides: dict[str, Any] | None = None) -> Options:
    """The preset with the overrides applied (rules section 10, detail 19)."""
    if preset not in PRESETS:
        raise ValueError(f"unknown preset {preset!r}, not one of {PRESETS}")
    overrides = dict(overrides or {})
    for name, value in overrides.items():
        if name not in OPTION_VALUES:
            raise ValueError(f"unknown option {name!r}")
        a_cap = name == "cap" and isinstance(value, int) and value > 0
        if not a_cap and value not in OPTION_VALUES[name]:
            raise ValueError(f"option {name} cannot be {value!r}; allowed: {OPTION_VALUES[name]}")
    book = preset == "rulebook_a"
    scoring = overrides.get("scoring", "classic_1267" if book else preset)
    companions = _SCORINGS[scoring][2]
    return {"scoring": scoring, **companions, **_DEFAULTS, **(_RULEBOOK_A if book else {}), **overrides}


# --- one hand ---------------------------------------------------------------------------------------------------------

LUXURY = ("七小对", "豪华七小对", "双豪华七小对", "三豪华七小对")
PER_TILE = ("杠上开花", "杠上炮")  # counted once for each turned-up tile that wins


@dataclass(frozen=True)
class Score:
    """What a hand is worth: units of big wins, 0 for a small one (rules section 4)."""

    hu: bool
    patterns: tuple[str, ...] = ()
    units: int = 0
    reason: str | None = None


def weight(pattern: str, options: Options) -> int:
    if pattern in LUXURY:
        return int(options["luxury_weights"].split("/")[LUXURY.index(pattern)])
    return 1


def is_jiang(tile: str) -> bool:
    return rank(tile) in JIANG


def _shape_patterns(hand: list[str], melds: Sequence[Meld], win_by: str, options: Options) -> list[str]:
    """The big patterns of the tiles themselves (rules section 4.2)."""
    found = []
    everything = hand + meld_tiles(melds)
    readings = splits(hand)
    no_chi = all(kind != "chi" for kind, _ in melds)
    if no_chi and any(all(one[0] == one[1] for one in sets) for sets, _ in readings):
        found.append("碰碰胡")
    if all(map(is_jiang, everything)):
        found.append("将将胡")
    pairs = not melds and seven_pairs(hand)
    if len({suit(tile) for tile in everything}) == 1 and (readings or pairs):
        found.append("清一色")
    if len(melds) == 4 and readings:
        right_draw = win_by != "self_draw" or options["quanqiuren_self_draw"]
        right_pair = is_jiang(hand[0]) or not options["quanqiuren_need_258"]
        no_hidden = all(kind != "an_gang" for kind, _ in melds) or options["quanqiuren_concealed_gang"]
        if right_draw and right_pair and no_hidden:
            found.append("全求人")
    if pairs:
        found.append(LUXURY[sum(count == 4 for count in Counter(hand).values())])
    return found


def _situation_patterns(flags: set[str], win_by: str) -> list[str]:
    """The patterns of how the tile came that ask for a 258 pair (rules section 4.2)."""
    found = []
    own = win_by == "self_draw"
    if "last_tile" in flags:
        found.append("海底捞月" if own else "海底炮")
    if "after_gang" in flags and own:
        found.append("杠上开花")
    if "after_gang_discard" in flags and not own:
        found.append("杠上炮")
    if "rob_gang" in flags and not own:
        found.append("抢杠胡")
    return found


def is_closed(melds: Iterable[Meld]) -> bool:
    return all(kind == "an_gang" for kind, _ in melds)


def score(
    concealed: Sequence[str],
    melds: Sequence[Meld],
    win_tile: str,
    win_by: str,
    options: Options,
    flags: Iterable[str] = (),
) -> Score:
    """One hand, the winning tile apart (rules sections 4.1 to 4.3).

    win_by: self_draw | discard | rob_gang.  Flags: tian_hu, di_hu, last_tile, after_gang (a self-draw that counts as
    杠上开花), after_gang_discard (a turned-up tile), rob_gang (a robbing that counts).
    """
    flags = set(flags)
    hand = [*concealed, win_tile]
    if len(hand) + 3 * len(melds) != 14:
        return Score(False, reason="bad_tile_count")
    if max(Counter(hand + meld_tiles(melds)).values()) > 4:
        return Score(False, reason="too_many_copies")
    shape = _shape_patterns(hand, melds, win_by, options)
    readings = splits(hand)
    small = any(is_jiang(pair) for _, pair in readings)
    if not shape and not readings:
        return Score(False, reason="no_structure")
    patterns = list(shape)
    good = bool(shape) or small  # what a situational win asks for
    if good or not options["situational_need_258"]:
        patterns += _situation_patterns(flags, win_by)
    if "tian_hu" in flags and (good or not options["tianhu_need_258"]):
        patterns.append("天胡")
    if "di_hu" in flags:
        patterns.append("地胡")
    if options["menqing"] and win_by == "self_draw" and is_closed(melds):
        if good or not options["menqing_need_258"]:
            patterns.append("门清")
    if patterns:
        return Score(True, tuple(sorted(patterns)), sum(weight(one, options) for one in patterns))
    if not small:
        return Score(False, reason="pair_not_258")
    if options["big_only"]:
        return Score(False, reason="big_only")
    if options["small_self_draw_only"] and win_by != "self_draw":
        return Score(False, reason="small_self_draw_only")
    if options["need_open_door"] and is_closed(melds):
        return Score(False, reason="need_open_door")
    return Score(True, ("平胡",))


def unite(scores: Sequence[Score], options: Options) -> Score:
    """The win on several turned-up tiles at once: patterns once, 杠上开花 and 杠上炮 per tile (detail 4)."""
    patterns = sorted({name for one in scores for name in one.patterns if name not in PER_TILE})
    patterns += [name for one in scores for name in one.patterns if name in PER_TILE]
    if len(patterns) > 1 and "平胡" in patterns:
        patterns.remove("平胡")
    units = sum(weight(name, options) for name in patterns if name != "平胡")
    return Score(True, tuple(sorted(patterns)), units)


def waits(concealed: Sequence[str], melds: Sequence[Meld], options: Options) -> list[str]:
    """The kinds that win by discard or by self-draw, with nothing situational and no 门清 (detail 10)."""
    plain = tuple({**options, "menqing": False}.items())
    return list(_waits(tuple(sorted(concealed)), tuple(melds), plain))


@lru_cache(maxsize=20_000)
def _waits(concealed: tuple[str, ...], melds: tuple[Meld, ...], options: tuple[tuple[str, Any], ...]) -> list[str]:
    held = Counter([*concealed, *meld_tiles(melds)])
    return [
        kind
        for kind in KINDS
        if held[kind] < 4
        and any(score(concealed, melds, kind, how, dict(options)).hu for how in ("discard", "self_draw"))
    ]


# --- starting wins ----------------------------------------------------------------------------------------------------


def _triplet_kinds(hand: Sequence[str]) -> list[str]:
    return sorted((kind for kind, count in Counter(hand).items() if count >= 3), key=order)


def _yi_zhi_hua(hand: Sequence[str], form: str) -> bool:
    """The only 2, 5, 8 of the hand is a 5; or a suit with a single tile, a 5 (rules section 5)."""
    jiang = [tile for tile in hand if is_jiang(tile)]
    single_258 = len(jiang) == 1 and rank(jiang[0]) == 5
    by_suit = [[tile for tile in hand if suit(tile) == one] for one in "mps"]
    lone_five = any(len(tiles) == 1 and rank(tiles[0]) == 5 for tiles in by_suit)
    return {"off": False, "single_258": single_258, "suit": lone_five, "either": single_258 or lone_five}[form]


def starting_items(hand: Sequence[str], options: Options) -> dict[str, int]:
    """The 起手胡 items of 13 or 14 dealt tiles, and how often each is met (rules section 5)."""
    counts = Counter(hand)
    pairs = {kind for kind, count in counts.items() if count >= 2}
    for_six = [kind for kind in _triplet_kinds(hand) if counts[kind] == 3 or not options["liu_liu_shun_exact"]]
    met = {
        "四喜": (options["si_xi"], sum(count == 4 for count in counts.values())),
        "板板胡": (options["ban_ban_hu"], not any(map(is_jiang, hand))),
        "缺一色": (options["que_yi_se"], len({suit(tile) for tile in hand}) < 3),
        "六六顺": (options["liu_liu_shun"], len(for_six) >= 2),
        "节节高": (options["jie_jie_gao"], any(run_from(kind) and set(run_from(kind)) <= pairs for kind in KINDS)),
        "三同": (options["san_tong"], any({f"{one}m", f"{one}p", f"{one}s"} <= pairs for one in range(1, 10))),
        "一枝花": (True, _yi_zhi_hua(hand, options["yi_zhi_hua"])),
        "金童玉女": (options["jin_tong_yu_nv"], {"2p", "2s"} <= pairs),
    }
    return {name: int(times) for name, (on, times) in met.items() if on and times}


Group = tuple[str, ...]  # ("四", kind) or ("六", kind, kind)


def groups_of(hand: Sequence[str], fours: bool, sixes: bool) -> list[Group]:
    """The groups a mid-game item can be declared for, in order: quads, then pairs of triplet kinds (detail 9)."""
    triplets = _triplet_kinds(hand)
    found: list[Group] = [("四", kind) for kind in triplets if hand.count(kind) == 4] if fours else []
    if sixes:
        found += [("六", one, two) for place, one in enumerate(triplets) for two in triplets[place + 1 :]]
    return found


# --- payments ---------------------------------------------------------------------------------------------------------


def bird_seats(ranks: Iterable[int], origin: int) -> list[int]:
    """The seats the birds fall on (rules section 7.3)."""
    return [(origin + one - 1) % 4 for one in ranks]


def share(
    options: Options, winner: int, payer: int, units: int, self_draw: bool, dealer: int, hit: Sequence[int]
) -> int:
    """One payment from payer to winner (rules section 7, detail 22)."""
    small, big, _ = _SCORINGS[options["scoring"]]
    amount = units * big[self_draw] if units else small[self_draw]
    dealer_in = dealer in (winner, payer)
    if dealer_in and options["dealer_add"] == "replace_per_unit":
        amount += max(units, 1)
    birds = sum(seat in (winner, payer) for seat in hit)
    mode = options["bird_mode"]
    if mode == "double":
        amount *= 2**birds
    elif mode == "linear":
        amount *= 1 + birds
    else:
        amount += birds * {"add1": 1, "add2": 2}[mode]
    if options["cap"] is not None:
        amount = min(amount, options["cap"])
    if dealer_in and options["dealer_add"] == "plus1_once":
        amount += 1
    return amount + 2 * int(options["piao"])


def pay(
    options: Options,
    dealer: int,
    wins: dict[int, int],
    shooter: int | None,
    birds: Sequence[int] = (),
    robbed: bool = False,
    origin: int | None = None,
) -> list[int]:
    """The points of seats 0 to 3 for wins (seat -> units) on shooter's tile, or by self-draw (None).

    birds: ranks; robbed: the tile is that of an added gang; origin: the seat the birds count from, if not as the
    options say (details 22 to 25).
    """
    if origin is None:
        origin = dealer
        if options["bird_origin"] == "winner":
            (first, *more) = wins
            origin = shooter if more and shooter is not None else first
    hit = bird_seats(birds, origin)
    points = [0, 0, 0, 0]
    for winner, units in wins.items():
        if shooter is None or (robbed and options["rob_pays_three"]):
            shares = [(payer, share(options, winner, payer, units, True, dealer, hit)) for payer in seats_after(winner)]
        else:
            shares = [(shooter, share(options, winner, shooter, units, False, dealer, hit))]
        for payer, amount in shares:
            points[payer if shooter is None else shooter] -= amount
            points[winner] += amount
    return points


# --- passing a win ----------------------------------------------------------------------------------------------------


@dataclass
class PassBar:
    """What a seat passed since the last release (rules section 8, detail 16)."""

    mode: str
    value: int = -1  # a small win is worth 0
    kinds: set[str] = field(default_factory=set)

    def passed(self, value: int, kinds: Iterable[str]) -> None:
        if self.mode != "none":
            self.value = max(self.value, value)
            self.kinds |= set(kinds)

    def bars_kind(self, kind: str) -> bool:
        return self.mode == "tile_until_draw" and kind in self.kinds

    def bars_value(self, value: int) -> bool:
        if self.mode == "all_until_draw":
            return self.value >= 0
        return self.mode == "value_until_discard" and value <= self.value

    def drew(self) -> None:
        if self.mode != "value_until_discard":
            self._release()

    def discarded(self) -> None:
        if self.mode == "value_until_discard":
            self._release()

    def _release(self) -> None:
        self.value = -1
        self.kinds.clear()


# --- small rules of procedure -----------------------------------------------------------------------------------------

RANKS = {"hu": 4, "gang": 3, "open_gang": 3, "peng": 2, "chi": 1, "pass": 0}
GANG_POINTS = {"gang": 2, "bu_gang": 1, "an_gang": 3}


def claim_rank(name: str) -> int:
    """rules section 1.1: 胡 > 杠 > 碰 > 吃 > 过."""
    return RANKS[name.split()[0]]


def can_replace(wall: int, tiles: int, options: Options) -> bool:
    """Whether so many tiles may be taken from the wall's tail (rules section 3.6, detail 12)."""
    return wall >= tiles + (1 if options["reserve_haidi_tile"] else 0)


def haidi_order(due: int, tenpai: Sequence[bool], tenpai_only: bool) -> list[int]:
    """Who is asked for the sea-bottom tile (rules section 6)."""
    return [seat for seat in seats_from(due) if tenpai[seat] or not tenpai_only]


def chi_names(hand: Sequence[str], tile: str) -> list[str]:
    return [
        f"chi {place}" for place, run in runs_with(tile).items() if all(other in hand for other in without(run, tile))
    ]


# --- the table --------------------------------------------------------------------------------------------------------

Question = tuple[int, str, list[str]]  # seat, phase, the names it may answer
Flow = Generator[Question, str, Any]  # returns the Flow that comes next, or None at the hand's end


class Hand:
    """What a hand of any of these games is: tiles, seats, points, and a flow of questions to the seats."""

    def __init__(self, wall: Sequence[str], dealer: int, full_wall: Sequence[str], options: Options) -> None:
        if sorted(wall) != sorted(full_wall):
            raise ValueError(f"the wall must hold just the {len(full_wall)} tiles of the game")
        if dealer not in SEATS:
            raise ValueError(f"no such dealer: {dealer!r}")
        self.options = options
        self.dealer = dealer
        self.full_wall = list(wall)
        self.hands: list[list[str]] = [[], [], [], []]
        self.melds: list[list[Meld]] = [[], [], [], []]
        self.rivers: list[list[str]] = [[], [], [], []]
        self.bars = [PassBar(options["pass_hu"]) for _ in SEATS]
        self.last_taken: tuple[int, str] = (dealer, wall[52])
        self.drawn_in_front = 0
        self.points = [0, 0, 0, 0]
        self.next_dealer: int | None = None
        self.wins: list[dict[str, Any]] = []
        self.payments: list[str] = []  # in words, for the reader
        self.actions: list[str] = []
        self.legal_log: list[list[str]] = []
        self._deal()

    def _deal(self) -> None:
        """Thirteen each from the dealer on, then the dealer's fourteenth (detail 1)."""
        self.wall = list(self.full_wall)
        for seat in seats_from(self.dealer):
            self.hands[seat] = self.wall[:13]
            del self.wall[:13]
        self.hands[self.dealer].append(self.wall.pop(0))

    def _begin(self, flow: Flow) -> None:
        self._flow = flow
        self._question: Question | None = next(flow)

    @property
    def over(self) -> bool:
        return self._question is None

    @property
    def to_act(self) -> int | None:
        return None if self._question is None else self._question[0]

    @property
    def phase(self) -> str:
        return "over" if self._question is None else self._question[1]

    def legal(self) -> list[str]:
        """The names of the actions the seat to act may take, sorted."""
        return [] if self._question is None else sorted(self._question[2])

    def play(self, name: str) -> None:
        """Plays the action for the seat to act; ValueError where it is not legal."""
        legal = self.legal()
        if name not in legal:
            raise ValueError(f"{name!r} is not legal for seat {self.to_act}; legal: {legal}")
        self.actions.append(name)
        self.legal_log.append(legal)
        try:
            self._question = self._flow.send(name)
        except StopIteration:
            self._question = None

    def rearrange(self, tile: str, place: int) -> None:
        """Swaps an undrawn copy of the tile, if there is one, into this place of what is left of the wall."""
        if tile in self.wall and -len(self.wall) <= place < len(self.wall):
            start = 53 + self.drawn_in_front
            one, other = self.wall.index(tile), place % len(self.wall)
            for tiles, first in ((self.wall, 0), (self.full_wall, start)):
                tiles[first + one], tiles[first + other] = tiles[first + other], tiles[first + one]

    def _take(self, seat: int, place: int) -> str:
        tile = self.wall.pop(place)
        self.drawn_in_front += place == 0
        self.last_taken = (seat, tile)
        return tile

    def _add_to_peng(self, seat: int, tile: str) -> None:
        self.melds[seat][self.melds[seat].index(("peng", tile))] = ("bu_gang", tile)

    def _add(self, points: Sequence[int], what: str) -> None:
        self.points = [old + new for old, new in zip(self.points, points, strict=True)]
        self.payments.append(f"{what}: {list(points)}")

    # --- asking for claims

    def _ask(
        self,
        phase: str,
        shooter: int,
        tiles: Sequence[str],
        wins: dict[int, tuple[Score, list[str]] | None],
        claims: Callable[[int], list[str]],
    ) -> Generator[Question, str, dict[int, str]]:
        """The answers of those asked, from the seat after the shooter on (detail 3)."""
        answers: dict[int, str] = {}
        best = 0
        for seat in seats_after(shooter):
            win = wins[seat]
            names = (["hu"] if win else []) + claims(seat)
            possible = max(map(claim_rank, names), default=0)
            another_winner = best == possible == RANKS["hu"] and self.options["multi_ron"]
            if possible <= best and not another_winner:
                continue
            answers[seat] = yield seat, phase, [*names, "pass"]
            best = max(best, claim_rank(answers[seat]))
            if win is not None and answers[seat] != "hu":
                self.bars[seat].passed(win[0].units, win[1])
        return answers

    def _winners(
        self, shooter: int, answers: dict[int, str], wins: dict[int, tuple[Score, list[str]] | None]
    ) -> dict[int, Score]:
        found = {}
        for seat in seats_after(shooter):
            win = wins[seat]
            if win is not None and answers.get(seat) == "hu":
                found[seat] = win[0]
        return found


class Table(Hand):
    """One hand of Changsha mahjong, decision by decision."""

    def __init__(
        self,
        wall: Sequence[str],
        dealer: int = 0,
        preset: str = "classic_1267",
        options: dict[str, Any] | None = None,
        dice: Sequence[int] | None = None,
    ) -> None:
        if any(face not in range(1, 7) for face in dice or ()):
            raise ValueError(f"dice have faces 1 to 6, not {dice!r}")
        super().__init__(wall, dealer, FULL_WALL, full_options(preset, options))
        self.preset = preset
        self.overrides = dict(options or {})
        self.dice = list(dice or ())
        self.thrown: list[int] = []
        self.turned: list[str] = []  # turned-up tiles not yet in a river or a meld
        self.birds: list[str] = []
        self.locked: list[list[str] | None] = [None, None, None, None]  # the waits of a hand locked by 开杠
        self.declared: list[set[Group]] = [set(), set(), set(), set()]
        self.has_discarded = [False, False, False, False]
        self.anything_turned = False
        self._begin(self._hand())

    def copy(self) -> Table:
        """The same position anew."""
        twin = Table(self.full_wall, self.dealer, self.preset, self.overrides, [*self.thrown, *self.dice])
        for name in self.actions:
            twin.play(name)
        return twin

    # --- the hand, phase by phase (rules section 9.1)

    def _hand(self) -> Flow:
        yield from self._starting_wins()
        step: Flow | None = self._turn(self.dealer, self.hands[self.dealer][-1], "dealt")
        while step is not None:
            step = yield from step

    def _starting_wins(self) -> Flow:
        """One yes or no per seat for all its items; one throw of dice per declarer (rules section 5, 10.1)."""
        for seat in seats_from(self.dealer):
            items = starting_items(self.hands[seat], self.options)
            if not items:
                continue
            answer = yield seat, "start", ["declare", "pass"]
            if answer == "pass":
                continue
            birds = self._throw()
            times = sum(items.values()) if self.options["starting_wins_each"] else 1
            for _ in range(times):
                self._pay_item(seat, " ".join(items), birds)
            self.declared[seat] |= set(groups_of(self.hands[seat], "四喜" in items, "六六顺" in items))

    def _turn(self, seat: int, drawn: str | None, how: str) -> Flow:
        """A seat's own turn; how: dealt | draw | replacement | after_claim (drawn is then the tile claimed)."""
        while True:
            answer = yield seat, how, self._turn_names(seat, drawn, how)
            verb, _, tile = answer.partition(" ")
            if verb != "declare":
                break
            self._declare_group(seat)
        if verb == "hu":
            assert drawn is not None
            return self._won({seat: self._score_turn(seat, how)}, None)
        if verb == "discard":
            return self._discard(seat, tile)
        return self._own_gang(seat, tile, opened=verb == "open_self_gang")

    def _discard(self, seat: int, tile: str) -> Flow:
        """A discard, and whoever claims it (rules section 1.1, details 2 and 3)."""
        earth = self._dihu_on_discard(seat)
        self.hands[seat].remove(tile)
        self.rivers[seat].append(tile)
        self.bars[seat].discarded()
        self.has_discarded[seat] = True
        wins = {}
        for other in seats_after(seat):
            flags = {"di_hu"} if earth or self._first_round(other) else set()
            wins[other] = self._win_on(other, [tile], "discard", flags)
        answers = yield from self._ask("claim", seat, [tile], wins, lambda one: self._claim_names(one, tile, seat))
        winners = self._winners(seat, answers, wins)
        if winners:
            return self._won(winners, seat)
        claimant = max(answers, key=lambda one: claim_rank(answers[one]), default=None)
        if claimant is not None and claim_rank(answers[claimant]):
            self.rivers[seat].pop()
            return self._claim(claimant, tile, answers[claimant])
        return self._next_draw(seat)

    def _claim(self, seat: int, tile: str, answer: str) -> Flow:
        """Makes the meld; then a discard, a replacement, or tiles turned up."""
        verb, _, place = answer.partition(" ")
        if verb == "chi":
            run = runs_with(tile)[place]
            self.hands[seat] = without(self.hands[seat], *without(run, tile))
            self.melds[seat].append(("chi", run[0]))
            return self._turn(seat, tile, "after_claim")
        if verb == "peng":
            self.hands[seat] = without(self.hands[seat], tile, tile)
            self.melds[seat].append(("peng", tile))
            return self._turn(seat, tile, "after_claim")
        self.hands[seat] = without(self.hands[seat], tile, tile, tile)
        self.melds[seat].append(("gang", tile))
        return self._after_gang(seat, "gang", opened=verb == "open_gang")

    def _own_gang(self, seat: int, tile: str, opened: bool) -> Flow:
        """A concealed gang, or an added one, which can be robbed first (rules sections 2 and 3.5)."""
        if self.hands[seat].count(tile) == 4:
            self.hands[seat] = without(self.hands[seat], tile, tile, tile, tile)
            self.melds[seat].append(("an_gang", tile))
            return self._after_gang(seat, "an_gang", opened)
        flags = {"rob_gang"} if opened or self.options["rob_buzhang_is_big"] else set()
        wins = {other: self._win_on(other, [tile], "rob_gang", flags) for other in seats_after(seat)}
        answers = yield from self._ask("rob", seat, [tile], wins, lambda _: [])
        winners = self._winners(seat, answers, wins)
        self.hands[seat].remove(tile)
        if winners:
            self.rivers[seat].append(tile)  # It counts as discarded; the peng stays.
            return self._won(winners, seat, robbed=True)
        self._add_to_peng(seat, tile)
        return self._after_gang(seat, "bu_gang", opened)

    def _after_gang(self, seat: int, kind: str, opened: bool) -> Flow:
        """The gang stands: paid if it pays, then 补张 or 开杠 (rules sections 3.1, 3.2 and 3.7)."""
        self._pay_gang(seat, kind)
        if opened:
            return self._turned_up(seat)
        tile = self._take(seat, -1)
        self.hands[seat].append(tile)
        self.bars[seat].drew()
        return self._turn(seat, tile, "replacement")

    def _turned_up(self, seat: int) -> Flow:
        """开杠: tiles are turned up, and steps a to e of rules section 3.2."""
        if self.locked[seat] is None:
            self.locked[seat] = self._waits(seat)
        self.turned = [self._take(seat, -1) for _ in range(self.options["gang_reveal_count"])]
        self.anything_turned = True

        # a. The gang player wins.
        own = self._win_on(seat, self.turned, "self_draw", {"after_gang"})
        if own is not None:
            answer = yield seat, "flower", ["hu", "pass"]
            if answer == "hu":
                return self._won({seat: own[0]}, None)
            self.bars[seat].passed(own[0].units, own[1])

        # b. Others win.
        wins = {
            other: self._win_on(other, self.turned, "discard", {"after_gang_discard"}) for other in seats_after(seat)
        }
        answers = yield from self._ask("fire", seat, self.turned, wins, lambda _: [])
        winners = self._winners(seat, answers, wins)
        if winners:
            return self._won(winners, seat)
        open_to_all = list(dict.fromkeys(self.turned))
        if self.options["gang_tiles_claimable"] == "one_chosen":
            if len(open_to_all) > 1:
                answer = yield seat, "choose", [f"discard {tile}" for tile in open_to_all]
                open_to_all = [answer.partition(" ")[2]]

        # c. The gang player makes a gang with one of the tiles.
        again = self._again_names(seat)
        if again:
            answer = yield seat, "again", [*again, "pass"]
            if answer != "pass":
                tile = answer.partition(" ")[2]
                self.turned.remove(tile)
                self._turned_to_river(seat)
                if ("peng", tile) in self.melds[seat]:
                    self._add_to_peng(seat, tile)
                    return self._after_gang(seat, "bu_gang", opened=True)
                self.hands[seat] = without(self.hands[seat], tile, tile, tile)
                self.melds[seat].append(("an_gang", tile))
                return self._after_gang(seat, "an_gang", opened=True)

        # d. Others claim at most one tile.
        best: tuple[int, str, str] | None = None
        for other in seats_after(seat):
            for tile in open_to_all:
                names = self._claim_names(other, tile, seat, turned=True)
                least = claim_rank(best[2]) if best else 0
                if max(map(claim_rank, names), default=0) <= least:
                    continue
                answer = yield other, "turned", [*names, "pass"]
                if answer != "pass":
                    if claim_rank(answer) > least:
                        best = (other, tile, answer)
                    break
        if best is not None:
            claimant, tile, answer = best
            self.turned.remove(tile)
            self._turned_to_river(seat)
            return self._claim(claimant, tile, answer)

        # e. Nobody.
        self._turned_to_river(seat)
        return self._next_draw(seat)

    def _turned_to_river(self, seat: int) -> None:
        self.rivers[seat] += self.turned
        self.turned = []

    def _next_draw(self, seat: int) -> Flow | None:
        """The seat after this one is due to draw (rules section 6, detail 12)."""
        due = (seat + 1) % 4
        if not self.wall:
            self.next_dealer = self.last_taken[0]
            return None
        if len(self.wall) == 1:
            return self._sea_bottom(due)
        tile = self._take(due, 0)
        self.hands[due].append(tile)
        self.bars[due].drew()
        return self._turn(due, tile, "draw")

    def _sea_bottom(self, due: int) -> Flow:
        """要海底 (rules section 6, detail 8)."""
        tenpai = [bool(self._waits(seat)) for seat in SEATS]
        for seat in haidi_order(due, tenpai, self.options["haidi_tenpai_only"]):
            answer = yield seat, "haidi", ["take", "pass"]
            if answer == "take":
                return self._take_sea_bottom(seat)
        self.next_dealer = due
        return None

    def _take_sea_bottom(self, seat: int) -> Flow:
        tile = self._take(seat, 0)
        own = self._win_on(seat, [tile], "self_draw", {"last_tile"})
        self.hands[seat].append(tile)
        self.bars[seat].drew()
        if own is not None:
            answer = yield seat, "haidi_hu", ["hu", "pass"]
            if answer == "hu":
                return self._won({seat: own[0]}, None)
        self.hands[seat].remove(tile)
        self.rivers[seat].append(tile)
        self.bars[seat].discarded()
        wins = {other: self._win_on(other, [tile], "discard", {"last_tile"}) for other in seats_after(seat)}
        answers = yield from self._ask("haidi_claim", seat, [tile], wins, lambda _: [])
        winners = self._winners(seat, answers, wins)
        if winners:
            return self._won(winners, seat)
        self.next_dealer = seat
        return None

    # --- what a seat may do

    def _turn_names(self, seat: int, drawn: str | None, how: str) -> list[str]:
        names = []
        if how != "after_claim" and self._score_turn(seat, how).hu:
            names.append("hu")
        if how == "draw" and self._open_groups(seat):
            names.append("declare")
        hand = self.hands[seat]
        if self.locked[seat] is not None:
            assert drawn is not None
            return names + self._own_gang_names(seat, [drawn]) + [f"discard {drawn}"]
        if how != "after_claim" or self.options["gang_after_claim"]:
            names += self._own_gang_names(seat, sorted(set(hand)))
        allowed = set(hand)
        if how == "after_claim" and self.options["swap_calling_ban"] and allowed != {drawn}:  # detail 14
            allowed.discard(str(drawn))
        return names + [f"discard {tile}" for tile in allowed]

    def _own_gang_names(self, seat: int, tiles: Sequence[str]) -> list[str]:
        """Concealed and added gangs with these kinds, in both forms (rules section 3.3)."""
        hand, melds, names = self.hands[seat], self.melds[seat], []
        for tile in tiles:
            if hand.count(tile) == 4:
                left, after = without(hand, tile, tile, tile, tile), [*melds, ("an_gang", tile)]
            elif ("peng", tile) in melds:
                left, after = without(hand, tile), _with_added(melds, tile)
            else:
                continue
            if self.locked[seat] is None and can_replace(len(self.wall), 1, self.options):
                names.append(f"self_gang {tile}")
            if self._may_open(seat, left, after):
                names.append(f"open_self_gang {tile}")
        return names

    def _again_names(self, seat: int) -> list[str]:
        """Gangs with a turned-up tile (rules section 3.2, step c; detail 6)."""
        hand, melds, names = self.hands[seat], self.melds[seat], []
        for tile in dict.fromkeys(self.turned):
            if hand.count(tile) == 3:
                left, after = without(hand, tile, tile, tile), [*melds, ("an_gang", tile)]
            elif ("peng", tile) in melds:
                left, after = list(hand), _with_added(melds, tile)
            else:
                continue
            if self._may_open(seat, left, after):
                names.append(f"open_self_gang {tile}")
        return names

    def _claim_names(self, seat: int, tile: str, shooter: int, turned: bool = False) -> list[str]:
        """What the seat may claim the tile for, short of hu (rules sections 1.1, 3.2.5 and 3.3)."""
        hand, free, names = self.hands[seat], self.locked[seat] is None, []
        copies = hand.count(tile)
        if copies >= 3:
            if free and can_replace(len(self.wall), 1, self.options):
                names.append("gang")
            if self._may_open(seat, without(hand, tile, tile, tile), [*self.melds[seat], ("gang", tile)]):
                names.append("open_gang")
        if copies >= 2 and free:
            names.append("peng")
        chi_allowed = not self.options["no_chi"] and (not turned or self.options["chi_on_gang_tiles"])
        if free and chi_allowed and seat == (shooter + 1) % 4:
            names += chi_names(hand, tile)
        return names

    def _may_open(self, seat: int, left: Sequence[str], after: Sequence[Meld]) -> bool:
        """Whether 开杠 is allowed that leaves these tiles and melds (rules section 3.2, details 10 and 11)."""
        if not can_replace(len(self.wall), self.options["gang_reveal_count"], self.options):
            return False
        locked, need = self.locked[seat], self.options["gang_need_tenpai"]
        if locked is not None:
            return waits(left, after, self.options) == locked
        if need == "none":
            return True
        if need == "any258":
            return any(map(is_jiang, left))
        return bool(waits(left, after, self.options))

    def _open_groups(self, seat: int) -> list[Group]:
        groups = groups_of(self.hands[seat], self.options["mid_four"], self.options["mid_six"])
        return [group for group in groups if group not in self.declared[seat]]

    def _waits(self, seat: int) -> list[str]:
        return waits(self.hands[seat], self.melds[seat], self.options)

    # --- scores of the moment

    def _first_round(self, seat: int) -> bool:
        """detail 15, first_round."""
        asked = self.options["dihu"] == "first_round"
        return asked and seat != self.dealer and not self.has_discarded[seat] and not any(self.melds)

    def _dihu_on_discard(self, seat: int) -> bool:
        """detail 15, first_discard: the discard about to be made is the first of the hand."""
        asked = self.options["dihu"] == "first_discard"
        return asked and seat == self.dealer and not any(self.has_discarded) and not self.anything_turned

    def _score_turn(self, seat: int, how: str) -> Score:
        """Winning with the tiles of one's own turn."""
        flags = set()
        if how == "dealt":
            flags.add("tian_hu")
        if how == "replacement" and self.options["buzhang_win_is_gang_draw"]:
            flags.add("after_gang")
        if self._first_round(seat):
            flags.add("di_hu")
        hand = self.hands[seat]
        return score(hand[:-1], self.melds[seat], hand[-1], "self_draw", self.options, flags)

    def _win_on(self, seat: int, tiles: Sequence[str], win_by: str, flags: set[str]) -> tuple[Score, list[str]] | None:
        """The win on all of these tiles that win, with those tiles; None if there is none or it is barred."""
        own = win_by == "self_draw"
        found, kinds = [], []
        for tile in tiles:
            if not own and self.bars[seat].bars_kind(tile):
                continue
            one = score(self.hands[seat], self.melds[seat], tile, win_by, self.options, flags)
            if one.hu:
                found.append(one)
                kinds.append(tile)
        if not found:
            return None
        united = unite(found, self.options)
        if not own and self.bars[seat].bars_value(united.units):
            return None
        return united, kinds

    # --- tiles and dice

    def _throw(self) -> list[int]:
        """Two dice for a starting or mid-game win; none while starting_birds is off (detail 1)."""
        if not self.options["starting_birds"]:
            return []
        if len(self.dice) < 2:
            raise ValueError("no dice are left to throw")
        faces, self.dice = self.dice[:2], self.dice[2:]
        self.thrown += faces
        return faces

    # --- payments and the end

    def _pay_item(self, seat: int, what: str, birds: Sequence[int]) -> None:
        """A starting or mid-game win: a small self-draw with dice birds (rules section 5, detail 22)."""
        self._add(pay(self.options, self.dealer, {seat: 0}, None, birds), f"seat {seat} declares {what}, dice {birds}")

    def _declare_group(self, seat: int) -> None:
        group = self._open_groups(seat)[0]
        self.declared[seat].add(group)
        self._pay_item(seat, " ".join(group), self._throw())

    def _pay_gang(self, seat: int, kind: str) -> None:
        if self.options["gang_points"] == "table":
            points = [-GANG_POINTS[kind]] * 4
            points[seat] = 3 * GANG_POINTS[kind]
            self._add(points, f"seat {seat} {kind}")

    def _draw_birds(self) -> list[int]:
        """From the front of what is left; of an empty wall, the last tile taken for all (rules section 7.3)."""
        number = self.options["birds"]
        if not self.wall:
            return [rank(self.last_taken[1])] * number
        self.birds, self.wall = self.wall[:number], self.wall[number:]
        return [rank(tile) for tile in self.birds]

    def _won(self, winners: dict[int, Score], shooter: int | None, robbed: bool = False) -> None:
        """Birds, payments, next dealer (rules sections 7 and 9)."""
        birds = self._draw_birds()
        units = {seat: result.units for seat, result in winners.items()}
        points = pay(self.options, self.dealer, units, shooter, birds, robbed)
        for seat, result in winners.items():
            self.wins.append({"seat": seat, "from": shooter, "patterns": result.patterns, "units": result.units})
        self._add(points, f"hu of {units} on {shooter}, birds {birds}")
        if len(winners) == 1:
            (self.next_dealer,) = winners
        else:
            self.next_dealer = shooter

    # --- records and messages

    def record(self) -> dict[str, Any]:
        """What replay() takes."""
        record: dict[str, Any] = {
            "variant": "changsha",
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
        if self.thrown:
            record["dice"] = list(self.thrown)
        return record

    def tiles(self) -> list[str]:
        """All tiles on the table; the 108 at every moment."""
        seats = [tile for seat in SEATS for tile in self.hands[seat] + self.rivers[seat] + meld_tiles(self.melds[seat])]
        return seats + self.turned + self.birds + self.wall

    def __str__(self) -> str:
        lines = [f"phase {self.phase}, to act {self.to_act}, wall {len(self.wall)}, points {self.points}"]
        if self.turned:
            lines.append(f"turned up: {' '.join(self.turned)}")
        for seat in SEATS:
            melds = " ".join(f"{meld[0]}:{''.join(tiles_of(meld))}" for meld in self.melds[seat])
            bar = self.bars[seat]
            lines.append(
                f"seat {seat}{' (dealer)' if seat == self.dealer else ''}"
                f" hand {' '.join(sorted(self.hands[seat], key=order))} | melds {melds or '-'}"
                f" | river {' '.join(self.rivers[seat]) or '-'}"
                f"{f' | locked on {self.locked[seat]}' if self.locked[seat] is not None else ''}"
                f"{f' | passed {bar.value} {sorted(bar.kinds)}' if bar.value >= 0 else ''}"
                f"{f' | declared {sorted(self.declared[seat])}' if self.declared[seat] else ''}"
            )
        return "\n".join([*lines, *self.payments, *(f"win: {win}" for win in self.wins)])


def _with_added(melds: Sequence[Meld], tile: str) -> list[Meld]:
    return [("bu_gang", tile) if meld == ("peng", tile) else meld for meld in melds]


# --- replay -----------------------------------------------------------------------------------------------------------


def replay(record: dict[str, Any]) -> Table:
    """Plays the record by the rules; Mismatch at the first difference."""
    if record.get("variant") != "changsha":
        raise Mismatch(f"not a Changsha record: variant {record.get('variant')!r}")
    try:
        table = Table(
            record["wall"],
            record["dealer"],
            record["preset"],
            record.get("options"),
            record.get("dice"),
        )
    except ValueError as error:
        raise Mismatch(f"the record cannot be set up: {error}") from error
    follow(table, record)
    if table.dice:
        what = f"dice thrown by the rules {table.thrown}, in the record {record['dice']}"
        raise Mismatch(tell(table, record, len(record["actions"]), what))
    return table


def follow(table: Any, record: dict[str, Any]) -> None:
    """Plays the record's actions at the table and compares all that the record tells."""
    actions, given = record["actions"], record.get("legal")
    if given is not None and len(given) != len(actions):
        raise Mismatch(f"{len(actions)} actions, but {len(given)} legal sets")
    for index, action in enumerate(actions):
        if table.over:
            what = f"the hand is over, {len(actions) - index} actions are left"
            raise Mismatch(tell(table, record, index, what))
        legal = table.legal()
        if given is not None and sorted(given[index]) != legal:
            missing = sorted(set(legal) - set(given[index]))
            extra = sorted(set(given[index]) - set(legal))
            what = f"legal sets differ (action {action!r})\n  by the rules {legal}"
            what += f"\n  in the record {sorted(given[index])}\n  missing {missing}, too many {extra}"
            raise Mismatch(tell(table, record, index, what))
        if action not in legal:
            raise Mismatch(tell(table, record, index, f"{action!r} is not legal\n  by the rules {legal}"))
        try:
            table.play(action)
        except ValueError as error:
            raise Mismatch(tell(table, record, index, f"{action!r}: {error}")) from error
    if not table.over:
        what = f"actions are missing; next legal: {table.legal()}"
        raise Mismatch(tell(table, record, len(actions), what))
    if list(record["points"]) != table.points:
        what = f"points differ: by the rules {table.points}, in the record {list(record['points'])}"
        raise Mismatch(tell(table, record, len(actions), what))
    if record.get("next_dealer") is not None and record["next_dealer"] != table.next_dealer:
        what = f"next dealer: by the rules {table.next_dealer}, in the record {record['next_dealer']}"
        raise Mismatch(tell(table, record, len(actions), what))


def tell(table: Any, record: dict[str, Any], index: int, what: str) -> str:
    recent = record["actions"][max(0, index - 6) : index]
    head = f"decision {index}, seat {table.to_act}, phase {table.phase}: {what}"
    setting = f"preset {table.preset}, options {table.overrides}, dealer {table.dealer}"
    return f"{head}\n{setting}\nactions just before: {recent}\n{table}"


# --- games for tests --------------------------------------------------------------------------------------------------


def random_options(rng: random.Random, share_given: float = 0.3) -> dict[str, Any]:
    """Overrides for about this share of the options; scoring is left to the preset."""
    return {
        name: rng.choice(values)
        for name, values in OPTION_VALUES.items()
        if name != "scoring" and rng.random() < share_given
    }


def likely_action(table: Table, rng: random.Random, wins: float = 0.7) -> str:
    """A random action that leans to winning, calling and keeping connected tiles, so that somebody wins.

    wins: the chance of taking a plain win; a low one leads to gangs, robbings and the sea bottom, whose wins are taken.
    """
    legal = table.legal()
    seat = table.to_act
    assert seat is not None
    if rng.random() < 0.05:
        return rng.choice(legal)
    plain = table.phase in ("claim", "dealt", "draw", "replacement")
    if "hu" in legal and rng.random() < (wins if plain else 0.7):
        return "hu"
    for verb, chance in (("declare", 0.8), ("take", 0.9), ("open_", 0.8), ("self_gang", 0.6), ("gang", 0.6)):
        names = [name for name in legal if name.startswith(verb)]
        if names and rng.random() < chance:
            return rng.choice(names)
    for verb, chance in (("peng", 0.6), ("chi", 0.35)):
        names = [name for name in legal if name.startswith(verb)]
        if names and rng.random() < chance:
            return rng.choice(names)
    if "pass" in legal:
        return "pass"
    hand = table.hands[seat]

    def worth(name: str) -> float:
        tile = name.split()[1]
        near = sum(suit(other) == suit(tile) and abs(rank(other) - rank(tile)) <= 2 for other in hand)
        return near + 2 * hand.count(tile) + is_jiang(tile) * 0.5 + rng.random()

    return min((name for name in legal if name.startswith("discard")), key=worth)


def random_dice(rng: random.Random, throws: int = 60) -> list[int]:
    """Enough faces for any hand."""
    return [rng.randint(1, 6) for _ in range(2 * throws)]


def random_wall(rng: random.Random, rigged: bool = False) -> list[str]:
    """A shuffled wall; a rigged one deals every seat sets and pairs and a few loose tiles, and lays out luck."""
    rest = list(FULL_WALL)
    rng.shuffle(rest)
    if not rigged:
        return rest
    dealt = []
    for _ in SEATS:
        style = rng.choices(("sets", "pairs", "jiang"), (8, 1, 1))[0]
        hand, rest = _rigged_hand(rng, rest, style)
        dealt += hand
    wall = dealt + rest
    _lay_out_luck(wall, rng)
    return wall


def _rigged_hand(rng: random.Random, rest: list[str], style: str) -> tuple[list[str], list[str]]:
    """Thirteen tiles near a win by sets, by seven pairs, or of 2, 5, 8 alone; and what is left of the rest."""
    hand: list[str] = []
    loose = rng.choice((0, 0, 1, 1, 2, 3))
    own_suits = rng.sample("mps", rng.choice((1, 2, 3, 3, 3)))
    jiang = rng.choice([tile for tile in rest if is_jiang(tile)] or rest)
    if rng.random() < 0.7 and rest.count(jiang) >= 2:
        hand += [jiang] * 2
        rest = without(rest, jiang, jiang)
    for _ in range(200):
        first = rng.choice([tile for tile in KINDS if suit(tile) in own_suits])
        block = rng.choice((run_from(first) or [first] * 2, [first] * rng.choice((2, 3, 3, 3, 4))))
        if style == "pairs":
            block = [first] * rng.choice((2, 2, 2, 4))
        if style == "jiang":
            block = [rng.choice([tile for tile in KINDS if is_jiang(tile)])] * rng.choice((1, 2, 3))
        enough = all(rest.count(tile) >= block.count(tile) for tile in block)
        if enough and len(hand) + len(block) <= 13 - loose:
            hand += block
            rest = without(rest, *block)
    while len(hand) < 13:
        rest = list(rest)
        hand.append(rest.pop())
    return hand, rest


def _bring(wall: list[str], tile: str, place: int, rng: random.Random) -> None:
    """Puts the tile at this place of the wall, if one is left beyond the deal."""
    later = [index for index in range(52, 108) if wall[index] == tile]
    if later:
        other = rng.choice(later)
        wall[place], wall[other] = wall[other], wall[place]


def _lay_out_luck(wall: list[str], rng: random.Random) -> None:
    """Brings fourth tiles of triplets to early draws, and to the wall's tail what wins or is claimed there."""
    options = full_options()
    hands = [wall[13 * place : 13 * place + 13] for place in SEATS]
    for hand in hands:
        for tile in _triplet_kinds(hand):
            if rng.random() < 0.7:
                _bring(wall, tile, rng.randrange(52, 64), rng)
    tail = []  # tiles worth turning up
    for place, hand in enumerate(hands):
        triplets, ready = _triplet_kinds(hand), waits(hand, [], options)
        if ready and rng.random() < 0.15:
            _bring(wall, rng.choice(ready), rng.choice((52, 52, 52 + place, 53)), rng)
        for tile in triplets:
            left = without(hand, *[tile] * hand.count(tile))
            if len(left) == 10:
                tail += 2 * waits(left, [("an_gang", tile)], options)
        tail += triplets + ready
        if rng.random() < 0.3:
            tail += [tile for tile in sorted(set(hand)) if hand.count(tile) == 2]
    rng.shuffle(tail)
    for place, tile in zip(range(107, 99, -1), tail, strict=False):
        if rng.random() < 0.8:
            _bring(wall, tile, place, rng)


def random_game(rng: random.Random, preset: str, options: dict[str, Any] | None = None, rigged: bool = False) -> Table:
    """A fresh table with a shuffled (or rigged) wall."""
    return Table(random_wall(rng, rigged), rng.randrange(4), preset, options, random_dice(rng))


def lay_out_what_comes(table: Table, rng: random.Random) -> None:
    """Rearranges what is left of the wall, so that gangs get robbed and turned-up and sea-bottom tiles wait for."""
    seat = table.to_act
    if seat is None or table.phase not in ("dealt", "draw", "replacement", "after_claim"):
        return
    wanted = [(other, tile) for other in SEATS for tile in table._waits(other)]
    due = (seat + 1) % 4
    for other, tile in wanted:
        if other != due and ("peng", tile) in table.melds[due]:
            table.rearrange(tile, 0)
            return
    for other, tile in wanted:
        if table.wall.count(tile) == 2 and _pair_holder(table, tile, other) is not None:
            table.rearrange(tile, 0)
            return
    tail = [tile for _, tile in wanted]
    tail += [tile for other in SEATS for tile in table.hands[other] if table.hands[other].count(tile) > 1]
    tail += [tile for kind, tile in table.melds[seat] if kind == "peng"]
    if len(table.wall) == 2:
        tail = [tile for _, tile in wanted]
    if tail:
        table.rearrange(rng.choice(tail), -1)
        table.rearrange(rng.choice(tail), -2)


def _pair_holder(table: Table, tile: str, waiting: int) -> int | None:
    """A seat that could peng the tile and be robbed later by the one that waits for it."""
    return next((seat for seat in SEATS if seat != waiting and table.hands[seat].count(tile) == 2), None)


def _generous_discard(table: Table) -> str | None:
    """A discard somebody waits for and somebody else could peng."""
    for waiting in SEATS:
        for tile in table._waits(waiting):
            name = f"discard {tile}"
            if waiting != table.to_act and name in table.legal() and _pair_holder(table, tile, waiting) is not None:
                return name
    return None


def lucky_game(rng: random.Random, preset: str, options: dict[str, Any] | None = None, wins: float = 0.3) -> Table:
    """A whole game in which gangs, robbings, turned-up tiles and the sea bottom matter more often than by chance."""
    table = random_game(rng, preset, options, rigged=True)
    while not table.over:
        if rng.random() < 0.4:
            lay_out_what_comes(table, rng)
        generous = _generous_discard(table) if rng.random() < 0.5 else None
        table.play(generous or likely_action(table, rng, wins))
    return table
