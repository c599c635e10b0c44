"""Breakpoints, one more of each thing, and rule states of one weapon: state, charts, numbers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import polars as pl

from killcurve.charts.breakpoints import breakpoint_grid
from killcurve.charts.export import Chart
from killcurve.charts.survival import survival_curves
from killcurve.charts.tornado import tornado
from killcurve.charts.words import percent
from killcurve.explore.answers import View
from killcurve.explore.background import Progress
from killcurve.explore.choosing import kept
from killcurve.explore.targets import TargetState
from killcurve.explore.unit_state import EDITIONS, FLAGS, PHASES, Choices, UnitState
from killcurve.explore.unit_view import question
from killcurve.explore.whole_units import Who, WholeUnits, circumstances, title
from killcurve.study.breakpoints import damage_wounds, save_ap, strength_toughness
from killcurve.study.editions import Comparison, compare_editions
from killcurve.study.lines import Line
from killcurve.study.one_more import one_more
from killcurve.study.survival import survival


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid: what it is called, its rows and columns, and what its cells may tell."""

    label: str
    row: str
    column: str
    cells: tuple[str, ...]


GRIDS = {
    "s-t": Grid("Strength × Toughness", "strength", "toughness",
                ("need", "chance", "damage", "slain", "destroyed")),
    "sv-ap": Grid("save × AP", "ap", "save", ("need", "chance", "damage", "slain", "destroyed")),
    "d-w": Grid("damage × wounds of a model", "damage", "wounds", ("unsaved", "waste_share")),
}  # fmt: skip

CELLS = {
    "need": "roll that is needed",
    "chance": "chance of one roll",
    "damage": "wounds removed",
    "slain": "models slain",
    "destroyed": "chance to destroy",
    "unsaved": "unsaved wounds to fell one",
    "waste_share": "share of damage wasted",
}
SHARES = ("chance", "destroyed", "waste_share")
SHOWN_WOUNDS = 14
NEWEST, OLDER = "11e", "10e"

MEASURES = {
    "damage": "wounds removed",
    "destroyed": "chance to destroy",
    "": "points removed for each 100 points",
}
SHORT = {**MEASURES, "": "points removed per 100"}


@dataclass(frozen=True, slots=True)
class BreakpointState:
    """A weapon line of a unit against a target; ``grid`` and ``cell`` tell what is varied and
    shown, ``measure`` by what one more of each thing is told."""

    unit: Who = field(default_factory=lambda: Who("Drukhari", "Raider"))
    phase: str = "shooting"
    weapon: str = ""
    target: TargetState = field(default_factory=TargetState)
    grid: str = "s-t"
    cell: str = "need"
    measure: str = "damage"
    flags: tuple[str, ...] = ()
    edition: str = ""


class Weapons:
    """What this explorer chooses from: units, their lines, and targets."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.units = WholeUnits(choices.dataset)

    def lines(self, state: BreakpointState) -> dict[str, Line]:
        """The weapon lines of the phase by name."""
        return self.choices.lines(self._as_unit(state))

    def _as_unit(self, state: BreakpointState) -> UnitState:
        who = state.unit
        return UnitState(who.faction, who.datasheet, who.models, state.phase)

    def settled(self, state: BreakpointState) -> BreakpointState:
        """The state with every choice that does not exist replaced by one that does."""
        state = replace(state, unit=self.units.settled(state.unit))
        if state.phase not in PHASES or not self.lines(state):
            phase = next(p for p in PHASES if self.lines(replace(state, phase=p)))
            state = replace(state, phase=phase)
        grid = kept(state.grid, list(GRIDS))
        return replace(
            state,
            weapon=kept(state.weapon, list(self.lines(state))),
            target=self.choices.targets.settled(state.target),
            grid=grid,
            cell=kept(state.cell, GRIDS[grid].cells),
            measure=kept(state.measure, list(MEASURES)),
            flags=tuple(flag for flag in FLAGS if flag in state.flags),
            edition=kept(state.edition, list(EDITIONS)),
        )

    def question(self, state: BreakpointState) -> dict[str, object]:
        """The weapon line's attack as a scenario, without a rule state of its own."""
        line = self.lines(state)[state.weapon]
        asked = replace(
            self._as_unit(state),
            weapons=((state.weapon, max(1, line.count)),),
            target=state.target,
            flags=state.flags,
            edition=state.edition,
        )
        return dict(question(self.choices, self.choices.settled(asked)))


@dataclass(frozen=True, slots=True)
class Broken:
    """What is worked out for a state: the grid, one more of each thing, the rule states."""

    grid: pl.DataFrame
    more: pl.DataFrame
    states: Comparison


def of_work(state: BreakpointState) -> BreakpointState:
    """The state with what does not change :func:`broken` left out."""
    return replace(state, cell="", measure="")


def broken(weapons: Weapons, state: BreakpointState, progress: Progress) -> Broken:
    """The studies of a settled state.

    Raises:
        DataError: if one of them has no answer.
    """
    unit = weapons.units.combatant(state.unit).attacker
    target = weapons.choices.targets.defender(state.target)
    how = circumstances(state.flags, state.edition)
    study = {"s-t": strength_toughness, "sv-ap": save_ap, "d-w": damage_wounds}[state.grid]
    progress.step(0, 3)
    grid = study(unit, state.weapon, target, how)
    progress.step(1, 3)
    more = one_more(unit, state.weapon, [target], how)
    progress.step(2, 3)
    return Broken(grid, more, compare_editions(weapons.question(state), lenient=True))


def breakpoints_view(weapons: Weapons, state: BreakpointState, found: Broken) -> View:
    """What a settled state shows."""
    target = weapons.choices.targets.defender(state.target)
    who = f"{title(state.unit)}: {state.weapon} against {target.name}"
    conditions = ", ".join([who, *(FLAGS[flag] for flag in state.flags)])
    charts: dict[str, Chart] = {"grid": _grid(state, found.grid, conditions)}
    gain, loss = (f"{way}_{state.measure}".rstrip("_") for way in ("gain", "loss"))
    if found.more[gain].is_not_null().any():
        charts["one-more"] = tornado(
            found.more, gain=gain, loss=loss, measure=MEASURES[state.measure], what=state.weapon,
            conditions=conditions,
        )  # fmt: skip
    charts["editions"] = _editions(found.states, state, target.name, target.target.models)
    return View(
        charts=charts,
        numbers=_numbers(found.states),
        remarks=tuple(_remarks(found)),
        funnel=_accounted(found.states),
        summary=_summary(found, who),
        law=found.grid.with_columns(pl.col("left_out").list.join("; ")),
        about_funnel="What accounts for the change from one rule state to the next",
    )


def _grid(state: BreakpointState, frame: pl.DataFrame, conditions: str) -> Chart:
    grid, cell = GRIDS[state.grid], state.cell
    kept_rows = frame
    if state.grid == "sv-ap":
        kept_rows = frame.filter(pl.col("invulnerable").is_null())
        conditions = f"without an invulnerable save; {conditions}"
    if state.grid == "d-w":
        kept_rows = frame.filter(pl.col("wounds") <= SHOWN_WOUNDS)
    kept_rows = kept_rows.with_columns(label=pl.struct(cell, "is_own").map_elements(
        lambda row: _label(row[cell], cell, own=row["is_own"]), return_dtype=pl.String
    ))  # fmt: skip
    what = "to wound" if state.grid == "s-t" else "to save"
    measure = CELLS[cell] + (f" {what}" if cell == "need" else "")
    if state.grid == "sv-ap" and cell == "chance":
        measure = "chance that a wound is not saved"
    if state.grid == "s-t" and cell == "chance":
        measure = "chance to wound"
    low_is_good = cell in ("unsaved", "waste_share") or (cell == "need" and state.grid == "s-t")
    return breakpoint_grid(
        kept_rows, row=grid.row, column=grid.column, value=cell, label="label", measure=measure,
        conditions=conditions, suffix="+" if cell == "need" else "", low_is_good=low_is_good,
    )  # fmt: skip


def _label(value: float | None, cell: str, *, own: bool) -> str:
    """A cell's words; the cell that the weapon and target have themselves is marked."""
    if value is None:
        return "–"
    if cell == "need":
        told = "none" if value >= 7 else f"{value:.0f}+"
    elif cell in SHARES:
        told = f"{value:.0%}"
    else:
        told = f"{value:.1f}"
    return f"[{told}]" if own else told


def _editions(states: Comparison, state: BreakpointState, target: str, models: int) -> Chart:
    laws = {
        EDITIONS.get(key, key): measured.slain if models > 1 else measured.damage
        for key, measured in states.states.items()
        if key in (NEWEST, OLDER)
    } or {key: measured.damage for key, measured in states.states.items()}
    what = "models" if models > 1 else "wounds"
    most = max(1, *(law.stop - 1 for law in laws.values()))
    chart = survival_curves(
        survival(laws, most), state.weapon, target, ", ".join(FLAGS[f] for f in state.flags), what
    )
    return replace(chart, title=_change(states))


def _change(states: Comparison) -> str:
    means = {key: states.states[key].means() for key in (OLDER, NEWEST) if key in states.states}
    if len(means) < 2:
        return "One of the two editions has no answer"
    old, new = means[OLDER]["damage"], means[NEWEST]["damage"]
    if abs(new - old) < 5e-5:
        return f"The 10th and the 11th edition give the same mean, {new:.2f} wounds"
    way = "more" if new > old else "fewer"
    share = f" ({percent(abs(new / old - 1))} {way})" if old else ""
    return f"{new:.2f} wounds in the 11th edition, {old:.2f} in the 10th{share}"


def _numbers(states: Comparison) -> dict[str, str]:
    numbers = {}
    for key in (NEWEST, OLDER):
        if key in states.states:
            means = states.states[key].means()
            numbers[f"Wounds removed, {key}"] = f"{means['damage']:.2f}"
            numbers[f"P(destroyed), {key}"] = percent(means["destroyed"], 1)
    return numbers


def _accounted(states: Comparison) -> pl.DataFrame:
    rows = [
        {
            "from": change.start,
            "to": change.goal,
            "rule": effect.rule,
            "says": effect.says,
            "wounds removed": effect.by["damage"],
            "P(destroyed)": effect.by["destroyed"],
        }
        for change in states.changes
        for effect in change.effects
    ]
    schema = dict.fromkeys(("from", "to", "rule", "says"), pl.String)
    numbers = dict.fromkeys(("wounds removed", "P(destroyed)"), pl.Float64)
    return pl.DataFrame(rows, schema={**schema, **numbers})


def _remarks(found: Broken) -> list[str]:
    told = [f"No answer in {key}: {why}" for key, why in found.states.failed.items()]
    if found.states.changes and not any(change.effects for change in found.states.changes):
        told.append("No rule differs between the editions here")
    left = found.grid["left_out"].explode().drop_nulls().unique().sort().to_list()
    if left:
        told.append(f"Left out: {'; '.join(map(str, left))}")
    return told


def _summary(found: Broken, who: str) -> str:
    best = found.more.sort(["gain_damage", "effect"], descending=[True, False]).row(0, named=True)
    more = (
        f"one more {best['effect']} adds most, {best['gain_damage']:+.2f} wounds"
        if best["gain_damage"] and best["gain_damage"] > 0
        else "one more of anything adds nothing"
    )
    change = _change(found.states)
    return f"{who}: {best['damage']:.2f} wounds removed on average; {more}. {change}."
