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
# # Breakpoints and editions
#
# Where one more of a characteristic changes what a weapon does, what one more of each thing adds,
# and what the 11th edition changes about the same match-up, rule by rule.

# %%
import killcurve
from killcurve.explore.breakpoints import BreakpointExplorer
from killcurve.explore.breakpoints_state import BreakpointState
from killcurve.explore.whole_units import Who

data = killcurve.load()
explorer = BreakpointExplorer(
    data, BreakpointState(Who("Drukhari", "Raider"), weapon="Dark lance", flags=("cover",))
)
explorer

# %% [markdown]
# The same in code: the match-up under every rule state.

# %%
from killcurve.study.editions import compare_editions, in_words

print(in_words(compare_editions(explorer.weapons.question(explorer.state), lenient=True)))
