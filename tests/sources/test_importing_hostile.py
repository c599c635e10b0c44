"""Whatever is given to an import instead of its files: a clear refusal that names it, and no trace."""

from __future__ import annotations

import io
import os
import zipfile

import pytest
from killcurve.sources.importing import (
    import_bsdata,
    import_community,
    import_pages,
    import_points,
    import_wahapedia,
)
from killcurve.sources.wheel import BUNDLE
from killcurve.tables.collection import Collection
from killcurve.tables.dataset import DataError
from killcurve.tables.layers import split

from tests.sources.invented import NEW
from tests.sources.invented_export import export
from tests.sources.invented_export import write as write_export
from tests.sources.test_bsdata import write as write_catalogues
from tests.sources.test_points import CHOIR
from tests.sources.test_wheel import METADATA, wheel
from tests.tables.changing import contents, made

LARGE = 2_000_000_000


def page(folder):
    path = folder / "page.txt"
    path.write_text(NEW.text(), encoding="utf-8")
    return path, lambda into: import_pages([path], into)


def manual(folder):
    path = folder / "choir.yaml"
    path.write_text(CHOIR, encoding="utf-8")
    return path, lambda into: import_points(folder, into)


def exported(folder):
    write_export(folder, export())
    return folder / "Datasheets_wargear.csv", lambda into: import_wahapedia(folder, into)


def catalogue(folder):
    write_catalogues(folder, 10, "xml")
    return folder / "library.cat", lambda into: import_bsdata(folder, into)


def json_catalogue(folder):
    write_catalogues(folder, 11, "json")
    return folder / "library.json", lambda into: import_bsdata(folder, into)


def archive(folder):
    path = wheel(folder)
    return path, lambda into: import_community(path, into)


KINDS = (page, manual, exported, catalogue, json_catalogue, archive)


def zipped():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("../../outside.txt", "x")
        archive.writestr(BUNDLE, "{}")
        archive.writestr(METADATA, "Name: other\n")
    return content.getvalue()


CONTENTS = {
    "empty": lambda _: b"",
    "blank": lambda _: b" \n\n ",
    "half": lambda whole: whole[: len(whole) // 2 - 3],
    "most": lambda whole: whole[: int(len(whole) * 0.9)],
    "utf-16": lambda _: "name: Chöre".encode("utf-16"),
    "latin": lambda _: b"id|name|\r\n\xe2\xe4|Ch\xf6re|\r\nname: Ch\xf6re\n",
    "zip": lambda _: zipped(),
    "page of the web": lambda _: b"<!DOCTYPE html>\n<html><body>404: Not Found</body></html>\n",
    "entities": lambda _: b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><catalogue id="1" name="&b;"/>',
    "aliases": lambda _: b"a: &a [x, x]\nb: &b [*a, *a]\nname: *b\n",
    "deep": lambda _: b"[" * 100_000,
    "zeros": lambda _: bytes(5_000),
    "noise": lambda _: bytes(range(256)) * 40,
}  # fmt: skip


@pytest.fixture
def kept(tmp_path):
    """A folder with a dataset, and what it holds."""
    folder = tmp_path / "kept"
    Collection(tuple(split(made()))).save(folder)
    return folder, contents(folder)


def refused(import_it, kept, name):
    folder, before = kept
    with pytest.raises(DataError) as error:
        import_it(folder)
    assert name in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 600
    assert contents(folder) == before
    with pytest.raises(DataError):
        import_it(folder.parent / "new")
    assert not (folder.parent / "new").exists()


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("kind", KINDS)
def test_other_contents(tmp_path, kept, kind, content):
    (tmp_path / "from").mkdir()
    path, import_it = kind(tmp_path / "from")
    path.write_bytes(CONTENTS[content](path.read_bytes()))
    refused(import_it, kept, path.name)
    assert not (tmp_path.parent / "outside.txt").exists()


def folder_instead(path):
    path.mkdir()


def pipe(path):
    os.mkfifo(path)


def loop(path):
    path.symlink_to(path.name)


def one_line_of_two_gigabytes(path):
    """Sparse: it takes no space."""
    with path.open("wb") as file:
        file.truncate(LARGE)


@pytest.mark.skipif(os.name == "nt", reason="there are no pipes there")
@pytest.mark.parametrize("other", [folder_instead, pipe, loop, one_line_of_two_gigabytes])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_or_a_huge_one(tmp_path, kept, kind, other):
    (tmp_path / "from").mkdir()
    path, import_it = kind(tmp_path / "from")
    path.unlink()
    other(path)
    refused(import_it, kept, path.name)


@pytest.mark.parametrize("kind", KINDS)
def test_a_dataset_that_is_damaged_is_not_written_over(tmp_path, kept, kind):
    folder, _ = kept
    (folder / "about.json").write_text("{")
    (tmp_path / "from").mkdir()
    _, import_it = kind(tmp_path / "from")
    before = contents(folder)
    with pytest.raises(DataError, match=r"about\.json cannot be read"):
        import_it(folder)
    assert contents(folder) == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_in_place_of_the_folder(tmp_path, kind):
    (tmp_path / "from").mkdir()
    _, import_it = kind(tmp_path / "from")
    (tmp_path / "into").write_text("mine")
    with pytest.raises(DataError, match="into"):
        import_it(tmp_path / "into")
    assert (tmp_path / "into").read_text() == "mine"
