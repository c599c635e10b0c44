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
# # Weapons, targets and rules of your own
#
# What no data has: type a weapon's line, a target and effects, and the exact answer follows. An
# effect is a short phrase such as `hit +1`, `reroll wounds ones` or `lethal hits if charged`;
# what is not understood is underlined, with the closest phrase that is.

# %%
import killcurve
from killcurve.explore.own_rules import OverridesBox, OwnExplorer
from killcurve.explore.own_state import OwnState, OwnWeapon

data = killcurve.load()
explorer = OwnExplorer(data, OwnState((OwnWeapon("Rifle", 5, "2", 3, "5", -1, "2"),)))
explorer

# %% [markdown]
# ## Your own word on a rule
#
# `overrides.toml` says what rules of the data do. It is checked while you type.

# %%
overrides = OverridesBox(data)
overrides
