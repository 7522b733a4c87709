"""Rank 2: checks of what a scenario expects of a state; `check.failures` is the entry."""
