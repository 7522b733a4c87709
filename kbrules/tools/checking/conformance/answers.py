"""What a game answers to the questions of a case, in the words of the cases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kbrules.engine.game import Game
from kbrules.game import events as facts
from kbrules.game.events import Event
from kbrules.game.moves import Move
from kbrules.game.notation import read_move, write_move
from kbrules.game.state import State
from kbrules.hex.masks import bits
from kbrules.scenario.setup.resolver import GAINED, PLAYERS, TOTAL

__all__ = ["event_records", "legal", "move_named", "offered", "reasons", "scores"]

_TOLD = (
    facts.Built, facts.Placed, facts.Moved, facts.Swapped, facts.Removed, facts.Stored,
    facts.Supplied, facts.Received, facts.Took, facts.Lost, facts.Gained,
)  # fmt: skip
"""What changes pieces, supplies, tiles and gold; the rest is how this engine keeps its books."""
_BOOKKEEPING = frozenset({"place", "strayed", "path", "used_first"})


def legal(game: Game, state: State) -> dict[str, tuple[str, ...]]:
    """The hexes of each legal move without its hex; of a draw the cards."""
    moves, board = game.legal_moves(state), game.board
    if moves.weights:
        cards = [card for card, weight in enumerate(moves.weights) if weight]
        return {"draw": tuple(sorted(board.catalog.card_name(card) for card in cards))}
    found: dict[str, tuple[str, ...]] = {}
    for group in moves.groups:
        name = write_move(Move(group.verb, group.rule), board)
        found[name] = (*found.get(name, ()), *map(board.grid.name, bits(group.hexes)))
    return found


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
    found = {}
    for player in range(game.players):
        paid = {line.rule: line.gold for line in sheet.lines[player]}
        ends = {GAINED: sheet.gained[player], TOTAL: sheet.totals[player]}
        found[PLAYERS[player]] = {**paid, **ends}
    return found


def event_records(game: Game, events: Iterable[Event]) -> tuple[dict[str, Any], ...]:
    """The events that change pieces, supplies, tiles and gold, by names."""
    return tuple(_record(game, event) for event in events if isinstance(event, _TOLD))


def _record(game: Game, event: Event) -> dict[str, Any]:
    facts_of = {key: each for key, each in event._asdict().items() if key not in _BOOKKEEPING}
    named = {key: _named(game, key, value) for key, value in facts_of.items()}
    return {"event": type(event).__name__.lower(), **named}


def _named(game: Game, key: str, value: Any) -> Any:
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
