"""Rank 1: from a scenario to a game and the state in which it begins; `prepare` is the entry."""
