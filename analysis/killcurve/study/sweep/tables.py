"""The sweep's small tables: names, and how they lead to the halves that results are kept by.

``lines`` (weapon, set of effects, context) lead to ``armaments`` and these to classes of targets;
``attack_keys`` and ``target_keys`` say which halves a line and a target come to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from killcurve.study.sweep.arming import Arming
from killcurve.study.sweep.combinations import Combinations
from killcurve.study.sweep.effect_sets import EffectSet
from killcurve.study.sweep.field import Field
from killcurve.study.sweep.halves import NONE, Classes

Frames = dict[str, pl.DataFrame]

_ID = pl.UInt32()
_NAMES = pl.List(pl.String())

WEAPONS: dict[str, pl.DataType] = {
    "weapon_id": _ID,
    "faction": pl.String(),
    "datasheet": pl.String(),
    "weapon": pl.String(),
    "profile": pl.String(),
    "kind": pl.String(),
    "count": pl.Int64(),
    "default": pl.Boolean(),
    "models": pl.Int64(),
    "points": pl.Int64(),
    "attacks": pl.String(),
    "skill": pl.Int64(),
    "strength": pl.String(),
    "ap": pl.Int64(),
    "damage_of_one": pl.String(),
    "abilities": _NAMES,
    "unmodelled": _NAMES,
}
EFFECT_SETS: dict[str, pl.DataType] = {
    "effect_set": _ID,
    "help": pl.String(),
    "detachment": pl.String(),
    "stratagem": pl.String(),
    "stratagem_detachment": pl.String(),
    "enhancement": pl.String(),
    "cp": pl.Int64(),
    "cost": pl.Int64(),
    "choice": pl.String(),
    "effects": _NAMES,
    "assumes": _NAMES,
    "status": pl.String(),
}
TARGETS: dict[str, pl.DataType] = {
    "target_id": _ID,
    "plain_id": _ID,
    "stat": _ID,
    "target_faction": pl.String(),
    "target": pl.String(),
    "target_models": pl.Int64(),
    "target_points": pl.Int64(),
    "toughness": pl.Int64(),
    "save": pl.Int64(),
    "invulnerable": pl.Int64(),
    "wounds": pl.Int64(),
    "target_keywords": _NAMES,
    **{f"target_{name}": kind for name, kind in EFFECT_SETS.items() if name != "effect_set"},
}
LEFT_OUT: dict[str, pl.DataType] = {
    **{name: kind for name, kind in EFFECT_SETS.items() if name != "effect_set"},
    "faction": pl.String(),
    "side": pl.String(),
    "reason": pl.String(),
    "cases": pl.Int64(),
}


def tables(
    field: Field, found: Combinations, arming: Arming, classes: Classes, refused: int
) -> Frames:
    """The tables of names, and of what leads from them to sides of lines and to targets."""
    return {
        "weapons": pl.DataFrame(list(_weapons(found)), schema=WEAPONS, orient="row"),
        "effect_sets": pl.DataFrame(
            [{"effect_set": i, **_set(s)} for s, i in found.effect_sets.items()],
            schema=EFFECT_SETS,
        ),
        "targets": pl.DataFrame(list(_targets(field, classes)), schema=TARGETS),
        "lines": _lines(found),
        "armaments": _ids(
            ("armament", "target_class", "attack", "harm"),
            np.array([(i, *e) for entries, i in found.armaments.items() for e in entries]),
        ),
        "classes": _ids(
            ("target_class", "target_id"),
            np.array([(c, t) for c, members in enumerate(field.class_members) for t in members]),
        ),
        "left_out": pl.DataFrame(
            [*_left_out(field, found, arming), *_refused(refused)], schema=LEFT_OUT
        ),
    }


def keys(half_of: npt.NDArray[np.int32], names: tuple[str, str, str]) -> pl.DataFrame:
    """A table of what leads to a half: rows and columns of an array of their numbers."""
    rows, columns = np.nonzero(half_of != NONE)
    return _ids(names, np.stack([rows, columns, half_of[rows, columns]], axis=1))


def _ids(names: tuple[str, ...], rows: npt.NDArray[Any]) -> pl.DataFrame:
    rows = rows.reshape(-1, len(names))
    return pl.DataFrame({n: rows[:, i].astype(np.uint32) for i, n in enumerate(names)})


def _weapons(found: Combinations) -> Iterable[tuple[Any, ...]]:
    for number, (unit, line) in enumerate(found.weapons):
        yield (
            number,
            unit.faction,
            unit.datasheet,
            line.weapon,
            line.profile,
            line.kind,
            max(1, line.count),
            bool(line.count),
            unit.models,
            unit.points,
            str(line.attacks),
            line.skill,
            str(line.strength),
            line.ap,
            str(line.damage),
            [str(ability) for ability in line.abilities],
            list(found.unmodelled.get(number, ())),
        )


def _set(effects: EffectSet) -> dict[str, Any]:
    """A set of effects in words."""
    rules = {rule.kind: rule for rule in effects.rules}
    stratagem, enhancement = rules.get("stratagem"), rules.get("enhancement")
    detachment = rules.get("detachment")
    first = effects.rules[0] if effects.rules else None
    assumed = [
        str(clause).strip('"')
        for effect in effects.effects
        for clause in effect.condition
        if clause.kind in ("flag", "words")
    ]
    return {
        "help": effects.kind,
        "detachment": detachment.name if detachment else first.detachment if first else "",
        "stratagem": stratagem.name if stratagem else "",
        "stratagem_detachment": stratagem.detachment if stratagem else "",
        "enhancement": enhancement.name if enhancement else "",
        "cp": stratagem.cp if stratagem else None,
        "cost": enhancement.cost if enhancement else None,
        "choice": effects.choice,
        "effects": [str(effect) for effect in effects.effects],
        "assumes": list(dict.fromkeys(assumed)),
        "status": ", ".join(dict.fromkeys(rule.status for rule in effects.rules)),
    }


def _targets(field: Field, classes: Classes) -> Iterable[Mapping[str, Any]]:
    stat_of = field.stat_of()
    for target in range(len(field)):
        unit = field.unit(target)
        first = unit.target.groups[0]
        helped = {f"target_{n}": value for n, value in _set(field.set_of[target]).items()}
        yield {
            "target_id": target,
            "plain_id": field.plain[target],
            "stat": int(stat_of[target]),
            "target_faction": unit.faction,
            "target": unit.datasheet,
            "target_models": unit.target.models,
            "target_points": unit.points,
            "toughness": int(classes.toughness[stat_of[target]]),
            "save": first.save,
            "invulnerable": min((p.value for p in first.invulnerable), default=None),
            "wounds": first.wounds,
            "target_keywords": sorted(unit.keywords),
            **helped,
        }


def _lines(found: Combinations) -> pl.DataFrame:
    rows = found.rows
    return pl.DataFrame(
        {
            "weapon_id": [row.weapon for row in rows],
            "effect_set": [row.effect_set for row in rows],
            "context": [", ".join(row.context) for row in rows],
            "armament": [row.armament for row in rows],
            "base": [row.base for row in rows],
        },
        schema={
            "weapon_id": _ID,
            "effect_set": _ID,
            "context": pl.String(),
            "armament": _ID,
            "base": _ID,
        },
    )


def _refused(cases: int) -> Iterable[Mapping[str, Any]]:
    """Combinations that only turned out to be no products when the halves were made."""
    if cases:
        reason = "damage rolls are looked at, against several kinds of models or of wounds"
        yield {"reason": reason, "cases": cases}


def _left_out(field: Field, found: Combinations, arming: Arming) -> Iterable[Mapping[str, Any]]:
    for (effects, reason), cases in found.left_out.items():
        yield {
            **_set(effects),
            "faction": effects.faction,
            "side": "attacker",
            "reason": reason,
            "cases": cases,
        }
    for kind, cast in field.casts.items():
        for defence, targets in cast.items():
            for target in targets if defence in arming.refused else ():
                yield {
                    **_set(field.set_of[target]),
                    "faction": field.unit(target).faction,
                    "side": f"defender, against {kind} attacks",
                    "reason": arming.refused[defence],
                    "cases": 1,
                }
