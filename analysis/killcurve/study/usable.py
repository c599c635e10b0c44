"""Which rules a unit may use: its own abilities, its army's detachment rules, enhancements and
stratagems, with what each does and how much of it is computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from killcurve.rules.eligibility import may_use
from killcurve.rules.spelling import did_you_mean, normal
from killcurve.study.applicable import army_stratagems
from killcurve.study.lines import unit_keywords
from killcurve.study.own_rules import own_rules
from killcurve.tables.dataset import DataError, Dataset

COLUMNS: dict[str, pl.DataType] = {
    "kind": pl.String(),
    "name": pl.String(),
    "detachment": pl.String(),
    "cp": pl.Int64(),
    "cost": pl.Int64(),
    "turn": pl.String(),
    "phases": pl.List(pl.String()),
    "side": pl.String(),
    "effects": pl.List(pl.String()),
    "is_on": pl.Boolean(),
    "status": pl.String(),
    "unread": pl.List(pl.String()),
    "read_from": pl.String(),
}
"""What :func:`usable` gives, one row a rule."""

SILENT = "none"
ATTACKS = ("shooting", "fight")


def usable(
    dataset: Dataset,
    name: str,
    faction: str | None = None,
    *,
    side: str | None = None,
    phase: str | None = None,
    detachment: str | None = None,
) -> pl.DataFrame:
    """The rules that a unit may use and that bear on attacks; columns are :data:`COLUMNS`.

    ``side`` (``attacker`` or ``defender``) and ``phase`` (``shooting`` or ``fight``) take those
    that count there, ``detachment`` those of one detachment (and those of none). Rules that are
    not computed, or not read yet, are listed with their status; what bears on no attack is not.
    ``is_on`` tells whether a rule counts without being chosen. Of the 11th edition's stratagems a
    unit may be the target of one a phase.

    Raises:
        DataError: if there is no such unit or detachment.

    >>> import killcurve
    >>> rules = usable(killcurve.load(), "Royal Warden", side="attacker", phase="shooting")
    >>> {"detachment", "enhancement", "stratagem"} <= set(rules["kind"])
    True
    """
    faction, datasheet = dataset.find(name, faction)
    keywords = unit_keywords(dataset, faction, datasheet)
    edition = str(dataset.of_unit("datasheets", faction, datasheet)["edition"][0])
    rows = [
        *_abilities(dataset, faction, datasheet),
        *_of_army(dataset, faction, edition, keywords),
    ]
    found = pl.DataFrame(rows, schema=COLUMNS).filter(pl.col("status") != SILENT)
    if detachment is not None:
        found = found.filter(pl.col("detachment").is_in(["", _known(dataset, faction, detachment)]))
    if side is not None:
        found = found.filter(pl.col("side").is_null() | pl.col("side").is_in([side, "both"]))
    if phase is not None:
        asked = pl.col("phases").list.contains(phase) | (pl.col("phases").list.len() == 0)
        found = found.filter(asked)
    return found.sort("kind", "detachment", "name")


def _abilities(dataset: Dataset, faction: str, datasheet: str) -> Iterator[dict[str, Any]]:
    for rule in own_rules(dataset, faction, datasheet):
        yield {
            "kind": "ability",
            "name": rule.name,
            "detachment": "",
            "phases": list(rule.phases),
            "side": rule.side,
            "effects": [str(effect) for effect in rule.effects],
            "is_on": rule.is_on,
            "status": rule.status,
            "unread": list(rule.unread),
        }


def _of_army(
    dataset: Dataset, faction: str, edition: str, keywords: frozenset[str]
) -> Iterator[dict[str, Any]]:
    own = (pl.col("faction") == faction) & (pl.col("edition") == edition)
    for row in dataset["detachments"].filter(own).rows(named=True):
        rules = ", ".join(row["rules"]) or row["detachment"]
        yield {**_said(row), "kind": "detachment", "name": rules, "phases": [], "is_on": True}
    for row in dataset["enhancements"].filter(own).rows(named=True):
        if _may_bear(row, keywords):
            yield {**_said(row), "kind": "enhancement", "phases": [], "is_on": False}
    core = army_stratagems(dataset, faction, edition, edition)
    named = {(row["detachment"], row["name"]) for row in core}
    without = dataset.stratagems.filter(own, pl.col("effects").list.len() == 0).rows(named=True)
    for row in (*core, *(r for r in without if (r["detachment"], r["name"]) not in named)):
        if may_use(row["used_by"], keywords):
            phases = [phase for phase in row["phase"] if phase in ATTACKS]
            yield {**_said(row), "kind": "stratagem", "phases": phases, "is_on": False}


def _said(row: Mapping[str, Any]) -> dict[str, Any]:
    columns = {name: row.get(name) for name in COLUMNS if name in row}
    return {**columns, "effects": list(row["effects"]), "unread": list(row.get("unread") or ())}


def _may_bear(row: Mapping[str, Any], keywords: frozenset[str]) -> bool:
    """Whether a unit may have an enhancement: a CHARACTER that is no EPIC HERO, or an upgrade."""
    if "epic hero" in keywords or not (row["upgrade"] or "character" in keywords):
        return False
    return may_use(row["used_by"] or (), keywords)


def _known(dataset: Dataset, faction: str, detachment: str) -> str:
    names = dataset["detachments"].filter(pl.col("faction") == faction)["detachment"].to_list()
    found = [name for name in names if normal(name) == normal(detachment)]
    if not found:
        close = did_you_mean(detachment, names)
        raise DataError(f"{faction} has no detachment {detachment!r}{close}")
    return str(found[0])


def in_words(rules: pl.DataFrame) -> str:
    """The rules for people: what each does, what it costs, and what of it is not computed."""
    lines = []
    for row in rules.rows(named=True):
        price = f", {row['cp']} CP" if row["cp"] is not None else ""
        price += f", {row['cost']} points" if row["cost"] is not None else ""
        owner = f" ({row['detachment']})" if row["detachment"] else ""
        lines.append(f"{row['kind']:11} {row['name']}{owner}{price}")
        if row["effects"]:
            switch = "on" if row["is_on"] else "off until chosen"
            lines.append(f"            {row['side']}: {', '.join(row['effects'])}  [{switch}]")
        if row["status"] != "modelled":
            left = "; ".join(row["unread"])
            lines.append(f"            {row['status']}{': ' + left if left else ''}")
    counts = rules["status"].value_counts().sort("status").rows()
    lines.append("; ".join(f"{number} {status}" for status, number in counts) or "no rules")
    return "\n".join(lines)
