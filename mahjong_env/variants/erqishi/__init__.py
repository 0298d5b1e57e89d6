"""ErQiShi (贰柒拾), the zipai game of Leshan, Qianwei and Meishan: 80 cards, flips that anybody may claim, points to reach.

Written from the rules page "ErQiShi and paohuzi", part A, whose sections the docstrings name.
"""

from mahjong_env.hands.zipai import CHI_SETS, SURVEY
from mahjong_env.rules.actions import CHI_SET
from mahjong_env.rules.flip import FLIP
from mahjong_env.rules.variant import Variant
from mahjong_env.tiles import ZIPAI
from mahjong_env.variants.erqishi.first_division import MOST_GROUPS
from mahjong_env.variants.erqishi.greedy import choose, choose_as_expert, choose_opening
from mahjong_env.variants.erqishi.inference import ask_claims_again, choose_again, is_possible, known_hand, take_back
from mahjong_env.variants.erqishi.legal import (
    SWAPPED,
    after_claim,
    answer_opening,
    ask_opening,
    bai_choices,
    barred_after_chi,
    begin_hand,
    begin_opening,
    claim_choices,
    forced_claim,
    owes_discard,
    passed_hu,
    prepare_claims,
    turn_choices,
)
from mahjong_env.variants.erqishi.notation import DETAILS, FLAGS, prepare, score_position, waiting_sizes
from mahjong_env.variants.erqishi.observation import PIECES, describe_seat, observe_own, tiles_aside
from mahjong_env.variants.erqishi.options import PATTERNS, REASONS, Options, check_options
from mahjong_env.variants.erqishi.payments import settle_end, settle_hu, waits_mask
from mahjong_env.variants.erqishi.reading import hand_size

SETS = tuple(ZIPAI.format(cards) for cards in CHI_SETS.tolist())
VARIANT = Variant(
    name="erqishi",
    title="ErQiShi (贰柒拾)",
    version=0,
    cycle=FLIP,
    tiles=ZIPAI,
    seats=3,
    seats_option="players",
    most_melds=7,
    verbs=("discard", "chi_set", "bai", "dui", "kai", "hu", "pass", "swap"),
    own_arguments={"chi_set": SETS, "bai": SETS},
    options=Options,
    presets={table: {"table": table} for table in ("leshan", "qianwei", "meishan")},
    patterns=PATTERNS,
    slip_reasons=REASONS,
    fields=(
        ("passed_fans", "i1", ("seats",)),  # 过胡: fans of the win declined, -1 for none
        ("hu_value", "i8", ("seats",)),  # what each seat would win with the card on the table
        ("guns_dealt", "i1", ("seats",)),
        ("kai_flipped", "i1", ("seats",)),  # kais from flips
        ("kai_from", "i1", ("seats", "seats")),  # kais from each other seat's discards
        ("given", "i1", ("seats", SWAPPED)),
        ("got", "i1", ("seats", SWAPPED)),
    ),
    scratch=(
        # the division being looked at, see division.py and first.py
        ("loose", "i4", (2,)),
        ("gathered", "i2", ()),
        ("fates", "i2", ()),
        ("role", "i1", ()),
        ("groups", "i1", ()),
        ("quads", "i1", ()),
        ("guns", "i1", ()),
        ("barren", "i1", ()),
        ("sevens", "i1", ()),
        ("survey", "i8", (SURVEY,)),
        ("work", "i1", ("kinds",)),
        ("depth", "i1", ()),
        ("begun", "i1", (MOST_GROUPS + 1,)),
        ("tries", "i1", (MOST_GROUPS + 1,)),
    ),
    pieces=PIECES,
    flags=FLAGS,
    details=DETAILS,
)
