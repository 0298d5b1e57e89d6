"""How fast the environments are, beside other people's where those are installed, and a signature of the rules.

Every figure comes from several short rounds after one that compiles and mixes the tables. What runs on one thread is
measured in processor time of that thread, which other work on the machine disturbs less than the clock's; threads against
each other are measured by the clock. All play is uniformly random among legal actions, except for opponents named.
"""

import hashlib
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np

from mahjong_env.batch import Batch, Tables
from mahjong_env.envs.aec import raw_aec_env
from mahjong_env.envs.registration import NAMESPACE
from mahjong_env.game import Game
from mahjong_env.records import Record
from mahjong_env.variants.interface import get_variant

ROUNDS = 5
TABLES = (256, 1024, 4096)
MOST = TABLES[-1]
LEARNERS = 1024
"""Tables of the environments that play opponents inside."""
MIXING = 300
"""Steps after which the tables of a batch are at different stages of their hands."""
SIGNED_GAMES = 256
"""Games of each preset that a signature stands for."""

DECISIONS, TURNS = "decisions/s", "turns/s"


@dataclass(frozen=True)
class Figure:
    """One measured number; `ratio` compares it with the figure called `to`."""

    what: str
    value: float
    unit: str
    ratio: float | None = None
    to: str = ""


@dataclass
class Report:
    """What was measured, with one preset; `skipped` says what could not be; `signatures` are those of all presets."""

    variant: str
    preset: str
    seconds: float
    figures: list[Figure] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    signatures: dict[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self)


class NotInstalled(Exception):  # noqa: N818 - no error: the figure is left out
    """What can't be measured here, in words."""


@dataclass(frozen=True)
class Setting:
    """What is measured: a variant with a preset, and how many seconds each figure may take."""

    variant: str
    preset: str
    seconds: float


# --- measuring --------------------------------------------------------------------------------------------------------


def rate(work: Callable[[], int], seconds: float) -> float:
    """How many units `work()`, which returns their number, does in a second of this thread: the median of the rounds."""
    return sorted(rounds(work, seconds, time.thread_time))[ROUNDS // 2]


def best_rates(works: Sequence[Callable[[], int]], seconds: float) -> list[float]:
    """As `rate` for each work, but by the clock, and the best of rounds that take turns: for work on several threads."""
    turns = zip(*(rounds(work, seconds, time.perf_counter) for work in works), strict=True)
    return [max(rates) for rates in zip(*turns, strict=True)]


def rounds(work: Callable[[], int], seconds: float, clock: Callable[[], float]) -> Iterator[float]:
    """The rate of each round; `seconds` are for all of them."""
    work()
    for _ in range(ROUNDS):
        done, start, spent = 0, clock(), 0.0
        while spent < seconds / ROUNDS:
            done += work()
            spent = clock() - start
        yield done / spent


def random_legal(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) uniformly random legal actions of (n, actions) masks."""
    return (rng.random(masks.shape, np.float32) * masks).argmax(axis=1)


def pick(choices: Any) -> Any:
    """One of a sequence at random, faster than `random.choice`."""
    return choices[int(random.random() * len(choices))]


# --- this package -----------------------------------------------------------------------------------------------------


def batch_work(
    setting: Setting, tables: int, observation: str | None = "counts", threads: int = 1
) -> Callable[[], int]:
    """A step of a batch whose tables are at different stages."""
    batch = Batch(setting.variant, tables, preset=setting.preset, observation=observation, threads=threads)
    batch.reset()
    for _ in range(MIXING):
        batch.step(batch.sample_legal())

    def work() -> int:
        batch.step(batch.sample_legal())
        return tables

    return work


def bench_batch(setting: Setting) -> list[Figure]:
    """Batches of several sizes on one thread, and what a decision's time goes into."""
    figures = []
    for tables in TABLES:
        speed = rate(batch_work(setting, tables), setting.seconds)
        figures.append(Figure(f"Batch, observation and mask, {tables:,} tables", speed, DECISIONS))
    for kind in ("planes", "events"):
        other = rate(batch_work(setting, MOST, observation=kind), setting.seconds)
        figures.append(Figure(f"Batch, {kind} and mask, {MOST:,} tables", other, DECISIONS))
    bare = rate(batch_work(setting, MOST, observation=None), setting.seconds)
    rules = rules_time(setting)
    return [
        *figures,
        Figure(f"Batch, rules and mask alone, {MOST:,} tables", bare, DECISIONS),
        Figure("a decision: rules", rules, "ns"),
        Figure("a decision: mask and random choice", 1e9 / bare - rules, "ns"),
        Figure("a decision: observation", 1e9 / speed - 1e9 / bare, "ns"),
    ]


def rules_time(setting: Setting) -> float:
    """Nanoseconds a decision takes without observation, mask and the choice of an action; dealing anew is part of it."""
    batch = Batch(setting.variant, MOST, preset=setting.preset, observation=None)
    batch.masks = np.zeros((MOST, 0), np.int8)
    batch.reset()
    for _ in range(MIXING):
        batch.step(batch.sample_legal())
    times = []
    for _ in range(ROUNDS):
        steps, spent = 0, 0.0
        while spent < setting.seconds / ROUNDS:
            actions = batch.sample_legal()
            start = time.thread_time()
            batch.step(actions)
            spent += time.thread_time() - start
            steps += 1
        times.append(spent / steps / MOST * 1e9)
    return sorted(times)[ROUNDS // 2]


def bench_threads(setting: Setting) -> list[Figure]:
    """Two threads against one, by the clock."""
    one, two = best_rates([batch_work(setting, MOST, threads=k) for k in (1, 2)], setting.seconds)
    name = f"Batch, {MOST:,} tables by the clock, one thread"
    return [
        Figure(name, one, DECISIONS),
        Figure(f"Batch, {MOST:,} tables by the clock, two threads", two, DECISIONS, two / one, "one thread"),
    ]


def bench_game(setting: Setting) -> list[Figure]:
    """A Python loop over `Game`: mask, observation, choice, play."""

    def play_hand() -> int:
        game = Game(setting.variant, setting.preset, seed=random.getrandbits(64))
        decisions = 0
        while not game.is_over:
            legal = game.mask().nonzero()[0]
            game.observation()
            game.play(pick(legal))
            decisions += 1
        return decisions

    return [Figure("Game, a Python loop with mask and observation", rate(play_hand, setting.seconds), DECISIONS)]


def bench_aec(setting: Setting) -> list[Figure]:
    """Turns of the raw AEC environment."""
    env = raw_aec_env(setting.variant, preset=setting.preset)
    return [Figure("raw AEC environment", rate(lambda: play_aec(env), setting.seconds), TURNS)]


def play_aec(env: Any) -> int:
    """Play an episode of an AEC environment at random; returns its turns."""
    env.reset()
    turns = 0
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else pick(observation["action_mask"].nonzero()[0]))
        turns += 1
    return turns


def bench_sb3(setting: Setting) -> list[Figure]:
    """The learner's decisions in the VecEnv for stable-baselines3; what it chooses by isn't counted."""
    try:
        from mahjong_env import sb3_vec_env
    except ImportError:
        raise NotInstalled("SB3 VecEnv: stable-baselines3 is not installed") from None
    env = sb3_vec_env(setting.variant, LEARNERS, "greedy", preset=setting.preset)
    env.reset()
    rng = np.random.default_rng(0)
    speed = learner_rate(env.step, lambda result: random_legal(env.env_method("action_masks"), rng), setting)
    return [Figure(f"SB3 VecEnv, greedy opponents, {LEARNERS:,} tables", speed, DECISIONS)]


def bench_vector(setting: Setting) -> list[Figure]:
    """The learner's decisions in Gymnasium's VectorEnv; what it chooses by isn't counted."""
    name = f"{NAMESPACE}/{setting.variant.capitalize()}-v0"
    if name not in gymnasium.registry:
        raise NotInstalled(f"VectorEnv: {name} is not registered with Gymnasium")
    env: Any = gymnasium.make_vec(name, num_envs=LEARNERS, opponents="greedy", preset=setting.preset)
    _, infos = env.reset(seed=0)
    rng = np.random.default_rng(0)
    masks = [infos["action_mask"]]

    def choose(result: Any) -> np.ndarray:
        masks[0] = result[4]["action_mask"] if result else masks[0]
        return random_legal(masks[0], rng)

    speed = learner_rate(env.step, choose, setting)
    return [Figure(f"Gymnasium VectorEnv, greedy opponents, {LEARNERS:,} tables", speed, DECISIONS)]


def learner_rate(step: Callable[[Any], Any], choose: Callable[[Any], np.ndarray], setting: Setting) -> float:
    """Learners' decisions in a second spent in `step`; `choose` is given its last result, None at first."""
    result = None
    for _ in range(MIXING // 4):
        result = step(choose(result))
    rates = []
    for _ in range(ROUNDS):
        steps, spent = 0, 0.0
        while spent < setting.seconds / ROUNDS:
            actions = choose(result)
            start = time.thread_time()
            result = step(actions)
            spent += time.thread_time() - start
            steps += 1
        rates.append(steps * LEARNERS / spent)
    return sorted(rates)[ROUNDS // 2]


def bench_memory(setting: Setting) -> list[Figure]:
    """What a table takes beside its rows of the buffers that the caller is shown."""
    tables = Tables(setting.variant, 1, 0, 1, setting.preset, {})
    own = tables.games.nbytes + tables.hands.nbytes + tables.states.nbytes
    return [Figure("a game, without observation and mask", own, "bytes")]


# --- peers ------------------------------------------------------------------------------------------------------------

RIICHIENV, CONNECT_FOUR = "RiichiEnv", "connect_four"


def bench_riichienv(setting: Setting) -> list[Figure]:
    """RiichiEnv as it is fastest: one hand an episode, no log, mask and the 74 x 34 observation for every decision."""
    try:
        riichienv = import_module("riichienv")
    except ImportError:
        raise NotInstalled("RiichiEnv: pip install riichienv") from None

    def play_hand() -> int:
        env = riichienv.RiichiEnv(game_mode=0, skip_mjai_logging=True, seed=random.getrandbits(32))
        seen = env.reset()
        decisions = 0
        while not env.done():
            actions = {}
            for seat, observation in seen.items():
                np.frombuffer(observation.encode(), np.float32).reshape(74, 34)
                np.frombuffer(observation.mask(), np.uint8)
                actions[seat] = pick(observation.legal_actions())  # faster than to find an action by its number
            decisions += len(seen)
            seen = env.step(actions)
        return decisions

    return [Figure(RIICHIENV, rate(play_hand, setting.seconds), DECISIONS)]


def bench_connect_four(setting: Setting) -> list[Figure]:
    """PettingZoo's raw connect four, which is small: mostly the interface's own cost."""
    try:
        connect_four = import_module("pettingzoo.classic.connect_four_v3")
    except ImportError:
        raise NotInstalled("PettingZoo's connect_four: pip install 'pettingzoo[classic]'") from None
    env = connect_four.raw_env()
    return [Figure(CONNECT_FOUR, rate(lambda: play_aec(env), setting.seconds), TURNS)]


OWN = (bench_batch, bench_threads, bench_game, bench_aec, bench_sb3, bench_vector, bench_memory)
PEERS = (bench_riichienv, bench_connect_four)
COMPARED = {DECISIONS: RIICHIENV, TURNS: CONNECT_FOUR}
"""The peer that figures of a unit are compared with."""


def bench(variant: str, preset: str | None = None, seconds: float = 1.0, peers: bool = False) -> Report:
    """Measure a variant, each figure for about `seconds`; with `peers` also those installed, and ratios to them.

    Raises ValueError for an unknown variant or preset, or for seconds that aren't positive.
    """
    rules = get_variant(variant)
    chosen, _ = rules.choose_options(preset, {})
    if not seconds > 0:
        raise ValueError(f"seconds={seconds} must be more than 0")
    report = Report(rules.name, chosen, seconds)
    setting = Setting(rules.name, chosen, seconds)
    for measure in (*OWN, *(PEERS if peers else ())):
        try:
            report.figures += measure(setting)
        except NotInstalled as missing:
            report.skipped.append(str(missing))
    report.figures = [compared(figure, report.figures) for figure in report.figures]
    report.signatures = {name: signature(variant, name) for name in rules.presets}
    return report


def compared(figure: Figure, figures: list[Figure]) -> Figure:
    """The figure with its ratio to the peer of its unit, if that was measured."""
    peer = next((other for other in figures if other.what == COMPARED.get(figure.unit)), None)
    if peer is None or figure is peer or figure.ratio is not None:
        return figure
    return Figure(figure.what, figure.value, figure.unit, figure.value / peer.value, peer.what)


# --- the signature ----------------------------------------------------------------------------------------------------


def signature(variant: str, preset: str) -> str:
    """Sixteen hex digits that stand for how a preset is played: they change with the rules, and with nothing else.

    They are a digest of seeded random games, each table's first hand: what was dealt, every action by name, the points.
    How a game lies in memory has no part in it.
    """
    batch = Batch(variant, SIGNED_GAMES, seed=0, preset=preset, observation=None, record=True)
    batch.reset()
    first: dict[int, Record] = {}
    while len(first) < SIGNED_GAMES:
        _, done = batch.step(batch.sample_legal())
        for table, record in zip(np.flatnonzero(done).tolist(), batch.records(), strict=True):
            first.setdefault(table, record)
    digest = hashlib.sha256(f"{variant} {batch.variant.version}\n".encode())
    for table in range(SIGNED_GAMES):
        digest.update(words_of(first[table]).encode())
    return digest.hexdigest()[:16]


def words_of(record: Record) -> str:
    """A line for what was dealt, one for the actions, and one for the points."""
    chance = [f"{name} {value}" for name, value in sorted(record.chance.items())]
    lines = [[str(record.dealer), *chance, *record.wall], record.actions, map(str, record.points)]
    return "".join(", ".join(line) + "\n" for line in lines)


# --- printing ---------------------------------------------------------------------------------------------------------


def print_table(report: Report) -> None:
    """The report as a table on standard output."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(width=max(100, Console().width), highlight=False)
    title = f"{report.variant} {report.preset}: median of {ROUNDS} rounds in processor time (by the clock: the best)"
    table = Table(title=title, box=box.SIMPLE, title_justify="left")
    table.add_column("what", min_width=50, overflow="fold")
    for heading in ("figure", "unit", "ratio"):
        table.add_column(heading, justify="left" if heading == "unit" else "right", no_wrap=True)
    table.add_column("to")
    for figure in report.figures:
        ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
        table.add_row(figure.what, f"{figure.value:,.0f}", figure.unit, ratio, figure.to)
    console.print(table)
    for reason in report.skipped:
        console.print(f"left out: {reason}", markup=False)
    for preset, digits in report.signatures.items():
        console.print(f"signature of {preset}: {digits}", markup=False)
