"""A page of HTML that holds everything it needs: what it may do is said by hashes in its head.

Whatever comes from outside is escaped; nothing is loaded, and no script runs but ours.
"""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from kbrules.tools.publishing.pictures.board import Picture, board_svg
from kbrules.tools.publishing.pictures.labels import legend_entries
from kbrules.tools.reports.templates import render

__all__ = ["as_script_data", "board_values", "html_page", "picture_page", "shipped"]


def shipped(name: str) -> str:
    """A style sheet or script that lies beside this module."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def picture_page(picture: Picture) -> str:
    """A page with one picture and the key to it."""
    body = render("pictures/picture.html", title=picture.title, **board_values(picture))
    return html_page(picture.title, body, shipped("page.css"))


def board_values(picture: Picture) -> dict[str, Any]:
    """What a page shows of a board: the drawing, the key to it, and a note on its maps."""
    board, legend = picture.board, list(legend_entries(picture.board))
    return {"board": Markup(board_svg(picture)), "legend": legend, "note": board.note}


def html_page(title: str, body: str, style: str, script: str = "", data: Any = None) -> str:
    """A whole page: title is text, body is HTML; data can be read by the script as `data`."""
    sources = f"style-src '{_digest(style)}'"
    if script:
        sources += f"; script-src '{_digest(script)}'"
    page = render(
        "pictures/page.html",
        title=title,
        policy=f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'",
        style=Markup(style),
        body=Markup(body),
        data=Markup(as_script_data(data)) if data is not None else "",
        script=Markup(script),
    )
    return str(page)


def _digest(text: str) -> str:
    """How a policy names a text that may be used."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def as_script_data(data: Any) -> str:
    """Data as JSON in which nothing can end the element that it stands in."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
