"""Tables for other tools: everything is there again, and the same bytes every time."""

from __future__ import annotations

import csv
import json
import sqlite3

import pandas as pd
import polars as pl
import pytest
from killcurve.tables.dataset import About, DataError, Dataset
from killcurve.tables.exporting import ENDINGS, export, flat
from killcurve.tables.schemas import SCHEMAS
from pyarrow import feather

from tests.tables.changing import contents, made
from tests.tables.test_roundtrip import sampled

ABOUT = About("test", "1", "11e", "2026-01-01")


def read(path, frame):
    """A table as another tool finds it, in the types it had."""
    if path.suffix == ".parquet":
        return pl.read_parquet(path)
    if path.suffix == ".arrow":
        return pl.from_arrow(feather.read_table(path)).cast(dict(frame.schema))
    with path.open(encoding="utf-8", newline="") as file:
        heads, *rows = csv.reader(file)
    return from_texts(dict(zip(heads, zip(*rows, strict=True), strict=True)) if rows else {}, frame)


def from_texts(texts, frame):
    """Texts of a file that knows none but texts: an empty number is none."""
    back = []
    for name, kind in frame.schema.items():
        column = texts.get(name, ())
        if isinstance(kind, pl.List):
            values = [json.loads(v) if v else None for v in column]
        elif kind == pl.String:
            values = list(column)
        elif kind == pl.Boolean:
            values = [None if not v else v == "true" for v in column]
        elif kind.is_integer():
            values = [None if not v else int(v) for v in column]
        else:
            values = [v or None for v in column]
        back.append(pl.Series(name, values, dtype=kind))
    return pl.DataFrame(back)


def without_none(frame):
    """CSV cannot tell an empty text from none."""
    texts = [name for name, kind in frame.schema.items() if kind == pl.String]
    return frame.with_columns(pl.col(texts).fill_null(""))


@pytest.fixture(scope="module")
def tables():
    """Rows of every table, with all that is awkward in texts, and one table without any."""
    texts = ['’"', ",\n", "'; --", " – ä"]
    made_up = {t: sampled(t, 3, i, texts[i % 4]) for i, t in enumerate(SCHEMAS)}
    return {**made_up, "texts": SCHEMAS["texts"].create_empty()}


@pytest.mark.parametrize("form", ["parquet", "arrow", "csv"])
def test_every_table_comes_back(tmp_path, tables, form):
    paths = export(Dataset(ABOUT, tables), tmp_path, form)
    assert [path.stem for path in paths] == list(SCHEMAS)
    for path, frame in zip(paths, [tables[table] for table in SCHEMAS], strict=True):
        found = read(path, frame)
        assert found.schema == frame.schema
        form_of = without_none if form == "csv" else pl.DataFrame
        assert form_of(found).equals(form_of(frame)), path.stem


def test_every_table_comes_back_from_sqlite(tmp_path, tables):
    (path,) = export(Dataset(ABOUT, tables), tmp_path / "all.sqlite", "sqlite")
    connection = sqlite3.connect(path)
    for table, frame in tables.items():
        cursor = connection.execute(f'SELECT * FROM "{table}"')
        assert [column[0] for column in cursor.description] == frame.columns
        assert cursor.fetchall() == flat(frame).rows()
        info = connection.execute(f'PRAGMA table_info("{table}")').fetchall()
        assert {row[1] for row in info if row[5]} == set(SCHEMAS[table].primary_key())
    told = dict(connection.execute("SELECT * FROM about").fetchall())
    assert (told["source"], told["edition"]) == ("test", "11e")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


@pytest.mark.parametrize("form", ENDINGS)
def test_the_same_bytes_every_time(tmp_path, form):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        export(made(), tmp_path / name, form)
    one, two = contents(tmp_path / "one"), contents(tmp_path / "two")
    assert one == two
    assert len(one) == (1 if form == "sqlite" else len(SCHEMAS))
    export(made(), tmp_path / "one", form)
    assert contents(tmp_path / "one") == two


def test_what_cannot_be_written(tmp_path):
    with pytest.raises(DataError, match=r"no form 'sqlit', only .*did you mean 'sqlite'"):
        export(made(), tmp_path, "sqlit")
    (tmp_path / "file").write_text("")
    for form in ("csv", "sqlite"):
        with pytest.raises(DataError, match="cannot be written"):
            export(made(), tmp_path / "file" / "below", form)


def test_pandas(dataset):
    frame = dataset.to_pandas("weapons")
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == dataset.weapons.columns
    assert len(frame) == dataset.weapons.height
    assert frame["skill"].isna().sum() == dataset.weapons["skill"].null_count()
    assert int(frame["ap"].sum()) == dataset.weapons["ap"].sum()
    assert list(frame["keywords"].iloc[0]) == dataset.weapons["keywords"][0].to_list()
    again = pl.from_pandas(dataset.to_pandas("points"))
    assert again["copies_to"].equals(dataset.points["copies_to"])
