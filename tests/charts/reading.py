"""What tests ask of a figure: which words it shows, where, and how large."""

from __future__ import annotations

from matplotlib.text import Text


def hidden(figure):
    """Numbers of ticks beyond what axes show: they exist, and are not drawn."""
    out = set()
    for axes in figure.get_axes():
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            slack = 1e-6 * (high - low)
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not low - slack <= tick.get_loc() <= high + slack or not axes.axison:
                    out |= {id(tick.label1), id(tick.label2)}
    return out


def words(figure):
    """The texts that a drawn figure shows, with their boxes in pixels."""
    figure.draw_without_rendering()
    unseen = hidden(figure)
    return [
        (text, Text.get_window_extent(text))  # an annotation's own would hold its arrow
        for text in figure.findobj(Text)
        if text.get_text().strip() and text.get_visible() and id(text) not in unseen
    ]


def faults(figure, shown=None, tolerance=1.0):
    """What is cut by the figure's edge or lies upon other words, in words.

    ``tolerance`` is in points; ``shown`` are its words, where they are known.
    """
    slack = tolerance * figure.dpi / 72
    shown = words(figure) if shown is None else shown
    told = []
    for i, (text, box) in enumerate(shown):
        outside = max(-box.x0, -box.y0, box.x1 - figure.bbox.width, box.y1 - figure.bbox.height)
        if outside > slack:
            told.append(f"{text.get_text()!r} is cut by {outside:.0f} pixels")
        for other, another in shown[i + 1 :]:
            over = min(min(box.x1, another.x1) - max(box.x0, another.x0),
                       min(box.y1, another.y1) - max(box.y0, another.y0))  # fmt: skip
            if over > slack:
                told.append(f"{text.get_text()!r} lies on {other.get_text()!r}")
    return told
