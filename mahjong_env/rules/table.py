"""Tiles and points on the move: what every step of a mahjong cycle, and every variant, does with them."""

from typing import Any

from mahjong_env.compiled import compiled
from mahjong_env.rules.actions import CHI, PENG
from mahjong_env.rules.chance import random_below
from mahjong_env.rules.hooks import draw_chance, hand_size, key_column, key_weight, own_kind
from mahjong_env.rules.state import NO_TILE, NOBODY, OVER, TAKEN

MOST_STEPS = 4096
"""Steps of a table between two decisions at most: draws, deals and claims nobody is asked about are far fewer."""


CIRCLES, MUTE = 1, 2
"""Why a hand can't go on: nobody is ever asked, or a seat is asked and offered nothing."""


@compiled
def end_stuck(game, why):
    """The rules leave nobody a decision: end the hand, for the layers above to say so."""
    game.stuck = why
    game.phase = OVER
    game.to_act = NOBODY


@compiled
def is_offered(game):
    """Whether the seat that is asked has an action to choose."""
    for action in range(len(game.legal)):
        if game.legal[action]:
            return True
    return False


@compiled
def gain(game, seat, kind):
    """One tile into a concealed hand; its suit key follows."""
    game.hands[seat, kind] += 1
    game.keys[seat, key_column(game, kind)] += key_weight(game, kind)


@compiled
def lose(game, seat, kind):
    """One tile out of a concealed hand."""
    game.hands[seat, kind] -= 1
    game.keys[seat, key_column(game, kind)] -= key_weight(game, kind)


@compiled
def deal_hands(game):
    """Deal from the wall as it lies: each seat's hand in a row from the dealer on, then the dealer's extra tile. A dealer or
    other chance that has not been given is drawn."""
    seats, size = len(game.points), hand_size(game)
    if game.dealer == NOBODY:
        game.dealer = random_below(game.random, seats)
    draw_chance(game)
    for turn in range(seats):
        seat = (game.dealer + turn) % seats
        for place in range(size):
            gain(game, seat, int(game.wall[turn * size + place]))
    gain(game, int(game.dealer), int(game.wall[seats * size]))
    game.wall_front = seats * size + 1
    game.wall_back = len(game.wall)
    game.next_dealer = game.dealer
    game.turn = game.dealer
    game.drawn = NO_TILE


@compiled
def wall_left(game):
    """Number of tiles that can still be drawn."""
    return int(game.wall_back) - int(game.wall_front)


@compiled
def draw_tile(game, seat, from_back):
    """The seat takes a tile from the front or the back of the wall, which must not be empty."""
    if from_back:
        game.wall_back -= 1
        kind = int(game.wall[game.wall_back])
    else:
        kind = int(game.wall[game.wall_front])
        game.wall_front += 1
    gain(game, seat, kind)
    game.drawn = kind
    game.draws[seat] += 1
    game.after_claim = 0


@compiled
def lay_on_river(game, seat, kind):
    """Put a tile that has left the hand face up among the seat's discards."""
    place = int(game.river_length)
    game.river_tile[place] = kind
    game.river_seat[place] = seat
    game.river_length = place + 1
    game.discarded[seat, kind] += 1
    game.last_discard[seat, kind] = place + 1


@compiled
def take_from_river(game):
    """The latest discard goes into somebody's meld."""
    take_from_river_at(game, int(game.river_length) - 1)


@compiled
def take_from_river_at(game, place):
    """The tile that lies at that place of the river goes into somebody's meld."""
    game.discarded[game.river_seat[place], game.river_tile[place]] -= 1
    game.river_seat[place] += TAKEN


@compiled
def lay_meld(game, seat, verb, kind, source, tiles):
    """Lay a meld of `tiles` equal tiles; those in the hand must have left it already."""
    place = int(game.meld_count[seat])
    game.meld_verb[seat, place] = verb
    game.meld_tile[seat, place] = kind
    game.meld_from[seat, place] = source
    game.meld_count[seat] = place + 1
    game.melded[seat, kind] += tiles


@compiled
def lay_run(game, seat, lowest, source):
    """Lay a run, named by its lowest kind; the two tiles from the hand must have left it already."""
    lay_meld(game, seat, CHI, lowest, source, 1)
    game.melded[seat, lowest + 1] += 1
    game.melded[seat, lowest + 2] += 1


@compiled
def peng_of(game, seat, kind):
    """The place of the seat's peng of that kind among its melds, or -1."""
    for place in range(int(game.meld_count[seat])):
        if game.meld_tile[seat, place] == kind and game.meld_verb[seat, place] == PENG:
            return place
    return -1


@compiled
def clear_legal(game):
    for action in range(len(game.legal)):
        game.legal[action] = 0


# --- bit sets of kinds ------------------------------------------------------------------------------------------------


@compiled
def same_mask(game, mask):
    """Where kinds have the hand library's numbers."""
    return mask


@compiled
def to_standard(game, mask):
    """The game's kinds as standard ones."""
    found = 0
    for kind in range(34):
        own = own_kind(game, kind)
        if own >= 0 and mask >> own & 1:
            found |= 1 << kind
    return found


@compiled
def to_own(game, mask):
    """Standard kinds as the game's."""
    found = 0
    for kind in range(34):
        own = own_kind(game, kind)
        if own >= 0 and mask >> kind & 1:
            found |= 1 << own
    return found


def mapped_masks() -> dict[str, Any]:
    """The answers to `standard_mask` and `own_mask` where kinds have other numbers."""
    return {"standard_mask": to_standard, "own_mask": to_own}
