"""Is it a win, what does the hand wait for, and what is it worth in fan (番)."""

from mahjong_env.compiled import compiled
from mahjong_env.hands.queries import (
    complete_at,
    hand_complete,
    hand_kinds,
    seven_pairs_at,
    seven_pairs_waits_at,
    terminals_complete_at,
    triplets_complete_at,
    waits_at,
)
from mahjong_env.hands.tables import ODD, WEIGHT
from mahjong_env.rules.actions import SELF_GANG
from mahjong_env.rules.payments import clear_patterns
from mahjong_env.rules.state import BY_DISCARD, BY_ROBBING, NOBODY, SELF_DRAW
from mahjong_env.rules.table import gain, lose, wall_left
from mahjong_env.variants.sichuan.options import (
    AFTER_GANG,
    DAI_YAO_JIU,
    DEALER_FIRST_DISCARD,
    DI_HU,
    DRAGON_EXTRA,
    DUI_DUI_HU,
    FIRST_TURN,
    FLOWER_DISCARD,
    GANG_SHANG_HUA,
    GANG_SHANG_PAO,
    GANGS,
    GEN,
    HAI_DI,
    HAND4,
    JIANG,
    JIN_GOU_DIAO,
    LAST_BOTH,
    LAST_DISCARD,
    LAST_SELF_DRAW,
    LAST_TILE,
    MEN_QING,
    NO_CAP,
    OWN4,
    PAIR_WAIT,
    PING_HU,
    QI_DUI,
    QIANG_GANG,
    QING_YI_SE,
    TIAN_HU,
    XUELIU,
    ZHONG_ZHANG,
    ZI_MO,
    ZIMO_FAN,
)


@compiled
def tiles_of_suit(game, seat, suit):
    """Concealed tiles of one suit."""
    total = 0
    for kind in range(9 * suit, 9 * suit + 9):
        total += int(game.hands[seat, kind])
    return total


@compiled
def plays_on(game, seat):
    """A winner takes no more turns in xuezhan (rules page section 3); in xueliu all four stay."""
    return game.options.mode == XUELIU or game.wins[seat] == 0


@compiled
def has_won(game, seat):
    """The seat has won and left the hand (xuezhan), or plays on with its hand frozen (xueliu)."""
    return game.wins[seat] > 0


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
    return keys_win(game, seat, int(game.keys[seat, 0]), int(game.keys[seat, 1]), int(game.keys[seat, 2]))


@compiled
def would_win(game, seat, kind):
    """`is_winning` with one more tile."""
    suit, weight = kind // 9, int(WEIGHT[kind])
    if suit == game.void[seat]:
        return False
    m = int(game.keys[seat, 0]) + (weight if suit == 0 else 0)
    p = int(game.keys[seat, 1]) + (weight if suit == 1 else 0)
    s = int(game.keys[seat, 2]) + (weight if suit == 2 else 0)
    return keys_win(game, seat, m, p, s)


@compiled
def keys_win(game, seat, m, p, s):
    """`is_winning` for these keys of the suits. A hand that has declared a void suit and holds none of it has two suits."""
    if holds_void(game, seat):  # asked first, since it rules out most hands
        return False
    if not hand_complete(m, p, s, 0) and (game.meld_count[seat] > 0 or hand_kinds(m, p, s, 0, ODD) != 0):
        return False
    return game.void[seat] != NOBODY or suits_held(game, seat) <= 2


@compiled
def is_seven_pairs(game, seat):
    """Seven pairs, four equal tiles being two; no melds."""
    return game.meld_count[seat] == 0 and seven_pairs_at(game.keys, seat, 0)


@compiled
def waits_mask(game, seat):
    """Bit per kind that completes the concealed tiles, without those ruled out by the ting rule (rules page 4.1)."""
    shape = waits_at(game.keys, seat, 0)
    if game.meld_count[seat] == 0:
        shape |= seven_pairs_waits_at(game.keys, seat, 0)
    if shape == 0:
        return 0
    mask = 0
    for kind in range(27):
        if shape >> kind & 1 and would_win(game, seat, kind) and not is_dead_wait(game, seat, kind):
            mask |= 1 << kind
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
    clear_patterns(game)
    shared = add_shared(game, seat, by, bits)
    reading = best_reading(game, seat, kind, by)
    fan = shared + add_reading(game, seat, kind, by, reading)
    if fan == 0 and is_without_pattern(game):
        game.patterns[PING_HU] = 1
    first = TIAN_HU if seat == game.dealer else DI_HU
    if game.options.tian_di > 0 and bits & FIRST_TURN and is_first_win(game, seat, by) and game.options.tian_di >= fan:
        clear_patterns(game)
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
    if options.jiang > 0 and reading in (TRIPLETS, SEVEN_PAIRS) and only_ranks(game, seat, RANKS_258):
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
def evaluate_complete(game, seat, kind, by, bits):
    """For scoring a hand apart from any game: fan of the concealed tiles won on `kind`, which they include, or -1."""
    if not is_winning(game, seat):
        return -1
    return evaluate(game, seat, kind, by, bits)
