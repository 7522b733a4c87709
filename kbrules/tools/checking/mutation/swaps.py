"""Words that may replace one another: of one family and of the same sorts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from kbrules.lang.checker.scope import Scope
from kbrules.lang.signature import Signature, StepSignature
from kbrules.lang.sorts import Sort

__all__ = ["Swaps", "swaps_of"]

Ring = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Swaps:
    """What each word may be taken for: the next of its family, and the first for the last.

    `things` are of the boxes (terrains, places, pieces, tiles, cards), `names` are all other
    words without arguments, `calls` those with some, `folds` those over `... for x in ...`.
    `near` are words that lead from hexes to such as lie somehow to them.
    """

    things: Ring
    names: Ring
    calls: Ring
    folds: Ring
    events: Ring
    near: frozenset[str]
    steps: Mapping[str, tuple[StepSignature, ...]]


def swaps_of(scope: Scope) -> Swaps:
    """The words that a rule may use in a scope that knows all that is declared."""
    known = scope.vocabulary
    signatures = [each for several in known.words.values() for each in several]
    return Swaps(
        _rings((name, each.sort) for name, each in known.constants.items()),
        _rings(_names(scope)),
        _rings((s.name, _shape(s)) for s in signatures if s.parameters),
        _rings((s.name, _shape(s)) for several in known.folds.values() for s in several),
        _rings((event.name, event.binds) for event in known.events.values()),
        frozenset(s.name for s in signatures if _is_near(s)),
        known.steps,
    )


def _names(scope: Scope) -> Iterator[tuple[str, Hashable]]:
    """The words without arguments and the family of each."""
    for several in scope.vocabulary.words.values():
        for each in several:
            if not each.parameters:
                yield each.name, (_shape(each), each.fixed)
    for name, definition in scope.names.definitions.items():
        if not definition.parameters:
            yield name, ("define", definition.body.sort)
    for family, names in (("memory", scope.names.memories), ("option", scope.names.options)):
        for name, sort in names.items():
            yield name, (family, sort)
    for name in sorted(scope.vocabulary.quantities):
        yield name, "quantity"


def _shape(signature: Signature) -> Hashable:
    return tuple(p.sort for p in signature.parameters), signature.result


def _is_near(signature: Signature) -> bool:
    takes = [parameter.sort for parameter in signature.parameters]
    return signature.fixed and signature.result is Sort.HEXES and Sort.HEXES in takes


def _rings(kinds: Iterable[tuple[str, Hashable]]) -> dict[str, str]:
    """The next of its family for each name; the first family of a name counts."""
    found: dict[Hashable, list[str]] = {}
    seen: set[str] = set()
    for name, family in kinds:
        if name not in seen:
            found.setdefault(family, []).append(name)
            seen.add(name)
    return {
        name: names[(number + 1) % len(names)]
        for names in found.values()
        if len(names) > 1
        for number, name in enumerate(names)
    }
