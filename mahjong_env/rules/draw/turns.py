"""The mahjong cycle: draw → act → discard → claim.

The cycle decides *when* a seat is asked; the variant's hooks decide *what* it may do and what that is worth. A hook never
calls back into the cycle: it changes the state, and the cycle goes on from the state's phase.

Claims: after a discard, or an added gang, each seat with a real choice is asked, unseen by the others, in seat order from
the one after the discarder; only then is the claim settled by priority hu > gang > peng > chi. A seat is asked only while
its best claim could still outrank, or join, what has been answered.

A variant may have phases of its own, numbered from OWN: it sets one in a hook, and `ask_own` and `answer_own` ask in it
until play goes on.
"""

from mahjong_env.compiled import compiled, compiled_once
from mahjong_env.rules.actions import ADDED_GANG, CHI, DISCARD, GANG, HU, OPEN_GANG, OPEN_SELF_GANG, PENG, SELF_GANG
from mahjong_env.rules.chance import shuffle_wall
from mahjong_env.rules.claims import CHI_RANK, GANG_RANK, HU_RANK, PENG_RANK
from mahjong_env.rules.draw.hooks import (
    act_otherwise,
    after_claim,
    after_discard,
    after_draw,
    after_hu,
    answer_own,
    ask_own,
    claim_choices,
    instead_of_draw,
    instead_of_replacement,
    plays_on,
    replacement_from_back,
    settle_gang,
    settle_hu,
    settle_wall_end,
    several_winners,
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
    BY_ROBBING,
    CLAIM,
    DRAWING,
    NO_ANSWER,
    NO_TILE,
    NOBODY,
    OPENING,
    OVER,
    OWN,
    ROBBING,
    SELF_DRAW,
    TURN,
)
from mahjong_env.rules.table import (
    CIRCLES,
    MOST_STEPS,
    MUTE,
    clear_legal,
    deal_hands,
    draw_tile,
    end_stuck,
    is_offered,
    lay_meld,
    lay_on_river,
    lay_run,
    lose,
    peng_of,
    take_from_river_at,
    wall_left,
)

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
    elif game.phase >= OWN:
        answer_own(game, action)
    else:
        answer(game, action)
    clear_legal(game)
    go_on(game)


@compiled
def resume(game):
    """Go on from a position: the seat in `turn` is asked if `phase` is TURN, or draws first if it is DRAWING."""
    clear_legal(game)
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
            draw(game)
        elif game.phase == TURN:
            game.to_act = game.turn
            turn_choices(game, int(game.turn))
            if not is_offered(game):
                end_stuck(game, MUTE)
            return
        elif game.phase == OVER:
            game.to_act = NOBODY
            return
        elif game.phase >= OWN:
            if ask_own(game):
                return
        else:
            if ask_claim(game):
                return
            settle_claims(game)
    end_stuck(game, CIRCLES)


@compiled
def draw(game):
    """The seat in turn draws, or the wall is out and the hand ends."""
    if wall_left(game) == 0:
        game.wall_end = 1
        settle_wall_end(game)
        game.phase = OVER
        return
    if instead_of_draw(game, int(game.turn)):
        return
    draw_tile(game, int(game.turn), False)
    game.replacement = 0
    game.phase = TURN
    after_draw(game, int(game.turn))


@compiled
def act(game, action):
    """The seat in turn discards, declares a gang, wins by self-draw, or does what only its variant knows."""
    seat = int(game.turn)
    verb = verb_of(game, action)
    kind = argument_of(game, action)
    if verb == DISCARD:
        discard(game, seat, kind)
    elif verb in (SELF_GANG, OPEN_SELF_GANG):
        game.gang_verb = verb
        self_gang(game, seat, kind)
    elif verb == HU:
        game.winning[seat] = 1
        win(game, SELF_DRAW, seat)
    else:
        discarded = act_otherwise(game, seat, action)
        if discarded != NO_TILE:
            discard(game, seat, discarded)


@compiled
def discard(game, seat, kind):
    """Put a tile on the table for the others to claim."""
    lose(game, seat, kind)
    lay_on_river(game, seat, kind)
    game.after_gang = game.replacement
    after_discard(game, seat, kind)
    offer(game, CLAIM, seat, kind)


@compiled
def self_gang(game, seat, kind):
    """A concealed gang stands at once; an added one is first offered to those who can rob it."""
    if game.hands[seat, kind] == 4:
        for _ in range(4):
            lose(game, seat, kind)
        lay_meld(game, seat, SELF_GANG, kind, NOBODY, 4)
        complete_gang(game, seat, kind, NOBODY)
    else:
        offer(game, ROBBING, seat, kind)


@compiled
def complete_gang(game, seat, kind, feeder):
    """The gang stands: pay for it and draw the replacement tile."""
    game.turn = seat
    game.table_tile = kind
    settle_gang(game, seat, feeder)
    if instead_of_replacement(game, seat):
        return
    draw_tile(game, seat, replacement_from_back(game))
    game.replacement = 1
    game.phase = TURN
    after_draw(game, seat)


@compiled
def offer(game, phase, source, kind):
    """Lay a tile before the other seats; `go_on` asks them one by one."""
    game.phase = phase
    game.table_tile = kind
    game.table_from = source
    game.asking = 1
    game.best_rank = 0
    for seat in range(len(game.answers)):
        game.answers[seat] = NO_ANSWER


@compiled
def ask_claim(game):
    """Ask the next seat whose best claim could still outrank or join the best answer; False when there is none."""
    seats = len(game.points)
    while game.asking < seats:
        seat = (int(game.table_from) + int(game.asking)) % seats
        game.asking += 1
        if plays_on(game, seat):
            rank = claim_choices(game, seat)
            joins = rank == HU_RANK and game.best_rank == HU_RANK and several_winners(game)
            if rank > game.best_rank or joins:
                game.to_act = seat
                return True
            if rank > 0:
                clear_legal(game)
    return False


@compiled
def rank_of(verb):
    """The priority of an answer: hu > gang > peng > chi > pass."""
    if verb == HU:
        return HU_RANK
    if verb in (GANG, OPEN_GANG):
        return GANG_RANK
    if verb == PENG:
        return PENG_RANK
    if verb == CHI:
        return CHI_RANK
    return 0


@compiled
def answer(game, action):
    """A seat's answer to the tile on the table; it is settled when all have answered."""
    seat = int(game.to_act)
    verb = verb_of(game, action)
    if game.legal[first_action(game, HU)] and verb != HU:
        passed_hu(game, seat)
    game.answers[seat] = action
    game.best_rank = max(int(game.best_rank), rank_of(verb))


@compiled
def settle_claims(game):
    """Carry out the best answer."""
    source = int(game.table_from)
    if game.best_rank == HU_RANK:
        hu = first_action(game, HU)
        for seat in range(len(game.answers)):
            game.winning[seat] = 1 if game.answers[seat] == hu else 0
        win_on_table_tile(game, source)
    elif game.phase == ROBBING:
        add_to_peng(game, source, int(game.table_tile))
    elif game.best_rank > 0:
        seat = best_claimant(game)
        take_claim(game, seat, int(game.answers[seat]), int(game.river_length) - 1)
    else:
        game.turn = next_seat(game, source)
        game.phase = DRAWING


@compiled
def best_claimant(game):
    """The seat that gave the best answer."""
    for seat in range(len(game.answers)):
        if game.answers[seat] != NO_ANSWER and rank_of(verb_of(game, int(game.answers[seat]))) == game.best_rank:
            return seat
    return NOBODY


@compiled
def take_claim(game, seat, action, place):
    """Meld the tile at that place of the river: a gang draws a replacement, a peng or a run goes on to discard."""
    kind = int(game.river_tile[place])
    source = int(game.river_seat[place])
    verb = verb_of(game, action)
    take_from_river_at(game, place)
    if verb == CHI:
        claim_run(game, seat, kind, kind - argument_of(game, action), source)
    else:
        from_hand = 2 if verb == PENG else 3
        for _ in range(from_hand):
            lose(game, seat, kind)
        lay_meld(game, seat, PENG if verb == PENG else GANG, kind, source, from_hand + 1)
    after_claim(game, seat)
    if rank_of(verb) == GANG_RANK:
        game.gang_verb = verb
        complete_gang(game, seat, kind, source)
    else:
        game.turn = seat
        game.drawn = NO_TILE
        game.after_claim = 1
        game.replacement = 0
        game.phase = TURN


@compiled
def claim_run(game, seat, kind, lowest, source):
    """The claimed tile and two of the hand make the run that begins with `lowest`."""
    for other in range(lowest, lowest + 3):
        if other != kind:
            lose(game, seat, other)
    lay_run(game, seat, lowest, source)


@compiled
def add_to_peng(game, seat, kind):
    """Nobody robs the added gang: the fourth tile joins the peng."""
    lose(game, seat, kind)
    game.meld_verb[seat, peng_of(game, seat, kind)] = ADDED_GANG
    game.melded[seat, kind] += 1
    complete_gang(game, seat, kind, NOBODY)


@compiled
def win_on_table_tile(game, source):
    """All marked in `winning` win on a discard, or on a robbed tile, which counts as discarded."""
    if game.phase == ROBBING:
        lose(game, source, int(game.table_tile))
        lay_on_river(game, source, int(game.table_tile))
        win(game, BY_ROBBING, source)
    else:
        win(game, BY_DISCARD, source)


@compiled
def win(game, by, source):
    """Pay the winners and see how play goes on."""
    for seat in range(len(game.winning)):
        if game.winning[seat]:
            game.win_tile[seat] = won_kind(game, seat) if by == SELF_DRAW else game.table_tile
    settle_hu(game, by, source)
    for seat in range(len(game.winning)):
        if game.winning[seat]:
            game.wins[seat] += 1
            game.self_draws[seat] += 1 if by == SELF_DRAW else 0
            game.deal_ins[source] += 0 if by == SELF_DRAW else 1
    game.phase = OVER  # unless the variant says otherwise
    after_hu(game, source)
    for seat in range(len(game.winning)):
        game.winning[seat] = 0


@compiled
def won_kind(game, seat):
    """The tile that completed a self-draw; of a dealt hand its highest kind."""
    if game.drawn != NO_TILE:
        return int(game.drawn)
    kind = game.hands.shape[1] - 1
    while game.hands[seat, kind] == 0:
        kind -= 1
    return kind


@compiled
def next_seat(game, seat):
    """The next seat in turn order that still plays."""
    seats = len(game.points)
    for step in range(1, seats):
        other = (seat + step) % seats
        if plays_on(game, other):
            return other
    return seat
