"""Loadouts of the community dataset: models, their default weapons, exchanges and limits.

The bundle tells three things apart: exchanges with who may make them, budgets that several things
share, and "variants", other whole sets of weapons for a model. Variants repeat what exchanges
say already, or are the bare set that an exchange adds to; only one that has a thing which
nothing else gives is an exchange of its own (of all that the model has).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Any

from killcurve.rules.spelling import normal
from killcurve.sources.community.units import Data, Names, Record, statline

Row = dict[str, Any]
Unit = tuple[str, str]

SAME_OPTION = "the same option stands there twice"
LACKING = "a choice with a weapon that the datasheet lacks"
NO_KIND = "its kind of model is none of the unit's"
VARIANT = "a set of weapons that exchanges give, or add to"


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of model under a name of its own: ``printed`` is what options call it."""

    name: str
    printed: str
    record: Record


@dataclass(slots=True)
class _Sheet:
    """A unit while its options are read."""

    place: dict[str, str]
    unit: Record
    kinds: list[_Kind]
    names: Names
    aside: Counter[str]
    rows: list[Row] = field(default_factory=list)

    def add(self, kind: str, choices: Sequence[Sequence[str]], **more: object) -> None:
        """One more row; ``choices`` are things by name."""
        row = {**self.place, "option": len(self.rows) + 1, "kind": kind, "replaces": []}
        self.rows.append({**row, "choices": [" + ".join(c) for c in choices], **more})

    def thing(self, item: str) -> str | None:
        """How options call a thing; ``None`` if it is a weapon that the datasheet lacks."""
        own = self.unit.get("weapon_ids") or ()
        weapon = self.names.weapons.get((self.unit["faction_id"], item))
        if weapon is None:
            return item.replace("-", " ").capitalize()
        called = normal(weapon["name"])
        alike = [w for w in dict.fromkeys(own) if normal(self._name(w)) == called]
        if len(alike) > 1:
            return item if item in alike else None
        return str(weapon["name"]) if alike else None

    def _name(self, weapon_id: str) -> str:
        weapon = self.names.weapons.get((self.unit["faction_id"], weapon_id))
        return str(weapon["name"]) if weapon else weapon_id

    def things(self, items: Iterable[str]) -> list[str] | None:
        """Several things; ``None`` if the datasheet lacks one."""
        named = [self.thing(item) for item in items]
        return None if None in named else [name for name in named if name is not None]


def rows(data: Data, names: Names) -> tuple[dict[str, list[Row]], dict[str, dict[str, int]]]:
    """The rows of the tables about loadouts, and what was left out as table → reason → number."""
    sheets = {(u["faction_id"], u["id"]): u for u in data["units"]}
    composed = {
        (c["faction_id"], c["unit_id"]): (c, _kinds(c))
        for c in data["unit_compositions"]
        if names.unit(c) is not None
    }
    aside: Counter[str] = Counter()
    options: dict[Unit, list[Record]] = {}
    for option in data["wargear_options"]:
        options.setdefault((option["faction_id"], option["unit_id"]), []).append(option)
    exchanged: list[Row] = []
    for key, unit in sheets.items():
        place = {"faction": names.factions[key[0]], "datasheet": unit["name"]}
        kinds = composed[key][1] if key in composed else []
        sheet = _Sheet(place, unit, kinds, names, aside)
        _options(sheet, options.get(key, []))
        exchanged += sheet.rows
    made = {
        "compositions": [
            row
            for key, (record, kinds) in composed.items()
            for row in _compositions(record, kinds, sheets[key], names)
        ],
        "default_weapons": [
            row
            for record, kinds in composed.values()
            for row in _default_weapons(record, kinds, names)
        ],
        "wargear_options": exchanged,
    }
    return made, {"wargear_options": dict(+aside)}


def _kinds(composition: Record) -> list[_Kind]:
    """The kinds of models; one that has the name of another gets a number behind it."""
    seen: Counter[str] = Counter()
    kinds = []
    for model in composition["models"]:
        name = model["name"]
        seen[name] += 1
        numbered = name if seen[name] == 1 else f"{name} {seen[name]}"
        kinds.append(_Kind(numbered, name, model))
    return kinds


def _compositions(
    composition: Record, kinds: Sequence[_Kind], unit: Record, names: Names
) -> Iterator[Row]:
    place = names.unit(composition)
    known = [profile["name"] for profile in unit["profiles"]]
    tiers = composition.get("tiers") or [{"models": composition["models"]}]
    for tier, size in enumerate(tiers, start=1):
        seen: Counter[str] = Counter()
        for model in size["models"]:
            of_name = [kind for kind in kinds if kind.printed == model["name"]]
            kind = of_name[min(seen[model["name"]], len(of_name) - 1)] if of_name else None
            seen[model["name"]] += 1
            wanted = kind.record.get("profile_name") if kind else None
            yield {
                **(place or {}),
                "tier": tier,
                "model": kind.name if kind else model["name"],
                "statline": statline(wanted or model["name"], known),
                "count_min": model["min"],
                "count_max": model["max"],
            }


def _default_weapons(composition: Record, kinds: Sequence[_Kind], names: Names) -> Iterator[Row]:
    place = names.unit(composition) or {}
    for kind in kinds:
        for weapon, count in Counter(kind.record.get("default_weapon_ids") or ()).items():
            if (composition["faction_id"], weapon) in names.weapons:
                yield {**place, "model": kind.name, "weapon_id": weapon, "count": count}


def _options(sheet: _Sheet, options: Sequence[Record]) -> None:
    """All rows of a unit: its exchanges, its limits, and what it carries besides weapons."""
    seen = set()
    for option in options:
        choices = option.get("replacement_choice") or [option.get("replacement") or []]
        content = repr(
            (
                sorted((option["model_constraint"] or {}).items()),
                sorted(option.get("replaces") or ()),
                sorted(map(sorted, choices)),
            )
        )
        if content in seen:
            sheet.aside[SAME_OPTION] += 1
            continue
        seen.add(content)
        _exchange(sheet, option, choices)
    for kind in sheet.kinds:
        _variants(sheet, kind, options)
    for budget in sheet.unit.get("wargear_budgets") or ():
        _budget(sheet, budget)
    for kind in sheet.kinds:
        carried = [
            item
            for item in kind.record.get("default_weapon_ids") or ()
            if (sheet.unit["faction_id"], item) not in sheet.names.weapons
        ]
        if carried:
            things = sheet.things(carried) or []
            sheet.add("carried", [[thing] for thing in things], model=kind.name)


def _exchange(sheet: _Sheet, option: Record, choices: Sequence[Sequence[str]]) -> None:
    """The rows of one option, one for each kind of model that its name stands for."""
    named = [sheet.things(choice) for choice in choices]
    known = [choice for choice in named if choice]
    sheet.aside[LACKING] += len(named) - len(known)
    replaces = sheet.things(option.get("replaces") or ())
    limits = option["model_constraint"] or {}
    kinds = _of_name(limits.get("model_name"), sheet.kinds)
    flat = not limits.get("any_number") and "per_n_models" not in limits
    limited = flat or "per_n_models" in limits
    if not known or replaces is None:
        sheet.aside[LACKING] += 0 if known else 1
        return
    if not kinds or (limited and len(kinds) > 1):
        sheet.aside[NO_KIND] += 1
        return
    for kind in kinds:
        sheet.add("exchange", known, replaces=replaces, model=kind, **_limits(limits))


def _of_name(name: str | None, kinds: Sequence[_Kind]) -> list[str | None]:
    """The kinds that a name stands for: those of the name, else those that begin with it."""
    if name is None:
        return [None]
    same = [kind.name for kind in kinds if kind.printed == name]
    return [*same] or [k.name for k in kinds if normal(k.printed).startswith(normal(name))]


def _limits(limits: Mapping[str, Any]) -> Row:
    """How often one model and the unit may: ``any_number`` is each model, so many times."""
    most = limits.get("max_count")
    if limits.get("any_number") or not limits:
        return {"each": most}
    if "per_n_models" in limits:
        return {"times": 1, "per_models": limits["per_n_models"], "at_most": most}
    return {"at_most": most or 1}


def _every(count: int, per_models: int) -> Row:
    """A share as a limit: ``4`` for ``10`` models are 2 for every 5.

    >>> _every(4, 10), _every(2, 0)
    ({'times': 2, 'per_models': 5}, {'at_most': 2})
    """
    if not per_models:
        return {"at_most": count}
    both = gcd(count, per_models)
    return {"times": count // both, "per_models": per_models // both}


def _budget(sheet: _Sheet, budget: Record) -> None:
    """What several things share: one limit for all, and one for each where that is told."""
    things = [thing for item in budget["items"] if (thing := sheet.thing(item)) is not None]
    if not things:
        sheet.aside[LACKING] += 1
        return
    each_alone = budget.get("duplicate_limit")
    sheet.add("limit", [[t] for t in things], **_every(budget["count"], budget["per_models"]))
    if each_alone:
        for thing in things:
            sheet.add("limit", [[thing]], **_every(each_alone, budget["per_models"]))


def _within_reach(sheet: _Sheet, kind: _Kind, options: Sequence[Record]) -> set[str | None]:
    """What a model of the kind has by default, and what exchanges lead to from there, by name."""
    reached = {sheet.thing(item) for item in kind.record.get("default_weapon_ids") or ()}
    before = -1
    while before != len(reached):
        before = len(reached)
        for option in options:
            if reached.issuperset(map(sheet.thing, option.get("replaces") or ())):
                choices = option.get("replacement_choice") or [option.get("replacement") or []]
                reached.update(sheet.thing(item) for choice in choices for item in choice)
    return reached


def _variants(sheet: _Sheet, kind: _Kind, options: Sequence[Record]) -> None:
    """The whole sets of weapons that no exchange leads to, those with a common limit together."""
    own = kind.record.get("default_weapon_ids") or []
    told = kind.record.get("loadout_variants") or []
    reached = _within_reach(sheet, kind, options) if told else set()
    kept = [v for v in told if own and set(map(sheet.thing, v["weapon_ids"])) - reached]
    sheet.aside[VARIANT] += len(told) - len(kept)
    waiting = {variant["name"]: variant for variant in kept}
    for budget in kind.record.get("loadout_variant_budgets") or ():
        group = [waiting[name] for name in budget["variant_names"] if name in waiting]
        if len(group) > 1 and budget["scope"] == "model-row":
            _variant_row(sheet, kind, own, group, _every(budget["count"], budget["per_models"]))
            for variant in group:
                del waiting[variant["name"]]
    for variant in waiting.values():
        _variant_row(sheet, kind, own, [variant], {"at_most": variant.get("max_count")})


def _variant_row(
    sheet: _Sheet, kind: _Kind, own: Sequence[str], group: Sequence[Record], limits: Row
) -> None:
    named = [(variant, sheet.things(variant["weapon_ids"])) for variant in group]
    known = [(variant, things) for variant, things in named if things]
    replaces = sheet.things(own)
    sheet.aside[LACKING] += len(named) - len(known)
    if not known or replaces is None:
        return
    choices = [things for _, things in known]
    sheet.add("exchange", choices, replaces=replaces, model=kind.name, **limits)
    most = limits.get("at_most")
    for variant, things in known:
        alone = variant.get("max_count")
        others = {t for _, more in known if more is not things for t in more}
        mark = next((t for t in things if t not in others and t not in replaces), None)
        if len(known) > 1 and alone and most and alone < most and mark:
            sheet.add("limit", [[mark]], at_most=alone * things.count(mark))
