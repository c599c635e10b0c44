"""Imports into a folder: what is read becomes a layer of the dataset that the folder holds."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from killcurve.sources.bounded import bounded
from killcurve.sources.bsdata import read_catalogues
from killcurve.sources.default import embedded, load
from killcurve.sources.fetching import settle
from killcurve.sources.pages import read_pages
from killcurve.sources.points import SOURCE as POINTS
from killcurve.sources.points import read_points
from killcurve.sources.points.yaml_files import MOST_BYTES, YAML
from killcurve.sources.rosters import read_rosters, with_rosters
from killcurve.sources.texts import with_rules_read
from killcurve.sources.wahapedia import read_export
from killcurve.sources.wheel import read_wheel
from killcurve.tables import whole_folders
from killcurve.tables.collection import Collection
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.folders import ABOUT
from killcurve.tables.layers import Layer, split
from killcurve.tables.schemas import SCHEMAS

Tell = Callable[[str], None]
Prefer = Sequence[str] | None


def _quietly(_: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: the tables it read, as they went into the folder, and warnings."""

    dataset: Dataset
    into: Path
    warnings: tuple[str, ...]

    def counts(self) -> dict[str, dict[str, int]]:
        """Rows read, kept and set aside, for each table that got any."""
        out = {}
        for table in SCHEMAS:
            kept = self.dataset[table].height
            aside = sum(self.dataset.set_aside.get(table, {}).values())
            if kept or aside:
                out[table] = {"read": kept + aside, "kept": kept, "set_aside": aside}
        return out


def import_pages(
    files: Sequence[Path], into: Path, prefer: Prefer = None, tell: Tell = _quietly
) -> Imported:
    """Read datasheet pages and put their tables into a folder, all of them or none.

    Of this and the other imports, ``prefer`` are sources to be believed before the stated
    precedence, in this and later imports (``None`` leaves what the folder prefers); ``tell`` is
    told of each step.

    Raises:
        DataError: naming the file that is no (whole) datasheet page; nothing is written then.
    """
    tell("reading the pages")
    return _put(*read_pages(files, load()), into, prefer=prefer, tell=tell)


def import_wahapedia(
    folder: Path, into: Path, prefer: Prefer = None, tell: Tell = _quietly
) -> Imported:
    """Read a Wahapedia export and put its tables into a folder, all of them or none.

    Raises:
        DataError: naming the file that is missing or no (whole) file of an export; nothing is
            written then.
    """
    tell("reading the export")
    settle(folder)
    return _put(*read_export(folder), into, whole=True, prefer=prefer, tell=tell)


def import_bsdata(
    folder: Path, into: Path, prefer: Prefer = None, tell: Tell = _quietly
) -> Imported:
    """Read BSData catalogues and put their tables into a folder, all of them or none.

    Raises:
        DataError: naming the file that is no whole catalogue; nothing is written then.
    """
    tell("reading the catalogues")
    settle(folder)
    return _put(*read_catalogues(folder), into, whole=True, prefer=prefer, tell=tell)


def import_points(
    folder: Path, into: Path, prefer: Prefer = None, tell: Tell = _quietly
) -> Imported:
    """Read points lists and put their prices into the dataset of a folder, all of them or none.

    A folder that holds no dataset gets the embedded default with these points.

    Raises:
        DataError: naming the file that is no (whole) points list; nothing is written then.
    """
    tell("reading the points")
    settle(folder)
    held = _held(into)
    if held is None:
        held = Collection(tuple(split(embedded())))
    dataset, warnings = read_points(folder, _base(held))
    raw = {
        path.name: bounded(path, MOST_BYTES, "points files")
        for path in sorted(folder.iterdir())
        if path.suffix in YAML
    }
    layer = _points_layer(dataset, raw)
    _write([layer], held.layers, into, whole=True, prefer=prefer, tell=tell)
    return Imported(dataset, into, tuple(warnings))


def import_community(
    wheel: Path, into: Path, prefer: Prefer = None, tell: Tell = _quietly
) -> Imported:
    """Read another version of the embedded dataset from a wheel and put its tables into a folder.

    Raises:
        DataError: if the file is no whole wheel of ``wh40kdc``; nothing is written then.
    """
    tell("reading the wheel")
    return _put(read_wheel(wheel), (), into, whole=True, prefer=prefer, tell=tell)


def import_default(into: Path, prefer: Prefer = None, tell: Tell = _quietly) -> Imported:
    """Put the embedded default into a folder, as one source among others."""
    tell("loading the embedded default")
    return _put(embedded(), (), into, whole=True, prefer=prefer, tell=tell)


def import_rosters(
    files: Sequence[Path],
    into: Path | None = None,
    data: Path | None = None,
    tell: Tell = _quietly,
) -> Imported:
    """Read army lists and put them beside the dataset of a folder, all of them or none.

    They are joined to the units of ``data``, else of what the folder holds, else of the embedded
    default; a folder that holds no dataset gets that default. A list replaces one of its name.
    Without a folder they are only read.

    Raises:
        DataError: naming the file that is no army list; nothing is written then.
    """
    tell("loading the dataset")
    holds = into is not None and (into / ABOUT).exists()
    base = load(data if data is not None else into if holds else None)
    tell("reading the lists")
    dataset, warnings = read_rosters(files, base)
    if into is not None:
        try:
            with whole_folders.only_writer(into):
                held = _held(into) or Collection(tuple(split(embedded())))
                tell("writing the tables")
                with_rosters(held, dataset).save(into)
        except OSError as error:
            raise DataError(f"{into} cannot be written: {error.strerror or error}") from error
    return Imported(dataset, into or Path(), tuple(warnings))


def _put(
    dataset: Dataset,
    warnings: Sequence[str],
    into: Path,
    *,
    whole: bool = False,
    prefer: Prefer = None,
    tell: Tell = _quietly,
) -> Imported:
    """Make a dataset a layer of what a folder holds, in one step.

    ``whole`` is whether it is everything that its source says, so that nothing older of it stays.
    """
    dataset = with_rules_read(dataset, tell)
    older = _write(split(dataset), (), into, whole=whole, prefer=prefer, tell=tell)
    return Imported(dataset, into, (*warnings, *older))


def _write(
    layers: Sequence[Layer],
    first: Iterable[Layer],
    into: Path,
    *,
    whole: bool,
    prefer: Prefer,
    tell: Tell,
) -> list[str]:
    """Put layers into a folder, ``first`` ones only if it is empty; gives warnings."""
    # What cannot be imported into, or preferred, is told before anything is written.
    before = _held(into) or Collection(tuple(first))
    replace(before, layers=(*before.layers, *layers)).preferring(prefer or ())
    try:
        with whole_folders.only_writer(into):
            held = _held(into) or Collection(tuple(first))
            warnings = []
            for layer in layers:
                held = held.with_layer(layer, whole=whole)
                warnings += _about_older(layer, held, into) if whole else []
            if prefer is not None:
                held = held.preferring(prefer)
            tell("joining the sources")
            if any(layer.about.edition == "11e" and not layer.raw for layer in layers):
                held = _placed(held)
            tell("writing the tables")
            held.save(into)
    except OSError as error:
        raise DataError(f"{into} cannot be written: {error.strerror or error}") from error
    return warnings


def _about_older(layer: Layer, held: Collection, into: Path) -> list[str]:
    """A warning if a newer version of a layer's source stays."""
    stays = next(one for one in held.layers if one.name == layer.name).about
    if stays == layer.about:
        return []
    return [
        f"{into} holds {stays.source} {stays.version} of {stays.date}, which is newer than "
        f"{layer.about.version} of {layer.about.date}: it stays, and the older one adds only "
        "tables that it lacks"
    ]


def _points_layer(dataset: Dataset, raw: Mapping[str, bytes]) -> Layer:
    """The layer of points lists; what their rows repeat of other sources is not credited twice."""
    about = replace(dataset.about, licence="", attribution="")
    own = [pl.lit(about.source).alias("source"), pl.lit(about.version).alias("version")]
    tables = {table: frame.with_columns(own) for table, frame in dataset.tables.items()}
    return Layer(replace(dataset, about=about, tables=tables), raw=raw)


def _base(held: Collection) -> Dataset:
    """What is known besides points lists: their units are found in it."""
    rest = [layer for layer in held.layers if layer.about.source != POINTS]
    return replace(held, layers=tuple(rest)).merged()


def _placed(held: Collection) -> Collection:
    """The points lists of a collection read anew: other sources may have named further units."""
    for layer in held.layers:
        if layer.raw:
            with tempfile.TemporaryDirectory() as folder:
                for name, content in layer.raw.items():
                    Path(folder, name).write_bytes(content)
                dataset, _ = read_points(Path(folder), _base(held))
            again = _points_layer(dataset, layer.raw)
            rest = tuple(one for one in held.layers if one is not layer)
            return replace(held, layers=(*rest, again))
    return held


def _held(into: Path) -> Collection | None:
    """The layers that a folder holds, if any."""
    try:
        return Collection.load(into)
    except DataError:
        if (into / ABOUT).exists():
            raise
        return None


def summary(result: Imported, *, as_json: bool) -> str:
    """The counts of an import, for people or as JSON."""
    counts = result.counts()
    if as_json:
        return json.dumps(counts)
    lines = [f"written to {result.into}"]
    for table, count in counts.items():
        aside = f", {count['set_aside']} set aside" if count["set_aside"] else ""
        lines.append(f"  {table.replace('_', ' '):16} {count['kept']:6}{aside}")
    for table, reasons in result.dataset.set_aside.items():
        lines += [f"  set aside in {table}: {n} × {reason}" for reason, n in reasons.items()]
    return "\n".join(lines)
