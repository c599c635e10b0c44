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
# Choose a faction, a unit, one of its weapons, a stratagem and a target: the picture and the
# numbers follow. Every number comes from the exact distribution, not from a simulation.

# %%
import killcurve
from killcurve.explore.unit import UnitExplorer

data = killcurve.load()
data.about.footer

# %%
explorer = UnitExplorer(data)
explorer

# %% [markdown]
# The same in code: one attack, its distribution and what it is worth.

# %%
from killcurve.study.efficiency import efficiency
from killcurve.study.lines import attacker
from killcurve.study.targets import standard_targets

unit = attacker(data, explorer.state.datasheet, explorer.state.faction)
efficiency([unit], standard_targets(data)).select(
    "weapon", "count", "target", "damage", "slain", "destroyed", "points_removed_per_100"
)
