"""Who pays whom: wins with dealer and birds, starting wins, gang points, and who deals next (rules page sections 7, 9)."""

from mahjong_env.compiled import compiled
from mahjong_env.rules.actions import CHI, GANG, SELF_GANG
from mahjong_env.rules.payments import keep_patterns, pay, write_slip
from mahjong_env.rules.state import BY_ROBBING, SELF_DRAW
from mahjong_env.rules.table import wall_left
from mahjong_env.variants.changsha.options import (
    ADD2,
    BIRDS,
    DOUBLE,
    FOR_GANG,
    FOR_HU,
    FROM_WINNER,
    LINEAR,
    NO_CAP,
    PLUS1_ONCE,
    REPLACE_PER_UNIT,
    SMALL_BY_SELF_DRAW,
    SMALL_ON_DISCARD,
    UNIT_BY_SELF_DRAW,
    UNIT_ON_DISCARD,
)

# --- one payment ------------------------------------------------------------------------------------------------------


@compiled
def rate(game, units, self_draw):
    """What one payer pays before dealer and birds (rules page section 7.1)."""
    scoring = int(game.options.scoring)
    if units > 0:
        return units * (UNIT_BY_SELF_DRAW[scoring] if self_draw else UNIT_ON_DISCARD[scoring])
    return SMALL_BY_SELF_DRAW[scoring] if self_draw else SMALL_ON_DISCARD[scoring]


@compiled
def payment(game, winner, payer, units, self_draw, birds):
    """What the payer pays, `birds` having hit one of the two (rules page section 10.2, 22)."""
    options = game.options
    with_dealer = winner == game.dealer or payer == game.dealer
    amount = rate(game, units, self_draw)
    if with_dealer and options.dealer_add == REPLACE_PER_UNIT:
        amount += max(units, 1)
    if options.bird_mode == DOUBLE:
        amount <<= birds
    elif options.bird_mode == LINEAR:
        amount *= 1 + birds
    else:
        amount += birds * (2 if options.bird_mode == ADD2 else 1)
    amount = capped(game, amount)
    if with_dealer and options.dealer_add == PLUS1_ONCE:
        amount += 1
    return amount + 2 * int(options.piao)


@compiled
def capped(game, amount):
    """No more than the cap (封顶)."""
    cap = int(game.options.cap)
    return amount if cap == NO_CAP else min(amount, cap)


@compiled
def hits(rank, origin, winner, payer):
    """1 if a bird of that rank, from 1, falls on one of the two, counted from `origin` (rules page section 7.3)."""
    seat = (origin + rank - 1) % 4
    return 1 if seat in (winner, payer) else 0


# --- starting and mid-game wins ---------------------------------------------------------------------------------------


@compiled
def pay_item(game, seat, reason, number, dice):
    """So many small self-draws, whose birds are two dice; `dice`: the place of the first, negative for none."""
    slip = write_slip(game, reason, seat)
    origin = seat if game.options.bird_origin == FROM_WINNER else int(game.dealer)
    for payer in range(4):
        if payer != seat:
            birds = 0
            for place in range(dice, dice + 2 if dice >= 0 else dice):
                birds += hits(1 + int(game.dice[place]), origin, seat, payer)
            pay(game, slip, payer, seat, number * payment(game, seat, payer, 0, True, birds))


# --- wins -------------------------------------------------------------------------------------------------------------


@compiled
def draw_birds(game):
    """From the front of the wall as many as there are; where none is left the tile last taken is every bird."""
    number = BIRDS[int(game.options.birds)]
    left = wall_left(game)
    game.bird_count = number if left == 0 else min(number, left)
    for bird in range(int(game.bird_count)):
        game.birds[bird] = game.last_taken if left == 0 else game.wall[int(game.wall_front) + bird]


@compiled
def pay_win(game, winner, units, by, source, winners):
    """Everybody pays a self-draw, the source another win; or, robbed, three shares where the option says so."""
    slip = write_slip(game, FOR_HU, winner)
    shares = by == SELF_DRAW or (by == BY_ROBBING and game.options.rob_pays_three)
    origin = int(game.dealer)
    if game.options.bird_origin == FROM_WINNER:
        origin = winner if winners == 1 else source
    for payer in range(4):
        if payer != winner and (shares or payer == source):
            birds = 0
            for bird in range(int(game.bird_count)):
                birds += hits(1 + int(game.birds[bird]) % 9, origin, winner, payer)
            amount = payment(game, winner, payer, units, shares, birds)
            pay(game, slip, payer if by == SELF_DRAW else source, winner, amount)


@compiled
def note_win(game, seat, units):
    """Keep what the seat won with, for the outcome."""
    game.win_fan[seat] = units
    keep_patterns(game, seat)


@compiled
def settle_wall_end(game):
    """A draw is due from an empty wall: who took the last tile deals next (rules page section 10.2, 12)."""
    game.next_dealer = game.last_taker


@compiled
def settle_gang(game, seat, feeder):
    """Gang points where the option is on: exposed 2, added 1, concealed 3 from everybody (rules page section 10.2, 13)."""
    if not game.options.gang_points:
        return
    place = 0
    while game.meld_tile[seat, place] != game.table_tile or game.meld_verb[seat, place] == CHI:
        place += 1
    verb = game.meld_verb[seat, place]
    amount = 2 if verb == GANG else 3 if verb == SELF_GANG else 1
    slip = write_slip(game, FOR_GANG, seat)
    for payer in range(4):
        if payer != seat:
            pay(game, slip, payer, seat, amount)
