"""Contributions to an attack's modifiers, gathered one by one and then added up."""

from __future__ import annotations

from dataclasses import dataclass, field

from killcurve.engine.change import UNCHANGED, Change, added
from killcurve.engine.dice import Dice
from killcurve.engine.edition import Edition, ExtraAttacks
from killcurve.engine.roll import Reroll
from killcurve.engine.target import Protection
from killcurve.engine.weapon import Modifiers, Right, Rolled, Use

_STRENGTH_OF_REROLL = list(Reroll)


@dataclass(frozen=True, slots=True)
class DamageChange:
    """A change of Damage: ``bad`` for the attacker or not, at once or ``when_allocated``."""

    change: Change
    bad: bool
    when_allocated: bool = False


@dataclass(slots=True)
class Tally:
    """Everything that abilities, effects and circumstances contribute to one weapon's attacks.

    Numbers are gathered as they come (``hit`` holds each +1 and -1), so that the bad ones can
    be ignored where a rule says so before any cap applies (RULES.md §3.2). ``ignored`` names
    the kinds of modifiers whose bad ones do not count. ``replaced`` holds characteristics that
    are set.

    >>> from killcurve.engine.edition import edition
    >>> tally = Tally(hit=[1, -1])
    >>> tally.ignored.add("hit")
    >>> tally.modifiers(edition("11e")).hit
    1
    """

    hit: list[int] = field(default_factory=list)
    wound: list[int] = field(default_factory=list)
    skill: list[int] = field(default_factory=list)
    ap: list[int] = field(default_factory=list)
    save_roll: list[int] = field(default_factory=list)
    toughness: int = 0
    save: int = 0
    attacks: Change = UNCHANGED
    attacks_by_name: Change = UNCHANGED
    has_extra_attacks: bool = False
    rapid_fire: Dice | None = None
    per_five_models: Dice | None = None
    melta: Dice | None = None
    strength: Change = UNCHANGED
    damage: list[DamageChange] = field(default_factory=list)
    ignored: set[str] = field(default_factory=set)
    hit_gate: int = 1
    only_gate_counts: bool = False
    hits_automatically: bool = False
    snap: bool = False
    indirect: bool = False
    critical_hits: int = 6
    critical_hits_if_successful: int | None = None
    critical_wounds: int = 6
    critical_wound_ap: int = 0
    reroll_hits: Reroll = Reroll.NONE
    no_hit_rerolls: bool = False
    reroll_wounds: Reroll = Reroll.NONE
    reroll_saves: Reroll = Reroll.NONE
    reroll_attacks: Reroll = Reroll.NONE
    reroll_damage: Reroll = Reroll.NONE
    rights: list[Right] = field(default_factory=list)
    hazardous: bool = False
    precise: bool = False
    sustained: Dice | None = None
    lethal: bool = False
    devastating: bool = False
    cover: bool = False
    ignores_cover: bool = False
    psychic: bool = False
    invulnerable: list[Protection] = field(default_factory=list)
    feel_no_pain: list[Protection] = field(default_factory=list)
    replaced: dict[str, int] = field(default_factory=dict)
    preferred: dict[str, Dice] = field(default_factory=dict)

    def reroll(self, what: str, how: Reroll) -> None:
        """Grant a re-roll of ``hits``, ``wounds``, …; the widest one stands."""
        name = f"reroll_{what}"
        setattr(self, name, max(getattr(self, name), how, key=_STRENGTH_OF_REROLL.index))

    def grant(self, what: str, number: Dice) -> None:
        """Grant an ability with a number; of several one stands (RULES.md §8.1).

        That is the preferred one, or else the highest on average.
        """
        present: Dice | None = getattr(self, what)
        preferred = self.preferred.get(what)
        if (
            present is None
            or number == preferred
            or (present != preferred and number.mean > present.mean)
        ):
            setattr(self, what, number)

    def usable_rights(self) -> list[Right]:
        """The rights, without what ignored modifiers or barred re-rolls take away."""
        out = self.rights
        if "damage" in self.ignored:
            out = [right for right in out if not right.use.spares]
        if self.no_hit_rerolls:
            out = [r for r in out if (r.rolled, r.use) != (Rolled.HITS, Use.REROLL)]
        return out

    def modifiers(self, edition: Edition, target_models: int = 1) -> Modifiers:
        """What the engine takes, against a target of so many models."""
        cover = self.cover and not self.ignores_cover
        if edition.cover_worsens_skill and "skill" in self.ignored:
            cover = False
        return Modifiers(
            attacks=self._attacks(edition),
            extra_attacks=self._extra_attacks(edition, target_models),
            skill=self._sum("skill"),
            strength=self.strength,
            ap=self._sum("ap"),
            damage=self._damage(allocated=False),
            damage_when_allocated=self._damage(allocated=True),
            hit=self._sum("hit"),
            hit_gate=self.hit_gate,
            only_gate_counts=self.only_gate_counts,
            hits_automatically=self.hits_automatically
            and not (self.snap and not edition.torrent_ignores_snap),
            critical_hits=6 if self.snap else self.critical_hits,
            critical_hits_if_successful=self.critical_hits_if_successful,
            reroll_hits=Reroll.NONE if self.no_hit_rerolls else self.reroll_hits,
            sustained=self.sustained,
            lethal=self.lethal,
            wound=self._sum("wound"),
            critical_wounds=self.critical_wounds,
            reroll_wounds=self.reroll_wounds,
            devastating=self.devastating,
            critical_wound_ap=self.critical_wound_ap,
            cover=cover,
            toughness=self.toughness,
            save=self.save,
            save_roll=sum(self.save_roll),
            reroll_saves=self.reroll_saves,
            reroll_attacks=self.reroll_attacks,
            reroll_damage=self.reroll_damage,
            bars_hit_rerolls=self.no_hit_rerolls,
            invulnerable=tuple(self.invulnerable),
            feel_no_pain=tuple(self.feel_no_pain),
            skill_set=self.replaced.get("skill"),
            ap_set=self.replaced.get("ap"),
            toughness_set=self.replaced.get("toughness"),
            save_set=self.replaced.get("save"),
        )

    def _attacks(self, edition: Edition) -> Change:
        """The change of A, of which Extra Attacks may bar a part (RULES.md §8.2)."""
        if self.has_extra_attacks and edition.extra_attacks is ExtraAttacks.NOTHING:
            return UNCHANGED
        if self.has_extra_attacks and edition.extra_attacks is ExtraAttacks.BY_NAME:
            return self.attacks_by_name
        change = self.attacks + self.attacks_by_name
        if self.rapid_fire is not None and edition.rapid_fire_raises_attacks:
            change += added(self.rapid_fire)
        return change

    def _extra_attacks(self, edition: Edition, target_models: int) -> tuple[Dice, ...]:
        dice = None if edition.rapid_fire_raises_attacks else self.rapid_fire
        extra = () if dice is None else (dice,)
        if self.per_five_models is None:
            return extra
        return extra + (self.per_five_models,) * (target_models // 5)

    def _sum(self, name: str) -> int:
        values: list[int] = getattr(self, name)
        return sum(v for v in values if v > 0 or name not in self.ignored)

    def _damage(self, *, allocated: bool) -> Change:
        counted = (
            d.change
            for d in self.damage
            if (allocated or not d.when_allocated) and not (d.bad and "damage" in self.ignored)
        )
        return sum(counted, start=UNCHANGED if self.melta is None else added(self.melta))
