"""Norms about placing a player's own pieces, which spare the pieces of nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.scenario.collection import collect

MANIFEST = """\
format: 1
id: fen
title: The Fen
needs: [base]
pieces:
  hut: {letter: h, title: hut, supply: 3}
  fence: {letter: f, title: fence, supply: 3, neutral: true}
"""

RULES = """\
rule hutting "Huts":
    "Place a hut."
    action:
        place 1 hut on buildable

rule fencing "Fences":
    "Place a fence."
    action:
        place 1 fence on buildable
"""

SCENARIO = """\
format: 1
title: Own pieces
players: 2
position:
  a: {pieces: {settlement: [b2]}}
board:
  drawing: |
    G  C  C
     W  D  W
    D  W  G
turn: {played: grass}
unchecked: yes
scenarios:
  - title: One
    expect:
"""

CASES = {
    "what is forbidden to own pieces": ("forbid place_own on edge & desert", """
      offered: {hutting: [a1, b1, c1, c3], fencing: [a1, b1, c1, a3, c3]}
      refused: [{move: "hutting: place a3", because: law, says: "place is forbidden on `edge"}]
"""),
    "what is forbidden to all": ("forbid place on edge & desert", """
      offered: {hutting: [a1, b1, c1, c3], fencing: [a1, b1, c1, c3]}
      refused: [{move: "fencing: place a3", because: law}]
"""),
    "both verbs in one norm say it once": ("forbid place, place_own on edge & desert", """
      offered: {hutting: [a1, b1, c1, c3], fencing: [a1, b1, c1, c3]}
      refused:
        - {move: "hutting: place a3", because: law}
        - {move: "fencing: place a3", because: law}
"""),
    "what own pieces prefer": ("prefer place_own on canyon", """
      offered: {hutting: [b1, c1], fencing: [a1, b1, c1, a3, c3]}
      refused: [{move: "hutting: place a3", because: law, says: come first}]
"""),
    "what own pieces need not prefer": (
        "prefer place on canyon\n    waive place_own", """
      offered: {hutting: [a1, b1, c1, a3, c3], fencing: [b1, c1]}
      refused: [{move: "fencing: place a3", because: law, says: come first}]
"""),
    "what is denied to own pieces": ("deny place_own on canyon", """
      offered: {hutting: [a1, a3, c3], fencing: [a1, b1, c1, a3, c3]}
      refused: [{move: "hutting: place b1", because: law, says: place is not allowed}]
"""),
    "what depends on the terrain played": (
        "forbid place_own on terrain(played)", """
      offered: {hutting: [b1, c1, a3], fencing: [a1, b1, c1, a3, c3]}
"""),
    "building does not heed it": ("forbid place_own on board", """
      offered: {hutting: none, mandatory: some}
      refused: [{move: "hutting: place a1", because: law}]
"""),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_norms_about_own_pieces(tmp_path: Path, case: str) -> None:
    norms, wanted = CASES[case]
    law = f'\nrule law "A law":\n    "What the case says."\n    {norms}\n'
    (tmp_path / "expansion.yaml").write_text(MANIFEST)
    (tmp_path / "fen.kb").write_text(RULES + law)
    (tmp_path / "own.scenario.yaml").write_text(SCENARIO + wanted.lstrip("\n"))
    items = collect([tmp_path])
    assert len(items) == 1, items.findings
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"
