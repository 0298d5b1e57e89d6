"""Tiles turned face up, after 开杠 and at the sea bottom (海底): who may win on them, and who may claim them.

They lie on their owner's river from the moment they are turned up, as his discards, and are asked about in steps (rules
page sections 3.2 and 6): its owner may win, then the others; after 开杠 the owner may make another gang with one, and
then the others may claim one. Each step is a phase.
"""

from mahjong_env.compiled import compiled
from mahjong_env.rules.actions import ADDED_GANG, DISCARD, HU, OPEN_GANG, OPEN_SELF_GANG, PASS, SELF_GANG, TAKE
from mahjong_env.rules.claims import HU_RANK
from mahjong_env.rules.draw.turns import complete_gang, rank_of, take_claim, win
from mahjong_env.rules.hooks import argument_of, first_action, verb_of
from mahjong_env.rules.pass_hu import is_barred_tile, is_barred_value, remember_pass
from mahjong_env.rules.payments import winner_deals
from mahjong_env.rules.state import BY_DISCARD, DRAWING, NO_ANSWER, NO_TILE, NOBODY, OVER, OWN, SELF_DRAW
from mahjong_env.rules.table import clear_legal, lay_meld, lay_on_river, lose, peng_of, take_from_river_at, wall_left
from mahjong_env.variants.changsha.hand import NO_WIN, evaluate, exposed_melds, units_of, units_on, waits_mask
from mahjong_env.variants.changsha.legal import may_open, offer_melds, several_winners, situation
from mahjong_env.variants.changsha.options import (
    AFTER_GANG,
    CONCEALED_DRAW,
    GANG_DISCARD,
    GANG_SHANG_KAI_HUA,
    GANG_SHANG_PAO,
    LAST_TILE,
    ONE_CHOSEN,
    PING_HU,
)
from mahjong_env.variants.changsha.payments import draw_birds, note_win, pay_win

SEA_BOTTOM, WINNING, NAMING, GANG_AGAIN, CLAIMING = range(OWN, OWN + 5)
"""Phases: who takes the sea bottom; who wins on what lies face up; its owner names the tile that others may claim; makes
another gang with one; the others claim one."""


# --- turning up -------------------------------------------------------------------------------------------------------


@compiled
def instead_of_replacement(game, seat):
    """开杠: the hand is locked and tiles from the wall's end are turned up."""
    if game.gang_verb != OPEN_SELF_GANG and game.gang_verb != OPEN_GANG:
        return False
    game.drawn = NO_TILE
    game.replacement = 0
    game.after_claim = 0
    if not game.locked[seat]:
        game.locked[seat] = 1
        game.lock_waits[seat] = waits_mask(game, seat)
    game.face_up_count = 0
    for _ in range(int(game.options.gang_reveal_count)):
        game.wall_back -= 1
        turn_up(game, seat, int(game.wall[game.wall_back]))
    return True


@compiled
def turn_up(game, seat, kind):
    """One more tile lies face up before its owner, who is asked first."""
    game.face_up[int(game.face_up_count)] = kind
    game.face_up_count += 1
    lay_on_river(game, seat, kind)
    game.last_taken = kind
    game.last_taker = seat
    game.table_tile = game.face_up[0]
    game.table_from = seat
    game.asking = 0
    game.best_rank = 0
    for other in range(4):
        game.answers[other] = NO_ANSWER
    game.phase = WINNING


@compiled
def put_down(game):
    """Nothing lies face up any more."""
    game.face_up_count = 0
    game.face = 0
    game.named = 0


@compiled
def is_first_of_kind(game, face):
    """No tile turned up before is of that one's kind."""
    for other in range(face):
        if game.face_up[other] == game.face_up[face]:
            return False
    return True


@compiled
def place_of(game, kind):
    """Where on the river a face-up tile of that kind lies."""
    face = 0
    while game.face_up[face] != kind:
        face += 1
    return int(game.river_length) - int(game.face_up_count) + face


# --- the sea bottom ---------------------------------------------------------------------------------------------------


@compiled
def instead_of_draw(game, seat):
    """With one tile in the wall the seats are asked, from the one due to draw on, who takes it (要海底)."""
    if wall_left(game) != 1:
        return False
    game.phase = SEA_BOTTOM
    game.table_tile = NO_TILE
    game.table_from = seat
    game.asking = 0
    return True


@compiled
def ask_sea_bottom(game):
    """Every seat, or those that are ready; if nobody takes it the hand is drawn, and who was due deals next."""
    while game.asking < 4:
        seat = (int(game.table_from) + int(game.asking)) % 4
        if not game.options.haidi_tenpai_only or waits_mask(game, seat) != 0:
            game.legal[first_action(game, TAKE)] = 1
            game.legal[first_action(game, PASS)] = 1
            game.to_act = seat
            return True
        game.asking += 1
    end_drawn(game, int(game.table_from))
    return False


@compiled
def take_sea_bottom(game, seat):
    """The taker turns the last tile up: it wins with it, or it is his discard."""
    kind = int(game.wall[game.wall_front])
    game.wall_front += 1
    game.turn = seat
    game.sea_bottom = 1
    put_down(game)
    turn_up(game, seat, kind)


@compiled
def end_drawn(game, next_dealer):
    """Nobody has won (流局)."""
    game.wall_end = 1
    game.next_dealer = next_dealer
    game.phase = OVER


# --- winning on what lies face up -------------------------------------------------------------------------------------


@compiled
def face_up_bits(game, seat, by):
    """The situation in which a tile that lies face up is won on."""
    if by == SELF_DRAW:
        concealed = CONCEALED_DRAW if game.options.menqing and exposed_melds(game, seat) == 0 else 0
        return concealed | (LAST_TILE if game.sea_bottom else AFTER_GANG)
    return LAST_TILE if game.sea_bottom else GANG_DISCARD


@compiled
def units_on_face_up(game, seat, by):
    """Units of winning on all tiles that lie face up at once, their patterns united, or NO_WIN.

    Each pattern counts once, but 杠上开花 and 杠上炮 once for every winning tile (rules page section 10.2, 4).
    """
    for pattern in range(len(game.united)):
        game.united[pattern] = 0
    bits = face_up_bits(game, seat, by)
    game.united_kinds = 0
    for face in range(int(game.face_up_count)):
        kind = int(game.face_up[face])
        barred = by != SELF_DRAW and is_barred_tile(game, seat, kind)
        if not barred and units_on(game, seat, kind, by, bits) != NO_WIN:
            game.united_kinds |= 1 << kind
            unite_patterns(game)
    if game.united_kinds == 0:
        return NO_WIN
    for pattern in range(len(game.united)):
        game.patterns[pattern] = game.united[pattern]
    units = units_of(game)
    if units > 0:
        game.patterns[PING_HU] = 0
    barred = by != SELF_DRAW and is_barred_value(game, seat, units)
    return NO_WIN if barred else units


@compiled
def unite_patterns(game):
    """Add the patterns just evaluated to those of the tiles before."""
    for pattern in range(len(game.united)):
        found = int(game.patterns[pattern])
        if pattern in (GANG_SHANG_KAI_HUA, GANG_SHANG_PAO):
            game.united[pattern] += found
        else:
            game.united[pattern] = max(int(game.united[pattern]), found)


@compiled
def ask_winning(game):
    """Step a, the owner, and b, the others from the next seat on."""
    owner = int(game.table_from)
    while game.asking < 4:
        seat = (owner + int(game.asking)) % 4
        by = SELF_DRAW if seat == owner else BY_DISCARD
        late = game.best_rank == HU_RANK and not several_winners(game)
        if not late and units_on_face_up(game, seat, by) != NO_WIN:
            game.legal[first_action(game, HU)] = 1
            game.legal[first_action(game, PASS)] = 1
            game.to_act = seat
            return True
        game.asking += 1
    if game.best_rank == HU_RANK:
        for seat in range(4):
            game.winning[seat] = 1 if game.answers[seat] != NO_ANSWER else 0
        win(game, BY_DISCARD, owner)
    elif game.sea_bottom:
        end_drawn(game, owner)
    else:
        game.phase = NAMING
    return False


@compiled
def answer_winning(game, action):
    """Hu, or a pass, which bars the seat unless it has passed its own sea bottom."""
    seat, owner = int(game.to_act), int(game.table_from)
    if verb_of(game, action) == HU:
        if seat == owner:
            game.winning[seat] = 1
            win(game, SELF_DRAW, seat)
            return
        game.answers[seat] = action
        game.best_rank = HU_RANK
    elif seat != owner or not game.sea_bottom:
        units = units_on_face_up(game, seat, SELF_DRAW if seat == owner else BY_DISCARD)
        remember_pass(game, seat, int(game.united_kinds), units)
    game.asking += 1


# --- another gang, and others' claims ---------------------------------------------------------------------------------


@compiled
def ask_naming(game):
    """The owner names the tile that others may claim, where the option says so and there are two kinds."""
    owner = int(game.table_from)
    kinds = 0
    if game.options.gang_tiles_claimable == ONE_CHOSEN:
        game.named = 1 + game.face_up[0]
        for face in range(int(game.face_up_count)):
            if is_first_of_kind(game, face):
                game.legal[first_action(game, DISCARD) + game.face_up[face]] = 1
                kinds += 1
    if kinds > 1:
        game.to_act = owner
        return True
    clear_legal(game)
    game.phase = GANG_AGAIN
    return False


@compiled
def ask_gang_again(game):
    """Step c: with a tile turned up the owner may make a gang that leaves its waits as they are."""
    owner = int(game.table_from)
    found = False
    for face in range(int(game.face_up_count)):
        kind = int(game.face_up[face])
        held = int(game.hands[owner, kind])
        if (held == 3 or peng_of(game, owner, kind) >= 0) and may_open(game, owner, kind, held, SELF_GANG):
            game.legal[first_action(game, OPEN_SELF_GANG) + kind] = 1
            found = True
    if found:
        game.legal[first_action(game, PASS)] = 1
        game.to_act = owner
        return True
    begin_claiming(game)
    return False


@compiled
def begin_claiming(game):
    """Step d begins with the next seat and the tile turned up first."""
    game.asking = 1
    game.face = 0
    game.best_rank = 0
    game.phase = CLAIMING


@compiled
def gang_again(game, kind):
    """The tile joins three of the hand, concealed, or the owner's peng; the others stay on the river."""
    owner = int(game.table_from)
    take_from_river_at(game, place_of(game, kind))
    place = peng_of(game, owner, kind)
    if place >= 0:
        game.meld_verb[owner, place] = ADDED_GANG
        game.melded[owner, kind] += 1
    else:
        for _ in range(3):
            lose(game, owner, kind)
        lay_meld(game, owner, SELF_GANG, kind, NOBODY, 4)
    put_down(game)
    game.gang_verb = OPEN_SELF_GANG
    complete_gang(game, owner, kind, NOBODY)


@compiled
def ask_claiming(game):
    """Step d: each seat is asked about one kind after the other while it could outrank the best claim so far."""
    owner = int(game.table_from)
    while game.asking < 4:
        seat = (owner + int(game.asking)) % 4
        while game.face < game.face_up_count:
            kind = int(game.face_up[game.face])
            if is_first_of_kind(game, int(game.face)) and (game.named == 0 or game.named == 1 + kind):
                rank = offer_melds(game, seat, kind, game.asking == 1 and game.options.chi_on_gang_tiles == 1)
                if rank > game.best_rank:
                    game.legal[first_action(game, PASS)] = 1
                    game.table_tile = kind
                    game.to_act = seat
                    return True
                clear_legal(game)
            game.face += 1
        game.face = 0
        game.asking += 1
    settle_claiming(game)
    return False


@compiled
def answer_claiming(game, action):
    """A seat's first claim is its answer; after a pass it is asked about the next kind."""
    seat = int(game.to_act)
    rank = rank_of(verb_of(game, action))
    if rank == 0:
        game.face += 1
        return
    if rank > game.best_rank:
        game.best_rank = rank
        game.claim = action
        game.claimant = seat
        game.claimed = game.table_tile
    game.face = 0
    game.asking += 1


@compiled
def settle_claiming(game):
    """The best claim is carried out; without one the next seat draws."""
    owner = int(game.table_from)
    if game.best_rank == 0:
        put_down(game)
        game.turn = (owner + 1) % 4
        game.phase = DRAWING
        return
    kind = int(game.claimed)
    place = place_of(game, kind)
    put_down(game)
    game.table_tile = kind
    take_claim(game, int(game.claimant), int(game.claim), place)


# --- the phases -------------------------------------------------------------------------------------------------------


@compiled
def ask_own(game):
    """Ask in one of the phases above; False when it is over."""
    if game.phase == SEA_BOTTOM:
        return ask_sea_bottom(game)
    if game.phase == WINNING:
        return ask_winning(game)
    if game.phase == NAMING:
        return ask_naming(game)
    if game.phase == GANG_AGAIN:
        return ask_gang_again(game)
    return ask_claiming(game)


@compiled
def answer_own(game, action):
    """Take an answer in one of them."""
    if game.phase == SEA_BOTTOM:
        if verb_of(game, action) == TAKE:
            take_sea_bottom(game, int(game.to_act))
        else:
            game.asking += 1
    elif game.phase == WINNING:
        answer_winning(game, action)
    elif game.phase == NAMING:
        game.named = 1 + argument_of(game, action)
        game.phase = GANG_AGAIN
    elif game.phase == GANG_AGAIN:
        if verb_of(game, action) == OPEN_SELF_GANG:
            gang_again(game, argument_of(game, action))
        else:
            begin_claiming(game)
    else:
        answer_claiming(game, action)


@compiled
def settle_hu(game, by, source):
    """Look at the birds once and pay every winner (rules page section 7)."""
    winners = winner_deals(game, source)
    draw_birds(game)
    for step in range(4):
        seat = (source + step) % 4
        if game.winning[seat]:
            if game.phase == WINNING:
                units = units_on_face_up(game, seat, by)
                game.win_tile[seat] = first_won(game)
            elif by == SELF_DRAW:
                units = evaluate(game, seat, by, situation(game, seat, by))
            else:
                units = units_on(game, seat, int(game.table_tile), by, situation(game, seat, by))
            note_win(game, seat, units)
            pay_win(game, seat, units, by, source, winners)


@compiled
def first_won(game):
    """Of the tiles just won on together the one turned up first."""
    face = 0
    while (int(game.united_kinds) >> int(game.face_up[face])) & 1 == 0:
        face += 1
    return int(game.face_up[face])
