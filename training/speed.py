"""What `mahjong-env bench` measures of PPO: how fast decisions are collected, and the environment's share of the time."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnvWrapper
from torch import nn

import mahjong_env as mj
from mahjong_env.rules.registry import choose_rules
from training.ppo import FOREVER, Clock, Options, PlayerPolicy, build

STEPS = 32
"""Decisions at each table in a round of collecting."""


class TwoLayers(BaseFeaturesExtractor):
    """Two layers of 256, for the player and the critic."""

    def __init__(self, space: Any):
        super().__init__(space, 256)
        self.layers = nn.Sequential(
            nn.Flatten(), nn.Linear(int(np.prod(space.shape)), 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU()
        )

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(n, rows, kinds) to (n, features)."""
        return self.layers(observations)


class Timed(VecEnvWrapper):
    """Adds up the processor time that the environment takes."""

    spent = 0.0

    def reset(self) -> Any:
        return self.venv.reset()

    def step_async(self, actions: np.ndarray) -> None:
        self.start = time.thread_time()
        self.venv.step_async(actions)

    def step_wait(self) -> Any:
        result = self.venv.step_wait()
        self.spent += time.thread_time() - self.start
        return result


def collecting(variant: str, preset: str, tables: int) -> Callable[[], int]:
    """Something that collects a round of decisions by a network of two layers, one thread, and returns their number."""
    torch.set_num_threads(1)
    env = mj.sb3_vec_env(variant, tables, "greedy", preset=preset)
    network = {"features_extractor_class": TwoLayers, "net_arch": []}
    model = MaskablePPO(PlayerPolicy, env, n_steps=STEPS, policy_kwargs=network, device="cpu")
    _, callback = model._setup_learn(FOREVER)

    def collect() -> int:
        model.collect_rollouts(model.env, callback, model.rollout_buffer, STEPS)
        return STEPS * tables

    return collect


def environment_share(variant: str, preset: str, tables: int) -> Callable[[float], float]:
    """Something that runs rounds of PPO for so many seconds, and returns what percentage the environment took of them."""
    env, options = Timed(mj.sb3_vec_env(variant, tables, "greedy", preset=preset)), Options(variant, num_envs=tables)
    model = build(options, choose_rules(variant, preset, {})[0], env, Clock(options.minutes))
    _, callback = model._setup_learn(FOREVER)

    def share(seconds: float) -> float:
        env.spent, start = 0.0, time.thread_time()
        while True:
            model.collect_rollouts(env, callback, model.rollout_buffer, options.steps)
            model.train()
            spent = time.thread_time() - start
            if spent >= seconds:
                return 100 * env.spent / spent

    return share
