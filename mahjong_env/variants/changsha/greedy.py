"""What the greedy player asks: what a hand is worth keeping for."""

from mahjong_env.agent import STEP, appraise_pairs, appraise_shape, unseen_copies
from mahjong_env.compiled import compiled
from mahjong_env.fields import MOST_MELDS
from mahjong_env.hands.queries import count_kinds, distance_at, kinds_at
from mahjong_env.hands.tables import PAIRED
from mahjong_env.variants.changsha.hand import JIANG_KINDS, melds_are_jiang, waits_mask

JIANG_PAIR = 12
"""What a pair of 2, 5 or 8 is worth while the hand isn't ready: about three useful tiles of four."""

FEW_OTHERS = 4
"""With so many tiles or fewer that aren't 2, 5 or 8, 将将胡 is worth a thought."""


@compiled
def appraise(game, seat, floor):
    """As sets with a pair of 2, 5 or 8, as seven pairs, or as nothing but 2, 5 and 8, whichever is nearest."""
    sets = appraise_sets(game, seat, floor)
    pairs = appraise_pairs(game, seat, NO_KINDS, max(sets, floor))
    return max(max(sets, pairs), appraise_jiang(game, seat))


NO_KINDS = 0


@compiled
def appraise_sets(game, seat, floor):
    """A ready hand is worth what it can win on; if that is nothing it is one tile from ready."""
    sets = MOST_MELDS - int(game.meld_count[seat])
    if distance_at(game.keys, seat, sets) > 0:
        pairs = count_kinds(kinds_at(game.keys, seat, PAIRED) & JIANG_KINDS)
        return appraise_shape(game, seat, NO_KINDS, floor - JIANG_PAIR) + (JIANG_PAIR if pairs > 0 else 0)
    waits = waits_mask(game, seat)
    if waits == 0:
        return -STEP + appraise_shape(game, seat, NO_KINDS, floor)
    return STEP + unseen_copies(game, seat, waits)


@compiled
def appraise_jiang(game, seat):
    """Nothing but 2, 5 and 8: a tile to go for each other one."""
    if not melds_are_jiang(game, seat):
        return -STEP * STEP
    others = 0
    for kind in range(27):
        others += int(game.hands[seat, kind]) if kind % 3 != 1 else 0
    if others > FEW_OTHERS:
        return -STEP * STEP
    return STEP * (0 if others == 0 else 1 - others) + unseen_copies(game, seat, JIANG_KINDS) // 4
