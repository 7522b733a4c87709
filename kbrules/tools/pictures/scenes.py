"""Moments to look at: where a scenario or an example begins, and what its norms change there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from xml.sax.saxutils import escape, quoteattr

from kbrules.diagnostics import Diagnostic
from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.game.board import Catalog
from kbrules.game.state import State
from kbrules.hex.sets import Mask
from kbrules.lang.syntax import tree
from kbrules.library.boards.positions import Position, draw_framed
from kbrules.library.ruleset import Ruleset
from kbrules.scenario.example_lines import read_drawing, read_lines
from kbrules.scenario.examples import EXPECTED, RuleExample, offered_hexes
from kbrules.scenario.position import build_start
from kbrules.scenario.reader import Scenario
from kbrules.scenario.report import marked_hexes, visible_pieces
from kbrules.scenario.running import Case
from kbrules.scenario.setup import MARKED
from kbrules.tools.narration import legend, marks_text, players_text, sheet_text
from kbrules.tools.pictures.board import CLOSED, Badge, Picture, hexes_svg, with_id_prefix
from kbrules.tools.pictures.drawings import FRAME, INK, text_svg


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


# What norms change: the hexes that an example offers without those of its rule, and with them.


_GAP, _ABOVE, _BELOW = 16.0, 30.0, 26.0
_SCALE = 1.5
_TITLES = "without the norm", "with the norm"


def norms_svg(ruleset: Ruleset, example: RuleExample, title: str) -> str | None:
    """Two boards side by side as one SVG element; None if the example offers nothing by norms."""
    picture = example_picture(ruleset.catalog, example.rule.id, example.example, title)
    before = offered_hexes(_without_norms(ruleset, example), example)
    after = offered_hexes(ruleset, example)
    if picture is None or before is None or after is None or not example.rule.norms:
        return None
    pictures = _marked(picture, before, 0), _marked(picture, after, before & ~after)
    return _side_by_side(pictures, title)


def _without_norms(ruleset: Ruleset, example: RuleExample) -> Ruleset:
    bare = replace(example.rule, norms=())
    rules = tuple(bare if rule is example.rule else rule for rule in ruleset.rules)
    return replace(ruleset, rules=rules)


def _marked(picture: Picture, offered: Mask, closed: Mask) -> Picture:
    others = {sign: hexes for sign, hexes in picture.marks.items() if sign != EXPECTED}
    return replace(picture, marks=others | {EXPECTED: offered, CLOSED: closed})


def _side_by_side(pictures: tuple[Picture, Picture], title: str) -> str:
    boards = [hexes_svg(picture) for picture in pictures]
    left, top, width, height = boards[0][1]
    size = 2 * width + 3 * _GAP, height + _ABOVE + _BELOW
    return "\n".join(
        [
            _head(*size, title),
            f"<title>{escape(title)}</title>",
            f'<rect width="{size[0]:.1f}" height="{size[1]:.1f}" rx="9" fill="{FRAME}"/>',
            *_panels([hexes for hexes, _ in boards], left, top, width),
            *_key(size[1] - 9),
            "</svg>",
        ]
    )


def _head(width: float, height: float, title: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1f} {height:.1f}" '
        f'width="{_SCALE * width:.0f}" height="{_SCALE * height:.0f}" role="group" '
        f'aria-label={quoteattr(title)} font-family="system-ui, sans-serif">'
    )


def _panels(boards: list[str], left: float, top: float, width: float) -> Iterator[str]:
    for number, (name, hexes) in enumerate(zip(_TITLES, boards, strict=True)):
        x = _GAP + number * (width + _GAP)
        yield text_svg((x + width / 2, _ABOVE - 11), name, 12)
        yield f'<g role="group" aria-label="{name}" '
        yield f'transform="translate({x - left:.1f} {_ABOVE - top:.1f})">'
        yield with_id_prefix(hexes, f"p{number}")
        yield "</g>"


def _key(y: float) -> Iterator[str]:
    words = f"{EXPECTED} offered    {CLOSED} no longer offered"
    yield f'<text x="{_GAP:g}" y="{y:g}" font-size="11" fill="{INK}" xml:space="preserve">'
    yield f"{words}</text>"
