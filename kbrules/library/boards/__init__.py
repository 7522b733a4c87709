"""Sections, tables made of them, chance tiles, and positions as drawings."""
