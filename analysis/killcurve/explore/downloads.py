"""Files to keep, as links that hold the file: no request leaves the page."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from killcurve.rules.spelling import normal

TYPES = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "csv": "text/csv;charset=utf-8",
    "json": "application/json",
    "toml": "application/toml",
    "txt": "text/plain;charset=utf-8",
}


@dataclass(frozen=True, slots=True)
class Download:
    """A file: what it is in words, its name with an ending of :data:`TYPES`, and its bytes."""

    label: str
    name: str
    content: bytes

    def link(self) -> str:
        """The link: opened by a click or by Enter.

        >>> Download("Numbers (CSV)", "a.csv", b"k\\n1\\n").link()
        '<a download="a.csv" href="data:text/csv;charset=utf-8;base64,awoxCg==">Numbers (CSV)</a>'
        """
        kind = TYPES[self.name.rpartition(".")[2]]
        data = base64.b64encode(self.content).decode()
        return (
            f'<a download="{escape(self.name)}" href="data:{kind};base64,{data}">'
            f"{escape(self.label)}</a>"
        )


def links(files: Iterable[Download]) -> str:
    """The links in a row, with the word that tells what they do."""
    return f'<p style="margin:.3em 0">Download: {" ".join(file.link() for file in files)}</p>'


def stem(*words: str) -> str:
    """A name for a file.

    >>> stem("C'tan Shard", "Boyz")
    'c-tan-shard-boyz'
    """
    return re.sub(r"[^a-z0-9]+", "-", normal(" ".join(words))).strip("-")[:80]
