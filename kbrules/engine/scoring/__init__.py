"""Rank 1: what each award pays, and the score sheet of all players."""
