"""What may follow the beginning of a declaration, as the grammar says."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache

from lark.exceptions import LarkError

from kbrules.lang.syntax.grammar import parser

_NAMES = frozenset({"NAME", "CALLED"})


def terminals_after(text: str) -> frozenset[str]:
    """The terminals of the grammar that may follow a text, as far as it can be read."""
    reading = parser().parse_interactive(text)
    with suppress(LarkError):  # what is wrong is most often that the text ends here
        reading.exhaust_lexer()
    return frozenset(reading.accepts())  # type: ignore[no-untyped-call]


def words_after(text: str, known: Iterable[str]) -> list[str]:
    """Those of some keywords that may follow a text; a name may be any word, and is none."""
    patterns = [_pattern(name) for name in terminals_after(text) - _NAMES]
    return [word for word in known if any(each.fullmatch(word) for each in patterns)]


@lru_cache(maxsize=128)
def _pattern(terminal: str) -> re.Pattern[str]:
    """The pattern of a terminal; one of those that the indenter makes matches nothing."""
    found = (each.pattern.to_regexp() for each in parser().terminals if each.name == terminal)
    return re.compile(next(found, r"(?!)"))
