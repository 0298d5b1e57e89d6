"""A file that is edited and loaded again in one session: new games by the new rules, games begun before by the old ones."""

import random
from pathlib import Path

import pytest
from players import play_out

import mahjong_env as mj
from mahjong_env.rules.registry import get_variant, path_of

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "my_rules.py"
PAYS = "pay(game, slip, payer, seat, int(game.options.value))"


def rules(name: str, pays: str = PAYS, version: int = 0) -> str:
    """The example under another name, with another payment."""
    text = EXAMPLE.read_text(encoding="utf-8").replace('name="my_rules"', f'name="{name}", version={version}')
    assert PAYS in text
    return text.replace(PAYS, pays)


TWICE = PAYS.replace("int(game.options.value)", "2 * int(game.options.value)")


def about_to_win(name: str) -> mj.Game:
    return mj.Game.from_position(name, hands=["123m 456m 789p 1s 9s 35p", None, None, None], drawn="4p", seed=1)


def won(game: mj.Game) -> list[int]:
    return game.copy().points.tolist() if game.is_over else (game.play("hu") or game.points.tolist())


def load(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return mj.load_variant(path)


def test_loading_twice_without_an_edit_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "again.py"
    name = load(path, rules("again"))
    variant = get_variant(name)
    assert mj.load_variant(path) == mj.load_variant(str(path)) == name
    assert get_variant(name) is variant
    path.touch()
    mj.load_variant(path)
    assert get_variant(name) is variant


def test_an_edited_file_plays_by_the_new_rules_and_old_games_by_the_old(tmp_path: Path) -> None:
    path = tmp_path / "edited.py"
    name = load(path, rules("edited"))
    before, begun = about_to_win(name), mj.Game(name, seed=3)
    assert load(path, rules("edited", TWICE)) == name
    after = about_to_win(name)
    assert won(after) == [12, -4, -4, -4]
    assert won(before) == [6, -2, -2, -2]
    assert before.variant is not after.variant and before.variant.digest != after.variant.digest
    play_out(begun.copy(), random.Random(1))
    copy = begun.copy()
    assert copy == begun and copy.resample(0, 1).variant is begun.variant
    assert mj.Game(name, seed=3) != begun, "games by other rules aren't equal"
    assert path_of(name) == path


def test_batches_and_environments_go_on_too(tmp_path: Path) -> None:
    path = tmp_path / "running.py"
    name = load(path, rules("running"))
    batch, env = mj.Batch(name, 4, seed=1), mj.raw_aec_env(name)
    batch.reset()
    env.reset(seed=1)
    load(path, rules("running", TWICE))
    for _ in range(50):
        batch.step(batch.sample_legal())
    assert batch.variant is not mj.Batch(name, 4, seed=1).variant
    while env.agents:
        observation, _, over, _, _ = env.last()
        env.step(None if over else int(observation["action_mask"].argmax()))


def test_records_of_both(tmp_path: Path) -> None:
    path = tmp_path / "recorded.py"
    name = load(path, rules("recorded", version=1))
    old = play_out(mj.Game(name, seed=8), random.Random(8)).record()
    same = old.verify()
    load(path, rules("recorded", TWICE, version=2))
    new = play_out(mj.Game(name, seed=8), random.Random(8)).record()
    assert new.verify().points.tolist() == new.points
    assert (old.version, new.version) == (1, 2) and same.points.tolist() == old.points
    with pytest.raises(mj.RecordError, match="version"):
        old.verify()


def test_a_game_begun_before_is_recorded_by_its_own_rules(tmp_path: Path) -> None:
    path = tmp_path / "meanwhile.py"
    name = load(path, rules("meanwhile", version=1))
    game = mj.Game(name, seed=8)
    load(path, rules("meanwhile", TWICE, version=2))
    play_out(game, random.Random(8))
    assert game.record().version == 1


@pytest.mark.parametrize(
    "broken", ["def settle(:\n", "VARIANT = 1\n", "@compiled\ndef after_draw(game, seat):\n    game.tunr = 0\n"]
)
def test_a_broken_edit_leaves_the_old_one_playable(tmp_path: Path, broken: str) -> None:
    name = f"half_{abs(hash(broken)) % 1000}"
    path = tmp_path / "half.py"
    load(path, rules(name))
    variant = get_variant(name)
    with pytest.raises(mj.VariantError):
        load(path, rules(name) + broken)
    assert get_variant(name) is variant and name in mj.variants()
    assert won(about_to_win(name)) == [6, -2, -2, -2]
    load(path, rules(name, TWICE))
    assert won(about_to_win(name)) == [12, -4, -4, -4]


def test_a_folder_with_relative_imports_reloads_too(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    part = "from mahjong_env.rules import compiled, pay\n\n\n@compiled\ndef pay_for(game, slip, payer, seat, value):\n    {}\n"
    paid = "pay(game, slip, payer, seat, value)"
    text = rules("in_a_folder", PAYS.replace("pay(", "pay_for(", 1)).replace("    pay,\n", "")
    text = text.replace("\n\n@dataclass", "\nfrom .payments import pay_for\n\n\n@dataclass", 1)
    (folder / "__init__.py").write_text(text, encoding="utf-8")
    (folder / "payments.py").write_text(part.format(paid), encoding="utf-8")
    name = mj.load_variant(folder)
    before = about_to_win(name)
    (folder / "payments.py").write_text(part.format(paid.replace("value", "3 * value")), encoding="utf-8")
    assert mj.load_variant(folder) == name
    assert won(about_to_win(name)) == [18, -6, -6, -6]
    assert won(before) == [6, -2, -2, -2]
