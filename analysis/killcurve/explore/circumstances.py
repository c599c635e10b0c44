"""The boxes of circumstances: the usual ones at hand, the others folded."""

from __future__ import annotations

import ipywidgets as W  # noqa: N812 - as its own documentation writes it
import traitlets

from killcurve.explore.controls import Wiring, box, dropdown
from killcurve.explore.unit_state import EDITIONS, FLAGS

USUAL = 4


class FlagBoxes(W.VBox):
    """Circumstances to tick; ``value`` are the flags of those that hold, in their order.

    >>> boxes = FlagBoxes()
    >>> boxes.boxes["cover"].value = True
    >>> boxes.value
    ('cover',)
    """

    value = traitlets.Tuple()

    def __init__(self) -> None:
        self.boxes = {name: box(label) for name, label in FLAGS.items()}
        self._wiring = Wiring(self._changed)
        self._wiring.hear(*self.boxes.values())
        every = list(self.boxes.values())
        others = W.Accordion(
            [W.VBox(every[USUAL:])],
            titles=("More circumstances",),
            layout=W.Layout(width="100%", max_width="22.5em"),
        )
        usual = W.HBox(every[:USUAL], layout=W.Layout(flex_flow="row wrap", grid_gap="0 1em"))
        super().__init__([usual, others])

    def move(self, flags: tuple[str, ...]) -> None:
        """Tick these and no others, without an echo."""
        with self._wiring.muted():
            for name, one in self.boxes.items():
                if one.value is not (name in flags):
                    one.value = name in flags
        self._changed()

    def _changed(self) -> None:
        self.value = tuple(name for name, one in self.boxes.items() if one.value)


def editions(*, own: bool) -> W.Dropdown:
    """The list of rule states; with ``own`` that of the datasheet is among them."""
    return dropdown("Edition", [(label, key) for key, label in EDITIONS.items() if key or own])
