"""What the rows of every table carry: where they come from."""

from __future__ import annotations

import dataframely as dy

EDITIONS = ("10e", "11e")
SAYERS = ("override", "reference", "text", "description")
"""Who may say what a rule does, the one to be believed first: the user, the toolkit's own
reference, the rule's text, the description of a dataset."""


class Sourced(dy.Schema):
    """The provenance that every row carries."""

    source = dy.String()
    edition = dy.Enum(EDITIONS, primary_key=True)
    version = dy.String()
