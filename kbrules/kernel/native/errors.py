"""Errors of the native back end."""

from __future__ import annotations

__all__ = ["MissingNumba"]


class MissingNumba(Exception):
    """The libraries of the extra `fast` are not there; `code` and `help` are for a finding."""

    code = "KB045"
    help = "pip install 'kbrules[fast]'"

    def __init__(self, why: str) -> None:
        super().__init__(f"this needs the extra `fast` of kbrules: {why}")
