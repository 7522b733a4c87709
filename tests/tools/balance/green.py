"""A game so small that thousands are played in seconds, with cards that are worth comparing.

Two players put three huts each on one of three small maps, by terrain cards; two scoring cards lie
on the table. `dwellers` and `neighbours` say the same, so that nothing tells them apart but luck.
"""

from __future__ import annotations

from pathlib import Path

from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset

__all__ = ["green"]

BOX = """\
format: 1
id: green
title: The green
players: {{least: 2, most: 3}}
table: {{rows: 1, columns: 1}}
section: {{rows: 5, columns: 5}}
numbers: {{cards_in_play: {room}, hand: 1}}
terrains:
  heath: {{letter: H}}
  moss: {{letter: M}}
  pond: {{letter: P}}
pieces:
  hut: {{letter: h, title: hut, supply: 3}}
deck:
  - {{terrains: [heath], count: 6}}
  - {{terrains: [moss], count: 6}}
cards: [{cards}]
sections:
  north:
    rows: |
      H H P H M
       M H M M M
      H M M H M
       H H H M H
      P M H H M
  south:
    rows: |
      M M H H H
       M M H M H
      H M P M M
       H H M M P
      M M H M H
  west:
    rows: |
      H M H P M
       M M H M H
      M H M H M
       P H H M M
      H M H M H
"""
RULES = """\
rule turn "The turn":
    "Draw a card and put a hut on its terrain, beside your own if you can."
    turn:
        if cards(deck) = 0: reshuffle discards
        draw 1 card
        play cards
        build 1 hut
        discard cards
    permit build on empty & terrain(played)
    prefer build on adjacent(mine)
    when turn_end if supply(hut) = 0: last round
    win by total
"""
CARDS = {
    "dwellers": "gold 1 per hex in mine & adjacent(pond)",
    "neighbours": "gold 1 per hex in mine & adjacent(pond)",
    "loners": "gold 3 per hex in mine - adjacent(mine)",
    "borderers": "gold 1 per hex in mine & edge",
}


def green(folder: Path, *cards: str, room: int = 2, beside: str = "", **own: str) -> Ruleset:
    """The rules of the green with some of its cards, of which `room` lie on a table.

    own: cards with texts of their own. beside: further rules.
    """
    said = {id: CARDS[id] for id in cards} | own
    texts = [f'card {id} "{id.title()}":\n    "{id}."\n    {text}\n' for id, text in said.items()]
    (folder / "expansion.yaml").write_text(BOX.format(cards=", ".join(said), room=room))
    (folder / "green.kb").write_text("\n".join([RULES, *texts, beside]))
    return load(folders=[folder])
