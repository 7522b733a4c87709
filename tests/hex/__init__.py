"""Geometry compared with a slow twin that has never heard of bits."""
