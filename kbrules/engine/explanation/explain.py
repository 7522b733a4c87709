"""Why a move is not legal: the clauses against it, found by the reference evaluator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kbrules.diagnostics import did_you_mean, quoted
from kbrules.engine.explanation.actions import (
    block_to_begin,
    decider_view,
    first_step,
    first_steps,
    pending_step,
)
from kbrules.engine.explanation.clauses import reasons_against
from kbrules.engine.interface import GameLike
from kbrules.engine.refusal import Reason, Refusal, nearest
from kbrules.game.move_text import OWN_VERBS
from kbrules.game.moves import CHANCE, Move
from kbrules.game.notation import write_move
from kbrules.game.state import State
from kbrules.game.view import View
from kbrules.lang.typed.core import Block, Step, walk_blocks


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
    none where nobody decides, or where the move's rule offers nothing.
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
    steps = (
        statement for block in blocks for statement in block.steps if isinstance(statement, Step)
    )
    verbs = {verb for step in steps for verb in game.choices.linked(step).move_verbs}
    if not verbs or move.verb in {*verbs, *OWN_VERBS}:
        return None
    known = did_you_mean(move.verb, verbs, _known_verbs(verbs))
    return Reason(move.rule, f"it knows no {quoted(move.verb)}; {known}", offers[0].action.span)


def _known_verbs(verbs: Iterable[str]) -> str:
    return "it knows " + ", ".join(quoted(verb) for verb in sorted(verbs))


def _still_required(game: GameLike, state: State) -> Iterator[Reason]:
    for group in game.legal_moves(state).groups:
        offer = game.plan.offers.get(group.path)
        if offer is not None and offer.action.required:
            yield Reason(group.rule, "it is required before the turn ends", offer.action.span)
