"""The greedy player, and what it asks a variant.

It reads in the state just what an observation shows (a test holds it to that).
"""

from mahjong_env.compiled import compiled, compiled_once
from mahjong_env.hands.queries import (
    ALL_SUITED,
    HONOUR_SUIT,
    SEVEN,
    count_kinds,
    distance_at,
    hand_useful,
    missing,
    seven_pairs_distance_at,
    seven_pairs_useful_at,
    useful_among_at,
)
from mahjong_env.rules.actions import (
    CHI,
    DECLARE,
    DISCARD,
    GANG,
    HU,
    OPEN_GANG,
    OPEN_SELF_GANG,
    PASS,
    PENG,
    PLACES,
    SELF_GANG,
    TAKE,
)
from mahjong_env.rules.hooks import (
    argument_of,
    copies_of,
    first_action,
    laizi_kinds,
    optional_hook,
    own_mask,
    standard_mask,
    verb_of,
)
from mahjong_env.rules.laizi import laizi_held, natural_key, sets_of, single_tiles
from mahjong_env.rules.state import OPENING, OWN, TURN
from mahjong_env.rules.table import gain, lose

STEP = 1 << 8
"""In an appraisal one tile further from ready weighs more than all tiles that could be useful."""

WORST, MOST_WORTH = -(1 << 30), 2 * STEP
"""Less than any appraisal, and more than that of any hand: a complete one is worth STEP and its useful tiles."""


@optional_hook(returns="its worth")
def appraise(game, seat, floor):
    """What the seat's concealed tiles, one fewer than a complete hand, are worth keeping for; more is better.

    Only what is above `floor` matters: below it any number not above it will do, which saves counting useful tiles.
    """
    return appraise_shape(game, seat, 0, floor)


@optional_hook(returns="whether it does")
def declines(game, seat, verb):
    """Whether the greedy player lets a legal HU, DECLARE or TAKE (`verb`) go, and chooses among the other actions."""
    return False


@optional_hook(returns="an action")
def choose_opening(game, seat):
    """The greedy player's choice before the first turn."""
    return first_legal(game)


@optional_hook(returns="an action")
def choose(game, seat):
    """The greedy player's choice in its turn and in claims, where it can't win."""
    if game.phase == TURN:
        return greedy_turn(game, seat)
    if game.phase >= OWN and seat == game.table_from:
        return first_legal(game)
    return greedy_claim(game, seat)


@compiled
def first_legal(game):
    """The legal action of the lowest number."""
    for action in range(len(game.legal)):
        if game.legal[action]:
            return action
    return 0  # none is legal: the variant's fault, which the layers above tell


@compiled
def appraise_shape(game, seat, without, floor):
    """Sets and a pair: few tiles from ready, then many useful tiles left; kinds in the bit set `without` are of no use."""
    sets = sets_of(game) - int(game.meld_count[seat])
    least = -STEP * distance_at(game.keys, seat, sets)
    if least + STEP <= floor:
        return least
    return least + unseen_copies(
        game, seat, own_mask(game, useful_among_at(game.keys, seat, sets, ~standard_mask(game, without)))
    )


@compiled
def appraise_pairs(game, seat, without, floor):
    """Seven pairs, likewise; worth less than nothing once there is a meld."""
    if game.meld_count[seat] > 0:
        return -STEP * STEP
    least = -STEP * seven_pairs_distance_at(game.keys, seat, 0)
    if least + STEP <= floor:
        return least
    return least + unseen_copies(game, seat, own_mask(game, seven_pairs_useful_at(game.keys, seat, 0)) & ~without)


@compiled
def appraise_laizi(game, seat, honours, floor):
    """Sets and a pair, where some kinds are wild; `honours`: natural ones the game has, 7 or 0."""
    m, p, s = natural_key(game, seat, 0), natural_key(game, seat, 1), natural_key(game, seat, 2)
    z = natural_key(game, seat, HONOUR_SUIT)
    sets, laizi = sets_of(game) - int(game.meld_count[seat]), laizi_held(game, seat)
    least = -STEP * (missing(m, p, s, z, sets, laizi) - laizi - 1)
    if least + STEP <= floor:
        return least
    useful = own_mask(game, hand_useful(m, p, s, z, sets, laizi, honours, ALL_SUITED)) | laizi_kinds(game)
    return least + unseen_copies(game, seat, useful)


@compiled
def appraise_laizi_pairs(game, seat, floor):
    """Seven pairs, likewise."""
    if game.meld_count[seat] > 0:
        return -STEP * STEP
    single, laizi = single_tiles(game, seat), laizi_held(game, seat)
    singles = count_kinds(single)
    wanted = SEVEN - (2 * SEVEN - 1 - laizi - singles) // 2
    least = -STEP * (wanted + max(0, wanted - singles) - laizi - 1)
    if least + STEP <= floor:
        return least
    return least + unseen_copies(game, seat, single | laizi_kinds(game))


@compiled
def unseen_copies(game, seat, kinds):
    """How many tiles of the kinds in the bit set the seat has not seen."""
    total = 0
    for kind in range(game.hands.shape[1]):
        left = copies_of(game, kind) - int(game.hands[seat, kind])
        for other in range(len(game.points)):
            left -= int(game.melded[other, kind]) + int(game.discarded[other, kind])
        total += max(0, left) * (kinds >> kind & 1)
    return total


@compiled_once
def greedy_action(game):
    """Take hu, or what else is paid at once; else whatever leaves the hand fewest tiles from ready, then with most useful
    tiles left."""
    seat = int(game.to_act)
    for verb in (HU, DECLARE, TAKE):
        action = first_action(game, verb)
        if action >= 0 and game.legal[action] and not declines(game, seat, verb):
            return action
    if game.phase == OPENING:
        return choose_opening(game, seat)
    return choose(game, seat)


@compiled
def greedy_turn(game, seat):
    """The best discard, or a gang that costs nothing; for want of both, what is legal."""
    best, most = first_legal(game), WORST
    for action in range(len(game.legal)):
        if game.legal[action]:
            verb = verb_of(game, action)
            kind = argument_of(game, action)
            worth = most
            if verb == DISCARD:
                lose(game, seat, kind)
                worth = appraise(game, seat, most)
                gain(game, seat, kind)
            elif verb in (SELF_GANG, OPEN_SELF_GANG):
                worth = appraise_melded(game, seat, kind, int(game.hands[seat, kind]), most - 1)
            if worth > most or (worth == most and (verb in (SELF_GANG, OPEN_SELF_GANG))):
                best, most = action, worth
    return best


@compiled
def greedy_claim(game, seat):
    """A gang that keeps the hand as near, or the peng or run that brings it nearest; else pass."""
    kind = int(game.table_tile)
    now = appraise(game, seat, WORST)
    as_near = now - STEP // 2 - 1
    for verb in (OPEN_GANG, GANG):
        gang = first_action(game, verb)
        if gang >= 0 and game.legal[gang] and appraise_melded(game, seat, kind, 3, as_near) > as_near:
            return gang
    best, most = first_action(game, PASS), now
    if best < 0 or not game.legal[best]:
        best, most = first_legal(game), WORST
    peng, chi = first_action(game, PENG), first_action(game, CHI)
    if peng >= 0 and game.legal[peng]:
        worth = appraise_after_claim(game, seat, kind, kind, most)
        if worth > most:
            best, most = peng, worth
    for place in range(len(PLACES) if chi >= 0 else 0):
        if game.legal[chi + place]:
            one = kind - place if place > 0 else kind + 1
            other = kind + 2 - place if place < 2 else kind - 1
            worth = appraise_after_claim(game, seat, one, other, most)
            if worth > most:
                best, most = chi + place, worth
    return best


@compiled
def appraise_melded(game, seat, kind, from_hand, floor):
    """The hand's worth once `from_hand` tiles have gone into a gang; adding to a peng makes no new meld."""
    new = 1 if from_hand > 1 else 0
    for _ in range(from_hand):
        lose(game, seat, kind)
    game.meld_count[seat] += new
    worth = appraise(game, seat, floor)
    game.meld_count[seat] -= new
    for _ in range(from_hand):
        gain(game, seat, kind)
    return worth


@compiled
def appraise_after_claim(game, seat, one, another, floor):
    """The hand's worth after a meld that takes two tiles of it and the best discard that follows, `floor` if it is less."""
    lose(game, seat, one)
    lose(game, seat, another)
    game.meld_count[seat] += 1
    most = floor
    for other in range(game.hands.shape[1]):
        if game.hands[seat, other] > 0:
            lose(game, seat, other)
            most = max(most, appraise(game, seat, most))
            gain(game, seat, other)
    game.meld_count[seat] -= 1
    gain(game, seat, one)
    gain(game, seat, another)
    return most
