"""Rank 0: what each award pays, and the score sheet of all players."""
