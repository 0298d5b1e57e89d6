"""The draw cycle, of mahjong: draw → act → discard → claim. `DRAW` is the object that a variant names."""

from mahjong_env.rules.cycle import Cycle
from mahjong_env.rules.draw import hooks, inference
from mahjong_env.rules.draw.observation import COMMON_PIECES, observe
from mahjong_env.rules.draw.position import WIN_BY, lay_hand, set_up
from mahjong_env.rules.draw.turns import deal, play, resume, start
from mahjong_env.rules.hooks import asked_in
from mahjong_env.rules.winning import standard_keys

DRAW = Cycle(
    name="draw",
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
    keys_of=standard_keys,
    verbs=("discard", "hu", "pass"),
)
