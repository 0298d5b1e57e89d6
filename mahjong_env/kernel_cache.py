"""Machine code kept on disk: one file per key, whole or absent, for any number of processes and threads.

Nothing here fails because of a disk. Where a file can't be written, read, locked or removed, the caller compiles, which
takes longer, and one line on stderr says why.

Whose files are read: what is kept here is unpickled, and so can do whatever its author likes. `Store` makes its folder
with mode 0700 and its files with mode 0600, and on POSIX reads a file only where both it and the folder belong to this
user or to root and nobody else can write to them. Anything else counts as absent, which is said once. The folders above
need no such check: who can write there may put another folder in the place of ours, but can't make it ours. On Windows
the folders of a user's profile are closed to others by the system, and nothing is checked.

One cache for many users, on a cluster or in a container's image: let root (or the one user who will also read it) fill
it, then open it to readers with `chmod -R go+rX`. It may be mounted read-only. A folder that a group writes to in turn
can't be shared safely; give each user their own by `MAHJONG_ENV_CACHE`.
"""

import errno
import hashlib
import os
import re
import secrets
import shutil
import stat
import struct
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    try:
        import fcntl
    except ImportError:  # a POSIX without locks
        fcntl = None  # type: ignore[assignment]

DAY = 24 * 60 * 60
ENTRY_AGE = 60 * DAY
"""Entries unused for so many seconds are removed, and so are the files of locks."""
OLD_FOLDER_AGE = 30 * DAY
"""Folders of earlier versions unused for so many seconds are removed."""
TEMPORARY_AGE = 60 * 60
"""Temporary files of so many seconds have been left behind by a process that died."""
MOST_BYTES = 2 << 30
CLEANING_SECONDS = 2.0
POLL_SECONDS = 0.05
LOCK_SECONDS = 600.0
"""A lock held for longer is ignored: its holder is suspended, or gone with a machine whose file server doesn't know."""

FOLDER = "kernels"
STAMP = "cleaned"
KEY = re.compile(r"[0-9a-f]{16,128}")
ENTRY = re.compile(r"[0-9a-f]{16,128}\.kernel")
TEMPORARY = re.compile(r"[0-9a-f]{16,128}\.[0-9a-f]{16}\.tmp")
LOCK = re.compile(r"[0-9a-f]{32}\.lock")
OLD_FOLDER = re.compile(r"kernels-[0-9a-f]{12}")
NUMBA_FILE = re.compile(r".+\.nb[ic](\.tmp\.[0-9a-f]+)?")

MAGIC = b"mahjong kernel 1"
HEADER = struct.Struct(">16sQ32s")
"""What a file begins with: the magic, the length of the data, and the SHA-256 of the key and the data."""

_PLAIN = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_READ = os.O_RDONLY | _PLAIN | getattr(os, "O_NONBLOCK", 0)  # doesn't wait for the writer of a pipe of that name
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAIN
_OPEN_LOCK = os.O_RDWR | os.O_CREAT | _PLAIN


class _UntrustedError(Exception):
    """A file or folder that others own or can write to; the message says so."""


class _DamagedError(Exception):
    """A file that isn't as it was written."""


def cache_root() -> Path | None:
    """The folder for machine code and tables, made if need be; None where there is none and none can be made.

    It is `MAHJONG_ENV_CACHE`, else `mahjong_env` in `XDG_CACHE_HOME`, else `~/.cache/mahjong_env`; `~` stands for the home
    directory. A folder that can only be read is returned too.
    """
    try:
        if chosen := os.environ.get("MAHJONG_ENV_CACHE"):
            root = Path(chosen).expanduser()
        elif caches := os.environ.get("XDG_CACHE_HOME"):
            root = Path(caches).expanduser() / "mahjong_env"
        else:
            root = Path.home() / ".cache" / "mahjong_env"
        root = root.absolute()  # stays the same when the process changes its directory
    except (RuntimeError, OSError):  # no home directory; no working directory
        return None
    with suppress(OSError):
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
    return root if os.path.isdir(root) and os.access(root, os.R_OK | os.X_OK) else None


class Store:
    """Bytes by key in the folder `kernels` under a root, or nowhere where the root is None.

    Any number of stores, threads and processes may share a root. No method raises an OSError.
    """

    def __init__(self, root: Path | None):
        self._root = root
        self._folder = root / FOLDER if root is not None else None
        self._failure = ""
        self._unsaid = {"untrusted", "not kept", "clean"}

    @property
    def kept(self) -> str:
        """Where things are kept ("in /x/kernels"), or why they aren't ("nowhere: /x is read-only"), as far as is known now.

        What is there may be used all the same: a read-only folder is read.
        """
        if self._folder is None:
            return "nowhere: no folder can be used (see MAHJONG_ENV_CACHE)"
        why = self._failure or _obstacle(self._folder)
        return f"nowhere: {why}" if why else f"in {self._folder}"

    def get(self, key: str) -> bytes | None:
        """What was put under the key, or None where that is absent, damaged, unreadable, or not to be trusted."""
        path = self._path(key)
        if path is None:
            return None
        try:
            _trust(os.stat(path.parent), path.parent)
            data = _read(path, key)
        except _UntrustedError as error:
            if self._first("untrusted"):
                _say(f"mahjong-env: machine code isn't read: {error}")
            return None
        except _DamagedError:
            _remove(path)
            return None
        except OSError:
            return None
        _mark_used(path)
        return data

    def put(self, key: str, data: bytes) -> None:
        """Keep the data, in place of what was kept under the key; where that fails, say so the first time."""
        path = self._path(key)
        if path is None:
            return
        try:
            self._make_folder()
            if self._first("clean"):
                _clean_daily(path.parent)  # first, since the disk may be full of what it removes
            _write(path, key, data)
            self._failure = ""
        except (OSError, _UntrustedError) as error:
            self._failure = _reason(error, path.parent)
            if self._first("not kept"):
                _say(f"mahjong-env: machine code can't be kept: {self._failure}")

    @contextmanager
    def lock(self, name: str, waiting: str) -> Iterator[None]:
        """Let one thread of one process at a time in, by name; print `waiting` on stderr if this one has to wait.

        It saves work and protects nothing: processes aren't kept apart where files can't be locked (read-only folders,
        some network disks), nor from a process that holds the lock for more than ten minutes. Who has waited looks again
        for what the other has left, by `get`. Don't take a lock twice in a thread, nor two locks in changing order.
        A process that ends releases its locks; Ctrl-C ends the wait.
        """
        file_name = hashlib.sha256(name.encode()).hexdigest()[:32] + ".lock"
        threads = _thread_lock(self._folder, file_name)
        patience = _Patience(waiting)
        while not threads.acquire(blocking=False):
            patience.wait()
        try:
            file = self._lock_file(file_name, patience)
            try:
                yield
            finally:
                if file is not None:
                    with suppress(OSError):
                        os.close(file)  # releases it
        finally:
            threads.release()

    def clear(self) -> int:
        """Remove everything that is kept; returns how many bytes that were."""
        freed = 0
        if self._folder is None:
            return freed
        with suppress(OSError, _UntrustedError):
            _trust(os.stat(self._folder), self._folder)
            for path, found in _files(self._folder, ENTRY, until=float("inf")):
                freed += found.st_size if _unlink(path) else 0
            _remove_stale(self._folder, TEMPORARY, TEMPORARY_AGE, until=float("inf"))
        return freed

    def _path(self, key: str) -> Path | None:
        if not KEY.fullmatch(key):
            raise ValueError(f"not a hex digest: {key!r}")
        return self._folder / f"{key}.kernel" if self._folder is not None else None

    def _first(self, what: str) -> bool:
        """True once for each of the things that a store says or does once, whatever the number of threads."""
        try:
            self._unsaid.remove(what)
        except KeyError:
            return False
        return True

    def _make_folder(self) -> None:
        # At every write: the folder may have been removed since the last one.
        assert self._root is not None and self._folder is not None
        self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder.mkdir(mode=0o700, exist_ok=True)
        _trust(os.stat(self._folder), self._folder)

    def _lock_file(self, file_name: str, patience: "_Patience") -> int | None:
        """An open file that holds the lock until it is closed, or None where the caller must do without."""
        if self._folder is None:
            return None
        path = self._folder / file_name
        try:
            while True:
                self._make_folder()
                file = _try_lock(path)
                if file is not None:
                    _mark_used(path)
                    return file
                if not patience.wait():
                    _say(f"mahjong-env: {path} has been locked for long by another process: going on without it")
                    return None
        except (OSError, _UntrustedError):
            return None


class _Patience:
    """Waits a little at a time, so that Ctrl-C gets through on every system, and says so the first time."""

    def __init__(self, waiting: str):
        self._waiting = waiting
        self._until: float | None = None

    def wait(self) -> bool:
        """Wait a little; False when that has been long enough."""
        if self._until is None:
            self._until = time.monotonic() + LOCK_SECONDS
            _say(self._waiting)
        time.sleep(POLL_SECONDS)
        return time.monotonic() < self._until


def _say(line: str) -> None:
    if sys.stderr is not None:  # a program without a console
        with suppress(OSError, ValueError):  # a closed one
            sys.stderr.write(line + "\n")
            sys.stderr.flush()


# Reading and writing


def _trust(found: os.stat_result, path: Path) -> None:
    """Raise where someone other than this user and root can have written what is there."""
    if sys.platform == "win32":
        return
    if found.st_uid not in (0, os.geteuid()):
        raise _UntrustedError(f"{path} belongs to another user (uid {found.st_uid})")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise _UntrustedError(f"{path} can be written to by others")


def _read(path: Path, key: str) -> bytes:
    file = os.open(path, _READ)
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise _DamagedError
        _trust(found, path)
        with open(file, "rb", closefd=False) as stream:
            header = stream.read(HEADER.size)
            # Compared before the data is read: a file that was swollen by an accident needn't fit into memory.
            if len(header) < HEADER.size or HEADER.unpack(header)[1] != found.st_size - HEADER.size:
                raise _DamagedError
            data = stream.read()
    finally:
        os.close(file)
    if header != _header(key, data):
        raise _DamagedError
    return data


def _header(key: str, data: bytes) -> bytes:
    # With the key, so that a file copied over another one isn't taken for it.
    digest = hashlib.sha256(key.encode() + b"\0")
    digest.update(data)
    return HEADER.pack(MAGIC, len(data), digest.digest())


def _write(path: Path, key: str, data: bytes) -> None:
    """Write a file at once: whoever looks meanwhile finds the one before or none.

    It isn't forced to the disk, which would take longer than it is worth: what a power failure damages, `_read` notices.
    """
    temporary = path.with_name(f"{path.stem}.{secrets.token_hex(8)}.tmp")
    file = os.open(temporary, _CREATE, 0o600)
    try:
        try:
            for part in (_header(key, data), data):
                _write_all(file, part)
        finally:
            os.close(file)
        if _is_folder(path):
            _remove(path)
        _replace(temporary, path)
    finally:
        _unlink(temporary)


def _write_all(file: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]


def _replace(temporary: Path, path: Path) -> None:
    try:
        os.replace(temporary, path)
    except PermissionError:
        # Windows replaces no file that another process is reading; what that one finds in it is as good.
        if sys.platform != "win32" or not path.is_file():
            raise


def _mark_used(path: Path) -> None:
    # Once a day is enough to know what is old, and spares network disks.
    with suppress(OSError):
        if abs(time.time() - os.stat(path).st_mtime) > DAY:
            os.utime(path)


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def _remove(path: Path) -> None:
    if _is_folder(path):
        shutil.rmtree(path, ignore_errors=True)
    else:
        _unlink(path)


def _unlink(path: Path) -> bool:
    with suppress(OSError):
        os.unlink(path)
        return True
    return False


def _obstacle(folder: Path) -> str:
    """Why nothing can be written to a folder that may have yet to be made, as far as can be seen without trying, or ""."""
    nearest = next((path for path in (folder, *folder.parents) if os.path.lexists(path)), folder)
    if not os.path.isdir(nearest):
        return f"{nearest} isn't a folder"
    try:
        if nearest == folder:
            _trust(os.stat(folder), folder)
    except (OSError, _UntrustedError) as error:
        return _reason(error, folder)
    return "" if os.access(nearest, os.W_OK | os.X_OK) else f"{nearest} is read-only"


def _reason(error: Exception, folder: Path) -> str:
    if not isinstance(error, OSError):
        return str(error)
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        return f"no space left for {folder}"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return _obstacle(folder) or f"{folder} is read-only"
    if error.errno in (errno.EEXIST, errno.ENOTDIR):
        return _obstacle(folder) or f"{folder} isn't a folder"
    return f"{error.strerror or error} ({folder})"


# Locks

_thread_locks: dict[str, threading.Lock] = {}
if hasattr(os, "register_at_fork"):
    # The threads that hold them don't exist in the child.
    os.register_at_fork(after_in_child=_thread_locks.clear)


def _thread_lock(folder: Path | None, file_name: str) -> threading.Lock:
    """The lock among the threads of this process, the same for all stores of a folder.

    It also sees to it that a process opens the file of a lock once at a time: POSIX forgets a process's lock as soon as
    that process closes the file, through whichever descriptor.
    """
    place = os.path.realpath(folder) if folder is not None else ""
    return _thread_locks.setdefault(os.path.join(place, file_name), threading.Lock())


def _try_lock(path: Path) -> int | None:
    """An open file that holds the lock until it is closed, or None where another process holds it.

    Raises OSError where files can't be locked.
    """
    file = os.open(path, _OPEN_LOCK, 0o600)
    try:
        # A file that was removed between the two calls keeps nobody out who comes later.
        if _lock_now(file) and os.path.samestat(os.fstat(file), os.stat(path)):
            return file
    except BaseException:
        os.close(file)
        raise
    os.close(file)
    return None


def _lock_now(file: int) -> bool:
    """Lock an open file; False where another process has locked it."""
    try:
        if sys.platform == "win32":
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        elif fcntl is None:
            raise OSError(errno.ENOLCK, "no locks on this system")
        else:
            # Not flock: children made by fork inherit its locks, and would hold them after their parent has died.
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN):
            return False
        raise
    return True


# Cleaning. Names are matched in full, and whatever has another one stays.


def _clean_daily(folder: Path) -> None:
    """Remove what is old from the folder and what earlier versions left beside it, unless that was done today."""
    with suppress(OSError):
        if _cleaned_today(folder / STAMP):
            return
        until = time.monotonic() + CLEANING_SECONDS
        _remove_stale(folder, TEMPORARY, TEMPORARY_AGE, until)
        _remove_stale(folder, ENTRY, ENTRY_AGE, until)
        _remove_oldest(folder, until)
        _remove_old_locks(folder, until)
        _remove_old_folders(folder.parent, until)


def _cleaned_today(stamp: Path) -> bool:
    """Whether the stamp is of today; it is from now on, so that other processes don't begin as well."""
    with suppress(FileNotFoundError):
        if abs(time.time() - os.stat(stamp).st_mtime) < DAY:
            return True
    os.close(os.open(stamp, os.O_WRONLY | os.O_CREAT | _PLAIN, 0o600))
    os.utime(stamp)
    return False


def _files(folder: Path, names: re.Pattern[str], until: float) -> Iterator[tuple[Path, os.stat_result]]:
    """The regular files of such a name, as many as are found in time."""
    with os.scandir(folder) as items:
        for item in items:
            if time.monotonic() > until:
                return
            with suppress(OSError):  # another process cleans too
                if names.fullmatch(item.name) and item.is_file(follow_symlinks=False):
                    yield Path(item.path), item.stat(follow_symlinks=False)


def _stale(folder: Path, names: re.Pattern[str], age: float, until: float) -> Iterator[Path]:
    return (path for path, found in _files(folder, names, until) if time.time() - found.st_mtime > age)


def _remove_stale(folder: Path, names: re.Pattern[str], age: float, until: float) -> None:
    for path in _stale(folder, names, age, until):
        _unlink(path)


def _remove_oldest(folder: Path, until: float) -> None:
    entries = sorted((found.st_mtime, found.st_size, path) for path, found in _files(folder, ENTRY, until))
    excess = sum(size for _, size, _ in entries) - MOST_BYTES
    for _, size, path in entries:
        if excess <= 0 or time.monotonic() > until:
            return
        excess -= size if _unlink(path) else 0


def _remove_old_locks(folder: Path, until: float) -> None:
    for path in _stale(folder, LOCK, ENTRY_AGE, until):
        threads = _thread_lock(folder, path.name)
        if threads.acquire(blocking=False):
            try:
                _remove_free_lock(path)
            finally:
                threads.release()


def _remove_free_lock(path: Path) -> None:
    with suppress(OSError):
        file = _try_lock(path)
        if file is not None:
            _unlink(path)
            os.close(file)


def _remove_old_folders(root: Path, until: float) -> None:
    """Earlier versions kept the files of Numba in folders named by the digest of the kernels' source."""
    with os.scandir(root) as items:
        for item in items:
            if time.monotonic() > until:
                return
            with suppress(OSError):
                if OLD_FOLDER.fullmatch(item.name) and item.is_dir(follow_symlinks=False) and _is_ours(item):
                    _remove_old_folder(Path(item.path), until)


def _is_ours(item: "os.DirEntry[str]") -> bool:
    # The root may be a folder that many users write to.
    return sys.platform == "win32" or item.stat(follow_symlinks=False).st_uid == os.geteuid()


def _remove_old_folder(folder: Path, until: float) -> None:
    """Remove the folder, unless any of it was used lately (an earlier version may be in use) or isn't Numba's."""
    files: list[str] = []
    folders = [str(folder)]
    for place in folders:  # grows meanwhile
        with os.scandir(place) as items:
            for item in items:
                if item.is_dir(follow_symlinks=False):
                    folders.append(item.path)
                elif NUMBA_FILE.fullmatch(item.name) and item.is_file(follow_symlinks=False) and _is_long_unused(item):
                    files.append(item.path)
                else:
                    return
    if not files and time.time() - os.stat(folder).st_mtime < OLD_FOLDER_AGE:
        return
    for path in files:
        if time.monotonic() > until:
            return  # the rest goes another day; Numba compiles what it finds no file of
        os.unlink(path)
    for place in reversed(folders):
        os.rmdir(place)


def _is_long_unused(item: "os.DirEntry[str]") -> bool:
    found = item.stat(follow_symlinks=False)
    return time.time() - max(found.st_mtime, found.st_atime) > OLD_FOLDER_AGE  # Numba reads a file without marking it
