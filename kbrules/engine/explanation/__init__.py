"""Rank 3: why a move is refused; `explain.py` is the entry."""
