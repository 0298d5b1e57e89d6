"""The flip cycle, of zipai: flip or discard → claims → lay → discard. `FLIP` is the object that a variant names."""

from mahjong_env.rules.cycle import Cycle
from mahjong_env.rules.flip import hooks, inference
from mahjong_env.rules.flip.observation import COMMON_PIECES, observe
from mahjong_env.rules.flip.position import WIN_BY, card_keys, lay_hand, set_up
from mahjong_env.rules.flip.turns import FIELDS, deal, play, resume, start
from mahjong_env.rules.hooks import asked_in

FLIP = Cycle(
    name="flip",
    deal=deal,
    start=start,
    play=play,
    resume=resume,
    observe=observe,
    questions=asked_in(hooks.__name__) | asked_in(inference.__name__),
    pieces=COMMON_PIECES,
    win_by=WIN_BY,
    set_up=set_up,
    lay_hand=lay_hand,
    keys_of=card_keys,
    fields=FIELDS,
    takes_win_tile=False,
    has_sizes=False,
    verbs=("discard", "chi_set", "bai", "hu", "pass"),
)
