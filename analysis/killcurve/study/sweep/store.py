"""A sweep's folder: a manifest, small tables, and parts that are there whole or not at all.

The manifest and the tables are written first, in one step. A part is written under another name
and renamed. So whoever continues a run that was cut off takes the parts that are there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from killcurve.study.sweep.plan import Plan
from killcurve.study.sweep.tables import Frames
from killcurve.tables import storage
from killcurve.tables.dataset import DataError

FORMAT = 1
"""Raised whenever the files of a sweep change."""

MANIFEST = "manifest.json"
RESULTS = "results"


class Store:
    """The folder of one sweep."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)

    def begin(self, plan: Plan, digest: str, about: Mapping[str, Any]) -> list[int]:
        """Write what the plan holds, unless it is there already; the parts still to be done.

        ``digest`` is the plan's, ``about`` says what the sweep is of: both go into the manifest.

        Raises:
            DataError: if the folder holds another sweep, or other files.
        """
        parts = len(list(plan.parts()))
        manifest = {
            "format": FORMAT,
            **about,
            "plan": digest,
            "parts": parts,
            "combinations": plan.combinations,
            "distinct": plan.distinct,
            "attack_halves": len(plan.attack_laws),
            "target_halves": len(plan.target_halves),
        }
        self._take_over(manifest)
        if not (self.folder / MANIFEST).exists():
            self._write(plan.tables, manifest)
        results = self.folder / RESULTS
        results.mkdir(exist_ok=True)
        storage.finish(results)
        return [number for number in range(parts) if not self.part(number).exists()]

    def _take_over(self, manifest: Mapping[str, Any]) -> None:
        """Finish what was cut off; refuse a folder that is not this sweep's."""
        if not self.folder.exists():
            return
        if not self.folder.is_dir():
            raise DataError(f"{self.folder} is a file; name a folder for the sweep")
        storage.finish(self.folder)
        if (self.folder / MANIFEST).exists():
            if read_manifest(self.folder) != manifest:
                raise DataError(
                    f"{self.folder} holds another sweep (of other data, rules or options); "
                    "name another folder, or remove this one"
                )
        elif any(self.folder.iterdir()):
            raise DataError(f"{self.folder} is not empty and holds no sweep; name another folder")

    def _write(self, tables: Frames, manifest: Mapping[str, Any]) -> None:
        text = json.dumps(manifest, indent=1, ensure_ascii=False)
        storage.replace_files(
            self.folder,
            {
                **{f"{name}.parquet": partial(_write_table, f) for name, f in tables.items()},
                MANIFEST: lambda path: path.write_text(text, encoding="utf-8"),
            },
        )

    def part(self, number: int) -> Path:
        """Where a part is, once it is done."""
        return self.folder / RESULTS / f"part-{number:05}.parquet"

    def write_part(self, number: int, content: bytes) -> None:
        """Keep a part."""
        storage.write_file(self.part(number), content)

    def files(self) -> Iterator[Path]:
        """All its files."""
        return (path for path in sorted(self.folder.rglob("*")) if path.is_file())


def _write_table(frame: pl.DataFrame, path: Path) -> None:
    frame.write_parquet(path, compression="zstd", statistics=False)


def read_manifest(folder: Path | str) -> dict[str, Any]:
    """The manifest of a sweep's folder.

    Raises:
        DataError: if there is none, or another version wrote it.
    """
    path = Path(folder) / MANIFEST
    if not path.is_file():
        raise DataError(f"{folder} holds no sweep; `killcurve sweep --out DIR` makes one")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        version = manifest["format"]
    except (ValueError, KeyError, TypeError):
        raise DataError(f"{path} is damaged: remove the folder and sweep again") from None
    if version != FORMAT:
        raise DataError(
            f"{folder} was written in format {version}, this is format {FORMAT}: sweep again"
        )
    return dict(manifest)
