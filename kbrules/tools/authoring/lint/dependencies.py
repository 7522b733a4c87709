"""Which parts of a position expressions read and steps change, at most.

A part is a word of ours (`cards`, `tiles`, ...) or `memory NAME`. What is not known reads
everything and changes everything; so does every step that rules may follow with `when`.
"""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.lang import typed as core
from kbrules.lang.typed import Sort
from kbrules.primitives.vocabulary import implementations
from kbrules.tools.authoring.lint.index import walk

EVERYTHING = frozenset({"everything"})
_NOTHING: frozenset[str] = frozenset()

_READ_BY_WORD = {
    "gold": {"gold"},
    "supply": {"supply"},
    "cards": {"cards"},
    "drawing": {"cards"},
    "played": {"cards"},
    "revealed": {"cards"},
    "revealed_terrains": {"cards"},
    "shown_terrains": {"cards"},
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
_CHANGED_BY_STEP = {
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
    read: set[str] = set()
    for each in walk(expr):
        if isinstance(each, core.Call):
            read |= _read_by_call(each)
        elif isinstance(each, core.Var):
            read.add("names")
    return frozenset(read)


def _read_by_call(call: core.Call) -> frozenset[str]:
    name = call.word.partition("(")[0]
    if name == "memory" and isinstance(call.arguments[0], core.Lit):
        return frozenset({f"memory {call.arguments[0].value}"})
    if name in _READ_BY_WORD:
        return frozenset(_READ_BY_WORD[name])
    implementation = implementations().get(call.word)
    is_plain = implementation is not None and implementation.first != "view"
    return _NOTHING if call.fixed or is_plain else EVERYTHING


def changed_by(block: core.Block) -> frozenset[str]:
    """What the steps of a block change, those that others follow changing everything."""
    changed: set[str] = set()
    for step in _steps(block):
        changed |= _CHANGED_BY_STEP.get(step.name, set() if step.name in _MEMORIES else EVERYTHING)
        changed |= _memories_in(step)
    return frozenset(changed)


def _memories_in(step: core.Step) -> frozenset[str]:
    memories = (each for each in step.arguments if isinstance(each, core.Lit))
    return frozenset(f"memory {each.value}" for each in memories if each.sort is Sort.MEMORY)


def _steps(block: core.Block) -> Iterator[core.Step]:
    for each in core.walk_blocks(block):
        yield from (step for step in each.steps if isinstance(step, core.Step))


def may_interfere(read: frozenset[str], changed: frozenset[str]) -> bool:
    """Whether what is read may be among what is changed."""
    return bool(read & changed) or (read | changed >= EVERYTHING and bool(read and changed))
