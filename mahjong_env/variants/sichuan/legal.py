"""What a seat may do, on its turn and with others' tiles, and the lock of a passed win (过水)."""

from mahjong_env.compiled import compiled
from mahjong_env.hands.queries import hand_kinds
from mahjong_env.hands.tables import FULL
from mahjong_env.rules.actions import DISCARD, GANG, HU, PASS, PENG, SELF_GANG
from mahjong_env.rules.claims import GANG_RANK, HU_RANK, PENG_RANK
from mahjong_env.rules.hooks import first_action
from mahjong_env.rules.state import BY_DISCARD, BY_ROBBING, ROBBING
from mahjong_env.rules.table import gain, lose, wall_left
from mahjong_env.variants.sichuan.fan import (
    evaluate,
    fan_on_table_tile,
    has_won,
    holds_void,
    is_winning,
    waits_mask,
    would_win,
)
from mahjong_env.variants.sichuan.options import BACK, HIGHER_FAN, NO_LOCK, ON_DRAW_OR_CALL, SAME_TILE


@compiled
def turn_choices(game, seat):
    """Hu, a gang, or a discard; rules page sections 3 and 8."""
    drew = game.after_claim == 0
    if drew and is_winning(game, seat):
        game.legal[first_action(game, HU)] = 1
        if has_won(game, seat) or hu_is_forced(game):
            return
    if drew and wall_left(game) > 0:
        offer_gangs(game, seat)
    if has_won(game, seat):
        game.legal[first_action(game, DISCARD) + game.drawn] = 1
    else:
        offer_discards(game, seat)


@compiled
def hu_is_forced(game):
    """With four wall tiles or fewer, where the option says so."""
    return game.options.force_hu_last4 and wall_left(game) <= 4


@compiled
def offer_discards(game, seat):
    """Any tile, but void-suit tiles first (rules page section 2.2)."""
    discard = first_action(game, DISCARD)
    if game.options.void_first and holds_void(game, seat):
        for kind in range(9 * int(game.void[seat]), 9 * int(game.void[seat]) + 9):
            game.legal[discard + kind] = 1 if game.hands[seat, kind] > 0 else 0
    else:
        for kind in range(27):
            game.legal[discard + kind] = 1 if game.hands[seat, kind] > 0 else 0


@compiled
def offer_gangs(game, seat):
    """Concealed and added gangs, never of the void suit; a xueliu winner's only with the drawn tile and the same waits."""
    if not holds_gang(game, seat):
        return
    self_gang = first_action(game, SELF_GANG)
    for kind in range(27):
        held = int(game.hands[seat, kind])
        if held > 0 and held + game.melded[seat, kind] == 4 and kind // 9 != game.void[seat]:
            if not has_won(game, seat) or (kind == game.drawn and gang_keeps_waits(game, seat, kind)):
                game.legal[self_gang + kind] = 1


@compiled
def holds_gang(game, seat):
    """Four of a kind in hand, or a tile that is melded; asked first, since hardly any hand has them."""
    m, p, s = int(game.keys[seat, 0]), int(game.keys[seat, 1]), int(game.keys[seat, 2])
    found = hand_kinds(m, p, s, 0, FULL)
    for place in range(int(game.meld_count[seat])):
        found |= int(game.hands[seat, int(game.meld_tile[seat, place])])
    return found != 0


@compiled
def gang_keeps_waits(game, seat, kind):
    """The waits before the draw equal those after the gang, by the ting rule."""
    held = int(game.hands[seat, kind])
    lose(game, seat, kind)
    before = waits_mask(game, seat)
    for _ in range(held - 1):
        lose(game, seat, kind)
    place = int(game.meld_count[seat])
    if held == 4:
        game.meld_tile[seat, place] = kind
        game.meld_count[seat] = place + 1
    game.melded[seat, kind] += held
    after = waits_mask(game, seat)
    game.melded[seat, kind] -= held
    game.meld_count[seat] = place
    for _ in range(held):
        gain(game, seat, kind)
    return before == after


@compiled
def claim_choices(game, seat):
    """Hu, direct gang and peng of the tile on the table; rules page section 3."""
    kind = int(game.table_tile)
    robbing = game.phase == ROBBING
    rank = 0
    if may_win_on(game, seat, kind, BY_ROBBING if robbing else BY_DISCARD):
        game.legal[first_action(game, HU)] = 1
        rank = HU_RANK
        if hu_is_forced(game):
            return rank
    if not robbing and not has_won(game, seat) and kind // 9 != game.void[seat]:
        held = game.hands[seat, kind]
        if held == 3 and wall_left(game) > 0:
            game.legal[first_action(game, GANG)] = 1
            rank = max(rank, GANG_RANK)
        if held >= 2 and (wall_left(game) > 0 or game.options.last_discard_peng):
            game.legal[first_action(game, PENG)] = 1
            rank = max(rank, PENG_RANK)
    if rank > 0:
        game.legal[first_action(game, PASS)] = 1
    return rank


@compiled
def may_win_on(game, seat, kind, by):
    """The tile completes the hand and no passed win stands in the way (rules page section 3.3)."""
    winning = would_win(game, seat, kind)
    if not winning or has_won(game, seat) or game.lock_fan[seat] == NO_PASS:
        return winning
    if game.options.pass_lock == SAME_TILE:
        return (game.lock_kinds[seat] >> kind) & 1 == 0
    if game.options.pass_lock == HIGHER_FAN:
        return fan_on_table_tile(game, seat, by) > game.lock_fan[seat]
    return False


@compiled
def replacement_from_back(game):
    """Where a gang's replacement comes from."""
    return game.options.gang_replacement == BACK


NO_PASS = -1


@compiled
def remember_pass(game, seat, kind, fan):
    """The seat has passed a win of that many fan on that kind; the highest counts."""
    if game.options.pass_lock != NO_LOCK and not has_won(game, seat):
        game.lock_fan[seat] = max(int(game.lock_fan[seat]), fan)
        game.lock_kinds[seat] |= 1 << kind


@compiled
def release_lock(game, seat):
    """The seat may win on anything again."""
    game.lock_fan[seat] = NO_PASS
    game.lock_kinds[seat] = 0


@compiled
def passed_hu(game, seat):
    """Offered hu, answered otherwise."""
    by = BY_ROBBING if game.phase == ROBBING else BY_DISCARD
    remember_pass(game, seat, int(game.table_tile), fan_on_table_tile(game, seat, by))


@compiled
def after_draw(game, seat):
    """The own draw, a replacement included, releases the lock."""
    release_lock(game, seat)
    game.most_void[seat] += 1


@compiled
def after_claim(game, seat):
    """Some tables release it at any call."""
    if game.options.pass_lock_release == ON_DRAW_OR_CALL:
        release_lock(game, seat)


@compiled
def after_discard(game, seat, kind):
    """A seat that discards after a peng, not ready, is released; one that breaks a complete hand passes that win."""
    void_left = max(0, int(game.most_void[seat]) - 1)
    game.most_void[seat] = void_left if kind // 9 == game.void[seat] else 0
    if game.after_claim and waits_mask(game, seat) == 0:
        release_lock(game, seat)
    if would_win(game, seat, kind):
        gain(game, seat, kind)
        remember_pass(game, seat, kind, evaluate(game, seat, kind, BY_DISCARD, 0))
        lose(game, seat, kind)
