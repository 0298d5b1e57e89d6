"""The wall's end (流局): flower pigs, seats that are not ready, gang money given back."""

from mahjong_env.compiled import compiled
from mahjong_env.rules.payments import pay, write_slip
from mahjong_env.rules.state import BY_DISCARD, NOBODY, TAKEN
from mahjong_env.rules.table import gain, lose
from mahjong_env.variants.sichuan.fan import evaluate, has_won, is_pig, plays_on, value_of, waits_mask
from mahjong_env.variants.sichuan.options import (
    AS_CAP,
    FIRST_WINNER_OR_NEXT,
    FOR_NOT_READY,
    FOR_PIG,
    GANG_MONEY_BACK,
    NO_CAP,
    NOT_READY,
    PIG,
    PIG_WITHOUT_CAP,
    READY,
    TO_ACTIVE,
    TO_ALL,
    TO_NOBODY,
    XUELIU,
)
from mahjong_env.variants.sichuan.payments import refund_gang


@compiled
def settle_wall_end(game):
    """查花猪, 查大叫, 退税 among the seats that have not won (rules page 7.1); in xueliu winners count as ready."""
    for seat in range(4):
        game.state[seat] = state_of(game, seat)
        game.ready[seat] = 1 if game.state[seat] == READY else 0
    if not all_in_one_state(game):
        settle_pigs(game)
        settle_not_ready(game)
    if game.options.tui_shui:
        give_gang_money_back(game)
    if game.wins[0] + game.wins[1] + game.wins[2] + game.wins[3] == 0:
        if game.options.dealer_rule == FIRST_WINNER_OR_NEXT:
            game.next_dealer = (game.dealer + 1) % 4


@compiled
def state_of(game, seat):
    """READY, NOT_READY or PIG, a passive pig being NOT_READY where the option says so."""
    if has_won(game, seat):
        return READY
    if is_pig(game, seat):
        return NOT_READY if game.options.passive_pig and is_passive(game, seat) else PIG
    return READY if waits_mask(game, seat) != 0 else NOT_READY


@compiled
def is_passive(game, seat):
    """Every discard so far, taken or not, was of the void suit."""
    if not game.options.dingque:
        return False
    for place in range(int(game.river_length)):
        if game.river_seat[place] % TAKEN == seat and game.river_tile[place] // 9 != game.void[seat]:
            return False
    return True


@compiled
def all_in_one_state(game):
    """All checked seats are ready, or all not: nobody pays anybody. Pigs are fined all the same."""
    first = -1
    for seat in range(4):
        if plays_on(game, seat):
            if first == -1:
                first = int(game.state[seat])
            elif game.state[seat] != first:
                return False
    return first != PIG


@compiled
def receives(game, seat):
    """Whether the seat can be paid at the wall's end."""
    return game.wins[seat] == 0 or (game.options.mode == XUELIU and game.options.xueliu_winners_receive)


@compiled
def settle_pigs(game):
    """Each flower pig pays a fixed amount, to whom the option says."""
    amount = int(game.options.pig_amount)
    if amount == AS_CAP:
        amount = 1 << (PIG_WITHOUT_CAP if game.options.fan_cap == NO_CAP else int(game.options.fan_cap))
    slip = NOBODY
    for pig in range(4):
        if game.state[pig] != PIG or not plays_on(game, pig):
            continue
        if slip == NOBODY:
            slip = write_slip(game, FOR_PIG, NOBODY)
        if game.options.pig_to == TO_NOBODY:
            pay(game, slip, pig, NOBODY, amount)
        for other in range(4):
            to_active = game.options.pig_to == TO_ACTIVE and receives(game, other) and game.state[other] != PIG
            if other != pig and (to_active or game.options.pig_to == TO_ALL):
                pay(game, slip, pig, other, amount)


@compiled
def settle_not_ready(game):
    """Each seat that is not ready pays each ready one what its best wait is worth."""
    slip = NOBODY
    for seat in range(4):
        if game.state[seat] != READY or not receives(game, seat):
            continue
        value = value_of(game, best_wait_fan(game, seat))
        for other in range(4):
            pays = game.state[other] == NOT_READY or (game.state[other] == PIG and game.options.pig_also_jiao)
            if pays and plays_on(game, other):
                if slip == NOBODY:
                    slip = write_slip(game, FOR_NOT_READY, NOBODY)
                pay(game, slip, other, seat, value)


@compiled
def best_wait_fan(game, seat):
    """Most fan over all waits, without situation; 0 where the ting rule leaves none."""
    waits = waits_mask(game, seat)
    most = 0
    for kind in range(27):
        if (waits >> kind) & 1:
            gain(game, seat, kind)
            most = max(most, evaluate(game, seat, kind, BY_DISCARD, 0))
            lose(game, seat, kind)
    return most


@compiled
def give_gang_money_back(game):
    """退税: who is not ready, or a pig, returns all gang income that has not moved, also to payers who have won since."""
    slip = NOBODY
    for gang in range(int(game.gangs)):
        seat = int(game.gang_seat[gang])
        if plays_on(game, seat) and game.state[seat] != READY:
            if slip == NOBODY:
                slip = write_slip(game, GANG_MONEY_BACK, NOBODY)
            refund_gang(game, slip, gang)
