"""The effect language: one short phrase is one frozen :class:`Effect` (SCENARIO).

``hit +1 for melee if target is monster`` has a body (``hit +1``), a scope and a condition. The
bodies are listed in :data:`FORMS`: a new kind of effect is a new line there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from killcurve.engine.dice import Dice
from killcurve.engine.target import Against, Protection
from killcurve.rules import conditions
from killcurve.rules.abilities import ABILITIES, Ability
from killcurve.rules.conditions import Clause
from killcurve.rules.spelling import did_you_mean, typographic

CHARACTERISTICS = (
    "skill",
    "attacks",
    "strength",
    "ap",
    "damage",
    "range",
    "toughness",
    "save",
    "wounds",
    "leadership",
    "move",
    "objective control",
)
REROLLED = ("hits", "wounds", "damage", "attacks", "saves", "advance", "charge")
IGNORED = ("hit", "skill", "wound", "ap", "damage")
CHANGED_ROLLS = ("hit", "wound", "damage", "save")


@dataclass(frozen=True, slots=True)
class Shift:
    """A characteristic or a roll changed: ``+1``, ``-D3`` or ``= 3``.

    ``when_allocated``: only once the attack is allocated to a model; ``once``: for one attack.
    """

    sign: str
    by: Dice
    when_allocated: bool = False
    once: bool = False

    @property
    def signed(self) -> int:
        """The change as a number; dice count by their size, which must be certain."""
        if not self.by.is_fixed or self.sign == "=":
            raise ValueError(f"{self} is not a certain change")
        return self.by.bonus if self.sign == "+" else -self.by.bonus

    def __str__(self) -> str:
        number = f"= {self.by}" if self.sign == "=" else f"{self.sign}{self.by}"
        return number + " once" * self.once + " when allocated" * self.when_allocated


@dataclass(frozen=True, slots=True)
class MortalPool:
    """Mortal wounds: a number, or dice of which each success is one.

    >>> str(MortalPool(Dice.parse("6D6"), on=4, most=6))
    '6D6 on 4+ max 6'
    """

    dice: Dice
    on: int | None = None
    per_model: bool = False
    most: int | None = None

    def __str__(self) -> str:
        text = str(self.dice)
        if self.on is not None:
            dice = f"{self.dice.count}D{self.dice.sides}"
            text = f"{dice}{' per model' if self.per_model else ''} on {self.on}+"
        return text + (f" max {self.most}" if self.most is not None else "")


Options = tuple[tuple["Effect", ...], ...]
Amount = Shift | Ability | MortalPool | Protection | Dice | int | str | Options | None


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect: what changes, by how much, for which weapons, and when.

    ``what`` is the kind (``hit``, ``reroll hits``, ``ability``, ``mortal wounds``, …);
    ``scope`` limits it to ``melee``, ``ranged``, weapons with an ability, or a weapon's name
    in quotes.

    >>> str(Effect.parse("hit  +1 for melee if target is Monster or vehicle"))
    'hit +1 for melee if target is monster or vehicle'
    >>> Effect.parse("hitt +1")
    Traceback (most recent call last):
    ...
    ValueError: 'hitt +1' is no effect; did you mean 'hit +1'?
    """

    what: str
    amount: Amount = None
    scope: str | None = None
    condition: tuple[Clause, ...] = ()

    @classmethod
    def parse(cls, phrase: str) -> Effect:
        """Read one phrase.

        Raises:
            ValueError: quoting the part that is not understood, with the closest known one.
        """
        return _parse(lowered(typographic(phrase)))

    def __str__(self) -> str:
        write = _WRITTEN.get(self.what, _write_plainly)
        text = write(self)
        if self.scope is not None:
            text += f" for {self.scope}"
        if self.condition:
            text += f" if {' and '.join(str(c) for c in self.condition)}"
        return text


def parse_all(phrases: str | Iterable[str]) -> tuple[Effect, ...]:
    """Read several phrases: a list, or one text with commas between them.

    >>> [str(e) for e in parse_all("hit +1, one of (lethal hits | sustained hits 1)")]
    ['hit +1', 'one of (lethal hits | sustained hits 1)']
    """
    texts = [phrases] if isinstance(phrases, str) else list(phrases)
    return tuple(Effect.parse(p) for text in texts for p in split(text, ",") if p)


def without_weaker(effects: Sequence[Effect]) -> list[Effect]:
    """The effects that hold, without those that a stronger form of the same rule replaces.

    ``ap +2 if X`` stands in for ``ap +1`` where both hold: the stronger one has the weaker
    one's conditions and more (SCENARIO).

    >>> [str(e) for e in without_weaker(parse_all('ap +1, ap +2 if charged, hit +1'))]
    ['ap +2 if charged', 'hit +1']
    """
    return [e for e in effects if not any(_replaces(other, e) for other in effects)]


def _replaces(stronger: Effect, weaker: Effect) -> bool:
    new, old = stronger.amount, weaker.amount
    if not (isinstance(new, Shift) and isinstance(old, Shift)):
        return False
    return (
        (stronger.what, stronger.scope, new.sign) == (weaker.what, weaker.scope, old.sign)
        and new.by.mean > old.by.mean
        and set(stronger.condition) > set(weaker.condition)
    )


def split(text: str, separator: str) -> list[str]:
    """Split at a separator that stands outside quotes and brackets.

    >>> split('a "b, c", one of (d, e | f)', ",")
    ['a "b, c"', 'one of (d, e | f)']
    """
    parts, depth, quoted = [""], 0, False
    for c in text:
        quoted ^= c == '"'
        depth += 0 if quoted else (c == "(") - (c == ")")
        if c == separator and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts]


def lowered(text: str) -> str:
    """In lower case but for what stands in quotes.

    >>> lowered('Hit +1 for "Bolt Rifle" IF Half_Range')
    'hit +1 for "Bolt Rifle" if half_range'
    """
    parts = text.split('"')
    return '"'.join(part if i % 2 else part.lower() for i, part in enumerate(parts))


Builder = Callable[[re.Match[str]], Effect]


def _shift(m: re.Match[str]) -> Effect:
    sign = m["sign"].replace(" ", "")
    shift = Shift(
        sign,
        Dice.parse(m["by"]),
        when_allocated=bool(m["allocated"]),
        once=bool(m["once"]),
    )
    if (shift.once or shift.when_allocated) and m["what"] != "damage":
        raise ValueError(f"'{m[0]}': only Damage can change once, or when allocated")
    return Effect(m["what"], shift)


def _protection(m: re.Match[str]) -> Effect:
    against = Against(m["against"]) if m["against"] else Against.ALL
    return Effect(m["what"], Protection(int(m["value"]), against))


def _pool(m: re.Match[str]) -> Effect:
    most = int(m["most"]) if m["most"] else None
    on = int(m["on"]) if m["on"] else None
    dice = Dice.parse(m["dice"])
    if on is not None and dice.bonus:
        raise ValueError(f"'{m[0]}': a pool is made of dice alone, such as 6D6")
    return Effect("mortal wounds", MortalPool(dice, on, bool(m["per_model"]), most))


def _one_of(m: re.Match[str]) -> Effect:
    options = tuple(parse_all(option) for option in split(m["options"], "|"))
    return Effect("one of", options)


_N = r"\d*D\d+(?:\+\d+)?|\d+"
FORMS: tuple[tuple[str, Builder], ...] = (
    (
        rf"(?P<what>hit|wound|{'|'.join(CHARACTERISTICS)}) ?(?P<sign>[+-]|= ?)(?P<by>{_N})"
        r"(?P<once> once)?(?P<allocated> when allocated)?",
        _shift,
    ),
    (
        rf"reroll (?P<what>{'|'.join(REROLLED)}) (?P<how>ones|failed|noncritical|one)",
        lambda m: Effect(f"reroll {m['what']}", m["how"]),
    ),
    (
        r"critical (?P<what>hits|wounds) (?P<on>[2-6])\+",
        lambda m: Effect(f"critical {m['what']}", int(m["on"])),
    ),
    (
        r"critical wound ap (?P<sign>[+-])(?P<by>\d+)(?P<once>)(?P<allocated>)",
        lambda m: Effect("critical wound ap", Shift(m["sign"], Dice.parse(m["by"]))),
    ),
    (
        rf"ignore (?P<what>{'|'.join(IGNORED)}) modifiers",
        lambda m: Effect("ignore modifiers", m["what"]),
    ),
    (
        rf"mortal wounds (?P<dice>{_N})(?P<per_model> per model)?"
        r"(?: on (?P<on>[2-6])\+)?(?: max (?P<most>\d+))?",
        _pool,
    ),
    (
        r"(?P<what>explosives|crushing impact|tank shock|command re-roll)",
        lambda m: Effect(m["what"]),
    ),
    (
        r"(?P<what>halve damage|cover|stealth)",
        lambda m: Effect(m["what"]),
    ),
    (
        r"snap shooting(?: (?P<on>[2-6])\+)?",
        lambda m: Effect("snap shooting", int(m["on"] or 6)),
    ),
    (
        rf"set one (?P<what>{'|'.join(CHANGED_ROLLS)}) to 6",
        lambda m: Effect("set one", m["what"]),
    ),
    (
        r"(?P<what>invulnerable|feel no pain) (?P<value>\d)\+"
        r"(?: against (?P<against>ranged|melee|mortal|psychic))?",
        _protection,
    ),
    (r"fight on death (?P<on>[1-6])\+", lambda m: Effect("fight on death", int(m["on"]))),
    (rf"heal (?P<by>{_N})", lambda m: Effect("heal", Dice.parse(m["by"]))),
    (rf"return (?P<by>{_N}) models", lambda m: Effect("return models", Dice.parse(m["by"]))),
    (r"one of \((?P<options>.+)\)", _one_of),
)
"""The bodies of phrases, each with what it means."""

_COMPILED = tuple((re.compile(form, re.IGNORECASE), build) for form, build in FORMS)


def _write_plainly(effect: Effect) -> str:
    return f"{effect.what} {effect.amount}"


def _write_protection(effect: Effect) -> str:
    protection = effect.amount
    assert isinstance(protection, Protection)
    scope = "" if protection.against is Against.ALL else f" against {protection.against.value}"
    return f"{effect.what} {protection.value}+{scope}"


def _write_options(effect: Effect) -> str:
    assert isinstance(effect.amount, tuple)
    options = (", ".join(str(e) for e in option) for option in effect.amount)
    return f"one of ({' | '.join(options)})"


_WRITTEN: dict[str, Callable[[Effect], str]] = {
    "ability": lambda e: str(e.amount),
    "critical hits": lambda e: f"critical hits {e.amount}+",
    "critical wounds": lambda e: f"critical wounds {e.amount}+",
    "ignore modifiers": lambda e: f"ignore {e.amount} modifiers",
    "snap shooting": lambda e: "snap shooting" + ("" if e.amount == 6 else f" {e.amount}+"),
    "set one": lambda e: f"set one {e.amount} to 6",
    "invulnerable": _write_protection,
    "feel no pain": _write_protection,
    "fight on death": lambda e: f"fight on death {e.amount}+",
    "return models": lambda e: f"return {e.amount} models",
    "one of": _write_options,
    **{
        what: lambda e: e.what
        for what in (
            *("explosives", "crushing impact", "tank shock", "command re-roll"),
            *("halve damage", "cover"),
        )
    },
    "stealth": lambda e: e.what,
}


@lru_cache(maxsize=8192)
def _parse(phrase: str) -> Effect:
    body, condition = _cut(phrase, " if ")
    body, scope = _cut(body, " for ")
    effect = _body(body.strip())
    return replace(
        effect,
        scope=_scope(scope) if scope else None,
        condition=conditions.parse(condition) if condition else (),
    )


def _cut(text: str, word: str) -> tuple[str, str | None]:
    """The text before and after the first ``word`` that stands outside quotes and brackets."""
    depth, quoted = 0, False
    for i, c in enumerate(text):
        quoted ^= c == '"'
        depth += 0 if quoted else (c == "(") - (c == ")")
        if not quoted and depth == 0 and text[i : i + len(word)].lower() == word:
            return text[:i], text[i + len(word) :].strip()
    return text, None


def _body(text: str) -> Effect:
    for pattern, build in _COMPILED:
        if found := pattern.fullmatch(text):
            effect = build(found)
            return replace(effect, what=effect.what.lower())
    try:
        return Effect("ability", Ability.parse(text))
    except ValueError as error:
        if "is no weapon ability" not in str(error):
            raise
    raise ValueError(f"{text!r} is no effect{did_you_mean(text, _EXAMPLES)}")


def _scope(text: str) -> str:
    if re.fullmatch(r'"[^"]+"', text) or text in ("melee", "ranged"):
        return text
    if text in ABILITIES:
        return text
    raise ValueError(
        f"scope 'for {text}' is not known: melee, ranged, a weapon ability, or a name in quotes"
    )


_EXAMPLES = (
    *(f"{what} {sign}1" for what in ("hit", "wound", *CHARACTERISTICS) for sign in "+-"),
    *(f"reroll {what} {how}" for what in REROLLED for how in ("ones", "failed", "noncritical")),
    *("critical hits 5+", "critical wounds 5+", "critical wound ap +1", "halve damage", "cover"),
    *("ignore hit modifiers", "mortal wounds 6D6 on 4+", "mortal wounds D3", "explosives"),
    *(
        "crushing impact",
        "tank shock",
        "command re-roll",
        "snap shooting",
        "set one hit to 6",
        "invulnerable 4+",
    ),
    *("feel no pain 5+", "stealth", "fight on death 4+", "heal D3", "return D3 models"),
    *(a for a in ABILITIES if a != "anti"),
    *("sustained hits 1", "rapid fire 1", "melta 2", "anti-infantry 4+"),
)
