"""Why a move is not legal: the clauses against it, found by the reference evaluator."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import and_

from kbrules.diagnostics import did_you_mean, quoted
from kbrules.engine.configuration import GameLike, Reason, Refusal, nearest
from kbrules.game.moves import CHANCE, OWN_VERBS, Move, write_move
from kbrules.game.state import READY, State
from kbrules.game.view import REPEATED, View, is_open
from kbrules.hex.sets import Mask
from kbrules.lang.typed import (
    Block,
    Call,
    Each,
    Either,
    Expr,
    If,
    Repeat,
    Statement,
    Step,
    walk_blocks,
)
from kbrules.library.ruleset import Offer
from kbrules.plan.steps import BOTH
from kbrules.primitives.sets import spread
from kbrules.reference.machine import is_reusable
from kbrules.reference.statements import prepared
from kbrules.text import Span

# The step that decides about a move, and why an action cannot be begun.


def pending_step(
    game: GameLike, state: State, move: Move
) -> tuple[Step, View, tuple[int, ...]] | None:
    """The step that is asking now, if the move is meant for it."""
    frame, statement = state.stack[-1], _pending_statement(game, state)
    if not isinstance(statement, Step) or not game.choices.linked(statement).word.asks:
        return None
    return statement, game.view(state, frame.me, frame.env), frame.chosen


def _pending_statement(game: GameLike, state: State) -> Statement | None:
    """What is to be done now."""
    frame = state.stack[-1]
    block = game.ruleset.blocks.get(frame.block)
    steps = () if block is None else block.steps
    return steps[frame.pc] if frame.pc < len(steps) else None


def _pending_branches(game: GameLike, state: State, move: Move) -> Block | None:
    """The branches of the move's rule of which one is to be begun now."""
    path, statement = state.stack[-1].block, _pending_statement(game, state)
    if not isinstance(statement, Either) or path.split("/", 2)[1] != move.rule:
        return None
    return Block(path, (statement,))


def decider_view(game: GameLike, state: State) -> tuple[View, Step | None]:
    """Return the table as the deciding player sees it, and the step that lets them reuse a tile."""
    frame, statement = state.stack[-1], _pending_statement(game, state)
    view = game.view(state, game.legal_moves(state).player, frame.env)
    if isinstance(statement, Step) and game.choices.linked(statement).word.is_reuse:
        return view.bound(REPEATED, True), statement
    return view, None


def block_to_begin(
    game: GameLike, view: View, move: Move, reuse: Step | None
) -> tuple[Block | None, Reason | None]:
    """What a move would begin, and why that cannot be begun at all."""
    branches = _pending_branches(game, view.state, move)
    if branches is not None:
        return branches, None
    path = game.plan.questions.get(view.state.stack[-1].block)
    if path is not None:
        owner, block = game.plan.reactions[path], game.ruleset.blocks[path]
        other = Reason(owner.rule.id, "it is to be used first, or to be stopped")
        return block, None if move.rule == owner.rule.id else other
    found = _action_block(game, move)
    if found is not None:
        if reuse is not None:
            return found, _why_not_reused(game, view, found, reuse)
        return found, _why_not_offered(game, view, found)
    if any(owner.rule.id == move.rule for owner in game.plan.reactions.values()):
        return None, Reason(move.rule, "it is a reaction, and waits for what others do")
    return None, Reason(move.rule, "no rule of that name offers it")


def _action_block(game: GameLike, move: Move) -> Block | None:
    for offer in game.plan.offers.values():
        if offer.owner.rule.id == move.rule:
            return offer.action.body
    return None


def _why_not_reused(game: GameLike, view: View, block: Block, reuse: Step) -> Reason | None:
    """Why an action cannot be begun once more: by no tile that serves, or guarded."""
    offer = game.plan.offers[block.path]
    places = game.plan.evaluate(next(a for a in reuse.arguments if a is not None), view)
    tiles = [t for t in view.state.seats[view.me].tiles if t.kind == offer.owner.tile]
    rule = game.ruleset.rule_of(reuse)
    if offer.owner.rule.id == rule or not any(is_reusable(tile, places) for tile in tiles):
        return Reason(rule, f"`{reuse.span.text}` does not serve for it", reuse.span)
    return _why_guarded(game, view, offer)


def _why_guarded(game: GameLike, view: View, offer: Offer) -> Reason | None:
    guard = offer.action.guard
    if guard is None or game.plan.evaluate(guard, view):
        return None
    return Reason(offer.owner.rule.id, f"`{guard.span.text}` does not hold", offer.action.span)


def _why_not_offered(game: GameLike, view: View, block: Block) -> Reason | None:
    """Why an action as a whole cannot be begun: used, not held, held but fresh, guarded."""
    offer, state, me = game.plan.offers[block.path], view.state, view.me
    rule, span = offer.owner.rule.id, offer.action.span
    if offer.path in state.used:
        return Reason(rule, "it was done this turn", span)
    if offer.path in game.plan.offers_needing_card and is_open(state, game.board):
        return Reason(rule, "a terrain of the cards face up is to be chosen first", span)
    if offer.owner.tile >= 0:
        tiles = [t for t in state.seats[me].tiles if t.kind == offer.owner.tile]
        if not tiles:
            return Reason(rule, "the player holds no such tile", span)
        if all(tile.status != READY for tile in tiles):
            used = tiles[0].status
            text = "the tile was used this turn" if used == "used" else "the tile is new this turn"
            return Reason(rule, text, span)
    return _why_guarded(game, view, offer)


def first_step(game: GameLike, block: Block, view: View, verb: str) -> tuple[Step, View] | None:
    """The step a block begins with; of several branches one that knows the verb, or asks at all."""
    found = list(first_steps(game, block, view))
    linked = [pair for pair in found if game.choices.linked(pair[0]).move_verbs]
    matching = [pair for pair in linked if verb in game.choices.linked(pair[0]).move_verbs]
    return next(iter(matching or linked or found), None)


def first_steps(game: GameLike, block: Block, view: View) -> Iterator[tuple[Step, View]]:
    """The steps a block may begin with, each with the table as its player sees it."""
    steps = block.steps
    while len(steps) > 1 and isinstance(steps[0], Step):
        linked = game.choices.linked(steps[0])
        if not linked.word.prepares:
            break
        steps, view = steps[1:], prepared(linked, view)
    statement = steps[0] if steps else None
    if isinstance(statement, Step):
        yield statement, view
    elif isinstance(statement, Repeat | If):
        yield from first_steps(game, statement.body, view)
    elif isinstance(statement, Either):
        for body in statement.bodies:
            yield from first_steps(game, body, view)
    elif isinstance(statement, Each):
        domain = game.plan.evaluate(statement.domain, view)
        for item in spread(domain) if isinstance(domain, int) else domain:
            yield from first_steps(game, statement.body, view.bound(statement.variable, item))


# The clauses of a step and its norms that make choosing a hex illegal.


def reasons_against(
    game: GameLike, step: Step, view: View, chosen: tuple[int, ...], hex: int
) -> Iterator[Reason]:
    """The clauses that stand against choosing a hex for a step."""
    word = game.choices.linked(step).word
    rule = game.ruleset.rule_of(step)
    if word.can is not None and not word.can(view, *game.choices.linked(step).values(view)):
        yield Reason(rule, "no such piece is left in the supply", step.span)
        return
    ask = word.asks[len(chosen)]
    if hex < 0:
        yield Reason(rule, f"`{step.verb}` needs a hex", step.span)
    elif not ask.verb:
        yield from _reasons_against_source(game, step, view, ask.phrase, hex)
    else:
        choice_view = game.choices.choice_view(game.choices.linked(step), view, chosen)
        yield from _reasons_against_target(game, step, choice_view, ask.phrase, ask.verb, hex)


def _reasons_against_source(
    game: GameLike, step: Step, view: View, phrase: str, hex: int
) -> Iterator[Reason]:
    expr = game.choices.linked(step).argument_exprs.get(phrase)
    rule = game.ruleset.rule_of(step)
    if expr is not None and not game.plan.evaluate(expr, view) >> hex & 1:
        yield from _unmet_parts(game, rule, expr, view, 1 << hex)
    elif not view.state.occupied >> hex & 1:
        yield Reason(rule, "there is no piece", step.span)
    elif not game.choices.linked(step).pieces(view) >> hex & 1:
        yield Reason(rule, _why_unfit(game, step), step.span)
    else:
        yield Reason(rule, "this piece has nowhere to go", step.span)


def _why_unfit(game: GameLike, step: Step) -> str:
    """Why a step does not take up the piece that is there."""
    kind = game.choices.linked(step).argument_exprs.get("piece")
    if kind is None:
        return "a piece of several hexes is never moved"
    return f"the piece there is no `{_source_text(kind)}`"


def _unmet_parts(game: GameLike, rule: str, expr: Expr, view: View, bit: Mask) -> Iterator[Reason]:
    """The parts of an intersection that a hex is not in, as far as they are written out here."""
    parts = expr.arguments if isinstance(expr, Call) and expr.word == BOTH else ()
    if parts and all(_is_within(part.span, expr.span) for part in parts):
        for part in parts:
            yield from _unmet_parts(game, rule, part, view, bit)
    elif not game.plan.evaluate(expr, view) & bit:
        yield Reason(rule, f"it is not in `{_source_text(expr)}`", expr.span)


def _is_within(span: Span, outer: Span) -> bool:
    """Whether a text is part of another; what a `define` stands for is not."""
    same = span.source is outer.source
    return same and outer.start <= span.start and span.end <= outer.end


def _reasons_against_target(
    game: GameLike, step: Step, view: View, phrase: str, verb: str, hex: int
) -> Iterator[Reason]:
    plan = game.plan
    on = game.choices.linked(step).argument_exprs.get(phrase)
    base: int | None = None if on is None else plan.evaluate(on, view)
    bit = 1 << hex
    if on is not None and base is not None and not base & bit:
        yield from _unmet_parts(game, game.ruleset.rule_of(step), on, view, bit)
    elif game.choices.linked(step).is_closed(view, hex):
        yield from _closed_ways(game, step, view)
    elif not game.choices.linked(step).room(view) & bit:
        yield Reason(game.ruleset.rule_of(step), game.choices.linked(step).no_room, step.span)
    norms = game.choices.linked(step).norms
    permits = [c for c in norms.permits if c.holds(view)] if on is None else []
    if on is None and not any(c.hexes_in(view) & bit for c in permits):
        for clause in permits:
            text = f"it is not in `{_source_text(clause.norm.target)}`"
            yield Reason(clause.owner.rule.id, text, clause.norm.span)
    for clauses, text in ((norms.forbids, "forbidden on"), (norms.denies, "not allowed on")):
        for clause in clauses:
            if clause.holds(view) and clause.hexes_in(view) & bit:
                reason = f"{verb} is {text} `{_source_text(clause.norm.target)}`"
                yield Reason(clause.owner.rule.id, reason, clause.norm.span)
    yield from _reasons_by_preference(game, step, view, verb, base, bit)


def _closed_ways(game: GameLike, step: Step, view: View) -> Iterator[Reason]:
    """The norms that close every way to a hex."""
    for clause in game.choices.linked(step).closing:
        if clause.holds(view):
            text = (
                f"each way there crosses `{_source_text(clause.norm.target)}`, which is forbidden"
            )
            yield Reason(clause.owner.rule.id, text, clause.norm.span)


def _reasons_by_preference(
    game: GameLike, step: Step, view: View, verb: str, base: int | None, bit: int
) -> Iterator[Reason]:
    """A preference that narrowed the hex away, if it was otherwise legal."""
    norms = game.choices.linked(step).norms
    freely = game.choices.linked(step).freely
    open_ = game.plan.open(view, verb) if base is None else base
    open_ &= ~norms.forbidden(view)
    if freely or not open_ & bit or norms.is_waived(view):
        return
    preferences = [clause for clause in norms.prefers if clause.holds(view)]
    if not reduce(and_, (clause.hexes_in(view) for clause in preferences), open_):
        return
    for clause in preferences:
        if not clause.hexes_in(view) & bit:
            text = f"other hexes in `{_source_text(clause.norm.target)}` are free and come first"
            yield Reason(clause.owner.rule.id, text, clause.norm.span)


def _source_text(expr: object) -> str:
    span = getattr(expr, "span", None)
    return " ".join(span.text.split()) if span is not None else "any hex"


def explain(game: GameLike, state: State, move: Move) -> Refusal:
    """The refusal of a move in a state; without a reason if the move is legal."""
    text = write_move(move, game.board)
    moves = game.legal_moves(state)
    if moves.group_of(move) is not None:
        return Refusal(text, ())
    if state.is_over:
        return Refusal(text, (Reason("end", "the game is over"),))
    if moves.player == CHANCE:
        what = "a card is about to be drawn" if moves.weights else "chance is about to choose"
        return Refusal(text, (Reason("deck", what),))
    if move.hex >= 0 and move.verb != "draw" and not game.board.grid.full >> move.hex & 1:
        return Refusal(text, (Reason("board", f"no hex has the index {move.hex}"),))
    reasons = tuple(_reasons(game, state, move)) or (Reason("turn", "it is not offered now"),)
    legal = 0
    for group in moves.groups:
        if group.verb == move.verb and group.rule == move.rule:
            legal |= group.hexes
    nearest_hexes = nearest(game.board.grid, legal, move.hex) if move.hex >= 0 and legal else ()
    return Refusal(text, reasons, nearest_hexes)


def deciding_steps(
    game: GameLike, state: State, move: Move
) -> list[tuple[Step, View, tuple[int, ...]]]:
    """The steps that may decide about a move, the one its refusal speaks of first.

    Each comes with the table as its player sees it and the hexes already chosen for it. There is
    none where no player decides, or where the move's rule offers nothing.
    """
    moves = game.legal_moves(state)
    if state.is_over or moves.player == CHANCE:
        return []
    pending = pending_step(game, state, move)
    if pending is not None:
        return [pending]
    view, reuse = decider_view(game, state)
    block, _ = block_to_begin(game, view, move, reuse)
    if block is None:
        return []
    inside = game.plan.inside(view, block.path)
    first = first_step(game, block, inside, move.verb)
    steps = [pair for pair in first_steps(game, block, inside) if pair != first]
    return [(*pair, ()) for pair in ([first] if first else []) + steps]


def _reasons(game: GameLike, state: State, move: Move) -> Iterator[Reason]:
    if move.verb == "draw":
        yield Reason("deck", "no card is to be drawn now")
    elif move.verb == "choose":
        yield Reason("cards", f"`{move.rule}` is not to be chosen now")
    elif move.verb == "end":
        yield from _still_required(game, state)
    else:
        yield from _reasons_against_action(game, state, move)


def _reasons_against_action(game: GameLike, state: State, move: Move) -> Iterator[Reason]:
    """Against what a step asks now, or against beginning an action."""
    found = pending_step(game, state, move)
    if found is not None:
        step, view, chosen = found
        rule = game.ruleset.rule_of(step)
        verb = game.choices.linked(step).move_verbs[len(chosen)]
        if move.rule not in ("", rule) or move.verb not in ("", verb):
            yield Reason(rule, f"`{verb}` is to be chosen first", step.span)
        else:
            yield from reasons_against(game, step, view, chosen, move.hex)
        return
    unknown_verb = _unknown_verb(game, move)
    if unknown_verb is not None:
        yield unknown_verb
        return
    view, reuse = decider_view(game, state)
    block, reason = block_to_begin(game, view, move, reuse)
    if reason is not None:
        yield reason
    elif block is not None:
        yield from _reasons_against_first(game, block, game.plan.inside(view, block.path), move)


def _reasons_against_first(
    game: GameLike, block: Block, view: View, move: Move
) -> Iterator[Reason]:
    """Against the step that a block begins with."""
    found = first_step(game, block, view, move.verb)
    if found is None:
        return
    step, view = found
    names = game.choices.linked(step).move_verbs
    if not names:
        text = f"`{step.verb}` comes first: begin with `{move.rule}: use`"
        if move.verb == "use":
            text = f"`{step.span.text}` has nothing to do"
        yield Reason(move.rule, text, step.span)
    elif move.verb in names[1:]:
        yield Reason(move.rule, f"`{names[0]}` is to be chosen first", step.span)
    else:
        yield from reasons_against(game, step, view, (), move.hex)


def _unknown_verb(game: GameLike, move: Move) -> Reason | None:
    """That the actions of a rule have no such verb, and which they have."""
    offers = [o for o in game.plan.offers.values() if o.owner.rule.id == move.rule]
    blocks = (block for offer in offers for block in walk_blocks(offer.action.body))
    steps = (each for block in blocks for each in block.steps if isinstance(each, Step))
    verbs = {verb for step in steps for verb in game.choices.linked(step).move_verbs}
    if not verbs or move.verb in {*verbs, *OWN_VERBS}:
        return None
    listed = ", ".join(map(quoted, sorted(verbs)))
    known = did_you_mean(move.verb, verbs, f"it knows {listed}")
    return Reason(move.rule, f"it knows no {quoted(move.verb)}; {known}", offers[0].action.span)


def _still_required(game: GameLike, state: State) -> Iterator[Reason]:
    for group in game.legal_moves(state).groups:
        offer = game.plan.offers.get(group.path)
        if offer is not None and offer.action.required:
            yield Reason(group.rule, "it is required before the turn ends", offer.action.span)
