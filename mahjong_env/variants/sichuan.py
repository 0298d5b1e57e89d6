"""Sichuan mahjong (四川麻将): the bloody end (血战到底) and blood flows like a river (血流成河).

108 tiles of three suits, no chi. Each seat names a void suit (定缺) it may not win with; a seat that wins leaves the hand
(or, in `xueliu`, goes on winning), and play goes on until three have won or the wall is out. Every hand is the sum of
components worth fan (番, doublings): value = 2 ** min(fan, cap).

Source: 四川麻将（SBR）竞赛规则 2025, Mahjong International League (preset `sbr2025`), and the majority of eight online
clients' rule texts (preset `online`). "Rules" below are the articles of the former unless a client is meant.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mahjong_env.actions import DISCARD, GANG, HU, PASS, PENG, SELF_GANG, SWAP, VOID
from mahjong_env.agent import appraise_pairs, appraise_shape
from mahjong_env.chance import random_below
from mahjong_env.compiled import compiled
from mahjong_env.cycles.draw import (
    ADDED_GANG,
    GANG_RANK,
    HU_RANK,
    PENG_RANK,
    argument_of,
    deal,
    first_action,
    gain,
    lose,
    next_seat,
    pay,
    peng_of,
    play,
    resume,
    start,
    verb_of,
    wall_left,
    write_slip,
)
from mahjong_env.fields import (
    BY_DISCARD,
    BY_ROBBING,
    DRAWING,
    NO_TILE,
    NOBODY,
    OPENING,
    OVER,
    ROBBING,
    SELF_DRAW,
    TURN,
)
from mahjong_env.hands.queries import complete_at, seven_pairs_at, terminals_complete_at, triplets_complete_at
from mahjong_env.observation import fill_row, observe
from mahjong_env.scoring import Score
from mahjong_env.tiles import SUITS
from mahjong_env.variants.interface import Pattern, Piece, Variant, choice, flag, number

if TYPE_CHECKING:
    from mahjong_env.game import Game

# --- options ----------------------------------------------------------------------------------------------------------

XUEZHAN, XUELIU = range(2)
BY_CHANCE, COUNTER, CLOCKWISE, ACROSS = range(4)
NOT_DRAWN = -1
ZIMO_BASE, ZIMO_FAN, ZIMO_NONE = range(3)
REFUND, TRANSFER_LAST, TRANSFER_ALL, KEEP = range(4)
FLOWER_SELF_DRAW, FLOWER_DISCARD = range(2)
FRONT, BACK = range(2)
FIRST_DRAW, DEALER_FIRST_DISCARD = range(2)
FOUR_MELDS, PAIR_WAIT = range(2)
LAST_BOTH, LAST_SELF_DRAW, LAST_DISCARD, LAST_OFF = range(4)
HIGHER_FAN, STRICT, SAME_TILE, NO_LOCK = range(4)
ON_DRAW, ON_DRAW_OR_CALL = range(2)
HAND4, OWN4, VISIBLE = range(3)
TO_NOBODY, TO_ACTIVE, TO_ALL = range(3)
FIRST_WINNER, FIRST_WINNER_OR_NEXT = range(2)
NO_CAP = AS_CAP = -1
PIG_WITHOUT_CAP = 5  # fan a flower pig pays where pig_amount is "cap" and there is none


@dataclass(frozen=True)
class Options:
    """The options of Sichuan mahjong with the defaults of `sbr2025`."""

    mode: str = choice(("xuezhan", "xueliu"), "a winner leaves the hand, or stays and goes on winning")
    exchange: bool = flag(False, "换三张: before play each seat passes on three tiles")
    exchange_same_suit: bool = flag(True, "the three tiles must be of one suit")
    exchange_direction: str = choice(
        ("random", "counter", "clockwise", "across"), "to the next seat, the previous one, across, or drawn by chance"
    )
    dingque: bool = flag(True, "定缺: each seat declares a void suit; without it a winner may just not hold three suits")
    void_first: bool = flag(True, "while the hand holds void-suit tiles only those may be discarded")
    fan_cap: int | None = number(3, 0, 30, "most fan that count (封顶)", also=(None,))
    zimo: str = choice(("base", "fan", "none"), "a self-draw adds one point from each payer, one fan, or nothing")
    gang_pao: str = choice(
        ("refund", "transfer_last", "transfer_all", "none"),
        "gang money when the discard after the gang is won: back to its payers, that gang's or all of it to the winner",
    )
    direct_gang_flower: str = choice(("zimo", "dianpao"), "a win on a direct gang's replacement is paid by all, or its feeder")
    stale_added_gang_pays: int = choice((0, 1), "what each seat pays for a gang added with a tile not just drawn")
    direct_gang_others: int = choice((0, 1), "擦挂: what the other seats pay for a direct gang")
    gang_replacement: str = choice(("front", "back"), "the end of the wall a gang's replacement comes from")
    dai_yao_jiu: int = number(0, 0, 9, "fan for a 1 or 9 in every set and the pair (带幺九); 0 = off")
    jiang: int = number(0, 0, 9, "fan for all triplets or seven pairs of 2, 5, 8 (将); 0 = off")
    men_qing: int = number(0, 0, 9, "fan for a concealed hand (门清); 0 = off")
    zhong_zhang: int = number(0, 0, 9, "fan for a hand without 1 and 9 (中张); 0 = off")
    men_qing_zimo_only: bool = flag(False, "men_qing only by self-draw")
    men_qing_seven_pairs: bool = flag(False, "men_qing also for seven pairs")
    jiang_excludes_zhong_zhang: bool = flag(True, "zhong_zhang isn't added to jiang")
    tian_di: int = number(0, 0, 9, "fan of 天胡 and 地胡, if the hand has fewer; 0 = off")
    di_hu: str = choice(("first_draw", "dealer_first_discard"), "地胡 on the first draw only, or on the dealer's first discard too")
    jgd_needs: str = choice(("four_melds", "pair_wait"), "金钩钓 needs four melds, or any all-triplet hand won on its pair")
    dragon_extra: int = choice((0, 1), "one fan more for two-suit seven pairs with four of a kind")
    hai_di: str = choice(("both", "self_draw", "discard", "off"), "the last wall tile, or the last discard, gives a fan")
    rob_after_gang_counts_both: bool = flag(True, "robbing a gang added after a gang is gang_shang_pao too")
    pass_lock: str = choice(
        ("higher_fan", "strict", "same_tile", "none"), "过水: what a seat that passed a win may still win on, until released"
    )
    pass_lock_release: str = choice(("draw", "draw_or_call"), "what releases it")
    ting_rule: str = choice(
        ("hand4", "own4", "visible"), "a wait is void if four copies are in the concealed hand, own hand and melds, or in sight"
    )
    pig_amount: int | str = number(24, 0, 999, "what a flower pig (花猪) pays; \"cap\": as the most a hand is worth", also=("cap",))
    pig_to: str = choice(("void", "active", "all"), "a pig pays nobody, every live seat that is no pig, or every other seat")
    pig_also_jiao: bool = flag(True, "pigs also pay ready seats")
    passive_pig: bool = flag(True, "a pig that only ever discarded its void suit counts as not ready")
    tui_shui: bool = flag(True, "退税: seats not ready at the wall's end give gang money back")
    force_hu_last4: bool = flag(False, "with four wall tiles or fewer a possible hu must be taken")
    last_discard_peng: bool = flag(True, "the last discard may be claimed for a peng")
    dealer_rule: str = choice(("first_winner", "first_winner_or_next"), "who deals next when nobody has won: same, or next seat")
    xueliu_winners_receive: bool = flag(False, "in xueliu, winners are paid at the wall's end too")


ONLINE = {
    "exchange": True,
    "fan_cap": 5,
    "zimo": "fan",
    "gang_pao": "transfer_last",
    "stale_added_gang_pays": 1,
    "gang_replacement": "back",
    "dai_yao_jiu": 2,
    "jiang": 2,
    "tian_di": 5,
    "ting_rule": "own4",
    "pig_amount": "cap",
    "pig_to": "active",
    "pig_also_jiao": False,
    "passive_pig": False,
}

# --- patterns and payments --------------------------------------------------------------------------------------------

PATTERNS = (
    Pattern("ping_hu", "平胡", "plain hand"),
    Pattern("dui_dui_hu", "对对胡", "all triplets"),
    Pattern("jin_gou_diao", "金钩钓", "four melds, single wait"),
    Pattern("qing_yi_se", "清一色", "one suit"),
    Pattern("qi_dui", "七对", "seven pairs"),
    Pattern("gang", "杠", "gang"),
    Pattern("gen", "根", "four of a kind"),
    Pattern("gang_shang_hua", "杠上花", "win on a gang's replacement"),
    Pattern("gang_shang_pao", "杠上炮", "win on the discard after a gang"),
    Pattern("qiang_gang", "抢杠胡", "robbing a gang"),
    Pattern("hai_di", "海底", "last tile"),
    Pattern("zi_mo", "自摸", "self-draw"),
    Pattern("dai_yao_jiu", "带幺九", "1 or 9 in every set"),
    Pattern("jiang", "将", "all 2, 5, 8"),
    Pattern("men_qing", "门清", "concealed hand"),
    Pattern("zhong_zhang", "中张", "no 1 or 9"),
    Pattern("tian_hu", "天胡", "dealer's dealt hand"),
    Pattern("di_hu", "地胡", "first draw"),
    Pattern("dragon_extra", "龙七对加番", "two-suit dragon seven pairs"),
)
(PING_HU, DUI_DUI_HU, JIN_GOU_DIAO, QING_YI_SE, QI_DUI, GANGS, GEN, GANG_SHANG_HUA, GANG_SHANG_PAO, QIANG_GANG, HAI_DI,
 ZI_MO, DAI_YAO_JIU, JIANG, MEN_QING, ZHONG_ZHANG, TIAN_HU, DI_HU, DRAGON_EXTRA) = range(len(PATTERNS))  # fmt: skip

REASONS = ("hu", "gang", "gang money moved", "flower pig", "not ready", "gang money back")
FOR_HU, FOR_GANG, GANG_MONEY_MOVED, FOR_PIG, FOR_NOT_READY, GANG_MONEY_BACK = range(len(REASONS))

AFTER_GANG, LAST_TILE, FIRST_TURN = 1, 2, 4
"""Bits of the situation in which a hand is won."""

NOT_READY, PIG, READY = range(3)
MOST_GANGS = 16


# --- choices before the first turn: exchange three, void suit ---------------------------------------------------------


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
def tiles_of_suit(game, seat, suit):
    """Concealed tiles of one suit."""
    total = 0
    for kind in range(9 * suit, 9 * suit + 9):
        total += int(game.hands[seat, kind])
    return total


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


# --- what a seat may do -----------------------------------------------------------------------------------------------


@compiled
def has_won(game, seat):
    """The seat has won and left the hand (xuezhan), or plays on with its hand frozen (xueliu)."""
    return game.wins[seat] > 0


@compiled
def plays_on(game, seat):
    """A winner takes no more turns in xuezhan (rules page section 3); in xueliu all four stay."""
    return game.options.mode == XUELIU or game.wins[seat] == 0


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
    only_void = game.options.void_first and holds_void(game, seat)
    for kind in range(27):
        if game.hands[seat, kind] > 0 and (not only_void or kind // 9 == game.void[seat]):
            game.legal[discard + kind] = 1


@compiled
def offer_gangs(game, seat):
    """Concealed and added gangs, never of the void suit; a xueliu winner's only with the drawn tile and the same waits."""
    self_gang = first_action(game, SELF_GANG)
    for kind in range(27):
        held = game.hands[seat, kind]
        if held == 0 or kind // 9 == game.void[seat]:
            continue
        if held == 4 or (held == 1 and game.melded[seat, kind] == 3 and peng_of(game, seat, kind) >= 0):
            if not has_won(game, seat) or (kind == game.drawn and gang_keeps_waits(game, seat, kind)):
                game.legal[self_gang + kind] = 1


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
    gain(game, seat, kind)
    winning = is_winning(game, seat)
    lose(game, seat, kind)
    if not winning or has_won(game, seat) or game.lock_fan[seat] == NO_PASS:
        return winning
    if game.options.pass_lock == SAME_TILE:
        return (game.lock_kinds[seat] >> kind) & 1 == 0
    if game.options.pass_lock == HIGHER_FAN:
        return fan_on_table_tile(game, seat, by) > game.lock_fan[seat]
    return False


@compiled
def several_winners(game):
    """Every seat that says hu wins (一炮多响)."""
    return True


@compiled
def replacement_from_back(game):
    """Where a gang's replacement comes from."""
    return game.options.gang_replacement == BACK


# --- passed wins (过水) -------------------------------------------------------------------------------------------------

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


@compiled
def after_claim(game, seat):
    """Some tables release it at any call."""
    if game.options.pass_lock_release == ON_DRAW_OR_CALL:
        release_lock(game, seat)


@compiled
def after_discard(game, seat, kind):
    """A seat that discards after a peng, not ready, is released; one that breaks a complete hand passes that win."""
    if game.after_claim and waits_mask(game, seat) == 0:
        release_lock(game, seat)
    gain(game, seat, kind)
    if is_winning(game, seat):
        remember_pass(game, seat, kind, evaluate(game, seat, kind, BY_DISCARD, 0))
    lose(game, seat, kind)


# --- is it a win, and what is it worth --------------------------------------------------------------------------------


@compiled
def holds_void(game, seat):
    """A concealed tile of the void suit."""
    return game.void[seat] != NOBODY and game.keys[seat, int(game.void[seat])] != 0


@compiled
def suits_held(game, seat):
    """Number of suits in hand and melds."""
    suits = 0
    for suit in range(3):
        found = game.keys[seat, suit] != 0
        for place in range(int(game.meld_count[seat])):
            found = found or game.meld_tile[seat, place] // 9 == suit
        suits += 1 if found else 0
    return suits


@compiled
def is_pig(game, seat):
    """花猪: holds its void suit, or three suits where none is declared."""
    if game.options.dingque:
        return holds_void(game, seat)
    return suits_held(game, seat) == 3


@compiled
def is_winning(game, seat):
    """The concealed tiles complete the hand: four sets and a pair, or seven pairs; no void suit, two suits at most."""
    if not (complete_at(game.keys, seat, 0) or is_seven_pairs(game, seat)):
        return False
    return not holds_void(game, seat) and suits_held(game, seat) <= 2


@compiled
def is_seven_pairs(game, seat):
    """Seven pairs, four equal tiles being two; no melds."""
    return game.meld_count[seat] == 0 and seven_pairs_at(game.keys, seat, 0)


@compiled
def waits_mask(game, seat):
    """Bit per kind that completes the concealed tiles, without those ruled out by the ting rule (rules page 4.1)."""
    mask = 0
    for kind in range(27):
        if kind // 9 != game.void[seat] and game.hands[seat, kind] < 4 and not is_dead_wait(game, seat, kind):
            gain(game, seat, kind)
            if is_winning(game, seat):
                mask |= 1 << kind
            lose(game, seat, kind)
    return mask


@compiled
def is_dead_wait(game, seat, kind):
    """All four copies are where the ting rule looks."""
    own = game.hands[seat, kind] + game.melded[seat, kind]
    if game.options.ting_rule == HAND4:
        return game.hands[seat, kind] == 4
    if game.options.ting_rule == OWN4:
        return own == 4
    seen = own + game.aside[kind]
    for other in range(4):
        seen += game.discarded[other, kind]
        if other != seat:
            seen += game.melded[other, kind]
    return seen >= 4


@compiled
def fan_on_table_tile(game, seat, by):
    """Fan, situation included, of winning the tile on the table."""
    kind = int(game.table_tile)
    gain(game, seat, kind)
    fan = evaluate(game, seat, kind, by, situation(game, seat, by))
    lose(game, seat, kind)
    return fan


@compiled
def situation(game, seat, by):
    """The bits that hold now for a win by that seat."""
    bits = 0
    if by == SELF_DRAW:
        after_gang = game.replacement == 1
        first = no_melds(game) and (is_dealt_win(game, seat) or (seat != game.dealer and game.draws[seat] == 1))
    elif by == BY_ROBBING:
        after_gang = game.replacement == 1 and game.options.rob_after_gang_counts_both
        first = False
    else:
        after_gang = game.after_gang == 1
        first = game.river_length == 1 and game.table_from == game.dealer and no_melds(game)
        first = first and game.draws[game.dealer] == 0
    if after_gang:
        bits |= AFTER_GANG
    if wall_left(game) == 0:
        bits |= LAST_TILE
    if first:
        bits |= FIRST_TURN
    return bits


@compiled
def is_dealt_win(game, seat):
    """The dealer in its first turn, nothing drawn yet."""
    return seat == game.dealer and game.draws[seat] == 0 and game.after_claim == 0 and game.river_length == 0


@compiled
def no_melds(game):
    """Nobody has melded anything, concealed gangs included."""
    return game.meld_count[0] + game.meld_count[1] + game.meld_count[2] + game.meld_count[3] == 0


@compiled
def evaluate(game, seat, kind, by, bits):
    """Fan of the complete concealed tiles, won on `kind`, before the cap; the components go to `patterns`.

    All readings are compared and the one with most fan counts (rules page sections 4 and 5).
    """
    for pattern in range(len(game.patterns)):
        game.patterns[pattern] = 0
    shared = add_shared(game, seat, by, bits)
    reading = best_reading(game, seat, kind, by)
    fan = shared + add_reading(game, seat, kind, by, reading)
    if fan == 0 and is_without_pattern(game):
        game.patterns[PING_HU] = 1
    first = TIAN_HU if seat == game.dealer else DI_HU
    if game.options.tian_di > 0 and bits & FIRST_TURN and is_first_win(game, seat, by) and game.options.tian_di >= fan:
        for pattern in range(len(game.patterns)):
            game.patterns[pattern] = 0
        game.patterns[first] = 1
        fan = int(game.options.tian_di)
    return fan


@compiled
def is_without_pattern(game):
    for pattern in range(len(game.patterns)):
        if game.patterns[pattern]:
            return False
    return True


@compiled
def is_first_win(game, seat, by):
    """天胡 or 地胡, in a first turn; not in xueliu."""
    if game.options.mode == XUELIU:
        return False
    return by == SELF_DRAW or (by == BY_DISCARD and seat != game.dealer and game.options.di_hu == DEALER_FIRST_DISCARD)


@compiled
def add(game, pattern, fan):
    """One component; returns its fan."""
    game.patterns[pattern] += 1
    return fan


@compiled
def add_shared(game, seat, by, bits):
    """Components that don't depend on the reading: suits, four of a kind, and the situation (rules page 5.1)."""
    fan = 0
    if suits_held(game, seat) == 1:
        fan += add(game, QING_YI_SE, 2)
    fan += add_fours(game, seat)
    if bits & AFTER_GANG:
        fan += add(game, GANG_SHANG_HUA if by == SELF_DRAW else GANG_SHANG_PAO, 1)
    if by == BY_ROBBING:
        fan += add(game, QIANG_GANG, 1)
    last = LAST_SELF_DRAW if by == SELF_DRAW else LAST_DISCARD
    if bits & LAST_TILE and by != BY_ROBBING and (game.options.hai_di == LAST_BOTH or game.options.hai_di == last):
        fan += add(game, HAI_DI, 1)
    if by == SELF_DRAW and game.options.zimo == ZIMO_FAN and not is_fed_flower(game, bits):
        fan += add(game, ZI_MO, 1)
    return fan


@compiled
def is_fed_flower(game, bits):
    """点杠花 paid by the feeder: the replacement of a direct gang was drawn and the option is `dianpao`."""
    if game.options.direct_gang_flower != FLOWER_DISCARD or not bits & AFTER_GANG or game.gangs == 0:
        return False
    return game.gang_feeder[int(game.gangs) - 1] != NOBODY


@compiled
def add_fours(game, seat):
    """A fan for each declared gang and for each kind held four times without one (根)."""
    fan = 0
    for kind in range(27):
        if game.hands[seat, kind] + game.melded[seat, kind] >= 4:
            fan += add(game, GANGS if game.melded[seat, kind] == 4 else GEN, 1)
    return fan


PLAIN_SHAPE, TRIPLETS, TERMINALS, SEVEN_PAIRS = range(4)


@compiled
def best_reading(game, seat, kind, by):
    """The reading of the complete hand with most fan; shape A before seven pairs where they tie."""
    best, most = PLAIN_SHAPE, -1
    if complete_at(game.keys, seat, 0):
        most = reading_fan(game, seat, kind, by, PLAIN_SHAPE)
        if triplets_complete_at(game.keys, seat, 0):
            fan = reading_fan(game, seat, kind, by, TRIPLETS)
            if fan > most:
                best, most = TRIPLETS, fan
        if game.options.dai_yao_jiu > 0 and is_dai_yao_jiu(game, seat):
            fan = reading_fan(game, seat, kind, by, TERMINALS)
            if fan > most:
                best, most = TERMINALS, fan
    if is_seven_pairs(game, seat):
        fan = reading_fan(game, seat, kind, by, SEVEN_PAIRS)
        if fan > most:
            best = SEVEN_PAIRS
    return best


@compiled
def reading_fan(game, seat, kind, by, reading):
    """What a reading adds, leaving `patterns` as it was."""
    fan = add_reading(game, seat, kind, by, reading)
    for pattern in (DUI_DUI_HU, JIN_GOU_DIAO, QI_DUI, DAI_YAO_JIU, JIANG, MEN_QING, ZHONG_ZHANG, DRAGON_EXTRA):
        game.patterns[pattern] = 0
    return fan


@compiled
def add_reading(game, seat, kind, by, reading):
    """Components of one reading of the hand (rules page 5.1 and its exclusions)."""
    fan = 0
    options = game.options
    has_jiang = False
    if reading == TRIPLETS:
        fan += add(game, DUI_DUI_HU, 1)
        if game.meld_count[seat] == 4 or (options.jgd_needs == PAIR_WAIT and game.hands[seat, kind] == 2):
            fan += add(game, JIN_GOU_DIAO, 1)
    if reading == SEVEN_PAIRS:
        fan += add(game, QI_DUI, 2)
        if options.dragon_extra and game.patterns[GEN] > 0 and suits_held(game, seat) == 2:
            fan += add(game, DRAGON_EXTRA, 1)
    if options.jiang > 0 and (reading == TRIPLETS or reading == SEVEN_PAIRS) and only_ranks(game, seat, RANKS_258):
        has_jiang = True
        fan += add(game, JIANG, int(options.jiang))
    terminals = reading == TERMINALS or (reading == TRIPLETS and only_ranks(game, seat, RANKS_19))
    if options.dai_yao_jiu > 0 and terminals:
        fan += add(game, DAI_YAO_JIU, int(options.dai_yao_jiu))
    if options.men_qing > 0 and is_concealed(game, seat) and (by == SELF_DRAW or not options.men_qing_zimo_only):
        if reading != SEVEN_PAIRS or options.men_qing_seven_pairs:
            fan += add(game, MEN_QING, int(options.men_qing))
    if options.zhong_zhang > 0 and only_ranks(game, seat, RANKS_2_TO_8):
        if not (has_jiang and options.jiang_excludes_zhong_zhang):
            fan += add(game, ZHONG_ZHANG, int(options.zhong_zhang))
    return fan


RANKS_258 = 1 << 1 | 1 << 4 | 1 << 7
RANKS_19 = 1 << 0 | 1 << 8
RANKS_2_TO_8 = (1 << 9) - 1 - RANKS_19


@compiled
def only_ranks(game, seat, ranks):
    """Every tile of hand and melds has a rank in the bit set."""
    for kind in range(27):
        if game.hands[seat, kind] + game.melded[seat, kind] > 0 and not (ranks >> (kind % 9)) & 1:
            return False
    return True


@compiled
def is_dai_yao_jiu(game, seat):
    """A reading with a 1 or 9 in every set and the pair; pengs and gangs included."""
    for place in range(int(game.meld_count[seat])):
        rank = game.meld_tile[seat, place] % 9
        if rank != 0 and rank != 8:
            return False
    return terminals_complete_at(game.keys, seat, 0)


@compiled
def is_concealed(game, seat):
    """No peng and no exposed gang."""
    for place in range(int(game.meld_count[seat])):
        if game.meld_verb[seat, place] != SELF_GANG:
            return False
    return True


@compiled
def value_of(game, fan):
    """Points from one payer for that many fan, capped (rules page 5.4)."""
    cap = int(game.options.fan_cap)
    return 1 << (fan if cap == NO_CAP else min(fan, cap))


@compiled
def evaluate_at(games, seat, kind, by, bits):
    """For scoring a hand apart from any game: fan of the concealed tiles won on `kind`, which they include, or -1."""
    game = games[0]
    if not is_winning(game, seat):
        return -1
    return evaluate(game, seat, kind, by, bits)


# --- payments for wins ------------------------------------------------------------------------------------------------


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
    for pattern in range(len(game.patterns)):
        game.win_patterns[seat, pattern] = game.patterns[pattern]


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
    if not game.gang_moved[gang]:
        for seat in range(4):
            income += game.gang_paid[gang, seat]
    game.gang_moved[gang] = 1
    return income


@compiled
def refund_gang(game, slip, gang):
    """The gang's income goes back to those who paid it."""
    if not game.gang_moved[gang]:
        for seat in range(4):
            pay(game, slip, int(game.gang_seat[gang]), seat, int(game.gang_paid[gang, seat]))
    game.gang_moved[gang] = 1


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


# --- gangs (刮风下雨) ---------------------------------------------------------------------------------------------------


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


# --- the wall's end (流局) ----------------------------------------------------------------------------------------------


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
def is_checked(game, seat):
    """Whether the wall's end concerns the seat."""
    return plays_on(game, seat)


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
        if game.river_seat[place] == seat and game.river_tile[place] // 9 != game.void[seat]:
            return False
    return True


@compiled
def all_in_one_state(game):
    """All checked seats are ready, or all not: nobody pays anybody. Pigs are fined all the same."""
    first = -1
    for seat in range(4):
        if is_checked(game, seat):
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
        if game.state[pig] != PIG or not is_checked(game, pig):
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
            if pays and is_checked(game, other):
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
        if is_checked(game, seat) and game.state[seat] != READY:
            if slip == NOBODY:
                slip = write_slip(game, GANG_MONEY_BACK, NOBODY)
            refund_gang(game, slip, gang)


# --- what greedy play asks --------------------------------------------------------------------------------------------

VOID_TILE = 1 << 12  # what a void-suit tile costs: more than any distance from ready


@compiled
def appraise(game, seat):
    """The void suit goes first; what is left is worth its shape, as sets or as pairs."""
    void = int(game.void[seat])
    if void == NOBODY:
        return max(appraise_shape(game, seat, NO_KINDS), appraise_pairs(game, seat, NO_KINDS))
    suit_key = game.keys[seat, void]
    game.keys[seat, void] = 0
    worth = max(appraise_shape(game, seat, 0b111111111 << 9 * void), appraise_pairs(game, seat, 0b111111111 << 9 * void))
    game.keys[seat, void] = suit_key
    return worth - VOID_TILE * tiles_of_suit(game, seat, void)


NO_KINDS = 0


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


# --- observation ------------------------------------------------------------------------------------------------------

PIECES = (
    Piece("void", 4, "1 over each seat's void suit, once all have declared (the own one at once)"),
    Piece("won", 4, "how often each seat has won"),
    Piece("given", 1, "tiles the viewer gave in the exchange"),
    Piece("got", 1, "tiles the viewer got"),
    Piece("direction", 1, "how many seats on tiles were passed; 0 before the exchange or without one"),
    Piece("lock", 1, "1 + most fan of the wins the viewer has passed since its last draw; 0 for none"),
)


@compiled
def observe_own(game, seat, out, row, all_seen):
    """The pieces above; choices before the first turn stay hidden until all have chosen."""
    for step in range(4):
        other = (seat + step) % 4
        shown = step == 0 or all_seen or game.phase != OPENING
        for kind in range(27):
            out[row + step, kind] = 1 if shown and kind // 9 == game.void[other] else 0
        fill_row(out, row + 4 + step, int(game.wins[other]))
    fill_row(out, row + 8, 0)
    fill_row(out, row + 9, 0)
    for place in range(3):
        if game.given[seat, place] != NO_TILE:
            out[row + 8, int(game.given[seat, place])] += 1
        if game.got[seat, place] != NO_TILE:
            out[row + 9, int(game.got[seat, place])] += 1
    exchanged = game.got[seat, 2] != NO_TILE
    steps = 1 if game.exchange_direction == COUNTER - 1 else 3 if game.exchange_direction == CLOCKWISE - 1 else 2
    fill_row(out, row + 10, steps if exchanged else 0)
    fill_row(out, row + 11, game.lock_fan[seat] + 1)
    return row + 12


# --- what drawings and tests ask ---------------------------------------------------------------------------------------


def describe_seat(game: "Game", seat: int, viewer: int | None) -> str:
    """The void suit, once the viewer may know it, and what the seat gave and got in the exchange, for its own eyes."""
    row = game._games[0]
    mine = viewer is None or viewer == seat
    facts = []
    if row["void"][seat] != NOBODY and (mine or row["phase"] != OPENING):
        facts.append(f"void {SUITS.suits[row['void'][seat]]}")
    for word, place in (("gave", "given"), ("got", "got")) if mine and row["options"]["exchange"] else ():
        kinds = [int(kind) for kind in row[place][seat] if kind != NO_TILE]
        facts += [f"{word} {SUITS.format(kinds)}"] if kinds else []
    return ", ".join(facts)


def tiles_aside(game: "Game") -> list[int]:
    """Kinds that lie in no hand, meld, discard or wall: won by self-draw, or picked for an exchange still to come."""
    row = game._games[0]
    won = [kind for kind in range(27) for _ in range(row["aside"][kind])]
    picked = [int(kind) for kind in row["given"].flat if kind != NO_TILE]
    return won + (picked if (row["got"] == NO_TILE).all() else [])


def is_zero_sum(options: Mapping[str, Any]) -> bool:
    """Whether all points lost are somebody's: the competition rules fine a flower pig without paying anyone."""
    return options["pig_to"] != "void"


# --- hands and positions from notation --------------------------------------------------------------------------------

FLAGS = ("after_gang", "after_gang_discard", "last_tile", "first_turn", "dealer", "tian_hu", "di_hu")
"""Situations in which a hand is scored. `after_gang` also means a win on the discard after a gang, or robbing a gang
declared on a replacement tile; `first_turn` is 天胡 for the dealer and 地胡 for others, where the options have them."""


def prepare(games: np.ndarray) -> None:
    """Nothing swapped, declared or passed in a blank record."""
    for name in ("void", "given", "got"):
        games[name] = NOBODY
    games["lock_fan"] = NO_PASS


def set_void(games: np.ndarray, seat: int, suit: str | None) -> None:
    """The seat has declared a suit void, by its letter; None or "-": none."""
    if suit is not None and suit != "-" and suit not in SUITS.suits:
        raise ValueError(f"void {suit!r} is not possible; it takes {', '.join(SUITS.suits)}, or - for none")
    games["void"][0, seat] = SUITS.suits.index(suit) if suit in SUITS.suits else NOBODY


DETAILS = {"void": set_void}


def score_position(games: np.ndarray, seat: int, kind: int, by: int, flags: tuple[str, ...]) -> Score:
    """The score of complete concealed tiles, won on `kind`, which they include (rules page sections 4 and 5)."""
    check_flags(by, flags)
    games["dealer"] = seat if "dealer" in flags or "tian_hu" in flags else NOBODY
    bits = situation_of(games, seat, by, flags)
    if bits & AFTER_GANG:
        note_replacement(games, seat)
    reason = why_no_win(games, seat)
    fan = -1 if reason else int(evaluate_at(games, seat, kind, by, bits))
    if fan < 0:
        return Score(hu=False, reason=reason or "no_structure")
    value = int(value_of(games[0], fan))
    return Score(hu=True, fan=value.bit_length() - 1, fan_raw=fan, value=value)  # value is 2 ** fan


def check_flags(by: int, flags: tuple[str, ...]) -> None:
    """ValueError for flags that can't hold together, or with this way of winning."""
    if "tian_hu" in flags and (by != SELF_DRAW or "di_hu" in flags):
        raise ValueError("flag 'tian_hu' needs win_by 'self_draw', and no 'di_hu': it is the dealer's dealt hand")
    if "di_hu" in flags and "dealer" in flags:
        raise ValueError("flag 'di_hu' is for a seat that isn't dealer; the dealer's is 'tian_hu'")
    if "after_gang_discard" in flags and by == SELF_DRAW:
        raise ValueError("flag 'after_gang_discard' needs win_by 'discard'; a drawn replacement is 'after_gang'")


def situation_of(games: np.ndarray, seat: int, by: int, flags: tuple[str, ...]) -> int:
    """The bits that flags stand for, as `situation` finds them in play."""
    after_gang = "after_gang" in flags or "after_gang_discard" in flags
    if by == BY_ROBBING and not games["options"]["rob_after_gang_counts_both"][0]:
        after_gang = False
    first = not games["meld_count"][0, seat] and any(flag in flags for flag in ("first_turn", "tian_hu", "di_hu"))
    return AFTER_GANG * after_gang | LAST_TILE * ("last_tile" in flags) | FIRST_TURN * first


def note_replacement(games: np.ndarray, seat: int) -> None:
    """The seat's last gang, paid for, is the one whose replacement was drawn; a direct one had a feeder."""
    for verb in games["meld_verb"][0, seat, : games["meld_count"][0, seat]]:
        if verb != PENG:
            games["gangs"] = 1
            games["gang_seat"][0, 0] = seat
            games["gang_feeder"][0, 0] = (seat + 1) % 4 if verb == GANG else NOBODY


def why_no_win(games: np.ndarray, seat: int) -> str | None:
    """What the suits of hand and melds have against a win; None if nothing (rules page section 2.2)."""
    held = (games["hands"] + games["melded"])[0, seat].reshape(3, 9).any(axis=1)
    void = int(games["void"][0, seat])
    if void != NOBODY and held[void]:
        return "has_void_suit"
    return "three_suits" if held.all() else None


VARIANT = Variant(
    name="sichuan",
    title="Sichuan mahjong (四川麻将)",
    version=0,
    tiles=SUITS,
    seats=4,
    verbs=("discard", "self_gang", "peng", "gang", "hu", "pass", "void", "swap"),
    options=Options,
    presets={"sbr2025": {}, "online": ONLINE},
    patterns=PATTERNS,
    slip_reasons=REASONS,
    fields=(
        ("void", "i1", ("seats",)),
        ("exchange_direction", "i1", ()),
        ("given", "i1", ("seats", 3)),
        ("got", "i1", ("seats", 3)),
        ("lock_fan", "i1", ("seats",)),
        ("lock_kinds", "i4", ("seats",)),
        ("aside", "i1", ("kinds",)),
        ("gangs", "i1", ()),
        ("gang_seat", "i1", (MOST_GANGS,)),
        ("gang_feeder", "i1", (MOST_GANGS,)),
        ("gang_paid", "i1", (MOST_GANGS, "seats")),
        ("gang_moved", "i1", (MOST_GANGS,)),
        ("state", "i1", ("seats",)),
    ),
    pieces=PIECES,
    renamed={"online": {"gang": "gen"}},
    chance={"exchange_direction": ("counter", "clockwise", "across")},
)
