"""What the shell's verbs ask for: units, circumstances and phases, as people write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

if TYPE_CHECKING:
    from killcurve.engine.movement import RankBehind
    from killcurve.study.arming import Use
    from killcurve.study.fielding import Fielded
    from killcurve.study.matchup import Circumstances
    from killcurve.tables.dataset import Dataset

T = TypeVar("T")


class Phases(Enum):
    """In which phases units strike."""

    SHOOTING = "shooting"
    FIGHT = "fight"
    BOTH = "both"

    @property
    def shooting(self) -> bool:
        """Whether they shoot."""
        return self is not Phases.FIGHT

    @property
    def fight(self) -> bool:
        """Whether they fight."""
        return self is not Phases.SHOOTING


UNIT = "A unit: its name, with :MODELS for another size and @FACTION for one of several (Boyz:20)."
WHEN = "A circumstance that holds, such as half_range or cover."

InPhases = Annotated[Phases, typer.Option("--phase", help="When they strike.")]
Rules = Annotated[
    str | None, typer.Option("--edition", help="The rule state; else that of the units' data.")
]
Inches = Annotated[
    float | None,
    typer.Option("--distance", help="Inches between them when shooting; else all is in range."),
]
Effects = Annotated[
    list[str] | None, typer.Option("--effect", help="An effect on the attacks, such as 'hit +1'.")
]
When = Annotated[list[str] | None, typer.Option("--when", help=WHEN)]


def parts(text: str) -> tuple[str, int | None, str | None]:
    """Name, number of models and faction of a unit as it is written.

    >>> parts("Boyz:20@Orks"), parts("Boyz")
    (('Boyz', 20, 'Orks'), ('Boyz', None, None))
    """
    found = re.fullmatch(r"(?P<name>.+?)(?::(?P<models>\d{1,3}))?(?:@(?P<faction>.+))?", text)
    if not found:
        return text, None, None
    return (
        found["name"].strip(),
        int(found["models"]) if found["models"] else None,
        found["faction"],
    )


def fielded_as(dataset: Dataset, text: str) -> Fielded:
    """A unit as it is written: ``Boyz:20@Orks``."""
    from killcurve.study.mustering import fielded

    name, models, faction = parts(text)
    return fielded(dataset, name, faction, models=models)


def circumstances(
    edition: str | None, effects: Sequence[str] | None, flags: Sequence[str] | None
) -> Circumstances:
    """What options say of the circumstances of attacks.

    Raises:
        DataError: for an effect, a circumstance or a rule state that is not known.
    """
    from killcurve.engine.edition import edition as rules
    from killcurve.rules.effects import parse_all
    from killcurve.rules.situation import CONTEXT_FLAGS
    from killcurve.rules.spelling import did_you_mean
    from killcurve.study.matchup import Circumstances
    from killcurve.tables.dataset import DataError

    names = [part.strip() for text in flags or () for part in text.split(",") if part.strip()]
    for name in names:
        if name not in CONTEXT_FLAGS:
            raise DataError(f"there is no circumstance {name!r}{did_you_mean(name, CONTEXT_FLAGS)}")
    if edition is not None:
        told(lambda: rules(edition))
    read = told(lambda: parse_all(effects or []))
    return Circumstances(edition=edition, flags=frozenset(names), attacker_effects=read)


def uses(phase: Phases, distance: float | None) -> list[Use]:
    """How weapons are used in these phases, at so many inches."""
    from killcurve.study.arming import Use

    uses = [Use(True, distance)] if phase.shooting else []
    return uses + ([Use(False)] if phase.fight else [])


def rank_behind(text: str) -> RankBehind:
    """A rank as it is written: ``5:3`` are five models 3 inches behind the nearest."""
    from killcurve.engine.movement import RankBehind
    from killcurve.tables.dataset import DataError

    found = re.fullmatch(r"(\d+):(\d+(?:\.\d+)?)", text.strip())
    if not found:
        raise DataError(f"{text!r} is no rank: write MODELS:INCHES, such as 5:3")
    return told(lambda: RankBehind(int(found[1]), float(found[2])))


def told(make: Callable[[], T]) -> T:
    """What is made; what is wrong with it becomes an error that a person can mend."""
    from killcurve.tables.dataset import DataError

    try:
        return make()
    except DataError:
        raise
    except ValueError as error:
        raise DataError(str(error)) from None
