"""A step of a plan with its expressions linked and its parameters found by name."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import signature
from typing import Any

from kbrules.game.view import View
from kbrules.hex.masks import Mask
from kbrules.lang.evaluation.nodes import Node
from kbrules.lang.typed.core import Expr, Step, Var
from kbrules.lang.typed.sorts import Sort
from kbrules.plan import expressions
from kbrules.plan.crossing import ORIGIN, mentions_origin, with_ways
from kbrules.plan.norms import NormClause
from kbrules.plan.plan import PLAYED, Plan
from kbrules.primitives.registry import StepWord
from kbrules.primitives.vocabulary import CROSS


class LinkedStep:
    """A step with linked expressions: what it needs from players and where it is legal.

    word: the registered step. target_nodes: of each phrase it asks a hex of (None: left out).
    norms: those it heeds. freely: whether preferences do not count. argument_exprs: by name.
    move_verbs: what each choice is called. is_simple: whether it asks for one hex of a set.
    needs_terrain: whether it depends on the terrain played. at_random: whether chance chooses.
    target: the set of its last phrase, reached over hexes only that may be crossed, or None.
    closing: the norms that say which may not, if the target asks; reached: that set, linked.
    legal: the hexes where its piece may be put, if it has one; legal_without_waivers: the same if
    nothing waived preferences. is_pair: whether it asks for the hex of a piece and a second one.
    needs_origin: whether its room depends on the first.
    times: how often it is to be done, if that is the same everywhere, else -1; count_node: the node
    that says so, if it may be more than once. argument_nodes: those it does not ask for, in the
    order of `argument_names`. immovable_kinds: the pieces of several hexes, lifted only as a whole.
    """

    __slots__ = (
        "argument_exprs",
        "argument_names",
        "argument_nodes",
        "at_random",
        "can",
        "closing",
        "count_node",
        "expr_without_waivers",
        "freely",
        "immovable_kinds",
        "is_pair",
        "is_simple",
        "legal",
        "legal_expr",
        "legal_without_waivers",
        "move_verbs",
        "needs_origin",
        "needs_terrain",
        "norms",
        "piece",
        "reached",
        "step",
        "target",
        "target_nodes",
        "times",
        "verb",
        "word",
    )

    def __init__(self, step: Step, plan: Plan) -> None:
        self.step = step
        self.word = plan.word(step)
        parameters = self.word.signature.parameters
        pairs = zip(parameters, step.arguments, strict=True)
        self.argument_exprs: dict[str, Expr] = {s.name: a for s, a in pairs if a is not None}
        phrases = [ask.phrase for ask in self.word.asks]
        self.target_nodes = [self._linked(name, plan) for name in phrases]
        self.verb = self.word.asks[-1].verb if self.word.asks else ""
        self.norms = plan.norms_of(step)
        self.needs_terrain = plan.depends(step, PLAYED)
        self.freely = self._is_free()
        self.at_random = "at_random" in self.argument_exprs
        self.piece = self._linked("piece", plan)
        repeats = bool(phrases) or self.word.outcomes is not None
        self.count_node = self._linked("count", plan) if repeats else None
        is_known = self.count_node is not None and self.count_node.is_constant
        self.times = self.count(None) if is_known else -1
        names = [
            parameter.name for parameter in parameters if parameter.kind in _value_kinds(self.word)
        ]
        value_names = [n for n in names if n not in phrases and not (repeats and n == "count")]
        self.argument_nodes = [self._linked(name, plan) for name in value_names]
        self.can = self.word.can
        self.move_verbs = [ask.name or step.verb for ask in self.word.asks]
        pieces = enumerate(plan.ruleset.catalog.pieces)
        self.is_pair = len(phrases) > 1
        self.immovable_kinds = tuple(i for i, piece in pieces if self.is_pair and piece.size > 1)
        self.is_simple = len(phrases) == 1 and bool(self.verb)
        room = self.word.room
        self.needs_origin = room is not None and ORIGIN in signature(room).parameters
        self.target = self._target(plan)
        arguments = [self.argument_exprs.get(name) for name in value_names]
        self.argument_names = tuple(value_names)
        self.legal_expr = self._legal(self.target, arguments)
        self.legal = plan.link(self.legal_expr)
        self.expr_without_waivers = self.norms.narrowed(self.target)
        self.legal_without_waivers = plan.link(self.expr_without_waivers)

    def _is_free(self) -> bool:
        """Whether preferences do not count: it says so, or tells its target from the origin.

        Where a piece may come to from where it stands, no further preference is meant.
        """
        own = self.argument_exprs.get(self.word.asks[-1].phrase) if self.word.asks else None
        is_relative = len(self.word.asks) > 1 and own is not None and mentions_origin(own)
        return is_relative or "freely" in self.argument_exprs

    def _target(self, plan: Plan) -> Expr | None:
        """The set of its last phrase; of a move the one that norms about `cross` leave."""
        own = self.argument_exprs.get(self.word.asks[-1].phrase) if self.word.asks else None
        norms = plan.norms(CROSS)
        self.closing: tuple[NormClause, ...] = ()
        if own is None or not self.word.lifts or not norms.forbids:
            return own
        target = with_ways(own, norms.forbids_all)
        if target != own:
            self.closing = norms.forbids
            self.reached = plan.link(target)
        return target

    def _legal(self, target: Expr | None, values: Sequence[Expr | None]) -> Expr:
        """The hexes that its last phrase and the norms allow; none if it is not possible at all."""
        name = self.step.name
        if self.word.room is not None and target is not None:
            origin = (Var(Sort.HEXES, expressions.NOWHERE, ORIGIN),) if self.needs_origin else ()
            room = expressions.call_word(f"room {name}", Sort.HEXES, (*origin, *values))
            target = expressions.intersection((target, room))
        legal = self.norms.allowed(target, self.freely)
        if self.can is None:
            return legal
        can = expressions.call_word(f"can {name}", Sort.TRUTH, values)
        return expressions.conditional(can, legal, expressions.NOTHING)

    def _linked(self, name: str, plan: Plan) -> Node | None:
        expr = self.argument_exprs.get(name)
        return None if expr is None else plan.link(expr)

    def values(self, view: View) -> list[Any]:
        """The arguments its code takes; None for what was left out."""
        return [None if node is None else node.value(view) for node in self.argument_nodes]

    def room(self, view: View) -> Mask:
        """The hexes where its piece fits; after a first hex is chosen, `origin` is bound to it."""
        if self.word.room is None:
            return view.board.grid.full
        first = (view.env[ORIGIN],) if self.needs_origin else ()
        found: Mask = self.word.room(view, *first, *self.values(view))
        return found

    def is_closed(self, view: View, hex: int) -> bool:
        """Whether norms about `cross` close every way to a hex of its target."""
        return bool(self.closing) and not self.reached.value(view) >> hex & 1

    @property
    def no_room(self) -> str:
        """The reason that a hex has no room for its piece."""
        if self.needs_origin:
            return "there is no other piece there that could change places with the first"
        return "the piece does not fit there"

    def count(self, view: View | None) -> int:
        """How often it is to be done."""
        assert self.count_node is not None
        return int(self.count_node.value(view))

    def pieces(self, view: View) -> Mask:
        """The hexes of its `from` phrase that hold a piece of the right kind.

        A piece of several hexes may be taken off the board, but is never moved.
        """
        node = self.target_nodes[0]
        assert node is not None
        mask: Mask = node.value(view) & view.state.occupied
        for kind in self.immovable_kinds:
            mask &= ~_hexes_of_kind(view, kind)
        if self.piece is None:
            return mask
        return mask & _hexes_of_kind(view, self.piece.value(view))


def _value_kinds(word: StepWord) -> tuple[str, ...]:
    """The kinds of parameters whose values the code of a step takes."""
    # An adverb of a step that asks for hexes speaks of norms, not of what is done.
    return ("operand", "piece", "phrase", *(() if word.asks else ("adverb",)))


def _hexes_of_kind(view: View, kind: int) -> Mask:
    """The hexes with a piece of a kind, whoever owns it."""
    hexes = view.state.neutral[kind]
    for seat in view.state.seats:
        hexes |= seat.pieces[kind]
    return hexes
