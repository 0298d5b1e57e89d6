"""What a seat may do: discard, win, claim a card on the table, lay further sets (rules page sections 4, 5 and 6)."""

import numpy as np

from mahjong_env.compiled import compiled
from mahjong_env.hands.zipai import CHI_SETS, KINDS, RANKS, SETS_WITH
from mahjong_env.rules.actions import ADDED_KAI, BAI, CHI_SET, DISCARD, DUI, HU, KAI, PASS, SWAP
from mahjong_env.rules.claims import CHI_RANK, HU_RANK, PENG_RANK
from mahjong_env.rules.flip.turns import by_table_card, dui_of
from mahjong_env.rules.hooks import argument_of, first_action
from mahjong_env.rules.state import DEALT, NO_TILE, NOBODY, OPENING, TURN
from mahjong_env.rules.table import gain, lose
from mahjong_env.variants.erqishi.payments import evaluate
from mahjong_env.variants.erqishi.reading import WIN, fans_of, hand_size

SWAPPED = 3
"""Cards that each seat passes on before play."""


# --- before play ------------------------------------------------------------------------------------------------------


@compiled
def begin_hand(game, number):
    """圈: the circle moves on after as many hands as there are seats, and begins anew after ten (section 8)."""
    if game.options.circle > 0:
        game.options.circle = (game.options.circle - 1 + number // len(game.points)) % RANKS + 1


@compiled
def begin_opening(game):
    """Cards are swapped first, if they are (rules page section 4.5, detail 4)."""
    for seat in range(len(game.points)):
        game.passed_fans[seat] = NOBODY
        for place in range(SWAPPED):
            game.given[seat, place] = NO_TILE
            game.got[seat, place] = NO_TILE
    game.phase = OPENING if game.options.swap3 else TURN
    if game.phase == TURN:
        note_guns(game)


@compiled
def ask_opening(game):
    """Each seat from the dealer on names its three cards, one by one; then all are passed to the next seat."""
    seats = len(game.points)
    for turn in range(seats):
        seat = (int(game.dealer) + turn) % seats
        if game.given[seat, SWAPPED - 1] == NO_TILE:
            game.to_act = seat
            for kind in range(game.hands.shape[1]):
                if game.hands[seat, kind] > 0:
                    game.legal[first_action(game, SWAP) + kind] = 1
            return True
    for seat in range(seats):
        for place in range(SWAPPED):
            gain(game, (seat + 1) % seats, int(game.given[seat, place]))
            game.got[(seat + 1) % seats, place] = game.given[seat, place]
    note_guns(game)
    return False


@compiled
def answer_opening(game, action):
    """The card leaves the hand, so that it can't be named again."""
    seat, kind, place = int(game.to_act), argument_of(game, action), 0
    while game.given[seat, place] != NO_TILE:
        place += 1
    game.given[seat, place] = kind
    lose(game, seat, kind)


@compiled
def note_guns(game):
    """Rain falls for the guns held when play begins (detail 14)."""
    for seat in range(len(game.points)):
        for kind in range(game.hands.shape[1]):
            game.guns_dealt[seat] += game.hands[seat, kind] == 4


# --- cards that can be used -------------------------------------------------------------------------------------------


@compiled
def is_free(game, seat, kind):
    """Three or four equal cards are locked: not discarded, not used for a claim (section 5)."""
    return 0 < game.hands[seat, kind] <= 2


@compiled
def quads_of(game, seat):
    """Gun in the hand and quads exposed."""
    quads = 0
    for kind in range(game.hands.shape[1]):
        quads += game.hands[seat, kind] == 4
    for place in range(int(game.meld_count[seat])):
        verb = game.meld_verb[seat, place]
        quads += verb in (KAI, ADDED_KAI)
    return quads


@compiled
def cards_of(game, seat):
    """Cards in the hand and exposed."""
    total = 0
    for kind in range(game.hands.shape[1]):
        total += int(game.hands[seat, kind]) + int(game.melded[seat, kind])
    return total


@compiled
def is_one_too_many(game, seat, cards):
    """Whether a seat with so many cards discards: more than T(q), its size when it waits (section 6)."""
    return cards > hand_size(game) + max(0, quads_of(game, seat) - 1)


@compiled
def owes_discard(game, seat):
    """Whether the seat has one card too many."""
    return is_one_too_many(game, seat, cards_of(game, seat))


@compiled
def can_discard(game, seat, barred):
    """Whether the seat has a free card of a kind not in the bit set `barred`."""
    for kind in range(game.hands.shape[1]):
        if is_free(game, seat, kind) and not barred >> kind & 1:
            return True
    return False


@compiled
def take_set(game, seat, chi_set, eaten):
    """Take the cards of a set out of the hand, all but the one eaten; False, and nothing done, if they aren't free there."""
    mine = own_part(chi_set, eaten)
    for part in range(3):
        kind = (mine >> 5 * part & 31) - 1
        if kind >= 0:
            if not is_free(game, seat, kind):
                put_back(game, seat, mine & (1 << 5 * part) - 1)
                return False
            lose(game, seat, kind)
    return True


@compiled
def own_part(chi_set, eaten):
    """The cards of a set that come from the hand: 1 + kind in five bits each, 0 for the one eaten."""
    mine = 0
    for place in range(3):
        kind = int(CHI_SETS[chi_set, place])
        if kind == eaten:
            eaten = NO_TILE
        else:
            mine |= kind + 1 << 5 * place
    return mine


@compiled
def put_back(game, seat, cards):
    """Cards as `own_part` gives them into the hand."""
    while cards:
        if cards & 31:
            gain(game, seat, (cards & 31) - 1)
        cards >>= 5


@compiled
def can_finish(game, seat, kind, due, barred):
    """Whether all free copies of the card eaten can be laid, and what has to be discarded then is there (section 4.2)."""
    if game.hands[seat, kind] == 0:
        return due == 0 or can_discard(game, seat, barred)
    for place in range(SETS_WITH.shape[1]):
        chi_set = int(SETS_WITH[kind, place])
        if chi_set >= 0 and take_set(game, seat, chi_set, NO_TILE):
            finishes = can_finish(game, seat, kind, due, barred)
            put_back(game, seat, own_part(chi_set, NO_TILE))
            if finishes:
                return True
    return False


# --- the seat that discards, or lays ----------------------------------------------------------------------------------


@compiled
def turn_choices(game, seat):
    """Discards; before anything has been shown also the dealer's win, and a pass for one who can discard nothing
    (section 4.5, details 2 and 3)."""
    choices = 0
    for kind in range(game.hands.shape[1]):
        if is_free(game, seat, kind) and not game.no_discard >> kind & 1:
            game.legal[first_action(game, DISCARD) + kind] = 1
            choices += 1
    if game.river_length == 0 and game.meld_count[seat] == 0:
        game.hu_value[seat] = evaluate(game, seat, NO_TILE, DEALT)
        if game.hu_value[seat] >= WIN:
            game.legal[first_action(game, HU)] = 1
            game.legal[first_action(game, PASS)] = choices == 0
            choices += 1
    return choices


@compiled
def bai_choices(game, seat):
    """Sets with the card eaten from the hand alone, such that the rest can be laid, too (摆, section 4.2)."""
    due, choices = owes_discard(game, seat), 0
    for place in range(SETS_WITH.shape[1]):
        chi_set = int(SETS_WITH[game.eaten, place])
        if chi_set >= 0 and take_set(game, seat, chi_set, NO_TILE):
            if can_finish(game, seat, int(game.eaten), due, int(game.no_discard)):
                game.legal[first_action(game, BAI) + chi_set] = 1
                choices += 1
            put_back(game, seat, own_part(chi_set, NO_TILE))
    return choices


# --- claims -----------------------------------------------------------------------------------------------------------


@compiled
def prepare_claims(game):
    """What each seat would win with the card on the table."""
    for seat in range(len(game.points)):
        if game.flipped == 1 or seat != game.table_from:
            game.hu_value[seat] = evaluate(game, seat, int(game.table_tile), by_table_card(game, seat))


@compiled
def may_win(game, seat):
    """Whether the seat wins on the card on the table, and hasn't passed a win with as many fans (过胡, section 4.3)."""
    value = int(game.hu_value[seat])
    return value >= WIN and fans_of(value) > game.passed_fans[seat]


@compiled
def passed_hu(game, seat):
    """The win declined bars others with no more fans."""
    game.passed_fans[seat] = fans_of(int(game.hu_value[seat]))


@compiled
def forced_claim(game, seat):
    """开: the fourth card of a kan must be taken, and one flipped to the own exposed dui (巴雨; sections 4.1 and 4.4)."""
    kind = int(game.table_tile)
    own_flip = game.flipped == 1 and game.table_from == seat
    if (game.flipped == 1 or game.table_from != seat) and game.hands[seat, kind] == 3:
        return KAI
    return KAI if own_flip and dui_of(game, seat, kind) >= 0 else PASS


@compiled
def claim_choices(game, seat):
    """What the seat may claim: the best claim's rank, 0 if there is nothing to choose (section 4.5, detail 5)."""
    rank = 0
    if may_win(game, seat):
        game.legal[first_action(game, HU)] = 1
        rank = HU_RANK
    if forced_claim(game, seat) == KAI:
        game.legal[first_action(game, KAI)] = rank > 0
        return rank
    due = is_one_too_many(game, seat, cards_of(game, seat) + 1)
    if offer_dui(game, seat, due):
        rank = max(rank, PENG_RANK)
    if may_eat_from(game, seat) and offer_chi(game, seat, due):
        rank = max(rank, CHI_RANK)
    game.legal[first_action(game, PASS)] = rank > 0
    return rank


@compiled
def offer_dui(game, seat, due):
    """对 with exactly two copies in the hand, if what has to be discarded then is there."""
    kind = int(game.table_tile)
    if game.hands[seat, kind] != 2:
        return False
    game.hands[seat, kind] = 0
    possible = due == 0 or can_discard(game, seat, 0)
    game.hands[seat, kind] = 2
    game.legal[first_action(game, DUI)] = possible
    return possible


@compiled
def may_eat_from(game, seat):
    """吃: a discard by the next seat; a flip by the flipper and the next seat; no card that it has declined (过张)."""
    step = (seat - int(game.table_from)) % len(game.points)
    is_near = step == 1 or (step == 0 and game.flipped == 1)
    return is_near and not game.chi_barred[seat] >> game.table_tile & 1


@compiled
def offer_chi(game, seat, due):
    """Sets that can be eaten, such that further copies can be laid and what has to be discarded then is there."""
    kind, found = int(game.table_tile), False
    for place in range(SETS_WITH.shape[1]):
        chi_set = int(SETS_WITH[kind, place])
        if chi_set >= 0 and take_set(game, seat, chi_set, kind):
            if can_finish(game, seat, kind, due, barred_after_chi(game, chi_set, kind)):
                game.legal[first_action(game, CHI_SET) + chi_set] = 1
                found = True
            put_back(game, seat, own_part(chi_set, kind))
    return found


def _barred_after() -> np.ndarray:
    sets = [tuple(cards) for cards in CHI_SETS.tolist()]
    barred = np.zeros((len(sets), KINDS), np.int32)
    for s, cards in enumerate(sets):
        for kind in set(cards):
            pair = list(cards)
            pair.remove(kind)
            for other in range(KINDS):
                if other != kind and tuple(sorted([*pair, other])) in sets:
                    barred[s, kind] |= 1 << other
    return barred


BARRED_AFTER: np.ndarray = _barred_after()
"""(38, 20) int32: bit per kind that the two hand cards of a set, eaten with a kind, could have eaten instead."""


@compiled
def barred_after_chi(game, chi_set, kind):
    """上吐下泻: what the two hand cards could have eaten instead (section 4.3)."""
    return int(BARRED_AFTER[chi_set, kind]) if game.options.kuikae else 0


@compiled
def after_claim(game, seat):
    """A claim clears the passed win. A kai is noted: it rains on all opponents, or on the discarder alone."""
    game.passed_fans[seat] = NOBODY
    last = int(game.meld_count[seat]) - 1
    if game.meld_verb[seat, last] == KAI and game.meld_tile[seat, last] == game.table_tile:
        if game.flipped == 1:
            game.kai_flipped[seat] += 1
        else:
            game.kai_from[seat, game.table_from] += 1
