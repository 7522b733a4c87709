"""Other games from data and rule text alone: Hex beside a twin, and tiny games."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import kbrules
from kbrules.engine.matches import Match, play_to_end, random_bot
from kbrules.engine.scoring import Sheet
from kbrules.hex.sets import bits
from kbrules.library.boards.positions import parse_position
from kbrules.tools.bots import BOTS, greedy
from kbrules.tools.narration import evidence_text, legend, players_text, sheet_text
from tests.collecting import collect
from tests.house.hex_twin import CELLS, SIZE, Cell, Twin, name_of
from tests.source_tree import HEX

QUICKEST = "native" if find_spec("numba") else "python"


@cache
def ruleset() -> kbrules.Ruleset:
    return kbrules.load(folders=[HEX])


@cache
def table(swap: bool = False) -> kbrules.Game:
    return kbrules.new_game(ruleset(), 2, 0, options={"swapping": swap})


@cache
def cells() -> dict[int, Cell]:
    """The cell of each hex of the board, by its index."""
    index = table().board.grid.index
    return {index(name_of(cell)): cell for cell in CELLS}


def test_nothing_of_another_game_is_loaded() -> None:
    assert ruleset().boxes == ("hex",)
    assert {rule.id for rule in ruleset().rules} == {
        "turn", "placement", "stone", "swap", "victory"
    }  # fmt: skip
    catalog = ruleset().catalog
    assert (catalog.cards, catalog.tiles, catalog.deck) == ((), (), ())
    assert [piece.id for piece in catalog.pieces] == ["stone"]


def test_the_drawing_is_the_rhombus() -> None:
    board = table().board
    assert board.grid.size == SIZE * SIZE == len(cells())
    for hex, cell in cells().items():
        near = {cells()[other] for other in bits(board.grid.neighbours(1 << hex))}
        away = {(other.row - cell.row, other.column - cell.column) for other in near}
        assert away <= {(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)}
        inner = 0 < cell.row < SIZE - 1 and 0 < cell.column < SIZE - 1
        assert (len(near) == 6) == inner


def test_the_sides_are_the_sides_and_a_corner_has_two() -> None:
    catalog, board = ruleset().catalog, table().board
    found = {
        tag: {
            cells()[hex]
            for kind, mask in zip(catalog.hexes, board.kinds, strict=True)
            if tag in kind.tags
            for hex in bits(mask)
        }
        for tag in ("top", "bottom", "left", "right")
    }
    assert found == {
        "top": {cell for cell in CELLS if cell.row == 0},
        "bottom": {cell for cell in CELLS if cell.row == SIZE - 1},
        "left": {cell for cell in CELLS if cell.column == 0},
        "right": {cell for cell in CELLS if cell.column == SIZE - 1},
    }


# Whole games


def winner_as_the_twin_says(game: kbrules.Game, random: kbrules.Random) -> int:
    """Play at random, the twin alongside, and answer who won."""
    twin, state, names = Twin(), game.start(), cells()
    while not state.is_over:
        moves = game.legal_moves(state)
        assert twin.winner is None
        assert (moves.player, len(moves)) == (twin.seat, SIZE * SIZE - twin.turn)
        move = moves.sample(random)
        twin.put(names[move.hex])
        state = game.apply(state, move)
    assert twin.winner is not None
    assert game.score(state).winners == (twin.winner,)
    assert state.seats[0].all.bit_count() + state.seats[1].all.bit_count() == twin.turn
    return twin.winner


def shares_of_random_games(engine: str, part: int, number: int) -> None:
    """Both colours win their share of random games, and each as the twin says."""
    random, game = kbrules.Random(part, "hex"), table().with_engine(engine)
    first = sum(winner_as_the_twin_says(game, random) == 0 for _ in range(number))
    assert 0.45 * number < first < 0.58 * number


@pytest.mark.parametrize(("engine", "number"), [("reference", 500), (QUICKEST, 2_000)])
def test_random_games_are_won_as_the_twin_says(engine: str, number: int) -> None:
    shares_of_random_games(engine, 0, number)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(1, 5))
def test_ten_thousand_random_games_are_won_as_the_twin_says(part: int) -> None:
    """One part is played by the reference, the others by the quickest engine there is."""
    shares_of_random_games(QUICKEST if part > 1 else "reference", part, 2_000)


@given(st.booleans(), st.booleans(), st.integers(0, 10**6))
def test_every_position_is_the_twins(allowed: bool, wanted: bool, seed: int) -> None:
    """Offers, stones and worths, with and without a swap, from the first move to the last."""
    game, twin, random = table(allowed), Twin(), kbrules.Random(seed, "hex")
    state, names = game.start(), cells()
    while not state.is_over:
        moves = game.legal_moves(state)
        assert moves.player == twin.seat
        offers = {group.rule: {names[hex] for hex in bits(group.hexes)} for group in moves.groups}
        expected = {"stone": set(CELLS) - set(twin.stones)}
        if allowed and twin.may_swap:
            expected["swap"] = set(twin.stones)
        assert offers == expected
        if wanted and "swap" in offers:
            twin.swap()
            for verb in ("remove", "build"):
                (move,) = (m for m in game.legal_moves(state) if (m.rule, m.verb) == ("swap", verb))
                state = game.apply(state, move)
        else:
            move = kbrules.MoveSet(moves.player, moves.groups[:1]).sample(random)
            twin.put(names[move.hex])
            state = game.apply(state, move)
        stones = [{names[hex] for hex in bits(seat.all)} for seat in state.seats]
        assert stones == [twin.of(0), twin.of(1)]
        assert game.score(state).win_values == tuple(int(seat == twin.winner) for seat in (0, 1))
    assert twin.winner is not None and twin.has_swapped == (allowed and wanted)


# Bots, logs, sheets


@pytest.mark.parametrize("name", sorted(BOTS))
def test_bots_play_and_the_log_is_played_again(name: str, tmp_path: Path) -> None:
    from kbrules.engine.logs.writing import MatchInfo, Recorder

    chosen = kbrules.choose_table(ruleset(), 2, 5, options={"swapping": True})
    game = table(True)
    recorder = Recorder(game, game.start(), MatchInfo(chosen, 5, (name, name)))
    match = Match(game, 5, [BOTS[name]] * 2, recorder.watch)
    for played in match:
        recorder.add(played.player, played.move, played.transition)
    recorder.close(match.state)
    path = tmp_path / "hex.kblog"
    path.write_text("".join(recorder.lines))
    log, found = kbrules.read_log(path)
    assert log is not None and found == []
    result = kbrules.replay(ruleset(), log)
    assert result.findings == () and result.states[-1] == match.state
    (winner,) = game.score(match.state).winners
    assert f'"winners": ["{"ab"[winner]}"]' in recorder.lines[-1]


def test_greed_is_for_what_wins() -> None:
    """There is no gold here; the bot takes what `win by` counts."""
    position, _ = parse_position(ruleset().catalog, "A T B -\n L F R -\n- C U D")
    assert position is not None
    game = kbrules.Game(ruleset(), position.board, 2)
    state = game.start()
    for name in ("b1", "c2", "b2", "d3"):
        move = kbrules.read_move(f"build {name}", game.board, game.legal_moves(state))
        state = game.apply(state, move)
    for seed in range(10):
        move = greedy(game, state, game.legal_moves(state), kbrules.Random(seed, "greedy"))
        assert game.board.grid.name(move.hex) in ("b3", "c3")


def test_no_win_in_one_move_is_missed() -> None:
    missed, wins, game = 0, 0, table()
    for seed in range(6):
        me = seed % 2
        bots = [random_bot, greedy] if me else [greedy, random_bot]
        for played in Match(game, seed, bots):
            if played.player == me and not played.transition.state.is_over:
                moves, before = game.legal_moves(played.before), played.before
                missed += any(game.apply(before, move).is_over for move in moves)
            wins += played.player == me and played.transition.state.is_over
    assert missed == 0 and wins >= 3


def test_nobody_is_paid_gold() -> None:
    sheet: Sheet = table().score(table().start())
    assert (sheet.lines, sheet.totals, sheet.decided_by) == (((), ()), (0, 0), "Victory")


def test_its_scenarios_and_examples_pass() -> None:
    items = collect([HEX])
    assert len(items) >= 16
    for item in items:
        outcome = item.run()
        assert outcome.passed, f"{item.id}\n{outcome.text}"


WALK = """\
format: 1
id: walk
title: The walk
players: {least: 1, most: 1}
table: {rows: 1, columns: 1}
section: {rows: 3, columns: 3}
terrains: {heath: {letter: H}}
sections:
  moor:
    rows: |
      H H H
       H H -
      H H H
"""
WALK_RULES = """\
memory walked: hexes of table "Where one has been."

rule turn "The walk":
    "Walk from hex to hex; it is over when no new hex lies beside the old ones."
    turn:
        mark 1 on board - walked as walked if none(walked)
        mark 1 on adjacent(walked) - walked as walked
        end game if none(adjacent(walked) - walked)
    win by count(walked)
"""
CROWD = """\
format: 1
id: crowd
title: The crowd
players: {least: 3, most: 3}
table: {rows: 1, columns: 2}
section: {rows: 3, columns: 3}
terrains: {heath: {letter: H}}
pieces:
  hut: {letter: h, title: hut, supply: 1}
  tent: {letter: t, title: tent, supply: 9}
sections:
  moor:
    rows: |
      H H H
       H H -
      H H H
  fell:
    rows: |
      H H H
       H H -
      - H H
"""
CROWD_RULES = """\
rule turn "The crowd":
    "Pitch a tent beside nobody else's; it is over when no hex is left."
    permit build on empty
    forbid build on adjacent(theirs)
    turn:
        build 1 tent
    when turn_end if none(empty - adjacent(occupied)): end game
    win by count(mine)
"""
GAMES = {"walk": (WALK, WALK_RULES), "crowd": (CROWD, CROWD_RULES)}


def folder(tmp_path: Path, name: str) -> Path:
    data, rules = GAMES[name]
    (tmp_path / "expansion.yaml").write_text(data)
    (tmp_path / f"{name}.kb").write_text(rules)
    return tmp_path


@pytest.mark.parametrize("bot", sorted(BOTS))
@pytest.mark.parametrize("name", sorted(GAMES))
def test_it_is_played_to_its_own_end(tmp_path: Path, name: str, bot: str) -> None:
    ruleset = kbrules.load(folders=[folder(tmp_path, name)])
    assert ruleset.boxes == (name,)
    players = ruleset.parts.players[0]
    for seed in range(6):
        game = kbrules.new_game(ruleset, players, seed)
        state = play_to_end(game, seed, [BOTS[bot]] * players)
        assert state.is_over and state.stage == ("over", 0)
        sheet = game.score(state)
        assert sheet.winners and sheet.totals == (0,) * players
        if name == "walk":
            assert sheet.win_values == (game.board.grid.size,)
        else:
            assert sheet.win_values == tuple(seat.all.bit_count() for seat in state.seats)


def test_a_player_without_anything_is_not_listed(tmp_path: Path) -> None:
    game = kbrules.new_game(kbrules.load(folders=[folder(tmp_path, "walk")]), 1, 1)
    state = game.start()
    assert (players_text(game, state), legend(game, state)) == ("", "H heath")
    sheet = game.score(state)
    assert sheet_text(game, sheet) == "             a\nThe walk     0\nahead: a"
    assert evidence_text(game, sheet) == ""
