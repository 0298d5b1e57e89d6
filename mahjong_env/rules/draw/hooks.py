"""What the draw cycle asks of a variant."""

from mahjong_env.rules.hooks import hook, optional_hook
from mahjong_env.rules.state import NO_TILE, OVER


@hook(sets=("legal",))
def turn_choices(game, seat):
    """Write in `legal` what the seat in turn may do; at least one action."""


@optional_hook(returns="a kind, or NO_TILE")
def act_otherwise(game, seat, action):
    """The seat in turn has chosen something beside a discard, a gang or hu. Return the kind that it discards in the same
    decision, or NO_TILE: then its turn goes on, unless the phase is changed."""
    return NO_TILE


@hook(returns="a rank, or 0", offers=("pass",))
def claim_choices(game, seat):
    """Write in `legal` what the seat may claim of the tile on the table, with `pass` if there is anything else; return the
    best claim's rank (HU_RANK, GANG_RANK, PENG_RANK, CHI_RANK), or 0 for nothing."""


@optional_hook(returns="whether it does")
def plays_on(game, seat):
    """Whether the seat still takes turns and claims."""
    return True


@optional_hook(returns="whether they do")
def several_winners(game):
    """Whether all who say hu to one tile win, instead of the nearest."""
    return True


@optional_hook(returns="whether it does")
def replacement_from_back(game):
    """Whether a gang's replacement tile comes from the back of the wall."""
    return True


@optional_hook(returns="whether it does")
def instead_of_draw(game, seat):
    """The seat is due to draw and the wall isn't out: return True if something else happens, its phase being set."""
    return False


@optional_hook(returns="whether it does")
def instead_of_replacement(game, seat):
    """The seat's gang, declared by `gang_verb`, stands: return True if something else than one replacement tile follows,
    its phase being set."""
    return False


@optional_hook(returns="whether somebody is asked")
def ask_own(game):
    """In a phase of the variant's own: offer the next choice (write `legal`, `to_act`) and return True; False when play
    goes on, or is over, by the phase that is now set."""
    game.phase = OVER
    return False


@optional_hook()
def answer_own(game, action):
    """Take an answer to `ask_own`."""


@optional_hook()
def after_draw(game, seat):
    """The seat has drawn `drawn`."""


@optional_hook()
def after_discard(game, seat, kind):
    """The seat has discarded; nobody has been asked yet."""


@optional_hook()
def after_claim(game, seat):
    """The seat has taken the tile on the table into a meld."""


@optional_hook()
def settle_gang(game, seat, feeder):
    """Pay for the gang the seat has just completed; `feeder` discarded the tile, or NOBODY. `table_tile` is the kind."""


@hook()
def settle_hu(game, by, source):
    """Pay every seat marked in `winning`, whose `win_tile` is set; `source` discarded or was robbed, or is the winner."""


@optional_hook()
def after_hu(game, source):
    """Say how play goes on after a win: set phase DRAWING and `turn`; if nothing is set, the hand is over."""


@optional_hook()
def settle_wall_end(game):
    """The wall is out and a draw is due: settle among the seats."""
