"""A rules engine for games on hexes: rules are text, games are data, this package is neither.

The front door. Importing it is cheap on purpose: it loads nothing but itself.
"""

from __future__ import annotations

__version__ = "0.1.0"
