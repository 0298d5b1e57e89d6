"""Two solvers of one question: into which groups does an ErQiShi hand split, and which division is paid?

Written from the rules page alone and shared with nothing. "rules section N" names a section of that page, "detail N"
an item of its section 4.5. Cards are names, s1..s10 (small, black) and b1..b10 (big, red); a group is a kind and its
cards, ``("run", ("s3", "s4", "s5"))``.

How to use it::

    hand = Hand(cards, melds, target="s9", win_by="flip_self", quan="b1")
    by_recursion(hand, options)        # every division: recursion on the lowest free card, in the article's order
    by_exact_cover(hand, options)      # every division: Algorithm X, the scarcest card first
    best(divisions, hand, options)     # the one that is paid: Worth(payment, points, fans, ge, division), or None
    near_complete_hand(rng, options)   # a complete or nearly complete Hand with melds, kan, gun, kai, bayu

The options read here are hand_size, table, lock_kan, hu_over_kai, bayu_points, min_points, cap, split and the fans,
all with plain values (no None but for the circle, which the quan card of the hand replaces).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

RANKS = range(1, 11)
CARDS = [f"{size}{rank}" for size in "sb" for rank in RANKS]
INDEX = {card: place for place, card in enumerate(CARDS)}
# Detail 12: the lowest free card, big before small.
BIG_BEFORE_SMALL = [*CARDS[10:], *CARDS[:10]]

Options = dict[str, Any]
Group = tuple[str, tuple[str, ...]]
Division = tuple[Group, ...]
QUADS = ("gun", "kai", "bayu")

# rules section 2: kind -> (small, big); what is not named is worth nothing.
VALUES = {"dui": (1, 3), "kan": (3, 6), "kai": (6, 9), "gun": (9, 12), "bayu": (1, 3), "2710": (3, 6)}
BAYU_POINTS = (6, 9)
# rules section 9: (the row's greatest points, its ge); beyond the last row the second number.
ROWS = {
    "leshan": ([(14, 1), (20, 2), (24, 4), (30, 6)], 10),
    "qianwei": ([(10, 1), (20, 2), (30, 4)], 8),
}


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(cards, key=INDEX.__getitem__))


def rank(card: str) -> int:
    return int(card[1:])


def other_size(card: str) -> str:
    """The card of the same rank and the other colour."""
    return ("b" if card[0] == "s" else "s") + card[1:]


def _chi_groups() -> list[Group]:
    """The 38 sets of rules section 2: 16 runs, two 2-7-10, 20 mixes."""
    groups: list[Group] = []
    for size in "sb":
        groups += [("run", tuple(f"{size}{low + step}" for step in range(3))) for low in range(1, 9)]
        groups.append(("2710", tuple(f"{size}{one}" for one in (2, 7, 10))))
    for small in CARDS[:10]:
        big = other_size(small)
        groups += [("mix", (small, small, big)), ("mix", (small, big, big))]
    return groups


CHI_GROUPS = _chi_groups()
CHI_KINDS = {cards: kind for kind, cards in CHI_GROUPS}


def chi_group(cards: Iterable[str]) -> Group:
    """The chi set of these three cards; ValueError if they are none."""
    key = in_order(cards)
    if key not in CHI_KINDS:
        raise ValueError(f"{' '.join(key)} is no chi set")
    return CHI_KINDS[key], key


def parse_meld(text: str) -> Group:
    """ "dui s9", "kai b5", "bayu s2", "chi s1 s2 s3" (or the kind of the set in place of chi)."""
    kind, *cards = text.split()
    if kind in ("dui", "kai", "bayu") and len(set(cards)) == 1:
        return kind, (cards[0],) * (3 if kind == "dui" else 4)
    if kind in ("chi", "run", "mix", "2710"):
        return chi_group(cards)
    raise ValueError(f"{text!r} is no exposed set")


def value(group: Group, bayu_points: bool = False) -> int:
    """rules section 2."""
    kind, cards = group
    pair = BAYU_POINTS if kind == "bayu" and bayu_points else VALUES.get(kind, (0, 0))
    return pair[cards[0][0] == "b"]


def set_count(options: Options) -> int:
    return 7 if options["hand_size"] == 20 else 5


@dataclass(frozen=True)
class Hand:
    """Cards in hand without the target, exposed sets, and how the target came; dealt hands have no target."""

    cards: tuple[str, ...]
    melds: Division = ()
    target: str | None = None
    win_by: str = "flip_other"  # flip_self | flip_other | discard | dealt
    flags: frozenset[str] = frozenset()  # tian_hu, di_hu
    quan: str | None = None


# --- the roles of the target (rules section 7, details 10 and 11) ---------------------------------------------


@dataclass(frozen=True)
class Setup:
    """One role of the target: what is fixed, and what is still to be split."""

    fixed: Division
    free: tuple[int, ...]  # counts by place in CARDS
    dui_card: str | None  # the target, where two copies in hand may make a dui of it
    unlocked: bool  # kan and gun of `free` may be split

    def needs_pair(self) -> bool:
        return any(kind in QUADS for kind, _ in self.fixed)


def setups(hand: Hand, options: Options) -> list[Setup]:
    """Kai or bayu first; the loose fourth card only by hu_over_kai."""
    counts, target, melds = Counter(hand.cards), hand.target, hand.melds
    if target is None:
        return [_setup(counts, melds, (), None, options)]
    roles = []
    dui: Group = ("dui", (target,) * 3)
    kan: Group = ("kan", (target,) * 3)
    without = Counter({card: number for card, number in counts.items() if card != target})
    if counts[target] == 3:
        roles.append(_setup(without, melds, (("kai", (target,) * 4),), None, options))
        if options["hu_over_kai"]:
            roles.append(_setup(without + Counter([target]), melds, (kan,), None, options))
        return roles
    if dui in melds and hand.win_by == "flip_self":
        rest = tuple(meld for meld in melds if meld != dui)
        roles.append(_setup(counts, rest, (("bayu", (target,) * 4),), None, options))
        if not options["hu_over_kai"]:
            return roles
    dui_card = target if counts[target] == 2 else None
    roles.append(_setup(counts + Counter([target]), melds, (), dui_card, options))
    return roles


def _setup(loose: Counter[str], melds: Division, made: Division, dui_card: str | None, options: Options) -> Setup:
    """Locks the three and four equal cards, the target's dui aside."""
    fixed = [*melds, *made]
    free = [0] * len(CARDS)
    for card, number in loose.items():
        if options["lock_kan"] and number >= 3 and card != dui_card:
            fixed.append(("kan" if number == 3 else "gun", (card,) * number))
        else:
            free[INDEX[card]] = number
    return Setup(tuple(fixed), tuple(free), dui_card, not options["lock_kan"])


def is_whole(groups: Division, options: Options) -> bool:
    """So many groups as the game has, and one pair iff a quad is among them (rules section 7)."""
    kinds = [kind for kind, _ in groups]
    quads = sum(kind in QUADS for kind in kinds)
    return len(groups) == set_count(options) and kinds.count("pair") == (1 if quads else 0)


# --- solver (a): recursion on the lowest free card ---------------------------------------------------------------


def by_recursion(hand: Hand, options: Options) -> list[Division]:
    """All divisions in the order of detail 12; one that can be reached by several orders stands there several times."""
    quan_first = options["fan_quan"] and hand.target is not None and hand.target == hand.quan
    found = []
    for setup in setups(hand, options):
        pairs = 1 if setup.unlocked or setup.needs_pair() else 0
        if not setup.unlocked and not _may_fit(setup, pairs, options):
            continue
        for rest in _ways(setup.free, setup.dui_card, pairs, setup.unlocked, quan_first):
            if is_whole(setup.fixed + rest, options):
                found.append(setup.fixed + rest)
    return found


def _may_fit(setup: Setup, pairs: int, options: Options) -> bool:
    """The number of cards leaves exactly the groups that are missing."""
    groups = set_count(options) - len(setup.fixed)
    return groups >= pairs and sum(setup.free) == 3 * (groups - pairs) + 2 * pairs


@lru_cache(maxsize=100_000)
def _ways(
    free: tuple[int, ...], dui_card: str | None, pairs: int, unlocked: bool, quan_first: bool
) -> tuple[Division, ...]:
    """All ways to split the free cards, with at most so many pairs."""
    first = next((card for card in BIG_BEFORE_SMALL if free[INDEX[card]]), None)
    if first is None:
        return ((),)
    found: list[Division] = []
    for group in _groups_at(first, dui_card, pairs, unlocked, quan_first):
        rest = _take(free, group[1])
        if rest is not None:
            left = pairs - (group[0] == "pair")
            found += [(group, *tail) for tail in _ways(rest, dui_card, left, unlocked, quan_first)]
    return tuple(found)


def _groups_at(first: str, dui_card: str | None, pairs: int, unlocked: bool, quan_first: bool) -> Iterator[Group]:
    """What the lowest free card may begin, in the order of detail 12. A kan never holds the target."""
    other = other_size(first)
    dui: Group = ("dui", (first,) * 3)
    if unlocked and first != dui_card:
        yield "gun", (first,) * 4
        yield "kan", (first,) * 3
    if quan_first and first == dui_card:
        yield dui
    if rank(first) in (2, 7, 10):
        yield "2710", tuple(f"{first[0]}{one}" for one in (2, 7, 10))
    if not quan_first and first == dui_card:
        yield dui
    if pairs:
        yield "pair", (first,) * 2
    yield "mix", in_order((first, first, other))
    yield "mix", in_order((first, other, other))
    if rank(first) <= 8:
        yield "run", tuple(f"{first[0]}{rank(first) + step}" for step in range(3))


def _take(free: tuple[int, ...], cards: Sequence[str]) -> tuple[int, ...] | None:
    left = list(free)
    for card in cards:
        left[INDEX[card]] -= 1
        if left[INDEX[card]] < 0:
            return None
    return tuple(left)


# --- solver (b): exact cover ---------------------------------------------------------------------------------------


def by_exact_cover(hand: Hand, options: Options) -> list[Division]:
    """All divisions, each once: Algorithm X on a multiset. Unlocked kan and gun are chosen before the cover."""
    found = []
    for setup in setups(hand, options):
        for locked, free in _lockings(setup):
            fixed = setup.fixed + locked
            quads = any(kind in QUADS for kind, _ in fixed)
            groups = list(CHI_GROUPS)
            if quads:
                groups += [("pair", (card,) * 2) for card in CARDS]
            if setup.dui_card is not None:
                groups.append(("dui", (setup.dui_card,) * 3))
            for cover in _covers(free, [one for one in groups if _fits(one, free)]):
                if is_whole(fixed + cover, options):
                    found.append(fixed + cover)
    return found


def _lockings(setup: Setup) -> Iterator[tuple[Division, Counter[str]]]:
    """Each choice of which three or four equal free cards lie together; just one where they are locked anyway."""
    free = Counter({card: setup.free[INDEX[card]] for card in CARDS if setup.free[INDEX[card]]})
    kinds = [card for card, number in free.items() if setup.unlocked and number >= 3 and card != setup.dui_card]
    for sizes in product(*[(0, *range(3, free[card] + 1)) for card in kinds]):
        chosen = [(card, size) for card, size in zip(kinds, sizes, strict=True) if size]
        locked = tuple(("kan" if size == 3 else "gun", (card,) * size) for card, size in chosen)
        yield locked, free - Counter(dict(chosen))


def _fits(group: Group, free: Counter[str]) -> bool:
    return all(free[card] >= number for card, number in Counter(group[1]).items())


def _covers(free: Counter[str], groups: list[Group]) -> Iterator[Division]:
    """Takes the card that the fewest groups can cover; a group passed over is not taken deeper down either."""
    if not free:
        yield ()
        return
    covering = {card: [group for group in groups if card in group[1]] for card in free}
    scarcest = min(covering, key=lambda card: len(covering[card]))
    for place, group in enumerate(covering[scarcest]):
        left = free - Counter(group[1])
        passed_over = covering[scarcest][:place]
        one_pair = group[0] == "pair"
        still = [
            one for one in groups if one not in passed_over and _fits(one, left) and not (one_pair and one[0] == "pair")
        ]
        for cover in _covers(left, still):
            yield (group, *cover)


# --- worth (rules sections 8 and 9) --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Worth:
    """A division and what it pays: min(cap, ge x 2^fans), before the base and the discarder's share."""

    payment: int
    points: int
    fan_count: int
    fans: tuple[str, ...]
    ge: int
    division: Division


def fans_of(division: Division, hand: Hand, options: Options) -> tuple[str, ...]:
    """rules section 8 and detail 13."""
    found = []
    target = hand.target
    if options["fan_tian"] and (hand.win_by == "dealt" or "tian_hu" in hand.flags):
        found.append("tian")
    if options["fan_di"] and "di_hu" in hand.flags:
        found.append("di")
    if options["fan_kun"] and all(value(group) for group in division if group[0] != "pair"):
        found.append("kun")
    if options["fan_quan"] and target is not None and target == hand.quan:
        made = [group for group in division if group[0] in ("dui", "kai") and group not in hand.melds]
        if any(group[1][0] == target for group in made):
            found.append("quan")
    if options["fan_qing"] and len({card[0] for _, cards in division for card in cards}) == 1:
        found.append("qing")
    if options["fan_gunfan"] and any(kind == "gun" for kind, _ in division):
        found.append("gunfan")
    return tuple(found)


def ge_of(points: int, options: Options) -> int:
    """个数 by points (rules section 9, detail 14)."""
    if options["hand_size"] == 14:
        return points
    if options["table"] == "meishan":
        return max(1, (points + 5) // 10)
    rows, beyond = ROWS[options["table"]]
    return next((ge for most, ge in rows if points <= most), beyond)


def payment_of(points: int, fan_count: int, options: Options) -> int:
    return int(min(options["cap"], ge_of(points, options) * 2**fan_count))


def worth(division: Division, hand: Hand, options: Options) -> Worth:
    points = sum(value(group, options["bayu_points"]) for group in division)
    fans = fans_of(division, hand, options)
    payment = payment_of(points, len(fans), options)
    return Worth(payment, points, len(fans), fans, ge_of(points, options), division)


def best(divisions: Sequence[Division], hand: Hand, options: Options) -> Worth | None:
    """The division that is paid (detail 12). Where none has the minimum: the one with the most points."""
    found = [worth(division, hand, options) for division in divisions]
    enough = [one for one in found if one.points >= options["min_points"]]
    if enough and options["split"] == "first":
        return enough[0]
    if enough:
        return max(enough, key=lambda one: (one.payment, one.points, one.fan_count))
    return max(found, key=lambda one: (one.points, one.fan_count), default=None)


# --- hands to try --------------------------------------------------------------------------------------------------


def draw_group(
    rng: random.Random, kind: str, pool: Counter[str], among: Sequence[str] = CARDS
) -> tuple[str, ...] | None:
    """A group of this kind out of the pool, which loses it; None if none was found in a few tries."""
    chi = [group for group in CHI_GROUPS if set(group[1]) <= set(among)]
    weights = [{"run": 1.0, "mix": 0.7, "2710": 8.0}[one] for one, _ in chi]
    for _ in range(20):
        if kind == "chi":
            cards = rng.choices(chi, weights)[0][1]
        else:
            cards = (rng.choice(among),) * {"pair": 2, "dui": 3, "kan": 3}.get(kind, 4)
        if _fits((kind, cards), pool):
            pool.subtract(cards)
            return cards
    return None


def draw_kinds(rng: random.Random, sets: int, quads: Sequence[str] = ("gun", "kai", "bayu")) -> list[str]:
    """Kinds of groups that make a complete hand, most of them with points enough."""
    number = rng.choices((0, 1, 2, 3), (5, 4, 2, 1))[0]
    kinds = [rng.choice(quads) for _ in range(number)] + ["pair"] * (number > 0)
    others = rng.choices(("chi", "kan", "dui"), (5, 3, 1), k=sets - len(kinds))
    return kinds + others


def near_complete_hand(rng: random.Random, options: Options) -> Hand:
    """A complete hand without its target, or one that misses by a card or two; never more than four of a kind."""
    pool = Counter(CARDS * 4)
    groups: list[Group] = []
    low = rng.randrange(1, 6)
    window = [card for card in CARDS if low <= rank(card) < low + 6]  # close ranks split in several ways
    among = rng.choices((CARDS, window, CARDS[:10], CARDS[10:]), (4, 4, 1, 1))[0]
    for kind in draw_kinds(rng, set_count(options)):
        cards = draw_group(rng, kind, pool, among)
        groups += [(kind, cards)] if cards is not None else []
    exposed = rng.choice((0.0, 0.2, 0.6))
    shown = [
        one for one in groups if one[0] in ("kai", "bayu") or (one[0] in ("chi", "dui") and rng.random() < exposed)
    ]
    hidden = [one for one in groups if one not in shown]
    win_by = rng.choices(("flip_self", "flip_other", "discard", "dealt"), (4, 3, 3, 1))[0]
    melds = [chi_group(cards) if kind == "chi" else (kind, cards) for kind, cards in shown]
    target, cards_held = _take_target(rng, hidden, melds, win_by)
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
        if cards_held:
            pool[cards_held.pop(rng.randrange(len(cards_held)))] += 1
            new = rng.choice([card for card in CARDS if pool[card]])
            pool[new] -= 1
            cards_held.append(new)
    flags = frozenset(["di_hu"]) if win_by != "dealt" and rng.random() < 0.1 else frozenset[str]()
    quan = target if rng.random() < 0.4 else rng.choice([None, *CARDS[10:]])
    return Hand(in_order(cards_held), tuple(melds), target, win_by, flags, quan)


def _take_target(
    rng: random.Random, hidden: list[Group], melds: list[Group], win_by: str
) -> tuple[str | None, list[str]]:
    """Makes a card of a hidden group the target, or the fourth card of a kai or bayu; the cards left in hand."""
    held = [card for _, cards in hidden for card in cards]
    if win_by == "dealt":
        held += [card for _, cards in melds for card in cards]
        melds.clear()
        return None, held
    quads = [one for one in melds if one[0] in ("kai", "bayu")]
    if quads and rng.random() < 0.5:
        quad = rng.choice(quads)
        melds.remove(quad)
        if quad[0] == "kai":
            held += quad[1][:3]
        else:
            melds.append(("dui", quad[1][:3]))
        return quad[1][0], held
    likely = [cards[0] for kind, cards in hidden if kind == "dui"]
    choice = rng.choice(likely) if likely and rng.random() < 0.6 else rng.choice(held or CARDS)
    if choice in held:
        held.remove(choice)
    return choice, held
