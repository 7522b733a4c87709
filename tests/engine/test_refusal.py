"""Norms: why a move is refused, and what preferences, waivers and owners do to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.engine.configuration import IllegalMove, Refusal
from kbrules.engine.game import Game
from kbrules.engine.setup import new_game
from kbrules.game.moves import CHANCE, Move
from kbrules.game.state import State
from kbrules.hex.sets import bits, lowest
from kbrules.library.load import load
from kbrules.text import Source
from tests.collecting import collect
from tests.engine.games import Scene, scene
from tests.oracle.positions import Wanted

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


RULES = {
    "step": "move 1 from mine to buildable & empty & adjacent(origin)",
    "free_step": "move 1 from mine to buildable & empty & adjacent(origin) freely",
    "named": "move 1 from mine to beside_origin",
    "leap": "move 1 from mine to buildable & empty & within(edge, 3)",
    "free_leap": "move 1 from mine to buildable & empty & within(edge, 3) freely",
}
TEXT = "\n".join(
    ['define beside_origin "Next to it.":\n    buildable & empty & adjacent(origin)\n']
    + [
        f'rule {name} "Moves":\n    "One may."\n    action: {step}\n'
        for name, step in RULES.items()
    ]
)


@pytest.fixture(scope="module", params=["reference", "python"])
def game(request: pytest.FixtureRequest) -> Game:
    return new_game(load("base", texts=[Source("moves.kb", TEXT)]), 2, 5, engine=request.param)


def targets(game: Game, rule: str) -> dict[int, int]:
    """Where each piece may go by a rule, after some moves of the game."""
    state = game.start()
    while (moves := game.legal_moves(state)).player != 0 or state.seats[0].all.bit_count() < 3:
        state = game.apply(state, next((m for m in moves if m.verb != "lift"), next(iter(moves))))
    found = {}
    lifts = [m for m in game.legal_moves(state) if (m.verb, m.rule) == ("lift", rule)]
    for lift in lifts:
        lifted = game.apply(state, lift)
        found[lift.hex] = sum(
            1 << move.hex for move in game.legal_moves(lifted) if move.verb == "move"
        )
    return found


@pytest.mark.parametrize("rule", ["step", "named"])
def test_every_free_adjacent_hex_is_offered(game: Game, rule: str) -> None:
    found = targets(game, rule)
    assert len(found) > 1
    assert found == targets(game, "free_step")
    for piece, hexes in found.items():
        assert hexes and not hexes & ~game.board.grid.neighbours(1 << piece)


def test_a_target_that_does_not_is_narrowed(game: Game) -> None:
    heeding, ignoring = targets(game, "leap"), targets(game, "free_leap")
    assert all(heeding[piece] & ~ignoring[piece] == 0 for piece in heeding)
    assert heeding != ignoring


STRAYING_RULES = """\
memory strays: number of player "How often this player strayed."

rule wanderlust "Wanderlust":
    "Nobody need build next to their own; it is counted who does not."
    waive build
    when build if strayed: count 1 into strays

rule rim "The rim":
    "Once a turn anybody may build at the rim."
    action: build 1 on edge & buildable freely
"""


@pytest.fixture(scope="module")
def straying_game() -> Game:
    return new_game(load("base", texts=[Source("wanderlust.kb", STRAYING_RULES)]), 2, 5)


def begun(game: Game) -> State:
    """The first turn after one build of the mandatory action by the first player, and an end."""
    state = game.start()
    while game.legal_moves(state).player == CHANCE:
        state = game.apply(state, next(iter(game.legal_moves(state))))
    return game.apply(state, next(m for m in game.legal_moves(state) if m.rule == "mandatory"))


def after_mandatory(game: Game) -> State:
    """The first turn once the mandatory action is done, each build next to those before it."""
    state = begun(game)
    while {group.rule for group in game.legal_moves(state).groups} == {"mandatory"}:
        near = game.board.grid.neighbours(state.seats[0].all)
        (group,) = game.legal_moves(state).groups
        move = Move("build", "mandatory", lowest(group.hexes & near or group.hexes))
        state = game.apply(state, move)
    return state


def strays(game: Game, state: State) -> int:
    return state.seats[0].memory[game.ruleset.memories["strays"][1]]


def test_a_build_far_away_strays_and_an_adjacent_one_does_not(straying_game: Game) -> None:
    state = begun(straying_game)
    (group,) = straying_game.legal_moves(state).groups
    near = straying_game.board.grid.neighbours(state.seats[0].all)
    assert strays(straying_game, state) == 0
    assert group.hexes & near and group.hexes & ~near
    near_own = straying_game.apply(state, Move("build", "mandatory", lowest(group.hexes & near)))
    away = straying_game.apply(state, Move("build", "mandatory", lowest(group.hexes & ~near)))
    assert (strays(straying_game, near_own), strays(straying_game, away)) == (0, 1)


def test_what_is_done_freely_does_not_stray(straying_game: Game) -> None:
    state = after_mandatory(straying_game)
    before = strays(straying_game, state)
    (group,) = (g for g in straying_game.legal_moves(state).groups if g.rule == "rim")
    near = straying_game.board.grid.neighbours(state.seats[0].all)
    assert group.hexes & near and group.hexes & ~near
    after = straying_game.apply(state, Move("build", "rim", lowest(group.hexes & ~near)))
    assert strays(straying_game, after) == before


SPRAWLING_RULES = """\
memory strays: number of player "How often this player strayed."

rule sprawling "Sprawling":
    "Nobody need place next to their own; it is counted who does not."
    waive place
    when place if strayed: count 1 into strays
    action: place 1 hall on buildable
"""


@pytest.mark.parametrize("engine", ["reference", "python"])
def test_a_piece_that_fits_on_no_preferred_hex_does_not_stray(engine: str) -> None:
    # A hall beside an own piece would cover it: no preferred hex has room, so all are legal.
    ruleset = load("base", "crossroads", texts=[Source("sprawling.kb", SPRAWLING_RULES)])
    game = new_game(ruleset, 2, 5, engine=engine)
    state = after_mandatory(game)
    (group,) = (g for g in game.legal_moves(state).groups if g.rule == "sprawling")
    for hex in bits(group.hexes)[:5]:
        assert strays(game, game.apply(state, Move("place", "sprawling", hex))) == 0


MANIFEST = """\
format: 1
id: fen
title: The Fen
needs: [base]
pieces:
  hut: {letter: h, title: hut, supply: 3}
  fence: {letter: f, title: fence, supply: 3, neutral: true}
"""

OWN_PIECES_RULES = """\
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
    (tmp_path / "fen.kb").write_text(OWN_PIECES_RULES + law)
    (tmp_path / "own.scenario.yaml").write_text(SCENARIO + wanted.lstrip("\n"))
    items = collect([tmp_path])
    assert len(items) == 1, items.findings
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"
