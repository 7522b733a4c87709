"""Position data as the text of a scenario, and prepared as that scenario would be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString

from kbrules.engine.game import Game
from kbrules.game.board import Catalog
from kbrules.game.moves import Move, write_move
from kbrules.game.state import READY, State
from kbrules.hex.drawing import HOLE, render
from kbrules.hex.grid import hex_name
from kbrules.hex.sets import Address
from kbrules.library.yaml import Document, RefusedNode
from kbrules.scenario.models import ScenarioFile
from kbrules.scenario.names import PLAYERS
from kbrules.scenario.preparation import build_start
from kbrules.scenario.reader import Scenario
from kbrules.scenario.setup import RulesetCache
from kbrules.text import Source
from kbrules.tools.checking.shrinking.position import HeldTile, PositionData

_NOTHING = {"turn": "a"}
"""Expected where it only matters that the scenario can be laid out."""


@dataclass(frozen=True, slots=True)
class PreparedPosition:
    """A position on the table of a rule set, its moves still to be made."""

    game: Game
    state: State
    moves: tuple[Move, ...]


class _PositionWriter:
    """Names and the drawing of a position, by the letters of a catalog."""

    def __init__(self, position: PositionData, catalog: Catalog) -> None:
        self.position = position
        self._letters = {kind.id: kind.letter for kind in catalog.hexes}
        self._pieces = {piece.id: piece for piece in catalog.pieces}
        first_pieces = {p.neutral: p.id for p in reversed(catalog.pieces)}
        self._default_pieces = frozenset(first_pieces.values())
        kinds = sorted({tile for at, tile in position.tiles.items() if at not in position.chance})
        self.legend = {tile: str(number) for number, tile in enumerate(kinds, 1)}
        self._corner = {
            part: (
                _even_row(min(at.row for at in position.kinds if at.part == part)),
                min(at.column for at in position.kinds if at.part == part),
            )
            for part in {at.part for at in position.kinds}
        }

    def address(self, at: Address) -> Address:
        """Where a hex lies on the board as it is drawn."""
        top, left = self._corner[at.part]
        return Address(at.part, at.row - top, at.column - left)

    def name(self, at: Address) -> str:
        """What a hex is called on the board as it is drawn."""
        return hex_name(self.address(at))

    def drawing(self) -> str:
        """The board with its pieces."""
        lines: list[str] = []
        for part in sorted(self._corner):
            words = {(self.address(at).row, self.address(at).column): self._word(at)
                     for at in self.position.kinds if at.part == part}  # fmt: skip
            height, width = (max(at[axis] for at in words) + 1 for axis in (0, 1))
            rows = [[words.get((r, c), HOLE) for c in range(width)] for r in range(height)]
            drawing = render(rows)
            lines += [f"{part}:", _with_bars(drawing)] if part else [drawing]
        return "\n".join(lines) + "\n"

    def _word(self, at: Address) -> str:
        tile = self.position.tiles.get(at)
        digit = self.legend.get(tile, "") if tile and at not in self.position.chance else ""
        piece = self.position.pieces.get(at)
        sign = "" if piece is None else self._sign(*piece)
        return (digit or self._letters[self.position.kinds[at]]) + sign

    def _sign(self, player: int, piece: str) -> str:
        owner = "#" if player < 0 else PLAYERS[player]
        return owner + ("" if piece in self._default_pieces else self._pieces[piece].letter)

    def seat(self, player: int) -> dict[str, Any]:
        """What a player has, as far as it is not as usual."""
        seat = self.position.seats[player]
        entries: dict[str, Any] = {}
        if seat.tiles:
            entries["tiles"] = [self._tile_entry(tile) for tile in seat.tiles]
        if seat.supply:
            entries["supply"] = dict(seat.supply)
        if seat.hand:
            entries["hand"] = list(seat.hand)
        if seat.gold:
            entries["gold"] = seat.gold
        return entries

    def _tile_entry(self, tile: HeldTile) -> str | dict[str, str]:
        if tile.origin is None and tile.status == READY:
            return tile.tile
        entries = {"tile": tile.tile}
        if tile.origin is not None:
            entries["from"] = self.name(tile.origin)
        return entries if tile.status == READY else {**entries, "status": tile.status}


def _even_row(row: int) -> int:
    return row - row % 2


def _with_bars(drawing: str) -> str:
    """A drawing whose indentation is kept by bars."""
    return "\n".join(f"| {line}" for line in drawing.split("\n"))


def scenario_text(
    position: PositionData,
    cache: RulesetCache,
    title: str,
    expect: Mapping[str, Any] | None = None,
    boxes: Sequence[str] = (),
) -> str:
    """The text of a scenario file: a position, its moves, and what is expected after them.

    boxes: those to be named under `with`.
    """
    writer = _PositionWriter(position, cache.ruleset.catalog)
    data = dict(_keys(writer, title, boxes))
    if position.moves:
        game = _game_of(position, cache)
        data["steps"] = [_step(writer, move, at, game) for move, at in position.moves]
    data["expect"] = dict(expect or _NOTHING)
    return _yaml(data)


def position_keys(position: PositionData, catalog: Catalog, boxes: Sequence[str]) -> dict[str, Any]:
    """A position in the keys of a scenario, from `with` to `turn`."""
    keys = dict(_keys(_PositionWriter(position, catalog), "it", boxes))
    return {key: value for key, value in keys.items() if key not in ("format", "title")}


def _keys(writer: _PositionWriter, title: str, boxes: Sequence[str]) -> Iterator[tuple[str, Any]]:
    position = writer.position
    yield "format", 1
    yield "title", title
    if boxes:
        yield "with", list(boxes)
    yield "players", position.players
    if position.options:
        yield "options", {id: _option_value(value) for id, value in position.options.items()}
    if position.cards:
        yield "cards", list(position.cards)
    yield "board", dict(_board(writer))
    yield "unchecked", True
    yield "position", dict(_position(writer))
    yield "turn", dict(_turn(position))


def _option_value(value: bool | int) -> str | int:
    return ("yes" if value else "no") if isinstance(value, bool) else value


def _board(writer: _PositionWriter) -> Iterator[tuple[str, Any]]:
    position = writer.position
    yield "drawing", writer.drawing()
    if writer.legend:
        yield "legend", {digit: tile for tile, digit in writer.legend.items()}
    drawing = {
        writer.name(at): position.tiles[at]
        for at in sorted(position.chance & position.tiles.keys())
    }
    if drawing:
        yield "tiles", drawing
    if position.sector:
        yield "sectors", {"rows": position.sector[0], "columns": position.sector[1]}


def _position(writer: _PositionWriter) -> Iterator[tuple[str, Any]]:
    for player in range(writer.position.players):
        if seat := writer.seat(player):
            yield PLAYERS[player], seat
    position = writer.position
    left = {writer.name(at): n for at, n in sorted(position.left.items()) if at in position.tiles}
    if left:
        yield "left", left


def _turn(position: PositionData) -> Iterator[tuple[str, Any]]:
    yield "player", PLAYERS[position.player]
    if position.shown:
        yield "played", position.shown[0] if len(position.shown) == 1 else list(position.shown)
    if position.rules:
        yield "done", list(position.rules)
    if position.ending:
        yield "last_round", True


def _game_of(position: PositionData, cache: RulesetCache) -> Game:
    """The game of a position without its moves, for the names that moves are written in."""
    prepared = prepare_position(replace(position, moves=()), cache)
    if prepared is None:
        raise ValueError("a position that cannot be laid has no moves")
    return prepared.game


def _step(writer: _PositionWriter, move: Move, at: Address | None, game: Game) -> Any:
    hex = move.hex if at is None else game.board.grid.index(writer.name(at))
    text = write_move(Move(move.verb, move.rule, hex), game.board)
    return {"draw": text.removeprefix("draw ")} if move.verb == "draw" else text


def prepare_position(position: PositionData, cache: RulesetCache) -> PreparedPosition | None:
    """A position laid out by a rule set; None if it cannot be, which is no fault of the rules."""
    writer = _PositionWriter(position, cache.ruleset.catalog)
    start = build_start(_scenario_of({**dict(_keys(writer, "it", ())), "expect": _NOTHING}), cache)[
        0
    ]
    if start is None:
        return None
    grid = start.setup.game.board.grid
    moves = [
        move if at is None else Move(move.verb, move.rule, grid.index(writer.name(at)))
        for move, at in position.moves
    ]
    return PreparedPosition(start.setup.game, start.state, tuple(moves))


def _scenario_of(data: Mapping[str, Any]) -> Scenario:
    """The scenario as if its text had been read, which takes longer than to lay it out."""
    model = ScenarioFile.model_validate_json(json.dumps(data))
    return Scenario(model, Document(Source("position", ""), RefusedNode(0, 0), data))


def _yaml(data: Mapping[str, Any]) -> str:
    board = dict(data["board"])
    board["drawing"] = LiteralScalarString(board["drawing"])
    yaml = YAML()
    yaml.default_flow_style = None
    yaml.width = 100
    out = StringIO()
    yaml.dump({**data, "board": board}, out)
    return out.getvalue()
