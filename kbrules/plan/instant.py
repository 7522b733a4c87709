"""Which blocks are instant: they run at once, because no step of them needs a decision."""

from __future__ import annotations

from kbrules.lang.typed.core import Block, Each, If, Repeat, Statement, Step
from kbrules.primitives.registry import StepWord
from kbrules.primitives.vocabulary import step_words


def needs_decision(word: StepWord) -> bool:
    """Whether somebody, or chance, decides when a step is carried out."""
    return bool(word.asks or word.outcomes or word.is_offers or word.is_reuse)


def is_instant(block: Block) -> bool:
    """Whether no step of a block needs a decision of a player or a draw."""
    return all(map(_is_instant_statement, block.steps))


def _is_instant_statement(statement: Statement) -> bool:
    match statement:
        case Step(name=name):
            return not needs_decision(step_words()[name])
        case If(body=body, other=other):
            return is_instant(body) and (other is None or is_instant(other))
        case Repeat(body=body, may_stop=may_stop):
            return not may_stop and is_instant(body)
        case Each(body=body):
            return is_instant(body)
    return False
