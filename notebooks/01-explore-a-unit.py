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
# # Explore a unit
#
# Choose a unit, its weapons and rules, a target and circumstances: the picture and the numbers
# follow. Every number comes from the exact distribution, not from a simulation.

# %%
import killcurve
from killcurve.explore.unit import UnitExplorer
from killcurve.explore.unit_state import UnitState

data = killcurve.load()
explorer = UnitExplorer(data, UnitState("Necrons", "Royal Warden"))
explorer

# %% [markdown]
# The same in code: the question that the explorer asks, and its answer.

# %%
from killcurve.explore.unit_view import question
from killcurve.study.solve import in_words, solve

print(in_words(solve(question(explorer.choices, explorer.state), lenient=True)))
