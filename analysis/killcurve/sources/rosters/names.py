"""Names as army lists write them: one key for singular and plural, and near misses word by word.

A near miss is told word by word, since whole names of units are alike that are not the same
("Captain in Gravis Armour", "Captain in Terminator Armour").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TypeVar

from killcurve.rules.spelling import normal, suggestions

T = TypeVar("T")

_WORD = re.compile(r"[^\W_]+")
_TAG = re.compile(
    r"\s*[\[(]\s*(?:legends?|l[ée]gendes?|aura|psychic|upgrade)\s*[\])]", re.IGNORECASE
)
_GLUED = re.compile(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])")
_SMALL = frozenset({"a", "an", "and", "in", "of", "on", "the", "w", "with"})
ALIKE = 0.8
"""How alike two words are that are one word and a slip of it."""
LONGEST = 120
"""Letters of a name; longer ones are only found exactly."""


@lru_cache(maxsize=65536)
def key(name: str) -> str:
    """The form in which names are compared: also hyphens, plurals and "the" do not count.

    >>> key("The Close-combat Weapons") == key("close combat weapon")
    True
    >>> key("Boyz") == key("Boy"), key("Wolves") == key("Wolf"), key("Axes") == key("Axe")
    (True, True, True)
    >>> key("C’tan Shard") == key("Ctan shard")
    True
    """
    words = _WORD.findall(normal(name.replace("&", " and ")).replace("'", ""))
    kept = [word for word in words if word != "the"] or words
    return " ".join(_singular(word) for word in kept)


def _singular(word: str) -> str:
    """A stem that singular and plural share; no word of its own."""
    if word.endswith("men") and len(word) > 3:
        return word[:-3] + "man"
    if len(word) > 3 and word[-1] in "sz" and not word.endswith("ss"):
        word = word[:-1]
    word = word.removesuffix("e") if len(word) > 2 else word
    return word[:-1] + {"v": "f", "y": "i"}.get(word[-1], word[-1])


def bare(name: str) -> str:
    """A name without marks such as ``[Legends]`` and ``(Upgrade)``.

    >>> bare("Storm Engine [Legends]"), bare("Show-Off (Aura) (Upgrade)")
    ('Storm Engine', 'Show-Off')
    """
    return _TAG.sub("", name).strip()


def base(name: str) -> str:
    """A kind of model without what it carries: ``Trooper w/ gun`` is a ``Trooper``.

    >>> base("Trooper w/ storm gun"), base("Trooper with Storm Gun"), base("Trooper (gun)")
    ('Trooper', 'Trooper', 'Trooper')
    """
    return re.split(r"\s+(?:w/|with\b|avec\b|\()", name, maxsplit=1)[0].strip() or name


def unglued(name: str) -> list[str]:
    """The two names that a lost comma has glued together, if so.

    >>> unglued("Gun DroneTwin blaster"), unglued("Gun Drone")
    (['Gun Drone', 'Twin blaster'], ['Gun Drone'])
    """
    return [part.strip() for part in _GLUED.split(name) if part.strip()]


def same_but_for_a_slip(one: str, other: str) -> bool:
    """Whether two keys have the same words, but for letters.

    >>> same_but_for_a_slip(key("Khan Berserkers"), key("Khan Berzerkers"))
    True
    >>> same_but_for_a_slip(key("Captain in Gravis Armour"), key("Captain in Terminator Armour"))
    False
    """
    first, second = one.split(), other.split()
    if len(first) != len(second) or not first:
        return False
    least = ALIKE if len(first) > 1 else 0.85
    return all(a == b or _alike(a, b) >= least for a, b in zip(first, second, strict=True))


@lru_cache(maxsize=65536)
def _alike(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio() if min(len(one), len(other)) > 3 else 0.0


def find(name: str, known: Mapping[str, T]) -> T | None:
    """What a name stands for among things by key: the same key, else the only near miss.

    >>> find("Storm guns", {key("Storm gun"): 1, key("Bell"): 2}), find("Drum", {"bel": 2})
    (1, None)
    """
    wanted = key(name)
    if wanted in known or len(wanted) > LONGEST:
        return known.get(wanted)
    close = [other for other in known if same_but_for_a_slip(wanted, other)]
    return known[close[0]] if len(close) == 1 else None


def holding(name: str, known: Mapping[str, T]) -> T | None:
    """The only thing whose name has all the words of this one and the fewest others.

    >>> known = {key("Chaos Rhino"): 1, key("Chaos Rhino of Doom"): 2, key("Bell"): 3}
    >>> holding("Rhino", known), holding("Chaos", {"chao rhino": 1, "chao bell": 2})
    (1, None)
    """
    wanted = words(key(name))
    more = sorted(
        (len(words(other) - wanted), other) for other in known if wanted and wanted <= words(other)
    )
    if not more or (len(more) > 1 and more[0][0] == more[1][0]):
        return None
    return known[more[0][1]]


def held(name: str, known: Mapping[str, T]) -> T | None:
    """The only thing whose name lies within this one, by words.

    >>> held("Jackal chainblades", {key("Chainblade"): 1, key("Pistol"): 2})
    1
    """
    mine = words(key(name))
    inside = sorted(
        (-len(words(other)), other) for other in known if words(other) and words(other) <= mine
    )
    if not inside or (len(inside) > 1 and inside[0][0] == inside[1][0]):
        return None
    return known[inside[0][1]]


@lru_cache(maxsize=65536)
def words(of_key: str) -> frozenset[str]:
    """The words of a key that tell names apart."""
    return frozenset(of_key.split()) - _SMALL


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The names that one may be a slip for, else those that share most of its words.

    >>> nearest("Storm gum", ["Storm gun", "Bell"]), nearest("Void gun", ["Storm gun", "Bell"])
    (['Storm gun'], ['Storm gun'])
    """
    names = sorted(set(known)) if len(name) <= LONGEST else []
    close = suggestions(bare(name), names, most)
    if close:
        return close
    mine = words(key(bare(name)))
    shared = sorted((-len(words(key(other)) & mine), other) for other in names)
    return [other for number, other in shared if number][:most]


def by_key(names: Iterable[str]) -> dict[str, str]:
    """Names by their keys, the first of each."""
    found: dict[str, str] = {}
    for name in names:
        found.setdefault(key(name), name)
    return found
