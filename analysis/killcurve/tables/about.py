"""Where data comes from, and what is wrong with it: what every part of the toolkit says alike."""

from __future__ import annotations

from dataclasses import dataclass

from killcurve.tables.schemas import VERSION


class DataError(ValueError):
    """Something about data that a person can mend; the message says how."""


@dataclass(frozen=True, slots=True)
class About:
    """Where a dataset comes from: what footers and reports say of it.

    ``date`` is the day of the newest rules in it (``2026-08-20``).
    """

    source: str
    version: str
    edition: str
    date: str
    licence: str = ""
    attribution: str = ""
    schema: int = VERSION

    @property
    def footer(self) -> str:
        """One line for under a chart.

        >>> About("wh40kdc", "1.4.5", "11e", "2026-08-20").footer
        'Data: wh40kdc 1.4.5 of 2026-08-20 · 11th edition'
        """
        edition = {"11e": "11th edition", "10e": "10th edition"}.get(self.edition, self.edition)
        return f"Data: {self.source} {self.version} of {self.date} · {edition}"


def together(sources: tuple[About, ...]) -> About | None:
    """What is told of several sources as one: all names, the last one's version, the newest date.

    >>> one, two = About("a", "1", "10e", "2025-01-01"), About("b", "2", "11e", "2026-01-01")
    >>> together((one, two)).footer
    'Data: a 1 + b 2 of 2026-01-01 · 11th edition'
    """
    if not sources:
        return None
    names = [f"{about.source} {about.version}" for about in sources[:-1]]
    return About(
        source=" + ".join(dict.fromkeys((*names, sources[-1].source))),
        version=sources[-1].version,
        edition=max((about.edition for about in sources), key=lambda edition: int(edition[:-1])),
        date=max(about.date for about in sources),
        licence="; ".join(dict.fromkeys(about.licence for about in sources if about.licence)),
        attribution="; ".join(
            dict.fromkeys(about.attribution for about in sources if about.attribution)
        ),
    )
