"""The published positions counted again, by every engine."""

from __future__ import annotations

from itertools import groupby

import pytest

from kbrules.engine.configuration import NATIVE, PYTHON, REFERENCE
from kbrules.library.box import shipped_boxes
from tests.golden.perft import MOST, POSITIONS, Line, counted, lines, positions

LINES = lines()
SEATS_ONLY = {"five_players"}
"""Boxes that only let more play: their positions are those of the boxes beside them."""
MIXES = {mix: list(group) for mix, group in groupby(LINES, lambda line: line.boxes)}


def counts_again(wanted: list[Line], engine: str) -> list[Line]:
    """The lines with what an engine counts; those that are no position are missing."""
    return [
        line._replace(counts=counted(game, state, engine))
        for _, group in groupby(wanted, lambda line: line.seed)
        for line, game, state in positions(list(group))
    ]


def test_there_are_positions_of_every_box_and_number_of_players() -> None:
    assert len(LINES) == len({line[:4] for line in LINES}) == POSITIONS
    assert {box for mix in MIXES for box in mix.split(",")} == {*shipped_boxes()} - SEATS_ONLY
    assert {line.players for line in LINES} == {2, 3, 4, 5}
    assert all(0 < line.counts[-1] <= MOST[0] for line in LINES)
    assert len({line.counts for line in LINES}) > POSITIONS / 2


@pytest.mark.parametrize("engine", [REFERENCE, PYTHON, NATIVE])
def test_positions_of_the_base_count_as_published(engine: str) -> None:
    wanted = MIXES["base"][:4]
    assert counts_again(wanted, engine) == wanted


@pytest.mark.parametrize("mix", MIXES)
def test_a_position_of_each_mix_counts_as_published(mix: str) -> None:
    wanted = [min(MIXES[mix], key=lambda line: line.at)]
    assert counts_again(wanted, PYTHON) == wanted


@pytest.mark.slow
@pytest.mark.parametrize("engine", [REFERENCE, PYTHON, NATIVE])
@pytest.mark.parametrize("mix", MIXES)
def test_all_positions_count_as_published(mix: str, engine: str) -> None:
    if engine == NATIVE:
        pytest.importorskip("numba")
    assert counts_again(MIXES[mix], engine) == MIXES[mix]
