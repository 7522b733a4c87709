"""Rank 4: what rules need of boxes, and the rules of all files put together."""
