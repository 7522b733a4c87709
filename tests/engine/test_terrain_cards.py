"""Terrain cards: draws, dead cards, empty decks, and cards with two terrains."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from kbrules.engine.configuration import IllegalMove
from kbrules.game.moves import Move
from kbrules.game.random import Random
from tests.collecting import collect
from tests.engine.games import Scene, scene
from tests.oracle.positions import Wanted

FIVE = ("grass", "canyon", "desert", "flower", "forest")
ALL = Counter(dict.fromkeys(FIVE, 5))


def wanted(**deck: int) -> Wanted:
    """A table whose deck is as said, with grass shown and canyon in the other hand."""
    removed = ALL - Counter(deck) - Counter(["grass", "canyon"])
    return Wanted(removed=removed)


OPEN = """
| G  G  G  G  C  C  C
|  D  D  D  C  C  C  C
| F  F  F  T  T  T  T
"""
DEAD = """
| Ga Gb C  C  C  C  C
|  D  D  D  C  C  C  C
| F  F  F  T  T  T  T
"""
LAST = """
| Ga G  C  C  C  C  C
|  D  D  D  C  C  C  C
| F  F  F  T  T  T  T
"""


def test_at_the_end_of_a_turn_the_card_is_discarded_and_another_drawn() -> None:
    table = scene(OPEN, wanted(desert=2, forest=1)).do("a1", "b1", "c1")
    assert table.draws() == {"desert": 2, "forest": 1}
    assert (table.cards("shown"), table.cards("discards")) == (0, 1)
    after = table.do("draw desert")
    assert after.player == after.state.active == 1
    assert after.state.seats[0].hand == (2,)
    assert after.cards("deck") == 2


def test_only_cards_that_are_left_can_be_drawn() -> None:
    table = scene(OPEN, wanted(desert=2, forest=1)).do("a1", "b1", "c1")
    moves = table.game.legal_moves(table.state)
    assert len(moves) == len(list(moves)) == 2
    for card, name in enumerate(FIVE):
        move = Move("draw", "", card)
        assert (move in moves) == (name in ("desert", "forest"))
        if move not in moves:
            with pytest.raises(IllegalMove):
                table.game.apply(table.state, move)


def test_draws_follow_the_number_of_cards() -> None:
    table = scene(OPEN, wanted(desert=4, forest=1)).do("a1", "b1", "c1")
    moves, random = table.game.legal_moves(table.state), Random(1, "draws")
    drawn = Counter(moves.sample(random).hex for _ in range(2000))
    assert set(drawn) == {2, 4}
    assert 0.76 < drawn[2] / 2000 < 0.84


@pytest.mark.parametrize("card", [-2, -1, 5, 99])
def test_a_card_that_does_not_exist_is_refused_like_any_other(card: int) -> None:
    table = scene(OPEN, wanted(desert=2)).do("a1", "b1", "c1")
    with pytest.raises(IllegalMove):
        table.game.apply(table.state, Move("draw", "", card))


def test_with_an_empty_deck_the_discards_are_drawn_the_last_card_too() -> None:
    start = wanted()
    start.discards = Counter(desert=2, forest=1)
    start.removed -= start.discards
    table = scene(OPEN, start).do("a1", "b1", "c1")
    assert table.draws() == {"desert": 2, "forest": 1, "grass": 1}
    assert table.cards("discards") == 0


def test_a_deck_with_a_card_left_is_not_reshuffled() -> None:
    start = wanted(flower=1)
    start.discards = Counter(desert=2)
    start.removed -= start.discards
    table = scene(OPEN, start).do("a1", "b1", "c1")
    assert table.draws() == {"flower": 1}
    assert table.cards("discards") == 3


def test_a_dead_card_is_replaced_before_anything_else_and_never_comes_back() -> None:
    table = scene(DEAD, wanted(desert=1, flower=1))
    assert table.draws() == {"desert": 1, "flower": 1}
    removed = table.cards("removed")
    table = table.do("draw flower")
    assert table.rules_offered() == {"mandatory"}
    assert table.offered("mandatory") == {"a3", "b3", "c3"}
    assert table.cards("removed") == removed
    assert table.do("a3", "b3", "c3").draws() == {"desert": 1}


def test_the_replacement_may_be_dead_too() -> None:
    start = wanted(grass=2, desert=1)
    table = scene(DEAD, start)
    before = table.cards("removed")
    table = table.do("draw grass")
    assert table.draws() == {"grass": 1, "desert": 1}
    table = table.do("draw grass")
    assert table.draws() == {"desert": 1}
    assert table.cards("removed") == before + 2
    assert table.do("draw desert").offered("mandatory") == {"a2"}


def test_a_terrain_that_runs_out_in_the_middle_is_replaced_and_the_rest_built_there() -> None:
    table = scene(LAST, wanted(desert=1, forest=1))
    assert table.offered("mandatory") == {"b1"}
    table = table.do("b1")
    assert table.draws() == {"desert": 1, "forest": 1}
    table = table.do("draw desert")
    assert table.rules_offered() == {"mandatory"}
    assert table.offered("mandatory") == {"a2", "b2"}
    table = table.do("b2", "a2")
    assert table.draws() == {"forest": 1}
    assert len(table.pieces(0)) == 4


def test_a_card_that_dies_with_the_last_build_is_replaced_for_the_tiles() -> None:
    board = LAST.replace("Ga G  C  C  C  C  C", "Ga G  G  G  C  Ca 1")
    table = scene(board, wanted(desert=1, forest=1), "a oracle at g1")
    table = table.do("mandatory: b1", "mandatory: c1", "mandatory: d1")
    assert table.draws() == {"desert": 1, "forest": 1}
    table = table.do("draw forest")
    assert table.rules_offered() == {"oracle", "turn"}
    assert table.offered("oracle") == {"d3", "e3", "f3", "g3"}


def test_a_card_that_dies_with_the_last_build_is_replaced_even_if_nobody_needs_it() -> None:
    board = LAST.replace("Ga G  C  C", "Ga G  G  G", 1)
    table = scene(board, wanted(desert=1, forest=2)).do("b1", "c1", "d1")
    removed = table.cards("removed")
    table = table.do("draw desert")
    assert table.cards("removed") == removed
    assert table.draws() == {"forest": 2}  # the new card, at the end of the turn
    assert table.cards("discards") == 1


def test_a_dead_card_is_replaced_though_nothing_is_left_to_build() -> None:
    """A moving tile of the card's terrain must find one."""
    board = DEAD.replace("C  C  C\n|  D", "C  C  6\n|  D", 1)
    start = replace(wanted(desert=1), supply={0: 0})
    table = scene(board, start, "a barn at g1")
    assert table.draws() == {"desert": 1}
    table = table.do("draw desert")
    assert table.rules_offered() == {"barn", "turn"}
    assert table.do("lift a1").offered("barn") == {"a2", "b2", "c2"}


def no_card(*tiles: str, **options: bool) -> Scene:
    start = Wanted(shown=None, removed=ALL - Counter(["canyon"]))
    return scene(OPEN.replace("G  G  G  G", "G  1  G  G"), start, *tiles, **options)


def test_without_any_card_the_mandatory_action_is_skipped() -> None:
    table = no_card("a oracle at b1")
    assert table.player == table.state.active == 1
    assert table.state.stage == ("turn", 1)
    assert table.pieces(0) == set()


def test_without_any_card_one_may_build_anywhere_if_the_table_wants() -> None:
    table = no_card(build_without_card=True)
    assert table.rules_offered() == {"mandatory"}
    grass_to_forest = table.game.board.tagged["buildable"]
    assert table.offered("mandatory") == set(table.game.board.names(grass_to_forest))
    assert table.do("a1").offered("mandatory") == {"a2"}  # beside it, and no location
    assert table.do("a1", "a2", "b2").state.active == 1


def test_with_a_card_that_option_changes_nothing() -> None:
    table = scene(OPEN, wanted(desert=1), build_without_card=True)
    assert table.offered("mandatory") == {"a1", "b1", "c1", "d1"}


def test_the_last_card_dies_and_there_is_no_other() -> None:
    table = scene(LAST, wanted()).do("b1")
    assert table.player == table.state.active == 1
    assert len(table.pieces(0)) == 2
    assert table.state.shown == (1,)


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

OPEN_TO_CHOICE = """
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
        OPEN_TO_CHOICE, "moss+grass", "[oracle, oasis]", """
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
        OPEN_TO_CHOICE, "moss+grass", "[]", """
    steps:
      - "choose moss"
      - "mandatory: build d1"
      - "mandatory: build e1"
      - expect: {discards: {grass+moss: 1}, turn: chance}
"""),
    "the other half asks for all three": (
        OPEN_TO_CHOICE, "moss+grass", "[]", """
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
        OPEN_TO_CHOICE, "[desert, moss+grass]", "[]", """
    steps:
      - expect: {choices: [desert, grass, moss]}
      - "choose grass"
      - expect: {shown: [grass+moss], choices: [mandatory]}
"""),
    "a revealed card shows both": (
        OPEN_TO_CHOICE, "desert", "[well]", """
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
