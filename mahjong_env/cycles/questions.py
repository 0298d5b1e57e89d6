"""What every turn cycle asks of a variant: its numbering of actions, chance, and the choices before the first turn."""

from mahjong_env.compiled import compiled, optional_hook, table
from mahjong_env.fields import TURN


@table
def first_action(game, verb):
    """The number of the first action of `verb` (a constant of `actions`)."""


@table
def verb_of(game, action):
    """The verb of an action."""


@table
def argument_of(game, action):
    """The place of an action among its verb's: a kind, a suit, …"""


@optional_hook
def draw_chance(game):
    """Draw what chance decides beside the wall and the dealer, unless it has been given."""


@optional_hook
def begin_opening(game):
    """Before the first turn: set the phase to OPENING if there is anything to ask."""
    game.phase = TURN


@optional_hook
def ask_opening(game):
    """Offer the next choice before the first turn (write `legal`, `to_act`) and return True; False when all are made."""
    return False


@optional_hook
def answer_opening(game, action):
    """Take an answer to `ask_opening`."""
    game.phase = TURN


@optional_hook
def passed_hu(game, seat):
    """The seat was offered hu on the tile on the table and answered otherwise."""


@compiled
def clear_legal(game):
    for action in range(len(game.legal)):
        game.legal[action] = 0
