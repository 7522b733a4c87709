"""Errors of lowering."""

from __future__ import annotations

from kbrules.text import Span

__all__ = ["NotLowered"]


class NotLowered(ValueError):
    """Rules that no kernel can be made of; code KB065. `construct` says of what, `span` where."""

    code = "KB065"
    help = "play these rules by states, or by the engine `reference`"

    def __init__(self, construct: str, span: Span | None = None) -> None:
        super().__init__(f"no kernel can be made of these rules: {construct}")
        self.construct = construct
        self.span = span
