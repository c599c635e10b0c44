"""The grammars of effects and of conditions, made once; a parse of the longest known beginning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from lark import Lark, Tree
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer, Token

from killcurve.rules.reader.forming import Heads
from killcurve.rules.reader.heads import Head
from killcurve.rules.reader.things import Thing, Things
from killcurve.rules.reader.words import Word, Words


class _Given(Lexer):
    """A lexer for words that have been told apart already."""

    def __init__(self, lexer_conf: Any) -> None:  # noqa: ANN401 - as lark makes it
        """Nothing is kept."""

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[Token]:  # noqa: ANN401, ARG002
        yield from lexer_state


@lru_cache(maxsize=1)
def _effects() -> Lark:
    grammar = files(__package__).joinpath("effects.lark").read_text(encoding="utf-8")
    return Lark(
        grammar, parser="lalr", lexer=_Given, start=["effect", "passive"], transformer=Heads()
    )


@lru_cache(maxsize=1)
def _conditions() -> Lark:
    grammar = files(__package__).joinpath("conditions.lark").read_text(encoding="utf-8")
    starts = ["noun_phrase", "condition"]
    return Lark(grammar, parser="lalr", lexer=_Given, start=starts, transformer=Things())


def head(words: Sequence[Word], start: str = "effect") -> tuple[Head, int] | None:
    """The effect that the longest beginning of the words says, and how many words that is.

    ``start`` is ``effect`` where they begin with a verb, ``passive`` where with what changes.

    >>> from killcurve.rules.reader.words import words
    >>> found = head(words("add 1 to the Hit roll for each token it has"))
    >>> found[0].act, found[0].names[0].what, found[0].amount, found[1]
    ('added', 'hit', '1', 5)
    """
    found, used = _parsed(_effects().parse_interactive(start=start), words)
    return (cast("Head", found), used) if used else None


def things(start: str, words: Words) -> list[Thing] | None:
    """What a whole noun phrase or condition says, or ``None`` if it is not understood.

    >>> from killcurve.rules.reader.words import words
    >>> things("noun_phrase", words("a MONSTER or VEHICLE unit within half range"))
    [Thing(kind='keywords', words=('monster', 'vehicle'), negated=False), Thing(kind='flag', \
words=('half_range',), negated=False)]
    """
    found, used = _parsed(_conditions().parse_interactive(start=start), words)
    return cast("list[Thing]", found) if used == len(words) else None


def things_first(words: Words) -> tuple[list[Thing], int]:
    """What the longest beginning of a noun phrase says, and how many words that is."""
    found, used = _parsed(_conditions().parse_interactive(start="noun_phrase"), words)
    return cast("list[Thing]", found or []), used


_Parser = Any
"""An interactive parser of lark, whose methods have no types."""


def _copied(parser: _Parser) -> _Parser:
    """A parser in the same state; lark goes on filling the lists of unfinished rules in place."""
    copied = parser.copy(deepcopy_values=False)
    stack = copied.parser_state.value_stack
    stack[:] = [Tree(v.data, list(v.children)) if isinstance(v, Tree) else v for v in stack]
    return copied


def _parsed(parser: _Parser, words: Sequence[Word]) -> tuple[object, int]:
    """The longest beginning of the words that is understood: its value and its length."""
    ends = []
    for i, word in enumerate((*words, None)):
        choices = parser.choices()
        if "$END" in choices:
            ends.append((_copied(parser), i))
        if word is None or word.type not in choices:
            break
        try:
            parser.feed_token(cast("Token", word))
        except UnexpectedToken:  # the table lets some words pass that a reduction then refuses
            break
    for at, used in reversed(ends):
        try:
            return at.feed_eof(), used
        except UnexpectedToken:
            continue
    return None, 0
