"""Structured descriptions of rules (trees of typed nodes), read into the effect language."""
