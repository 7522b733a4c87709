"""How many may play: two to four, or five with a box that brings the fifth colour (1.4, 3.1)."""

from __future__ import annotations

import pytest

from kbrules.engine.setup import SetupError, choose_table
from kbrules.library.box import shipped_boxes
from kbrules.library.load import load

FIFTH = ("crossroads", "five_players", "harvest", "marshlands", "nomads")  # let a fifth play
FOUR = (
    ("base",), ("capitol",), ("caves",), ("island",), ("capitol", "caves", "island"),
    ("new_edition",), ("new_edition", "capitol", "caves", "island"),
    ("casual",), ("six_sections",), ("settled_lords",), ("returning_tiles",),
)  # fmt: skip


def test_every_box_is_asked_about() -> None:
    assert {*FIFTH, *(box for boxes in FOUR for box in boxes)} == {*shipped_boxes()}


@pytest.mark.parametrize("boxes", FOUR, ids=" ".join)
def test_without_the_fifth_colour_two_to_four_play(boxes: tuple[str, ...]) -> None:
    ruleset = load(*boxes)
    assert [choose_table(ruleset, n, 1).players for n in (2, 3, 4)] == [2, 3, 4]
    for players in (1, 5):
        with pytest.raises(SetupError) as refused:
            choose_table(ruleset, players, 1)
        assert refused.value.part == "players"
        said = f"the game is for 2 to 4 players, not {players}, as `base` says"
        boxes = "`crossroads`, `five_players`, `harvest`, `marshlands` or `nomads`"
        more = f"; 5 play with the box {boxes}"
        assert str(refused.value) == said + (more if players == 5 else "")


@pytest.mark.parametrize("fifth", FIFTH)
@pytest.mark.parametrize("boxes", FOUR, ids=" ".join)
def test_with_it_five_play_with_the_same_boxes(boxes: tuple[str, ...], fifth: str) -> None:
    ruleset = load(*boxes, fifth)
    assert [choose_table(ruleset, n, 1).players for n in (2, 3, 4, 5)] == [2, 3, 4, 5]
    with pytest.raises(SetupError, match=f"2 to 5 players, not 6, as `{fifth}` says$"):
        choose_table(ruleset, 6, 1)
