"""The one place where generated source becomes code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from types import CodeType
from typing import Any

NAME = "answer"
"""What the one function of a generated source is called."""
_NUMBERS = count(1)


@dataclass(frozen=True, slots=True)
class Source:
    """A function written out, and the values of the names it uses: numbered, never a user's."""

    text: str
    known: Mapping[str, Any]

    def get_source(self, name: str) -> str:
        """The text, for whoever prints a traceback."""
        return self.text


def function_of(source: Source) -> Callable[[Any], Any]:
    """The function of a source; it finds no builtins but those among the names it uses."""
    # As the loader of its module the source is found by tracebacks, and nothing is kept for it.
    names = {**source.known, "__builtins__": {}, "__name__": NAME, "__loader__": source}
    exec(_compiled(source.text), names)
    answer: Callable[[Any], Any] = names[NAME]
    return answer


@lru_cache(maxsize=2048)
def _compiled(text: str) -> CodeType:
    return compile(text, f"generated {next(_NUMBERS)}.py", "exec")
