"""A report as one HTML page that asks nobody for anything: pictures are inside it."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping

from killcurve.report.document import Report
from killcurve.report.tabling import as_html, plain


def as_page(
    report: Report, pictures: Mapping[str, bytes], version: str, narrow: Mapping[str, bytes] = {}
) -> str:
    """The page; ``pictures`` are the charts as SVG, by stem. All words are escaped.

    ``narrow`` are charts as they are drawn for a phone, shown where there is little room.

    >>> empty = Report("A <b> title", ("Nothing.",), (), (), "none of 2026-01-01")
    >>> page = as_page(empty, {}, "0")
    >>> "&lt;b&gt;" in page, "<script" in page, "http" in page
    (True, False, False)
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("killcurve.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["readable"] = _words
    environment.filters["anchor"] = anchor
    environment.globals["table"] = lambda table, name: Markup(as_html(table, name))  # noqa: S704 - escaped there
    environment.globals["picture"] = lambda stem: as_uri(pictures[stem])
    environment.globals["narrow"] = lambda stem: as_uri(narrow[stem]) if stem in narrow else ""
    template = environment.get_template("report.html")
    return template.render(report=report, version=version)


def anchor(text: str) -> str:
    """A heading as a name that an address can hold.

    >>> anchor("What 1 CP buys: Boyz & co.")
    'what-1-cp-buys-boyz-co'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-") or "section"


def _words(text: str) -> str:
    r"""Words as the page has them: safe in a file, and with numbers beside their unit.

    >>> _words("90% and 12.5 %") == "90\u00a0% and 12.5\u00a0%"
    True
    """
    return re.sub(r"(?<=\d) ?%", "\u00a0%", plain(text))


def as_uri(picture: bytes) -> str:
    """A picture (PNG or SVG) as an address that holds it.

    >>> as_uri(b"<svg/>")
    'data:image/svg+xml;base64,PHN2Zy8+'
    """
    kind = "png" if picture.startswith(b"\x89PNG") else "svg+xml"
    return f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"


def slimmed(svg: bytes) -> bytes:
    """An SVG with paths to a hundredth of a point: a third less.

    >>> slimmed(b'<path d="M 1.234567 -8.5 L 2.000001 3" style="stroke-width: 0.125"/>')
    b'<path d="M 1.23 -8.5 L 2.00 3" style="stroke-width: 0.125"/>'
    """
    return re.sub(rb'\bd="[^"]*"', lambda m: _FURTHER.sub(b"", m[0]), svg)


_FURTHER = re.compile(rb"(?<=\.\d\d)\d+")
