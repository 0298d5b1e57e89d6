"""Threads that work together on the tables of a batch."""

import weakref
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any


class WorkerThreads:
    """The caller's thread and others that wait for work.

    (`concurrent.futures` does as much, but of the short time that a step of a batch takes it takes a good part to begin
    and end a task.)
    """

    def __init__(self, threads: int):
        self._jobs: SimpleQueue[Any] = SimpleQueue()
        self._others = threads - 1
        for _ in range(self._others):
            Thread(target=_serve, args=(self._jobs,), daemon=True).start()
        weakref.finalize(self, _dismiss, self._jobs, self._others)

    def run(self, task: Callable[[], None]) -> None:
        """Call `task()` on every thread, return when all of them have, and raise what one of them has raised."""
        done: SimpleQueue[BaseException | None] = SimpleQueue()
        for _ in range(self._others):
            self._jobs.put((task, done))
        try:
            task()
        finally:
            errors = [done.get() for _ in range(self._others)]
        for error in errors:
            if error is not None:
                raise error


def _serve(jobs: "SimpleQueue[Any]") -> None:
    while (job := jobs.get()) is not None:
        task, done = job
        try:
            task()
        except BaseException as error:  # the caller's thread raises it
            done.put(error)
        else:
            done.put(None)
        del job, task, done  # a thread that waits keeps no tables alive


def _dismiss(jobs: "SimpleQueue[Any]", threads: int) -> None:
    for _ in range(threads):
        jobs.put(None)
