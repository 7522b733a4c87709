"""To which actions it matters whether they are done once more; to most it does not."""

from __future__ import annotations

from kbrules.engine.program import Program
from kbrules.lang.core import Call, Lit, Step, calls_in, walk_blocks
from kbrules.library.ruleset import Offer

REPEATED = "repeated()"
OF_VERB = frozenset({"open(verb)", "forbidden(verb)", "dead(verb)", "stuck(verb)"})
"""Words that ask the norms about a verb."""


class Repeating:
    """What of the rules asks whether an action is repeated."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._verbs: set[str] = set()
        verbs = program.verbs
        self._verbs = {verb for verb in verbs if any(map(self._minds, program.norms(verb).all))}
        standings = (*program.standings, *program.standings_of_draws)
        around: list[object] = [standing.condition for standing, _, _ in standings]
        numbers = program.ruleset.catalog.numbers
        around += [change for name in numbers for change, _ in program.changes(name)]
        self._always = any(map(self._minds, around))

    def matters_to(self, offer: Offer) -> bool:
        """Whether anything asks that an action comes to."""
        body = offer.action.body
        steps = [s for block in walk_blocks(body) for s in block.steps if isinstance(s, Step)]
        norms = (norm for step in steps for norm in self._program.norms_of(step).all)
        return self._always or any(map(self._minds, (offer.action, *norms)))

    def _minds(self, part: object) -> bool:
        return any(self._asks(call) for call in calls_in(part))

    def _asks(self, call: Call) -> bool:
        first = call.arguments[0] if call.arguments else None
        of_verb = call.word in OF_VERB and isinstance(first, Lit) and first.value in self._verbs
        return call.word == REPEATED or of_verb
