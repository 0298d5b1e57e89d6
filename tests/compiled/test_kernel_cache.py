"""Machine code on disk: what is put is got, by any process, and no disk makes anything fail."""

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mahjong_env import kernel_cache
from mahjong_env.kernel_cache import DAY, HEADER, Store, cache_root

KEY, OTHER = "0123456789abcdef" * 4, "f" * 64
DATA = bytes(range(256)) * 40
posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX owners, modes and signals")

ALONE = f"""
import importlib.util, os, signal, sys, time
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)  # what is started in the background ignores it
spec = importlib.util.spec_from_file_location("kernel_cache", {kernel_cache.__file__!r})
kernel_cache = importlib.util.module_from_spec(spec)
spec.loader.exec_module(kernel_cache)
store = kernel_cache.Store(Path(sys.argv[1]))
"""
"""The module without the package, which takes longer to import than all of these tests."""
HOLD = (
    ALONE + "with store.lock('a', 'waits'): print('in', flush=True); sys.stdin.readline(); store.put(sys.argv[2], b'x')"
)
WAIT = ALONE + "with store.lock('a', 'waits'): print('got', store.get(sys.argv[2]), flush=True)"


@contextmanager
def process(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as child:
        try:
            yield child
        finally:
            child.kill()


def line(stream: Any) -> str:
    return stream.readline().strip()


def entry(root: Path, key: str = KEY) -> Path:
    return root / "kernels" / f"{key}.kernel"


def names(root: Path) -> set[str]:
    return {path.name for path in (root / "kernels").iterdir()}


def make(path: Path, age: float = 0, content: bytes = b"content") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (time.time() - age,) * 2)
    return path


def failing(number: int) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> Any:
        raise OSError(number, os.strerror(number))

    return fail


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


# Put and get


def test_what_is_put_is_got_by_every_store(store: Store, tmp_path: Path) -> None:
    assert store.get(KEY) is None
    for data in (DATA, b"", b"short"):
        store.put(KEY, data)
        assert store.get(KEY) == Store(tmp_path).get(KEY) == data
    assert store.get(OTHER) is None
    assert store.kept == f"in {tmp_path / 'kernels'}"
    assert names(tmp_path) == {f"{KEY}.kernel", "cleaned"}


def test_no_root_keeps_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    store = Store(None)
    store.put(KEY, DATA)
    assert store.get(KEY) is None
    with store.lock("a", "waits"):
        assert store.clear() == 0
    assert store.kept.startswith("nowhere: ")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("key", ["", "abc", "../" * 8 + KEY, KEY.upper(), KEY + "\n", "g" * 64])
def test_a_key_is_a_hex_digest(store: Store, key: str) -> None:
    for call in (store.get, lambda key: store.put(key, DATA)):
        with pytest.raises(ValueError, match="hex digest"):
            call(key)


@posix
def test_files_are_closed_to_others(tmp_path: Path) -> None:
    root = tmp_path / "above" / "root"
    before = os.umask(0)
    try:
        Store(root).put(KEY, DATA)
    finally:
        os.umask(before)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (root, root / "kernels", entry(root))] == [
        0o700,
        0o700,
        0o600,
    ]


def test_the_module_needs_the_standard_library_alone(tmp_path: Path) -> None:
    code = ALONE + "print(sorted({'numba', 'numpy', 'mahjong_env'} & set(sys.modules)))"
    with process(code, tmp_path) as child:
        assert line(child.stdout) == "[]"


def test_threads_may_put_and_get_the_same_key(store: Store, tmp_path: Path) -> None:
    wrong: list[bytes | None] = []

    def work() -> None:
        for _ in range(30):
            store.put(KEY, DATA)
            found = store.get(KEY)
            if found != DATA:
                wrong.append(found)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and names(tmp_path) == {f"{KEY}.kernel", "cleaned"}


# Damage


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def flip_a_bit(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    whole[-1] ^= 1
    path.write_bytes(whole)


def make_a_folder(path: Path) -> None:
    path.unlink()
    make(path / "folder" / "file")


def make_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def promise_much(path: Path) -> None:
    whole = path.read_bytes()
    magic, _, digest = HEADER.unpack(whole[: HEADER.size])
    path.write_bytes(HEADER.pack(magic, 1 << 60, digest) + whole[HEADER.size :])


def copy_another(path: Path) -> None:
    store = Store(path.parent.parent)
    store.put(OTHER, DATA)
    os.replace(entry(path.parent.parent, OTHER), path)


DAMAGES: dict[str, Callable[[Path], Any]] = {
    "emptied": lambda path: path.write_bytes(b""),
    "cut": cut,
    "cut in the header": lambda path: path.write_bytes(path.read_bytes()[: HEADER.size - 1]),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "a flipped bit": flip_a_bit,
    "noise": lambda path: path.write_bytes(os.urandom(5000)),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "a wrong length": promise_much,
    "another key's": copy_another,
    "a folder": make_a_folder,
    "a pipe": pytest.param(make_a_pipe, marks=posix),  # type: ignore[dict-item]
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_file_is_absent_and_written_anew(store: Store, tmp_path: Path, damage: Callable[[Path], Any]) -> None:
    store.put(KEY, DATA)
    damage(entry(tmp_path))
    assert store.get(KEY) is None
    if sys.platform != "win32":
        assert not entry(tmp_path).exists()
    damaged_again = make_a_folder if damage is make_a_folder else cut
    store.put(KEY, DATA)
    damaged_again(entry(tmp_path))
    store.put(KEY, b"new")  # without a get, which would have removed it
    assert store.get(KEY) == b"new"


# Disks


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EACCES])
@pytest.mark.parametrize("call", ["write", "replace", "close"])
def test_a_failed_put_says_so_once_and_leaves_nothing(
    store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    call: str,
    number: int,
) -> None:
    store.put(KEY, DATA)
    original, calls = getattr(os, call), []

    def fail(*arguments: Any) -> Any:
        calls.append(call)
        if call == "write" and len(calls) == 1:  # the header, so that the file is part-written
            return original(*arguments)
        if call == "close":
            original(*arguments)
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fail)
        for _ in range(3):
            store.put(OTHER, DATA)
        kept = store.kept
    said = capfd.readouterr().err
    why = {
        errno.ENOSPC: f"no space left for {tmp_path / 'kernels'}",
        errno.EIO: f"{os.strerror(errno.EIO)} ({tmp_path / 'kernels'})",
    }.get(number, f"{tmp_path / 'kernels'} is read-only")
    assert said == f"mahjong-env: machine code can't be kept: {why}\n"
    assert kept == f"nowhere: {why}"
    assert names(tmp_path) == {f"{KEY}.kernel", "cleaned"}
    assert store.get(KEY) == DATA
    store.put(OTHER, DATA)  # the disk has recovered
    assert store.get(OTHER) == DATA and store.kept == f"in {tmp_path / 'kernels'}"


def test_part_writes_are_continued(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda file, data: write(file, data[:1000]))
        store.put(KEY, DATA)
    assert store.get(KEY) == DATA


def test_ctrl_c_leaves_no_part_of_a_file(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.put(KEY, DATA)
    assert names(tmp_path) == {"cleaned"}


@pytest.mark.parametrize("call", ["open", "fstat", "stat"])
@pytest.mark.parametrize("number", [errno.EIO, errno.EACCES, errno.ESTALE])
def test_what_cannot_be_read_is_absent(store: Store, monkeypatch: pytest.MonkeyPatch, call: str, number: int) -> None:
    store.put(KEY, DATA)
    with monkeypatch.context() as patch:
        patch.setattr(os, call, failing(number))
        assert store.get(KEY) is None
    assert store.get(KEY) == DATA


@contextmanager
def read_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As a disk that is mounted read-only, for root too."""
    reading = os.open

    def no_writing(path: Any, flags: int, *mode: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            failing(errno.EROFS)()
        return reading(path, flags, *mode)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", no_writing)
        patch.setattr(os, "access", lambda path, mode: not mode & os.W_OK)
        for call in ("mkdir", "unlink", "replace", "utime", "rmdir"):
            patch.setattr(os, call, failing(errno.EROFS if call != "mkdir" else errno.EEXIST))
        yield


def test_a_read_only_folder_is_used(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    store.put(KEY, DATA)
    store.put(OTHER, DATA)
    cut(entry(tmp_path, OTHER))
    os.utime(entry(tmp_path), (0, 0))
    monkeypatch.setenv("MAHJONG_ENV_CACHE", str(tmp_path))
    with read_only(monkeypatch):
        assert cache_root() == tmp_path
        assert store.kept == f"nowhere: {tmp_path / 'kernels'} is read-only"
        assert store.get(KEY) == DATA and store.get(OTHER) is None
        assert capfd.readouterr().err == ""
        with store.lock("a", "waits"):
            store.put(OTHER, DATA)
            store.put(OTHER, DATA)
        assert store.get(KEY) == DATA and store.clear() == 0
    said = capfd.readouterr().err
    assert said == f"mahjong-env: machine code can't be kept: {tmp_path / 'kernels'} is read-only\n"


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="modes don't bind root")
def test_a_folder_closed_by_its_mode_is_used(store: Store, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    store.put(KEY, DATA)
    (tmp_path / "kernels").chmod(0o500)
    try:
        store.put(OTHER, DATA)
        with store.lock("a", "waits"):
            assert store.get(KEY) == DATA
        assert store.kept == f"nowhere: {tmp_path / 'kernels'} is read-only"
    finally:
        (tmp_path / "kernels").chmod(0o700)
    assert capfd.readouterr().err.count("\n") == 1


def test_a_vanished_folder_is_made_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    root = tmp_path / "root"
    store = Store(root)
    for _ in range(2):
        store.put(KEY, DATA)
        assert store.get(KEY) == DATA
        with store.lock("a", "waits"):
            kernel_cache._remove(root)
            assert store.get(KEY) is None
            assert store.kept == f"in {root / 'kernels'}"
    assert store.clear() == 0
    assert capfd.readouterr().err == ""


def test_a_folder_that_vanishes_while_it_is_written_to(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    replace = os.replace

    def vanished(*arguments: Any) -> None:
        kernel_cache._remove(tmp_path / "kernels")
        replace(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", vanished)
        store.put(KEY, DATA)
    assert "machine code can't be kept" in capfd.readouterr().err
    store.put(KEY, DATA)
    assert store.get(KEY) == DATA


@pytest.mark.parametrize("place", ["", "kernels"])
def test_a_file_in_the_place_of_the_folder(tmp_path: Path, place: str, capfd: pytest.CaptureFixture[str]) -> None:
    root = tmp_path / "root"
    file = make(root / place)
    store = Store(root)
    with store.lock("a", "waits"):
        store.put(KEY, DATA)
    assert store.get(KEY) is None and store.clear() == 0
    assert store.kept == f"nowhere: {file} isn't a folder"
    assert capfd.readouterr().err == f"mahjong-env: machine code can't be kept: {file} isn't a folder\n"
    assert file.read_bytes() == b"content"


# Whose files are read


def owned_by(user: int, path: Path, call: Callable[..., os.stat_result]) -> Callable[..., Any]:
    inode = os.stat(path).st_ino

    def found(*arguments: Any, **options: Any) -> Any:
        result = call(*arguments, **options)
        if result.st_ino != inode:
            return result
        fields = {name: getattr(result, name) for name in dir(result) if name.startswith("st_")}
        return SimpleNamespace(**{**fields, "st_uid": user})

    return found


@posix
@pytest.mark.parametrize("place", ["folder", "file"])
def test_what_belongs_to_another_user_is_not_read(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], place: str
) -> None:
    store.put(KEY, DATA)
    path = entry(tmp_path) if place == "file" else tmp_path / "kernels"
    with monkeypatch.context() as patch:
        for call in ("stat", "fstat"):
            patch.setattr(os, call, owned_by(os.geteuid() + 1, path, getattr(os, call)))
        assert [store.get(KEY) for _ in range(3)] == [None] * 3
        foreign = f"{path} belongs to another user (uid {os.geteuid() + 1})"
        assert capfd.readouterr().err == f"mahjong-env: machine code isn't read: {foreign}\n"
        if place == "folder":
            assert store.kept == f"nowhere: {foreign}"
            with store.lock("a", "waits"):
                store.put(OTHER, DATA)
            assert capfd.readouterr().err == f"mahjong-env: machine code can't be kept: {foreign}\n"
            assert store.clear() == 0
        else:
            store.put(KEY, b"ours")
    assert store.get(KEY) == (DATA if place == "folder" else b"ours")
    assert store.get(OTHER) is None


@posix
def test_what_belongs_to_root_is_read(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.put(KEY, DATA)
    with monkeypatch.context() as patch:
        patch.setattr(os, "stat", owned_by(0, tmp_path / "kernels", os.stat))
        patch.setattr(os, "fstat", owned_by(0, entry(tmp_path), os.fstat))
        patch.setattr(os, "geteuid", lambda: 12345)
        assert store.get(KEY) == DATA


@posix
@pytest.mark.parametrize("mode", [0o020, 0o002])
@pytest.mark.parametrize("place", ["folder", "file"])
def test_what_others_can_write_to_is_not_read(
    store: Store, tmp_path: Path, capfd: pytest.CaptureFixture[str], place: str, mode: int
) -> None:
    store.put(KEY, DATA)
    path = entry(tmp_path) if place == "file" else tmp_path / "kernels"
    path.chmod(0o700 | mode)
    assert store.get(KEY) is store.get(KEY) is None
    assert capfd.readouterr().err == f"mahjong-env: machine code isn't read: {path} can be written to by others\n"
    path.chmod(0o755)  # readers are welcome
    assert store.get(KEY) == DATA


# Locks


@contextmanager
def holder(root: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the lock until it is told to put something and go."""
    with process(HOLD, root, KEY) as child:
        assert line(child.stdout) == "in"
        yield child


def let_go(child: subprocess.Popen[str]) -> None:
    assert child.communicate("\n") == ("", "") and child.returncode == 0


def test_a_second_process_waits_and_finds_what_the_first_has_left(tmp_path: Path) -> None:
    with holder(tmp_path) as first, process(WAIT, tmp_path, KEY) as second:
        assert line(second.stderr) == "waits"
        let_go(first)
        assert second.communicate() == ("got b'x'\n", "")


def test_who_need_not_wait_says_nothing(tmp_path: Path, store: Store) -> None:
    with holder(tmp_path), store.lock("b", "waits"), process(WAIT.replace("'a'", "'c'"), tmp_path, KEY) as other:
        assert other.communicate() == ("got None\n", "")


@posix
def test_a_killed_process_releases_its_locks(tmp_path: Path) -> None:
    with holder(tmp_path) as first, process(WAIT, tmp_path, KEY) as second:
        assert line(second.stderr) == "waits"
        first.kill()
        assert second.communicate() == ("got None\n", "")


@posix
def test_a_forked_child_does_not_hold_the_lock_of_its_dead_parent(tmp_path: Path) -> None:
    fork = "print(os.fork() or time.sleep(60), flush=True); time.sleep(60)"
    with process(HOLD.replace("print('in', flush=True)", fork), tmp_path, KEY) as first:
        child = int(line(first.stdout))
        try:
            with process(WAIT, tmp_path, KEY) as second:
                assert line(second.stderr) == "waits"
                first.kill()
                assert second.communicate() == ("got None\n", "")
        finally:
            os.kill(child, signal.SIGKILL)


@posix
def test_ctrl_c_ends_the_wait(tmp_path: Path) -> None:
    with holder(tmp_path), process(WAIT, tmp_path, KEY) as second:
        assert line(second.stderr) == "waits"
        second.send_signal(signal.SIGINT)
        assert second.communicate(timeout=60)[1].endswith("KeyboardInterrupt\n")


def test_a_lock_held_for_very_long_is_ignored(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kernel_cache, "LOCK_SECONDS", 0.1)
    with holder(tmp_path), store.lock("a", "waits"):
        waits, goes_on = capfd.readouterr().err.splitlines()
    assert waits == "waits" and goes_on.endswith("going on without it")


def test_threads_exclude_each_other_whichever_store_they_use(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_cache, "POLL_SECONDS", 0.005)
    inside, most = [], []

    def work() -> None:
        with Store(tmp_path).lock("a", "waits"):
            inside.append(1)
            most.append(len(inside))
            time.sleep(0.01)
            inside.pop()

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 5
    assert set(capfd.readouterr().err.split()) == {"waits"}


def test_an_error_inside_releases_the_lock(store: Store, capfd: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), store.lock("a", "waits"):
            raise ZeroDivisionError
    assert capfd.readouterr().err == ""


@posix
@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EIO])
def test_where_files_cannot_be_locked_it_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], number: int
) -> None:
    monkeypatch.setattr(kernel_cache.fcntl, "lockf", failing(number))
    with store.lock("a", "waits"):
        store.put(KEY, DATA)
    monkeypatch.setattr(kernel_cache, "fcntl", None)
    with store.lock("a", "waits"):
        assert store.get(KEY) == DATA
    assert capfd.readouterr().err == ""


@posix
def test_a_child_does_not_wait_for_a_thread_it_does_not_have(store: Store, tmp_path: Path) -> None:
    code = ALONE + (
        "from threading import Event, Thread\n"
        "def hold():\n"
        "    with kernel_cache.Store(None).lock('a', 'waits'): held.set(); time.sleep(60)\n"
        "held = Event(); Thread(target=hold, daemon=True).start(); held.wait()\n"
        "if not os.fork():\n"
        "    with kernel_cache.Store(None).lock('a', 'waits'): print('in', flush=True)\n"
        "    os._exit(0)\n"
        "os.wait(); os._exit(0)"
    )
    with process(code, tmp_path) as child:
        assert line(child.stdout) == "in"


# Cleaning


OLD = "kernels-0123456789ab"
NUMBA = ("envs_ab/single.reset-12.py311.nbi", "envs_ab/single.reset-12.py311.1.nbc", "envs_ab/a.nbi.tmp.0f3c")


def clean(root: Path) -> None:
    """As the first put of a process on the next day."""
    (root / "kernels" / "cleaned").unlink(missing_ok=True)
    Store(root).put(OTHER, DATA)


def test_old_things_go_and_nothing_else(tmp_path: Path) -> None:
    kernels, temporary = tmp_path / "kernels", f"{KEY}.{'0' * 16}.tmp"
    goes = [
        make(entry(tmp_path), 61 * DAY),
        make(kernels / temporary, 2 * 60 * 60),
        make(kernels / f"{'0' * 32}.lock", 61 * DAY),
        *(make(tmp_path / OLD / name, 31 * DAY) for name in NUMBA),
    ]
    stays = [
        make(entry(tmp_path, "a" * 64), 59 * DAY),
        make(kernels / temporary.replace("0" * 16, "1" * 16), 30 * 60),
        make(kernels / f"{'1' * 32}.lock", 59 * DAY),
        *(make(tmp_path / OLD.replace("0", "1") / name, 29 * DAY) for name in NUMBA),
        # one of its files was used
        *(
            make(tmp_path / OLD.replace("0", "2") / name, age * DAY)
            for name, age in zip(NUMBA, (31, 29, 31), strict=True)
        ),
        # one of its files isn't Numba's
        *(make(tmp_path / OLD.replace("0", "3") / name, 99 * DAY) for name in (*NUMBA, "envs_ab/notes.txt")),
        # other names
        *(
            make(kernels / name, 999 * DAY)
            for name in (
                f"{KEY}.kernel.bak",
                f"x{KEY}.kernel",
                f"{KEY}.tmp",
                "a.lock",
                "notes.txt",
                f"{KEY.upper()}.kernel0",
            )
        ),
        *(
            make(tmp_path / name / NUMBA[0], 999 * DAY)
            for name in ("kernels-", "kernels-0123456789abc", "kernels-0123456789xy")
        ),
        make(tmp_path / entry(tmp_path).name, 999 * DAY),
        make(tmp_path / "hands-0123456789ab.npz", 999 * DAY),
        make(tmp_path / "kernels-ba9876543210", 999 * DAY),  # a file
        make(kernels / "folder" / entry(tmp_path).name, 999 * DAY),
    ]
    clean(tmp_path)
    assert [path for path in goes if path.exists()] == []
    assert [path for path in stays if not path.exists()] == []
    assert not (tmp_path / OLD).exists()
    assert Store(tmp_path).get(OTHER) == DATA


@posix
def test_links_are_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    file = make(elsewhere / NUMBA[0], 99 * DAY)
    (tmp_path / OLD).symlink_to(elsewhere)
    (tmp_path / OLD.replace("0", "1")).mkdir()
    (tmp_path / OLD.replace("0", "1") / "envs_ab").symlink_to(elsewhere / "envs_ab")
    clean(tmp_path)
    assert file.exists() and (tmp_path / OLD).is_symlink()


@posix
def test_an_old_folder_of_another_user_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = make(tmp_path / OLD / NUMBA[0], 99 * DAY)
    monkeypatch.setattr(kernel_cache, "_is_ours", lambda item: False)
    clean(tmp_path)
    assert file.exists()


def test_what_is_used_is_marked_once_a_day_and_stays(store: Store, tmp_path: Path) -> None:
    store.put(KEY, DATA)
    path = entry(tmp_path)
    for age, marked in ((61 * DAY, True), (DAY + 60, True), (DAY - 60, False), (-2 * DAY, True)):
        then = time.time() - age
        os.utime(path, (then, then))
        assert store.get(KEY) == DATA
        assert (abs(path.stat().st_mtime - then) > 1) == marked, age
    clean(tmp_path)
    assert store.get(KEY) == DATA


def test_it_is_cleaned_once_a_day_at_the_first_put(tmp_path: Path) -> None:
    stamp = tmp_path / "kernels" / "cleaned"

    def cleans(store: Store) -> bool:
        path = make(entry(tmp_path), 61 * DAY)
        store.put(OTHER, DATA)
        return not path.exists()

    store = Store(tmp_path)
    assert cleans(store) and not cleans(store) and not cleans(Store(tmp_path))
    for age, old in ((DAY - 60, False), (DAY + 60, True), (-2 * DAY, True)):
        make(stamp, age)
        store = Store(tmp_path)
        assert cleans(store) == old and not cleans(store)


def test_the_oldest_used_go_first_where_there_is_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_cache, "MOST_BYTES", 2500)
    ages = {"1": 5, "2": 50, "3": 1, "4": 20}
    for digit, age in ages.items():
        make(entry(tmp_path, digit * 64), age * DAY, bytes(1000))
    other = make(tmp_path / "kernels" / "notes.txt", 58 * DAY, bytes(5000))
    clean(tmp_path)
    assert {digit for digit in ages if entry(tmp_path, digit * 64).exists()} == {"1", "3"}
    assert other.exists()


def test_a_lock_that_is_held_is_not_cleaned_away(tmp_path: Path, store: Store) -> None:
    def age_the_lock() -> Path:
        (path,) = (tmp_path / "kernels").glob("*.lock")
        return make(path, 61 * DAY, b"")

    with holder(tmp_path) as child:
        path = age_the_lock()
        clean(tmp_path)
        assert path.exists()
        let_go(child)
    with store.lock("a", "waits"):
        assert age_the_lock() == path
        clean(tmp_path)
        assert path.exists()
    clean(tmp_path)
    assert not path.exists()


def test_an_old_folder_whose_files_were_read_lately_stays(tmp_path: Path) -> None:
    file = make(tmp_path / OLD / NUMBA[0])
    os.utime(file, (time.time() - DAY, time.time() - 99 * DAY))
    clean(tmp_path)
    assert file.exists()


@posix
def test_a_lock_file_that_is_removed_while_it_is_opened_holds_nobody_off(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock_now = kernel_cache._lock_now
    removed: list[Path] = []

    def after_the_cleaning(file: int) -> bool:
        if not removed:
            (path,) = (tmp_path / "kernels").glob("*.lock")
            removed.append(path)
            os.replace(make(tmp_path / "fresh"), path)
        return lock_now(file)

    monkeypatch.setattr(kernel_cache, "_lock_now", after_the_cleaning)
    with store.lock("a", "waits"), process(WAIT, tmp_path, KEY) as second:
        assert line(second.stderr) == "waits"


def test_a_lock_in_use_is_marked(tmp_path: Path, store: Store) -> None:
    for _ in range(2):
        with store.lock("a", "waits"):
            (path,) = (tmp_path / "kernels").glob("*.lock")
            assert time.time() - path.stat().st_mtime < DAY
        make(path, 61 * DAY)


def test_cleaning_ends_in_time_and_never_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    old = [make(entry(tmp_path, f"{number:064x}"), 61 * DAY) for number in range(20)]
    monkeypatch.setattr(kernel_cache, "CLEANING_SECONDS", -1.0)
    clean(tmp_path)
    assert all(path.exists() for path in old)
    monkeypatch.undo()
    for call in ("scandir", "utime"):
        with monkeypatch.context() as patch:
            patch.setattr(os, call, failing(errno.EIO))
            clean(tmp_path)
    assert all(path.exists() for path in old)
    assert capfd.readouterr().err == "" and Store(tmp_path).get(OTHER) == DATA


def test_clear_removes_all_entries_and_counts_their_bytes(store: Store, tmp_path: Path) -> None:
    other = make(tmp_path / "kernels" / "notes.txt")
    make(tmp_path / "kernels" / f"{KEY}.{'0' * 16}.tmp", DAY)
    store.put(KEY, DATA)
    store.put(OTHER, b"")
    assert store.clear() == 2 * HEADER.size + len(DATA)
    assert store.get(KEY) is store.get(OTHER) is None
    assert names(tmp_path) == {other.name, "cleaned"}
    assert store.clear() == 0


# The root


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("MAHJONG_ENV_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


def test_the_root_is_the_first_that_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_root() == home / ".cache" / "mahjong_env"
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "xdg"))
    assert cache_root() == home / "xdg" / "mahjong_env"
    monkeypatch.setenv("MAHJONG_ENV_CACHE", str(home / "mine"))
    assert cache_root() == home / "mine"
    monkeypatch.setenv("MAHJONG_ENV_CACHE", "~/of/home")
    assert cache_root() == home / "of" / "home"
    assert (home / "of" / "home").is_dir()
    monkeypatch.setenv("MAHJONG_ENV_CACHE", "")  # as if unset
    assert cache_root() == home / "xdg" / "mahjong_env"


def test_the_root_stays_where_it_is_when_the_process_moves(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setenv("MAHJONG_ENV_CACHE", "here")
    assert cache_root() == home / "here"


def test_no_home_directory_is_no_root(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home(*_: Any) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", no_home)
    monkeypatch.setattr(Path, "expanduser", no_home)
    assert cache_root() is None
    monkeypatch.setenv("MAHJONG_ENV_CACHE", "~/here")
    assert cache_root() is None


def test_nothing_usable_is_no_root(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAHJONG_ENV_CACHE", str(make(home / "file") / "folder"))
    assert cache_root() is None
    monkeypatch.setenv("MAHJONG_ENV_CACHE", str(home / "file"))
    assert cache_root() is None
    monkeypatch.setenv("MAHJONG_ENV_CACHE", str(home / "closed"))
    with monkeypatch.context() as patch:
        patch.setattr(os, "mkdir", failing(errno.EACCES))
        assert cache_root() is None
