"""Words that reports share: lists, shares, points, and a finding that numbers make."""

from __future__ import annotations

from collections.abc import Sequence


def listed(names: Sequence[str], most: int = 5) -> str:
    """Names as a sentence lists them.

    >>> listed(["a", "b", "c"]), listed(["a"]), listed([]), listed(["a", "b", "c"], most=2)
    ('a, b and c', 'a', 'nothing', 'a, b and 1 other')
    """
    if not names:
        return "nothing"
    shown = list(names[:most])
    if len(names) > most:
        left = len(names) - most
        shown.append(f"{left} other{'s' if left > 1 else ''}")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def percent(share: float, decimals: int = 0) -> str:
    """A share of one.

    >>> percent(0.256), percent(0.9999), percent(0.0001), percent(1.0)
    ('26 %', 'over 99 %', 'under 1 %', '100 %')
    """
    edge = 0.5 * 10 ** -(decimals + 2)
    if 0 < share < 2 * edge * 1.0 and share < 0.01:
        return "under 1 %"
    if 1 > share >= 1 - edge:
        return "over 99 %"
    return f"{100 * share:.{decimals}f} %"


def signed(value: float, decimals: int = 2) -> str:
    """A change, with a real minus.

    >>> signed(0.346), signed(-0.08), signed(-6.12, 1)
    ('+0.35', '−0.08', '−6.1')
    """
    return f"{value:+.{decimals}f}".replace("-", "−")


def number(count: int, what: str, plural: str = "") -> str:
    """A count with its noun.

    >>> number(1, "unit"), number(2, "unit"), number(0, "entry", "entries")
    ('1 unit', '2 units', '0 entries')
    """
    return f"{count:,} {what if count == 1 else plural or f'{what}s'}"
