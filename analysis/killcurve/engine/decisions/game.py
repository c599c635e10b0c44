"""What the makers of a volley's situations share."""

from __future__ import annotations

from dataclasses import dataclass, field

from killcurve.engine.decisions.choices import Choices
from killcurve.engine.decisions.rights import Rights
from killcurve.engine.decisions.tape import Tape
from killcurve.engine.edition import Edition
from killcurve.engine.volley import Volley


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A volley, what is to be chosen in it, and the tape that its situations go on."""

    volley: Volley
    choices: Choices
    tape: Tape = field(default_factory=Tape)

    @property
    def rights(self) -> Rights:
        """The rights as axes."""
        return Rights(self.choices.rights)

    @property
    def edition(self) -> Edition:
        """The rule state."""
        return self.volley.edition
