"""Runs that are cut off, and workers that are lost: the same bytes in the end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest
from killcurve.study.sweep import workers as rooms
from killcurve.study.sweep.run import sweep
from killcurve.tables.dataset import DataError, Dataset

from tests.conftest import ROOT
from tests.study.sweeping import bytes_of, part_of

SIZE = {"limit": 12, "pairs_a_part": 500}
RUN = """
import sys
from killcurve.study.sweep.run import sweep
from killcurve.tables.dataset import Dataset

if __name__ == "__main__":
    sweep(Dataset.load(sys.argv[1]), sys.argv[2], limit=12, pairs_a_part=500, workers=2,
          progress=lambda done, of: print(done, of, flush=True))
"""


@pytest.fixture(scope="module")
def world(dataset, tmp_path_factory):
    folder = tmp_path_factory.mktemp("world")
    part_of(dataset, ("Necrons",)).save(folder)
    return folder


@pytest.fixture(scope="module")
def data(world):
    return Dataset.load(world)


@pytest.fixture(scope="module")
def whole(data, tmp_path_factory):
    """A run of one worker, not cut off."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    sweep(data, folder, **SIZE, workers=1)
    return bytes_of(folder)


def test_parts_are_many(whole):
    assert sum(name.startswith("results/") for name in whole) > 8
    assert "manifest.json" in whole


def test_workers_make_no_difference(data, whole, tmp_path):
    done = []
    swept = sweep(
        data, tmp_path / "out", **SIZE, workers=2, progress=lambda *told: done.append(told)
    )
    assert bytes_of(tmp_path / "out") == whole
    assert done[-1] == (swept.distinct, swept.distinct)
    assert [count for count, _ in done] == sorted({count for count, _ in done})


def test_a_killed_run_goes_on(data, world, whole, tmp_path):
    script, out = tmp_path / "run.py", tmp_path / "out"
    script.write_text(RUN)
    env = {**os.environ, "PYTHONPATH": str(ROOT / "analysis")}
    with subprocess.Popen(
        [sys.executable, str(script), str(world), str(out)],
        stdout=subprocess.PIPE,
        text=True,
        env=env,
    ) as run:
        for _ in range(3):
            assert run.stdout.readline()
        run.send_signal(signal.SIGKILL)
    there = {name for name in bytes_of(out) if name.startswith("results/part")}
    assert 3 <= len(there) < sum(name.startswith("results/") for name in whole)
    (out / "results" / f"part-00099.parquet.{run.pid}.new").write_bytes(b"cut off")
    written = {name: (out / name).stat().st_mtime_ns for name in there if not name.endswith(".new")}
    swept = sweep(data, out, **SIZE, workers=1)
    assert 0 < swept.computed < swept.distinct
    assert bytes_of(out) == whole
    assert {name: (out / name).stat().st_mtime_ns for name in written} == written
    assert sweep(data, out, **SIZE, workers=1).computed == 0


def test_workers_end_with_the_run(world, tmp_path):
    script = tmp_path / "run.py"
    script.write_text(RUN)
    env = {**os.environ, "PYTHONPATH": str(ROOT / "analysis")}
    with subprocess.Popen(
        [sys.executable, str(script), str(world), str(tmp_path / "out")],
        stdout=subprocess.PIPE, text=True, env=env, start_new_session=True,
    ) as run:  # fmt: skip
        assert run.stdout.readline()
        run.send_signal(signal.SIGKILL)
        run.wait()
        # The pipe is at its end once nobody holds it any more, workers included.
        assert run.stdout.read() is not None


def test_a_killed_worker_is_replaced(data, whole, tmp_path, monkeypatch):
    pools = []
    monkeypatch.setattr(rooms, "_pool", remembered(rooms._pool, pools))

    def kill_once(*_):
        if len(pools) == 1:
            next(iter(pools[0]._processes.values())).kill()

    sweep(data, tmp_path / "out", **SIZE, workers=2, progress=kill_once)
    assert len(pools) > 1
    assert bytes_of(tmp_path / "out") == whole


def test_workers_that_are_lost_again_and_again(monkeypatch):
    pools = []
    monkeypatch.setattr(rooms, "_pool", remembered(rooms._pool, pools))
    monkeypatch.setattr(rooms, "_compute", os._exit)
    monkeypatch.setattr(rooms, "MOST_LOSSES", 1)
    with pytest.raises(DataError, match="--workers"):
        list(rooms.computed_here([], [(0, 1)], 1))
    assert len(pools) == 1


def remembered(make, pools):
    def made(*args):
        pools.append(make(*args))
        return pools[-1]

    return made


@contextmanager
def two_workers():
    """A scheduler and two worker processes, each with one thread."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=":0",
        silence_logs=50,
        env={"PYTHONPATH": str(ROOT / "analysis")},
    ) as cluster:
        yield cluster


def test_a_cluster_makes_no_difference_even_when_it_loses_a_worker(data, whole, tmp_path):
    with two_workers() as cluster:
        lost = []

        def kill_once(*_):
            if not lost:
                lost.append(next(iter(cluster.workers.values())).pid)
                os.kill(lost[0], signal.SIGKILL)

        sweep(data, tmp_path / "out", **SIZE, cluster=cluster.scheduler_address, progress=kill_once)
    assert len(lost) == 1
    assert bytes_of(tmp_path / "out") == whole


def test_no_scheduler(data, tmp_path, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(rooms, "CONNECTING", 1)
    with pytest.raises(DataError, match="no scheduler answers"):
        sweep(data, tmp_path / "out", limit=1, cluster="tcp://127.0.0.1:9")


def test_without_the_extra(data, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(DataError, match=r"killcurve\[cluster\]"):
        sweep(data, tmp_path / "out", limit=1, cluster="tcp://127.0.0.1:9")


def test_the_verb(world, tmp_path):
    command = [sys.executable, "-c", "from killcurve.cli import run; run()", "sweep"]
    options = [
        "--data",
        str(world),
        "--out",
        str(tmp_path / "out"),
        "--limit",
        "2",
        "--workers",
        "1",
    ]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "analysis")}
    done = subprocess.run(
        [*command, *options, "--json"], capture_output=True, text=True, env=env, check=False
    )
    assert done.returncode == 0, done.stderr
    assert list(json.loads(done.stdout)) == [
        "combinations", "distinct", "seconds", "rate", "peak_rss_mb", "files",
    ]  # fmt: skip
    assert "distinct pairs" in done.stderr
    again = subprocess.run(
        [*command, *options], capture_output=True, text=True, env=env, check=False
    )
    assert again.returncode == 0
    assert "combinations" in again.stdout
    other = subprocess.run(
        [*command, *options, "--full"], capture_output=True, text=True, env=env, check=False
    )
    assert other.returncode == 1
    assert "holds another sweep" in other.stderr
