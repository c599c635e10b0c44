"""The dataset that everything uses unless told otherwise: built once, then read from Parquet."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

from killcurve.sources import community
from killcurve.tables import reference
from killcurve.tables.dataset import DataError, Dataset
from killcurve.tables.overrides import FILE, overridden, read
from killcurve.tables.schemas import VERSION


def load(folder: Path | str | None = None, edition: str | None = None) -> Dataset:
    """The dataset in a folder, or the embedded default; of all editions, or only of one.

    The user's ``overrides.toml`` in the folder (of the embedded default: in
    :func:`data_folder`) is applied (:mod:`killcurve.tables.overrides`).

    The default is made of the installed ``wh40kdc`` data and the toolkit's own reference. It
    is built on first use (some seconds) and kept as Parquet under :func:`data_folder`; another
    version of the data, the reference, its readers or the tables is built anew.

    Raises:
        DataError: if the folder holds no dataset, or nothing of that edition; if an override
            is wrong, naming its place.

    >>> load().about.source
    'wh40kdc'
    """
    known = embedded() if folder is None else Dataset.load(folder)
    place = data_folder() if folder is None else Path(folder)
    dataset = overridden(known, read(place / FILE))
    return dataset if edition is None else dataset.of_edition(edition)


def embedded() -> Dataset:
    """The embedded default without any override, from where it is kept."""
    cached = data_folder() / "tables" / _key()
    try:
        return Dataset.load(cached)
    except (DataError, OSError):
        dataset = community.read()
    # A folder that cannot be written costs the cache, not the answer.
    with contextlib.suppress(OSError):
        dataset.save(cached)
    return dataset


def data_folder() -> Path:
    """Where built tables are kept: ``KILLCURVE_DATA``, a checkout's ``data/``, or the cache."""
    chosen = os.environ.get("KILLCURVE_DATA")
    if chosen:
        return Path(chosen)
    checkout = Path(__file__).resolve().parents[3]
    if (checkout / "pyproject.toml").exists() and (checkout / "data" / "reference").is_dir():
        return checkout / "data"
    import platformdirs

    return Path(platformdirs.user_cache_dir("killcurve"))


def _key() -> str:
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parents[1]
    readers = [*package.glob("rules/**/*.py"), *package.glob("sources/community/*.py")]
    for path in sorted([*reference.folder().glob("*.toml"), *readers]):
        digest.update(path.read_bytes())
    return f"wh40kdc-{community.version()}-tables-{VERSION}-{digest.hexdigest()[:12]}"
