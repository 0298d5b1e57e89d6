"""Public events as tokens, for sequence models: who discarded, melded or won what, in order.

A token is 1 + (seat * len(EVENTS) + event) * width + what, the seat counted from the viewer; 0 is padding. `what` is a
kind, or the number of a set that was eaten or laid; `width(variant)` is the number of either. Draws make no token: they
follow from the order of play. What one decision makes public is told discards and flips first, then melds. Of a hand with
more events than there is room for, the latest are kept.
"""

from typing import TYPE_CHECKING

import numpy as np

from mahjong_env.actions import BAI, CHI, CHI_SET, DUI, KAI, PENG, SELF_GANG
from mahjong_env.compiled import compiled, table
from mahjong_env.fields import NO_TILE, TAKEN

if TYPE_CHECKING:
    from mahjong_env.variants.interface import Variant

EVENTS = ("discard", "chi", "peng", "gang", "concealed_gang", "added_gang", "hu", "bai", "dui", "kai")
DISCARDED, CHI_MELD, PENG_MELD, GANG_MELD, CONCEALED, ADDED, WON, BAI_MELD, DUI_MELD, KAI_MELD = range(len(EVENTS))
ROOM = 256
"""Tokens a hand: more than the discards, melds and wins of nearly every hand."""


@table
def longest(game, index):
    """At 0: the most kinds, or arguments of one verb, that the game has."""


class Log:
    """The events of `tables` hands of so many seats, and `shown`, (tables, ROOM) int16 tokens as the seats to act see them.

    `arrays` are what the kernels below take: log, counts, seen, shown. With no tables nothing is noted.
    """

    def __init__(self, tables: int, seats: int):
        self.shown = np.zeros((tables, ROOM), np.int16)
        log, seen = np.zeros((tables, ROOM), np.int16), np.zeros((tables, 1 + 3 * seats), np.int16)
        self.arrays = log, np.zeros(tables, np.int64), seen, self.shown


def most_token(variant: "Variant") -> int:
    """The largest token."""
    return variant.seats * len(EVENTS) * width(variant)


@compiled
def forget_events(i, counts, seen):
    """A new hand at table i."""
    counts[i] = 0
    for place in range(seen.shape[1]):
        seen[i, place] = 0


@compiled
def add_event(game, i, log, counts, seat, event, kind):
    """Append a token, the seat counted from seat 0; `counts` is the number of events so far."""
    token = (seat * len(EVENTS) + event) * longest(game, 0) + kind
    log[i, counts[i] % log.shape[1]] = token
    counts[i] += 1


@compiled
def note_events(game, i, log, counts, seen):
    """Append what the latest decision has made public: `seen` (n, 1 + 3 * seats) holds what has been noted before."""
    for place in range(int(seen[i, 0]), int(game.river_length)):
        add_event(game, i, log, counts, int(game.river_seat[place]) % TAKEN, DISCARDED, int(game.river_tile[place]))
    seen[i, 0] = game.river_length
    seats = len(game.points)
    for seat in range(seats):
        added = 0
        for place in range(int(game.meld_count[seat])):
            added += 1 if game.meld_verb[seat, place] < 0 else 0
        for place in range(seen[i, 1 + seat], int(game.meld_count[seat])):
            event = meld_event(int(game.meld_verb[seat, place]))
            add_event(game, i, log, counts, seat, event, int(game.meld_tile[seat, place]))
        seen[i, 1 + seat] = game.meld_count[seat]
        if added > seen[i, 1 + seats + seat]:
            add_event(game, i, log, counts, seat, ADDED, int(game.table_tile))
            seen[i, 1 + seats + seat] = added
        if game.wins[seat] > seen[i, 1 + 2 * seats + seat] and game.win_tile[seat] != NO_TILE:
            add_event(game, i, log, counts, seat, WON, int(game.win_tile[seat]))
            seen[i, 1 + 2 * seats + seat] = game.wins[seat]


@compiled
def meld_event(verb):
    """The event of a meld just laid."""
    if verb == CHI:
        return CHI_MELD
    if verb == PENG:
        return PENG_MELD
    if verb == SELF_GANG:
        return CONCEALED
    if verb == CHI_SET:
        return CHI_MELD
    if verb == BAI:
        return BAI_MELD
    if verb == DUI:
        return DUI_MELD
    return KAI_MELD if verb == KAI else GANG_MELD


def width(variant: "Variant") -> int:
    """How many kinds, or sets, tokens tell apart."""
    return int(variant.actions.tables["longest"][0])


@compiled
def show_events(game, i, seat, log, counts, out):
    """Write the tokens as `seat` sees them, oldest first, and padding after them."""
    seats, width = len(game.points), len(EVENTS) * longest(game, 0)
    room = log.shape[1]
    held = min(int(counts[i]), room)
    first = int(counts[i]) - held
    for k in range(held):
        token = int(log[i, (first + k) % room])
        out[i, k] = 1 + (token // width - seat) % seats * width + token % width
    for k in range(held, room):
        out[i, k] = 0
