"""How hard a single property is tried, as a multiple of what the profile says."""

from __future__ import annotations

from hypothesis import settings


def often(times: float, at_least: int = 1) -> settings:
    """So many times the examples of the profile."""
    return settings(max_examples=max(at_least, int(times * settings().max_examples)))
