"""The expert player: a hand's chance to complete times the points it would bring, less what a discard may cost.

What a hand could become is asked of the variant (`prospect`), as are the points of a win (`hu_worth`) and the danger of a
discard (`danger`); the chances are computed here, from the tiles not seen and the draws left. All worths are points, as
floats made of sums, products and quotients alone, so that plain and compiled play choose alike.

It reads in the state just what an observation shows, as the greedy player does.
"""

import itertools
import math

import numpy as np

from mahjong_env.compiled import compiled, compiled_once
from mahjong_env.hands.queries import SEVEN
from mahjong_env.rules.actions import (
    CHI,
    DECLARE,
    DISCARD,
    GANG,
    HU,
    OPEN_GANG,
    OPEN_SELF_GANG,
    PASS,
    PENG,
    PLACES,
    SELF_GANG,
    TAKE,
)
from mahjong_env.rules.greedy import (
    STEP,
    WORST,
    appraise,
    choose_opening,
    declines,
    first_legal,
    greedy_action,
    unseen_copies,
)
from mahjong_env.rules.hooks import argument_of, first_action, optional_hook, verb_of
from mahjong_env.rules.state import BY_DISCARD, BY_ROBBING, OPENING, OWN, ROBBING, SELF_DRAW, TURN
from mahjong_env.rules.table import gain, lose, wall_left

# --- chances ----------------------------------------------------------------------------------------------------------

SETS, PURE, TRIPLETS, PAIRS = range(4)
"""What a hand may become: sets and a pair, the same in one suit, triplets and a pair, seven pairs."""

TYPICAL = (
    (4.1, 13.0, 24.0, 34.0, 44.0, 50.0, 54.0, 56.0),
    (4.8, 9.6, 13.2, 16.8, 20.4, 24.0, 26.4, 28.8),
    (3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0, 17.0),
    (2.5, 6.5, 10.0, 13.0, 16.0, 19.0, 21.0, 22.0),
)
"""Useful tiles not seen, of a hand so many tiles from ready, as they come about in play; by what it may become."""

CLAIMED = (0.25, 0.4, 1.5, 0.0)
"""Before a hand is ready: how much of a useful tile's chance to be drawn the opponents' discards add, in a typical hand."""

LET_GO = 0.75
"""How much likelier than a tile drawn by chance a useful tile is discarded by an opponent: they keep what they need."""

MOST_DRAWN, MOST_TAKEN = 0.9, 0.3
"""No chance to draw a useful tile, and none that a certain opponent discards one, is counted as more."""

MOST_DRAWS, OTHERS = 40, 3
"""Draws left and opponents, at most, in the tables of chances."""

WON = (0.0, 0.16, 0.16, 0.15, 0.14, 0.13, 0.12, 0.1, 0.09, 0.07, 0.05, 0.03, 0.01)
"""The chance that an opponent wins between two draws, by draws left."""


STILL_HERE = 1 - np.array([WON[min(draws, len(WON) - 1)] * (draws < len(WON)) for draws in range(MOST_DRAWS + 1)])
"""The chance that an opponent doesn't win between two draws, by draws left."""


def wins_to_come(others: int, draws: int, ends: bool) -> float:
    """Wins to expect of so many opponents before the wall ends, with so many draws left."""
    stay = float(np.prod(STILL_HERE[: draws + 1]))
    return 1 - stay**others if ends else others * (1 - stay)


def tabulate(typical: tuple[float, ...], claimed: float, ends: bool, let_go: float) -> np.ndarray:
    """(opponents + 1, stages, draws + 1, 4) float64: of a typical hand so far from ready, with so many draws left and so many
    opponents, how many opponents are expected to pay for a self-draw, the chances to win on a discard and to be ready when
    the wall ends, and how many wins of opponents still to come its own win spares it. `ends`: the first win ends the hand;
    else an opponent that wins leaves it. `let_go`: as LET_GO, of a ready hand; 0 where no discard is won on."""
    table = np.zeros((OTHERS + 1, len(typical), MOST_DRAWS + 1, 4))
    table[1:, 0, 0, 2] = 1
    for draws in range(1, MOST_DRAWS + 1):
        unseen = draws * (OTHERS + 1) + OTHERS * 13
        won = 1 - STILL_HERE[draws]
        for others, stage in itertools.product(range(1, OTHERS + 1), range(len(typical))):
            drawn = min(MOST_DRAWN, typical[stage] / unseen)
            if stage == 0:
                moved = 1 - (1 - drawn) * (1 - let_go * drawn) ** others
                reached = np.array([drawn * others, moved - drawn, 0.0, moved * wins_to_come(others, draws, ends)])
            else:
                moved = min(MOST_DRAWN, drawn * (1 + claimed * others / OTHERS))
                reached = moved * after_turn(table[:, stage - 1, draws - 1], others, won, ends)
            table[others, stage, draws] = reached + (1 - moved) * after_turn(
                table[:, stage, draws - 1], others, won, ends
            )
    return table


def after_turn(later: np.ndarray, others: int, won: float, ends: bool) -> np.ndarray:
    """What is expected after the opponents' turns: of `later`, (opponents + 1, 4), by how many of them are left."""
    if ends:
        return (1 - won) ** others * later[others]
    left = [math.comb(others, n) * (1 - won) ** n * won ** (others - n) for n in range(others + 1)]
    return np.asarray(left) @ later[: others + 1]


RULES = ((False, LET_GO), (True, LET_GO), (False, 0.0), (True, 0.0))
"""Whether a win ends the hand, and how discards are won on."""

MOST_WAITS = 20
"""Tiles waited for, at most, in the table of ready hands."""

READY = np.array([[tabulate((float(waits),), 0.0, *rules)[:, 0] for waits in range(MOST_WAITS + 1)] for rules in RULES])
"""(4, tiles waited for, opponents + 1, draws + 1, 4): as CHANCES, of a ready hand."""

CHANCES = np.array(
    [[tabulate(typical, claimed, *rules) for rules in RULES] for typical, claimed in zip(TYPICAL, CLAIMED, strict=True)]
)
"""(4, 4, …): by what the hand may become and the rules, as `tabulate` has them."""

WINS_TO_COME = np.array(
    [
        [[wins_to_come(others, draws, ends) for draws in range(MOST_DRAWS + 1)] for others in range(OTHERS + 1)]
        for ends in (False, True)
    ]
)
"""(2, opponents + 1, draws + 1): wins of opponents to expect, by whether a win ends the hand."""

TYPICAL_USEFUL = np.array(TYPICAL)
RESHAPED, RESHAPED_CLAIMS = 0.55, 0.3
"""A hand with fewer useful tiles than is typical comes to have more, as others are drawn: this part of the difference, and
so much of that can be claimed too before the hand is ready."""

LAST_DRAW = 1
"""A last draw is counted where the wall lacks so many tiles for it: another's claim may bring it round."""


@compiled
def expect(game, seat, form, distance, useful, claimable, next_useful, each, by_discard, if_ready):
    """Points to expect of a hand `distance` tiles from becoming ready as `form`, `useful` tiles not seen bringing it nearer
    (or completing it, at 0), `claimable` of them also as a discard, and `next_useful` completing it once it is ready; a
    self-draw brings `each` from every opponent, a discard `by_discard`, a ready hand at the wall's end `if_ready`."""
    others = min(OTHERS, opponents_left(game, seat))
    left = wall_left(game)
    draws = min(MOST_DRAWS, (left + LAST_DRAW) // (others + 1))
    unseen = float(max(1, left + tiles_of_others(game, seat)))
    rules = rules_of(game, seat)
    wanting = max(0.0, TYPICAL_USEFUL[form, min(distance, CHANCES.shape[3] - 1)] - useful)
    useful += RESHAPED * wanting
    claimable += RESHAPED * wanting * (1.0 if distance == 0 else RESHAPED_CLAIMS)
    drawn = min(MOST_DRAWN, useful / unseen)
    taken = 0.0 if distance == 0 and rules >= 2 else min(MOST_TAKEN, LET_GO * claimable / unseen)
    here, worth = 1.0, 0.0  # the chance that the hand still is where it is now
    payers, spared = float(others), loss_by_win(game, seat)
    later = min(max(distance - 1, 0), CHANCES.shape[3] - 1)
    fewer = min(MOST_WAITS - 1, int(next_useful))
    more = min(1.0, next_useful - fewer)
    for draw in range(draws):
        rest = draws - draw - 1
        stays = STILL_HERE[rest + 1]  # the opponents come first
        if rules % 2 == 1:
            for _ in range(others):
                here *= stays
        else:
            payers *= stays
        claimed = (1.0 - drawn) * taken * payers
        if distance == 0:
            worth += here * (drawn * payers * each + claimed * by_discard)
            worth += here * (drawn + claimed) * spared * to_come(rules, payers, rest)
        else:
            most = min(others, int(payers) + 1)
            part = payers - (most - 1)
            for n in range(most - 1, most + 1):
                weight = here * (drawn + claimed) * (part if n == most else 1.0 - part)
                if distance == 1:
                    few = weight * (1.0 - more)
                    many = weight * more
                    worth += (few * READY[rules, fewer, n, rest, 0] + many * READY[rules, fewer + 1, n, rest, 0]) * each
                    worth += (
                        few * READY[rules, fewer, n, rest, 1] + many * READY[rules, fewer + 1, n, rest, 1]
                    ) * by_discard
                    worth += (
                        few * READY[rules, fewer, n, rest, 2] + many * READY[rules, fewer + 1, n, rest, 2]
                    ) * if_ready
                    worth += (
                        few * READY[rules, fewer, n, rest, 3] + many * READY[rules, fewer + 1, n, rest, 3]
                    ) * spared
                else:
                    worth += weight * CHANCES[form, rules, n, later, rest, 0] * each
                    worth += weight * CHANCES[form, rules, n, later, rest, 1] * by_discard
                    worth += weight * CHANCES[form, rules, n, later, rest, 2] * if_ready
                    worth += weight * CHANCES[form, rules, n, later, rest, 3] * spared
        here *= (1.0 - drawn) - claimed
    if distance == 0:
        worth += here * if_ready
    return worth


@compiled
def expect_triplets(game, seat, kinds, each, by_discard, if_ready):
    """Points to expect of triplets and a pair of the kinds in the bit set alone; 0 where a meld bars them, or where the hand
    is ready, which is worth its waits."""
    melds = int(game.meld_count[seat])
    for place in range(melds):
        if game.melded[seat, int(game.meld_tile[seat, place])] < 3:
            return 0.0
    triplets = pairs = useful = 0
    for kind in range(game.hands.shape[1]):
        held = int(game.hands[seat, kind]) * (kinds >> kind & 1)
        triplets += 1 if held >= 3 else 0
        pairs += 1 if held == 2 else 0
        useful |= (1 << kind) if held == 2 else 0
    wanted = game.meld_verb.shape[1] + 1 - melds  # the pair too
    pairs = min(pairs, wanted - triplets)
    singles = wanted - triplets - pairs
    distance = 2 * singles + pairs - 2
    if distance <= 0:
        return 0.0
    left = float(unseen_copies(game, seat, useful))
    drawn = left + (2.0 * singles if pairs == 0 else 0.0)
    return expect(game, seat, TRIPLETS, distance, drawn, left, TYPICAL[TRIPLETS][0], each, by_discard, if_ready)


@compiled
def expect_pairs(game, seat, kinds, each, by_discard, if_ready):
    """As `expect_triplets`, of seven pairs."""
    if game.meld_count[seat] > 0:
        return 0.0
    pairs = singles = useful = 0
    for kind in range(game.hands.shape[1]):
        held = int(game.hands[seat, kind]) * (kinds >> kind & 1)
        pairs += held // 2
        singles += held % 2
        useful |= (1 << kind) if held % 2 == 1 else 0
    distance = SEVEN - 1 - pairs
    if distance <= 0:
        return 0.0
    left = float(unseen_copies(game, seat, useful) + 3 * max(0, SEVEN - singles - pairs))
    return expect(game, seat, PAIRS, distance, left, 0.0, TYPICAL[PAIRS][0], each, by_discard, if_ready)


@compiled
def rules_of(game, seat):
    """The place in RULES."""
    return (1 if ends_at_win(game) else 0) + (0 if win_points(game, seat, BY_DISCARD) > 0.0 else 2)


@compiled
def to_come(rules, payers, draws):
    """Wins to expect of opponents, by how many of them are expected to be left."""
    if rules % 2 == 1:
        return WINS_TO_COME[1, OTHERS, draws]
    return payers * WINS_TO_COME[0, 1, draws]


@compiled
def chances_of_one(game, seat):
    """Of a single tile not seen: how many opponents are expected to be left when the seat draws it, and the chance that one
    of them discards it first."""
    others = min(OTHERS, opponents_left(game, seat))
    draws = min(MOST_DRAWS, wall_left(game) // (others + 1))
    rules = rules_of(game, seat)
    return READY[rules, 1, others, draws, 0], READY[rules, 1, others, draws, 1]


@compiled
def gangs_to_come(game, seat, more):
    """Points to expect of gangs: of three concealed tiles by the fourth's draw or discard, of a peng by its draw. `more`:
    what each gang adds to the hand besides."""
    total = 0.0
    for kind in range(game.hands.shape[1]):
        concealed, melded = int(game.hands[seat, kind]), int(game.melded[seat, kind])
        if (concealed == 3 and melded == 0) or (concealed == 0 and melded == 3 and is_peng(game, seat, kind)):
            if unseen_copies(game, seat, 1 << kind) > 0:
                drawn, discarded = chances_of_one(game, seat)
                total += drawn * (gang_points(game, CONCEALED if concealed == 3 else ADDED) + more / OTHERS)
                if concealed == 3:
                    total += discarded * (gang_points(game, EXPOSED) + more)
    return total


@compiled
def is_peng(game, seat, kind):
    """Whether the seat's melded tiles of the kind are a peng."""
    for place in range(int(game.meld_count[seat])):
        if game.meld_tile[seat, place] == kind and game.meld_verb[seat, place] == PENG:
            return True
    return False


@compiled
def worth_of_hu(game, seat, by):
    """Points that the win offered brings, and those it spares the seat."""
    others = min(OTHERS, opponents_left(game, seat))
    draws = min(MOST_DRAWS, (wall_left(game) + others) // (others + 1))
    spared = to_come(rules_of(game, seat), float(others), draws) * loss_by_win(game, seat)
    return hu_worth(game, seat, by) + spared


@compiled
def tiles_of_others(game, seat):
    """Concealed tiles of the other seats."""
    held = 0
    for other in range(len(game.points)):
        if other != seat:
            for kind in range(game.hands.shape[1]):
                held += int(game.hands[other, kind])
    return held


# --- what is asked of a variant ---------------------------------------------------------------------------------------


@optional_hook(returns="the points")
def prospect(game, seat):
    """Points that the seat's concealed tiles, one fewer than a complete hand, are expected to bring."""
    worth = appraise(game, seat, WORST)
    distance = max(0, (STEP - 1 - worth) // STEP)
    useful = float(max(0, worth + STEP * distance))
    claimable = useful * (1.0 if distance == 0 else CLAIMED[SETS] / OTHERS)
    each, by_discard = win_points(game, seat, SELF_DRAW), win_points(game, seat, BY_DISCARD)
    hand = expect(game, seat, SETS, distance, useful, claimable, TYPICAL[SETS][0], each, by_discard, 0.0)
    return hand + gangs_to_come(game, seat, 0.0)


@optional_hook(returns="the points")
def win_points(game, seat, by):
    """Points that a typical win of the seat brings from each who pays, 0 where there are none: by SELF_DRAW all pay, by
    BY_DISCARD one does."""
    return 1.0


@optional_hook(returns="the points")
def hu_worth(game, seat, by):
    """Points that the win offered to the seat brings."""
    return opponents_left(game, seat) * win_points(game, seat, SELF_DRAW) if by == SELF_DRAW else 1.0


ADDED, CONCEALED, EXPOSED = range(3)
"""How a gang comes about."""


@optional_hook(returns="the points")
def gang_points(game, how):
    """Points that a gang brings: ADDED or CONCEALED from each who plays, EXPOSED from who discarded the tile."""
    return 0.0


@optional_hook(returns="the points")
def gang_worth(game, seat, verb, kind):
    """Points paid at once for a gang that the seat may declare by that verb."""
    if verb not in (SELF_GANG, OPEN_SELF_GANG):
        return gang_points(game, EXPOSED)
    return opponents_left(game, seat) * gang_points(game, CONCEALED if game.hands[seat, kind] == 4 else ADDED)


@optional_hook(returns="the points")
def danger(game, seat, kind):
    """Points that the discard of that kind is expected to cost, since others may win on it."""
    cost = 0.0
    for other in range(len(game.points)):
        if other != seat:
            cost += readiness(game, other) * waited_for(game, seat, other, kind) * deal_in_points(game, other)
    return cost


@optional_hook(returns="the points")
def loss_by_win(game, seat):
    """Points that an opponent's win costs the seat on average while it still plays."""
    return win_points(game, seat, SELF_DRAW)


@optional_hook(returns="the points")
def deal_in_points(game, other):
    """Points that a discard costs on which another seat wins, by what all see of that seat; 0 where none is won on."""
    return 1.0


@optional_hook(returns="the number")
def opponents_left(game, seat):
    """Other seats that still play."""
    return len(game.points) - 1


@optional_hook(returns="whether it does")
def ends_at_win(game):
    """Whether the first win ends the hand."""
    return True


@optional_hook(returns="whether they do")
def wins_differ(game):
    """Whether wins differ so much in worth that a cheap one may be let go for a dearer one."""
    return False


@optional_hook(returns="an action")
def choose_as_expert(game, seat):
    """The expert's choice where no opening is asked about. A game whose turns or claims are not those of the draw cycle
    answers it, if only with greedy's choice."""
    if game.phase == TURN:
        return expert_turn(game, seat)
    if game.phase >= OWN:
        return greedy_action(game)
    return expert_claim(game, seat)


# --- danger -----------------------------------------------------------------------------------------------------------

READY_BY_DRAWS = np.array(
    [0.01, 0.02, 0.04, 0.07, 0.11, 0.16, 0.22, 0.28, 0.35, 0.42, 0.48, 0.54, 0.6, 0.65, 0.7, 0.74, 0.78, 0.8]
)
"""The chance that a seat is ready after so many draws, each meld counting as two."""

WAITED = np.array([0.07, 0.09, 0.11, 0.12, 0.12, 0.12, 0.11, 0.09, 0.07])
"""The chance that a ready hand waits for a kind, by rank."""

DISCARDED_ITSELF = 0.35
"""How much of it is left for a kind that the seat itself has discarded."""

UNSEEN_SHARE = np.array([0.35, 0.6, 0.85, 1.0, 1.0])
"""How much by copies that the asking seat hasn't seen."""


@compiled
def readiness(game, other):
    """The chance that another seat is ready."""
    return READY_BY_DRAWS[min(len(READY_BY_DRAWS) - 1, int(game.draws[other]) + 2 * int(game.meld_count[other]))]


@compiled
def waited_for(game, seat, other, kind):
    """The chance that another seat, if it is ready, waits for a kind."""
    chance = WAITED[kind % 9] * UNSEEN_SHARE[min(4, unseen_copies(game, seat, 1 << kind))]
    if discarded_by(game, other, kind):
        chance *= DISCARDED_ITSELF
    return chance


@compiled
def discarded_by(game, other, kind):
    """Whether a seat has discarded that kind."""
    return game.last_discard[other, kind] > 0


# --- choices ----------------------------------------------------------------------------------------------------------


@compiled_once
def expert_action(game):
    """Take a win unless more is expected without it; else whatever is worth most points."""
    seat = int(game.to_act)
    for verb in (DECLARE, TAKE):
        action = first_action(game, verb)
        if action >= 0 and game.legal[action] and not declines(game, seat, verb):
            return action
    if game.phase == OPENING:
        return choose_opening(game, seat)
    return choose_as_expert(game, seat)


TAKEN_AT_ONCE = 1e9


@compiled
def expert_turn(game, seat):
    """Hu, the best discard, or a gang."""
    best, most = first_legal(game), -1e9
    for action in range(len(game.legal)):
        if game.legal[action]:
            verb = verb_of(game, action)
            kind = argument_of(game, action)
            worth = -1e8
            if verb == DISCARD:
                cost = danger(game, seat, kind)
                lose(game, seat, kind)
                worth = prospect(game, seat) - cost
                gain(game, seat, kind)
            elif verb in (SELF_GANG, OPEN_SELF_GANG):
                worth = gang_worth(game, seat, verb, kind) + prospect_melded(
                    game, seat, kind, int(game.hands[seat, kind])
                )
            elif verb == HU:
                worth = worth_of_hu(game, seat, SELF_DRAW) if wins_differ(game) else TAKEN_AT_ONCE
            if worth > most:
                best, most = action, worth
    return best


@compiled
def expert_claim(game, seat):
    """Hu, gang, peng, chi or pass, whichever is worth most."""
    kind = int(game.table_tile)
    passing = first_action(game, PASS)
    best, most = first_legal(game), -1e9
    if passing >= 0 and game.legal[passing]:
        best, most = passing, prospect(game, seat)
    hu = first_action(game, HU)
    if hu >= 0 and game.legal[hu] and not wins_differ(game):
        return hu
    if hu >= 0 and game.legal[hu]:
        worth = worth_of_hu(game, seat, BY_ROBBING if game.phase == ROBBING else BY_DISCARD)
        if worth >= most:
            best, most = hu, worth
    for verb in (OPEN_GANG, GANG):
        gang = first_action(game, verb)
        if gang >= 0 and game.legal[gang]:
            worth = gang_worth(game, seat, verb, kind) + prospect_melded(game, seat, kind, 3)
            if worth > most:
                best, most = gang, worth
    peng, chi = first_action(game, PENG), first_action(game, CHI)
    if peng >= 0 and game.legal[peng]:
        worth = prospect_after_claim(game, seat, kind, kind, kind, kind)
        if worth > most:
            best, most = peng, worth
    for place in range(len(PLACES) if chi >= 0 else 0):
        if game.legal[chi + place]:
            one = kind - place if place > 0 else kind + 1
            other = kind + 2 - place if place < 2 else kind - 1
            worth = prospect_after_claim(game, seat, kind, one, other, kind - place)
            if worth > most:
                best, most = chi + place, worth
    return best


@compiled
def prospect_melded(game, seat, kind, from_hand):
    """What to expect once `from_hand` tiles have gone into a gang; adding to a peng makes no new meld."""
    new = 1 if from_hand > 1 else 0
    place, melded = int(game.meld_count[seat]), int(game.melded[seat, kind])
    if new == 1 and place >= game.meld_verb.shape[1]:
        return 0.0
    last = min(place, game.meld_verb.shape[1] - 1)
    tile, verb = int(game.meld_tile[seat, last]), int(game.meld_verb[seat, last])
    for _ in range(from_hand):
        lose(game, seat, kind)
    if new == 1:
        game.meld_tile[seat, last] = kind
        game.meld_verb[seat, last] = SELF_GANG if from_hand == 4 else GANG
    game.meld_count[seat] += new
    game.melded[seat, kind] = 4
    worth = prospect(game, seat)
    game.melded[seat, kind] = melded
    game.meld_count[seat] -= new
    game.meld_tile[seat, last] = tile
    game.meld_verb[seat, last] = verb
    for _ in range(from_hand):
        gain(game, seat, kind)
    return worth


@compiled
def prospect_after_claim(game, seat, kind, one, another, lowest):
    """What to expect after a meld of the tile on the table with two of the hand, and the best discard that follows."""
    lose(game, seat, one)
    lose(game, seat, another)
    place = int(game.meld_count[seat])
    tile, verb = int(game.meld_tile[seat, place]), int(game.meld_verb[seat, place])
    game.meld_tile[seat, place] = lowest
    game.meld_verb[seat, place] = PENG if one == kind else CHI
    game.melded[seat, kind] += 1
    game.melded[seat, one] += 1
    game.melded[seat, another] += 1
    game.meld_count[seat] += 1
    most = -1e9
    for other in range(game.hands.shape[1]):
        if game.hands[seat, other] > 0 and may_discard_after_claim(game, seat, other):
            cost = danger(game, seat, other)
            lose(game, seat, other)
            most = max(most, prospect(game, seat) - cost)
            gain(game, seat, other)
    game.meld_count[seat] -= 1
    game.melded[seat, kind] -= 1
    game.melded[seat, one] -= 1
    game.melded[seat, another] -= 1
    game.meld_tile[seat, place] = tile
    game.meld_verb[seat, place] = verb
    gain(game, seat, one)
    gain(game, seat, another)
    return most


@optional_hook(returns="whether it may")
def may_discard_after_claim(game, seat, kind):
    """Whether the seat could discard that kind after a claim."""
    return True
