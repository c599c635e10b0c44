# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Efficiency
#
# All units of a faction, or of an army list, against the standard targets, point for point. Choose
# a unit and a target to see the distribution behind the cell.

# %%
import killcurve
from killcurve.explore.efficiency import EfficiencyExplorer
from killcurve.explore.efficiency_state import EfficiencyState

data = killcurve.load()
explorer = EfficiencyExplorer(data, EfficiencyState(faction="Necrons", unit="Immortals"))
explorer

# %% [markdown]
# The same in code, for units of one's choice.

# %%
from killcurve.study.armed import combatant, standard_combatants
from killcurve.study.matrix import matrix

matrix([combatant(data, "Immortals", models=10)], standard_combatants(data))
