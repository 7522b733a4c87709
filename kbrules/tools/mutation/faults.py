"""Faults: every small change of a declaration that the tests should notice."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import chain, takewhile
from types import MappingProxyType
from typing import Any

from kbrules.lang.checker import expressions, rules, statements
from kbrules.lang.formatting import output_lines
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Signature, Sort, StepSignature
from kbrules.text import Span

# Words that may replace one another: of one family and of the same sorts.


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


def swaps_of(scope: expressions.Scope) -> Swaps:
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


def _names(scope: expressions.Scope) -> Iterator[tuple[str, Hashable]]:
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


# The mutation points of a declaration: where something else could stand, and what putting it there
# makes of the whole.


Setter = Callable[[Any], tree.Declaration]
LEFT_OUT: tuple[()] = ()
"""What is put where something is left out: instead of one of several."""
_IGNORED = (tree.Wording, tree.Example, tree.Note)  # what is there for people, and what tests


@dataclass(frozen=True, slots=True, eq=False)
class MutationPoint:
    """A part of a declaration and the part it is in; `put` makes the declaration with other parts
    in its stead: one node or None, or a tuple of nodes where there may be several."""

    node: Any
    parent: Any
    put: Setter


def mutation_points(
    node: Any, parent: Any = None, put: Setter = lambda new: new
) -> Iterator[MutationPoint]:
    """Yield all places in a declaration, outer ones first, in the order of the text."""
    yield MutationPoint(node, parent, put)
    for name in (field.name for field in fields(node)):
        value = getattr(node, name)
        for number, part in enumerate(value if isinstance(value, tuple) else (value,)):
            if (
                is_dataclass(part)
                and type(part).__module__ == tree.__name__
                and not isinstance(part, _IGNORED)
            ):
                yield from mutation_points(part, node, _setter(node, name, number, put))


def _setter(node: Any, name: str, number: int, put: Setter) -> Setter:
    """Return the setter of a field of a node, or of one of several parts in that field."""
    before = getattr(node, name)

    def put_part(new: Any) -> tree.Declaration:
        if isinstance(before, tuple):
            parts = new if isinstance(new, tuple) else (new,)
            new = (*before[:number], *parts, *before[number + 1 :])
        return put(replace(node, **{name: new}))

    return put_part


# The faults of expressions: the kind of each, and its replacement.


Replacement = tuple[str, object]
_OTHER_OPERATORS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "and": ("connective", ("or",)),
    "or": ("connective", ("and",)),
    "&": ("connective", ("|",)),
    "|": ("connective", ("&",)),
    "<": ("comparison", ("<=",)),
    "<=": ("comparison", ("<",)),
    ">": ("comparison", (">=",)),
    ">=": ("comparison", (">",)),
    "=": ("comparison", ("!=",)),
    "!=": ("comparison", ("=",)),
    "at least": ("range", ("exactly", "at most")),
    "at most": ("range", ("exactly", "at least")),
    "exactly": ("range", ("at least", "at most")),
}
_CONNECTIVES = ("and", "or", "&", "|")
_BOARD = "board"


def expression_faults(point: MutationPoint, swaps: Swaps) -> Iterator[Replacement]:
    """The faults at a place where an expression stands."""
    match point.node:
        case tree.Number(value=value, span=span):
            yield from (("number", tree.Number(n, span)) for n in neighbouring_numbers(value))
        case tree.Truth(value=value, span=span):
            yield "truth", tree.Truth(not value, span)
        case tree.Name(text=text) if text in swaps.constants:
            yield "thing", replace(point.node, text=swaps.constants[text])
        case tree.Name(text=text) if text in swaps.names:
            yield "word", replace(point.node, text=swaps.names[text])
        case tree.Call(name=name, span=span):
            if name in swaps.calls:
                yield "word", replace(point.node, name=swaps.calls[name])
            if name in swaps.neighbour_words:
                yield "freed", tree.Name(_BOARD, span)
        case tree.Fold(name=name, condition=condition):
            if name in swaps.folds:
                yield "word", replace(point.node, name=swaps.folds[name])
            if condition is not None:
                yield "condition", replace(point.node, condition=None)
        case tree.Operator():
            yield from _operator(point.node)
        case tree.Choice(value=value, other=other):
            yield "branch", value
            if other is not None:
                yield "branch", other


def neighbouring_numbers(value: int) -> tuple[int, ...]:
    """The numbers one more and, if there is such a number of the language, one less."""
    return (value + 1, value - 1) if value > 0 else (value + 1,)


def _operator(node: tree.Operator) -> Iterator[Replacement]:
    kind, others = _OTHER_OPERATORS.get(node.symbol, ("", ()))
    yield from ((kind, replace(node, symbol=other)) for other in others)
    if node.symbol == "not":
        yield "negation", node.operands[0]
    elif node.symbol in _CONNECTIVES:
        yield from (("clause", operand) for operand in node.operands)
    elif node.symbol in ("+", "-") and len(node.operands) == 2:
        yield "clause", node.operands[0]
        if node.symbol == "+":
            yield "clause", node.operands[1]


# The faults of sentences: the kind of each, and its replacement.


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
        case tree.Norm(verbs=words) if len(words) > 1:
            yield from (("verb", replace(node, verbs=fewer)) for fewer in _without_one(words))
        case tree.When(events=words) if len(words) > 1:
            yield from (("event", replace(node, events=fewer)) for fewer in _without_one(words))
        case tree.Option(default=value):
            others = (not value,) if isinstance(value, bool) else neighbouring_numbers(value)
            yield from (("option", replace(node, default=other)) for other in others)
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
    ranks = [*statements.RANKS]
    if node.place.text in ranks:
        number = ranks.index(node.place.text)
        for other in (n for n in (number - 1, number + 1) if 0 <= n < len(ranks)):
            yield "rank", replace(node, place=replace(node.place, text=ranks[other]))


def _adverb(node: tree.Step, swaps: Swaps) -> Iterator[Replacement]:
    """Adverbs that the verb knows and that are not written."""
    written = {phrase.preposition.text for phrase in node.arguments}
    parameters = (p for each in swaps.steps.get(node.verb.text, ()) for p in each.parameters)
    for name in dict.fromkeys(p.name for p in parameters if p.kind == "adverb"):
        if name not in written:
            adverb = tree.StepArgument(tree.Word(name, node.verb.span), None)
            yield "phrase", replace(node, arguments=(*node.arguments, adverb))


def _without_one(words: tuple[tree.Word, ...]) -> Iterator[tuple[tree.Word, ...]]:
    return ((*words[:at], *words[at + 1 :]) for at in range(len(words)))


def _event(node: tree.When | tree.Section, swaps: Swaps) -> Iterator[Replacement]:
    for number, event in enumerate(node.events):
        other = swaps.events.get(event.text)
        if other is not None and other not in [each.text for each in node.events]:
            changed = replace(event, text=other)
            events = (*node.events[:number], changed, *node.events[number + 1 :])
            yield "event", replace(node, events=events)
    if node.events:
        current = node.who.text if node.who is not None else None
        for who in (None, *rules.WHO):
            if who != current:
                word = None if who is None else tree.Word(who, node.events[0].span)
                yield "event", replace(node, who=word)


def _scope(node: tree.Memory) -> Iterator[Replacement]:
    current = node.scope.text if node.scope is not None else rules.SCOPES[0]
    for scope in rules.SCOPES:
        if scope != current:
            word = tree.Word(scope, node.sort.span)
            yield "memory", replace(node, scope=word)


KINDS: Mapping[str, str] = MappingProxyType(
    {
        "number": "a number is one more or one less",
        "truth": "`yes` stands for `no`, or `no` for `yes`",
        "connective": "`or` stands for `and`, or `|` for `&`, or the other way round",
        "comparison": "`<` stands for `<=`, `>` for `>=`, `=` for `!=`, or the other way round",
        "range": "another of `at least`, `at most` and `exactly` stands there",
        "negation": "a `not` is left out",
        "clause": "one of the clauses is left out",
        "branch": "one of two cases is taken always",
        "freed": "hexes beside or near others become all hexes",
        "thing": "another terrain, place, piece, tile or card is named",
        "word": "another word that says the same sort stands there",
        "condition": "a condition is left out",
        "sentence": "a whole sentence is left out",
        "kind": "a sentence is of the opposite kind",
        "phrase": "a phrase of a step is left out, or an adverb is added",
        "rank": "another rank is paid",
        "verb": "one of the verbs is left out",
        "event": "an event is left out, or another one or another player counts",
        "option": "an option has another default",
        "memory": "a memory lasts for another time or is another player's",
    }
)
"""The kinds of fault and what each does."""


@dataclass(frozen=True, slots=True, eq=False)
class Fault:
    """A declaration and what a small change makes of it.

    `was` and `now` are the sentences that differ, in their one style; `now` is empty if they are
    left out. `span` is the part that is changed.
    """

    kind: str
    declaration: tree.Declaration
    changed: tree.Declaration
    span: Span
    was: str
    now: str

    @property
    def name(self) -> str:
        """The declaration it is in, by kind and name."""
        return name_of(self.declaration)


def name_of(declaration: tree.Declaration) -> str:
    """The kind and the name of a declaration, as in `card rowers`."""
    match declaration:
        case tree.Rule(kind=kind, name=name) | tree.Broken(kind=kind, name=name):
            return f"{kind.text} {name.text}"
        case _:
            return f"{type(declaration).__name__.lower()} {declaration.name.text}"


def faults_of(declaration: tree.Declaration, swaps: Swaps) -> Iterator[Fault]:
    """Yield every fault of a declaration, in the order of its text, no two of them alike."""
    before = _sentences(declaration)
    known_sentences = {tuple(before)}
    for point in mutation_points(declaration):
        replacements = chain(sentence_faults(point, swaps), expression_faults(point, swaps))
        for kind, replacement in replacements:
            changed = point.put(replacement)
            after = _sentences(changed)
            if tuple(after) not in known_sentences:
                known_sentences.add(tuple(after))
                was, now = _difference(before, after)
                yield Fault(kind, declaration, changed, _span(point), was, now)


def _span(point: MutationPoint) -> Span:
    span: Span = point.node.span if hasattr(point.node, "span") else point.parent.span
    return span


def _sentences(declaration: tree.Declaration) -> list[str]:
    return [" ".join(row.text.split()) for row in output_lines(declaration)]


def _difference(before: list[str], after: list[str]) -> tuple[str, str]:
    """Return the sentences that are not the same, of each of the two."""
    start = _shared(before, after)
    one, other = before[start:], after[start:]
    end = _shared(one[::-1], other[::-1])
    was, now = (" / ".join(part[: len(part) - end]) for part in (one, other))
    return was, now


def _shared(one: list[str], other: list[str]) -> int:
    """Return how many sentences at the beginning of two lists are the same."""
    pairs = zip(one, other, strict=False)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
