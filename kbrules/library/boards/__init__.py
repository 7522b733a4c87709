"""Rank 2: sections, tables made of them, chance tiles, and positions as drawings."""
