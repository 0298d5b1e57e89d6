"""The table as text, for terminals, notebooks and playthroughs."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from mahjong_env.actions import BAI, CHI, CHI_SET, KAI, SELF_GANG, VERBS
from mahjong_env.fields import CLAIM, LAYING, NO_TILE, NOBODY, OPENING, OVER, OWN, ROBBING, TAKEN, TURN
from mahjong_env.tiles import GLYPHS

if TYPE_CHECKING:
    from mahjong_env.game import Game
    from mahjong_env.variants.interface import Variant

MELDS = dict(enumerate(VERBS)) | {SELF_GANG: "an_gang", -SELF_GANG: "bu_gang", CHI_SET: "chi", -KAI: "bayu"}
"""What a meld is called in notation: its verb, or a name of its own."""

Symbol = Callable[[int], str]


def draw_table(game: "Game", *, seat: int | None = None, glyphs: bool = False) -> str:
    """The table as readable text: whose turn, what lies on the table, and each seat's tiles.

    Discards that somebody took stand in brackets. `seat` shows only what that seat sees; without it all hands lie open.
    `glyphs` draws tiles as Unicode's mahjong tiles instead of names. A variant adds to a seat's line by a function
    `describe_seat(game, seat, viewer)` in its file.
    """
    names = game.variant.tiles.names

    def symbol(kind: int) -> str:
        return GLYPHS.get(names[kind], names[kind]) if glyphs else names[kind]

    row = game._games[0]
    lines = [f"{game.variant.title}, {game.preset} · {situation(game, seat, symbol)} · {wall_left(row)} in the wall"]
    for other in range(game.variant.seats):
        lines += draw_seat(game, other, seat, symbol)
    if game.is_over:
        lines.append(str(game.outcome))
    return "\n".join(lines)


def wall_left(row: Any) -> int:
    """Number of tiles that can still be drawn."""
    return int(row["wall_back"]) - int(row["wall_front"])


def situation(game: "Game", viewer: int | None, symbol: Symbol) -> str:
    """Who has to do what. Who is asked about another's tile is shown to that seat alone, since it tells of its hand."""
    row = game._games[0]
    phase = row["phase"]
    if phase == OVER:
        return "the hand is over"
    if phase == OPENING:
        return f"seat {game.to_act} chooses before the first turn"
    if phase == TURN:
        return f"seat {game.to_act} to play"
    if phase == LAYING:
        return f"seat {game.to_act} has eaten {symbol(int(row['eaten']))} and lays on"
    asked = "the others are" if viewer not in (None, game.to_act) else f"seat {game.to_act} is"
    tile = symbol(int(row["table_tile"]))
    if phase >= OWN:
        describe = getattr(game.variant.module, "describe_phase", lambda game: "a choice of its own")
        return f"seat {int(row['table_from'])}: {describe(game)}, {asked} asked"
    does = {CLAIM: "discards", ROBBING: "adds to a gang"}[int(phase)]
    if "flipped" in row.dtype.names and row["flipped"]:
        does = "flips"
    return f"seat {int(row['table_from'])} {does} {tile}, {asked} asked"


def draw_seat(game: "Game", seat: int, viewer: int | None, symbol: Symbol) -> list[str]:
    """A seat's lines: who it is and what it has; its hand; its melds and discards where it has any."""
    row = game._games[0]
    tell = getattr(game.variant.module, "describe_seat", None)
    mark = ">" if game.to_act == seat and (viewer in (None, seat) or row["phase"] in (OPENING, TURN, LAYING)) else " "
    facts = [
        "dealer" if seat == game.dealer else "",
        f"{int(row['points'][seat]):+d} points" if row["points"][seat] else "",
        draw_wins(row, seat, symbol),
        tell(game, seat, viewer) if tell else "",
    ]
    lines = [f"{mark}seat {seat}  {', '.join(fact for fact in facts if fact)}".rstrip()]
    lines.append(f"   hand      {draw_hand(game, seat, viewer, symbol)}")
    if row["meld_count"][seat]:
        lines.append(f"   melds     {', '.join(draw_melds(game, seat, symbol))}")
    river = list(draw_discards(row, seat, symbol))
    if river:
        lines.append(f"   discards  {' '.join(river)}")
    return lines


def draw_wins(row: Any, seat: int, symbol: Symbol) -> str:
    """How often a seat has won, and on what last."""
    wins = int(row["wins"][seat])
    times = "" if wins < 2 else f" {wins} times, last"
    tile = "the deal" if row["win_tile"][seat] == NO_TILE else symbol(int(row["win_tile"][seat]))
    return f"won{times} on {tile}" if wins else ""


def draw_hand(game: "Game", seat: int, viewer: int | None, symbol: Symbol) -> str:
    """The concealed tiles, the drawn one apart; to other seats only how many there are."""
    row = game._games[0]
    counts = [int(n) for n in row["hands"][seat]]
    if viewer not in (None, seat):
        return f"{sum(counts)} tiles"
    drawn = int(row["drawn"]) if row["phase"] == TURN and row["turn"] == seat else NO_TILE
    if drawn != NO_TILE:
        counts[drawn] -= 1
    hand = " ".join(symbol(kind) for kind, n in enumerate(counts) for _ in range(n))
    return hand if drawn == NO_TILE else f"{hand} + {symbol(drawn)}".strip()


def draw_melds(game: "Game", seat: int, symbol: Symbol) -> Iterable[str]:
    """Each meld with its tile, or its cards, and, where it was claimed, from whom."""
    row = game._games[0]
    for place in range(int(row["meld_count"][seat])):
        verb, what = int(row["meld_verb"][seat, place]), int(row["meld_tile"][seat, place])
        kinds = set_kinds(game.variant, what) if verb in (CHI_SET, BAI) else [what]
        source = int(row["meld_from"][seat, place])
        claimed = "" if source == NOBODY else f" (from {source})"
        cards = run_of(what, symbol) if verb == CHI else " ".join(map(symbol, kinds))
        yield f"{MELDS[verb]} {cards}{claimed}"


def set_kinds(variant: "Variant", chi_set: int) -> list[int]:
    """The kinds of a set that is named among a verb's arguments."""
    return variant.tiles.parse(variant.own_arguments["chi_set"][chi_set])


def run_of(lowest: int, symbol: Symbol) -> str:
    """A run: as 234s where tiles are rank and suit, else tile by tile."""
    names = [symbol(kind) for kind in range(lowest, lowest + 3)]
    ranks, suits = "".join(name[:-1] for name in names), {name[-1] for name in names}
    return ranks + suits.pop() if ranks.isdigit() and len(suits) == 1 else " ".join(names)


def draw_discards(row: Any, seat: int, symbol: Symbol) -> Iterable[str]:
    """A seat's discards in order, those taken into a meld in brackets."""
    for place in range(int(row["river_length"])):
        if row["river_seat"][place] % TAKEN == seat:
            tile = symbol(int(row["river_tile"][place]))
            yield f"({tile})" if row["river_seat"][place] >= TAKEN else tile
