"""What the expert asks: points to expect of a hand by what it could become, of a win, a gang, and a discard's danger."""

from mahjong_env.compiled import compiled
from mahjong_env.hands.queries import hand_useful, hand_waits, kinds_at, missing
from mahjong_env.hands.tables import PAIRED, WEIGHT
from mahjong_env.rules.actions import GANG
from mahjong_env.rules.expert import (
    ADDED,
    PURE,
    SETS,
    TYPICAL,
    expect,
    expect_pairs,
    expect_triplets,
    gangs_to_come,
    readiness,
    waited_for,
)
from mahjong_env.rules.greedy import unseen_copies
from mahjong_env.rules.state import BY_DISCARD, NOBODY, SELF_DRAW
from mahjong_env.rules.table import gain, lose
from mahjong_env.variants.sichuan.fan import (
    evaluate,
    fan_on_table_tile,
    holds_void,
    is_fed_flower,
    plays_on,
    situation,
    value_of,
    waits_mask,
)
from mahjong_env.variants.sichuan.options import XUELIU, ZIMO_BASE, ZIMO_FAN

SUIT_BITS = 0b111111111


@compiled
def opponents_left(game, seat):
    """Other seats that still play."""
    left = 0
    for other in range(4):
        left += 1 if other != seat and plays_on(game, other) else 0
    return left


@compiled
def ends_at_win(game):
    """A win ends the hand only once three have won."""
    return False


@compiled
def wins_differ(game):
    """By fan."""
    return True


LOSS_BY_WIN = 1.2
"""In points, where a self-draw isn't a fan; tuned, as are the numbers below."""


@compiled
def loss_by_win(game, seat):
    """A third of the wins are self-drawn, which all pay; of the others the seat pays its share. In xueliu the seat goes on
    paying when it has won."""
    if game.options.mode == XUELIU:
        return 0.0
    return LOSS_BY_WIN * (2.0 if game.options.zimo == ZIMO_FAN else 1.0)


@compiled
def may_discard_after_claim(game, seat, kind):
    """Void-suit tiles go first, where that is the rule."""
    return not game.options.void_first or not holds_void(game, seat) or kind // 9 == game.void[seat]


@compiled
def by_draw(game, fan):
    """Points of each payer for a self-draw with that many fan, its own aside."""
    if game.options.zimo == ZIMO_FAN:
        return float(value_of(game, fan + 1))
    return float(value_of(game, fan) + (1 if game.options.zimo == ZIMO_BASE else 0))


@compiled
def hu_worth(game, seat, by):
    """Points that the win offered to the seat brings."""
    if by != SELF_DRAW:
        return float(value_of(game, fan_on_table_tile(game, seat, by)))
    bits = situation(game, seat, SELF_DRAW)
    kind = int(game.drawn) if game.drawn >= 0 else 0
    fan = evaluate(game, seat, kind, SELF_DRAW, bits)
    if is_fed_flower(game, bits):
        return float(value_of(game, fan))
    return float(opponents_left(game, seat) * (value_of(game, fan) + (1 if game.options.zimo == ZIMO_BASE else 0)))


GANG_FAN = 0.5
"""The fan of a gang makes the hand worth so much more."""


@compiled
def gang_points(game, how):
    """Rules page 3.1."""
    return 1.0 if how == ADDED else 2.0


@compiled
def gang_worth(game, seat, verb, kind):
    """Points paid at once for a gang (rules page 3.1)."""
    others = opponents_left(game, seat)
    if verb == GANG:
        return 2.0 + (others - 1) * int(game.options.direct_gang_others)
    if game.hands[seat, kind] == 4:
        return 2.0 * others
    return float(others * (1 if game.drawn == kind else int(game.options.stale_added_gang_pays)))


@compiled
def prospect(game, seat):
    """The most of what the hand could become: with two suits or one, and each as sets, triplets or seven pairs."""
    void = int(game.void[seat])
    worth = 0.0
    for left_out in range(3):
        if void == NOBODY or left_out == void:
            one, other = (left_out + 1) % 3, (left_out + 2) % 3
            worth = max(worth, prospect_in(game, seat, SUIT_BITS << 9 * one | SUIT_BITS << 9 * other, False))
            worth = max(worth, prospect_in(game, seat, SUIT_BITS << 9 * one, True))
            worth = max(worth, prospect_in(game, seat, SUIT_BITS << 9 * other, True))
    return worth + gangs_to_come(game, seat, GANG_FAN * worth)


@compiled
def prospect_in(game, seat, suits, pure):
    """The most of what the hand could become with the kinds in `suits` alone; `pure`: they are one suit."""
    for place in range(int(game.meld_count[seat])):
        if not suits >> int(game.meld_tile[seat, place]) & 1:
            return 0.0
    fan = (2 if pure else 0) + fours_in(game, seat, suits)
    return max(
        as_sets(game, seat, suits, pure, fan),
        expect_triplets(
            game, seat, suits, by_draw(game, fan + 1), float(value_of(game, fan + 1)), at_end(game, fan + 1)
        ),
        expect_pairs(game, seat, suits, by_draw(game, fan + 2), float(value_of(game, fan + 2)), at_end(game, fan + 2)),
    )


@compiled
def fours_in(game, seat, suits):
    """Kinds of those held or melded four times."""
    fours = 0
    for kind in range(27):
        if suits >> kind & 1 and game.hands[seat, kind] + game.melded[seat, kind] >= 4:
            fours += 1
    return fours


@compiled
def key_in(game, seat, suits, suit):
    """The key of a suit, 0 if it is left out."""
    return int(game.keys[seat, suit]) if suits >> 9 * suit & 1 else 0


@compiled
def as_sets(game, seat, suits, pure, fan):
    """Sets and a pair. A ready hand is worth what its waits bring."""
    sets = 4 - int(game.meld_count[seat])
    m, p, s = key_in(game, seat, suits, 0), key_in(game, seat, suits, 1), key_in(game, seat, suits, 2)
    distance = missing(m, p, s, 0, sets, 0) - 1
    if distance <= 0:
        return as_ready(game, seat) if not pure else 0.0
    useful = hand_useful(m, p, s, 0, sets, 0, 0, suits) & suits
    pairs = kinds_at(game.keys, seat, PAIRED) & useful
    next_useful = TYPICAL[SETS][0]
    if distance == 1:
        next_useful = waits_to_come(game, seat, suits, useful)
    return expect(
        game, seat, PURE if pure else SETS, distance, float(unseen_copies(game, seat, useful)),
        float(unseen_copies(game, seat, pairs)), next_useful, by_draw(game, fan), float(value_of(game, fan)), at_end(game, fan),
    )  # fmt: skip


@compiled
def waits_to_come(game, seat, suits, useful):
    """Tiles waited for, on average over the useful ones that make the hand ready, each with the best discard."""
    total, copies = 0, 0
    for kind in range(27):
        if useful >> kind & 1:
            left = unseen_copies(game, seat, 1 << kind)
            if left > 0:
                gain(game, seat, kind)
                total += left * most_waits(game, seat, suits)
                copies += left
                lose(game, seat, kind)
    return float(total) / copies if copies > 0 else 0.0


@compiled
def most_waits(game, seat, suits):
    """Tiles not seen that complete the hand, after the best discard."""
    m, p, s = key_in(game, seat, suits, 0), key_in(game, seat, suits, 1), key_in(game, seat, suits, 2)
    most = 0
    for kind in range(27):
        if game.hands[seat, kind] > 0:
            weight, suit = int(WEIGHT[kind]) * (suits >> kind & 1), kind // 9
            waits = hand_waits(
                m - (weight if suit == 0 else 0),
                p - (weight if suit == 1 else 0),
                s - (weight if suit == 2 else 0),
                0,
                0,
                0,
            )
            if waits & suits != 0:
                most = max(most, unseen_copies(game, seat, waits & suits))
    return most


@compiled
def at_end(game, fan):
    """Points of a ready hand when the wall ends, beside one that isn't."""
    return READY_AT_END * value_of(game, fan) + UNREADY_AT_END


READY_AT_END, UNREADY_AT_END = 0.3, 1.0
"""What a ready hand gets there, in parts of its value, and what it spares."""


@compiled
def as_ready(game, seat):
    """What the waits bring, each by its own fan."""
    waits = waits_mask(game, seat)
    if waits == 0:
        return 0.0
    copies, draw, discard = 0, 0.0, 0.0
    most = 0
    for kind in range(27):
        if waits >> kind & 1:
            gain(game, seat, kind)
            fan = evaluate(game, seat, kind, BY_DISCARD, 0)
            lose(game, seat, kind)
            left = unseen_copies(game, seat, 1 << kind)
            copies += left
            draw += left * by_draw(game, fan)
            discard += left * value_of(game, fan)
            most = max(most, fan)
    if copies == 0:
        return at_end(game, most)
    left, each = float(copies), draw / copies
    return expect(game, seat, SETS, 0, left, left, 0.0, each, discard / left, at_end(game, most))


@compiled
def danger(game, seat, kind):
    """What the others may win on it; none on their void suit."""
    cost = 0.0
    for other in range(4):
        if other != seat and plays_on(game, other) and game.void[other] != kind // 9:
            cost += readiness(game, other) * waited_for(game, seat, other, kind) * likely_value(game, other, kind)
    return cost


@compiled
def likely_value(game, other, kind):
    """Points of another seat's win, by what it has laid open."""
    fan = 0.6
    gangs = pure = 0
    for place in range(int(game.meld_count[other])):
        tile = int(game.meld_tile[other, place])
        gangs += 1 if game.melded[other, tile] == 4 else 0
        pure += 1 if tile // 9 == kind // 9 else 0
    if game.meld_count[other] >= 2 and pure == game.meld_count[other]:
        fan += 0.7
    fan += gangs
    whole = int(fan)
    return value_of(game, whole) * (1.0 + (fan - whole))
