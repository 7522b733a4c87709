"""Cards with two terrains: which is used is chosen when it is needed, and sometimes again."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.scenario.collection import collect

MANIFEST = """\
format: 1
id: fen
title: The Fen
needs: [base]
terrains:
  moss: {letter: S, title: moss, colour: "#7a8f4a", tags: [buildable]}
tiles:
  well: {kind: location, place: location, each: 2, title: Well}
  spade: {kind: location, place: location, each: 2, title: Spade}
  fold: {kind: location, place: location, each: 2, title: Fold}
deck:
  - {terrains: [moss, grass], count: 2}
  - {terrains: [moss, canyon], count: 2}
"""

RULES = """\
rule slow "Slow ground":
    "On moss one settlement less is built."
    decrease builds by 1 if any(moss & terrain(played))

location well "Well":
    "Turn up a card and build on its terrains."
    action:
        reveal 1 card
        build 1 on revealed

location spade "Spade":
    "Build up to two settlements on the terrain of your card."
    action:
        up to 2 times: build 1 on terrain(played)

location fold "Fold":
    "Build on grass, or on the terrain of your card, twice."
    action:
        repeat 2 times:
            either:
                build 1 on grass
            or:
                build 1 on terrain(played)
"""

HEAD = """\
format: 1
title: Cards with two terrains
players: 2
position:
  a: {pieces: {settlement: [a1]}, tiles: TILES}
board:
  drawing: |
DRAWING
turn: {played: CARDS}
unchecked: yes
scenarios:
  - title: One
"""

OPEN = """
    D G G S S
     D G S S C
    D D C C C
"""
LITTLE = """
    D G S C T
     D D D C C
    D D D C C
"""
FENLESS = """
    D G G C Sb
     D G D D C
    D D C C C
"""
CANYONLESS = """
    Cb G S S T
     D D D D D
    D D D S T
"""

DRAINED = CANYONLESS.replace("S S T", "Xb D T").replace("S", "D").replace("X", "S")

CASES = {
    "the first action that needs a terrain fixes it": (
        OPEN, "moss+grass", "[oracle, oasis]", """
    steps:
      - expect:
          choices: [grass, moss, oasis]
          refused: [{move: "mandatory: build b1", because: mandatory, says: chosen}]
      - "oasis: build a2"
      - expect: {choices: [grass, moss]}
      - "choose moss"
      - expect: {choices: [mandatory, oracle], shown: [grass+moss]}
      - expect: {offered: {oracle: {includes: [d1]}, mandatory: {includes: [d1]}}}
"""),
    "builds are counted by the half that was chosen": (
        OPEN, "moss+grass", "[]", """
    steps:
      - "choose moss"
      - "mandatory: build d1"
      - "mandatory: build e1"
      - expect: {discards: {grass+moss: 1}, turn: chance}
"""),
    "the other half asks for all three": (
        OPEN, "moss+grass", "[]", """
    steps:
      - "choose grass"
      - "mandatory: build b1"
      - "mandatory: build b2"
      - expect: {offered: {mandatory: [c1]}}
"""),
    "a dead half cannot be chosen, and the card lives": (
        FENLESS, "moss+grass", "[]", """
    steps:
      - expect: {choices: [grass], shown: [grass+moss]}
      - expect: {refused: [{move: "choose moss", says: chosen}]}
"""),
    "a half that is nowhere on the table is no choice": (
        FENLESS.replace("Sb", "C"), "moss+grass", "[]", """
    steps:
      - expect: {choices: [mandatory], offered: {mandatory: {includes: [b1]}}}
"""),
    "a card with two dead halves is replaced, and its successor chosen from": (
        DRAINED, "moss+canyon", "[]", """
    steps:
      - expect: {turn: chance}
      - draw: grass+moss
      - expect: {shown: [grass+moss], choices: [grass], discards: {}}
"""),
    "a chosen half that runs out in mid-action leaves the other half": (
        LITTLE, "moss+canyon", "[]", """
    steps:
      - "choose moss"
      - "mandatory: build c1"
      - expect: {shown: [canyon+moss], choices: [canyon]}
      - "choose canyon"
      - expect: {choices: [mandatory], offered: {mandatory: [d1]}}
      - "mandatory: build d1"
"""),
    "a successor with two halves is chosen from in mid-action": (
        LITTLE, "grass", "[]", """
    steps:
      - "mandatory: build b1"
      - draw: moss+canyon
      - expect: {shown: [canyon+moss], choices: [canyon, moss]}
      - expect: {refused: [{move: "mandatory: build c1", because: placement}]}
      - "choose canyon"
      - expect: {choices: [mandatory], offered: {mandatory: [d1, d2, d3, e2, e3]}}
      - "mandatory: build d1"
      - "mandatory: build d2"
      - expect: {discards: {canyon+moss: 1}}
"""),
    "of a successor a dead half cannot be chosen in mid-action": (
        LITTLE.replace("S", "Sb"), "grass", "[]", """
    steps:
      - "mandatory: build b1"
      - draw: moss+canyon
      - expect: {choices: [canyon]}
"""),
    "who may stop need not choose": (
        LITTLE, "grass", "[spade]", """
    steps:
      - "spade: build b1"
      - draw: moss+canyon
      - expect: {choices: [canyon, moss, spade]}
      - "spade: stop"
      - expect: {choices: [canyon, moss]}
"""),
    "a terrain is chosen for a branch, too": (
        LITTLE, "grass", "[fold]", """
    steps:
      - "fold: build b1"
      - draw: moss+canyon
      - expect: {choices: [canyon, moss]}
      - "choose canyon"
      - expect: {choices: [fold]}
"""),
    "of two cards one of two halves may be chosen": (
        OPEN, "[desert, moss+grass]", "[]", """
    steps:
      - expect: {choices: [desert, grass, moss]}
      - "choose grass"
      - expect: {shown: [grass+moss], choices: [mandatory]}
"""),
    "a revealed card shows both": (
        OPEN, "desert", "[well]", """
    position:
      a: {pieces: {settlement: [c2]}, tiles: [well]}
    steps:
      - "well: use"
      - draw: moss+grass
      - expect: {offered: {well: [b2, c1, d1, d2]}, choices: [well], discards: {grass+moss: 1}}
"""),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_card_with_two_terrains(tmp_path: Path, case: str) -> None:
    drawing, cards, tiles, rest = CASES[case]
    text = HEAD.replace("TILES", tiles).replace("CARDS", named(cards))
    text = text.replace("DRAWING", drawing.strip("\n")) + named(rest).lstrip("\n")
    (tmp_path / "expansion.yaml").write_text(MANIFEST)
    (tmp_path / "fen.kb").write_text(RULES)
    (tmp_path / "cards.scenario.yaml").write_text(text)
    items = collect([tmp_path])
    assert len(items) == 1, items.findings
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"


def named(text: str) -> str:
    """The names of the cards as the catalogue writes them: terrains in order."""
    return text.replace("moss+grass", "grass+moss").replace("moss+canyon", "canyon+moss")
