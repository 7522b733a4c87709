"""Edits of a draft: pieces, tiles, cards and memories, and the stage of the turn.

Nothing here checks whether play can reach the position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kbrules.engine.game import Game
from kbrules.game.board import Board
from kbrules.game.draft_changes import put_pieces, set_seat, set_tiles
from kbrules.game.events import Built
from kbrules.game.state import Draft, Frame, Tile
from kbrules.hex.masks import Mask, bits
from kbrules.lang.typed.core import Block, If, Repeat, Rule, Statement, Step
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import reaction_question
from kbrules.primitives.vocabulary import step_words

STAGES = ("setup", "start", "actions", "finish")
"""The stages of a game: before set-up, before a turn, in it, or after the last round."""
_ONE_TURN = "turn"  # the scope of a memory that lasts for a turn


def place_pieces(draft: Draft, player: int, piece: int, hexes: Mask, size: int) -> None:
    """Put pieces on hexes, `size` of which make one, from the supply as far as it goes.

    Player -1 is nobody.
    """
    left = draft.seats[player].supply[piece] if player >= 0 else 0
    count = -(-hexes.bit_count() // size)
    put_pieces(draft, player, piece, hexes, max(0, min(left, count)))


def place_all_pieces(draft: Draft, board: Board, pieces: Mapping[tuple[int, int], Mask]) -> None:
    """Put the pieces of a drawing, by (owner, piece), on their hexes."""
    for (owner, piece), hexes in pieces.items():
        place_pieces(draft, owner, piece, hexes, board.catalog.pieces[piece].size)


def add_tile(draft: Draft, player: int, tile: Tile) -> None:
    """Give a player a tile, wherever it comes from."""
    set_tiles(draft, player, (*draft.seats[player].tiles, tile))


def show_cards(draft: Draft, cards: Sequence[int]) -> None:
    """Lay cards face up, from the deck as far as it has them."""
    deck = list(draft.piles[0])
    for card in cards:
        deck[card] = max(0, deck[card] - 1)
    draft.piles = (tuple(deck), *draft.piles[1:])
    draft.shown = (*draft.shown, *cards)


# Memories


def derive_memories(game: Game, draft: Draft) -> None:
    """Set the memories as if each piece on the board had just been built, the others there.

    No other effect of the rules takes place.
    """
    scopes = {slot: scope for scope, slot in game.ruleset.memories.values() if scope != _ONE_TURN}
    if not scopes:
        return
    derived = game.after_events(draft, _built(draft))
    draft.memory = _merged(scopes, "table", derived.memory, draft.memory)
    for player, seat in enumerate(draft.seats):
        memory = _merged(scopes, "player", derived.seats[player].memory, seat.memory)
        if memory != seat.memory:
            set_seat(draft, player, seat._replace(memory=memory))


def _built(draft: Draft) -> Iterator[Built]:
    for player, seat in enumerate(draft.seats):
        for piece, hexes in enumerate(seat.pieces):
            yield from (Built(player, piece, hex) for hex in bits(hexes))


def _merged(
    scopes: dict[int, str], scope: str, new: tuple[int, ...], old: tuple[int, ...]
) -> tuple[int, ...]:
    """The new values of the slots of a scope, the old ones of all others."""
    pairs = enumerate(zip(new, old, strict=True))
    return tuple(
        new_value if scopes.get(slot) == scope else old_value
        for slot, (new_value, old_value) in pairs
    )


# The turn


def has_actions(ruleset: Ruleset) -> bool:
    """Whether the turn has a step in which the player uses actions."""
    return bool(_action_frames(ruleset, 0))


def enter_stage(draft: Draft, ruleset: Ruleset, stage: str, player: int, round: int = 1) -> None:
    """Set one of `STAGES`, with a player to move who has done nothing in the turn yet."""
    draft.active = player
    if stage in ("setup", "finish"):
        draft.stage, draft.stack = (stage, 0), ()
        return
    draft.stage = ("turn", player + (round - 1) * len(draft.seats))
    if stage == "actions":
        draft.stack = _action_frames(ruleset, player)
    else:
        draft.stack = tuple(reversed([_frame(block, player) for block in _turn_blocks(ruleset)]))


def queue_reactions(draft: Draft, game: Game, rule: Rule, player: int) -> None:
    """Start another player's turn with the reactions of a rule that `player` may choose now."""
    others = [other for other in range(len(draft.seats)) if other != player]
    enter_stage(draft, game.ruleset, "actions", others[0])
    env = {"here": 0, "origin": 0, "actor": others[0], "strayed": False}
    paths = [reaction_question(t.body.path) for t in rule.triggers if t.offered]
    draft.stack = (*draft.stack, *(Frame(path, 0, player, env) for path in reversed(paths)))


def queue_setup(draft: Draft, rule: Rule) -> None:
    """Put the phases of a rule before set-up first."""
    phases = [phase.body for phase in rule.phases if phase.name == "before setup"]
    draft.stack = (*draft.stack, *(_frame(block, 0) for block in reversed(phases)))


def _turn_blocks(ruleset: Ruleset) -> list[Block]:
    return [phase.body for phase, _ in ruleset.phases("turn")]


def _frame(block: Block, player: int) -> Frame:
    return Frame(block.path, 0, player, {})


def _action_frames(ruleset: Ruleset, player: int) -> tuple[Frame, ...]:
    """The frames of a turn in which actions are offered; none if no turn offers any."""
    blocks = _turn_blocks(ruleset)
    for number, block in enumerate(blocks):
        frames = _frames_in(block, player)
        if frames:
            later = [_frame(other, player) for other in blocks[number + 1 :]]
            return (*reversed(later), *frames)
    return ()


def _frames_in(block: Block, player: int) -> tuple[Frame, ...]:
    for at, statement in enumerate(block.steps):
        if isinstance(statement, Step) and step_words()[statement.name].is_offers:
            return (Frame(block.path, at, player, {}),)
        frames = _nested_frames(statement, player)
        if frames:
            return (Frame(block.path, at + 1, player, {}), *frames)
    return ()


def _nested_frames(statement: Statement, player: int) -> tuple[Frame, ...]:
    if isinstance(statement, If):
        otherwise = _frames_in(statement.other, player) if statement.other is not None else ()
        return _frames_in(statement.body, player) or otherwise
    return (
        _frames_in(statement.body, player) if isinstance(statement, Repeat) else ()
    )  # its last round
