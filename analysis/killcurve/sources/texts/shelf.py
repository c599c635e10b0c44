"""The texts of a dataset, found by what they are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from killcurve.rules.spelling import normal
from killcurve.tables.dataset import Dataset

ABILITY_KINDS = {
    "ability": "datasheet",
    "damaged": "datasheet",
    "core ability": "core",
    "faction ability": "faction",
    "wargear ability": "wargear",
}
"""The kinds of texts that are abilities of units, and the kinds of abilities they are."""

WITHOUT_FACTION = "Core"
"""Whose the texts are that belong to no faction."""


@dataclass(frozen=True, slots=True)
class Ability:
    """A text about an ability of a unit."""

    edition: str
    faction: str
    datasheet: str
    name: str
    kind: str
    text: str


class Shelf:
    """The texts of a dataset by kind, edition, faction, detachment and name."""

    def __init__(self, dataset: Dataset) -> None:
        self._rows = dataset["texts"].sort("number").rows(named=True)
        self._texts: dict[tuple[str, str, str, str, str], list[str]] = {}
        for row in self._rows:
            key = _key(row["kind"], row["edition"], row["faction"], row["detachment"], row["name"])
            self._texts.setdefault(key, []).append(row["text"])

    def find(self, kind: str, row: Mapping[str, str], name: str) -> str | None:
        """The texts of a rule as one, ``None`` where there are none."""
        for faction in (row["faction"], WITHOUT_FACTION):
            key = _key(kind, row["edition"], faction, row["detachment"], name)
            if key in self._texts:
                return "\n".join(dict.fromkeys(self._texts[key]))
        return None

    def abilities(self) -> Iterator[Ability]:
        """The texts about abilities of units, each ability of a unit once."""
        seen: dict[tuple[str, str, str, str], Ability] = {}
        for row in self._rows:
            kind = ABILITY_KINDS.get(row["kind"])
            if kind is None or not row["name"]:
                continue
            place = (row["edition"], row["faction"], row["datasheet"], row["name"])
            seen.setdefault(place, Ability(*place, kind, row["text"]))
        yield from seen.values()


def _key(
    kind: str, edition: str, faction: str, detachment: str, name: str
) -> tuple[str, str, str, str, str]:
    return kind, str(edition), normal(faction), normal(detachment), normal(name)
