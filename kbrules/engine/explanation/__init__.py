"""Rank 2: why a move is refused; `explain.py` is the entry."""
