"""What a save roll needs, and how often it fails (RULES.md §5.1, §5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from killcurve.engine.edition import Edition
from killcurve.engine.roll import FACES, Reroll


@dataclass(frozen=True, slots=True)
class SaveRoll:
    """A save of ``need``+ (2 to 7; with 7 no result saves) and its re-roll.

    >>> SaveRoll(3).failure == 1 / 3, SaveRoll(3, Reroll.ONES).failure == 1 / 6 + 1 / 18
    (True, True)
    """

    need: int
    reroll: Reroll = Reroll.NONE

    @property
    def failure(self) -> float:
        """P(the save fails)."""
        return self.ways_to_fail() / 36

    def ways_to_fail(self) -> int:
        """P(the save fails) in 36ths.

        >>> SaveRoll(3, Reroll.ONES).ways_to_fail()
        8
        """
        return _ways_to_fail(self)

    def face_law(self, face: int) -> float:
        """P(the die shows ``face`` after its re-roll); 11th-edition batches sort these dice."""
        return self.ways(face) / 36

    def ways(self, face: int) -> int:
        """P(the die shows ``face`` after its re-roll) in 36ths."""
        again = sum(self._is_rerolled(f) for f in FACES)
        return 6 * (not self._is_rerolled(face)) + again

    def fresh_law(self, face: int) -> float:
        """P(the die shows ``face`` and has not been rolled again: it still may be)."""
        return 0.0 if self._is_rerolled(face) else 1 / 6

    def fresh_failure(self) -> float:
        """P(the save fails and the die has not been rolled again)."""
        return sum(self.fresh_law(face) for face in FACES if face < self.need)

    def failure_once(self) -> float:
        """P(the save fails), of a die that is rolled just once."""
        return (self.need - 1) / 6

    def _is_rerolled(self, face: int) -> bool:
        if self.reroll is Reroll.ONES:
            return face == 1
        return self.reroll is not Reroll.NONE and face < self.need


@lru_cache(maxsize=64)
def _ways_to_fail(roll: SaveRoll) -> int:
    return sum(roll.ways(face) for face in FACES if face < roll.need)


def save_need(
    save: int,
    ap: int,
    invulnerable: int | None,
    edition: Edition,
    *,
    cover: bool = False,
    roll_bonus: int = 0,
) -> int:
    """The unmodified result from which the save succeeds, 2 to 7 (7: never).

    ``save`` is the Sv characteristic after changes, ``ap`` is 0 or negative, ``roll_bonus``
    the sum of save roll modifiers. In the 10th edition cover adds 1 to armour saves, except
    for models with 3+ or better against AP 0, and a save roll is never improved by more
    than 1 in all (RULES.md §5.2); in the 11th cover leaves saves alone.

    >>> from killcurve.engine.edition import edition
    >>> tenth, eleventh = edition("10e"), edition("11e")
    >>> [save_need(s, ap, inv, tenth, cover=True)
    ...  for s, ap, inv in [(3, 0, None), (4, 0, None), (3, -1, None), (3, -2, 5), (2, 0, None)]]
    [3, 3, 3, 4, 2]
    >>> save_need(3, -1, None, eleventh, cover=True), save_need(3, -3, 5, eleventh)
    (4, 5)
    """
    armour_bonus = roll_bonus
    if cover and not edition.cover_worsens_skill and not (save <= 3 and ap == 0):
        armour_bonus += 1
    net, invulnerable_net = ap + armour_bonus, roll_bonus
    if edition.save_roll_cap is not None:
        net = min(edition.save_roll_cap, net)
        invulnerable_net = min(edition.save_roll_cap, invulnerable_net)
    needs = [save - net]
    if invulnerable is not None:
        needs.append(invulnerable - invulnerable_net)
    return max(2, min(7, *needs))
