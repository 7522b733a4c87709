"""The pictures of a report: every card is there with its interval, and no title can harm them."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbrules.tools.balance.measure import (
    BalanceResult,
    balance_report,
    balance_svg,
    rank_card,
    text_chart,
)
from kbrules.tools.balance.playing import BalanceQuestion
from kbrules.tools.reports.report import as_page, as_text, scale
from tests.tools.balance.test_standing import TITLES, deals

EVIL = '<script>alert("x")</script> & \x1b[31m'


def found(count: int = 24, **titles: str) -> BalanceResult:
    ranking = rank_card(deals(count), "hut", ("lake", "mill"), "greedy")
    asked = BalanceQuestion("hut", ("dale",))
    command = ("kbrules", "balance", "hut")
    names = TITLES | titles
    return BalanceResult(
        asked, command, (ranking,), names, "official", count, 2 * count, "d1g", ("fell",)
    )


@pytest.mark.parametrize("count", [1, 2, 24])
def test_the_picture_has_a_row_and_a_mark_for_each_card(count: int) -> None:
    root = ElementTree.fromstring(balance_svg(found(count)))
    rows = [each for each in root.iter() if "data-id" in each.attrib]
    assert {each.attrib["data-id"] for each in rows} == {"hut", "lake", "mill"}
    marks = [len([e for e in row.iter() if e.tag.endswith(("circle", "path"))]) for row in rows]
    assert marks == [2, 2, 2]
    said = "".join(root.itertext())
    assert "seeds 0 to" in said and "again: kbrules balance hut" in said
    assert "stand-in maps, not the printed ones: fell" in said


def test_titles_are_text_wherever_they_stand() -> None:
    evil = found(hut=EVIL, lake=EVIL)
    page, text = as_page(balance_report(evil)), as_text(balance_report(evil))
    ElementTree.fromstring(balance_svg(evil))
    assert "<script>" not in page and "<script>" not in balance_svg(evil)
    assert "&lt;script&gt;" in page
    assert "\x1b" not in text + page and "\\x1b" in text


def test_the_page_has_every_figure_and_stands_alone() -> None:
    page = as_page(balance_report(found()))
    rows = re.findall(r"<tr.*?</tr>", page)
    strong = [row for row in rows if 'class="strong"' in row]
    assert len(rows) == 4 and len(strong) == 1 and "Huts" in strong[0]
    assert "Huts: what the card is worth" in page and "again: kbrules balance hut" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_the_rows_of_the_terminal_stand_under_each_other_and_the_asked_one_is_marked() -> None:
    head, *rows, ticks = text_chart(found().rankings[0], TITLES | {"lake": "A lake of a long name"})
    assert [row[0] for row in rows].count(">") == 1
    assert len({len(row) for row in rows}) == 1 and len(head) <= len(rows[0])
    assert ticks.split() == ["0", "2", "4", "6"]
    assert all(max(map(len, (head, *rows, ticks))) <= 100 for _ in rows)


NUMBERS = st.lists(st.integers(-9999, 9999).map(lambda n: n / 10), min_size=1, max_size=8)


@given(NUMBERS)
def test_every_value_lies_on_the_scale_and_its_steps_are_few_and_round(values: list[float]) -> None:
    low, high, step = scale(values)
    assert low <= min(*values, 0) and max(*values, 1) <= high
    assert 2 <= round((high - low) / step) <= 8
    assert f"{step:g}".strip("0.")[0] in "125"
