"""The state of a game: one row of a NumPy structured array.

A game is one row, a batch an array of rows; copying, saving and comparing are memory copies. The state of a variant is
the common fields below, sized by the variant, its options, fields of its turn cycle and of its own, and, last, fields in
which kernels only reckon (`scratch`): those have no part in equality or in a game's bytes. All numbers are signed, so
that arithmetic means the same compiled and plain.
"""

from collections.abc import Iterable, Mapping, Sized
from typing import Any, NamedTuple, Protocol

import numpy as np

from mahjong_env.compiled import PLAIN
from mahjong_env.compiled.dispatch import MARKER
from mahjong_env.tiles import TileSet

OPENING, DRAWING, TURN, CLAIM, ROBBING, OVER, LAYING, OWN = range(8)
"""Phases: choices before the first turn; (passing) a draw is due; a seat's own turn; others answer a discard; others
answer an added gang; the hand has ended; a seat lays further sets with the card it has eaten. From OWN on they are the
variant's own."""

SELF_DRAW, BY_DISCARD, BY_ROBBING, FLIP_SELF, FLIP_OTHER, DEALT = range(6)
"""How a hand is won: on the tile drawn, on a discard, on a robbed gang; in games with flips on the card the winner
flipped, on another's flip, or with the cards dealt."""

NOBODY = -1
NO_TILE = -1
NO_ANSWER = -1
MOST_MELDS = 4
TAKEN = 16
"""Added to a seat in `river_seat`."""

MOST_SLIPS = 7
"""Payments for different reasons that one decision can cause: three wins, gang money, three checks at the wall's end."""


class Shaped(Protocol):
    """What of a variant decides how large its state is."""

    name: str
    digest: str
    seats: int
    tiles: TileSet
    most_melds: int

    @property
    def patterns(self) -> Sized: ...  # read only, so that any tuple will do

    @property
    def key_columns(self) -> int: ...

    @property
    def actions(self) -> Sized: ...

    @property
    def settings(self) -> Mapping[str, Any]: ...

    def own_fields(self) -> list[tuple]: ...

    def scratch_fields(self) -> list[tuple]: ...


class Field(NamedTuple):
    """A field of every game's state; in its shape words stand for sizes, see `sizes_of`."""

    name: str
    dtype: str
    shape: tuple[Any, ...]
    about: str


PER_SEAT, BY_KIND, MELDS, WALL, SLIPS = ("seats",), ("seats", "kinds"), ("seats", "melds"), ("tiles",), ("slips",)

COMMON_FIELDS: dict[str, tuple[Field, ...]] = {
    "chance": (Field("random", "u4", (4,), "the generator's state"),),
    "points": (
        Field("points", "i4", PER_SEAT, "points gained in this hand"),
        Field("carried", "i4", PER_SEAT, "points from earlier hands of the same episode"),
        Field("slip_points", "i4", ("slips", "seats"), "what each payment of the latest decision moved"),
    ),
    "keys": (
        Field("keys", "i4", ("seats", "columns"), "additive keys of the concealed tiles; `gain` and `lose` keep them"),
    ),
    "counters": (
        Field("clock", "i2", (), "decisions made so far"),
        Field("wall_front", "i2", (), "place in `wall` of the next ordinary draw"),
        Field("wall_back", "i2", (), "one past the last tile still in the wall"),
        Field("river_length", "i2", (), "discards made so far"),
        Field("answers", "i2", PER_SEAT, "actions answered to the tile on the table, NO_ANSWER"),
        Field("last_discard", "", BY_KIND, "1 + place in the river of the latest discard of the kind; 0 for none"),
    ),
    "play": (
        Field(
            "phase", "i1", (), "OPENING, DRAWING, TURN, CLAIM, ROBBING, OVER, LAYING, or a phase of the variant's own"
        ),
        Field("hands_left", "i1", (), "hands still to come in the same episode"),
        Field("dealer", "i1", (), "the seat that deals; NOBODY before it is drawn"),
        Field("next_dealer", "i1", (), "who deals the next hand"),
        Field("turn", "i1", (), "whose turn it is, or who draws next"),
        Field("to_act", "i1", (), "the seat asked, NOBODY when the hand is over"),
        Field("legal", "i1", ("actions",), "the asked seat's mask"),
        Field(
            "stuck",
            "i1",
            (),
            "the rules left nobody a decision, and the hand was ended: 1 circles, 2 an offer of nothing",
        ),
        Field("wall_end", "i1", (), "the hand ended because the wall was out"),
    ),
    "tiles": (
        Field("wall", "i1", WALL, "kinds in drawing order"),
        Field("hands", "i1", BY_KIND, "concealed tiles, the drawn one included"),
        Field("open_hand", "i1", PER_SEAT, "the seat's concealed tiles lie open for all"),
        Field(
            "drawn", "i1", (), "the tile just drawn by the seat in turn; NO_TILE after a claim and on the dealt hand"
        ),
        Field("draws", "i1", PER_SEAT, "tiles drawn since the deal, replacements included"),
        Field("after_claim", "i1", (), "the seat in turn has claimed, not drawn"),
        Field("replacement", "i1", (), "the latest draw of the seat in turn replaced a gang's tile"),
    ),
    "melds": (
        Field("meld_count", "i1", PER_SEAT, "melds laid"),
        Field("meld_verb", "i1", MELDS, "a verb's number: PENG, GANG (exposed), SELF_GANG (concealed), ADDED_GANG, …"),
        Field("meld_tile", "i1", MELDS, "a kind, a run's lowest, or a set's place in its verb's list"),
        Field("meld_from", "i1", MELDS, "who discarded it; NOBODY for a concealed gang"),
        Field("melded", "i1", BY_KIND, "tiles in melds by kind"),
        Field("gang_verb", "i1", (), "the verb by which the latest gang was declared"),
    ),
    "river": (
        Field("discarded", "i1", BY_KIND, "discards that nobody took into a meld"),
        Field("river_tile", "i1", WALL, "all discards in order"),
        Field("river_seat", "i1", WALL, "whose, + TAKEN if it went into a meld"),
    ),
    "claims": (
        Field("table_tile", "i1", (), "the tile others are asked about"),
        Field("table_from", "i1", (), "the seat that laid it"),
        Field("after_gang", "i1", (), "the discard on the table was made right after a gang's replacement"),
        Field("asking", "i1", (), "how many seats after table_from the next one to be asked sits"),
        Field("best_rank", "i1", (), "rank of the best answer so far"),
    ),
    "wins": (
        Field("winning", "i1", PER_SEAT, "who wins by the decision being settled"),
        Field("wins", "i1", PER_SEAT, "wins so far"),
        Field("self_draws", "i1", PER_SEAT, "of them by self-draw"),
        Field("deal_ins", "i1", PER_SEAT, "wins of others that the seat paid alone"),
        Field("ready", "i1", PER_SEAT, "checked at the wall's end: the hand was ready"),
        Field(
            "declared",
            "i1",
            PER_SEAT,
            "1 + the tile with which the seat has declared something for all to hear; 0: nothing",
        ),
        Field("win_tile", "i1", PER_SEAT, "of the seat's latest win"),
        Field("win_fan", "i1", PER_SEAT, "fan of it, before the cap"),
        Field("win_patterns", "i1", ("seats", "patterns"), "how often each pattern counts in it"),
    ),
    "payments": (
        Field("slips", "i1", (), "payments caused by the latest decision; `write_slip` begins one"),
        Field("slip_reason", "i1", SLIPS, "a place in the variant's slip_reasons"),
        Field("slip_seat", "i1", SLIPS, "who earned it, NOBODY for a settlement among all"),
    ),
}
"""The fields every game has, by what they are about; those of larger numbers first, which leaves no gaps between them."""

PATTERNS_FIELD = Field("patterns", "i1", ("patterns",), "of the hand evaluated last; the first of the scratch fields")


def sizes_of(variant: Shaped) -> dict[str, int]:
    """What the words in shapes stand for."""
    return {
        "seats": variant.seats,
        "kinds": variant.tiles.kinds,
        "tiles": variant.tiles.total,
        "actions": len(variant.actions),
        "melds": variant.most_melds,
        "columns": variant.key_columns,
        "patterns": len(variant.patterns),
        "slips": MOST_SLIPS,
    }


def common_fields(variant: Shaped) -> list[tuple]:
    """The fields every game has, as (name, dtype, shape) in numbers."""
    small = "i1" if variant.tiles.total < 127 else "i2"
    every = [field for group in COMMON_FIELDS.values() for field in group]
    return sized([(field.name, field.dtype or small, field.shape) for field in every], sizes_of(variant))


def sized(fields: Iterable[tuple], sizes: Mapping[str, int]) -> list[tuple]:
    """Fields with their shapes in numbers; what else is said of them is left out."""
    return [(name, kind, tuple(sizes.get(n, n) for n in shape)) for name, kind, shape, *_ in fields]


def state_type(variant: Shaped) -> np.dtype:
    """The dtype of a variant's games. Its first field's name carries the variant's name and the digest of its source, so
    that kernels compiled for older rules are never used again."""
    options = np.dtype(
        [(name, "i1" if (setting.high or 0) < 127 else "i2") for name, setting in variant.settings.items()]
    )
    fields = [
        (f"{MARKER}{variant.name}_{variant.digest}", "i1"),
        ("options", options),
        *common_fields(variant),
        *variant.own_fields(),
        *sized([PATTERNS_FIELD], sizes_of(variant)),
        *variant.scratch_fields(),
    ]
    return readable(without_gaps(np.dtype(fields, align=True)))


def lasting_bytes(games: np.ndarray) -> np.ndarray:
    """(n, bytes) uint8: the states without their scratch fields, which stand last; a view."""
    bytes_of_all = games.view(np.uint8).reshape(len(games), games.dtype.itemsize)
    return bytes_of_all[:, : games.dtype.fields["patterns"][1]]  # type: ignore[index]


PLAIN_ROW: list[type] = [np.record]
"""The class of a state in plain mode; `mahjong_env.tools.guard` puts one that watches its fields in its place."""


def readable(base: np.dtype) -> np.dtype:
    """The dtype by whose rows kernels can say `record.field`, compiled or plain."""
    return np.dtype((PLAIN_ROW[0], base)) if PLAIN else base


def copy_of(games: np.ndarray) -> np.ndarray:
    """A copy of an array of states, as bytes: NumPy would copy it field by field, which takes several times as long."""
    return games.view(np.uint8).copy().view(games.dtype)


def without_gaps(aligned: np.dtype) -> np.dtype:
    """The same layout with its padding made into fields: NumPy copies fields, and leaves what lies between them to
    chance, so that equal games would differ in their bytes."""
    fields: list[tuple] = []
    end = 0
    for name in aligned.names or ():
        kind, start = aligned.fields[name][:2]  # type: ignore[index]
        fields += [(f"gap_{end}", "i1", (start - end,))] if start > end else []
        fields.append((name, kind))
        end = start + kind.itemsize
    fields += [(f"gap_{end}", "i1", (aligned.itemsize - end,))] if aligned.itemsize > end else []
    return np.dtype(fields, align=True)
