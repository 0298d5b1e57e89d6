"""Points on the move: slips, on which payments are kept by reason, and who pays whom."""

from mahjong_env.compiled import compiled
from mahjong_env.rules.state import MOST_SLIPS, NOBODY


@compiled
def write_slip(game, reason, seat):
    """A new payment to be filled in: its place in `slip_points`."""
    place = min(int(game.slips), MOST_SLIPS - 1)
    game.slip_reason[place] = reason
    game.slip_seat[place] = seat
    for other in range(len(game.points)):
        game.slip_points[place, other] = 0
    game.slips = place + 1
    return place


@compiled
def pay(game, slip, payer, payee, amount):
    """Move points; NOBODY as payee takes them out of the game."""
    game.points[payer] -= amount
    game.slip_points[slip, payer] -= amount
    if payee != NOBODY:
        game.points[payee] += amount
        game.slip_points[slip, payee] += amount


@compiled
def winner_deals(game, source):
    """The winner deals next; of several, the seat they won from. Returns how many have won by this decision."""
    winners = 0
    for seat in range(len(game.winning)):
        if game.winning[seat]:
            winners += 1
            game.next_dealer = seat
    if winners > 1:
        game.next_dealer = source
    return winners


@compiled
def clear_patterns(game):
    """Nothing is scored yet."""
    for pattern in range(len(game.patterns)):
        game.patterns[pattern] = 0


@compiled
def keep_patterns(game, seat):
    """What has just been scored is what the seat has won with."""
    for pattern in range(len(game.patterns)):
        game.win_patterns[seat, pattern] = game.patterns[pattern]
