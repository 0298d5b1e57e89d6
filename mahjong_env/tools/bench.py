"""How fast the environments are, beside other people's where those are installed, and a signature of the rules.

Everything to be measured takes turns for several rounds, so that a machine whose speed changes meanwhile changes all of
it. Figures are medians of the rounds, ratios medians of each round's ratio. What runs on one thread is measured in
processor time of that thread, which other work on the machine disturbs less than the clock's; threads against each other
by the clock. All play is uniformly random among legal actions, except for opponents named.
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

from mahjong_env.batch.batch import Batch
from mahjong_env.batch.tables import Tables
from mahjong_env.envs.aec import raw_aec_env
from mahjong_env.envs.registration import NAMESPACE
from mahjong_env.play.game import Game, Record
from mahjong_env.rules.registry import choose_rules

ROUNDS = 5
TABLES = (256, 1024, 4096)
MOST = TABLES[-1]
LEARNERS = 1024
"""Tables of the environments that play opponents inside."""

MIXING = 300
"""Steps after which the tables of a batch are at different stages of their hands."""

SIGNED_GAMES = 256
"""Games of each preset that a signature stands for."""

WIDTH = 110  # columns of the table where the terminal is narrower, or there is none
DECISIONS, TURNS, STEPS_UNIT = "decisions/s", "turns/s", "steps/s"


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
class Work:
    """Something to be measured: `run(seconds)` works for about so long, once at least, and returns what it did in a second."""

    what: str
    unit: str
    run: Callable[[float], float]


# --- measuring --------------------------------------------------------------------------------------------------------


def timed(work: Callable[[], int], clock: Callable[[], float] = time.thread_time) -> Callable[[float], float]:
    """Run `work()`, which returns the number of units it did, again and again."""

    def run(seconds: float) -> float:
        done, start = 0, clock()
        while True:
            done += work()
            spent = clock() - start
            if spent >= seconds:
                return done / spent

    return run


def timed_steps(step: Callable[[Any], Any], choose: Callable[[Any], Any], units: int) -> Callable[[float], float]:
    """Run `step(choose(its last result))`, each of so many units; what it takes to choose isn't counted."""
    result = None
    for _ in range(MIXING):
        result = step(choose(result))

    def run(seconds: float) -> float:
        nonlocal result
        steps, spent = 0, 0.0
        while True:
            actions = choose(result)
            start = time.thread_time()
            result = step(actions)
            spent += time.thread_time() - start
            steps += 1
            if spent >= seconds:
                return steps * units / spent

    return run


def measure(works: Sequence[Work], seconds: float) -> dict[str, np.ndarray]:
    """The rates of each work by round; `seconds` are for all rounds of one. What each does first isn't counted."""
    for work in works:
        work.run(0.0)
    rates = [[work.run(seconds / ROUNDS) for work in works] for _ in range(ROUNDS)]
    return {work.what: column for work, column in zip(works, np.array(rates).T, strict=True)}


def random_legal(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(n,) uniformly random legal actions of (n, actions) masks."""
    return (rng.random(masks.shape, np.float32) * masks).argmax(axis=1)


def pick(choices: Any) -> Any:
    """One of a sequence at random, faster than `random.choice`."""
    return choices[int(random.random() * len(choices))]


# --- this package -----------------------------------------------------------------------------------------------------

SIZES = "Batch, observation and mask, {:,} tables"
BARE, RULES = "Batch, rules and mask alone", "Batch, rules alone"
ONE, TWO = "one thread by the clock", "two threads by the clock"


def mixed_batch(variant: str, preset: str, tables: int, **choices: Any) -> Batch:
    """A batch whose tables are at different stages of their hands."""
    batch = Batch(variant, tables, preset=preset, **choices)
    batch.reset()
    for _ in range(MIXING):
        batch.step(batch.sample_legal())
    return batch


def random_step(batch: Batch) -> Callable[[], int]:
    """A random decision at every table of a batch."""

    def work() -> int:
        batch.step(batch.sample_legal())
        return len(batch.to_act)

    return work


def batches(variant: str, preset: str) -> Iterator[Work]:
    """Batches of several sizes on one thread, those that show more or less, and two threads."""
    for tables in TABLES:
        yield Work(SIZES.format(tables), DECISIONS, timed(random_step(mixed_batch(variant, preset, tables))))
    for kind in ("planes", "events"):
        batch = mixed_batch(variant, preset, MOST, observation=kind)
        yield Work(f"Batch, {kind} and mask, {MOST:,} tables", DECISIONS, timed(random_step(batch)))
    yield Work(BARE, DECISIONS, timed(random_step(mixed_batch(variant, preset, MOST, observation=None))))
    blind = Batch(variant, MOST, preset=preset, observation=None)
    blind.masks = np.zeros((MOST, 0), np.int8)
    blind.reset()
    yield Work(RULES, DECISIONS, timed_steps(blind.step, lambda _: blind.sample_legal(), MOST))
    for threads, what in ((1, ONE), (2, TWO)):
        batch = mixed_batch(variant, preset, MOST, threads=threads)
        yield Work(what, DECISIONS, timed(random_step(batch), time.perf_counter))


def game(variant: str, preset: str) -> Iterator[Work]:
    """A Python loop over `Game`: mask, observation, choice, play."""

    def play_hand() -> int:
        game = Game(variant, preset, seed=random.getrandbits(64))
        decisions = 0
        while not game.is_over:
            legal = game.mask().nonzero()[0]
            game.observation()
            game.play(pick(legal))
            decisions += 1
        return decisions

    yield Work("Game, a Python loop with mask and observation", DECISIONS, timed(play_hand))


def aec(variant: str, preset: str) -> Iterator[Work]:
    """Turns of the raw AEC environment."""
    env = raw_aec_env(variant, preset=preset)
    yield Work("raw AEC environment", TURNS, timed(lambda: play_aec(env)))


def play_aec(env: Any) -> int:
    """Play an episode of an AEC environment at random; returns its turns."""
    env.reset()
    turns = 0
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else pick(observation["action_mask"].nonzero()[0]))
        turns += 1
    return turns


def sb3(variant: str, preset: str) -> Iterator[Work]:
    """The learner's decisions in the VecEnv for stable-baselines3."""
    try:
        from mahjong_env.envs.sb3 import sb3_vec_env
    except ImportError:
        raise NotInstalled("SB3 VecEnv: pip install -e '.[train]'") from None
    env = sb3_vec_env(variant, LEARNERS, "greedy", preset=preset)
    env.reset()
    rng = np.random.default_rng(0)
    run = timed_steps(env.step, lambda _: random_legal(env.env_method("action_masks"), rng), LEARNERS)
    yield Work(f"SB3 VecEnv, greedy opponents, {LEARNERS:,} tables", DECISIONS, run)


def vector(variant: str, preset: str) -> Iterator[Work]:
    """The learner's decisions in Gymnasium's VectorEnv."""
    name = f"{NAMESPACE}/{variant.capitalize()}-v0"
    env: Any = gymnasium.make_vec(name, num_envs=LEARNERS, opponents="greedy", preset=preset)
    first, _ = env.reset(seed=0)
    rng = np.random.default_rng(0)

    def choose(result: Any) -> np.ndarray:
        observation = first if result is None else result[0]
        return random_legal(observation["action_mask"], rng)

    run = timed_steps(env.step, choose, LEARNERS)
    yield Work(f"VectorEnv, greedy opponents, {LEARNERS:,} tables", DECISIONS, run)


COLLECTING = 256
"""Tables of the environments that a network plays."""


def training(variant: str, preset: str) -> Iterator[Work]:
    """Decisions collected for PPO by a network of two layers, and what the environment takes of PPO's time; one thread."""
    try:
        speed = import_module("training.speed")
    except ImportError:
        raise NotInstalled("PPO: needs a checkout, pip install -e '.[train]'") from None
    collect = timed(speed.collecting(variant, preset, COLLECTING))
    yield Work(f"PPO collecting, two layers of 256, greedy opponents, {COLLECTING} tables", STEPS_UNIT, collect)
    share = speed.environment_share(variant, preset, COLLECTING)
    yield Work("environment's share of PPO, its network and settings", "%", share)


# --- peers ------------------------------------------------------------------------------------------------------------

RIICHIENV, CONNECT_FOUR = "RiichiEnv", "connect_four"


def riichienv(variant: str, preset: str) -> Iterator[Work]:
    """RiichiEnv as it is fastest: one hand an episode, no log, mask and the 74 x 34 observation for every decision."""
    try:
        module = import_module("riichienv")
    except ImportError:
        raise NotInstalled("RiichiEnv: pip install riichienv") from None

    def play_hand() -> int:
        env = module.RiichiEnv(game_mode=0, skip_mjai_logging=True, seed=random.getrandbits(32))
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

    yield Work(RIICHIENV, DECISIONS, timed(play_hand))


def connect_four(variant: str, preset: str) -> Iterator[Work]:
    """PettingZoo's raw connect four, which is small: mostly the interface's own cost."""
    try:
        module = import_module("pettingzoo.classic.connect_four_v3")
    except ImportError:
        raise NotInstalled("PettingZoo's connect_four: pip install 'pettingzoo[classic]'") from None
    env = module.raw_env()
    yield Work(CONNECT_FOUR, TURNS, timed(lambda: play_aec(env)))


OWN = (batches, game, aec, sb3, vector, training)
PEERS = (riichienv, connect_four)
COMPARED = {DECISIONS: RIICHIENV, TURNS: CONNECT_FOUR}
"""The peer that works of a unit are compared with."""


# --- the report -------------------------------------------------------------------------------------------------------


def bench(variant: str, preset: str | None = None, seconds: float = 1.0, peers: bool = False) -> Report:
    """Measure a variant, each figure for about `seconds`; with `peers` also those installed, and ratios to them.

    Raises ValueError for an unknown variant or preset, or for seconds that aren't positive.
    """
    rules, preset, _ = choose_rules(variant, preset, {})
    if not seconds > 0:
        raise ValueError(f"seconds={seconds} must be more than 0")
    report = Report(rules.name, preset, seconds)
    works: list[Work] = []
    for prepare in (*OWN, *(PEERS if peers else ())):
        try:
            works += prepare(rules.name, preset)
        except NotInstalled as missing:
            report.skipped.append(str(missing))
    rates = measure(works, seconds)
    report.figures = [figure_of(work, rates) for work in works if work.what != RULES]
    report.figures += [*shares(rates), memory(rules.name, preset)]
    report.signatures = {name: signature(rules.name, name) for name in rules.presets}
    return report


def figure_of(work: Work, rates: dict[str, np.ndarray]) -> Figure:
    """A work's rate, and its ratio to the peer of its unit, if that was measured, or of two threads to one."""
    own = rates[work.what]
    peer = ONE if work.what in (ONE, TWO) else COMPARED.get(work.unit, work.what)
    if peer not in rates or peer == work.what:
        return Figure(work.what, float(np.median(own)), work.unit)
    return Figure(work.what, float(np.median(own)), work.unit, float(np.median(own / rates[peer])), peer)


def shares(rates: dict[str, np.ndarray]) -> list[Figure]:
    """What a decision's time in a batch goes into."""
    whole, bare, rules = (1e9 / rates[what] for what in (SIZES.format(MOST), BARE, RULES))
    parts = {"rules": rules, "mask and random choice": bare - rules, "observation": whole - bare}
    return [Figure(f"of a decision: {what}", float(np.median(part)), "ns") for what, part in parts.items()]


def memory(variant: str, preset: str) -> Figure:
    """What a table takes beside its rows of the arrays that the caller is shown."""
    tables = Tables(variant, 1, 0, 1, preset, {})
    return Figure("a game", tables.games.nbytes + tables.hands.nbytes + tables.generators.nbytes, "bytes")


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

    console = Console(width=max(WIDTH, Console().width), highlight=False)
    title = f"{report.variant} {report.preset}: median of {ROUNDS} rounds, processor time but where said"
    table = Table(title=title, box=box.SIMPLE, title_justify="left")
    table.add_column("what", min_width=48, overflow="fold")
    for heading in ("figure", "unit", "ratio"):
        table.add_column(heading, justify="left" if heading == "unit" else "right", no_wrap=True)
    table.add_column("to", no_wrap=True)
    for figure in report.figures:
        ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}"
        places = 1 if figure.unit == "%" else 0
        table.add_row(figure.what, f"{figure.value:,.{places}f}", figure.unit, ratio, figure.to)
    console.print(table)
    for reason in report.skipped:
        console.print(f"left out: {reason}", markup=False)
    for preset, digits in report.signatures.items():
        console.print(f"signature of {preset}: {digits}", markup=False)
