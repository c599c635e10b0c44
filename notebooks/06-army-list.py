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
# # An army list
#
# Paste a list, or open its file: what its units do to each kind of target, where it is weak, how
# many copies of a target it destroys in a turn, and what happens when one of its units and an
# enemy strike each other. Lines that could not be placed are told below the picture.

# %%
import killcurve
from killcurve.explore.army import ArmyExplorer
from killcurve.explore.army_state import ArmyState
from killcurve.explore.list_text import ListText

EXAMPLE = """\
Example (650 points)

Necrons
Incursion (1000 points)

Royal Warden (50 points)
• 1x Relic gauss blaster
  1x Close combat weapon

Immortals (140 points)
• 10x Immortal
  • 10x Gauss blaster
    10x Close combat weapon

Necron Warriors (85 points)
• 10x Necron Warrior
  • 10x Gauss flayer
    10x Close combat weapon

Skorpekh Destroyers (85 points)
• 3x Skorpekh Destroyer
  • 3x Skorpekh hyperphase weapons

Lokhust Destroyers (80 points)
• 3x Lokhust Destroyer
  • 3x Gauss cannon
    3x Close combat weapon

Doomsday Ark (210 points)
• 1x Doomsday cannon
  2x Gauss flayer array
  1x Armoured bulk
"""

data = killcurve.load()
explorer = ArmyExplorer(data, ArmyState(ListText(EXAMPLE)))
explorer

# %% [markdown]
# The same in code: the list in play, unit by unit.

# %%
from killcurve.study.armies import unit_table

unit_table(explorer.muster.lists.army(explorer.state.army))
