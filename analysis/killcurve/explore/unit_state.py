"""What is chosen when one unit is explored, and what the data then offers: no widget in here."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from killcurve.explore import states
from killcurve.explore.choosing import Sizes, kept, with_rows
from killcurve.explore.targets import Targets, TargetState
from killcurve.explore.unit_rules import Rule, Rules
from killcurve.rules.modifiers import BIG
from killcurve.rules.situation import CONTEXT_FLAGS
from killcurve.rules.spelling import normal
from killcurve.study.armed import combatant
from killcurve.study.lines import Attacker, Line, attacker
from killcurve.tables.dataset import DataError, Dataset

PHASES = {"shooting": "ranged", "fight": "melee"}
"""The phases, and the kind of weapons used in each."""

EDITIONS = {
    "": "that of the datasheet",
    "11e": "11th edition",
    "10e": "10th edition, its last state",
    "10e-2023-09": "10th edition, September 2023",
    "10e-2023-06": "10th edition, June 2023",
}
"""Rule states, with their labels."""

FLAGS = {
    "half_range": "within half range",
    "cover": "target in cover",
    "stationary": "stationary",
    "charged": "charged this turn",
    "long_range": "farther than 12 inches",
    "closest_target": "target is the closest",
    "leading": "a leader is attached",
    "engaged": "engaged",
    "snap_shooting": "snap shooting (overwatch)",
    "indirect": "fires at what it does not see",
    "spotted": "a friend sees the target",
    "plunging_fire": "plunging fire",
    "target_below_starting": "target below starting strength",
    "target_below_half": "target below half strength",
    "target_on_objective": "target on an objective",
    "attacker_on_objective": "attacker on an objective",
    "unit_below_starting": "attacker below starting strength",
    "unit_below_half": "attacker below half strength",
}
"""Circumstances a person may tick, with their labels."""

assert set(FLAGS) == set(CONTEXT_FLAGS)

Counts = tuple[tuple[str, int], ...]

MOST_TOLD = 3
"""Other factions that are named to a person who searches."""


@dataclass(frozen=True, slots=True)
class UnitState:
    """Everything that is chosen; names are those of the data.

    ``models`` 0 is the smallest size. ``weapons`` are the lines that attack, with how many of
    each; ``None`` for what the default loadout has. ``rules`` are the keys of rules that are
    used (``stratagem: NAME``), ``None`` for those that are on of themselves; ``ticked`` are
    conditions in quotes that hold. ``target_rules`` are the rules that the
    target's owner uses; ``effects`` and ``target_effects`` are phrases.

    >>> UnitState("Necrons", "Royal Warden", flags=("cover",)).to_dict()["flags"]
    ['cover']
    """

    faction: str
    datasheet: str
    models: int = 0
    phase: str = "shooting"
    weapons: Counts | None = None
    detachment: str = ""
    rules: tuple[str, ...] | None = None
    ticked: tuple[str, ...] = ()
    effects: str = ""
    target: TargetState = field(default_factory=TargetState)
    target_detachment: str = ""
    target_rules: tuple[str, ...] = ()
    target_effects: str = ""
    flags: tuple[str, ...] = ()
    edition: str = ""

    def to_dict(self) -> dict[str, object]:
        """The state as plain values, for JSON."""
        return states.to_dict(self)


class Choices:
    """What can be chosen from a dataset, each list depending on the choices before it."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset.of_edition()  # the newest: units of two editions have one name
        self.targets = Targets(self.dataset)
        self.rules = Rules(self.dataset)
        self.target_rules = Rules(self.dataset, "defender")
        self._units: dict[str, list[str]] = {}
        for faction, datasheet in with_rows(self.dataset, "weapons"):
            self._units.setdefault(faction, []).append(datasheet)
        self._sizes = Sizes(dataset)
        self._made: dict[tuple[str, str, int], Attacker] = {}
        self._unknown: dict[tuple[str, str, int], tuple[str, ...]] = {}

    def factions(self) -> list[str]:
        """Factions that have units with weapons."""
        return sorted(self._units)

    def units(self, faction: str) -> list[str]:
        """Units of a faction."""
        return self._units[faction]

    def sizes(self, state: UnitState) -> list[int]:
        """How many models the unit may have."""
        return self._sizes.of(state.faction, state.datasheet)

    def unit(self, state: UnitState) -> Attacker:
        """The chosen unit at its size; made once."""
        key = state.faction, state.datasheet, state.models
        if key not in self._made:
            size = state.models or None
            self._made[key] = attacker(self.dataset, state.datasheet, state.faction, models=size)
        return self._made[key]

    def unknown(self, state: UnitState) -> tuple[str, ...]:
        """What the data does not tell of the weapons of the unit's models, in words."""
        key = state.faction, state.datasheet, state.models
        if key not in self._unknown:
            size = state.models or None
            try:
                made = combatant(self.dataset, state.datasheet, state.faction, models=size)
            except DataError:
                return ()
            self._unknown[key] = made.unknown
        return self._unknown[key]

    def elsewhere(self, text: str) -> str:
        """Where units have a text in their names, to be appended to that there are none."""
        wanted = normal(text)
        found = {
            faction: sum(wanted in normal(unit) for unit in units)
            for faction, units in sorted(self._units.items())
        }
        told = [f"{number} in {faction}" for faction, number in found.items() if number]
        more = ", …" if len(told) > MOST_TOLD else ""
        words = ", ".join(told[:MOST_TOLD])
        return f" (but {words}{more}: choose the faction first)" if told else ""

    def lines(self, state: UnitState) -> dict[str, Line]:
        """The weapon lines of the phase by name, the default loadout's first."""
        kind = PHASES[state.phase]
        lines = [line for line in self.unit(state).lines if line.kind == kind]
        found: dict[str, Line] = {}
        for line in sorted(lines, key=lambda line: not line.count):
            found.setdefault(line.name, line)
        return found

    def offered_rules(self, state: UnitState) -> dict[str, Rule]:
        """The rules that bear on the attacks, by key."""
        return self.rules.of(state.faction, state.datasheet, state.phase, state.detachment)

    def rules_of_target(self, state: UnitState) -> dict[str, Rule]:
        """The rules that the target's owner may use, by key; none for numbers of one's own."""
        target = self.targets.defender(state.target)
        if not target.datasheet:
            return {}
        who = target.faction, target.datasheet
        return self.target_rules.of(*who, state.phase, state.target_detachment)

    def not_computed_of_target(self, state: UnitState) -> tuple[str, ...]:
        """The names of such rules of which nothing is computed."""
        target = self.targets.defender(state.target)
        if not target.datasheet:
            return ()
        who = target.faction, target.datasheet
        return self.target_rules.not_computed(*who, state.phase, state.target_detachment)

    def detachments_of_target(self, state: UnitState) -> list[str]:
        """The detachments that the target may be of."""
        return self.target_rules.detachments(self.targets.defender(state.target).faction)

    def settled(self, state: UnitState, before: UnitState | None = None) -> UnitState:
        """The state with every choice that no longer exists replaced by one that does.

        ``before`` is what was chosen until now: where unit, size or phase differ from it, the
        weapons become those of the loadout, and the rules that are on of themselves are on.
        """
        faction = kept(state.faction, self.factions())
        state = replace(state, faction=faction)
        state = replace(state, datasheet=kept(state.datasheet, self.units(faction)))
        state = replace(state, models=kept(state.models, self.sizes(state)))
        known = ["", *self.rules.detachments(faction)]
        state = replace(state, detachment=kept(state.detachment, known))
        if state.phase not in PHASES or not self.lines(state):
            state = replace(state, phase=next(p for p in PHASES if self._has(state, p)))
        who = [(s.faction, s.datasheet, s.models, s.phase) for s in (state, before or state)]
        if who[0] != who[1]:
            state = replace(state, weapons=None)
        state = replace(state, weapons=self._weapons(state))
        state = replace(state, target=self.targets.settled(state.target))
        state = self._with_rules(self._of_target(state), before)
        return replace(
            state,
            flags=tuple(flag for flag in FLAGS if flag in state.flags),
            edition=kept(state.edition, list(EDITIONS)),
        )

    def _has(self, state: UnitState, phase: str) -> bool:
        return bool(self.lines(replace(state, phase=phase)))

    def _weapons(self, state: UnitState) -> Counts:
        lines = self.lines(state)
        if state.weapons is None:
            big = bool(self.unit(state).keywords & BIG)
            return default_counts(list(lines.values()), big=big)
        return tuple((name, count) for name, count in state.weapons if name in lines)

    def _of_target(self, state: UnitState) -> UnitState:
        known = ["", *self.detachments_of_target(state)]
        state = replace(state, target_detachment=kept(state.target_detachment, known))
        offered = self.rules_of_target(state)
        return replace(state, target_rules=tuple(k for k in offered if k in state.target_rules))

    def _with_rules(self, state: UnitState, before: UnitState | None) -> UnitState:
        offered = self.offered_rules(state)
        on = [key for key, rule in offered.items() if rule.is_on]
        if state.rules is None:
            chosen = set(on)
        else:
            chosen = set(state.rules) & set(offered)
            if before is not None:
                chosen |= set(on) - set(self.offered_rules(before))
        words = {w for key in chosen for w in offered[key].conditions}
        theirs = self.rules_of_target(state)
        words |= {w for key in state.target_rules for w in theirs[key].conditions}
        return replace(
            state,
            rules=tuple(key for key in offered if key in chosen),
            ticked=tuple(sorted(set(state.ticked) & words)),
        )


def default_counts(lines: list[Line], *, big: bool = False) -> Counts:
    """The lines that a loadout uses at once: of profiles that exclude each other the first, and
    pistols only where there is nothing else to fire, or the unit is a monster or vehicle."""
    carried = [line for line in lines if line.count] or lines[:1]
    once: dict[str, Line] = {}
    for line in carried:
        once.setdefault(line.weapon if line.exclusive else line.name, line)
    close = ("pistol", "close-quarters")
    pistols = [x for x in once.values() if any(a.name in close for a in x.abilities)]
    others = [line for line in once.values() if line not in pistols]
    used = list(once.values()) if big or not others else others
    return tuple((line.name, max(1, line.count)) for line in used)
