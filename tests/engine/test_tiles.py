"""Location tiles: taken, kept, used once, lost."""

from __future__ import annotations

import pytest

from kbrules.engine.game import Game
from kbrules.game.events import set_seat
from kbrules.game.state import draft_of
from kbrules.library.boards.positions import parse_position
from kbrules.library.load import check_all
from kbrules.text import Source
from tests.engine.drawn import LEGEND, Scene, scene
from tests.oracle.standing import Wanted, lay_out
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


def test_the_first_piece_beside_a_place_takes_a_tile_and_the_second_does_not() -> None:
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


def test_a_move_beside_a_place_takes_a_tile() -> None:
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
