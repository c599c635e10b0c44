"""Files of scenarios: JSON, TOML, a JSON scenario a line, or standard input (SCENARIO)."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from killcurve.rules.reading import ScenarioError

LONGEST_LINE = 1_000_000


def scenarios(file: str) -> Iterator[Any]:
    """The scenarios of a file as read; what cannot be read is a ScenarioError in its place."""
    if file == "-":
        yield from _lines(sys.stdin.buffer)
        return
    path = Path(file)
    if not path.is_file():
        yield ScenarioError(f"there is no file {file!r}", "")
    elif path.suffix == ".jsonl":
        with path.open("rb") as lines:
            yield from _lines(lines)
    else:
        yield _whole(path)


def _lines(lines: Any) -> Iterator[Any]:  # noqa: ANN401 - any binary stream
    while line := lines.readline(LONGEST_LINE + 1):
        if len(line) > LONGEST_LINE:
            yield ScenarioError(f"a line is longer than {LONGEST_LINE:,} bytes", "")
            while line and not line.endswith(b"\n"):
                line = lines.readline(LONGEST_LINE)
        elif line.strip():
            yield _json(line)


def _whole(path: Path) -> Any:  # noqa: ANN401 - whatever the file holds
    content = path.read_bytes()
    if path.suffix == ".toml":
        try:
            return tomllib.loads(content.decode("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            return ScenarioError(f"this is not TOML: {error}", "")
    return _json(content)


def _json(content: bytes) -> Any:  # noqa: ANN401 - whatever the text holds
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        return ScenarioError(f"this is not JSON: {error}", "")
