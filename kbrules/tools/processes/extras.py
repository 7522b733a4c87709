"""The message where a library of an extra is not installed."""

from __future__ import annotations

from kbrules.diagnostics import CodedError


class MissingExtra(CodedError):
    """Libraries of an extra of kbrules are not there."""

    code = "KB045"

    def __init__(self, extra: str, why: str) -> None:
        help = f"pip install 'kbrules[{extra}]'"
        super().__init__(f"this needs the extra `{extra}` of kbrules: {why}", help)
