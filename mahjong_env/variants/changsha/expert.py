"""What the expert asks: points to expect of a hand by what it could become, and of a win (rules page section 7)."""

from mahjong_env.compiled import compiled
from mahjong_env.hands.queries import hand_useful, missing
from mahjong_env.rules.expert import (
    CLAIMED,
    OTHERS,
    PURE,
    SETS,
    TYPICAL,
    expect,
    expect_pairs,
    expect_triplets,
)
from mahjong_env.rules.greedy import unseen_copies
from mahjong_env.rules.state import BY_DISCARD, MOST_MELDS, SELF_DRAW
from mahjong_env.rules.table import gain, lose
from mahjong_env.variants.changsha.greedy import FEW_OTHERS, appraise_sets
from mahjong_env.variants.changsha.hand import JIANG_KINDS, NO_WIN, evaluate, melds_are_jiang, units_on, waits_mask
from mahjong_env.variants.changsha.legal import situation
from mahjong_env.variants.changsha.payments import rate

ALL_KINDS = (1 << 27) - 1
SUIT_KINDS = 0b111111111
BIRDS_WORTH = 1.3
"""Birds and the dealer's part add about so much to each payment."""


@compiled
def win_points(game, seat, by):
    """A small win."""
    return points_of(game, 0, by)


@compiled
def deal_in_points(game, other):
    """Now and then a win is a big one."""
    return points_of(game, 0, BY_DISCARD) + BIG_SHARE * points_of(game, 1, BY_DISCARD)


BIG_SHARE = 0.15


@compiled
def hu_worth(game, seat, by):
    """The win that is offered, with the situation."""
    bits = situation(game, seat, by)
    if by == SELF_DRAW:
        return 3.0 * points_of(game, max(0, evaluate(game, seat, SELF_DRAW, bits)), SELF_DRAW)
    return points_of(game, max(0, units_on(game, seat, int(game.table_tile), by, bits)), by)


@compiled
def points_of(game, units, by):
    """Points that one payer pays for so many units."""
    return BIRDS_WORTH * rate(game, units, by == SELF_DRAW)


@compiled
def loss_by_win(game, seat):
    """Most wins of others are small ones on a discard, which one of three pays."""
    return LOSS_BY_WIN * points_of(game, 0, SELF_DRAW)


LOSS_BY_WIN, BIG_WORTH = 0.3, 1.6


@compiled
def prospect(game, seat):
    """The most of what the hand could become: sets with a pair of 2, 5 or 8, one suit, triplets, pairs, 2, 5 and 8 alone."""
    each, by_discard = BIG_WORTH * points_of(game, 1, SELF_DRAW), BIG_WORTH * points_of(game, 1, BY_DISCARD)
    worth = max(as_sets(game, seat), as_jiang(game, seat, each, by_discard))
    worth = max(worth, expect_triplets(game, seat, ALL_KINDS, each, by_discard, 0.0))
    worth = max(worth, expect_pairs(game, seat, ALL_KINDS, each, by_discard, 0.0))
    for suit in range(3):
        worth = max(worth, as_one_suit(game, seat, suit, each, by_discard))
    return worth


@compiled
def as_sets(game, seat):
    """Sets with a pair of 2, 5 or 8, or a hand that is ready for anything."""
    waits = waits_mask(game, seat)
    if waits:
        return as_ready(game, seat, waits)
    appraisal = appraise_sets(game, seat, -(1 << 30))
    distance = max(1, (255 - appraisal) // 256)
    useful = float(max(0, appraisal + 256 * distance))
    each, by_discard = points_of(game, 0, SELF_DRAW), points_of(game, 0, BY_DISCARD)
    claimable = useful * CLAIMED[SETS] / OTHERS
    return expect(game, seat, SETS, distance, useful, claimable, TYPICAL[SETS][0], each, by_discard, 0.0)


@compiled
def as_ready(game, seat, waits):
    """What the waits bring, each by its own units."""
    copies, draws, discards, draw, discard = 0, 0, 0, 0.0, 0.0
    for kind in range(27):
        if waits >> kind & 1:
            left = unseen_copies(game, seat, 1 << kind)
            gain(game, seat, kind)
            drawn, discarded = evaluate(game, seat, SELF_DRAW, 0), evaluate(game, seat, BY_DISCARD, 0)
            lose(game, seat, kind)
            copies += left
            if drawn != NO_WIN:
                draws += left
                draw += left * points_of(game, drawn, SELF_DRAW)
            if discarded != NO_WIN:
                discards += left
                discard += left * points_of(game, discarded, BY_DISCARD)
    if copies == 0:
        return 0.0
    return expect(
        game, seat, SETS, 0, float(copies), float(copies), 0.0, draw / max(1, draws), discard / max(1, discards), 0.0
    )


@compiled
def as_one_suit(game, seat, suit, each, by_discard):
    """清一色, which needs no pair of 2, 5 or 8."""
    kinds = SUIT_KINDS << 9 * suit
    for place in range(int(game.meld_count[seat])):
        if not kinds >> int(game.meld_tile[seat, place]) & 1:
            return 0.0
    sets, key = MOST_MELDS - int(game.meld_count[seat]), int(game.keys[seat, suit])
    m, p, s = key if suit == 0 else 0, key if suit == 1 else 0, key if suit == 2 else 0
    distance = missing(m, p, s, 0, sets, 0) - 1
    if distance <= 0:
        return 0.0
    useful = float(unseen_copies(game, seat, hand_useful(m, p, s, 0, sets, 0, 0, kinds) & kinds))
    return expect(
        game, seat, PURE, distance, useful, useful * CLAIMED[PURE] / OTHERS, TYPICAL[PURE][0], each, by_discard, 0.0
    )


@compiled
def as_jiang(game, seat, each, by_discard):
    """将将胡: nothing but 2, 5 and 8, a tile to go for each other one."""
    if not melds_are_jiang(game, seat):
        return 0.0
    others = 0
    for kind in range(27):
        others += int(game.hands[seat, kind]) if kind % 3 != 1 else 0
    if others == 0 or others > FEW_OTHERS:
        return 0.0
    useful = float(unseen_copies(game, seat, JIANG_KINDS))
    return expect(game, seat, PURE, others, useful, 0.0, useful, each, by_discard, 0.0)
