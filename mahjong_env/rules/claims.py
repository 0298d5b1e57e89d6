"""Claims and other choices in a turn: their ranks, and what a variant usually offers a seat."""

from mahjong_env.compiled import compiled
from mahjong_env.rules.actions import CHI, DISCARD, GANG, PENG, PLACES, SELF_GANG
from mahjong_env.rules.hooks import first_action, laizi_kinds, own_kind, standard_kind
from mahjong_env.rules.table import peng_of

HU_RANK, GANG_RANK, PENG_RANK, CHI_RANK = 4, 3, 2, 1
"""The priority of claims of the tile on the table."""


@compiled
def is_laizi(game, kind):
    """Whether the kind is wild."""
    return (laizi_kinds(game) >> kind) & 1 == 1


@compiled
def offer_discards(game, seat, laizi_too):
    """Any tile; laizi only if `laizi_too`, or where there is nothing else."""
    discard = first_action(game, DISCARD)
    wild = 0 if laizi_too else laizi_kinds(game)
    others = 0
    for kind in range(game.hands.shape[1]):
        others += int(game.hands[seat, kind]) * (1 - (wild >> kind & 1))
    for kind in range(game.hands.shape[1]):
        barred = others > 0 and (wild >> kind) & 1 == 1
        game.legal[discard + kind] = 1 if game.hands[seat, kind] > 0 and not barred else 0


@compiled
def offer_self_gangs(game, seat):
    """Concealed and added gangs of natural tiles."""
    found = 0
    for kind in range(game.hands.shape[1]):  # a loop without branches, since hardly any hand has four of a kind
        four = int(game.hands[seat, kind]) + int(game.melded[seat, kind]) == 4
        found |= int(four and game.hands[seat, kind] > 0)
    if not found:
        return
    wild = laizi_kinds(game)
    for kind in range(game.hands.shape[1]):
        held = int(game.hands[seat, kind])
        if (held == 4 or (held == 1 and peng_of(game, seat, kind) >= 0)) and (wild >> kind) & 1 == 0:
            game.legal[first_action(game, SELF_GANG) + kind] = 1


@compiled
def offer_gang_and_peng(game, seat, kind, may_gang):
    """Gang, if allowed, and peng of another's natural tile; the best one's rank or 0."""
    held = game.hands[seat, kind]
    rank = 0
    if held < 2 or is_laizi(game, kind):
        return rank
    if held == 3 and may_gang:
        game.legal[first_action(game, GANG)] = 1
        rank = GANG_RANK
    game.legal[first_action(game, PENG)] = 1
    return max(rank, PENG_RANK)


@compiled
def offer_chi(game, seat, kind):
    """Runs with another's suited tile as lowest, middle or highest; CHI_RANK or 0. Whether the seat may chi at all, mostly
    as the next one after the discarder, the caller knows."""
    chi = first_action(game, CHI)
    rank = 0
    for place in range(len(PLACES)):
        lowest = standard_kind(game, kind) - place
        if lowest >= 0 and lowest % 9 <= 6 and lowest // 9 == standard_kind(game, kind) // 9 and lowest < 27:
            found = True
            for other in range(lowest, lowest + 3):
                own = own_kind(game, other)
                found = found and own >= 0 and (own == kind or game.hands[seat, own] > 0)
            if found:
                game.legal[chi + place] = 1
                rank = CHI_RANK
    return rank
