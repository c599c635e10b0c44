"""Any table that a schema can generate survives save, load and save, byte for byte."""

from __future__ import annotations

import tempfile
from pathlib import Path

import dataframely as dy
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st
from killcurve.tables.dataset import About, Dataset
from killcurve.tables.difference import difference
from killcurve.tables.schemas import SCHEMAS
from killcurve.tables.values import COMPARED

from tests.tables.changing import contents

SEEDS = st.integers(0, 2**31)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
ABOUTS = st.builds(About, TEXT, TEXT, st.sampled_from(["10e", "11e"]), TEXT, TEXT, TEXT)
ASIDE = st.dictionaries(st.sampled_from(list(SCHEMAS)), st.dictionaries(TEXT, st.integers(0)))


def sampled(table: str, rows: int, seed: int, text: str = "") -> pl.DataFrame:
    """Rows that a schema allows; names of people's own get a text with any characters."""
    schema = SCHEMAS[table]
    frame = schema.sample(rows, generator=dy.random.Generator(seed=seed))
    free = [n for n, c in schema.columns().items() if isinstance(c, dy.String) and c.regex is None]
    lists = [n for n, kind in frame.schema.items() if kind == pl.List(pl.String)]
    whole = frame.with_columns(
        *(pl.col(n) + text for n in free),
        *(pl.col(n).list.eval(pl.element() + text) for n in lists),
    )
    return schema.validate(whole).sort(schema.primary_key())


@settings(max_examples=10, deadline=None)
@given(rows=st.integers(0, 12), seed=SEEDS, text=TEXT, about=ABOUTS, aside=ASIDE)
def test_save_load_save(rows, seed, text, about, aside):
    tables = {table: sampled(table, rows, seed, text) for table in SCHEMAS}
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "first"), Path(folder, "second")
        Dataset(about, tables, aside).save(first)
        loaded = Dataset.load(first)
        loaded.save(second)
        assert contents(first) == contents(second)
    assert loaded.about == about
    assert loaded.set_aside == aside
    for table, frame in tables.items():
        assert loaded[table].equals(frame)
        assert loaded[table].schema == frame.schema


@settings(max_examples=8, deadline=None)
@given(seed=SEEDS, other=SEEDS, text=TEXT)
def test_differences_of_any_datasets(seed, other, text):
    """None from itself; the other way round each is the same with its sides changed."""
    about = About("test", "1", "11e", "2026-01-01")
    old, new = (
        Dataset(about, {table: sampled(table, 4, s, text) for table in COMPARED})
        for s in (seed, other)
    )
    assert difference(old, old).is_empty()
    there, back = difference(old, new), difference(new, old)
    swapped = back.rename({"old": "new", "new": "old"}).with_columns(-pl.col("change"))
    keys = ("table", "column", "old", "new", "change")
    assert there.select(keys).sort(keys).equals(swapped.select(keys).sort(keys))
