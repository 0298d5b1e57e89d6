"""What a seat can infer of hidden tiles, and how others' secret choices are made anew; see `play/resample.py`."""

import random
from typing import Any

import numpy as np

from mahjong_env.hands.tables import WEIGHT
from mahjong_env.rules.draw.inference import why_asked as usual_why
from mahjong_env.rules.inference import Known, ready_hand, tiles_shown
from mahjong_env.rules.state import MOST_MELDS, NO_ANSWER, OPENING, OWN
from mahjong_env.variants.changsha.hand import waits_mask
from mahjong_env.variants.changsha.open_gang import CLAIMING, WINNING
from mahjong_env.variants.changsha.options import TENPAI_258
from mahjong_env.variants.changsha.starting import items_met


def known_hand(state: Any, seat: int, viewer: int, pool: np.ndarray, rng: random.Random) -> Known | None:
    """What the viewer knows of another seat's hand: what it has shown and not played since; a locked one is ready."""
    held = np.maximum(state["shown"][seat] - tiles_shown(state, seat), 0)
    needed = [kind for kind in range(27) for _ in range(held[kind])]
    if not state["locked"][seat] or state["options"]["gang_need_tenpai"] != TENPAI_258:
        return Known(tuple(needed))
    hand = ready_hand(pool.tolist(), MOST_MELDS - int(state["meld_count"][seat]), needed, rng, is_pair=is_258)
    more = int(state["hands"][seat].sum()) - len(hand or ())  # a drawn tile, which may be any
    return Known(hand) if hand is not None and more >= 0 else None


def why_asked(state: Any, seat: int, pool: np.ndarray, rng: random.Random) -> tuple[int, ...] | None:
    """As in any game of the draw cycle; of tiles that lie face up, and of the sea bottom, a ready hand is asked."""
    if state["phase"] < OWN:
        return usual_why(state, seat, pool, rng)
    face_up = state["face_up"][: state["face_up_count"]].tolist()
    win = rng.choice(face_up) if face_up else None
    sets = MOST_MELDS - int(state["meld_count"][seat])
    if win is not None and rng.random() < 1 / 2 and pool[win] >= 2:
        return win, win
    return ready_hand(pool.tolist(), sets, (), rng, win=win, is_pair=is_258)


def is_258(kind: int) -> bool:
    """May a tile of the kind be the pair (将)?"""
    return kind % 3 == 1


def choose_again(state: Any, viewer: int, rng: random.Random) -> None:
    """Starting wins the others have declared and not shown, dice not thrown yet, and what locked hands wait for."""
    state["dice"][2 * int(state["throws"]) :] = -1
    for seat in [seat for seat in range(4) if seat != viewer]:
        for suit in range(3):
            tiles = state["hands"][seat, 9 * suit : 9 * suit + 9]
            state["keys"][seat, suit] = int((tiles * WEIGHT[9 * suit : 9 * suit + 9]).sum())
        if state["phase"] == OPENING and (seat - int(state["dealer"])) % 4 < state["asking"]:
            state["declaring"][seat] = int(items_met(state, seat) != 0)
        if state["locked"][seat]:
            state["lock_waits"][seat] = locked_waits(state, seat)


def locked_waits(state: Any, seat: int) -> int:
    """What the hand waits for, a tile just drawn aside."""
    if state["hands"][seat].sum() % 3 == 1:
        return int(waits_mask(state, seat))
    return int(state["lock_waits"][seat])


def ask_own_again(state: Any, viewer: int) -> None:
    """Forget what others have answered about tiles that lie face up; they are taken to have passed."""
    answer = int(state["answers"][viewer])
    mine = state["phase"] == CLAIMING and state["claimant"] == viewer
    keeps = mine or (state["phase"] == WINNING and answer != NO_ANSWER)
    state["answers"] = NO_ANSWER
    state["answers"][viewer] = answer
    state["best_rank"] = int(state["best_rank"]) if keeps else 0
