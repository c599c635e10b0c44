"""Where facts come from: bytes in, rows out."""
