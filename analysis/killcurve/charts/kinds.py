"""The kinds of charts by name: for the shell, the gallery and whoever makes a chart again.

Nothing heavy is loaded until a kind is asked for.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from killcurve.rules.spelling import did_you_mean

if TYPE_CHECKING:
    import polars as pl

    from killcurve.charts.export import Chart


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of chart: where its function is, and what it shows in a line."""

    name: str
    place: str
    about: str
    measure: str

    @property
    def function(self) -> Callable[..., Chart]:
        """From a frame and settings to a chart."""
        module, name = self.place.split(":")
        found: Callable[..., Chart] = getattr(import_module(f"killcurve.charts.{module}"), name)
        return found

    def _columns(self, which: str) -> dict[str, str]:
        function = self.function
        of = inspect.signature(function).parameters
        return {name: str(of[name].default) for name in getattr(function, which)}

    @property
    def needs(self) -> dict[str, str]:
        """Settings that name columns a frame must have, with their defaults."""
        return self._columns("needs")

    @property
    def may(self) -> dict[str, str]:
        """Settings that name columns a frame may have, with their defaults."""
        return self._columns("may")

    @property
    def settings(self) -> dict[str, Any]:
        """All other settings with their defaults."""
        of = inspect.signature(self.function).parameters
        named = {"frame", *self.needs, *self.may}
        return {name: told.default for name, told in of.items() if name not in named}


KINDS = {
    kind.name: kind
    for kind in (
        Kind("breakpoints", "breakpoints:breakpoint_grid",
             "what is needed for each pair of characteristics", "a roll or a number"),
        Kind("distribution", "distribution:distribution_bars",
             "how likely each result is", "chance of each value"),
        Kind("efficiency", "heatmap:efficiency_heatmap",
             "weapons under their units against targets", "points removed for each 100 points"),
        Kind("exchange-joint", "exchanges:exchange_joint",
             "what is left of two units that fight", "chance of each pair of models left"),
        Kind("exchange-turns", "exchanges:exchange_turns",
             "two units that fight, turn by turn", "share of models left"),
        Kind("forest", "forest:forest_plot",
             "a rate at each event and pooled", "a rate with its interval"),
        Kind("funnel", "stages:stage_funnel",
             "what each stage of an attack leaves", "mean numbers"),
        Kind("heat-map", "heatmap:heat_map",
             "any measure by two names", "points removed for each 100 points"),
        Kind("lines", "lines:lines_over",
             "loadouts over toughness, or anything over anything", "damage"),
        Kind("log-ratio", "heatmap:log_ratio_map",
             "one thing against another by two names", "logarithm of a ratio"),
        Kind("match-ups", "matchups:matchup_matrix",
             "each faction against each other", "win rate with its interval"),
        Kind("points-changes", "changes:points_changes",
             "units that became dearer and cheaper", "points"),
        Kind("popularity", "popularity:popularity",
             "win rate against representation", "win rate, share of games"),
        Kind("ranked-bars", "bars:ranked_bars",
             "anything ranked, with bands", "points removed for each 100 points"),
        Kind("stratagem-value", "stratagems:ranked_stratagems",
             "what each stratagem adds per command point", "points per command point"),
        Kind("survival", "survival:survival_curves",
             "the chance of at least so many", "chance of at least each value"),
        Kind("tornado", "tornado:tornado",
             "what one more or less of each thing changes", "a change"),
        Kind("trend", "lines:trend",
             "win rates over time", "win rate"),
    )
}  # fmt: skip


def kind(name: str) -> Kind:
    """The kind of a name.

    >>> kind("heatmap")
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: there is no kind of chart 'heatmap'; did you mean \
'heat-map'? `killcurve chart kinds` lists all

    Raises:
        DataError: if there is none.
    """
    from killcurve.tables.dataset import DataError

    if name not in KINDS:
        near = did_you_mean(name, KINDS)
        raise DataError(
            f"there is no kind of chart {name!r}{near or ';'} `killcurve chart kinds` lists all"
        )
    return KINDS[name]


def make(name: str, frame: pl.DataFrame, /, **settings: Any) -> Chart:  # noqa: ANN401 - texts and numbers
    """A chart of a kind from a frame; settings are those of its function, as words or values.

    Raises:
        DataError: for an unknown kind or setting, or a column that the frame has not.
    """
    from killcurve.tables.dataset import DataError

    of = kind(name)
    known = {**of.needs, **of.may, **of.settings}
    for setting in settings:
        if setting not in known:
            raise DataError(
                f"a chart {name!r} has no setting {setting!r}{did_you_mean(setting, known)}"
                f"; it has: {', '.join(known)}"
            )
    return of.function(frame, **{s: _valued(s, v, known[s]) for s, v in settings.items()})


def _valued(name: str, value: object, default: object) -> object:
    """A setting's value from words, of the kind that its default has."""
    from killcurve.tables.dataset import DataError

    if not isinstance(value, str) or isinstance(default, str):
        return value
    try:
        if isinstance(default, bool):
            return {"yes": True, "true": True, "no": False, "false": False}[value.casefold()]
        return float(value) if isinstance(default, float) else int(value)
    except (KeyError, ValueError):
        wanted = "yes or no" if isinstance(default, bool) else "a number"
        raise DataError(f"{name} is {wanted}, not {value!r}") from None


def listing() -> pl.DataFrame:
    """The kinds as a frame: ``kind``, ``shows``, ``measure``, ``columns``, ``also``, ``settings``.

    ``columns`` are needed, ``also`` may be there; each as SETTING=COLUMN with its default.
    """
    import polars as pl

    def told(pairs: dict[str, Any]) -> str:
        return ", ".join(f"{name}={value}" for name, value in pairs.items())

    rows = [(k.name, k.about, k.measure, told(k.needs), told(k.may), ", ".join(k.settings))
            for k in KINDS.values()]  # fmt: skip
    names = ("kind", "shows", "measure", "columns", "also", "settings")
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String()), orient="row")
