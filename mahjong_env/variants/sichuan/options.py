"""The options of Sichuan mahjong, the numbers kernels read for their values, and the names of what hands score for."""

from dataclasses import dataclass

from mahjong_env.rules.options import choice, flag, number
from mahjong_env.rules.variant import Pattern

XUEZHAN, XUELIU = range(2)
BY_CHANCE, COUNTER, CLOCKWISE, ACROSS = range(4)
NOT_DRAWN = -1
ZIMO_BASE, ZIMO_FAN, ZIMO_NONE = range(3)
REFUND, TRANSFER_LAST, TRANSFER_ALL, KEEP = range(4)
FLOWER_SELF_DRAW, FLOWER_DISCARD = range(2)
FRONT, BACK = range(2)
FIRST_DRAW, DEALER_FIRST_DISCARD = range(2)
FOUR_MELDS, PAIR_WAIT = range(2)
LAST_BOTH, LAST_SELF_DRAW, LAST_DISCARD, LAST_OFF = range(4)
HIGHER_FAN, STRICT, SAME_TILE, NO_LOCK = range(4)
ON_DRAW, ON_DRAW_OR_CALL = range(2)
HAND4, OWN4, VISIBLE = range(3)
TO_NOBODY, TO_ACTIVE, TO_ALL = range(3)
FIRST_WINNER, FIRST_WINNER_OR_NEXT = range(2)
NO_CAP = AS_CAP = -1
MOST_FAN = 6  # with more for one pattern, points of a hand without cap could leave 32 bits
PIG_WITHOUT_CAP = 5  # fan a flower pig pays where pig_amount is "cap" and there is none


@dataclass(frozen=True)
class Options:
    """The options of Sichuan mahjong with the defaults of `sbr2025`."""

    mode: str = choice(("xuezhan", "xueliu"), "a winner leaves the hand, or stays and goes on winning")
    exchange: bool = flag(False, "换三张: before play each seat passes on three tiles")
    exchange_same_suit: bool = flag(True, "the three tiles must be of one suit")
    exchange_direction: str = choice(
        ("random", "counter", "clockwise", "across"), "to the next seat, the previous one, across, or drawn by chance"
    )
    dingque: bool = flag(
        True, "定缺: each seat declares a void suit; without it a winner may just not hold three suits"
    )
    void_first: bool = flag(True, "while the hand holds void-suit tiles only those may be discarded")
    fan_cap: int | None = number(3, 0, 20, "most fan that count (封顶)", also=(None,))
    zimo: str = choice(("base", "fan", "none"), "a self-draw adds one point from each payer, one fan, or nothing")
    gang_pao: str = choice(
        ("refund", "transfer_last", "transfer_all", "none"),
        "gang money when the discard after the gang is won: back to its payers, that gang's or all of it to the winner",
    )
    direct_gang_flower: str = choice(
        ("zimo", "dianpao"), "a win on a direct gang's replacement is paid by all, or its feeder"
    )
    stale_added_gang_pays: int = choice((0, 1), "what each seat pays for a gang added with a tile not just drawn")
    direct_gang_others: int = choice((0, 1), "擦挂: what the other seats pay for a direct gang")
    gang_replacement: str = choice(("front", "back"), "the end of the wall a gang's replacement comes from")
    dai_yao_jiu: int = number(0, 0, MOST_FAN, "fan for a 1 or 9 in every set and the pair (带幺九); 0 = off")
    jiang: int = number(0, 0, MOST_FAN, "fan for all triplets or seven pairs of 2, 5, 8 (将); 0 = off")
    men_qing: int = number(0, 0, MOST_FAN, "fan for a concealed hand (门清); 0 = off")
    zhong_zhang: int = number(0, 0, MOST_FAN, "fan for a hand without 1 and 9 (中张); 0 = off")
    men_qing_zimo_only: bool = flag(False, "men_qing only by self-draw")
    men_qing_seven_pairs: bool = flag(False, "men_qing also for seven pairs")
    jiang_excludes_zhong_zhang: bool = flag(True, "zhong_zhang isn't added to jiang")
    tian_di: int = number(0, 0, 9, "fan of 天胡 and 地胡, if the hand has fewer; 0 = off")
    di_hu: str = choice(
        ("first_draw", "dealer_first_discard"), "地胡 on the first draw only, or on the dealer's first discard too"
    )
    jgd_needs: str = choice(
        ("four_melds", "pair_wait"), "金钩钓 needs four melds, or any all-triplet hand won on its pair"
    )
    dragon_extra: int = choice((0, 1), "one fan more for two-suit seven pairs with four of a kind")
    hai_di: str = choice(
        ("both", "self_draw", "discard", "off"), "the last wall tile, or the last discard, gives a fan"
    )
    rob_after_gang_counts_both: bool = flag(True, "robbing a gang added after a gang is gang_shang_pao too")
    pass_lock: str = choice(
        ("higher_fan", "strict", "same_tile", "none"),
        "过水: what a seat that passed a win may still win on, until released",
    )
    pass_lock_release: str = choice(("draw", "draw_or_call"), "what releases it")
    ting_rule: str = choice(
        ("hand4", "own4", "visible"),
        "a wait is void if four copies are in the concealed hand, own hand and melds, or in sight",
    )
    pig_amount: int | str = number(
        24, 0, 999, 'what a flower pig (花猪) pays; "cap": as the most a hand is worth', also=("cap",)
    )
    pig_to: str = choice(
        ("void", "active", "all"), "a pig pays nobody, every live seat that is no pig, or every other seat"
    )
    pig_also_jiao: bool = flag(True, "pigs also pay ready seats")
    passive_pig: bool = flag(True, "a pig that only ever discarded its void suit counts as not ready")
    tui_shui: bool = flag(True, "退税: seats not ready at the wall's end give gang money back")
    force_hu_last4: bool = flag(False, "with four wall tiles or fewer a possible hu must be taken")
    last_discard_peng: bool = flag(True, "the last discard may be claimed for a peng")
    dealer_rule: str = choice(
        ("first_winner", "first_winner_or_next"), "who deals next when nobody has won: same, or next seat"
    )
    xueliu_winners_receive: bool = flag(False, "in xueliu, winners are paid at the wall's end too")


ONLINE = {
    "exchange": True,
    "fan_cap": 5,
    "zimo": "fan",
    "gang_pao": "transfer_last",
    "stale_added_gang_pays": 1,
    "gang_replacement": "back",
    "dai_yao_jiu": 2,
    "jiang": 2,
    "tian_di": 5,
    "ting_rule": "own4",
    "pig_amount": "cap",
    "pig_to": "active",
    "pig_also_jiao": False,
    "passive_pig": False,
}


PATTERNS = (
    Pattern("ping_hu", "平胡", "plain hand"),
    Pattern("dui_dui_hu", "对对胡", "all triplets"),
    Pattern("jin_gou_diao", "金钩钓", "four melds, single wait"),
    Pattern("qing_yi_se", "清一色", "one suit"),
    Pattern("qi_dui", "七对", "seven pairs"),
    Pattern("gang", "杠", "gang"),
    Pattern("gen", "根", "four of a kind"),
    Pattern("gang_shang_hua", "杠上花", "win on a gang's replacement"),
    Pattern("gang_shang_pao", "杠上炮", "win on the discard after a gang"),
    Pattern("qiang_gang", "抢杠胡", "robbing a gang"),
    Pattern("hai_di", "海底", "last tile"),
    Pattern("zi_mo", "自摸", "self-draw"),
    Pattern("dai_yao_jiu", "带幺九", "1 or 9 in every set"),
    Pattern("jiang", "将", "all 2, 5, 8"),
    Pattern("men_qing", "门清", "concealed hand"),
    Pattern("zhong_zhang", "中张", "no 1 or 9"),
    Pattern("tian_hu", "天胡", "dealer's dealt hand"),
    Pattern("di_hu", "地胡", "first draw"),
    Pattern("dragon_extra", "龙七对加番", "two-suit dragon seven pairs"),
)
(PING_HU, DUI_DUI_HU, JIN_GOU_DIAO, QING_YI_SE, QI_DUI, GANGS, GEN, GANG_SHANG_HUA, GANG_SHANG_PAO, QIANG_GANG, HAI_DI,
 ZI_MO, DAI_YAO_JIU, JIANG, MEN_QING, ZHONG_ZHANG, TIAN_HU, DI_HU, DRAGON_EXTRA) = range(len(PATTERNS))  # fmt: skip
REASONS = ("hu", "gang", "gang money moved", "flower pig", "not ready", "gang money back")
FOR_HU, FOR_GANG, GANG_MONEY_MOVED, FOR_PIG, FOR_NOT_READY, GANG_MONEY_BACK = range(len(REASONS))
AFTER_GANG, LAST_TILE, FIRST_TURN = 1, 2, 4
"""Bits of the situation in which a hand is won."""

NOT_READY, PIG, READY = range(3)
MOST_GANGS = 16
