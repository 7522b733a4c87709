"""Positions as ready scenarios: taken from a game, written, laid out again, made smaller."""
