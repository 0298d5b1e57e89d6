"""How long the questions take, beside other people's libraries where those are installed.

Half of the hands are complete, the others are such hands with one tile changed; everybody gets the same. Each figure is
the median of the rounds, in processor time of one thread, which other work on the machine disturbs less than the
clock's. Peers are asked one hand at a time, as their interfaces are made.
"""

import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from mahjong_env.hands.questions import distance, distance_and_useful, is_complete, waits
from mahjong_env.hands.tables import KINDS

PEER_HANDS = 2000
"""Hands a peer is timed on: some take a tenth of a millisecond."""


class Row(NamedTuple):
    """One measured question."""

    library: str
    question: str
    hands: int
    nanoseconds: float
    """A hand, median of the rounds."""


def deal(number: int, seed: int = 0, laizi: int = 0) -> np.ndarray:
    """(number, 34) counts: four sets and a pair, in every second hand one tile changed, and `laizi` tiles taken out."""
    rng = np.random.default_rng(seed)
    runs = [(kind, kind + 1, kind + 2) for kind in range(27) if kind % 9 < 7]
    sets = np.array(runs + [(kind,) * 3 for kind in range(KINDS)])
    dealt = np.zeros((0, KINDS), np.uint8)
    while len(dealt) < number:
        wanted = number - len(dealt) + 1000
        pair = rng.integers(KINDS, size=(wanted, 1))
        tiles = np.concatenate(
            [sets[rng.integers(len(sets), size=(wanted, 4))].reshape(wanted, 12), pair, pair], axis=1
        )
        changed = np.arange(1, wanted, 2)
        tiles[changed, rng.integers(14, size=len(changed))] = rng.integers(KINDS, size=len(changed))
        tiles = rng.permuted(tiles, axis=1)[:, laizi:]
        counts = np.zeros((wanted, KINDS), np.uint8)
        np.add.at(counts, (np.arange(wanted)[:, None], tiles), 1)
        dealt = np.concatenate([dealt, counts[(counts <= 4).all(axis=1)]])
    return dealt[:number]


def median_time(ask: Callable[[], Any], rounds: int) -> float:
    """Processor seconds of `ask()`, median of the rounds; a first one, which compiles and loads, isn't counted."""
    ask()
    times = []
    for _ in range(rounds):
        start = time.thread_time()
        ask()
        times.append(time.thread_time() - start)
    return sorted(times)[rounds // 2]


def _each(ask: Callable[[Any], Any], hands: list[Any]) -> Callable[[], None]:
    def run() -> None:
        for hand in hands:
            ask(hand)

    return run


def _tiles(hand: np.ndarray) -> list[int]:
    return np.repeat(np.arange(KINDS), hand).tolist()


def _mahjong(hands: np.ndarray) -> list[tuple[str, Callable[[], None]]]:
    rows = hands.tolist()
    complete, shanten = import_module("mahjong.agari").Agari(), import_module("mahjong.shanten").Shanten()
    return [
        ("complete", _each(complete.is_agari, rows)),
        ("distance", _each(shanten.calculate_shanten_for_regular_hand, rows)),
    ]


def _pymahjonggb(hands: np.ndarray) -> list[tuple[str, Callable[[], None]]]:
    module = import_module("MahjongGB")
    names = [
        f"{suit}{rank}" for suit in "WTB" for rank in range(1, 10)
    ]  # characters, bamboo, dots: suits are alike here
    names += ["F1", "F2", "F3", "F4", "J1", "J2", "J3"]
    rows = [tuple(names[kind] for kind in _tiles(hand)[1:]) for hand in hands]
    return [("distance with useful tiles", _each(module.RegularShanten, rows))]


def _xiangting(hands: np.ndarray) -> list[tuple[str, Callable[[], None]]]:
    module = import_module("xiangting")
    four = module.PlayerCount.FOUR
    return [
        ("distance", _each(lambda hand: module.calculate_replacement_number(hand, four), hands.tolist())),
        (
            "distance with useful tiles",
            _each(lambda hand: module.calculate_necessary_tiles(hand, four), hands.tolist()),
        ),
    ]


def _riichienv(hands: np.ndarray) -> list[tuple[str, Callable[[], None]]]:
    shanten = import_module("riichienv").calculate_shanten
    copies = [[4 * kind + copy for kind in range(KINDS) for copy in range(hand[kind])] for hand in hands.tolist()]
    return [("distance", _each(shanten, copies))]


PEERS: dict[str, Callable[[np.ndarray], list[tuple[str, Callable[[], None]]]]] = {
    "mahjong": _mahjong,
    "pymahjonggb": _pymahjonggb,
    "xiangting": _xiangting,
    "riichienv": _riichienv,
}


def bench_peers(rounds: int = 5, seed: int = 0) -> list[Row]:
    """The peers that are installed, a hand at a time from Python; their distances take special forms in."""
    hands = deal(PEER_HANDS, seed)
    rows = []
    for name, questions in PEERS.items():
        try:
            asked = questions(hands)
        except ImportError:
            continue
        rows += [Row(name, what, len(hands), median_time(ask, rounds) / len(hands) * 1e9) for what, ask in asked]
    return rows


def bench(number: int = 1_000_000, rounds: int = 5, seed: int = 0, peers: bool = True) -> list[Row]:
    """Time every question on a batch of `number` hands and one hand at a time, then the peers."""
    hands, wild = deal(number, seed), deal(number, seed, laizi=4)
    waiting = deal(number, seed, laizi=1)  # a tile less, and no laizi: 13 tiles
    single = list(hands[:PEER_HANDS])
    batches: list[tuple[str, Callable[[], Any]]] = [
        ("complete", lambda: is_complete(hands)),
        ("complete, 4 laizi", lambda: is_complete(wild, laizi=4)),
        ("distance", lambda: distance(hands)),
        ("waits", lambda: waits(waiting)),
        ("distance with useful tiles", lambda: distance_and_useful(waiting)),
    ]
    rows = [Row("batch", what, number, median_time(ask, rounds) / number * 1e9) for what, ask in batches]
    for what, ask in (("complete", is_complete), ("distance", distance)):
        rows.append(Row("one call", what, len(single), median_time(_each(ask, single), rounds) / len(single) * 1e9))
    return rows + (bench_peers(rounds, seed) if peers else [])


def table(rows: list[Row]) -> str:
    """The rows as text, a line each."""
    lines = [f"{'':12} {'':28} {'hands':>9} {'ns a hand':>11}"]
    lines += [f"{row.library:12} {row.question:28} {row.hands:9,} {row.nanoseconds:11,.1f}" for row in rows]
    return "\n".join(lines)


if __name__ == "__main__":
    print(table(bench()))
