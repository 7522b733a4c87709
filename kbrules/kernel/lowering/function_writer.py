"""Writing the functions of a kernel, line by line. Names are numbered, never a user's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from kbrules.text import Span


class FunctionWriter:
    """A function in the making. places: of its lines, from 1, where in the rules they come from."""

    def __init__(self, name: str, parameters: str, decorator: str = "native") -> None:
        self.name = name
        self._lines = [f"@{decorator}", f"def {name}({parameters}):"]
        self._depth = 1
        self._names = 0
        self._place: Span | None = None
        self.places: dict[int, Span] = {}

    def line(self, text: str) -> None:
        """One more line."""
        self._lines.append("    " * self._depth + text)
        if self._place is not None:
            self.places[len(self._lines)] = self._place

    def lines(self, texts: Iterable[str]) -> None:
        """Lines, one after another."""
        for text in texts:
            self.line(text)

    def new_local(self, text: str | None = None) -> str:
        """A new local name, for what a text says if there is one."""
        self._names += 1
        name = f"t{self._names}"
        if text is not None:
            self.line(f"{name} = {text}")
        return name

    def local(self, text: str) -> str:
        """A local name for what a text says, if it is not one already."""
        return text if text.isidentifier() else self.new_local(text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A block."""
        self.line(head)
        self._depth += 1
        before = len(self._lines)
        yield
        if len(self._lines) == before:
            self.line("pass")
        self._depth -= 1

    @contextmanager
    def at_place(self, place: Span) -> Iterator[None]:
        """Note of the lines written meanwhile which place in the rules they come from.

        It is kept beside the text, and never in it: what authors write stays out of it.
        """
        before = self._place
        if place.source.text:
            self._place = place
        yield
        self._place = before

    @property
    def text(self) -> str:
        """The whole function."""
        lines = self._lines if len(self._lines) > 2 else [*self._lines, "    return"]
        return "\n".join(lines) + "\n"
