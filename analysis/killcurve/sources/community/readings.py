"""Descriptions of the community dataset, read with all that the bundle tells about them.

A record's notes say where its description is a stub, an approximation or in dispute: what such
a one says is not taken for the whole rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from killcurve.rules.abilities import Ability
from killcurve.rules.conditions import Clause
from killcurve.rules.described.making import OVERWATCH
from killcurve.rules.descriptions import Reading, Setting, read_description
from killcurve.rules.effects import Effect
from killcurve.rules.spelling import normal
from killcurve.sources.community.units import Data, Record

ROUGH = re.compile(
    r"approx|auto-generated|stub|assum|hill-climb|simplif|not[ -](?:en)?coded|not model"
    r"|not gated|not tracked|not express|not carried|model(?:l)?ed as|only models|models only"
    r"|represents|broader than|not checked|unmodel",
    re.IGNORECASE,
)
"""Notes on descriptions that say less, or other, than the rule."""

DEFENSIVE = "defensive ability (skipped for damage calc)"
"""The note of descriptions that nobody looked at because they were taken for defensive."""

ON_ATTACKS = re.compile(
    r"\b(?:hits?|wound(?:s|ed)? rolls?|mortal wounds?|damage|attacks?|strength|toughness|saves?"
    r"|saving|invulnerable|pain|critical|armour penetration|ap|bs|ws|skill|re-?rolls?|cover"
    r"|stealth|benefits|returned models?|heals?)\b|\[(?!approx)",
    re.IGNORECASE,
)
"""Words of notes about something that bears on attacks."""

LIMITING = re.compile(
    r"\bappl(?:y|ies) (?:only|against|while|if)|applies to attacks|attacks only\b|\binstead\b"
    r"|\bonly (?:if|when|while|to|attacks|models?|\w+ models)\b|\badding \d|become \+|prose"
    r"|\bexcludes\b|\bunless\b|while using|while targeting|while one or more"
    r"|\bone (?:hit|wound|damage) roll",
    re.IGNORECASE,
)
"""Words of notes that limit an effect, or tell more of it, where the description does not."""

LASTING = frozenset({"permanent", "battle", "one-use", "resolution"})
LONGER = frozenset(
    {
        *("turn", "battle-round", "until-next-command-phase", "until-next-movement-phase"),
        *("until-next-battle-round", "until-start-next-turn"),
    }
)
LED = frozenset({"is-attached", "model-is-leader"})
CHOSEN = frozenset(
    {"designate-target", "persistent-designation", "select-units", "timing-is", "aura"}
)
"""Nodes that tell whom or when a rule is used on."""

PROVISIONAL = "pre-launch-provisional"
"""The version of descriptions that were made by a machine from older texts, if nobody has noted
anything on them: against the texts, a third of those of units lack a term."""

SURE = frozenset(
    {
        *("cover", "damage", "halve damage", "heal", "ignore modifiers", "invulnerable"),
        *("return models", "save", "stealth", "toughness", "wounds"),
    }
)
SURE_ABILITIES = frozenset({"assault", "ignores cover"})
"""Effects that such descriptions tell whole even without a term."""

NO_TERMS = frozenset({Clause("flag", ("leading",)), OVERWATCH})
"""Conditions that tell whose rule, or which attacks, it is; terms may be missing beside them."""

TERMS = "terms that its description may leave out"
TERMS_HOLD = "the terms on its datasheet hold"

IN_USE = "the ability is in use"
_NO_LETTER = re.compile(r"[^a-z0-9 ]")

MORE = "more than its description tells"
LIMITS = "limits that only its notes tell"


@dataclass(frozen=True, slots=True)
class Descriptions:
    """The ability records of a bundle, and what it tells beside them.

    ``kept`` are readings that were asked for before: a rule stands in many detachments.
    """

    records: Mapping[tuple[str | None, str], Record]
    parents: Mapping[str, str]
    phases: Mapping[tuple[str, str], tuple[str, ...]]
    common: Mapping[str, frozenset[str]]
    known: frozenset[str]
    bundles: Mapping[str, Mapping[str, Any]]
    kept: dict[tuple[object, ...], Reading] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Data) -> Descriptions:
        """Collect them."""
        phases: dict[tuple[str, str], tuple[str, ...]] = {}
        for mapping in data.get("phase_mappings", ()):
            key = (mapping["source_type"], mapping["source_id"])
            phases[key] = tuple(dict.fromkeys((*phases.get(key, ()), *mapping["phases"])))
        keywords: dict[str, list[frozenset[str]]] = {}
        for unit in data["units"]:
            words = {normal(k) for k in (*unit["keywords"], *unit["faction_keywords"])}
            keywords.setdefault(unit["faction_id"], []).append(frozenset(words))
        records = {(a.get("faction_id"), a["ability_id"]): a for a in data["abilities"]}
        factions = data["factions"]
        return cls(
            records=records,
            parents={
                f["id"]: f["parent_faction_id"] for f in factions if f.get("parent_faction_id")
            },
            phases=phases,
            common={f: reduce(frozenset.__and__, sets) for f, sets in keywords.items()},
            known=frozenset().union(*(s for sets in keywords.values() for s in sets))
            | {normal(named["name"]) for named in (*factions, *data["units"])},
            bundles={
                a["ability_id"]: a["effect"]
                for a in data["abilities"]
                if a["effect"].get("type") == "rules-bundle"
            },
        )

    def find(self, faction_id: str | None, ability_id: str | None) -> Record | None:
        """A faction's own record of an ability, else its parent's, else the common one."""
        if not ability_id:
            return None
        parent = self.parents.get(faction_id or "")
        for owner in (faction_id, parent, None):
            if (found := self.records.get((owner, ability_id))) is not None:
                return found
        return next((r for (_, i), r in self.records.items() if i == ability_id), None)

    def read(
        self,
        record: Record,
        kind: str,
        phases: Iterable[str] | None = None,
        keywords: frozenset[str] = frozenset(),
        *,
        leads: bool = False,
    ) -> Reading:
        """Read a record's description as a rule of a kind (see :class:`Setting`).

        ``phases`` are those of a stratagem, ``keywords`` what its units need; ``leads`` is
        whether the rule is that of a leader.
        """
        told = tuple(phases) if phases is not None else self.phases_of(record)
        key = (record.get("faction_id"), record["ability_id"], kind, told, keywords, leads)
        if key not in self.kept:
            setting = self._setting(record, kind, told, keywords, leads=leads)
            reading = read_description(record["effect"], setting)
            self.kept[key] = _doubted(_bare(reading, record), record)
        return self.kept[key]

    def _setting(
        self,
        record: Record,
        kind: str,
        phases: tuple[str, ...],
        keywords: frozenset[str],
        *,
        leads: bool,
    ) -> Setting:
        scope = record["scope"]
        faction = record.get("faction_id") or ""
        own = self.common.get(self.parents.get(faction, faction), frozenset())
        return Setting(
            kind=kind,
            phases=phases,
            keywords=own | keywords,
            known=self.known,
            leads=leads,
            passing=_in_use(record, kind, phases),
            outlasts_phase=_outlasts_phase(scope["duration"], kind),
            inches=inches(record),
            bundles=self.bundles,
        )

    def phases_of(self, record: Record) -> tuple[str, ...]:
        """The phases in which an ability matters, as far as the bundle tells."""
        found: tuple[str, ...] = ()
        for kind in ("ability", "enhancement", "detachment-rule"):
            found = found or self.phases.get((kind, record["ability_id"]), ())
        return found


def inches(record: Record) -> int | None:
    """The reach of a rule in inches."""
    scope = record["scope"]
    given = scope.get("range_inches") or scope["range"].removeprefix("aura-")
    return int(given) if str(given).isdigit() else None


def types(node: object) -> set[str]:
    """The types of all nodes in a tree."""
    if isinstance(node, list):
        return set().union(*(types(item) for item in node))
    if not isinstance(node, Mapping):
        return set()
    own = {str(node["type"])} if "type" in node else set()
    return own.union(*(types(value) for value in node.values()))


def _outlasts_phase(duration: str, kind: str) -> bool:
    """Whether it works for longer than the phase; "battle" is said of rules that always work."""
    return duration in LONGER or (kind == "stratagem" and duration == "battle")


def _in_use(record: Record, kind: str, phases: tuple[str, ...]) -> str:
    """The words for that a rule is in use, where it works for a time only."""
    duration = record["scope"]["duration"]
    if kind == "faction" and record.get("behavior") == "activated" and duration in LONGER:
        return f"the {_NO_LETTER.sub('', normal(record['name']))} is active"
    return IN_USE if kind != "stratagem" and _is_passing(record, phases) else ""


def _is_passing(record: Record, phases: tuple[str, ...]) -> bool:
    """Whether a rule works for a time, on a unit or target that its description does not tell."""
    if types(record["effect"]) & CHOSEN:
        return False
    scope = record["scope"]
    if scope["duration"] not in LASTING:
        reaches_out = scope["range"].startswith(("aura-", "any-"))
        return record.get("behavior") == "passive" or reaches_out
    return bool({"command", "movement"} & set(phases)) and scope["duration"] != "one-use"


def _bare(reading: Reading, record: Record) -> Reading:
    """The reading of a unit's ability, with a term where one may be missing."""
    is_noted = record.get("community_notes") or record.get("ability_type") != "unit"
    if is_noted or record["game_version"].get("dataslate") != PROVISIONAL:
        return reading
    is_led = bool(types(record["effect"]) & LED)
    kept = [effect for effect in reading.effects if effect.what != "fight on death"]
    effects = tuple(_on_terms(effect) if _is_bare(effect, is_led) else effect for effect in kept)
    if effects == reading.effects:
        return reading
    unread = tuple(dict.fromkeys((*reading.unread, TERMS)))
    if not effects:
        return Reading((), None, "unmodelled", unread)
    return replace(reading, effects=effects, status="partial", unread=unread)


def _is_bare(effect: Effect, is_led: bool) -> bool:
    """Whether an effect has no term, though others of its kind mostly have."""
    has_terms = any(clause not in NO_TERMS for clause in effect.condition)
    if has_terms or (is_led and effect.scope) or effect.what in SURE:
        return False
    return not (isinstance(effect.amount, Ability) and effect.amount.name in SURE_ABILITIES)


def _on_terms(effect: Effect) -> Effect:
    return replace(effect, condition=(*effect.condition, Clause("words", (TERMS_HOLD,))))


def _doubted(reading: Reading, record: Record) -> Reading:
    """The reading, as far as the record's notes let it stand."""
    note = str(record.get("community_notes") or "")
    if record.get("disputed"):
        return _without_effects(reading, "its description is in dispute")
    if note == DEFENSIVE and reading.side in ("attacker", "both"):
        return _without_effects(reading, "its description is of a defensive rule")
    if ROUGH.search(note):
        why = MORE
    elif LIMITING.search(note) and not any(map(_is_limited, reading.effects)):
        why = LIMITS
    else:
        return reading
    if reading.effects:
        unread = tuple(dict.fromkeys((*reading.unread, why)))
        return replace(reading, status="partial", unread=unread)
    if reading.status == "none" and why == MORE and ON_ATTACKS.search(note):
        return replace(reading, status="unmodelled", unread=(why,))
    return reading


def _is_limited(effect: Effect) -> bool:
    """Whether an effect says of itself when, or for which weapons, it holds."""
    if isinstance(effect.amount, tuple):
        return any(_is_limited(inner) for option in effect.amount for inner in option)
    return bool(effect.condition) or effect.scope not in (None, "melee", "ranged")


def _without_effects(reading: Reading, why: str) -> Reading:
    if reading.status == "none":
        return reading
    return Reading((), None, "unmodelled", tuple(dict.fromkeys((*reading.unread, why))))
