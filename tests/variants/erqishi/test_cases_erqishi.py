"""ErQiShi hands, payments and chi with their right answers (`cases/erqishi.json`), by the public API where it has them."""

import itertools
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from slow import zipai_solvers
from slow.erqishi import full_options, random_options

import mahjong_env as mj
from mahjong_env.hands.zipai import CHI_SETS
from mahjong_env.rules import api
from mahjong_env.rules.notation import empty_table, hold, lay_wall
from mahjong_env.rules.registry import choose_rules
from mahjong_env.rules.state import CLAIM
from mahjong_env.tiles import ZIPAI
from mahjong_env.variants.erqishi import SETS, reading
from mahjong_env.variants.erqishi.legal import BARRED_AFTER

CASES = json.loads((Path(__file__).parents[2] / "cases" / "erqishi.json").read_text(encoding="utf-8"))["cases"]


def of_kind(kind: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]


def score(case: dict[str, Any], **more: Any) -> mj.Score:
    known = {"quan": case["quan"]} if "quan" in case else {}
    return mj.score(
        "erqishi",
        hand=case["hand"],
        melds=case.get("melds", ()),
        win_tile=case["win_tile"],
        win_by=case["win_by"],
        **case.get("options", {}) | known | more,
    )


@pytest.mark.parametrize("case", of_kind("win"))
def test_hand_is_scored(case: dict[str, Any]) -> None:
    found, expected = score(case), case["expected"]
    assert found.hu == expected["win"]
    assert found.points == expected["points"]
    if "fans" in expected:
        assert sorted(found.patterns) == sorted(expected["fans"])
    if "sets" in expected:
        assert by_name(found.sets) == by_name(expected["sets"])


def by_name(sets: Any) -> list[tuple[str, list[int]]]:
    return sorted((name, ZIPAI.parse(cards)) for name, cards in sets)


@pytest.mark.parametrize("case", of_kind("win"))
def test_hand_wins_at_a_table(case: dict[str, Any]) -> None:
    """The same hand wins, or doesn't, on the card flipped or discarded before it."""
    options = dict(case.get("options", {}))
    circle = {"circle": int(case["quan"][1:])} if "quan" in case else {}
    seat = {"flip_self": 1, "flip_other": 2, "discard": 1}[case["win_by"]]
    hands: list[str | None] = [None, None, None]
    melds: list[list[str]] = [[], [], []]
    hands[seat], melds[seat] = case["hand"], list(case.get("melds", ()))
    if case["win_by"] == "discard":
        hands[0] = f"{case['win_tile']} {fill(case)}"
        game = mj.Game.from_position("erqishi", hands=hands, melds=melds, to_act=0, seed=1, **options | circle)
        game.play(f"discard {case['win_tile']}")
    else:
        game = mj.Game.from_position(
            "erqishi", hands=hands, melds=melds, wall=case["win_tile"], to_flip=1, seed=1, **options | circle
        )
    asked = [game.to_act] if game.to_act is not None else []
    offered = "hu" in game.legal_names() if asked == [seat] else False
    while not offered and game.to_act not in (None, seat) and "pass" in game.legal_names():
        game.play("pass")
        offered = game.to_act == seat and "hu" in game.legal_names()
    assert offered == case["expected"]["win"]


def fill(case: dict[str, Any]) -> str:
    """Cards for the discarder, of those the case leaves, no three of a kind: so that what it discards is free."""
    sizes = {"dui": 3, "kai": 4, "bayu": 4}
    melds = " ".join(
        " ".join(cards * sizes[name] if len(cards) == 1 else cards)
        for name, *cards in (meld.split() for meld in case.get("melds", ()))
    )
    held = ZIPAI.counts(ZIPAI.parse(f"{case['hand']} {melds} {case['win_tile']}"))
    size = 14 if case.get("options", {}).get("hand_size") == 14 else 20
    ways = itertools.chain.from_iterable([kind] * min(2, 4 - int(held[kind])) for kind in range(20))
    own = ZIPAI.kind(case["win_tile"])
    return ZIPAI.format([kind for kind in ways if kind != own][:size])


def test_three_cards_make_five_points_more_than_the_first_division() -> None:
    """E37: the article's order of tries stops at a division worth less than the best."""
    case = next(case for case in CASES if case["id"] == "E37")
    assert score(case).points == 15
    assert score(case, split="first").points == 12


def test_dealt_hand_is_scored_with_or_without_a_card_named_apart() -> None:
    hand = "s1 s2 s3 s4 s5 s6 s7 s8 s9 b1 b2 b3 s2 s7 s10 b2 b7 b10 b5 b5 b5"
    found = mj.score("erqishi", hand=hand, win_by="dealt")
    assert (found.hu, found.points, list(found.patterns)) == (True, 15, ["tian"])
    cards = hand.split()
    assert mj.score("erqishi", hand=cards[:-1], win_tile=cards[-1], win_by="dealt") == found


@pytest.mark.parametrize("case", of_kind("setvalue"))
def test_value_of_a_group(case: dict[str, Any]) -> None:
    name, _, cards = case["set"].partition(" ")
    kinds = ZIPAI.parse(cards)
    if name in ("chi", "run", "mix", "2710"):
        sets = [tuple(row) for row in CHI_SETS.tolist()]
        found = reading.set_points(sets.index(tuple(kinds))) if tuple(kinds) in sets else None
    else:
        found = getattr(reading, f"{name}_points")(kinds[0])
    assert found == case["expected"]["points"]


@pytest.mark.parametrize("case", of_kind("score"))
def test_payment(case: dict[str, Any]) -> None:
    options = case.get("options", {})
    rules, _, chosen = choose_rules("erqishi", case["preset"], options)
    game = rules.blank(chosen)[0]
    assert reading.units(game, case["points"]) == case["expected"]["ge"]
    share = 3 if case["how"] == "discard" else 1
    assert reading.payment(game, case["points"], case["fans"]) * chosen["base"] * share == case["expected"]["pay"]


@pytest.mark.parametrize("case", of_kind("chi"))
def test_sets_to_eat_and_to_lay(case: dict[str, Any]) -> None:
    expected = case["expected"]
    found = {(cards, tuple(sorted(laid))) for cards, laid in ways_to_eat(at_table(case["hand"], case["claim"]))}
    assert found == {(option["set"], tuple(sorted(option["bai"]))) for option in expected["options"]}
    if "forbidden" in expected:
        (option,) = expected["options"]
        barred = int(BARRED_AFTER[SETS.index(option["set"]), ZIPAI.kind(case["claim"])])
        assert [ZIPAI.names[kind] for kind in range(20) if barred >> kind & 1] == expected["forbidden"]


def at_table(hand: str, claim: str) -> mj.Game:
    """Seat 1 holds a few cards, and seat 0 has discarded."""
    rules, preset, options = choose_rules("erqishi", None, {"min_points": 60})
    games = empty_table(rules, options)
    hold(rules, games, 1, ZIPAI.parse(hand))
    lay_wall(rules, games, ZIPAI.parse("b1"))
    games["table_tile"], games["table_from"], games["phase"] = ZIPAI.kind(claim), 0, CLAIM
    games["river_tile"][0, 0], games["river_length"], games["answers"] = ZIPAI.kind(claim), 1, -1
    games["discarded"][0, 0, ZIPAI.kind(claim)] = 1
    api.resume_at(games, 0)
    return mj.Game._from_row(rules, preset, options, games)


def ways_to_eat(game: mj.Game) -> list[tuple[str, list[str]]]:
    """Every set that can be eaten, with what is laid beside it."""
    found = []
    for name in game.legal_names():
        if name.startswith("chi_set"):
            eaten = game.copy()
            eaten.play(name)
            found += [(name.partition(" ")[2], laid) for laid in ways_to_lay(eaten)]
    return found


def ways_to_lay(game: mj.Game) -> list[list[str]]:
    names = [name for name in game.legal_names() if name.startswith("bai")]
    found: list[list[str]] = [] if names else [[]]
    for name in names:
        laid = game.copy()
        laid.play(name)
        found += [[name.partition(" ")[2], *rest] for rest in ways_to_lay(laid)]
    return found


# --- independent solvers ----------------------------------------------------------------------------------------------


def test_best_division_agrees_with_two_solvers() -> None:
    assert compare_solvers(range(1500), range(0, 1500, 5)) > 1000


def compare_solvers(seeds: range, by_exact_cover_too: range) -> int:
    """Points and fans of hands complete or nearly so, and what `split="first"` finds; returns the number of hands. Those
    that no waiting seat can hold are passed over."""
    compared = 0
    for seed in seeds:
        rng = random.Random(seed)
        given = random_options(rng)
        options = full_options("leshan", given)
        hand = zipai_solvers.near_complete_hand(rng, options)
        if is_of_right_size(hand, options):
            compared += 1
            divisions = zipai_solvers.by_recursion(hand, options)
            for split in ("best", "first"):
                compare(hand, given | {"split": split}, zipai_solvers.best(divisions, hand, options | {"split": split}))
            if seed in by_exact_cover_too:
                best = {"split": "best"}
                divisions = zipai_solvers.by_exact_cover(hand, options)
                compare(hand, given | best, zipai_solvers.best(divisions, hand, options | best))
    return compared


def is_of_right_size(hand: Any, options: dict[str, Any]) -> bool:
    """Whether a waiting seat, or the dealer, can hold so many cards, and the quan card is a big one."""
    held = Counter(hand.cards)
    quads = sum(n == 4 for n in held.values()) + sum(name in ("kai", "bayu") for name, _ in hand.melds)
    total = len(hand.cards) + sum(len(cards) for _, cards in hand.melds) - (hand.win_by == "dealt")
    size = options["hand_size"]
    return size <= total <= size + max(0, quads - 1) and (hand.quan is None or hand.quan[0] == "b")


def compare(hand: Any, given: dict[str, Any], best: Any) -> None:
    quan = {"quan": hand.quan if hand.quan is not None else "-"}
    melds = [f"{name} {' '.join(cards)}" for name, cards in hand.melds]
    melds = [f"chi {m.partition(' ')[2]}" if m.split()[0] in ("run", "mix", "2710") else m for m in melds]
    flags = [flag for flag in hand.flags if flag == "di_hu"]
    known = {name: value for name, value in given.items() if name != "circle"}
    found = mj.score(
        "erqishi", hand=hand.cards, melds=melds, win_tile=hand.target, win_by=hand.win_by, flags=flags, **known | quan
    )
    assert found.points == (None if best is None else best.points), (hand, given, found, best)
    if found.hu:
        assert (found.fan, sorted(found.patterns)) == (best.fan_count, sorted(best.fans)), (hand, given, found, best)


def test_wrong_numbers_are_named() -> None:
    with pytest.raises(ValueError, match="takes 20"):
        mj.score("erqishi", hand="s1 s2 s3", win_tile="s4", win_by="flip_self")
    with pytest.raises(ValueError, match="no set"):
        mj.score("erqishi", hand="s1 s2 s3", melds=["chi s1 b2 s3"], win_tile="s4", win_by="flip_self")
    with pytest.raises(ValueError, match="players=4"):
        mj.Game("erqishi", players=4, hand_size=20)


if __name__ == "__main__":  # PYTHONPATH=tests python tests/variants/erqishi/test_cases_erqishi.py 20000
    import sys

    tried = range(int(sys.argv[1]))
    print(f"{compare_solvers(tried, tried)} hands agree with both solvers")
