"""The table of limits says what the constants are."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from kbrules.messages import CODES

PAGE = (Path(__file__).parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"^\| .* \| ([\d,]+)( (?:[KM]iB?))?.* \| ((?:KB\d+|, )+|--) \| `([\w.]+)\.(\w+)` \|$", re.M
)
SCALE = {"": 1, "K": 1024, "M": 1024**2}
ROWS = ROW.findall(PAGE)


def test_every_row_is_read() -> None:
    assert len(ROWS) == PAGE.count("| `kbrules.") >= 8


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[3]}.{row[4]}")
def test_a_limit_is_as_the_page_says(row: tuple[str, ...]) -> None:
    number, unit, codes, module, name = row
    value = getattr(import_module(module), name)
    assert value == int(number.replace(",", "")) * SCALE[unit.strip()[:1]]
    assert all(code in CODES for code in codes.split(", ") if code != "--")
