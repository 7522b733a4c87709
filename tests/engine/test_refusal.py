"""Why not: for each kind of reason the rule that stands against a move, and its place."""

from __future__ import annotations

import pytest

from kbrules.engine.configuration import IllegalMove, Refusal
from kbrules.game.moves import Move
from tests.engine.drawn import Scene, scene
from tests.oracle.standing import Wanted

BOARD = """
| G  G  C  K  Gb W  G
|  Ga G  C  C  C  C  C
| C  C  4  C  C  C  G
|  D  D  6  D  W  8  D
| Ca D  Ca D  Ca D  G
"""
TILES = ("a tower at c3", "a barn at c4", "a paddock at f4")


def here(*tiles: str, **options: bool) -> Scene:
    return scene(BOARD, None, *(tiles or TILES), **options)


def rules_of(refusal: Refusal) -> list[str]:
    return [reason.rule for reason in refusal.reasons]


@pytest.mark.parametrize(
    ("move", "rules"),
    [
        ("mandatory: build c1", ["placement"]),  # not the terrain of the card
        ("mandatory: build g1", ["placement"]),  # not beside an own piece though it could be
        ("mandatory: build a2", ["occupied"]),
        ("mandatory: build e1", ["occupied"]),
        ("mandatory: build d1", ["placement", "occupied"]),
        ("mandatory: build a5", ["placement", "occupied"]),
        ("tower: build b2", ["tower"]),  # not at the edge
        ("tower: build g3", ["placement"]),  # at the edge, but not beside
        ("tower: build f1", ["tower"]),  # not buildable
        ("barn: lift b2", ["barn"]),  # no piece
        ("barn: lift e1", ["barn"]),  # the other player's piece
        ("tavern: build b1", ["tavern"]),  # no such tile
        ("end turn", ["mandatory"]),
        ("nobody: build a1", ["nobody"]),
    ],
)
def test_the_rule_that_refuses(move: str, rules: list[str]) -> None:
    refusal = here().refused(move)
    assert sorted(set(rules_of(refusal))) == sorted(rules)
    assert refusal.move == move


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("barn: move b2", "occupied"),
        ("barn: move a2", "moving"),  # where it stood
        ("barn: move g5", "moving"),  # others touch own pieces and come first
        ("barn: move c1", "barn"),  # not the terrain of the card
    ],
)
def test_the_rule_that_refuses_where_a_piece_is_put_down(move: str, rule: str) -> None:
    table = scene(BOARD.replace("|  Ga G  C", "|  Ga Ga C"), None, *TILES).do("barn: lift a2")
    assert rule in rules_of(table.refused(move))
    if rule != "barn":
        assert "barn" not in rules_of(table.refused(move))


def test_a_piece_with_nowhere_to_go() -> None:
    board = """
    | K  8  Ga K  K
    |  K  K  K  K  K
    | K  K  K  K  G
    """
    table = scene(board, None, "a paddock at b1")
    (reason,) = table.refused("paddock: lift c1").reasons
    assert reason.rule == "paddock" and "nowhere" in reason.text


@pytest.mark.parametrize(("status", "word"), [("fresh", "new"), ("used", "used")])
def test_a_tile_that_is_held_but_not_usable(status: str, word: str) -> None:
    table = here(f"a tower at c3 {status}")
    (reason,) = table.refused("tower: build a1").reasons
    assert reason.rule == "tower" and word in reason.text


def test_two_equal_tiles_one_used_and_one_new() -> None:
    board = BOARD.replace("8  D\n", "4  D\n")
    table = scene(board, None, "a tower at c3 used", "a tower at f4 fresh")
    (reason,) = table.refused("tower: build a1").reasons
    assert reason.rule == "tower"


def test_an_action_that_was_done() -> None:
    table = here().do("mandatory: a1", "mandatory: b1", "mandatory: b2")
    (reason,) = table.refused("mandatory: build g1").reasons
    assert reason.rule == "mandatory" and "done this turn" in reason.text


def test_no_supply() -> None:
    table = scene(BOARD, Wanted(supply={0: 0}), *TILES)
    for rule in ("mandatory", "tower"):
        (reason,) = table.refused(f"{rule}: build b2").reasons
        assert reason.rule == rule and "supply" in reason.text


def test_in_the_middle_of_an_action_another_cannot_begin() -> None:
    """Neither the terrain of the card nor the other tile is to blame."""
    table = here().do("mandatory: a1")
    assert "a4" not in table.offered("mandatory")
    for move in ("tower: build a4", "tower: build b1", "barn: lift a1", "end turn"):
        found = rules_of(table.refused(move))
        assert "placement" not in found and "occupied" not in found, move
        assert found


def test_while_a_piece_is_lifted_nothing_else_can_be_done() -> None:
    table = here().do("barn: lift a2")
    for move in ("mandatory: build b2", "tower: build b1", "barn: lift a5", "end turn"):
        found = rules_of(table.refused(move))
        assert found and not {"moving", "occupied"} & set(found), move


def test_a_card_is_due() -> None:
    table = here().do("mandatory: a1", "mandatory: b1", "mandatory: b2", "end turn")
    assert rules_of(table.refused("mandatory: build g1")) == ["deck"]


def test_the_nearest_hexes_are_those_that_would_do() -> None:
    table = here()
    refusal = table.refused("mandatory: build g1")
    legal = table.offered("mandatory")
    assert legal == {"a1", "b1", "b2"}
    assert set(refusal.nearest) == legal and refusal.nearest[0] in ("b1", "b2")
    assert "b1" in str(refusal).splitlines()[-1]


def test_each_reason_shows_the_clause_in_its_file() -> None:
    shown = {
        "mandatory: build c1": ("placement.kb", "permit build on terrain(played)"),
        "mandatory: build g1": ("placement.kb", "prefer build on adjacent(mine)"),
        "mandatory: build a2": ("placement.kb", "forbid build"),
        "tower: build b2": ("locations.kb", "edge"),
    }
    for move, (file, text) in shown.items():
        (reason,) = here().refused(move).reasons
        assert reason.span is not None
        assert reason.span.source.name.endswith(file)
        assert text in reason.span.text
        assert f"{reason.span.source.name}:{reason.span.line}" in str(here().refused(move))


def test_a_legal_move_has_no_reason_against_it() -> None:
    table = here()
    for move in table.game.legal_moves(table.state):
        refusal = table.game.explain(table.state, move)
        assert refusal.reasons == ()
        assert str(refusal) == f"`{refusal.move}` is legal"


def test_a_verb_that_a_rule_does_not_know_is_said_to_be_unknown() -> None:
    table = here()
    game, state = table.game, table.state
    refusal = game.explain(state, Move("buld", "mandatory", 0))
    (reason,) = refusal.reasons
    assert reason.text == "it knows no `buld`; did you mean `build`?"
    (reason,) = game.explain(state, Move("fly", "mandatory", 0)).reasons
    assert reason.text == "it knows no `fly`; it knows `build`"


def test_a_text_is_no_move() -> None:
    table = here()
    game, state = table.game, table.state
    for ask in (game.apply, game.explain, game.play):
        with pytest.raises(TypeError, match="read_move"):
            ask(state, "mandatory: build a1")  # type: ignore[arg-type]


def test_a_verb_that_no_rule_offers_now_is_named_alone() -> None:
    table = here()
    assert table.game.explain(table.state, Move("move", "", 0)).move == "move a1"


@pytest.mark.parametrize("hex", [1_000, 2**40])
@pytest.mark.parametrize("rule", ["mandatory", "tower", "nobody"])
def test_a_hex_that_is_not_there_is_refused_like_any_other(rule: str, hex: int) -> None:
    here_now, move = here(), Move("build", rule, hex)
    with pytest.raises(IllegalMove) as refused:
        here_now.game.apply(here_now.state, move)
    assert rules_of(refused.value.refusal) == ["board"]
    assert refused.value.refusal.move == f"{rule}: build ?"
