"""Which models a unit has and what they carry, out of the things that stand below it.

Lists do not say which of the things are models. A name that the datasheet has for a model is
one; so is what others stand below, unless its name only sums them up ("two guns and a blade").
"""

from __future__ import annotations

from dataclasses import dataclass, field

from killcurve.sources.rosters.listed import MODEL, UPGRADE, ListedUnit, Thing
from killcurve.sources.rosters.names import base, key, same_but_for_a_slip, words
from killcurve.sources.rosters.sheets import Sheet

_NUMBERS = frozenset({"one", "two", "three", "four", "five", "six", "thre", "fif", "fou", "fiv"})


@dataclass(slots=True)
class Group:
    """Equal models and what they carry: counts of ``carried`` are for all of them together."""

    name: str
    count: int
    carried: list[Thing] = field(default_factory=list)


@dataclass(slots=True)
class Loadout:
    """The groups of a unit, what it has as a whole, and what was read as a mere label."""

    groups: list[Group] = field(default_factory=list)
    own: list[Thing] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def models(self) -> int:
        """How many models the groups have."""
        return sum(group.count for group in self.groups)


def loadout(unit: ListedUnit, sheet: Sheet) -> Loadout:
    """The models of a unit of a list and what they carry."""
    made = Loadout()
    _sort(unit, unit.things, sheet, made)
    if unit.size and made.models and made.models < unit.size:
        _more_models(unit, made, sheet)
    if not made.groups and any(thing.counted or sheet.is_known for thing in made.own):
        _by_their_order(made)
    if made.groups and unit.size and made.models != unit.size:
        made.notes.append(f"the list says {unit.size} models and names {made.models}")
    return made


def _sort(unit: ListedUnit, things: list[Thing], sheet: Sheet, made: Loadout) -> None:
    """Things become groups of models, or what the unit or the model before them carries."""
    flat: Group | None = None
    for thing in things:
        if thing.armed:
            made.groups.append(_armed(unit.printed, thing, (unit.printed,), sheet))
        elif _is_model(unit, thing, sheet):
            flat = _models(unit, thing, sheet, made)
        elif any(_holds_models(unit, child, sheet) for child in thing.children):
            made.labels.append(thing.name)
            _sort(unit, thing.children, sheet, made)
            flat = None
        elif _is_pack(thing, sheet):
            into = made.own if flat is None else flat.carried
            into += _unpacked(thing)
        elif not thing.is_leaf and thing.kind != UPGRADE and not thing.counted and thing.each:
            made.labels.append(_as_printed(thing))
        elif flat is not None and thing.is_leaf:
            flat.carried.append(thing)
        else:
            made.own += [thing] if thing.is_leaf else _unpacked(thing)


def _as_printed(thing: Thing) -> str:
    return f"{thing.name}: {', '.join(one.name for one in thing.each)}"


def _is_model(unit: ListedUnit, thing: Thing, sheet: Sheet) -> bool:
    if thing.kind in (MODEL, UPGRADE):
        return thing.kind == MODEL
    known = sheet.model(thing.name) is not None
    if thing.is_leaf:
        named = known if sheet.is_known else _is_like(thing.name, unit.printed)
        return named and thing.counted and not sheet.has_weapon(thing.name)
    return known or _looks_like_a_model(thing, sheet)


def _looks_like_a_model(thing: Thing, sheet: Sheet) -> bool:
    """Whether a thing is a model by what stands below it or is listed behind it."""
    if any(child.armed for child in thing.children):
        return True
    if thing.children:
        deep = any(not child.is_leaf for child in thing.children)
        return not deep and not _sums_up(thing) and not sheet.has_weapon(thing.name)
    return thing.counted


def _is_like(name: str, unit: str) -> bool:
    """Whether a name is that of the unit in singular (``Boy`` of ``Boyz``)."""
    return key(base(name)) == key(unit) or same_but_for_a_slip(key(base(name)), key(unit))


def _holds_models(unit: ListedUnit, thing: Thing, sheet: Sheet) -> bool:
    return _is_model(unit, thing, sheet) or any(
        _holds_models(unit, child, sheet) for child in thing.children
    )


def _is_pack(thing: Thing, sheet: Sheet) -> bool:
    """Whether a thing only sums up those below it."""
    return bool(thing.children) and (
        _sums_up(thing)
        or (thing.kind == UPGRADE and not any(c.kind == MODEL for c in thing.below()))
        or sheet.has_weapon(thing.name)
    )


def _sums_up(thing: Thing) -> bool:
    """Whether all words of a name are words of what stands below it.

    >>> _sums_up(Thing("Two storm guns", children=[Thing("Storm gun", 2)]))
    True
    >>> _sums_up(Thing("Trooper w/ gun", children=[Thing("Gun")]))
    False
    """
    said = {word for word in words(key(thing.name)) if not word.isdigit() and word not in _NUMBERS}
    below = {word for child in thing.children for word in words(key(child.name))}
    return bool(below) and said <= below


def _unpacked(thing: Thing) -> list[Thing]:
    """The things of a pack; a weapon with parts of its own stays one thing."""
    found: list[Thing] = []
    for child in (*thing.children, *thing.each):
        found += [child] if child.is_leaf else _unpacked(child)
    return found or [thing]


def _models(unit: ListedUnit, thing: Thing, sheet: Sheet, made: Loadout) -> Group | None:
    """The group (or groups) of a line with models; the one that later things may belong to."""
    armed = [child for child in thing.children if child.armed]
    names = (unit.printed, thing.name)
    if armed:
        _armed_models(thing, armed, names, sheet, made)
        return None
    group = Group(thing.name, thing.count)
    group.carried += _each(thing, names, sheet)
    for child in thing.children:
        if not child.is_leaf and child.kind == MODEL:
            made.groups.append(Group(child.name, child.count, _flattened(child)))
        else:
            group.carried += [child] if child.is_leaf else _flattened(child)
    counts = [child.counted for child in thing.children]
    if thing.count > 1 and counts and not any(counts) and thing.kind is None:
        group.carried = [_times(one, thing.count) for one in group.carried]
    made.groups.append(group)
    return group if thing.is_leaf else None


def _flattened(thing: Thing) -> list[Thing]:
    """All leaves below a thing."""
    return [one for one in thing.below() if one.is_leaf] or [thing]


def _each(thing: Thing, names: tuple[str, ...], sheet: Sheet) -> list[Thing]:
    """What is listed behind models: each has it, unless the list counts for all of them."""
    things = [one for one in thing.each if not _is_own_name(one, names, sheet)]
    total = thing.count > 1 and all(
        one.counted and one.count >= thing.count and one.count % thing.count == 0 for one in things
    )
    flat = [leaf for one in things for leaf in ([one] if one.is_leaf else _unpacked(one))]
    return flat if total else [_times(one, thing.count) for one in flat]


def _is_own_name(thing: Thing, names: tuple[str, ...], sheet: Sheet) -> bool:
    """Some builders list a model's own name among what it carries."""
    same = any(key(thing.name) == key(name) for name in names)
    return same and thing.is_leaf and not sheet.has_weapon(thing.name)


def _times(thing: Thing, count: int) -> Thing:
    return Thing(thing.name, thing.count * count, True, thing.line, points=thing.points)


def _armed(name: str, thing: Thing, names: tuple[str, ...], sheet: Sheet) -> Group:
    """``4 with gun, blade``: so many models, each with all of it."""
    group = Group(name, thing.count, _each(thing, names, sheet))
    for child in thing.children:
        if not _is_own_name(child, names, sheet):
            group.carried += [child] if child.is_leaf else _flattened(child)
    return group


def _armed_models(
    thing: Thing, armed: list[Thing], names: tuple[str, ...], sheet: Sheet, made: Loadout
) -> None:
    """Models by what they are armed with; what goes beyond their number is carried besides."""
    left = thing.count
    for one in armed:
        group = _armed(thing.name, one, names, sheet)
        if left >= group.count:
            made.groups.append(group)
            left -= group.count
        elif made.groups:
            made.groups[-1].carried += group.carried
    if left:
        made.groups.append(Group(thing.name, left))
    for child in thing.children:
        if not child.armed:
            made.groups[-1].carried += [child] if child.is_leaf else _flattened(child)


def _more_models(unit: ListedUnit, made: Loadout, sheet: Sheet) -> None:
    """Things that are models after all, if with them the unit has its printed size."""
    assert unit.size is not None
    for thing in list(made.own):
        unknown = not sheet.weapon(thing.name) and not sheet.has_wargear(thing.name)
        if thing.counted and unknown and made.models + thing.count <= unit.size:
            made.own.remove(thing)
            made.groups.append(Group(thing.name, thing.count))


def _by_their_order(made: Loadout) -> None:
    """Models of a list without indents and of an unknown datasheet.

    Apps put a bullet before models and before the first thing of each only: a thing with a
    bullet before another one with a bullet is a model.
    """
    things = made.own
    firsts = [index for index, thing in enumerate(things) if thing.bullet]
    is_flat = len(firsts) > 1 and len(firsts) < len(things)
    if not is_flat or not all(thing.counted for thing in things):
        return
    groups: list[Group] = []
    rest: list[Thing] = []
    for index, thing in enumerate(things):
        follows = index + 1 < len(things) and things[index + 1].bullet
        if thing.bullet and follows and not _ends_here(things, index):
            groups.append(Group(thing.name, thing.count))
        else:
            (groups[-1].carried if groups else rest).append(thing)
    if groups and any(group.carried for group in groups):
        made.groups, made.own = [*made.groups, *groups], rest


def _ends_here(things: list[Thing], index: int) -> bool:
    """Whether a bulleted thing is itself the only thing of the model before it."""
    return (
        index > 0
        and things[index - 1].bullet
        and not (index + 2 < len(things) and not things[index + 2].bullet)
    )
