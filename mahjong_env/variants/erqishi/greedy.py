"""What the greedy player does where it can't win: keep the hand as few claims from a legal win as it can."""

from mahjong_env.compiled import compiled
from mahjong_env.hands.zipai import CHI_SETS, KINDS, NODES, SETS_WITH, distance
from mahjong_env.rules.actions import BAI, CHI_SET, DISCARD, DUI, PASS, SWAP
from mahjong_env.rules.greedy import first_legal, greedy_action, unseen_copies
from mahjong_env.rules.hooks import first_action
from mahjong_env.rules.state import LAYING, NO_TILE, TURN
from mahjong_env.rules.table import gain, lose
from mahjong_env.variants.erqishi.legal import cards_of, is_one_too_many, own_part, put_back, take_set
from mahjong_env.variants.erqishi.reading import (
    AS_NOTHING,
    dui_points,
    gather,
    gather_exposed,
    gather_locked,
    least_points,
    set_points,
    sets_of,
)

FAR = 5
"""More claims than this are not told apart."""
STEPS = 1000
"""Most steps of a search, which bounds its time."""


@compiled
def look_at(game, seat):
    """Gather the seat's exposed and locked groups; its free cards are in `loose`."""
    gather_exposed(game, seat)
    gather_locked(game, seat, NO_TILE, AS_NOTHING, 0)


@compiled
def claims_to_win(game, is_first, spares, least, most):
    """The claims, the winning one included, by which the hand looked at becomes a legal win, from `least` on; most + 1 for
    more. Unless `is_first`, the state's `survey` gathers what each spare card leaves of use."""
    small, big = int(game.loose[0]), int(game.loose[1])
    pairs = 1 if game.quads > 0 else 0
    groups, points = sets_of(game) - int(game.groups) - pairs, least_points(game) - int(game.gathered)
    if groups < 0:
        return most + 1
    game.survey[NODES] = STEPS
    return distance(game.survey, is_first, small, big, groups, pairs, points, spares, least, most)


@compiled
def choose(game, seat):
    """The greedy player's choice."""
    if game.phase == TURN:
        return choose_card(game, seat, first_action(game, DISCARD))
    if game.phase == LAYING:
        return choose_bai(game, seat)
    return choose_claim(game, seat)


@compiled
def choose_as_expert(game, seat):
    """The expert plays zipai as greedy does."""
    return greedy_action(game)


@compiled
def choose_opening(game, seat):
    """Which cards to pass on in the swap."""
    return choose_card(game, seat, first_action(game, SWAP))


@compiled
def choose_card(game, seat, first):
    """The card without which the hand is nearest to a win and most cards are of use to it."""
    look_at(game, seat)
    claims_to_win(game, False, 1, 0, FAR)
    best, most = first_legal(game), -1
    for kind in range(KINDS):
        useful, game.survey[kind] = int(game.survey[kind]), 0
        if game.legal[first + kind] and useful:
            worth = unseen_copies(game, seat, useful)
            if worth > most:
                best, most = first + kind, worth
    game.survey[NODES] = 0
    return best


@compiled
def choose_bai(game, seat):
    """The set to lay that leaves the hand nearest to a win."""
    best, least = first_legal(game), FAR + 2
    for place in range(SETS_WITH.shape[1]):
        chi_set = int(SETS_WITH[game.eaten, place])
        if chi_set >= 0 and game.legal[first_action(game, BAI) + chi_set]:
            away = away_after(game, seat, chi_set, NO_TILE, 0, 0, least - 1)
            if away < least:
                best, least = first_action(game, BAI) + chi_set, away
    return best


@compiled
def away_after(game, seat, chi_set, eaten, spares, least, most):
    """How far from a win the seat is once it has laid the set; most + 1 for more."""
    take_set(game, seat, chi_set, eaten)
    look_at(game, seat)
    gather(game, 1, set_points(chi_set))
    away = claims_to_win(game, True, spares, least, most)
    put_back(game, seat, own_part(chi_set, eaten))
    return away


@compiled
def away_after_dui(game, seat, kind, spares, least, most):
    """How far from a win the seat is after a dui; most + 1 for more."""
    lose(game, seat, kind)
    lose(game, seat, kind)
    look_at(game, seat)
    gather(game, 1, dui_points(kind))
    away = claims_to_win(game, True, spares, least, most)
    gain(game, seat, kind)
    gain(game, seat, kind)
    return away


@compiled
def choose_claim(game, seat):
    """A claim that brings the hand nearer to a win, which is by one; else pass."""
    kind, due = int(game.table_tile), is_one_too_many(game, seat, cards_of(game, seat) + 1)
    look_at(game, seat)
    nearer = claims_to_win(game, True, 0, 0, FAR) - 1
    best = first_action(game, PASS)
    if game.legal[first_action(game, DUI)] and away_after_dui(game, seat, kind, due, nearer, nearer) == nearer:
        best = first_action(game, DUI)
    for chi_set in range(len(CHI_SETS)):
        action = first_action(game, CHI_SET) + chi_set
        if best == first_action(game, PASS) and game.legal[action]:
            if away_after(game, seat, chi_set, kind, due, nearer, nearer) == nearer:
                best = action
    game.survey[NODES] = 0
    return best
