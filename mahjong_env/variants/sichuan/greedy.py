"""What the greedy player asks: what a hand is worth keeping for, and the choices before the first turn."""

from mahjong_env.compiled import compiled
from mahjong_env.rules.actions import SWAP, VOID
from mahjong_env.rules.greedy import MOST_WORTH, appraise_pairs, appraise_shape
from mahjong_env.rules.hooks import first_action
from mahjong_env.rules.state import NOBODY
from mahjong_env.variants.sichuan.fan import tiles_of_suit

VOID_TILE = 1 << 12  # what a void-suit tile costs: more than any distance from ready


@compiled
def appraise(game, seat, floor):
    """The void suit goes first; what is left is worth its shape, as sets or as pairs."""
    void = int(game.void[seat])
    if void == NOBODY:
        return appraise_both(game, seat, NO_KINDS, floor)
    cost = VOID_TILE * tiles_of_suit(game, seat, void)
    if floor + cost >= MOST_WORTH:
        return -cost
    suit_key = game.keys[seat, void]
    game.keys[seat, void] = 0
    worth = appraise_both(game, seat, 0b111111111 << 9 * void, floor + cost)
    game.keys[seat, void] = suit_key
    return worth - cost


NO_KINDS = 0


@compiled
def appraise_both(game, seat, without, floor):
    """As sets or as pairs, whichever is worth more."""
    sets = appraise_shape(game, seat, without, floor)
    return max(sets, appraise_pairs(game, seat, without, max(sets, floor)))


@compiled
def choose_opening(game, seat):
    """Give up the shortest suit: swap from the shortest that has three tiles, declare the shortest void."""
    void = first_action(game, VOID)
    if game.legal[void]:
        best = 0
        for suit in range(1, 3):
            if tiles_of_suit(game, seat, suit) < tiles_of_suit(game, seat, best):
                best = suit
        return void + best
    swap = first_action(game, SWAP)
    best, fewest = -1, 100
    for kind in range(27):
        if game.legal[swap + kind]:
            cost = tiles_of_suit(game, seat, kind // 9) * 4 + game.hands[seat, kind]
            if cost < fewest:
                best, fewest = kind, cost
    return swap + best
