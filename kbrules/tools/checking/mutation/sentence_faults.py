"""The faults of sentences: the kind of each, and its replacement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kbrules.lang.checker.rules import SCOPES, WHO
from kbrules.lang.checker.statements import RANKS
from kbrules.lang.syntax import tree
from kbrules.tools.checking.mutation.expression_faults import neighbouring_numbers
from kbrules.tools.checking.mutation.mutation_points import LEFT_OUT, MutationPoint
from kbrules.tools.checking.mutation.swaps import Swaps

Replacement = tuple[str, object]
Guarded = tree.Norm | tree.Change | tree.Award | tree.Step | tree.When | tree.Each | tree.Section
_SENTENCES = (
    tree.Norm, tree.Change, tree.Award, tree.Win, tree.Step, tree.When, tree.Whenever,
    tree.Each, tree.If, tree.Branch, tree.Repeat, tree.Section,
)  # fmt: skip
_KINDS = {
    "permit": "prefer", "prefer": "permit", "forbid": "deny", "deny": "forbid",
    "increase": "decrease", "decrease": "increase",
    "repeat": "up to", "up to": "repeat",
    "action": "required action", "required action": "action",
}  # fmt: skip


def sentence_faults(point: MutationPoint, swaps: Swaps) -> Iterator[Replacement]:
    """The faults at a place where a sentence stands, or a part of one that is no expression."""
    node = point.node
    if isinstance(node, _SENTENCES) and _may_be_left_out(point):
        yield "sentence", LEFT_OUT
    if isinstance(node, Guarded) and node.guard is not None:
        yield "condition", replace(node, guard=None)
    yield from _opposite_kind(node)
    match node:
        case tree.Per(every=every):
            yield from (("number", replace(node, every=n)) for n in neighbouring_numbers(every))
        case tree.Rank():
            yield from _rank(node)
        case tree.Step():
            yield from _adverb(node, swaps)
        case tree.StepArgument():
            yield "phrase", LEFT_OUT
        case tree.Norm(verbs=words) | tree.When(events=words) if len(words) > 1:
            yield from _without_one(node, words)
        case tree.Option():
            yield from _default(node)
        case tree.Memory():
            yield from _scope(node)
    if isinstance(node, tree.When | tree.Section):
        yield from _event(node, swaps)


def _may_be_left_out(point: MutationPoint) -> bool:
    """Whether something is left where a sentence is left out; of a block its heading goes, too."""
    body = getattr(point.parent, "body", ())
    return isinstance(point.parent, tree.Rule) or len(body) > 1


def _opposite_kind(node: object) -> Iterator[Replacement]:
    match node:
        case tree.Norm(kind=kind) | tree.Change(kind=kind) | tree.Repeat(kind=kind):
            if kind in _KINDS:
                yield "kind", replace(node, kind=_KINDS[kind])
        case tree.Section(name=name) if " ".join(name.split()) in _KINDS:
            yield "kind", replace(node, name=_KINDS[" ".join(name.split())])


def _rank(node: tree.Rank) -> Iterator[Replacement]:
    ranks = [*RANKS]
    if node.place.text in ranks:
        number = ranks.index(node.place.text)
        for other in (n for n in (number - 1, number + 1) if 0 <= n < len(ranks)):
            yield "rank", replace(node, place=replace(node.place, text=ranks[other]))


def _adverb(node: tree.Step, swaps: Swaps) -> Iterator[Replacement]:
    """Adverbs that the verb knows and that are not written."""
    written = {phrase.preposition.text for phrase in node.arguments}
    parameters = [
        parameter for each in swaps.steps.get(node.verb.text, ()) for parameter in each.parameters
    ]
    for name in dict.fromkeys(
        parameter.name for parameter in parameters if parameter.kind == "adverb"
    ):
        if name not in written:
            adverb = tree.StepArgument(tree.Word(name, node.verb.span), None)
            yield "phrase", replace(node, arguments=(*node.arguments, adverb))


def _without_one(
    node: tree.Norm | tree.When, words: tuple[tree.Word, ...]
) -> Iterator[Replacement]:
    for left_out in words:
        fewer = tuple(word for word in words if word is not left_out)
        if isinstance(node, tree.Norm):
            yield "verb", replace(node, verbs=fewer)
        else:
            yield "event", replace(node, events=fewer)


def _event(node: tree.When | tree.Section, swaps: Swaps) -> Iterator[Replacement]:
    for number, event in enumerate(node.events):
        other = swaps.events.get(event.text)
        if other is not None and other not in [each.text for each in node.events]:
            changed = replace(event, text=other)
            events = (*node.events[:number], changed, *node.events[number + 1 :])
            yield "event", replace(node, events=events)
    if node.events:
        current = node.who.text if node.who is not None else None
        for who in (None, *WHO):
            if who != current:
                word = None if who is None else tree.Word(who, node.events[0].span)
                yield "event", replace(node, who=word)


def _default(node: tree.Option) -> Iterator[Replacement]:
    if isinstance(node.default, bool):
        yield "option", replace(node, default=not node.default)
    else:
        yield from (
            ("option", replace(node, default=n)) for n in neighbouring_numbers(node.default)
        )


def _scope(node: tree.Memory) -> Iterator[Replacement]:
    current = node.scope.text if node.scope is not None else SCOPES[0]
    for scope in SCOPES:
        if scope != current:
            word = tree.Word(scope, node.sort.span)
            yield "memory", replace(node, scope=word)
