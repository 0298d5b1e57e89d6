"""The options of ErQiShi, the numbers kernels read for their values, and the names of what hands score for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mahjong_env.rules.options import choice, flag, number
from mahjong_env.rules.variant import Pattern

LESHAN, QIANWEI, MEISHAN = range(3)
BY_SEATS, TWENTY, FOURTEEN = range(3)
BEST, FIRST = range(2)
NONE = -1  # an option that is left to the table, or switched off
CAPS = (10, 8, 30)  # by table
SHORT_CAP = 50  # of the 14-card game
LEAST, SHORT_LEAST = 10, 1  # points of a win
TIAN, DI, KUN, QUAN, QING, GUNFAN = range(6)
PATTERNS = (
    Pattern("tian", "天胡", "won with the cards dealt"),
    Pattern("di", "地胡", "won on the dealer's first discard or the first flip, before any claim"),
    Pattern("kun", "坤", "every group but the pair scores points"),
    Pattern("quan", "圈胡", "the circle's card completes a dui or kai"),
    Pattern("qing", "清一色", "all cards small, or all big"),
    Pattern("gunfan", "磙翻", "a gun in the hand"),
)
HU, RAIN = range(2)
REASONS = ("hu", "rain")


@dataclass(frozen=True)
class Options:
    """The options of ErQiShi (rules page section 1) with the defaults of Leshan."""

    table: str = choice(("leshan", "qianwei", "meishan"), "the place whose table turns points into payments")
    players: int = choice((3, 2, 4), "how many play")
    hand_size: int | None = choice((None, 20, 14), "cards dealt to each; None: 20, and 14 with four players")
    min_points: int | None = number(
        None, 0, 60, "points a win needs (起胡); None: 10, in the 14-card game 1", also=(None,)
    )
    fan_tian: bool = flag(True, "天胡: a fan for winning with the cards dealt")
    fan_di: bool = flag(True, "地胡: a fan for winning on the first card shown")
    fan_kun: bool = flag(True, "坤: a fan if every group but the pair scores points")
    fan_quan: bool = flag(True, "圈胡: a fan if the circle's card completes a dui or kai")
    fan_qing: bool = flag(False, "清一色: a fan for cards of one size")
    fan_gunfan: bool = flag(False, "磙翻: a fan for a gun in the hand")
    swap3: bool = flag(False, "换三张: before play each seat passes three cards to the next")
    bayu_points: bool = flag(False, "巴雨加胡: a bayu scores as a kai, not as a dui")
    rain: bool = flag(False, "下雨: quads are paid for at the end of the hand")
    kuikae: bool = flag(True, "上吐下泻: who eats with two cards may not discard what they could also have eaten")
    lock_kan: bool = flag(True, "three or four equal cards stay together in the winning hand")
    hu_over_kai: bool = flag(False, "the winning card may also be used singly where it could make a kai or bayu")
    cap: int | None = number(
        None, 1, 1000, "most a win is worth (封顶); None: 10, 8 and 30 by table, 50 in the 14-card game", also=(None,)
    )
    circle: int | None = number(
        1, 1, 10, "圈: the quan card is the big card of this rank; None: there is none", also=(None,)
    )
    base: int = number(2, 1, 100, "points a unit of payment")
    split: str = choice(("best", "first"), "which division of a winning hand is paid: the best, or the first found")


def check_options(options: Mapping[str, Any]) -> None:
    """ValueError where options don't go together."""
    if options["players"] == 4 and options["hand_size"] == 20:
        raise ValueError("hand_size=20 is not possible with players=4; four players take 14 cards each")
