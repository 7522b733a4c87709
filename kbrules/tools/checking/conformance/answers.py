"""What a game answers to the questions of a case, in the words of the cases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kbrules.engine.game import Game
from kbrules.game.events import (
    Built,
    Event,
    Gained,
    Lost,
    Moved,
    Placed,
    Received,
    Removed,
    Stored,
    Supplied,
    Swapped,
    Took,
)  # fmt: skip
from kbrules.game.moves import Move, read_move, write_move
from kbrules.game.state import State
from kbrules.hex.sets import bits
from kbrules.scenario.names import GAINED, PLAYERS, TOTAL

_REPORTED_EVENTS = (
    Built, Placed, Moved, Swapped, Removed, Stored, Supplied, Received, Took, Lost, Gained,
)  # fmt: skip
"""What changes pieces, supplies, tiles and gold; the rest is only for this engine."""
_OMITTED_FIELDS = frozenset({"place", "strayed", "path", "used_first"})


def legal(game: Game, state: State) -> dict[str, tuple[str, ...]]:
    """The hexes of each legal move without its hex; of a draw the cards."""
    moves, board = game.legal_moves(state), game.board
    if moves.weights:
        cards = [card for card, weight in enumerate(moves.weights) if weight]
        return {"draw": tuple(sorted(board.catalog.card_name(card) for card in cards))}
    hexes_by_move: dict[str, tuple[str, ...]] = {}
    for group in moves.groups:
        name = write_move(Move(group.verb, group.rule), board)
        hexes_by_move[name] = (
            *hexes_by_move.get(name, ()),
            *map(board.grid.name, bits(group.hexes)),
        )
    return hexes_by_move


def offered(game: Game, state: State, action: str) -> tuple[str, ...]:
    """The hexes that a rule offers, perhaps only by one verb."""
    rule, _, verb = action.partition(" ")
    groups = game.legal_moves(state).groups
    masks = (g.hexes for g in groups if g.rule == rule and verb in ("", g.verb))
    return tuple(sorted({game.board.grid.name(hex) for mask in masks for hex in bits(mask)}))


def reasons(game: Game, state: State, move: Move) -> tuple[str, ...]:
    """The rules that stand against a move."""
    return tuple(dict.fromkeys(reason.rule for reason in game.explain(state, move).reasons))


def move_named(game: Game, state: State, text: str) -> Move:
    """The move of a text; InvalidMove or AmbiguousMove if it is none."""
    return read_move(text, game.board, game.legal_moves(state), game.ruleset.move_words)


def scores(game: Game, state: State) -> dict[str, dict[str, int]]:
    """The gold of each player by rule, what was gained, and all of it."""
    sheet = game.score(state)
    scores_by_player = {}
    for player in range(game.players):
        by_rule = {line.rule: line.gold for line in sheet.lines[player]}
        sums = {GAINED: sheet.gained[player], TOTAL: sheet.totals[player]}
        scores_by_player[PLAYERS[player]] = {**by_rule, **sums}
    return scores_by_player


def event_records(game: Game, events: Iterable[Event]) -> tuple[dict[str, Any], ...]:
    """The events that change pieces, supplies, tiles and gold, by names."""
    return tuple(_record(game, event) for event in events if isinstance(event, _REPORTED_EVENTS))


def _record(game: Game, event: Event) -> dict[str, Any]:
    values = {key: each for key, each in event._asdict().items() if key not in _OMITTED_FIELDS}
    named_values = {key: _with_names(game, key, value) for key, value in values.items()}
    return {"event": type(event).__name__.lower(), **named_values}


def _with_names(game: Game, key: str, value: Any) -> Any:
    catalog, grid = game.ruleset.catalog, game.board.grid
    if key == "player":
        return PLAYERS[value] if value >= 0 else "nobody"
    if key == "piece":
        return catalog.pieces[value].id
    if key == "kind":
        return catalog.tiles[value].id
    if key in ("hex", "origin"):
        is_there = value >= 0 and grid.full >> value & 1
        return grid.name(value) if is_there else None
    if key == "hexes":
        return tuple(map(grid.name, bits(value)))
    return value
