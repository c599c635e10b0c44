"""An HTML page of sections: one self-contained file beside its charts, no request to anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from killcurve.tables.dataset import About


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart of the page: its files are ``charts/<stem>.svg`` and ``.png``."""

    stem: str
    title: str
    alt: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, a sentence, figures and perhaps a table of numbers."""

    heading: str
    text: str
    figures: Sequence[Figure] = ()
    table: Sequence[dict[str, Any]] = field(default_factory=tuple)


def render(
    title: str,
    lead: str,
    sections: Sequence[Section],
    about: About,
    version: str,
    coverage: str = "",
) -> str:
    """The page as HTML; all words are escaped. ``coverage`` is a line of its footer.

    >>> about = About("data", "1", "11e", "2026-08-20")
    >>> "&lt;b&gt;" in render("A <b> title", "", [], about, "0")
    True
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("killcurve.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    template = environment.get_template("units.html")
    return template.render(
        title=title,
        lead=lead,
        sections=sections,
        about=about,
        version=version,
        coverage=coverage,
    )
