"""Rank 0: the models of scenario files, and the reader that makes scenarios of their text."""
