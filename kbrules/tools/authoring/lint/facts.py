"""Which parts of a position expressions ask about and steps change, seen from the safe side.

A part is a word of ours (`cards`, `tiles`, ...) or `memory NAME`. What is not known asks about
everything and changes everything; so does every step that rules may follow with `when`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.lang import core
from kbrules.lang.sorts import Sort
from kbrules.primitives.vocabulary import implementations
from kbrules.tools.authoring.lint.index import inside

__all__ = ["EVERYTHING", "changed_by", "may_interfere", "read_by"]

EVERYTHING = frozenset({"everything"})
_NOTHING: frozenset[str] = frozenset()

_ASKED = {
    "gold": {"gold"},
    "supply": {"supply"},
    "cards": {"cards"},
    "drawing": {"cards"},
    "played": {"cards"},
    "revealed": {"cards"},
    "revealed_terrains": {"cards"},
    "in_hand": {"cards"},
    "held": {"tiles"},
    "usable": {"tiles"},
    "fresh_from": {"tiles"},
    "stocked": {"tiles"},
    "my_turn": {"turn"},
    "finishing": {"turn"},
    "turn_to_come": {"turn"},
    "round": {"turn"},
    "mine": {"board"},
    "pieces": {"board"},
    "occupied": {"board"},
    "neutral": {"board"},
    "count": set(),
    "option": set(),
    "in_play": set(),
    "me": set(),
    "players": set(),
    "others": set(),
}
_CHANGED = {
    "gain": {"gold"},
    "pay_gold": {"gold"},
    "ready": {"tiles"},
    "spend": {"tiles"},
    "receive": {"tiles"},
    "restore": {"supply"},
    "pay": {"supply"},
    "play": {"cards"},
    "discard": {"cards"},
    "keep": {"cards"},
    "remove_cards": {"cards"},
    "remove_card": {"cards"},
    "choose": {"cards"},
    "draw": {"cards"},
    "reveal": {"cards"},
    "reshuffle": {"cards"},
    "last_round": {"turn"},
    "end_turn": {"turn"},
}
_MEMORIES = {"add", "mark", "count", "clear"}


def read_by(expr: core.Expr) -> frozenset[str]:
    """What an expression asks about."""
    found: set[str] = set()
    for each in inside(expr):
        if isinstance(each, core.Call):
            found |= _of_word(each)
        elif isinstance(each, core.Var):
            found.add("names")
    return frozenset(found)


def _of_word(call: core.Call) -> frozenset[str]:
    name = call.word.partition("(")[0]
    if name == "memory" and isinstance(call.arguments[0], core.Lit):
        return frozenset({f"memory {call.arguments[0].value}"})
    if name in _ASKED:
        return frozenset(_ASKED[name])
    known = implementations().get(call.word)
    is_plain = known is not None and known.first != "view"
    return _NOTHING if call.fixed or is_plain else EVERYTHING


def changed_by(block: core.Block) -> frozenset[str]:
    """What the steps of a block change, those that others follow changing everything."""
    found: set[str] = set()
    for step in _steps(block):
        found |= _CHANGED.get(step.name, set() if step.name in _MEMORIES else EVERYTHING)
        found |= _remembered(step)
    return frozenset(found)


def _remembered(step: core.Step) -> frozenset[str]:
    memories = (each for each in step.arguments if isinstance(each, core.Lit))
    return frozenset(f"memory {each.value}" for each in memories if each.sort is Sort.MEMORY)


def _steps(block: core.Block) -> Iterator[core.Step]:
    for each in core.walk_blocks(block):
        yield from (step for step in each.steps if isinstance(step, core.Step))


def may_interfere(asked: frozenset[str], changed: frozenset[str]) -> bool:
    """Whether what is asked about may be among what is changed."""
    return bool(asked & changed) or (asked | changed >= EVERYTHING and bool(asked and changed))
