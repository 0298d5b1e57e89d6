"""Zhuanzhuan (转转麻将), the Hunan game from which Hongzhong comes: no tile is wild, and discards can be won on.

Source: rule texts of public Hunan servers, where 红中 is a box to be ticked on top of it; 108 tiles, codes 1, 5, 9.
"""

from dataclasses import replace

from mahjong_env.rules import COPIES, compiled, get_variant, like

PLAIN = {"discard_win": True, "four_hongzhong_wins": False, "no_hongzhong": "off"}

VARIANT = like(
    "hongzhong",
    name="zhuanzhuan",
    title="Zhuanzhuan mahjong (转转麻将)",
    tiles=replace(get_variant("hongzhong").tiles, copies=(COPIES,) * 27 + (0,), laizi=None),
    presets={"usual": PLAIN, "self_draw": PLAIN | {"discard_win": False}},
)


@compiled
def laizi_kinds(game):
    """None: the red dragon has no copies."""
    return 0
