"""What cannot be lowered, and where it is said."""

from __future__ import annotations

from kbrules.text import Span

__all__ = ["NotLowered"]


class NotLowered(ValueError):
    """Rules that no kernel can be made of; code KB065. `construct` says of what, `span` where."""

    code = "KB065"
    help = "leave out the extra `fast`; the plain engine plays these rules"

    def __init__(self, construct: str, span: Span | None = None) -> None:
        super().__init__(f"no native program can be made of these rules: {construct}")
        self.construct = construct
        self.span = span
