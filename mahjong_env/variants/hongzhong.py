"""Hongzhong mahjong (红中麻将, 转转麻将): four red dragons (红中) that stand for any tile, won by self-draw or robbing a gang.

112 tiles: three suits and four 红中, which are laizi. No chi; pengs and gangs of natural tiles. Any complete hand wins: sets
and a pair, seven pairs, or all four 红中. After a win tiles of the wall are looked at as codes (扎码): 1, 5, 9 and 红中 hit.

Source: rule texts of several servers and of the competition rules of 2024 by the Mahjong International League (preset
`mil2024`, their doubling left out). "Rules page" in a docstring is the project's digest of these sources by section.
"""

from dataclasses import dataclass
from typing import Any

from mahjong_env.rules import (
    ABOUT_PASS_HU,
    BY_DISCARD,
    BY_ROBBING,
    CONCEALED,
    COPIES,
    DRAW,
    EXPOSED,
    HU,
    HU_RANK,
    NOBODY,
    PASS,
    PASS_HU,
    PASSED_FIELDS,
    ROBBING,
    SELF_DRAW,
    SELF_GANG,
    SUITED,
    Pattern,
    Piece,
    Score,
    TileSet,
    Variant,
    appraise_laizi,
    appraise_laizi_pairs,
    choice,
    clear_patterns,
    compiled,
    cover,
    first_action,
    flag,
    gain,
    is_barred_tile,
    is_barred_value,
    keep_patterns,
    lose,
    makes_pairs,
    makes_sets,
    number,
    offer_discards,
    offer_gang_and_peng,
    offer_self_gangs,
    pay,
    release_by_discard,
    release_by_draw,
    remember_pass,
    single_tiles,
    wall_left,
    winner_deals,
    write_slip,
)

HONGZHONG = 27
LAIZI = 1 << HONGZHONG
CODES = (4, 0, 2, 6)
SIX = 6
CODE_RANKS = (0, 4, 8)
ALL_IN_ONE = 10
ONE_MORE, SIX_CODES, DOUBLE = range(3)
FROM_FEEDER, EACH_ONE, FEEDER_ONE = range(3)
EXPOSED_PAYS = (3, 1, 1)
LAST_DRAWER = 1
NOT_IN_HAND = 1


@dataclass(frozen=True)
class Options:
    """The options of Hongzhong mahjong with the defaults of `gs`."""

    seven_pairs: bool = flag(True, "seven pairs win")
    seven_pairs_laizi: bool = flag(True, "红中 stand for any tile in seven pairs, not just for themselves")
    four_hongzhong_wins: bool = flag(True, "四红中: all four in hand win")
    discard_hongzhong: bool = flag(True, "红中 may be discarded")
    rob_gang: bool = flag(True, "抢杠胡: an added gang can be robbed")
    rob_pays_three: bool = flag(True, "a robbed seat pays what all three would pay to a self-draw")
    discard_win: bool = flag(False, "可点炮: discards can be won on, by hands without 红中")
    self_draw_points: int = number(2, 1, 2, "points from each payer of a self-draw, codes aside")
    discard_points: int = number(1, 1, 2, "points from the discarder, codes aside")
    codes: int = choice(CODES, "扎码: wall tiles looked at after a win")
    per_code: int = number(2, 1, 2, "points for each code that hits, from each payer")
    no_hongzhong: str = choice(
        ("one_more_code", "six_codes", "double", "off"), "what a winner without 红中 gets: codes, or everything twice"
    )
    one_code_all: bool = flag(False, "一码全中: one code tile, whose rank is the points it adds; 红中 adds 10")
    gang_points: str = choice(
        ("2/1/3", "2/1/each1", "2/1/1"),
        "concealed and added gangs from each; exposed from the discarder, or 1 from each",
    )
    keep_gang_points: bool = flag(False, "gang points stay when nobody wins")
    draw_dealer: str = choice(("stays", "last_drawer"), "who deals when nobody has won")
    multi_ron: bool = flag(True, "一炮多响: all who say hu to one tile win, instead of the nearest")
    pass_hu: str = choice(PASS_HU, ABOUT_PASS_HU, default="all_until_draw")
    gang_after_claim: bool = flag(True, "after a peng a gang may be made before the discard")
    fifth_copy: str = choice(
        ("allowed", "not_in_hand"), "whether 红中 may stand for a kind of which four are in the hand, melds aside"
    )
    added_gang_drawn_only: bool = flag(False, "an added gang pays only with the tile just drawn")


MIL = {
    "rob_gang": False,
    "gang_after_claim": False,
    "codes": 2,
    "per_code": 1,
    "added_gang_drawn_only": True,
    "fifth_copy": "not_in_hand",
}
PATTERNS = (
    Pattern("平胡", "平胡", "sets and a pair"),
    Pattern("七小对", "七小对", "seven pairs"),
    Pattern("四红中", "四红中", "all four red dragons"),
    Pattern("抢杠胡", "抢杠胡", "robbing a gang"),
    Pattern("无红中", "无红中", "no red dragon"),
)
PING_HU, SEVEN_PAIRS, FOUR_HONGZHONG, ROBBED, WITHOUT = range(len(PATTERNS))
REASONS = ("hu", "gang", "gang points back")
FOR_HU, FOR_GANG, GANG_BACK = range(len(REASONS))


# --- the hand ---------------------------------------------------------------------------------------------------------


@compiled
def laizi_kinds(game):
    """红中."""
    return LAIZI


@compiled
def is_complete(game, seat, extra):
    """The concealed tiles, with `extra` more 红中, are sets and a pair, or seven pairs (rules page sections 11, 12.1)."""
    if makes_sets(game, seat, extra, game.options.fifth_copy != NOT_IN_HAND):
        return True
    return is_seven_pairs(game, seat, extra)


@compiled
def is_seven_pairs(game, seat, extra):
    """Seven pairs, as far as the options have them."""
    if not game.options.seven_pairs or not makes_pairs(game, seat, extra):
        return False
    even = single_tiles(game, seat) == 0 and (int(game.hands[seat, HONGZHONG]) + extra) % 2 == 0
    return even or game.options.seven_pairs_laizi == 1


@compiled
def has_four(game, seat):
    """四红中, where they win."""
    return game.options.four_hongzhong_wins and game.hands[seat, HONGZHONG] == COPIES


@compiled
def would_win(game, seat, kind):
    """`is_complete` with one more tile."""
    gain(game, seat, kind)
    complete = is_complete(game, seat, 0)
    lose(game, seat, kind)
    return complete


@compiled
def waits_mask(game, seat):
    """Every kind that completes the hand, 红中 among them."""
    if not is_complete(game, seat, 1) and game.hands[seat, HONGZHONG] + 1 < COPIES:
        return 0
    mask = 0
    for kind in range(HONGZHONG + 1):
        if game.hands[seat, kind] < COPIES and (would_win(game, seat, kind) or is_fourth(game, seat, kind)):
            mask |= 1 << kind
    return mask


@compiled
def is_fourth(game, seat, kind):
    """It would be the fourth 红中, which wins."""
    return kind == HONGZHONG and game.options.four_hongzhong_wins and game.hands[seat, HONGZHONG] == COPIES - 1


# --- choices ----------------------------------------------------------------------------------------------------------


@compiled
def turn_choices(game, seat):
    """Hu and gangs after a draw, and a discard (rules page section 12.1)."""
    drew = game.after_claim == 0
    if drew and (has_four(game, seat) or is_complete(game, seat, 0)):
        game.legal[first_action(game, HU)] = 1
    if (drew or game.options.gang_after_claim) and wall_left(game) > 0:
        offer_self_gangs(game, seat)
    offer_discards(game, seat, game.options.discard_hongzhong)


@compiled
def claim_choices(game, seat):
    """Robbing, or gang, peng and, where the option is on, hu of a discard; never of 红中."""
    kind = int(game.table_tile)
    rank = 0
    if may_win_on(game, seat, kind):
        game.legal[first_action(game, HU)] = 1
        rank = HU_RANK
    if game.phase != ROBBING:
        rank = max(rank, offer_gang_and_peng(game, seat, kind, wall_left(game) > 0))
    if rank > 0:
        game.legal[first_action(game, PASS)] = 1
    return rank


@compiled
def may_win_on(game, seat, kind):
    """The tile on the table completes the hand and may be won on: 红中 in hand bar a discard, not a robbing."""
    if game.phase == ROBBING:
        if not game.options.rob_gang:
            return False
    elif not game.options.discard_win or game.hands[seat, HONGZHONG] > 0 or kind == HONGZHONG:
        return False
    if is_barred_tile(game, seat, kind) or is_barred_value(game, seat, 0):
        return False
    return would_win(game, seat, kind)


@compiled
def several_winners(game):
    return game.options.multi_ron == 1


@compiled
def passed_hu(game, seat):
    """All wins have the same value (rules page section 10.2, 31)."""
    remember_pass(game, seat, 1 << int(game.table_tile), 0)


@compiled
def after_draw(game, seat):
    game.last_drawer = seat
    release_by_draw(game, seat)


@compiled
def after_discard(game, seat, kind):
    release_by_discard(game, seat)


# --- payments ---------------------------------------------------------------------------------------------------------


@compiled
def settle_gang(game, seat, feeder):
    """Paid at once, and kept account of: a hand that nobody wins gives it back (rules page section 10.2, 30)."""
    concealed = feeder == NOBODY and game.meld_verb[seat, int(game.meld_count[seat]) - 1] == SELF_GANG
    concealed = concealed and game.meld_tile[seat, int(game.meld_count[seat]) - 1] == game.table_tile
    slip = write_slip(game, FOR_GANG, seat)
    rule = int(game.options.gang_points)
    for payer in range(4):
        if payer != seat:
            amount = 0
            if feeder != NOBODY:
                amount = EXPOSED_PAYS[rule] if payer == feeder or rule == EACH_ONE else 0
            elif concealed:
                amount = 2
            elif game.table_tile == game.drawn or not game.options.added_gang_drawn_only:
                amount = 1
            pay(game, slip, payer, seat, amount)
            game.gang_money[payer] -= amount
            game.gang_money[seat] += amount


@compiled
def settle_wall_end(game):
    """Gang points go back unless they are kept; the dealer stays, or who drew last deals (rules page 12.1)."""
    if game.options.draw_dealer == LAST_DRAWER:
        game.next_dealer = game.last_drawer
    if game.options.keep_gang_points:
        return
    slip = write_slip(game, GANG_BACK, NOBODY)
    for seat in range(4):
        game.points[seat] -= game.gang_money[seat]
        game.slip_points[slip, seat] = -game.gang_money[seat]


@compiled
def settle_hu(game, by, source):
    """Everybody pays a self-draw, the source another win; robbed, three shares where the option says so."""
    winner_deals(game, source)
    for step in range(4):
        seat = (source + step) % 4
        if game.winning[seat]:
            pay_win(game, seat, by, source)


@compiled
def pay_win(game, seat, by, source):
    """One winner's payments."""
    red = game.hands[seat, HONGZHONG] > 0
    note_win(game, seat, by, red)
    shares = by == SELF_DRAW or (by == BY_ROBBING and game.options.rob_pays_three)
    amount = base_points(game, shares, red) + code_points(game, red)
    slip = write_slip(game, FOR_HU, seat)
    for payer in range(4):
        if payer != seat and (shares or payer == source):
            pay(game, slip, payer if by == SELF_DRAW else source, seat, amount)


@compiled
def base_points(game, shares, red):
    """What one payer pays, codes aside."""
    points = int(game.options.self_draw_points) if shares else int(game.options.discard_points)
    return points * doubling(game, red)


@compiled
def doubling(game, red):
    return 2 if not red and game.options.no_hongzhong == DOUBLE else 1


@compiled
def code_points(game, red):
    """What the codes add to each payment (rules page section 10.2, 29 and 33)."""
    left = wall_left(game)
    if game.options.one_code_all:
        if left == 0:
            return 0
        kind = int(game.wall[game.wall_front])
        return (ALL_IN_ONE if kind == HONGZHONG else 1 + kind % 9) * doubling(game, red)
    codes = CODES[int(game.options.codes)]
    if not red and game.options.no_hongzhong == ONE_MORE:
        codes += 1
    elif not red and game.options.no_hongzhong == SIX_CODES:
        codes = SIX
    hits = 0
    for code in range(min(codes, left)):
        kind = int(game.wall[int(game.wall_front) + code])
        hits += 1 if kind == HONGZHONG or kind % 9 in CODE_RANKS else 0
    return hits * int(game.options.per_code) * doubling(game, red)


@compiled
def note_win(game, seat, by, red):
    """Keep what the seat won with, for the outcome."""
    kind = int(game.win_tile[seat])
    if by != SELF_DRAW:
        gain(game, seat, kind)
    note_patterns(game, seat, by, red)
    if by != SELF_DRAW:
        lose(game, seat, kind)
    keep_patterns(game, seat)


@compiled
def note_patterns(game, seat, by, red):
    """What the complete concealed tiles are; False if they don't win."""
    clear_patterns(game)
    sets = makes_sets(game, seat, 0, game.options.fifth_copy != NOT_IN_HAND)
    pairs = is_seven_pairs(game, seat, 0)
    four = by == SELF_DRAW and has_four(game, seat)
    game.patterns[PING_HU] = 1 if sets else 0
    game.patterns[SEVEN_PAIRS] = 1 if pairs else 0
    game.patterns[FOUR_HONGZHONG] = 1 if four else 0
    game.patterns[ROBBED] = 1 if by == BY_ROBBING else 0
    game.patterns[WITHOUT] = 0 if red else 1
    return sets or pairs or four


# --- greedy, seen, scored ---------------------------------------------------------------------------------------------


@compiled
def appraise(game, seat, floor):
    """As sets or as pairs, whichever is worth more."""
    sets = appraise_laizi(game, seat, 0, floor)
    if not game.options.seven_pairs:
        return sets
    return max(sets, appraise_laizi_pairs(game, seat, max(sets, floor)))


@compiled
def win_points(game, seat, by):
    """Codes hit once in three."""
    red = game.hands[seat, HONGZHONG] > 0
    if by != SELF_DRAW and (red or not game.options.discard_win):
        return 0.0
    codes = CODES[int(game.options.codes)] * int(game.options.per_code) * CODE_HITS
    return base_points(game, by == SELF_DRAW, red) + codes * doubling(game, red)


CODE_HITS = 1 / 3


@compiled
def deal_in_points(game, other):
    """Discards are won on by hands without 红中, where the option is on."""
    if not game.options.discard_win:
        return 0.0
    return base_points(game, False, False) + CODES[int(game.options.codes)] * int(game.options.per_code) * CODE_HITS


@compiled
def gang_points(game, how):
    """From the discarder of an exposed one EXPOSED_PAYS (rules page section 12.1)."""
    return float(EXPOSED_PAYS[int(game.options.gang_points)]) if how == EXPOSED else 2.0 if how == CONCEALED else 1.0


PIECES = (
    Piece("passed", 1, "1 while a passed win bars the viewer from winning on others' tiles"),
    Piece("passed_tiles", 1, "1 at the kinds of those wins"),
)


@compiled
def observe_own(game, seat, out, row, all_seen):
    """The pieces above."""
    cover(game, out, row, int(game.passed[seat]))
    for kind in range(out.shape[1]):
        out[row + 1, kind] = (int(game.passed_kinds[seat]) >> kind) & 1
    return row + 2


FLAGS = ("rob_gang",)


def score_position(state: Any, seat: int, kind: int, by: int, flags: tuple[str, ...]) -> Score:
    """The score of complete concealed tiles, won on `kind`, which they include; codes aside."""
    red = bool(state["hands"][seat, HONGZHONG])
    options = state["options"]
    others = int(state["hands"][seat, HONGZHONG]) - (kind == HONGZHONG)
    if by == BY_DISCARD and not options["discard_win"]:
        return Score(hu=False, reason="self_draw_only")
    if by == BY_DISCARD and (others or kind == HONGZHONG):
        return Score(hu=False, reason="holds_hongzhong")
    if by == BY_ROBBING and not options["rob_gang"]:
        return Score(hu=False, reason="no_robbing")
    if not note_patterns(state, seat, by, red):
        return Score(hu=False, reason="no_structure")
    shares = by == SELF_DRAW or (by == BY_ROBBING and bool(options["rob_pays_three"]))
    return Score(hu=True, value=int(base_points(state, shares, red)))


TILES = TileSet(
    names=(*SUITED, "C"),
    copies=(COPIES,) * (HONGZHONG + 1),
    suits=("m", "p", "s", "z"),
    suit_of=tuple(kind // 9 for kind in range(HONGZHONG + 1)),
    laizi="C",
    standard=tuple(range(HONGZHONG + 1)),  # wild alone, so that it may stand where the hand library has the east wind
)
VARIANT = Variant(
    name="hongzhong",
    title="Hongzhong mahjong (红中麻将)",
    version=0,
    cycle=DRAW,
    tiles=TILES,
    seats=4,
    verbs=("discard", "peng", "gang", "self_gang", "hu", "pass"),
    options=Options,
    presets={"gs": {}, "mil2024": MIL},
    patterns=PATTERNS,
    slip_reasons=REASONS,
    fields=(*PASSED_FIELDS, ("gang_money", "i2", ("seats",)), ("last_drawer", "i1", ())),
    pieces=PIECES,
    flags=FLAGS,
)
