"""Texts of rules read into the effect language (SCENARIO)."""

from __future__ import annotations

from killcurve.rules.descriptions import Reading
from killcurve.rules.reader.aggregate import read_rule

__all__ = ["Reading", "read_rule"]
