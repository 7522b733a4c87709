"""Positions as scenarios: taken from a game, shrunk, written, prepared again."""
