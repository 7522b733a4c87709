"""House rules judged by examples and scenarios, and played by kernels as by the reference."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

import kbrules
from kbrules.diagnostics import RulesError
from kbrules.engine.configuration import PYTHON
from kbrules.engine.game import Game
from kbrules.engine.setup import choose_table, game_at
from kbrules.game.moves import Move
from kbrules.hex.sets import Mask, bits
from kbrules.scenario.position import read_position
from kbrules.text import Source
from kbrules.tools.narration import marks_text, players_text, sheet_text
from kbrules.tools.pictures.replay import Timeline
from kbrules.tools.reports.report import as_text
from kbrules.tools.why.questions import AboutMoves
from kbrules.tools.why.report import MovesAnswer, answer, why_report
from tests.collecting import collect
from tests.equal.playthroughs import Both
from tests.example_games import DALE

RANGES = Path(__file__).with_name("ranges")


def test_the_ranges_pass_their_scenarios_and_examples() -> None:
    items = collect([RANGES])
    assert len(items) >= 12
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"


def test_kernels_play_the_ranges_as_the_reference_does() -> None:
    ruleset = kbrules.load(folders=[RANGES])
    for seed in range(3):
        game = game_at(ruleset, choose_table(ruleset, 2 + seed % 2, seed))
        Both(game.playthrough(seed, PYTHON), game).play()


def test_the_fewest_pieces_on_a_terrain_are_counted_on_terrains_of_the_board_only() -> None:
    ruleset = kbrules.load(folders=[RANGES])
    game = kbrules.new_game(ruleset, 2, 1, "ranges")
    state, random = game.start(), kbrules.Random(1, "test")
    while not state.is_over:
        state = game.apply(state, game.legal_moves(state).sample(random))
    buildable = game.board.tagged["buildable"]
    for player, lines in enumerate(game.score(state).lines):
        held = state.seats[player].all
        on = [(held & kind).bit_count() for kind in game.board.kinds if kind & buildable]
        paid = {line.rule: line.gold for line in lines}
        assert paid["gardeners"] == 3 * min(on)


WAYS = Path(__file__).with_name("ways")


def test_the_ways_pass_their_scenarios_and_examples() -> None:
    items = collect([WAYS])
    assert len(items) >= 7
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"


def test_kernels_play_the_ways_as_the_reference_does() -> None:
    ruleset = kbrules.load("nomads", "marshlands", folders=[WAYS])
    for seed in range(4):
        game = game_at(ruleset, choose_table(ruleset, 2 + seed % 2, seed))
        Both(game.playthrough(seed, PYTHON), game).play()


def test_all_engines_tell_the_same_games_of_the_ways() -> None:
    game = kbrules.new_game(kbrules.load(folders=[WAYS]), 3, 1, "ways")
    told = {engine: list(game.playouts(range(2), engine)) for engine in ("reference", PYTHON)}
    assert told["reference"] == told[PYTHON]
    pytest.importorskip("numba")
    assert list(game.playouts(range(2), "native")) == told[PYTHON]


SHAPES = Path(__file__).with_name("shapes")


def test_the_shapes_pass_their_scenarios_and_examples() -> None:
    items = collect([SHAPES])
    assert len(items) >= 9
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"


def test_kernels_play_the_shapes_as_the_reference_does() -> None:
    ruleset = kbrules.load(folders=[SHAPES])
    for seed in range(3):
        game = game_at(ruleset, choose_table(ruleset, 2 + seed % 2, seed))
        Both(game.playthrough(seed, PYTHON), game).play()


def test_all_engines_tell_the_same_games_of_the_longest_way() -> None:
    game = kbrules.new_game(kbrules.load(folders=[SHAPES]), 3, 1, "shapes")
    assert "wanderers" in game.cards
    told = {engine: list(game.playouts(range(2), engine)) for engine in ("reference", PYTHON)}
    assert told["reference"] == told[PYTHON]
    pytest.importorskip("numba")
    assert list(game.playouts(range(2), "native")) == told[PYTHON]


WIDE = 'rule wide "Wide":\n    "All of it."\n    gold longest_way({})\n'
LARGE = [
    "board", "empty", "water", "mine | pieces(me)", "within(mine, 1)", "connected(mine, occupied)",
    "within(foremost(mine), 4)", "largest(groups(board))", "row) for row in rows if (yes",
]  # fmt: skip
SMALL = [
    "mine", "mine & board", "within(foremost(mine), 3)", "mine - water", "largest(groups(mine))",
    "connected(board, mine)", "group) for group in groups(mine) if (yes",
]  # fmt: skip


def wide(of: str) -> list[Source]:
    text = WIDE.format(of)
    return [Source("wide.kb", text.replace("gold longest", "gold sum(longest") + ")"
                   if " for " in of else text)]  # fmt: skip


@pytest.mark.parametrize("of", LARGE)
def test_a_set_that_may_be_too_large_is_refused_when_rules_are_loaded(of: str) -> None:
    with pytest.raises(RulesError, match=r"wide.kb:3:\d+: error\[KB216\]: .* 40 hexes"):
        kbrules.load("base", texts=wide(of))


@pytest.mark.parametrize("of", SMALL)
def test_the_pieces_of_a_player_and_what_is_near_a_hex_are_small(of: str) -> None:
    kbrules.load("base", texts=wide(of))


POSITION = """\
board:
  drawing: |
    {}
     H H
"""


@pytest.mark.parametrize("engine", ["reference", PYTHON, "native"])
def test_every_engine_refuses_too_large_a_group_by_one_code(engine: str, tmp_path: Path) -> None:
    if engine == "native":
        pytest.importorskip("numba")
    for name, text in DALE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text.replace("supply: 2", "supply: 60"), encoding="utf-8")
    (tmp_path / "rules" / "wide.kb").write_text(WIDE.format("mine"), encoding="utf-8")
    for huts, is_refused in ((40, False), (41, True)):
        text = POSITION.format(" ".join(["Ha"] * huts))
        game, state = kbrules.read_position(text, [tmp_path])
        game = game.with_engine(engine)
        if not is_refused:
            assert game.totals(state) == (40, 0)
            continue
        with pytest.raises(RulesError, match=r"KB513.* more than 40 hexes"):
            game.totals(state)


PIECES = Path(__file__).with_name("pieces")


def test_the_pieces_pass_their_scenarios_and_examples() -> None:
    items = collect([PIECES])
    assert len(items) >= 5
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"


def test_kernels_play_the_pieces_as_the_reference_does() -> None:
    ruleset = kbrules.load(folders=[PIECES])
    for seed in range(3):
        game = game_at(ruleset, choose_table(ruleset, 2 + seed % 2, seed))
        Both(game.playthrough(seed, PYTHON), game).play()


def test_all_engines_tell_the_same_games_of_the_pieces() -> None:
    game = kbrules.new_game(kbrules.load(folders=[PIECES]), 3, 1, "pieces")
    told = {engine: list(game.playouts(range(2), engine)) for engine in ("reference", PYTHON)}
    assert told["reference"] == told[PYTHON]
    pytest.importorskip("numba")
    assert list(game.playouts(range(2), "native")) == told[PYTHON]


def test_numbers_with_a_title_are_seen_and_the_others_are_not() -> None:
    game = kbrules.new_game(kbrules.load(folders=[PIECES]), 2, 1, "pieces")
    state, random = game.start(), kbrules.Random(5, "test")
    while not state.is_over:
        state = game.apply(state, game.legal_moves(state).sample(random))
    slots = {name: slot for name, (_, slot) in game.ruleset.memories.items()}
    thefts = [seat.memory[slots["thefts"]] for seat in state.seats]
    bells = state.memory[slots["bells"]]
    assert bells and sum(thefts)
    sheet = sheet_text(game, game.score(state)).splitlines()
    assert [row.split()[1:] for row in sheet if row.startswith("thefts")] == [[*map(str, thefts)]]
    assert f"bells: {bells}" in sheet and f"bells: {bells}" in marks_text(game, state)
    held = players_text(game, state).splitlines()
    assert [line.rpartition("; ")[2] for line in held] == [f"thefts {n}" for n in thefts]
    timeline = Timeline(game, state, [])
    (frame,) = timeline.frames()
    assert timeline.own_counts == ["thefts"] and timeline.mark_titles[-1] == "bells"
    assert ([frame["n0"], frame["n1"]], frame["marks"][-1]) == ([[n] for n in thefts], [str(bells)])
    assert "visited" not in "".join([*sheet, *held])


def partners_one_by_one(game: kbrules.Game, state: kbrules.State, hex: int) -> Mask:
    """The slow twin: every hex whose one piece is another player's or of another kind."""
    standing = {
        at: (player, kind, game.ruleset.catalog.pieces[kind].size)
        for player, seat in enumerate(state.seats)
        for kind, held in enumerate(seat.pieces)
        for at in bits(held)
    }
    owner, kind, _ = standing[hex]
    others = (at for at, (p, k, size) in standing.items() if (p, k) != (owner, kind) and size == 1)
    return sum(1 << at for at in others)


def test_what_may_change_places_is_offered_and_nothing_else() -> None:
    game = kbrules.new_game(kbrules.load(folders=[PIECES]), 3, 2, "pieces")
    state, random, swaps = game.start(), kbrules.Random(5, "test"), 0
    castles = game.board.grid.neighbours(game.board.kinds[game.ruleset.catalog.hex_index("castle")])
    chosen = -1
    while not state.is_over:
        moves = game.legal_moves(state)
        for group in moves.groups:
            if group.verb == "swap" and group.rule == "ferry":
                theirs = state.occupied & ~state.seats[moves.player].all
                near = game.board.grid.neighbours(1 << chosen) & theirs & ~castles
                assert group.hexes == near & partners_one_by_one(game, state, chosen)
                swaps += 1
        move = moves.sample(random)
        chosen = move.hex if move.verb == "lift" else chosen
        state = game.apply(state, move)
    assert swaps > 2


COUNCIL = Path(__file__).with_name("council")


def test_the_council_pass_their_scenarios_and_examples() -> None:
    items = collect([COUNCIL])
    assert len(items) >= 5
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"


def test_kernels_play_the_council_as_the_reference_does() -> None:
    ruleset = kbrules.load("nomads", folders=[COUNCIL])
    for seed in range(4):
        game = game_at(ruleset, choose_table(ruleset, 2 + seed % 2, seed))
        Both(game.playthrough(seed, PYTHON), game).play()


def test_all_engines_tell_the_same_games_of_the_council() -> None:
    game = kbrules.new_game(kbrules.load(folders=[COUNCIL]), 3, 1, "council")
    told = {engine: list(game.playouts(range(3), engine)) for engine in ("reference", PYTHON)}
    assert told["reference"] == told[PYTHON]
    pytest.importorskip("numba")
    assert list(game.playouts(range(3), "native")) == told[PYTHON]


SENATE = Path(__file__).with_name("senate")
CARDS = ("fishermen", "loans", "processions", "tolls", "dues")
ASIDE = [aside for size in (1, 2, 3) for aside in combinations(CARDS, size)]


@pytest.fixture(scope="module")
def game() -> Game:
    return kbrules.new_game(kbrules.load(folders=[SENATE]), 2, 1, "senate")


@pytest.mark.parametrize("seed", range(3))
def test_kernels_play_the_senate_as_the_reference_does(game: Game, seed: int) -> None:
    Both(game.playthrough(seed, PYTHON), game).play()


def given(aside: tuple[str, ...], played: str, **turn: object) -> dict[str, object]:
    return {
        "cards": [*CARDS],
        "unchecked": True,
        "board": {"drawing": "Ga G  G  W\n D  D  D  D\nGb W  G  G\n"},
        "position": {"beside": [*aside]},
        "turn": {"played": played} | turn,
    }


@pytest.mark.parametrize("aside", ASIDE, ids="-".join)
def test_a_card_not_in_play_says_nothing(aside: tuple[str, ...]) -> None:
    offered = {}
    for played in ("grass", "desert"):
        game, state = read_position(given(aside, played), [SENATE])
        offered[played] = {group.rule for group in game.legal_moves(state).groups}
    built = [group.hexes for group in game.legal_moves(state).groups if group.verb == "build"]
    assert built[0].bit_count() == (1 if "fishermen" in aside else 4), "next to one's own, or all"
    assert ("fishermen" in offered["desert"]) == ("fishermen" not in aside)
    assert ("mandatory" in offered["grass"]) == ("fishermen" in aside)
    assert ("loans" in offered["desert"]) == ("loans" not in aside)


def test_cards_not_in_play_pay_nothing_and_hold_no_processions() -> None:
    for aside in ASIDE:
        game, state = read_position(given(aside, "grass", stage="start", round=1), [SENATE])
        sheet = game.score(state)
        assert not {line.rule for line in sheet.lines[0] if line.gold} & {*aside}
        assert sheet.gained[0] == ("processions" not in aside)


@pytest.mark.parametrize("aside", [(), *ASIDE], ids="-".join)
def test_why_names_no_card_that_is_not_in_play(aside: tuple[str, ...]) -> None:
    game, state = read_position(given(aside, "desert"), [SENATE])
    far = Move("build", "mandatory", game.board.grid.index("c1"))
    found = answer(game, state, AboutMoves(state, (far,)))
    assert isinstance(found, MovesAnswer)
    text = as_text(why_report(found, ""), False)
    assert ("Nobody builds on grass" in text) == ("fishermen" not in aside)
