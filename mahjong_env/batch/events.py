"""Public events as tokens, for sequence models: who discarded, melded or won what, in order.

A token is 1 + (seat * len(EVENTS) + event) * width + what, the seat counted from the viewer; 0 is padding. `what` is a
kind, or the number of a set that was eaten or laid; `width(variant)` is the number of either. Draws make no token: they
follow from the order of play. "declare" is whatever a seat has declared for all to hear, its hand shown, say, with a
tile or 0. What one decision makes public is told discards and flips first, then melds. Of a hand with
more events than there is room for, the latest are kept.
"""

from typing import NamedTuple

import numpy as np

from mahjong_env.compiled import compiled, compiled_once, lookup
from mahjong_env.rules.actions import BAI, CHI, CHI_SET, DUI, KAI, PENG, SELF_GANG
from mahjong_env.rules.state import NO_TILE, TAKEN
from mahjong_env.rules.variant import Variant

EVENTS = ("discard", "chi", "peng", "gang", "concealed_gang", "added_gang", "hu", "bai", "dui", "kai", "declare")
DISCARDED, CHI_MELD, PENG_MELD, GANG_MELD, CONCEALED, ADDED, WON, BAI_MELD, DUI_MELD, KAI_MELD, DECLARED = range(
    len(EVENTS)
)
ROOM = 256
"""Tokens a hand: more than the discards, melds and wins of nearly every hand."""


@lookup
def longest(game, index):
    """At 0: the most kinds, or arguments of one verb, that the game has."""


class Events(NamedTuple):
    """The events of n hands: `log`, (n, ROOM) int16, in which the latest overwrite the oldest; `counts`, (n,) int64, how many
    there have been; `noted`, (n, 1 + 4 * seats) int16, what has been noted before; `shown`, (n, ROOM) int16 tokens as the
    seats to act see them. With n = 0 nothing is noted."""

    log: np.ndarray
    counts: np.ndarray
    noted: np.ndarray
    shown: np.ndarray

    @classmethod
    def of(cls, tables: int, seats: int) -> "Events":
        """Room for the events of so many tables."""
        log, shown = np.zeros((tables, ROOM), np.int16), np.zeros((tables, ROOM), np.int16)
        return cls(log, np.zeros(tables, np.int64), np.zeros((tables, 1 + 4 * seats), np.int16), shown)


def most_token(variant: "Variant") -> int:
    """The largest token."""
    return variant.seats * len(EVENTS) * width(variant)


@compiled
def forget_events(i, events):
    """A new hand at table i."""
    events.counts[i] = 0
    for place in range(events.noted.shape[1]):
        events.noted[i, place] = 0


@compiled
def add_event(game, i, events, seat, event, kind):
    """Append a token, the seat counted from seat 0."""
    token = (seat * len(EVENTS) + event) * longest(game, 0) + kind
    events.log[i, events.counts[i] % events.log.shape[1]] = token
    events.counts[i] += 1


@compiled_once
def note_events(game, i, events):
    """Append what the latest decision has made public."""
    noted = events.noted[i]
    for place in range(int(noted[0]), int(game.river_length)):
        add_event(game, i, events, int(game.river_seat[place]) % TAKEN, DISCARDED, int(game.river_tile[place]))
    noted[0] = game.river_length
    seats = len(game.points)
    for seat in range(seats):
        note_melds(game, i, events, seat, noted)
        if game.wins[seat] > noted[1 + 2 * seats + seat] and game.win_tile[seat] != NO_TILE:
            add_event(game, i, events, seat, WON, int(game.win_tile[seat]))
            noted[1 + 2 * seats + seat] = game.wins[seat]
        if game.declared[seat] != noted[1 + 3 * seats + seat]:
            add_event(game, i, events, seat, DECLARED, max(0, int(game.declared[seat]) - 1))
            noted[1 + 3 * seats + seat] = game.declared[seat]


@compiled
def note_melds(game, i, events, seat, noted):
    """A seat's new melds, and gangs made by a fourth tile."""
    seats, added = len(game.points), 0
    for place in range(int(game.meld_count[seat])):
        added += 1 if game.meld_verb[seat, place] < 0 else 0
    for place in range(noted[1 + seat], int(game.meld_count[seat])):
        event = meld_event(int(game.meld_verb[seat, place]))
        add_event(game, i, events, seat, event, int(game.meld_tile[seat, place]))
    noted[1 + seat] = game.meld_count[seat]
    if added > noted[1 + seats + seat]:
        add_event(game, i, events, seat, ADDED, int(game.table_tile))
        noted[1 + seats + seat] = added


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


@compiled_once
def show_events(game, i, seat, events, shown):
    """Write into row i of `shown` the tokens as `seat` sees them, oldest first, and padding after them."""
    log = events.log
    seats, width = len(game.points), len(EVENTS) * longest(game, 0)
    room = log.shape[1]
    held = min(int(events.counts[i]), room)
    first = int(events.counts[i]) - held
    for k in range(held):
        token = int(log[i, (first + k) % room])
        shown[i, k] = 1 + (token // width - seat) % seats * width + token % width
    for k in range(held, room):
        shown[i, k] = 0
