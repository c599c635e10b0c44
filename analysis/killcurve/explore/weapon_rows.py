"""Rows for weapons of one's own, with what is wrong told under each."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import ipywidgets as W  # noqa: N812 - as its own documentation writes it
import traitlets

from killcurve.explore.controls import Wiring, number, text
from killcurve.explore.own_state import MOST_WEAPONS, SKILLS, OwnWeapon
from killcurve.explore.pictures import note, problem

NAMES = tuple(field.name for field in fields(OwnWeapon))


class WeaponRow(W.VBox):
    """The controls of one weapon; ``value`` is the weapon."""

    value = traitlets.Instance(OwnWeapon)

    def __init__(self, weapon: OwnWeapon) -> None:
        skills = [(label, need) for need, label in SKILLS.items()]
        short = {"description_width": "initial"}
        self.parts: dict[str, Any] = {
            "name": text("Name", width="14em"),
            "count": number("Count", 1, 1, 100, "7.5em"),
            "attacks": text("Attacks", "2, D6", "8.5em"),
            "skill": W.Dropdown(
                options=skills, description="Skill", style=short, layout=W.Layout(width="11em")
            ),
            "strength": text("Strength", "4", "8.5em"),
            "ap": number("AP", 0, -6, 0, "6.5em"),
            "damage": text("Damage", "1, D3+1", "9em"),
            "keywords": text("Abilities", "such as lethal hits, melta 2", "22em"),
        }
        self.told = W.HTML(layout=W.Layout(min_height="1.6em"))
        self.remove = W.Button(description="Remove", layout=W.Layout(width="6em"))
        self._wiring = Wiring(self._changed)
        self._wiring.hear(*self.parts.values())
        row = W.Layout(flex_flow="row wrap", grid_gap="0 .4em")
        super().__init__([W.HBox([*self.parts.values(), self.remove], layout=row), self.told])
        self.move(weapon)

    def move(self, weapon: OwnWeapon) -> None:
        """Move the controls to a weapon, without an echo."""
        with self._wiring.muted():
            for name, control in self.parts.items():
                if control.value != getattr(weapon, name):
                    control.value = getattr(weapon, name)
        faults = weapon.faults()
        self.told.value = "".join(problem(f"{name}: {words}") for name, words in faults.items())
        self.value = weapon

    def _changed(self) -> None:
        self.move(OwnWeapon(**{name: control.value for name, control in self.parts.items()}))


class WeaponRows(W.VBox):
    """Weapons in the order in which they attack; ``value`` are the weapons."""

    value = traitlets.Tuple()

    def __init__(self) -> None:
        self.rows: list[WeaponRow] = []
        self._wiring = Wiring(self._changed)
        self.add = W.Button(description="Add a weapon", layout=W.Layout(width="10em"))
        self.add.on_click(lambda _: self._add())
        self._rows = W.VBox()
        self._told = W.HTML(note("dice are written as 3, D6, 2D3+1"))
        super().__init__([self._rows, W.HBox([self.add, self._told])])

    def move(self, weapons: tuple[OwnWeapon, ...]) -> None:
        """Show these weapons; rows that stay are moved, not made anew."""
        with self._wiring.muted():
            for row, weapon in zip(self.rows, weapons, strict=False):
                row.move(weapon)
            closed = self.rows[len(weapons) :]
            self.rows = self.rows[: len(weapons)]
            for weapon in weapons[len(self.rows) :]:
                row = WeaponRow(weapon)
                row.remove.on_click(lambda _, row=row: self._remove(row))
                self._wiring.hear(row)
                self.rows.append(row)
        if list(self._rows.children) != self.rows:
            self._rows.children = self.rows
        for row in closed:
            row.close()
        for row in self.rows:
            row.remove.disabled = len(self.rows) == 1
        self.add.disabled = len(self.rows) >= MOST_WEAPONS
        self.value = tuple(row.value for row in self.rows)

    def _add(self) -> None:
        if len(self.rows) < MOST_WEAPONS:
            self.move((*self.value, OwnWeapon(name=f"Weapon {len(self.rows) + 1}")))

    def _remove(self, row: WeaponRow) -> None:
        if row in self.rows and len(self.rows) > 1:
            self.move(tuple(one.value for one in self.rows if one is not row))

    def _changed(self) -> None:
        self.value = tuple(row.value for row in self.rows)
