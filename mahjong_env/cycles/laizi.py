"""Laizi (癞子): tiles that stand for any tile. What a variant with them asks of a hand, and what they may be used for.

A variant says by `laizi_kinds` which kinds are wild in a game. A seat's keys hold all its concealed tiles; the questions
here take the laizi out and count them apart. A laizi may stand for a fifth copy of a kind unless a question says otherwise.
"""

from mahjong_env.actions import DISCARD, GANG, PENG, SELF_GANG
from mahjong_env.compiled import compiled, optional_hook
from mahjong_env.cycles.draw import GANG_RANK, PENG_RANK, first_action
from mahjong_env.cycles.moves import gain, lose, peng_of
from mahjong_env.fields import MOST_MELDS
from mahjong_env.hands.automaton import HONOURS, RANKS
from mahjong_env.hands.queries import HONOUR_SUIT, count_kinds, hand_kinds, hand_waits, laizi_of, missing, total_need
from mahjong_env.hands.tables import ODD, STANDARD, WEIGHT


@optional_hook
def laizi_kinds(game):
    """Bit per kind that is wild."""
    return 0


@compiled
def is_laizi(game, kind):
    return (laizi_kinds(game) >> kind) & 1 == 1


@compiled
def laizi_held(game, seat):
    """The seat's concealed laizi."""
    wild = laizi_kinds(game)
    held = 0
    for kind in range(game.hands.shape[1]):
        held += int(game.hands[seat, kind]) * (wild >> kind & 1)
    return held


@compiled
def natural_key(game, seat, suit):
    """The key of a suit of the concealed tiles without laizi; 0 of a suit the game hasn't got."""
    if suit >= game.keys.shape[1]:
        return 0
    key = int(game.keys[seat, suit])
    kind = RANKS * suit
    wild = laizi_kinds(game) >> kind & (1 << RANKS) - 1
    while wild:
        if wild & 1:
            key -= int(game.hands[seat, kind]) * int(WEIGHT[kind])
        wild >>= 1
        kind += 1
    return key


# --- questions about a hand -------------------------------------------------------------------------------------------


@compiled
def makes_sets(game, seat, extra, fifth_copy):
    """Do the concealed tiles and `extra` more laizi make sets and a pair? `fifth_copy`: a laizi may be one."""
    m, p, s = natural_key(game, seat, 0), natural_key(game, seat, 1), natural_key(game, seat, 2)
    z = natural_key(game, seat, HONOUR_SUIT)
    laizi = laizi_held(game, seat) + extra
    if fifth_copy:
        return laizi_of(total_need(m, p, s, z, STANDARD)) <= laizi
    return missing(m, p, s, z, MOST_MELDS - int(game.meld_count[seat]), 0) <= laizi


@compiled
def makes_sets_with(game, seat, kind, fifth_copy):
    """`makes_sets` with one more tile."""
    gain(game, seat, kind)
    complete = makes_sets(game, seat, 0, fifth_copy)
    lose(game, seat, kind)
    return complete


@compiled
def single_tiles(game, seat):
    """Mask of the natural kinds held once or three times, which seven pairs lack one of."""
    m, p, s = natural_key(game, seat, 0), natural_key(game, seat, 1), natural_key(game, seat, 2)
    return hand_kinds(m, p, s, natural_key(game, seat, HONOUR_SUIT), ODD)


@compiled
def makes_pairs(game, seat, extra):
    """Are the concealed tiles, without melds, and `extra` more laizi seven pairs, laizi standing for any tile?"""
    return game.meld_count[seat] == 0 and count_kinds(single_tiles(game, seat)) <= laizi_held(game, seat) + extra


@compiled
def set_waits(game, seat):
    """Mask of the natural kinds that complete sets and a pair."""
    m, p, s = natural_key(game, seat, 0), natural_key(game, seat, 1), natural_key(game, seat, 2)
    z = natural_key(game, seat, HONOUR_SUIT)
    honours = (
        HONOURS if game.hands.shape[1] == RANKS * HONOUR_SUIT + HONOURS else 0
    )  # some games have wild honours alone
    return hand_waits(m, p, s, z, laizi_held(game, seat), honours) & ~laizi_kinds(game)


# --- what laizi may be used for ---------------------------------------------------------------------------------------


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
