"""A stranger's game that says much of what a file can say: two suits and dragons, three seats with ten tiles, and hands shown.

No game of any place: who is ready may say liang (亮) with its discard. Then the hand lies open, or, with `shown` off, stays
closed and is known to be ready; the seat claims and changes nothing any more but wins, and a win of its own counts twice.
"""

from dataclasses import dataclass
from typing import Any

from mahjong_env.rules import (
    COUNTS,
    DISCARD,
    DRAW,
    HU,
    HU_RANK,
    NO_SET,
    OWN_VERB,
    PASS,
    READINGS_FIELDS,
    ROBBING,
    RUN,
    SELF_DRAW,
    TURN,
    Known,
    Pattern,
    Piece,
    Variant,
    compiled,
    first_action,
    flag,
    gain,
    greedy_claim,
    greedy_turn,
    held,
    lose,
    makes_sets,
    makes_sets_with,
    note_readings,
    offer_discards,
    offer_gang_and_peng,
    offer_self_gangs,
    pay,
    ready_hand,
    standard_numbers,
    tile_set,
    verb_of,
    wall_left,
    write_slip,
)
from mahjong_env.rules import argument_of as kind_of
from mahjong_env.rules import set_waits as waits_mask

LIANG = OWN_VERB
TILES, SEATS, SETS = tile_set("123456789p 123456789s CFB"), 3, 3
HU_PATTERN, TRIPLETS, SHOWN = range(3)

"""Dots and bamboo; the dragons, though they are three kinds in a row, make no run."""


@dataclass(frozen=True)
class Options:
    """The options of the game."""

    shown: bool = flag(True, "whether the hand of who has said liang lies open")
    proud: bool = flag(False, "whether the greedy player lets a cheap win on a discard go while the wall is long")


@compiled
def hand_size(game):
    return 3 * SETS + 1


@compiled
def turn_choices(game, seat):
    """A locked seat puts back what it has drawn; another may say liang with each discard that leaves it ready."""
    game.legal[first_action(game, HU)] = 1 if game.after_claim == 0 and makes_sets(game, seat, 0, True) else 0
    if game.declared[seat] > 0:
        game.legal[first_action(game, DISCARD) + game.drawn] = 1
        return
    if wall_left(game) > 0 and game.after_claim == 0:
        offer_self_gangs(game, seat)
    offer_discards(game, seat, True)
    for kind in range(game.hands.shape[1]):
        if game.hands[seat, kind] > 0 and wall_left(game) > 0:
            lose(game, seat, kind)
            game.legal[first_action(game, LIANG) + kind] = 1 if waits_mask(game, seat) != 0 else 0
            gain(game, seat, kind)


@compiled
def act_otherwise(game, seat, action):
    """Liang: the hand is declared with this tile, which is discarded in the same decision."""
    kind = kind_of(game, action)
    game.declared[seat] = 1 + kind
    game.open_hand[seat] = game.options.shown
    return kind


@compiled
def claim_choices(game, seat):
    kind = int(game.table_tile)
    hu = makes_sets_with(game, seat, kind, True)
    may_meld = game.phase != ROBBING and game.declared[seat] == 0
    rank = offer_gang_and_peng(game, seat, kind, wall_left(game) > 0) if may_meld else 0
    game.legal[first_action(game, HU)] = 1 if hu else 0
    game.legal[first_action(game, PASS)] = 1 if hu or rank > 0 else 0
    return HU_RANK if hu else rank


@compiled
def has_triplets_only(game, seat):
    """Whether some division of the complete hand has no run."""
    for reading in range(note_readings(game, seat)):
        runs = 0
        for place in range(1, game.readings.shape[1]):
            found = game.readings[reading, place]
            runs += 1 if found != NO_SET and found >= RUN else 0
        if runs == 0:
            return True
    return False


@compiled
def note_patterns(game, seat):
    """Write into `patterns` what the complete hand counts for; return what each payer pays."""
    game.patterns[HU_PATTERN] = 1
    game.patterns[TRIPLETS] = 1 if has_triplets_only(game, seat) else 0
    game.patterns[SHOWN] = 1 if game.declared[seat] > 0 else 0
    return (1 + 2 * int(game.patterns[TRIPLETS])) * (1 + int(game.patterns[SHOWN]))


@compiled
def settle_hu(game, by, source):
    for seat in range(SEATS):
        if game.winning[seat]:
            if by != SELF_DRAW:
                gain(game, seat, int(game.win_tile[seat]))
            value = note_patterns(game, seat)
            if by != SELF_DRAW:
                lose(game, seat, int(game.win_tile[seat]))
            for pattern in range(len(game.patterns)):
                game.win_patterns[seat, pattern] = game.patterns[pattern]
            slip = write_slip(game, 0, seat)
            for payer in range(SEATS):
                if payer != seat and (by == SELF_DRAW or payer == source):
                    pay(game, slip, payer, seat, value)


# --- the greedy player ------------------------------------------------------------------------------------------------


@compiled
def declines(game, seat, verb):
    """A proud one that has said nothing waits for more."""
    return (
        game.options.proud and verb == HU and game.phase != TURN and game.declared[seat] == 0 and wall_left(game) > 20
    )


@compiled
def choose(game, seat):
    """As usual, and liang wherever the best discard leaves the hand ready."""
    if game.phase != TURN:
        return greedy_claim(game, seat)
    best = greedy_turn(game, seat)
    if verb_of(game, best) == DISCARD:
        liang = first_action(game, LIANG) + kind_of(game, best)
        return liang if game.legal[liang] else best
    return best


# --- what others see and know -----------------------------------------------------------------------------------------


@compiled
def observe_own(game, seat, out, row, all_seen):
    """Each seat's declared tile, and its hand where it lies open."""
    for step in range(SEATS):
        other = (seat + step) % SEATS
        for kind in range(out.shape[1]):
            out[row + step, kind] = 1 if game.declared[other] == 1 + kind else 0
            out[row + SEATS + step, kind] = game.hands[other, kind] if game.open_hand[other] else 0
    return row + 2 * SEATS


def known_hand(state: Any, seat: int, viewer: int, pool: Any, rng: Any) -> Known | None:
    """An open hand is known; a closed one that has been declared is ready."""
    if state["open_hand"][seat]:
        return Known(held(state, seat))
    if not state["declared"][seat]:
        return Known()
    hand = ready_hand(pool, SETS - int(state["meld_count"][seat]), (), rng, standard=standard_numbers(state))
    return None if hand is None else Known(hand)


def describe_seat(state: Any, seat: int, viewer: int | None) -> str:
    return f"liang on {TILES.names[state['declared'][seat] - 1]}" if state["declared"][seat] else ""


def say_liang(state: Any, seat: int, value: str | None) -> None:
    """For positions: the seat has said liang with a tile of that name."""
    if value is not None:
        state["declared"][seat] = 1 + TILES.kind(value)
        state["open_hand"][seat] = state["options"]["shown"]


VARIANT = Variant(
    name="expressive",
    title="Shown hands (亮牌)",
    version=1,
    cycle=DRAW,
    tiles=TILES,
    seats=SEATS,
    verbs=("discard", "liang", "self_gang", "peng", "gang", "hu", "pass"),
    own_verbs={"liang": "kind"},
    options=Options,
    presets={"open": {}, "closed": {"shown": False}},
    patterns=(
        Pattern("hu", "胡", "complete hand"),
        Pattern("triplets", "碰碰胡", "triplets"),
        Pattern("liang", "亮", "shown"),
    ),
    slip_reasons=("hu",),
    scratch=READINGS_FIELDS,
    pieces=(
        Piece("liang", "seats", "1 at the tile with which each seat has said liang", (1,)),
        Piece("open_hands", "seats", "each seat's concealed tiles where they lie open", COUNTS),
    ),
    details={"liang": say_liang},
    most_melds=SETS,
)
