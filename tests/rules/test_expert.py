"""The expert's chances against a game of chance played out, and what it does where the answer is plain."""

import random

import numpy as np
import pytest

import mahjong_env as mj
from mahjong_env.rules.expert import CHANCES, CLAIMED, LET_GO, OTHERS, PURE, SETS, STILL_HERE, TYPICAL

GAMES = 40_000


def played_out(rng: random.Random, form: int, ends: bool, stage: int, draws: int) -> tuple[int, int, int]:
    """Opponents that pay for a self-draw, whether it wins on a discard, whether it is ready when the wall ends."""
    others = OTHERS
    while draws > 0 and others > 0:
        drawn = TYPICAL[form][stage] / (4 * draws + 13 * OTHERS)
        if stage == 0:
            if rng.random() < drawn:
                return others, 0, 0
            if any(rng.random() < LET_GO * drawn for _ in range(others)):
                return 0, 1, 0
        elif rng.random() < drawn * (1 + CLAIMED[form] * others / OTHERS):
            stage -= 1
        left = sum(rng.random() < STILL_HERE[draws] for _ in range(others))
        if ends and left < others:
            return 0, 0, 0
        others, draws = left, draws - 1
    return 0, 0, int(stage == 0 and others > 0)


@pytest.mark.parametrize(
    ("form", "ends", "stage", "draws"), [(SETS, False, 1, 9), (PURE, False, 2, 12), (SETS, True, 1, 11)]
)
def test_chances_are_those_of_play(form: int, ends: bool, stage: int, draws: int) -> None:
    rng = random.Random(form + draws)
    found = np.mean([played_out(rng, form, ends, stage, draws) for _ in range(GAMES)], axis=0)
    assert np.abs(found - CHANCES[form, int(ends), OTHERS, stage, draws, :3]).max() < 0.02


def test_nearer_hands_win_more_and_more_draws_help() -> None:
    wins = CHANCES[..., 0] + CHANCES[..., 1]
    assert (np.diff(wins[:, :, OTHERS, :, 8], axis=-1) < 0).all(), "one tile further from ready wins less"
    assert (np.diff(wins[:, 0, OTHERS, 0], axis=-1) > 0).all(), "a ready hand wins more with more draws"


def test_a_self_draw_is_taken() -> None:
    seen = 0
    for seed in range(12):
        game = mj.Game("sichuan", seed=seed)
        agent = mj.agents.load.load_agent("expert", game.variant)
        while not game.is_over:
            legal = game.legal_names()
            action = agent.act(mj.agents.view.view_of(game.variant, game._games, np.zeros(1, np.int64)))
            name = game.variant.actions.names[action]
            if "hu" in legal and "pass" not in legal:
                assert name == "hu"
                seen += 1
            game.play(action)
    assert seen > 3
