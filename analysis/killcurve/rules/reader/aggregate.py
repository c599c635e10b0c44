"""The reader of whole rules: from a text to its effects, side, phases and status."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from killcurve.rules.descriptions import Reading
from killcurve.rules.effects import Effect
from killcurve.rules.reader.bearing import may_bear
from killcurve.rules.reader.hearing import hear
from killcurve.rules.reader.phases import phases_of
from killcurve.rules.reader.places import DEFENDER, Found
from killcurve.rules.reader.remembering import note_target
from killcurve.rules.reader.script import script
from killcurve.rules.reader.sections import Sections, sections
from killcurve.rules.reader.talk import Talk
from killcurve.rules.reader.text import LONGEST, lines


def read_rule(
    text: str,
    *,
    name: str = "",  # noqa: ARG001 - a name tells nothing that the text does not
    kind: str = "",
    edition: str | None = None,  # noqa: ARG001 - old wording is printed in both editions
) -> Reading:
    """Read the text of a rule: what it does to attacks, whose, when, and what was not understood.

    ``text`` may hold HTML. ``kind`` is ``stratagem``, ``enhancement`` …: who may be chosen for a
    stratagem is no condition of its effect. Never raises: what bears on attacks and is not
    understood is in ``unread``.

    >>> reading = read_rule("While this model is leading a unit, melee weapons equipped by models "
    ...                     "in that unit have the [LETHAL HITS] ability.")
    >>> [str(effect) for effect in reading.effects], reading.side, reading.phases, reading.status
    (['lethal hits for melee'], 'attacker', ('fight',), 'modelled')
    >>> read_rule("Attacks that target this unit cannot score Critical Hits.").unread
    ('Attacks that target this unit cannot score Critical Hits',)
    """
    if len(text) <= LONGEST and not may_bear(text):
        return Reading((), None, "none")
    parts = sections(lines(text))
    talk = _heard(parts, kind)
    if _lets_shoot_only(talk.found, parts):
        talk.found = []
    unread = list(talk.unread)
    unread += [text for state, text in talk.marked if not _defined(state, text, parts)]
    if len(text) > LONGEST:
        unread.append(f"what follows the first {LONGEST} characters")
    effects = effects_of(talk.found, unread)
    sides = {found.side for found in talk.found}
    side = sides.pop() if len(sides) == 1 else "both" if sides else None
    if effects:
        status = "partial" if unread else "modelled"
    else:
        status = "unmodelled" if unread else "none"
    phases = phases_of(parts, talk.phases, talk.found) if status != "none" else ()
    return Reading(tuple(effects), side, status, tuple(unread), phases)


def _heard(parts: Sections, kind: str) -> Talk:
    """The effect read, and of the restrictions what they say of hits."""
    targeted = " ".join(line.text for line in parts.target)
    talk = Talk(
        is_stratagem=parts.is_stratagem or kind == "stratagem",
        of_destroyed="just destroyed" in targeted,
    )
    when = " ".join(line.text for line in (*parts.when, *parts.effect)).lower()
    if parts.is_stratagem and _is_command_reroll(when):
        talk.found.append(Found("command re-roll", "both"))
        return talk
    for line in parts.target:
        note_target(talk, line.text)
    for told in script(parts.effect):
        hear(talk, told)
    talk.found += talk.survivors
    if parts.restrictions:
        limits = Talk(is_stratagem=True)
        for told in script(parts.restrictions):
            hear(limits, told)
        talk.found += [one for one in limits.found if one.phrase.startswith("snap shooting")]
    return talk


_ANY_ROLL = ("hit roll", "wound roll", "damage roll", "sav")


def _is_command_reroll(text: str) -> bool:
    """Whether any one roll of several kinds may be rolled again."""
    return "re-roll that roll" in text and all(roll in text for roll in _ANY_ROLL)


_ADVANCES = re.compile(r"\badvances?\b", re.I)


def _lets_shoot_only(found: Sequence[Found], parts: Sections) -> bool:
    """Whether all it does is let a unit shoot that Advances: that is of moves, not of attacks."""
    when = " ".join(line.text for line in parts.when)
    return all(
        one.phrase == "assault" and _ADVANCES.search(" ".join((when, *one.conditions)))
        for one in found
    )


def _defined(state: str, said: str, parts: Sections) -> bool:
    """Whether a text tells what a state does that it gives to a unit."""
    name = re.escape(state)
    others = "\n".join(line.text for line in parts.effect).replace(said, "")
    return re.search(rf"\bwhile\b[^.\n]*\b{name}\b|^{name}$", others, re.I | re.M) is not None


def effects_of(found: Sequence[Found], unread: list[str]) -> list[Effect]:
    """The effects in order, those of a choice together; a phrase that is none is ``unread``."""
    phrases: dict[str, None] = {}
    done: set[int] = set()
    for one in _without_repeats(found):
        if one.choice is None:
            phrases[phrase_of(one)] = None
        elif one.choice not in done:
            done.add(one.choice)
            offered = _choice([other for other in found if other.choice == one.choice])
            phrases.update(dict.fromkeys(offered))
    effects: dict[str, Effect] = {}
    for phrase in phrases:
        try:
            effect = Effect.parse(phrase)
        except ValueError:
            unread.append(phrase)
            continue
        effects[str(effect)] = effect
    return list(effects.values())


_ADDS_UP = re.compile(r" [+-]")


def _without_repeats(found: Sequence[Found]) -> list[Found]:
    """Effects without those that say on a condition what was said without it before.

    Numbers may add up, so they stay.
    """
    kept: list[Found] = []
    for one in found:
        alike = [k for k in kept if replace(k, conditions=one.conditions) == one]
        said = any(set(k.conditions) <= set(one.conditions) for k in alike)
        if not said or one.choice is not None or _ADDS_UP.search(one.phrase):
            kept.append(one)
    return kept


def _choice(found: Sequence[Found]) -> list[str]:
    """The phrase of a choice, what all options share behind it; a single option is none."""
    scopes = {one.scope for one in found}
    scope = found[0].scope if len(scopes) == 1 else None
    shared = tuple(c for c in found[0].conditions if all(c in one.conditions for one in found))
    options: dict[int, dict[str, None]] = {}
    for one in found:
        own = tuple(c for c in one.conditions if c not in shared)
        bare = replace(one, scope=None if scope else one.scope, conditions=own)
        options.setdefault(one.option, {})[phrase_of(bare)] = None
    offered = dict.fromkeys(", ".join(phrases) for phrases in options.values())
    if len(offered) == 1:
        return [phrase_of(one) for one in found]
    phrase = f"one of ({' | '.join(offered)})"
    return [phrase_of(replace(found[0], phrase=phrase, scope=scope, conditions=shared))]


def phrase_of(found: Found) -> str:
    """The phrase of an effect with its scope and conditions.

    >>> phrase_of(Found("hit -1", "defender", "melee", conditions=("charged",)))
    'hit -1 for melee if charged'
    """
    text = found.phrase
    if found.scope:
        text += f" for {found.scope}"
    conditions = [
        "target_on_objective" if c == "attacker_on_objective" and found.side == DEFENDER else c
        for c in found.conditions
    ]
    return text + (" if " + " and ".join(conditions) if conditions else "")
