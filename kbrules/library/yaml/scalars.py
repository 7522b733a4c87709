"""What a single unquoted YAML word means: text, unless it is plainly a number, a truth or nothing.

Stricter than YAML: what other readers would take for a date, a special number or a number in
disguise is refused, so that no value is other than it looks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kbrules.diagnostics import quoted
from kbrules.library.yaml.document import Value

_WORDS: dict[str, Value] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,5})")
_DECIMAL = re.compile(r"-?[0-9]{1,6}\.[0-9]{1,6}")
_DIGITS = re.compile(r"-?[0-9]+")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?")
_DISGUISED = re.compile(
    r"[-+]?(0[xob][0-9a-fA-F_]+|[0-9][0-9_]*|[0-9_]*\.[0-9_]*([eE][-+]?[0-9]+)?"
    r"|[0-9]+[eE][-+]?[0-9]+|\.(inf|Inf|INF)|\.(nan|NaN|NAN))"
)


@dataclass(frozen=True, slots=True)
class RefusedScalar:
    """Why a word is not taken, and what to write instead."""

    message: str
    help: str


def resolve(text: str) -> Value | RefusedScalar:
    """The value an unquoted word stands for."""
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    if _DECIMAL.fullmatch(text):
        return float(text)
    return _refused(text) or text


def _refused(text: str) -> RefusedScalar | None:
    quote = "put it in quotes if it is text"
    if _DIGITS.fullmatch(text) and len(text) > 6:
        return RefusedScalar(f"the number {quoted(text)} has more than 6 digits", quote)
    if _DATE.fullmatch(text):
        return RefusedScalar(
            f"{quoted(text)} looks like a date, and dates are not used here", quote
        )
    if _DISGUISED.fullmatch(text) and text not in ("-", "+", "."):
        return RefusedScalar(
            f"{quoted(text)} is not how a number is written here", f"{quote}; {_PLAIN}"
        )
    return None


_PLAIN = "as a number write digits only, such as `12`"
