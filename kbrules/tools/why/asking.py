"""What a question about a hex may mean now: every move that could be made there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kbrules.engine.explain import deciding_steps
from kbrules.engine.game import Game
from kbrules.game.moves import CHANCE, Move
from kbrules.game.state import State

__all__ = ["moves_at"]


def moves_at(game: Game, state: State, hex: int, names: Iterable[str] = ()) -> list[Move]:
    """All moves with a hex that might be made now, legal or not: what must be done comes first.

    Those of actions of the table and of tiles in the player's hands; `names` are verbs or rules
    that all of them must have.
    """
    if state.is_over or game.legal_moves(state).player == CHANCE:
        return []
    required = {o.owner.rule.id for o in game.program.offers.values() if o.action.required}
    found = dict.fromkeys([*_offered(game, state, hex), *_possible(game, state, hex)])
    wanted = list(names)
    fitting = [m for m in found if all(name in (m.verb, m.rule) for name in wanted)]
    return sorted(fitting, key=lambda move: move.rule not in required)


def _offered(game: Game, state: State, hex: int) -> Iterator[Move]:
    for group in game.legal_moves(state).groups:
        if group.hexes:
            yield Move(group.verb, group.rule, hex)


def _possible(game: Game, state: State, hex: int) -> Iterator[Move]:
    """Moves of actions that the player has, though they cannot be begun now, or not there."""
    me = game.legal_moves(state).player
    held = {tile.kind for tile in state.seats[me].tiles}
    if not any(game.legal_moves(state).groups) or state.stack[-1].chosen:
        return
    if any(not g.path and g.verb not in ("end", "choose") for g in game.legal_moves(state).groups):
        return  # one step is asking; nothing else can be done now
    for offer in game.program.offers.values():
        if offer.owner.tile >= 0 and offer.owner.tile not in held:
            continue
        rule = offer.owner.rule.id
        for step, _, _ in deciding_steps(game, state, Move("", rule, hex)):
            asking = game.choices.asking(step)
            takes_up = bool(asking.word.asks) and not asking.word.asks[0].verb
            if asking.names and not (takes_up and not state.occupied >> hex & 1):
                yield Move(asking.names[0], rule, hex)
