"""Writing is atomic: whoever is killed leaves the old set of files or the new one."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time

import pytest
from killcurve.tables import storage
from killcurve.tables.dataset import Dataset


def contents(folder):
    return {p.name: p.read_text() for p in folder.iterdir() if not p.name.startswith(".")}


def writers(text):
    return {name: (lambda path, t=text: path.write_text(t)) for name in ("a", "b", "c")}


def test_a_set_of_files_is_replaced(tmp_path):
    storage.replace_files(tmp_path, writers("old"))
    (tmp_path / "other").write_text("kept")
    storage.replace_files(tmp_path, writers("new"))
    assert contents(tmp_path) == {"a": "new", "b": "new", "c": "new", "other": "kept"}


@pytest.mark.parametrize("step", range(12))
def test_a_process_that_dies_at_any_step_leaves_one_whole_set(tmp_path, monkeypatch, step):
    """Die before the n-th change of the file system; then look as a reader does."""
    storage.replace_files(tmp_path, writers("old"))
    left = [step]

    def dying(make):
        def call(*args, **kwargs):
            if left[0] == 0:
                raise KeyboardInterrupt
            left[0] -= 1
            return make(*args, **kwargs)

        return call

    with monkeypatch.context() as patched:
        for name in ("replace", "unlink", "write_text", "write_bytes"):
            patched.setattr(f"pathlib.Path.{name}", dying(getattr(storage.Path, name)))
        with contextlib.suppress(KeyboardInterrupt):
            storage.replace_files(tmp_path, writers("new"))
    storage.finish(tmp_path)
    assert contents(tmp_path) in (dict.fromkeys("abc", "old"), dict.fromkeys("abc", "new"))


def test_a_killed_import_leaves_a_dataset_that_loads(tmp_path, dataset):
    dataset.save(tmp_path)
    code = (
        "import sys, killcurve; d = killcurve.load(sys.argv[1]); print('ready', flush=True)\n"
        "while True: d.save(sys.argv[1])"
    )
    for pause in (0.0, 0.02, 0.05):
        process = subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(pause)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        assert Dataset.load(tmp_path)["weapons"].equals(dataset["weapons"])
