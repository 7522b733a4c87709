"""Location tiles: taken, kept, used once, used again by another tile, lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.engine.game import Game
from kbrules.game.events import set_seat
from kbrules.game.state import draft_of
from kbrules.library.boards.positions import parse_position
from kbrules.library.load import check_all
from kbrules.text import Source
from tests.collecting import collect
from tests.engine.games import LEGEND, Scene, scene
from tests.oracle.positions import Wanted, lay_out
from tests.primitives.probe import vale

FARM = """
| G  G  G  G  G  G  G
|  C  C  2  C  C  C  C
| C  C  C  C  C  C  C
"""


def next_turn(table: Scene) -> Scene:
    """The first decision of a player's next turn, whatever the others do; cards are of canyon."""
    me, turn = table.state.active, table.state.stage[1]
    while table.state.stage[1] <= turn or table.state.active != me:
        if table.draws():
            table = table.do("draw canyon")
        else:
            last = list(table.game.legal_moves(table.state))[-1]
            table = Scene(table.game, table.game.apply(table.state, last))
    return table


def test_the_first_piece_next_to_a_place_takes_a_tile_and_the_second_does_not() -> None:
    table = scene(FARM).do("c1")
    assert table.held(0) == [("farm", "fresh")]
    assert table.stock("c2") == 1
    table = table.do("d1")
    assert table.held(0) == [("farm", "fresh")]
    assert table.stock("c2") == 1


def test_a_tile_is_usable_from_the_next_turn_on_once_a_turn() -> None:
    table = scene(FARM).do("c1", "d1", "e1")
    assert table.draws()  # it is not offered in this turn
    table = next_turn(table)
    assert table.rules_offered() == {"mandatory", "farm"}
    used = table.do("farm: f1")
    assert used.held(0) == [("farm", "used")]
    assert used.rules_offered() == {"mandatory"}
    again = next_turn(used)
    assert again.held(0) == [("farm", "ready")]
    assert "farm" in again.rules_offered()


def test_a_tile_is_used_before_or_after_the_mandatory_action_but_not_within() -> None:
    table = scene(FARM.replace("| G  G  G", "| G  G  Ga"), None, "a farm at c2")
    assert table.rules_offered() == {"mandatory", "farm"}
    inside = table.do("mandatory: b1")
    assert inside.rules_offered() == {"mandatory"}
    assert inside.do("a1").rules_offered() == {"mandatory"}
    after = inside.do("a1", "d1")
    assert after.rules_offered() == {"farm", "turn"}
    assert after.do("end").draws()
    assert after.do("farm: e1").draws()  # nothing is left to decide


def test_a_turn_cannot_end_before_the_mandatory_action_and_need_not_use_tiles() -> None:
    table = scene(FARM.replace("| G  G  G", "| G  G  Ga"), None, "a farm at c2")
    assert [r.rule for r in table.refused("end turn").reasons] == ["mandatory"]
    assert [r.rule for r in table.do("farm: b1").refused("end turn").reasons] == ["mandatory"]


def test_an_empty_place_gives_nothing_and_leaves_no_mark() -> None:
    start = Wanted(taken=[(1, 2), (1, 2)])
    table = scene(FARM, start).do("c1")
    assert table.held(0) == []
    assert table.state.seats[0].memory == scene(FARM, start).state.seats[0].memory


def test_one_piece_may_take_from_two_places() -> None:
    board = """
    | G  G  2  G  3  G  G
    |  C  C  C  C  C  C  C
    | C  C  C  C  C  C  C
    """
    table = scene(board).do("d1")
    assert sorted(table.held(0)) == [("farm", "fresh"), ("oasis", "fresh")]
    assert (table.stock("c1"), table.stock("e1")) == (1, 1)


PADDOCK = """
| G  G  8  Ga G  G  G  G
|  C  C  C  C  C  C  C  C
| C  C  C  C  C  C  C  3
"""


def test_moving_away_loses_the_tile_for_ever() -> None:
    table = scene(PADDOCK, None, "a paddock at c1").do("lift d1")
    assert table.held(0) == [("paddock", "used")]  # not yet: the piece is only lifted
    table = table.do("move f1")
    assert table.held(0) == []
    assert table.stock("c1") == 1  # it is out of the game, not back in its place
    table = table.do("e1", "d1")
    assert table.pieces(0) == {"d1", "e1", "f1"}
    assert table.held(0) == [] and table.stock("c1") == 1


def test_a_tile_is_kept_while_another_piece_touches_its_place() -> None:
    board = PADDOCK.replace("| G  G ", "| G  Ga")
    table = scene(board, None, "a paddock at c1").do("lift d1", "move f1")
    assert table.held(0) == [("paddock", "used")]


def test_a_tile_is_kept_by_a_move_around_its_place() -> None:
    board = """
    | C  Ga 8  G  G
    |  C  C  C  G  G
    | C  C  C  C  C
    """
    table = scene(board, None, "a paddock at c1").do("lift b1", "move d1")
    assert table.held(0) == [("paddock", "used")]


def test_a_move_next_to_a_place_takes_a_tile() -> None:
    board = PADDOCK.replace("Ga G  G  G  G\n", "Ga G  G  3  G\n", 1)
    table = scene(board, None, "a paddock at c1").do("lift d1", "move f1")
    assert table.held(0) == [("oasis", "fresh")]


TWO_FARMS = """
| 2  Ga G  G  Ga 2  G  G
|  C  C  C  C  C  C  C  C
| Ca 8  C  G  G  G  G  G
"""
BOTH = ("a farm at a1", "a farm at f1", "a paddock at b3")


def test_two_equal_tiles_are_two_uses() -> None:
    table = scene(TWO_FARMS, Wanted(shown="canyon", hands={1: "grass"}), *BOTH)
    table = table.do("farm: c1")
    assert "farm" in table.rules_offered()
    table = table.do("farm: d1")
    assert "farm" not in table.rules_offered()


def two_farms(status: str, other: str) -> Scene:
    """Two farms, one at f1 and an other at a1."""
    start = Wanted(shown="canyon", hands={1: "grass"})
    tiles = (f"a farm at a1 {other}", f"a farm at f1 {status}", "a paddock at b3")
    return scene(TWO_FARMS, start, *tiles)


def lose_one(table: Scene, used_first: bool) -> Scene:
    """Of two farms, at a1 and f1, that at f1 is lost; one may have been used before."""
    if used_first:
        table = table.do("farm: c1")
    return table.do("lift e1", "move f3")


@pytest.mark.parametrize(
    ("status", "other", "used_first", "left"),
    [
        ("ready", "ready", False, True),  # two uses, one tile goes: one use is left
        ("ready", "ready", True, True),  # one was used: the used copy goes
        ("used", "ready", False, True),
        ("ready", "used", False, True),  # the used copy goes, though it came from elsewhere
        ("used", "used", False, False),
        ("ready", "fresh", False, False),  # what is left is new this turn
        ("used", "fresh", False, False),
        ("fresh", "ready", True, False),
        ("fresh", "used", False, False),
    ],
)
def test_of_two_equal_tiles_the_used_one_is_lost_first(
    status: str, other: str, used_first: bool, left: bool
) -> None:
    table = lose_one(two_farms(status, other), used_first)
    assert [kind for kind, _ in table.held(0)].count("farm") == 1
    assert ("farm" in table.rules_offered()) == left
    (tile,) = [t for t in table.state.seats[0].tiles if t.kind == 1]
    assert table.game.board.grid.name(tile.origin) == "a1"


EXACTLY = """
rule exactly "Exactly" replaces losing:
    "The very tile of a place that is left leaves the game, whatever its mark."
    when move, remove:
        lose tiles from location - adjacent(mine)
"""


@pytest.mark.parametrize(
    ("status", "other", "used_first", "left"),
    [
        ("ready", "ready", False, True),
        ("ready", "ready", True, False),  # what is left has been used
        ("used", "ready", False, True),
        ("ready", "used", False, False),
        ("used", "used", False, False),
        ("ready", "fresh", False, False),
        ("fresh", "ready", False, True),
        ("fresh", "ready", True, False),
    ],
)
def test_without_a_word_about_used_ones_the_very_tile_is_lost(
    status: str, other: str, used_first: bool, left: bool
) -> None:
    ruleset, findings = check_all(["base"], texts=[Source("x.kb", EXACTLY)])
    assert ruleset is not None, findings
    table = two_farms(status, other)
    table = Scene(Game(ruleset, table.game.board, 2), draft_of(table.state).seal())
    table = lose_one(table, used_first)
    assert [kind for kind, _ in table.held(0)].count("farm") == 1
    assert ("farm" in table.rules_offered()) == left


def test_a_use_regained_is_one_use_only() -> None:
    table = lose_one(two_farms("ready", "ready"), True).do("farm: d1")
    assert "farm" not in table.rules_offered()


def test_a_tile_of_another_player_is_not_lost() -> None:
    board = PADDOCK.replace("| G  G ", "| G  Gb")
    table = scene(board, None, "a paddock at c1", "b paddock at c1").do("lift d1", "move f1")
    assert table.held(0) == []
    assert table.held(1) == [("paddock", "ready")]


@pytest.mark.parametrize(("option", "lifted"), [(True, {"b1", "d1"}), (False, {"d1"})])
def test_a_moving_tile_takes_up_other_pieces_if_the_table_wants(
    option: bool, lifted: set[str]
) -> None:
    drawing = """
    | G  Gah 8  Ga G
    |  C  C  C  Gb G
    | G  G  G  G  G
    """
    position, _ = parse_position(vale().catalog, drawing, legend=LEGEND)
    assert position is not None
    game = Game(vale(), position.board, 2, (), {"meeples_move": option})
    draft = lay_out(game, Wanted(tiles=[(0, "paddock", (0, 2), "ready")], hands={1: "canyon"}))
    for (player, piece), mask in position.pieces.items():
        seat = draft.seats[player]
        pieces = tuple(mask if i == piece else was for i, was in enumerate(seat.pieces))
        set_seat(draft, player, seat._replace(pieces=pieces, all=seat.all | mask))
        draft.occupied |= mask
    assert Scene(game, game.run_to_decision(draft)).offered("paddock") == lifted


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
