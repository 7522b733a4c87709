"""Expressions linked so that every part of them notes what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import reduce
from operator import and_, or_
from typing import Any, TypeGuard

from kbrules.lang import evaluation as nodes
from kbrules.lang.evaluation import (
    DIFFERENCE,
    INTERSECTION,
    UNION,
    WORK,
    Evaluator,
    Node,
    fold_constants,
    known_key_of,
)
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Award, Call, Conditional, Expr, Lit, Norm, QuantityChange, Sort, Step
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import NOWHERE
from kbrules.primitives import registry, vocabulary
from kbrules.text import Span

# Operands side by side, as in `a & b - c` or `a or b`: the parts as an author reads them.


AND, OR, NOT = "and(truth,truth)", "or(truth,truth)", "not(truth)"
_KINDS = {INTERSECTION: INTERSECTION, DIFFERENCE: INTERSECTION, UNION: UNION, AND: AND, OR: OR}
"""The words that join operands, by what they do; `&` and `-` both cut down."""

Place = tuple[str, int, int]
"""The name of a source, and where a text begins and ends in it."""
Places = frozenset[Place]


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand, and whether it is taken away."""

    expr: Expr
    is_taken_away: bool = False


def place_of(span: Span) -> Place:
    """The place a span covers; the same however often its file is read."""
    return span.source.name, span.start, span.end


def operator_kind(word: str) -> str:
    """How a word joins its operands; empty if it does not."""
    return _KINDS.get(word, "")


def operands_of(call: Call, operator_places: Places) -> Iterator[Operand]:
    """The operands that stand side by side; what a definition says is one operand.

    operator_places: where operators are. What is cut down again on the right stands in brackets.
    """
    first, second = call.arguments
    kind = operator_kind(call.word)
    if continues(first, kind, operator_places):
        yield from operands_of(first, operator_places)
    else:
        yield Operand(first)
    if kind != INTERSECTION and continues(second, kind, operator_places):
        yield from operands_of(second, operator_places)
    else:
        yield Operand(second, call.word == DIFFERENCE)


def continues(expr: Expr, kind: str, operator_places: Places) -> TypeGuard[Call]:
    """Whether an operand is an operator of the same kind where it stands."""
    return (
        isinstance(expr, Call)
        and operator_kind(expr.word) == kind
        and place_of(expr.span) in operator_places
    )


def operators_of(declarations: Iterable[tree.Declaration]) -> Places:
    """Where operators are written, each from its first word to its last."""
    return frozenset(place_of(each.span) for each in _operators(tuple(declarations)))


def _operators(item: object) -> Iterator[tree.Operator]:
    if isinstance(item, tree.Operator):
        yield item
    for _, part in children(item):
        yield from _operators(part)


def children(item: object) -> Iterator[tuple[str, object]]:
    """The parts of a piece of syntax, each with its name there; wordings and examples left out."""
    if isinstance(item, tuple):
        parts = [part for part in item if not isinstance(part, tree.Wording | tree.Example)]
        yield from ((str(index), part) for index, part in enumerate(parts))
    elif is_dataclass(item) and not isinstance(item, Span | type):
        yield from ((field.name, getattr(item, field.name)) for field in fields(item))


# A trace: what came of all evaluations of each expression, operand, norm and statement.
#
# Each reader has its own `Trace`: it says which expressions it selects, and whether operands
# are evaluated whose value decides nothing.


EVALUATED, YES, NO, PASSED, EXCLUDED = 1, 2, 4, 8, 16
"""Evaluated at all; held, was not empty, paid or changed something; did not; as an operand: let
something through, or added something; kept something out."""
PERMITS, FORBIDS, PREFERS, ALONE = "permits", "forbids", "prefers", "alone"
"""What a part of the norms can do: permit what no other does, forbid, leave only what is preferred;
and what a norm or a statement comes to where it is evaluated alone."""

Key = tuple[str, int, int, str]


def key_of(expr: Expr) -> Key:
    """Where an expression stands, and which of those that stand there it is."""
    return *place_of(expr.span), str(getattr(expr, "word", type(expr).__name__))


class EvaluationRecord:
    """How often something was evaluated, and whether it was ever true or not empty, and false."""

    __slots__ = ("_evaluated", "_no_bit", "_yes_bit", "count", "is_evaluated", "no", "place", "yes")

    def __init__(
        self, place: Place, evaluated: list[EvaluationRecord], bits: tuple[int, int]
    ) -> None:
        self.place, self._evaluated = place, evaluated
        self._yes_bit, self._no_bit = bits
        self.clear()

    def clear(self) -> None:
        """Forget everything seen."""
        self.count = 0
        self.is_evaluated = self.yes = self.no = False

    def add(self, value: Any, counts: bool = True) -> None:
        """Note a value; counts: whether it could have been another."""
        if self.yes if value else self.no:
            self.count += counts  # nothing new, as most often
        else:
            self.add_outcome(bool(value), not value, counts)

    def add_outcome(self, yes: bool, no: bool, counts: bool = True) -> None:
        """Note that something was evaluated, and what came of it."""
        if not self.is_evaluated:
            self.is_evaluated = True
            self._evaluated.append(self)
        self.count += counts
        self.yes = self.yes or yes
        self.no = self.no or no

    @property
    def bits(self) -> int:
        """The same as bits."""
        yes, no = self.yes and self._yes_bit, self.no and self._no_bit
        return self.is_evaluated and EVALUATED | yes | no


class OperandRecords:
    """Operands side by side: of each whether it let something through, and kept something out.

    Truths are sets of nothing or one thing here. join, start: how their values come together, and
    from what on. absorbing: the value after which no operand changes anything, if there is one.
    """

    def __init__(
        self, call: Call, parts: Sequence[Operand], records: Sequence[EvaluationRecord]
    ) -> None:
        self.call, self.parts, self.records = call, parts, records
        kind = operator_kind(call.word)
        self.is_cut, self.is_truth = kind in (INTERSECTION, AND), kind in (AND, OR)
        self.join, self.start = (and_, -1) if self.is_cut else (or_, 0)
        self.absorbing = 0 if self.is_cut else 1 if self.is_truth else None
        self.count = 0

    @property
    def idle(self) -> list[Operand]:
        """The operands without which the whole would always have been the same."""
        pairs = zip(self.parts, self.records, strict=True)
        return [part for part, record in pairs if not self._is_effective(record)]

    @property
    def effective(self) -> list[Operand]:
        """The operands that made a difference at least once."""
        pairs = zip(self.parts, self.records, strict=True)
        return [part for part, record in pairs if self._is_effective(record)]

    @property
    def is_settled(self) -> bool:
        """Whether each operand has mattered."""
        return all(map(self._is_effective, self.records))

    def _is_effective(self, record: EvaluationRecord) -> bool:
        return record.no if self.is_cut else record.yes

    def add(self, values: Sequence[int], whole: int, full: int) -> None:
        """Note what each operand did beside the others; full: all hexes."""
        self.count += 1
        for record, value, others in zip(self.records, values, self._others(values), strict=True):
            if self.is_cut:
                yes, no = full & others & value, full & others & ~int(value)
            else:
                yes, no = value & ~int(others), whole & ~int(value)
            record.add_outcome(bool(yes), bool(no))

    def _others(self, values: Sequence[int]) -> list[int]:
        """For each operand what the others come to together."""
        before, after = [self.start], [self.start]
        for value in values[:-1]:
            before.append(self.join(before[-1], value))
        for value in reversed(values[1:]):
            after.append(self.join(after[-1], value))
        return [self.join(*pair) for pair in zip(before, reversed(after), strict=True)]


class Trace:
    """What came of the parts of rules in all games that are traced, by where they are written.

    evaluates_all: whether all operands of `and` and `or` are asked whatever the first ones decide,
    and what is inside a set that never changes.
    """

    evaluates_all = False

    def __init__(self) -> None:
        self.expressions: dict[Key, EvaluationRecord] = {}
        self.operands: dict[tuple[object, ...], OperandRecords] = {}
        self.norms: dict[tuple[str, Place], EvaluationRecord] = {}
        self._evaluated: list[EvaluationRecord] = []

    def selects(self, span: Span) -> bool:
        """Whether what stands there is traced."""
        return True

    def expression(self, expr: Expr) -> EvaluationRecord:
        """The record of an expression, one for all places where a definition is used."""
        key = key_of(expr)
        return self.expressions.get(key) or self.expressions.setdefault(key, self._new(expr.span))

    def operand_records(self, call: Call, parts: Sequence[Operand]) -> OperandRecords:
        """The records of operands side by side."""
        key = (*(place_of(part.expr.span) for part in parts), operator_kind(call.word))
        if key not in self.operands:
            records = [self._new(part.expr.span, (PASSED, EXCLUDED)) for part in parts]
            self.operands[key] = OperandRecords(call, parts, records)
        return self.operands[key]

    def norm(self, kind: str, norm: Norm | None) -> EvaluationRecord | None:
        """The record of what a norm does, if it is traced."""
        if norm is None or not self.selects(norm.span):
            return None
        return self.at(kind, norm.span)

    def at(self, kind: str, span: Span) -> EvaluationRecord:
        """The record of a statement or of what a norm does."""
        key = kind, place_of(span)
        return self.norms.get(key) or self.norms.setdefault(key, self._new(span))

    def _new(self, span: Span, bits: tuple[int, int] = (YES, NO)) -> EvaluationRecord:
        return EvaluationRecord(place_of(span), self._evaluated, bits)

    def take(self) -> dict[Place, int]:
        """The bits of each place since the last time; then they are forgotten."""
        bits_by_place: dict[Place, int] = {}
        for record in self._evaluated:
            bits_by_place[record.place] = bits_by_place.get(record.place, 0) | record.bits
            record.clear()
        self._evaluated.clear()
        return bits_by_place


# Nodes that note what came of a question, beside answering it.


Parts = Sequence[tuple[Node, EvaluationRecord | None]]
"""The nodes of norms, and where to note what each did."""

_TRACING_WORK = 2  # steps of expressions that take as long as noting one value


@dataclass(slots=True, eq=False)
class TracedNode(Node):
    """An expression whose values are noted."""

    node: Node
    record: EvaluationRecord

    def value(self, view: Any) -> Any:
        WORK.steps += _TRACING_WORK
        value = self.node.value(view)
        self.record.add(value)
        return value


@dataclass(slots=True, eq=False)
class TracedOperands(Node):
    """Operands side by side: all of them are asked, whatever the first ones decide.

    Once they have decided it, nothing more earns anything.
    """

    nodes: Sequence[Node]
    operands: OperandRecords

    def value(self, view: Any) -> Any:
        operands, counted = self.operands, view.counted_sets
        full = 1 if operands.is_truth else view.board.grid.full
        whole, values = operands.start & full, []
        for node, part in zip(self.nodes, operands.parts, strict=True):
            WORK.steps += _TRACING_WORK
            value = node.value(view)
            value = bool(value) if operands.is_truth else value
            values.append(full & ~value if part.is_taken_away else value)
            whole = operands.join(whole, values[-1])
            if whole == operands.absorbing:
                view.counted_sets = None
        view.counted_sets = counted
        operands.add(values, whole, full)
        return bool(whole) if operands.is_truth else whole


@dataclass(slots=True, eq=False)
class TracedPermits(Node):
    """Permits side by side: each is to add something to the others."""

    parts: Parts

    def value(self, view: Any) -> Any:
        values = [node.value(view) for node, _ in self.parts]
        for number, (_, record) in enumerate(self.parts):
            if record is not None:
                others = reduce(or_, values[:number] + values[number + 1 :], 0)
                record.add(values[number] & ~others, counts=bool(values[number]))
        return reduce(or_, values)


@dataclass(slots=True, eq=False)
class TracedForbids(Node):
    """Legal hexes less what norms take away: each is to take some hex of them."""

    legal: Node
    parts: Parts

    def value(self, view: Any) -> Any:
        left = legal = self.legal.value(view)
        for node, record in self.parts:
            value = node.value(view)
            left &= ~value
            if record is not None:
                record.add(legal & value, counts=bool(legal))
        return left


class TracedPreference(TracedForbids):
    """Legal hexes narrowed to what norms prefer, if that leaves any."""

    __slots__ = ()

    def value(self, view: Any) -> Any:
        left = legal = self.legal.value(view)
        values = [(node.value(view), record) for node, record in self.parts]
        for value, _ in values:
            left &= value
        for value, record in values:
            if record is not None:
                record.add(left and legal & ~value, counts=bool(legal))
        return left or legal


@dataclass(slots=True, eq=False)
class TemporarilyTracedNode(Node):
    """An expression that is traced until all checks say that nothing more can be learned of it."""

    traced: Node
    unfinished: list[Callable[[], bool]]
    untraced: Node

    def value(self, view: Any) -> Any:
        unfinished = self.unfinished
        while unfinished and unfinished[-1]():
            unfinished.pop()
        return self.traced.value(view) if unfinished else self.untraced.value(view)


def traced_step(code: Callable[..., Any], record: EvaluationRecord) -> Callable[..., Any]:
    """The code of a step, which notes that it was done, and whether anything came of it."""

    def run(table: Any, *arguments: Any) -> Any:
        event_count = len(table.events)
        result = code(table, *arguments)
        record.add(len(table.events) > event_count)
        return result

    return run


# Parts of expressions are known by where they are written; what the engine puts together of
# several norms is written nowhere, and is told apart by the norms it was made of.


_NARROWED = "narrowed"


@dataclass(frozen=True, slots=True)
class LinkedTexts:
    """What of a rule set's text the linking needs.

    operators: the places of operators as written. norms: each norm by the places that tell of it.
    statements: the places of whole norms.
    """

    operators: Places
    norms: Mapping[Place, Norm]
    statements: Places

    @classmethod
    def of(cls, ruleset: Ruleset) -> LinkedTexts:
        """The texts of a rule set."""
        return ruleset.once(cls, lambda: cls._collect(ruleset))

    @classmethod
    def _collect(cls, ruleset: Ruleset) -> LinkedTexts:
        norms = [norm for rule in ruleset.rules for norm in rule.norms]
        return cls(
            operators_of(ruleset.declarations),
            {place: norm for norm in norms for place in _places(norm)},
            frozenset(place_of(norm.span) for norm in norms),
        )


def _places(norm: Norm) -> Iterator[Place]:
    """The places that tell of a norm: its own, and that of its hexes or else of its guard."""
    yield place_of(norm.span)
    if (expr := norm.target or norm.guard) is not None:
        yield place_of(expr.span)


class TracingLinker:
    """Links the expressions of one rule set; it is a `plan.linking.Observer`."""

    def __init__(self, ruleset: Ruleset, trace: Trace) -> None:
        self._trace = trace
        self._implementations = ruleset.evaluate.implementations
        self._texts = LinkedTexts.of(ruleset)

    def __call__(self, expr: Expr, known: Mapping[str, Any]) -> Node:
        """Return the node of an expression that notes what comes of it."""
        return self.evaluator(known).linked(expr)

    def evaluator(self, known: Mapping[str, Any]) -> TracingEvaluator:
        """What links expressions, where the values of some words are known."""
        return TracingEvaluator(self._implementations, self._trace, self._texts, known)

    def word(self, step: Step, word: registry.StepWord) -> registry.StepWord:
        """The word of a step, which notes that it was done."""
        if word.is_offers or word.is_reuse:
            return word
        return replace(word, code=traced_step(word.code, self._trace.at(ALONE, step.span)))

    def record(self, statement: Award | QuantityChange | Step, outcome: bool) -> None:
        """Note what came of a statement."""
        self._trace.at(ALONE, statement.span).add(outcome)


class TracingEvaluator(Evaluator):
    """The reference evaluator, which traces what it links; `records` are those it notes in."""

    def __init__(
        self, implementations: Any, trace: Trace, texts: LinkedTexts, known: Mapping[str, Any]
    ) -> None:
        super().__init__(implementations)
        self._trace, self._texts, self._known = trace, texts, known
        self.expressions: list[tuple[Expr, EvaluationRecord]] = []
        self.norms: list[EvaluationRecord] = []
        self.operands: list[OperandRecords] = []

    def linked(self, expr: Expr) -> Node:
        """The expression ready to be asked, and traced."""
        node = self._untraced(expr)
        is_written = not isinstance(expr, Lit) and expr.span.source is not NOWHERE.source
        if (
            is_written
            and place_of(expr.span) not in self._texts.statements
            and self._trace.selects(expr.span)
        ):
            record = self._trace.expression(expr)
            self.expressions.append((expr, record))
            node = TracedNode(node, record)
        norm = self._norm_of(expr)
        if norm is not None and expr.sort is Sort.HEXES and _is_evaluated_alone(norm):
            return self._traced_norm(ALONE, norm, node)
        return node

    def _untraced(self, expr: Expr) -> Node:
        """The expression untraced, its parts traced."""
        if isinstance(expr, Conditional) and expr.span.source is NOWHERE.source:
            test = self._waiver_node(expr.condition)
            return nodes.ConditionalNode(test, self.linked(expr.value), self.linked(expr.other))
        if not isinstance(expr, Call):
            return super().linked(expr)
        key = known_key_of(expr)
        if key in self._known:
            return nodes.ConstantNode(self._known[key])
        if expr.fixed and expr.sort is not Sort.TRUTH and not self._trace.evaluates_all:
            folded = fold_constants(expr, self._known, self.implementations)
            return Evaluator(self.implementations).linked(folded)
        if (found := self._operands_node(expr)) is not None:
            return found
        return super().linked(expr) if self._trace.evaluates_all else self._call(expr)

    # operands

    def _operands_node(self, call: Call) -> Node | None:
        """Words that join operands, each looked at beside the others; those that join norms."""
        if call.span.source is NOWHERE.source:
            return self._norms_node(call)
        kind = operator_kind(call.word)
        is_selected = kind and self._trace.selects(call.span)
        if not is_selected or (kind in (AND, OR) and not self._trace.evaluates_all):
            return None
        parts = [*operands_of(call, self._texts.operators)]
        records = self._trace.operand_records(call, parts)
        self.operands.append(records)
        return TracedOperands([self.linked(part.expr) for part in parts], records)

    # norms

    def _norms_node(self, call: Call) -> Node | None:
        if call.word == UNION:
            return TracedPermits(self._norm_parts(PERMITS, call, UNION))
        if call.word not in (DIFFERENCE, _NARROWED):
            return None
        legal, norms = call.arguments
        if call.word == DIFFERENCE:
            return TracedForbids(self.linked(legal), self._norm_parts(FORBIDS, norms, UNION))
        return TracedPreference(self.linked(legal), self._norm_parts(PREFERS, norms, INTERSECTION))

    def _norm_parts(self, kind: str, norms: Expr, word: str) -> Parts:
        parts = _joined_parts(norms, word)
        pairs = [(self.linked(p), self._trace.norm(kind, self._norm_of(p))) for p in parts]
        self.norms += [record for _, record in pairs if record is not None]
        return pairs

    def _norm_of(self, expr: Expr) -> Norm | None:
        """The norm that an expression says, perhaps only under a condition."""
        norm = self._texts.norms.get(place_of(expr.span))
        if norm is not None or expr.span.source is not NOWHERE.source:
            return norm
        if isinstance(expr, Conditional):
            return self._norm_of(expr.value) or self._norm_of(expr.condition)
        if isinstance(expr, Call) and expr.word == AND:
            return next(filter(None, map(self._norm_of, expr.arguments)), None)
        return None

    def _traced_norm(self, kind: str, norm: Norm, node: Node) -> Node:
        record = self._trace.norm(kind, norm)
        return node if record is None else TracedNode(node, record)

    def _waiver_node(self, test: Expr) -> Node:
        """The condition of what was put together; of several waivers, each looked at."""
        if isinstance(test, Call) and test.word == OR and test.span.source is NOWHERE.source:
            return nodes.Or(*map(self._waiver_node, test.arguments))
        norm, node = self._norm_of(test), self.linked(test)
        if norm is None or norm.kind != "waive":
            return node
        return self._traced_norm(ALONE, norm, node)


def _is_evaluated_alone(norm: Norm) -> bool:
    """Whether a norm's hexes are asked for as such: no step is judged by norms of further verbs."""
    return norm.kind == "permit" or not vocabulary.FURTHER_VERBS.keys().isdisjoint(norm.verbs)


def _joined_parts(expr: Expr, word: str) -> list[Expr]:
    """The parts that the engine joined by a word."""
    if isinstance(expr, Call) and expr.word == word and expr.span.source is NOWHERE.source:
        return [part for each in expr.arguments for part in _joined_parts(each, word)]
    return [expr]
