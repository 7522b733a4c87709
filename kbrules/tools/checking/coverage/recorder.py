"""The trace of coverage: what was seen of all rules of the games that are traced.

    recorder = Recorder()
    game = Game(ruleset, board, 2, linking=recorder.linking)
    ...
    seen = recorder.take()      # the bits of each place since the last `take`

Kernels are not traced: the reference evaluates every expression.
"""

from __future__ import annotations

from kbrules.lang.core import Norm
from kbrules.library.ruleset import Ruleset
from kbrules.tools.tracing.linker import TracingLinker
from kbrules.tools.tracing.trace import ADDS, Record, Trace

__all__ = ["Recorder"]


class Recorder(Trace):
    """Sees what is asked, and remembers what came of it. One serves any number of rule sets."""

    def __init__(self) -> None:
        super().__init__()
        self.rulesets: list[Ruleset] = []
        self._linkers: dict[int, TracingLinker] = {}

    def linking(self, ruleset: Ruleset) -> TracingLinker:
        """How the games of a rule set evaluate their expressions while they are traced."""
        found = self._linkers.get(id(ruleset))
        if found is None:
            self.rulesets.append(ruleset)
            found = self._linkers[id(ruleset)] = TracingLinker(ruleset, self)
        return found

    def norm(self, kind: str, norm: Norm | None) -> Record | None:
        """A permit is judged by whether it permits anything, not by what others permit."""
        return None if kind == ADDS else super().norm(kind, norm)
