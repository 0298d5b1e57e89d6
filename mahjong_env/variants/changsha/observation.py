"""What a seat sees beside the common pieces, and what drawings and tests ask."""

from typing import Any

from mahjong_env.compiled import compiled
from mahjong_env.rules.actions import OPEN_SELF_GANG
from mahjong_env.rules.observation import COUNTS, Piece, cover
from mahjong_env.rules.state import OWN, ROBBING
from mahjong_env.tiles import SUITS
from mahjong_env.variants.changsha.open_gang import CLAIMING, GANG_AGAIN, NAMING, SEA_BOTTOM, WINNING
from mahjong_env.variants.changsha.options import STARTING_ITEMS

PIECES = (
    Piece("locked", "seats", "1 over each seat whose hand is locked by 开杠"),
    Piece("declared", "seats", f"1 at the place of each starting item a seat has declared: {' '.join(STARTING_ITEMS)}"),
    Piece("shown", "seats", "tiles each seat has shown for its starting and mid-game wins", COUNTS),
    Piece("face_up", 1, "tiles that lie face up: turned up after 开杠, or the sea bottom", COUNTS),
    Piece(
        "question",
        1,
        "1 who takes the sea bottom, 2 who wins on what lies face up, 3 which tile others may claim, 4 another gang with"
        " one, 5 who claims one, 6 robbing a gang declared for 开杠",
        (1, 2, 3, 4, 5, 6),
    ),
    Piece("passed", 1, "1 + most units of the wins the viewer has passed, until released; 0 for none", (1, 2, 3, 4)),
    Piece("passed_tiles", 1, "1 at the kinds of those wins"),
)
OPEN_ROBBING = 6


@compiled
def observe_own(game, seat, out, row, all_seen):
    """The pieces above. In step d of tiles turned up only the seat asked sees which of them it is asked about."""
    for step in range(4):
        other = (seat + step) % 4
        cover(game, out, row + step, int(game.locked[other]))
        for kind in range(27):
            out[row + 4 + step, kind] = (int(game.items[other]) >> kind) & 1
            out[row + 8 + step, kind] = game.shown[other, kind]
    if game.phase == CLAIMING and seat != game.to_act:
        for kind in range(27):
            out[2, kind] = 0
    for kind in range(27):
        out[row + 12, kind] = 0
        out[row + 15, kind] = (int(game.passed_kinds[seat]) >> kind) & 1
    for face in range(int(game.face_up_count)):
        out[row + 12, int(game.face_up[face])] += 1
    question = 0
    if game.phase >= OWN:
        question = 1 + game.phase - OWN
    elif game.phase == ROBBING and game.gang_verb == OPEN_SELF_GANG:
        question = OPEN_ROBBING
    cover(game, out, row + 13, question)
    cover(game, out, row + 14, int(game.passed[seat]))
    return row + 16


QUESTIONS = {
    SEA_BOTTOM: "the sea bottom is offered",
    WINNING: "who wins on",
    NAMING: "names what others may claim of",
    GANG_AGAIN: "may make another gang with",
    CLAIMING: "who claims one of",
}


def describe_phase(state: Any) -> str:
    """What is asked in a phase of this variant's own."""
    tiles = SUITS.format(state["face_up"][: state["face_up_count"]].tolist())
    return f"{QUESTIONS[int(state['phase'])]} {tiles}".strip()


def describe_seat(state: Any, seat: int, viewer: int | None) -> str:
    """Whether the hand is locked, and what it has declared."""
    declared = [name for item, name in enumerate(STARTING_ITEMS) if state["items"][seat] >> item & 1]
    facts = ["locked"] if state["locked"][seat] else []
    facts += [f"declared {' '.join(declared)}"] if declared else []
    shown = [kind for kind in range(27) for _ in range(state["shown"][seat, kind])]
    return ", ".join(facts + ([f"shown {SUITS.format(shown)}"] if shown else []))
