"""A page with the picture of a board and the key to it."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from kbrules.tools.publishing.pictures.board import board_svg
from kbrules.tools.publishing.pictures.legend import legend_of_picture, swatch_element
from kbrules.tools.publishing.pictures.picture import Picture
from kbrules.tools.reports.page import html_page
from kbrules.tools.reports.templates import render, source


def picture_page(picture: Picture, language: str = "") -> str:
    """A page with one picture and the key to it; language: that of the titles of a box."""
    values = board_values(picture) | {"language": language}
    body = render("pictures/picture.html", title=picture.title, **values)
    return html_page(picture.title, body, source("page.css") + source("pictures/board.css"))


def board_values(picture: Picture) -> dict[str, Any]:
    """What a page shows of a board: the drawing, the key to it, and a note on its maps."""
    entries = legend_of_picture(picture)
    legend = [(Markup(swatch_element(entry)), entry.words) for entry in entries]
    return {"board": Markup(board_svg(picture)), "legend": legend, "note": picture.board.note}
