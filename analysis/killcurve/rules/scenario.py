"""Scenario files: one question about one volley, read and checked (SCENARIO)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from killcurve.engine.edition import Edition, edition
from killcurve.engine.hashing import Remembers, hashed_once
from killcurve.rules.choices import CHOICES, Choices, read_choices
from killcurve.rules.reading import (
    Node,
    ScenarioError,
    flag,
    frozen,
    number,
    one_of,
    thawed,
)
from killcurve.rules.sides import ATTACKER, TARGET, ArmedModel, Unit, Words, read_unit, read_weapon
from killcurve.rules.situation import CONTEXT_FLAGS
from killcurve.rules.spelling import normal

CHOOSING_NOTHING = Choices()
PHASES = ("shooting", "fight")

OPTIONS = {
    "torrent_ignores_snap": ("torrent_ignores_snap", True),
    "indirect_flat": ("indirect_flat", True),
    "dw_respects_allocated_dr": ("allocated_changes_spare_devastating", False),
}
"""Contested rules that may be read otherwise (RULES.md §3.2, §6.4): the edition's switch of each,
and the option's value that sets it."""

_TOP = (
    "edition",
    "phase",
    "attacker",
    "target",
    "context",
    "choices",
    "options",
    "id",
    "name",
    "note",
)


@hashed_once
@dataclass(frozen=True, slots=True)
class Scenario(Remembers):
    """One question, checked: who attacks whom, how, and under which rules.

    ``unmodelled`` lists what a lenient reading did not understand.
    """

    edition: Edition
    ranged: bool
    weapons: tuple[ArmedModel, ...]
    attacker: Unit
    target: Unit
    flags: frozenset[str] = frozenset()
    ticked: frozenset[str] = frozenset()
    distance: float | None = None
    choices: Choices = CHOOSING_NOTHING
    unmodelled: tuple[str, ...] = ()


def read_scenario(data: object, *, lenient: bool = False) -> Scenario:
    """Check a scenario as read from JSON or TOML.

    With ``lenient`` a keyword or effect that is not understood is listed under ``unmodelled``
    instead of being an error.

    Raises:
        ScenarioError: with the place and what is allowed there.

    >>> read_scenario({"attacker": {"weapons": [{"attacks": 1, "damage": 0.5}]}, "target": {}})
    Traceback (most recent call last):
    ...
    killcurve.rules.reading.ScenarioError: attacker.weapons[0].damage: 0.5 is neither \
a number nor dice such as 3, D6, 2D3+1
    """
    copied = frozen(data)
    return _read(data, lenient) if copied is None else _read_again(copied, lenient)


@lru_cache(maxsize=512)
def _read_again(copied: bytes, lenient: bool) -> Scenario:
    return _read(thawed(copied), lenient)


def _read(data: object, lenient: bool) -> Scenario:
    top = Node.of(data, "", _TOP)
    words = Words(lenient)
    rules = _with_options(top.read("edition", edition, edition("11e")), top)
    phase = one_of(top, "phase", PHASES, "shooting")
    attacker = top.node("attacker", ATTACKER)
    weapons = tuple(
        read_weapon(item, path, phase, words) for item, path in attacker.items("weapons")
    )
    target = top.node("target", TARGET)
    defender = read_unit(target, words)
    if not defender.groups:
        raise ScenarioError("a target has at least one group of models", target.at("models"))
    context = top.node("context", (*CONTEXT_FLAGS, "ticked", "distance"))
    return Scenario(
        edition=rules,
        ranged=phase == "shooting",
        weapons=weapons,
        attacker=read_unit(attacker, words),
        target=defender,
        flags=_implied({f for f in CONTEXT_FLAGS if context.read(f, flag, False)}),
        ticked=frozenset(normal(str(item)) for item, _ in context.items("ticked")),
        distance=context.read("distance", number, None),
        choices=read_choices(top.node("choices", CHOICES), defender, weapons),
        unmodelled=tuple(words.unread),
    )


def _implied(flags: set[str]) -> frozenset[str]:
    """A unit below half its strength is below its starting strength, too."""
    also = {f.replace("_half", "_starting") for f in flags if f.endswith("_below_half")}
    return frozenset(flags | also)


def _with_options(rules: Edition, top: Node) -> Edition:
    """The rule state with other readings of contested rules, where a scenario asks for them."""
    node = top.node("options", tuple(OPTIONS))
    asked = {name: node.read(name, flag, False) for name in OPTIONS if node.has(name)}
    switches: dict[str, Any] = {
        OPTIONS[name][0]: value is OPTIONS[name][1] for name, value in asked.items()
    }
    return replace(rules, **switches)
