"""Who took a name first, and the finding about whoever takes it again."""

from __future__ import annotations

from dataclasses import dataclass, field

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.text import Span


@dataclass(frozen=True, slots=True)
class Claims:
    """The names taken so far, where each was taken, and what was wrong with that.

    `spans` has where a thing is declared, by the key of its list and its id.
    """

    spans: dict[tuple[str, str], Span] = field(default_factory=dict)
    found: list[Diagnostic] = field(default_factory=list)
    _taken: dict[tuple[str, str], Span] = field(default_factory=dict)
    _values: dict[str, tuple[object, Span]] = field(default_factory=dict)

    def id(self, table: str, noun: str, id: str, span: Span, help: str = "") -> bool:
        """Whether an id is the first of its kind; things of one noun share their ids."""
        if not self._first(noun, id, span, f"there is a {noun} {quoted(id)} already", help):
            return False
        self.spans[table, id] = span
        return True

    def ids(self, table: str) -> frozenset[str]:
        """The ids declared in the lists of that key."""
        return frozenset(id for key, id in self.spans if key == table)

    def letter(self, noun: str, letter: str, span: Span) -> bool:
        """Whether a letter is the first of its kind."""
        return self._first(
            f"letter of a {noun}", letter, span,
            f"the letter {quoted(letter)} draws another {noun} already",
        )  # fmt: skip

    def value(self, what: str, value: object, span: Span) -> None:
        """Note what a box says; a finding if an earlier box says something else."""
        before, first = self._values.setdefault(what, (value, span))
        if before != value:
            labels = (Label(first, "said here first"),)
            message = f"two boxes do not agree on {what}"
            self.found.append(Diagnostic("KB411", span, message, labels=labels))

    def _first(self, space: str, name: str, span: Span, message: str, help: str = "") -> bool:
        first = self._taken.setdefault((space, name), span)
        if first is not span:
            labels = (Label(first, "taken here"),)
            self.found.append(Diagnostic("KB411", span, message, help, labels))
        return first is span
