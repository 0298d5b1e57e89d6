"""Hands and positions from notation: scoring one hand, and a table in the middle of play."""

from typing import Any

from mahjong_env.rules.actions import GANG, PENG
from mahjong_env.rules.hooks import HAND
from mahjong_env.rules.score import Score
from mahjong_env.rules.state import BY_ROBBING, NOBODY, SELF_DRAW
from mahjong_env.tiles import SUITS
from mahjong_env.variants.sichuan.fan import evaluate_complete, value_of
from mahjong_env.variants.sichuan.legal import NO_PASS
from mahjong_env.variants.sichuan.options import AFTER_GANG, FIRST_TURN, LAST_TILE

FLAGS = ("after_gang", "after_gang_discard", "last_tile", "first_turn", "dealer", "tian_hu", "di_hu")
"""Situations in which a hand is scored. `after_gang` also means a win on the discard after a gang, or robbing a gang
declared on a replacement tile; `first_turn` is 天胡 for the dealer and 地胡 for others, where the options have them."""


def prepare(state: Any) -> None:
    """Nothing swapped, declared or passed in a blank state."""
    for name in ("void", "given", "got"):
        state[name] = NOBODY
    state["lock_fan"] = NO_PASS
    state["most_void"] = HAND + 1


def set_void(state: Any, seat: int, suit: str | None) -> None:
    """The seat has declared a suit void, by its letter; None or "-": none."""
    if suit is not None and suit != "-" and suit not in SUITS.suits:
        raise ValueError(f"void {suit!r} is not possible; it takes {', '.join(SUITS.suits)}, or - for none")
    state["void"][seat] = SUITS.suits.index(suit) if suit in SUITS.suits else NOBODY


DETAILS = {"void": set_void}


def score_position(state: Any, seat: int, kind: int, by: int, flags: tuple[str, ...]) -> Score:
    """The score of complete concealed tiles, won on `kind`, which they include (rules page sections 4 and 5)."""
    check_flags(by, flags)
    state["dealer"] = seat if "dealer" in flags or "tian_hu" in flags else NOBODY
    bits = situation_of(state, seat, by, flags)
    if bits & AFTER_GANG:
        note_replacement(state, seat)
    reason = why_no_win(state, seat)
    fan = -1 if reason else int(evaluate_complete(state, seat, kind, by, bits))
    if fan < 0:
        return Score(hu=False, reason=reason or "no_structure")
    value = int(value_of(state, fan))
    return Score(hu=True, fan=value.bit_length() - 1, fan_raw=fan, value=value)  # value is 2 ** fan


def check_flags(by: int, flags: tuple[str, ...]) -> None:
    """ValueError for flags that can't hold together, or with this way of winning."""
    if "tian_hu" in flags and (by != SELF_DRAW or "di_hu" in flags):
        raise ValueError("flag 'tian_hu' needs win_by 'self_draw', and no 'di_hu': it is the dealer's dealt hand")
    if "di_hu" in flags and "dealer" in flags:
        raise ValueError("flag 'di_hu' is for a seat that isn't dealer; the dealer's is 'tian_hu'")
    if "after_gang_discard" in flags and by == SELF_DRAW:
        raise ValueError("flag 'after_gang_discard' needs win_by 'discard'; a drawn replacement is 'after_gang'")


def situation_of(state: Any, seat: int, by: int, flags: tuple[str, ...]) -> int:
    """The bits that flags stand for, as `situation` finds them in play."""
    after_gang = "after_gang" in flags or "after_gang_discard" in flags
    if by == BY_ROBBING and not state["options"]["rob_after_gang_counts_both"]:
        after_gang = False
    first = not state["meld_count"][seat] and any(flag in flags for flag in ("first_turn", "tian_hu", "di_hu"))
    return AFTER_GANG * after_gang | LAST_TILE * ("last_tile" in flags) | FIRST_TURN * first


def note_replacement(state: Any, seat: int) -> None:
    """The seat's last gang, paid for, is the one whose replacement was drawn; a direct one had a feeder."""
    for verb in state["meld_verb"][seat, : state["meld_count"][seat]]:
        if verb != PENG:
            state["gangs"] = 1
            state["gang_seat"][0] = seat
            state["gang_feeder"][0] = (seat + 1) % 4 if verb == GANG else NOBODY


def why_no_win(state: Any, seat: int) -> str | None:
    """What the suits of hand and melds have against a win; None if nothing (rules page section 2.2)."""
    held = (state["hands"] + state["melded"])[seat].reshape(3, 9).any(axis=1)
    void = int(state["void"][seat])
    if void != NOBODY and held[void]:
        return "has_void_suit"
    return "three_suits" if held.all() else None
