"""Moments to look at: where a scenario or an example begins, and a game after so many moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kbrules.diagnostics import Diagnostic
from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.game.board import Catalog
from kbrules.game.state import State
from kbrules.hex.sets import Mask
from kbrules.lang.syntax import tree
from kbrules.library.boards.positions import Position, draw_framed
from kbrules.scenario.example_lines import read_drawing, read_lines
from kbrules.scenario.preparation import build_start
from kbrules.scenario.reader import Scenario
from kbrules.scenario.report import marked_hexes, visible_pieces
from kbrules.scenario.running import Case
from kbrules.scenario.setup import MARKED
from kbrules.tools.playing.state_text import legend, marks_text, players_text, sheet_text
from kbrules.tools.publishing.pictures.picture import Badge, Picture


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture, and the same as text."""

    picture: Picture
    text: str


def scene_of_item(item: Case) -> tuple[Scene | None, list[Diagnostic]]:
    """The beginning of a scenario or example, or what is wrong with how it is written."""
    if isinstance(item.definition, Scenario):
        prepared, findings = build_start(item.definition, item.cache)
        if prepared is None:
            return None, findings
        marks = {MARKED: prepared.setup.marked} if prepared.setup.marked else {}
        return _scene(prepared.setup.game, prepared.state, item.title, marks), []
    catalog, written = item.cache.ruleset.catalog, item.definition
    position, findings = _position_of(catalog, written.rule.id, written.example)
    if position is None:
        return None, findings
    board = position.board
    board_text = draw_framed(catalog, board, position.pieces, position.marks)
    return Scene(_picture(position, item.title), f"{item.title}\n\n{board_text}"), []


def example_picture(
    catalog: Catalog, rule: str, example: tree.Example, title: str = ""
) -> Picture | None:
    """The picture of a rule's example; None if it draws nothing, or nothing that can be read."""
    position, _ = _position_of(catalog, rule, example)
    return None if position is None else _picture(position, title)


def _picture(position: Position, title: str) -> Picture:
    return Picture(position.board, position.pieces, position.marks, title, position.open)


def _position_of(
    catalog: Catalog, rule: str, example: tree.Example
) -> tuple[Position | None, list[Diagnostic]]:
    """What an example draws; nothing, and no finding, if it draws nothing."""
    if example.drawing is None:
        return None, []
    lines, findings = read_lines(example, catalog)
    position, more = read_drawing(example, rule, lines, catalog)
    return position, findings + more


def scene_of_game(game: Game, state: State, title: str) -> Scene:
    """A moment of a game, its text with the score sheet of that moment."""
    scene = _scene(game, state, title, {})
    sheet = sheet_text(game, game.score(state))
    return Scene(scene.picture, f"{scene.text}\n\n{sheet}")


def game_title(game: Game, state: State) -> str:
    """A game as people speak of it: its first box, how many play, and who has won."""
    names = [player_name(player) for player in game.score(state).winners] if state.is_over else []
    ended = f", won by {' and '.join(names)}" if names else ""
    title = game.ruleset.parts.box_titles[game.ruleset.boxes[0]]
    return f"{title} for {game.players}{ended}"


def _scene(game: Game, state: State, title: str, signs: Mapping[str, Mask]) -> Scene:
    board, pieces = game.board, visible_pieces(state)
    board_text = draw_framed(board.catalog, board, pieces, signs)
    parts = [marks_text(game, state), players_text(game, state), legend(game, state)]
    text = "\n".join([title, "", board_text, *filter(None, parts)])
    return Scene(picture_of_state(game, state, title, signs), text)


def picture_of_state(
    game: Game, state: State, title: str, signs: Mapping[str, Mask] = MappingProxyType({})
) -> Picture:
    """A moment of a game: its pieces, the marks of its boxes, and signs of one's own."""
    badges = tuple(badges_of(game, state))
    return Picture(game.board, visible_pieces(state), signs, title, badges=badges)


def badges_of(game: Game, state: State) -> Iterator[Badge]:
    """The marks of the boxes as they are for the player whose turn it is."""
    icons = game.ruleset.parts.mark_icons
    for id, (title, hexes) in zip(game.ruleset.marks, marked_hexes(game, state), strict=True):
        yield Badge(title, icons.get(id, ""), hexes)
