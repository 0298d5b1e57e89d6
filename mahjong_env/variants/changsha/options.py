"""The options of Changsha mahjong, the numbers kernels read for their values, and the names of what hands score for."""

from dataclasses import dataclass
from typing import Any

from mahjong_env.rules.options import choice, flag, number
from mahjong_env.rules.pass_hu import ABOUT_PASS_HU, PASS_HU
from mahjong_env.rules.variant import Pattern

CLASSIC, GS, EGRET, FLAT, JILAI = range(5)
BIRDS = (2, 0, 1, 4, 6)
DOUBLE, LINEAR, ADD1, ADD2 = range(4)
FROM_DEALER, FROM_WINNER = range(2)
REPLACE_PER_UNIT, PLUS1_ONCE, NO_ADD = range(3)
NO_FLOWER, SINGLE_258, SUIT_OF_ONE, EITHER = range(4)
ALL_TILES, ONE_CHOSEN = range(2)
TENPAI_258, ANY_258, NO_NEED = range(3)
BY_QUADS, FLAT_LUXURY = range(2)
FIRST_DISCARD, FIRST_ROUND, NO_EARTHLY = range(3)
NO_CAP = -1
SMALL_ON_DISCARD = (1, 1, 1, 2, 2)
SMALL_BY_SELF_DRAW = (1, 2, 1, 2, 2)
UNIT_ON_DISCARD = (6, 6, 6, 8, 7)
UNIT_BY_SELF_DRAW = (6, 6, 3, 8, 7)
"""What one payer pays for a small win, and for one unit of a big one, by scoring (rules page section 7.1)."""


@dataclass(frozen=True)
class Options:
    """The options of Changsha mahjong with the defaults of `classic_1267`."""

    scoring: str = choice(
        ("classic_1267", "gs_1266", "egret_x", "flat_2_8", "jilai_cap42"),
        "what wins are worth; sets dealer_add, bird_mode, bird_origin, cap and piao unless they are given",
    )
    birds: int = choice(BIRDS, "扎鸟: wall tiles looked at after a win")
    bird_mode: str = choice(
        ("double", "linear", "add1", "add2"), "n birds that hit multiply by 2**n or 1 + n, or add n or 2n"
    )
    bird_origin: str = choice(("dealer", "winner"), "the seat birds are counted from")
    dealer_add: str = choice(
        ("replace_per_unit", "plus1_once", "none"),
        "庄闲: where winner or payer is dealer, one point more for each unit, or for the payment, or nothing",
    )
    si_xi: bool = flag(True, "starting win 四喜: four equal tiles, each four an item")
    ban_ban_hu: bool = flag(True, "starting win 板板胡: no 2, 5, 8")
    que_yi_se: bool = flag(True, "starting win 缺一色: a suit is missing")
    liu_liu_shun: bool = flag(True, "starting win 六六顺: two kinds held three times")
    jie_jie_gao: bool = flag(False, "starting win 节节高: pairs of three consecutive ranks in a suit")
    san_tong: bool = flag(False, "starting win 三同: pairs of one rank in all suits")
    yi_zhi_hua: str = choice(
        ("off", "single_258", "suit", "either"),
        "starting win 一枝花: the only 2, 5, 8 of the hand is a 5; the only tile of a suit is a 5; or either",
    )
    jin_tong_yu_nv: bool = flag(False, "starting win 金童玉女: a pair of 2p and one of 2s")
    mid_four: bool = flag(False, "中途四喜: four equal concealed tiles may be declared after an ordinary draw")
    mid_six: bool = flag(False, "中途六六顺: two concealed triplets likewise")
    liu_liu_shun_exact: bool = flag(False, "the starting 六六顺 takes kinds held just three times, not four")
    starting_wins_each: bool = flag(True, "each starting item is paid, instead of one for all of a seat's")
    starting_birds: bool = flag(True, "two dice are birds for starting and mid-game wins")
    gang_reveal_count: int = number(2, 1, 4, "tiles turned up after 开杠")
    gang_tiles_claimable: str = choice(
        ("all", "one_chosen"), "others may claim any tile turned up, or the one its owner names"
    )
    gang_need_tenpai: str = choice(
        ("tenpai258", "any258", "none"), "开杠 needs a ready hand, a 2, 5 or 8 left in hand, or nothing"
    )
    buzhang_win_is_gang_draw: bool = flag(False, "a win on a 补张 tile is 杠上开花 too")
    rob_buzhang_is_big: bool = flag(True, "robbing a gang declared for 补张 is a big win too")
    reserve_haidi_tile: bool = flag(True, "gangs leave the last tile of the wall")
    haidi_tenpai_only: bool = flag(True, "the sea bottom is offered to ready seats only")
    situational_need_258: bool = flag(
        True, "海底, 杠上 and 抢杠 wins need a pair of 2, 5 or 8, or a big hand (假将胡 off)"
    )
    luxury_weights: str = choice(("1/2/3/4", "1/1/1/1"), "units of 七小对, 豪华, 双豪华, 三豪华")
    quanqiuren_self_draw: bool = flag(True, "全求人 also by self-draw")
    quanqiuren_need_258: bool = flag(False, "全求人 needs a pair of 2, 5 or 8")
    quanqiuren_concealed_gang: bool = flag(True, "concealed gangs count among the four melds of 全求人")
    menqing: bool = flag(False, "门清: a self-draw without exposed melds is a big win")
    menqing_need_258: bool = flag(True, "门清 needs a pair of 2, 5 or 8, or a big hand")
    multi_ron: bool = flag(True, "一炮多响: all who say hu to one tile win, instead of the nearest")
    pass_hu: str = choice(PASS_HU, ABOUT_PASS_HU)
    small_self_draw_only: bool = flag(False, "small wins only by self-draw")
    big_only: bool = flag(False, "only big wins")
    no_chi: bool = flag(False, "no chi")
    need_open_door: bool = flag(False, "开门: a small win needs an exposed meld")
    rob_pays_three: bool = flag(False, "抢杠包三家: a robbed seat pays what all three would pay to a self-draw")
    cap: int | None = number(None, 1, 9999, "封顶: most that one payer pays, piao aside", also=(None,))
    piao: int = number(0, 0, 5, "飘分: points each of two seats adds to a payment between them")
    gang_points: str = choice(("off", "table"), "gangs are paid by everybody: exposed 2, added 1, concealed 3")
    gang_after_claim: bool = flag(True, "after a chi or peng a gang may be made before the discard")
    swap_calling_ban: bool = flag(False, "食替: the kind just claimed may not be discarded")
    tianhu_need_258: bool = flag(False, "天胡 needs a pair of 2, 5 or 8, or a big hand")
    chi_on_gang_tiles: bool = flag(True, "tiles turned up after 开杠 may be claimed for a chi")
    dihu: str = choice(
        ("first_discard", "first_round", "off"),
        "地胡: on the dealer's first discard, or before the own first discard and any meld",
    )


IMPLIED: dict[str, dict[Any, dict[str, Any]]] = {
    "scoring": {
        "classic_1267": {"dealer_add": "replace_per_unit", "bird_mode": "double", "bird_origin": "dealer", "cap": None, "piao": 0},
        "gs_1266": {"dealer_add": "plus1_once", "bird_mode": "linear", "bird_origin": "winner", "cap": None, "piao": 0},
        "egret_x": {"dealer_add": "replace_per_unit", "bird_mode": "double", "bird_origin": "dealer", "cap": None, "piao": 0},
        "flat_2_8": {"dealer_add": "none", "bird_mode": "double", "bird_origin": "dealer", "cap": None, "piao": 0},
        "jilai_cap42": {"dealer_add": "none", "bird_mode": "linear", "bird_origin": "winner", "cap": 42, "piao": 1},
    }
}  # fmt: skip
"""What a scoring brings with it (rules page section 10.2, 19)."""

RULEBOOK = {
    "rob_buzhang_is_big": False,
    "gang_tiles_claimable": "one_chosen",
    "situational_need_258": False,
    "starting_wins_each": False,
    "dihu": "first_round",
}
"""Where the rule book of "经典双鸟" differs from what is commonest."""

PATTERNS = (
    Pattern("平胡", "平胡", "small win"),
    Pattern("碰碰胡", "碰碰胡", "all triplets"),
    Pattern("将将胡", "将将胡", "all 2, 5, 8"),
    Pattern("清一色", "清一色", "one suit"),
    Pattern("七小对", "七小对", "seven pairs"),
    Pattern("豪华七小对", "豪华七小对", "seven pairs with four of a kind"),
    Pattern("双豪华七小对", "双豪华七小对", "seven pairs with two fours"),
    Pattern("三豪华七小对", "三豪华七小对", "seven pairs with three fours"),
    Pattern("全求人", "全求人", "four melds, single wait"),
    Pattern("天胡", "天胡", "dealer's dealt hand"),
    Pattern("地胡", "地胡", "dealer's first discard"),
    Pattern("海底捞月", "海底捞月", "self-draw of the sea bottom"),
    Pattern("海底炮", "海底炮", "win on the sea bottom of another"),
    Pattern("杠上开花", "杠上开花", "win on an own gang's tile"),
    Pattern("杠上炮", "杠上炮", "win on another gang's tile"),
    Pattern("抢杠胡", "抢杠胡", "robbing a gang"),
    Pattern("门清", "门清", "concealed self-draw"),
)
(PING_HU, PENG_PENG_HU, JIANG_JIANG_HU, QING_YI_SE, QI_XIAO_DUI, HAO_HUA, SHUANG_HAO_HUA, SAN_HAO_HUA, QUAN_QIU_REN,
 TIAN_HU, DI_HU, HAI_DI_LAO_YUE, HAI_DI_PAO, GANG_SHANG_KAI_HUA, GANG_SHANG_PAO, QIANG_GANG_HU, MEN_QING) = range(
    len(PATTERNS)
)  # fmt: skip
HEAVENLY, EARTHLY, LAST_TILE, AFTER_GANG, GANG_DISCARD, ROBBED, CONCEALED_DRAW = (1 << bit for bit in range(7))
"""Bits of the situation in which a hand is won."""

STARTING_ITEMS = ("四喜", "板板胡", "缺一色", "六六顺", "节节高", "三同", "一枝花", "金童玉女")
(SI_XI, BAN_BAN_HU, QUE_YI_SE, LIU_LIU_SHUN, JIE_JIE_GAO, SAN_TONG, YI_ZHI_HUA, JIN_TONG_YU_NV) = range(
    len(STARTING_ITEMS)
)
REASONS = ("hu", "starting win", "mid-game win", "gang")
FOR_HU, FOR_STARTING, FOR_MID_GAME, FOR_GANG = range(len(REASONS))
MOST_THROWS = 24
"""Throws of two dice that a hand can hold: four seats' starting wins, and mid-game items, of which few hands see one."""

MOST_SIXES = 14
"""Pairs of triplets a seat can have declared."""
