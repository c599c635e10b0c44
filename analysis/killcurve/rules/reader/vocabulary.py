"""The words of rules: kinds of words and phrases, each with its spellings."""

from __future__ import annotations

from killcurve.rules.abilities import ABILITIES


def wordset(text: str) -> frozenset[str]:
    """The words of a text.

    >>> sorted(wordset("HIT WOUND"))
    ['HIT', 'WOUND']
    """
    return frozenset(text.split())


SPELLINGS: dict[str, str] = {
    # changes
    "ADD": "add | adds",
    "ADDING": "adding",
    "SUBTRACT": "subtract | subtracts",
    "SUBTRACTING": "subtracting",
    "IMPROVE": "improve | improves | increase | increases",
    "WORSEN": "worsen | worsens | reduce | reduces | decrease",
    "CHANGE": "change | changes | set the | treat",
    "HALVE": "halve | halves | halving",
    "RE_ROLL": "re-roll | re-rolls",
    "IGNORE": "ignore | ignores | ignoring",
    "HAVE": "have | has | gain | gains | receive | receives | having",
    "SUFFER": "suffer | suffers",
    "LOSE": "lose | loses",
    "HEAL": "heal | heals",
    "REGAIN": "regain | regains | recover | recovers",
    "RETURN": "return | returns | returned | reanimated",
    "REMOVE": "remove | removed",
    "SET": "set",
    "INFLICT": "inflict | inflicts | inflicted",
    "OTHER_VERB": (
        "double | doubles | triple | place | resolve | choose | pick | deal | "
        "deals | multiply | discard | spend | take"
    ),
    "SCORE": "score | scores | scored",
    "SELECT": "select",
    # rolls
    "ROLL": "roll | rolls",
    "HIT": "hit | hits",
    "WOUND": "wound | wounds",
    "DICE": "dice | die",
    "RESULT": "result | results",
    "OTHER_ROLL": (
        "advance | advances | charge | charges | battle-shock | battleshock | leadership | "
        "desperate escape | hazardous | hazard | surge | pile-in | consolidation | "
        "blood surge | psychic test | deny the witch | roll-off | miracle"
    ),
    "TEST": "test | tests",
    "UNMODIFIED": "unmodified | unmodifed",
    "SUCCESSFUL": "successful | successfully",
    "CRITICAL": "critical",
    "CRITICAL_HIT": "critical hit | critical hits",
    "CRITICAL_WOUND": "critical wound | critical wounds",
    "MODIFIER": "modifier | modifiers",
    "NUMBER_OF_ATTACKS": "number of attacks | number of attacks made",
    "DETERMINE": "determine | determining",
    # characteristics
    "CHARACTERISTIC": "characteristic | characteristics",
    "STRENGTH": "strength | stength",
    "TOUGHNESS": "toughness",
    "DAMAGE": "damage",
    "AP": "armour penetration | ap | armor penetration",
    "SKILL": (
        "ballistic skill | weapon skill | bs | ws | ballistic or weapon skill | "
        "weapon or ballistic skill | ballistic skill or weapon skill | "
        "weapon skill or ballistic skill | ballistic skill and weapon skill | "
        "weapon skill and ballistic skill | bs and ws | ws and bs | bs/ws | ws/bs"
    ),
    "SAVE": (
        "save | saves | saving throw | saving throws | armour save | armour saves | "
        "armour saving throw | armour saving throws | sv"
    ),
    "INVULNERABLE": (
        "invulnerable save | invulnerable saves | invulnerable saving throw | "
        "invulnerable saving throws | insv | invulnerable"
    ),
    "FEEL_NO_PAIN": "feel no pain",
    "MOVE": "move | moves | movement | m",
    "OTHER_CHARACTERISTIC": "objective control | oc | ld | level of control",
    "RANGE": "range | ranges",
    "STARTING_STRENGTH": "starting strength",
    "HALF_STRENGTH": "half-strength | half strength | half its starting strength",
    "STATIONARY": "remained stationary | remains stationary | remain stationary",
    "CHARGED": (
        "made a charge move | makes a charge move | made a charge move this turn | charged | "
        "made a charge move that turn | charged this turn | ended a charge move this turn | "
        "ended a charge move"
    ),
    "HALF_RANGE": "half range",
    "BELOW": "below",
    "MORTAL": "mortal wound | mortal wounds",
    "COVER": "benefit of cover | benefits of cover | cover",
    "STEALTH": "stealth",
    "OBJECTIVE": (
        "objective marker | objective markers | objective | objectives | "
        "objective marker's | objectives markers"
    ),
    "ENGAGEMENT_RANGE": "engagement range",
    "ENGAGED": "engaged",
    "CLOSEST": "closest",
    # who and what
    "ATTACK": "attack | attacks",
    "ATTACKING": "attacking | attacker",
    "WEAPON": "weapon | weapons",
    "MODEL": "model | models",
    "UNIT": "unit | units",
    "BEARER": "bearer | bearers",
    "MELEE": "melee",
    "RANGED": "ranged",
    "PSYCHIC": "psychic",
    "EQUIPPED_BY": (
        "equipped by | equipped with | made by | made with | made for | taken for | "
        "made against | in the bearer's"
    ),
    "THIS": "this",
    "THAT": "that | those | such | these | which",
    "IT": "it | they | them",
    "ITS": "its | their",
    "YOUR": "your",
    "YOU": "you",
    "ENEMY": "enemy",
    "FRIENDLY": "friendly",
    "FROM_YOUR_ARMY": "from your army | in your army | from you army",
    "OPPONENT": "opponent",
    "TARGET": "target",
    "TARGETS": "targets | targeted | targeting",
    "ALLOCATED": "allocated",
    "DESTROYED": "destroyed",
    "LEADING": "leading | attached to | joined to",
    # verbs that stand behind a subject
    "BE": "is | are | be | was | were | been | being",
    "CAN": "can | may | could",
    "CANNOT": "cannot | can't | can not",
    "MUST": "must",
    "MAKE": "make | makes | making",
    "DO": "do | does | did | doing",
    "NOT": "not",
    "SHOOT": "shoot | shoots | shot",
    "FIGHT": "fight | fights | fought",
    "CONTAIN": "contain | contains | include | includes | including",
    # openers
    "ACTIVATE": "activate | activates | activated",
    "UNTIL": "until",
    "IF": "if | provided",
    "UNLESS": "unless",
    "WHILE": "while",
    "EACH_TIME": "each time | every time | whenever | the first time | first time",
    "WHEN": "when | where",
    "AFTER": "after | just after | immediately after",
    "BEFORE": "before | just before",
    "ONCE": "once",
    "OTHERWISE": "otherwise",
    # small words
    "EACH": "each | every",
    "OF": "of",
    "TO": "to",
    "BY": "by",
    "FROM": "from",
    "WITH": "with",
    "FOR": "for",
    "ON": "on",
    "IN": "in",
    "AT": "at",
    "DURING": "during",
    "AGAINST": "against",
    "WITHIN": "within",
    "AND": "and",
    "OR": "or",
    "BUT": "but",
    "THEN": "then",
    "ALSO": "also",
    "NO": "no",
    "ANY": "any | all | any or all | any and all",
    "ADDITIONAL": "additional | further",
    "UP_TO": "up to",
    "INSTEAD": "instead",
    "AS_WELL": "as well | too",
    "IN_ADDITION": "in addition | in either case | additionally",
    "OR_MORE": "or more",
    "MORE_THAN": "more than | greater than | higher than | over",
    "LESS_THAN": "less than | lower than | fewer than",
    "ABILITY_WORD": "ability | abilities",
    "KEYWORD_WORD": "keyword | keywords",
    "AWAY": "away",
    "IMPROVED": "improved",
    "WORSENED": "worsened | reduced",
    "EXCLUDING": "excluding | except for | except",
    "FAILED": "failed | fails | passed | passes",
    "FLY": "fly",
    "VISIBLE": "visible",
    "ELIGIBLE": "eligible",
    "SELECTED": "selected",
    "OTHER": "other",
    "LEAST": "least",
    "CONTROL": "control",
    "LEAD_BY": "led by",
    "ONE": "one",
    "NUMBER_WORD": "two | three | four | five | six | seven | eight | nine | ten | twelve",
    "LOST": "lost",
    "FULL": "full",
    "PHASE": "phase | phases",
    "TURN": "turn | turns",
    "BATTLE": "battle",
    "ROUND": "round | rounds",
}
"""The kinds of words and phrases, each with its spellings; articles and the like are left out."""

ARTICLES = frozenset({"a", "an", "the", "both", "either"})

GENERIC_KEYWORDS = wordset(
    "infantry mounted beast beasts swarm monster vehicle walker titanic aircraft character "
    "psyker daemon transport battleline towering fortification artillery smoke grenades "
    "terminator"
)
"""Keywords that units of many armies have; texts print them with a capital at least."""

NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip

SHORT = {
    "A": "ATTACK", "S": "STRENGTH", "T": "TOUGHNESS", "W": "WOUND", "D": "DAMAGE", "M": "MOVE",
    "AP": "AP", "BS": "SKILL", "WS": "SKILL", "OC": "OTHER_CHARACTERISTIC",
    "Ld": "OTHER_CHARACTERISTIC", "LD": "OTHER_CHARACTERISTIC", "Sv": "SAVE", "SV": "SAVE",
    "InSv": "INVULNERABLE", "Range": "RANGE", "R": "RANGE",
}  # fmt: skip
"""Characteristics as stat lines print them."""

LETTERS = frozenset("ASTWDMR")


def singular(word: str) -> str:
    """A keyword in small letters and without the s of many.

    >>> singular("VEHICLES"), singular("Beasts")
    ('vehicle', 'beasts')
    """
    low = word.lower().rstrip("'")
    return (
        low
        if low in GENERIC_KEYWORDS
        else low.removesuffix("s")
        if (low.removesuffix("s") in GENERIC_KEYWORDS)
        else low
    )


def _phrases() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """By first word: the fixed phrases, longest first, with their kinds."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for kind, spellings in SPELLINGS.items():
        for spelling in spellings.split(" | "):
            parts = tuple(spelling.split())
            found.setdefault(parts[0], []).append((parts, kind))
    for name in ABILITIES:
        parts = tuple(name.split())
        if len(parts) > 1 or "-" in name:
            found.setdefault(parts[0], []).append((parts, "ABILITY"))
    for options in found.values():
        options.sort(key=lambda option: -len(option[0]))
    return found


PHRASES = _phrases()
