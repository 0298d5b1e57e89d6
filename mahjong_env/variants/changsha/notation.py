"""Hands from notation: scoring one hand apart from any game."""

from typing import Any

from mahjong_env.hands.queries import complete_at
from mahjong_env.rules.score import Score
from mahjong_env.rules.state import BY_ROBBING, SELF_DRAW
from mahjong_env.variants.changsha.hand import NO_WIN, evaluate, exposed_melds
from mahjong_env.variants.changsha.options import (
    AFTER_GANG,
    CONCEALED_DRAW,
    EARTHLY,
    GANG_DISCARD,
    GANG_SHANG_KAI_HUA,
    GANG_SHANG_PAO,
    HEAVENLY,
    LAST_TILE,
    NO_EARTHLY,
    ROBBED,
)
from mahjong_env.variants.changsha.payments import capped, rate

HITS = {f"after_gang_hits={tiles}": tiles for tiles in (1, 2, 3, 4)}
FLAGS = ("after_gang", "after_gang_discard", "rob_gang", "last_tile", "first_turn", "dealer", "tian_hu", "di_hu", *HITS)
"""Situations in which a hand is scored. `after_gang` is 杠上开花, `after_gang_discard` 杠上炮; `after_gang_hits=2`: two of the
tiles turned up win. `rob_gang`: the robbing counts as a big win, as it does anyway unless `rob_buzhang_is_big` is off.
`first_turn` is 天胡 for the dealer and 地胡 for others."""


def score_position(state: Any, seat: int, kind: int, by: int, flags: tuple[str, ...]) -> Score:
    """The score of complete concealed tiles, the winning one included (rules page section 4)."""
    bits = situation_of(state, seat, by, flags)
    units = int(evaluate(state, seat, by, bits))
    if units == NO_WIN:
        return Score(hu=False, reason=why_no_win(state, seat, by))
    more = max([HITS[flag] for flag in flags if flag in HITS], default=1) - 1
    for pattern in (GANG_SHANG_KAI_HUA, GANG_SHANG_PAO):
        if state["patterns"][pattern]:
            state["patterns"][pattern] += more
            units += more
    value = int(capped(state, int(rate(state, units, by == SELF_DRAW))))
    return Score(hu=True, fan=units, fan_raw=units, value=value)


def situation_of(state: Any, seat: int, by: int, flags: tuple[str, ...]) -> int:
    """The bits that flags stand for, as they are found in play; ValueError for flags that can't hold."""
    own = by == SELF_DRAW
    if "tian_hu" in flags and (not own or "di_hu" in flags):
        raise ValueError("flag 'tian_hu' needs win_by 'self_draw', and no 'di_hu': it is the dealer's dealt hand")
    if "after_gang" in flags and not own:
        raise ValueError(
            "flag 'after_gang' needs win_by 'self_draw'; on another's gang tile it is 'after_gang_discard'"
        )
    if "after_gang_discard" in flags and own:
        raise ValueError("flag 'after_gang_discard' needs win_by 'discard'; on the own gang's tile it is 'after_gang'")
    if "rob_gang" in flags and by != BY_ROBBING:
        raise ValueError("flag 'rob_gang' needs win_by 'rob_gang'")
    options = state["options"]
    first = "first_turn" in flags
    earthly = ("di_hu" in flags or (first and "dealer" not in flags)) and options["dihu"] != NO_EARTHLY
    robbed = by == BY_ROBBING and (options["rob_buzhang_is_big"] or "rob_gang" in flags)
    concealed = own and options["menqing"] and exposed_melds(state, seat) == 0
    raised = (
        (HEAVENLY, "tian_hu" in flags or (first and "dealer" in flags and own)),
        (EARTHLY, earthly),
        (LAST_TILE, "last_tile" in flags),
        (AFTER_GANG, "after_gang" in flags),
        (GANG_DISCARD, "after_gang_discard" in flags),
        (ROBBED, robbed),
        (CONCEALED_DRAW, concealed),
    )
    return sum(bit for bit, is_raised in raised if is_raised)


def why_no_win(state: Any, seat: int, by: int) -> str:
    """What stands against a win (rules page section 4)."""
    options = state["options"]
    if not complete_at(state["keys"], seat, 0):
        return "no_structure"
    if not is_small(state, seat):
        return "pair_not_258"
    if options["big_only"]:
        return "big_only"
    if options["small_self_draw_only"] and by != SELF_DRAW:
        return "small_self_draw_only"
    return "need_open_door"


def is_small(state: Any, seat: int) -> bool:
    """The pair of the complete hand is of 2, 5 or 8."""
    from mahjong_env.hands.queries import pair_258_complete_at

    return bool(pair_258_complete_at(state["keys"], seat, 0))
