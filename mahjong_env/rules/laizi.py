"""Laizi (癞子): tiles that stand for any tile. What a variant with them asks of a hand, and what they may be used for.

A variant says by `laizi_kinds` which kinds are wild in a game. A seat's keys hold all its concealed tiles; the questions
here take the laizi out and count them apart. A laizi may stand for a fifth copy of a kind unless a question says otherwise.
"""

from mahjong_env.compiled import compiled
from mahjong_env.hands.automaton import HONOURS, RANKS
from mahjong_env.hands.queries import HONOUR_SUIT, count_kinds, hand_kinds, hand_waits, laizi_of, missing, total_need
from mahjong_env.hands.tables import ODD, STANDARD, WEIGHT
from mahjong_env.rules.hooks import laizi_kinds, own_kind, own_mask, standard_mask
from mahjong_env.rules.table import gain, lose


@compiled
def sets_of(game):
    """Sets in a complete hand, melds included."""
    return game.meld_verb.shape[1]


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
    wild = standard_mask(game, laizi_kinds(game)) >> kind & (1 << RANKS) - 1
    while wild:
        if wild & 1:
            key -= int(game.hands[seat, own_kind(game, kind)]) * int(WEIGHT[kind])
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
    return missing(m, p, s, z, sets_of(game) - int(game.meld_count[seat]), 0) <= laizi


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
    return own_mask(game, hand_kinds(m, p, s, natural_key(game, seat, HONOUR_SUIT), ODD))


@compiled
def makes_pairs(game, seat, extra):
    """Are the concealed tiles, without melds, and `extra` more laizi seven pairs, laizi standing for any tile?"""
    return game.meld_count[seat] == 0 and count_kinds(single_tiles(game, seat)) <= laizi_held(game, seat) + extra


@compiled
def set_waits(game, seat):
    """Mask of the natural kinds that complete sets and a pair."""
    m, p, s = natural_key(game, seat, 0), natural_key(game, seat, 1), natural_key(game, seat, 2)
    z = natural_key(game, seat, HONOUR_SUIT)
    natural = standard_mask(game, (1 << game.hands.shape[1]) - 1 & ~laizi_kinds(game)) >> RANKS * HONOUR_SUIT
    honours = HONOURS if natural else 0  # some games have wild honours alone
    return own_mask(game, hand_waits(m, p, s, z, laizi_held(game, seat), honours)) & ~laizi_kinds(game)
