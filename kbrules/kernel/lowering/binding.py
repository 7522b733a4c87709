"""The names that blocks find bound, so that a frame can be read as well as written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kbrules.kernel.lowering.free_names import REPEATED, Name, Names
from kbrules.lang.typed import ELEMENT, Block, Each, Sort, inner_blocks
from kbrules.plan.plan import Plan, reaction_question
from kbrules.primitives.vocabulary import EVENTS

BINDING: Name = ("_binding", Sort.NUMBER)
"""Which of `BINDINGS` a frame has; no name of an author begins so."""


def bound_by(event: str) -> tuple[Name, ...]:
    """The names that an event binds for the rules that follow it."""
    return EVENTS[event].binds


BINDINGS: tuple[tuple[Name, ...], ...] = tuple(
    dict.fromkeys([(), *(event.binds for event in EVENTS.values())])
)
"""What events bind; first of all nothing, as where no event is followed."""


def binding_of(env: Mapping[str, Any]) -> int:
    """Which of `BINDINGS` an environment has: the largest that is all there, 0 for none."""
    sizes = [len(names) if all(name in env for name, _ in names) else -1 for names in BINDINGS]
    return sizes.index(max(sizes))


class BoundNames:
    """The names that the blocks of a plan find bound.

    names: of each block. loops: those of them that `for` binds.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.names: dict[str, Names] = {}
        self.loops: dict[str, Names] = {}
        for owner in plan.owners:
            for phase in owner.rule.phases:
                self._walk(phase.body, frozenset(), frozenset())
            for whenever in owner.rule.whenevers:
                self._walk(whenever.body, frozenset(), frozenset())
            for trigger in owner.rule.triggers:
                names = self._of_events(trigger.events)
                self._walk(trigger.body, names, frozenset())
                self.names[reaction_question(trigger.body.path)] = names
        for offer in plan.offers.values():
            self._walk(offer.action.body, frozenset({REPEATED}), frozenset())

    def _of_events(self, events: tuple[str, ...]) -> Names:
        return frozenset({BINDING, *(name for event in events for name in bound_by(event))})

    def _walk(self, block: Block, names: Names, loops: Names) -> None:
        self.names[block.path] = names | loops
        self.loops[block.path] = loops
        for statement in block.steps:
            inner = loops
            if isinstance(statement, Each):
                inner = loops | {(statement.variable, ELEMENT[statement.domain.sort])}
            for body in inner_blocks(statement):
                self._walk(body, names, inner)
