"""Weapons, target and effects that a person makes up: the state, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from killcurve.engine.dice import Dice
from killcurve.explore.answers import Asked, Scale, View, view
from killcurve.explore.attacks import Plain, scenario
from killcurve.explore.phrases import check
from killcurve.explore.targets import Targets, TargetState
from killcurve.explore.unit_state import EDITIONS, FLAGS, PHASES
from killcurve.rules.abilities import Ability
from killcurve.rules.spelling import normal
from killcurve.study.own_rules import holding
from killcurve.tables.dataset import DataError

MOST_WEAPONS = 8
SKILLS = {0: "hits by itself", **{need: f"{need}+" for need in range(2, 7)}}
"""Skills with their labels."""


@dataclass(frozen=True, slots=True)
class OwnWeapon:
    """A weapon line: ``skill`` 0 hits by itself, ``ap`` is 0 or negative, dice are texts such as
    ``D6+1``, ``keywords`` have commas between them."""

    name: str = "Weapon"
    count: int = 5
    attacks: str = "2"
    skill: int = 3
    strength: str = "4"
    ap: int = 0
    damage: str = "1"
    keywords: str = ""

    def faults(self) -> dict[str, str]:
        """What is wrong, by field.

        >>> OwnWeapon(attacks="D", keywords="lethal hit").faults()["keywords"]
        "'lethal hit' is no weapon ability; did you mean 'lethal hits'?"
        """
        found: dict[str, str] = {}
        for name in ("attacks", "strength", "damage"):
            try:
                Dice.parse(getattr(self, name).strip())
            except ValueError as error:
                found[name] = str(error)
        for word in self.abilities():
            try:
                Ability.parse(word)
            except ValueError as error:
                found["keywords"] = str(error)
        return found

    def abilities(self) -> list[str]:
        """The keywords, each by itself."""
        return [word.strip() for word in self.keywords.split(",") if word.strip()]

    def plain(self, place: int) -> Plain:
        """The weapon as a scenario has it."""
        return {
            "name": self.name.strip() or f"weapon {place}",
            "count": self.count,
            "attacks": self.attacks.strip(),
            "skill": self.skill or None,
            "strength": self.strength.strip(),
            "ap": self.ap,
            "damage": self.damage.strip(),
            "keywords": self.abilities(),
        }


@dataclass(frozen=True, slots=True)
class OwnState:
    """Everything that is made up; texts of effects are phrases of the effect language."""

    weapons: tuple[OwnWeapon, ...] = (OwnWeapon(),)
    phase: str = "shooting"
    keywords: str = "infantry"
    effects: str = ""
    target: TargetState = field(default_factory=TargetState)
    target_effects: str = ""
    flags: tuple[str, ...] = ()
    edition: str = "11e"


def settled(targets: Targets, state: OwnState) -> OwnState:
    """The state with every choice that does not exist replaced by one that does."""
    return replace(
        state,
        weapons=state.weapons[:MOST_WEAPONS] or (OwnWeapon(),),
        phase=state.phase if state.phase in PHASES else "shooting",
        target=targets.settled(state.target),
        flags=tuple(flag for flag in FLAGS if flag in state.flags),
        edition=state.edition if state.edition in EDITIONS and state.edition else "11e",
    )


def question(targets: Targets, state: OwnState, *, plain: bool = False) -> Plain:
    """The state as a scenario; ``plain`` without the effects that a person has written.

    Raises:
        DataError: naming the weapon and the field that is wrong.
    """
    for place, weapon in enumerate(state.weapons, start=1):
        for name, message in weapon.faults().items():
            raise DataError(f"weapon {place} ({weapon.name}), {name}: {message}")
    target = targets.defender(state.target)
    theirs = holding(target.rules, "defender", state.phase)
    return scenario(
        edition=state.edition,
        phase=state.phase,
        weapons=[weapon.plain(i) for i, weapon in enumerate(state.weapons, start=1)],
        target=target,
        effects=() if plain else check(state.effects).effects,
        target_effects=theirs if plain else (*theirs, *check(state.target_effects).effects),
        keywords=[normal(word) for word in state.keywords.split(",") if word.strip()],
        flags=state.flags,
    )


def own_view(targets: Targets, state: OwnState, scale: Scale | None = None) -> View:
    """What a settled state shows."""
    asked, plain = question(targets, state), question(targets, state, plain=True)
    return view(
        Asked(
            scenario=asked,
            attacker="the unit",
            target=targets.defender(state.target).name,
            conditions=", ".join(FLAGS[flag] for flag in state.flags),
            plain=None if asked == plain else plain,
            help="the effects written",
            remarks=tuple(_remarks(state)),
            scale=scale,
        )
    )


def _remarks(state: OwnState) -> Iterator[str]:
    for text, side in ((state.effects, "effects"), (state.target_effects, "target's effects")):
        for fault in check(text).faults:
            yield f"Left out of the {side}: {fault.message}"
