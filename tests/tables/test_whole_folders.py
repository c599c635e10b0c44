"""Folders are whole or not there; one writer at a time; leftovers go."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time

import pytest
from killcurve.tables import whole_folders
from killcurve.tables.whole_folders import LOCK, UNFINISHED, only_writer, put, sweep


def writers(text):
    return {name: (lambda path, t=text: path.write_text(t)) for name in ("a", "raw/b")}


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_same_files_make_the_same_folder(tmp_path):
    first = put(tmp_path, "set", writers("one"))
    made = (tmp_path / first).stat().st_mtime_ns
    assert put(tmp_path, "set", writers("one")) == first
    assert (tmp_path / first).stat().st_mtime_ns == made
    other = put(tmp_path, "set", writers("two"))
    assert other != first
    assert names(tmp_path) == sorted([first, other])
    assert (tmp_path / other / "raw" / "b").read_text() == "two"


def test_a_folder_that_was_changed_is_made_anew(tmp_path):
    name = put(tmp_path, "set", writers("one"))
    (tmp_path / name / "a").write_text("spoilt")
    assert put(tmp_path, "set", writers("one")) == name
    assert (tmp_path / name / "a").read_text() == "one"


def test_a_writer_that_fails_leaves_nothing(tmp_path):
    def broken(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        put(tmp_path, "set", {**writers("one"), "c": broken})
    assert names(tmp_path) == []


def test_sweeping(tmp_path):
    for name in ("set-1", "set-2", "settle", "other-1", f"{UNFINISHED}new", f"{UNFINISHED}old"):
        (tmp_path / name).mkdir()
    (tmp_path / "set-3").write_text("a file")
    long_ago = time.time() - 2 * whole_folders.OLD
    os.utime(tmp_path / f"{UNFINISHED}old", (long_ago, long_ago))
    sweep(tmp_path, ["set-1"], "set")
    assert names(tmp_path) == sorted(["set-1", "set-3", "settle", "other-1", f"{UNFINISHED}new"])
    sweep(tmp_path / "nowhere", [])


def test_a_folder_made_for_nothing_is_removed(tmp_path):
    with pytest.raises(ValueError, match="no"), only_writer(tmp_path / "new"):
        raise ValueError("no")
    assert names(tmp_path) == []
    with only_writer(tmp_path / "kept"):
        (tmp_path / "kept" / "x").write_text("")
    assert names(tmp_path / "kept") == [LOCK, "x"]


@pytest.mark.skipif(sys.platform == "win32", reason="the test waits for a lock of POSIX")
def test_a_second_writer_waits_and_a_dead_one_does_not_count(tmp_path):
    code = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from killcurve.tables.whole_folders import only_writer\n"
        "with only_writer(Path(sys.argv[1])):\n"
        "    print('in', flush=True)\n"
        "    time.sleep(60)\n"
    )
    arguments = [sys.executable, "-c", code, str(tmp_path)]
    first = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    assert first.stdout.readline() == "in\n"
    second = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    assert select.select([second.stdout], [], [], 1.5)[0] == []
    first.kill()
    assert second.stdout.readline() == "in\n"
    second.kill()
    for process in (first, second):
        process.wait()
        process.stdout.close()
