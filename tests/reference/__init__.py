"""A slow, exact solver of attack sequences, written from the rules alone: the tests' second
opinion.
"""
