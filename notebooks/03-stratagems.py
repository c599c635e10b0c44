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
# # What rules are worth
#
# What each stratagem, detachment rule, enhancement and ability to be chosen adds to an attack, for
# who attacks and for who is attacked: in all, per command point, per point, and as a multiple of
# Command Re-roll. Below, the best legal combinations for so many command points.

# %%
import killcurve
from killcurve.explore.whole_units import Who
from killcurve.explore.worth import WorthExplorer
from killcurve.explore.worth_state import WorthState

data = killcurve.load()
explorer = WorthExplorer(
    data,
    WorthState(
        Who("Necrons", "Immortals"), Who("Adeptus Astartes", "Intercessor Squad"), "shooting"
    ),
)
explorer

# %% [markdown]
# The same in code: the numbers as a frame, to go on with.

# %%
from killcurve.study.worth import rules_worth

state, units = explorer.state, explorer.units
rules_worth(data, units.combatant(state.unit), units.combatant(state.target), state.phase)
