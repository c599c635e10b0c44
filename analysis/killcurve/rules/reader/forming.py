"""What the grammar of effects makes of a clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lark import Transformer

from killcurve.rules.reader.heads import Grant, Head, Named
from killcurve.rules.reader.words import Word, Words, number


@dataclass(frozen=True, slots=True)
class _Item:
    name: str
    marker: str | None
    on: str | None
    quantity: str | None
    owner: Words


@dataclass(frozen=True, slots=True)
class _Shift:
    sign: str
    item: _Item


@dataclass(frozen=True, slots=True)
class _Had:
    item: _Item


_NAMES = {
    "HIT": "hit",
    "DAMAGE": "damage",
    "ATTACK": "attacks",
    "STRENGTH": "strength",
    "TOUGHNESS": "toughness",
    "AP": "ap",
    "SKILL": "skill",
    "SAVE": "save",
    "INVULNERABLE": "invulnerable",
    "RANGE": "range",
    "NUMBER_OF_ATTACKS": "attacks roll",
    "RESULT": "result",
    "DICE": "roll",
    "ROLL": "roll",
    "CHARACTERISTIC": "characteristic",
}
_ROLLED = {"WOUND": "wound", "DAMAGE": "damage roll", "ATTACK": "attacks roll"}


def _what(name: str, marker: str | None) -> str:
    if marker in ("ROLL", "RESULT") and name in _ROLLED:
        return _ROLLED[name]
    if name == "WOUND":
        return "wounds"
    if name == "RANGE" and marker is None:
        return "other"
    return _NAMES.get(name, "other")


def _resolved(items: Sequence[_Item]) -> tuple[Named, ...]:
    """The names of a list: what follows a group belongs to all of it, as does what leads it."""
    found: list[Named] = []
    group: list[_Item] = []
    for item in items:
        group.append(item)
        if item.marker is not None or item is items[-1]:
            quantity = group[0].quantity
            found += [
                Named(
                    _what(member.name, member.marker or item.marker),
                    on=member.on or item.on,
                    quantity=member.quantity or quantity,
                    owner=member.owner or group[0].owner,
                )
                for member in group
            ]
            group = []
    return tuple(found)


def _words(children: Sequence[object]) -> Words:
    return tuple(c for c in children if isinstance(c, Word))


def _only(children: Sequence[object], kind: type) -> list[object]:
    return [c for c in children if isinstance(c, kind)]


class _Owner(tuple[Word, ...]):
    __slots__ = ()


class _Whose(tuple[Word, ...]):
    __slots__ = ()


class _Quantity(str):
    __slots__ = ()


class _Ones(str):
    __slots__ = ()


class _Amount(str):
    __slots__ = ()


class _Against(tuple[str, ...]):
    __slots__ = ()


class _Names(tuple[Named, ...]):
    __slots__ = ()
    either = False


class _EitherNames(_Names):
    __slots__ = ()
    either = True


class _Grants(tuple[Grant, ...]):
    __slots__ = ()
    either = False


class _EitherGrants(_Grants):
    __slots__ = ()
    either = True


def _has_or(children: Sequence[object]) -> bool:
    return any(isinstance(c, Word) and c.type == "OR" for c in children)


class Heads(Transformer[Word, Head]):
    """Makes heads of parsed clauses; a method a rule of the grammar."""

    def items(self, children: list[object]) -> _Names:
        names = _resolved([c for c in children if isinstance(c, _Item)])
        return _EitherNames(names) if _has_or(children) else _Names(names)

    def item(self, children: list[object]) -> _Item:
        quantity = owner = on = marker = name = None
        for c in children:
            if isinstance(c, _Quantity):
                quantity = str(c)
            elif isinstance(c, _Owner):
                owner = tuple(c)
            elif isinstance(c, _Ones):
                on = str(c)
            elif isinstance(c, Word):
                if name is None:
                    name = c.type
                else:
                    marker = c.type
        return _Item(name or "", marker, on, quantity, owner or ())

    def quantity(self, children: list[object]) -> _Quantity:
        kinds = [w.type for w in _words(children)]
        texts = [w.text for w in _words(children)]
        single = "OR_MORE" not in kinds and (
            "ONE" in kinds or ("NUMBER" in kinds and texts[kinds.index("NUMBER")] == "1")
        )
        if single:
            return _Quantity("one")
        several = [w for w in _words(children) if w.type in ("NUMBER", "NUMBER_WORD")]
        return _Quantity(number(several[0].text) if several else "any")

    def ones(self, children: list[object]) -> _Ones:
        return _Ones(number(_words(children)[-1].text))

    def owner(self, children: list[object]) -> _Owner:
        return _Owner(_words(children))

    def whose(self, children: list[object]) -> _Whose:
        return _Whose(_words(children)[1:])

    def amount(self, children: list[object]) -> _Amount:
        return _Amount(number(_words(children)[-1].text))

    def _change(self, act: str, children: list[object]) -> Head:
        head = Head(act)
        for c in children:
            if isinstance(c, _Amount):
                head = replace(head, amount=str(c))
            elif isinstance(c, _Whose):
                head = replace(head, whose=tuple(c))
            elif isinstance(c, _Names):
                head = replace(head, names=tuple(c), either=c.either)
        return head

    def added(self, children: list[object]) -> Head:
        return self._change("added", children)

    def subtracted(self, children: list[object]) -> Head:
        return self._change("subtracted", children)

    def added_again(self, children: list[object]) -> Head:
        return self._change("again", children)

    def subtracted_again(self, children: list[object]) -> Head:
        return self._change("again", children)

    def improved(self, children: list[object]) -> Head:
        return self._change("improved", children)

    def worsened(self, children: list[object]) -> Head:
        return self._change("worsened", children)

    def set_to(self, children: list[object]) -> Head:
        value = number(_words(children)[-1].text)
        return replace(self._change("set", children), amount=value)

    def chosen(self, children: list[object]) -> Head:
        return self._change("chosen", children)

    def halving(self, children: list[object]) -> Head:
        return self._change("halved", children)

    def rerolled(self, children: list[object]) -> Head:
        return self._change("rerolled", children)

    def rerolled_attacks(self, children: list[object]) -> Head:  # noqa: ARG002
        return Head("rerolled", (Named("attacks roll"),))

    def rerolled_damage(self, children: list[object]) -> Head:  # noqa: ARG002
        return Head("rerolled", (Named("damage roll"),))

    def granting(self, children: list[object]) -> Head:
        grants = next(c for c in children if isinstance(c, _Grants))
        return Head("granted", grants=tuple(grants), either=grants.either)

    def grants(self, children: list[object]) -> _Grants:
        found: list[Grant] = []
        sign = ""
        pending: list[_Item] = []
        for c in children:
            if isinstance(c, _Shift):
                sign = c.sign
                pending = self._flush(pending, found, sign, c.item)
            elif isinstance(c, _Had):
                pending = self._flush(pending, found, sign, c.item)
            elif isinstance(c, list):
                found += c
                sign = ""
        found += [_grant(item, None, sign) for item in pending]
        return _EitherGrants(found) if _has_or(children) else _Grants(found)

    @staticmethod
    def _flush(pending: list[_Item], found: list[Grant], sign: str, item: _Item) -> list[_Item]:
        """Names wait for the word ``rolls`` or ``characteristics`` that ends their group."""
        if item.marker is None and item.on is None and item.name in ("HIT", "WOUND", "DAMAGE"):
            return [*pending, item]
        found += [_grant(waiting, item.marker, sign, item.on) for waiting in (*pending, item)]
        return []

    def abilities(self, children: list[object]) -> list[Grant]:
        return [Grant("ability", w.text) for w in _words(children) if w.type == "ABILITY"]

    def feel_no_pain(self, children: list[object]) -> list[Grant]:
        return [_protection("feel no pain", children)]

    def invulnerable(self, children: list[object]) -> list[Grant]:
        return [_protection("invulnerable", children)]

    def having_save(self, children: list[object]) -> list[Grant]:
        return [Grant("set", "save", f"= {_words(children)[0].text.rstrip('+')}")]

    def having_value(self, children: list[object]) -> list[Grant]:
        item = next(c for c in children if isinstance(c, _Item))
        return [
            Grant("set", _what(item.name, item.marker), f"= {number(_words(children)[0].text)}")
        ]

    def stealth(self, children: list[object]) -> list[Grant]:  # noqa: ARG002
        return [Grant("stealth")]

    def cover(self, children: list[object]) -> list[Grant]:  # noqa: ARG002
        return [Grant("cover")]

    def shifted(self, children: list[object]) -> _Shift:
        (item,) = _only(children, _Item)
        assert isinstance(item, _Item)
        return _Shift(_words(children)[0].text, item)

    def had(self, children: list[object]) -> _Had:
        (item,) = _only(children, _Item)
        assert isinstance(item, _Item)
        return _Had(item)

    def nothing(self, children: list[object]) -> list[Grant]:
        owners = [w.text for c in children if isinstance(c, _Owner) for w in c]
        texts = owners + [w.text for w in _words(children) if w.type != "ABILITY_WORD"]
        return [Grant("other", " ".join(texts))]

    def against(self, children: list[object]) -> _Against:
        kinds = [
            c if isinstance(c, str) else "mortal"
            for c in children
            if isinstance(c, str) or (isinstance(c, Word) and c.type == "MORTAL")
        ]
        return _Against(kinds)

    def psychic_attacks(self, children: list[object]) -> str:  # noqa: ARG002
        return "psychic"

    def ranged_attacks(self, children: list[object]) -> str:  # noqa: ARG002
        return "ranged"

    def melee_attacks(self, children: list[object]) -> str:  # noqa: ARG002
        return "melee"

    def other_attacks(self, children: list[object]) -> str:  # noqa: ARG002
        return "other"

    def qualified(self, children: list[object]) -> None:  # noqa: ARG002
        return None

    def critical_on(self, children: list[object]) -> Head:
        return _critical(children)

    def critical_is_on(self, children: list[object]) -> Head:
        return _critical(children)

    def ignored(self, children: list[object]) -> _Item | None:
        found = _only(children, _Item)
        return found[0] if found else None  # type: ignore[return-value]

    def ignoring(self, children: list[object]) -> Head:
        return Head("ignored", _resolved([c for c in children if isinstance(c, _Item)]))

    def had_improved(self, children: list[object]) -> _Shift:
        return self._had_changed("+", children)

    def had_worsened(self, children: list[object]) -> _Shift:
        return self._had_changed("-", children)

    @staticmethod
    def _had_changed(sign: str, children: list[object]) -> _Shift:
        item = next(c for c in children if isinstance(c, _Item))
        amount = next(c for c in children if isinstance(c, _Amount))
        return _Shift(sign + str(amount), item)

    def suffered(self, children: list[object]) -> Head:
        """``suffers D3 mortal wounds, or 3 mortal wounds instead``: the other amount follows."""
        amounts = [str(c) for c in children if isinstance(c, _Amount)]
        others = tuple(Named("mortal", on=amount) for amount in amounts[1:])
        return Head("suffered", others, amount=amounts[0])

    def healed(self, children: list[object]) -> Head:
        return replace(self.suffered(children), act="healed")

    def returned(self, children: list[object]) -> Head:
        return replace(self.suffered(children), act="returned")

    def sixed(self, children: list[object]) -> Head:
        return replace(self._change("sixed", children), amount=_words(children)[-1].text)

    def surviving(self, children: list[object]) -> Head:  # noqa: ARG002
        return Head("survives")

    def needed(self, children: list[object]) -> Head:
        needs = [w.text for w in _words(children) if w.type in ("NEED", "NUMBER")]
        needs += [str(c) for c in children if isinstance(c, _Amount)]
        others = tuple(Named("hit", on=need) for need in needs[1:])
        return Head("needed", others, amount=needs[0])

    def needed_roll(self, children: list[object]) -> _Amount:
        return _Amount(_words(children)[-1].text)


def _grant(item: _Item, marker: str | None, sign: str, on: str | None = None) -> Grant:
    what = _what(item.name, item.marker or marker)
    if item.name == "RANGE" and sign and not item.owner:
        what = "range"
    value = item.on or on
    if value is not None:
        return Grant("set", what, f"= {value}")
    return Grant("shift", what, sign)


def _protection(kind: str, children: Sequence[object]) -> Grant:
    need = next(w.text for w in _words(children) if w.type == "NEED")
    against = next((tuple(c) for c in children if isinstance(c, _Against)), ())
    return Grant(kind, need.rstrip("+"), against=against)


def _critical(children: Sequence[object]) -> Head:
    words = _words(children)
    need = next(w.text for w in words if w.type == "NEED")
    crit = next(w.type for w in words if w.type.startswith("CRITICAL"))
    what = "hits" if crit == "CRITICAL_HIT" else "wounds"
    return Head("critical", (Named(what),), amount=need.rstrip("+"))
