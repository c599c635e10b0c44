"""The words by which army lists structure themselves, in the languages that apps write.

All are in the normal form: lower case, without accents. What a language lacks here is still
read where a list's shape tells it (sections in capitals, units by their points).
"""

from __future__ import annotations

import re

from killcurve.rules.spelling import normal

SECTIONS = frozenset(
    """
    allied units|allies|aircraft|battleline|beast|beasts|character|characters|dedicated transport
    |dedicated transports|epic hero|epic heroes|fortification|fortifications|infantry|line
    |lord of war|lords of war|monster|monsters|mounted|other|other datasheets|others|primarch
    |swarm|swarms|titanic|transport|transports|uncategorised|unit|units|vehicle|vehicles
    |autres|autres fiches techniques|autres unites|bete|betes|fiches techniques|heros epique
    |heros epiques|infanterie|ligne|monstre|monstres|montes|monte|nuee|nuees|personnage
    |personnages|transport assigne|transports assignes|unites alliees|vehicule|vehicules
    |andere datenblatter|angeschlossene transporter|befestigungen|charaktermodell
    |charaktermodelle|epischer held|epische helden|fahrzeug|fahrzeuge|kampflinie|linie
    |verbundete einheiten|transporter
    |fortificaciones|infanteria|linea|linea de batalla|otras hojas de datos|personaje|personajes
    |transportes asignados|transportes dedicados|unidades aliadas|vehiculo|vehiculos
    |altre schede tecniche|personaggi|personaggio|trasporti dedicati|unita alleate
    """.replace("\n", " ")
    .replace(" |", "|")
    .strip()
    .split("|")
)
CONFIGURATION = frozenset({"configuration", "konfiguration", "configuracion", "configurazione"})

SIZES = frozenset(
    """
    combat patrol|incursion|strike force|strikeforce|onslaught|patrouille de combat
    |force de frappe|offensive|assaut|kampfpatrouille|angriffsstreitmacht|einfall|grossangriff
    |patrulla de combate|incursione|fuerza de choque|fuerza de ataque|forza d'assalto
    |boarding patrol
    """.replace("\n", " ")
    .replace(" |", "|")
    .strip()
    .split("|")
)
"""Battle sizes: lines such as ``Strike Force (2000 points)`` are no units."""

WARLORD = frozenset(
    {
        *("warlord", "seigneur de guerre", "kriegsherr", "kriegsherrin"),
        *("senor de la guerra", "signore della guerra"),
    }
)
ENHANCEMENT = re.compile(
    r"^(?:e|enh|enhancements?|optimisations?|ameliorations?|verbesserung(?:en)?|mejoras?"
    r"|potenziament[oi])\s*:\s*"
)
ATTACHED = re.compile(r"^(?:attach\w*|angeschlossen|vinculad[oa]|aggregat[oa])\b[^:]{0,20}:\s*")
"""``Attached as: Leader (Character)``."""

ROLES = {
    "leader": ("leader", "meneur", "anfuhrer", "lider"),
    "support": ("support", "soutien", "appui", "unterstutz", "apoyo", "supporto"),
    "bodyguard": ("bodyguard", "garde", "leib", "guarda", "escolta", "guardia"),
}
CHARACTER = re.compile(r"\((?:character|personnage|charaktermodell|personaje|personaggio)\)")

BLOCK = re.compile(
    r"^(?:attached units?(?: (\d+))?|unites? (?:(\d+) )?attachees?(?: (\d+))?"
    r"|angeschlossene einheit(?:en)?(?: (\d+))?|unidad(?:es)? vinculadas?(?: (\d+))?"
    r"|unita aggregat[ae](?: (\d+))?)\s*:?$"
)
"""The heading of the blocks of attached units, and of each block."""

LINK = re.compile(
    r"^(leading|supporting|attached to|led by|supported by|joined by|leads|supports)\s*:?\s+"
    r"(\S.*?)\s*(?:\[(\d+)\])?$",
    re.IGNORECASE,
)
LEADS = {
    "leading": ("leader", True),
    "leads": ("leader", True),
    "supporting": ("support", True),
    "supports": ("support", True),
    "attached to": ("leader", True),
    "led by": ("leader", False),
    "joined by": ("leader", False),
    "supported by": ("support", False),
}
"""What a line says of its unit: its role, and whether the unit is the one that is attached."""
MUTUAL = "attached to"
"""This one stands below leaders in some lists, below both units in others."""

DISPOSITIONS = {
    "disruption": "disruption",
    "perturbation": "disruption",
    "priority assets": "priority assets",
    "atouts prioritaires": "priority assets",
    "ressources prioritaires": "priority assets",
    "purge the foe": "purge the foe",
    "eliminez l'adversaire": "purge the foe",
    "reconnaissance": "reconnaissance",
    "recon": "reconnaissance",
    "take and hold": "take and hold",
    "prendre et tenir": "take and hold",
}

FIELDS = {
    "faction": (
        *("faction keyword", "faction", "factions used", "faction used", "army faction", "army"),
        *("armee", "mot-cle de faction", "subfaction", "chapter"),
    ),
    "detachment": (
        *("detachment", "detachments", "detachement", "detachements", "army detachment"),
        *("detachment choice", "detachment used", "detachments used", "kontingent", "destacamento"),
    ),
    "total": ("total army points", "army points", "total points", "points", "total"),
    "size": ("battle size", "game size", "taille de bataille", "points limit"),
    "disposition": (
        *("force disposition", "force dispositions", "disposition", "dispositions"),
        *("dispositions des forces", "disposition des forces", "disposition de la force"),
    ),
    "warlord": ("warlord",),
    "bearers": ("enhancement", "enhancements"),
    "people": (
        *("player", "player name", "team", "team name", "joueur", "equipe", "coach"),
        *("number of units", "secondary", "show/hide options", "data version", "url", "version"),
    ),
}
FIELD_NAMES = {word: name for name, said in FIELDS.items() for word in said}

FOOTER = re.compile(
    r"^(?:(?:exported|created|generated|built|made|exporte|cree|erstellt|exportiert|creado|exportado"
    r"|esportato)\b.*(?:app\b|appli|version|recruit|scribe|warorgan|battlebase|forge|http)"
    r"|end of roster|https?://|url\s*:|data version)"
)
LABELS = frozenset({"wargear", "weapons", "models", "equipment", "equipement", "gear", "unit"})
"""What may stand before a list of things without being one of them."""

LIST_TAGS = frozenset({"psychic", "aura", "upgrade", "legends", "character", "bondsman"})
"""What stands in brackets behind names without being a list."""


def role(text: str) -> str | None:
    """The role that the words behind ``Attached as`` name.

    >>> role("Meneur (Personnage)"), role("Gardes du Corps"), role("?")
    ('leader', 'bodyguard', None)
    """
    said = normal(text)
    return next((name for name, starts in ROLES.items() if said.startswith(starts)), None)


def disposition(text: str) -> str:
    """A force disposition by the name the rules give it; others stay as they are, in lower case.

    >>> disposition("Éliminez l’Adversaire")
    'purge the foe'
    """
    said = normal(text)
    return DISPOSITIONS.get(said, said)


def is_disposition(text: str) -> bool:
    """Whether a line is nothing but names of force dispositions.

    >>> is_disposition("Purge the Foe"), is_disposition("Gladius")
    (True, False)
    """
    return all(normal(part) in DISPOSITIONS for part in text.split(","))
