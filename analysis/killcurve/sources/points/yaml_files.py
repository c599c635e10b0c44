"""From a folder to parsed YAML: plain data in UTF-8, of bounded size, and nothing else.

A points file has scalars, lists and mappings. Anchors, aliases and tags are refused before
anything is built, so that a few lines cannot unfold into gigabytes or into objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from killcurve.sources.bounded import bounded, utf8
from killcurve.tables.dataset import DataError

MOST_BYTES = 1_000_000
"""Of one file; the largest real one has 53 kB."""
MOST_IN_ALL = 20_000_000
DEEPEST = 20
YAML = (".yaml", ".yml")

DOWNLOAD = "download the folder of points files again"


def parsed_files(folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The name and content of every YAML file of a folder, by name.

    Raises:
        DataError: if there is none, or one is no whole plain YAML file; it is named.
    """
    if not folder.is_dir():
        raise DataError(f"{folder} is no folder: name the folder that holds the .yaml files")
    paths = sorted(p for p in folder.iterdir() if p.suffix in YAML)
    if not paths:
        raise DataError(f"{folder} holds no .yaml files: name the folder of the points files")
    total = 0
    for path in paths:
        content = bounded(path, MOST_BYTES, "points files")
        total += len(content)
        if total > MOST_IN_ALL:
            raise DataError(
                f"the files of {folder} up to {path.name} have more than "
                f"{MOST_IN_ALL // 1_000_000} MB: it is no folder of points files"
            )
        yield path.name, parse(utf8(content, path.name, DOWNLOAD), path.name)


def parse(text: str, name: str) -> Mapping[str, Any]:
    """The mapping that a YAML text holds.

    Raises:
        DataError: if it is no YAML, holds something else, or uses anchors, aliases or tags.

    >>> parse("name: Iron Choir\\n", "iron-choir.yaml")
    {'name': 'Iron Choir'}
    >>> parse("- &a [x]\\n- *a\\n", "bomb.yaml")
    Traceback (most recent call last):
    ...
    killcurve.tables.about.DataError: bomb.yaml, line 1: anchors and aliases are not read: \
points files have none
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    if not text.endswith("\n"):
        raise DataError(f"{name} ends within a line, so it is cut off: {DOWNLOAD}")
    try:
        _check_plain(yaml, yaml.parse(text, Loader=loader), name)
        content = yaml.load(text, Loader=loader)  # noqa: S506 - it is the safe loader
    except DataError:
        raise
    except yaml.YAMLError as error:
        raise DataError(
            f"{name} is no whole YAML file ({_first_words(error)}): {DOWNLOAD}"
        ) from None
    except (ValueError, RecursionError, OverflowError) as error:
        raise DataError(f"{name} has a value that cannot be read ({error}): {DOWNLOAD}") from None
    if not isinstance(content, dict):
        raise DataError(f"{name} is no points file: it holds no `name: value` lines")
    return content


def _check_plain(yaml: ModuleType, events: Iterator[Any], name: str) -> None:
    depth = 0
    for event in events:
        line = event.start_mark.line + 1
        if getattr(event, "anchor", None) is not None:
            raise DataError(
                f"{name}, line {line}: anchors and aliases are not read: points files have none"
            )
        if getattr(event, "tag", None) is not None:
            raise DataError(f"{name}, line {line}: tags are not read: points files have none")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST:
            raise DataError(
                f"{name}, line {line}: lists within lists more than {DEEPEST} deep are not read"
            )


def _first_words(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    where = f", line {mark.line + 1}" if mark is not None else ""
    return f"{getattr(error, 'problem', None) or getattr(error, 'reason', 'unreadable')}{where}"
