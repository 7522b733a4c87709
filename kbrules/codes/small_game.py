"""A small game of our own, in which the examples of the codes are tried: one terrain, one piece."""

from __future__ import annotations

HEAD = "format: 1\nid: dale\ntitle: The Dale\n"

BOX = f"""\
{HEAD}
players: {{least: 2, most: 3}}
table: {{rows: 1, columns: 1}}
section: {{rows: 2, columns: 3}}
terrains:
  heath: {{letter: H}}
pieces:
  hut: {{letter: h, supply: 2}}
sections:
  north:
    rows: |
      H H H
       H H H
"""

GAME = """\
rule turn "The turn":
    "Build, then it is the next player's turn."
    turn:
        actions

rule building "Building":
    "Build one piece on any free hex."
    permit build on heath
    forbid build on occupied
    required action:
        build 1
    example:
        | .+ .a .+
        |  .+ .b .+
        offers

rule ending "The end":
    "When a supply is used up, the round is played to its end."
    when build if supply(hut) = 0: last round
"""

FOLDER = {"expansion.yaml": BOX, "rules/game.kb": GAME}
"""The files of the game by name, as an author would have them in a folder."""
