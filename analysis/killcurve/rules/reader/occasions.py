"""Occasions: each time who attacks whom with what, is attacked, or is destroyed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from killcurve.rules.reader import givens, nouns, quoting
from killcurve.rules.reader.arms import Arms, arms, arms_with
from killcurve.rules.reader.clauses import types
from killcurve.rules.reader.sides import ENEMY, OWN, side_of
from killcurve.rules.reader.users import of_attacked, of_attacker, of_user
from killcurve.rules.reader.words import Word, Words, phrase


@dataclass(frozen=True, slots=True)
class Occasion:
    """When an effect works.

    ``kind`` is ``attacks`` (the side makes attacks), ``attacked``, ``allocated``, ``unsaved``,
    ``destroyed``, ``chosen`` (to shoot or fight), ``moved`` or ``other``; ``side`` is the side
    that makes the attacks, is attacked or destroyed, if that is clear. ``phases`` are those the
    words name.
    """

    kind: str
    side: str | None = None
    scope: str | None = None
    ranged: str | None = None
    conditions: tuple[str, ...] = ()
    phases: frozenset[str] = field(default_factory=frozenset)


def occasion(words: Words, sentence: str, *, is_stratagem: bool = False) -> Occasion:
    """What a clause behind ``each time`` or ``when`` tells.

    >>> from killcurve.rules.reader.words import words
    >>> text = "a model in your unit makes a melee attack that targets a MONSTER unit"
    >>> occasion(words(text), text)
    Occasion(kind='attacks', side='own', scope='melee', ranged='melee', \
conditions=('target is monster',), phases=frozenset())
    """
    kinds = types(words)
    if kinds[:1] == ["YOU"] and words[-1].text.lower().startswith("stratagem"):
        return Occasion("chosen")
    made = _with_attack(words, sentence, is_stratagem=is_stratagem)
    return made or _attack_is_made(words, sentence) or _without_attack(words, sentence)


def _with_attack(words: Words, sentence: str, *, is_stratagem: bool) -> Occasion | None:
    """An occasion on which somebody attacks or an attack finds its target."""
    kinds = types(words)
    for i, type_ in enumerate(kinds):
        if type_ == "MAKE" and "ATTACK" in kinds[i : i + 9]:
            return _makes_attack(words, i, sentence, is_stratagem)
        if type_ == "TARGETS" and i > 0 and "BE" not in kinds[max(0, i - 2) : i]:
            return _targets(words, i, sentence, is_stratagem)
        if type_ == "ALLOCATED":
            return _allocated(words, i, sentence, is_stratagem)
        if type_ == "EQUIPPED_BY" and words[i].text.lower() == "made against":
            return _suffers("attacked", words, words[i:], sentence)
    return None


def _without_attack(words: Words, sentence: str) -> Occasion:
    """An occasion that is no attack."""
    kinds = set(types(words))
    side = side_of(words)
    if {"SAVE", "FAILED"} <= kinds:
        return Occasion("unsaved", OWN)
    if {"DESTROYED", "BE"} <= kinds:
        return Occasion("destroyed", side, ranged=arms(words, "").ranged)
    moves = tuple(name.lower() for name in ("CHARGED", "STATIONARY") if name in kinds)
    if moves and side != ENEMY:
        return Occasion("moved", side, conditions=moves)
    named = {"SHOOT": "shooting", "FIGHT": "fight"}
    phases = frozenset(phase for type_, phase in named.items() if type_ in kinds)
    if "SELECTED" in kinds and phases:
        return Occasion("chosen", side, phases=phases)
    said = quoting.quoted(phrase(words, sentence))
    return Occasion("other", side, conditions=(said,), phases=phases)


def _allocated(words: Words, at: int, sentence: str, is_stratagem: bool) -> Occasion:
    """``an attack [made by <whom>] is allocated to <whom>``."""
    kinds = types(words[:at])
    makers = words[kinds.index("EQUIPPED_BY") : at] if "EQUIPPED_BY" in kinds else ()
    if side_of(makers) != OWN:
        return _suffers("allocated", words, words[at:], sentence)
    whom = tuple(w for w in words[at + 1 :] if w.type != "TO")
    about = givens.of_target(whom, sentence, is_stratagem=is_stratagem)
    return _occasion("attacks", OWN, arms(words[:at], sentence), of_user(makers, OWN), about)


def _suffers(kind: str, words: Words, whose: Words, sentence: str) -> Occasion:
    """``an attack is allocated to …``, ``an attack is made against …``."""
    only = arms(words, "").ranged
    attack = [w for w in words[: len(words) - len(whose)] if w.type != "BE"]
    conditions = of_user(whose, None)
    if "WITH" in types(attack):
        said = attack[types(attack).index("WITH") :]
        conditions.append(quoting.quoted("attack " + phrase(said, sentence)))
    return Occasion(kind, side_of(whose), only, only, tuple(conditions))


def _makes_attack(words: Words, at: int, sentence: str, is_stratagem: bool) -> Occasion:
    """``<who> makes <what> attack [with <weapon>] [that targets <whom>]``."""
    kinds = types(words)
    attack = kinds.index("ATTACK", at)
    who = words[:at]
    side = side_of(who)
    ends = [i for i in range(attack, len(kinds)) if kinds[i] in ("TARGETS", "AGAINST")]
    target = min(ends, key=lambda i: (kinds[i] != "TARGETS", i), default=None)
    behind = words[attack + 1 : target]
    armed = _both(arms_with(behind, sentence), arms(words[at + 1 : attack + 1], sentence))
    whom = words[target + 1 :] if target is not None else ()
    if whom and (side == ENEMY or (side is None and side_of(_head(whom)) == OWN)):
        return _occasion("attacked", OWN, armed, of_attacked(whom, sentence))
    conditions = of_user(who, side)
    conditions += nouns.relative(who, sentence) if side != ENEMY else []
    if whom:
        about = givens.of_target(whom, sentence, is_stratagem=is_stratagem)
    else:
        about = _circumstances(behind, sentence)
    return _occasion("attacks", side, armed, conditions, about)


def _attack_is_made(words: Words, sentence: str) -> Occasion | None:
    """``an attack is made with <weapon>`` or ``by <whom>``."""
    kinds = types(words)
    at = next((i for i, pair in enumerate(pairwise(kinds), 1) if pair == ("BE", "EQUIPPED_BY")), 0)
    if "ATTACK" not in kinds[:at]:
        return None
    makers = words[at:]
    side = side_of(makers)
    armed = _both(arms_with(makers, sentence), arms(words[:at], sentence))
    users = [] if words[at].text.lower().endswith("with") else of_user(makers, side)
    return _occasion("attacks", side, armed, users)


def _targets(words: Words, at: int, sentence: str, is_stratagem: bool) -> Occasion:
    """``<attack or attacker> targets <whom>``."""
    who, whom = words[:at], words[at + 1 :]
    kinds = types(who)
    made_by = "EQUIPPED_BY" in kinds
    makers = who[kinds.index("EQUIPPED_BY") :] if made_by else who
    attacker, target = side_of(makers), side_of(_head(whom))
    armed = arms(who, sentence)
    bare = "ATTACK" in kinds and not made_by and kinds[0] != "THAT" and attacker is None
    if bare and target != ENEMY:
        return _occasion("attacked", target, armed, of_attacked(whom, sentence))
    if attacker == ENEMY or (target == OWN and attacker != OWN):
        return _occasion("attacked", OWN, armed, of_attacker(makers), of_attacked(whom, sentence))
    with_it = _own_weapon(whom)
    if with_it is not None:
        armed = _both(arms_with(whom[with_it:], sentence), armed)
        whom = whom[:with_it]
    about = givens.of_target(whom, sentence, is_stratagem=is_stratagem)
    return _occasion("attacks", attacker or OWN, armed, of_user(makers, attacker), about)


def _occasion(kind: str, side: str | None, armed: Arms, *conditions: Sequence[str]) -> Occasion:
    said = (*armed.conditions, *(c for group in conditions for c in group))
    return Occasion(kind, side, armed.scope, armed.ranged, said)


def _both(first: Arms, second: Arms) -> Arms:
    """The weapons of two phrases; the first one's scope counts."""
    return Arms(
        first.scope or second.scope,
        second.ranged or first.ranged,
        (*second.conditions, *first.conditions),
    )


def _head(words: Sequence[Word]) -> Sequence[Word]:
    """A noun phrase up to what it is near to, or has."""
    for i, word in enumerate(words):
        if i and word.type in ("WITHIN", "THAT", "WITH", "WHILE", "IF", "AND"):
            return words[:i]
    return words


def _circumstances(words: Sequence[Word], sentence: str) -> list[str]:
    """What follows an attack and is no weapon: ``in a turn in which it charged``."""
    left = [w for w in words if w.type not in ("COMMA", "THAT", "THIS", "TURN", "PHASE")]
    if not left or left[0].type in ("WITH", "EQUIPPED_BY"):
        return []
    if "CHARGED" in types(left):
        return ["charged"]
    return [quoting.quoted(phrase(left, sentence))]


def _own_weapon(words: Sequence[Word]) -> int | None:
    """Where ``with its harpoon`` begins behind a target."""
    for i in range(1, len(words) - 1):
        if words[i].type == "WITH" and words[i + 1].type in ("ITS", "THIS", "BEARER"):
            return i
    return None
