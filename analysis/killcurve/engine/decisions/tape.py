"""A tape of chances and choices: values flow back over it, probabilities forward.

A *situation* is a node. Its ``value`` is an array over everything that differs within it (the
target's state along the last axis). It leads on to other situations by *links*; a link is a
linear operation with two directions: ``pull`` takes the value after it to the value before,
``push`` the probabilities before it to those after. Situations are made from the end of the game
backwards, so each knows the value of what follows when it is made, and every choice takes the
best option then and there. Pushing the law of the start over the tape afterwards gives the law of
the end, under exactly those choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from killcurve.engine.budget import hold, spend
from killcurve.engine.decisions.links import Chain, Link, Row, Weight
from killcurve.engine.pmf import FloatArray, Pmf

Options = list[tuple["Link", "Situation"]]
"""What may be chosen: each by a link to what follows."""

MARGIN = 2e-13
"""Options whose values differ by less, as a share of them, count as equal: the first is taken.

Values are sums of what is never negative, so rounding errs by a share of them, too.
"""


@dataclass(slots=True)
class Situation:
    """A node of the tape: its value, where it leads, and (going forward) its law."""

    value: FloatArray
    links: list[tuple[Link, Situation]] = field(default_factory=list, repr=False)
    law: FloatArray | None = None
    taken: dict[object, float] = field(default_factory=dict)
    labels: tuple[object, ...] = ()
    counted_from: int = 0
    arrivals: int = 0

    def receive(self, law: FloatArray) -> None:
        """Add probabilities that arrive here."""
        self.arrivals += 1
        if self.law is None:
            self.law = law
        elif self.arrivals == 2 or law.dtype != self.law.dtype:  # it may be somebody else's
            self.law = self.law + law
        else:
            self.law += law

    def clear(self) -> None:
        """Forget what has arrived."""
        self.law, self.taken, self.arrivals = None, {}, 0


class Tape:
    """Situations in the order in which they are made: the last of the game first.

    >>> from killcurve.engine.decisions.links import SAME
    >>> tape = Tape()
    >>> won, lost = tape.end(np.array([1.0])), tape.end(np.array([0.0]))
    >>> safe = tape.chance([(Weight(0.5), won), (Weight(0.5), lost)])
    >>> bold = tape.chance([(Weight(0.6), won), (Weight(0.4), lost)])
    >>> start = tape.choice([(SAME, safe), (SAME, bold)], best=np.maximum)
    >>> tape.run(start, np.array([1.0]))
    >>> start.value.tolist(), won.law.tolist()
    ([0.6], [0.6])
    """

    def __init__(self) -> None:
        self._made: list[Situation] = []
        self._cells = 0

    def end(self, value: FloatArray) -> Situation:
        """A situation where nothing follows; its value is given."""
        return self._keep(Situation(value))

    def chance(self, links: Sequence[tuple[Link, Situation]]) -> Situation:
        """A situation from which chance leads on: the links' values add up."""
        value = links[0][0].pull(links[0][1].value)
        spend(len(links) * (20_000 + 5 * value.size))
        for link, after in links[1:]:
            value = value + link.pull(after.value)
        return self._keep(Situation(value, list(links)))

    def stack(self, rows: Sequence[Situation]) -> Situation:
        """Situations as the places of a new first axis."""
        spend(len(rows) * (5_000 + 2 * rows[0].value.size))
        links: list[tuple[Link, Situation]] = [(Row(i, len(rows)), r) for i, r in enumerate(rows)]
        return self._keep(Situation(np.stack([row.value for row in rows]), links))

    def choice(
        self,
        options: Sequence[tuple[Link, Situation]],
        best: np.ufunc,
        labels: Sequence[object] = (),
        *,
        counted_from: int = 0,
    ) -> Situation:
        """A situation in which a player takes the best option, element by element of the value.

        ``best`` is ``np.maximum`` or ``np.minimum``. An option's value may be infinite (bad for
        the player) where it is not allowed. ``labels`` name the options: the situation's
        ``taken`` then says how often each is, from place ``counted_from`` of the first axis on.
        """
        spend(len(options) * (45_000 + 10 * options[0][1].value.size))
        values = [link.pull(after.value) for link, after in options]
        chosen = np.zeros(np.broadcast_shapes(*(v.shape for v in values)), dtype=np.int64)
        value = np.broadcast_to(values[0], chosen.shape)
        sign = 1.0 if best is np.maximum else -1.0
        for i, option in enumerate(values[1:], start=1):
            margin = np.where(np.isfinite(value), MARGIN * value, 0.0)
            better = sign * option > sign * value + margin
            chosen = np.where(better, i, chosen)
            value = np.where(better, option, value)
        taken = [i for i in range(len(options)) if (chosen == i).any()]
        links: list[tuple[Link, Situation]] = []
        for i in taken:
            link, after = options[i]
            links.append((Chain((Weight(chosen == i), link)), after))
        made = Situation(np.asarray(value), links)
        made.labels = tuple(labels[i] for i in taken) if labels else ()
        made.counted_from = counted_from
        return self._keep(made)

    def run(self, start: Situation, law: FloatArray) -> None:
        """Push a law from a situation to all ends that it can reach, anew each time."""
        for situation in self._made:
            situation.clear()
        start.receive(law)
        for situation in reversed(self._made):
            if situation.law is None:
                continue
            spend(len(situation.links) * (4_000 + 2 * situation.law.size))
            for i, (link, after) in enumerate(situation.links):
                arriving = link.push(situation.law)
                if situation.labels:
                    share = float(arriving[situation.counted_from :].sum().real)
                    situation.taken[situation.labels[i]] = share
                after.receive(arriving)
            if situation.links:  # what went on need not be kept
                situation.law = None

    def taken(self) -> dict[object, float]:
        """How often each labelled option was taken, over all choices of the tape."""
        total: dict[object, float] = {}
        for situation in self._made:
            for label, share in situation.taken.items():
                total[label] = total.get(label, 0.0) + share
        return total

    def _keep(self, situation: Situation) -> Situation:
        self._cells += situation.value.size
        hold(self._cells)
        self._made.append(situation)
        return situation


def counted(tape: Tape, number: Pmf, by_count: Sequence[Situation]) -> Situation:
    """A number is rolled, and what follows depends on it: ``by_count[v]`` for v."""
    pairs = zip(number.values.tolist(), number.weights.tolist(), strict=True)
    return tape.chance([(Weight(p), by_count[int(v)]) for v, p in pairs if p])
