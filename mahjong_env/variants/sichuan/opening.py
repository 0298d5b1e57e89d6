"""Choices before the first turn: exchange three (换三张) and the void suit (定缺)."""

from mahjong_env.compiled import compiled
from mahjong_env.rules.actions import SWAP, VOID
from mahjong_env.rules.chance import random_below
from mahjong_env.rules.hooks import HAND, argument_of, first_action, verb_of
from mahjong_env.rules.state import NO_TILE, NOBODY, OPENING
from mahjong_env.rules.table import gain, lose
from mahjong_env.variants.sichuan.fan import tiles_of_suit
from mahjong_env.variants.sichuan.legal import NO_PASS
from mahjong_env.variants.sichuan.options import BY_CHANCE, CLOCKWISE, COUNTER, NOT_DRAWN


@compiled
def draw_chance(game):
    """The direction of the exchange (rules page section 2.1), drawn with the deal and shown after all have chosen."""
    if game.options.exchange and game.exchange_direction == NOT_DRAWN:
        if game.options.exchange_direction == BY_CHANCE:
            game.exchange_direction = random_below(game.random, 3)
        else:
            game.exchange_direction = game.options.exchange_direction - 1


@compiled
def begin_opening(game):
    """Nobody has swapped or declared yet."""
    for seat in range(4):
        game.void[seat] = NOBODY
        game.lock_fan[seat] = NO_PASS
        game.most_void[seat] = HAND + 1
        for place in range(3):
            game.given[seat, place] = NO_TILE
            game.got[seat, place] = NO_TILE
    game.phase = OPENING


@compiled
def ask_opening(game):
    """From the dealer on: three swaps of one seat in a row, then, likewise, the void suits."""
    for turn in range(4):
        seat = (game.dealer + turn) % 4
        if game.options.exchange and game.given[seat, 2] == NO_TILE:
            offer_swaps(game, seat)
            game.to_act = seat
            return True
    for turn in range(4):
        seat = (game.dealer + turn) % 4
        if game.options.dingque and game.void[seat] == NOBODY:
            for suit in range(3):
                game.legal[first_action(game, VOID) + suit] = 1
            game.to_act = seat
            return True
    return False


@compiled
def offer_swaps(game, seat):
    """The first of three tiles from a suit with three at least, the others of the same suit (unless any may go)."""
    swap = first_action(game, SWAP)
    for kind in range(27):
        if game.hands[seat, kind] > 0:
            suited = True
            if game.options.exchange_same_suit:
                if game.given[seat, 0] == NO_TILE:
                    suited = tiles_of_suit(game, seat, kind // 9) >= 3
                else:
                    suited = game.given[seat, 0] // 9 == kind // 9
            game.legal[swap + kind] = 1 if suited else 0


@compiled
def answer_opening(game, action):
    """A tile laid aside for the exchange, or a void suit."""
    seat = int(game.to_act)
    if verb_of(game, action) == VOID:
        game.void[seat] = argument_of(game, action)
        return
    kind = argument_of(game, action)
    lose(game, seat, kind)
    place = 0
    while game.given[seat, place] != NO_TILE:
        place += 1
    game.given[seat, place] = kind
    if place == 2 and seat == (game.dealer + 3) % 4:
        exchange_tiles(game)


@compiled
def exchange_tiles(game):
    """All four change at once: counter-clockwise is to the next seat in turn order."""
    step = 1 if game.exchange_direction == COUNTER - 1 else 3 if game.exchange_direction == CLOCKWISE - 1 else 2
    for seat in range(4):
        for place in range(3):
            kind = int(game.given[seat, place])
            game.got[(seat + step) % 4, place] = kind
            gain(game, (seat + step) % 4, kind)
