"""Errors of making a kernel: of lowering, and of a back end that is not installed."""

from __future__ import annotations

from kbrules.diagnostics import CodedError
from kbrules.text import Span


class NotLowered(CodedError, ValueError):
    """Rules that no kernel can be made of; code KB065. `construct` says of what, `span` where."""

    code = "KB065"
    help = "play these rules by states, or by the engine `reference`"

    def __init__(self, construct: str, span: Span | None = None) -> None:
        super().__init__(f"no kernel can be made of these rules: {construct}")
        self.construct = construct
        self.span = span


class MissingNumba(CodedError):
    """The libraries of the extra `fast` are not there."""

    code = "KB045"
    help = "pip install 'kbrules[fast]'"

    def __init__(self, why: str) -> None:
        super().__init__(f"this needs the extra `fast` of kbrules: {why}")
