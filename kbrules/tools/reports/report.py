"""A report: what a command found out, as blocks for people, as data, and on a page or terminal."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from kbrules.tools.reports.chart import NARROW, WIDE, Chart, ChartLayout, charts_svg

# The templates of pages: files in `kbrules/tools/templates`.


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
    jinja.filters["anchor"] = _anchor
    return jinja


def _anchor(title: str) -> str:
    """The id of a heading of ours; no id of an author has a hyphen."""
    return "part-" + re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def render(template: str, **values: Any) -> Markup:
    """What a template makes of some values, as markup; `template` is its path."""
    return Markup(environment().get_template(template).render(values))


def source(name: str) -> str:
    """A style sheet or script that lies among the templates."""
    return (files("kbrules.tools") / "templates" / name).read_text(encoding="utf-8")


# A report: what a command found out, as blocks for people and as data for programs.
#
# A command builds one report, and the renderers make of it what is wanted: `terminal.as_text`,
# `page.as_page` and, for programs, `as_json`.


class Style(StrEnum):
    """How a line stands out where colours can be seen."""

    plain = ""
    strong = "bold"
    good = "green"
    bad = "red"


@dataclass(frozen=True, slots=True)
class Sentences:
    """What the report says, in sentences."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Notes:
    """Where the figures come from, and what their names mean."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """Text whose columns stand below each other, such as the picture of a board.

    styles: of the first lines, in their order; the others are plain. above: a line that stands
    above them in a terminal, where no title does.
    """

    lines: tuple[str, ...]
    styles: tuple[Style, ...] = ()
    above: str = ""

    @property
    def styled(self) -> list[tuple[str, Style]]:
        """Each line with its style."""
        missing = [Style.plain] * (len(self.lines) - len(self.styles))
        return list(zip(self.lines, [*self.styles, *missing], strict=True))


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells below their heads; `strong` are the numbers of the rows that stand out."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    strong: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Figure:
    """Numbers as a chart: on a page with the table of them, in a terminal as the blocks `text`.

    notes: what a page says below the table.
    """

    title: str
    chart: Chart
    table: Table
    text: tuple[Lines | Table, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found at places in source text, each with an excerpt."""

    texts: tuple[str, ...]
    title: str = ""


Block = Sentences | Notes | Lines | Table | Figure | Findings


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """What was found out.

    data: all of it for programs. lines: its findings in a line each, for those who want no more.
    summary: one line for all.
    """

    title: str
    blocks: Sequence[Block]
    data: Mapping[str, Any]
    lines: Sequence[str] = ()
    summary: str = ""


def as_json(report: Report) -> str:
    """The data as a text; pure ASCII."""
    return json.dumps(report.data, indent=2)


# A page of HTML that holds everything it needs: what it may do is said by hashes in its head.
#
# Whatever comes from outside is escaped; nothing is loaded, and no script runs but ours.


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
