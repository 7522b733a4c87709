"""The plan: which statements of a rule set apply at one table, its norms, options, quantities."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from typing import Any, NamedTuple, Protocol, runtime_checkable

from kbrules.game.state import MAX_FURTHER, Frame, State, draft_of
from kbrules.game.view import View
from kbrules.hex.sets import Mask
from kbrules.lang import typed as core
from kbrules.lang.evaluation import ConstantNode, Node, fold_constants, known_key
from kbrules.lang.typed import Call, Conditional, Expr, Lit, Norm, Sort, Var
from kbrules.library.ruleset import IN_PLAY, Offer, OwnedRule, Ruleset
from kbrules.primitives.registry import StepWord
from kbrules.primitives.steps import MAIN
from kbrules.primitives.vocabulary import CROSS, step_words
from kbrules.text import Span

# Builders of core expressions: unions, intersections, differences, conditionals, calls.

NOWHERE = Span.none("the norms")
BOARD = Call(Sort.HEXES, NOWHERE, "board()", (), fixed=True)
NOTHING = Lit(Sort.HEXES, NOWHERE, 0)
YES = Lit(Sort.TRUTH, NOWHERE, True)
NO = Lit(Sort.TRUTH, NOWHERE, False)


def _binary(word: str, a: Expr, b: Expr) -> Expr:
    return Call(a.sort, NOWHERE, word, (a, b))


def _chain(word: str, parts: Iterable[Expr], empty: Expr) -> Expr:
    found = list(parts)
    return reduce(partial(_binary, word), found) if found else empty


def union(sets: Iterable[Expr]) -> Expr:
    """The hexes of all of them."""
    return _chain("|(hexes,hexes)", sets, NOTHING)


def intersection(sets: Iterable[Expr]) -> Expr:
    """The hexes that are in each of them; all hexes if there is none."""
    return _chain("&(hexes,hexes)", sets, BOARD)


def difference(a: Expr, b: Expr) -> Expr:
    """The hexes of one set that are not in another."""
    return _binary("-(hexes,hexes)", a, b)


def narrowed(a: Expr, b: Expr) -> Expr:
    """What of a set lies in another, or all of it if nothing does."""
    return _binary("narrowed", a, b)


def all_of(tests: Iterable[Expr]) -> Expr:
    """Whether all of them hold."""
    return _chain("and(truth,truth)", tests, YES)


def any_of(tests: Iterable[Expr]) -> Expr:
    """Whether one of them holds."""
    return _chain("or(truth,truth)", tests, NO)


def conditional(test: Expr, value: Expr, other: Expr) -> Expr:
    """One value or the other."""
    return Conditional(value.sort, NOWHERE, test, value, other)


def holds(tile: int, span: Span) -> Expr:
    """An expression: whether the player holds a tile of a kind; `span` is its place."""
    number = Call(Sort.NUMBER, NOWHERE, "held(tile)", (Lit(Sort.TILE, NOWHERE, tile),))
    return Call(Sort.TRUTH, span, ">(number,number)", (number, Lit(Sort.NUMBER, NOWHERE, 0)))


def counts(card: int, span: Span) -> Expr:
    """An expression: whether a card is in play; `span` is its place."""
    return Call(Sort.TRUTH, span, "in_play(card)", (Lit(Sort.CARD, NOWHERE, card),))


def call_word(key: str, sort: Sort, arguments: Iterable[Expr | None]) -> Expr:
    """A call of a word by its key; arguments that are None are left out."""
    values = [Lit(Sort.WORD, NOWHERE, None) if a is None else a for a in arguments]
    return Call(sort, NOWHERE, key, tuple(values))


# The norms about one verb: permitted, not forbidden, narrowed to preferred if any is left.

NORM_KINDS = ("permit", "forbid", "prefer", "waive", "deny")
BASE_SET = "given"
"""The name under which a set is handed to `allowed_hexes`."""


@dataclass(frozen=True, slots=True, eq=False)
class NormClause:
    """A norm with its owner and its linked expressions. target_node: None if it means every hex.

    card: the card that must be in play for it to apply, if that changes in a game, else -1.
    test: whether it applies, as an expression; None if it always does.
    """

    norm: Norm
    owner: OwnedRule
    target_node: Node | None
    guard: Node | None
    card: int
    test: Expr | None

    def holds(self, view: View) -> bool:
        """Whether it applies to `view.me`: their tile is there and the guard holds."""
        if self.card >= 0 and view.state.unscored >> self.card & 1:
            return False
        tile = self.owner.tile
        if tile >= 0 and not any(t.kind == tile for t in view.state.seats[view.me].tiles):
            return False
        return self.guard is None or bool(self.guard.value(view))

    def hexes_in(self, view: View) -> Mask:
        """The hexes it speaks of."""
        if self.target_node is None:
            return view.board.grid.full
        mask: Mask = self.target_node.value(view)
        return mask

    def hexes(self, other: Expr) -> Expr:
        """The hexes it speaks of if it applies, and another set if not."""
        on = self.norm.target or BOARD
        return on if self.test is None else conditional(self.test, on, other)


def _test(norm: Norm, owner: OwnedRule, card: int, guard: Expr | None) -> Expr | None:
    """Return whether a norm applies, as an expression; None if it always does."""
    tests = [holds(owner.tile, norm.span)] if owner.tile >= 0 else []
    if card >= 0:
        tests.append(counts(card, norm.span))
    if guard is not None:
        tests.append(guard)
    return all_of(tests) if tests else None


class Stages(NamedTuple):
    """The hexes of a step, and what norms leave of them; each set is a part of the legal ones.

    own: the set of the step, or all that is permitted. open: those that nothing forbids. legal:
    those that are left in the end.
    """

    own: Expr
    open: Expr
    legal: Expr


class Norms:
    """The clauses about one verb by kind; unions and intersections, so order cannot matter.

    What they say together is put together as one expression, for the table's permits or for a
    step's own set, which replaces them.
    """

    def __init__(self, clauses: Sequence[NormClause], link: Callable[[Expr], Node]) -> None:
        self.permits, self.forbids, self.prefers, self.waives, self.denies = (
            tuple(c for c in clauses if c.norm.kind == kind) for kind in NORM_KINDS
        )
        self._link = link
        empty, board = NOTHING, BOARD
        self._permitted = union(c.hexes(empty) for c in self.permits)
        self.forbids_all = union(c.hexes(empty) for c in self.forbids)
        self.preferred = intersection(c.hexes(board) for c in self.prefers)
        self._denied = union(c.hexes(empty) for c in self.denies)
        self.waived = any_of(c.test or YES for c in self.waives)

    # what they say, as expressions

    def narrowed(self, legal: Expr) -> Expr:
        """The preferred ones of some hexes, or all of them if none is preferred."""
        return narrowed(legal, self.preferred) if self.prefers else legal

    def stages(self, base: Expr | None, freely: bool) -> Stages:
        """The legal hexes, stage by stage; `freely`: whether preferences do not count."""
        # A waiver sets preferences aside and nothing else: what is forbidden stays so. What is
        # denied goes last, so that a denied hex still counts where it is asked what is preferred.
        own = self._permitted if base is None else base
        legal = open_ = difference(own, self.forbids_all) if self.forbids else own
        if not freely:
            left = self.narrowed(open_)
            legal = conditional(self.waived, open_, left) if self.waives else left
        return Stages(own, open_, difference(legal, self._denied) if self.denies else legal)

    # what they say of a view

    def forbidden(self, view: View) -> Mask:
        """The hexes that some clause forbids."""
        mask: Mask = self.forbidden_node.value(view)
        return mask

    @cached_property
    def forbidden_node(self) -> Node:
        """The node of the hexes that some clause forbids."""
        return self._link(self.forbids_all)

    def allowed_hexes(self, view: View, base: Mask) -> Mask:
        """The hexes of a set that are legal."""
        mask: Mask = self._allowed_node.value(view.bound(BASE_SET, base))
        return mask

    @cached_property
    def _allowed_node(self) -> Node:
        return self._link(self.stages(Var(Sort.HEXES, NOWHERE, BASE_SET), freely=False).legal)

    def has_one_waiver(self, view: View) -> bool:
        """Whether preferences are set aside now, and by one rule alone."""
        return len({clause.owner.rule.id for clause in self.waives if clause.holds(view)}) == 1


# Where play is cut off, whatever the rules say, so that every game ends; and what is too large.

MAX_TURNS = 3000
"""A game that has gone on for so many turns is ended after the round."""

MAX_NESTING = 60
"""How deep running blocks may lie upon one another; then no trigger begins a further one."""

MAX_FIRINGS = 200
"""How often rules that act `whenever` do so in one turn; then they rest."""

MAX_TRIALS = 2
"""How deep trials of actions may lie within one another; then no more actions are tried."""

MAX_TRIED_BLOCKS = 8
"""How deep trials of blocks may lie within one another; what lies deeper cannot be begun."""

CUT_OFF = {
    "firings": f"rules that act `whenever` rest after {MAX_FIRINGS} times in a turn",
    "rounds": f"a block is repeated at most {core.MAX_ROUNDS} times",
    "nesting": f"nothing follows what {MAX_NESTING} blocks within one another have led to",
    "turns": f"the game ends after {MAX_TURNS} turns",
    "further": f"a player takes at most {MAX_FURTHER} further turns in a row, and as often "
    "a game is finished again",
    "redraw": "a card stays, as no card of the deck or the discards could take its place",
}
"""What happens when a limit is met, by its name in `kbrules.game.state.LIMITS`."""

MAX_BITS = 4095
"""So many bits a set of hexes may have in native code; sets of twice as many never compiled."""


# Linkers: what turns expressions into nodes that can be evaluated.

Linker = Callable[[core.Expr, Mapping[str, Any]], Node]
"""Makes the node of an expression, given the values of what is known (`fold_constants`)."""
LinkerFactory = Callable[[Ruleset], Linker]
"""Makes the linker of a rule set."""


@runtime_checkable
class Observer(Protocol):
    """A linker that observes evaluation: it records outcomes."""

    def word(self, step: core.Step, word: StepWord) -> StepWord:
        """The word by which a step is done."""

    def record(
        self, statement: core.Award | core.QuantityChange | core.Step, outcome: bool
    ) -> None:
        """That an award paid, a change applied or a step began, or not."""


def default_linker(ruleset: Ruleset) -> Linker:
    """Return the usual linker: the nodes of the evaluator, without an observer."""
    evaluate = ruleset.evaluate
    return lambda expr, known: evaluate.linked(
        fold_constants(expr, known, evaluate.implementations)
    )


# This is what words such as `open(build)` ask; it implements `kbrules.game.view.Rules`.

DRAWING = "drawing()"
DEAD = "dead(verb)"
PLAYED = "played()"
REQUIRED = "required()"
REMOVE_CARD = "remove_card"
Triggers = tuple[tuple[core.Trigger, OwnedRule], ...]
LinkedWheneverRules = tuple[tuple[core.Whenever, OwnedRule, Node], ...]


def reaction_question(path: str) -> str:
    """The address of the decision whether to begin a reaction, given that of its body."""
    return path + "?"


def verbs_of_dead(whenever: core.Whenever) -> Iterator[str]:
    """For which verb a `whenever` rule takes dead cards away; none if it does no such thing."""
    dead = [call for call in core.all_in(whenever.condition, Call) if call.word == DEAD]
    steps = core.all_in(whenever.body, core.Step)
    if dead and any(step.name == REMOVE_CARD for step in steps):
        verb = dead[0].arguments[0]
        assert isinstance(verb, core.Lit)
        yield verb.value


class Plan:
    """The statements of a rule set that apply with these cards and options, on any board."""

    def __init__(
        self,
        ruleset: Ruleset,
        cards: tuple[int, ...],
        options: Mapping[str, bool | int],
        linking: LinkerFactory = default_linker,
    ) -> None:
        self.ruleset = ruleset
        self.linking = linking
        self._linker = linking(ruleset)
        self.observer = self._linker if isinstance(self._linker, Observer) else None
        self.cards = cards
        self.options = {**ruleset.options, **options}
        self._nodes: dict[int, tuple[core.Expr, Node]] = {}
        self._resolved: dict[tuple[int, bool | None], tuple[core.Expr, core.Expr]] = {}
        self.derived: dict[Any, Any] = {}
        """What engines work out of it once, each by a name of its own."""
        self.owners = [o for o in ruleset.owners.values() if self.may_apply(o)]
        self.changes_by_quantity = self._changes_by_quantity()
        self.known = dict(self._known_values())
        self._no_norms = Norms((), self.link)
        pairs = ((norm, owner) for owner in self.owners for norm in owner.rule.norms)
        self._clauses = [clause for norm, owner in pairs for clause in self._clause(norm, owner)]
        self.norms_by_verb = self._norms_by_verb()
        self._joint: dict[tuple[str, str], Norms] = {}
        norms = self.norms_by_verb.items()
        self._open_exprs = {verb: each.stages(None, freely=True).open for verb, each in norms}
        self._open_nodes = {verb: self.link(expr) for verb, expr in self._open_exprs.items()}
        self.triggers = self._triggers_by_event()
        self.whenever_rules = self._link_whenever_rules(drawing=False)
        self.whenever_rules_of_draws = self._link_whenever_rules(drawing=True)
        dead = ((w.body.path, verb) for w, *_ in self.whenever_rules for verb in verbs_of_dead(w))
        self.redraws = dict(dead)
        """The bodies of `whenever` rules that take away dead cards, and the verb of those."""
        self._offer_all(o for o in ruleset.offers() if self.may_apply(o.owner))

    def depends(self, statement: core.Statement | core.Block, word: str) -> bool:
        """Whether a step, or one of a block, calls a word: itself, or by its norms."""
        steps = core.all_in(statement, core.Step)
        mentioned = self.ruleset.mentions(statement, word)
        return mentioned or any(self._norms_mention(step, word) for step in steps)

    def _norms_mention(self, step: core.Step, word: str) -> bool:
        """Whether the norms about a step ask a word; with a target of its own permits are idle."""
        asks = step_words()[step.name].asks
        norms = self.norms_of(step)
        names = [parameter.name for parameter in step_words()[step.name].signature.parameters]
        has_target = asks and step.arguments[names.index(asks[-1].phrase)] is not None
        crossing = self.norms(CROSS).forbids if step_words()[step.name].lifts else ()
        kinds = (norms.forbids, norms.prefers, norms.waives, norms.denies, crossing)
        clauses = [clause for kind in kinds for clause in kind]
        clauses_read = (*clauses, *(() if has_target else norms.permits))
        return any(self.ruleset.mentions(clause.norm, word) for clause in clauses_read)

    def with_cards(self, cards: tuple[int, ...]) -> Plan:
        """The same plan, answering which cards are in play for this very table."""
        plan = copy(self)
        plan.cards = cards
        return plan

    def _offer_all(self, offers: Iterable[Offer]) -> None:
        self.offers = {offer.path: offer for offer in offers}
        self.table_offers = tuple(o for o in self.offers.values() if o.owner.tile < 0)
        self.tile_offers: dict[int, tuple[Offer, ...]] = {}
        for offer in self.offers.values():
            if offer.owner.tile >= 0:
                earlier = self.tile_offers.get(offer.owner.tile, ())
                self.tile_offers[offer.owner.tile] = (*earlier, offer)
        offered = [(t, owner) for owner in self.owners for t in owner.rule.triggers if t.offered]
        self.reactions = {trigger.body.path: owner for trigger, owner in offered}
        self.reaction_guards = {trigger.body.path: trigger.guard for trigger, _ in offered}
        self.questions = {reaction_question(path): path for path in self.reactions}
        self.required_by_block = self._required_by_block()
        self.offers_asking_required = frozenset(
            path
            for path, offer in self.offers.items()
            if offer.action.required and self.depends(offer.action.body, REQUIRED)
        )
        self.offers_needing_card = frozenset(
            path for path, offer in self.offers.items() if self.depends(offer.action.body, PLAYED)
        )

    def _required_by_block(self) -> dict[str, bool]:
        """For each block of an action or reaction whether that is a required one."""
        found = dict.fromkeys(self.questions, False)
        for path in self.reactions:
            found |= {b.path: False for b in core.all_in(self.ruleset.blocks[path], core.Block)}
        for offer in self.offers.values():
            body, required = offer.action.body, offer.action.required
            found |= {block.path: required for block in core.all_in(body, core.Block)}
        return found

    def _link_whenever_rules(self, drawing: bool) -> LinkedWheneverRules:
        """What is done `whenever`, before draws or before other decisions, if it ever is."""
        known = {**self.known, DRAWING: drawing}
        pairs = ((s, o) for s, o in self.ruleset.whenever_rules() if self.may_apply(o))
        linked = [(s, o, self._linker(s.condition, known)) for s, o in pairs]
        return tuple(w for w in linked if not w[2].is_constant or w[2].value(None))

    def link(self, expr: core.Expr) -> Node:
        """The node of an expression under these options; made once for each expression."""
        found = self._nodes.get(id(expr))
        if found is None:
            self._nodes[id(expr)] = found = (expr, self._linker(expr, self.known))
        return found[1]

    def folded_with_cards(self, expr: core.Expr) -> core.Expr:
        """The expression with all worked out that options and the cards on this table decide."""
        indexes = range(len(self.ruleset.catalog.cards))
        played = {known_key(IN_PLAY, str(index)): index in self.cards for index in indexes}
        played = {} if self.ruleset.moves_cards else played
        return fold_constants(expr, {**self.known, **played}, self.ruleset.evaluate.implementations)

    def folded(self, expr: core.Expr, drawing: bool | None = None) -> core.Expr:
        """The expression with everything worked out that is known under these options.

        drawing: whether a card is about to be drawn, where that is known.
        """
        key = id(expr), drawing
        found = self._resolved.get(key)
        if found is None:
            known = self.known if drawing is None else {**self.known, DRAWING: drawing}
            evaluate = self.ruleset.evaluate
            folded = fold_constants(expr, known, evaluate.implementations)
            node = evaluate.linked(folded)
            value = core.Lit(expr.sort, NOWHERE, node.value(None)) if node.is_constant else folded
            self._resolved[key] = found = (expr, value)
        return found[1]

    def evaluate(self, expr: core.Expr, view: View) -> Any:
        """The value of an expression as seen by a view, under these options."""
        return self.link(expr).value(view)

    def word(self, step: core.Step) -> StepWord:
        """The registered word of a step."""
        word = step_words()[step.name]
        return word if self.observer is None else self.observer.word(step, word)

    def _known_values(self) -> Iterator[tuple[str, bool | int]]:
        """Options, and quantities that no rule increases or decreases."""
        for name, value in self.options.items():
            yield known_key("option", name), value
        for name, number in self.ruleset.catalog.numbers.items():
            if name not in self.changes_by_quantity:
                yield known_key("quantity", name), number

    def may_apply(self, owner: OwnedRule) -> bool:
        """Whether a statement's card, if it hangs on one, is in play."""
        return owner.card < 0 or owner.card in self.cards

    def applies_to(self, owner: OwnedRule, state: State, player: int) -> bool:
        """Whether a statement's tile, if it hangs on one, is held by the player.

        Of a card, whether that counts now.
        """
        if owner.card >= 0 and state.unscored >> owner.card & 1:
            return False
        if owner.tile < 0:
            return True
        return any(tile.kind == owner.tile for tile in state.seats[player].tiles)

    def _norms_by_verb(self) -> dict[str, Norms]:
        verbs = sorted({verb for clause in self._clauses for verb in clause.norm.verbs})
        return {verb: self._norms_about({verb}) for verb in verbs}

    def _norms_about(self, verbs: Set[str]) -> Norms:
        """The clauses that speak of any of the verbs, each once."""
        return Norms([c for c in self._clauses if not verbs.isdisjoint(c.norm.verbs)], self.link)

    def _clause(self, norm: core.Norm, owner: OwnedRule) -> Iterator[NormClause]:
        """The norm, linked; a guard that options decide is decided here and now."""
        on = None if norm.target is None else self.link(norm.target)
        guard = None if norm.guard is None else self.link(norm.guard)
        card = owner.card if self.ruleset.moves_cards else -1
        if guard is None or not guard.is_constant:
            yield NormClause(norm, owner, on, guard, card, _test(norm, owner, card, norm.guard))
        elif guard.value(None):
            yield NormClause(norm, owner, on, None, card, _test(norm, owner, card, None))

    def _changes_by_quantity(self) -> dict[str, tuple[tuple[core.QuantityChange, OwnedRule], ...]]:
        found: dict[str, tuple[tuple[core.QuantityChange, OwnedRule], ...]] = {}
        for owner in self.owners:
            for change in owner.rule.changes:
                found[change.quantity] = (*found.get(change.quantity, ()), (change, owner))
        return found

    def _triggers_by_event(self) -> dict[str, Triggers]:
        found: dict[str, Triggers] = {}
        for owner in self.owners:
            for trigger in owner.rule.triggers:
                for event in trigger.events:
                    found[event] = (*found.get(event, ()), (trigger, owner))
        return found

    # what words ask

    def option(self, name: str) -> bool | int:
        """The value of an option at this table."""
        return self.options[name]

    def quantity(self, view: View, name: str) -> int:
        """A set-up number and all that increases or decreases it now; never below 0."""
        value = self.ruleset.catalog.numbers[name]
        for change, owner in self.changes_by_quantity.get(name, ()):
            applies = self.applies_to(owner, view.state, view.me)
            applies = applies and (change.guard is None or self.evaluate(change.guard, view))
            if self.observer is not None:
                self.observer.record(change, bool(applies))
            if applies:
                value += self.evaluate(change.amount, view)
        return max(0, value)

    def memory_value(self, view: View, name: str) -> int:
        """The value of a memory, as `view.me` has it."""
        scope, parameter = self.ruleset.memories[name]
        memory = view.state.memory if scope == "table" else view.state.seats[view.me].memory
        return memory[parameter]

    def in_required(self, view: View) -> bool:
        """Whether the innermost of the actions and reactions under way is a required one."""
        for frame in reversed(view.state.stack):
            required = self.required_by_block.get(frame.block)
            if required is not None:
                return required
        return False

    def inside(self, view: View, path: str) -> View:
        """The view from within an action that is about to begin, if that makes a difference."""
        if path not in self.offers_asking_required:
            return view
        draft = draft_of(view.state)
        draft.stack = (*draft.stack, Frame(path, 0, view.me, view.env))
        return View(view.board, draft, view.me, view.rules, view.env)

    @property
    def start_passes(self) -> bool:
        """Whether each round begins with the next player."""
        return self.ruleset.parts.start_passes

    def is_in_play(self, card: int, state: State) -> bool:
        """Whether a card lies on the table and counts."""
        return card in self.cards and not state.unscored >> card & 1

    def is_beside(self, card: int, state: State) -> bool:
        """Whether a card lies beside the table and may come into play."""
        return card in self.cards and bool(state.beside >> card & 1)

    # norms

    def norms(self, verb: str) -> Norms:
        """The norms about a verb."""
        return self.norms_by_verb.get(verb) or self._no_norms

    def norms_of(self, step: core.Step) -> Norms:
        """The norms that a step heeds: about its verb, and about own pieces if it puts such."""
        asks = step_words()[step.name].asks
        verb, own = (asks[-1].verb, asks[-1].own) if asks else ("", "")
        if own not in self.norms_by_verb or self._places_neutral_piece(step):
            return self.norms(verb)
        if (verb, own) not in self._joint:
            self._joint[verb, own] = self._norms_about({verb, own})
        return self._joint[verb, own]

    def _places_neutral_piece(self, step: core.Step) -> bool:
        """Whether the piece of a step, which is named in it or the main one, is one of nobody."""
        names = [parameter.name for parameter in step_words()[step.name].signature.parameters]
        piece = step.arguments[names.index("piece")] if "piece" in names else None
        kind = ConstantNode(MAIN) if piece is None else self.link(piece)
        pieces = self.ruleset.catalog.pieces  # what a loop binds is a piece that players have
        return kind.is_constant and pieces[kind.value(None)].neutral

    def open_expr(self, verb: str) -> core.Expr:
        """The hexes the table's norms permit for a verb and none forbids, as an expression."""
        return self._open_exprs.get(verb, NOTHING)

    def forbidden(self, view: View, verb: str) -> Mask:
        """Hexes some norm forbids for a verb."""
        return self.norms(verb).forbidden(view)

    def all_cards_dead(self, view: View, verb: str) -> bool:
        """Whether there are cards to draw, and none of them shows a hex open for a verb."""
        deck, discards, _ = view.state.piles
        cards = zip(view.board.terrains_of_card, deck, discards, strict=True)
        drawable = [shown for shown, in_deck, discarded in cards if in_deck + discarded]
        terrains = {terrain for shown in drawable for terrain in shown}
        return bool(drawable) and not any(self.open(view.with_terrain(t), verb) for t in terrains)

    def open(self, view: View, verb: str) -> Mask:
        """Hexes the table's norms permit for a verb and none forbids."""
        mask: Mask = self._open_nodes[verb].value(view) if verb in self._open_nodes else 0
        return mask
