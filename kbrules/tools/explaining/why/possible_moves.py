"""What a question about a hex may mean now: every move that could be made there."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from kbrules.engine.explanation import deciding_steps
from kbrules.engine.game import Game
from kbrules.game.moves import CHANCE, Move
from kbrules.game.state import State


def moves_at(game: Game, state: State, hex: int, names: Iterable[str] = ()) -> list[Move]:
    """All moves with a hex that might be made now, legal or not: what can be begun comes first.

    Those of actions of the table and of tiles in the player's hands; `names` are verbs or rules
    that all of them must have.
    """
    if state.is_over or game.legal_moves(state).player == CHANCE:
        return []
    required = list(names)
    moves = dict.fromkeys([*_offered(game, state, hex), *_unavailable(game, state, hex, required)])
    matching = [m for m in moves if all(name in (m.verb, m.rule) for name in required)]
    return sorted(matching, key=lambda move: _rank(game, state, move))


def _rank(game: Game, state: State, move: Move) -> tuple[bool, bool, bool]:
    """A key that puts what was probably meant first: what can be begun, and must be."""
    moves = game.legal_moves(state)
    chooses = any(group.verb == "choose" for group in moves.groups)
    offers = [o for o in game.plan.offers.values() if o.owner.rule.id == move.rule]
    needs_card = chooses and any(offer.path in game.plan.offers_needing_card for offer in offers)
    offered = needs_card or any((g.verb, g.rule) == (move.verb, move.rule) for g in moves.groups)
    first = next((step for step, _, _ in deciding_steps(game, state, move)), None)
    asks = game.choices.linked(first).word.asks if first is not None else ()
    lifts_first = bool(asks) and not asks[0].verb
    is_idle = lifts_first and move not in moves
    return is_idle, not offered, not any(offer.action.required for offer in offers)


def _offered(game: Game, state: State, hex: int) -> Iterator[Move]:
    for group in game.legal_moves(state).groups:
        if group.hexes:
            yield Move(group.verb, group.rule, hex)


def _unavailable(game: Game, state: State, hex: int, required: Collection[str]) -> Iterator[Move]:
    """Moves of actions that the player has, or names, though they cannot be begun now."""
    moves = game.legal_moves(state)
    if any(not g.path and g.verb not in ("end", "choose") for g in moves.groups):
        return  # one step is asking; nothing else can be done now
    held = {tile.kind for tile in state.seats[moves.player].tiles}
    for offer in game.plan.offers.values():
        rule = offer.owner.rule.id
        if offer.owner.tile < 0 or offer.owner.tile in held or rule in required:
            yield from _first_moves(game, state, Move("", rule, hex), rule in required)


def _first_moves(game: Game, state: State, move: Move, is_named: bool) -> Iterator[Move]:
    """How an action is begun at a hex; a piece is taken up only where one stands."""
    for step, _, _ in deciding_steps(game, state, move):
        linked = game.choices.linked(step)
        lifts_first = bool(linked.word.asks) and not linked.word.asks[0].verb
        if linked.move_verbs and (is_named or not lifts_first or state.occupied >> move.hex & 1):
            yield Move(linked.move_verbs[0], move.rule, move.hex)
