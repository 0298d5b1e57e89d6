"""Starting wins (起手胡) and mid-game items (中途四喜, 中途六六顺), and the dice thrown for them (rules page section 5)."""

from mahjong_env.compiled import compiled
from mahjong_env.hands.queries import count_kinds, kinds_at, suit_kinds
from mahjong_env.hands.tables import FULL, HELD, PAIRED
from mahjong_env.rules.actions import DECLARE, PASS
from mahjong_env.rules.chance import random_below
from mahjong_env.rules.hooks import first_action, verb_of
from mahjong_env.rules.state import NO_TILE, OPENING
from mahjong_env.variants.changsha.hand import JIANG_KINDS, SUIT_KINDS
from mahjong_env.variants.changsha.options import (
    BAN_BAN_HU,
    EITHER,
    FOR_MID_GAME,
    FOR_STARTING,
    JIE_JIE_GAO,
    JIN_TONG_YU_NV,
    LIU_LIU_SHUN,
    MOST_SIXES,
    MOST_THROWS,
    QUE_YI_SE,
    SAN_TONG,
    SI_XI,
    SINGLE_258,
    STARTING_ITEMS,
    SUIT_OF_ONE,
    YI_ZHI_HUA,
)
from mahjong_env.variants.changsha.payments import pay_item

NOT_THROWN = -1
FIVES = 0b000010000 * (1 | 1 << 9 | 1 << 18)
PAIR_2P_2S = 1 << 10 | 1 << 19


# --- starting wins ----------------------------------------------------------------------------------------------------


@compiled
def begin_opening(game):
    """The seats are asked from the dealer on."""
    game.asking = 0
    game.phase = OPENING


@compiled
def ask_opening(game):
    """One yes or no for all items a seat's dealt tiles meet; when all have answered, those declared are shown and paid."""
    while game.asking < 4:
        seat = (int(game.dealer) + int(game.asking)) % 4
        if items_met(game, seat) != 0:
            game.legal[first_action(game, DECLARE)] = 1
            game.legal[first_action(game, PASS)] = 1
            game.to_act = seat
            return True
        game.asking += 1
    for turn in range(4):
        seat = (int(game.dealer) + turn) % 4
        if game.declaring[seat]:
            declare_items(game, seat)
    return False


@compiled
def answer_opening(game, action):
    """Declared or not; the others don't see it before all have answered."""
    game.declaring[int(game.to_act)] = 1 if verb_of(game, action) == DECLARE else 0
    game.asking += 1


@compiled
def items_met(game, seat):
    """The starting items of the dealt tiles, as bits (rules page section 5)."""
    held, pairs = kinds_at(game.keys, seat, HELD), kinds_at(game.keys, seat, PAIRED)
    options = game.options
    items = 0
    if options.si_xi and kinds_at(game.keys, seat, FULL) != 0:
        items |= 1 << SI_XI
    if options.ban_ban_hu and held & JIANG_KINDS == 0:
        items |= 1 << BAN_BAN_HU
    if options.que_yi_se and (game.keys[seat, 0] == 0 or game.keys[seat, 1] == 0 or game.keys[seat, 2] == 0):
        items |= 1 << QUE_YI_SE
    if options.liu_liu_shun and count_kinds(threes(game, seat, options.liu_liu_shun_exact)) >= 2:
        items |= 1 << LIU_LIU_SHUN
    if options.jie_jie_gao and has_steps(pairs):
        items |= 1 << JIE_JIE_GAO
    if options.san_tong and pairs & pairs >> 9 & pairs >> 18 & SUIT_KINDS != 0:
        items |= 1 << SAN_TONG
    if options.yi_zhi_hua and is_one_flower(game, seat, held):
        items |= 1 << YI_ZHI_HUA
    if options.jin_tong_yu_nv and pairs & PAIR_2P_2S == PAIR_2P_2S:
        items |= 1 << JIN_TONG_YU_NV
    return items


@compiled
def threes(game, seat, exact):
    """Mask of the kinds held three times, or, unless `exact`, four."""
    mask = 0
    for kind in range(27):
        held = game.hands[seat, kind]
        mask |= int(held == 3 or (held == 4 and not exact)) << kind
    return mask


@compiled
def has_steps(pairs):
    """Three consecutive ranks of a suit in the mask."""
    steps = pairs & pairs >> 1 & pairs >> 2
    lowest = 0b001111111
    return steps & (lowest | lowest << 9 | lowest << 18) != 0


@compiled
def is_one_flower(game, seat, held):
    """一枝花 in the form of the option."""
    form = game.options.yi_zhi_hua
    if form in (SINGLE_258, EITHER):
        jiang = held & JIANG_KINDS
        if count_kinds(jiang) == 1 and jiang & FIVES != 0 and jiang & kinds_at(game.keys, seat, PAIRED) == 0:
            return True
    if form in (SUIT_OF_ONE, EITHER):
        for suit in range(3):
            ranks = suit_kinds(int(game.keys[seat, suit]), HELD)
            if ranks == 0b000010000 and suit_kinds(int(game.keys[seat, suit]), PAIRED) == 0:
                return True
    return False


@compiled
def declare_items(game, seat):
    """Show the proving tiles, throw the dice and pay; what the items hold isn't declared again in mid-game."""
    items = items_met(game, seat)
    game.items[seat] = items
    fours = kinds_at(game.keys, seat, FULL)
    triplets = threes(game, seat, False)
    number = 0
    for item in range(len(STARTING_ITEMS)):
        number += (items >> item) & 1
    if (items >> SI_XI) & 1:
        number += count_kinds(fours) - 1
        game.fours_declared[seat] = fours
        show(game, seat, fours, 4)
    if (items >> LIU_LIU_SHUN) & 1:
        mark_sixes(game, seat, triplets)
        show(game, seat, threes(game, seat, game.options.liu_liu_shun_exact), 3)
    show(game, seat, proving_pairs(game, seat, items), 2)
    pay_item(game, seat, FOR_STARTING, number if game.options.starting_wins_each else 1, throw_dice(game))


@compiled
def proving_pairs(game, seat, items):
    """The pairs that prove 节节高, 三同 and 金童玉女, as a mask."""
    pairs = kinds_at(game.keys, seat, PAIRED)
    mask = 0
    if (items >> JIE_JIE_GAO) & 1:
        for kind in range(25):
            if kind % 9 <= 6 and (pairs >> kind) & 0b111 == 0b111:
                mask |= 0b111 << kind
    if (items >> SAN_TONG) & 1:
        ranks = pairs & pairs >> 9 & pairs >> 18 & SUIT_KINDS
        mask |= ranks | ranks << 9 | ranks << 18
    if (items >> JIN_TONG_YU_NV) & 1:
        mask |= PAIR_2P_2S
    return mask


@compiled
def show(game, seat, kinds, tiles):
    """Everybody has seen that the seat holds so many of these kinds."""
    for kind in range(27):
        if (kinds >> kind) & 1:
            game.shown[seat, kind] = max(int(game.shown[seat, kind]), tiles)


@compiled
def throw_dice(game):
    """Throw two dice, unless they are given or don't count; the place of the first, or NOT_THROWN."""
    if not game.options.starting_birds:
        return NOT_THROWN
    place = 2 * int(game.throws)
    game.throws += 1
    for die in range(place, place + 2):
        if game.dice[die] == NOT_THROWN:
            game.dice[die] = random_below(game.random, 6)
    return place


# --- mid-game items ---------------------------------------------------------------------------------------------------


@compiled
def offer_declare(game, seat):
    """A group of four or of six concealed tiles that hasn't been declared yet."""
    if game.options.mid_four or game.options.mid_six:
        if game.throws < MOST_THROWS and (next_four(game, seat) >= 0 or next_six(game, seat) >= 0):
            game.legal[first_action(game, DECLARE)] = 1


@compiled
def next_four(game, seat):
    """The first undeclared kind of which the seat holds four, or -1."""
    if game.options.mid_four:
        new = kinds_at(game.keys, seat, FULL) & ~int(game.fours_declared[seat])
        for kind in range(27):
            if (new >> kind) & 1:
                return kind
    return -1


@compiled
def next_six(game, seat):
    """The first undeclared two kinds held three times or more, as 27 * first + second, or -1."""
    if not game.options.mid_six or game.six_count[seat] >= MOST_SIXES:
        return -1
    triplets = threes(game, seat, False)
    if count_kinds(triplets) < 2:
        return -1
    for first in range(27):
        if (triplets >> first) & 1:
            for second in range(first + 1, 27):
                if (triplets >> second) & 1 and not is_six_declared(game, seat, 27 * first + second):
                    return 27 * first + second
    return -1


@compiled
def is_six_declared(game, seat, six):
    for place in range(int(game.six_count[seat])):
        if game.sixes[seat, place] == six:
            return True
    return False


@compiled
def mark_sixes(game, seat, triplets):
    """Every two of the kinds count as declared."""
    for first in range(27):
        for second in range(first + 1, 27):
            if (triplets >> first) & (triplets >> second) & 1 and game.six_count[seat] < MOST_SIXES:
                game.sixes[seat, int(game.six_count[seat])] = 27 * first + second
                game.six_count[seat] += 1


@compiled
def act_otherwise(game, seat, action):
    """`declare`: the first undeclared group is shown and paid, and the turn goes on (rules page section 10.2, 9)."""
    four = next_four(game, seat)
    if four >= 0:
        game.fours_declared[seat] |= 1 << four
        show(game, seat, 1 << four, 4)
    else:
        six = next_six(game, seat)
        game.sixes[seat, int(game.six_count[seat])] = six
        game.six_count[seat] += 1
        show(game, seat, 1 << six // 27 | 1 << six % 27, 3)
    pay_item(game, seat, FOR_MID_GAME, 1, throw_dice(game))
    return NO_TILE
