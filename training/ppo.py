"""Train a player: first by imitating an agent, then by MaskablePPO against others, and at the end play matches.

    python -m training.ppo --variant sichuan --minutes 3

The network learns in three stages, each a part of the time:

1. Imitation. The teacher (greedy) says at every position of many tables what it would play, and the network learns to
   say the same. Soon the network itself plays most of the tables, so that it also learns what to do after its own
   mistakes (DAgger, Ross et al. 2011).
2. The critic. Points come by luck, so PPO needs to know what a position is worth before it may touch the player.
3. PPO (Schulman et al. 2017), legal actions only, in small steps that stay near the player before.

A run's folder holds `checkpoint.pt`, the TensorBoard log, and at the end `policy.npz`, which can be named wherever an
agent can. The same command with `--run` naming that folder continues after a kill.
"""

import json
import os
import sys
import time
import warnings
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, get_origin, get_type_hints

import numpy as np
import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor, MlpExtractor
from stable_baselines3.common.vec_env import VecEnvWrapper, VecMonitor
from torch import nn

import mahjong_env as mj
from mahjong_env.agents.load import load_agent
from mahjong_env.agents.policy import Metadata, save_policy, suit_places
from mahjong_env.agents.view import Agent
from mahjong_env.envs.registration import find_variant
from mahjong_env.envs.sb3 import MahjongVecEnv
from mahjong_env.rules.registry import choose_rules, parse_settings
from mahjong_env.rules.variant import Variant, pieces
from mahjong_env.tools import arena
from training.options import run_script

FOREVER = 1 << 40
"""Steps that no run reaches: the clock ends it."""


@dataclass
class Options:
    variant: str
    """The rules to learn: a variant's name, or the path of a variant file."""
    preset: str | None = None
    """One of the variant's presets; its first by default."""
    set: list[str] | None = None
    """An option of the variant as option=value; may be repeated."""
    minutes: float = 3.0
    """Time to learn, all stages together; compiling before and matches after come on top."""
    run: Path | None = None
    """The run's folder, continued if it holds a checkpoint; a new one under runs/ by default."""
    opponents: str = "greedy"
    """Who sits in the other seats: an agent, or one for each of them with commas between, from the next seat on."""
    teacher: str = "greedy"
    """The agent to imitate."""
    num_envs: int = 256
    """Tables played at once."""
    seed: int = 1
    """Deals, first weights and choices follow from it, though how many fit into the time does not."""
    device: str = "cpu"
    """Where the network learns: cpu, cuda or auto; it is so small that cpu is rarely slower."""
    torch_threads: int = 1
    """Threads of the network; more than one pays only where nothing else runs."""
    imitation: float = 0.4
    """Share of the time for imitation; 0 leaves it out."""
    critic: float = 0.05
    """Share of the time in which PPO trains its critic alone."""
    imitation_rate: float = 1e-3
    """Adam's learning rate in imitation, falling to a tenth."""
    imitation_steps: int = 2
    """Decisions at every table between two updates in imitation."""
    learning_rate: float = 5e-4
    """Adam's learning rate in PPO, falling to a tenth."""
    steps: int = 64
    """Decisions at every table between two rounds of PPO."""
    batch_size: int = 2048
    """Decisions in an update of PPO."""
    epochs: int = 2
    """How often PPO goes through the decisions of a round."""
    clip: float = 0.2
    """How far an update may change an action's probability before PPO stops pushing it."""
    target_kl: float = 0.03
    """PPO ends a round early once the player has moved this far in it."""
    gae_lambda: float = 0.95
    """How much advantages trust what happened over what the critic says."""
    entropy: float = 0.0
    """Reward for being undecided."""
    checkpoint_seconds: float = 15.0
    """Time between checkpoints."""
    deals: int = 500
    """Deals of each match at the end; 0 plays none."""

    def __post_init__(self) -> None:
        for name in ("minutes", "num_envs", "torch_threads", "imitation_steps", "steps", "batch_size", "epochs"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name}={getattr(self, name)} must be above 0")
        if min(self.imitation, self.critic) < 0 or self.imitation + self.critic > 1:
            raise ValueError(f"imitation={self.imitation} and critic={self.critic} must be shares of 1 together")
        if self.device.split(":")[0] not in ("auto", "cpu", "cuda"):
            raise ValueError(f"device={self.device!r} must be cpu, cuda or auto")
        if self.deals == 1 or self.deals < 0:
            raise ValueError("deals must be 0, or 2 at least: an interval takes 2")


# --- the network ------------------------------------------------------------------------------------------------------

SUIT_LAYERS, LAYERS = (256, 128), (256,)
"""Sizes of the layers that read each suit alike, and of those that read all suits together."""

CRITIC_LAYER = 256
"""Size of the critic's hidden layer."""


class SuitNetwork(BaseFeaturesExtractor):
    """The hidden layers of `agents.policy`: what is learned about one suit holds for all."""

    scale: torch.Tensor
    places: torch.Tensor

    def __init__(self, space: Any, places: np.ndarray):
        super().__init__(space, LAYERS[-1])
        rows, kinds = space.shape
        per_suit, together = (rows * places.shape[1], *SUIT_LAYERS), (len(places) * SUIT_LAYERS[-1], *LAYERS)
        self.suit_layers = nn.ModuleList(nn.Linear(*sizes) for sizes in pairwise(per_suit))
        self.layers = nn.ModuleList(nn.Linear(*sizes) for sizes in pairwise(together))
        self.register_buffer("scale", torch.ones(rows))
        self.register_buffer("places", torch.from_numpy(places.reshape(-1)), persistent=False)
        self.suits = len(places)
        self.even = places.reshape(-1).tolist() == list(range(kinds))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """(n, rows, kinds) to (n, features)."""
        n, rows, _ = observations.shape
        x = observations / self.scale[:, None]
        if not self.even:
            x = nn.functional.pad(x, (0, 1))[:, :, self.places]
        x = x.view(n, rows, self.suits, -1).transpose(1, 2).reshape(n, self.suits, -1)
        for layer in self.suit_layers:
            x = torch.relu(layer(x))
        x = x.flatten(1)
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


class CriticAside(MlpExtractor):
    """The critic's own hidden layer reads the player's features without changing them: its errors can't hurt the player."""

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        return super().forward_critic(features.detach())


class PlayerPolicy(MaskableActorCriticPolicy):
    """SB3's policy with that critic, and with a quicker way to choose actions."""

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: np.ndarray | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions, values and the actions' log probabilities, as SB3's policy has them.

        SB3 normalises the logits three times, and `torch.multinomial` takes longer than they do. Here a point by chance
        within the sum of the probabilities falls into that of the action to be played.
        """
        player, critic = self.mlp_extractor(self.extract_features(obs))
        logits = self.action_net(player)
        if action_masks is not None:
            logits = logits.masked_fill(torch.as_tensor(action_masks, device=logits.device) == 0, -torch.inf)
        chances = torch.softmax(logits, dim=1)
        if deterministic:
            actions = chances.argmax(dim=1, keepdim=True)
        else:
            ends = chances.cumsum(dim=1)
            points = (1 - torch.rand_like(ends[:, :1])) * ends[:, -1:]  # above 0, so never in an action of no chance
            actions = torch.searchsorted(ends, points)
        return actions[:, 0], self.value_net(critic), chances.gather(1, actions)[:, 0].log()

    def _build_mlp_extractor(self) -> None:
        self.mlp_extractor = CriticAside(self.features_dim, self.net_arch, self.activation_fn, self.device)


def build(options: Options, variant: Variant, env: VecEnvWrapper, clock: "Clock") -> MaskablePPO:
    """MaskablePPO with the network above."""
    return MaskablePPO(
        PlayerPolicy,
        env,
        learning_rate=lambda _: options.learning_rate * clock.falling(),
        n_steps=options.steps,
        batch_size=min(options.batch_size, options.steps * options.num_envs),
        n_epochs=options.epochs,
        gamma=1.0,  # a hand is short and ends with its points
        gae_lambda=options.gae_lambda,
        clip_range=options.clip,
        target_kl=options.target_kl,
        ent_coef=options.entropy,
        stats_window_size=20 * options.num_envs,
        policy_kwargs={
            "features_extractor_class": SuitNetwork,
            "features_extractor_kwargs": {"places": suit_places(variant.tiles)},
            "net_arch": {"pi": [], "vf": [CRITIC_LAYER]},
            "activation_fn": nn.ReLU,
        },
        seed=options.seed,
        device=options.device,
    )


def player_parameters(model: MaskablePPO) -> list[nn.Parameter]:
    """The weights that choose actions."""
    return [*model.policy.features_extractor.parameters(), *model.policy.action_net.parameters()]


def player_logits(model: MaskablePPO, observations: np.ndarray, masks: np.ndarray) -> torch.Tensor:
    """(n, actions) numbers of the player, minus infinity where illegal."""
    seen = torch.from_numpy(observations).to(model.device).float()
    legal = torch.from_numpy(masks).to(model.device) > 0
    logits = model.policy.action_net(model.policy.features_extractor(seen))
    return logits.masked_fill(~legal, -torch.inf)


class ScaledRewards(VecEnvWrapper):
    """Divides rewards by the spread of a hand's points, so that the same settings suit every variant."""

    spread = 1.0

    def reset(self) -> Any:
        return self.venv.reset()

    def step_wait(self) -> Any:
        observations, rewards, dones, infos = self.venv.step_wait()
        return observations, rewards / self.spread, dones, infos


# --- time, progress and checkpoints -----------------------------------------------------------------------------------


class Clock:
    """The time used of the time given, over all kills."""

    def __init__(self, minutes: float, used: float = 0.0):
        self.total = 60 * minutes
        self.start(used)

    def start(self, used: float) -> None:
        """Go on from `used` seconds."""
        self.used_before, self.started = used, time.monotonic()

    @property
    def used(self) -> float:
        return self.used_before + time.monotonic() - self.started

    @property
    def share(self) -> float:
        return self.used / self.total

    def falling(self) -> float:
        """From 1 to a tenth over the whole time."""
        return max(0.1, 1 - 0.9 * self.share)


@dataclass
class State:
    """What a run has come to, beside its weights."""

    rules: dict[str, Any]
    """What the weights are good for; another run can't continue with them."""
    seconds: float = 0.0
    imitated: bool = False
    imitation_samples: int = 0
    steps: int = 0
    resumed: int = 0
    spread: float = 1.0

    @classmethod
    def read(cls, text: str) -> "State":
        """From JSON; ValueError if a part is missing or of another type."""
        found, kinds = json.loads(text), get_type_hints(cls)
        if not isinstance(found, dict) or found.keys() != kinds.keys():
            raise ValueError(f"its state must have {', '.join(kinds)}")
        for name, kind in kinds.items():
            if not isinstance(found[name], get_origin(kind) or kind):
                raise ValueError(f"its state has {name}={found[name]!r}")
        return cls(**found)


class Checkpoints:
    """`checkpoint.pt` in a run's folder. It is read without unpickling anything but tensors and plain values."""

    def __init__(self, folder: Path, every: float):
        self.path, self.every, self.last = folder / "checkpoint.pt", every, time.monotonic()

    def write(self, model: MaskablePPO, state: State) -> None:
        """Replace the checkpoint in one go: a kill leaves the old one or the new one."""
        state.steps = model.num_timesteps
        new = self.path.with_suffix(".new")
        with open(new, "wb") as file:
            policy, ppo = model.policy.state_dict(), model.policy.optimizer.state_dict()
            torch.save({"state": json.dumps(asdict(state)), "policy": policy, "ppo": ppo}, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, self.path)
        self.last = time.monotonic()

    def write_when_due(self, model: MaskablePPO, state: State, clock: Clock) -> None:
        """Write if the last one is old."""
        if time.monotonic() - self.last > self.every:
            state.seconds = clock.used
            self.write(model, state)

    def read(self, model: MaskablePPO, rules: dict[str, Any]) -> State | None:
        """Load the weights and return the state; None where there is no checkpoint.

        ValueError naming the file and what to do, if it can't be continued from.
        """
        if not self.path.exists():
            return None
        try:
            found = load_plain(self.path, model.device)
            state = State.read(found["state"])
            check_same_rules(state.rules, rules)
            model.policy.load_state_dict(found["policy"])
            load_optimizer(model.policy.optimizer, found["ppo"])
        except (ValueError, TypeError, KeyError, RuntimeError, AttributeError) as error:
            what = " ".join(str(error).split())[:200]
            advice = "move it away to start anew, or name another folder with --run"
            raise ValueError(f"can't continue from {self.path}: {what}; {advice}") from None
        model.num_timesteps = state.steps
        return state


def load_plain(path: Path, device: torch.device) -> dict[str, Any]:
    """The tensors and texts of a checkpoint; ValueError if it isn't one."""
    try:
        with warnings.catch_warnings(action="ignore"):
            found = torch.load(path, map_location=device, weights_only=True)
    except Exception:  # what a cut or foreign file makes the reader raise has no end
        found = None
    if not isinstance(found, dict) or found.keys() != {"state", "policy", "ppo"}:
        raise ValueError("it is cut, or no checkpoint of this script")
    return found


def check_same_rules(saved: dict[str, Any], wanted: dict[str, Any]) -> None:
    """ValueError naming what differs."""
    for name, value in wanted.items():
        if saved.get(name) != value:
            raise ValueError(f"it is a run with {name} {saved.get(name)!r}, not {value!r}")


def load_optimizer(optimizer: torch.optim.Optimizer, saved: dict[str, Any]) -> None:
    """Load Adam's averages; ValueError unless each has the shape of its weights."""
    optimizer.load_state_dict(saved)
    for weights, averages in optimizer.state.items():
        for name in ("exp_avg", "exp_avg_sq"):
            if averages[name].shape != weights.shape:
                raise ValueError(f"{name} has shape {tuple(averages[name].shape)}, the weights {tuple(weights.shape)}")


@dataclass
class Run:
    """Everything a run needs."""

    options: Options
    variant: Variant
    preset: str
    settings: dict[str, Any]
    folder: Path
    teacher: Agent
    tables: MahjongVecEnv
    env: ScaledRewards
    clock: Clock
    saves: Checkpoints
    model: MaskablePPO
    state: State | None

    @classmethod
    def prepare(cls, options: Options) -> "Run":
        """Read what the options name; ValueError if one of them can't be had. Nothing is written yet."""
        name = find_variant(options.variant)
        settings = parse_settings(name, options.set or [])
        variant, preset, _ = choose_rules(name, options.preset, settings)
        folder = options.run or Path("runs") / f"{variant.name}-{time.strftime('%Y%m%d-%H%M%S')}"
        if folder.exists() and not folder.is_dir():
            raise ValueError(f"run={folder} is a file; name a folder")
        opponents = options.opponents.split(",") if "," in options.opponents else options.opponents
        teacher = load_agent(options.teacher, variant, options.seed)
        tables = mj.sb3_vec_env(variant.name, options.num_envs, opponents, seed=options.seed, preset=preset, **settings)
        env = ScaledRewards(VecMonitor(tables))
        clock, saves = Clock(options.minutes), Checkpoints(folder, options.checkpoint_seconds)
        model = build(options, variant, env, clock)
        state = saves.read(model, asdict(Metadata.of(variant, preset, settings, SUIT_LAYERS, LAYERS)))
        return cls(
            options, variant, preset, settings, folder, teacher, tables, env, clock, saves, model, state
        )  # fmt: skip

    def begin(self) -> State:
        """Start anew, or go on where the checkpoint was written; compiling is over when the clock starts."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.state is None:
            self.state = State(asdict(Metadata.of(self.variant, self.preset, self.settings, SUIT_LAYERS, LAYERS)))
            measure(self.model, self.tables, self.teacher, self.state)
        else:
            self.state.resumed += 1
            print(f"continuing from {self.saves.path} after {self.state.seconds:.0f} s of training", file=sys.stderr)
        self.tables.seed(self.options.seed + 1000 * self.state.resumed)  # a continued run is dealt other hands
        self.tables.reset()
        self.env.spread = self.state.spread
        self.model.set_logger(configure(str(self.folder), ["tensorboard"]))
        self.clock.start(self.state.seconds)
        return self.state


class Bar(Progress):
    """A bar over the time given, with what is going on."""

    def __init__(self, clock: Clock):
        columns = (
            TextColumn("{task.description:>9}"),
            BarColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[news]}"),
        )
        super().__init__(*columns, console=Console(stderr=True))
        self.clock, self.training = clock, self.add_task("", total=clock.total, news="")

    def tell(self, stage: str, news: str) -> None:
        """Move the bar."""
        self.update(self.training, completed=min(self.clock.used, self.clock.total), description=stage, news=news)


# --- 1. imitation -----------------------------------------------------------------------------------------------------


def measure(model: MaskablePPO, tables: MahjongVecEnv, teacher: Agent, state: State) -> None:
    """Set the scales: the spread of each piece of the observation, and of a hand's points, in the teacher's play."""
    seen: list[Any] = [tables.reset()]
    points: list[int] = []
    while len(points) < 500 or len(seen) * tables.num_envs < 5000:
        observations, _, dones, _ = tables.step(np.asarray(teacher.act_batch(tables.view())))
        seen.append(observations)
        points += tables.ended["points"][dones].ravel().tolist()
    sample, row = np.concatenate(seen).astype(np.float32), 0
    scale = np.ones(sample.shape[1], np.float32)
    for piece in pieces(tables.variant):
        scale[row : row + piece.rows] = sample[:, row : row + piece.rows].std()
        row += piece.rows
    scale = np.maximum(scale, 0.1)  # also what hardly ever changes stays small
    network: Any = model.policy.features_extractor
    network.scale.copy_(torch.from_numpy(scale))
    state.spread = max(float(np.std(points)), 1e-3)


def imitate(run: Run, state: State, bar: Bar) -> None:
    """Train the player to choose as the teacher does, until the stage's time is over."""
    options, model, clock = run.options, run.model, run.clock
    optimizer = torch.optim.Adam(player_parameters(model))
    rng = np.random.default_rng([options.seed, state.resumed])
    accuracy, logged = 0.0, 0.0
    while clock.share < options.imitation:
        done = clock.share / options.imitation
        for group in optimizer.param_groups:
            group["lr"] = options.imitation_rate * max(0.1, 1 - 0.9 * done)
        seen, masks, taught = ask_teacher(run, rng, played_by_itself=4 * done)
        logits = player_logits(model, seen, masks)
        answers = torch.from_numpy(taught).to(model.device)
        loss = nn.functional.cross_entropy(logits, answers)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        state.imitation_samples += len(answers)
        accuracy += 0.02 * (float((logits.argmax(1) == answers).float().mean()) - accuracy)
        bar.tell("imitation", f"{accuracy:.1%} as {options.teacher}, {state.imitation_samples:,} positions")
        if time.monotonic() - logged > 1:
            model.logger.record("imitation/loss", loss.item())
            model.logger.record("imitation/accuracy", accuracy)
            model.logger.dump(state.imitation_samples)
            logged = time.monotonic()
        run.saves.write_when_due(model, state, clock)
    state.imitated, state.seconds = True, clock.used
    run.saves.write(model, state)


def ask_teacher(run: Run, rng: np.random.Generator, played_by_itself: float) -> tuple[np.ndarray, ...]:
    """Play some decisions at every table, a share of them the network's own.

    Returns what was seen, (n, rows, kinds), the masks, (n, actions), and what the teacher would play, (n,), wherever
    there was a choice.
    """
    seen, masks, taught = [], [], []
    for _ in range(run.options.imitation_steps):
        view = run.tables.view()
        answers = np.asarray(run.teacher.act_batch(view))
        choice = view.mask.sum(1) > 1
        seen.append(view.observation[choice])
        masks.append(view.mask[choice])
        taught.append(answers[choice])
        with torch.no_grad():
            own = player_logits(run.model, view.observation, view.mask).argmax(1).cpu().numpy()
        run.tables.step(np.where(rng.random(len(own)) < played_by_itself, own, answers))
    return np.concatenate(seen), np.concatenate(masks), np.concatenate(taught)


# --- 2. and 3. PPO ----------------------------------------------------------------------------------------------------


class Watch(BaseCallback):
    """Ends PPO by the clock, keeps the player fixed while the critic learns, writes checkpoints, moves the bar."""

    def __init__(self, run: Run, state: State, bar: Bar):
        super().__init__()
        self.run, self.state, self.bar, self.clock = run, state, bar, run.clock
        self.began, self.steps_before = run.clock.used, run.model.num_timesteps

    def _on_rollout_start(self) -> None:
        plays = self.clock.share >= self.run.options.imitation + self.run.options.critic
        for parameter in player_parameters(self.run.model):
            parameter.requires_grad_(plays)
        self.run.saves.write_when_due(self.run.model, self.state, self.clock)
        self._show("PPO" if plays else "critic")

    def _show(self, stage: str) -> None:
        hands = self.model.ep_info_buffer or ()
        points = f"{np.mean([hand['r'] for hand in hands]):+.2f} points a hand" if hands else ""
        rate = (self.num_timesteps - self.steps_before) / max(self.clock.used - self.began, 1e-3)
        self.bar.tell(stage, f"{points}, {self.num_timesteps:,} steps, {rate:,.0f}/s")

    def _on_step(self) -> bool:
        return self.clock.share < 1


# --- at the end -------------------------------------------------------------------------------------------------------


def export(run: Run, path: Path) -> None:
    """Save the player as an agent."""
    network: Any = run.model.policy.features_extractor
    layers = [*network.suit_layers, *network.layers, run.model.policy.action_net]
    weights = [layer.weight.detach().cpu().numpy() for layer in layers]
    biases = [layer.bias.detach().cpu().numpy() for layer in layers]
    metadata = Metadata.of(run.variant, run.preset, run.settings, SUIT_LAYERS, LAYERS)
    save_policy(path, metadata, network.scale.cpu().numpy(), weights, biases)


def play_matches(run: Run, policy: Path) -> None:
    """The trained player against random and greedy, and greedy against random, one against all other seats."""
    name, deals, seed = run.variant.name, run.options.deals, run.options.seed
    table = Table(title=f"{name} {run.preset}: one against the rest, {deals} deals")
    for heading in ("agent", "against"):
        table.add_column(heading)
    for heading in ("points/hand", "95 % interval"):
        table.add_column(heading, justify="right")
    for agent, other in ((str(policy), "random"), (str(policy), "greedy"), ("greedy", "random")):
        result = arena.match(name, [agent, other], deals, seed, run.preset, "1vN", run.settings, progress=True)
        row = result.rows[0]
        shown = "trained" if agent == str(policy) else agent
        table.add_row(shown, other, f"{row.points_per_hand:+.3f}", f"{row.interval[0]:+.3f} .. {row.interval[1]:+.3f}")
    Console(width=max(100, Console().width)).print(table)


def main(options: Options) -> None:
    """The whole run; bad input ends it with one line."""
    torch.set_num_threads(options.torch_threads)
    torch.distributions.Distribution.set_default_validate_args(False)  # the masks are right; checking takes time
    try:
        run = Run.prepare(options)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
    state = run.begin()
    with Bar(run.clock) as bar:
        if not state.imitated:
            imitate(run, state, bar)
        if run.clock.share < 1:
            run.model.learn(FOREVER, Watch(run, state, bar), reset_num_timesteps=False)
    state.seconds = run.clock.used
    run.saves.write(run.model, state)
    policy = run.folder / "policy.npz"
    export(run, policy)
    print(f"{state.imitation_samples:,} positions imitated, {run.model.num_timesteps:,} steps of PPO; saved {policy}")
    if options.deals:
        play_matches(run, policy)


if __name__ == "__main__":
    run_script(main, Options)
