"""Meta-analysis of tournament results: pure functions from frames to frames.

Frames are ``games`` and ``standings`` of :mod:`killcurve.tables.result_schemas`.
:func:`study_results` makes every study; minimum samples are stated in
:data:`killcurve.study.meta.samples.RULES`.
"""

from __future__ import annotations

from killcurve.study.meta.everything import Meta, study_results
from killcurve.study.meta.sides import By

__all__ = ["By", "Meta", "study_results"]
