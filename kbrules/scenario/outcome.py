"""What came of running a scenario or an example."""

from __future__ import annotations

from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic, render_full

__all__ = ["Outcome", "passed_or_not"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether it passed, what is to be said of it, and pictures of the board for the reader.

    What passed may have warnings.
    """

    passed: bool
    diagnostics: tuple[Diagnostic, ...] = ()
    pictures: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The findings in full, each with its picture below it if it has one."""
        blocks = []
        for number, diagnostic in enumerate(self.diagnostics):
            blocks.append(render_full(diagnostic))
            picture = self.pictures[number] if number < len(self.pictures) else ""
            if picture:
                blocks.append(picture)
        return "\n\n".join(blocks)


def passed_or_not(findings: list[tuple[Diagnostic, str]]) -> Outcome:
    """The outcome of (finding, picture) pairs: it passed if none is an error."""
    diagnostics = tuple(diagnostic for diagnostic, _ in findings)
    passed = all(each.severity != "error" for each in diagnostics)
    return Outcome(passed, diagnostics, tuple(picture for _, picture in findings))
