"""A small game with two terrains, a tile and two cards: for examples of what play shows."""

from __future__ import annotations

from kbrules.codes.small_game import HEAD

BOX = f"""\
{HEAD}
players: {{least: 2, most: 3}}
table: {{rows: 1, columns: 1}}
section: {{rows: 6, columns: 6}}
terrains:
  heath: {{letter: H}}
  lake: {{letter: L}}
places:
  yard: {{letter: Y}}
pieces:
  hut: {{letter: h, supply: 7}}
tiles:
  mill: {{kind: location, place: yard, each: 2}}
cards: [rowers, anglers]
sections:
  north:
    places: {{"1": mill}}
    rows: |
      H H H H H L
       H 1 H H L L
      H H H H H H
       H H H L H H
      H L H H 1 H
       H H H H H H
"""

GAME = """\
rule turn "The turn":
    "Build once and use your tiles, then it is the next player's turn."
    turn:
        ready tiles
        actions

rule building "Building":
    "Build one piece on heath, next to your own if you can."
    permit build on heath
    forbid build on occupied
    prefer build on adjacent(mine)
    required action:
        build 1
    example:
        | H+ H+
        |  Ha H+
        offers

rule taking "Taking":
    "A piece beside a yard takes a tile that lies there."
    when build: take tiles from adjacent(here) & stocked

rule ending "The end":
    "When a supply is used up, the round is played to its end."
    when build if supply(hut) = 0: last round
"""

ROWERS = """\
card rowers "Rowers":
    "One gold for each of your pieces beside a lake."
    gold 1 per hex in mine & adjacent(lake)
    example:
        | Ha L
        |  H  Ha
        gives 1
"""
MILL = """\
location mill "Mill":
    "Build one piece beside a lake."
    action:
        build 1 on heath & adjacent(lake)
    example:
        | H  L
        |  H+ Ha
        offers
"""
ANGLERS = """\
card anglers "Anglers":
    "One gold for each piece of yours without a neighbour of yours."
    gold 1 per hex in mine - adjacent(mine)
    example:
        | Ha H
        |  H Ha
        gives 2
"""

FOLDER = {
    "expansion.yaml": BOX,
    "rules/game.kb": GAME,
    "rules/rowers.kb": ROWERS,
    "rules/mill.kb": MILL,
    "rules/anglers.kb": ANGLERS,
}
"""The files of the game by name, as an author would have them in a folder."""
