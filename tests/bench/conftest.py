"""Timings of one run, and the tables of their ratios that end it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from statistics import median
from time import perf_counter
from typing import Any

import pytest

from tests.bench.peers import PEERS
from tests.bench.tables import Timings

collect_ignore = [
    f"peers/{package}_model.py" for package in PEERS.values() if find_spec(package) is None
]

CALLS = 3
"""Calls of ours that are timed together beside one of a peer's."""

TIMINGS = pytest.StashKey[Timings]()


@pytest.fixture(scope="session")
def timings(pytestconfig: pytest.Config) -> Timings:
    """What was measured so far."""
    return pytestconfig.stash.setdefault(TIMINGS, Timings())


@pytest.fixture
def timed(benchmark: Any, timings: Timings) -> Callable[..., Any]:
    """Measure a call, and keep its median for the tables: ``timed(table, row, column, call)``.

    With ``before`` that is done, unmeasured, ahead of each of ``rounds`` calls; what it gives
    are the call's arguments. With ``beside`` another call is timed ahead of each, and the median
    of their ratios is kept, too: the machine may grow slower from one test to the next, but
    hardly between two calls.
    """

    def measure(
        table: str,
        row: str,
        column: str,
        call: Callable[..., Any],
        *args: Any,
        before: Callable[[], Any] | None = None,
        beside: Callable[[], Any] | None = None,
        rounds: int = 20,
    ) -> Any:
        benchmark.group = f"{table}, {row}"
        others: list[float] = []

        def setup() -> Any:
            if beside is not None:
                others.append(_time(beside))
            return before() if before is not None else None

        if before is None and beside is None:
            answer = benchmark(call, *args)
        else:
            answer = benchmark.pedantic(call, args=args, setup=setup, rounds=rounds)
        if benchmark.stats is not None:
            timings.keep(table, row, column, benchmark.stats["median"])
            own = benchmark.stats.stats.data
            if others:
                ratio = median(a / b for a, b in zip(own, others, strict=True))
                timings.keep_ratio(table, row, column, ratio)
        return answer

    return measure


def _time(call: Callable[[], Any]) -> float:
    """Seconds of one warm call."""
    call()
    start = perf_counter()
    for _ in range(CALLS):
        call()
    return (perf_counter() - start) / CALLS


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The tables, where anything was measured."""
    measured = config.stash.get(TIMINGS, None)
    for title, lines in _tables(measured) if measured else ():
        terminalreporter.section(title)
        for line in lines:
            terminalreporter.write_line(line)


def _tables(measured: Timings) -> Iterator[tuple[str, list[str]]]:
    from tests.bench import test_growth, test_many, test_peers, test_solve

    for module in (test_peers, test_growth, test_solve, test_many):
        if lines := module.table(measured):
            yield module.TITLE, lines
