"""Hands and positions from notation: scoring one hand, and a table in the middle of play."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mahjong_env.hands.zipai import BIG_SEVENS, CHI_SETS, KINDS, LANE, RANKS, SMALL_SEVENS
from mahjong_env.rules.actions import ADDED_KAI, BAI, CHI_SET, DUI, KAI
from mahjong_env.rules.flip.position import check_hand
from mahjong_env.rules.score import Score
from mahjong_env.rules.state import DEALT, NO_TILE, NOBODY
from mahjong_env.tiles import ZIPAI
from mahjong_env.variants.erqishi.first_division import DUI as BEGINS_DUI
from mahjong_env.variants.erqishi.first_division import GUN, KAN, MIX_OF_ONE, MIX_OF_TWO, PAIR, QUAN_DUI, SEVENS
from mahjong_env.variants.erqishi.payments import evaluate, stake
from mahjong_env.variants.erqishi.reading import (
    AS_BAYU,
    AS_DUI,
    AS_KAI,
    LOSES_ONE,
    NO_DIVISION,
    STAYS,
    WIN,
    fans_of,
    hand_size,
)

FLAGS = ("di_hu", "tian_hu")
"""Situations in which a hand is scored: `di_hu`, the first card shown; `tian_hu`, which `win_by="dealt"` says already."""

Group = tuple[str, tuple[int, ...]]


def prepare(state: Any) -> None:
    """Nothing swapped, passed or eaten in a blank state."""
    for name in ("given", "got", "passed_fans", "eaten"):
        state[name] = NOBODY
    state["win_tile"] = NO_TILE


def waiting_sizes(state: Any, seat: int) -> list[int]:
    """The numbers of cards with which a seat waits: its size with its quads; and fewer after a deal with several (rules
    page section 6)."""
    verbs = state["meld_verb"][seat, : state["meld_count"][seat]]
    quads = int((state["hands"][seat] == 4).sum() + np.isin(verbs, (KAI, ADDED_KAI)).sum())
    size = int(hand_size(state))
    return list(range(size, size + max(1, quads)))


def set_quan(state: Any, seat: int, card: str | None) -> None:
    """The circle's card; "-" or None: there is none."""
    kind = NO_TILE if card in (None, "-") else ZIPAI.kind(str(card))
    if kind != NO_TILE and kind < RANKS:
        raise ValueError(f"quan {card!r} is not possible; it takes a big card, b1 to b10, or - for none")
    state["options"]["circle"] = kind - RANKS + 1 if kind != NO_TILE else -1


def set_barred(state: Any, seat: int, cards: str | None) -> None:
    """Cards that the seat may not eat any more (过张)."""
    for kind in ZIPAI.parse(cards or ""):
        state["chi_barred"][seat] |= 1 << kind


def set_passed(state: Any, seat: int, fans: int | None) -> None:
    """The fans of the win that the seat has passed (过胡); None: it has passed none."""
    state["passed_fans"][seat] = NOBODY if fans is None else fans


DETAILS = {"quan": set_quan, "barred": set_barred, "passed_fans": set_passed}


def score_position(state: Any, seat: int, kind: int, by: int, flags: tuple[str, ...]) -> Score:
    """The score of the seat's hand with a card of `kind`, which it does not hold (rules page sections 7 to 9)."""
    if "tian_hu" in flags and by != DEALT:
        raise ValueError("flag 'tian_hu' needs win_by 'dealt': it is the dealer's dealt hand")
    if by == DEALT and kind != NO_TILE:  # named apart, but dealt with the others
        state["hands"][seat, kind] += 1
        state["keys"][seat, kind // RANKS] += 1 << 3 * (kind % RANKS)
        kind = NO_TILE
    if kind == NO_TILE and by != DEALT:
        raise ValueError("win_tile is missing; name the card that completes the hand")
    check_hand(waiting_sizes(state, seat), state, seat, by)
    state["dealer"] = NOBODY if "di_hu" in flags else seat
    state["claims"] = 0 if "di_hu" in flags else 1
    state["draws"][seat] = 1
    value = int(evaluate(state, seat, kind, by))
    if value == NO_DIVISION:
        return Score(hu=False, reason="no_structure")
    points = int(state["gathered"])
    sets = [(name, " ".join(ZIPAI.names[k] for k in cards)) for name, cards in groups_of(state, seat, kind)]
    if value < WIN:
        return Score(hu=False, reason="too_few_points", points=value, sets=sets)
    fans = int(fans_of(value))
    return Score(hu=True, fan=fans, fan_raw=fans, value=int(stake(state, value, by)), points=points, sets=sets)


# --- the groups of a division -----------------------------------------------------------------------------------------


def groups_of(game: np.record, seat: int, card: int) -> list[Group]:
    """The groups of the division that `evaluate` has left in the state, exposed ones first."""
    found = [*exposed(game, seat, card), *locked(game, seat, card), *completed(game, card)]
    if game["depth"]:
        return [*found, *begun(game)]
    return [*found, *free_groups(game)]


def exposed(game: np.record, seat: int, card: int) -> Iterator[Group]:
    """Groups on the table, a dui that the winning card makes a bayu left out."""
    for place in range(int(game["meld_count"][seat])):
        verb, what = int(game["meld_verb"][seat, place]), int(game["meld_tile"][seat, place])
        if verb in (CHI_SET, BAI):
            yield named(tuple(CHI_SETS[what].tolist()))
        elif verb == DUI and not (game["role"] == AS_BAYU and what == card):
            yield "dui", (what,) * 3
        elif verb != DUI:
            yield "kai" if verb == KAI else "bayu", (what,) * 4


def locked(game: np.record, seat: int, card: int) -> Iterator[Group]:
    """Three or four equal cards of the hand that stay together."""
    fates = int(game["fates"])
    for kind in range(KINDS):
        held = int(game["hands"][seat, kind])
        if held >= 3 and not (kind == card and game["role"] == AS_KAI):
            fate = STAYS if kind == card else fates & 3
            fates = fates if kind == card else fates >> 2
            if fate == STAYS:
                yield "gun" if held == 4 else "kan", (kind,) * held
            elif fate == LOSES_ONE:
                yield "kan", (kind,) * 3


def completed(game: np.record, card: int) -> Iterator[Group]:
    """The group that the winning card completes, unless it is among the free ones."""
    role = int(game["role"])
    if role in (AS_DUI, AS_KAI, AS_BAYU):
        yield {AS_DUI: ("dui", (card,) * 3), AS_KAI: ("kai", (card,) * 4), AS_BAYU: ("bayu", (card,) * 4)}[role]


def free_groups(game: np.record) -> list[Group]:
    """How the free cards divide."""
    free = [int(game["loose"][kind // RANKS]) >> LANE * (kind % RANKS) & 7 for kind in range(KINDS)]
    sevens = [tuple(CHI_SETS[chi_set].tolist()) for chi_set in (SMALL_SEVENS, BIG_SEVENS)]
    taken = [sevens[0]] * int(game["sevens"] & 7) + [sevens[1]] * int(game["sevens"] >> 3)
    for cards in taken:
        for kind in cards:
            free[kind] -= 1
    rest = divided(free, pairs=1 if game["quads"] else 0)
    assert rest is not None
    return [named(cards) for cards in (*taken, *rest)]


def divided(free: list[int], pairs: int) -> list[tuple[int, ...]] | None:
    """Free cards as chi sets and so many pairs, 2-7-10 aside; None if they don't divide."""
    kind = next((kind for kind in range(KINDS) if free[kind]), None)
    if kind is None:
        return None if pairs else []
    sets = [tuple(cards) for s, cards in enumerate(CHI_SETS.tolist()) if s not in (SMALL_SEVENS, BIG_SEVENS)]
    for cards in [cards for cards in sets if kind in cards] + [(kind, kind)] * pairs:
        left = [held - cards.count(k) for k, held in enumerate(free)]
        rest = divided(left, pairs - (len(cards) == 2)) if min(left) >= 0 else None
        if rest is not None:
            return [cards, *rest]
    return None


def begun(game: np.record) -> Iterator[Group]:
    """The groups of the first division, as the search began them."""
    for place in range(int(game["depth"])):
        kind, trial = int(game["begun"][place]), int(game["tries"][place])
        other = (kind + RANKS) % KINDS
        if trial in (GUN, KAN):
            yield "gun" if trial == GUN else "kan", (kind,) * (4 - trial)
        elif trial in (QUAN_DUI, BEGINS_DUI):
            yield "dui", (kind,) * 3
        elif trial == PAIR:
            yield "pair", (kind,) * 2
        elif trial in (MIX_OF_TWO, MIX_OF_ONE):
            yield named(tuple(sorted((kind, other, kind if trial == MIX_OF_TWO else other))))
        else:
            yield named((kind, kind + 5, kind + 8) if trial == SEVENS else (kind, kind + 1, kind + 2))


def named(cards: tuple[int, ...]) -> Group:
    """A chi set, or a pair, with its name."""
    if len(cards) == 2:
        return "pair", cards
    if len({kind % RANKS for kind in cards}) == 1:
        return "mix", cards
    return "run" if cards[1] == cards[0] + 1 else "2710", cards
