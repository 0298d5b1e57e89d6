"""A small variant of a stranger's, to show what a variant file outside the package needs: three suits on the draw cycle.

No opening and no options to speak of: one complete hand ends the game, a win on a discard is paid by the discarder, a
self-draw by all, and the wall's end by nobody.
"""

from dataclasses import dataclass

from mahjong_env.rules import (
    DISCARD,
    DRAW,
    GANG,
    GANG_RANK,
    HU,
    HU_RANK,
    PASS,
    PENG,
    PENG_RANK,
    ROBBING,
    SELF_DRAW,
    SELF_GANG,
    SUITS,
    Pattern,
    Variant,
    compiled,
    complete_at,
    first_action,
    flag,
    gain,
    lose,
    number,
    pay,
    peng_of,
    wall_left,
    write_slip,
)


@dataclass(frozen=True)
class Options:
    """The options of the game."""

    value: int = number(2, 1, 9, "points a winner gets from each payer")
    pengs: bool = flag(True, "whether discards may be claimed for a peng or a gang")


@compiled
def turn_choices(game, seat):
    """Hu and gangs after a draw, and any discard."""
    drew = game.after_claim == 0
    if drew and complete_at(game.keys, seat, 0):
        game.legal[first_action(game, HU)] = 1
    for kind in range(27):
        held = game.hands[seat, kind]
        if held > 0:
            game.legal[first_action(game, DISCARD) + kind] = 1
        if drew and wall_left(game) > 0 and (held == 4 or (held == 1 and peng_of(game, seat, kind) >= 0)):
            game.legal[first_action(game, SELF_GANG) + kind] = 1


@compiled
def claim_choices(game, seat):
    """Hu, gang and peng."""
    kind = int(game.table_tile)
    held = game.hands[seat, kind]
    rank = 0
    gain(game, seat, kind)
    if complete_at(game.keys, seat, 0):
        game.legal[first_action(game, HU)] = 1
        rank = HU_RANK
    lose(game, seat, kind)
    if game.phase != ROBBING and game.options.pengs:
        if held == 3 and wall_left(game) > 0:
            game.legal[first_action(game, GANG)] = 1
            rank = max(rank, GANG_RANK)
        if held >= 2:
            game.legal[first_action(game, PENG)] = 1
            rank = max(rank, PENG_RANK)
    if rank > 0:
        game.legal[first_action(game, PASS)] = 1
    return rank


@compiled
def waits_mask(game, seat):
    """Every kind that completes the hand."""
    mask = 0
    for kind in range(27):
        if game.hands[seat, kind] < 4:
            gain(game, seat, kind)
            if complete_at(game.keys, seat, 0):
                mask |= 1 << kind
            lose(game, seat, kind)
    return mask


@compiled
def settle_hu(game, by, source):
    """The discarder pays, or after a self-draw everybody; the winner deals next."""
    value = int(game.options.value)
    for seat in range(4):
        if game.winning[seat]:
            game.next_dealer = seat
            game.win_tile[seat] = game.drawn if by == SELF_DRAW and game.drawn >= 0 else game.table_tile
            game.win_patterns[seat, 0] = 1
            slip = write_slip(game, 0, seat)
            for payer in range(4):
                if payer != seat and (by == SELF_DRAW or payer == source):
                    pay(game, slip, payer, seat, value)


VARIANT = Variant(
    name="plain_three_suits",
    title="Three suits, as plain as can be",
    version=0,
    cycle=DRAW,
    tiles=SUITS,
    seats=4,
    verbs=("discard", "self_gang", "peng", "gang", "hu", "pass"),
    options=Options,
    presets={"usual": {}, "fast": {"pengs": False}},
    patterns=(Pattern("hu", "胡", "complete hand"),),
    slip_reasons=("hu",),
)
