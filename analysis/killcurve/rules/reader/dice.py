"""Dice that a rule rolls itself: mortal wounds, models that fight on, wounds that return."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from killcurve.rules.reader.places import ATTACKER, DEFENDER, Found, NotRead, Place
from killcurve.rules.reader.words import Words, number


@dataclass(frozen=True, slots=True)
class Adder:
    """Something added to a die, where its conditions hold."""

    by: int
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice that were rolled: how many (``None``: as many as something counts), and what is added.

    ``equal_to`` is the characteristic that counts them; ``hurts_own`` if some results harm those
    who roll. ``others`` are rolled instead, each given its conditions.
    """

    count: int | None = 1
    sides: int = 6
    per_model: bool = False
    summed: bool = False
    equal_to: str | None = None
    hurts_own: bool = False
    adders: tuple[Adder, ...] = ()
    most: str | None = None
    others: tuple[tuple[Dice, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """What the dice must show: ``low`` to ``high``; ``each`` of them counts by itself."""

    low: int
    high: int
    each: bool = False

    def plus(self, by: int) -> Result:
        """The same after ``by`` was added to the die."""
        low = max(1, self.low - by)
        high = self.high if self.high == 6 else max(1, self.high - by)
        return replace(self, low=low, high=high)

    def __str__(self) -> str:
        if self.high == 6 and self.low < 6:
            return f"{self.low}+"
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


_EQUAL_TO = {"TOUGHNESS": "toughness", "STRENGTH": "strength"}


def dice_of(words: Words, *, per_model: bool = False) -> Dice:
    """The dice of ``roll one D6 for each model in your unit``.

    ``per_model``: models were counted before already.

    >>> from killcurve.rules.reader.words import words
    >>> dice_of(words("roll six D6")).count, dice_of(words("roll one D6 for each model")).per_model
    (6, True)
    """
    kinds = [w.type for w in words]
    amounts = [w for w in words[1:4] if w.type in ("ONE", "NUMBER", "NUMBER_WORD")]
    dice = next((w for w in words if w.type == "DICE_AMOUNT"), None)
    if dice is None:
        return Dice(count=int(number(amounts[0].text)) if amounts else None)
    shown = re.fullmatch(r"(\d*)D(\d)(?:\+\d+)?", number(dice.text))
    sides = int(shown[2]) if shown else 6
    if shown and shown[1]:
        return Dice(count=int(shown[1]), sides=sides, summed=True)
    texts = [w.text.lower() for w in words]
    if "equal" in texts:
        at = texts.index("equal")
        what = next((_EQUAL_TO[k] for k in kinds[at:] if k in _EQUAL_TO), "other")
        return Dice(count=None, sides=sides, equal_to=what)
    count = int(number(amounts[0].text)) if amounts else 1
    return replace(_counted(words, Dice(count, sides, per_model)), most=_most(words))


def add_to_dice(dice: Dice, by: int, conditions: tuple[str, ...]) -> Dice:
    """The dice with something added to the result."""
    return replace(dice, adders=(*dice.adders, Adder(by, conditions)))


def _counted(words: Words, dice: Dice) -> Dice:
    """``for each model …`` sizes a pool; one die for each enemy unit is one die for that unit."""
    kinds = [w.type for w in words]
    for i in range(len(kinds) - 1):
        if kinds[i] in ("FOR", "OF") and kinds[i + 1] == "EACH":
            counted = kinds[i + 2 : i + 9]
            first = next((k for k in counted if k in ("MODEL", "UNIT", "OBJECTIVE")), None)
            if first == "MODEL" and "ENEMY" not in counted[: counted.index("MODEL")]:
                return replace(dice, per_model=True)
            if first == "MODEL":
                return replace(dice, per_model=True)
            if first == "UNIT":
                return dice
            return replace(dice, count=None)
    return dice


def _most(words: Words) -> str | None:
    texts = [w.text.lower() for w in words]
    if "maximum" not in texts:
        return None
    behind = words[texts.index("maximum") :]
    amounts = [w for w in behind if w.type in ("NUMBER", "NUMBER_WORD")]
    return number(amounts[0].text) if amounts else None


def result_of(words: Words) -> Result | None:
    """The result of ``on a 2-5`` or ``for each 4+``; ``None`` for others.

    >>> from killcurve.rules.reader.words import words
    >>> str(result_of(words("on a 2-5"))), str(result_of(words("for each 4+")))
    ('2-5', '4+')
    """
    each = words[0].type == "FOR"
    shown = [w for w in words[1:] if w.type in ("NEED", "SPAN", "NUMBER")]
    if not shown or any(
        w.type in ("CRITICAL_HIT", "CRITICAL_WOUND", "HIT", "WOUND") for w in words
    ):
        return None
    word = shown[0]
    digits = [int(d) for d in re.findall(r"\d+", word.text)]
    if word.type == "NEED" or any(w.type == "OR_MORE" for w in words):
        low, high = digits[0], 6
    elif word.type == "SPAN":
        low, high = digits[0], digits[1]
    else:
        low = high = digits[0]
        others = [int(w.text) for w in shown[1:] if w.type == "NUMBER"]
        if others and any(w.type == "OR" for w in words):
            high = others[-1]
    if not 1 <= low <= high <= 6:
        return None
    return Result(low, high, each)


def mortal_wounds(
    amount: str, dice: Dice | None, result: Result | None, most: str | None, place: Place
) -> list[Found]:
    """The effects of ``… suffers <amount> mortal wounds``.

    Raises:
        NotRead: where the language has no phrase for such dice.
    """
    made = _mortal_wounds(amount, dice, result, most, place)
    for other, conditions in dice.others if dice is not None else ():
        given = replace(place, conditions=(*place.conditions, *conditions))
        made += _mortal_wounds(amount, other, result, most, given)
    return made


def _mortal_wounds(
    amount: str, dice: Dice | None, result: Result | None, most: str | None, place: Place
) -> list[Found]:
    limit = f" max {most}" if most else ""
    if dice is None or result is None:
        if dice is not None and dice.equal_to:
            raise NotRead("dice")
        return [_found(f"mortal wounds {amount}{limit}", place)]
    if dice.summed:
        return [
            _found(
                f"mortal wounds {amount}{limit}",
                place,
                f'"{dice.count}D{dice.sides} roll of {result}"',
            )
        ]
    if result.each:
        return _pool(amount, dice, result, most, place)
    found = []
    for adder, shifted in _variants(dice, result):
        extra = (f'"D6 roll of {shifted}"', *adder.conditions)
        found.append(_found(f"mortal wounds {amount}{limit}", place, *extra))
    return found


def _pool(amount: str, dice: Dice, result: Result, most: str | None, place: Place) -> list[Found]:
    if dice.equal_to in ("toughness", "strength") and amount == "1" and result.low >= 5:
        return [_found("crushing impact" if dice.hurts_own else "tank shock", place)]
    if dice.count is None or result.high != 6 or result.low < 2:
        raise NotRead("dice")
    if amount != "1":
        if dice.count == 1 and not dice.per_model:
            return mortal_wounds(amount, dice, replace(result, each=False), most, place)
        raise NotRead("dice")
    most = most or dice.most
    limit = f" max {most}" if most else ""
    per = " per model" if dice.per_model else ""
    found = []
    for adder, shifted in _variants(dice, result):
        if shifted.low < 2:
            raise NotRead("dice")
        text = f"mortal wounds {dice.count}D{dice.sides}{per} on {shifted.low}+{limit}"
        found.append(_found(text, place, *adder.conditions))
    return found


def _variants(dice: Dice, result: Result) -> list[tuple[Adder, Result]]:
    """The result as it is, and shifted by what is added on a condition."""
    fixed = sum(a.by for a in dice.adders if not a.conditions)
    base = result.plus(fixed)
    return [
        (Adder(0), base),
        *((a, base.plus(a.by)) for a in dice.adders if a.conditions),
    ]


def _found(phrase: str, place: Place, *more: str) -> Found:
    return Found(phrase, ATTACKER, conditions=(*place.conditions, *more))


def fights_on(dice: Dice | None, result: Result | None, place: Place) -> list[Found]:
    """The effects of ``do not remove it from play``, for a model that fights first."""
    if dice is None or result is None:
        return [Found("fight on death 1+", DEFENDER, ranged="melee", conditions=place.conditions)]
    if result.high != 6 or dice.summed:
        raise NotRead("dice")
    return [
        Found(
            f"fight on death {shifted.low}+",
            DEFENDER,
            ranged="melee",
            conditions=(*place.conditions, *adder.conditions),
        )
        for adder, shifted in _variants(dice, result)
    ]


def on_result(phrase: str, dice: Dice | None, result: Result | None, place: Place) -> list[Found]:
    """An effect of the defender that a die decides: ``heal 1 if "D6 roll of 4+"``."""
    if dice is None or result is None:
        return [Found(phrase, DEFENDER, conditions=place.conditions)]
    if dice.summed or (result.each and (dice.count != 1 or dice.per_model)):
        raise NotRead("dice")
    return [
        Found(
            phrase,
            DEFENDER,
            conditions=(*place.conditions, f'"D6 roll of {shifted}"', *adder.conditions),
        )
        for adder, shifted in _variants(dice, result)
    ]
