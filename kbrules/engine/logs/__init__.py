"""Logs of games, written, read and replayed."""
