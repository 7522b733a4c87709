"""Words that may replace one another: of one family and of the same sorts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from kbrules.lang.checker.expressions import Scope
from kbrules.lang.typed import Signature, Sort, StepSignature

Successors = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Swaps:
    """What each word may be taken for: the next of its family, and the first for the last.

    `constants` are of the boxes (terrains, places, pieces, tiles, cards), `names` are all other
    words without arguments, `calls` those with some, `folds` those over `... for x in ...`.
    `neighbour_words` are words that lead from hexes to such as lie somehow to them.
    """

    constants: Successors
    names: Successors
    calls: Successors
    folds: Successors
    events: Successors
    neighbour_words: frozenset[str]
    steps: Mapping[str, tuple[StepSignature, ...]]


def swaps_of(scope: Scope) -> Swaps:
    """The words that a rule may use in a scope that knows all that is declared."""
    vocabulary = scope.vocabulary
    signatures = [each for several in vocabulary.words.values() for each in several]
    return Swaps(
        _next_of_family((name, each.sort) for name, each in vocabulary.constants.items()),
        _next_of_family(_names(scope)),
        _next_of_family((s.name, _sorts(s)) for s in signatures if s.parameters),
        _next_of_family(
            (s.name, _sorts(s)) for several in vocabulary.folds.values() for s in several
        ),
        _next_of_family((event.name, event.binds) for event in vocabulary.events.values()),
        frozenset(s.name for s in signatures if _is_neighbour_word(s)),
        vocabulary.steps,
    )


def _names(scope: Scope) -> Iterator[tuple[str, Hashable]]:
    """The words without arguments and the family of each."""
    for several in scope.vocabulary.words.values():
        for each in several:
            if not each.parameters:
                yield each.name, (_sorts(each), each.fixed)
    for name, definition in scope.names.definitions.items():
        if not definition.parameters:
            yield name, ("define", definition.body.sort)
    for family, names in (("memory", scope.names.memories), ("option", scope.names.options)):
        for name, sort in names.items():
            yield name, (family, sort)
    for name in sorted(scope.vocabulary.quantities):
        yield name, "quantity"


def _sorts(signature: Signature) -> Hashable:
    return tuple(p.sort for p in signature.parameters), signature.result


def _is_neighbour_word(signature: Signature) -> bool:
    parameter_sorts = [parameter.sort for parameter in signature.parameters]
    return signature.fixed and signature.result is Sort.HEXES and Sort.HEXES in parameter_sorts


def _next_of_family(kinds: Iterable[tuple[str, Hashable]]) -> dict[str, str]:
    """The next of its family for each name; the first family of a name counts."""
    by_family: dict[Hashable, list[str]] = {}
    placed: set[str] = set()
    for name, family in kinds:
        if name not in placed:
            by_family.setdefault(family, []).append(name)
            placed.add(name)
    return {
        name: names[(number + 1) % len(names)]
        for names in by_family.values()
        if len(names) > 1
        for number, name in enumerate(names)
    }
