"""What can be run: a scenario of a file, or an example of a rule, with the rule set it needs."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.scenario.case import Case
from kbrules.scenario.examples import RuleExample, run_example
from kbrules.scenario.outcome import Outcome
from kbrules.scenario.playing import play
from kbrules.scenario.ready import ready
from kbrules.scenario.shelf import Shelf
from kbrules.text import Span

__all__ = ["Item", "run_case"]


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """A scenario or an example; `id` is its file and its title, `span` where it begins."""

    id: str
    what: Case | RuleExample
    shelf: Shelf

    @property
    def title(self) -> str:
        """What it is called in its file."""
        return self.what.model.title if isinstance(self.what, Case) else self.what.title

    @property
    def span(self) -> Span:
        """Where it begins."""
        return self.what.span("title") if isinstance(self.what, Case) else self.what.example.span

    def run(self) -> Outcome:
        """Whether it holds. A fault of ours is a finding too, so that the others still run."""
        try:
            if isinstance(self.what, Case):
                return run_case(self.shelf, self.what)
            return run_example(self.shelf.ruleset, self.what, self.shelf.linking)
        except Exception as fault:
            return Outcome(False, (_ours(fault, self.span),))


def run_case(shelf: Shelf, case: Case) -> Outcome:
    """Lay a scenario out, do what it does, and see whether what it expects is so."""
    begun, found = ready(case, shelf)
    return Outcome(False, tuple(found)) if begun is None else play(begun.setting, begun.state)


def _ours(fault: Exception, span: Span) -> Diagnostic:
    last = traceback.extract_tb(fault.__traceback__)[-1]
    where = f"{Path(last.filename).name}:{last.lineno}"
    message = f"this stopped with {type(fault).__name__} in {where}: {fault}"
    return Diagnostic("KB901", span, message, "please report it")
