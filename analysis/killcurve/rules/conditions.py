"""Conditions of effects: ``half_range``, ``target is monster``, quoted words (SCENARIO)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from killcurve.rules.spelling import did_you_mean, normal

FLAGS = (
    "half_range",
    "cover",
    "charged",
    "stationary",
    "leading",
    "target_below_half",
    "target_below_starting",
    "target_on_objective",
    "attacker_on_objective",
    "closest_target",
    "engaged",
    "unit_below_half",
    "unit_below_starting",
)
"""Conditions that are a flag of the circumstances."""

STRONGER = "strength > toughness"


@dataclass(frozen=True, slots=True)
class Clause:
    """One condition; all clauses of an effect must hold.

    ``kind`` is ``flag``, ``within``, ``keyword``, ``stronger`` or ``words``. A ``keyword``
    clause asks whether ``whose`` unit (``target``, ``unit`` or ``attacker``) has one of the
    keywords.
    """

    kind: str
    words: tuple[str, ...]
    whose: str = ""
    negated: bool = False

    def __str__(self) -> str:
        if self.kind == "words":
            return f'"{self.words[0]}"'
        if self.kind == "within":
            return f"{'not ' if self.negated else ''}within {self.words[0]}"
        if self.kind == "keyword":
            is_not = "is not" if self.negated else "is"
            return f"{self.whose} {is_not} {' or '.join(self.words)}"
        return self.words[0]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known when an effect is asked whether it holds.

    ``flags`` are the context flags that are set, ``ticked`` the quoted conditions (normal
    form) a person says hold, ``distance`` to the target in inches if known, and the keywords
    of the unit that uses the rule, of its opponent and of the attacker, in normal form.
    """

    flags: frozenset[str] = frozenset()
    ticked: frozenset[str] = frozenset()
    distance: float | None = None
    keywords: dict[str, frozenset[str]] = field(default_factory=dict)

    def holds(self, clause: Clause, *, stronger: bool) -> bool:
        """Whether a clause holds; ``stronger``: Strength is above Toughness.

        >>> Facts(flags=frozenset({"half_range"})).holds(parse("half_range")[0], stronger=False)
        True
        """
        if clause.kind == "flag":
            return clause.words[0] in self.flags
        if clause.kind == "stronger":
            return stronger
        if clause.kind == "words":
            return normal(clause.words[0]) in self.ticked
        if clause.kind == "within":
            return self._within(float(clause.words[0])) is not clause.negated
        has = self.keywords.get(clause.whose, frozenset())
        return any(normal(word) in has for word in clause.words) is not clause.negated

    def _within(self, inches: float) -> bool:
        if self.distance is not None:
            return self.distance <= inches
        return inches >= 12 and "long_range" not in self.flags


def parse(text: str) -> tuple[Clause, ...]:
    """Read conditions joined by ``and``.

    Raises:
        ValueError: pointing at the clause that is not understood.

    >>> [str(c) for c in parse('half_range and target is not fly or aircraft and "a b"')]
    ['half_range', 'target is not fly or aircraft', '"a b"']
    >>> parse("half_rnge")
    Traceback (most recent call last):
    ...
    ValueError: condition 'half_rnge' is not known; did you mean 'half_range'?
    Words of your own go in double quotes, for a person to tick
    """
    parts = re.split(r'\s+and\s+(?=(?:[^"]*"[^"]*")*[^"]*$)', text.strip())
    return tuple(_clause(part.strip()) for part in parts)


def _clause(text: str) -> Clause:
    if found := re.fullmatch(r'"([^"]+)"', text):
        return Clause("words", (found[1],))
    if text in FLAGS:
        return Clause("flag", (text,))
    if re.sub(r"\s+", " ", text) == STRONGER:
        return Clause("stronger", (STRONGER,))
    if found := re.fullmatch(r"(not )?within (\d+)", text):
        return Clause("within", (found[2],), negated=bool(found[1]))
    if found := re.fullmatch(r"(target|unit|attacker) is (not )?(\S.*)", text):
        words = tuple(w.strip() for w in re.split(r"\s+or\s+", found[3]))
        return Clause("keyword", words, whose=found[1], negated=bool(found[2]))
    raise ValueError(
        f"condition {text!r} is not known{did_you_mean(text, (*FLAGS, STRONGER))}\n"
        "Words of your own go in double quotes, for a person to tick"
    )
