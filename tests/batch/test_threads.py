"""Threads that work together: all take part, errors come back, none stays when the workers is gone."""

import gc
import threading
import time

import numpy as np
import pytest

import mahjong_env as mj
from mahjong_env.batch.tables import shares
from mahjong_env.batch.threads import WorkerThreads


def test_every_thread_calls_the_task_once() -> None:
    workers, together = WorkerThreads(3), threading.Barrier(3, timeout=10)
    for _ in range(20):
        workers.run(lambda: together.wait())  # returns only where three threads wait at the same time


def test_an_error_of_any_thread_is_raised_when_all_have_ended() -> None:
    workers, caller, ended = WorkerThreads(3), threading.get_ident(), []

    def fails_elsewhere() -> None:
        time.sleep(0.01)
        ended.append(threading.get_ident())
        if threading.get_ident() != caller:
            raise KeyError("lost")

    for _ in range(3):
        ended.clear()
        with pytest.raises(KeyError, match="lost"):
            workers.run(fails_elsewhere)
        assert len(ended) == 3
    with pytest.raises(ZeroDivisionError):
        workers.run(lambda: 1 // (threading.get_ident() != caller))
    workers.run(lambda: None)  # still at work


def test_no_thread_is_left_behind() -> None:
    before = set(threading.enumerate())
    batch = mj.Batch("sichuan", 8, threads=4)
    batch.reset()
    batch.step(batch.sample_legal())
    others = set(threading.enumerate()) - before
    assert len(others) == 3
    del batch
    gc.collect()
    for thread in others:
        thread.join(timeout=10)
        assert not thread.is_alive()


@pytest.mark.parametrize("tables", [1, 2, 13, 200, 4096, 5000])
@pytest.mark.parametrize("threads", [2, 3, 16])
def test_shares_are_all_tables_once_and_grow_smaller(tables: int, threads: int) -> None:
    found = shares(tables, threads)
    assert [start for start, _ in found] + [tables] == [0] + [stop for _, stop in found]
    sizes = [stop - start for start, stop in found]
    assert sizes[:-1] == sorted(sizes[:-1], reverse=True) and min(sizes) > 0
    assert len(found) >= min(tables, threads) and sizes[0] <= max(1, tables / threads)


def test_threads_share_out_the_tables_without_making_a_difference() -> None:
    alone, together = (mj.Batch("sichuan", 650, seed=4, threads=threads) for threads in (1, 2))
    for batch in (alone, together):
        batch.reset()
    for _ in range(15):
        np.testing.assert_array_equal(alone.sample_legal(), together.sample_legal())
        alone.step(alone.sample_legal())
        together.step(together.sample_legal())
        for name in ("to_act", "observations", "masks", "ended"):
            np.testing.assert_array_equal(getattr(alone, name), getattr(together, name))
