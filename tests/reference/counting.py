"""How many attacks a line of weapons makes, and the re-roll of that number (RULES.md §2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from .abilities import Ability
from .course import Worth, pick
from .dice import (
    Dice,
    Law,
    Roll,
    certain,
    first_roll,
    fresh,
    lowest,
    mapped,
    others,
    rolled,
    showing,
    spread,
    total,
)
from .rights import Tokens, kept, rerolls, without
from .scene import Scene, best, changed


class Number(NamedTuple):
    """What one weapon rolled for its attacks: the dice of A, and of Rapid Fire."""

    roll: Roll
    more: int


class Attacks(NamedTuple):
    """The number of attacks of one line of weapons."""

    scene: Scene
    abilities: tuple[Ability, ...]
    models: int

    def law(self, tokens: Tokens, follow: Callable[[int, Tokens], Law], worth: Worth) -> Law:
        """All weapons roll, then the attacker may re-roll the lowest of these rolls; `follow`
        tells from the number of attack dice and the tokens left what comes next.
        """
        weapon = self.scene.weapon
        assert weapon is not None
        again, single = rerolls(self.scene, "attacks")
        rights = kept(tokens, single) if weapon.attacks.random else ()

        def decided(numbers: tuple[Number, ...], left: Tokens) -> Law:
            def outcome(use: Use | None) -> Law:
                if use is None:
                    return follow(sum(map(self.of_one, numbers)), left)
                return spread(use.numbers, lambda after: decided(after, without(left, use.name)))

            return pick([None, *self._uses(numbers, kept(left, rights))], outcome, worth, 1)

        each = self._each(again)
        if not rights:
            dice = total([mapped(each, self.of_one)] * weapon.count)
            return spread(dice, lambda number: follow(number, tokens))
        law = certain(())
        for _ in range(weapon.count):
            law = spread(law, lambda seen: mapped(each, lambda one: tuple(sorted([*seen, one]))))
        return spread(law, lambda numbers: decided(numbers, tokens))

    def of_one(self, number: Number) -> int:
        """The attack dice of one weapon (§2).

        11e: at least one die from the characteristic, then Rapid Fire, Blast or Cleave add dice
        to it. 10e: Rapid Fire raises the characteristic, Blast adds to the result; A of an EXTRA
        ATTACKS weapon is not modified, in late 10e unless the rule names the weapon (§8.2).
        """
        scene = self.scene
        assert scene.weapon is not None
        value = showing(number.roll) + scene.weapon.attacks.plus
        if not (scene.scenario.tenth and "extra attacks" in scene.names):
            value = changed(scene, "attacks", value)
        elif scene.scenario.edition == "10e":
            value = changed(scene, "attacks", value, named_only=True)
        if scene.scenario.tenth:
            return max(1, value + number.more) + self._for_models()
        return max(1, value) + number.more + self._for_models()

    def _each(self, again: str) -> Law:
        """Law of Number of one weapon."""
        scene = self.scene
        assert scene.weapon is not None
        near = scene.shooting and scene.scenario.flag("half_range")
        rapid = best(self.abilities, "rapid fire") if near else None
        more = rapid.law() if rapid is not None else certain(0)
        rolls = first_roll(scene.weapon.attacks, again)
        return spread(rolls, lambda roll: mapped(more, lambda extra: Number(roll, extra)))

    def _uses(self, numbers: tuple[Number, ...], rights: Tokens) -> Iterator[Use]:
        """A single re-roll takes the lowest roll in 10e, the lowest die of all in 11e (§9)."""
        tenth = self.scene.scenario.tenth
        found = [number for number in numbers if (fresh if tenth else lowest)(number.roll)]
        if not found or not rights:
            return
        still: Roll = ()
        if tenth:
            worst = min(found, key=lambda number: (showing(number.roll), number.more))
            again = tuple(die.sides for die in worst.roll)
        else:
            worst = min(found, key=lambda number: _height(number.roll))
            low = lowest(worst.roll)
            assert low is not None
            still, again = others(worst.roll, low), (low.sides,)
        place = numbers.index(worst)
        rest = numbers[:place] + numbers[place + 1 :]

        def changed_to(new: Roll) -> tuple[Number, ...]:
            return tuple(sorted([*rest, Number(tuple(sorted(still + new)), worst.more)]))

        for name in dict.fromkeys(rights):
            yield Use(name, mapped(rolled(again, False), changed_to))

    def _for_models(self) -> int:
        """BLAST X shooting, CLEAVE X fighting (11e): X for each full five models."""
        name = "blast" if self.scene.shooting else "cleave"
        amount = best(self.abilities, name)
        if amount is None or (name == "cleave" and self.scene.scenario.tenth):
            return 0
        if amount.random:
            raise NotImplementedError(f"{name} with a dice expression")
        if self.scene.scenario.tenth and amount != Dice((), 1):
            raise NotImplementedError("blast X does not exist in 10e")
        return amount.plus * (self.models // 5)


class Use(NamedTuple):
    """A re-roll of a number of attacks: its token, and the law of the numbers after it."""

    name: str
    numbers: Law


def _height(roll: Roll) -> tuple[int, int]:
    die = lowest(roll)
    assert die is not None
    return die.face, -die.sides
