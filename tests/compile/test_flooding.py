"""What is connected, as it is written out, against the word that says it."""

from __future__ import annotations

from typing import Any

import pytest

from kbrules.compile.flooding import connected
from kbrules.compile.running import NAME, Source, function_of
from kbrules.compile.writing import Writer
from kbrules.hex.floods import Floods, flooded
from kbrules.hex.grid import Grid
from tests.hex.changing import TABLES, WAYS, changing


def written() -> Any:
    """A function that asks the same place again and again."""
    pen = Writer((), {}, lambda call: pytest.fail("nothing is fixed"))
    pen.line(f"return {connected(pen, ('of', 'by'), 'floods', '7', 'grid')}")
    text, _ = pen.written(f"def {NAME}(of, by, floods, grid):")
    return function_of(Source(text, {"flooded": flooded}))


@pytest.mark.parametrize("grid", TABLES, ids=repr)
@pytest.mark.parametrize("way", WAYS)
def test_what_is_written_out_finds_what_the_word_does(grid: Grid, way: str) -> None:
    connected_to = written()
    for row in changing(grid, way):
        floods = Floods()
        for seeds, within in row:
            found = connected_to(seeds, within, floods, grid)
            assert found == grid.group_of(within, seeds)
