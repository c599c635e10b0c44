"""The gallery: every kind of chart from invented numbers, as one folder with a page.

``python -m killcurve.charts.gallery OUT`` makes it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

from killcurve.charts.export import rendered
from killcurve.charts.kinds import KINDS
from killcurve.charts.presets import preset as preset_named
from killcurve.charts.samples import FOOTER, sample
from killcurve.charts.style import STYLES
from killcurve.tables.dataset import DataError
from killcurve.tables.storage import write_file

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kinds of charts</title>
<style>
body {{ font: 16px/1.5 sans-serif; max-width: 1240px; margin: 2em auto; padding: 0 1em; }}
figure {{ margin: 0 0 1.5em; }}
img {{ max-width: 100%; max-height: 90vh; height: auto; }}
pre {{ background: #f2f4f6; padding: .6em; overflow-x: auto; }}
figcaption {{ color: #595959; }}
</style>
</head>
<body>
<h1>Kinds of charts</h1>
<p>All numbers are invented. Each kind is drawn by <code>killcurve chart KIND --from FRAME</code>;
columns have other names where they are told.</p>
<ul>
{links}</ul>
{sections}</body>
</html>
"""


def gallery(
    out: Path,
    presets: Sequence[str] = ("web",),
    progress: Callable[[str], None] = lambda _: None,
) -> Path:
    """Write every kind in both styles, and a page that shows them; the page's path.

    Raises:
        DataError: for an unknown preset, or a place that cannot be written.
    """
    sizes = [preset_named(name) for name in presets]
    sections = []
    for name, kind in KINDS.items():
        progress(name)
        chart = sample(name)
        figures = []
        for size in sizes:
            for style in STYLES:
                stem = f"{name}-{size.name}-{style}"
                _write(out / f"{stem}.png", rendered(chart, FOOTER.line, "png", size, style))
                figures.append(
                    f'<figure><img src="{stem}.png" width="{size.width}" height="{size.height}" '
                    f'loading="lazy" alt="{escape(chart.alt)}">'
                    f"<figcaption>{size.name}, {style}</figcaption></figure>\n"
                )
        columns = " ".join(f"--set {s}={c}" for s, c in kind.needs.items())
        sections.append(
            f'<h2 id="{name}">{name}</h2>\n<p>{escape(kind.about)}: {escape(kind.measure)}</p>\n'
            f"<pre>killcurve chart {name} --from FRAME {escape(columns)}</pre>\n{''.join(figures)}"
        )
    links = "".join(f'<li><a href="#{name}">{name}</a></li>\n' for name in KINDS)
    page = PAGE.format(links=links, sections="".join(sections))
    _write(out / "index.html", page.encode())
    return out / "index.html"


def _write(path: Path, content: bytes) -> None:
    try:
        write_file(path, content)
    except OSError as error:
        raise DataError(f"{path} cannot be written: {error.strerror or error}") from None


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("give the folder to write: python -m killcurve.charts.gallery OUT")
    print(gallery(Path(sys.argv[1])))
