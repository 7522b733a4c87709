"""The blocks of a rule set linked for one plan."""

from __future__ import annotations

from kbrules.lang.typed import core
from kbrules.plan.plan import Plan
from kbrules.reference import statements, steps
from kbrules.reference.legal_hexes import LegalHexes


class LinkedBlocks(dict[str, statements.Statements]):
    """The statements of each block by its path, linked when they are first needed."""

    def __init__(self, plan: Plan, choices: LegalHexes) -> None:
        super().__init__()
        self._plan = plan
        self._choices = choices

    def __missing__(self, path: str) -> statements.Statements:
        self[path] = found = self._linked(path)
        return found

    def _linked(self, path: str) -> statements.Statements:
        blocks, reaction = self._plan.ruleset.blocks, self._plan.questions.get(path)
        if reaction is None:
            return self.block(blocks[path])
        guard = self._plan.reaction_guards[reaction]
        test = self._plan.link(guard) if guard is not None else None
        return (
            statements.ReactionStatement(blocks[reaction], self._plan.reactions[reaction], test),
        )

    def block(self, block: core.Block) -> statements.Statements:
        """The statements of a block."""
        rule = block.path.split("/", 2)[1]
        return tuple(self._statement(statement, rule) for statement in block.steps)

    def _statement(self, statement: core.Statement, rule: str) -> statements.Statement:
        link = self._plan.link
        match statement:
            case core.Step():
                return self._step(statement, rule)
            case core.If(condition=condition, body=body, other=other):
                otherwise = self.block(other) if other is not None else ()
                return statements.IfStatement(
                    statement, link(condition), self.block(body), otherwise
                )
            case core.Repeat(times=times, body=body):
                return statements.RepeatStatement(statement, link(times), self.block(body), rule)
            case core.Each(domain=domain, guard=guard, body=inside):
                test = link(guard) if guard is not None else None
                return statements.ForStatement(statement, link(domain), test, self.block(inside))
            case core.Either():
                return statements.EitherStatement(statement, rule)

    def _step(self, step: core.Step, rule: str) -> statements.Statement:
        linked = self._choices.linked(step)
        if linked.word.is_offers:
            return steps.OfferStep(step)
        if linked.word.is_reuse:
            return steps.ReuseStep(linked, rule)
        if linked.word.asks:
            return steps.ChoiceStep(linked, rule, self._choices)
        if linked.word.outcomes is not None:
            return steps.DrawStep(linked)
        return steps.InstantStep(linked, rule)
