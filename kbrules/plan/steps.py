"""Steps of a plan, their expressions linked, and which pieces have somewhere to go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from inspect import signature
from typing import Any, Protocol

from kbrules.game.events import take_pieces
from kbrules.game.state import Draft, draft_of
from kbrules.game.view import View
from kbrules.hex.sets import Mask, bits
from kbrules.lang import typed as core
from kbrules.lang.evaluation import WORK, Node
from kbrules.lang.typed import Sort
from kbrules.plan import plan as plans
from kbrules.primitives.registry import crossing_forms, is_steady, is_symmetric
from kbrules.primitives.vocabulary import CROSS, step_words

# Which blocks are instant: they run at once, because no step of them needs a decision.


def is_instant(block: core.Block) -> bool:
    """Whether no step of a block needs a decision of a player or a draw."""
    return all(map(_is_instant_statement, block.steps))


def _is_instant_statement(statement: core.Statement) -> bool:
    match statement:
        case core.Step(name=name):
            return not step_words()[name].signature.decides
        case core.If(body=body, other=other):
            return is_instant(body) and (other is None or is_instant(other))
        case core.Repeat(body=body, may_stop=may_stop):
            return not may_stop and is_instant(body)
        case core.Each(body=body):
            return is_instant(body)
    return False


# Norms about `cross`: the hexes that a piece on its way may not pass over.
#
# They hold for every move whose target is given by a way from where the piece was: its words get
# the hexes that may be crossed as one more argument. Where no norm is about `cross`, nothing
# changes.

ORIGIN = "origin"
"""The name of the hex from which a piece was lifted."""


def is_origin(expr: core.Expr | None) -> bool:
    """Whether it is the hex that a piece was lifted from, and nothing else."""
    return isinstance(expr, core.Var) and expr.name == ORIGIN


def mentions_origin(expr: core.Expr) -> bool:
    """Whether it speaks of the hex that a piece was lifted from."""
    return is_origin(expr) or any(map(mentions_origin, core.parts_of(expr)))


def with_ways(target: core.Expr, closed: core.Expr) -> core.Expr:
    """A step's target, reached over hexes only that are not closed."""
    match target:
        case core.Call(arguments=arguments):
            inner = tuple(with_ways(each, closed) for each in arguments)
            return _over(replace(target, arguments=inner), closed)
        case core.Conditional(sort, span, condition, value, other):
            ways = (with_ways(each, closed) for each in (value, other))
            return core.Conditional(sort, span, condition, *ways)
        case core.Fold():
            return replace(target, body=with_ways(target.body, closed))
    return target


def _over(call: core.Call, closed: core.Expr) -> core.Expr:
    """A word about ways from the origin, over hexes only that are not closed."""
    if not call.arguments or not _begins_at_origin(call.arguments[0]):
        return call
    forms = crossing_forms()
    if call.word in forms:
        over = plans.difference(plans.BOARD, closed)
        longer = (*call.arguments, over)
        return replace(call, word=forms[call.word], arguments=longer, fixed=False)
    if call.word in forms.values():
        *rest, last = call.arguments
        return replace(call, arguments=(*rest, plans.difference(last, closed)), fixed=False)
    return call


def _begins_at_origin(expr: core.Expr) -> bool:
    """Whether it is the hex that the piece was lifted from, or its group and the like."""
    if isinstance(expr, core.Call):
        return any(map(_begins_at_origin, expr.arguments))
    return is_origin(expr)


# A step of a plan with its expressions linked and its parameters found by name.


class LinkedStep:
    """A step with linked expressions: what it needs from players and where it is legal.

    word: the registered step. target_nodes: of each phrase it asks a hex of (None: left out).
    norms: those it heeds. freely: whether preferences do not count. argument_exprs: by name.
    move_verbs: what each choice is called. is_simple: whether it asks for one hex of a set.
    needs_terrain: whether it depends on the terrain played. at_random: whether chance chooses.
    target: the set of its last phrase, reached over hexes only that may be crossed, or None.
    closing: the norms that say which may not, if the target asks.
    stages: its hexes, and what norms leave of them.
    legal: the hexes where its piece may be put, if it has one; legal_without_waivers: the same if
    nothing waived preferences. is_pair: whether it asks for the hex of a piece and a second one.
    needs_origin: whether its room depends on the first.
    times: how often it is to be done, if that is the same everywhere, else -1; count_node: the node
    that says so, if it may be more than once. argument_nodes: those it does not ask for, in the
    order of `argument_names`. immovable_kinds: the pieces of several hexes, lifted only as a whole.
    """

    __slots__ = (
        "argument_exprs", "argument_names", "argument_nodes", "at_random", "can", "closing",
        "count_node", "expr_without_waivers", "freely", "immovable_kinds", "is_pair", "is_simple",
        "legal", "legal_expr", "legal_without_waivers", "move_verbs", "needs_origin",
        "needs_terrain", "norms", "piece", "stages", "step", "target", "target_nodes",
        "times", "verb", "word",
    )  # fmt: skip

    def __init__(self, step: core.Step, plan: plans.Plan) -> None:
        self.step = step
        self.word = plan.word(step)
        parameters = self.word.signature.parameters
        pairs = zip(parameters, step.arguments, strict=True)
        self.argument_exprs: dict[str, core.Expr] = {s.name: a for s, a in pairs if a is not None}
        phrases = [ask.phrase for ask in self.word.asks]
        self.target_nodes = [self._linked(name, plan) for name in phrases]
        self.verb = self.word.asks[-1].verb if self.word.asks else ""
        self.norms = plan.norms_of(step)
        self.needs_terrain = plan.depends(step, plans.PLAYED)
        self.freely = self._is_free()
        self.at_random = "at_random" in self.argument_exprs
        self.piece = self._linked("piece", plan)
        repeats = bool(phrases) or self.word.outcomes is not None
        self.count_node = self._linked("count", plan) if repeats else None
        is_known = self.count_node is not None and self.count_node.is_constant
        self.times = self.count(None) if is_known else -1
        # An adverb of a step that asks for hexes speaks of norms, not of what is done.
        taken = {"operand", "piece", "phrase", *(() if self.word.asks else ("adverb",))}
        names = [parameter.name for parameter in parameters if parameter.kind in taken]
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
        self.stages = self.norms.stages(self._with_room(self.target, arguments), self.freely)
        self.legal_expr = self._if_possible(self.stages.legal, arguments)
        self.legal = plan.link(self.legal_expr)
        self.expr_without_waivers = self.norms.narrowed(self.stages.open)
        self.legal_without_waivers = plan.link(self.expr_without_waivers)

    def _is_free(self) -> bool:
        """Whether preferences do not count: it says so, or tells its target from the origin.

        Where a piece may come to from where it stands, no further preference is meant.
        """
        own = self.argument_exprs.get(self.word.asks[-1].phrase) if self.word.asks else None
        is_relative = len(self.word.asks) > 1 and own is not None and mentions_origin(own)
        return is_relative or "freely" in self.argument_exprs

    def _target(self, plan: plans.Plan) -> core.Expr | None:
        """The set of its last phrase; of a move the one that norms about `cross` leave."""
        own = self.argument_exprs.get(self.word.asks[-1].phrase) if self.word.asks else None
        norms = plan.norms(CROSS)
        self.closing: tuple[plans.NormClause, ...] = ()
        if own is None or not self.word.lifts or not norms.forbids:
            return own
        target = with_ways(own, norms.forbids_all)
        if target != own:
            self.closing = norms.forbids
        return target

    def _with_room(
        self, target: core.Expr | None, values: Sequence[core.Expr | None]
    ) -> core.Expr | None:
        """The hexes of its last phrase where its piece fits."""
        if self.word.room is None or target is None:
            return target
        origin = (core.Var(Sort.HEXES, plans.NOWHERE, ORIGIN),) if self.needs_origin else ()
        room = plans.call_word(f"room {self.step.name}", Sort.HEXES, (*origin, *values))
        return plans.intersection((target, room))

    def _if_possible(self, legal: core.Expr, values: Sequence[core.Expr | None]) -> core.Expr:
        """The legal hexes; none if the step is not possible at all."""
        if self.can is None:
            return legal
        can = plans.call_word(f"can {self.step.name}", Sort.TRUTH, values)
        return plans.conditional(can, legal, plans.NOTHING)

    def _linked(self, name: str, plan: plans.Plan) -> Node | None:
        expr = self.argument_exprs.get(name)
        return None if expr is None else plan.link(expr)

    def values(self, view: View) -> list[Any]:
        """The arguments its code takes; None for what was left out."""
        return [None if node is None else node.value(view) for node in self.argument_nodes]

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


def _hexes_of_kind(view: View, kind: int) -> Mask:
    """The hexes with a piece of a kind, whoever owns it."""
    hexes = view.state.neutral[kind]
    for seat in view.state.seats:
        hexes |= seat.pieces[kind]
    return hexes


# Which pieces have somewhere to go: computed for all at once where that is exact.
#
# A piece is a source if, once lifted, it has a target. Lifting each piece in turn is the
# definition and always right. Where the target set is `F & R(origin)` with F untouched by
# lifting and R symmetric (`straight(origin, 2)`), the pieces with a target are R(F).

BOTH = "&(hexes,hexes)"  # an intersection
_LIFTING_WORK = 10  # steps of expressions that take as long as lifting a piece


class Targets(Protocol):
    """The definition: the targets of a step after its source was chosen."""

    def targets_in(self, linked: LinkedStep, lifted_view: View) -> Mask:
        """The hexes where the lifted piece may be put."""


def lifted(view: View, draft: Draft, hex: int) -> View:
    """Take up the piece on a hex of the draft; the view of that, with `origin` bound."""
    for player, seat in enumerate(draft.seats):
        if seat.all >> hex & 1:
            piece = next(i for i, mask in enumerate(seat.pieces) if mask >> hex & 1)
            take_pieces(draft, player, piece, 1 << hex)
            break
    return View(view.board, draft, view.me, view.rules, {**view.env, ORIGIN: 1 << hex})


class SplitTarget:
    """A target set in two parts: what does not depend on the origin, and the relation to it."""

    __slots__ = ("free", "relation")

    def __init__(self, free: list[Node], relation: Node | None) -> None:
        self.free = free
        self.relation = relation


class MovablePieces:
    """Finds the pieces that a step may move."""

    def __init__(self, plan: plans.Plan, targets: Targets) -> None:
        self._plan = plan
        self._targets = targets
        self._splits: dict[int, SplitTarget | None] = {}

    def with_targets(self, linked: LinkedStep, view: View) -> Mask:
        """The pieces of a step's `from` phrase that have somewhere to go."""
        pieces = linked.pieces(view)
        if id(linked) not in self._splits:
            self._splits[id(linked)] = self._split(linked)
        split = self._splits[id(linked)]
        denies = [each for each in linked.norms.denies if split and each.holds(view)]
        if split is None or len(denies) != 1 or not is_origin(denies[0].norm.target):
            return self.one_by_one(linked, view, pieces)
        return self._all_at_once(linked, view, pieces, split)

    def one_by_one(self, linked: LinkedStep, view: View, pieces: Mask) -> Mask:
        """The pieces that have a target once chosen; one draft serves for all that are lifted."""
        found = 0
        draft = draft_of(view.state)
        seats, occupied, neutral = draft.seats, draft.occupied, draft.neutral
        for hex in bits(pieces):
            WORK.steps += _LIFTING_WORK
            draft.seats, draft.occupied, draft.neutral = seats, occupied, neutral
            lifted_view = (
                lifted(view, draft, hex) if linked.word.lifts else view.bound(ORIGIN, 1 << hex)
            )
            if self._targets.targets_in(linked, lifted_view):
                found |= 1 << hex
        return found

    def _all_at_once(
        self, linked: LinkedStep, view: View, pieces: Mask, split: SplitTarget
    ) -> Mask:
        own = view.board.grid.full
        for node in split.free:
            own &= node.value(view)
        free = own & ~linked.norms.forbidden(view)
        if not free:
            return 0
        if split.relation is not None:
            pieces &= split.relation.value(view.bound(ORIGIN, free))
        if linked.freely:
            return pieces
        # Where a piece stands is free for it once lifted, may be preferred to every other
        # hex, and then be denied: those pieces are computed one by one.
        doubtful = pieces & own
        return pieces & ~doubtful | self.one_by_one(linked, view, doubtful)

    def _split(self, linked: LinkedStep) -> SplitTarget | None:
        split = split_target(linked)
        if split is None:
            return None
        link, (free, related) = self._plan.link, split
        return SplitTarget(
            [link(term) for term in free], None if related is None else link(related)
        )


def split_target(linked: LinkedStep) -> tuple[list[core.Expr], core.Expr | None] | None:
    """The target of a step: what does not depend on the origin, and the relation to it if any.

    None where that does not tell which pieces have somewhere to go.
    """
    target = linked.target
    steady = all(
        c.norm.target is not None and _is_settled(c.norm.target) and _is_settled(c.norm.guard)
        for c in linked.norms.forbids
    )
    if not linked.word.lifts or target is None or not steady or linked.norms.waives:
        return None
    terms = list(_terms(target))
    related = [term for term in terms if mentions_origin(term)]
    free = [term for term in terms if not mentions_origin(term)]
    if len(related) > 1 or not all(_ignores_origin(term) for term in free):
        return None
    if related and not (_is_relation(related[0]) and linked.freely):
        return None
    return free, related[0] if related else None


def _terms(expr: core.Expr) -> list[core.Expr]:
    """The parts of an intersection."""
    if isinstance(expr, core.Call) and expr.word == BOTH:
        return [term for part in expr.arguments for term in _terms(part)]
    return [expr]


def _is_relation(expr: core.Expr) -> bool:
    """Whether it is a symmetric word of the origin and otherwise of what no piece changes."""
    if not isinstance(expr, core.Call) or not is_symmetric(expr.word):
        return False
    first, *rest = expr.arguments
    return is_origin(first) and all(_ignores_origin(part) for part in rest)


def _ignores_origin(expr: core.Expr | None) -> bool:
    """Whether lifting a piece cannot change the value at all."""
    if expr is None or isinstance(expr, core.Lit):
        return True
    if isinstance(expr, core.Var):
        return expr.name != ORIGIN
    own = not isinstance(expr, core.Call) or expr.fixed or is_steady(expr.word)
    return own and all(_ignores_origin(part) for part in core.parts_of(expr))


def _is_settled(expr: core.Expr | None) -> bool:
    """Whether lifting a piece can change the value at the piece's own hex only."""
    if isinstance(expr, core.Call) and expr.word == "|(hexes,hexes)":
        return all(_is_settled(part) for part in expr.arguments)
    if isinstance(expr, core.Call) and expr.word == "occupied()":
        return True
    return _ignores_origin(expr)
