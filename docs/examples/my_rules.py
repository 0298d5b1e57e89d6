"""Three suits with 1s wild: any sets and a pair win, on a draw, a discard or a robbed gang; `value` points a payer."""

from dataclasses import dataclass

from mahjong_env.rules import (
    DRAW,
    HU,
    HU_RANK,
    OVER,
    PASS,
    ROBBING,
    SELF_DRAW,
    SUITS,
    Variant,
    compiled,
    first_action,
    makes_sets,
    makes_sets_with,
    number,
    offer_discards,
    offer_gang_and_peng,
    offer_self_gangs,
    pay,
    wall_left,
    write_slip,
)
from mahjong_env.rules import set_waits as waits_mask


@dataclass(frozen=True)
class Options:
    value: int = number(2, 1, 9, "points a winner gets from each payer")


@compiled
def laizi_kinds(game):
    return 1 << 18  # a bit for each wild kind: 1s


@compiled
def turn_choices(game, seat):
    game.legal[first_action(game, HU)] = 1 if game.after_claim == 0 and makes_sets(game, seat, 0, True) else 0
    if wall_left(game) > 0:
        offer_self_gangs(game, seat)
    offer_discards(game, seat, True)


@compiled
def claim_choices(game, seat):
    kind = int(game.table_tile)
    hu = makes_sets_with(game, seat, kind, True)
    rank = 0 if game.phase == ROBBING else offer_gang_and_peng(game, seat, kind, wall_left(game) > 0)
    game.legal[first_action(game, HU)] = 1 if hu else 0
    game.legal[first_action(game, PASS)] = 1 if hu or rank > 0 else 0
    return HU_RANK if hu else rank


@compiled
def settle_hu(game, by, source):
    for seat in range(4):
        slip = write_slip(game, 0, seat) if game.winning[seat] else 0
        for payer in range(4):
            if game.winning[seat] and payer != seat and (by == SELF_DRAW or payer == source):
                pay(game, slip, payer, seat, int(game.options.value))


VARIANT = Variant(
    name="my_rules",
    title="My rules",
    cycle=DRAW,
    tiles=SUITS,
    seats=4,
    verbs=("discard", "peng", "gang", "self_gang", "hu", "pass"),
    options=Options,
    presets={"usual": {}},
    slip_reasons=("hu",),
)
