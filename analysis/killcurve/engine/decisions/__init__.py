"""Volleys in which players choose: best policies by backward induction, then the exact law."""
