"""The bar of a passed win (过胡, 漏胡): for variants with the option `pass_hu` and the fields `passed`, `passed_kinds`."""

from typing import Any

from mahjong_env.compiled import compiled

PASS_HU = ("value_until_discard", "all_until_draw", "tile_until_draw", "none")
VALUE_UNTIL_DISCARD, ALL_UNTIL_DRAW, TILE_UNTIL_DRAW, NO_BAR = range(len(PASS_HU))
ABOUT_PASS_HU = (
    "过胡: a passed win bars wins worth no more until the own discard, all or that tile until the own draw, or nothing"
)
PASSED_FIELDS: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
    ("passed_kinds", "i4", ("seats",)),  # kinds of the wins passed, as a mask
    ("passed", "i1", ("seats",)),  # 1 + most of what those wins were worth; 0 for none
)


@compiled
def is_barred_tile(game, seat, kind):
    """The seat has passed that very kind."""
    return game.options.pass_hu == TILE_UNTIL_DRAW and (game.passed_kinds[seat] >> kind) & 1 == 1


@compiled
def is_barred_value(game, seat, value):
    """The seat has passed a win worth at least as much, or any."""
    if game.options.pass_hu == VALUE_UNTIL_DISCARD:
        return value < game.passed[seat]
    return game.options.pass_hu == ALL_UNTIL_DRAW and game.passed[seat] > 0


@compiled
def remember_pass(game, seat, kinds, value):
    """The seat has passed a win of that value on the kinds of a mask; the highest counts."""
    if game.options.pass_hu != NO_BAR:
        game.passed[seat] = max(int(game.passed[seat]), 1 + value)
        game.passed_kinds[seat] |= kinds


@compiled
def release_by_draw(game, seat):
    """Any tile taken into the hand, a replacement included, releases the bars that last until the draw."""
    if game.options.pass_hu != VALUE_UNTIL_DISCARD:
        release(game, seat)


@compiled
def release_by_discard(game, seat):
    """The own discard releases the other one."""
    if game.options.pass_hu == VALUE_UNTIL_DISCARD:
        release(game, seat)


@compiled
def release(game, seat):
    """The seat may win on anything again."""
    game.passed[seat] = 0
    game.passed_kinds[seat] = 0
