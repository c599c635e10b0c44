"""Which weapons or attacks words speak of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from killcurve.rules.abilities import ABILITIES
from killcurve.rules.reader import quoting
from killcurve.rules.reader.vocabulary import wordset
from killcurve.rules.reader.words import Word, Words, phrase


@dataclass(frozen=True, slots=True)
class Arms:
    """Which weapons or attacks words speak of: a scope of the effect language, conditions.

    ``ranged`` is ``ranged`` or ``melee`` if only such are meant.
    """

    scope: str | None = None
    ranged: str | None = None
    conditions: tuple[str, ...] = ()


_WEAPON_WORDS = frozenset({"torrent", "pistol", "pistols", "psychic", "blast", "melta", "hazardous",
                           "assault", "heavy", "precision", "lance"})  # fmt: skip
_NO_NAMES = wordset(
    "weapon weapons attack attacks all any of its their this that those such each both model "
    "models unit units bearer bearers one other ability abilities with in equipped also own "
    "are is from army your friendly enemy these either it if a an and or to not following below "
    "apply selected resolving making"
)


def arms(words: Sequence[Word], sentence: str) -> Arms:
    """The weapons that a noun phrase speaks of.

    >>> from killcurve.rules.reader.words import words
    >>> arms(words("ranged weapons equipped by models in your unit"), "").scope
    'ranged'
    >>> text = "this model's storm rockets"
    >>> arms(words(text), text).scope
    '"storm rockets"'
    """
    outside = without_excluded(words)
    kinds = [w.type for w in outside]
    melee, ranged = "MELEE" in kinds, "RANGED" in kinds
    only = None if melee == ranged else ("melee" if melee else "ranged")
    conditions: list[str] = []
    scope: str | None = only
    abilities = [_ability_name(w) for w in outside if w.type == "ABILITY"]
    for i, word in enumerate(outside):
        low = word.text.lower()
        following = kinds[i + 1] if i + 1 < len(kinds) else ""
        if word.type == "PSYCHIC" and following in ("WEAPON", "ATTACK", "RANGED", "MELEE"):
            abilities.append("psychic")
        elif low in _WEAPON_WORDS and following == "WEAPON":
            abilities.append(low)
        elif low in ("pistol", "pistols") and kinds[i - 1 : i] != ["WORD"]:
            abilities.append("pistol")
    known = [a for a in abilities if a in ABILITIES and a != "anti"]
    if known:
        scope = known[0] if len(set(known)) == 1 else scope
        if scope not in known:
            conditions.append(quoting.quoted("weapon has " + " or ".join(known)))
    names = names_of_weapons(outside)
    if len(names) == 1 and not known:
        scope = f'"{names[0]}"'
    elif names:
        conditions.append(quoting.quoted("weapon is " + _listed(names, words, sentence)))
    excluded = phrase(_excluded(words), sentence) if _excluded(words) else ""
    if excluded and any(w.type in ("WEAPON", "ABILITY") for w in _excluded(words)):
        conditions.append(quoting.quoted("weapon is not " + excluded))
    return Arms(scope, only, tuple(conditions))


def _listed(names: Sequence[str], words: Sequence[Word], sentence: str) -> str:
    """Names of weapons as the sentence lists them."""
    firsts, lasts = names[0].split(), names[-1].split()
    texts = [w.text.lower() for w in words]
    if sentence and firsts[0] in texts and lasts[-1] in texts:
        start = texts.index(firsts[0])
        end = len(texts) - texts[::-1].index(lasts[-1])
        if start < end:
            return phrase(words[start:end], sentence)
    return " or ".join(names)


def _ability_name(word: Word) -> str:
    name = word.text.strip("[]").lower().split(":")[0].strip()
    for known in ABILITIES:
        if name == known or name.startswith(known + " "):
            return known
    return name


def names_of_weapons(words: Sequence[Word]) -> list[str]:
    """The names of weapons in a noun phrase: before ``equipped by``, behind ``its``.

    >>> from killcurve.rules.reader.words import words
    >>> names_of_weapons(words("this model's storm rockets and twin lance that target a unit"))
    ['storm rockets', 'twin lance']
    """
    names: list[list[str]] = [[]]
    for word in _where_named(words):
        if word.type in ("OR", "COMMA", "AND"):
            names.append([])
        elif word.type in ("THAT", "WITH", "IN", "WITHIN"):
            break
        elif word.text.lower() not in _NO_NAMES and word.type in ("WORD", "KEYWORD", "SHOOT"):
            names[-1].append(word.text.lower())
    said = [" ".join(name) for name in names if name]
    return [name for name in said if name not in _WEAPON_WORDS and '"' not in name]


def _where_named(words: Sequence[Word]) -> Sequence[Word]:
    """The words among which weapons are named."""
    kinds = [w.type for w in words]
    if "EQUIPPED_BY" in kinds:
        return words[: kinds.index("EQUIPPED_BY")]
    owned = [
        i + 1
        for i, word in enumerate(words)
        if word.type in ("ITS", "BEARER")
        or (word.text.endswith(("'s", "s'")) and word.type in ("MODEL", "UNIT", "WORD", "KEYWORD"))
    ]
    return words[owned[-1] :] if owned else ()


def _excluded(words: Sequence[Word]) -> Words:
    kinds = [w.type for w in words]
    if "EXCLUDING" not in kinds:
        return ()
    start = kinds.index("EXCLUDING") + 1
    end = kinds.index("CLOSE", start) if "CLOSE" in kinds[start:] else len(kinds)
    return tuple(words[start:end])


def without_excluded(words: Sequence[Word]) -> list[Word]:
    """The words outside brackets."""
    depth = 0
    found = []
    for word in words:
        depth += word.type == "OPEN"
        if depth == 0:
            found.append(word)
        depth -= word.type == "CLOSE" and depth > 0
    return found


def goes_back(words: Sequence[Word]) -> bool:
    """Whether words speak of weapons that were named before: ``an attack with such a weapon``."""
    kinds = [w.type for w in words]
    return ("THAT", "WEAPON") in pairwise(kinds)


def arms_with(words: Sequence[Word], sentence: str) -> Arms:
    """The weapons behind ``with``: ``with its storm rockets``."""
    kinds = [w.type for w in words]
    start = next((i for i, k in enumerate(kinds) if k in ("WITH", "EQUIPPED_BY")), None)
    if start is None:
        return Arms()
    rest = list(words[start + 1 :])
    stop = next((i for i, w in enumerate(rest) if w.type in ("THAT", "WHILE") and i > 0), len(rest))
    rest = rest[:stop]
    if rest and rest[0].type not in ("ITS", "BEARER"):
        owner = Word("ITS", "its", rest[0].start, rest[0].start)
        rest = [owner, *[w for w in rest if w.type not in ("THIS", "THAT")]]
    return arms(rest, sentence)
