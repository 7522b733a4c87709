"""A report in every form: text, colours, a page, data; whatever its blocks hold is only text."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from kbrules.tools.reports.report import (
    Block,
    Chart,
    ChartLine,
    ChartMark,
    Figure,
    Findings,
    Lines,
    Notes,
    Report,
    ReportTable,
    Sentences,
    Style,
    as_json,
    as_page,
    as_text,
)

TABLE = ReportTable(("", "gold"), (("mill", "7"), ("coin", "12")), frozenset({1}))
CHART = Chart("gold", (ChartLine("mill", "Mill", (ChartMark(7, 5, 9, "Mill: 7"),)),))
BLOCKS: list[Block] = [
    Sentences(("It pays 7 gold.", "word " * 30)),
    Lines(("x not here", "+ here"), (Style.bad, Style.good)),
    Figure("Gold", CHART, TABLE, (TABLE,), ("of one game",)),
    Findings(("a.kb:1:2: error[KB030]: it\n    1 | gold 1\n      |      ^\n   help: no",), "two"),
    Notes(("again: kbrules",)),
]
REPORT = Report("Mill", BLOCKS, {"format": 1, "title": "Mühle"}, ["one"], "sum")


class Reader(HTMLParser):
    """The texts of a page, and the names of its elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.elements: list[str] = []
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.elements.append(tag)


def test_the_text_has_every_block_with_an_empty_line_between_two() -> None:
    sentences, lines, table, title, finding, notes = as_text(REPORT).split("\n\n")
    first, *rest = sentences.splitlines()
    assert first == "It pays 7 gold." and max(map(len, rest)) <= 88
    assert rest[1].startswith("  word")
    assert lines.splitlines() == ["x not here", "+ here"]
    assert table.splitlines() == ["      gold", "mill     7", "coin    12"]
    assert title == "two" and finding == BLOCKS[3].texts[0]  # type: ignore[union-attr]
    assert notes == "again: kbrules"


def test_colours_change_nothing_but_the_colours() -> None:
    shown = as_text(REPORT, colour=True)
    plain = re.sub(r"\x1b\[[\d;]*m", "", shown)
    assert [line.rstrip() for line in plain.splitlines()] == as_text(REPORT).splitlines()
    for text in ("\x1b[31mx not here", "\x1b[32m+ here", "\x1b[36m   help:", "\x1b[1mcoin"):
        assert text in shown


def test_the_page_has_every_block() -> None:
    read = Reader(as_page(REPORT))
    text = " ".join(" ".join(read.texts).split())
    for each in ("It pays 7 gold.", "x not here", "Gold", "of one game", "KB030", "again: kbrules"):
        assert each in text
    assert read.elements.count("table") == 1 and read.elements.count("svg") == 2
    assert read.elements.count("tr") == 3 and read.elements.count("h1") == 1


def test_the_data_is_ascii() -> None:
    text = as_json(REPORT)
    assert text.isascii() and json.loads(text) == REPORT.data


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), min_size=1))
def test_no_text_is_read_as_markup(text: str) -> None:
    elements = Reader(as_page(Report(text, _with(text), {}))).elements
    assert elements == Reader(as_page(Report("a", _with("a"), {}))).elements
    assert text.strip() in as_text(Report(text, [Lines((text,))], {}))


def _with(text: str) -> list[Block]:
    return [
        Sentences((text,)), Lines((text,)), Notes((text,)), Findings((text,), text),
        ReportTable((text,), ((text,),)),
    ]  # fmt: skip
