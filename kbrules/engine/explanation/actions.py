"""The step that decides about a move, and why an action cannot be begun."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.engine.interface import GameLike
from kbrules.engine.refusal import Reason
from kbrules.game.moves import Move
from kbrules.game.state import READY, State
from kbrules.game.terrain_choice import is_open
from kbrules.game.view import REPEATED, View
from kbrules.lang.typed.core import Block, Each, Either, If, Repeat, Statement, Step
from kbrules.library.ruleset import Offer
from kbrules.primitives.hexes import spread
from kbrules.reference.offers import is_reusable
from kbrules.reference.steps import prepared


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
    """The table as whoever decides sees it, and the step that lets them reuse a tile, if any."""
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
