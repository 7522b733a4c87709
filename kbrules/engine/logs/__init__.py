"""Rank 6: logs of games, written, read and replayed."""
