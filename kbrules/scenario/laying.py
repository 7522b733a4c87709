"""Laying out: pieces, tiles and cards put into a draft, and the turn brought to where it stands.

Nothing here asks whether play could have led there.
"""

from __future__ import annotations

from kbrules.engine.game import Game
from kbrules.game.folding import drop, set_seat
from kbrules.game.state import Draft, Frame, Tile
from kbrules.hex.masks import Mask, bits
from kbrules.lang.core import Block, Doing, If, Repeat, Rule, Step
from kbrules.library.ruleset import Ruleset
from kbrules.plan.program import question
from kbrules.primitives.vocabulary import step_words

__all__ = ["STAGES", "ask", "bring_to", "has_actions", "hold", "put", "set_up", "show"]

STAGES = ("setup", "start", "actions", "finish")
"""Where a game can stand: before set-up, before a turn, in it, or after the last round."""


def put(draft: Draft, player: int, piece: int, hexes: Mask, size: int) -> None:
    """Put pieces on hexes, `size` of which make one, from the supply as far as it goes.

    Player -1 is nobody.
    """
    for number, hex in enumerate(bits(hexes)):
        left = player >= 0 and draft.seats[player].supply[piece] > 0
        drop(draft, player, piece, hex, 1 if left and number % size == 0 else 0)


def hold(draft: Draft, player: int, tile: Tile) -> None:
    """Give a player a tile, wherever it comes from."""
    seat = draft.seats[player]
    set_seat(draft, player, seat._replace(tiles=(*seat.tiles, tile)))


def show(draft: Draft, cards: tuple[int, ...]) -> None:
    """Lay cards face up, from the deck as far as it has them."""
    deck = list(draft.piles[0])
    for card in cards:
        deck[card] = max(0, deck[card] - 1)
    draft.piles = (tuple(deck), *draft.piles[1:])
    draft.shown = (*draft.shown, *cards)


def has_actions(ruleset: Ruleset) -> bool:
    """Whether the turn has a step in which the player uses actions."""
    return bool(_to_actions(ruleset, 0))


def bring_to(draft: Draft, ruleset: Ruleset, stage: str, player: int) -> None:
    """Bring the game to one of `STAGES`, with a player to move; nothing of the turn is done yet."""
    draft.active = player
    if stage in ("setup", "finish"):
        draft.stage, draft.stack = (stage, 0), ()
        return
    draft.stage = ("turn", player)
    if stage == "actions":
        draft.stack = _to_actions(ruleset, player)
    else:
        draft.stack = tuple(reversed([_begun(block, player) for block in _turn(ruleset)]))


def ask(draft: Draft, game: Game, rule: Rule, player: int) -> None:
    """Let it be another's turn, who has just given a player cause for the reactions of a rule."""
    others = [other for other in range(len(draft.seats)) if other != player]
    bring_to(draft, game.ruleset, "actions", others[0])
    env = {"here": 0, "origin": 0, "actor": others[0], "strayed": False}
    asked = [question(t.body.path) for t in rule.triggers if t.offered]
    draft.stack = (*draft.stack, *(Frame(path, 0, player, env) for path in reversed(asked)))


def set_up(draft: Draft, rule: Rule) -> None:
    """Let what a rule does before set-up come first."""
    phases = [phase.body for phase in rule.phases if phase.name == "before setup"]
    draft.stack = (*draft.stack, *(_begun(block, 0) for block in reversed(phases)))


def _turn(ruleset: Ruleset) -> list[Block]:
    return [phase.body for phase, _ in ruleset.phases("turn")]


def _begun(block: Block, player: int) -> Frame:
    return Frame(block.path, 0, player, {})


def _to_actions(ruleset: Ruleset, player: int) -> tuple[Frame, ...]:
    """The frames of a turn that stands at its actions; none if no turn comes there."""
    blocks = _turn(ruleset)
    for number, block in enumerate(blocks):
        frames = _down(block, player)
        if frames:
            later = [_begun(other, player) for other in blocks[number + 1 :]]
            return (*reversed(later), *frames)
    return ()


def _down(block: Block, player: int) -> tuple[Frame, ...]:
    for at, doing in enumerate(block.steps):
        if isinstance(doing, Step) and step_words()[doing.name].is_offers:
            return (Frame(block.path, at, player, {}),)
        frames = _inside(doing, player)
        if frames:
            return (Frame(block.path, at + 1, player, {}), *frames)
    return ()


def _inside(doing: Doing, player: int) -> tuple[Frame, ...]:
    if isinstance(doing, If):
        otherwise = _down(doing.other, player) if doing.other is not None else ()
        return _down(doing.body, player) or otherwise
    return _down(doing.body, player) if isinstance(doing, Repeat) else ()  # the last time round
