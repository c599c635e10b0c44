"""Saves and Feel No Pain of each group against one weapon (RULES.md §5, §6.2)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .dice import FACES, SIXTH
from .reading import Group, Limited
from .scene import Scene, changed, effects


@dataclass(frozen=True)
class Defence:
    """One group against one weapon.

    saved: the unmodified faces that save, against the ordinary AP and against the AP of critical
    wounds; ignored, mortal_ignored: the chance of Feel No Pain for each wound; kind: what makes
    an 11e allocation group (§5.1: W, Sv, InSv).
    """

    saved: tuple[frozenset[int], frozenset[int]]
    ignored: Fraction
    mortal_ignored: Fraction
    kind: tuple[int, int, int]


def saved_faces(tenth: bool, save: int, invulnerable: int, ap: int, cover: bool) -> frozenset[int]:
    """The faces that save. A 1 never does; the invulnerable save is never modified by AP.

    10e (§5.2): cover is +1 to the armour save, not for Sv 3+ or better against AP 0, and the
    armour save is never improved by more than 1. In 11e cover does not touch saves.
    """
    change = ap
    if tenth and cover and not (save <= 3 and ap == 0):
        change = min(1, ap + 1)
    return frozenset(
        face for face in FACES if face > 1 and (face >= invulnerable or face + change >= save)
    )


def _applies(against: str, scene: Scene, mortal: bool) -> bool:
    """Whether a save or Feel No Pain limited to some kind of attack holds here."""
    if against in ("ranged", "melee"):
        return scene.weapon is not None and scene.shooting == (against == "ranged")
    if against == "psychic":
        return "psychic" in scene.names
    return mortal if against == "mortal" else True


def _best(own: Limited | None, kind: str, scene: Scene, mortal: bool) -> int:
    """The best value that applies; 7 when there is none."""
    values = [own] if own is not None else []
    values += [Limited(effect.amount, effect.how) for effect in effects(scene, kind)]
    return min(
        [7, *(limited.value for limited in values if _applies(limited.against, scene, mortal))]
    )


def pain_ignored(group: Group, scene: Scene, mortal: bool) -> Fraction:
    """The chance that Feel No Pain ignores one wound (§6.2)."""
    return (7 - max(2, _best(group.feel_no_pain, "feel no pain", scene, mortal))) * SIXTH


def defences(scene: Scene, piercing: tuple[int, int], cover: bool) -> tuple[Defence, ...]:
    """One Defence a group."""
    result = []
    for group in scene.scenario.target.groups:
        save = max(2, changed(scene, "save", group.save, improves=-1))
        invulnerable = max(2, _best(group.invulnerable, "invulnerable", scene, False))
        ordinary, critical = (
            saved_faces(scene.scenario.tenth, save, invulnerable, ap, cover) for ap in piercing
        )
        result.append(
            Defence(
                saved=(ordinary, critical),
                ignored=pain_ignored(group, scene, False),
                mortal_ignored=pain_ignored(group, scene, True),
                kind=(full_wounds(group, scene), save, invulnerable),
            )
        )
    return tuple(result)


def full_wounds(group: Group, scene: Scene) -> int:
    """The W characteristic."""
    return max(1, changed(scene, "wounds", group.wounds))
