"""One source of truth for what the project needs."""

from __future__ import annotations

import re
import tomllib

from tests.conftest import ROOT

CONDA_NAMES = {"pytest-benchmark": "pytest-benchmark", "matplotlib": "matplotlib-base"}
PIP_ONLY = {"dyce", "icepool", "warhammer-stats", "wh40kdc"}


def split(requirement: str) -> tuple[str, str]:
    found = re.fullmatch(r"([\w.-]+)\s*(.*)", requirement)
    assert found
    return found[1], found[2].replace(" ", "")


def test_environment_yml_names_what_pyproject_names():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = dict(split(r) for r in project["dependencies"])
    for extra in project["optional-dependencies"].values():
        wanted.update(split(r) for r in extra)
    lines = (ROOT / "environment.yml").read_text().splitlines()
    listed = dict(
        split(line.strip()[2:]) for line in lines if re.match(r"\s+- [\w.-]+\s*[><=]", line)
    )
    python = listed.pop("python")
    assert python == project["requires-python"]
    assert listed.pop("pip", None) is not None or "- pip" in "\n".join(lines)
    assert listed == {CONDA_NAMES.get(name, name): version for name, version in wanted.items()}


def test_packages_only_pip_has_are_listed_under_pip():
    text = (ROOT / "environment.yml").read_text()
    under_pip = text.split("- pip:")[1]
    assert {n for n in PIP_ONLY if re.search(rf"- {n}\b", text)} == {
        n for n in PIP_ONLY if re.search(rf"- {n}\b", under_pip)
    }
