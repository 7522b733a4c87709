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
from kbrules.game.catalog import Catalog
from kbrules.game.moves import Move
from kbrules.game.notation import write_move
from kbrules.game.state import READY, State
from kbrules.hex.drawing import HOLE, render
from kbrules.hex.layout import Address
from kbrules.hex.notation import hex_name
from kbrules.library.yaml.document import Document, Hole
from kbrules.scenario.format.models import ScenarioFile
from kbrules.scenario.format.reader import Scenario
from kbrules.scenario.setup.cache import RulesetCache
from kbrules.scenario.setup.prepare import build_start
from kbrules.scenario.setup.resolver import PLAYERS
from kbrules.text import Source
from kbrules.tools.checking.shrinking.position import HeldTile, PositionData

__all__ = ["PreparedPosition", "hex_words", "position_keys", "prepare_position", "scenario_text"]

_NOTHING = {"turn": "a"}
"""Expected where it only matters that the scenario can be laid out."""


@dataclass(frozen=True, slots=True)
class PreparedPosition:
    """A posed position on the table of a rule set, its moves still to be made."""

    game: Game
    state: State
    moves: tuple[Move, ...]


class _Writer:
    """Names and the drawing of a posed position, by the letters of a catalog."""

    def __init__(self, pose: PositionData, catalog: Catalog) -> None:
        self.pose = pose
        self._letters = {kind.id: kind.letter for kind in catalog.hexes}
        self._pieces = {piece.id: piece for piece in catalog.pieces}
        first = {p.neutral: p.id for p in reversed(catalog.pieces)}
        self._plain = frozenset(first.values())
        kinds = sorted({tile for at, tile in pose.tiles.items() if at not in pose.chance})
        self.legend = {tile: str(number) for number, tile in enumerate(kinds, 1)}
        self._corner = {
            part: (
                _even(min(at.row for at in pose.kinds if at.part == part)),
                min(at.column for at in pose.kinds if at.part == part),
            )
            for part in {at.part for at in pose.kinds}
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
                     for at in self.pose.kinds if at.part == part}  # fmt: skip
            height, width = (max(at[axis] for at in words) + 1 for axis in (0, 1))
            rows = [[words.get((r, c), HOLE) for c in range(width)] for r in range(height)]
            drawn = render(rows)
            lines += [f"{part}:", _with_bars(drawn)] if part else [drawn]
        return "\n".join(lines) + "\n"

    def _word(self, at: Address) -> str:
        tile = self.pose.tiles.get(at)
        digit = self.legend.get(tile, "") if tile and at not in self.pose.chance else ""
        owned = self.pose.pieces.get(at)
        sign = "" if owned is None else self._sign(*owned)
        return (digit or self._letters[self.pose.kinds[at]]) + sign

    def _sign(self, player: int, piece: str) -> str:
        whose = "#" if player < 0 else PLAYERS[player]
        return whose + ("" if piece in self._plain else self._pieces[piece].letter)

    def seat(self, player: int) -> dict[str, Any]:
        """What a player has, as far as it is not as usual."""
        seat = self.pose.seats[player]
        found: dict[str, Any] = {}
        if seat.tiles:
            found["tiles"] = [self._held(tile) for tile in seat.tiles]
        if seat.supply:
            found["supply"] = dict(seat.supply)
        if seat.hand:
            found["hand"] = list(seat.hand)
        if seat.gold:
            found["gold"] = seat.gold
        return found

    def _held(self, held: HeldTile) -> str | dict[str, str]:
        if held.origin is None and held.status == READY:
            return held.tile
        found = {"tile": held.tile}
        if held.origin is not None:
            found["from"] = self.name(held.origin)
        return found if held.status == READY else {**found, "status": held.status}


def _even(row: int) -> int:
    return row - row % 2


def _with_bars(drawn: str) -> str:
    """A drawing whose indentation is kept by bars."""
    return "\n".join(f"| {line}" for line in drawn.split("\n"))


def hex_words(pose: PositionData, catalog: Catalog) -> Mapping[Address, str]:
    """What each hex is called on the board as it would be drawn."""
    writer = _Writer(pose, catalog)
    return {at: writer.name(at) for at in pose.kinds}


def scenario_text(
    pose: PositionData,
    cache: RulesetCache,
    title: str,
    expect: Mapping[str, Any] | None = None,
    boxes: Sequence[str] = (),
) -> str:
    """The text of a scenario file that sets up a position, makes its moves and expects something.

    boxes: those to be named under `with`.
    """
    writer = _Writer(pose, cache.ruleset.catalog)
    data = dict(_keys(writer, title, boxes))
    if pose.moves:
        grid = _grid(pose, cache)
        data["steps"] = [_step(writer, move, at, grid) for move, at in pose.moves]
    data["expect"] = dict(expect or _NOTHING)
    return _yaml(data)


def position_keys(pose: PositionData, catalog: Catalog, boxes: Sequence[str]) -> dict[str, Any]:
    """A position in the keys of a scenario, from `with` to `turn`."""
    keys = dict(_keys(_Writer(pose, catalog), "it", boxes))
    return {key: value for key, value in keys.items() if key not in ("format", "title")}


def _keys(writer: _Writer, title: str, boxes: Sequence[str]) -> Iterator[tuple[str, Any]]:
    pose = writer.pose
    yield "format", 1
    yield "title", title
    if boxes:
        yield "with", list(boxes)
    yield "players", pose.players
    if pose.options:
        yield "options", {id: _said(value) for id, value in pose.options.items()}
    if pose.cards:
        yield "cards", list(pose.cards)
    yield "board", dict(_board(writer))
    yield "unchecked", True
    yield "position", dict(_position(writer))
    yield "turn", dict(_turn(pose))


def _said(value: bool | int) -> str | int:
    return ("yes" if value else "no") if isinstance(value, bool) else value


def _board(writer: _Writer) -> Iterator[tuple[str, Any]]:
    pose = writer.pose
    yield "drawing", writer.drawing()
    if writer.legend:
        yield "legend", {digit: tile for tile, digit in writer.legend.items()}
    drawn = {writer.name(at): pose.tiles[at] for at in sorted(pose.chance & pose.tiles.keys())}
    if drawn:
        yield "tiles", drawn
    if pose.sector:
        yield "sectors", {"rows": pose.sector[0], "columns": pose.sector[1]}


def _position(writer: _Writer) -> Iterator[tuple[str, Any]]:
    for player in range(writer.pose.players):
        if seat := writer.seat(player):
            yield PLAYERS[player], seat
    pose = writer.pose
    left = {writer.name(at): n for at, n in sorted(pose.left.items()) if at in pose.tiles}
    if left:
        yield "left", left


def _turn(pose: PositionData) -> Iterator[tuple[str, Any]]:
    yield "player", PLAYERS[pose.player]
    if pose.shown:
        yield "played", pose.shown[0] if len(pose.shown) == 1 else list(pose.shown)
    if pose.rules:
        yield "done", list(pose.rules)
    if pose.ending:
        yield "last_round", True


def _grid(pose: PositionData, cache: RulesetCache) -> Game:
    """The game of a position without its moves, for the names that moves are written in."""
    found = prepare_position(replace(pose, moves=()), cache)
    if found is None:
        raise ValueError("a position that cannot be laid has no moves")
    return found.game


def _step(writer: _Writer, move: Move, at: Address | None, game: Game) -> Any:
    hex = move.hex if at is None else game.board.grid.index(writer.name(at))
    text = write_move(Move(move.verb, move.rule, hex), game.board)
    return {"draw": text.removeprefix("draw ")} if move.verb == "draw" else text


def prepare_position(pose: PositionData, cache: RulesetCache) -> PreparedPosition | None:
    """A position laid out by a rule set; None if it cannot be, which is no fault of the rules."""
    writer = _Writer(pose, cache.ruleset.catalog)
    prepared = build_start(
        _scenario_of({**dict(_keys(writer, "it", ())), "expect": _NOTHING}), cache
    )[0]
    if prepared is None:
        return None
    game = prepared.setup.game
    grid = game.board.grid
    moves = [
        move if at is None else Move(move.verb, move.rule, grid.index(writer.name(at)))
        for move, at in pose.moves
    ]
    return PreparedPosition(game, prepared.state, tuple(moves))


def _scenario_of(data: Mapping[str, Any]) -> Scenario:
    """The scenario as if its text had been read, which takes longer than to lay it out."""
    model = ScenarioFile.model_validate_json(json.dumps(data))
    return Scenario(model, Document(Source("pose", ""), Hole(0, 0), data))


def _yaml(data: Mapping[str, Any]) -> str:
    board = dict(data["board"])
    board["drawing"] = LiteralScalarString(board["drawing"])
    yaml = YAML()
    yaml.default_flow_style = None
    yaml.width = 100
    out = StringIO()
    yaml.dump({**data, "board": board}, out)
    return out.getvalue()
