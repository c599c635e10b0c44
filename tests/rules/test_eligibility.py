"""Whom a rule's text lets use it: the alternatives of keywords that it names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from killcurve.rules.eligibility import bearer, eligible, may_use

KNOWN = {
    "moles", "diggers", "infantry", "mounted", "vehicle", "monster", "tunnel guard", "guard",
    "king's own", "psyker", "grenades",
}  # fmt: skip


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("One MOLES unit from your army.", ["moles"]),
        ("That MOLES INFANTRY unit.", ["infantry + moles"]),
        ("One INFANTRY MOLES unit from your army that has not fought.", ["infantry + moles"]),
        ("Up to two DIGGERS or MOLES VEHICLE units.", ["diggers", "moles + vehicle"]),
        ("One INFANTRY, MOUNTED or VEHICLE unit.", ["infantry", "mounted", "vehicle"]),
        ("That INFANTRY/MOUNTED MOLES unit.", ["infantry + moles", "moles + mounted"]),
        ("One TUNNEL GUARD unit from your army.", ["tunnel guard"]),
        ("One KING’S OWN model from your army.", ["king's own"]),
        ("One friendly unengaged MOLES unit.", ["moles"]),
        ("One MOLES unit (excluding VEHICLES) from your army.", ["moles + not vehicle"]),
        (
            "One unit from your army (excluding MONSTERS and VEHICLES) that INFANTRY can see.",
            ["not monster + not vehicle"],
        ),
        ("That VEHICLE.", ["vehicle"]),
        ("One unit from your army that a PSYKER is leading.", []),
        ("That destroyed unit.", []),
        ("One unit from your army (excluding units that moved).", []),
        ("", []),
    ],
)
def test_the_target_of_a_stratagem(target, expected):
    assert list(eligible(target, KNOWN)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MOLES PSYKER model only. It digs.", ["moles + psyker"]),
        ("DIGGERS or TUNNEL GUARD model only.", ["diggers", "tunnel guard"]),
        ("MOLES model (excluding MOUNTED models) only. It digs.", ["moles + not mounted"]),
        ("It digs. A MOLES model only sees this.", []),
    ],
)
def test_the_bearer_of_an_enhancement(text, expected):
    assert list(bearer(text, KNOWN)) == expected


def test_one_alternative_is_enough_and_all_of_it_is_needed():
    asked = ["infantry + moles", "vehicle + not monster"]
    assert may_use(asked, {"infantry", "moles"})
    assert may_use(asked, {"vehicle"})
    assert not may_use(asked, {"vehicle", "monster"})
    assert not may_use(asked, {"infantry"})
    assert may_use([], set())


@given(st.text(max_size=80), st.sets(st.sampled_from(sorted(KNOWN))))
def test_any_text_gives_alternatives_of_known_keywords(text, known):
    for target in (text, f"One {text} unit from your army.", f"That {text}."):
        for alternative in (*eligible(target, known), *bearer(f"{text} model only", known)):
            words = {word.removeprefix("not ") for word in alternative.split(" + ")}
            assert words <= known
