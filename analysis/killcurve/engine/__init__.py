"""Probability only: attacks and targets in, distributions out."""
