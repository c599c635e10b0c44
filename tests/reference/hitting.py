"""The hit die, face by face: skill, modifiers, gates (RULES.md §3).

Nothing here is random: a table says what each unmodified face means.
"""

from __future__ import annotations

from .dice import FACES
from .rights import rerolls, sixes
from .scene import Scene, changed, effects
from .throwing import Rolling

FaceTable = tuple[str, ...]
"""`fail`, `ordinary` or `critical` for each unmodified face, 1 first."""


def capped(amounts: list[int], ignore_bad: bool) -> int:
    """Roll modifiers: bad ones dropped where ignored, then summed, then limited to -1 … +1
    (§3.1).
    """
    return max(-1, min(1, sum(amount for amount in amounts if amount > 0 or not ignore_bad)))


def ignores(scene: Scene, what: str) -> bool:
    """`ignore … modifiers`; 11e PSYCHIC ignores those of BS/WS and of hit rolls (§3.2)."""
    psychic = what in ("hit", "skill") and "psychic" in scene.names and not scene.scenario.tenth
    return psychic or any(True for _ in effects(scene, "ignore", what))


def fired_indirectly(scene: Scene) -> bool:
    """Only INDIRECT FIRE weapons shoot indirectly (§3.2)."""
    return scene.shooting and scene.scenario.flag("indirect") and "indirect fire" in scene.names


def in_cover(scene: Scene) -> bool:
    """Benefit of cover, never cumulative, ranged attacks only; 11e Stealth gives it too (§3.2,
    §5.2).
    """
    if not scene.shooting or "ignores cover" in scene.names:
        return False
    kinds = ("cover",) if scene.scenario.tenth else ("cover", "stealth")
    given = any(True for kind in kinds for _ in effects(scene, kind))
    return given or scene.scenario.flag("cover") or fired_indirectly(scene)


def snap_face(scene: Scene) -> int | None:
    """The lowest unmodified face that hits while snap shooting; None when not (§3.2, Overwatch)."""
    if not scene.shooting:
        return None
    wanted = [effect.amount for effect in effects(scene, "snap")]
    wanted += [6] if scene.scenario.flag("snap_shooting") else []
    return min(wanted) if wanted else None


def indirect_gate(scene: Scene) -> int:
    """Unmodified faces up to this one fail for an indirect attack (§3.2)."""
    scenario = scene.scenario
    if not fired_indirectly(scene):
        return 0
    if scenario.edition == "11e":
        return 3 if scenario.flag("spotted") and scenario.flag("stationary") else 5
    if scenario.edition == "10e" and "torrent" in scene.names:
        raise NotImplementedError("late 10e: a TORRENT weapon cannot be fired indirectly")
    return 3 if scenario.edition == "10e" else 0


def skill_needed(scene: Scene, printed: int) -> int:
    """BS or WS after its own modifiers, the bucket outside the cap; 11e keeps it in 2+ … 6+
    (§3.2).
    """
    ignore = ignores(scene, "skill")
    value = changed(scene, "skill", printed, improves=-1, ignore=ignore)
    if not scene.scenario.tenth:
        value += 1 if in_cover(scene) and not ignore else 0
        value -= 1 if scene.shooting and scene.scenario.flag("plunging_fire") else 0
        value = max(2, min(6, value))
    return value


def hit_modifier(scene: Scene) -> int:
    """The sum of hit roll modifiers, capped (§3.2)."""
    amounts = [effect.amount for effect in effects(scene, "modify", "hit")]
    if scene.shooting and "heavy" in scene.names and scene.scenario.flag("stationary"):
        amounts.append(1)
    if scene.scenario.tenth and scene.shooting:
        amounts += [-1] if any(True for _ in effects(scene, "stealth")) else []
        amounts += [-1] if fired_indirectly(scene) else []
    return capped(amounts, ignores(scene, "hit"))


def hit_faces(scene: Scene, printed: int) -> FaceTable:
    """§3.1 for each face: 1 fails, gates, 6 and `critical hits N+` hit, else the number decides."""
    lowest = min([6, *(effect.amount for effect in effects(scene, "critical", "hits"))])
    need, modifier = skill_needed(scene, printed), hit_modifier(scene)
    gate, snap = indirect_gate(scene), snap_face(scene)
    far = "conversion" in scene.names and scene.scenario.flag("long_range")
    table: list[str] = []
    for face in FACES:
        hits = face == 6 or face >= lowest or face + modifier >= need
        critical = face == 6 or face >= lowest or (hits and far and face >= 4)
        if snap is not None:
            hits, critical = face >= snap, face == 6
        if face == 1 or face <= gate or not hits:
            table.append("fail")
        else:
            table.append("critical" if critical else "ordinary")
    return tuple(table)


def again_faces(table: FaceTable, again: str) -> frozenset[int]:
    """Which unmodified faces are re-rolled (§1.2)."""
    wrong = {"none": (), "ones": (), "failed": ("fail",), "noncritical": ("fail", "ordinary")}[
        again
    ]
    ones = {1} if again == "ones" else set()
    return frozenset(face for face in FACES if table[face - 1] in wrong or face in ones)


def hitting(scene: Scene) -> Rolling | None:
    """The hit die, or None: automatic hits (a null skill, TORRENT also while snap shooting,
    §13.1).
    """
    assert scene.weapon is not None
    gate = indirect_gate(scene)
    if scene.weapon.skill is None or "torrent" in scene.names:
        return None
    table = hit_faces(scene, scene.weapon.skill)
    again, single = rerolls(scene, "hits")
    if not scene.scenario.tenth and (snap_face(scene) is not None or gate):
        again, single = "none", ()
    return Rolling(table, again_faces(table, again), single, sixes(scene, "hit"))
