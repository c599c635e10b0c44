"""The contract of the table of who may lead whom."""

from __future__ import annotations

import dataframely as dy

from killcurve.tables.sourced import Sourced


class LeaderAttachments(Sourced):
    """Which units a leader may be attached to: one row a leader and bodyguard unit.

    Both are datasheets of ``faction``.
    """

    faction = dy.String(primary_key=True, min_length=1)
    leader = dy.String(primary_key=True, min_length=1)
    bodyguard = dy.String(primary_key=True, min_length=1)
