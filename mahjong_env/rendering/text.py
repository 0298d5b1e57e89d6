"""The table as text, for terminals, notebooks and playthroughs."""

from collections.abc import Callable, Iterable
from typing import Any

from mahjong_env.rules.actions import ADDED_GANG, ADDED_KAI, BAI, CHI, CHI_SET, SELF_GANG, VERBS
from mahjong_env.rules.state import CLAIM, LAYING, NO_TILE, NOBODY, OPENING, OVER, OWN, ROBBING, TAKEN, TURN
from mahjong_env.rules.variant import Variant
from mahjong_env.tiles import GLYPHS

MELDS = dict(enumerate(VERBS)) | {SELF_GANG: "an_gang", ADDED_GANG: "bu_gang", CHI_SET: "chi", ADDED_KAI: "bayu"}
"""What a meld is called in notation: its verb, or a name of its own."""

Symbol = Callable[[int], str]


def draw_table(
    variant: Variant, preset: str, state: Any, outcome: Any, *, seat: int | None = None, glyphs: bool = False
) -> str:
    """The table as readable text: whose turn, what lies on the table, and each seat's tiles.

    Discards that somebody took stand in brackets. `outcome` is printed once the hand is over. `seat` shows only what that
    seat sees; without it all hands lie open. `glyphs` draws tiles as Unicode's mahjong tiles instead of names. A variant
    adds to a seat's line by its answer to `describe_seat`.
    """
    names = variant.tiles.names

    def symbol(kind: int) -> str:
        return GLYPHS.get(names[kind], names[kind]) if glyphs else names[kind]

    now = situation(variant, state, seat, symbol)
    lines = [f"{variant.title}, {preset} · {now} · {wall_left(state)} in the wall"]
    for other in range(variant.seats):
        lines += draw_seat(variant, state, other, seat, symbol)
    if state["phase"] == OVER:
        lines.append(str(outcome))
    return "\n".join(lines)


def asked_seat(state: Any) -> int | None:
    """The seat to act; None when the hand is over."""
    return None if state["to_act"] == NOBODY else int(state["to_act"])


def wall_left(state: Any) -> int:
    """Number of tiles that can still be drawn."""
    return int(state["wall_back"]) - int(state["wall_front"])


def situation(variant: Variant, state: Any, viewer: int | None, symbol: Symbol) -> str:
    """Who has to do what. Who is asked about another's tile is shown to that seat alone, since it tells of its hand."""
    phase = state["phase"]
    if phase == OVER:
        return "the hand is over"
    if phase == OPENING:
        return f"seat {asked_seat(state)} chooses before the first turn"
    if phase == TURN:
        return f"seat {asked_seat(state)} to play"
    if phase == LAYING:
        return f"seat {asked_seat(state)} has eaten {symbol(int(state['eaten']))} and lays on"
    asked = "the others are" if viewer not in (None, asked_seat(state)) else f"seat {asked_seat(state)} is"
    tile = symbol(int(state["table_tile"]))
    if phase >= OWN:
        return f"seat {int(state['table_from'])}: {variant.answers.describe_phase(state)}, {asked} asked"
    does = {CLAIM: "discards", ROBBING: "adds to a gang"}[int(phase)]
    if "flipped" in state.dtype.names and state["flipped"]:
        does = "flips"
    return f"seat {int(state['table_from'])} {does} {tile}, {asked} asked"


def draw_seat(variant: Variant, state: Any, seat: int, viewer: int | None, symbol: Symbol) -> list[str]:
    """A seat's lines: who it is and what it has; its hand; its melds and discards where it has any."""
    mark = (
        ">"
        if asked_seat(state) == seat and (viewer in (None, seat) or state["phase"] in (OPENING, TURN, LAYING))
        else " "
    )
    facts = [
        "dealer" if seat == state["dealer"] else "",
        f"{int(state['points'][seat]):+d} points" if state["points"][seat] else "",
        draw_wins(state, seat, symbol),
        variant.answers.describe_seat(state, seat, viewer),
    ]
    lines = [f"{mark}seat {seat}  {', '.join(fact for fact in facts if fact)}".rstrip()]
    lines.append(f"   hand      {draw_hand(state, seat, viewer, symbol)}")
    if state["meld_count"][seat]:
        lines.append(f"   melds     {', '.join(draw_melds(variant, state, seat, symbol))}")
    river = list(draw_discards(state, seat, symbol))
    if river:
        lines.append(f"   discards  {' '.join(river)}")
    return lines


def draw_wins(state: Any, seat: int, symbol: Symbol) -> str:
    """How often a seat has won, and on what last."""
    wins = int(state["wins"][seat])
    times = "" if wins < 2 else f" {wins} times, last"
    tile = "the deal" if state["win_tile"][seat] == NO_TILE else symbol(int(state["win_tile"][seat]))
    return f"won{times} on {tile}" if wins else ""


def draw_hand(state: Any, seat: int, viewer: int | None, symbol: Symbol) -> str:
    """The concealed tiles, the drawn one apart; to other seats only how many there are."""
    counts = [int(n) for n in state["hands"][seat]]
    if viewer not in (None, seat) and not state["open_hand"][seat]:
        return f"{sum(counts)} tiles"
    drawn = int(state["drawn"]) if state["phase"] == TURN and state["turn"] == seat else NO_TILE
    if drawn != NO_TILE:
        counts[drawn] -= 1
    hand = " ".join(symbol(kind) for kind, n in enumerate(counts) for _ in range(n))
    if state["open_hand"][seat]:
        hand += " (open)"
    return hand if drawn == NO_TILE else f"{hand} + {symbol(drawn)}".strip()


def draw_melds(variant: Variant, state: Any, seat: int, symbol: Symbol) -> Iterable[str]:
    """Each meld with its tile, or its cards, and, where it was claimed, from whom."""
    for place in range(int(state["meld_count"][seat])):
        verb, what = int(state["meld_verb"][seat, place]), int(state["meld_tile"][seat, place])
        kinds = set_kinds(variant, what) if verb in (CHI_SET, BAI) else [what]
        source = int(state["meld_from"][seat, place])
        claimed = "" if source == NOBODY else f" (from {source})"
        cards = run_of(what, symbol) if verb == CHI else " ".join(map(symbol, kinds))
        yield f"{meld_name(variant, verb)} {cards}{claimed}"


def meld_name(variant: Variant, verb: int) -> str:
    """What a meld of that verb is called."""
    return MELDS[verb] if verb in MELDS else list(variant.actions.takes)[verb]


def set_kinds(variant: Variant, chi_set: int) -> list[int]:
    """The kinds of a set that is named among a verb's arguments."""
    return variant.tiles.parse(variant.own_arguments["chi_set"][chi_set])


def run_of(lowest: int, symbol: Symbol) -> str:
    """A run: as 234s where tiles are rank and suit, else tile by tile."""
    names = [symbol(kind) for kind in range(lowest, lowest + 3)]
    ranks, suits = "".join(name[:-1] for name in names), {name[-1] for name in names}
    return ranks + suits.pop() if ranks.isdigit() and len(suits) == 1 else " ".join(names)


def draw_discards(state: Any, seat: int, symbol: Symbol) -> Iterable[str]:
    """A seat's discards in order, those taken into a meld in brackets."""
    for place in range(int(state["river_length"])):
        if state["river_seat"][place] % TAKEN == seat:
            tile = symbol(int(state["river_tile"][place]))
            yield f"({tile})" if state["river_seat"][place] >= TAKEN else tile
