"""Guangdong tuidaohu (广东推倒胡) with a ghost tile (鬼牌) that stands for any tile, won by self-draw or robbing a gang.

136 tiles with honours. No chi; pengs and gangs of natural tiles. Any sets and a pair win, and seven pairs. The ghost is the
white dragon, or the kind after one turned up after the deal (9 → 1, E S W N C F B in a ring), or the two kinds after it.

Source: rule text of a server (GS) and option lists of others. "Rules page" in a docstring is the project's digest of them.
"""

from dataclasses import dataclass
from typing import Any

from mahjong_env.hands.automaton import HONOURS
from mahjong_env.rules import (
    ALL,
    BY_DISCARD,
    BY_ROBBING,
    CONCEALED,
    DRAW,
    EXPOSED,
    HU,
    HU_RANK,
    NOBODY,
    PASS,
    ROBBING,
    SELF_DRAW,
    SELF_GANG,
    TURN,
    Pattern,
    Piece,
    Score,
    Variant,
    appraise_laizi,
    appraise_laizi_pairs,
    choice,
    clear_patterns,
    compiled,
    first_action,
    flag,
    gain,
    keep_patterns,
    laizi_held,
    lose,
    makes_pairs,
    makes_sets,
    number,
    offer_discards,
    offer_gang_and_peng,
    offer_self_gangs,
    pay,
    wall_left,
    winner_deals,
    write_slip,
)

WHITE_DRAGON, KINDS = 33, 34
WHITE, NO_GHOST, TURNED, DOUBLE_TURNED = range(4)
HORSES = (4, 0, 2, 6, 8)
NOTHING_TURNED = 0


@dataclass(frozen=True)
class Options:
    """The options of tuidaohu."""

    ghost: str = choice(("white", "none", "turned", "double_turned"), "鬼牌: what stands for any tile")
    seven_pairs: bool = flag(True, "seven pairs win, worth twice")
    rob_gang: bool = flag(True, "抢杠胡: an added gang can be robbed, and who is robbed pays for all")
    self_draw_points: int = number(2, 1, 9, "points from each payer, horses aside")
    no_ghost_double: bool = flag(False, "无鬼加倍: a win without a ghost is worth twice")
    horses: int = choice(
        HORSES, "马: wall tiles looked at after a win; each that falls on the winner adds its worth again"
    )


PATTERNS = (
    Pattern("平胡", "平胡", "sets and a pair"),
    Pattern("七对", "七对", "seven pairs"),
    Pattern("抢杠胡", "抢杠胡", "robbing a gang"),
    Pattern("无鬼", "无鬼", "no ghost"),
)
PING_HU, SEVEN_PAIRS, ROBBED, WITHOUT = range(len(PATTERNS))
FOR_HU, FOR_GANG = range(2)


# --- the ghost --------------------------------------------------------------------------------------------------------


@compiled
def laizi_kinds(game):
    """The ghosts of this hand."""
    return int(game.ghosts)


@compiled
def next_kind(kind):
    """9 → 1 in a suit; the honours in a ring."""
    first = kind // 9 * 9
    return first + (kind - first + 1) % (9 if first < 27 else HONOURS)


@compiled
def begin_opening(game):
    """Say which kinds are wild; where a tile is turned up for it, it is the last of the wall and out of play."""
    game.phase = TURN
    game.ghosts = 1 << WHITE_DRAGON if game.options.ghost == WHITE else 0
    if game.options.ghost >= TURNED:
        game.wall_back -= 1
        kind = int(game.wall[game.wall_back])
        game.turned = 1 + kind
        game.ghosts = 1 << next_kind(kind)
        if game.options.ghost == DOUBLE_TURNED:
            game.ghosts |= 1 << next_kind(next_kind(kind))


# --- the hand and choices ---------------------------------------------------------------------------------------------


@compiled
def is_complete(game, seat):
    return makes_sets(game, seat, 0, True) or (game.options.seven_pairs == 1 and makes_pairs(game, seat, 0))


@compiled
def would_win(game, seat, kind):
    """The concealed tiles with one more are complete."""
    gain(game, seat, kind)
    complete = is_complete(game, seat)
    lose(game, seat, kind)
    return complete


@compiled
def waits_mask(game, seat):
    """Every kind that completes the hand."""
    mask = 0
    for kind in range(KINDS):
        if game.hands[seat, kind] < 4 and would_win(game, seat, kind):
            mask |= 1 << kind
    return mask


@compiled
def turn_choices(game, seat):
    """Hu and gangs after a draw, gangs after a peng too, and any discard (rules page section 12.3)."""
    if game.after_claim == 0 and is_complete(game, seat):
        game.legal[first_action(game, HU)] = 1
    if wall_left(game) > 0:
        offer_self_gangs(game, seat)
    offer_discards(game, seat, True)


@compiled
def claim_choices(game, seat):
    """Robbing, or gang and peng of a natural tile."""
    kind = int(game.table_tile)
    if game.phase == ROBBING:
        rank = HU_RANK if game.options.rob_gang and would_win(game, seat, kind) else 0
        game.legal[first_action(game, HU)] = 1 if rank else 0
    else:
        rank = offer_gang_and_peng(game, seat, kind, wall_left(game) > 0)
    if rank > 0:
        game.legal[first_action(game, PASS)] = 1
    return rank


# --- payments ---------------------------------------------------------------------------------------------------------


@compiled
def settle_gang(game, seat, feeder):
    """Exposed 3 from the discarder, added 1 and concealed 2 from each."""
    last = int(game.meld_count[seat]) - 1
    concealed = game.meld_verb[seat, last] == SELF_GANG and game.meld_tile[seat, last] == game.table_tile
    slip = write_slip(game, FOR_GANG, seat)
    for payer in range(4):
        if payer != seat and (feeder == NOBODY or payer == feeder):
            pay(game, slip, payer, seat, 3 if feeder != NOBODY else 2 if concealed else 1)


@compiled
def settle_hu(game, by, source):
    """Everybody pays, or, robbed, one for all; the winner deals next, of several who was robbed."""
    winner_deals(game, source)
    for seat in range(4):
        if game.winning[seat]:
            settle_winner(game, seat, by, source)


@compiled
def settle_winner(game, seat, by, source):
    """One winner's payments: the worth of the hand, once more for each horse on the winner."""
    kind = int(game.win_tile[seat])
    if by == BY_ROBBING:
        gain(game, seat, kind)
    worth = note_patterns(game, seat, by)
    if by == BY_ROBBING:
        lose(game, seat, kind)
    keep_patterns(game, seat)
    slip = write_slip(game, FOR_HU, seat)
    for payer in range(4):
        if payer != seat:
            pay(game, slip, source if by == BY_ROBBING else payer, seat, worth * (1 + horses_on(game, seat)))


@compiled
def note_patterns(game, seat, by):
    """What the complete concealed tiles are, and what each payer pays, horses aside; 0 if they don't win."""
    clear_patterns(game)
    pairs = game.options.seven_pairs == 1 and makes_pairs(game, seat, 0)
    if not pairs and not makes_sets(game, seat, 0, True):
        return 0
    without = laizi_held(game, seat) == 0
    game.patterns[SEVEN_PAIRS if pairs else PING_HU] = 1
    game.patterns[ROBBED] = 1 if by == BY_ROBBING else 0
    game.patterns[WITHOUT] = 1 if without else 0
    doublings = (1 if pairs else 0) + (1 if without and game.options.no_ghost_double else 0)
    return int(game.options.self_draw_points) << doublings


@compiled
def horses_on(game, seat):
    """Horses whose number, 1 to 9 or an honour's place, falls on the winner, counted from the dealer."""
    hits = 0
    for horse in range(min(HORSES[int(game.options.horses)], wall_left(game))):
        number = int(game.wall[int(game.wall_front) + horse]) % 9
        hits += 1 if number % 4 == (seat - game.dealer) % 4 else 0
    return hits


# --- greedy, seen, scored ---------------------------------------------------------------------------------------------


@compiled
def appraise(game, seat, floor):
    """As sets or as pairs, whichever is worth more."""
    sets = appraise_laizi(game, seat, HONOURS, floor)
    if not game.options.seven_pairs:
        return sets
    return max(sets, appraise_laizi_pairs(game, seat, max(sets, floor)))


@compiled
def win_points(game, seat, by):
    """No discard is won on; a hand without ghosts may count double, and horses hit one seat in four."""
    if by != SELF_DRAW:
        return 0.0
    without = laizi_held(game, seat) == 0 and game.options.no_ghost_double
    return float(int(game.options.self_draw_points) * (2 if without else 1)) * (
        1.0 + HORSES[int(game.options.horses)] / 4
    )


@compiled
def deal_in_points(game, other):
    """No discard is won on."""
    return 0.0


@compiled
def gang_points(game, how):
    """Exposed 3 from the discarder, added 1 and concealed 2 from each."""
    return 3.0 if how == EXPOSED else 2.0 if how == CONCEALED else 1.0


PIECES = (Piece("ghosts", 1, "1 at the kinds that are wild"),)


@compiled
def observe_own(game, seat, out, row, all_seen):
    """The piece above."""
    for kind in range(KINDS):
        out[row, kind] = (int(game.ghosts) >> kind) & 1
    return row + 1


def describe_seat(state: Any, seat: int, viewer: int | None) -> str:
    """The ghosts, at the dealer."""
    ghosts = [kind for kind in range(KINDS) if int(state["ghosts"]) >> kind & 1]
    return f"ghost={ALL.format(ghosts)}" if ghosts and seat == state["dealer"] else ""


def tiles_aside(state: Any) -> list[int]:
    """The tile turned up."""
    turned = int(state["turned"])
    return [] if turned == NOTHING_TURNED else [turned - 1]


def prepare(state: Any) -> None:
    """The white dragon is wild where it is the ghost; another ghost has to be named."""
    state["ghosts"] = 1 << WHITE_DRAGON if state["options"]["ghost"] == WHITE else 0


def name_ghost(state: Any, seat: int, tiles: str | None) -> None:
    """These kinds are wild."""
    for kind in ALL.parse(tiles or ""):
        state["ghosts"] |= 1 << kind


DETAILS = {"ghost_tiles": name_ghost}


def score_position(state: Any, seat: int, kind: int, by: int, flags: tuple[str, ...]) -> Score:
    """The score of complete concealed tiles, horses aside."""
    if by == BY_DISCARD or (by == BY_ROBBING and not state["options"]["rob_gang"]):
        return Score(hu=False, reason="self_draw_only")
    value = int(note_patterns(state, seat, by))
    return Score(hu=True, value=value) if value else Score(hu=False, reason="no_structure")


VARIANT = Variant(
    name="tuidaohu",
    title="Guangdong tuidaohu (广东推倒胡)",
    version=0,
    cycle=DRAW,
    tiles=ALL,
    seats=4,
    verbs=("discard", "peng", "gang", "self_gang", "hu", "pass"),
    options=Options,
    presets={"white": {}, "turned": {"ghost": "turned"}},
    patterns=PATTERNS,
    slip_reasons=("hu", "gang"),
    fields=(("ghosts", "i8", ()), ("turned", "i1", ())),
    pieces=PIECES,
    details=DETAILS,
)
