"""Documents made of studies and charts."""
