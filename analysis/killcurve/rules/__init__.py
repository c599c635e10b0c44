"""What words mean: abilities, the effect language, scenarios."""
