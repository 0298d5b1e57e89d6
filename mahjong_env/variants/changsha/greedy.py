"""What the greedy player asks: what a hand is worth keeping for."""

from mahjong_env.compiled import compiled
from mahjong_env.hands.queries import count_kinds, distance_at, kinds_at
from mahjong_env.hands.tables import PAIRED
from mahjong_env.rules.greedy import STEP, appraise_pairs, appraise_shape, greedy_action, unseen_copies
from mahjong_env.rules.state import BY_DISCARD, MOST_MELDS
from mahjong_env.rules.table import gain, lose
from mahjong_env.variants.changsha.hand import JIANG_KINDS, evaluate, melds_are_jiang, waits_mask

NO_KINDS = 0
JIANG_PAIR = 12
"""What a pair of 2, 5 or 8 is worth while the hand isn't ready: about three useful tiles of four."""

BIG = STEP // 2
"""What a hand that will be big is worth beside one as near: it pays sixfold, and is harder to complete."""

BIG_WAIT = 4
"""A wait for a big win counts as so many for a small one."""

FEW_OTHERS = 4
"""With so many tiles or fewer that aren't 2, 5 or 8, 将将胡 is worth a thought."""


@compiled
def appraise(game, seat, floor):
    """As sets with a pair of 2, 5 or 8, as seven pairs, or as nothing but 2, 5 and 8, whichever is worth more."""
    sets = appraise_sets(game, seat, floor)
    pairs = BIG + appraise_pairs(game, seat, NO_KINDS, max(sets, floor) - BIG)
    return max(max(sets, pairs), appraise_jiang(game, seat))


@compiled
def appraise_sets(game, seat, floor):
    """A ready hand is worth what it can win on; if that is nothing it is one tile from ready."""
    sets = MOST_MELDS - int(game.meld_count[seat])
    if distance_at(game.keys, seat, sets) > 0:
        pairs = count_kinds(kinds_at(game.keys, seat, PAIRED) & JIANG_KINDS)
        return appraise_shape(game, seat, NO_KINDS, floor - JIANG_PAIR) + (JIANG_PAIR if pairs > 0 else 0)
    waits = waits_mask(game, seat)
    if waits == 0:
        return -STEP + appraise_shape(game, seat, NO_KINDS, floor + STEP)
    return worth_of_waits(game, seat, waits)


@compiled
def worth_of_waits(game, seat, waits):
    """Tiles not seen yet that win, those for a big win several times over."""
    worth = 0
    for kind in range(27):
        if (waits >> kind) & 1:
            gain(game, seat, kind)
            weight = BIG_WAIT if evaluate(game, seat, BY_DISCARD, 0) > 0 else 1
            lose(game, seat, kind)
            worth += weight * unseen_copies(game, seat, 1 << kind)
    return worth


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
    return BIG - STEP * others + unseen_copies(game, seat, JIANG_KINDS) // 4


@compiled
def choose_as_expert(game, seat):
    """The expert plays as greedy does: what a big win is worth beside a small one it can't say yet."""
    return greedy_action(game)
