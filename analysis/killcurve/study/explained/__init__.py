"""A weapon line's arithmetic, step by step, in words and fractions."""
