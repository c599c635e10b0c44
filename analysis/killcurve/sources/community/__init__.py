"""The embedded default: the community's wh40kdc dataset, 11th edition, as tables.

The package carries one JSON bundle of linked records; each module here turns some of them
into rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata
from typing import Any

from killcurve.sources.community import abilities, loadouts, readings, rules, units, weapons
from killcurve.tables.building import build
from killcurve.tables.dataset import About, DataError, Dataset

ATTRIBUTION = "Alpaca Software and the 40kdc community contributors, CC BY 4.0"


def version() -> str:
    """The version of the installed dataset."""
    return metadata.version("wh40kdc")


def read() -> Dataset:
    """All tables of the installed dataset.

    Raises:
        DataError: if the dataset is not of the form that this version of killcurve reads.
    """
    from wh40kdc.data import raw_data

    return from_records(raw_data(), version())


def from_records(data: Mapping[str, list[Any]], version: str) -> Dataset:
    """The tables of a bundle of records."""
    try:
        names = units.Names.of(data)
        carried, aside = loadouts.rows(data, names)
        descriptions = readings.Descriptions.of(data)
        rows = {
            **units.rows(data, names),
            **carried,
            **weapons.rows(data, names),
            **abilities.rows(data, names, descriptions),
            **rules.rows(data, names, descriptions),
        }
        about = About(
            source="wh40kdc",
            version=version,
            edition="11e",
            date=max(v["effective_date"] for v in data["game_versions"]),
            licence="CC-BY-4.0",
            attribution=ATTRIBUTION,
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise DataError(
            f"wh40kdc {version} has another form than expected ({error!r}): "
            "install the version that killcurve asks for"
        ) from error
    return build(about, rows, aside)
