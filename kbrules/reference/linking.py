"""The blocks of a rule set made ready to run at one table."""

from __future__ import annotations

from kbrules.lang import core
from kbrules.plan.program import Program
from kbrules.reference import doings
from kbrules.reference.choices import Choices


class Code(dict[str, doings.Doings]):
    """The doings of each block by its path, linked when they are first asked for."""

    def __init__(self, program: Program, choices: Choices) -> None:
        super().__init__()
        self._program = program
        self._choices = choices

    def __missing__(self, path: str) -> doings.Doings:
        self[path] = found = self._made(path)
        return found

    def _made(self, path: str) -> doings.Doings:
        blocks, asked = self._program.ruleset.blocks, self._program.questions.get(path)
        if asked is None:
            return self.block(blocks[path])
        guard = self._program.reaction_guards[asked]
        test = self._program.link(guard) if guard is not None else None
        return (doings.Reacting(blocks[asked], self._program.reactions[asked], test),)

    def block(self, block: core.Block) -> doings.Doings:
        """The doings of a block."""
        rule = block.path.split("/", 2)[1]
        return tuple(self._doing(doing, rule) for doing in block.steps)

    def _doing(self, doing: core.Doing, rule: str) -> doings.Doing:
        link = self._program.link
        match doing:
            case core.Step():
                return self._step(doing, rule)
            case core.If(condition=condition, body=body, other=other):
                otherwise = self.block(other) if other is not None else ()
                return doings.Deciding(doing, link(condition), self.block(body), otherwise)
            case core.Repeat(times=times, body=body):
                return doings.Repeating(doing, link(times), self.block(body))
            case core.Each(domain=domain, guard=guard, body=inside):
                test = link(guard) if guard is not None else None
                return doings.Looping(doing, link(domain), test, self.block(inside))
            case core.Either():
                return doings.Branching(doing, rule)

    def _step(self, step: core.Step, rule: str) -> doings.Doing:
        asking = self._choices.asking(step)
        if asking.word.is_offers:
            return doings.Offering(step)
        if asking.word.is_reuse:
            return doings.Reusing(asking, rule)
        if asking.word.asks:
            return doings.Choosing(asking, rule, self._choices)
        if asking.word.outcomes is not None:
            return doings.Drawing(asking)
        return doings.Instant(asking, rule)
