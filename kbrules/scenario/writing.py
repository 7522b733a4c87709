"""A state of a game as a position that can be written: exactly, or with what cannot be said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString

from kbrules.diagnostics import RulesError, quoted
from kbrules.engine.game import Game
from kbrules.game.board import NONE, Board
from kbrules.game.state import State, Tile, draft_of
from kbrules.hex.grid import disks
from kbrules.hex.sets import Mask, bits
from kbrules.lang.syntax import tree
from kbrules.library.boards.positions import drawn_tiles, legend_of, parse_position
from kbrules.library.boards.tables import lay_tiles
from kbrules.library.position import (
    Hexes,
    PlayerSeat,
    PlayerTurn,
    Position,
    SeatTile,
    TableBoard,
    drawing_of,
    position_keys,
    without_pieces,
)
from kbrules.scenario.position import derive_memories, enter_stage, has_actions, lay_on
from kbrules.scenario.reader import PLAYERS

# The position of a state, laid again to see whether it is the same.


@dataclass(frozen=True, slots=True)
class Inexact:
    """Why no position that can be written is a state: `reason` says what cannot be."""

    reason: str


def position_of(game: Game, state: State) -> Position | Inexact:
    """The position that is laid as this very state, with the same legal moves.

    Nothing that is half done can be written: make a position of the state in which the turn was
    at its actions, and give it the moves since then.
    """
    position = as_if_at_actions(game, state)
    reason = _board_reason(game, position) or _unwritable(game, state)
    if reason:
        return Inexact(reason)
    reasons: dict[str | None, str] = {}
    for turn in _turns(state, position.turn):
        at_turn = replace(position, turn=turn)
        try:
            reasons[turn.stage] = _difference(game, state, lay_on(game, at_turn, {}))
        except RulesError as error:
            reasons[turn.stage] = error.diagnostics[0].message
        if not reasons[turn.stage]:
            return at_turn
    return Inexact(next(iter(reasons.values())))


def position_before_end(game: Game, state: State) -> Position | Inexact:
    """The position of a state; of an end that has no position, its table in a turn before it."""
    position = position_of(game, state)
    if isinstance(position, Position) or not state.is_over or not has_actions(game.ruleset):
        return position
    draft = draft_of(state)
    enter_stage(draft, game.ruleset, "actions", max(0, state.active))
    return position_of(game, game.run_to_decision(draft))


def _turns(state: State, turn: PlayerTurn) -> Iterator[PlayerTurn]:
    """The turns that may be laid as a state: at each stage first with what follows by itself."""
    by_itself = replace(turn, choice="", aside=(), revealed="")
    stages = {"over": ("finish",), "setup": ("setup",)}.get(state.stage[0], (None, "start"))
    for stage in stages:
        for each in dict.fromkeys((by_itself, turn)):
            yield replace(each, stage=stage)


def _board_reason(game: Game, position: Position) -> str:
    """What of a board its drawing does not show; empty if it is the same board."""
    own, board = position.board, game.board
    assert own is not None
    drawn, _ = parse_position(board.catalog, own.drawing, legend=own.legend, sectors=own.sectors)
    again = None if drawn is None else lay_tiles(drawn.board, own.tiles)
    if again is None or again.grid.parts != board.grid.parts or again.kinds != board.kinds:
        return "the board cannot be drawn"
    if again.tiles != board.tiles:
        return f"a drawing shows at most {MAX_DIGITS} kinds of tiles on their places"
    return "" if again.sectors == board.sectors else "a drawing cannot show these sectors"


def _unwritable(game: Game, state: State) -> str:
    """What has no form at all: a tile that came from no place, a memory below zero."""
    for player, seat in enumerate(state.seats):
        for tile in seat.tiles:
            kind = game.board.catalog.tiles[tile.kind]
            if not _is_on_board(game.board, tile) and tile.kind in game.board.tiles.values():
                return f"{PLAYERS[player]}'s tile {quoted(kind.id)} came from no place"
    memories = [state.memory, *(seat.memory for seat in state.seats)]
    if any(value < 0 for memory in memories for value in memory):
        return "a memory is below zero"
    return ""


def _is_on_board(board: Board, tile: Tile) -> bool:
    return tile.origin >= 0 and bool(board.grid.full >> tile.origin & 1)


_HALF_DONE = "something is half done: a position begins where a turn does, or at its actions"
_SEAT_WORDS = {
    "pieces": "pieces", "supply": "supply", "hand": "hand", "tiles": "tiles", "gold": "gold",
    "memory": "memories",
}  # fmt: skip
_WORDS = {
    "neutral": "the pieces of nobody", "stock": "the tiles on their places",
    "piles": "the piles of cards", "shown": "the cards face up",
    "aside": "the cards that were shown and not chosen", "choice": "the terrain that was chosen",
    "revealed": "the card that was revealed last", "memory": "the memories of the table",
    "ending": "whether this is the last round", "used": "which actions of a rule were used",
    "cut": "a limit that the rules have met", "beside": "the cards beside the table",
    "retired": "the cards that left the game",
    "further": "that another turn of the same player follows",
}  # fmt: skip


def _difference(game: Game, state: State, there: State) -> str:
    """Return what of a state is not in another; empty if both are the same position."""
    if words := next(_different_facts(state, there), ""):
        return f"a position cannot say {words}" if state.stack == there.stack else _HALF_DONE
    if state.is_over:  # who was active last means nothing then
        return "" if there.is_over else "a position cannot say that the game is over"
    one, other = game.legal_moves(state), game.legal_moves(there)
    is_same = (
        (state.active, state.stage) == (there.active, there.stage)
        and (one.player, one.weights) == (other.player, other.weights)
        and sorted(one.groups) == sorted(other.groups)
    )
    return "" if is_same else _HALF_DONE


def _different_facts(state: State, there: State) -> Iterator[str]:
    for player, (mine, theirs) in enumerate(zip(state.seats, there.seats, strict=True)):
        for name, words in _SEAT_WORDS.items():
            if getattr(mine, name) != getattr(theirs, name):
                yield f"{PLAYERS[player]}'s {words}"
    for name, words in _WORDS.items():
        if getattr(state, name) != getattr(there, name):
            yield words


# The position of a state, as if nothing of what is half done had been begun.


MAX_DIGITS = 9


def as_if_at_actions(game: Game, state: State) -> Position:
    """The position of a state with its player at the actions of the turn, whatever is half done.

    What a position cannot say is left out; `position_of` tells what that is.
    """
    catalog, name = game.ruleset.catalog, game.board.grid.name
    stock = zip(game.board.places, state.stock, strict=True)
    position = Position(
        _board(game.board),
        players=game.players,
        options=game.options,
        cards=game.cards,
        seats=dict(_seats(game, state)),
        nobody=_pieces(game, state.neutral),
        left={name(hex): len(left) for hex, left in stock},
        beside=_beside(game, state),
        retired=_scoring_cards(game, state.retired),
        turn=_turn(game, state),
        checked=False,
    )
    if catalog.deck:
        deck, discards = (
            {catalog.card_name(card): count for card, count in enumerate(pile) if count}
            for pile in state.piles[:2]
        )
        position = replace(position, deck=deck, discards=discards)
    return _with_memories(game, state, position)


def _board(board: Board) -> TableBoard:
    """Return the board as a drawing without pieces."""
    letters = zip((kind.letter for kind in board.catalog.hexes), board.kinds, strict=True)
    letter_at = {hex: letter for letter, mask in letters for hex in bits(mask)}
    chance, name = drawn_tiles(board), board.grid.name
    tiles = sorted([*legend_of(board).values()][:MAX_DIGITS])
    digits = {tile: str(number) for number, tile in enumerate(tiles, 1)}
    ids = {hex: board.catalog.tiles[kind].id for hex, kind in board.tiles.items()}
    sector = [board.grid.address(hex) for hex in bits(board.sectors[0])]
    rows, columns = max(at.row for at in sector) + 1, max(at.column for at in sector) + 1
    words = {
        board.grid.address(hex): digits.get("" if hex in chance else ids.get(hex, ""), letter)
        for hex, letter in letter_at.items()
    }
    return TableBoard(
        drawing=drawing_of(words),
        legend={digit: tile for tile, digit in digits.items()},
        tiles={name(hex): ids[hex] for hex in chance},
        sectors=(rows, columns) if len(board.sectors) > 1 else None,
    )


def _seats(game: Game, state: State) -> Iterator[tuple[str, PlayerSeat]]:
    catalog = game.ruleset.catalog
    for player, seat in enumerate(state.seats):
        kinds = zip(catalog.pieces, seat.supply, seat.pieces, strict=True)
        supply = {
            piece.id: count
            for piece, count, mask in kinds
            if not piece.neutral and count + mask.bit_count() // piece.size != piece.supply
        }
        tiles = tuple(_tile(game.board, tile) for tile in seat.tiles)
        hand = tuple(catalog.card_name(card) for card in seat.hand if card != NONE)
        seat_now = PlayerSeat(_pieces(game, seat.pieces), tiles, supply, hand, seat.gold)
        if seat_now != PlayerSeat():
            yield PLAYERS[player], seat_now


def _pieces(game: Game, masks: Sequence[Mask]) -> dict[str, Hexes]:
    """The hexes of each kind of piece, of pieces of several hexes the centres."""
    pieces: dict[str, Hexes] = {}
    for kind, mask in zip(game.ruleset.catalog.pieces, masks, strict=True):
        hexes = bits(mask) if kind.size == 1 else disks(game.board.grid, mask)[0]
        if mask:
            pieces[kind.id] = tuple(map(game.board.grid.name, hexes))
    return pieces


def _tile(board: Board, tile: Tile) -> SeatTile:
    origin = board.grid.name(tile.origin) if _is_on_board(board, tile) else None
    return SeatTile(board.catalog.tiles[tile.kind].id, origin, tile.status)


def _beside(game: Game, state: State) -> tuple[str, ...] | None:
    """The cards beside the table, if they are not those that begin there."""
    if state.beside == game.empty().beside & ~state.retired:
        return None
    return _scoring_cards(game, state.beside)


def _scoring_cards(game: Game, cards: Mask) -> tuple[str, ...]:
    return tuple(game.ruleset.catalog.cards[card] for card in bits(cards))


def _turn(game: Game, state: State) -> PlayerTurn:
    catalog, (stage, number) = game.ruleset.catalog, state.stage
    used = (offer for path in state.used if (offer := game.plan.offers.get(path)) is not None)
    rules = (offer.owner.rule.id for offer in used if offer.owner.tile < 0)
    return PlayerTurn(
        PLAYERS[max(0, state.active)],
        tuple(catalog.card_name(card) for card in state.shown),
        None,
        number // game.players + 1 if stage.startswith("turn") else 1,
        tuple(dict.fromkeys(rules)),
        state.ending,
        "" if state.choice == NONE else catalog.hexes[state.choice].id,
        tuple(map(catalog.card_name, state.aside)),
        "" if state.revealed == NONE else catalog.card_name(state.revealed),
    )


def _with_memories(game: Game, state: State, position: Position) -> Position:
    """The position with the memories that do not follow from its pieces."""
    follow = game.empty()
    blank = game.empty().seats[0].memory
    follow.seats = tuple(seat._replace(memory=blank) for seat in state.seats)
    follow.neutral, follow.occupied = state.neutral, state.occupied
    derive_memories(game, follow)
    sorts = {each.name.text: each.sort.text for each in game.ruleset.declarations
             if isinstance(each, tree.Memory)}  # fmt: skip
    for id, (scope, slot) in game.ruleset.memories.items():
        if scope == "table":
            if state.memory[slot] != follow.memory[slot]:
                value = _value(game, sorts.get(id, ""), state.memory[slot])
                position = replace(position, memory={**position.memory, id: value})
            continue
        for player, seat in enumerate(state.seats):
            if seat.memory[slot] != follow.seats[player].memory[slot]:
                there = position.seat(PLAYERS[player])
                value = _value(game, sorts.get(id, ""), seat.memory[slot])
                memory = {**there.memory, id: value}
                position = position.with_seat(PLAYERS[player], replace(there, memory=memory))
    return position


def _value(game: Game, sort: str, value: int) -> int | Hexes:
    """A number, or the names of a set that is not empty."""
    if sort == "hexes" and value:
        return tuple(map(game.board.grid.name, bits(value)))
    return max(0, value)


# The text of a position: pieces are drawn where they are listed otherwise.


_NOTHING = {"turn": "a"}
"""Expected where it only matters that the scenario can be laid out."""


def drawn(position: Position, board: Board) -> Position:
    """The position with its pieces in its drawing, but those that share a hex with others."""
    assert position.board is not None
    words, catalog = position.board.words(), board.catalog
    first = {piece.neutral: piece.id for piece in reversed(catalog.pieces)}
    kinds = {piece.id: (index, piece) for index, piece in enumerate(catalog.pieces)}
    removed: set[tuple[str, str, str]] = set()
    for owner, id, name in position.owned():
        index, piece = kinds[id]
        covered = board.covered(index, 1 << board.grid.index(name))
        at = [board.grid.address(hex) for hex in bits(covered)]
        if all(len(words[each]) == 1 for each in at):
            sign = (owner or "#") + ("" if id == first[piece.neutral] else piece.letter)
            words |= {each: words[each] + sign for each in at}
            removed.add((owner, id, name))
    shown = replace(position.board, drawing=drawing_of(words))
    return replace(without_pieces(position, frozenset(removed)), board=shown)


def scenario_text(
    position: Position,
    board: Board,
    title: str,
    expect: Mapping[str, Any] | None = None,
) -> str:
    """The text of a scenario file: a position, its moves, and what is expected after them.

    board: the one that the position is laid on.
    """
    data = {"format": 1, "title": title, **position_keys(drawn(position, board))}
    if position.moves:
        data["steps"] = [_step(move) for move in position.moves]
    return _yaml({**data, "expect": dict(expect or _NOTHING)})


def _step(move: str) -> str | dict[str, str]:
    return {"draw": move.removeprefix("draw ")} if move.startswith("draw ") else move


def _yaml(data: Mapping[str, Any]) -> str:
    board = dict(data["board"])
    board["drawing"] = LiteralScalarString(board["drawing"])
    yaml = YAML()
    yaml.default_flow_style = None
    yaml.width = 100
    out = StringIO()
    yaml.dump({**data, "board": board}, out)
    return out.getvalue()
