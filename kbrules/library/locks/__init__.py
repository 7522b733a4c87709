"""Locks: which boxes, in which versions, with which texts."""
