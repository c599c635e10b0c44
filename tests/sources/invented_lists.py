"""One invented army, printed as every app and list builder would print it."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any
from xml.sax.saxutils import quoteattr

from killcurve.tables.building import build
from killcurve.tables.dataset import About, Dataset

ABOUT = About("made", "7", "11e", "2026-01-01", "CC-BY-4.0", "the makers")
HOST, RAVENS, CHOIR = "Ember Host", "Ash Ravens", "Deep Choir"


def weapon(sheet: str, name: str, kind: str = "ranged", faction: str = HOST, **more) -> dict:
    return {
        "faction": faction,
        "datasheet": sheet,
        "profile": "",
        "kind": kind,
        "weapon": name,
        "weapon_id": name.lower().replace(" ", "-"),
        "exclusive": False,
        "attacks": "1",
        "range": 12 if kind == "ranged" else 0,
        "skill": 3,
        "strength": "4",
        "ap": 0,
        "damage": "1",
        "keywords": [],
        **more,
    }


def kinds(sheet: str, *models: tuple[str, int, int], tier: int = 1, faction: str = HOST):
    for model, least, most in models:
        yield {
            "faction": faction,
            "datasheet": sheet,
            "tier": tier,
            "model": model,
            "statline": model,
            "count_min": least,
            "count_max": most,
        }


def cost(sheet: str, points: int, models: int = 1, upto: int | None = None, **more) -> dict:
    return {
        "faction": HOST,
        "datasheet": sheet,
        "models": models,
        "models_max": upto or models,
        "copies_from": 1,
        "copies_to": None,
        "cost": points,
        **more,
    }


def host(**more: list[dict]) -> Dataset:
    """The Ember Host, its chapter of Ash Ravens, and the Deep Choir as an ally."""
    sheets = {
        HOST: ("Ember Marshal", "Storm Guards", "Forge Engine", "Ash Hounds", "Ember Oracle"),
        CHOIR: ("Choir Chanters", "Forge Engine"),
    }
    place = [
        {"faction": f, "datasheet": s, "legends": False} for f, ss in sheets.items() for s in ss
    ]
    rows: dict[str, list[dict]] = {
        "factions": [
            {"faction": HOST},
            {"faction": RAVENS, "parent": HOST},
            {"faction": CHOIR},
        ],
        "datasheets": place,
        "compositions": [
            *kinds("Ember Marshal", ("Ember Marshal", 1, 1)),
            *kinds("Ember Oracle", ("Ember Oracle", 1, 1)),
            *kinds("Storm Guards", ("Storm Guard Sergeant", 1, 1), ("Storm Guard", 4, 4)),
            *kinds("Storm Guards", ("Storm Guard Sergeant", 1, 1), ("Storm Guard", 5, 9), tier=2),
            *kinds("Forge Engine", ("Forge Engine", 1, 1)),
            *kinds("Ash Hounds", ("Ash Hound", 3, 6)),
            *kinds("Choir Chanters", ("Chanter", 5, 5), faction=CHOIR),
        ],
        "weapons": [
            weapon("Ember Marshal", "Flare pistol"),
            weapon("Ember Marshal", "Cinder blade", "melee"),
            weapon("Ember Oracle", "Oracle staff", "melee"),
            weapon("Ember Oracle", "Oracle staff", weapon_id="oracle-staff"),
            weapon("Storm Guards", "Storm gun"),
            weapon("Storm Guards", "Heavy flare gun"),
            weapon("Storm Guards", "Flare pistol"),
            weapon("Storm Guards", "Cinder blade", "melee"),
            weapon("Storm Guards", "Close combat weapon", "melee"),
            weapon("Forge Engine", "Magma lance"),
            weapon("Forge Engine", "Engine fists", "melee"),
            weapon("Ash Hounds", "Fangs", "melee"),
            weapon("Choir Chanters", "Hymn cannon", faction=CHOIR),
        ],
        "default_weapons": [
            _default("Storm Guards", "Storm Guard", "storm-gun"),
            _default("Storm Guards", "Storm Guard", "close-combat-weapon"),
            _default("Storm Guards", "Storm Guard Sergeant", "storm-gun"),
            _default("Ash Hounds", "Ash Hound", "fangs"),
        ],
        "wargear_options": [
            {
                "faction": HOST,
                "datasheet": "Storm Guards",
                "option": 1,
                "replaces": [],
                "choices": ["ember icon"],
                "text": None,
            }
        ],
        "points": [
            cost("Ember Marshal", 80),
            cost("Ember Oracle", 70),
            cost("Storm Guards", 100, 5),
            cost("Storm Guards", 190, 6, 10),
            cost("Forge Engine", 150, copies_to=1),
            cost("Forge Engine", 160, copies_from=2),
            cost("Ash Hounds", 45, 3),
            cost("Choir Chanters", 60, 5, faction=CHOIR),
        ],
        "allied_points": [{**cost("Choir Chanters", 75, 5, faction=CHOIR), "army": HOST}],
        "wargear_costs": [
            {
                "faction": HOST,
                "datasheet": "Forge Engine",
                "item": "Magma lance",
                "cost": 5,
                "per": "item",
            }
        ],
        "keywords": [
            _keyword("Ember Marshal", "character"),
            _keyword("Ember Oracle", "character"),
            _keyword("Ember Marshal", "ember host", is_faction=True),
        ],
        "leader_attachments": [
            {"faction": HOST, "leader": "Ember Marshal", "bodyguard": "Storm Guards"}
        ],
        "detachments": [
            {"faction": HOST, "detachment": name, "rules": [], "effects": [], "status": "unread"}
            for name in ("Vanguard of Flame", "Ash and Iron", "Iron Guard")
        ],
        "enhancements": [
            _enhancement("Ember Blade", "Vanguard of Flame", 15),
            _enhancement("Soot Mantle (Upgrade)", "Ash and Iron", 10),
        ],
    }
    for table, added in more.items():
        rows[table] = [*rows.get(table, []), *added]
    return build(ABOUT, rows)


def _default(sheet: str, model: str, weapon_id: str) -> dict:
    place = {"faction": HOST, "datasheet": sheet, "model": model}
    return {**place, "weapon_id": weapon_id, "count": 1}


def _keyword(sheet: str, word: str, *, is_faction: bool = False) -> dict:
    return {"faction": HOST, "datasheet": sheet, "keyword": word, "is_faction": is_faction}


def _enhancement(name: str, detachment: str, points: int) -> dict:
    return {
        "faction": HOST,
        "detachment": detachment,
        "name": name,
        "cost": points,
        "effects": [],
        "status": "unread",
    }


GW_11 = """\
My glorious army (640 points)

Ember Host
Incursion (1000 points)
Vanguard of Flame (2 Detachment Points)
Force Dispositions: Priority Assets, Take and Hold

Attached Units
Attached Unit 1

Ember Marshal (95 points)
• Attached as: Leader (Character)
  • Warlord
  • 1x Cinder blade
    1x Flare pistol
  • Enhancement: Ember Blade

Storm Guards (180 points)
• Attached as: Bodyguard (Battleline)
  • 1x Storm Guard Sergeant
    • 1x Cinder blade
      1x Storm gun
  • 9x Storm Guard
    • 9x Close combat weapon
      1x Ember icon
      2x Heavy flare gun
      7x Storm gun


OTHER DATASHEETS

Ash Hounds (45 points)
  • 3x Ash Hound
    • 3x Fangs

Forge Engine (160 points)
  • 1x Engine fists
    2x Magma lance

Forge Engine (160 points)
  • 1x Engine fists
    2x Magma lance

Exported with App Version: v2.0.5 (128), Data Version: v886
"""

GW_FRENCH = (
    GW_11.replace("Incursion (1000 points)", "Incursion (1000 points)")
    .replace("2 Detachment Points", "2 Points de Détachement")
    .replace("Force Dispositions: Priority Assets, Take and Hold",
             "Dispositions des Forces : Éliminez l’Adversaire")
    .replace("Attached Units\nAttached Unit 1", "Unités Attachées\nUnité 1 Attachée")
    .replace("Attached as: Leader (Character)", "Attachée en tant que : Meneur (Personnage)")
    .replace("Attached as: Bodyguard (Battleline)", "Attachée en tant que : Gardes du Corps (Ligne)")
    .replace("• Warlord", "• Seigneur de Guerre")
    .replace("Enhancement: ", "Optimisation : ")
    .replace("OTHER DATASHEETS", "AUTRES FICHES TECHNIQUES")
    .replace("Exported with App Version: v2.0.5 (128), Data Version: v886",
             "Exporté avec la Version de l'Appli : v2.0.5 (128), Version de Données : v886")
)  # fmt: skip

GW_10 = (
    GW_11.replace(" (2 Detachment Points)", "")
    .replace("Force Dispositions: Priority Assets, Take and Hold\n", "")
    .replace("Attached Units\nAttached Unit 1", "CHARACTERS")
    .replace("• Attached as: Leader (Character)\n", "")
    .replace("• Attached as: Bodyguard (Battleline)\n", "")
    .replace("v2.0.5", "v1.40.1")
)

GW_FLAT = "\n".join(line.strip() for line in GW_11.splitlines())
"""As forums show it: without indents."""

HOLLOW = "\n".join(
    {"    • ": "◦ ", "      ": "◦ ", "  • ": "• ", "    ": "• "}.get(
        line[: len(line) - len(line.lstrip("• "))], ""
    )
    + line.lstrip("• ")
    for line in GW_10.splitlines()
)
"""As another version of the app has it: hollow bullets for what models carry, no indents."""

HEADER = """\
+++++++++++++++++++++++++++++++++++++++++++++++
+ FACTION KEYWORD: Chaos - Ember Host
+ DETACHMENT: Vanguard\u00a0of\u00a0Flame (Rule of Flame)
+ TOTAL ARMY POINTS: 640pts
+
+ WARLORD: Char1: Ember Marshal
+ ENHANCEMENT: Ember Blade (on Char1: Ember Marshal)
+ NUMBER OF UNITS: 5
+ SECONDARY: - Bring It Down: (2x2) - Assassination: 1 Characters
+++++++++++++++++++++++++++++++++++++++++++++++
"""

NR_GW = f"""{HEADER}
CHARACTER

Ember Marshal (95 pts)
• 1x Cinder blade
• 1x Flare pistol
• Warlord
• Ember Blade (+15 pts)

BATTLELINE

Storm Guards (180 pts)
• 1x Storm Guard Sergeant
    • 1x Cinder blade
    • 1x Storm gun
• 9x Storm Guard
    • 9x Close combat weapon
    • 7x Storm gun
    • 2x Heavy flare gun
    • Ember icon

OTHER DATASHEETS

Ash Hounds (45 pts)
• 3x Ash Hounds
    • 3x Fangs

Forge Engine (160 pts)
• 1x Engine fists
• 1x Magma lance
• 1x Magma lance

Forge Engine (160 pts)
• 1x Engine fists
• 2x Magma lance
"""

WTC = f"""{HEADER}
CHARACTER

Char1: 1x Ember Marshal (95 pts)
1 with Cinder blade, Flare pistol
  • Warlord
Enhancement: Ember Blade (+15 pts)

BATTLELINE

10x Storm Guards (180 pts)
• 1x Storm Guard Sergeant
    1 with Cinder blade, Storm gun
      • Storm Guard Sergeant
• 9x Storm Guard
    6 with Storm gun, Close combat weapon
    1 with Storm gun, Close combat weapon
      • Ember icon, Storm Guards
    2 with Heavy flare gun, Close combat weapon

OTHER DATASHEETS

3x Ash Hounds (45 pts)
• 3x Ash Hound
    3 with Fangs

1x Forge Engine (160 pts)
1 with Engine fists, 2x Magma lance

1x Forge Engine (160 pts)
1 with Engine fists, Magma lance, Magma lance
"""

WTC_COMPACT = f"""{HEADER}
Char1: 1x Ember Marshal (95 pts): Warlord, Cinder blade, Flare pistol
Enhancement: Ember Blade (+15 pts)

10x Storm Guards (180 pts)
• 1x Storm Guard Sergeant: Cinder blade, Storm gun
• 9x Storm Guards
    6 with Storm Guards, Storm gun, Close combat weapon
    1 with Ember icon, Storm gun, Close combat weapon
    2 with Heavy flare gun, Close combat weapon
3x Ash Hounds (45 pts)
• 3x Ash Hound: 3 with Fangs
1x Forge Engine (160 pts): Engine fists, 2x Magma lance
1x Forge Engine (160 pts): Engine fists, Magma lance, Magma lance
"""

NR_TEXT = """\
Chaos - Ember Host - My glorious army - [640 pts]

# ++ Army Roster ++ [640 pts]
## Configuration
Battle Size: Incursion (1000 Point limit)
Detachment: Vanguard of Flame
Show/Hide Options

## Character [95 pts]
Ember Marshal [95 pts]: Warlord, Ember Blade, Cinder blade, Flare pistol

## Battleline [180 pts]
Storm Guards [180 pts]:
• 1x Storm Guard Sergeant: Cinder blade, Storm gun
  2 heavy flare guns, 7 storm guns
• 6x Storm Guard: Close combat weapon, Storm gun
• 1x Storm Guard w/ icon: Close combat weapon, Storm gun, Ember icon
• 2x Storm Guard w/ heavy flare gun: Close combat weapon, Heavy flare gun

## Beast [45 pts]
Ash Hounds [45 pts]:
• 3x Ash Hound: Fangs

## Vehicle [320 pts]
Forge Engine [160 pts]: Engine fists, 2 magma lances (2x Magma lance)
Forge Engine [160 pts]: Lances and fists (Engine fists, 2x Magma lance)
"""

LIST_FORGE = """\
My glorious army (640 Points)


Character:
Ember Marshal (95 pts)
  • Cinder blade
  • Flare pistol
  • E: Ember Blade
  • Warlord


Battleline:
Storm Guards (180 pts)
  • Storm Guard Sergeant
    • Cinder blade
    • Storm gun
  • B: 2 heavy flare guns, 7 storm guns
    • 7x Storm Guard
      • 7x Storm gun
      • 7x Close combat weapon
    • 2x Storm Guard w/ heavy flare gun
      • 2x Heavy flare gun
      • 2x Close combat weapon
  • Ember icon


Beast:
Ember Host Ash Hounds (45 pts)
  • 3x Ash Hound
    • 3x Fangs


Vehicle:
Ember Host Forge Engine (160 pts)
  • Engine fists
  • 2 magma lances
    • 2x Magma lance

Ember Host Forge Engine (160 pts)
  • Engine fists
  • Two magma lances
    • 2x Magma lance
"""

WAR_ORGAN = """\
My glorious army [640 points]
Ember Host
Battle Size: Incursion (1000 point limit)

Detachments: Vanguard of Flame (2/3 Detachment Points)
Force Disposition: Take and Hold

Mean Command Clique

  Ember Marshal [95 points]
    • Warlord
    • Cinder blade, Flare pistol and Ember blade [+15 points]

  Storm Guards [180 points]
    • 1 Storm Guard Sergeant with Cinder blade and Storm gun
    • 6 Storm Guards with Close combat weapon and Storm gun
    • 1 Storm Guards with Close combat weapon, Ember icon and Storm gun
    • 2 Storm Guards with Close combat weapon and Heavy flare gun

Beast

  Ash Hounds [45 points]
    • 3 Ash Hounds with Fangs

Vehicle

  Forge Engine [160 points]
    • Engine fists and 2 Magma lance

  Forge Engine [160 points]
    • 2 Magma lance and Engine fists

Created with WarOrgan (https://warorgan.com)
"""

WAR_ORGAN_GW = (
    GW_10.replace("\n      ", "\n\t\t• ").replace("\n    • ", "\n\t\t• ").replace("\n  • ", "\n\t• ")
    .replace("\n    ", "\n\t• ").replace("Vanguard of Flame", "Vanguard of Flame, Ash and Iron")
    .split("Exported")[0]
)  # fmt: skip

SHORT = """\
Ember Marshal (95pts): Warlord, Ember Blade, Cinder blade, Flare pistol
10x Storm Guards (180pts)
3x Ash Hounds (45pts)
1x Forge Engine (160pts): Engine fists, 2x Magma lance
Forge Engine (160pts): Engine fists, 2x Magma lance
Total: 640pts
"""

TEXTS = {
    "GW app": GW_11,
    "GW app, French": GW_FRENCH,
    "GW app, 10th edition": GW_10,
    "without indents": GW_FLAT,
    "hollow bullets": HOLLOW,
    "New Recruit GW": NR_GW,
    "WTC": WTC,
    "WTC compact": WTC_COMPACT,
    "New Recruit text": NR_TEXT,
    "List Forge": LIST_FORGE,
    "WarOrgan": WAR_ORGAN,
    "WarOrgan GW": WAR_ORGAN_GW,
}


Node = dict[str, Any]


def picked(name: str, *below: Node, kind: str = "upgrade", number: int = 1, **more) -> Node:
    return {"name": name, "type": kind, "number": number, "selections": list(below), **more}


def gun(name: str, number: int = 1, *, melee: bool = False) -> Node:
    typed = "Melee Weapons" if melee else "Ranged Weapons"
    values = {"Range": "Melee" if melee else '12"', "A": "2", "WS" if melee else "BS": "3+"}
    values |= {"S": "5", "AP": "-1", "D": "D3", "Keywords": "Lethal Hits" if melee else "-"}
    return picked(name, number=number, profiles=[profile(name, typed, **values)])


def profile(name: str, typed: str, **values: str) -> Node:
    held = [{"name": key, "$text": text} for key, text in values.items()]
    return {"name": name, "typeName": typed, "characteristics": held}


def statline(name: str, **more: str) -> Node:
    values = {"M": '6"', "T": "4", "SV": "3+", "W": "2", "LD": "6+", "OC": "1"} | more
    return profile(name, "Unit", **values)


def pts(points: int) -> list[Node]:
    return [{"name": "pts", "typeId": "pts", "value": points}]


def roster() -> Node:
    """The army as New Recruit's JSON, with the profiles of its own."""
    save = profile(
        "Invulnerable Save", "Abilities", Description="This model has a 4+ invulnerable save."
    )
    marshal = picked(
        "Ember Marshal",
        gun("Cinder blade", melee=True),
        gun("Flare pistol"),
        picked("Ember Blade", group="Enhancements::Vanguard of Flame", costs=pts(15)),
        picked("Warlord"),
        kind="model",
        costs=pts(80),
        profiles=[statline("Ember Marshal", W="5"), save],
        categories=[{"name": "Character", "primary": True}, {"name": "Faction: Ember Host"}],
    )
    icon = picked("Ember icon", profiles=[profile("Ember icon", "Abilities", Description="x")])
    guards = picked(
        "Storm Guards",
        picked(
            "Storm Guard Sergeant",
            gun("Cinder blade", melee=True),
            gun("Storm gun"),
            kind="model",
        ),
        picked(
            "9 Storm Guards",
            picked(
                "Storm Guard",
                gun("Storm gun", 7),
                gun("Close combat weapon", 7, melee=True),
                icon,
                kind="model",
                number=7,
            ),
            picked(
                "Storm Guard w/ heavy flare gun",
                picked("Flare gun and weapon", gun("Heavy flare gun", 2)),
                gun("Close combat weapon", 2, melee=True),
                kind="model",
                number=2,
            ),
        ),
        kind="unit",
        costs=pts(180),
        profiles=[statline("Storm Guard")],
    )
    hounds = picked(
        "Ash Hounds [Legends]",
        picked("Ash Hound", gun("Fangs", 3, melee=True), kind="model", number=3),
        kind="unit",
        costs=pts(45),
    )
    engine = picked(
        "Forge Engine",
        gun("Engine fists", melee=True),
        picked("Two magma lances", gun("Magma lance", 2)),
        kind="model",
        costs=pts(160),
        profiles=[statline("Forge Engine", T="10", W="12")],
    )
    return {
        "name": "My glorious army",
        "generatedBy": "https://newrecruit.eu",
        "gameSystemName": "Warhammer 40,000 11th Edition",
        "costs": pts(640),
        "costLimits": pts(1000),
        "forces": [
            {
                "name": "Army Roster",
                "catalogueName": "Chaos - Ember Host",
                "selections": [
                    picked("Battle Size", picked("1. Incursion (1000 Point limit)")),
                    picked("Detachment", picked("Vanguard of Flame")),
                    marshal, guards, hounds, engine, engine,
                ],
            }
        ],
    }  # fmt: skip


def as_json() -> str:
    return json.dumps({"roster": roster()})


def as_xml() -> str:
    inside = _element("roster", roster()).replace(
        "<roster ", '<roster xmlns="http://www.battlescribe.net/schema/rosterSchema" ', 1
    )
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{inside}'


def _element(tag: str, node: Node) -> str:
    text = node.get("$text", "")
    lists = {key: value for key, value in node.items() if isinstance(value, list)}
    facts = {k: v for k, v in node.items() if k not in lists and k != "$text"}
    marks = "".join(f" {key}={quoteattr(str(value))}" for key, value in facts.items())
    singular = {"categories": "category"}
    below = "".join(
        f"<{key}>"
        + "".join(_element(singular.get(key, key[:-1]), one) for one in value)
        + f"</{key}>"
        for key, value in lists.items()
    )
    return f"<{tag}{marks}>{below}{text.replace('&', '&amp;')}</{tag}>"


def zipped(name: str = "army.ros", content: str | bytes | None = None) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, as_xml() if content is None else content)
    return held.getvalue()
