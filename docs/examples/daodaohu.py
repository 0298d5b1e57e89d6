"""Daodaohu (倒倒胡), as played in Sichuan beside the bloody end: the first win ends the hand.

Source: public Sichuan servers offer it as a room of its own beside 血战到底 and 血流成河, with the same options for fan and gangs.
"""

from mahjong_env.rules import OVER, compiled, like

VARIANT = like(
    "sichuan",
    name="daodaohu",
    title="Daodaohu (倒倒胡)",
    presets={"usual": {"zimo": "fan", "gang_replacement": "back"}, "exchange": {"exchange": True, "zimo": "fan"}},
    renamed={},
)


@compiled
def after_hu(game, source):
    """Nobody plays on after a win; several may still win on the same tile."""
    game.phase = OVER
