"""What stratagems, detachment rules and enhancements are worth, alone and together."""

from killcurve.study.worth.alone import COLUMNS, rules_worth
from killcurve.study.worth.combining import COMBINATIONS, best_combinations
from killcurve.study.worth.measuring import GOALS

__all__ = ["COLUMNS", "COMBINATIONS", "GOALS", "best_combinations", "rules_worth"]
