"""Files that are no army lists: refused by name, with bounded memory, and nothing written."""

from __future__ import annotations

import base64
import gzip
import io
import json
import os
import resource
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from killcurve.sources.rosters import read_rosters
from killcurve.sources.rosters.opening import MOST_BYTES, MOST_TEXT
from killcurve.tables.dataset import DataError

from tests.sources import invented_lists as lists

HOST = lists.host()
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE roster [<!ENTITY a "aaaaaaaaaa">'
    + "".join(
        f'<!ENTITY {n} "{f"&{o};" * 10}">' for o, n in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]><roster><forces/><costs>&i;</costs></roster>"
)
OUTSIDE = (
    '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><roster name="&x;"><forces/></roster>'
)
RECIPE = "Soup (20 points)\n\n• 2x Onion\n\nBread (5 points)\n"


def read(folder: Path, content: bytes | str, name: str = "army.txt"):
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_rosters([path], HOST)


def read_or_refused(folder: Path, content: bytes | str) -> bool:
    """Whether a list was read, or refused in one line with its name."""
    try:
        made, _ = read(folder, content)
    except DataError as error:
        said = str(error)
        return "army.txt" in said and "\n" not in said
    return made["rosters"].height == 1 and made["roster_units"].height >= 1


def archive(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as file:
        for name, content in members:
            file.writestr(name, content)
    return held.getvalue()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        (" \n\t\n", "is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(32)) * 20, "is a binary file"),
        (b"\0" * 500, "is a binary file"),
        (os.urandom(4096).replace(b"<", b"x").replace(b"{", b"x"), "is a binary file|no army list"),
        ("Dear Jo,\nsee you on Sunday.\n", "no line of it has a unit with its points"),
        (RECIPE, r"no line with points names a unit of it \(line 5: 'Bread'\)"),
        (lists.GW_11[:60], "no line of it has a unit with its points"),
        ("x\n" * 5_001, "has 5,001 lines"),
        ("<html><body>404</body></html>", "it holds 'html', not a 'roster'"),
        ("<roster><costs/></roster>", "is no roster"),
        ("<roster><forces/></roster>", "no line of it has a unit|no army list"),
        (lists.as_xml()[:900], "no whole XML file"),
        (BOMB, "declares a document type or entities"),
        (OUTSIDE, "declares a document type or entities"),
        ("<a>" * 100_000, "no whole XML file|too deep"),
        ("<roster><forces>" + "<force><forces>" * 100 + "</forces></force>" * 100
         + "</forces></roster>", "lists within lists"),
        (lists.as_json()[:900], "no whole JSON file"),
        ("{}", "is JSON without a roster"),
        ("[1, 2]", "is JSON without a roster"),
        ('{"roster": {"forces": 3}}', "is JSON without a roster"),
        ('{"roster": {"forces": []}}', "no line of it has a unit"),
        ('{"roster": {"forces": [' + '{"selections": [' * 100 + "]}" * 100 + "]}}",
         "lists within lists more than 60 deep"),
        ("[" * 200_000, "lists within lists too deep|no whole JSON"),
        ('{"a": ' + "9" * 5000 + "}", "no whole JSON file|is JSON without a roster"),
        (b"H4sI" + b"A" * 60, "no whole shared list"),
        (base64.b64encode(gzip.compress(b"{}", mtime=0))[:-8], "no whole shared list"),
        (base64.b64encode(gzip.compress(b" " * (MOST_BYTES + 9), mtime=0)), "no whole shared list"),
        (lists.zipped()[:-300], "no whole .rosz file"),
        (lists.zipped("../../army.ros"), "a name that leads out of it"),
        (lists.zipped("/etc/army.ros"), "a name that leads out of it"),
        (lists.zipped("C:\\army.ros"), "a name that leads out of it"),
        (lists.zipped("army.txt"), "holds no .ros files"),
        (archive(("a.ros", b"x"), ("b.ros", b"x")), "holds 2 .ros files"),
        (archive(*((f"{n}.txt", b"") for n in range(101))), "holds 101 files"),
        (archive(("a.ros", b"<roster>" + b" " * 3_000_000)), "unpacks to more than"),
        (archive(("a.ros", lists.as_xml().encode()), method=zipfile.ZIP_LZMA), "is packed as no"),
        (archive(("a.ros", BOMB.encode())), "declares a document type or entities"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_list_is_refused(tmp_path, content, words):
    with pytest.raises(DataError, match=words) as caught:
        read(tmp_path, content)
    said = str(caught.value)
    assert "army.txt" in said
    assert "\n" not in said


def test_an_archive_with_a_password_is_refused(tmp_path):
    content = bytearray(lists.zipped())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + place] |= 1
    with pytest.raises(DataError, match=r"no whole \.rosz file .*(password|encrypted)"):
        read(tmp_path, bytes(content), "army.rosz")


def test_what_is_no_ordinary_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(DataError, match=r"pipe\.txt is no ordinary file"):
        read_rosters([tmp_path / "pipe.txt"], HOST)
    with pytest.raises(DataError, match=r"gone\.txt cannot be read"):
        read_rosters([tmp_path / "gone.txt"], HOST)
    with pytest.raises(DataError, match="is no ordinary file"):
        read_rosters([tmp_path], HOST)


def test_two_files_of_one_name_are_refused(tmp_path):
    (tmp_path / "more").mkdir()
    for path in (tmp_path / "army.txt", tmp_path / "more" / "army.json"):
        path.write_text(lists.GW_11)
    with pytest.raises(DataError, match="would both be the roster 'army'"):
        read_rosters([tmp_path / "army.txt", tmp_path / "more" / "army.json"], HOST)


def test_a_list_that_is_cut_off_is_read_as_far_as_it_goes(tmp_path):
    lines = lists.GW_11.splitlines(keepends=True)
    whole = read(tmp_path, lists.GW_11)[0]["roster_units"]["datasheet"].to_list()
    counts = set()
    for number in range(12, len(lines)):
        made, _ = read(tmp_path, "".join(lines[:number]))
        found = made["roster_units"]["datasheet"].to_list()
        assert found == whole[: len(found)]
        assert made["rosters"]["points_printed"].to_list() == [640]
        counts.add(len(found))
    assert counts == {1, 2, 3, 4, 5}


def test_a_long_line_is_set_aside(tmp_path):
    text = lists.GW_11.replace("Ash Hounds (45", "x" * 5000 + " (45")
    made, _ = read(tmp_path, text)
    rows = made["roster_unplaced"].select("line", "reason").rows()
    assert rows[0] == (32, "longer than any line of a list")
    assert made["roster_units"].height == 4
    with pytest.raises(DataError, match="MB of text"):
        read(tmp_path, "x" * (MOST_TEXT + 1))


@pytest.mark.parametrize(
    "fill", ["(", "[1,", "9 ", "1x ", "•", "a (1", ": ", ", A", "and A ", "w/ "]
)
def test_hostile_lines_take_no_time(tmp_path, fill):
    """Reading a line takes no more than a small power of its length."""
    text = lists.GW_11 + f"\nEmber Oracle (70 points)\n  • {fill * (950 // len(fill))}\n" * 30
    made, _ = read(tmp_path, text)
    assert made["roster_units"].height >= 5


FORMS = {**lists.TEXTS, "JSON": lists.as_json(), "XML": lists.as_xml()}


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.sampled_from(sorted(FORMS)), st.integers(0, 10_000), st.binary(max_size=8))
def test_a_damaged_file_is_read_or_refused(tmp_path, form, place, damage):
    content = FORMS[form].encode()
    place %= len(content)
    assert read_or_refused(tmp_path, content[:place] + damage + content[place + 3 :])


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.sampled_from(lists.GW_11.splitlines() + lists.NR_TEXT.splitlines()), max_size=40)
)
def test_lines_in_any_order_are_read_or_refused(tmp_path, lines):
    assert read_or_refused(tmp_path, "\n".join(lines))


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["name", "type", "number", "selections", "costs", "value", "profiles",
                         "characteristics", "$text", "typeName", "categories", "group"]),
        inner, max_size=5,
    ),
    max_leaves=25,
)  # fmt: skip


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(JSONS)
def test_any_json_in_the_place_of_a_roster_is_read_or_refused(tmp_path, value):
    unit = {"name": "Storm Guards", "type": "unit", "selections": [value], "costs": value}
    held = {"roster": {"forces": [{"selections": [unit, value]}], "costs": value}}
    assert read_or_refused(tmp_path, json.dumps(held))


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.dictionaries(st.sampled_from(["rulebook", "snapshot", "source", "units", "diagnostics",
                                        "game_version", "history"]), JSONS))  # fmt: skip
def test_any_other_json_is_refused(tmp_path, held):
    with pytest.raises(DataError, match=r"army\.txt"):
        read(tmp_path, json.dumps(held))


def test_other_builders_files_are_read_by_the_library(tmp_path):
    asset = {"item": "Unit§Storm Guards", "quantity": 1, "stats": {"Points": {"value": 100}},
             "assets": {"included": [
                 {"item": "Model§Storm Guard", "quantity": 5, "assets": {"included": [
                     {"item": "Ranged Weapon§Storm gun", "quantity": 5}]}}]}}  # fmt: skip
    held = {"name": "x", "rulebook": {"name": "40k"}, "snapshot": {
        "item": "Roster§x", "assets": {"included": [asset], "traits": [
            {"item": "Faction§Ember Host"}, {"item": "Detachment§Ash and Iron"}]}}}  # fmt: skip
    made, _ = read(tmp_path, json.dumps(held))
    [unit] = made["roster_units"].rows(named=True)
    assert (unit["datasheet"], unit["models"], unit["points_printed"]) == ("Storm Guards", 5, 100)
    assert made["roster_weapons"].select("weapon_id", "count").rows() == [("storm-gun", 5)]
    assert made["rosters"]["form"].to_list() == ["Rosterizer JSON"]


MEASURE = """
import resource, sys
from pathlib import Path
from killcurve.sources.rosters.opening import open_list
from killcurve.tables.dataset import DataError
import killcurve.sources.rosters, lxml.etree
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    open_list(Path(sys.argv[1]))
except DataError as error:
    print(error)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.parametrize(
    ("name", "words"), [("huge.txt", "are not read"), ("bomb.rosz", "unpacks to more"),
                        ("share.txt", "too large a one"), ("dense.json", "")]
)  # fmt: skip
def test_memory_is_bounded(tmp_path, name, words):
    path = tmp_path / name
    if name == "huge.txt":
        with path.open("wb") as file:
            file.truncate(2 << 30)
    elif name == "bomb.rosz":
        path.write_bytes(archive(("a.ros", b"<roster>" + b" " * 60_000_000)))
    elif name == "share.txt":
        path.write_bytes(base64.b64encode(gzip.compress(b" " * 60_000_000)))
    else:
        path.write_text("[" + "{}," * ((MOST_BYTES - 9) // 3) + "{}]")
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, timeout=120,
        check=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30)),
    )  # fmt: skip
    *said, megabytes = done.stdout.split()
    assert words in " ".join(said)
    assert int(megabytes) < 400
