"""Changsha mahjong (长沙麻将): small wins with a pair of 2, 5 or 8, big wins that add up, gangs with tiles turned up, birds.

108 tiles of three suits, with chi. A small win (小胡) needs a pair of 2, 5 or 8 (将); big ones (大胡) add their units. Before the
first turn seats may declare starting wins (起手胡). A gang is declared for one replacement tile (补张) or, by a ready hand,
for tiles turned up for all to win on or claim (开杠), which locks the hand. The last tile is offered round (海底). Birds
(扎鸟) multiply what is paid. One win ends the hand.

No written standard exists; sources disagree, and each choice is an option. "Rules page" in a docstring is the project's
digest of the sources by section.

`options.py` names what can be chosen; `starting.py` the starting wins; `choices.py` says what a seat may do, `face_up.py`
what happens to tiles turned up and to the sea bottom; `hand.py` what a hand is worth, `payments.py` who pays; `seen.py`
what is seen, `hidden.py` what can be inferred; `greedy.py` what the greedy player asks; `notation.py` scores hands.
"""

from mahjong_env.rules.draw import DRAW
from mahjong_env.rules.pass_hu import PASSED_FIELDS
from mahjong_env.rules.variant import Variant
from mahjong_env.tiles import SUITS
from mahjong_env.variants.changsha.greedy import appraise, choose_as_expert
from mahjong_env.variants.changsha.hand import waits_mask
from mahjong_env.variants.changsha.inference import ask_own_again, choose_again, known_hand, why_asked
from mahjong_env.variants.changsha.legal import (
    after_discard,
    after_draw,
    claim_choices,
    passed_hu,
    several_winners,
    turn_choices,
)
from mahjong_env.variants.changsha.notation import FLAGS, score_position
from mahjong_env.variants.changsha.observation import PIECES, describe_phase, describe_seat, observe_own
from mahjong_env.variants.changsha.open_gang import (
    answer_own,
    ask_own,
    instead_of_draw,
    instead_of_replacement,
    settle_hu,
)
from mahjong_env.variants.changsha.options import IMPLIED, MOST_SIXES, MOST_THROWS, PATTERNS, REASONS, RULEBOOK, Options
from mahjong_env.variants.changsha.payments import settle_gang, settle_wall_end
from mahjong_env.variants.changsha.starting import act_otherwise, answer_opening, ask_opening, begin_opening

VARIANT = Variant(
    name="changsha",
    title="Changsha mahjong (长沙麻将)",
    version=0,
    cycle=DRAW,
    tiles=SUITS,
    seats=4,
    verbs=(
        "discard", "chi", "peng", "gang", "open_gang", "self_gang", "open_self_gang", "declare", "take", "hu", "pass",
    ),
    options=Options,
    presets={
        "classic_1267": {},
        "gs_1266": {"scoring": "gs_1266"},
        "egret_x": {"scoring": "egret_x"},
        "flat_2_8": {"scoring": "flat_2_8"},
        "jilai_cap42": {"scoring": "jilai_cap42"},
        "rulebook_a": RULEBOOK,
    },
    implied=IMPLIED,
    patterns=PATTERNS,
    slip_reasons=REASONS,
    fields=(
        ("lock_waits", "i4", ("seats",)),
        *PASSED_FIELDS,
        ("fours_declared", "i4", ("seats",)),
        ("united_kinds", "i4", ()),
        ("items", "i2", ("seats",)),
        ("sixes", "i2", ("seats", MOST_SIXES)),
        ("claim", "i2", ()),
        ("dice", "i1", (2 * MOST_THROWS,)),
        ("throws", "i1", ()),
        ("declaring", "i1", ("seats",)),
        ("six_count", "i1", ("seats",)),
        ("shown", "i1", ("seats", "kinds")),
        ("locked", "i1", ("seats",)),
        ("face_up", "i1", (4,)),
        ("face_up_count", "i1", ()),
        ("face", "i1", ()),
        ("named", "i1", ()),
        ("claimant", "i1", ()),
        ("claimed", "i1", ()),
        ("sea_bottom", "i1", ()),
        ("last_taken", "i1", ()),
        ("last_taker", "i1", ()),
        ("united", "i1", (len(PATTERNS),)),
        ("birds", "i1", (6,)),
        ("bird_count", "i1", ()),
    ),
    pieces=PIECES,
    flags=FLAGS,
    chance={"dice": (1, 2, 3, 4, 5, 6)},
)  # fmt: skip
