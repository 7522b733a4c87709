"""The one place where generated source becomes code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from types import CodeType
from typing import Any

from kbrules.compile.places import Places, annotated, first
from kbrules.text import Span

NAME = "answer"
"""What the one function of a generated source is called."""
_NUMBERS = count(1)


@dataclass(frozen=True, slots=True)
class Source:
    """A function written out, and the values of the names it uses: numbered, never a user's.

    places: where in the rules a line comes from. title: what it is for, in a word of ours.
    """

    text: str
    known: Mapping[str, Any]
    places: Places = field(default_factory=dict, compare=False)
    title: str = "expression"

    def get_source(self, name: str) -> str:
        """The text, with the places, for whoever prints a traceback."""
        return annotated(self.text, self.places)


Hearing = Callable[[Source], Any]
_HEARING: list[Hearing] = []


@contextmanager
def heard(hearing: Hearing) -> Iterator[None]:
    """Tell of every source that becomes code meanwhile."""
    _HEARING.append(hearing)
    try:
        yield
    finally:
        _HEARING.remove(hearing)


def function_of(source: Source, file: str = "") -> Callable[..., Any]:
    """The function of a source; it finds no builtins but those among the names it uses.

    file: where the text is kept as well, for whoever asks where the function comes from.
    """
    for hearing in _HEARING:
        hearing(source)
    # As the loader of its module the source is found by tracebacks, and nothing is kept for it.
    names = {**source.known, "__builtins__": {}, "__name__": NAME, "__loader__": source}
    exec(_compiled(source.text, first(source.places), file), names)
    answer: Callable[..., Any] = names[NAME]
    return answer


@lru_cache(maxsize=2048)
def _compiled(text: str, place: str, file: str) -> CodeType:
    """The code of a text; that of another rule has a name of its own, for tracebacks."""
    return compile(text, file or f"generated {next(_NUMBERS)}.py", "exec")


class Module:
    """Generated functions that know of one another; it grows as they are added.

    known: the values of the names they use. They find no builtins but those among them. title:
    what they are for.
    """

    def __init__(self, known: dict[str, Any], title: str) -> None:
        self._name = f"generated {next(_NUMBERS)}.py"
        self._title = title
        self._lines: list[str] = []
        self._places: dict[int, Span] = {}
        self._names = known
        known.update({"__builtins__": {}, "__name__": NAME, "__loader__": self})

    @property
    def text(self) -> str:
        """All that was added so far."""
        return "\n".join(self._lines) + "\n"

    def get_source(self, name: str) -> str:
        """The text, with the places, for whoever prints a traceback."""
        return annotated(self.text, self._places)

    def add(self, name: str, text: str, places: Places) -> Callable[..., Any]:
        """Add the function of a name; it stands in the module where its lines say."""
        first = len(self._lines) + 1
        for hearing in _HEARING:
            hearing(Source(text, self._names, places, self._title))
        self._places |= {first - 1 + number: span for number, span in places.items()}
        self._lines += [*text.splitlines(), ""]
        exec(compile(text, self._name, "exec"), self._names)
        made: Any = self._names[name]
        made.__code__ = made.__code__.replace(co_firstlineno=first)
        function: Callable[..., Any] = made
        return function


def forget() -> None:
    """Compile everything anew from now on; for whoever measures how long that takes."""
    _compiled.cache_clear()
