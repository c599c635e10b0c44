"""Cells in HTML as plain text."""

from __future__ import annotations

import html
import re
from functools import lru_cache

_BREAK = re.compile(r"<br ?/?>|</p>|</?ul[^>]*>|</?table[^>]*>|</tr>|</div>", re.IGNORECASE)
_ITEM = re.compile(r"<li[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_SPACES = re.compile(r"[ \t\u00a0]{2,}|[\t\u00a0]")


def plain(cell: str) -> str:
    """The text of a cell: breaks are lines, items of lists begin with a dash.

    >>> plain('One <b>bell</b>:<br><br>two&nbsp;<ul><li>a</li><li>b</li></ul>')
    'One bell:\\ntwo\\n- a\\n- b'
    """
    if "<" not in cell and "&" not in cell:
        return cell
    text = _TAG.sub("", _ITEM.sub("\n- ", _BREAK.sub("\n", cell)))
    lines = (_SPACES.sub(" ", line).strip() for line in html.unescape(text).split("\n"))
    return "\n".join(line for line in lines if line)


@lru_cache(maxsize=4096)
def without_tags(cell: str) -> str:
    """A name or a short cell without tags, in one line.

    >>> without_tags("1 model (<ky>BELLS</ky>  Detachment)")
    '1 model (BELLS Detachment)'
    """
    return re.sub(r"\s+", " ", html.unescape(_TAG.sub("", cell))).strip()
