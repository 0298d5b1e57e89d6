"""The hand library: is a hand complete, how far is it, which tiles does it wait for, how does it divide into sets?

Every question takes one hand, (kinds,) counts, or many, (n, kinds); 34 kinds or, without honours, the first 27. Counts
are natural concealed tiles. `laizi` is the number of wild tiles in the hand, `melds` that of called melds; neither is
in the counts. Further options say what counts as complete: see `Form`.

>>> from mahjong_env import hands
>>> hand = hands.parse("123m 456m 789s 45p 22p")
>>> hands.distance(hand), [hands.ALL.names[kind] for kind in hands.waits(hand)]
(0, ['3p', '6p'])

Kernels for variant files are in `mahjong_env.hands.queries`: the same answers from suit keys, without checks.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mahjong_env.tiles import ALL, SUITS

if TYPE_CHECKING:
    from mahjong_env.hands.counts import format, parse
    from mahjong_env.hands.forms import Form
    from mahjong_env.hands.questions import distance, distance_and_useful, is_complete, tenpai, useful, waits
    from mahjong_env.hands.reading import Reading, readings

_HOMES = {
    "counts": ("format", "parse"),
    "forms": ("Form",),
    "questions": ("distance", "distance_and_useful", "is_complete", "tenpai", "useful", "waits"),
    "reading": ("Reading", "readings"),
}
_HOME_OF = {name: f"{__name__}.{home}" for home, names in _HOMES.items() for name in names}

__all__ = [
    "ALL",
    "SUITS",
    "Form",
    "Reading",
    "distance",
    "distance_and_useful",
    "format",
    "is_complete",
    "parse",
    "readings",
    "tenpai",
    "useful",
    "waits",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for on first use: a game needs `queries` alone, and every kernel costs start-up time."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
