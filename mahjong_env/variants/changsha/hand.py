"""Is it a win, what is it worth in units (番), and what does the hand wait for (rules page section 4)."""

from mahjong_env.compiled import compiled
from mahjong_env.hands.queries import (
    complete_at,
    count_kinds,
    hand_complete,
    kinds_at,
    pair_258_complete_at,
    seven_pairs_at,
    seven_pairs_waits_at,
    suit_kinds,
    triplets_complete_at,
    waits_at,
)
from mahjong_env.hands.tables import FULL, HELD, ODD, WEIGHT
from mahjong_env.rules.actions import CHI, SELF_GANG
from mahjong_env.rules.payments import clear_patterns
from mahjong_env.rules.state import BY_DISCARD, MOST_MELDS, SELF_DRAW
from mahjong_env.rules.table import gain, lose
from mahjong_env.variants.changsha.options import (
    AFTER_GANG,
    CONCEALED_DRAW,
    DI_HU,
    EARTHLY,
    FLAT_LUXURY,
    GANG_DISCARD,
    GANG_SHANG_KAI_HUA,
    GANG_SHANG_PAO,
    HAI_DI_LAO_YUE,
    HAI_DI_PAO,
    HEAVENLY,
    JIANG_JIANG_HU,
    LAST_TILE,
    MEN_QING,
    PENG_PENG_HU,
    PING_HU,
    QI_XIAO_DUI,
    QIANG_GANG_HU,
    QING_YI_SE,
    QUAN_QIU_REN,
    ROBBED,
    SAN_HAO_HUA,
    TIAN_HU,
)

NO_WIN = -1
SUIT_KINDS = (1 << 9) - 1
JIANG_RANKS = 0b010010010
JIANG_KINDS = JIANG_RANKS * (1 | 1 << 9 | 1 << 18)
"""The 2, 5 and 8 of each suit (将) as a mask of kinds."""


# --- shape ------------------------------------------------------------------------------------------------------------


@compiled
def keys_may_win(game, seat, m, p, s):
    """What every win needs, by the keys of the suits: sets and a pair, seven pairs, or nothing but 2, 5 and 8."""
    if hand_complete(m, p, s, 0):
        return True
    if game.meld_count[seat] == 0 and is_even(m) and is_even(p) and is_even(s):
        return True
    return is_jiang(m) and is_jiang(p) and is_jiang(s) and melds_are_jiang(game, seat)


@compiled
def is_even(key):
    """No kind of the suit is held once or three times."""
    return suit_kinds(key, ODD) == 0


@compiled
def is_jiang(key):
    """The suit holds nothing but 2, 5 and 8."""
    return suit_kinds(key, HELD) & ~JIANG_RANKS == 0


@compiled
def may_win(game, seat):
    """`keys_may_win` of the concealed tiles."""
    return keys_may_win(game, seat, int(game.keys[seat, 0]), int(game.keys[seat, 1]), int(game.keys[seat, 2]))


@compiled
def may_win_with(game, seat, kind):
    """`keys_may_win` with one more tile."""
    suit, weight = kind // 9, int(WEIGHT[kind])
    m = int(game.keys[seat, 0]) + (weight if suit == 0 else 0)
    p = int(game.keys[seat, 1]) + (weight if suit == 1 else 0)
    s = int(game.keys[seat, 2]) + (weight if suit == 2 else 0)
    return keys_may_win(game, seat, m, p, s)


@compiled
def melds_are_jiang(game, seat):
    """Every meld is a peng or gang of 2, 5 or 8."""
    for place in range(int(game.meld_count[seat])):
        if game.meld_verb[seat, place] == CHI or game.meld_tile[seat, place] % 3 != 1:
            return False
    return True


@compiled
def has_chi(game, seat):
    for place in range(int(game.meld_count[seat])):
        if game.meld_verb[seat, place] == CHI:
            return True
    return False


@compiled
def is_one_suit(game, seat):
    """Hand and melds are of one suit."""
    suits = 0
    for suit in range(3):
        found = game.keys[seat, suit] != 0
        for place in range(int(game.meld_count[seat])):
            found = found or game.meld_tile[seat, place] // 9 == suit
        suits += 1 if found else 0
    return suits == 1


@compiled
def exposed_melds(game, seat):
    """Melds that aren't concealed gangs."""
    exposed = 0
    for place in range(int(game.meld_count[seat])):
        exposed += 0 if game.meld_verb[seat, place] == SELF_GANG else 1
    return exposed


@compiled
def note_shape(game, seat, by, complete, small):
    """Write the big patterns of the complete concealed tiles and the melds to `patterns`; how many there are."""
    found = 0
    pairs = game.meld_count[seat] == 0 and seven_pairs_at(game.keys, seat, 0)
    if complete and triplets_complete_at(game.keys, seat, 0) and not has_chi(game, seat):
        found += note(game, PENG_PENG_HU)
    if kinds_at(game.keys, seat, HELD) & ~JIANG_KINDS == 0 and melds_are_jiang(game, seat):
        found += note(game, JIANG_JIANG_HU)
    if (complete or pairs) and is_one_suit(game, seat):
        found += note(game, QING_YI_SE)
    if complete and is_quan_qiu_ren(game, seat, by, small):
        found += note(game, QUAN_QIU_REN)
    if pairs:
        found += note(game, QI_XIAO_DUI + count_kinds(kinds_at(game.keys, seat, FULL)))
    return found


@compiled
def note(game, pattern):
    game.patterns[pattern] = 1
    return 1


@compiled
def is_quan_qiu_ren(game, seat, by, small):
    """Four melds and a pair, as far as the options let it count."""
    if game.meld_count[seat] < MOST_MELDS or (by == SELF_DRAW and not game.options.quanqiuren_self_draw):
        return False
    if exposed_melds(game, seat) < MOST_MELDS and not game.options.quanqiuren_concealed_gang:
        return False
    return small or not game.options.quanqiuren_need_258


# --- value ------------------------------------------------------------------------------------------------------------


@compiled
def evaluate(game, seat, by, bits):
    """Units of the concealed tiles, the winning one included, 0 for a small win, or NO_WIN; the patterns go to `patterns`.

    `bits`: the situation. All patterns that apply add up (rules page section 4.2).
    """
    clear_patterns(game)
    complete = complete_at(game.keys, seat, 0)
    small = complete and pair_258_complete_at(game.keys, seat, 0)
    shaped = note_shape(game, seat, by, complete, small) > 0
    note_situation(game, by, bits, shaped or small, shaped or complete)
    units = units_of(game)
    if units > 0:
        return units
    if small and small_win_counts(game, seat, by):
        game.patterns[PING_HU] = 1
        return 0
    return NO_WIN


@compiled
def note_situation(game, by, bits, fits, complete):
    """Situational patterns; `fits`: the hand wins by itself, `complete`: it does but for its pair."""
    self_draw = by == SELF_DRAW
    if bits & HEAVENLY and (fits or (complete and not game.options.tianhu_need_258)):
        game.patterns[TIAN_HU] = 1
    if bits & EARTHLY and complete:
        game.patterns[DI_HU] = 1
    if fits or (complete and not game.options.situational_need_258):
        if bits & LAST_TILE:
            game.patterns[HAI_DI_LAO_YUE if self_draw else HAI_DI_PAO] = 1
        if bits & AFTER_GANG:
            game.patterns[GANG_SHANG_KAI_HUA] = 1
        if bits & GANG_DISCARD:
            game.patterns[GANG_SHANG_PAO] = 1
        if bits & ROBBED:
            game.patterns[QIANG_GANG_HU] = 1
    if bits & CONCEALED_DRAW and (fits or (complete and not game.options.menqing_need_258)):
        game.patterns[MEN_QING] = 1


@compiled
def units_of(game):
    """Sum of the big patterns' units."""
    units = 0
    for pattern in range(PING_HU + 1, len(game.patterns)):
        each = 1
        if pattern > QI_XIAO_DUI and pattern <= SAN_HAO_HUA and game.options.luxury_weights != FLAT_LUXURY:
            each = 1 + pattern - QI_XIAO_DUI
        units += each * int(game.patterns[pattern])
    return units


@compiled
def small_win_counts(game, seat, by):
    """No option stands against a small win (rules page section 4.3)."""
    options = game.options
    if options.big_only or (options.small_self_draw_only and by != SELF_DRAW):
        return False
    return not options.need_open_door or exposed_melds(game, seat) > 0


@compiled
def units_on(game, seat, kind, by, bits):
    """`evaluate` with one more tile."""
    if not may_win_with(game, seat, kind):
        return NO_WIN
    gain(game, seat, kind)
    units = evaluate(game, seat, by, bits)
    lose(game, seat, kind)
    return units


# --- waits ------------------------------------------------------------------------------------------------------------


@compiled
def waits_mask(game, seat):
    """Bit per kind that wins by discard or by self-draw, situations left aside; none that the seat has all four of.

    The one set that 开杠, the lock and the sea bottom ask for (rules page section 10.2, 10).
    """
    shape = waits_at(game.keys, seat, 0)
    if game.meld_count[seat] == 0:
        shape |= seven_pairs_waits_at(game.keys, seat, 0)
    if kinds_at(game.keys, seat, HELD) & ~JIANG_KINDS == 0 and melds_are_jiang(game, seat):
        shape |= JIANG_KINDS
    mask = 0
    for kind in range(27 if shape else 0):
        if shape >> kind & 1 and int(game.hands[seat, kind]) + int(game.melded[seat, kind]) < 4:
            gain(game, seat, kind)
            if evaluate(game, seat, SELF_DRAW, 0) != NO_WIN or evaluate(game, seat, BY_DISCARD, 0) != NO_WIN:
                mask |= 1 << kind
            lose(game, seat, kind)
    return mask


@compiled
def holds_jiang(game, seat):
    """A concealed 2, 5 or 8."""
    return kinds_at(game.keys, seat, HELD) & JIANG_KINDS != 0
