"""Wargear options are controlled English: who may, what goes, what comes. Read or left alone.

``For every 5 models in this unit, 1 Guard's pike can be replaced with one of the following:`` has
a share, a subject, a verb and choices; a text that has anything else is not understood.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from killcurve.rules.spelling import normal
from killcurve.sources.wahapedia.account import Row

Kinds = Callable[[str], Sequence[str]]
"""What a printed name of a kind of model is called in the sizes of a unit."""

_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_N = r"(?:\d{1,2}|an?|one|two|three|four|five|six)"
_SHARE = re.compile(
    r"for every (?P<per>\d+) (?:models|[\w' -]+?) in (?:this|the) unit, (?P<rest>.+)", re.IGNORECASE
)
_CONTAINS = re.compile(
    r"if this unit contains (?P<least>\d+)(?: or more)? models, (?P<rest>.+)", re.IGNORECASE
)
_IF = re.compile(
    r"if this model is equipped with (?P<needs>.+?), (?P<who>this model|its|it) (?P<rest>.+)",
    re.IGNORECASE,
)
_REPLACED = re.compile(
    r"(?P<who>.+?)(?:'s?) (?P<old>.+?) can (?:each )?be replaced(?: with| by)? (?P<new>.+)"
)
_HAVE_REPLACED = re.compile(
    r"(?P<who>.+?) can (?:each )?have (?:its|their|his|her) (?P<old>.+?) "
    r"(?:each )?replaced(?: with| by)? (?P<new>.+)"
)
_REPLACE = re.compile(
    r"(?P<who>.+?) can (?:each )?replace (?:its|their|his|her) (?P<old>.+?) with (?P<new>.+)"
)
_ADDED = re.compile(r"(?P<who>.+?) can (?:each )?(?:be equipped with|have)(?P<new>:| .+)")
_EACH_OF = re.compile(
    r"each of this model's (?P<old>.+?) can (?:each )?be replaced (?:with|by) (?P<new>.+)"
)
_SOME_OF = re.compile(
    rf"(?P<number>{_N}) of this model's (?P<old>.+?) can be replaced (?:with|by) (?P<new>.+)"
)
_KEPT = re.compile(
    r"[ .]*[(\[]?(?:that|this) model's (?P<kept>[^()\[\]]+?) cannot (?:then )?be replaced"
    r"[.)\]]*$",
    re.IGNORECASE,
)
_REMARK = re.compile(r" ?(?:\([^()]*\)|\[[^\[\]]*\])")
_LIST = re.compile(
    rf"(?:(?P<first>.+?) and )?(?:up to (?P<most>{_N}) of|(?:one|on|1) of|(?P<any>any of)) "
    r"the following\*?"
    r"(?P<remark>,? (?:and|but) can(?:not)? take duplicates"
    r"| \((?:duplicates are not allowed|but cannot be equipped with duplicates of the same weapon)"
    r"\))?[*.:;]*",
    re.IGNORECASE,
)
_UP_TO = re.compile(rf"up to (?P<most>{_N}) (?:additional )?(?P<name>.+)", re.IGNORECASE)
_ANY = re.compile(r"(?:any numbers? of|each) (?P<names>.+?)(?: in this unit)?", re.IGNORECASE)
_ALL = re.compile(r"all (?:of the )?(?P<names>.+?) in this unit", re.IGNORECASE)
_SEVERAL = re.compile(rf"up to (?P<most>{_N}) (?P<names>.+)", re.IGNORECASE)
_SOME = re.compile(rf"(?P<most>{_N}) (?P<names>.+)", re.IGNORECASE)
_EQUIPPED = re.compile(
    r"(?P<who>.+?) (?:that (?:is|are) )?"
    r"(?P<not>not )?equipped with (?:either )?(?P<what>.+)",
    re.IGNORECASE,
)
_COUNTED = re.compile(rf"(?:(?P<count>{_N}) )?(?:additional )?(?P<name>.+)", re.IGNORECASE)
_MOST_ALIKE = 12
"""More of a thing than this is no wargear."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a datasheet speaks of: its weapons, its kinds of models, and what each has."""

    weapons: Sequence[str]
    kinds: Kinds
    carried: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def things(self, text: str, *, counted: bool = False) -> list[str] | None:
        """The things of ``2 pikes and a bell``, each as often as it is there; ``None`` if unclear.

        A thing that is no weapon of the datasheet needs a count before it if ``counted``.
        """
        words = text.strip(" .;:*")
        whole = self._thing(words, counted=counted, only_weapons=True)
        if whole is not None:
            return whole
        for comma in (", and ", " and ", ", "):
            head, found, tail = words.partition(comma)
            while found:
                first = self._thing(head, counted=counted, only_weapons=False)
                rest = self.things(tail, counted=counted) if first is not None else None
                if first is not None and rest is not None:
                    return first + rest
                more, found, tail = tail.partition(comma)
                head = f"{head}{comma}{more}"
        return self._thing(words, counted=counted, only_weapons=False)

    def _thing(self, text: str, *, counted: bool, only_weapons: bool) -> list[str] | None:
        found = _COUNTED.fullmatch(text.strip())
        if found is None:
            return None
        count = number(found["count"]) if found["count"] else 1
        weapon = self.weapon(found["name"]) or (self.weapon(text) if found["count"] else None)
        if not 1 <= count <= _MOST_ALIKE:
            return None
        if weapon is not None:
            return [weapon] * count
        is_plain = len(text) <= 50 and not re.search(r" and |, |[:*()]| or |following", text)
        if only_weapons or not is_plain or (counted and not found["count"]):
            return None
        return [found["name"].strip()] * count

    def weapon(self, name: str) -> str | None:
        """The weapon of a name, in the singular or the plural."""
        word = normal(name.strip(" *"))
        forms = {word, word.removesuffix("s"), word.removesuffix("es"), f"{word}s"}
        return next((w for w in self.weapons if normal(w) in forms), None)


def number(word: str) -> int:
    """``2`` and ``two``.

    >>> number("3"), number("Two")
    (3, 2)
    """
    return int(word) if word.isdigit() else _NUMBERS[word.casefold()]


def read(text: str, known: Vocabulary) -> list[Row] | None:
    """The rows of an option without their place and number; ``None`` if it is not understood.

    The first has the exchange; limits that the text adds come after it.

    >>> known = Vocabulary(["Storm gun", "Pike"], lambda name: [])
    >>> [row] = read("For every 5 models in this unit, 1 model’s pike can be replaced with "
    ...              "1 storm gun and 1 bell.", known)
    >>> row["replaces"], row["choices"], row["times"], row["per_models"]
    (['Pike'], ['Storm gun + bell'], 1, 5)
    >>> read("This model’s pike can be lent to a friend.", known) is None
    True
    """
    lines = [line.strip(" -•■") for line in text.replace("’", "'").replace("‘", "'").split("\n")]
    head, listed = lines[0].strip(" *"), [line for line in lines[1:] if line]
    row: Row = {}
    needs: list[str] | None = []
    kept = _KEPT.search(head)
    if kept:
        head = head[: kept.start()]
        needs = known.things(kept["kept"])
    head = head.rstrip(" .*")
    share, contains, needed = (form.fullmatch(head) for form in (_SHARE, _CONTAINS, _IF))
    if share:
        head, row["per_models"] = share["rest"], int(share["per"])
    elif contains:
        head, row["per_models"] = contains["rest"], int(contains["least"])
    elif needed:
        who = "This model's" if needed["who"] == "its" else "This model"
        head, needs = f"{who} {needed['rest']}", known.things(needed["needs"])
    if needs is None:
        return None
    row["needs"] = needs
    found = _verb(head, listed, known, row)
    return None if found is None else list(_rows(found, contained=bool(contains)))


@dataclass(frozen=True, slots=True)
class _Read:
    row: Row
    choices: list[list[str]]
    alike: bool = True
    apart: bool = False


def _verb(head: str, listed: Sequence[str], known: Vocabulary, row: Row) -> _Read | None:
    """Who may, what goes and what comes."""
    each, some = (form.fullmatch(_lower(head)) for form in (_EACH_OF, _SOME_OF))
    if each or some:
        found = each or some
        assert found is not None
        old = known.things(found["old"])
        if old is None or len(set(old)) != 1:
            return None
        if some:
            row["replaces"] = [old[0]] * number(some["number"])
        else:
            most = max((c.get(old[0], 0) for c in known.carried.values()), default=0)
            if not most:
                return None
            row |= {"replaces": [old[0]], "each": most}
        return _coming(found["new"], listed, known, row)
    for form in (_HAVE_REPLACED, _REPLACE, _REPLACED, _ADDED):
        found = form.fullmatch(head)
        if found is None:
            continue
        subject = _subject(found["who"], known, row)
        old = known.things(found["old"]) if form is not _ADDED else []
        if not subject or old is None:
            continue
        row["replaces"] = old
        return _coming(found["new"], listed, known, row)
    return None


def _lower(head: str) -> str:
    return head[:1].casefold() + head[1:]


def _subject(who: str, known: Vocabulary, row: Row) -> bool:
    """Who may make the exchange: into the row; whether it is understood."""
    told = dict(row)
    who = re.sub(r"^(?:This|The|the) (?=model\b|unit\b)", "this ", who.strip())
    equipped = _EQUIPPED.fullmatch(who)
    if equipped:
        who = equipped["who"]
        words = re.sub(r" or (?:an? )?", " and ", equipped["what"])
        things = known.things(words)
        if things is None:
            return False
        column = "without" if equipped["not"] else "needs"
        told[column] = [*told.get(column, []), *things]
    share = told.get("per_models")
    every, together, several, some = (f.fullmatch(who) for f in (_ANY, _ALL, _SEVERAL, _SOME))
    names = ""
    if who in ("this model", "it", "this unit"):
        if who != "this model" and not share:
            told["at_most"] = 1
        told |= {"times": 1} if share else {}
    elif every and not share:
        names = every["names"]
    elif together and not share:
        names, told["together"] = together["names"], True
    elif several or some:
        found = several or some
        assert found is not None
        names = found["names"]
        told["times" if share else "at_most"] = number(found["most"])
    elif re.match(r"the ", who, re.IGNORECASE):
        names = who[4:]
        told |= {"times": 1} if share else {}
    else:
        return False
    return _of_kind(names, known, told, row)


def _of_kind(names: str, known: Vocabulary, told: Row, row: Row) -> bool:
    """Name the kind of model; ``models`` are any."""
    if names and normal(names) not in ("model", "models"):
        kinds = known.kinds(re.sub(r" models?$", "", names))
        if not kinds:
            return False
        told["models"] = list(kinds)
    row.clear()
    row.update(told)
    return True


def _coming(new: str, listed: Sequence[str], known: Vocabulary, row: Row) -> _Read | None:
    """What comes in place of what goes."""
    words = new.strip(" *")
    if not words.strip(":") and len(listed) == 1:
        return _one(listed[0], known, row)
    found = _LIST.fullmatch(words)
    if found is None:
        return None if listed else _one(words, known, row)
    first = known.things(found["first"]) if found["first"] else []
    if first is None or not listed:
        return None
    if found["most"]:
        row["each"] = number(found["most"])
    choices = []
    for line in listed:
        things = known.things(_REMARK.sub("", line), counted=False)
        if things is None:
            return None
        choices.append(first + things)
    remark = (found["remark"] or "").casefold()
    alike = not ("not" in remark and found["most"])
    return _Read(row, choices, alike=alike, apart=bool(found["any"]))


def _one(words: str, known: Vocabulary, row: Row) -> _Read | None:
    """A single choice: some things, or up to so many of one thing."""
    several = _UP_TO.fullmatch(words)
    if several:
        things = known.things(several["name"])
        if things is None or len(things) != 1 or row.get("replaces"):
            return None
        row["each"] = number(several["most"])
        return _Read(row, [things])
    things = known.things(words, counted=True)
    return None if things is None else _Read(row, [things])


def _rows(found: _Read, *, contained: bool) -> Iterator[Row]:
    row = found.row
    if row.get("per_models"):
        row.setdefault("times", 1)
    if contained:
        row["at_most"] = row["times"]
    needs = set(row.pop("needs", ())) - set(row["replaces"])
    if needs:
        row["needs"] = sorted(needs)
    # A kind may be called otherwise at another size (1 Guard, 2 Guards): there is a row of each.
    for model in row.pop("models", [None]):
        for choices in [[choice] for choice in found.choices] if found.apart else [found.choices]:
            yield {"kind": "exchange", **row, "model": model, "choices": _joined(choices)}
    if not found.alike:
        for choice in found.choices:
            yield {"kind": "limit", "replaces": [], "choices": _joined([choice]), "each": 1}


def _joined(choices: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(" + ".join(choice) for choice in choices))
