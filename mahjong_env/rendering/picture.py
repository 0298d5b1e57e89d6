"""The table as a picture, drawn with Pillow: for films, notebooks and `render_mode="rgb_array"`.

Everything is drawn here but the letters, which are Pillow's own font. Lengths are in thousandths of the picture's side.
The seat that looks on, or seat 0, sits at the bottom, the next one in turn to its right. Tiles stand upright in front of
every seat, so that a 6 is never read as a 9.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from mahjong_env.rendering.text import draw_wins, set_kinds, situation, wall_left
from mahjong_env.rules.actions import ADDED_GANG, ADDED_KAI, BAI, CHI, CHI_SET, DUI, GANG, KAI, PENG, SELF_GANG
from mahjong_env.rules.state import NO_TILE, NOBODY, OPENING, TAKEN, TURN
from mahjong_env.rules.variant import Variant
from mahjong_env.tiles import CARDS

try:
    from PIL import Image, ImageDraw, ImageFont
except ImportError as error:
    raise ImportError("pictures are drawn with Pillow; install it with: pip install -e '.[render]'") from error

SMALLEST = 240
"""Pixels; in a smaller picture nobody can read a tile."""

WHOLE = 1000
SHARPER = 4
"""Shapes are drawn that many times as large and then reduced, which smooths their edges."""

Colour = tuple[int, int, int]
FELT, PANEL, EDGE = (24, 84, 70), (14, 58, 48), (52, 118, 101)
LIGHT, DIM, GOLD = (240, 244, 236), (158, 194, 180), (255, 196, 61)
IVORY, RIM, BACK, BACK_RIM = (250, 246, 232), (196, 184, 150), (226, 151, 62), (158, 98, 32)
RED, BLUE, GREEN, BLACK = (178, 34, 30), (26, 76, 150), (22, 118, 62), (44, 48, 56)
SUIT_COLOURS = {"m": RED, "p": BLUE, "s": GREEN}
HONOUR_COLOURS = {"C": RED, "F": GREEN, "B": BLUE} | dict.fromkeys(CARDS[10:], RED)  # big cards are the red ones
FACE_UP, FACE_DOWN, LATEST, GONE, CLAIMED = range(5)
"""How a tile is drawn: open; its back; the latest discard; a discard somebody took; the tile a meld was claimed with."""

MELD_TILES = {PENG: (0, 0, 0), CHI: (0, 1, 2), DUI: (0, 0, 0)} | dict.fromkeys(
    (GANG, SELF_GANG, ADDED_GANG, KAI, ADDED_KAI), (0, 0, 0, 0)
)
"""The tiles of a meld by its verb: how many kinds each lies above the one the meld is named by."""


class Box(NamedTuple):
    """Where something may be drawn."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def centre(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


class Place(NamedTuple):
    """A seat's share of the table."""

    hand: Box
    """Hand and melds, along an edge of the table."""
    discards: Box
    label: Box
    """Lines about the seat."""
    points: tuple[float, float, str]
    """Where its points stand, and which point of their text that is, in Pillow's terms."""
    mark: Box
    """The bar that lights up when the seat is to act."""


CENTRE = Box(350, 342, 650, 642)
BOTTOM = Place(
    hand=Box(66, 920, 934, 985),
    discards=Box(346, 652, 654, 880),
    label=Box(76, 844, 340, 916),
    points=(500, 607, "mm"),
    mark=Box(380, 635, 620, 642),
)
RIGHT = Place(
    hand=Box(950, 18, 988, 902),
    discards=Box(660, 342, 924, 690),
    label=Box(660, 266, 940, 338),
    points=(634, 447, "rm"),
    mark=Box(643, 372, 650, 612),
)
TOP = Place(
    hand=Box(66, 12, 934, 62),
    discards=Box(346, 104, 654, 332),
    label=Box(76, 76, 340, 148),
    points=(500, 377, "mm"),
    mark=Box(380, 342, 620, 349),
)
LEFT = Place(
    hand=Box(12, 18, 50, 902),
    discards=Box(76, 342, 340, 690),
    label=Box(76, 266, 340, 338),
    points=(366, 447, "lm"),
    mark=Box(350, 372, 357, 612),
)
PLACES = {2: (BOTTOM, TOP), 3: (BOTTOM, RIGHT, LEFT), 4: (BOTTOM, RIGHT, TOP, LEFT)}
"""Seats by their distance from the one at the bottom."""

OWN, OTHERS, RIVER = (48, 65), (38, 50), (42, 55)
"""Width and height of tiles at the bottom, at the other edges, and among the discards; they shrink if there are many."""
GAP, CLOSE = 12, 2
"""Between melds, and between discards."""


def draw_picture(variant: Variant, preset: str, state: Any, seat: int | None = None, size: int = 640) -> np.ndarray:
    """The table as (size, size, 3) uint8, red, green and blue.

    `seat` shows only what that seat sees, others' hands face down; without it all hands lie open. Discards that somebody
    took are faded, the latest one is framed. ValueError for a seat that isn't at the table or a size below 240.
    """
    seats = variant.seats
    if seat not in (None, *range(seats)):
        raise ValueError(f"seat {seat!r} is not at this table; seats are 0 to {seats - 1}")
    if size < SMALLEST:
        raise ValueError(f"size {size!r} is too small; it takes {SMALLEST} pixels at least")
    sheet = Sheet(size)
    draw_centre(sheet, variant, preset, state, seat)
    for step, place in enumerate(PLACES[seats]):
        draw_seat(sheet, variant, state, ((seat or 0) + step) % seats, seat, place)
    return np.array(sheet.image)


# --- what lies on the table -------------------------------------------------------------------------------------------


class Tile(NamedTuple):
    """A tile to draw: its name, how it lies, and the gap before it."""

    name: str
    look: int
    gap: float = 0


def draw_centre(sheet: "Sheet", variant: Variant, preset: str, state: Any, viewer: int | None) -> None:
    """The rules, the wall, and what is going on."""
    middle = CENTRE.centre[0]
    sheet.write((middle, 411), f"{variant.name} {preset}", 19, DIM)
    sheet.write((middle, 462), str(wall_left(state)), 62, LIGHT)
    sheet.write((middle, 503), "in the wall", 20, DIM)
    parts = situation(variant, state, viewer, variant.tiles.names.__getitem__).split(", ")
    for number, line in enumerate(line for part in parts for line in sheet.wrap(part, 20, 230)):
        sheet.write((middle, 538 + 24 * number), line, 20, LIGHT)


def draw_seat(sheet: "Sheet", variant: Variant, state: Any, seat: int, viewer: int | None, place: Place) -> None:
    """A seat's tiles, and what there is to say about it."""
    is_marked = state["to_act"] == seat and (viewer in (None, seat) or state["phase"] in (OPENING, TURN))
    if is_marked:
        sheet.fill(place.mark, GOLD)
    x, y, anchor = place.points
    points = int(state["points"][seat])
    sheet.write((x, y), f"{points:+d}" if points else "0", 28, GOLD if is_marked else LIGHT, anchor)
    write_label(sheet, variant, state, seat, viewer, place, GOLD if is_marked else LIGHT)
    sheet.lay_rows(list(discards(variant, state, seat)), place.discards, from_bottom=place is TOP)
    hand, melds = list(concealed(variant, state, seat, viewer)), list(melded(variant, state, seat))
    first, second = (hand, melds) if place in (BOTTOM, LEFT) else (melds, hand)  # melds lie at the right hand
    if first and second:
        second[0] = second[0]._replace(gap=2 * GAP)
    sheet.lay_line(first + second, place.hand, OWN if place is BOTTOM else OTHERS)


def write_label(
    sheet: "Sheet", variant: Variant, state: Any, seat: int, viewer: int | None, place: Place, colour: Colour
) -> None:
    """Which seat it is, on a first line; its wins and what the variant says of it, on two more."""
    symbol = variant.tiles.names.__getitem__
    facts = [draw_wins(state, seat, symbol), variant.answers.describe_seat(state, seat, viewer)]
    x, y, right, _ = place.label
    sheet.write((x, y), f"seat {seat}{', dealer' if seat == state['dealer'] else ''}", 22, colour, "lt")
    for number, line in enumerate(sheet.wrap(", ".join(fact for fact in facts if fact), 18, right - x)[:2]):
        sheet.write((x, y + 28 + 22 * number), line, 18, DIM, "lt")


def concealed(variant: Variant, state: Any, seat: int, viewer: int | None) -> Iterator[Tile]:
    """The seat's hand, the drawn tile apart; others see its back."""
    names = variant.tiles.names
    counts = [int(n) for n in state["hands"][seat]]
    if viewer not in (None, seat) and not state["open_hand"][seat]:
        yield from [Tile("", FACE_DOWN)] * sum(counts)
        return
    drawn = int(state["drawn"]) if state["phase"] == TURN and state["turn"] == seat else NO_TILE
    for kind, count in enumerate(counts):
        yield from [Tile(names[kind], FACE_UP)] * (count - (kind == drawn))
    if drawn != NO_TILE:
        yield Tile(names[drawn], FACE_UP, GAP)


def melded(variant: Variant, state: Any, seat: int) -> Iterator[Tile]:
    """The seat's melds. The tile that was claimed is tinted and lies towards the seat it came from; a concealed gang's
    outer tiles show their backs."""
    names = variant.tiles.names
    for place in range(int(state["meld_count"][seat])):
        verb, kind = int(state["meld_verb"][seat, place]), int(state["meld_tile"][seat, place])
        source = int(state["meld_from"][seat, place])
        if verb in (CHI_SET, BAI):
            kinds = set_kinds(variant, kind)
        else:
            kinds = [kind + step for step in MELD_TILES[verb]]
        away = (source - seat) % variant.seats
        claimed = len(kinds) - 1 if away == 1 else 0 if away == variant.seats - 1 else 1
        for number, other in enumerate(kinds):
            look = CLAIMED if source != NOBODY and number == claimed else FACE_UP
            if verb == SELF_GANG and number in (0, 3):
                look = FACE_DOWN
            yield Tile(names[other], look, 0 if number else GAP)


def discards(variant: Variant, state: Any, seat: int) -> Iterator[Tile]:
    """The seat's discards in order."""
    names = variant.tiles.names
    length = int(state["river_length"])
    for number in range(length):
        owner = int(state["river_seat"][number])
        if owner % TAKEN == seat:
            look = GONE if owner >= TAKEN else LATEST if number == length - 1 else FACE_UP
            yield Tile(names[int(state["river_tile"][number])], look)


# --- drawing ----------------------------------------------------------------------------------------------------------


class Sheet:
    """A picture being drawn; positions and lengths in thousandths of its side."""

    def __init__(self, size: int):
        self.unit = size / WHOLE
        self.image = bare_table(size).copy()
        self._draw = ImageDraw.Draw(self.image)

    def pixels(self, length: float) -> int:
        return round(length * self.unit)

    def write(self, at: tuple[float, float], text: str, height: float, colour: Colour, anchor: str = "mm") -> None:
        """Text at a point of it that Pillow calls `anchor`; letters its font lacks are left out."""
        place = self.pixels(at[0]), self.pixels(at[1])
        self._draw.text(place, readable(text), colour, font(self.pixels(height)), anchor)

    def wrap(self, text: str, height: float, width: float) -> list[str]:
        """Text in lines of at most that width."""
        lines: list[str] = []
        for word in readable(text).split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and font(self.pixels(height)).getlength(longer) <= self.pixels(width):
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def fill(self, box: Box, colour: Colour) -> None:
        """A bar."""
        self._draw.rounded_rectangle([self.pixels(side) for side in box], self.pixels(3), colour)

    def lay(self, tile: Tile, x: float, y: float, width: float, height: float) -> None:
        """A tile by its upper left corner."""
        picture = tile_picture(tile.name, tile.look, self.pixels(width), self.pixels(height))
        self.image.paste(picture, (self.pixels(x), self.pixels(y)), picture)

    def lay_line(self, tiles: Iterable[Tile], box: Box, tile_size: tuple[float, float]) -> None:
        """Tiles in one line, across or down as the box is, in its middle; they shrink if they would not fit."""
        tiles = list(tiles)
        across = box.right - box.left > box.bottom - box.top
        step, room = (tile_size[0], box.right - box.left) if across else (tile_size[1], box.bottom - box.top)
        needed = sum(step + tile.gap for tile in tiles)
        shrink = min(1.0, room / max(needed, 1))
        along = (box.centre[0] if across else box.centre[1]) - needed * shrink / 2
        width, height = tile_size[0] * shrink, tile_size[1] * shrink
        for tile in tiles:
            along += tile.gap * shrink
            if across:
                self.lay(tile, along, box.centre[1] - height / 2, width, height)
            else:
                self.lay(tile, box.centre[0] - width / 2, along, width, height)
            along += step * shrink

    def lay_rows(self, tiles: list[Tile], box: Box, from_bottom: bool) -> None:
        """Tiles in rows from the left, at the box's top or bottom; they shrink until all fit."""
        width, height = float(RIVER[0]), float(RIVER[1])
        while True:
            row, rows = ((box.right - box.left) // (width + CLOSE)), ((box.bottom - box.top) // (height + CLOSE))
            if row * rows >= len(tiles):
                break
            width, height = width * 0.95, height * 0.95
        used = -(-len(tiles) // int(row))
        top = box.bottom - used * (height + CLOSE) if from_bottom else box.top
        for number, tile in enumerate(tiles):
            down, along = divmod(number, int(row))
            self.lay(tile, box.left + along * (width + CLOSE), top + down * (height + CLOSE), width, height)


def readable(text: str) -> str:
    """The letters that Pillow's font has."""
    return text.encode("latin-1", "ignore").decode("latin-1")


@cache
def font(height: int) -> Any:
    """Pillow's own font, `height` pixels high."""
    return ImageFont.load_default(max(height, 6))


@cache
def bare_table(size: int) -> "Image.Image":
    """The felt and the panel in its middle."""
    unit = size * SHARPER / WHOLE
    image = Image.new("RGB", (size * SHARPER, size * SHARPER), FELT)
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle([side * unit for side in CENTRE], 14 * unit, PANEL, EDGE, round(2 * unit))
    return image.reduce(SHARPER)


@cache
def tile_picture(name: str, look: int, width: int, height: int) -> "Image.Image":
    """A tile with clear corners, in pixels."""
    w, h = width * SHARPER, height * SHARPER
    image = Image.new("RGBA", (w, h), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    round_corner, thick, line = w * 0.14, h * 0.07, max(1, round(w * 0.035))
    base, face = (BACK_RIM, BACK) if look == FACE_DOWN else (RIM, IVORY)
    if look == CLAIMED:
        base, face = (176, 150, 84), (255, 226, 150)
    draw.rounded_rectangle([line / 2, line / 2, w - line, h - line], round_corner, base)
    draw.rounded_rectangle([line / 2, line / 2, w - line, h - line - thick], round_corner, face, base, line)
    if look == FACE_DOWN:
        inner = [w * 0.2, h * 0.16, w * 0.8, h * 0.77]
        draw.rounded_rectangle(inner, round_corner / 2, None, BACK_RIM, line)
    else:
        draw_face(draw, name, w, h - thick)
    if look == LATEST:
        draw.rounded_rectangle([line / 2, line / 2, w - line, h - line], round_corner, None, GOLD, line * 3)
    image = image.reduce(SHARPER)
    if look == GONE:
        image.putalpha(image.getchannel("A").point([alpha * 2 // 5 for alpha in range(256)]))
    return image


def draw_face(draw: "ImageDraw.ImageDraw", name: str, w: float, h: float) -> None:
    """A rank over its suit's sign, or a name that is no rank and suit in large letters."""
    if len(name) == 2 and name[0].isdigit() and name[1] in SUIT_COLOURS:
        colour = SUIT_COLOURS[name[1]]
        draw.text(
            (w / 2, h * 0.3),
            name[0],
            colour,
            font(round(h * 0.54)),
            "mm",
            stroke_width=round(w / 60),
            stroke_fill=colour,
        )
        SIGNS[name[1]](draw, w / 2, h * 0.74, h * 0.2, colour)
        return
    height = h * 0.66 if len(name) == 1 else min(h * 0.5, w * 1.1 / len(name))
    draw.text((w / 2, h * 0.5), name, HONOUR_COLOURS.get(name, BLACK), font(round(height)), "mm")


def draw_characters(draw: "ImageDraw.ImageDraw", x: float, y: float, r: float, colour: Colour) -> None:
    """万 in four strokes."""
    line = max(1, round(r * 0.3))
    draw.line([(x - r, y - 0.8 * r), (x + r, y - 0.8 * r)], colour, line)
    draw.line(
        [(x - 0.1 * r, y - 0.8 * r), (x - 0.25 * r, y + 0.1 * r), (x - 0.9 * r, y + 0.9 * r)], colour, line, "curve"
    )
    draw.line(
        [(x - 0.2 * r, y - 0.1 * r), (x + 0.75 * r, y - 0.1 * r), (x + 0.6 * r, y + 0.8 * r)], colour, line, "curve"
    )
    draw.line([(x + 0.6 * r, y + 0.8 * r), (x + 0.2 * r, y + 0.7 * r)], colour, line)


def draw_dots(draw: "ImageDraw.ImageDraw", x: float, y: float, r: float, colour: Colour) -> None:
    """A ring around a dot."""
    draw.ellipse([x - r, y - r, x + r, y + r], None, colour, max(1, round(r * 0.3)))
    draw.ellipse([x - 0.35 * r, y - 0.35 * r, x + 0.35 * r, y + 0.35 * r], colour)


def draw_bamboo(draw: "ImageDraw.ImageDraw", x: float, y: float, r: float, colour: Colour) -> None:
    """Two canes with a knot in each."""
    for middle in (x - 0.45 * r, x + 0.45 * r):
        for top, bottom in ((y - r, y - 0.12 * r), (y + 0.12 * r, y + r)):
            draw.rounded_rectangle([middle - 0.27 * r, top, middle + 0.27 * r, bottom], 0.2 * r, colour)


SIGNS = {"m": draw_characters, "p": draw_dots, "s": draw_bamboo}
