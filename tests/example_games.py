"""Small games as files by name: those that the examples on the pages of codes are added to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kbrules.tools.explain import game_files

DALE = game_files("dale")
"""One terrain and one piece."""
MOOR = game_files("moor")
"""Two terrains, a tile and two cards."""


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write texts to files by their paths below a folder, which need not be there yet."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
