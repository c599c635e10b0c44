"""A folder's layers: read, renewed by imports, written with what they make together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from killcurve.tables import folders, whole_folders
from killcurve.tables.about import About, DataError
from killcurve.tables.dataset import Dataset
from killcurve.tables.layers import Layer, renewed, split
from killcurve.tables.merging import merged
from killcurve.tables.precedence import Precedence
from killcurve.tables.schemas import SCHEMAS

RAW = "raw"


@dataclass(frozen=True, slots=True)
class Collection:
    """The layers of a dataset, one for each source and edition, and what is preferred."""

    layers: tuple[Layer, ...] = ()
    prefer: tuple[str, ...] = ()

    @classmethod
    def load(cls, folder: Path | str) -> Collection:
        """The layers of a dataset's folder.

        A dataset that was saved without layers is taken apart by its sources.

        Raises:
            DataError: if there is no dataset, or it was made by another version of the tables.
        """
        return folders.read(Path(folder), partial(cls._load, Path(folder)))

    @classmethod
    def _load(cls, folder: Path, told: Mapping[str, Any]) -> Collection:
        layers = [_layer(folder, layer) for layer in told[folders.LAYERS]]
        if not layers:
            layers = split(Dataset.read(folder, told))
        return cls(tuple(layers), tuple(told["prefer"]))

    def merged(self) -> Dataset:
        """The dataset that the layers make together."""
        return merged(self.layers, Precedence(self.prefer))

    def preferring(self, wishes: Iterable[str]) -> Collection:
        """The same layers under other wishes of precedence; none are the stated one.

        Raises:
            DataError: if a wish names no source or field.
        """
        sources = [layer.about.source for layer in self.layers]
        return replace(self, prefer=Precedence.of(wishes, sources).prefer)

    def with_layer(self, layer: Layer, *, whole: bool) -> Collection:
        """With another reading of a source; see :func:`killcurve.tables.layers.renewed`."""
        old = next((one for one in self.layers if one.name == layer.name), None)
        rest = tuple(one for one in self.layers if one.name != layer.name)
        return replace(self, layers=(*rest, renewed(old, layer, whole=whole)))

    def save(self, folder: Path) -> Dataset:
        """Write the layers and what they make together in one step, as the only writer."""
        dataset = self.merged()
        layers = [
            {
                "folder": layer.folder or _put(folder / folders.LAYERS, layer),
                "borrowed": layer.borrowed,
                "about": asdict(layer.about),
                "set_aside": layer.dataset.set_aside,
            }
            for layer in sorted(self.layers, key=lambda layer: layer.name)
        ]
        frames = {name: dataset[name] for name in SCHEMAS}
        folders.publish(folder, dataset.told(layers), frames)
        return dataset


def _layer(folder: Path, told: Mapping[str, Any]) -> Layer:
    place = folder / folders.LAYERS / told["folder"]
    if not place.is_dir() or not place.name.endswith(
        whole_folders.digest(place)[: whole_folders.DIGITS]
    ):
        raise DataError(f"{place} is missing or was changed: import again, into another folder")
    names = [name for name in SCHEMAS if (place / f"{name}.parquet").exists()]
    dataset = Dataset(About(**told["about"]), folders.tables(place, names), told["set_aside"])
    raw = {}
    if (place / RAW).is_dir():
        raw = {path.name: path.read_bytes() for path in sorted((place / RAW).iterdir())}
    return Layer(dataset, told["borrowed"], raw, told["folder"])


def _put(folder: Path, layer: Layer) -> str:
    """Write a layer into a folder of its own, and give its name."""
    frames = {name: frame for name, frame in layer.dataset.tables.items() if frame.height}
    writers: dict[str, Callable[[Path], object]] = dict(folders.writers(frames))
    for name, content in layer.raw.items():
        writers[f"{RAW}/{name}"] = partial(_write_bytes, content)
    return whole_folders.put(folder, layer.name, writers)


def _write_bytes(content: bytes, path: Path) -> None:
    path.write_bytes(content)
