"""Files that are no points lists: refused by name, with bounded memory, and nothing executed."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from killcurve.sources.points import read_points
from killcurve.sources.points.lists import read_manual
from killcurve.tables.dataset import DataError

from tests.sources.test_points import CHOIR, base

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{new}: &{new} [*{old},*{old},*{old},*{old},*{old},*{old},*{old},*{old},*{old}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
UNIT = "name: X\nunits:\n"


def written(folder: Path, content: bytes | str, name: str = "choir.yaml") -> Path:
    content = content.encode() if isinstance(content, str) else content
    (folder / name).write_bytes(content)
    return folder


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        (" \n\n", "is empty"),
        (b"\x89PNG\r\n\x1a\n\0\0", "binary"),
        (CHOIR.encode("utf-16"), "UTF-16"),
        ("name: Ch\u00f4re\n".encode("cp1252"), "not in UTF-8 .byte 0xf4 in line 1"),
        (b"PK\x03\x04 \xff\n", "not in UTF-8"),
        (CHOIR.rstrip(), "ends within a line"),
        ("just words\n", "holds no `name: value` lines"),
        ("- a\n- b\n", "holds no `name: value` lines"),
        ("name: X\n", "has no units"),
        ("units: []\nname: X\n", "has no units"),
        ("units: 3\nname: X\n", "has no units"),
        ("units:\n  - name: Y\n", "has no name"),
        (UNIT + "  - name: Y\n", r"units 1 \(Y\) has no pricing"),
        (UNIT + "  - Y\n", "units 1 is no group"),
        (UNIT + "  - name: Y\n    pricing:\n      - range: '[1,)'\n", "pricing 1 has no costs"),
        (CHOIR.replace("points: 80", "points: many"), "points is 'many'"),
        (CHOIR.replace("points: 80", "points: -1"), "points is -1"),
        (CHOIR.replace("points: 80", "points: yes"), "points is True"),
        (CHOIR.replace("points: 80", "points: .nan"), "points is nan"),
        (CHOIR.replace("points: 80", f"points: {10**30}"), "points is 1000"),
        (CHOIR.replace("points: 80", "points: " + "9" * 5000), "cannot be read"),
        (CHOIR.replace("2026-08-01", "2026-99-99"), "cannot be read"),
        (CHOIR.replace("dp: 2", "dp: two"), r"detachments 1 \(The Cantor'S Armoury\): dp is 'two'"),
        ("<html><body>404</body></html>\n", "no points file|no whole YAML|`name: value`"),
        ('{"units": [1]}\n', "has no name"),
        ("a: [b\n", "no whole YAML file .*line 2"),
        ("a: b\n<<<<<<< HEAD\n", "no whole YAML file"),
        ("\x01: 1\n", "no whole YAML file"),
        (BOMB, "line 1: anchors and aliases"),
        ("a: !!python/object/apply:os.system ['touch /tmp/owned']\n", "line 1: tags"),
        ("a: !thing b\n", "line 1: tags"),
        ("a: " + "[" * 500 + "]" * 500 + "\n", "20 deep"),
        ("a: " + "[" * 100_000 + "\n", "20 deep|nesting depth"),
    ],
)
def test_a_file_that_is_no_points_list_is_refused(tmp_path, content, words):
    with pytest.raises(DataError, match=words) as caught:
        read_points(written(tmp_path, content), base())
    assert "choir.yaml" in str(caught.value)


def test_a_file_that_is_cut_within_a_line_is_refused(tmp_path):
    for length in range(1, len(CHOIR), 7):
        if CHOIR[length - 1] != "\n":
            with pytest.raises(DataError, match=r"choir\.yaml"):
                read_manual(written(tmp_path, CHOIR[:length]))


def test_a_file_that_is_cut_at_a_line_is_refused_or_ends_with_a_price(tmp_path):
    lines = CHOIR.splitlines(keepends=True)
    whole = [unit.name for unit in read_manual(written(tmp_path, CHOIR)).lists[0].units]
    ends = set()
    for number in range(1, len(lines)):
        try:
            [army] = read_manual(written(tmp_path, "".join(lines[:number]))).lists
        except DataError:
            continue
        names = [unit.name for unit in army.units]
        assert names == whole[: len(names)]
        ends.add(lines[number - 1].split()[0])
    assert ends == {"-", "role:", "legends:", "attachTo:"}


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, len(CHOIR) - 1), st.binary(max_size=6))
def test_a_damaged_file_is_read_or_refused(tmp_path, place, damage):
    content = CHOIR.encode()
    try:
        read_manual(written(tmp_path, content[:place] + damage + content[place + 3 :]))
    except DataError as error:
        named = "choir.yaml" in str(error)
    else:
        named = True
    assert named


def test_a_folder_without_lists_is_refused(tmp_path):
    with pytest.raises(DataError, match="is no folder"):
        read_points(tmp_path / "nowhere", base())
    with pytest.raises(DataError, match=r"holds no \.yaml files"):
        read_points(tmp_path, base())
    written(tmp_path, "version: '1'\n", "meta.yaml")
    with pytest.raises(DataError, match="holds no points list"):
        read_points(tmp_path, base())


def test_what_is_no_ordinary_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    with pytest.raises(DataError, match=r"pipe\.yaml is no ordinary file"):
        read_points(tmp_path, base())
    (tmp_path / "pipe.yaml").unlink()
    (tmp_path / "gone.yaml").symlink_to(tmp_path / "nowhere")
    with pytest.raises(DataError, match=r"gone\.yaml cannot be read"):
        read_points(tmp_path, base())


def test_many_large_files_are_refused(tmp_path):
    for number in range(23):
        padded = CHOIR + "# " + "x" * 900_000 + "\n"
        written(tmp_path, padded, f"choir-{number:02}.yaml")
    with pytest.raises(DataError, match="more than 20 MB"):
        read_points(tmp_path, base())


def test_a_file_of_100_mb_is_refused_before_it_is_read(tmp_path):
    with (tmp_path / "large.yaml").open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(
        DataError, match=r"large\.yaml has 100 MB; points files of more than 1 MB are not read"
    ):
        read_points(tmp_path, base())


def test_the_most_hostile_file_of_the_largest_size_stays_small(tmp_path):
    written(tmp_path, "name: [" + "1," * 490_000 + "1]\n")
    program = (
        "import sys; from pathlib import Path\n"
        "from killcurve.sources.points.lists import read_manual\n"
        "try: read_manual(Path(sys.argv[1]))\n"
        "except ValueError as error: print(error)\n"
    )
    limit = 1_500_000_000

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    ran = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)],
        preexec_fn=limited,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "choir.yaml" in ran.stdout, ran.stderr[-500:]
