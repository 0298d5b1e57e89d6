"""Who pays whom (rules page section 9), and who deals next (section 3)."""

from mahjong_env.compiled import compiled
from mahjong_env.rules.payments import keep_patterns, pay, write_slip
from mahjong_env.rules.state import BY_DISCARD, FLIP_SELF
from mahjong_env.variants.erqishi.first_division import first_division
from mahjong_env.variants.erqishi.options import FIRST, HU, RAIN
from mahjong_env.variants.erqishi.reading import NO_DIVISION, WIN, best_division, fans_of, try_division

RAIN_GUN, RAIN_KAI = 3, 2
"""下雨: what each opponent pays for a gun, and for a kai (section 4.4)."""


@compiled
def evaluate(game, seat, card, by):
    """The value of the division that is paid, its patterns and points left in the state; NO_DIVISION if the hand isn't
    complete, less than WIN if it lacks points (section 4.5, detail 12)."""
    best = best_division(game, seat, card, by)
    game.depth = 0
    if best == NO_DIVISION:
        return best
    if best >= WIN and game.options.split == FIRST:
        return first_division(game, seat, card, by)
    return try_division(game, seat, card, by, int(game.role), int(game.fates))


@compiled
def waits_mask(game, seat):
    """Bit per kind that the seat could win with if it flipped it; not kinds of which it has all four (section 7)."""
    mask = 0
    for kind in range(game.hands.shape[1]):
        held = int(game.hands[seat, kind]) + int(game.melded[seat, kind])
        if held < 4 and evaluate(game, seat, kind, FLIP_SELF) >= WIN:
            mask |= 1 << kind
    return mask


@compiled
def settle_hu(game, by, source):
    """A flip is paid by every opponent; a discard by the discarder alone, threefold, or twofold with two players."""
    seat = 0
    while not game.winning[seat]:
        seat += 1
    value = evaluate(game, seat, int(game.win_tile[seat]), by)
    amount = stake(game, value, by)
    slip = write_slip(game, HU, seat)
    for payer in range(len(game.points)):
        if payer != seat and (by != BY_DISCARD or payer == source):
            pay(game, slip, payer, seat, amount)
    game.win_fan[seat] = fans_of(value)
    keep_patterns(game, seat)


@compiled
def stake(game, value, by):
    """What one payer pays."""
    units = (value >> 20 & 0xFFFFF) * int(game.options["base"])  # `.base` of a NumPy record is something else
    return units * min(3, len(game.points)) if by == BY_DISCARD else units


@compiled
def settle_end(game):
    """The winner deals next, or after a draw the same dealer; then it rains."""
    for seat in range(len(game.points)):
        if game.wins[seat]:
            game.next_dealer = seat
    if game.options.rain:
        for seat in range(len(game.points)):
            rain(game, seat)


@compiled
def rain(game, seat):
    """Pay for the seat's quads: those dealt, and those made by claims."""
    slip, each = (
        write_slip(game, RAIN, seat),
        RAIN_GUN * int(game.guns_dealt[seat]) + RAIN_KAI * int(game.kai_flipped[seat]),
    )
    for payer in range(len(game.points)):
        if payer != seat:
            pay(game, slip, payer, seat, each + RAIN_KAI * int(game.kai_from[seat, payer]) * (len(game.points) - 1))
