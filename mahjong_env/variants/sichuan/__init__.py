"""Sichuan mahjong (四川麻将): the bloody end (血战到底) and blood flows like a river (血流成河).

108 tiles of three suits, no chi. Each seat names a void suit (定缺) it may not win with; a seat that wins leaves the hand
(or, in `xueliu`, goes on winning), and play goes on until three have won or the wall is out. Every hand is the sum of
components worth fan (番, doublings): value = 2 ** min(fan, cap).

Source: 四川麻将（SBR）竞赛规则 2025, Mahjong International League (preset `sbr2025`), and the majority of eight online
clients' rule texts (preset `online`). "Rules page" in a docstring is the project's digest of these sources by section.

`options.py` names what can be chosen; `opening.py`, `choices.py` say what a seat may do; `fan.py` what a hand is worth;
`payments.py`, `wall_end.py` who pays; `seen.py` what is seen, `hidden.py` what can be inferred; `greedy.py` what the
greedy player asks; `notation.py` reads hands and positions.
"""

from mahjong_env.rules.draw import DRAW
from mahjong_env.rules.variant import Variant
from mahjong_env.tiles import SUITS
from mahjong_env.variants.sichuan.expert import (
    danger,
    ends_at_win,
    gang_points,
    gang_worth,
    hu_worth,
    loss_by_win,
    may_discard_after_claim,
    opponents_left,
    prospect,
    wins_differ,
)
from mahjong_env.variants.sichuan.fan import plays_on, waits_mask
from mahjong_env.variants.sichuan.greedy import appraise, choose_opening
from mahjong_env.variants.sichuan.inference import choose_again, known_hand, take_back
from mahjong_env.variants.sichuan.legal import (
    after_claim,
    after_discard,
    after_draw,
    claim_choices,
    passed_hu,
    replacement_from_back,
    turn_choices,
)
from mahjong_env.variants.sichuan.notation import DETAILS, FLAGS, note_replacement, prepare, score_position
from mahjong_env.variants.sichuan.observation import PIECES, describe_seat, is_zero_sum, observe_own, tiles_aside
from mahjong_env.variants.sichuan.opening import answer_opening, ask_opening, begin_opening, draw_chance
from mahjong_env.variants.sichuan.options import MOST_GANGS, ONLINE, PATTERNS, REASONS, Options
from mahjong_env.variants.sichuan.payments import after_hu, settle_gang, settle_hu
from mahjong_env.variants.sichuan.wall_end import settle_wall_end

VARIANT = Variant(
    name="sichuan",
    title="Sichuan mahjong (四川麻将)",
    version=0,
    cycle=DRAW,
    tiles=SUITS,
    seats=4,
    verbs=("discard", "self_gang", "peng", "gang", "hu", "pass", "void", "swap"),
    options=Options,
    presets={"sbr2025": {}, "online": ONLINE},
    patterns=PATTERNS,
    slip_reasons=REASONS,
    fields=(
        ("void", "i1", ("seats",)),
        ("exchange_direction", "i1", ()),
        ("given", "i1", ("seats", 3)),
        ("got", "i1", ("seats", 3)),
        ("most_void", "i1", ("seats",)),  # void-suit tiles it can hold for all that others know, void ones going first
        ("lock_fan", "i1", ("seats",)),
        ("lock_kinds", "i4", ("seats",)),
        ("aside", "i1", ("kinds",)),
        ("gangs", "i1", ()),
        ("gang_seat", "i1", (MOST_GANGS,)),
        ("gang_feeder", "i1", (MOST_GANGS,)),
        ("gang_paid", "i1", (MOST_GANGS, "seats")),  # what each seat paid for it and has not come back or moved on
        ("state", "i1", ("seats",)),
    ),
    pieces=PIECES,
    flags=FLAGS,
    details=DETAILS,
    renamed={"online": {"gang": "gen"}},
    chance={"exchange_direction": ("counter", "clockwise", "across")},
)
