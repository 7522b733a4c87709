"""Expressions watched while they are asked: what of each of them ever mattered.

`LintObserver` is a way of linking: the rules of the files that are asked for are walked and
tallied, all others run as they always do. An expression of which nothing more can be learned
runs as the others do from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from kbrules.lang.core import Call, Expr, Lit, Var, parts_of
from kbrules.lang.evaluate import Evaluator
from kbrules.lang.nodes import Node
from kbrules.lang.sorts import Sort
from kbrules.library.ruleset import Ruleset
from kbrules.plan.linking import Linker, reference
from kbrules.tools.authoring.lint.sampled.chains import Chain, parts_in
from kbrules.tools.authoring.lint.sampled.watched_norms import Effect, anchor, is_joined, joined
from kbrules.tools.tracing.operands import kind_of, place_of

__all__ = ["Key", "LintObserver", "Tally", "key_of"]

Key = tuple[str, int, int, str]
Note: TypeAlias = "Tally | Chain | Effect"


def key_of(expr: Expr) -> Key:
    """Where an expression stands, and which of those that stand there it is."""
    return *place_of(expr.span), str(getattr(expr, "word", type(expr).__name__))


class Tally:
    """How often an expression was asked, and whether it was ever true or not empty, and false.

    is_truth: whether it holds or does not; of sets and numbers only the first is of interest.
    """

    __slots__ = ("is_truth", "looks", "was_false", "was_true")

    def __init__(self, is_truth: bool) -> None:
        self.is_truth = is_truth
        self.looks = 0
        self.was_true = self.was_false = False

    @property
    def is_settled(self) -> bool:
        """Whether nothing that is still to come could matter."""
        return self.was_true and (self.was_false or not self.is_truth)

    def see(self, value: Any) -> None:
        """Note a value."""
        self.looks += 1
        if value:
            self.was_true = True
        else:
            self.was_false = True


class LintObserver:
    """Links rules so that what stands in some files is tallied, in all games alike.

    is_asked: whether a file is meant, by its name. tallies: what each expression was. chains:
    which of the operands side by side mattered. effects: whether norms did what they are for.
    """

    def __init__(self, is_asked: Callable[[str], bool]) -> None:
        self._is_asked = is_asked
        self.tallies: dict[Key, Tally] = {}
        self.chains: dict[tuple[object, ...], Chain] = {}
        self.effects: dict[tuple[str, Key], Effect] = {}

    def __call__(self, ruleset: Ruleset) -> Linker:
        """A linker for one rule set."""
        plain = reference(ruleset)

        def link(expr: Expr) -> Node:
            if not self._concerns(expr):
                return plain(expr)
            watched = _ObservedEvaluator(ruleset.evaluate, self)
            node = watched.linked(expr)
            return node if node.is_constant else _WarmupNode(node, watched.notes, plain(expr))

        return link

    def _concerns(self, expr: Expr) -> bool:
        return self.is_asked(expr) or any(map(self._concerns, parts_of(expr)))

    def is_asked(self, expr: Expr) -> bool:
        """Whether an expression stands in a file that is asked for."""
        return self._is_asked(expr.span.source.name)

    def tally(self, expr: Expr) -> Tally:
        """The tally of an expression, one for all places where a definition is used."""
        return self.tallies.setdefault(key_of(expr), Tally(expr.sort is Sort.TRUTH))

    def chain(self, call: Call) -> Chain:
        """The same for its operands."""
        parts = tuple(parts_in(call))
        key = (*(place_of(part.expr.span) for part in parts), kind_of(call))
        if key not in self.chains:
            self.chains[key] = Chain(call, parts)
        return self.chains[key]

    def effect(self, kind: str, norm: Expr) -> Effect | None:
        """The same for what a norm does, if it stands in such a file."""
        written = anchor(norm)
        if not self.is_asked(written):
            return None
        return self.effects.setdefault((kind, key_of(written)), Effect())


class _ObservedEvaluator(Evaluator):
    """The reference evaluator, with a watch on what is asked for; `notes` are what it notes."""

    def __init__(self, evaluator: Evaluator, watching: LintObserver) -> None:
        super().__init__(evaluator.implementations)
        self._watching = watching
        self.notes: list[Note] = []

    def linked(self, expr: Expr) -> Node:
        """The expression ready to be asked and, if it is of interest, to be tallied."""
        if isinstance(expr, Call) and is_joined(expr):
            code = self.implementations[expr.word].code
            return joined(expr, self.linked, self._effect, code)
        if isinstance(expr, Lit | Var) or not self._watching.is_asked(expr):
            return super().linked(expr)
        tally = self._watching.tally(expr)
        self.notes.append(tally)
        if isinstance(expr, Call) and kind_of(expr):
            chain = self._watching.chain(expr)
            self.notes.append(chain)
            return _ObservedChain([self.linked(part.expr) for part in parts_in(expr)], chain, tally)
        return _ObservedNode(super().linked(expr), tally)

    def _effect(self, kind: str, norm: Expr) -> Effect | None:
        effect = self._watching.effect(kind, norm)
        self.notes += [] if effect is None else [effect]
        return effect


class _WarmupNode(Node):
    """An expression that is watched until nothing more can be learned of it."""

    __slots__ = ("_notes", "_plain", "_watched")

    def __init__(self, watched: Node, notes: Sequence[Note], plain: Node) -> None:
        self._watched, self._notes, self._plain = watched, list(notes), plain

    def value(self, view: Any) -> Any:
        notes = self._notes
        while notes and notes[-1].is_settled:
            notes.pop()
        return self._watched.value(view) if notes else self._plain.value(view)


class _ObservedNode(Node):
    """An expression whose values are tallied."""

    __slots__ = ("_node", "_tally")

    def __init__(self, node: Node, tally: Tally) -> None:
        self._node, self._tally = node, tally

    def value(self, view: Any) -> Any:
        value = self._node.value(view)
        self._tally.see(value)
        return value


class _ObservedChain(Node):
    """Operands side by side: all of them are asked, whatever the first ones decide."""

    __slots__ = ("_chain", "_parts", "_tally")

    def __init__(self, parts: Sequence[Node], chain: Chain, tally: Tally) -> None:
        self._parts, self._chain, self._tally = parts, chain, tally

    def value(self, view: Any) -> Any:
        values = [part.value(view) for part in self._parts]
        self._chain.look(values, view.board.grid.full)
        value = self._chain.whole(values)
        self._tally.see(value)
        return value
