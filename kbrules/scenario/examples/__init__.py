"""Rank 3: the examples in rule files: their lines, their game, and the check of what they claim."""
