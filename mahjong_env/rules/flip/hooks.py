"""What the flip cycle asks of a variant."""

from typing import Any

from mahjong_env.rules.actions import PASS
from mahjong_env.rules.hooks import hook, optional_hook, plain


@hook(returns="how many")
def turn_choices(game, seat):
    """Write in `legal` what the seat that has to discard may do; return how many things, 0 if it can do nothing."""


@hook(returns="a rank, or 0")
def claim_choices(game, seat):
    """Write in `legal` what the seat may claim of the card on the table, and pass; return the best claim's rank or 0."""


@optional_hook()
def prepare_claims(game):
    """A card lies on the table, and seats will be asked: note what they need to be asked about."""


@optional_hook(returns="a verb")
def forced_claim(game, seat):
    """The verb by which the seat must take the card on the table, unless somebody outranks it; PASS for none."""
    return PASS


@hook(returns="how many")
def bai_choices(game, seat):
    """Write in `legal` the sets that the seat may lay with the next copy of the card it has eaten; return how many."""


@hook(returns="whether it has")
def owes_discard(game, seat):
    """Whether the seat, which has taken a card, has one too many."""


@optional_hook(returns="the mask")
def barred_after_chi(game, chi_set, kind):
    """Bit per kind that may not be discarded right after eating a card of `kind` in that set."""
    return 0


@optional_hook()
def after_claim(game, seat):
    """The seat has taken the card on the table."""


@hook()
def settle_hu(game, by, source):
    """Pay the seat marked in `winning`, which has won `by`; `source` laid the card, or is the winner. The hand is over."""


@optional_hook()
def settle_end(game):
    """The hand is over, won or drawn: pay what is paid then, and set `next_dealer`."""


# --- plain questions ----------------------------------------------------------------------------------------------------


@plain(returns="a list of numbers", required=True)
def waiting_sizes(state: Any, seat: int) -> list[int]:
    """The numbers of cards that a waiting seat may have, exposed ones included."""
    return []


@plain(required=True)
def ask_claims_again(state: Any, viewer: int, is_asked: bool) -> None:
    """Forget what others have answered to the card on the table, such that asking goes on with the viewer, or after it."""
