"""Boards on a page: a section, or what an example draws."""

from __future__ import annotations

from markupsafe import Markup

from kbrules.game.board import Board, Catalog
from kbrules.lang.syntax import tree
from kbrules.library.boards.sections import Section
from kbrules.library.boards.tables import lay_section
from kbrules.library.ruleset import Ruleset
from kbrules.tools.publishing.pictures.board import board_svg, with_id_prefix
from kbrules.tools.publishing.pictures.picture import Picture
from kbrules.tools.publishing.pictures.scenes import example_picture


def section_board(ruleset: Ruleset, section: Section) -> Markup:
    """The map of a section."""
    board = lay_section(ruleset.catalog, section, False)
    return _picture(Picture(board, {}, {}, section.id), "s")


def example_board(catalog: Catalog, rule: str, example: tree.Example, prefix: str) -> Markup | None:
    """What the example of a rule draws, if it can be read; its ids in the page have a prefix."""
    title = ": ".join(filter(None, ("Example", example.title)))
    picture = example_picture(catalog, rule, example, title)
    return None if picture is None else _picture(picture, prefix)


def _picture(picture: Picture, prefix: str) -> Markup:
    """The picture with its own ids for its patterns, and as wide as its board is."""
    svg = with_id_prefix(board_svg(picture), prefix)
    return Markup(svg.replace("<svg ", f'<svg style="width:{_width(picture.board)}rem" ', 1))


def _width(board: Board) -> int:
    """The width in units of a letter: boards are told apart by size, and stay within the page."""
    columns = max(part.width for part in board.grid.parts) + 2
    return min(44, max(10, 3 * columns))
