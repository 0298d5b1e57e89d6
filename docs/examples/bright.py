"""Two seats, dots, bamboo and dragons; who says `bright 3p` discards 3p, shows the hand, and wins twice as much.

It shows what `my_rules.py` leaves out: tiles of one's own choice, chi, a verb of one's own that discards, an open hand,
readings, patterns, pieces, scores, and what others can infer. A bright hand may only discard what it draws.
"""

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from mahjong_env.rules import (
    COUNTS,
    DISCARD,
    DRAW,
    HU,
    HU_RANK,
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
    Score,
    Variant,
    argument_of,
    clear_patterns,
    compiled,
    cover,
    first_action,
    flag,
    gain,
    greedy_claim,
    greedy_turn,
    held,
    keep_patterns,
    lose,
    makes_sets,
    makes_sets_with,
    note_readings,
    number,
    offer_chi,
    offer_discards,
    offer_gang_and_peng,
    offer_self_gangs,
    pay,
    ready_hand,
    standard_numbers,
    tile_set,
    wall_left,
    winner_deals,
    write_slip,
)
from mahjong_env.rules import set_waits as waits_mask

BRIGHT = OWN_VERB
TILES = tile_set("123456789p 123456789s C F B")  # kinds 0-8 are 1p-9p, 9-17 are 1s-9s, 18-20 the dragons


@dataclass(frozen=True)
class Options:
    value: int = number(1, 1, 9, "points of a win")
    shown: bool = flag(True, "a bright hand lies open")


# --- choices ----------------------------------------------------------------------------------------------------------


@compiled
def turn_choices(game, seat):
    if game.after_claim == 0 and makes_sets(game, seat, 0, False):
        game.legal[first_action(game, HU)] = 1
    if game.bright[seat]:
        game.legal[first_action(game, DISCARD) + int(game.drawn)] = 1
        return
    if wall_left(game) > 0:
        offer_self_gangs(game, seat)
    offer_discards(game, seat, True)
    for kind in range(game.hands.shape[1]):
        if game.hands[seat, kind] > 0 and is_ready_without(game, seat, kind):
            game.legal[first_action(game, BRIGHT) + kind] = 1


@compiled
def is_ready_without(game, seat, kind):
    lose(game, seat, kind)
    ready = waits_mask(game, seat) != 0
    gain(game, seat, kind)
    return ready


@compiled
def act_otherwise(game, seat, action):
    kind = argument_of(game, action)
    game.bright[seat] = 1
    game.declared[seat] = 1 + kind  # for all to hear: a token among the events
    game.open_hand[seat] = game.options.shown  # for all to see: in text, pictures and `resample`
    return kind  # discarded in the same decision


@compiled
def claim_choices(game, seat):
    kind = int(game.table_tile)
    rank = 0
    if makes_sets_with(game, seat, kind, False):
        game.legal[first_action(game, HU)] = 1
        rank = HU_RANK
    if game.phase != ROBBING and not game.bright[seat]:
        rank = max(rank, offer_gang_and_peng(game, seat, kind, wall_left(game) > 0), offer_chi(game, seat, kind))
    if rank > 0:
        game.legal[first_action(game, PASS)] = 1
    return rank


# --- payments ---------------------------------------------------------------------------------------------------------


@compiled
def settle_hu(game, by, source):
    for seat in range(2):
        if game.winning[seat]:
            kind = int(game.win_tile[seat])
            if by != SELF_DRAW:
                gain(game, seat, kind)  # another's tile is not in the hand
            value = note_patterns(game, seat)
            if by != SELF_DRAW:
                lose(game, seat, kind)
            game.win_fan[seat] = value
            keep_patterns(game, seat)
            pay(game, write_slip(game, 0, seat), 1 - seat, seat, value)
    winner_deals(game, source)


@compiled
def note_patterns(game, seat):
    """What the complete concealed tiles are, in `patterns`, and what they are worth; 0 if they are no sets and a pair."""
    clear_patterns(game)
    most = 0
    for reading in range(note_readings(game, seat)):
        most = max(most, 1 + concealed_triplets(game, reading))
    if most == 0:
        return 0
    game.patterns[0] = 1
    game.patterns[1] = most - 1
    game.patterns[2] = game.bright[seat]
    return int(game.options.value) * most * (2 if game.bright[seat] else 1)


@compiled
def concealed_triplets(game, reading):
    found = 0
    for place in range(1, game.readings.shape[1]):
        found += 1 if 0 <= game.readings[reading, place] < RUN else 0
    return found


# --- greedy, seen, scored, inferred -----------------------------------------------------------------------------------


@compiled
def choose(game, seat):
    """Greedy says `bright` as soon as it can."""
    for kind in range(game.hands.shape[1] if game.phase == TURN else 0):
        if game.legal[first_action(game, BRIGHT) + kind]:
            return first_action(game, BRIGHT) + kind
    return greedy_turn(game, seat) if game.phase == TURN else greedy_claim(game, seat)


@compiled
def observe_own(game, seat, out, row, all_seen):
    other = 1 - seat
    cover(game, out, row, game.bright[seat])
    cover(game, out, row + 1, game.bright[other])
    for kind in range(out.shape[1]):
        out[row + 2, kind] = game.hands[other, kind] if game.open_hand[other] else 0
    return row + 3


def describe_seat(state: Any, seat: int, viewer: int | None) -> str:
    return "bright" if state["bright"][seat] else ""


def score_position(state: Any, seat: int, kind: int, by: int, flags: tuple[str, ...]) -> Score:
    value = int(note_patterns(state, seat))
    return Score(hu=True, fan=value, fan_raw=value, value=value) if value else Score(hu=False, reason="no_structure")


def lay_bright(state: Any, seat: int, value: Any) -> None:
    state["bright"][seat] = bool(value)
    state["open_hand"][seat] = bool(value) and bool(state["options"]["shown"])


def known_hand(state: Any, seat: int, viewer: int, pool: np.ndarray, rng: random.Random) -> Known | None:
    """An open hand is known; one that is bright, and not shown, is ready, whatever it has drawn since."""
    if state["open_hand"][seat]:
        return Known(held(state, seat))
    if not state["bright"][seat]:
        return Known()
    hand = ready_hand(pool.tolist(), 4 - int(state["meld_count"][seat]), (), rng, standard=standard_numbers(state))
    return None if hand is None else Known(hand)


VARIANT = Variant(
    name="bright",
    title="Bright",
    cycle=DRAW,
    tiles=TILES,
    seats=2,
    verbs=("discard", "bright", "chi", "peng", "gang", "self_gang", "hu", "pass"),
    own_verbs={"bright": "kind"},
    options=Options,
    presets={"open": {}, "closed": {"shown": False}},
    patterns=(
        Pattern("hu", "胡", "sets and a pair"),
        Pattern("triplet", "暗刻", "each concealed triplet"),
        Pattern("bright", "明", "said bright"),
    ),
    slip_reasons=("hu",),
    fields=(("bright", "i1", ("seats",)),),
    scratch=READINGS_FIELDS,
    pieces=(
        Piece("bright", "seats", "1 where a seat has said bright"),
        Piece("open", 1, "the other's hand where it lies open", COUNTS),
    ),
    details={"bright": lay_bright},
)
