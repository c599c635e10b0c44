"""Random and mutated texts of rules: a reading that keeps its contract, quickly.

Run by itself (``python -m tests.rules.fuzz_reader 200000``) it tells how many of each status there
were, and the slowest.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter

from killcurve.rules.reader import read_rule

from tests.rules.test_read_rules import BASES, check

PIECES = (
    *BASES,
    "WHEN: Your Shooting phase. TARGET: One MOLES unit. EFFECT:",
    "Select one of the following:",
    "instead",
    "In addition, if the target is below Half-strength,",
    "roll one D6: on a 4+, that unit suffers D3 mortal wounds.",
    "Until the end of the phase,",
    "(excluding MONSTERS and VEHICLES)",
    "improve the Armour Penetration characteristic of that attack by 1.",
    "you can re-roll the Damage roll.",
    "melee weapons have the [SUSTAINED HITS D3] and [ANTI-INFANTRY 4+] abilities.",
    "models in that unit have the Feel No Pain 5+ ability against Psychic Attacks.",
    "attacks that target this unit have -1 to wound rolls.",
    "+1 S and +1 A to melee weapons.",
)  # fmt: skip
MARKS = ("", "[", "]", "(", ")", '"', "’", "<b>", "</b><br>", ":", ";", "■", "\u202e", "\x00", "🎲")


def text(dice: random.Random) -> str:
    """One text: pieces of rules, some bent, or mere characters."""
    if dice.random() < 0.1:
        return "".join(chr(dice.randrange(1, 0x3000)) for _ in range(dice.randrange(400)))
    words = " ".join(dice.choices(PIECES, k=dice.randint(1, 8))).split(" ")
    for _ in range(dice.choice((0, 1, 3, 10, 40))):
        place = dice.randrange(len(words))
        how = dice.random()
        if how < 0.3:
            words[place] = dice.choice(words)
        elif how < 0.5:
            words[place] = ""
        elif how < 0.7:
            words[place] = dice.choice(MARKS) + words[place]
        elif how < 0.85:
            words[place] = words[place].upper()
        else:
            words[place] = words[place][::-1]
    return " ".join(words)


def main(number: int, start: int) -> None:
    """Fuzz, and tell what came of it."""
    found: Counter[str] = Counter()
    slowest: list[tuple[float, int]] = []
    for seed in range(start, start + number):
        given = text(random.Random(seed))
        began = time.process_time()
        try:
            reading = read_rule(given, kind="stratagem" if seed % 2 else "unit ability")
            taken = time.process_time() - began
            check(reading)
            found[reading.status] += 1
        except Exception as error:
            taken = 0.0
            found["fault"] += 1
            print(f"seed {seed}: {type(error).__name__}: {str(error)[:200]}", flush=True)
        slowest = sorted([*slowest, (taken, seed)])[-3:]
    print(f"{number} texts: {dict(found)}; slowest {slowest[::-1]}")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
