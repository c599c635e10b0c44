"""States of explorers: frozen dataclasses ⇄ plain values ⇄ JSON, and as a line of code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from killcurve.rules.spelling import did_you_mean
from killcurve.tables.dataset import DataError

T = TypeVar("T")


def to_dict(state: object) -> dict[str, Any]:
    """A state as plain values: dictionaries, lists, texts and numbers."""
    return {field.name: _plain(getattr(state, field.name)) for field in fields(state)}  # type: ignore[arg-type]


def _plain(value: object) -> object:
    if is_dataclass(value):
        return to_dict(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def to_json(state: object) -> str:
    """A state as JSON that :func:`from_json` reads, with the kind of state it is."""
    told = {"state": type(state).__name__, **to_dict(state)}
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def from_json(kind: type[T], text: str) -> T:
    """The state that :func:`to_json` wrote.

    Raises:
        DataError: if the text is no JSON, or of another kind of state, or a field is wrong.
    """
    try:
        data = json.loads(text)
    except ValueError as error:
        raise DataError(f"this is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise DataError(f"a state is an object with fields, and not {data!r}")
    named = data.pop("state", kind.__name__)
    if named != kind.__name__:
        raise DataError(f"this is a state of another kind: {named}, and not {kind.__name__}")
    return from_dict(kind, data)


def from_dict(kind: type[T], data: Mapping[str, Any], where: str = "") -> T:
    """A state from plain values; fields that are not given keep their defaults.

    Raises:
        DataError: naming the field that is wrong, and what is allowed there.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Two:
    ...     name: str
    ...     sizes: tuple[int, ...] = ()
    >>> from_dict(Two, {"name": "a", "sizes": [1, 2]})
    Two(name='a', sizes=(1, 2))
    >>> from_dict(Two, {"name": "a", "size": 1})
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: there is no field 'size'; did you mean 'sizes'?
    """
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    hints = get_type_hints(kind)
    for name in data:
        if name not in known:
            raise DataError(f"there is no field {where + name!r}{did_you_mean(name, known)}")
    missing = [name for name, field in known.items() if _is_needed(field) and name not in data]
    if missing:
        raise DataError(f"say {', '.join(where + name for name in missing)}, too")
    return kind(**{name: _read(hints[name], data[name], where + name) for name in data})


def _is_needed(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _read(hint: Any, value: object, where: str) -> Any:  # noqa: ANN401 - any field's type
    """A plain value as its field has it."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        if value is None and type(None) in inner:
            return None
        return _read(next(kind for kind in inner if kind is not type(None)), value, where)
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise DataError(f"{where} is a list, and not {value!r}")
        kinds = inner[:1] * len(value) if inner[-1] is Ellipsis else inner
        if len(kinds) != len(value):
            raise DataError(f"{where} has {len(kinds)} parts, and not {len(value)}")
        return tuple(
            _read(k, v, f"{where}[{i}]") for i, (k, v) in enumerate(zip(kinds, value, strict=True))
        )
    if is_dataclass(hint):
        if not isinstance(value, Mapping):
            raise DataError(f"{where} is an object with fields, and not {value!r}")
        return from_dict(hint, value, f"{where}.")  # type: ignore[arg-type]
    if not isinstance(value, hint) or (hint is int and isinstance(value, bool)):
        words = {str: "a text", int: "a whole number", bool: "true or false", float: "a number"}
        raise DataError(f"{where} is {words.get(hint, hint.__name__)}, and not {value!r}")
    return value


def code_of(state: object) -> str:
    """The state as Python code, without what is as by default.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Two:
    ...     name: str
    ...     sizes: tuple[int, ...] = ()
    >>> code_of(Two("a")), code_of(Two("a", (1,)))
    ("Two('a')", "Two('a', sizes=(1,))")
    """
    parts = []
    for field in fields(state):  # type: ignore[arg-type]
        value = getattr(state, field.name)
        if _is_needed(field):
            parts.append(_code(value))
        elif value != _default(field):
            parts.append(f"{field.name}={_code(value)}")
    return f"{type(state).__name__}({', '.join(parts)})"


def _default(field: Field[Any]) -> object:
    return field.default_factory() if callable(field.default_factory) else field.default


def _code(value: object) -> str:
    if is_dataclass(value):
        return code_of(value)
    if isinstance(value, tuple):
        inner = ", ".join(_code(item) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value)
