"""What a seat may do, on its turn and with others' tiles, and the bar of a passed win (过胡)."""

from mahjong_env.compiled import compiled
from mahjong_env.hands.queries import kinds_at
from mahjong_env.hands.tables import FULL
from mahjong_env.rules.actions import (
    ADDED_GANG,
    DISCARD,
    GANG,
    HU,
    OPEN_GANG,
    OPEN_SELF_GANG,
    PASS,
    PENG,
    SELF_GANG,
)
from mahjong_env.rules.claims import GANG_RANK, HU_RANK, PENG_RANK, offer_chi
from mahjong_env.rules.hooks import first_action
from mahjong_env.rules.pass_hu import (
    is_barred_tile,
    is_barred_value,
    release_by_discard,
    release_by_draw,
    remember_pass,
)
from mahjong_env.rules.state import BY_DISCARD, BY_ROBBING, CLAIM, NO_TILE, NOBODY, ROBBING, SELF_DRAW
from mahjong_env.rules.table import gain, lay_meld, lose, peng_of, wall_left
from mahjong_env.variants.changsha.hand import (
    NO_WIN,
    evaluate,
    exposed_melds,
    holds_jiang,
    may_win,
    may_win_with,
    units_on,
    waits_mask,
)
from mahjong_env.variants.changsha.options import (
    AFTER_GANG,
    ANY_258,
    CONCEALED_DRAW,
    EARTHLY,
    FIRST_DISCARD,
    FIRST_ROUND,
    HEAVENLY,
    NO_NEED,
    ROBBED,
)
from mahjong_env.variants.changsha.starting import offer_declare

# --- the own turn -----------------------------------------------------------------------------------------------------


@compiled
def turn_choices(game, seat):
    """Hu, a mid-game item, a gang in both forms, a discard; a locked hand discards what it draws (rules page 3.2, 9.1)."""
    drew = game.after_claim == 0
    if drew and may_win(game, seat) and evaluate(game, seat, SELF_DRAW, situation(game, seat, SELF_DRAW)) != NO_WIN:
        game.legal[first_action(game, HU)] = 1
    if drew and game.replacement == 0 and game.drawn != NO_TILE:
        offer_declare(game, seat)
    if game.locked[seat]:
        kind = int(game.drawn)
        if may_gang(game, seat, kind) and may_open_with(game, seat, kind):
            game.legal[first_action(game, OPEN_SELF_GANG) + kind] = 1
        game.legal[first_action(game, DISCARD) + kind] = 1
        return
    if drew or game.options.gang_after_claim:
        offer_gangs(game, seat)
    offer_discards(game, seat)


@compiled
def situation(game, seat, by):
    """The bits that hold for a win in the own turn, on a discard, or by robbing."""
    if by == BY_ROBBING:
        return ROBBED if game.gang_verb == OPEN_SELF_GANG or game.options.rob_buzhang_is_big else 0
    if by == BY_DISCARD:
        return EARTHLY if is_earthly_discard(game) or is_first_round(game, seat) else 0
    bits = CONCEALED_DRAW if game.options.menqing and exposed_melds(game, seat) == 0 else 0
    if seat == game.dealer and game.draws[seat] == 0:
        bits |= HEAVENLY
    if game.replacement == 1 and game.options.buzhang_win_is_gang_draw:
        bits |= AFTER_GANG
    return bits | (EARTHLY if is_first_round(game, seat) else 0)


@compiled
def is_earthly_discard(game):
    """地胡 by the option's first form: the discard on the table is the hand's first, and the dealer's."""
    if game.options.dihu != FIRST_DISCARD or game.phase != CLAIM or game.river_length != 1:
        return False
    # The dealer may have drawn for a gang; that nobody else has drawn matters only where play began in the middle.
    return game.table_from == game.dealer and game.draws[(game.dealer + 1) % 4] == 0


@compiled
def is_first_round(game, seat):
    """地胡 by the option's other form: not the dealer, nothing discarded yet, no meld on the table."""
    if game.options.dihu != FIRST_ROUND or seat == game.dealer or game.draws[seat] > 1:
        return False
    if game.meld_count[0] + game.meld_count[1] + game.meld_count[2] + game.meld_count[3] > 0:
        return False
    for kind in range(27):
        if game.discarded[seat, kind] > 0:
            return False
    return True


@compiled
def offer_discards(game, seat):
    """Any tile; where swap calling is barred not the kind just claimed, unless there is no other (rules page 10.2, 14)."""
    discard = first_action(game, DISCARD)
    others = 0
    for kind in range(27):
        game.legal[discard + kind] = 1 if game.hands[seat, kind] > 0 else 0
        others += game.legal[discard + kind] if kind != game.table_tile else 0
    if game.after_claim and game.options.swap_calling_ban and others > 0:
        game.legal[discard + game.table_tile] = 0


@compiled
def offer_gangs(game, seat):
    """Concealed and added gangs, for one replacement tile (补张) or for tiles turned up (开杠)."""
    found = kinds_at(game.keys, seat, FULL)  # asked first, since hardly any hand has a gang
    for place in range(int(game.meld_count[seat])):
        found |= int(game.hands[seat, int(game.meld_tile[seat, place])])
    if not found:
        return
    for kind in range(27):
        if game.hands[seat, kind] > 0 and may_gang(game, seat, kind):
            if has_room(game, 1):
                game.legal[first_action(game, SELF_GANG) + kind] = 1
            if may_open_with(game, seat, kind):
                game.legal[first_action(game, OPEN_SELF_GANG) + kind] = 1


@compiled
def may_gang(game, seat, kind):
    """The seat holds all four, or the fourth of its peng."""
    held = game.hands[seat, kind]
    return held == 4 or (held == 1 and peng_of(game, seat, kind) >= 0)


@compiled
def has_room(game, tiles):
    """So many tiles may be taken from the wall's end (rules page 3.6)."""
    return wall_left(game) >= tiles + (1 if game.options.reserve_haidi_tile else 0)


@compiled
def may_open_with(game, seat, kind):
    """开杠 of the concealed or added gang of that kind, held whole or but for its peng."""
    return may_open(game, seat, kind, int(game.hands[seat, kind]), SELF_GANG)


@compiled
def may_open(game, seat, kind, from_hand, verb):
    """开杠 is allowed: enough wall, and the tiles left, `from_hand` having gone, are ready (rules page 3.2).

    A locked hand's waits must stay what they are. `verb`: GANG with another's tile, SELF_GANG concealed or added.
    """
    if not has_room(game, int(game.options.gang_reveal_count)):
        return False
    if not game.locked[seat] and game.options.gang_need_tenpai == NO_NEED:
        return True
    for _ in range(from_hand):
        lose(game, seat, kind)
    allowed = is_ready_after(game, seat, kind, verb)
    for _ in range(from_hand):
        gain(game, seat, kind)
    return allowed


@compiled
def is_ready_after(game, seat, kind, verb):
    """The condition of 开杠, the gang's tiles having left the hand."""
    if not game.locked[seat] and game.options.gang_need_tenpai == ANY_258:
        return holds_jiang(game, seat)
    waits = waits_beside_gang(game, seat, kind, verb)
    return waits == game.lock_waits[seat] if game.locked[seat] else waits != 0


@compiled
def waits_beside_gang(game, seat, kind, verb):
    """The waits if the gang lay before the seat; the state stays as it is."""
    place = peng_of(game, seat, kind)
    if place >= 0:
        game.meld_verb[seat, place] = ADDED_GANG
        game.melded[seat, kind] += 1
        waits = waits_mask(game, seat)
        game.melded[seat, kind] -= 1
        game.meld_verb[seat, place] = PENG
        return waits
    place = int(game.meld_count[seat])
    before = int(game.meld_verb[seat, place]), int(game.meld_tile[seat, place]), int(game.meld_from[seat, place])
    lay_meld(game, seat, verb, kind, NOBODY, 4)
    waits = waits_mask(game, seat)
    game.meld_count[seat] = place
    game.melded[seat, kind] -= 4
    game.meld_verb[seat, place], game.meld_tile[seat, place], game.meld_from[seat, place] = before
    return waits


# --- others' tiles ----------------------------------------------------------------------------------------------------


@compiled
def claim_choices(game, seat):
    """Hu, gang in both forms, peng and chi of the tile on the table (rules page sections 1.1 and 3.3)."""
    kind = int(game.table_tile)
    robbing = game.phase == ROBBING
    rank = 0
    if units_unbarred(game, seat, kind, BY_ROBBING if robbing else BY_DISCARD) != NO_WIN:
        game.legal[first_action(game, HU)] = 1
        rank = HU_RANK
    if not robbing:
        rank = max(rank, offer_melds(game, seat, kind, (seat + 3) % 4 == game.table_from))
    if rank > 0:
        game.legal[first_action(game, PASS)] = 1
    return rank


@compiled
def offer_melds(game, seat, kind, chi):
    """Melds the seat can make with another's tile, runs if `chi`; the best one's rank or 0."""
    rank = 0
    free = not game.locked[seat]
    held = int(game.hands[seat, kind])
    if held == 3:
        if free and has_room(game, 1):
            game.legal[first_action(game, GANG)] = 1
            rank = GANG_RANK
        if may_open(game, seat, kind, 3, GANG):
            game.legal[first_action(game, OPEN_GANG)] = 1
            rank = GANG_RANK
    if held >= 2 and free:
        game.legal[first_action(game, PENG)] = 1
        rank = max(rank, PENG_RANK)
    if chi and free and not game.options.no_chi:
        rank = max(rank, offer_chi(game, seat, kind))
    return rank


@compiled
def units_unbarred(game, seat, kind, by):
    """Units of winning the tile on the table, or NO_WIN, also where a passed win stands in the way."""
    if not may_win_with(game, seat, kind) or is_barred_tile(game, seat, kind):
        return NO_WIN
    units = units_on(game, seat, kind, by, situation(game, seat, by))
    return NO_WIN if is_barred_value(game, seat, units) else units


@compiled
def several_winners(game):
    """Every seat that says hu wins (一炮多响), where the option is on."""
    return game.options.multi_ron == 1


# --- the bar of a passed win ------------------------------------------------------------------------------------------


@compiled
def passed_hu(game, seat):
    """Offered hu, answered otherwise."""
    by = BY_ROBBING if game.phase == ROBBING else BY_DISCARD
    kind = int(game.table_tile)
    remember_pass(game, seat, 1 << kind, units_on(game, seat, kind, by, situation(game, seat, by)))


@compiled
def after_draw(game, seat):
    """The latest tile taken may have to do for birds, and its taker to deal; bars that last until the draw end."""
    game.last_taken = game.drawn
    game.last_taker = seat
    release_by_draw(game, seat)


@compiled
def after_discard(game, seat, kind):
    """The bar that lasts until the own discard ends."""
    release_by_discard(game, seat)
