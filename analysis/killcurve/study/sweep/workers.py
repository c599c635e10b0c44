"""Who computes the parts of a sweep: processes of this machine, or a cluster.

A part is a function of the plan alone, so it does not matter who computes it, or how often it is
begun. What a lost worker had begun is done again by another one.
"""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from killcurve.engine.batch import Attacks
from killcurve.engine.pmf import FloatArray
from killcurve.study.sweep.parts import Part, computed
from killcurve.tables.dataset import DataError

if TYPE_CHECKING:
    from distributed import Client

Done = tuple[int, bytes]
"""The number of a part, and its bytes."""

MOST_LOSSES = 5
"""So often all local processes may be lost before the run is given up."""

AHEAD = 2
"""Parts given out for each worker at a time: more would only take memory."""

ONE_THREAD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS")


def computed_here(
    laws: Sequence[FloatArray], parts: Iterable[tuple[int, Part]], workers: int
) -> Iterator[Done]:
    """Compute parts by processes of this machine, each with one thread; they come as they end.

    Raises:
        DataError: if the processes are lost again and again.
    """
    left = dict(parts)
    for _ in range(MOST_LOSSES):
        try:
            with _one_thread_each(), _pool(laws, workers) as pool:
                yield from _from_pool(pool, left, workers)
            return
        except BrokenProcessPool:
            continue
    raise DataError(
        f"worker processes were ended {MOST_LOSSES} times (out of memory?): take fewer with "
        "--workers; the parts that are done are kept"
    )


def _pool(laws: Sequence[FloatArray], workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_receive, initargs=(list(laws),)
    )


def _from_pool(pool: ProcessPoolExecutor, left: dict[int, Part], workers: int) -> Iterator[Done]:
    """Take parts that are left out of ``left`` as they are done."""
    waiting = iter(list(left))
    running: dict[Future[bytes], int] = {}
    try:
        while True:
            while len(running) < AHEAD * workers and (number := next(waiting, None)) is not None:
                running[pool.submit(_compute, left[number])] = number
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                content = future.result()
                number = running.pop(future)
                del left[number]
                yield number, content
    except GeneratorExit:
        pool.shutdown(wait=False, cancel_futures=True)
        raise


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes started within compute with one thread: sums are made in one order everywhere."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


_attacks: list[Attacks] = []
"""The attack halves of this worker's sweep."""


def _receive(laws: list[FloatArray]) -> None:
    """Make a worker ready; it ends with whoever started it."""
    _attacks[:] = [Attacks(laws)]
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)


def _compute(part: Part) -> bytes:
    return computed(_attacks[0], part)


def computed_on(
    address: str, laws: Sequence[FloatArray], parts: Iterable[tuple[int, Part]], plan: str
) -> Iterator[Done]:
    """Compute parts on the workers of a ``dask.distributed`` scheduler at that address.

    ``plan`` is the plan's hash: it names the tasks.

    Raises:
        DataError: if ``distributed`` is not installed, nobody answers, or workers are lost again
            and again.
    """
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise DataError(
            "a cluster needs dask.distributed: pip install 'killcurve[cluster]'"
        ) from None
    try:
        client = Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError) as error:
        raise DataError(f"no scheduler answers at {address!r}: {error}") from None
    with client:
        try:
            yield from _from_cluster(client, laws, parts, plan)
        except KilledWorker as error:
            raise DataError(
                f"the cluster lost several workers ({error}); the parts that are done are kept"
            ) from None


CONNECTING = 10
"""Seconds in which a scheduler has to answer."""


def _from_cluster(
    client: Client, laws: Sequence[FloatArray], parts: Iterable[tuple[int, Part]], plan: str
) -> Iterator[Done]:
    """Parts as they are done; a scheduler gives what a lost worker had to another one."""
    # The halves are sent as the argument of a task, so that they can be had again.
    attacks = client.submit(
        _unpacked, pickle.dumps(list(laws)), key=f"killcurve-halves-{plan}", pure=True
    )
    waiting = iter(list(parts))
    running: dict[str, int] = {}
    done: SimpleQueue[Any] = SimpleQueue()

    def give() -> None:
        given = next(waiting, None)
        if given is not None:
            number, part = given
            key = f"killcurve-part-{plan}-{number}"
            running[key] = number
            client.submit(_computed, attacks, part, key=key, pure=True).add_done_callback(done.put)

    for _ in range(AHEAD * max(1, len(client.scheduler_info()["workers"]))):
        give()
    while running:
        future = done.get()
        content = future.result()
        number = running.pop(future.key)
        future.release()
        give()
        yield number, content


def _unpacked(laws: bytes) -> list[FloatArray]:
    return list(pickle.loads(laws))  # noqa: S301 - made above


def _computed(laws: list[FloatArray], part: Part) -> bytes:
    return computed(_remembered(laws), part)


def _remembered(laws: list[FloatArray]) -> Attacks:
    """The attack halves, grouped once for all parts of a worker."""
    with _grouping:
        if not _grouped or _grouped[0] is not laws:
            _grouped[:] = [laws, Attacks(laws)]
        return _grouped[1]


_grouped: list[Any] = []
_grouping = threading.Lock()
