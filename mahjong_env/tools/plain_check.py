"""Hands in plain mode, whose state watches every field: the beginning of `check`, in a process of its own.

    NUMBA_DISABLE_JIT=1 python -m mahjong_env.tools.plain_check < request.json

The request names a variant (or its file), preset, options, hands, a seed, and files of variants `loaded` before; the
answer, one line of JSON on standard output, says how many hands were played, and what went wrong where: in words, with the
file and line of the variant's that did it, and the record that leads there.
"""

import _thread
import json
import os
import random
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from mahjong_env.compiled import PLAIN
from mahjong_env.envs.registration import find_variant, load_variant
from mahjong_env.play.game import Game
from mahjong_env.play.record_format import MOST_DECISIONS
from mahjong_env.rules import api
from mahjong_env.rules import state as states
from mahjong_env.rules.actions import DISCARD, PASS
from mahjong_env.rules.errors import RulesError
from mahjong_env.rules.greedy import greedy_action
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.state import CLAIM, OVER, ROBBING
from mahjong_env.rules.variant import pieces
from mahjong_env.tools.guard import GuardedState

SECONDS = 10
"""A decision takes milliseconds; one that takes so long goes round in circles."""

ENOUGH_SECONDS = 60
"""No further hand is begun after so long, so that a slow machine isn't the rules' fault."""

RARE = 0.7
"""The chance that something else than a discard or a pass is chosen where there is a choice."""

OBSERVED = 8
"""At every so many decisions it is seen whether the whole observation is written, which costs as much as the rest."""

GREEDY_HANDS = 4
"""Every so many hands one is played by greedy players, who win."""


ENDLESS = f"a hand doesn't end: {MOST_DECISIONS:,} decisions have been made"


class Stuck(Exception):  # noqa: N818 - said to people as what doesn't hold
    """A decision that doesn't come to an end."""


@contextmanager
def no_longer_than(seconds: float) -> Iterator[None]:
    """Stuck in the block if it takes longer, wherever it is."""
    is_late = threading.Event()

    def interrupt() -> None:
        is_late.set()
        _thread.interrupt_main()

    timer = threading.Timer(seconds, interrupt)
    timer.start()
    try:
        yield
    except KeyboardInterrupt as late:
        if not is_late.is_set():
            raise
        stuck = Stuck(f"no decision comes to pass within {seconds} s: the rules go round in circles")
        raise stuck.with_traceback(late.__traceback__) from None  # which leads to the line
    finally:
        timer.cancel()


def play_hands(name: str, preset: str | None, options: dict[str, Any], hands: int, seed: int) -> dict[str, Any]:
    """The answer to a request, as the module says."""
    rng = random.Random(seed)
    begun, decisions = time.monotonic(), 0
    for hand in range(hands):
        if time.monotonic() - begun > ENOUGH_SECONDS:
            return {"hands": hand, "decisions": decisions, "problem": "", "where": "", "record": None}
        game: Game | None = None
        action = ""
        try:
            with no_longer_than(SECONDS):
                game = Game(name, preset, seed=rng.getrandbits(63), **options)
            problem = first_problem(game)
            while not problem and not game.is_over:
                with no_longer_than(SECONDS):
                    action = game.variant.actions.names[choose(game, rng, hand % GREEDY_HANDS == 0)]
                    game.play(action)
                decisions += 1
                problem = first_problem(game)
            if not problem:
                continue
            where = ""
        except (
            RulesError
        ) as error:  # it tells what to look for, no line of the variant's is wrong, and the action is played
            problem, where = str(error), ""
        except Exception as error:  # whatever a stranger's rules may raise
            problem, where = f"{type(error).__name__}: {error}", place_of(error, name)
        record = game.record().to_dict() if game is not None else None
        if record is not None and where and action:
            record["actions"].append(action)
        return {"hands": hand, "decisions": decisions, "problem": problem, "where": where, "record": record}
    return {"hands": hands, "decisions": decisions, "problem": "", "where": "", "record": None}


def choose(game: Game, rng: random.Random, is_greedy: bool) -> int:
    """An action: greedy's, or a random one that dwells on what is rare."""
    if is_greedy and rng.random() < 0.9:
        return int(greedy_action(game.copy().state))
    verb_of = game.variant.actions.tables["verb_of"]
    legal = game.legal_actions()
    rare = [action for action in legal if verb_of[action] not in (DISCARD, PASS)]
    return rng.choice(rare if rare and rng.random() < RARE else legal)


def first_problem(game: Game) -> str:
    """What doesn't hold of the game as it stands, in words."""
    state, names = game.state, game.legal_names()
    if state["clock"] >= MOST_DECISIONS:
        return ENDLESS
    if state["phase"] == OVER:
        return "the hand is over, and somebody may still act" if names else ""
    if game.to_act is None:
        return f"phase {int(state['phase'])}: the hand goes on, and nobody is to act"
    if not names:
        return (
            f"phase {int(state['phase'])}: seat {game.to_act} is asked and offered nothing; turn_choices, claim_choices or the"
            " like must set `legal`"
        )
    if state["clock"] % OBSERVED == 0 and (unwritten := unwritten_rows(game)):
        return unwritten
    if state["phase"] in (CLAIM, ROBBING) and "pass" in game.variant.verbs:
        claims = [name for name in names if name not in ("pass", "hu")]
        if len(claims) > 1 and "pass" not in names:  # one alone may be forced by the rules
            return f"seat {game.to_act} is offered {', '.join(claims)} and no pass; claim_choices must offer pass beside a claim"
    return lost_tiles(game)


def unwritten_rows(game: Game) -> str:
    """Which piece of the observation of the seat to act keeps what was in the array before, if any does."""
    seen = np.empty((2, sum(piece.rows for piece in pieces(game.variant)), game.variant.tiles.kinds), np.int8)
    for out, before in zip(seen, UNWRITTEN, strict=True):
        out[:] = before
        api.observe_at(game._games, 0, game.to_act, out, False)
    left = np.flatnonzero((seen[0] != seen[1]).any(axis=1))
    if not len(left):
        return ""
    names = [piece.name for piece in pieces(game.variant) for _ in range(piece.rows)]
    return (
        f"row {left[0]} of the observation, of the piece {names[left[0]]!r}, isn't written; observe_own writes every number of"
        " its rows at every call, and returns the row after them"
    )


UNWRITTEN = (-127, 126)
"""What the array holds before, which no observation does."""


def lost_tiles(game: Game) -> str:
    """Which tiles are lost or made, if any."""
    state, tiles = game.state, game.variant.tiles
    counts = np.asarray(state["hands"]).sum(axis=0) + np.asarray(state["melded"]).sum(axis=0)
    counts = counts + np.asarray(state["discarded"]).sum(axis=0)
    wall = np.asarray(state["wall"])[int(state["wall_front"]) : int(state["wall_back"])]
    counts = counts + np.bincount(wall, minlength=tiles.kinds) + tiles.counts(game.variant.answers.tiles_aside(state))
    return in_words(tiles.names, counts - np.array(tiles.copies))


def in_words(names: tuple[str, ...], more: np.ndarray) -> str:
    """Tiles there are too many of, (kinds,) numbers above 0, and too few of; nothing if neither."""
    made = [f"{n} of {names[kind]}" for kind, n in enumerate(more.tolist()) if n > 0]
    lost = [f"{-n} of {names[kind]}" for kind, n in enumerate(more.tolist()) if n < 0]
    parts = ([f"made: {', '.join(made)}"] if made else []) + ([f"lost: {', '.join(lost)}"] if lost else [])
    hint = "; tiles that lie in no hand, meld, discard or wall are named by tiles_aside"
    return f"tiles are {'; '.join(parts)}{hint if lost else ''}" if parts else ""


def place_of(error: BaseException, name: str) -> str:
    """The innermost line of the variant's files that an error came through, or else of any file."""
    folder = Path(get_variant(name).module.__file__ or "")  # type: ignore[union-attr]
    own = folder.parent if folder.name == "__init__.py" else folder
    frames = traceback.extract_tb(error.__traceback__)
    rules = [frame for frame in frames if Path(frame.filename).parent.name in ("rules", "draw", "flip")]
    mine = (
        [frame for frame in frames if Path(frame.filename) == own or own in Path(frame.filename).parents]
        or rules
        or frames
    )
    last = mine[-1]
    return f"{last.filename}, line {last.lineno}, in {last.name}: {last.line}"


def main() -> None:
    """Answer the request on standard input."""
    assert PLAIN, "to be run with NUMBA_DISABLE_JIT=1"
    states.PLAIN_ROW[0] = GuardedState
    signal.signal(signal.SIGINT, signal.default_int_handler)  # by which a decision is ended; ignored in the background
    request = json.load(sys.stdin)
    for path in request["loaded"]:  # not by the package itself, whose states would be unguarded
        with suppress(Exception):  # whatever has become of the file: the variant in question may not need it
            load_variant(path)
    name = find_variant(request["variant"])
    answer = play_hands(name, request["preset"], request["options"], request["hands"], request["seed"])
    print(json.dumps(answer))
    sys.stdout.flush()
    os._exit(0)  # a thread may still be waiting


if __name__ == "__main__":
    main()
