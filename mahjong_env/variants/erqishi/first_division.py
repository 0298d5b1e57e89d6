"""`split="first"`: the first division found by the article's order of tries (rules page section 4.5, detail 12).

Depth first on the lowest free card, big ones before small ones. The card begins, in this order: a gun, a kan (where they
are not locked), the winning card's dui if it is the quan card, 2-7-10, that dui, the pair, a mix with two of it, a mix
with one, the run upward from it. The search keeps its stack in the state: `begun`, the cards, and `tries`, what they begin.
"""

from mahjong_env.compiled import compiled
from mahjong_env.hands.zipai import BIG_SEVENS_POINTS, RANKS, SMALL_SEVENS_POINTS, lane
from mahjong_env.rules.state import NO_TILE
from mahjong_env.variants.erqishi.reading import (
    AS_BAYU,
    AS_DUI,
    AS_KAI,
    AS_LOOSE,
    AS_NOTHING,
    FREED,
    NO_DIVISION,
    WIN,
    dui_points,
    gather,
    gather_card,
    gather_exposed,
    gather_locked,
    gun_points,
    kan_points,
    mark_fans,
    roles_of,
    sets_of,
    value_of,
    ways_to_free,
)

GUN, KAN, QUAN_DUI, SEVENS, DUI, PAIR, MIX_OF_TWO, MIX_OF_ONE, RUN_UP, NO_MORE = range(10)
MOST_GROUPS = 8


@compiled
def first_division(game, seat, card, by):
    """The value of the first division with enough points; patterns and points are left in the state."""
    roles = roles_of(game, seat, card, by)
    for role in (AS_KAI, AS_BAYU, AS_NOTHING, AS_LOOSE):
        if roles >> role & 1:
            value = search(game, seat, card, by, role)
            if value >= WIN:
                return value
    return NO_DIVISION


@compiled
def search(game, seat, card, by, role):
    """The first division with the card in this role."""
    lay_out(game, seat, card, role)
    depth = 0
    game.tries[0] = 0
    while True:
        lowest = lowest_card(game)
        if lowest == NO_TILE:
            value = judge(game, seat, card, by, role, depth)
            if value >= WIN:
                return value
        trial = NO_MORE if lowest == NO_TILE else next_trial(game, seat, card, role, lowest, depth)
        if trial < NO_MORE:
            game.begun[depth] = lowest
            game.tries[depth] = trial
            move(game, lowest, trial, -1)
            depth += 1
            game.tries[depth] = 0
        else:
            depth -= 1
            if depth < 0:
                return NO_DIVISION
            move(game, int(game.begun[depth]), int(game.tries[depth]), 1)
            game.tries[depth] += 1


@compiled
def gather_fixed(game, seat, card, role):
    """The groups that are not searched for."""
    gather_exposed(game, seat)
    game.fates = ways_to_free(game, seat, card) // 3 * FREED
    gather_locked(game, seat, card, role, int(game.fates))
    gather_card(game, card, role)


@compiled
def lay_out(game, seat, card, role):
    """The free cards by kind."""
    gather_fixed(game, seat, card, role)
    for kind in range(game.hands.shape[1]):
        game.work[kind] = lane(int(game.loose[kind // RANKS]), kind % RANKS)


@compiled
def lowest_card(game):
    """The lowest free card, big ones first."""
    for place in range(2 * RANKS):
        kind = (place + RANKS) % (2 * RANKS)
        if game.work[kind] > 0:
            return kind
    return NO_TILE


@compiled
def next_trial(game, seat, card, role, kind, depth):
    """The next thing that the card can begin, NO_MORE if there is none."""
    trial = int(game.tries[depth])
    while trial < NO_MORE and not (depth < MOST_GROUPS and can_begin(game, seat, card, role, kind, trial, depth)):
        trial += 1
    return trial


@compiled
def can_begin(game, seat, card, role, kind, trial, depth):
    """Whether the free cards allow the card to begin this."""
    held = int(game.work[kind])
    other = int(game.work[(kind + RANKS) % (2 * RANKS)])
    if trial in (GUN, KAN):
        return kind != card and held >= 4 - trial  # GUN is 0, KAN 1
    if trial in (QUAN_DUI, DUI):
        is_quan = game.options.fan_quan and game.options.circle > 0 and card == RANKS + game.options.circle - 1
        may = role == AS_LOOSE and kind == card and game.hands[seat, kind] == 2 and held == 3
        return may and bool(is_quan) == (trial == QUAN_DUI)
    if trial == SEVENS:
        return kind % RANKS == 1 and game.work[kind + 5] > 0 and game.work[kind + 8] > 0
    if trial == PAIR:
        return held >= 2 and not has_pair(game, depth)
    if trial == MIX_OF_TWO:
        return held >= 2 and other >= 1
    if trial == MIX_OF_ONE:
        return other >= 2
    return kind % RANKS < RANKS - 2 and game.work[kind + 1] > 0 and game.work[kind + 2] > 0


@compiled
def has_pair(game, depth):
    """Whether the pair is among the groups begun so far."""
    for place in range(depth):
        if game.tries[place] == PAIR:
            return True
    return False


@compiled
def move(game, kind, trial, step):
    """Take the cards of a group from the free ones (step -1), or put them back (1)."""
    other = (kind + RANKS) % (2 * RANKS)
    if trial == GUN:
        game.work[kind] += 4 * step
    elif trial in (KAN, QUAN_DUI, DUI):
        game.work[kind] += 3 * step
    elif trial == PAIR:
        game.work[kind] += 2 * step
    elif trial == MIX_OF_TWO:
        game.work[kind] += 2 * step
        game.work[other] += step
    elif trial == MIX_OF_ONE:
        game.work[kind] += step
        game.work[other] += 2 * step
    else:
        game.work[kind] += step
        game.work[kind + (5 if trial == SEVENS else 1)] += step
        game.work[kind + (8 if trial == SEVENS else 2)] += step


@compiled
def judge(game, seat, card, by, role, depth):
    """The value of the division that has been found, NO_DIVISION if its groups are not those of a complete hand."""
    gather_fixed(game, seat, card, role)
    pairs = 0
    for place in range(depth):
        kind, trial = int(game.begun[place]), int(game.tries[place])
        if trial == PAIR:
            pairs += 1
        elif trial == GUN:
            gather(game, 1, gun_points(kind))
            game.quads += 1
            game.guns += 1
        elif trial == KAN:
            gather(game, 1, kan_points(kind))
        elif trial in (QUAN_DUI, DUI):
            gather(game, 1, dui_points(kind))
            role = AS_DUI
        else:
            gather(game, 1, 0 if trial != SEVENS else BIG_SEVENS_POINTS if kind >= RANKS else SMALL_SEVENS_POINTS)
    if game.groups + pairs != sets_of(game) or pairs != (game.quads > 0):
        return NO_DIVISION
    game.role = AS_LOOSE if role == AS_DUI else role
    game.depth = depth
    return value_of(game, int(game.gathered), mark_fans(game, seat, card, by, role))
