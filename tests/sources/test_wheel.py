"""Another version of the embedded dataset from a wheel file; hostile archives are refused."""

from __future__ import annotations

import json
import struct
import zipfile
from importlib import resources

import pytest
from killcurve.sources import wheel as room
from killcurve.sources.importing import import_community
from killcurve.sources.wheel import BUNDLE, read_wheel
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.difference import difference

METADATA = "wh40kdc-9.8.7.dist-info/METADATA"
TOLD = "Metadata-Version: 2.4\nName: wh40kdc\nVersion: 9.8.7\n\nAbout it.\n"
KEYS = (
    "units", "target_profiles", "weapons", "factions", "abilities", "detachments", "stratagems",
    "enhancements", "unit_compositions", "wargear_options",
)  # fmt: skip
UNIT = {
    "id": "digger", "faction_id": "moles", "name": "Digger", "keywords": ["Beast"],
    "faction_keywords": ["Moles"], "points": [{"models": 5, "cost": 80}], "weapon_ids": [],
    "profiles": [
        {"name": "Digger", "M": 5, "T": 4, "Sv": 3, "W": 2, "Ld": 6, "OC": 2, "invuln_sv": None}
    ],
}  # fmt: skip
DATA = {
    **{key: [] for key in KEYS},
    "factions": [{"id": "moles", "name": "Moles"}],
    "units": [UNIT],
    "game_versions": [{"effective_date": "2026-05-05"}],
}


def wheel(folder, data=DATA, metadata=TOLD, compression=zipfile.ZIP_DEFLATED, **more):
    path = folder / "wh40kdc-9.8.7-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", compression) as archive:
        if data is not None:
            archive.writestr(BUNDLE, data if isinstance(data, (str, bytes)) else json.dumps(data))
        if metadata is not None:
            archive.writestr(METADATA, metadata)
        for name, content in more.items():
            archive.writestr(name, content)
    return path


def test_it_becomes_a_dataset(tmp_path):
    made = read_wheel(wheel(tmp_path))
    assert (made.about.source, made.about.version, made.about.date) == (
        "wh40kdc", "9.8.7", "2026-05-05",
    )  # fmt: skip
    assert made.points.select("faction", "datasheet", "models", "cost").rows() == [
        ("Moles", "Digger", 5, 80)
    ]
    assert made.models["toughness"].to_list() == [4]


def test_into_a_folder(tmp_path):
    result = import_community(wheel(tmp_path), tmp_path / "mine")
    assert result.counts()["points"] == {"read": 1, "kept": 1, "set_aside": 0}
    assert Dataset.load(tmp_path / "mine").points["version"].to_list() == ["9.8.7"]


def test_the_embedded_version_as_a_wheel_is_the_embedded_default(dataset, tmp_path):
    bundle = resources.files("wh40kdc").joinpath("_bundle.json").read_bytes()
    told = TOLD.replace("9.8.7", dataset.about.version)
    made = read_wheel(wheel(tmp_path, bundle, told))
    assert made.about == dataset.about
    assert difference(dataset, made).is_empty()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"data": None}, "is no wheel of wh40kdc: download it with `pip download"),
        ({"metadata": None}, "is no wheel of wh40kdc"),
        ({"metadata": TOLD.replace("wh40kdc", "other")}, "is no wheel of wh40kdc"),
        ({"metadata": "Name: wh40kdc\n"}, "is no wheel of wh40kdc"),
        ({"data": "{"}, "is no whole JSON file"),
        ({"data": "[" * 100_000}, "is no whole JSON file"),
        ({"data": b"\xff\xfe\x00"}, "is no whole JSON file"),
        ({"data": "[]"}, "holds no records"),
        ({"data": {}}, "has another form than expected"),
        ({"data": {**DATA, "units": [{}]}}, "has another form than expected"),
        ({"data": {**DATA, "game_versions": []}}, "holds data of another form"),
        ({"data": {**DATA, "units": 3}}, "has another form than expected"),
        ({"compression": zipfile.ZIP_LZMA}, "is packed as no wheel is"),
    ],
)
def test_other_archives(tmp_path, change, message):
    with pytest.raises(DataError, match=message):
        import_community(wheel(tmp_path, **change), tmp_path / "mine")
    assert not (tmp_path / "mine").exists()


def test_files_that_are_no_archives(tmp_path):
    path = tmp_path / "x.whl"
    for content in (b"", b"PK\x03\x04", b"hello" * 100):
        path.write_bytes(content)
        with pytest.raises(DataError, match=r"x\.whl is no whole wheel file"):
            read_wheel(path)
    with pytest.raises(DataError, match=r"is no file: name the \.whl file"):
        read_wheel(tmp_path)
    with pytest.raises(DataError, match="cannot be read: No such file"):
        read_wheel(tmp_path / "none.whl")


def test_damaged_and_truncated_archives(tmp_path):
    path = wheel(tmp_path)
    whole = path.read_bytes()
    for damaged in (whole[:-30], whole[:50] + b"\0" * 40 + whole[90:]):
        path.write_bytes(damaged)
        with pytest.raises(DataError, match="is no whole wheel file"):
            read_wheel(path)


def test_bombs(tmp_path, monkeypatch):
    bomb = wheel(tmp_path, b" " * (room.MOST_OF_BUNDLE + 10))
    assert bomb.stat().st_size < 100_000
    with pytest.raises(DataError, match="has more than 40 MB"):
        read_wheel(bomb)
    lying = bytearray(bomb.read_bytes())
    entry = lying.index(b"PK\x01\x02")
    struct.pack_into("<I", lying, entry + 24, 100)  # it says it unpacks to 100 bytes
    bomb.write_bytes(lying)
    with pytest.raises(DataError, match=r"is no whole (wheel|JSON) file"):
        read_wheel(bomb)
    monkeypatch.setattr(room, "MOST_FILES", 1)
    with pytest.raises(DataError, match="holds 2 files"):
        read_wheel(wheel(tmp_path))
    monkeypatch.setattr(room, "MOST_OF_WHEEL", 100)
    with pytest.raises(DataError, match="has 0 MB, a wheel of wh40kdc at most"):
        read_wheel(wheel(tmp_path))


def test_names_that_lead_out_of_the_archive_are_not_followed(tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    evil = {"../../out.txt": "x", "/tmp/killcurve-out.txt": "x"}
    assert read_wheel(wheel(inner, **evil)).points.height == 1
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == [
        "wh40kdc-9.8.7-py3-none-any.whl"
    ]
