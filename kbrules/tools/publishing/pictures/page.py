"""A page of HTML that holds everything it needs: what it may do is said by hashes in its head.

Whatever comes from outside is escaped; nothing is loaded, and no script runs but ours.
"""

from __future__ import annotations

import json
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from kbrules.tools.publishing.pictures.board import Picture, board_svg
from kbrules.tools.publishing.pictures.labels import key_of
from kbrules.tools.reports.templates import environment

__all__ = ["as_script_data", "html_page", "key_html", "note_html", "picture_page", "shipped"]


def shipped(name: str) -> str:
    """A style sheet or script that lies beside this module."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def picture_page(picture: Picture) -> str:
    """A page with one picture and the key to it."""
    body = [
        f"<h1>{escape(picture.title)}</h1>",
        f"<main>{board_svg(picture)}</main>",
        key_html(picture),
        note_html(picture),
    ]
    return html_page(picture.title, "\n".join(body), shipped("page.css"))


def html_page(title: str, body: str, style: str, script: str = "", data: Any = None) -> str:
    """A whole page: title is text, body is HTML; data can be read by the script as `data`."""
    sources = f"style-src '{_digest(style)}'"
    if script:
        sources += f"; script-src '{_digest(script)}'"
    return (
        environment()
        .get_template("pictures/page.html")
        .render(
            title=title,
            policy=f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'",
            style=Markup(style),
            body=Markup(body),
            data=Markup(as_script_data(data)) if data is not None else "",
            script=Markup(script),
        )
    )


def _digest(text: str) -> str:
    """How a policy names a text that may be used."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def as_script_data(data: Any) -> str:
    """Data as JSON in which nothing can end the element that it stands in."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def key_html(picture: Picture) -> str:
    """What the letters and digits of a picture mean, as a list."""
    entries = (
        f"<li><b>{escape(entry.sign)}</b> {escape(entry.words)}</li>"
        for entry in key_of(picture.board)
    )
    return f'<ul class="key" aria-label="What the letters mean">{"".join(entries)}</ul>'


def note_html(picture: Picture) -> str:
    """What is to be said of the maps of a picture, if anything."""
    note = picture.board.note
    return f'<p class="note">{escape(note)}</p>' if note else ""
