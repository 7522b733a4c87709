"""Pages of HTML that need nothing else: their templates, and a report as a page or a picture.

The templates are in `kbrules/tools/templates`. Whatever comes from outside is escaped; nothing is
loaded, and no script runs but ours.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from kbrules.tools.reports import report as reports
from kbrules.tools.reports.charts import NARROW, WIDE, charts_svg


@cache
def environment() -> Environment:
    """Where templates come from: all text is escaped, and an unknown name is an error."""
    jinja = Environment(
        loader=PackageLoader("kbrules.tools", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    # The id of a heading of ours; no id of an author has a hyphen.
    to_hyphens = partial(re.sub, r"[^a-z0-9]+", "-")
    jinja.filters["anchor"] = lambda title: "part-" + to_hyphens(title.lower()).strip("-")
    return jinja


def fill_template(template: str, **values: Any) -> Markup:
    """What a template makes of some values, as markup; `template` is its path."""
    return Markup(environment().get_template(template).render(values))


def source(name: str) -> str:
    """A style sheet or script that lies among the templates."""
    return (files("kbrules.tools") / "templates" / name).read_text(encoding="utf-8")


def html_page(title: str, body: str, style: str, script: str = "", data: Any = None) -> str:
    """A whole page: title is text, body is HTML; data can be read by the script as `data`."""
    sources = f"style-src '{_digest(style)}'"
    if script:
        sources += f"; script-src '{_digest(script)}'"
    page = fill_template(
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


# A report as a page, and its picture.


_NAMES: dict[type[reports.Block], str] = {
    reports.Sentences: "sentences", reports.Lines: "lines", reports.ReportTable: "table",
    reports.Figure: "figure", reports.Findings: "findings", reports.Board: "board",
}  # fmt: skip


def as_page(report: reports.Report) -> str:
    """Return a whole page with the blocks of a report, and its notes at the foot."""
    blocks = [(_NAMES[type(block)], block) for block in report.blocks if type(block) in _NAMES]
    functions: dict[str, Any] = {"charts": _charts, "drawn": lambda board: Markup(board.draw())}
    values = {"title": report.title, "blocks": blocks, "notes": report.notes, **functions}
    body = fill_template("reports/report.html", **values)
    return html_page(report.title, body, source("page.css") + source("reports/report.css"))


def as_picture(report: reports.Report) -> str:
    """Return the first board of a report as SVG; without a board its charts, with its notes."""
    for block in report.blocks:
        if isinstance(block, reports.Board):
            return block.draw()
    charts = [block.chart for block in report.blocks if isinstance(block, reports.Figure)]
    return charts_svg(charts, report.caption or report.title, report.notes)


def _charts(figure: reports.Figure) -> list[tuple[str, Markup]]:
    """Return the chart of a figure for wide pages and for phones; a style sheet shows one.

    It has no title, which is the heading above it.
    """
    untitled = [replace(figure.chart, title="")]
    svg = partial(charts_svg, untitled, figure.title)
    return [("wide", Markup(svg(layout=WIDE))), ("narrow", Markup(svg(layout=NARROW)))]
