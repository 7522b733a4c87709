"""Why a move is legal or not, derived from the very expressions that the reference evaluates."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from kbrules.diagnostics import did_you_mean, quoted
from kbrules.engine.configuration import Reason, Refusal, Table, nearest
from kbrules.game.moves import CHANCE, OWN_VERBS, Move, write_move
from kbrules.game.state import State
from kbrules.game.view import REPEATED, View, is_open
from kbrules.hex.sets import Mask
from kbrules.lang import typed as core
from kbrules.library.ruleset import Offer
from kbrules.plan.plan import NormClause, Plan
from kbrules.plan.steps import BOTH, LinkedStep
from kbrules.primitives.sets import spread
from kbrules.reference.machine import Standing, is_reusable, standing
from kbrules.reference.statements import prepared
from kbrules.text import Span

# What a step's own set and its norms come to, by the very expressions that the engine evaluates.


class StepSets:
    """The sets of a step in a view, and what its norms do there.

    own: the set with which norms begin. open: the hexes of it that nothing forbids. preferred:
    those of them that preferences prefer. effects: each norm with the hexes that it speaks for and
    those that it is against.
    """

    def __init__(self, plan: Plan, linked: LinkedStep, view: View) -> None:
        norms, evaluate = linked.norms, plan.evaluate
        self.view = view
        self.own: Mask = evaluate(linked.stages.own, view)
        self.open: Mask = self.own & ~norms.forbidden(view) if norms.forbids else self.own
        self.are_set_aside = linked.freely or bool(norms.waives and evaluate(norms.waived, view))
        self.preferred: Mask = 0
        if norms.prefers and not self.are_set_aside:
            self.preferred = evaluate(norms.preferred, view) & self.open
        permits = norms.permits if linked.target is None else ()
        clauses = (*permits, *norms.forbids, *norms.denies, *norms.prefers, *norms.waives)
        self.effects = [(clause, *self._effect(clause)) for clause in clauses]

    def is_seen_by(self, view: View) -> bool:
        """Return whether a view sees the same table; a draft may have changed."""
        own = self.view
        same_table = view.state is own.state and type(own.state) is State
        return same_table and view.me == own.me and view.env == own.env

    def _effect(self, clause: NormClause) -> tuple[Mask, Mask]:
        kind, full = clause.norm.kind, self.view.board.grid.full
        if (kind == "prefer" and not self.preferred) or not clause.holds(self.view):
            return 0, 0
        if kind == "waive":
            return full, 0
        hexes = clause.hexes_in(self.view)
        if kind == "permit":
            return hexes, full & ~self.own
        if kind == "prefer":
            return self.open & hexes, self.open & ~hexes
        return 0, hexes


def sets_of(game: Table, linked: LinkedStep, view: View) -> StepSets:
    """Return the sets of a step; those found last are kept, for questions about other hexes."""
    known: dict[int, StepSets] = game.plan.derived.setdefault(StepSets, {})
    found = known.get(id(linked))
    if found is None or not found.is_seen_by(view):
        found = known[id(linked)] = StepSets(game.plan, linked, view)
    return found


# What decides about a move, each thing a verdict.


class Cause(StrEnum):
    """What a verdict is about."""

    OVER = "over"
    CHANCE = "chance"
    BOARD = "board"
    TURN = "turn"
    FIRST = "first"  # something else is to be chosen, or begun, before
    ACTION = "action"  # it offers no such thing, or offers nothing at all
    DONE = "done"
    CARD = "card"
    TILE = "tile"
    GUARD = "guard"
    TERRAIN = "terrain"
    CONDITION = "condition"
    TIMES = "times"
    SUPPLY = "supply"
    OWN_SET = "own set"
    PIECE = "piece"
    KIND = "kind"
    SEVERAL = "several"
    NOWHERE = "nowhere"
    WAY = "way"
    ROOM = "room"
    PERMIT = "permit"
    FORBID = "forbid"
    PREFER = "prefer"
    WAIVE = "waive"
    DENY = "deny"


class Verdict(NamedTuple):
    """One thing that decides about a move: what it is, whose, and where it is written.

    speaks: "for" or "against" the move, or "" if it decides nothing. text: the sentence of a
    refusal. Of a norm, `clause` is the norm and `idle` why it has no effect: the cause of that,
    `WAIVE` for preferences set aside, `PREFER` where no legal hex is preferred. before, after:
    the legal hexes that a preference found, and those that it prefers.
    """

    cause: Cause
    rule: str
    text: str
    span: Span | None = None
    speaks: str = "against"
    clause: NormClause | None = None
    idle: Cause | None = None
    before: Mask = 0
    after: Mask = 0

    @property
    def reason(self) -> Reason:
        """Return the verdict as a reason of a refusal."""
        return Reason(self.rule, self.text, self.span)


_REFUSED = {"forbid": "forbidden on", "deny": "not allowed on"}


def _source_text(expr: core.Expr | None) -> str:
    return "any hex" if expr is None else expr.span.one_line


def text_of_absent_card(state: State, card: int) -> str:
    """Return why a card of this table does not count now."""
    beside = state.beside >> card & 1
    return "the card is beside the table" if beside else "the card is out of the game"


# A step at a hex: its own set, room, supply and norms.


class StepDerivation:
    """What a step says of a hex that is to be chosen for it.

    chosen: the hexes chosen before. unmet: the conditions that keep its action from the step.
    hex: -1 if the move names none. is_source: whether it asks for a piece that is there, not for
    a hex where one is put. own_set: the set that the step itself names; None if norms alone decide.
    view: the table as the choice is judged: a piece that was lifted is no longer there.
    """

    def __init__(
        self,
        game: Table,
        step: core.Step,
        view: View,
        chosen: tuple[int, ...] = (),
        unmet: tuple[Verdict, ...] = (),
    ) -> None:
        self.game, self.step, self.chosen, self.unmet = game, step, chosen, unmet
        self.linked = linked = game.choices.linked(step)
        self.hex = -1
        asks = linked.word.asks
        ask = asks[len(chosen)] if len(chosen) < len(asks) else None
        self.is_source = ask is None or not ask.verb
        self.own_set = None if ask is None else linked.argument_exprs.get(ask.phrase)
        self.step_view = view
        self.view = view if self.is_source else game.choices.choice_view(linked, view, chosen)

    @property
    def rule(self) -> str:
        """The rule whose step it is."""
        return self.game.ruleset.rule_of(self.step)

    @property
    def is_about_hex(self) -> bool:
        """Whether the step asks for a hex, and one is named."""
        return self.hex >= 0 and len(self.chosen) < len(self.linked.word.asks)

    @property
    def verb(self) -> str:
        """The name of the choice."""
        return self.linked.move_verbs[len(self.chosen)] if self.is_about_hex else self.step.verb

    @property
    def sets(self) -> StepSets:
        """What its set and its norms come to."""
        return sets_of(self.game, self.linked, self.view)

    # verdicts

    def verdicts(self) -> Iterator[Verdict]:
        """Yield all that speaks against the hex, as a refusal says it: the step, then norms."""
        if not self.linked.word.asks:
            return
        supply = self._supply()
        if supply is not None:
            yield supply
        elif self.hex < 0:
            yield self._against(Cause.ACTION, f"`{self.step.verb}` needs a hex")
        else:
            yield from self.obstacles()
            for clause, _, against in () if self.is_source else self.sets.effects:
                if against >> self.hex & 1:
                    yield self._norm(clause, "against")

    @property
    def allows(self) -> bool:
        """Whether nothing of it is against the hex, and its action comes to it."""
        return not self.unmet and next(self.verdicts(), None) is None

    def _supply(self) -> Verdict | None:
        linked, view = self.linked, self.step_view
        if linked.can is None or linked.can(view, *linked.values(view)):
            return None
        text = "no such piece is left in the supply"
        return Verdict(Cause.SUPPLY, self.rule, text, self.step.span)

    def in_the_way(self) -> Iterator[Verdict]:
        """Yield what is against the hex besides the step's own set and norms."""
        supply = self._supply()
        if supply is not None:
            yield supply
        yield from (each for each in self.obstacles() if each.cause is not Cause.OWN_SET)

    def obstacles(self) -> Iterator[Verdict]:
        """Yield the first of these that is against the hex: the own set, a piece, ways, room."""
        yield from self._source_obstacles() if self.is_source else self._target_obstacles()

    def _source_obstacles(self) -> Iterator[Verdict]:
        expr, linked, view, hex = self.own_set, self.linked, self.view, self.hex
        if expr is not None and not self.game.plan.evaluate(expr, view) >> hex & 1:
            yield from self._unmet_parts(expr)
        elif not view.state.occupied >> hex & 1:
            yield self._against(Cause.PIECE, "there is no piece")
        elif not linked.pieces(view) >> hex & 1:
            yield self._unfit()
        elif linked.is_pair and not self.game.choices.targets(linked, view, (hex,)):
            yield self._against(Cause.NOWHERE, "this piece has nowhere to go")

    def _target_obstacles(self) -> Iterator[Verdict]:
        """Yield why the hex is not in the set with which norms begin, if a step names one."""
        expr, linked, evaluate = self.own_set, self.linked, self.game.plan.evaluate
        if expr is None or self.sets.own >> self.hex & 1:
            return
        if not evaluate(expr, self.view) >> self.hex & 1:
            yield from self._unmet_parts(expr)
        elif (
            linked.closing
            and linked.target is not None
            and not evaluate(linked.target, self.view) >> self.hex & 1
        ):
            yield from self._closed_ways()
        else:
            yield self._against(Cause.ROOM, linked.no_room)

    def _against(self, cause: Cause, text: str) -> Verdict:
        return Verdict(cause, self.rule, text, self.step.span)

    def _unfit(self) -> Verdict:
        """Return why the step does not take up the piece that is there."""
        kind = self.linked.argument_exprs.get("piece")
        if kind is None:
            return self._against(Cause.SEVERAL, "a piece of several hexes is never moved")
        return self._against(Cause.KIND, f"the piece there is no `{_source_text(kind)}`")

    def _unmet_parts(self, expr: core.Expr) -> Iterator[Verdict]:
        """Yield the parts of an intersection that the hex is not in, as far as they are written."""
        parts = expr.arguments if isinstance(expr, core.Call) and expr.word == BOTH else ()
        if parts and all(_is_within(part.span, expr.span) for part in parts):
            for part in parts:
                yield from self._unmet_parts(part)
        elif not self.game.plan.evaluate(expr, self.view) >> self.hex & 1:
            text = f"it is not in `{_source_text(expr)}`"
            yield Verdict(Cause.OWN_SET, self.rule, text, expr.span)

    def _closed_ways(self) -> Iterator[Verdict]:
        """Yield the norms that close every way to the hex."""
        for clause in self.linked.closing:
            if clause.holds(self.view):
                crossed = _source_text(clause.norm.target)
                text = f"each way there crosses `{crossed}`, which is forbidden"
                rule = clause.owner.rule.id
                yield Verdict(Cause.WAY, rule, text, clause.norm.span, clause=clause)

    # norms

    def norms(self) -> Iterator[Verdict]:
        """Yield a verdict for each norm that the step heeds, whether or not it decides."""
        for clause, for_, against in () if self.is_source else self.sets.effects:
            speaks = "for" if for_ >> self.hex & 1 else "against" if against >> self.hex & 1 else ""
            yield self._norm(clause, speaks)

    def _norm(self, clause: NormClause, speaks: str) -> Verdict:
        sets, kind, idle, before, after = self.sets, clause.norm.kind, None, 0, 0
        if not speaks and not clause.holds(self.view):
            idle = self._idle_cause(clause)
        elif kind == "prefer" and sets.preferred:
            before, after = sets.open, sets.preferred
        elif kind == "prefer":
            idle = Cause.WAIVE if sets.are_set_aside else Cause.PREFER
        text = self._refused_text(clause) if speaks == "against" else ""
        cause, rule, span = Cause(kind), clause.owner.rule.id, clause.norm.span
        return Verdict(cause, rule, text, span, speaks, clause, idle, before, after)

    def _idle_cause(self, clause: NormClause) -> Cause:
        """Return why a norm does not apply."""
        if clause.card >= 0 and self.view.state.unscored >> clause.card & 1:
            return Cause.CARD
        is_unmet = clause.guard is not None and not clause.guard.value(self.view)
        return Cause.GUARD if is_unmet else Cause.TILE

    def _refused_text(self, clause: NormClause) -> str:
        """Return how a refusal says that a norm is against the hex."""
        kind, target = clause.norm.kind, _source_text(clause.norm.target)
        if kind == "permit":
            return f"it is not in `{target}`"
        if kind == "prefer":
            return f"other hexes in `{target}` are free and come first"
        return f"{self.linked.word.asks[-1].verb} is {_REFUSED[kind]} `{target}`"


def _is_within(span: Span, outer: Span) -> bool:
    """Whether a text is part of another; what a `define` stands for is not."""
    same = span.source is outer.source
    return same and outer.start <= span.start and span.end <= outer.end


# The step that decides about a move: the one that asks now, or the first of what would begin.


def pending_statement(game: Table, state: State) -> core.Statement | None:
    """What is to be done now."""
    frame = state.stack[-1]
    block = game.ruleset.blocks.get(frame.block)
    steps = () if block is None else block.steps
    return steps[frame.pc] if frame.pc < len(steps) else None


def first_steps(
    game: Table, block: core.Block, view: View, unmet: tuple[Verdict, ...] = ()
) -> Iterator[StepDerivation]:
    """The steps a block may begin with, those it comes to as things are before the others.

    Each knows the table as its player sees it, and what keeps the block from coming to it.
    """
    steps = block.steps
    while len(steps) > 1 and isinstance(steps[0], core.Step):
        linked = game.choices.linked(steps[0])
        if not linked.word.prepares:
            break
        steps, view = steps[1:], prepared(linked, view)
    if steps:
        yield from _first_steps_of(game, block, steps[0], view, unmet)


def _first_steps_of(
    game: Table,
    block: core.Block,
    statement: core.Statement,
    view: View,
    unmet: tuple[Verdict, ...],
) -> Iterator[StepDerivation]:
    evaluate = game.plan.evaluate
    match statement:
        case core.Step():
            linked, more = game.choices.linked(statement), unmet
            if linked.word.asks and linked.count(view) <= 0:
                count = linked.argument_exprs["count"]
                text = f"`{count.span.one_line}` is 0"
                more = (*unmet, _unmet(block, Cause.TIMES, text, count))
            yield StepDerivation(game, statement, view, (), more)
        case core.Repeat(times=times, body=body):
            text = f"it is done `{times.span.one_line}` times, which is 0"
            if evaluate(times, view) <= 0:
                unmet = (*unmet, _unmet(block, Cause.TIMES, text, times))
            yield from first_steps(game, body, view, unmet)
        case core.If(condition=condition, body=body, other=other):
            if evaluate(condition, view):
                yield from first_steps(game, body, view, unmet)
                return
            if other is not None:
                yield from first_steps(game, other, view, unmet)
            text = f"`{condition.span.one_line}` does not hold"
            more = (_unmet(block, Cause.CONDITION, text, condition),)
            yield from first_steps(game, body, view, unmet + more)
        case core.Either(bodies=bodies):
            for body in bodies:
                yield from first_steps(game, body, view, unmet)
        case core.Each(variable=variable, domain=domain, body=body):
            items = evaluate(domain, view)
            for item in spread(items) if isinstance(items, int) else items:
                yield from first_steps(game, body, view.bound(variable, item), unmet)


def _unmet(block: core.Block, cause: Cause, text: str, expr: core.Expr) -> Verdict:
    return Verdict(cause, block.path.split("/", 2)[1], text, expr.span)


# What a move would begin, and why that cannot be begun at all.

_STANDINGS = {
    Standing.DONE: (Cause.DONE, "it was done this turn"),
    Standing.NOT_HELD: (Cause.TILE, "the player holds no such tile"),
    Standing.USED: (Cause.TILE, "the tile was used this turn"),
    Standing.FRESH: (Cause.TILE, "the tile is new this turn"),
}
_Beginning = tuple[core.Block | None, Verdict | None]
"""What a move would begin, and what is against beginning it at all."""


def _beginning_of(
    game: Table, view: View, move: Move, statement: core.Statement | None, is_reuse: bool
) -> _Beginning:
    """Return what a move would begin where a statement offers something to a player."""
    plan, path = game.plan, view.state.stack[-1].block
    if isinstance(statement, core.Either) and path.split("/", 2)[1] == move.rule:
        return core.Block(path, (statement,)), None
    if (reaction := plan.questions.get(path)) is not None:
        rule, text = plan.reactions[reaction].rule.id, "it is to be used first, or to be stopped"
        other = None if move.rule == rule else Verdict(Cause.FIRST, rule, text)
        return game.ruleset.blocks[reaction], other
    for offer in plan.offers.values():
        if offer.owner.rule.id == move.rule:
            against = None
            if is_reuse and isinstance(statement, core.Step):
                against = _not_reused(game, offer, view, statement)
            return offer.action.body, against or _not_offered(game, offer, view, is_reuse)
    text = "no rule of that name offers it"
    if any(owner.rule.id == move.rule for owner in plan.reactions.values()):
        text = "it is a reaction, and waits for what others do"
    return None, Verdict(Cause.ACTION, move.rule, text)


def _not_reused(game: Table, offer: Offer, view: View, reuse: core.Step) -> Verdict | None:
    """Return that no tile serves for carrying out an action once more, if that is so."""
    places = game.plan.evaluate(next(a for a in reuse.arguments if a is not None), view)
    tiles = [t for t in view.state.seats[view.me].tiles if t.kind == offer.owner.tile]
    rule = game.ruleset.rule_of(reuse)
    if offer.owner.rule.id != rule and any(is_reusable(tile, places) for tile in tiles):
        return None
    return Verdict(Cause.ACTION, rule, f"`{reuse.span.text}` does not serve for it", reuse.span)


def _not_offered(game: Table, offer: Offer, view: View, is_reuse: bool) -> Verdict | None:
    """Return why an action as a whole cannot be begun: done, not held, guarded and so on."""
    state, guard = view.state, offer.action.guard
    found = Standing.OPEN if is_reuse else standing(offer, state, view.me)
    needs_card = not is_reuse and offer.path in game.plan.offers_needing_card
    if found is Standing.BESIDE:
        cause, text = Cause.CARD, text_of_absent_card(state, offer.owner.card)
    elif found is not Standing.DONE and needs_card and is_open(state, game.board):
        cause, text = Cause.TERRAIN, "a terrain of the cards face up is to be chosen first"
    elif found is not Standing.OPEN:
        cause, text = _STANDINGS[found]
    elif guard is not None and not game.plan.evaluate(guard, view):
        cause, text = Cause.GUARD, f"`{guard.span.text}` does not hold"
    else:
        return None
    return Verdict(cause, offer.owner.rule.id, text, offer.action.span)


def _steps_to_begin(game: Table, block: core.Block, view: View, verb: str) -> list[StepDerivation]:
    """Return the steps that a block may begin with, the one that a refusal is about first."""
    steps = list(first_steps(game, block, game.plan.inside(view, block.path)))
    asking = [each for each in steps if each.linked.move_verbs]
    matching = [each for each in asking if verb in each.linked.move_verbs]
    first = next(iter(matching or asking or steps), None)
    return [] if first is None else [first, *(each for each in steps if each is not first)]


# A move derived.


class MoveDerivation:
    """Why a move is legal in a state, or not.

    legal: whether the engine offers it, which is never decided here. `verdicts` are those against
    it, as a refusal says them; `steps` the steps that decide about its hex, that of the refusal
    first.
    """

    def __init__(self, game: Table, state: State, move: Move) -> None:
        self.game, self.state, self.move = game, state, move
        self.moves = game.legal_moves(state)
        self.legal = self.moves.group_of(move) is not None
        self.hex = -1 if move.verb == "draw" else move.hex  # the hex of a draw is a card
        self._beginning: _Beginning | None = None
        self.steps = [] if state.is_over or self.player == CHANCE else self._found_steps()
        for each in self.steps:
            each.hex = self.hex
        self.verdicts = () if self.legal else self._found_verdicts()

    @property
    def player(self) -> int:
        """The player who decides; CHANCE, or no player, if none does."""
        return self.moves.player

    def _found_steps(self) -> list[StepDerivation]:
        """Return the steps that may decide about the move."""
        game, state, move = self.game, self.state, self.move
        frame, statement = state.stack[-1], pending_statement(game, state)
        view, is_reuse = game.view(state, frame.me, frame.env), False
        if isinstance(statement, core.Step):
            word = game.choices.linked(statement).word
            if word.asks:
                return [StepDerivation(game, statement, view, frame.chosen)]
            is_reuse = word.is_reuse
        if is_reuse:
            view = view.bound(REPEATED, True)
        block, _ = self._beginning = _beginning_of(game, view, move, statement, is_reuse)
        return [] if block is None else _steps_to_begin(game, block, view, move.verb)

    def _found_verdicts(self) -> tuple[Verdict, ...]:
        """Return all that is against the move, as a refusal says it."""
        at_rest = self._at_rest()
        if at_rest is not None:
            return (at_rest,)
        return tuple(self._against()) or (Verdict(Cause.TURN, "turn", "it is not offered now"),)

    def _at_rest(self) -> Verdict | None:
        """Return what is against every move now."""
        if self.state.is_over:
            return Verdict(Cause.OVER, "end", "the game is over")
        if self.player == CHANCE:
            is_card = bool(self.moves.weights)
            what = "a card is about to be drawn" if is_card else "chance is about to choose"
            return Verdict(Cause.CHANCE, "deck", what)
        if self.hex >= 0 and not self.game.board.grid.full >> self.hex & 1:
            return Verdict(Cause.BOARD, "board", f"no hex has the index {self.hex}")
        return None

    def _against(self) -> Iterator[Verdict]:
        match self.move.verb:
            case "draw":
                yield Verdict(Cause.CHANCE, "deck", "no card is to be drawn now")
            case "choose":
                text = f"`{self.move.rule}` is not to be chosen now"
                yield Verdict(Cause.TERRAIN, "cards", text)
            case "end":
                for group in self.moves.groups:
                    offer = self.game.plan.offers.get(group.path)
                    if offer is not None and offer.action.required:
                        text, span = "it is required before the turn ends", offer.action.span
                        yield Verdict(Cause.FIRST, group.rule, text, span)
            case _:
                yield from self._against_steps(self.steps)

    def _against_steps(self, steps: list[StepDerivation]) -> Iterator[Verdict]:
        """Yield what is against what a step asks now, or against beginning something."""
        if self._beginning is None:
            [pending] = steps
            verb = pending.linked.move_verbs[len(pending.chosen)]
            if self.move.rule in ("", pending.rule) and self.move.verb in ("", verb):
                yield from pending.verdicts()
            else:
                yield _chosen_first(pending.rule, verb, pending.step)
            return
        against = _unknown_verb(self.game, self.move) or self._beginning[1]
        if against is not None:
            yield against
        elif steps:
            yield from self._against_first(steps[0])

    def _against_first(self, first: StepDerivation) -> Iterator[Verdict]:
        """Yield what is against the first step; its conditions, if its hex is not to blame."""
        names, move, step = first.linked.move_verbs, self.move, first.step
        if move.verb in names[1:]:
            yield _chosen_first(move.rule, names[0], step)
            return
        found = list(first.verdicts())
        yield from found or first.unmet
        if not names and not first.unmet:
            text = f"`{step.verb}` comes first: begin with `{move.rule}: use`"
            if move.verb == "use":
                text = f"`{step.span.text}` has nothing to do"
            yield Verdict(Cause.FIRST, move.rule, text, step.span)

    @property
    def step(self) -> StepDerivation | None:
        """The step to be shown: of a legal move one that allows it."""
        if self.move.verb == "draw":  # its hex is a card
            return None
        allowing = (each for each in self.steps if self.legal and each.allows)
        return next(allowing, None) or next(iter(self.steps), None)

    def refusal(self) -> Refusal:
        """Return the refusal of the move; without a reason if it is legal."""
        reasons = tuple([verdict.reason for verdict in self.verdicts])
        return Refusal(write_move(self.move, self.game.board), reasons, self.nearest)

    @property
    def nearest(self) -> tuple[str, ...]:
        """The names of the nearest hexes for which a move like it is legal."""
        if self.legal or self.move.hex < 0 or self._at_rest() is not None:
            return ()
        legal, (verb, rule, hex) = 0, self.move
        for group in self.moves.groups:
            if group.verb == verb and group.rule == rule:
                legal |= group.hexes
        return nearest(self.game.board.grid, legal, hex) if legal else ()


def _chosen_first(rule: str, verb: str, step: core.Step) -> Verdict:
    return Verdict(Cause.FIRST, rule, f"`{verb}` is to be chosen first", step.span)


def _unknown_verb(game: Table, move: Move) -> Verdict | None:
    """Return that the actions of a rule have no such verb, and which they have."""
    verbs = _verbs_of(game, move.rule)
    if not verbs or move.verb in verbs or move.verb in OWN_VERBS:
        return None
    offer = next(o for o in game.plan.offers.values() if o.owner.rule.id == move.rule)
    listed = ", ".join(map(quoted, sorted(verbs)))
    known = did_you_mean(move.verb, verbs, f"it knows {listed}")
    text = f"it knows no {quoted(move.verb)}; {known}"
    return Verdict(Cause.ACTION, move.rule, text, offer.action.span)


def _verbs_of(game: Table, rule: str) -> frozenset[str]:
    """Return the verbs of all steps in the actions of a rule, found once."""
    known: dict[str, frozenset[str]] = game.plan.derived.setdefault(_verbs_of, {})
    if rule not in known:
        bodies = (o.action.body for o in game.plan.offers.values() if o.owner.rule.id == rule)
        steps = (step for body in bodies for step in core.all_in(body, core.Step))
        verbs = (verb for step in steps for verb in game.choices.linked(step).move_verbs)
        known[rule] = frozenset(verbs)
    return known[rule]


def derive(game: Table, state: State, move: Move) -> MoveDerivation:
    """Return why a move is legal in a state, or not."""
    return MoveDerivation(game, state, move)
