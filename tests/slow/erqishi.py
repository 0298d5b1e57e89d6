"""A slow, plain engine of ErQiShi (贰柒拾), written from the rules page alone, to check a fast one against.

Nothing here is shared with the package: hands are counters of names, a win is looked for by plain recursion over all
divisions. "rules section N" in a docstring names the section of the rules page it was written from; "detail N" is an
item of its section 4.5.

How to use it::

    replay(record)                       # raises Mismatch at the first difference, else the played Table
    table = Table(wall, dealer=0, preset="leshan", options={"players": 2, "circle": 8})
    while not table.over:
        table.play(rng.choice(table.legal()))
    table.points, table.next_dealer, table.record(), table.win
    options = full_options("leshan", {"hand_size": 14})
    score(["s2", "s7", …], ["dui s9", "chi s1 s2 s3", "kai b5"], "s9", "flip_self", options, quan="b8")
    chi_options(["s1", "s2", "s3", "s4", "s5", "b9"], "s3")

Where the page is silent (or leaves more than one reading), this engine holds that:

* The caps on a discard win ("3 x pay, capped 30; 2 x pay, 20") are what the Leshan cap of 10 makes of it: only `pay`
  is capped.
* A pair is due iff a quad is in the division itself; a gun that ``lock_kan=false`` splits is none.
* ``hu_over_kai`` with ``lock_kan=false``: where the target is the fourth card and lies loose, its own kan stays one
  set, as detail 11 says; the other kan and gun are free.
* ``lock_kan=false`` leaves the target that could be kai or bayu no other place; that is ``hu_over_kai`` alone. A freed
  gun may be read as a kan and a loose card. The third card of a kind that the target brings is never part of a kan.
* A dui of the target needs exactly two copies in hand. Two copies and the target may also be the pair and a card of a
  chi set.
* Where no division has the minimum, the points told are the most there are, also with ``split=first``.
* The discarder claims nothing on its own discard.
* A kai that leaves nothing to discard though a discard is due (a dealer dealt nothing but kan) is followed by the next
  seat's flip.
* Passing tian hu by a discard leaves no mark, by the `pass` of a dealer without a free card it does, for his hand does
  not change (only with ``lock_kan=false`` could he win later). A di hu that is passed is a passed hu like any other.
* A `discard` is asked also when one card may be discarded; a forced kai or bayu is no decision and no action.
* A menu with a chi, answered by `chi_set` and overruled, declines no chi; answered by `hu` or `dui` it does, whatever
  comes of that answer.
* A tian hu is paid by every opponent, like a flip. With ``fan_tian=false`` it may still be declared.
* Rain counts the guns held when the dealer is first to act; it is paid after a tian hu as well.
* A later passed hu overwrites an earlier one (it has more fans, or it would not have been offered).
* Preset qianwei leaves fan_gunfan off, its default on the page. A preset names a table and thereby the default cap;
  option `table` moves both.
* The circle is an option of the hand; nothing here moves it on.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .zipai_solvers import (
    CARDS,
    CHI_GROUPS,
    CHI_KINDS,
    INDEX,
    QUADS,
    Group,
    Hand,
    Options,
    best,
    by_recursion,
    chi_group,
    draw_group,
    draw_kinds,
    ge_of,
    in_order,
    parse_meld,
    payment_of,
)

FULL_WALL = sorted(CARDS * 4, key=INDEX.__getitem__)
# rules sections 1, 8 and 9; None takes the default of detail 15.
DEFAULTS: Options = {
    "table": "leshan",
    "players": 3,
    "hand_size": None,
    "min_points": None,
    "fan_tian": True,
    "fan_di": True,
    "fan_kun": True,
    "fan_quan": True,
    "fan_qing": False,
    "fan_gunfan": False,
    "swap3": False,
    "bayu_points": False,
    "rain": False,
    "kuikae": True,
    "lock_kan": True,
    "hu_over_kai": False,
    "cap": None,
    "circle": 1,
    "base": 2,
    "split": "best",
}
PRESETS = {table: {"table": table} for table in ("leshan", "qianwei", "meishan")}
TABLE_CAPS = {"leshan": 10, "qianwei": 8, "meishan": 30}
# What each option may be; for the open-ended integers, a few values worth playing with.
OPTION_VALUES: dict[str, tuple[Any, ...]] = {
    **{name: (False, True) for name, default in DEFAULTS.items() if isinstance(default, bool)},
    "table": tuple(PRESETS),
    "players": (2, 3, 4),
    "hand_size": (None, 20, 14),
    "min_points": (None, 0, 1, 3, 6, 10, 12),
    "cap": (None, 1, 8, 10, 16, 30, 40, 50, 100, 300),
    "circle": (None, *range(1, 11)),
    "base": (1, 2, 3),
    "split": ("best", "first"),
}
_OPEN_INTEGERS = {"min_points", "cap", "base"}
# rules section 4.1: who outranks whom.
RANKS = {"chi_set": 0, "dui": 1, "kai": 2, "hu": 3}
# rules section 4.4: what each opponent owes.
RAIN = {"gun": 3, "kai": 2}


class Mismatch(AssertionError):  # noqa: N818 (what differs is no error of the reader)
    """The record and the rules part here."""


def full_options(preset: str = "leshan", overrides: dict[str, Any] | None = None) -> Options:
    """The preset with the overrides applied and every default filled in (rules section 1, detail 15)."""
    if preset not in PRESETS:
        raise ValueError(f"unknown preset {preset!r}, not one of {sorted(PRESETS)}")
    options = {**DEFAULTS, **PRESETS[preset]}
    for name, value in (overrides or {}).items():
        if name not in DEFAULTS:
            raise ValueError(f"unknown option {name!r}")
        an_integer = name in _OPEN_INTEGERS and isinstance(value, int) and value >= 0
        if not an_integer and value not in OPTION_VALUES[name]:
            raise ValueError(f"option {name} cannot be {value!r}; allowed: {OPTION_VALUES[name]}")
        options[name] = value
    if options["hand_size"] is None:
        options["hand_size"] = 14 if options["players"] == 4 else 20
    if options["players"] == 4 and options["hand_size"] == 20:
        raise ValueError("four players play with 14 cards")
    short = options["hand_size"] == 14
    if options["min_points"] is None:
        options["min_points"] = 1 if short else 10
    if options["cap"] is None:
        options["cap"] = 50 if short else TABLE_CAPS[options["table"]]
    return options


def quan_card(options: Options) -> str | None:
    """圈: the red card whose rank is the circle's number (rules section 8)."""
    return None if options["circle"] is None else f"b{options['circle']}"


# --- one hand's worth --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Score:
    """What a hand is worth; points is None without a complete division, pay is before base and ×3."""

    hu: bool
    points: int | None = None
    fan: int = 0
    fans: tuple[str, ...] = ()
    ge: int = 0
    pay: int = 0
    sets: tuple[Group, ...] = ()
    reason: str | None = None


def score(
    hand: Sequence[str],
    melds: Sequence[str | Group],
    win_tile: str | None,
    win_by: str,
    options: Options,
    flags: Iterable[str] = (),
    quan: str | None = None,
) -> Score:
    """The best division of one hand (rules section 7, detail 12).

    hand is without the winning tile, options is what full_options returns, quan defaults to the card of the circle;
    flags may hold tian_hu and di_hu. ValueError for more than four copies of a card.
    """
    shown = tuple(parse_meld(meld) if isinstance(meld, str) else meld for meld in melds)
    held = list(hand)
    if win_by == "dealt" and win_tile is not None:
        held, win_tile = [*held, win_tile], None
    everything = Counter([*held, *(card for _, cards in shown for card in cards)])
    everything.update([win_tile] if win_tile else [])
    if unknown := set(everything) - set(CARDS):
        raise ValueError(f"no cards: {sorted(unknown)}")
    if max(everything.values()) > 4:
        raise ValueError(f"more than four copies of {everything.most_common(1)[0][0]}")
    whole = Hand(in_order(held), shown, win_tile, win_by, frozenset(flags), quan or quan_card(options))
    return _score(whole, options)


def _score(hand: Hand, options: Options) -> Score:
    found = best(by_recursion(hand, options), hand, options)
    if found is None:
        return Score(False, reason="no_structure")
    enough = found.points >= options["min_points"]
    return Score(
        enough,
        found.points,
        found.fan_count,
        found.fans,
        found.ge,
        found.payment,
        found.division,
        None if enough else "below_minimum",
    )


def settlement(points: int, fans: int, how: str, options: Options) -> tuple[int, int]:
    """(ge, what one payer pays) of a win by `flip` or `discard` (rules section 9)."""
    pay = payment_of(points, fans, options) * options["base"]
    share = min(3, options["players"]) if how == "discard" else 1
    return ge_of(points, options), pay * share


# --- chi and bai (rules section 4.2) -------------------------------------------------------------------------------


def free_cards(hand: Counter[str]) -> Counter[str]:
    """What is in no kan and no gun."""
    return Counter({card: number for card, number in hand.items() if 0 < number <= 2})


def fits(cards: Iterable[str], free: Counter[str]) -> bool:
    return all(free[card] >= number for card, number in Counter(cards).items())


def sets_with(card: str) -> list[tuple[str, ...]]:
    return [cards for _, cards in CHI_GROUPS if card in cards]


def partners(cards: Sequence[str], claim: str) -> list[str]:
    """The two hand cards of a claimed set."""
    left = list(cards)
    left.remove(claim)
    return left


def banned_discards(cards: Sequence[str], claim: str) -> set[str]:
    """上吐下泻: what would also make a set with the two hand cards (rules section 4.3)."""
    pair = partners(cards, claim)
    return {card for card in CARDS if card != claim and in_order([card, *pair]) in CHI_KINDS}


@dataclass(frozen=True)
class Due:
    """What must be left after a claim: nothing, or a free card that is not banned."""

    discard: bool = False
    banned: frozenset[str] = frozenset()

    def met_by(self, free: Counter[str]) -> bool:
        return not self.discard or bool(self.choices(free))

    def choices(self, free: Counter[str]) -> list[str]:
        return [card for card in CARDS if free[card] and card not in self.banned]


def can_finish(free: Counter[str], claim: str, due: Due) -> bool:
    """Whether every free copy of the claimed card can be laid and what is due remains."""
    if not free[claim]:
        return due.met_by(free)
    return bool(bai_sets(free, claim, due))


def bai_sets(free: Counter[str], claim: str, due: Due) -> list[tuple[str, ...]]:
    """The sets of hand cards that may be laid next for a further copy of the claimed card."""
    return [cards for cards in sets_with(claim) if fits(cards, free) and can_finish(free - Counter(cards), claim, due)]


def due_after(cards: Sequence[str], claim: str, discard: bool, options: Options) -> Due:
    return Due(discard, frozenset(banned_discards(cards, claim)) if options["kuikae"] else frozenset())


def chi_sets(hand: Counter[str], claim: str, discard: bool, options: Options) -> list[tuple[str, ...]]:
    """The sets that may be eaten with the claimed card; discard: whether one is due afterwards."""
    free = free_cards(hand)
    found = []
    for cards in sets_with(claim):
        pair = partners(cards, claim)
        left = free - Counter(pair)
        if fits(pair, free) and can_finish(left, claim, due_after(cards, claim, discard, options)):
            found.append(cards)
    return found


def chi_options(
    hand: Sequence[str], claim: str, discard: bool = False, options: Options | None = None
) -> list[dict[str, Any]]:
    """Every chi with what is laid beside it: [{"set": "s1 s2 s3", "bai": ["s3 s4 s5"]}, …], bai in any order."""
    options = options or full_options()
    counts = Counter(hand)
    found: list[dict[str, Any]] = []
    for cards in chi_sets(counts, claim, discard, options):
        due = due_after(cards, claim, discard, options)
        left = free_cards(counts) - Counter(partners(cards, claim))
        for laid in _all_bai(left, claim, due):
            one = {"set": " ".join(cards), "bai": sorted(" ".join(bai) for bai in laid)}
            if one not in found:
                found.append(one)
    return found


def _all_bai(free: Counter[str], claim: str, due: Due) -> list[list[tuple[str, ...]]]:
    if not free[claim]:
        return [[]] if due.met_by(free) else []
    return [
        [cards, *rest] for cards in bai_sets(free, claim, due) for rest in _all_bai(free - Counter(cards), claim, due)
    ]


# --- the table -----------------------------------------------------------------------------------------------------


@dataclass
class Seat:
    """One player: cards in hand, exposed sets, the cards lying before him, and what he passed."""

    hand: Counter[str]
    melds: list[Group] = field(default_factory=list)
    pile: list[str] = field(default_factory=list)
    barred: set[str] = field(default_factory=set)  # 过张
    passed_fans: int | None = None  # 过胡

    def quads(self) -> int:
        guns = sum(number == 4 for number in self.hand.values())
        return guns + sum(kind in QUADS for kind, _ in self.melds)

    def total(self) -> int:
        return self.hand.total() + sum(len(cards) for _, cards in self.melds)

    def free(self) -> Counter[str]:
        return free_cards(self.hand)


@dataclass
class Offer:
    """A card on the table, what each seat may say to it, and the answers so far."""

    card: str
    src: str  # flip | discard
    giver: int
    order: list[int]  # who comes first among equals
    menus: dict[int, list[str]]
    scores: dict[int, Score]  # of the seats that may hu
    forced: int | None = None
    answers: dict[int, str] = field(default_factory=dict)

    def strength(self, seat: int, answer: str) -> tuple[int, int]:
        return RANKS[answer.split()[0]], -self.order.index(seat)

    def best(self) -> tuple[int, str] | None:
        """The claim that stands so far; the forced kai counts until its seat says hu."""
        claims = {seat: answer for seat, answer in self.answers.items() if answer != "pass"}
        if self.forced is not None:
            claims.setdefault(self.forced, "kai")
        return max(claims.items(), key=lambda one: self.strength(*one), default=None)

    def next_to_ask(self) -> int | None:
        """By the highest claim in the menu, then by seat; only who could still outrank the best (detail 5)."""
        waiting = [seat for seat in self.menus if seat not in self.answers]
        if not waiting:
            return None
        seat = max(waiting, key=self._highest)
        best_now = self.best()
        if best_now is not None and self._highest(seat) < self.strength(*best_now):
            return None
        return seat

    def _highest(self, seat: int) -> tuple[int, int]:
        return max(self.strength(seat, name) for name in self.menus[seat] if name != "pass")


class Table:
    """One hand, from the deal to the settlement."""

    def __init__(
        self, wall: Sequence[str], dealer: int, preset: str = "leshan", options: dict[str, Any] | None = None
    ) -> None:
        self.preset, self.overrides = preset, dict(options or {})
        self.options = full_options(preset, self.overrides)
        self.players = self.options["players"]
        if in_order(wall) != tuple(FULL_WALL):
            raise ValueError("the wall is not four copies of each card")
        if not 0 <= dealer < self.players:
            raise ValueError(f"no seat {dealer}")
        self.dealer, self.full_wall = dealer, list(wall)
        self.actions: list[str] = []
        self.legal_log: list[list[str]] = []
        self.points = [0] * self.players
        self.win: dict[str, Any] | None = None
        self.offer: Offer | None = None
        self.claimed = False  # 地胡 asks for no claim so far
        self.flips = 0
        self.rain: list[tuple[int, str, int | None]] = []  # seat, gun or kai, the discarder who pays it all
        self.swapped: dict[int, list[str]] = {seat: [] for seat in self._seats_from(dealer)}
        self.eaten: str | None = None  # the card whose copies are being laid
        self.due = Due()
        self._deal()
        if self.options["swap3"]:
            self.phase, self.turn = "swap", dealer
        else:
            self._open()

    def _seats_from(self, seat: int) -> list[int]:
        return [(seat + step) % self.players for step in range(self.players)]

    def _next(self, seat: int) -> int:
        return (seat + 1) % self.players

    def _deal(self) -> None:
        """Detail 1."""
        size = self.options["hand_size"]
        order = self._seats_from(self.dealer)
        hands = {seat: self.full_wall[size * place : size * (place + 1)] for place, seat in enumerate(order)}
        dealt = size * self.players
        hands[self.dealer].append(self.full_wall[dealt])
        self.seats = [Seat(Counter(hands[seat])) for seat in range(self.players)]
        self.stock = self.full_wall[dealt + 1 :]

    # --- decisions

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    def to_act(self) -> int | None:
        return None if self.over else self.turn

    @property
    def next_dealer(self) -> int | None:
        """The winner, or the same dealer after a draw (rules section 3); None before the end."""
        if not self.over:
            return None
        return self.dealer if self.win is None else int(self.win["seat"])

    def legal(self) -> list[str]:
        if self.over:
            return []
        seat = self.seats[self.turn]
        if self.phase == "swap":
            left = seat.hand - Counter(self.swapped[self.turn])
            return [f"swap {card}" for card in CARDS if left[card]]
        if self.phase == "claim":
            assert self.offer is not None
            return list(self.offer.menus[self.turn])
        if self.phase == "bai":
            assert self.eaten is not None
            return [f"bai {' '.join(cards)}" for cards in bai_sets(seat.free(), self.eaten, self.due)]
        discards = [f"discard {card}" for card in self.due.choices(seat.free())]
        if self.phase == "opening" and self._dealt_score().hu:
            return ["hu", *(discards or ["pass"])]
        return discards

    def play(self, name: str) -> None:
        legal = self.legal()
        if name not in legal:
            raise ValueError(f"{name!r} is not legal; legal: {legal}")
        self.legal_log.append(legal)
        self.actions.append(name)
        verb, *cards = name.split()
        if self.phase == "claim":
            self._answer(self.turn, name)
        elif verb == "swap":
            self._swap(cards[0])
        elif verb == "bai":
            self._lay_bai(tuple(cards))
        elif verb == "discard":
            self._discard(cards[0])
        elif verb == "hu":
            self._win(self.turn, self._dealt_score(), None)
        else:
            self._pass_tian_hu()

    # --- before the first card

    def _swap(self, card: str) -> None:
        """Detail 4."""
        self.swapped[self.turn].append(card)
        if len(self.swapped[self.turn]) < 3:
            return
        self.turn = self._next(self.turn)
        if self.turn != self.dealer:
            return
        for seat, cards in self.swapped.items():
            self.seats[seat].hand = self.seats[seat].hand - Counter(cards)
        for seat, cards in self.swapped.items():
            self.seats[self._next(seat)].hand.update(cards)
        self._open()

    def _open(self) -> None:
        """Guns are judged; the dealer discards first, whatever he holds (details 2, 3, 4 and 14)."""
        for place, seat in enumerate(self.seats):
            guns = sum(number == 4 for number in seat.hand.values())
            self.rain += [(place, "gun", None)] * guns
        self.phase, self.turn, self.due = "opening", self.dealer, Due(discard=True)
        if not self.seats[self.dealer].free() and not self._dealt_score().hu:
            self._flip(self._next(self.dealer))

    def _dealt_score(self) -> Score:
        hand = in_order(self.seats[self.dealer].hand.elements())
        return _score(Hand(hand, win_by="dealt", quan=quan_card(self.options)), self.options)

    def _pass_tian_hu(self) -> None:
        """A dealer without a free card (detail 3)."""
        self.seats[self.dealer].passed_fans = self._dealt_score().fan
        self._flip(self._next(self.dealer))

    # --- the cycle (rules section 4)

    def _discard(self, card: str) -> None:
        seat = self.seats[self.turn]
        seat.hand = seat.hand - Counter([card])
        seat.barred.add(card)
        self._put_up(card, "discard", self.turn)

    def _flip(self, seat: int) -> None:
        if not self.stock:
            self._end()
            return
        self.flips += 1
        self._put_up(self.stock.pop(0), "flip", seat)

    def _put_up(self, card: str, src: str, giver: int) -> None:
        """A card lies on the table: what may each seat say?"""
        order = self._seats_from(giver)
        if src == "discard":
            order = order[1:]
        offer = Offer(card, src, giver, order, {}, {})
        for seat in order:
            if self._kai_kind(seat, offer):
                offer.forced = seat
            result = self._target_score(seat, offer)
            if result.hu:
                offer.scores[seat] = result
            menu = self._menu(seat, offer)
            if menu:
                offer.menus[seat] = menu
        self.offer = offer
        self._ask_on()

    def _kai_kind(self, seat: int, offer: Offer) -> str | None:
        """kai for the holder of a kan, bayu for who flips the fourth card to his dui (rules section 4.1)."""
        player = self.seats[seat]
        if player.hand[offer.card] == 3:
            return "kai"
        own_flip = offer.src == "flip" and offer.giver == seat
        return "bayu" if own_flip and ("dui", (offer.card,) * 3) in player.melds else None

    def _target_score(self, seat: int, offer: Offer) -> Score:
        """The seat's win on this card; one that its passed hu forbids is none (detail 9)."""
        player = self.seats[seat]
        if offer.src == "discard":
            win_by = "discard"
        else:
            win_by = "flip_self" if seat == offer.giver else "flip_other"
        flags = frozenset(["di_hu"]) if self._is_di(seat, offer) else frozenset[str]()
        hand = in_order(player.hand.elements())
        whole = Hand(hand, tuple(player.melds), offer.card, win_by, flags, quan_card(self.options))
        result = _score(whole, self.options)
        if result.hu and player.passed_fans is not None and result.fan <= player.passed_fans:
            return Score(False, result.points, reason="passed_hu")
        return result

    def _is_di(self, seat: int, offer: Offer) -> bool:
        """地胡 (detail 13); before any claim the only discard is the dealer's."""
        return not self.claimed and seat != self.dealer and (offer.src == "discard" or self.flips == 1)

    def _menu(self, seat: int, offer: Offer) -> list[str]:
        """Everything the seat could claim on its own cards (detail 5); empty: it is not asked."""
        player, card = self.seats[seat], offer.card
        menu = ["hu"] if seat in offer.scores else []
        if offer.forced == seat:
            return [*menu, "kai"] if menu else []
        discard = self._owes_discard(player, 1)
        if player.hand[card] == 2:
            left = player.free() - Counter([card, card])
            if Due(discard).met_by(left):
                menu.append("dui")
        if self._may_eat(seat, offer) and card not in player.barred:
            sets = chi_sets(player.hand, card, discard, self.options)
            menu += [f"chi_set {' '.join(cards)}" for cards in sets]
        return [*menu, "pass"] if menu else []

    def _may_eat(self, seat: int, offer: Offer) -> bool:
        """A discard: the next seat; a flip: the flipper and the next seat (rules section 4.1)."""
        after = self._next(offer.giver)
        return seat == after or (offer.src == "flip" and seat == offer.giver)

    def _owes_discard(self, player: Seat, more: int = 0) -> bool:
        """The total exceeds T(q) (rules section 6); more: cards about to be claimed, q unchanged."""
        allowed = self.options["hand_size"] + max(0, player.quads() - 1)
        return player.total() + more > allowed

    def _ask_on(self) -> None:
        assert self.offer is not None
        seat = self.offer.next_to_ask()
        if seat is not None:
            self.phase, self.turn = "claim", seat
        else:
            self._settle()

    def _answer(self, seat: int, name: str) -> None:
        """Notes the answer and what it passes (rules section 4.3, details 8 and 9)."""
        offer, player = self.offer, self.seats[seat]
        assert offer is not None
        offer.answers[seat] = name
        menu = offer.menus[seat]
        if any(one.startswith("chi_set") for one in menu) and not name.startswith("chi_set"):
            player.barred.add(offer.card)
        if "hu" in menu and name != "hu":
            player.passed_fans = offer.scores[seat].fan
        self._ask_on()

    def _settle(self) -> None:
        offer = self.offer
        assert offer is not None
        self.offer = None
        claim = offer.best()
        if claim is None:
            self.seats[offer.giver].pile.append(offer.card)
            self._flip(self._next(offer.giver))
            return
        seat, answer = claim
        verb, *cards = answer.split()
        if verb == "hu":
            self._win(seat, offer.scores[seat], offer)
            return
        self.claimed = True
        self.seats[seat].passed_fans = None
        self.turn, self.due, self.eaten = seat, Due(), None
        if verb == "kai":
            self._lay_quad(seat, offer)
        elif verb == "dui":
            self._lay(seat, ("dui", (offer.card,) * 3), [offer.card] * 2)
        else:
            discard = self._owes_discard(self.seats[seat], 1)
            self.due, self.eaten = due_after(cards, offer.card, discard, self.options), offer.card
            self._lay(seat, chi_group(cards), partners(cards, offer.card))
        self._after_laying()

    # --- claims that stand

    def _lay(self, seat: int, group: Group, from_hand: Sequence[str]) -> None:
        player = self.seats[seat]
        player.hand = player.hand - Counter(from_hand)
        player.melds.append(group)

    def _lay_quad(self, seat: int, offer: Offer) -> None:
        """开 or 巴雨; only a kai rains (rules section 4.4)."""
        card = offer.card
        if self._kai_kind(seat, offer) == "kai":
            self._lay(seat, ("kai", (card,) * 4), [card] * 3)
            self.rain.append((seat, "kai", offer.giver if offer.src == "discard" else None))
        else:
            melds = self.seats[seat].melds
            melds[melds.index(("dui", (card,) * 3))] = ("bayu", (card,) * 4)

    def _lay_bai(self, cards: tuple[str, ...]) -> None:
        self._lay(self.turn, chi_group(cards), cards)
        self._after_laying()

    def _after_laying(self) -> None:
        """Further copies of the eaten card are laid, then a discard if due, else the next seat flips (section 6)."""
        player = self.seats[self.turn]
        if self.eaten is not None and player.free()[self.eaten]:
            self.phase = "bai"
        elif self._owes_discard(player) and self.due.choices(player.free()):
            self.phase = "discard"
        else:
            self._flip(self._next(self.turn))

    # --- the end

    def _win(self, seat: int, result: Score, offer: Offer | None) -> None:
        """rules section 9."""
        discarder = offer.giver if offer is not None and offer.src == "discard" else None
        how = "flip" if discarder is None else "discard"
        assert result.points is not None
        _, owed = settlement(result.points, result.fan, how, self.options)
        payers = [discarder] if discarder is not None else self._seats_from(seat)[1:]
        for payer in payers:
            self._pay(payer, seat, owed)
        card = None if offer is None else offer.card
        self.win = {"seat": seat, "from": discarder, "card": card, "score": result}
        self._end()

    def _end(self) -> None:
        """Rain is paid, won or drawn (detail 14)."""
        self.phase = "over"
        if not self.options["rain"]:
            return
        for seat, kind, discarder in self.rain:
            for payer in self._seats_from(seat)[1:]:
                self._pay(payer if discarder is None else discarder, seat, RAIN[kind])

    def _pay(self, payer: int, receiver: int, amount: int) -> None:
        self.points[payer] -= amount
        self.points[receiver] += amount

    # --- records and messages

    def record(self) -> dict[str, Any]:
        """What replay() takes."""
        return {
            "variant": "erqishi",
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

    def card_count(self) -> int:
        """All cards on the table; 80 at every moment."""
        won = self.win is not None and self.win["card"] is not None
        on_table = (self.offer is not None) + won
        return sum(seat.total() + len(seat.pile) for seat in self.seats) + len(self.stock) + on_table

    def __str__(self) -> str:
        head = f"phase {self.phase}, to act {self.to_act}, stock {len(self.stock)}, points {self.points}"
        lines = [f"{head}, quan {quan_card(self.options)}"]
        if self.offer is not None:
            offer = self.offer
            lines.append(f"on offer: {offer.card}, {offer.src} of seat {offer.giver}, forced kai of {offer.forced}")
            lines.append(f"  menus {offer.menus}, answers {offer.answers}")
        if self.phase == "swap":
            lines.append(f"swapped so far: {self.swapped}")
        if self.phase in ("bai", "discard"):
            lines.append(f"eaten {self.eaten}, due {self.due.discard}, banned {list(in_order(self.due.banned))}")
        for place, seat in enumerate(self.seats):
            melds = ", ".join(f"{kind} {' '.join(cards)}" for kind, cards in seat.melds)
            lines.append(
                f"seat {place}{' (dealer)' if place == self.dealer else ''}"
                f" hand {' '.join(in_order(seat.hand.elements()))} | melds {melds or '-'}"
                f" | pile {' '.join(seat.pile) or '-'} | barred {' '.join(in_order(seat.barred)) or '-'}"
                f" | passed fans {seat.passed_fans}, total {seat.total()}, quads {seat.quads()}"
            )
        if self.win is not None:
            lines.append(f"win: {self.win}")
        return "\n".join(lines)


# --- replay --------------------------------------------------------------------------------------------------------


def replay(record: dict[str, Any]) -> Table:
    """Plays the record by the rules; Mismatch at the first difference. A "circle" beside the options overrides theirs."""
    if record.get("variant") != "erqishi":
        raise Mismatch(f"not an ErQiShi record: variant {record.get('variant')!r}")
    options = dict(record.get("options") or {})
    if "circle" in record:
        options["circle"] = record["circle"]
    try:
        table = Table(record["wall"], record["dealer"], record["preset"], options)
    except ValueError as error:
        raise Mismatch(f"the record cannot be set up: {error}") from error
    actions, given = record["actions"], record.get("legal")
    if given is not None and len(given) != len(actions):
        raise Mismatch(f"{len(actions)} actions, but {len(given)} legal sets")
    for index, action in enumerate(actions):
        _play_one(table, record, index, action, None if given is None else given[index])
    if not table.over:
        raise Mismatch(_tell(table, record, len(actions), f"actions are missing; next legal: {table.legal()}"))
    if list(record["points"]) != table.points:
        what = f"points differ: by the rules {table.points}, in the record {list(record['points'])}"
        raise Mismatch(_tell(table, record, len(actions), f"{what}\n  rain {table.rain}"))
    if record.get("next_dealer") is not None and record["next_dealer"] != table.next_dealer:
        what = f"next dealer: by the rules {table.next_dealer}, in the record {record['next_dealer']}"
        raise Mismatch(_tell(table, record, len(actions), what))
    return table


def _play_one(table: Table, record: dict[str, Any], index: int, action: str, given: list[str] | None) -> None:
    if table.over:
        what = f"the hand is over, {len(record['actions']) - index} actions are left"
        raise Mismatch(_tell(table, record, index, what))
    legal = table.legal()
    if given is not None and sorted(given) != sorted(legal):
        missing, extra = sorted(set(legal) - set(given)), sorted(set(given) - set(legal))
        what = f"legal sets differ (action {action!r})\n  by the rules {sorted(legal)}"
        what += f"\n  in the record {sorted(given)}\n  missing {missing}, too many {extra}"
        raise Mismatch(_tell(table, record, index, what))
    if action not in legal:
        raise Mismatch(_tell(table, record, index, f"{action!r} is not legal\n  by the rules {legal}"))
    table.play(action)


def _tell(table: Table, record: dict[str, Any], index: int, what: str) -> str:
    recent = record["actions"][max(0, index - 6) : index]
    head = f"decision {index}, seat {table.to_act}, phase {table.phase}: {what}"
    setting = f"preset {table.preset}, options {table.overrides}, dealer {table.dealer}"
    return f"{head}\n{setting}\nactions just before: {recent}\n{table}"


# --- games for tests -----------------------------------------------------------------------------------------------


def random_options(rng: random.Random, share: float = 0.35) -> dict[str, Any]:
    """Overrides for about this share of the options; a choice that full_options takes."""
    chosen = {name: rng.choice(values) for name, values in OPTION_VALUES.items() if rng.random() < share}
    if chosen.get("players") == 4 and chosen.get("hand_size") == 20:
        chosen["hand_size"] = 14
    return chosen


def likely_action(table: Table, rng: random.Random) -> str:
    """A random action that leans to winning, claiming and keeping connected cards, so that somebody wins."""
    legal = table.legal()
    seat = table.to_act
    assert seat is not None
    if rng.random() < 0.05:
        return rng.choice(legal)
    if "hu" in legal and rng.random() < 0.85:
        return "hu"
    if "kai" in legal:
        return "kai"
    hand = table.seats[seat].free()
    if table.phase == "claim":
        return _likely_answer(hand, legal, table.offer, rng)
    if table.phase == "bai":
        return max(legal, key=lambda name: chi_worth(name.split()[1:]) + rng.random())
    names = [name for name in legal if name.startswith(("discard", "swap"))]
    return min(names, key=lambda name: connection(name.split()[1], hand) + rng.random(), default="pass")


def _likely_answer(hand: Counter[str], legal: list[str], offer: Offer | None, rng: random.Random) -> str:
    """A dui for its points, a chi unless it breaks better cards."""
    assert offer is not None
    if "dui" in legal and rng.random() < (0.9 if offer.card[0] == "b" else 0.6):
        return "dui"
    eats = [name for name in legal if name.startswith("chi_set")]
    if eats and rng.random() < 0.8:

        def price(name: str) -> float:
            cards = name.split()[1:]
            return chi_worth(cards) - 0.3 * sum(connection(card, hand) for card in partners(cards, offer.card))

        choice = max(eats, key=lambda name: price(name) + rng.random())
        if price(choice) > -4 or hand[offer.card]:  # copies to lay: bai
            return choice
    return "pass" if "pass" in legal else legal[-1]


def chi_worth(cards: Sequence[str]) -> float:
    return {"2710": 4.0, "run": 0.5, "mix": 0.0}[CHI_KINDS[in_order(cards)]]


def connection(card: str, hand: Counter[str]) -> float:
    """How much the card is tied to the rest: its copies, and for each set with it the cards held."""
    worth = 2.5 * (hand[card] - 1) * (1.5 if card[0] == "b" else 1)
    rest = hand - Counter([card])
    for cards in sets_with(card):
        held = sum((Counter(partners(cards, card)) & rest).values())
        worth += {0: 0, 1: 0.3, 2: 2.0}[held] * (2 if CHI_KINDS[cards] == "2710" else 1)
    return worth


def random_wall(rng: random.Random, options: dict[str, Any], rigged: bool = False) -> list[str]:
    """A shuffled wall for these options (full ones or overrides); a rigged one lays out luck."""
    wall = list(FULL_WALL)
    rng.shuffle(wall)
    if not rigged:
        return wall
    players = options.get("players", 3)
    size = options.get("hand_size") or (14 if players == 4 else 20)
    pool = Counter(FULL_WALL)
    quan = f"b{options.get('circle') or 1}"
    wanted = quan if rng.random() < 0.3 else rng.choice(CARDS)
    hands = [_lucky_hand(rng, size, pool, wanted, extra=place == 0) for place in range(players)]
    rest = list(pool.elements())
    rng.shuffle(rest)
    for place, hand in enumerate(hands):
        while len(hand) < size + (place == 0):
            hand.append(rest.pop())
    extra = hands[0].pop()
    stock = _lucky_stock(rng, hands, rest, wanted)
    return [card for hand in hands for card in hand] + [extra] + stock


def _lucky_hand(rng: random.Random, size: int, pool: Counter[str], wanted: str, extra: bool) -> list[str]:
    """Whole sets of the pool; the hand often lacks just one card, the one that others lack too."""
    sets = 7 if size == 20 else 5
    hand: list[str] = []
    kinds = draw_kinds(rng, sets, quads=("gun",))
    if rng.random() < 0.15:  # many guns and kans: T(q) far ahead, or a dealer without a free card
        kinds = [rng.choice(("gun", "gun", "kan", "pair")) for _ in range(sets)]
    if rng.random() < 0.4:  # two copies of a card that all fit into sets: bai
        hand += _bai_cards(rng, pool)
        kinds = kinds[len(hand) // 3 :]
    if rng.random() < 0.5:
        sets_wanted = [cards for cards in [*sets_with(wanted), (wanted,) * 3] if fits(cards, pool)]
        if sets_wanted:
            cards = rng.choice(sets_wanted)
            pool.subtract(cards)
            hand += cards
            kinds.pop()
    for kind in kinds:
        cards = draw_group(rng, kind, pool) or ()
        hand += cards
    lacking = 0 if extra and rng.random() < 0.3 else 1  # the dealer's whole hand is a tian hu
    for _ in range(rng.choice((lacking, lacking, lacking, 2, 4))):
        lost = wanted if wanted in hand and rng.random() < 0.8 else rng.choice(hand)
        hand.remove(lost)
        pool[lost] += 1
    while len(hand) > size + extra:
        pool[hand[-1]] += 1
        hand.pop()
    rng.shuffle(hand)
    return hand


def _bai_cards(rng: random.Random, pool: Counter[str]) -> list[str]:
    """One or two copies of a card with the partners of two or three of its sets."""
    card = rng.choice(CARDS)
    chosen = rng.sample(sets_with(card), rng.choice((2, 3, 3)))
    cards = [other for one in chosen for other in partners(one, card)] + [card] * (len(chosen) - 1)
    if not fits(cards, pool):
        return []
    pool.subtract(cards)
    return cards


def _lucky_stock(rng: random.Random, hands: list[list[str]], rest: list[str], wanted: str) -> list[str]:
    """Cards that hands can use come early: fourth cards of kans, both others of pairs, and the wanted one."""
    lucky = [wanted] * 3
    counts = [Counter(hand) for hand in hands]
    for hand in counts:
        lucky += [card for card, number in hand.items() if number == 3 and rng.random() < 0.6]
        for card in [card for card, number in hand.items() if number == 2 and rng.random() < 0.4]:
            lucky += [card, card]
    lucky += [card for card in CARDS if sum(hand[card] >= 1 for hand in counts) >= 2 and rng.random() < 0.3]
    rng.shuffle(lucky)
    front = []
    for card in lucky[: rng.randrange(2, 14)]:
        if card in rest:
            rest.remove(card)
            front.append(card)
        if rng.random() < 0.3:
            front.append(rest.pop())
    return front + rest


def random_game(
    rng: random.Random, preset: str = "leshan", options: dict[str, Any] | None = None, rigged: bool = False
) -> Table:
    """A fresh table with a shuffled (or rigged) wall and a random dealer."""
    full = full_options(preset, options)
    return Table(random_wall(rng, full, rigged), rng.randrange(full["players"]), preset, options)
