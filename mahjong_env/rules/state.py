"""The state of a game: one row of a NumPy structured array.

A game is one row, a batch an array of rows; copying, saving and comparing are memory copies. The state of a variant is
the common fields below, sized by the variant, its options, fields of its turn cycle and of its own, and, last, fields in
which kernels only reckon (`scratch`): those have no part in equality or in a game's bytes. All numbers are signed, so
that arithmetic means the same compiled and plain.
"""

from collections.abc import Mapping, Sized
from typing import Any, Protocol

import numpy as np

from mahjong_env.compiled import MARKER, PLAIN
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


def common_fields(variant: Shaped) -> list[tuple]:
    """The fields every game has: (name, dtype, shape)."""
    seats, kinds, total = variant.seats, variant.tiles.kinds, variant.tiles.total
    return [
        ("random", "u4", (4,)),  # the generator's state
        ("points", "i4", (seats,)),
        ("carried", "i4", (seats,)),  # points from earlier hands of the same episode
        ("keys", "i4", (seats, variant.key_columns)),  # additive keys of the concealed tiles by standard suit
        ("clock", "i2"),  # decisions made so far
        ("wall_front", "i2"),  # next tile of the ordinary draw
        ("wall_back", "i2"),  # one past the last tile still in the wall
        ("river_length", "i2"),
        ("last_discard", "i1" if total < 127 else "i2", (seats, kinds)),  # 1 + place of the latest one in the river
        ("phase", "i1"),
        ("hands_left", "i1"),  # hands still to come in the same episode
        ("dealer", "i1"),
        ("next_dealer", "i1"),
        ("turn", "i1"),  # whose turn it is, or who draws next
        ("to_act", "i1"),  # the seat asked, NOBODY when the hand is over
        ("legal", "i1", (len(variant.actions),)),  # the asked seat's mask
        ("wall", "i1", (total,)),  # kinds in drawing order
        ("hands", "i1", (seats, kinds)),  # concealed tiles, the drawn one included
        ("meld_count", "i1", (seats,)),
        ("meld_verb", "i1", (seats, variant.most_melds)),  # a verb's number: peng, gang (exposed), self_gang, …
        ("meld_tile", "i1", (seats, variant.most_melds)),  # a kind, a run's lowest, or a set's place in its verb's list
        ("meld_from", "i1", (seats, variant.most_melds)),  # who discarded it; NOBODY for a concealed gang
        ("melded", "i1", (seats, kinds)),  # tiles in melds by kind
        ("discarded", "i1", (seats, kinds)),  # discards that nobody took into a meld
        ("river_tile", "i1", (total,)),  # all discards in order
        ("river_seat", "i1", (total,)),  # whose, + TAKEN if it went into a meld
        ("draws", "i1", (seats,)),  # tiles drawn since the deal, replacements included
        ("drawn", "i1"),  # the tile just drawn by the seat in turn; NO_TILE after a claim and on the dealt hand
        ("after_claim", "i1"),  # the seat in turn has claimed, not drawn
        ("replacement", "i1"),  # the latest draw of the seat in turn replaced a gang's tile
        ("gang_verb", "i1"),  # the verb by which the latest gang was declared
        ("after_gang", "i1"),  # the discard on the table was made right after such a draw
        ("table_tile", "i1"),  # the tile others are asked about
        ("table_from", "i1"),
        ("asking", "i1"),  # how many seats after table_from the next one to be asked sits
        ("answers", "i2", (seats,)),  # actions answered to the tile on the table, NO_ANSWER
        ("best_rank", "i1"),  # rank of the best answer so far
        ("winning", "i1", (seats,)),  # who wins by the decision being settled
        ("wins", "i1", (seats,)),
        ("self_draws", "i1", (seats,)),
        ("deal_ins", "i1", (seats,)),  # wins of others that the seat paid alone
        ("ready", "i1", (seats,)),  # checked at the wall's end: the hand was ready
        ("declared", "i1", (seats,)),  # how often the seat has declared something for all to hear
        ("declared_tile", "i1", (seats,)),  # the tile it did so with last, NO_TILE for none
        ("open_hand", "i1", (seats,)),  # the seat's concealed tiles lie open
        ("stuck", "i1"),  # the rules have gone round in circles, and the hand was ended
        ("wall_end", "i1"),  # the hand ended because the wall was out
        ("win_tile", "i1", (seats,)),  # of the seat's latest win
        ("win_fan", "i1", (seats,)),
        ("win_patterns", "i1", (seats, len(variant.patterns))),
        ("slips", "i1"),  # payments caused by the latest decision
        ("slip_reason", "i1", (MOST_SLIPS,)),
        ("slip_seat", "i1", (MOST_SLIPS,)),  # who earned it, NOBODY for a settlement among all
        ("slip_points", "i4", (MOST_SLIPS, seats)),
    ]


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
        ("patterns", "i1", (len(variant.patterns),)),  # the first of the scratch fields: of the hand evaluated last
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
