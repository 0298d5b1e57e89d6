"""Episodes of several hands: points are carried from one hand to the next, whose dealer the variant's rule names."""

import numpy as np

MOST_HANDS = 128
"""The state counts the hands still to come in a signed byte."""


def check_hands(hands: int) -> int:
    """The number of hands in an episode; ValueError unless it is possible."""
    if isinstance(hands, bool) or not isinstance(hands, int | np.integer) or not 1 <= hands <= MOST_HANDS:
        raise ValueError(f"hands={hands!r} is not possible; an episode has 1 to {MOST_HANDS} hands")
    return int(hands)
