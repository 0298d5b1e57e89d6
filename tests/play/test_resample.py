"""Dealing hidden tiles anew: what the viewer sees and may do stays, what it knows is respected, all else moves."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from players import greedy, mixed, option_sets, play_out
from test_walk import check_hands, check_points, check_tiles

import mahjong_env as mj
from mahjong_env.play.resample import TRIES, make_room
from mahjong_env.rules.inference import Known
from mahjong_env.rules.notation import hold
from mahjong_env.rules.state import BY_DISCARD, NO_TILE, NOBODY, OPENING, TAKEN
from mahjong_env.variants.sichuan.fan import evaluate_complete

SETTINGS = [
    pytest.param(name, preset, options, id=f"{name}-{preset}-{k}")
    for name in mj.variants()
    for k, (preset, options) in enumerate(option_sets(name, 4))
]
MODES = [(preset, mode) for preset in ("sbr2025", "online") for mode in ("xuezhan", "xueliu")]


def states(preset: str, mode: str, games: int, **options: Any) -> Iterator[mj.Game]:
    """All states of some games of Sichuan mahjong."""
    for seed in range(games):
        rng = random.Random(seed)
        game = mj.Game("sichuan", preset, seed=seed, mode=mode, **options)
        while not game.is_over:
            yield game
            game.play(mixed(game, rng))


@pytest.mark.parametrize(("name", "preset", "options"), SETTINGS)
def test_every_seat_at_every_state(name: str, preset: str, options: dict[str, Any]) -> None:
    rng = random.Random(1)
    game = mj.Game(name, preset, seed=5, **options)
    dealt: Counter[bool] = Counter()
    while not game.is_over:
        for seat in range(game.variant.seats):
            dealt[check_resampled(game, seat, rng)] += 1
        game.play(mixed(game, rng))
    assert dealt[False] <= 0.05 * dealt.total(), "too many states at which no deal is found"


def resampled(game: mj.Game, seat: int, seed: int) -> mj.Game | None:
    """The game dealt anew; None where it says that no deal was found."""
    try:
        return game.resample(seat, seed)
    except mj.NoDealError:
        return None


def check_resampled(game: mj.Game, seat: int, rng: random.Random) -> bool:
    """Everything that holds of a resampled game, now and on its way to the end; False where no deal was found."""
    before, seed = game.to_bytes(), rng.randrange(2**64)
    other = resampled(game, seat, seed)
    assert game.to_bytes() == before, "the game itself has changed"
    if other is None:
        return False
    assert other == game.resample(seat, seed), "the deal isn't a function of the seed"
    assert other.observation(seat).tobytes() == game.observation(seat).tobytes(), f"seat {seat} sees a difference"
    assert (other.to_act == seat) == (game.to_act == seat)
    if seat == game.to_act:
        assert other.mask().tobytes() == game.mask().tobytes()
        assert greedy(other) == greedy(game)
    assert str(other.outcome) == str(game.outcome)
    for check in (check_tiles, check_hands, check_points):
        check(other)
    if rng.random() < 0.1:
        end = play_out(other, rng, greed=0.8)
        check_tiles(end)
        check_points(end)
    return True


@pytest.mark.parametrize(("preset", "mode"), MODES)
def test_the_deal_depends_on_nothing_hidden(preset: str, mode: str) -> None:
    """Resampling a resampled game gives what resampling the game gives: the same bytes."""
    same: Counter[bool] = Counter()
    for game in states(preset, mode, 3):
        assert game.to_act is not None
        once, twice = resampled(game, game.to_act, 1), resampled(game, game.to_act, 2)
        if once is not None:
            same[resampled(once, game.to_act, 2) == twice] += 1
    assert same[False] == 0, "hidden tiles show through"
    assert same.total() > 100


@pytest.mark.parametrize(("preset", "mode"), MODES)
def test_tiles_move(preset: str, mode: str) -> None:
    """While there is a wall, nearly every deal differs in every hidden place."""
    moved: Counter[str] = Counter()
    for game in states(preset, mode, 4):
        row = game._games[0]
        if row["wall_back"] - row["wall_front"] < 10 or game.to_act is None:
            continue
        found, seat = resampled(game, game.to_act, len(game.history)), game.to_act
        if found is None:
            continue
        other = found._games[0]
        moved["deals"] += 1
        moved["wall"] += list(wall_of(other)) != list(wall_of(row))
        moved["hands"] += all((other["hands"][s] != row["hands"][s]).any() for s in range(4) if s != seat)
    assert moved["wall"] > 0.98 * moved["deals"]
    assert moved["hands"] > 0.9 * moved["deals"]


def wall_of(row: Any) -> np.ndarray:
    return row["wall"][row["wall_front"] : row["wall_back"]]


def test_without_knowledge_every_hidden_tile_is_as_likely_everywhere() -> None:
    """Before the first turn: shares of a suit in a hand, and of the next tile of the wall, are those of the hidden tiles."""
    game = mj.Game("sichuan", seed=3, dealer=0)
    deals = [game.resample(0, seed)._games[0] for seed in range(2000)]
    hidden = 4 - game._games[0]["hands"][0]
    expected = hidden / hidden.sum()
    in_hand = np.mean([row["hands"][2] for row in deals], axis=0) / 13
    next_tile = np.bincount([wall_of(row)[0] for row in deals], minlength=27) / len(deals)
    assert np.abs(in_hand - expected).max() < 5 * np.sqrt(expected.max() / 13 / len(deals))
    assert np.abs(next_tile - expected).max() < 5 * np.sqrt(expected.max() / len(deals))


# --- what a seat knows in Sichuan -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("preset", "mode"), MODES)
def test_a_seat_that_discarded_another_suit_held_no_void_tile_then(preset: str, mode: str) -> None:
    bounded = 0
    for seed in range(4):
        rng = random.Random(seed)
        game = mj.Game("sichuan", preset, seed=seed, mode=mode)
        draws = [NOBODY] * 4  # at its last discard outside the void suit
        while not game.is_over:
            seat, action, row = game.to_act, mixed(game, rng), game._games[0]
            assert seat is not None
            for other in range(4) if row["phase"] != OPENING else ():
                if other != seat and draws[other] != NOBODY:
                    found = resampled(game, seat, rng.randrange(2**32))
                    if found is None:
                        continue
                    hand = found._games[0]["hands"][other]
                    void = int(row["void"][other])
                    assert hand[9 * void : 9 * void + 9].sum() <= row["draws"][other] - draws[other]
                    bounded += 1
            verb, _, tile = game.variant.actions.names[action].partition(" ")
            if verb == "discard" and game.variant.tiles.kind(tile) // 9 != row["void"][seat]:
                draws[seat] = int(row["draws"][seat])
            game.play(action)
    assert bounded > 100


def test_tiles_given_are_where_they_went() -> None:
    seen = 0
    for game in states("online", "xueliu", 6):
        row = game._games[0]
        steps = int(game.observation(0)[-2, 0])  # the piece "direction"
        for viewer in range(4) if steps else ():
            receiver = (viewer + steps) % 4
            given = np.bincount(row["given"][viewer], minlength=27)
            river = row["river_tile"][: row["river_length"]][
                row["river_seat"][: row["river_length"]] % TAKEN == receiver
            ]
            shown = np.bincount(river, minlength=27) + row["melded"][receiver]
            sure = np.where(shown == 0, given, 0)
            found = resampled(game, viewer, 1)
            if found is None:
                continue
            hand = found._games[0]["hands"][receiver]
            if not row["self_draws"][receiver]:  # a winning tile laid aside has been shown too
                assert (hand >= sure).all(), f"seat {viewer} gave {sure}, seat {receiver} holds {hand}"
                seen += int(sure.any())
    assert seen > 100


@pytest.mark.parametrize("mode", ["xuezhan", "xueliu"])
def test_winners_are_ready_on_their_winning_tile(mode: str) -> None:
    changed: Counter[bool] = Counter()
    for game in states("online", mode, 8):
        row = game._games[0]
        for winner in np.flatnonzero(row["wins"]).tolist():
            if winner not in (game.to_act, row["turn"]) and game.to_act is not None:
                other = resampled(game, game.to_act, 3)
                if other is None:
                    continue
                assert completes(other, winner, int(row["win_tile"][winner]))
                changed[bool((other._games[0]["hands"][winner] != row["hands"][winner]).any())] += 1
    assert changed[True] > 4 * changed[False]


def completes(game: mj.Game, seat: int, kind: int) -> bool:
    """The tile completes the seat's hand; scored in a record of its own."""
    games = game._games.copy()
    hold(game.variant, games, seat, [kind])
    return bool(evaluate_complete(games[0], seat, kind, BY_DISCARD, 0) >= 0)


def test_secret_choices_are_made_anew() -> None:
    """Swaps before the exchange, its direction, and void suits before all are declared."""
    seen: dict[str, set[Any]] = {"given": set(), "exchange_direction": set(), "void": set()}
    for game in states("online", "xuezhan", 1):
        row = game._games[0]
        if row["phase"] != OPENING:
            break
        assert game.to_act is not None
        for seed in range(20):
            other = game.resample(game.to_act, seed)._games[0]
            assert (other["given"][game.to_act] == row["given"][game.to_act]).all()
            assert ((other["given"] != NO_TILE) == (row["given"] != NO_TILE)).all()
            assert ((other["void"] != NOBODY) == (row["void"] != NOBODY)).all()
            if row["got"][0, 0] == NO_TILE:
                seen["given"].add(other["given"].tobytes())
                seen["exchange_direction"].add(int(other["exchange_direction"]))
            else:
                assert other["exchange_direction"] == row["exchange_direction"]
                seen["void"].add(other["void"].tobytes())
    assert len(seen["given"]) > 100
    assert seen["exchange_direction"] == {0, 1, 2}
    assert len(seen["void"]) > 8


def test_others_dont_know_what_they_gave() -> None:
    """After the exchange, tiles that two others passed to each other are dealt anew; the viewer's own are as they were."""
    game = mj.Game("sichuan", "online", seed=2, exchange_direction="across")
    while game._games["phase"][0] == OPENING:
        game.play(greedy(game))
    row = game._games[0]
    others = {game.resample(0, seed)._games[0]["given"][1].tobytes() for seed in range(20)}
    assert len(others) > 10
    other = game.resample(0, 1)._games[0]
    for seat in (0, 2):
        assert (other["given"][seat] == row["given"][seat]).all()
        assert (other["got"][seat] == row["got"][seat]).all()
    assert (other["got"][3] == other["given"][1]).all()


# --- edges ------------------------------------------------------------------------------------------------------------


def test_a_finished_hand_hides_nothing() -> None:
    game = play_out(mj.Game("sichuan", seed=1), random.Random(1))
    other = game.resample(0, 1)
    assert other.is_over
    assert (other._games["hands"] == game._games["hands"]).all()
    assert str(other.outcome) == str(game.outcome)


def test_a_resampled_game_has_no_history() -> None:
    game = mj.Game("sichuan", seed=1)
    game.play(game.legal_actions()[0])
    other = game.resample(0, 1)
    assert other.history == []
    with pytest.raises(ValueError, match="resampling has no record"):
        other.record()


def test_bad_arguments() -> None:
    game = mj.Game("sichuan", seed=1)
    with pytest.raises(ValueError, match="seat 4 is not a seat"):
        game.resample(4, 0)
    with pytest.raises(ValueError, match="seed -1 is not possible"):
        game.resample(0, -1)


def test_room_is_made_in_a_tight_place() -> None:
    """Without a wall, three seats that bar a suit each: a deal that fits is found."""
    rng = random.Random(1)
    bars = [frozenset(range(9 * suit, 9 * suit + 9)) for suit in range(3)]
    known = {seat: Known((), bars[seat], 0) for seat in range(3)} | {-1: Known()}
    found = 0
    for _ in range(100):
        tiles = [*range(27), 0, 10, 20]
        rng.shuffle(tiles)
        dealt = {seat: [tiles.pop() for _ in range(10)] for seat in range(3)} | {-1: tiles}
        if all(make_room(seat, dealt, known, rng) for seat in range(3)):
            found += 1
            assert not any(kind in bars[seat] for seat in range(3) for kind in dealt[seat])
    assert found > 100 - 100 // TRIES


def test_nearly_every_state_can_be_dealt_anew() -> None:
    """What doesn't fit is said, and hardly ever happens, also where winners' hands and claims have to fit."""
    misses: Counter[bool] = Counter()
    for game in states("online", "xueliu", 3):
        for viewer in range(4):
            misses[resampled(game, viewer, 1) is None] += 1
    assert misses[True] <= 0.02 * misses.total()
