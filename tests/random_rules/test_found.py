"""What random rules have shown, each as small as it is: the engines agree on it, move by move."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from kbrules.engine.configuration import NATIVE, PYTHON
from kbrules.game.random import Random
from tests.random_rules.boxes import Line, RandomBox, manifest_of
from tests.random_rules.comparison import accepted, compared

COURSE = """\
rule turn "Turn":
    "A card is played and another one drawn."
    permit build on empty & dry
    forbid build, move, place on occupied | special
    setup: draw 1 card
    turn:
        ready tiles
        play cards
        build 1
        actions
        discard cards
        draw 1 card
    whenever drawing and cards(deck) = 0 and cards(discards) > 0: reshuffle discards
    when build, move, place: take tiles from adjacent(here)
    when turn_start if round >= 4: last round

"""
MILL = """\
location mill "Mill":
    "Build."
    action: build 1 on empty

"""
PHASES = """\
memory counted: number of table "How often it was done."

card rowers "Rowers":
    "It counts, if it is in play."
    setup: count 1 into counted
    finish: count 2 into counted

"""
ELSEWHERE = """\
card rowers "Rowers":
    "They lie beside the table."
    gold 1

card lords "Lords":
    "They lie beside the table in other games."
    gold 2

rule trade "Trade":
    "A card in play is put beside the table, and one from there in play."
    when turn_start:
        either: substitute lords with rowers
        or: substitute rowers with lords
        or: gain 1
"""
BETWEEN = """\
memory mended: number of turn "How often it was done in this turn."

rule mending "Mending":
    "Once in a turn whoever has used their tiles may build at the edge first."
    setup: receive mill
    whenever my_turn and held(mill) > 0 and usable(mill) = 0 and mended = 0:
        count 1 into mended
        up to 1 times: build 1 on edge & empty

location mill "Mill":
    "Build, whatever there is."
    required action:
        if any(empty): build 1 on empty
"""
DRAWN = """\
rule drawn "Drawn":
    "Before a card is drawn more may be drawn, and so on."
    whenever drawing and cards(deck) > 3:
        either: draw 2 cards
        or: build 1 on edge
"""
USED_UP = """\
location mill "Mill":
    "Build once for each mill that may still be used."
    action:
        repeat 1 times:
            repeat usable(mill) times:
                build 1 on empty

rule given "Given":
    "Everybody has one."
    setup: receive mill
"""
NONE_LEFT = """\
location mill "Mill":
    "Build as many as mills may still be used."
    action: build usable(mill) on empty

rule given "Given":
    "Everybody has one."
    setup: receive mill
"""
FOUND = {
    "phases of cards that lie beside the table": PHASES,
    "cards that are neither in play nor beside": ELSEWHERE,
    "a rule that comes between an action and its first choice": BETWEEN,
    "draws tried within draws": DRAWN,
    "rounds of which none is left once the action has begun": USED_UP,
    "a count that is none once the action has begun": NONE_LEFT,
}
ENGINES = [
    PYTHON,
    pytest.param(
        NATIVE,
        marks=[
            pytest.mark.slow,
            pytest.mark.skipif(find_spec("numba") is None, reason="no extra `fast`"),
        ],
    ),
]


def box_with(text: str, seed: int) -> RandomBox:
    """A small box of one location and up to two cards, with a rule text."""
    manifest = {
        **manifest_of(Random(seed, "found")),
        "tiles": {"mill": {"kind": "location", "place": "yard", "each": 2}},
        "table": {"rows": 1, "columns": 1},
        "section": {"rows": 3, "columns": 4},
        "sections": {"all": {"places": {"1": "mill"}, "rows": "H M H M\nH 1 M H\nM H 1 H\n"}},
        "cards": [card for card in ("lords", "rowers") if f"card {card}" in text],
        "tasks": [],
        "start_player": "passes",
        "grids": {},
    }
    names = ("heath", "moor")
    manifest["terrains"] = {id: {"letter": id[0].upper(), "tags": ["dry"]} for id in names}
    manifest["deck"] = [{"terrains": [id], "count": 3} for id in names]
    manifest["numbers"] = {"cards_beside": 1}
    mill = "" if "location mill" in text else MILL
    return RandomBox(seed, manifest, (Line(COURSE + mill + text),), 2 + seed % 2)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", FOUND)
def test_the_engines_agree_on_what_was_found(name: str, engine: str) -> None:
    for seed in range(3):
        table = accepted(box_with(FOUND[name], seed))
        assert compared(table, engine) != "too slow"
