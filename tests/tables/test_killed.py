"""A process that is killed at any moment of an import leaves the old dataset or the new one."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time

import pytest
from killcurve.sources.importing import _put
from killcurve.tables.collection import Collection
from killcurve.tables.dataset import Dataset
from killcurve.tables.schemas import SCHEMAS

from tests.conftest import ROOT
from tests.tables.changing import MODEL, made

KILLS = 40
LONGEST = 8.0
"""Seconds after which no more are killed."""

PROCESS = """
import os, sys, time, signal
from pathlib import Path
from killcurve.sources.importing import _put
from tests.tables.test_killed import readings
folder = Path(sys.argv[1])
for number, line in enumerate(sys.stdin):
    told, tell = os.pipe()
    child = os.fork()
    if not child:
        both = readings()
        os.write(tell, b"x")
        while True:
            for one in both[:: 1 if number % 2 else -1]:
                _put(one, (), folder, whole=True)
    os.read(told, 1)
    time.sleep(float(line))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(told), os.close(tell)
    print("killed", flush=True)
"""
"""Imports two readings of a source in turns, in children that it kills after so many seconds."""


def readings() -> list[Dataset]:
    """A source as it was read twice: of all its values both or none are used."""
    return [
        made(
            "bsdata", "2",
            models=[{**MODEL, "model": f"Digger {i}", "toughness": t, "wounds": t} for i in range(50)],
        )
        for t in (5, 6)
    ]  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the test forks")
def test_a_killed_import_leaves_the_old_dataset_or_the_new_one(tmp_path):
    folder = tmp_path / "kept"
    _put(made(), (), folder, whole=True)
    wanted = []
    started = time.perf_counter()
    for one in readings():
        _put(one, (), folder, whole=True, prefer=["bsdata"])
        wanted.append(Dataset.load(folder))
    once = (time.perf_counter() - started) / 2
    chance = random.Random(5)
    seen = set()
    with subprocess.Popen(
        [sys.executable, "-c", PROCESS, str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:  # fmt: skip
        for _ in range(KILLS):
            print(chance.uniform(0.0, 3 * once), file=process.stdin, flush=True)
            assert process.stdout.readline() == "killed\n"
            found = Dataset.load(folder)
            toughness = found.models["toughness"][0]
            same = wanted[toughness - 5]
            assert all(found[table].equals(same[table]) for table in SCHEMAS)
            assert found.about == same.about
            layers = Collection.load(folder).layers
            assert [layer.name for layer in layers] == ["bsdata-11e", "wh40kdc-11e"]
            assert layers[0].dataset.models["wounds"].unique().to_list() == [toughness]
            seen.add(toughness)
            if time.perf_counter() - started > LONGEST and len(seen) == 2:
                break
        process.stdin.close()
    assert seen == {5, 6}
    _put(readings()[0], (), folder, whole=True)
    assert len(list(folder.glob("tables-*"))) == 1
    assert len(list((folder / "layers").glob("bsdata-*"))) == 1
