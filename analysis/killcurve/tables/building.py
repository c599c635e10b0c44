"""Rows become tables: cast, checked, sorted; what does not fit is set aside and counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from killcurve.rules.effects import Effect
from killcurve.tables.dataset import About, Dataset
from killcurve.tables.schemas import SCHEMAS

Rows = Iterable[Mapping[str, Any]]


def frame(table: str, rows: Rows, **provenance: str) -> pl.DataFrame:
    """The rows as a frame with the table's columns; columns that are missing are null.

    >>> frame("factions", [{"faction": "Necrons"}], source="x", edition="11e", version="1").shape
    (1, 5)
    """
    schema = SCHEMAS[table]
    types = {name: column.dtype for name, column in schema.columns().items()}
    full = [{**provenance, **row} for row in rows]
    return pl.DataFrame(
        [_column(name, [row.get(name) for row in full], kind) for name, kind in types.items()]
    )


def _column(name: str, values: list[Any], kind: pl.DataType) -> pl.Series:
    """A column; lists of texts, which Polars makes one at a time, go through Arrow's at once."""
    if kind == pl.List(pl.String) and values:
        from pyarrow import ArrowException, array, large_list, large_string

        try:
            texts = pl.from_arrow(array(values, large_list(large_string())))
            return texts.alias(name)
        except (ArrowException, TypeError):  # something else than texts: as for other columns
            pass
    return pl.Series(name, values, dtype=kind, strict=False)


def checked(table: str, unchecked: pl.DataFrame) -> tuple[pl.DataFrame, dict[str, int]]:
    """The rows that keep the table's contract, sorted by key, and how many break each rule.

    Rows that are equal in all columns count once. Of rows with the same key all are set aside
    but the first.
    """
    schema = SCHEMAS[table]
    keys = schema.primary_key()
    distinct = unchecked.unique(maintain_order=True)
    first = distinct.unique(subset=keys, keep="first", maintain_order=True)
    reasons: dict[str, int] = {}
    if len(distinct) > len(first):
        reasons["another row has the same key"] = len(distinct) - len(first)
    good, bad = schema.filter(first, cast=True)
    reasons.update({_sentence(rule): n for rule, n in bad.counts().items()})
    return good.sort(keys), reasons


def build(
    about: About, rows: Mapping[str, Rows], set_aside: Mapping[str, Mapping[str, int]] | None = None
) -> Dataset:
    """A dataset from rows of tables; the effects table is made of the others."""
    provenance = {"source": about.source, "edition": about.edition, "version": about.version}
    tables: dict[str, pl.DataFrame] = {}
    reasons: dict[str, dict[str, int]] = {k: dict(v) for k, v in (set_aside or {}).items()}
    for table, given in rows.items():
        tables[table], broken = checked(table, frame(table, given, **provenance))
        for reason, number in broken.items():
            reasons.setdefault(table, {})[reason] = number
    tables["effects"], _ = checked("effects", frame("effects", effect_rows(tables)))
    return Dataset(about, tables, reasons)


def effect_rows(tables: Mapping[str, pl.DataFrame]) -> list[dict[str, Any]]:
    """One row for every effect phrase of stratagems, enhancements and detachments."""
    out = []
    for kind in ("stratagem", "enhancement", "detachment"):
        table = tables.get(f"{kind}s")
        if table is None:
            continue
        for row in table.filter(pl.col("effects").list.len() > 0).rows(named=True):
            for number, phrase in enumerate(row["effects"], start=1):
                effect = Effect.parse(phrase)
                out.append(
                    {
                        **{key: row[key] for key in ("source", "edition", "version", "faction")},
                        "kind": kind,
                        "detachment": row["detachment"],
                        "name": row.get("name", row["detachment"]),
                        "number": number,
                        "phrase": str(effect),
                        "what": str(effect.amount) if effect.what == "ability" else effect.what,
                        "scope": effect.scope,
                        "condition": " and ".join(str(c) for c in effect.condition) or None,
                        "side": row["side"],
                    }
                )
    return out


def _sentence(rule: str) -> str:
    column, _, what = rule.partition("|")
    return f"{column}: {what}" if what else column.replace("_", " ")
