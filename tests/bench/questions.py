"""The five match-ups that every tool is asked (PEERS §3.1), in the 10th edition's sequence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from killcurve.engine.dice import Dice
from killcurve.engine.volley import Volley
from killcurve.rules.scenario import read_scenario
from killcurve.rules.volley import prepare


@dataclass(frozen=True, slots=True)
class Question:
    """One weapon against equal models, in words that every tool's model can read."""

    name: str
    attacks: int | str
    skill: int
    strength: int
    ap: int
    damage: int | str
    toughness: int
    save: int
    wounds: int
    models: int
    invulnerable: int | None = None
    feel_no_pain: int | None = None
    sustained: int = 0
    lethal: bool = False
    devastating: bool = False
    anti: int | None = None
    twin_linked: bool = False
    reroll_ones_to_hit: bool = False
    blast: bool = False

    def __str__(self) -> str:
        return self.name

    @property
    def attack_dice(self) -> Dice:
        """How many attacks are made, those of Blast included."""
        dice = Dice.parse(self.attacks)
        more = self.models // 5 if self.blast else 0
        return Dice(dice.count, dice.sides, dice.bonus + more)

    @property
    def damage_dice(self) -> Dice:
        """The damage of one attack."""
        return Dice.parse(self.damage)

    @property
    def wound_need(self) -> int:
        """What a wound roll needs."""
        if self.strength >= 2 * self.toughness:
            return 2
        if self.strength > self.toughness:
            return 3
        if self.strength == self.toughness:
            return 4
        return 6 if 2 * self.strength <= self.toughness else 5

    @property
    def save_need(self) -> int:
        """What a save needs, the better of both; more than 6: none succeeds."""
        return min(self.save - self.ap, self.invulnerable or 7)

    def scenario(self) -> dict[str, Any]:
        """The question as a scenario file asks it."""
        model = {
            "count": self.models,
            "toughness": self.toughness,
            "save": self.save,
            "wounds": self.wounds,
            "invulnerable": self.invulnerable,
            "feel_no_pain": self.feel_no_pain,
        }
        weapon = {
            "attacks": self.attacks,
            "skill": self.skill,
            "strength": self.strength,
            "ap": self.ap,
            "damage": self.damage,
            "keywords": list(self._keywords()),
        }
        effects = ["reroll hits ones"] if self.reroll_ones_to_hit else []
        return {
            "edition": "10e",
            "attacker": {"weapons": [weapon], "effects": effects},
            "target": {"keywords": ["infantry"], "models": [model]},
        }

    def volley(self) -> Volley:
        """The question as the engine takes it."""
        return prepare(read_scenario(self.scenario())).volley

    def _keywords(self) -> list[str]:
        named = {
            f"sustained hits {self.sustained}": self.sustained,
            "lethal hits": self.lethal,
            "devastating wounds": self.devastating,
            f"anti-infantry {self.anti}+": self.anti,
            "twin-linked": self.twin_linked,
            "blast": self.blast,
        }
        return [name for name, has in named.items() if has]


ONE = Question("i", 10, 3, 4, -1, 1, toughness=4, save=3, wounds=2, models=10)
TWO = Question(
    "ii", 20, 3, 5, -1, 2, toughness=5, save=2, wounds=3, models=5, invulnerable=4, feel_no_pain=5,
    sustained=1, lethal=True, reroll_ones_to_hit=True,
)  # fmt: skip
THREE = Question(
    "iii", "D6+3", 3, 10, -3, "D6+1", toughness=10, save=3, wounds=12, models=1, blast=True
)
FOUR = Question("iv", "D6+3", 3, 10, -3, "D6+1", toughness=5, save=3, wounds=3, models=5)
FIVE = Question(
    "v", 20, 3, 5, 0, "D3", toughness=5, save=3, wounds=2, models=10,
    sustained=1, devastating=True, anti=4, twin_linked=True,
)  # fmt: skip
QUESTIONS = (ONE, TWO, THREE, FOUR, FIVE)
