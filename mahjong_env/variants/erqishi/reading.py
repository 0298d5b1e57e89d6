"""How a winning hand divides into groups, and what the division is worth (rules page sections 2, 7, 8, 9).

A division fixes the role of the winning card, which kinds of three or four equal cards stay together, the sets 2-7-10,
and the pair; all other sets score nothing. What a candidate has is gathered in the state: `groups`, `quads`, `guns`,
`barren` (groups without points) and `gathered` (points), beside the free cards of each size as a key, `loose`.
"""

from mahjong_env.compiled import compiled
from mahjong_env.hands.zipai import (
    BIG_SEVENS,
    BIG_SEVENS_POINTS,
    RANKS,
    SMALL_SEVENS,
    SMALL_SEVENS_POINTS,
    WEIGHT,
    cards_in,
    divide,
)
from mahjong_env.rules.actions import ADDED_KAI, DUI, KAI
from mahjong_env.rules.flip.turns import dui_of
from mahjong_env.rules.state import BY_DISCARD, DEALT, FLIP_SELF
from mahjong_env.variants.erqishi.options import (
    CAPS,
    DI,
    FOURTEEN,
    GUNFAN,
    KUN,
    LEAST,
    MEISHAN,
    NONE,
    QIANWEI,
    QING,
    QUAN,
    SHORT_CAP,
    SHORT_LEAST,
    TIAN,
)

AS_LOOSE, AS_DUI, AS_KAI, AS_BAYU, AS_NOTHING = range(5)
"""The role of the winning card: among the free cards, third of a dui, fourth of a kai or bayu; there is none."""

STAYS, LOSES_ONE, FREED = range(3)
"""What becomes of three or four equal cards in the winning division: together; a gun read as kan and a single; single."""

NO_DIVISION = -1
WIN = 1 << 40
"""Added to the value of a division with enough points."""


# --- the game's size --------------------------------------------------------------------------------------------------


@compiled
def is_short(game):
    """Whether this is the 14-card game."""
    return game.options.hand_size == FOURTEEN or (game.options.hand_size == 0 and len(game.points) == 4)


@compiled
def hand_size(game):
    """20 cards, or 14 (rules page section 1)."""
    return 14 if is_short(game) else 20


@compiled
def sets_of(game):
    """The number of groups in a complete hand."""
    return 5 if is_short(game) else 7


@compiled
def least_points(game):
    """Points that a win needs (起胡)."""
    if game.options.min_points != NONE:
        return int(game.options.min_points)
    return SHORT_LEAST if is_short(game) else LEAST


# --- points of groups (section 2) -------------------------------------------------------------------------------------


@compiled
def dui_points(kind):
    return 3 if kind >= RANKS else 1


@compiled
def kan_points(kind):
    return 6 if kind >= RANKS else 3


@compiled
def kai_points(kind):
    return 9 if kind >= RANKS else 6


@compiled
def gun_points(kind):
    return 12 if kind >= RANKS else 9


@compiled
def bayu_points(game, kind):
    return kai_points(kind) if game.options.bayu_points else dui_points(kind)


@compiled
def set_points(chi_set):
    """Only 2-7-10 scores."""
    if chi_set == SMALL_SEVENS:
        return SMALL_SEVENS_POINTS
    return BIG_SEVENS_POINTS if chi_set == BIG_SEVENS else 0


@compiled
def meld_points(game, seat, place):
    """Points of an exposed group."""
    verb, what = int(game.meld_verb[seat, place]), int(game.meld_tile[seat, place])
    if verb == KAI:
        return kai_points(what)
    if verb == ADDED_KAI:
        return bayu_points(game, what)
    return dui_points(what) if verb == DUI else set_points(what)


# --- payment (section 9) ----------------------------------------------------------------------------------------------


@compiled
def units(game, points):
    """个数 ge: what points are worth by the table; in the 14-card game the points themselves."""
    if is_short(game):
        return points
    if game.options.table == MEISHAN:
        return max(1, (points + 5) // 10)
    if game.options.table == QIANWEI:
        return 1 if points <= 10 else 2 if points <= 20 else 4 if points <= 30 else 8
    return 1 if points <= 14 else 2 if points <= 20 else 4 if points <= 24 else 6 if points <= 30 else 10


@compiled
def payment(game, points, fans):
    """What a win is worth: doubled by every fan, up to the cap; before the base stake."""
    cap = int(game.options.cap)
    if cap == NONE:
        cap = SHORT_CAP if is_short(game) else int(CAPS[game.options.table])
    return min(cap, units(game, points) << fans)


# --- a candidate ------------------------------------------------------------------------------------------------------


@compiled
def gather(game, groups, points):
    """Count groups of equal worth, none or some."""
    game.groups += groups
    game.gathered += points
    if points == 0:
        game.barren += groups


@compiled
def gather_exposed(game, seat):
    """Begin a candidate with the exposed groups."""
    game.groups = game.quads = game.guns = game.barren = game.gathered = 0
    for place in range(int(game.meld_count[seat])):
        gather(game, 1, meld_points(game, seat, place))
        verb = game.meld_verb[seat, place]
        if verb in (KAI, ADDED_KAI):
            game.quads += 1


@compiled
def gather_locked(game, seat, card, role, fates):
    """Add what three or four equal cards of the hand make: two bits of `fates` a kind, in order of the kinds that have
    them. The rest of the hand is free, in `loose`."""
    game.loose[0] = game.keys[seat, 0]
    game.loose[1] = game.keys[seat, 1]
    for kind in range(game.hands.shape[1]):
        held = int(game.hands[seat, kind])
        if held >= 3 and not (kind == card and role == AS_KAI):
            fate = STAYS
            if kind != card:
                fate = fates & 3
                fates >>= 2
            if fate == STAYS:
                take_loose(game, kind, held)
                gather(game, 1, gun_points(kind) if held == 4 else kan_points(kind))
                game.quads += held == 4
                game.guns += held == 4
            elif fate == LOSES_ONE:
                take_loose(game, kind, 3)
                gather(game, 1, kan_points(kind))


@compiled
def gather_card(game, card, role):
    """Add the group that the winning card completes, or the card itself to the free ones."""
    if role == AS_LOOSE:
        game.loose[card // RANKS] += WEIGHT[card]
    elif role == AS_DUI:
        take_loose(game, card, 2)
        gather(game, 1, dui_points(card))
    elif role == AS_KAI:
        take_loose(game, card, 3)
        gather(game, 1, kai_points(card))
        game.quads += 1
    elif role == AS_BAYU:  # the exposed dui has been counted as such
        game.gathered += bayu_points(game, card) - dui_points(card)
        game.quads += 1


@compiled
def take_loose(game, kind, cards):
    game.loose[kind // RANKS] -= cards * WEIGHT[kind]


@compiled
def fits(game, pairs):
    """Whether the free cards make up the missing groups in number: exactly one pair if there is a quad, else none."""
    free = cards_in(int(game.loose[0])) + cards_in(int(game.loose[1])) - 2 * pairs
    return free >= 0 and free % 3 == 0 and int(game.groups) + free // 3 + pairs == sets_of(game)


# --- fans (section 8) -------------------------------------------------------------------------------------------------


@compiled
def is_one_size(game, seat, card):
    """清一色: hand, exposed sets and the winning card are all small or all big."""
    small = big = 0
    for kind in range(game.hands.shape[1]):
        held = int(game.hands[seat, kind]) + int(game.melded[seat, kind]) + (kind == card)
        small += held if kind < RANKS else 0
        big += held if kind >= RANKS else 0
    return small == 0 or big == 0


@compiled
def is_first_card(game, seat, by):
    """地胡: another than the dealer wins on the dealer's discard or the first flip, before any claim (section 4.5, detail
    13). Before any claim nobody else has discarded."""
    flips = 0
    for other in range(len(game.points)):
        flips += int(game.draws[other])
    return by != DEALT and seat != game.dealer and game.claims == 0 and (by == BY_DISCARD or flips == 1)


@compiled
def mark_fans(game, seat, card, by, role):
    """Write the fans of the candidate in `patterns`; return their number."""
    options = game.options
    patterns = game.patterns
    patterns[TIAN] = 1 if options.fan_tian and by == DEALT else 0
    patterns[DI] = 1 if options.fan_di and is_first_card(game, seat, by) else 0
    patterns[KUN] = 1 if options.fan_kun and game.barren == 0 else 0
    is_quan = options.fan_quan and game.options.circle > 0 and card == RANKS + game.options.circle - 1
    patterns[QUAN] = 1 if is_quan and (role in (AS_DUI, AS_KAI)) else 0
    patterns[QING] = 1 if options.fan_qing and is_one_size(game, seat, card) else 0
    patterns[GUNFAN] = 1 if options.fan_gunfan and game.guns > 0 else 0
    fans = 0
    for fan in range(len(patterns)):
        fans += int(patterns[fan])
    return fans


# --- the best division ------------------------------------------------------------------------------------------------


@compiled
def value_of(game, points, fans):
    """The order among divisions: that with enough points; then payment, points, fans; else points."""
    if points < least_points(game):
        return points
    return WIN | payment(game, points, fans) << 20 | points << 8 | fans


@compiled
def roles_of(game, seat, card, by):
    """The roles that the winning card may have, a bit each."""
    if by == DEALT:
        return 1 << AS_NOTHING
    loose = 1 << AS_LOOSE if game.options.hu_over_kai else 0
    if game.hands[seat, card] >= 3:
        return 1 << AS_KAI | loose
    if by == FLIP_SELF and dui_of(game, seat, card) >= 0:
        return 1 << AS_BAYU | loose
    if game.hands[seat, card] == 2:
        return 1 << AS_DUI | 1 << AS_LOOSE
    return 1 << AS_LOOSE


@compiled
def ways_to_free(game, seat, card):
    """With kan and gun not locked: two bits for each kind that has them, all set."""
    ways = 0
    if not game.options.lock_kan:
        for kind in range(game.hands.shape[1]):
            if game.hands[seat, kind] >= 3 and kind != card:
                ways = ways << 2 | 3
    return ways


@compiled
def is_fate(game, seat, card, fates):
    """Whether these fates make sense: only a gun can lose one card, and there are but three."""
    for kind in range(game.hands.shape[1]):
        if game.hands[seat, kind] >= 3 and kind != card:
            if fates & 3 == 3 or (fates & 3 == LOSES_ONE and game.hands[seat, kind] == 3):
                return False
            fates >>= 2
    return True


@compiled
def try_division(game, seat, card, by, role, fates):
    """The best division with the card in this role: its value in `value_of`'s order, or NO_DIVISION. Points, fans and
    patterns are left in the state."""
    gather_exposed(game, seat)
    gather_locked(game, seat, card, role, fates)
    gather_card(game, card, role)
    pairs = 1 if game.quads > 0 else 0
    if not fits(game, pairs):
        return NO_DIVISION
    sevens = divide(int(game.loose[0]), int(game.loose[1]), pairs)
    if sevens < 0:
        return NO_DIVISION
    small, big = sevens & 7, sevens >> 3
    game.sevens = sevens
    gather(game, small, small * SMALL_SEVENS_POINTS)
    gather(game, big, big * BIG_SEVENS_POINTS)
    gather(game, sets_of(game) - pairs - int(game.groups), 0)
    return value_of(game, int(game.gathered), mark_fans(game, seat, card, by, role))


@compiled
def best_division(game, seat, card, by):
    """The value of the best division of the seat's hand with the card, in `value_of`'s order; NO_DIVISION if there is
    none. `role` and `fates` say which it is."""
    best, roles, ways = NO_DIVISION, roles_of(game, seat, card, by), ways_to_free(game, seat, card)
    for role in range(AS_NOTHING + 1):
        if roles >> role & 1:
            for fates in range(ways + 1):
                if ways == 0 or is_fate(game, seat, card, fates):
                    value = try_division(game, seat, card, by, role, fates)
                    if value > best:
                        best = value
                        game.role = role
                        game.fates = fates
    return best


@compiled
def fans_of(value):
    """The number of fans in a value."""
    return value & 0xFF
