"""A page of HTML that holds everything it needs: what it may do is said by hashes in its head.

Whatever comes from outside is escaped; nothing is loaded, and no script runs but ours.
"""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from typing import Any

from markupsafe import Markup

from kbrules.tools.reports.chart import NARROW, WIDE, ChartLayout, charts_svg
from kbrules.tools.reports.report import Figure, Findings, Lines, Notes, Report, Sentences, Table
from kbrules.tools.reports.templates import render, source

_NAMES = {
    Sentences: "sentences", Lines: "lines", Table: "table", Figure: "figure",
    Findings: "findings",
}  # fmt: skip


def as_page(report: Report) -> str:
    """A whole page with the blocks of a report, and its notes at the foot."""
    blocks = [(_NAMES[type(block)], block) for block in report.blocks if type(block) in _NAMES]
    notes = [line for block in report.blocks if isinstance(block, Notes) for line in block.lines]
    values = {"title": report.title, "blocks": blocks, "notes": notes, "charts": _charts}
    body = render("reports/report.html", **values)
    return html_page(report.title, body, source("page.css") + source("reports/report.css"))


def _charts(figure: Figure) -> list[tuple[str, Markup]]:
    """The chart of a figure for wide pages and for phones; a style sheet shows one of them."""
    return [("wide", _svg(figure, WIDE)), ("narrow", _svg(figure, NARROW))]


def _svg(figure: Figure, layout: ChartLayout) -> Markup:
    """The chart of a figure, whose title stands above it."""
    return Markup(charts_svg([replace(figure.chart, title="")], figure.title, layout=layout))


def html_page(title: str, body: str, style: str, script: str = "", data: Any = None) -> str:
    """A whole page: title is text, body is HTML; data can be read by the script as `data`."""
    sources = f"style-src '{_digest(style)}'"
    if script:
        sources += f"; script-src '{_digest(script)}'"
    page = render(
        "page.html",
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
