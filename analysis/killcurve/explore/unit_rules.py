"""The rules that a unit may use, ready to be ticked: what each costs, says and leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from killcurve.explore.choosing import titled
from killcurve.rules.bearing import flat
from killcurve.rules.effects import Effect
from killcurve.study.usable import usable
from killcurve.tables.dataset import Dataset

ORDER = ("ability", "detachment", "enhancement", "stratagem")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule to tick: ``is_on`` is whether it counts of itself, ``left_out`` what of it is not
    computed, ``cp`` and ``points`` what it costs."""

    key: str
    kind: str
    name: str
    cp: int
    points: int
    effects: tuple[Effect, ...]
    is_on: bool
    is_whole: bool
    left_out: tuple[str, ...]

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions in quotes, for a person to tick."""
        clauses = [c for e in flat(self.effects) for c in e.condition if c.kind == "words"]
        return tuple(dict.fromkeys(clause.words[0] for clause in clauses))

    @property
    def label(self) -> str:
        """The name with what it costs.

        >>> Rule("stratagem: A B", "stratagem", "A B", 1, 0, (), False, True, ()).label
        'Stratagem: A B (1 CP)'
        """
        cost = f"{self.cp} CP" if self.cp else f"{self.points} points" if self.points else ""
        kind = "detachment rule" if self.kind == "detachment" else self.kind
        return f"{kind.capitalize()}: {titled(self.name)}" + (f" ({cost})" if cost else "")

    @property
    def told(self) -> str:
        """What it does in phrases, and what of it is left out."""
        words = "; ".join(map(str, self.effects))
        if self.is_whole:
            return words
        left = "; ".join(self.left_out)
        return f"{words} — " + (f"not computed: {left}" if left else "a part is not computed")


class Rules:
    """The rules of a dataset's units on one side of an attack, by key; each unit is read once.

    The target's own abilities count by themselves: they are not among those of the defender.
    """

    def __init__(self, dataset: Dataset, side: str = "attacker") -> None:
        self._dataset, self._side = dataset, side
        self._read: dict[tuple[str, str], pl.DataFrame] = {}
        self._detachments: dict[str, list[str]] = {}
        self._near: dict[tuple[str, str, str, str], list[dict[str, Any]]] = {}

    def detachments(self, faction: str) -> list[str]:
        """The faction's detachments."""
        if faction not in self._detachments:
            own = self._dataset["detachments"].filter(pl.col("faction") == faction)
            self._detachments[faction] = sorted(own["detachment"].unique().to_list())
        return self._detachments[faction]

    def of(self, faction: str, datasheet: str, phase: str, detachment: str) -> dict[str, Rule]:
        """Rules with effects on the unit's attacks in a phase: its own, the core stratagems and
        those of a detachment."""
        rows = self._rows(faction, datasheet, phase, detachment)
        found = [_rule(row) for row in rows if row["effects"]]
        return {rule.key: rule for rule in sorted(found, key=_place)}

    def not_computed(
        self, faction: str, datasheet: str, phase: str, detachment: str
    ) -> tuple[str, ...]:
        """The names of such rules of which nothing is computed."""
        rows = self._rows(faction, datasheet, phase, detachment)
        return tuple(sorted({titled(row["name"]) for row in rows if not row["effects"]}))

    def _rows(
        self, faction: str, datasheet: str, phase: str, detachment: str
    ) -> list[dict[str, Any]]:
        asked_for = faction, datasheet, phase, detachment
        if asked_for in self._near:
            return self._near[asked_for]
        key = faction, datasheet
        if key not in self._read:
            found = usable(self._dataset, datasheet, faction, side=self._side)
            if self._side == "defender":
                found = found.filter(pl.col("side") == "defender", pl.col("kind") != "ability")
            self._read[key] = found
        asked = pl.col("phases").list.contains(phase) | (pl.col("phases").list.len() == 0)
        near = pl.col("detachment").fill_null("").is_in(["", detachment])
        self._near[asked_for] = self._read[key].filter(asked & near).rows(named=True)
        return self._near[asked_for]


def _rule(row: dict[str, Any]) -> Rule:
    return Rule(
        key=f"{row['kind']}: {row['name']}",
        kind=row["kind"],
        name=row["name"],
        cp=row["cp"] or 0,
        points=row["cost"] or 0,
        effects=tuple(Effect.parse(phrase) for phrase in row["effects"]),
        is_on=bool(row["is_on"]),
        is_whole=row["status"] == "modelled",
        left_out=tuple(row["unread"]),
    )


def _place(rule: Rule) -> tuple[int, str]:
    return ORDER.index(rule.kind), rule.name
