"""The shell's verbs about two units: exchange, reach, hold, transport."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from killcurve.cli.asking import (
    UNIT,
    WHEN,
    Effects,
    Inches,
    InPhases,
    Phases,
    Rules,
    When,
    circumstances,
    fielded_as,
    rank_behind,
    told,
    uses,
)
from killcurve.cli.datasets import Folder
from killcurve.cli.output import AsJson, Csv, Parquet, show

matchups = typer.Typer()


class Ends(Enum):
    """What is shown of an exchange."""

    SUMMARY = "summary"
    JOINT = "joint"
    SWING = "swing"


class Goes(Enum):
    """Who has the first turn."""

    A = "A"
    B = "B"


class Arrives(Enum):
    """How a unit comes near."""

    STAY = "stay"
    MOVE = "move"
    ADVANCE = "advance"
    RESERVES = "reserves"


class Reading(Enum):
    """What a charge roll has to reach."""

    TARGET = "target"
    ENGAGEMENT = "engagement"


@matchups.command()
def exchange(
    first: Annotated[str, typer.Argument(metavar="A", help=UNIT)],
    second: Annotated[str, typer.Argument(metavar="B", help="The other unit.")],
    turns: Annotated[int, typer.Option("--turns", help="Players' turns, taken alternately.")] = 2,
    goes_first: Annotated[Goes, typer.Option("--first", help="Whose turn is the first.")] = Goes.A,
    phase: InPhases = Phases.SHOOTING,
    distance: Inches = None,
    weapon: Annotated[
        list[str] | None, typer.Option("--weapon", help="Use only weapons that are named.")
    ] = None,
    effect_a: Annotated[
        list[str] | None, typer.Option("--effect-a", help="An effect of A on its attacks.")
    ] = None,
    effect_b: Annotated[
        list[str] | None, typer.Option("--effect-b", help="An effect of B on its attacks.")
    ] = None,
    when_a: Annotated[list[str] | None, typer.Option("--when-a", help=WHEN)] = None,
    when_b: Annotated[list[str] | None, typer.Option("--when-b", help=WHEN)] = None,
    edition: Rules = None,
    shown: Annotated[Ends, typer.Option("--show", help="What to tell of it.")] = Ends.SUMMARY,
    data: Folder = None,
    json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """A attacks B, what is left of B answers, and so on: both sides' losses, exactly.

    Example: killcurve exchange "Intercessor Squad" Boyz:20 --turns 4 --phase both
    """
    from killcurve.engine.edition import edition as rules
    from killcurve.sources.default import load
    from killcurve.study import exchange as room

    dataset = load(data)
    units = fielded_as(dataset, first), fielded_as(dataset, second)
    how = circumstances(edition, effect_a, when_a), circumstances(edition, effect_b, when_b)
    strikes = told(
        lambda: room.schedule(
            turns,
            rules(edition or units[0].edition),
            first=room.Side(goes_first.value),
            shooting=phase.shooting,
            fighting=phase.fight,
        )
    )
    found = room.exchange(*units, strikes, how, distance=distance, only=weapon or ())
    frame = {Ends.SUMMARY: room.summary, Ends.JOINT: room.joint, Ends.SWING: room.swing}[shown]
    show(frame(found), json=json, csv=csv, parquet=parquet)
    if not json:
        print()
        for strike, weapons in zip(found.strikes, found.weapons, strict=True):
            print(f"{strike}: {', '.join(weapons) or 'nothing to strike with'}")
        print(f"left out: {'; '.join((*found.unmodelled, *room.LEFT_OUT))}")


@matchups.command()
def reach(
    unit: Annotated[str, typer.Argument(help=UNIT)],
    target: Annotated[str, typer.Argument(help="The unit it wants to reach.")],
    arrive: Annotated[Arrives, typer.Option("--arrive", help="How it comes near.")] = Arrives.MOVE,
    nearest: Annotated[int, typer.Option("--from", help="The nearest distance in inches.")] = 3,
    farthest: Annotated[int, typer.Option("--to", help="The farthest.")] = 24,
    at: Annotated[
        list[float] | None, typer.Option("--at", help="A distance; instead of the whole range.")
    ] = None,
    shoot: Annotated[bool, typer.Option("--shoot", help="It shoots when it is there.")] = False,
    charge: Annotated[bool, typer.Option(help="It charges, and fights.")] = True,
    overwatch: Annotated[
        bool, typer.Option("--overwatch", help="The enemy snap shoots at it on the way.")
    ] = False,
    after_advance: Annotated[
        bool, typer.Option("--charge-after-advance", help="It may charge after an advance.")
    ] = False,
    move: Annotated[int | None, typer.Option("--move", help="Its Move; else the data's.")] = None,
    beyond: Annotated[
        float | None, typer.Option("--beyond", help="Inches reserves stay away; else the rules'.")
    ] = None,
    advance_modifier: Annotated[int, typer.Option("--advance", help="Added to the roll.")] = 0,
    charge_modifier: Annotated[int, typer.Option("--charge-roll", help="Added to the roll.")] = 0,
    reroll_advance: Annotated[bool, typer.Option("--reroll-advance")] = False,
    reroll_charge: Annotated[bool, typer.Option("--reroll-charge")] = False,
    rank: Annotated[
        list[str] | None,
        typer.Option("--rank", help="MODELS:INCHES so many stand so far behind the nearest."),
    ] = None,
    reading: Annotated[
        Reading | None,
        typer.Option("--charge-reaches", help="What the charge roll must reach; else the rules'."),
    ] = None,
    effect: Effects = None,
    when: When = None,
    edition: Rules = None,
    data: Folder = None,
    json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """The chance to get there from each distance, and what the attack then does.

    Example: killcurve reach Boyz:20 "Intercessor Squad" --arrive reserves --reroll-charge
    """
    from killcurve.engine.checks import CheckReroll
    from killcurve.sources.default import load
    from killcurve.study import approach as ways
    from killcurve.study import reach as room

    dataset = load(data)
    rerolls = (CheckReroll.NONE, CheckReroll.WHOLE)
    approach = ways.Approach(
        arrival=ways.Arrival(arrive.value),
        shoots=shoot,
        charges=charge,
        overwatch=overwatch,
        charges_after_advance=after_advance,
        move=move,
        arrives_beyond=beyond,
        advance_modifier=advance_modifier,
        advance_reroll=rerolls[reroll_advance],
        charge_modifier=charge_modifier,
        charge_reroll=rerolls[reroll_charge],
        ranks=tuple(rank_behind(text) for text in rank or ()),
        reaches_target=None if reading is None else reading is Reading.TARGET,
    )
    frame = room.reach(
        fielded_as(dataset, unit),
        fielded_as(dataset, target),
        at or range(nearest, farthest + 1),
        approach,
        circumstances(edition, effect, when),
        circumstances(edition, None, None),
    )
    show(frame, json=json, csv=csv, parquet=parquet)


@matchups.command()
def hold(
    target: Annotated[str, typer.Argument(help=f"Who holds the ground. {UNIT}")],
    attackers: Annotated[list[str], typer.Argument(help="Who attacks it, one after the other.")],
    phase: InPhases = Phases.SHOOTING,
    distance: Inches = None,
    against: Annotated[
        int, typer.Option("--against", help="The objective control of the enemy there.")
    ] = 0,
    modifier: Annotated[int, typer.Option("--test", help="Added to the battle-shock test.")] = 0,
    dice: Annotated[int, typer.Option("--dice", help="Dice of that test, all added up.")] = 2,
    forced: Annotated[
        bool, typer.Option("--forced", help="It is tested however strong it is.")
    ] = False,
    steady: Annotated[bool, typer.Option("--steady", help="It passes the test.")] = False,
    shocked: Annotated[
        bool, typer.Option("--shocked", help="It is battle-shocked until its Command phase.")
    ] = False,
    leadership: Annotated[
        int | None, typer.Option("--leadership", help="Its Leadership; else the data's.")
    ] = None,
    control: Annotated[
        int | None, typer.Option("--control", help="Each model's; else the data's.")
    ] = None,
    law: Annotated[
        bool, typer.Option("--law", help="The distribution of the objective control left.")
    ] = False,
    effect: Effects = None,
    when: When = None,
    edition: Rules = None,
    data: Folder = None,
    json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """What a unit still holds after an attack: half-strength, battle-shock, objective control.

    Example: killcurve hold "Intercessor Squad" Boyz:20 --phase fight --against 10
    """
    from killcurve.sources.default import load
    from killcurve.study import holding_ground as room

    dataset = load(data)
    units = [fielded_as(dataset, name) for name in attackers]
    attacks = [(unit, use) for unit in units for use in uses(phase, distance)]
    holder = fielded_as(dataset, target).stated(leadership=leadership, control=control)
    how = circumstances(edition, effect, when)
    nerve = room.Nerve(dice, modifier=modifier, forced=forced, steady=steady, shocked=shocked)
    if law:
        frame = told(lambda: room.control_law(attacks, holder, how, nerve))
    else:
        frame = told(
            lambda: room.holding_ground(attacks, holder, how, nerve, enemy_control=against)
        )
    show(frame, json=json, csv=csv, parquet=parquet)


@matchups.command()
def transport(
    name: Annotated[str, typer.Argument(metavar="TRANSPORT", help=UNIT)],
    passengers: Annotated[list[str], typer.Argument(help="The units in it.")],
    at: Annotated[
        str | None, typer.Option("--at", help="Whom it attacks, with its passengers' help.")
    ] = None,
    under: Annotated[
        list[str] | None, typer.Option("--under", help="Who attacks it: what leaving costs.")
    ] = None,
    combat: Annotated[
        bool, typer.Option("--combat", help="What a combat disembarkation costs.")
    ] = False,
    far: Annotated[
        bool, typer.Option("--far", help="There is no room near it (10th edition).")
    ] = False,
    phase: InPhases = Phases.SHOOTING,
    distance: Inches = None,
    deck: Annotated[
        int | None, typer.Option("--deck", help="Its Firing Deck; else the data's.")
    ] = None,
    demise: Annotated[
        str | None,
        typer.Option("--demise", help="Its Deadly Demise, such as D3, or none; else the data's."),
    ] = None,
    room_for: Annotated[
        int | None, typer.Option("--capacity", help="Its transport capacity; else the data's.")
    ] = None,
    spaces: Annotated[int, typer.Option("--spaces", help="What each passenger takes.")] = 1,
    bonus: Annotated[
        list[str] | None,
        typer.Option("--bonus", help="keyword: effect for each passenger that has the keyword."),
    ] = None,
    law: Annotated[
        bool, typer.Option("--law", help="The distribution of the points lost together.")
    ] = False,
    effect: Effects = None,
    when: When = None,
    edition: Rules = None,
    data: Folder = None,
    json: AsJson = False,
    csv: Csv = None,
    parquet: Parquet = None,
) -> None:
    """What passengers add to a transport's fire, or what it costs them to leave it.

    Example: killcurve transport Raider "Kabalite Warriors:10" --deck 11 --at Boyz
    """
    from killcurve.engine.dice import Dice
    from killcurve.engine.disembarking import Leaving
    from killcurve.engine.edition import edition as rules
    from killcurve.sources.default import load
    from killcurve.study import transports, wrecks
    from killcurve.study.holding_ground import attacked
    from killcurve.tables.dataset import DataError

    if [at is not None, bool(under), combat].count(True) != 1:
        raise DataError("say one of: --at UNIT (its fire), --under UNIT (its loss), --combat")
    dataset = load(data)
    carrier = fielded_as(dataset, name)
    inside = [fielded_as(dataset, passenger) for passenger in passengers]
    place = transports.capacity(dataset, carrier) if room_for is None else room_for
    transports.check_capacity(place, inside, spaces)
    how = circumstances(edition, effect, when)
    if at is not None:
        if deck is None:
            deck = int(transports.core_number(dataset, carrier, "Firing Deck", "--deck"))
        bonuses = [*transports.known_bonuses(carrier)]
        bonuses += [transports.PassengerBonus.parse(text) for text in bonus or ()]
        target = fielded_as(dataset, at)
        frame = transports.transport_fire(
            carrier, inside, target, deck, how, bonuses, distance=distance
        )
        show(frame, json=json, csv=csv, parquet=parquet)
        return
    if demise is None and under:
        demise = transports.core_number(dataset, carrier, "Deadly Demise", "--demise")
    explodes = None
    if demise and demise != "none":
        explodes = told(lambda: Dice.parse(demise))
    hit = None
    if under:
        enemies = [fielded_as(dataset, enemy) for enemy in under]
        attacks = [(enemy, use) for enemy in enemies for use in uses(phase, distance)]
        hit = attacked(attacks, carrier, how)
    ways = {(True, False): Leaving.COMBAT, (False, True): Leaving.FAR}
    found = wrecks.wreck(
        carrier,
        inside,
        hit,
        told(lambda: rules(edition or carrier.edition)),
        how=ways.get((combat, far), Leaving.DESTROYED),
        demise=explodes,
    )
    show(found.points_lost() if law else found.frame(), json=json, csv=csv, parquet=parquet)
