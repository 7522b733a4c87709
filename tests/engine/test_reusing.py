"""A tile that lets another be used once more, and branches of which not all need a terrain."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.scenario.collection import collect

MANIFEST = """\
format: 1
id: fen
title: The Fen
needs: [base]
places:
  cairn: {letter: Y, title: cairn, tags: [special]}
tiles:
  echo: {kind: location, place: location, each: 2, title: Echo}
  spring: {kind: location, place: location, each: 2, title: Spring}
  kiln: {kind: location, place: location, each: 2, title: Kiln}
  drum: {kind: location, place: location, each: 2, title: Drum}
  gong: {kind: location, place: location, each: 2, title: Gong}
  relic: {kind: nomad, place: cairn, copies: 2, title: Relic}
"""

RULES = """\
memory bricks: number "Bricks."

location echo "Echo":
    "Once more use a tile that came from a location."
    forbid build on edge if repeated
    action:
        reuse tiles from location

location gong "Gong":
    "Once more use a tile, too."
    action:
        reuse tiles from location

rule keeping "Keeping a tile" replaces losing:
    "A tile is kept when the last piece moves away from its place."
    when lose: gain 0

location drum "Drum":
    "It does nothing by itself; heard again it brings gold."
    action if repeated: gain 2

location spring "Spring":
    "Move a piece one or two steps."
    action:
        up to 2 times: move 1 from mine to buildable & adjacent(origin) freely

location kiln "Kiln":
    "Make a brick, or build on the terrain of your card."
    action:
        either:
            count 1 into bricks
        or:
            build 1 on terrain(played)

nomad relic "Relic":
    "Build on desert."
    action:
        build 1 on desert
"""

HEAD = """\
format: 1
title: Tiles used once more
players: 2
position:
  a: {pieces: {settlement: [c3]}, tiles: TILES}
board:
  drawing: |
    G  C  C  D  D  G
     G  C  D  C  G  G
    D  C  G  G  D  G
     D  D  C  G  X  K
    G  G  G  C  D  D
     W  W  W  W  W  W
    1  2  3  4  5  6
     7  8  W  W  W  Y
  legend:
    {"1": echo, "2": farm, "3": oasis, "4": oracle, "5": spring, "6": kiln, "7": drum, "8": gong}
  tiles: {f8: relic}
turn: {played: CARDS}
unchecked: yes
scenarios:
  - title: One
"""

CASES = {
    "a tile that was not used stays to be used": ("grass", "[echo, farm]", """
    steps:
      - expect: {choices: [echo, farm, mandatory]}
      - "echo: use"
      - expect:
          choices: [farm]
          offered: {farm: [d3]}
          refused:
            - {move: "mandatory: build d3", because: echo, says: does not serve}
            - {move: "echo: use", because: echo, says: does not serve}
            - {move: "farm: build d4", because: placement, says: come first}
            - {move: "oasis: build d2", because: echo, says: does not serve}
            - {move: end turn}
      - "farm: build d3"
      - expect:
          tiles: {a: [{echo: used}, farm]}
          choices: [farm, mandatory]
          offered: {farm: [d4]}
      - "farm: build d4"
      - expect:
          tiles: {a: [{echo: used}, {farm: used}]}
          choices: [mandatory]
          refused: [{move: "echo: use", because: echo, says: was used}]
"""),
    "a tile that was used serves again": ("grass", "[echo, {tile: farm, status: used}]", """
    steps:
      - "echo: use"
      - "farm: build d3"
      - expect: {tiles: {a: [{echo: used}, {farm: used}]}, choices: [mandatory]}
"""),
    "a new tile does not serve, nor a tile of another kind of place": (
        "grass", "[echo, {tile: farm, status: fresh}, relic]", """
    steps:
      - expect:
          choices: [relic, mandatory]
          refused: [{move: "echo: use", because: echo, says: has nothing to do}]
"""),
    "neither does the tile itself, held twice": ("grass", "[echo, echo]", """
    steps:
      - expect: {choices: [mandatory]}
"""),
    "what is used once more lets nothing be used once more": ("grass", "[echo, gong, farm]", """
    steps:
      - expect: {choices: [echo, gong, farm, mandatory]}
      - "echo: use"
      - expect: {choices: [farm], refused: [{move: "gong: use", because: gong, says: has nothing}]}
      - "farm: build d3"
"""),
    "what depends on being used once more knows it": ("grass", "[echo, drum]", """
    steps:
      - expect:
          choices: [echo, mandatory]
          refused: [{move: "drum: use", because: drum, says: repeated}]
      - "echo: use"
      - expect: {choices: [drum]}
      - "drum: use"
      - expect: {gold: {a: {gained: 2}}, tiles: {a: [{echo: used}, drum]}}
"""),
    "norms know it too": ("grass", "[echo, oasis]", """
    position:
      a: {pieces: {settlement: [b4]}, tiles: [echo, oasis]}
    steps:
      - expect: {offered: {oasis: [a4]}}
      - "echo: use"
      - expect:
          offered: {oasis: [c2, e3, e5]}
          refused: [{move: "oasis: build a4", because: echo, says: edge}]
"""),
    "an action of several moves is carried on": ("grass", "[echo, spring]", """
    steps:
      - "echo: use"
      - expect: {choices: [spring], refused: [{move: "spring: stop"}]}
      - "spring: lift c3"
      - "spring: move d3"
      - expect: {choices: [spring], offered: {spring: [d3]}}
      - "spring: stop"
      - expect: {choices: [spring, mandatory], tiles: {a: [{echo: used}, spring]}}
"""),
    "a terrain is chosen in the middle of it": ("[grass, desert]", "[echo, oracle]", """
    steps:
      - expect: {choices: [grass, desert, echo]}
      - "echo: use"
      - expect:
          choices: [grass, desert]
          refused: [{move: "mandatory: build d3", because: echo, says: serve}]
      - "choose desert"
      - expect: {choices: [oracle], offered: {oracle: [c2, b4]}}
      - "oracle: build b4"
      - expect: {choices: [mandatory, oracle], shown: [desert]}
"""),
    "of branches one is begun at once": ("grass", "[kiln]", """
    steps:
      - expect:
          choices: [kiln, mandatory]
          offered: {kiln: [d3]}
      - "kiln: use"
      - expect: {memory: {a: {bricks: 1}}, choices: [mandatory], tiles: {a: [{kiln: used}]}}
"""),
    "the other needs a hex": ("grass", "[kiln]", """
    steps:
      - "kiln: build d3"
      - expect: {memory: {a: {bricks: 0}}, pieces: {a: {settlement: [c3, d3]}}}
"""),
    "a branch without a terrain needs no choice of one": ("[grass, desert]", "[kiln]", """
    steps:
      - expect: {choices: [grass, desert, kiln], offered: {"kiln build": none}}
      - "kiln: use"
      - expect: {memory: {a: {bricks: 1}}, choices: [grass, desert]}
"""),
    "the branch with a terrain is offered once that is chosen": ("[grass, desert]", "[kiln]", """
    steps:
      - "choose desert"
      - expect: {choices: [kiln, mandatory], offered: {kiln: [c2, b4]}}
      - "kiln: use"
      - expect: {memory: {a: {bricks: 1}}}
"""),
    "a terrain that only a branch without it could begin with is not offered": (
        "[grass, desert]", "[kiln]", """
    turn: {done: [mandatory]}
    position:
      a: {pieces: {settlement: [c3]}, supply: {settlement: 0}, tiles: [kiln]}
    steps:
      - expect: {choices: [kiln, turn]}
"""),
    "branches are used once more, too": ("grass", "[echo, kiln]", """
    steps:
      - "echo: use"
      - "kiln: use"
      - "kiln: use"
      - expect: {memory: {a: {bricks: 2}}, choices: [mandatory]}
"""),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_tile_is_used_once_more(tmp_path: Path, case: str) -> None:
    cards, tiles, rest = CASES[case]
    text = HEAD.replace("TILES", tiles).replace("CARDS", cards) + rest.lstrip("\n")
    if "turn: {" in rest:
        text = text.replace("{done", f"{{played: {cards}, done")
    (tmp_path / "expansion.yaml").write_text(MANIFEST)
    (tmp_path / "fen.kb").write_text(RULES)
    (tmp_path / "echo.scenario.yaml").write_text(text)
    items = collect([tmp_path])
    assert len(items) == 1, items.findings
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"
