"""The message where a library of an extra is not installed."""

from __future__ import annotations

__all__ = ["MissingExtra"]


class MissingExtra(Exception):
    """Libraries of an extra of kbrules are not there; `code` and `help` are for a finding."""

    code = "KB045"

    def __init__(self, extra: str, why: str) -> None:
        super().__init__(f"this needs the extra `{extra}` of kbrules: {why}")
        self.help = f"pip install 'kbrules[{extra}]'"
