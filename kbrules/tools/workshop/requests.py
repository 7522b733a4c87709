"""What a page may ask for: the values of a request, checked, and the answer if it cannot be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

__all__ = ["MOST", "Refused", "text_of", "value_of"]

MOST = 2_000_000
"""Characters of a text that a page may send."""

Value = TypeVar("Value")


class Refused(Exception):
    """A request that cannot be answered: a code, why, and what to do instead."""

    def __init__(self, message: str, remedy: str = "", code: str = "KB009") -> None:
        super().__init__(message)
        self.message, self.remedy, self.code = message, remedy, code

    def answer(self) -> dict[str, str]:
        """What is sent in the place of a result."""
        return {"code": self.code, "message": self.message, "remedy": self.remedy}


def value_of(given: Mapping[str, Any], name: str, kind: type[Value], usual: Value) -> Value:
    """A value of a request. Raises Refused if it is of another kind."""
    value = given.get(name, usual)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Refused(f"`{name}` must be of the kind {kind.__name__}")
    if kind is int and not 0 <= value <= MOST:  # type: ignore[operator]
        raise Refused(f"`{name}` must be from 0 to {MOST}")
    return value


def text_of(given: Mapping[str, Any], name: str, usual: str = "") -> str:
    """A text of a request. Raises Refused if it is none, or too long."""
    text = value_of(given, name, str, usual)
    if len(text) > MOST:
        raise Refused(f"`{name}` has {len(text)} characters", f"at most {MOST} are taken")
    if not text.isascii() and any("\ud800" <= each <= "\udfff" for each in text):
        raise Refused(f"`{name}` has half a character")
    return text
