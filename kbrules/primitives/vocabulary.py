"""The vocabulary of the language, harvested from the registry, and the code behind each word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from kbrules.game.triggers import TRIGGERS
from kbrules.lang.evaluation.constant_folding import Implementation
from kbrules.lang.typed.signature import Event, Signature, StepSignature, Vocabulary
from kbrules.lang.typed.sorts import Sort
from kbrules.primitives import (
    groups,
    hexes,
    lists,
    movement,
    numbers,
    operators,
    registry,
    steps,
    steps_of_cards,
    steps_of_places,
    steps_of_turns,
)

KINDS = frozenset({"rule", "location", "nomad", "bonus", "card", "task"})
CARD_KINDS = frozenset({"card", "task"})
TILE_KINDS = frozenset({"location", "nomad", "bonus"})
_BOUND = {
    "here": Sort.HEXES,
    "origin": Sort.HEXES,
    "actor": Sort.PLAYER,
    "strayed": Sort.TRUTH,
}
EVENTS = {
    each.name: Event(each.name, tuple((word, _BOUND[word]) for word in each.words), each.page)
    for each in TRIGGERS
}
COERCIONS = {(Sort.TERRAIN, Sort.HEXES): "terrain", (Sort.PLACE, Sort.HEXES): "place"}
_MODULES = (
    hexes, movement, groups, lists, numbers, operators, steps, steps_of_turns, steps_of_cards,
    steps_of_places,
)  # fmt: skip
"""The modules whose functions are the words; naming them here is what loads them, in this order."""


def _by_name(words: Iterable[registry.Word]) -> dict[str, tuple[Signature, ...]]:
    """The words of each name, in the order of `_MODULES`, whichever of these was loaded first."""
    order = [module.__name__ for module in _MODULES]
    found: dict[str, tuple[Signature, ...]] = {}
    for word in sorted(words, key=lambda word: order.index(word.code.__module__)):
        name = word.signature.name
        found[name] = (*found.get(name, ()), word.signature)
    return found


SCORE, CROSS = "score", "cross"
FURTHER_VERBS = {
    SCORE: "Hexes that awards pass over, if they ask for `forbidden(score)`.",
    CROSS: "Hexes that no piece passes over when it is moved by `straight`, `slide`, `next_in` or "
    "`reach` from `origin`. A move to such a hex is a matter of `forbid move`.",
}
"""The verbs of norms that no step has, with their pages."""


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """Every word that does not depend on what boxes are loaded."""
    found: dict[str, tuple[StepSignature, ...]] = {}
    for step in registry.STEPS:
        verb = step.signature.verb
        found[verb] = (*found.get(verb, ()), step.signature)
    return Vocabulary(
        words=_by_name(registry.WORDS),
        operators=_by_name(registry.OPERATORS),
        folds=_by_name(registry.FOLDS),
        steps=found,
        events=EVENTS,
        kinds=KINDS,
        coercions=COERCIONS,
        further_verbs=FURTHER_VERBS,
    )


@lru_cache(maxsize=1)
def step_words() -> Mapping[str, registry.StepWord]:
    """The code of each step by the name of its signature."""
    return {step.signature.name: step for step in registry.STEPS}


@lru_cache(maxsize=1)
def verbs() -> frozenset[str]:
    """The verbs of the hexes that steps ask for."""
    return frozenset(
        ask.name or step.signature.verb for step in registry.STEPS for ask in step.asks
    )


@lru_cache(maxsize=1)
def implementations() -> Mapping[str, Implementation]:
    """The code of each word by the key of its signature."""
    found = {}
    for word in (*registry.WORDS, *registry.OPERATORS):
        found[word.signature.key] = Implementation(
            word.code, word.first, word.may_fail, word.signature.work
        )
    for word in registry.FOLDS:
        found[word.signature.key] = Implementation(word.code, "")
    for code in (numbers.option, numbers.quantity, numbers.memory):
        found[code.__name__] = Implementation(code, "view")
    found[operators.narrowed.__name__] = Implementation(operators.narrowed, "")
    for step in registry.STEPS:
        for name, condition in (("can", step.can), ("room", step.room)):
            if condition is not None:
                found[f"{name} {step.signature.name}"] = Implementation(condition, "view")
    return found
