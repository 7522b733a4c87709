"""Drawings that occur many times in a picture: written once, and used by name.

A name is made of what is drawn, so that several pictures may stand on one page.
"""

from __future__ import annotations

from hashlib import blake2b

__all__ = ["Symbols"]


class Symbols:
    """The drawings of one picture."""

    def __init__(self) -> None:
        self._drawn: dict[str, str] = {}

    def use(self, drawing: str, at: tuple[float, float], more: str = "") -> str:
        """A drawing around the point 0, 0, put at a point; empty if it is."""
        if not drawing:
            return ""
        name = self._drawn.get(drawing)
        if name is None:
            name = "k" + blake2b(drawing.encode(), digest_size=4).hexdigest()
            self._drawn[drawing] = name
        return f'<use{more} href="#{name}" x="{at[0]:.1f}" y="{at[1]:.1f}"/>'

    @property
    def definitions(self) -> str:
        """All drawings with their names."""
        drawn = "".join(f'<g id="{name}">{drawing}</g>' for drawing, name in self._drawn.items())
        return f"<defs>{drawn}</defs>"
