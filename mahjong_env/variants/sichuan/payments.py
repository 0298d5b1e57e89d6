"""Who pays whom: wins, gangs (刮风下雨), gang money that moves, and the turn after a win."""

from mahjong_env.compiled import compiled
from mahjong_env.rules.actions import GANG, SELF_GANG
from mahjong_env.rules.draw.turns import next_seat
from mahjong_env.rules.payments import keep_patterns, pay, write_slip
from mahjong_env.rules.state import BY_DISCARD, BY_ROBBING, DRAWING, NO_TILE, OVER, SELF_DRAW
from mahjong_env.rules.table import lose
from mahjong_env.variants.sichuan.fan import evaluate, fan_on_table_tile, is_fed_flower, plays_on, situation, value_of
from mahjong_env.variants.sichuan.options import (
    FOR_GANG,
    FOR_HU,
    GANG_MONEY_MOVED,
    REFUND,
    TRANSFER_ALL,
    TRANSFER_LAST,
    XUEZHAN,
    ZIMO_BASE,
)


@compiled
def settle_hu(game, by, source):
    """Pay every winner, then move gang money where the tile followed a gang (rules page section 6)."""
    set_next_dealer(game, source)
    winners = 0
    for step in range(4):
        seat = (source + step) % 4
        if game.winning[seat]:
            winners += 1
            if by == SELF_DRAW:
                settle_self_draw(game, seat)
            else:
                settle_on_tile(game, seat, by, source)
    after_gang = game.after_gang if by == BY_DISCARD else game.replacement
    if by == BY_ROBBING and not game.options.rob_after_gang_counts_both:
        after_gang = 0
    if by != SELF_DRAW and after_gang:
        move_gang_money(game, source, winners)


@compiled
def set_next_dealer(game, source):
    """The first winner deals next; if several win that tile, the seat they win from (rules page section 1)."""
    before = winners = last = 0
    for seat in range(4):
        before += game.wins[seat]
        if game.winning[seat]:
            winners += 1
            last = seat
    if before == 0:
        game.next_dealer = last if winners == 1 else source


@compiled
def settle_on_tile(game, seat, by, source):
    """The discarder, or the seat robbed, pays alone."""
    kind = int(game.table_tile)
    fan = fan_on_table_tile(game, seat, by)
    note_win(game, seat, kind, fan)
    pay(game, write_slip(game, FOR_HU, seat), source, seat, value_of(game, fan))


@compiled
def settle_self_draw(game, seat):
    """Every live seat pays; the tile is laid aside. A direct gang's feeder may have to pay alone."""
    kind = int(game.drawn)
    if kind == NO_TILE:  # won as dealt: the highest kind counts as the winning tile
        kind = 26
        while game.hands[seat, kind] == 0:
            kind -= 1
    bits = situation(game, seat, SELF_DRAW)
    fan = evaluate(game, seat, kind, SELF_DRAW, bits)
    note_win(game, seat, kind, fan)
    slip = write_slip(game, FOR_HU, seat)
    if is_fed_flower(game, bits):
        pay(game, slip, int(game.gang_feeder[int(game.gangs) - 1]), seat, value_of(game, fan))
    else:
        each = value_of(game, fan) + (1 if game.options.zimo == ZIMO_BASE else 0)
        for other in range(4):
            if other != seat and plays_on(game, other):
                pay(game, slip, other, seat, each)
    lose(game, seat, kind)
    game.aside[kind] += 1


@compiled
def note_win(game, seat, kind, fan):
    """Keep what the seat won on and with, for the outcome."""
    game.win_tile[seat] = kind
    game.win_fan[seat] = fan
    keep_patterns(game, seat)


@compiled
def move_gang_money(game, shooter, winners):
    """杠上炮: the gang's income goes back to its payers or on to the winners (rules page 6.2)."""
    rule = game.options.gang_pao
    last = int(game.gangs) - 1
    if rule == REFUND:
        refund_gang(game, write_slip(game, GANG_MONEY_MOVED, shooter), last)
    elif rule == TRANSFER_LAST:
        share_out(game, shooter, winners, take_gang_income(game, last))
    elif rule == TRANSFER_ALL:
        income = 0
        for gang in range(int(game.gangs)):
            if game.gang_seat[gang] == shooter:
                income += take_gang_income(game, gang)
        share_out(game, shooter, winners, income)


@compiled
def take_gang_income(game, gang):
    """What the gang brought and has not been moved yet; it is moved now."""
    income = 0
    for seat in range(4):
        income += int(game.gang_paid[gang, seat])
        game.gang_paid[gang, seat] = 0
    return income


@compiled
def refund_gang(game, slip, gang):
    """The gang's income goes back to those who paid it, unless it has been moved."""
    for seat in range(4):
        pay(game, slip, int(game.gang_seat[gang]), seat, int(game.gang_paid[gang, seat]))
        game.gang_paid[gang, seat] = 0


@compiled
def share_out(game, shooter, winners, amount):
    """Equal parts; what is left over goes to the winner nearest after the shooter."""
    slip = write_slip(game, GANG_MONEY_MOVED, shooter)
    extra = amount % winners
    for step in range(1, 4):
        seat = (shooter + step) % 4
        if game.winning[seat]:
            pay(game, slip, shooter, seat, amount // winners + extra)
            extra = 0


@compiled
def after_hu(game, source):
    """Three winners end a bloody hand; else the next live seat after the last winner draws (rules page section 3)."""
    winners = 0
    for seat in range(4):
        winners += 1 if game.wins[seat] > 0 else 0
    if game.options.mode == XUEZHAN and winners >= 3:
        game.phase = OVER
        return
    last = source
    for step in range(1, 4):
        if game.winning[(source + step) % 4]:
            last = (source + step) % 4
    game.turn = next_seat(game, last)
    game.phase = DRAWING


@compiled
def settle_gang(game, seat, feeder):
    """Direct: the feeder pays 2; added: each live seat 1; concealed: each 2 (rules page 3.1). Every gang is kept account
    of, since its money may have to move later."""
    gang = int(game.gangs)
    game.gangs = gang + 1
    game.gang_seat[gang] = seat
    game.gang_feeder[gang] = feeder
    verb = game.meld_verb[seat, newest_gang(game, seat)]
    slip = write_slip(game, FOR_GANG, seat)
    for other in range(4):
        if other != seat and plays_on(game, other):
            if verb == GANG:
                amount = 2 if other == feeder else int(game.options.direct_gang_others)
            elif verb == SELF_GANG:
                amount = 2
            else:
                amount = 1 if game.table_tile == game.drawn else int(game.options.stale_added_gang_pays)
            game.gang_paid[gang, other] = amount
            pay(game, slip, other, seat, amount)


@compiled
def newest_gang(game, seat):
    """The place of the seat's meld of the kind on the table."""
    place = 0
    while game.meld_tile[seat, place] != game.table_tile:
        place += 1
    return place
