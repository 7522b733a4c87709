"""The recorder: games whose expressions are watched, and what was seen of them.

    recorder = Recorder()
    game = Game(ruleset, board, 2, linking=recorder.linking)
    ...
    seen = recorder.take()      # the bits of each place since the last `take`

Generated code is passed by: whatever is asked is asked of the reference evaluator.
"""

from __future__ import annotations

from kbrules.library.ruleset import Ruleset
from kbrules.tools.checking.coverage.outcome_bits import OutcomeBits
from kbrules.tools.checking.coverage.recording_linker import RecordingLinker
from kbrules.tools.tracing.operands import Place

__all__ = ["Recorder"]


class Recorder:
    """Sees what is asked, and remembers what came of it. One serves any number of rule sets."""

    def __init__(self) -> None:
        self.marks = OutcomeBits()
        self.rulesets: list[Ruleset] = []
        self._watchers: dict[int, RecordingLinker] = {}

    def linking(self, ruleset: Ruleset) -> RecordingLinker:
        """How the games of a rule set evaluate their expressions while it is watched."""
        found = self._watchers.get(id(ruleset))
        if found is None:
            self.rulesets.append(ruleset)
            found = self._watchers[id(ruleset)] = RecordingLinker(ruleset, self.marks)
        return found

    def take(self) -> dict[Place, int]:
        """What was seen since the last time, by place; then it is forgotten."""
        seen = dict(self.marks.seen())
        self.marks.clear()
        return seen
