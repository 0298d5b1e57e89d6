"""Three suits with 1s wild: any sets and a pair win, on a draw, a discard or a robbed gang; `value` points a payer."""

from dataclasses import dataclass

from mahjong_env.compiled import compiled
from mahjong_env.rules.actions import HU, PASS
from mahjong_env.rules.claims import HU_RANK, offer_discards, offer_gang_and_peng, offer_self_gangs
from mahjong_env.rules.draw.observation import observe
from mahjong_env.rules.draw.turns import deal, play, resume, start
from mahjong_env.rules.hooks import first_action
from mahjong_env.rules.laizi import makes_sets, makes_sets_with
from mahjong_env.rules.laizi import set_waits as waits_mask
from mahjong_env.rules.options import number
from mahjong_env.rules.payments import pay, write_slip
from mahjong_env.rules.state import OVER, ROBBING, SELF_DRAW
from mahjong_env.rules.table import wall_left
from mahjong_env.rules.variant import Variant
from mahjong_env.tiles import SUITS


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


@compiled
def after_hu(game, source):
    game.phase = OVER


VERBS = ("discard", "peng", "gang", "self_gang", "hu", "pass")
VARIANT = Variant("my_rules", "My rules", 0, SUITS, 4, VERBS, Options, {"usual": {}}, slip_reasons=("hu",))
