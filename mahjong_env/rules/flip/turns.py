"""The zipai cycle: flip or discard → claims → lay → discard if one is due → the next seat flips.

A flipped card (翻牌) lies face up before the seat that turned it and never enters a hand. The cycle decides *when* a seat is
asked; the variant's hooks decide *what* it may do and what that is worth. A hook never calls back into the cycle: it
changes the state, and the cycle goes on from the state's phase.

Claims: every seat with a real choice is asked, unseen by the others, in order of its best claim, hu > kai > dui > chi, and
of seats with equal ones from the flipper on, or from the seat after the discarder; only then is the claim settled. A seat
is asked only while its best claim could still outrank what has been answered. What a seat must take whether it likes or
not (`forced_claim`) counts as answered from the beginning. Who eats a card lays all further copies of it too (摆 bai), set
by set.

Source: rules page "ErQiShi and paohuzi", sections 4 and C1.
"""

from mahjong_env.compiled import compiled, compiled_once
from mahjong_env.hands.zipai import CHI_SETS
from mahjong_env.rules.actions import ADDED_KAI, BAI, CHI_SET, DISCARD, DUI, HU, KAI, PASS
from mahjong_env.rules.chance import shuffle_wall
from mahjong_env.rules.claims import CHI_RANK, GANG_RANK, HU_RANK, PENG_RANK
from mahjong_env.rules.flip.hooks import (
    after_claim,
    bai_choices,
    barred_after_chi,
    claim_choices,
    forced_claim,
    owes_discard,
    prepare_claims,
    settle_end,
    settle_hu,
    turn_choices,
)
from mahjong_env.rules.hooks import (
    answer_opening,
    argument_of,
    ask_opening,
    begin_opening,
    first_action,
    passed_hu,
    verb_of,
)
from mahjong_env.rules.state import (
    BY_DISCARD,
    BY_KIND,
    CLAIM,
    DEALT,
    DRAWING,
    FLIP_OTHER,
    FLIP_SELF,
    LAYING,
    NO_ANSWER,
    NO_TILE,
    NOBODY,
    OPENING,
    OVER,
    PER_SEAT,
    TURN,
    Field,
)
from mahjong_env.rules.table import (
    CIRCLES,
    MOST_STEPS,
    clear_legal,
    deal_hands,
    end_stuck,
    lay_meld,
    lay_on_river,
    lose,
    take_from_river,
    wall_left,
)

FIELDS = (
    Field("flipped", "i1", (), "the card on the table was flipped, not discarded"),
    Field("flips", "i1", BY_KIND, "of the cards lying before each seat those that were flipped"),
    Field("claims", "i1", (), "cards taken by anybody so far"),
    Field("eaten", "i1", (), "the card whose further copies the seat in turn has to lay, NO_TILE"),
    Field("chi_barred", "i4", PER_SEAT, "过张: bit per kind that the seat has discarded, or declined to eat"),
    Field("no_discard", "i4", (), "上吐下泻: bit per kind that the seat in turn may not discard after eating"),
)
"""What a game of this cycle keeps beside the common fields."""


# --- cards on the move ----------------------------------------------------------------------------------------------


@compiled
def lay_set(game, seat, verb, chi_set, eaten, source):
    """Lay a set from the hand, all but the card `eaten` from `source`."""
    first = int(CHI_SETS[chi_set, 0])
    lay_meld(game, seat, verb, first, source, 0)
    game.meld_tile[seat, game.meld_count[seat] - 1] = chi_set
    table = 1 if eaten != NO_TILE else 0
    for place in range(3):
        kind = int(CHI_SETS[chi_set, place])
        game.melded[seat, kind] += 1
        if table == 1 and kind == eaten:
            table = 0
        else:
            lose(game, seat, kind)


@compiled
def dui_of(game, seat, kind):
    """The place of the seat's exposed dui of that kind among its melds, or -1."""
    for place in range(int(game.meld_count[seat])):
        if game.meld_tile[seat, place] == kind and game.meld_verb[seat, place] == DUI:
            return place
    return -1


# --- the cycle ------------------------------------------------------------------------------------------------------


@compiled
def deal(game):
    """Shuffle the wall, then `start`."""
    shuffle_wall(game)
    start(game)


@compiled_once
def start(game):
    """Deal the hands from the wall as it lies and ask the first seat."""
    deal_hands(game)
    game.eaten = NO_TILE
    begin_opening(game)
    go_on(game)


@compiled_once
def play(game, action):
    """One decision of the seat to act, which must be legal; then on to the next decision."""
    game.clock += 1
    game.slips = 0
    if game.phase == OPENING:
        answer_opening(game, action)
    elif game.phase == TURN:
        act(game, action)
    elif game.phase == LAYING:
        lay_set(game, int(game.turn), BAI, argument_of(game, action), NO_TILE, NOBODY)
    else:
        answer(game, action)
    clear_legal(game)
    go_on(game)


@compiled
def resume(game):
    """Go on from a position, as its `phase` and `turn` say."""
    clear_legal(game)
    if game.phase == CLAIM:
        prepare_claims(game)
    go_on(game)


@compiled_once
def go_on(game):
    """Run the table until a seat has to decide or the hand is over; one that goes round in circles is ended as stuck."""
    for _ in range(MOST_STEPS):
        if game.phase == OPENING:
            if ask_opening(game):
                return
            game.phase = TURN
        elif game.phase == DRAWING:
            flip(game)
        elif game.phase == TURN:
            if ask(game, turn_choices(game, int(game.turn))):
                return
            pass_turn(game, int(game.turn))
        elif game.phase == LAYING:
            if ask(game, lay_on(game, int(game.turn))):
                return
            finish_claim(game, int(game.turn))
        elif game.phase == OVER:
            game.to_act = NOBODY
            return
        else:
            if ask_claim(game):
                return
            settle_claims(game)
    end_stuck(game, CIRCLES)


@compiled
def ask(game, choices):
    """Ask the seat in turn, if there is anything to choose."""
    game.to_act = game.turn
    return choices > 0


@compiled
def pass_turn(game, seat):
    """The next seat flips."""
    game.turn = (seat + 1) % len(game.points)
    game.phase = DRAWING


@compiled
def flip(game):
    """The seat in turn turns up a card, or the wall is out and the hand is drawn (流局)."""
    if wall_left(game) == 0:
        game.wall_end = 1
        end(game)
        return
    seat, kind = int(game.turn), int(game.wall[game.wall_front])
    game.wall_front += 1
    game.draws[seat] += 1
    game.flips[seat, kind] += 1
    show(game, seat, kind, 1)


@compiled
def act(game, action):
    """The seat in turn discards, or wins with the cards dealt, or, with nothing to discard, declines that."""
    seat, verb = int(game.turn), verb_of(game, action)
    if verb == DISCARD:
        discard(game, seat, argument_of(game, action))
    elif verb == HU:
        win(game, seat, DEALT)
    else:
        passed_hu(game, seat)
        pass_turn(game, seat)


@compiled
def discard(game, seat, kind):
    """Put a card on the table for the others; the seat may not eat its kind any more."""
    lose(game, seat, kind)
    game.chi_barred[seat] |= 1 << kind
    game.no_discard = 0
    show(game, seat, kind, 0)


@compiled
def show(game, seat, kind, flipped):
    """A card lies face up before a seat; `go_on` asks who wants it."""
    lay_on_river(game, seat, kind)
    game.table_tile = kind
    game.table_from = seat
    game.flipped = flipped
    game.phase = CLAIM
    for other in range(len(game.answers)):
        game.answers[other] = NO_ANSWER
    prepare_claims(game)


# --- claims ---------------------------------------------------------------------------------------------------------


@compiled
def rank_of(verb):
    """The priority of an answer: hu > kai > dui > chi > pass."""
    if verb == HU:
        return HU_RANK
    if verb == KAI:
        return GANG_RANK
    if verb == DUI:
        return PENG_RANK
    if verb == CHI_SET:
        return CHI_RANK
    return 0


@compiled
def weight_of(game, step, verb):
    """What a claim weighs: its rank, and among equals the seats from the flipper, or the discarder's next one, on."""
    rank = rank_of(verb)
    return rank * 8 + 7 - step if rank > 0 else 0


@compiled
def answered(game, seat):
    """The verb of the seat's answer so far, or of what it must take; PASS for neither."""
    if game.answers[seat] != NO_ANSWER:
        return verb_of(game, int(game.answers[seat]))
    return forced_claim(game, seat)


@compiled
def best_answer(game):
    """The best claim so far: its weight times 8, plus its seat; 0 for none."""
    seats, best = len(game.points), 0
    for step in range(1 - game.flipped, seats):
        seat = (int(game.table_from) + step) % seats
        weight = weight_of(game, step, answered(game, seat))
        if weight * 8 > best:
            best = weight * 8 + seat
    return best


@compiled
def ask_claim(game):
    """Ask the seat whose best claim could still outrank the best answer; False when there is none."""
    seats, asked, most = len(game.points), NOBODY, best_answer(game) // 8
    for step in range(1 - game.flipped, seats):
        seat = (int(game.table_from) + step) % seats
        if game.answers[seat] == NO_ANSWER:
            rank = claim_choices(game, seat)
            clear_legal(game)
            if rank > 0 and rank * 8 + 7 - step > most:
                asked, most = seat, rank * 8 + 7 - step
    if asked != NOBODY:
        game.to_act = asked
        claim_choices(game, asked)
    return asked != NOBODY


@compiled
def answer(game, action):
    """A seat's answer to the card on the table. Whoever could have eaten and says otherwise may not eat that kind any
    more (过张)."""
    seat, verb = int(game.to_act), verb_of(game, action)
    if game.legal[first_action(game, HU)] and verb != HU:
        passed_hu(game, seat)
    if verb != CHI_SET and may_eat(game):
        game.chi_barred[seat] |= 1 << int(game.table_tile)
    game.answers[seat] = action


@compiled
def may_eat(game):
    """Whether the seat asked may eat the card on the table."""
    first = first_action(game, CHI_SET)
    for action in range(first, first + len(CHI_SETS)):
        if game.legal[action]:
            return True
    return False


@compiled
def settle_claims(game):
    """Carry out the best answer, or leave the card where it lies."""
    best = best_answer(game)
    seat = best % 8
    verb = answered(game, seat)
    if best == 0:
        pass_turn(game, int(game.table_from))
    elif verb == HU:
        win(game, seat, by_table_card(game, seat))
    else:
        take(game, seat, verb)


@compiled
def by_table_card(game, seat):
    """How the seat would win on the card on the table."""
    if game.flipped == 0:
        return BY_DISCARD
    return FLIP_SELF if game.table_from == seat else FLIP_OTHER


@compiled
def take(game, seat, verb):
    """The card on the table goes into a meld; then further copies are laid, if it was eaten."""
    kind, source = int(game.table_tile), int(game.table_from)
    take_from_river(game)
    game.flips[source, kind] -= game.flipped
    game.claims += 1
    game.turn = seat
    if verb == KAI:
        lay_kai(game, seat, kind, source)
    elif verb == DUI:
        lose(game, seat, kind)
        lose(game, seat, kind)
        lay_meld(game, seat, DUI, kind, source, 3)
    else:
        chi_set = argument_of(game, int(game.answers[seat]))
        lay_set(game, seat, CHI_SET, chi_set, kind, source)
        game.no_discard = barred_after_chi(game, chi_set, kind)
        game.eaten = kind
    after_claim(game, seat)
    game.phase = LAYING


@compiled
def lay_kai(game, seat, kind, source):
    """The fourth card joins three in the hand, or an exposed dui."""
    place = dui_of(game, seat, kind)
    if place >= 0:
        game.meld_verb[seat, place] = ADDED_KAI
        game.melded[seat, kind] += 1
    else:
        for _ in range(3):
            lose(game, seat, kind)
        lay_meld(game, seat, KAI, kind, source, 4)


@compiled
def lay_on(game, seat):
    """Offer the sets for the next copy of the card eaten; return how many, 0 once no copy is left."""
    if game.eaten == NO_TILE or game.hands[seat, int(game.eaten)] == 0:
        return 0
    return bai_choices(game, seat)


@compiled
def finish_claim(game, seat):
    """All is laid: the seat discards, if it has one card too many, or the next one flips."""
    game.eaten = NO_TILE
    if owes_discard(game, seat):
        game.phase = TURN
    else:
        game.no_discard = 0
        pass_turn(game, seat)


# --- the end --------------------------------------------------------------------------------------------------------


@compiled
def win(game, seat, by):
    """The seat wins; the hand is over."""
    source = int(game.table_from)
    game.winning[seat] = 1
    game.wins[seat] = 1
    game.win_tile[seat] = NO_TILE if by == DEALT else game.table_tile
    game.self_draws[seat] = 1 if by in (FLIP_SELF, DEALT) else 0
    if by == BY_DISCARD:
        game.deal_ins[source] = 1
    settle_hu(game, by, seat if by == DEALT else source)
    game.winning[seat] = 0
    end(game)


@compiled
def end(game):
    """The hand is over."""
    settle_end(game)
    game.phase = OVER


@compiled
def pass_action(game):
    """The number of the action `pass`."""
    return first_action(game, PASS)
