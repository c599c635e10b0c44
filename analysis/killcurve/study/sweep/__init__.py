"""The whole game at once: every weapon, every help it may have, every target."""
