"""Invented datasheet pages in the form of real ones: another army, other rules, own words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Trick:
    """A stratagem: how the list names it, and its text."""

    name: str
    type: str = "Bell Foundry – Battle Tactic"
    cp: int = 1
    when: str = "Your Shooting phase."
    target: str = "One ANVIL unit of yours."
    effect: str = "Its hits ring twice."
    restrictions: str | None = None
    items: tuple[str, ...] = ()
    number: str = ""
    glued_to: str = ""

    @property
    def badge(self) -> list[str]:
        kind = self.type.split(" – ")[0]
        return {"Core": ["C"], "Boarding Actions": ["BA"]}.get(kind, [])

    def entry(self) -> list[str]:
        return [self.name, f"{self.cp}CP", self.type, *self.badge]

    def parts(self) -> list[str]:
        told = [f"TARGET: {self.target}", f"EFFECT: {self.effect}"]
        return told + ([f"RESTRICTIONS: {self.restrictions}"] if self.restrictions else [])

    def body(self) -> list[str]:
        title = f"{self.glued_to}{self.name}{self.number}"
        head = [title, f"{self.cp}CP", f"{self.type} Stratagem", "Bells are loud and so are they."]
        return [*head, f"WHEN: {self.when}", *self.parts(), *self.parts(), *self.items]


CORE_11 = (
    Trick(
        "COMMAND RE-ROLL",
        "Core",
        when="Any phase, just after you rolled dice.",
        effect="Roll again one of these:",
        items=("- A roll to hit", "- A roll to wound"),
        number="15.02",
    ),
    Trick(
        "FIRE OVERWATCH",
        "Core",
        when="End of your opponent’s Movement phase.",
        effect="It shoots at once.",
        number="15.08",
        glued_to="So ends the rule before.",
    ),
    Trick("COUNTEROFFENSIVE", "Core", 2, "Fight step of your opponent’s Fight phase."),
)
BOARDING = (
    Trick("COMMAND RE-ROLL", "Boarding Actions – Epic Deed", when="Any phase, whenever you like."),
)
CORE_10 = (
    Trick("COMMAND RE-ROLL", "Core – Battle Tactic", when="Any phase, just after you rolled."),
    Trick("TANK SHOCK", "Core – Strategic Ploy", when="Your Charge phase."),
    Trick("COUNTER-OFFENSIVE", "Core – Strategic Ploy", 2, "Fight phase, after someone fought."),
)
OWN = (
    Trick("TOLL OF BRASS", restrictions="Once a battle."),
    Trick(
        "LAST PEAL",
        "Bell Foundry – Epic Deed",
        2,
        "Your opponent’s Shooting phase or the Fight phase, when your Charge phase is far.",
        glued_to="Even so, nobody hears it.",
    ),
    Trick(
        "CRACKED BELL", "Silent Order – Wargear", when="Your Movement phase or your Charge phase."
    ),
)


@dataclass(frozen=True)
class Sheet:
    """Everything an invented page is made of; :meth:`text` writes it."""

    edition: str = "11e"
    title: str = "Iron Choir – Anvil Guard"
    ranged: tuple[str, ...] = (
        'Storm gun lethal hits rapid fire 2 | 24" | 2 | 3+ | 5 | -1 | D3+1',
        'Bell thrower – canister blast | 18" | D6 | 4+ | 4 | 0 | 1',
        'Bell thrower – slug | 30" | 1 | 4+ | 9 | -3 | D6+1',
        'Dark lance | 36" | 1 | 3+ | 12 | -3 | D6+2',
        'Flame bell torrent | 12" | D6 | N/A | 4 | 0 | 1',
    )
    melee: tuple[str, ...] = ("Clapper | Melee | 3 | 4+ | 6 | -1 | 2",)
    options: tuple[str, ...] = (
        "This model’s storm gun can be replaced with 1 dark lance.",
        "This model’s 2 clappers can be replaced with one of the following:",
        "2 storm guns",
        "1 clapper and 1 dark lance",
        "The bell may be painted in any colour.",
    )
    abilities: tuple[str, ...] = (
        "CORE: Deep Strike, Leader",
        "FACTION: Great Bell",
        "Slow Step: It walks.Old Grudge (Aura): It hits hard.Designer’s Note: Only once.",
    )
    composition: tuple[str, ...] = ("1 Anvil Chief", "4-9 Anvil Guards")
    points: tuple[str, ...] = (
        "YOUR 1ST TO 3RD UNITS COST |",
        "5 models | 90",
        "10 models | 170",
        "YOUR 4TH + UNIT COSTS |",
        "5 models | 100",
        "10 models | 190",
    )
    keywords: tuple[str, ...] = ("INFANTRY", "BATTLELINE", "ANVIL", "GUARD")
    faction_keywords: str = "IRON CHOIR"
    tricks: tuple[Trick, ...] = CORE_11 + BOARDING + OWN
    detachment_abilities: tuple[tuple[str, str], ...] = (
        ("Ringing Ranks", "Bell Foundry"),
        ("Hush", "Silent Order"),
    )
    enhancements: tuple[str, ...] = ("Golden Clapper", "15", "Free Bell", "Muffler (Aura)", "20")
    bodies_of_enhancements: tuple[str, ...] = ("Bell Foundry", "Silent Order")
    before: tuple[str, ...] = (
        "05.04 Being Struck",
        "A bell that is struck rings. This box is of no use here.",
        "SNAP RINGING15.09",
        "EFFECT: The unit rings as it should.",
        "The keyword is used in the following Iron Choir datasheets:",
        "Infantry Character",
        "| |||||",
        "FAQ",
        "| Q: | Does it ring? |",
        "| A: | Yes. |",
        "Choose one profile of this weapon before it rings.",
    )
    after: tuple[str, ...] = field(default=())

    def text(self) -> str:
        return "\n".join([*self.sheet(), *self.lists(), *self.rest()])

    def sheet(self) -> list[str]:
        separator = "; " if self.edition == "11e" else ", "
        lines = [self.title]
        lines += _weapons("RANGED WEAPONS | RANGE | A | BS | S | AP | D | |", self.ranged)
        lines += _weapons("MELEE WEAPONS | RANGE | A | WS | S | AP | D | |", self.melee)
        if self.options:
            lines += ["WARGEAR OPTIONS", *(f"- {option}" for option in self.options)]
        lines += ["ABILITIES", *self.abilities]
        lines += ["UNIT COMPOSITION", *(f"- {models}" for models in self.composition)]
        lines += [f"| {row} |" for row in self.points]
        lines += ["TRANSPORT", "This model has a transport capacity of 11 ANVIL models."]
        lines += [f"KEYWORDS: {separator.join(self.keywords)}", "FACTION KEYWORDS:"]
        return [*lines, self.faction_keywords, self.faction_keywords]

    def lists(self) -> list[str]:
        lines = ["STRATAGEMS", *(line for trick in self.tricks for line in trick.entry())]
        lines += ["LED BY", "A bell founder can lead this unit:"]
        lines += ["DETACHMENT ABILITY", *(name for name, _ in self.detachment_abilities)]
        return lines + (["ENHANCEMENTS", *self.enhancements] if self.enhancements else [])

    def rest(self) -> list[str]:
        lines = list(self.before)
        for trick in reversed(self.tricks):
            lines += trick.body()
        for name, detachment in self.detachment_abilities:
            lines += [name, f"{detachment} Detachment", "It was always so.", f"{name} rings on."]
        for detachment in self.bodies_of_enhancements:
            lines += [f"{detachment} Detachment", "Old and heavy.", "model only. It is louder."]
        return [*lines, *self.after]


NEW = Sheet()
OLD = replace(
    NEW,
    edition="10e",
    ranged=(
        'Storm gun [lethal hits, rapid fire 2] | 24" | 2 | 3+ | 5 | -1 | 2',
        'Dark lance [anti-fly 2+, heavy] | 36" | 1 | 3+ | 12 | -3 | D6+2',
    ),
    composition=("1 Anvil Guard",),
    points=("1 model | 45",),
    keywords=("INFANTRY", "CHARACTER", "ANVIL GUARD"),
    tricks=CORE_10 + OWN,
    before=("Being struck", "A bell that is struck rings."),
)


def _weapons(heading: str, rows: Sequence[str]) -> list[str]:
    lines = [heading]
    for row in rows:
        name = row.split(" | ", 1)[0]
        lines += [f"| {name} | |||||||", f"| {row} | |"]
    return lines
