"""How much work one answer may take: what grows too large is refused instead of running on.

Work is counted in estimated nanoseconds of one core, where the sums are done. Nothing is counted
unless somebody sets a limit.
"""

from __future__ import annotations

from contextvars import ContextVar


class TooMuchWork(ValueError):
    """An answer would take more work, or memory, than its limit."""

    def __init__(self) -> None:
        super().__init__(
            "this takes more work than one answer may: take fewer attacks or groups of models, "
            "fix some of the choices, or lift the limit (--unlimited)"
        )


_left: ContextVar[list[float] | None] = ContextVar("work left", default=None)


class at_most:  # noqa: N801 - it is used as a verb
    """Within it, more work than that raises :class:`TooMuchWork`; ``None`` sets no limit.

    >>> with at_most(10.0):
    ...     spend(11.0)
    Traceback (most recent call last):
    ...
    killcurve.engine.budget.TooMuchWork: this takes more work than one answer may: take fewer \
attacks or groups of models, fix some of the choices, or lift the limit (--unlimited)
    """

    __slots__ = ("_before", "_work")

    def __init__(self, work: float | None) -> None:
        self._work = work

    def __enter__(self) -> None:
        self._before = _left.set(None if self._work is None else [self._work])

    def __exit__(self, *error: object) -> None:
        _left.reset(self._before)


def spend(work: float) -> None:
    """Count work that is about to be done.

    Raises:
        TooMuchWork: if it is beyond the limit.
    """
    left = _left.get()
    if left is not None:
        left[0] -= work
        if left[0] < 0:
            raise TooMuchWork


MOST_HELD = 30_000_000
"""Numbers that one answer may hold at a time."""


def hold(numbers: float) -> None:
    """Count numbers that are about to be held in memory together.

    Raises:
        TooMuchWork: if there is a limit of work, and they are more than :data:`MOST_HELD`.
    """
    if numbers > MOST_HELD and _left.get() is not None:
        raise TooMuchWork
