"""The walk: every variant, every preset and many option sets, checked at every state of whole games.

A variant gets these tests by being there.

Run as a program, this file replays games given on stdin and prints a digest of every state: so the plain mode, which is
chosen when the package is imported, is compared with the compiled one. Its arguments are variant files to load first.
"""

import hashlib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from players import expert, greedy, mixed, option_sets, play_out

import mahjong_env as mj
from mahjong_env.rules import api, hooks
from mahjong_env.rules.registry import get_variant
from mahjong_env.rules.state import CLAIM, NO_ANSWER, NO_TILE, OPENING, ROBBING, TURN

PER_PRESET = 10
GAMES = 3
SETTINGS = [
    pytest.param(name, preset, options, id=f"{name}-{preset}-{k}")
    for name in mj.variants()
    for k, (preset, options) in enumerate(option_sets(name, PER_PRESET))
]


@pytest.mark.parametrize(("name", "preset", "options"), SETTINGS)
def test_every_state_holds(name: str, preset: str, options: dict[str, Any]) -> None:
    for seed in range(GAMES):
        walk(mj.Game(name, preset, seed=seed, **options), random.Random(seed))


def walk_all(name: str, file: str, per_preset: int = PER_PRESET) -> None:
    """The whole walk of a variant that wasn't there when the tests were collected."""
    for preset, options in option_sets(name, per_preset):
        test_every_state_holds(name, preset, options)
    test_seeds_deal_different_hands(name)
    compare_modes(name, file)


def walk(game: mj.Game, rng: random.Random) -> None:
    """Play a game to its end, checking every state; a failure says where it was."""
    is_random = rng.random() < 0.3
    try:
        while not game.is_over:
            check_state(game, rng)
            game.play(rng.choice(game.legal_actions()) if is_random else mixed(game, rng))
        check_state(game, rng)
        check_replay(game)
    except AssertionError as error:
        where = f"{game.variant.name} {game.preset} {game.overrides}, seed {game.seed}, after {game.history}"
        raise AssertionError(f"{error}\n{where}\n{game}") from error


def check_state(game: mj.Game, rng: random.Random) -> None:
    """Everything that holds at any state of any game."""
    check_tiles(game)
    check_hands(game)
    check_points(game)
    check_mask(game)
    check_copies(game, rng)
    if not game.is_over:
        check_refusal(game, rng)
        check_nothing_leaks(game, rng)
        check_choices_stay_unseen(game, rng)


def check_tiles(game: mj.Game) -> None:
    """No tile is lost or made: hands, melds, discards, wall and the variant's own places hold every copy of every kind."""
    row, kinds = game._games[0], game.variant.tiles.kinds
    aside: list[int] = game.variant.answers.tiles_aside(game.state)
    wall = row["wall"][row["wall_front"] : row["wall_back"]]
    places = [row["hands"].sum(axis=0), row["melded"].sum(axis=0), row["discarded"].sum(axis=0)]
    places += [np.bincount(wall, minlength=kinds), np.bincount(np.array(aside, int), minlength=kinds)]
    assert (row["hands"] >= 0).all(), "a hand holds fewer than no tiles"
    for kind, (found, copies) in enumerate(zip(np.sum(places, axis=0), game.variant.tiles.copies, strict=True)):
        assert found == copies, f"{found} tiles {game.variant.tiles.names[kind]}, not {copies}"


def check_hands(game: mj.Game) -> None:
    """Keys say what hands hold, `melded` and `discarded` what melds and river hold."""
    row, tiles = game._games[0], game.variant.tiles
    for seat in range(game.variant.seats):
        keys = [0] * game.variant.key_columns
        for kind, held in enumerate(row["hands"][seat].tolist()):
            keys[game.variant.key_column[kind]] += held * int(game.variant.key_weight[kind])
        assert row["keys"][seat].tolist() == keys, f"keys of seat {seat} don't fit its hand"
        length = int(row["river_length"])
        left = row["river_seat"][:length] == seat
        river = np.bincount(row["river_tile"][:length][left], minlength=tiles.kinds)
        assert row["discarded"][seat].tolist() == river.tolist(), f"discards of seat {seat}"
        assert 0 <= row["meld_count"][seat] <= game.variant.most_melds
        assert row["melded"][seat].sum() >= 3 * row["meld_count"][seat], f"melds of seat {seat}"


def check_points(game: mj.Game) -> None:
    """Points are what the payments add up to, and nobody's loss is lost where the rules say so."""
    paid = np.sum([payment.points for payment in game.outcome.payments] or [(0,) * game.variant.seats], axis=0)
    assert game.points.tolist() == paid.tolist(), "points aren't the sum of the payments"
    is_zero_sum = game.variant.answers.is_zero_sum(game.options)
    total = game.points.sum()
    assert total == 0 if is_zero_sum else total <= 0, f"points sum to {total}"


def check_mask(game: mj.Game) -> None:
    """Somebody may always do something until the hand is over; names and numbers are one to one."""
    mask, names = game.mask(), game.legal_names()
    assert (game.to_act is None) == game.is_over == (not mask.any())
    assert set(mask.tolist()) <= {0, 1}
    assert len(set(names)) == len(names)
    assert [game.variant.actions.parse(name) for name in names] == game.legal_actions()
    assert game.to_act is None or 0 <= game.to_act < game.variant.seats


def check_copies(game: mj.Game, rng: random.Random) -> None:
    """A copy, and the game read back from bytes, are equal, go on alike, and leave the game alone."""
    before = game.to_bytes()
    copy, back = game.copy(), mj.Game.from_bytes(before)
    assert copy == game == back
    assert back.options == game.options
    assert back.to_bytes() == before
    if not game.is_over:
        action = rng.choice(game.legal_actions())
        copy.play(action)
        back.play(action)
        assert copy == back != game, "a copy goes on differently"
        assert len(copy.history) == len(game.history) + 1
    assert game.to_bytes() == before, "a copy's game changed its original"


def check_refusal(game: mj.Game, rng: random.Random) -> None:
    """An illegal action is refused, and changes nothing."""
    before, mask = game.to_bytes(), game.mask()
    illegal = rng.choice([*np.flatnonzero(mask == 0).tolist(), -1, len(mask)])
    with pytest.raises(mj.IllegalActionError):
        game.play(illegal)
    assert game.to_bytes() == before


def check_nothing_leaks(game: mj.Game, rng: random.Random) -> None:
    """Shuffle what a seat can't see: it sees the same, and the one to act may do the same, and so do the players."""
    for seat in range(game.variant.seats):
        other = hidden_shuffled(game, seat, rng)
        if other is None:
            continue
        assert np.array_equal(other.observation(seat), game.observation(seat)), f"seat {seat} sees hidden tiles"
        if seat == game.to_act:
            assert greedy(other) == greedy(game), "greedy plays by hidden tiles"
            assert expert(other) == expert(game), "the expert plays by hidden tiles"
            api.resume_at(other._games, 0)
            assert other.to_act == game.to_act, "who is asked depends on hidden tiles"
            assert other.legal_names() == game.legal_names(), "the mask depends on hidden tiles"


def check_choices_stay_unseen(game: mj.Game, rng: random.Random) -> None:
    """Seats that choose at the same time don't see each other's choice: before the first turn, and in claims."""
    phase = game._games["phase"][0]
    if phase == TURN or len(game.legal_actions()) < 2:
        return
    forks = [game.copy(), game.copy()]
    for fork, action in zip(forks, rng.sample(game.legal_actions(), 2), strict=True):
        fork.play(action)
        while phase == OPENING and fork.to_act == game.to_act:
            fork.play(rng.choice(fork.legal_actions()))
    one, two = forks
    rows = one._games[0], two._games[0]
    seat = one.to_act
    still_choosing = all(row["phase"] == phase and row["to_act"] == seat for row in rows)
    if still_choosing and np.array_equal(
        rows[0]["hands"][seat], rows[1]["hands"][seat]
    ):  # else tiles have changed hands
        assert np.array_equal(one.observation(), two.observation()), f"seat {seat} sees what seat {game.to_act} chose"
        assert one.legal_names() == two.legal_names(), f"seat {seat} may do what depends on seat {game.to_act}'s choice"


def hidden_shuffled(game: mj.Game, viewer: int, rng: random.Random) -> mj.Game | None:
    """A copy with all that is hidden dealt anew; None if no deal was found that fits what the viewer has seen, where
    that tells of hands."""
    rules = game.variant.answers
    for _ in range(30):
        other = game.copy()
        shuffle_hidden(other, viewer, rng)
        row = other._games[0]
        if rules.is_possible is hooks.is_possible:  # nothing that was seen tells of hands
            return other
        if rules.is_possible(row, viewer):
            if row["phase"] == CLAIM:
                rules.ask_claims_again(row, viewer, game.to_act == viewer)
            asked = other.copy()
            api.resume_at(asked._games, 0)
            if viewer != game.to_act or asked.to_act == viewer:
                return other
    return None


def shuffle_hidden(game: mj.Game, viewer: int, rng: random.Random) -> None:
    """Deal the other closed hands and the wall anew, hand sizes kept; forget the answers to the tile on the table, and prepare
    for the viewer to be asked again."""
    row = game._games[0]
    others = [seat for seat in range(game.variant.seats) if seat != viewer and not row["open_hand"][seat]]
    sizes = [int(row["hands"][seat].sum()) for seat in others]
    hidden = [kind for seat in others for kind, held in enumerate(row["hands"][seat]) for _ in range(held)]
    hidden += row["wall"][row["wall_front"] : row["wall_back"]].tolist()
    rng.shuffle(hidden)
    for seat, size in zip(others, sizes, strict=True):
        lay_hand(game, seat, [hidden.pop() for _ in range(size)])
    row["wall"][row["wall_front"] : row["wall_back"]] = hidden
    if row["phase"] in (CLAIM, ROBBING):
        row["asking"] = (viewer - row["table_from"]) % game.variant.seats
        row["answers"] = NO_ANSWER
        row["best_rank"] = 0
    if row["turn"] != viewer and row["drawn"] != NO_TILE:
        row["drawn"] = rng.randrange(game.variant.tiles.kinds)


def lay_hand(game: mj.Game, seat: int, kinds: list[int]) -> None:
    """Replace a seat's concealed tiles."""
    row, tiles = game._games[0], game.variant.tiles
    row["hands"][seat] = np.bincount(np.array(kinds, int), minlength=tiles.kinds)
    row["keys"][seat] = 0
    for kind in kinds:
        row["keys"][seat, game.variant.key_column[kind]] += game.variant.key_weight[kind]


def check_replay(game: mj.Game) -> None:
    """The same seed and the same actions give the same bytes; a record gives the same game."""
    again = mj.Game(game.variant.name, game.preset, seed=game.seed, **game.overrides)
    record = game.record()
    chance = {name: record.chance[name] for name in record.chance}
    laid = mj.Game(
        record.variant, record.preset, wall=record.wall, dealer=record.dealer, chance=chance, **record.options
    )
    for action in game.history:
        again.play(action)
        laid.play(action)
    assert again == game, "the same seed and actions gave another game"
    fields = [name for name in game._games.dtype.names or () if name != "random"]  # a given wall isn't shuffled
    differ = [name for name in fields if not np.array_equal(laid._games[name], game._games[name])]
    assert not differ, f"a game replayed from its record differs in {differ}"


@pytest.mark.parametrize("name", mj.variants())
def test_seeds_deal_different_hands(name: str) -> None:
    walls = [bytes(mj.Game(name, seed=seed)._games["wall"]) for seed in (*range(20), 2**32, 2**63)]
    assert len(set(walls)) == len(walls)
    assert {mj.Game(name, seed=seed).dealer for seed in range(40)} == set(range(get_variant(name).seats))


# --- plain and compiled -----------------------------------------------------------------------------------------------

Play = dict[str, Any]
"""What a game is a function of: variant, preset, options, seed, actions."""


@pytest.mark.parametrize("name", mj.variants())
def test_plain_mode_gives_the_same_bytes(name: str) -> None:
    compare_modes(name, file=None)


def compare_modes(name: str, file: str | None) -> None:
    """Some games compiled and plain; `file` is where a stranger's variant stands."""
    plays: list[Play] = []
    for seed, (preset, options) in enumerate(option_sets(name, 3, seed=1)):
        game = play_out(mj.Game(name, preset, seed=seed, **options), random.Random(seed), greed=0.7)
        plays.append({"variant": name, "preset": preset, "options": options, "seed": seed, "actions": game.history})
    compiled, plain = digests(plays), digests_in_plain_mode(plays, file)
    for play, ours, theirs in zip(plays, compiled, plain, strict=True):
        for decision, (a, b) in enumerate(zip(ours, theirs, strict=True)):
            played = play["actions"][:decision]
            assert a == b, f"plain mode differs after {decision} decisions of {play | {'actions': played}}"


def digests(plays: list[Play]) -> list[list[str]]:
    """For each game a digest of every state: record, observation, and, now and then, greedy's choice."""
    return [digests_of(**play) for play in plays]


def digests_of(variant: str, preset: str, options: dict[str, Any], seed: int, actions: list[str]) -> list[str]:
    game = mj.Game(variant, preset, seed=seed, **options)
    found = [digest(game)]
    for action in actions:
        game.play(action)
        found.append(digest(game))
    return found


def digest(game: mj.Game) -> str:
    """Twelve digits that change with anything in the record, in what is seen, or in what greedy or the expert does."""
    seen = game._games.tobytes() + game.observation(oracle=True).tobytes()
    if not game.is_over and len(game.history) % 4 == 0:  # appraising is slow in plain mode
        seen += bytes([greedy(game)])
    if not game.is_over and len(game.history) % 12 == 0:
        seen += bytes([expert(game)])
    return hashlib.sha256(seen).hexdigest()[:12]


def digests_in_plain_mode(plays: list[Play], file: str | None) -> list[list[str]]:
    """`digests` of a process that runs the kernels as plain Python; `file` is a stranger's variant to load there."""
    root = str(Path(__file__).parents[2])
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": root}
    command = [sys.executable, __file__, *([file] if file else [])]
    done = subprocess.run(
        command, input=json.dumps(plays), env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


if __name__ == "__main__":
    for stranger in sys.argv[1:]:
        mj.load_variant(stranger)
    print(json.dumps(digests(json.load(sys.stdin))))
