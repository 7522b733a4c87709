"""Rank 3: whole games by states, each seat played by its bot, and their outcomes."""
