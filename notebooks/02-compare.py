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
# # Compare attackers
#
# Up to six units, or versions of one with other weapons, rules and effects, against one target
# or all standard profiles: absolute or for each 100 points.

# %%
import killcurve
from killcurve.explore.compare import CompareExplorer
from killcurve.explore.compare_state import CompareState
from killcurve.explore.unit_state import UnitState

data = killcurve.load()
explorer = CompareExplorer(
    data,
    CompareState(
        (
            UnitState("Necrons", "Immortals"),
            UnitState("Necrons", "Immortals", effects="reroll hits ones"),
            UnitState("Adeptus Astartes", "Intercessor Squad"),
        )
    ),
)
explorer

# %% [markdown]
# The numbers as a frame, to go on with.

# %%
from killcurve.explore.compare_state import answers, measured

measured(list(answers(explorer.choices, explorer.state)))
