"""What stands on a hex or is shown by a piece: outlines around the point 0, 0, 20 units wide.

Those for hexes have room for a letter in the middle.
"""

from __future__ import annotations

from collections.abc import Mapping

ICON_PATHS: Mapping[str, str] = {
    "keep": "M-10 10V-10h4v3.5h4V-10h4v3.5h4V-10h4V10z",
    "house": "M-9.5 10V-2.5H-12L0-13L12-2.5H9.5V10z",
    "tent": "M-13 10L-1.2-11.5L-3-14h1.6L0-12.5L1.4-14H3L1.2-11.5L13 10z",
    "crown": "M-11 10L-12-8l6.5 5L0-12l5.5 9l6.5-5L11 10z",
    "drum": "M-9.5-9a9.5 3.2 0 0 1 19 0V8a9.5 3.2 0 0 1-19 0zM-9.5-9a9.5 3.2 0 0 0 19 0",
    "arch": "M-10 10V-1a10 10 0 0 1 20 0V10H4.5V0a4.5 4.5 0 0 0-9 0V10z",
    "columns": "M-11-5L0-11L11-5zM-9-3h4v9h-4zM-2-3h4v9h-4zM5-3h4v9h-4zM-11 7.5h22v3h-22z",
    "star": "M0-11l2.7 7.5h7.8L4.3 1.2L6.5 8.8L0 4.3L-6.5 8.8L-4.3 1.2L-10.5-3.5h7.8z",
    "flag": "M-7 11V-11h2.5v1.5L8-5L-4.5 0V11z",
    "shield": "M0-11l9 3v6c0 6-4 10-9 12.5c-5-2.5-9-6.5-9-12.5v-6z",
    "wheel": "M0-10a10 10 0 0 1 0 20a10 10 0 0 1 0-20zM-1.5-7.3a7.5 7.5 0 0 0-5.8 5.8h5.8z"
    "M1.5-7.3v5.8h5.8a7.5 7.5 0 0 0-5.8-5.8zM-1.5 7.3v-5.8h-5.8"
    "a7.5 7.5 0 0 0 5.8 5.8zM1.5 7.3a7.5 7.5 0 0 0 5.8-5.8h-5.8z",
    "sail": "M-1-11V4h-9zM1.5-8L10 4H1.5zM-11 6h22l-4.5 5h-13z",
    "gable": "M-11-3L-2-9v-3h4v3l9 6zM-9-1.5h18V10h-6V4h-6v6h-6z",
    "eye": "M-11 0Q0-12 11 0Q0 12-11 0zM0-4.5a4.5 4.5 0 0 0 0 9a4.5 4.5 0 0 0 0-9z",
    "bricks": "M-10-8h9v4.5h-9zM1-8h9v4.5h-9zM-4.5-2h9v4.5h-9zM-10-2h3.5v4.5h-3.5z"
    "M6.5-2h3.5v4.5h-3.5zM-10 4h9v4.5h-9zM1 4h9v4.5h-9z",
}
"""The outline of each icon."""


def icon_svg(name: str, scale: float, paint: str, at: tuple[float, float] = (0, 0)) -> str:
    """An icon in a size and with attributes of paint, at a point."""
    return (
        f'<path d="{ICON_PATHS[name]}" fill-rule="evenodd" {paint} '
        f'transform="translate({at[0]:g} {at[1]:g}) scale({scale:g})"/>'
    )
