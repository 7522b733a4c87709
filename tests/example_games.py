"""The small games that the examples on the pages of codes are added to, as files by name."""

from __future__ import annotations

from kbrules.tools.explain import game_files

DALE = game_files("dale")
"""One terrain and one piece."""
MOOR = game_files("moor")
"""Two terrains, a tile and two cards."""
