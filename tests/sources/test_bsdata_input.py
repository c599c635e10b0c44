"""Folders that are no catalogues: refused by name, and nothing is written."""

from __future__ import annotations

import json

import pytest
from killcurve.sources.bsdata import files, nodes
from killcurve.sources.importing import import_bsdata
from killcurve.tables.dataset import DataError

from tests.sources.test_bsdata import write

BOMB = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><catalogue id="1" name="&b;"/>'
OUTSIDE = b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><catalogue id="1" name="x"/>'

BAD = {
    "empty": (b" \n", "is empty"),
    "bomb": (BOMB, "declares a document type or entities"),
    "outside": (OUTSIDE, "declares a document type or entities"),
    "latin": ('<catalogue id="1" name="é"/>'.encode("latin-1"), "not in UTF-8"),
    "utf16": ('<catalogue id="1" name="x"/>'.encode("utf-16"), "UTF-16"),
    "page": (b"<html><body/></html>", "is no catalogue"),
    "deep": (b"<catalogue>" + b"<profiles>" * 5000, "is no whole XML file"),
    "text": (b"404: Not Found", "is no whole XML file"),
}


@pytest.mark.parametrize("bad", BAD)
def test_bad_xml(tmp_path, bad):
    content, words = BAD[bad]
    folder = write(tmp_path / "from", 10, "xml")
    (folder / "library.cat").write_bytes(content)
    refused(folder, tmp_path, "library.cat", words)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
@pytest.mark.parametrize(("edition", "form", "suffix"), [(10, "xml", "cat"), (11, "json", "json")])
def test_a_truncated_file(tmp_path, share, edition, form, suffix):
    folder = write(tmp_path / "from", edition, form)
    path = folder / f"library.{suffix}"
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    refused(folder, tmp_path, path.name, "is no whole")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[" * 200_000, ""),
        (b'{"catalogue": {"id": "x"}}', "is no catalogue"),
        (b"[1, 2]", "is no catalogue"),
    ],
)
def test_bad_json(tmp_path, content, words):
    folder = write(tmp_path / "from", 11, "json")
    (folder / "library.json").write_bytes(content)
    refused(folder, tmp_path, "library.json", words)


def test_deep_but_whole_json(tmp_path):
    node: dict[str, object] = {}
    for _ in range(150):
        node = {"selectionEntryGroups": [node]}
    folder = write(tmp_path / "from", 11, "json")
    content = json.dumps({"catalogue": {"id": "x", "name": "x", **node}})
    (folder / "library.json").write_text(content)
    refused(folder, tmp_path, "library.json", f"more than {nodes.DEEPEST} deep")


def test_too_large(tmp_path, monkeypatch):
    folder = write(tmp_path / "from", 10, "xml")
    monkeypatch.setattr(files, "MOST_BYTES", 1000)
    refused(folder, tmp_path, "army.cat", "MB")


def test_too_many_entries(tmp_path, monkeypatch):
    folder = write(tmp_path / "from", 10, "xml")
    monkeypatch.setattr(files, "MOST_NODES", 50)
    refused(folder, tmp_path, "library.cat", "more entries")


def test_links_that_lead_on_and_on(tmp_path):
    folder = write(tmp_path / "from", 11, "json")
    chain = [
        {
            "id": f"x{n}",
            "name": "x",
            "type": "upgrade",
            "entryLinks": [{"id": f"l{n}", "name": "x", "targetId": f"x{n + 1}"}],
        }
        for n in range(5000)
    ]
    root = {"id": "r", "name": "r", "targetId": "u"}
    unit = {"id": "u", "name": "u", "type": "unit", "entryLinks": chain[0]["entryLinks"]}
    content = {
        "id": "c",
        "name": "Xenos - X",
        "gameSystemId": "sys",
        "entryLinks": [root],
        "sharedSelectionEntries": [unit, *chain],
    }
    (folder / "x.json").write_text(json.dumps({"catalogue": content}))
    refused(folder, tmp_path, "", "lead on and on")


def test_folders(tmp_path):
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "empty", tmp_path, "empty", "holds no .cat")
    write(tmp_path / "both", 10, "xml")
    write(tmp_path / "both", 11, "json")
    refused(tmp_path / "both", tmp_path, "both", "two editions")


def refused(folder, tmp_path, name, words):
    with pytest.raises(DataError) as error:
        import_bsdata(folder, tmp_path / "into")
    assert name in str(error.value)
    assert words in str(error.value)
    assert not (tmp_path / "into").exists()
