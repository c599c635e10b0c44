"""Frames in, figures out."""
