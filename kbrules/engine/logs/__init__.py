"""Rank 7: logs of games, written, read and replayed."""
