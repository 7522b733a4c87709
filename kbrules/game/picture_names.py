"""How things may look in pictures: closed lists of names, from which data chooses.

A picture draws each name; what the things are, no name says.
"""

from __future__ import annotations

from typing import Literal, get_args

Texture = Literal[
    "plain", "tufts", "strata", "grains", "blossoms", "trees", "waves", "peaks", "furrows",
    "reeds", "scales", "crosses", "rings", "hatching", "stairs", "chevrons",
]  # fmt: skip
"""What is drawn upon the colour of a hex."""
TEXTURES: tuple[Texture, ...] = get_args(Texture)

Icon = Literal[
    "keep", "house", "tent", "crown", "drum", "arch", "columns", "star", "flag", "shield", "wheel",
    "sail", "gable", "eye", "bricks",
]  # fmt: skip
"""What stands on a hex, or is shown by a piece."""
ICONS: tuple[Icon, ...] = get_args(Icon)
