"""Notebook widgets: state, study, chart, wired to controls."""
