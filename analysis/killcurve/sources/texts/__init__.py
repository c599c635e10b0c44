"""Rules texts of a user's own files, read into what the tables of rules say."""

from __future__ import annotations

from killcurve.sources.texts.filling import with_rules_read

__all__ = ["with_rules_read"]
