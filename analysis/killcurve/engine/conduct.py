"""What rule states say beside attacks: arriving, charging, fighting in turn, tests, transports.

A record beside :class:`killcurve.engine.edition.Edition`, for those who look beyond one attack.
"""

from __future__ import annotations

from dataclasses import dataclass

from killcurve.engine.edition import Edition


@dataclass(frozen=True, slots=True)
class Conduct:
    """The rules of one rule state.

    * ``arrives_beyond``: units from reserves (ingress, deep strike) are set up more than so many
      inches from enemies (core rules 20.04, 24.09).
    * ``charge_reaches_target``: the charge roll has to reach the target's distance itself (core
      rules 11.04; 11.02.01 says that a roll of 2 never does), not only the distance less the
      engagement range.
    * ``turn_taker_fights_first``: where neither side has charged, the player whose turn it is
      selects first (core rules 12.04); else the other one.
    * ``tests_at_half``: units at just half their starting strength take a battle-shock test, too.
    * ``shocked_test_again``: battle-shocked units take it, too, and are so no longer if they pass
      (inferred); else being battle-shocked ends when the next Command phase begins.
    * ``leaving_fails_on``, ``leaving_far_fails_on``: the results of a D6 for each model up to
      which a mortal wound is suffered when leaving a destroyed transport, near it or where there
      was no room near it.
    * ``combat_disembarks``: units may leave a transport that is engaged.
    * ``one_stratagem_each``: a unit may be the target of one of its player's stratagems a phase,
      else of any number (RULES.md §9).
    * ``demise_after_leaving``: a transport explodes when its passengers have left (RULES.md §6.6).

    >>> from killcurve.engine.edition import edition
    >>> [conduct(edition(e)).arrives_beyond for e in ("11e", "10e", "10e-2023-06")]
    [8, 9, 9]
    """

    arrives_beyond: int
    charge_reaches_target: bool
    turn_taker_fights_first: bool
    tests_at_half: bool
    shocked_test_again: bool
    leaving_fails_on: int
    leaving_far_fails_on: int
    combat_disembarks: bool
    one_stratagem_each: bool
    demise_after_leaving: bool


_ELEVENTH = Conduct(
    arrives_beyond=8,
    charge_reaches_target=True,
    turn_taker_fights_first=True,
    tests_at_half=True,
    shocked_test_again=True,
    leaving_fails_on=2,
    leaving_far_fails_on=2,
    combat_disembarks=True,
    one_stratagem_each=True,
    demise_after_leaving=True,
)
_TENTH = Conduct(
    arrives_beyond=9,
    charge_reaches_target=False,
    turn_taker_fights_first=False,
    tests_at_half=False,
    shocked_test_again=False,
    leaving_fails_on=1,
    leaving_far_fails_on=3,
    combat_disembarks=False,
    one_stratagem_each=False,
    demise_after_leaving=False,
)
_STATES = {
    "11e": _ELEVENTH,
    "10e": _TENTH,
    "10e-2023-09": _TENTH,
    "10e-2023-06": _TENTH,
}


def conduct(edition: Edition) -> Conduct:
    """The rules of a rule state.

    >>> from killcurve.engine.edition import EDITIONS
    >>> all(conduct(edition) for edition in EDITIONS.values())
    True
    """
    return _STATES[edition.key]
