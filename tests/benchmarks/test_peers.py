"""What the benchmark is held against plays what it is said to play; what is missing says why."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks import latency, measurement, peers
from benchmarks.games import BASE, boxes, games_of
from benchmarks.measurement import NO_KERNEL, Absent, Rates, Row
from benchmarks.peers import MissingPeer, Program, compile_program
from kbrules.engine.configuration import NATIVE
from kbrules.hex.sets import bits

GAMES = 500


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    try:
        return compile_program(games_of(boxes(*BASE), 2), tmp_path_factory.mktemp("peer"))
    except MissingPeer as error:
        pytest.skip(str(error))


def test_the_program_in_c_plays_our_game_on_our_tables(program: Program) -> None:
    tables = games_of(boxes(*BASE), 2)
    ours = [outcome for game in tables for outcome in game.playouts(range(GAMES), NATIVE)]
    said = program.play(GAMES)
    assert said.games == len(ours)
    assert said.decisions == pytest.approx(sum(sum(o.decisions) for o in ours), rel=0.01)
    assert said.gold == pytest.approx(sum(sum(o.totals) for o in ours), rel=0.01)


def test_a_table_for_the_program_is_the_board() -> None:
    game = games_of(boxes(*BASE), 2, 1)[0]
    grid, text = game.board.grid, peers.table_bytes(game)
    assert len(text) == 36 * 64
    sets = [int.from_bytes(text[at : at + 64], "little") for at in range(0, 34 * 64, 64)]
    full, kinds, edge, sectors, rows = sets[0], sets[1:9], sets[9], sets[10:14], sets[14:]
    places = sum(1 << place for place in game.board.tiles)
    assert full == grid.full == sum(kinds) + places == sum(sectors) == sum(rows)
    outmost = (hex for hex in bits(full) if grid.neighbours(1 << hex).bit_count() < 6)
    assert edge == sum(1 << hex for hex in outmost)


def test_without_a_compiler_there_is_no_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "which", lambda name: None)
    with pytest.raises(MissingPeer, match="no C compiler"):
        compile_program([], tmp_path)
    monkeypatch.setattr(peers, "SOURCE", tmp_path / "limit.c")
    with pytest.raises(MissingPeer, match="only a checkout"):
        compile_program([], tmp_path)


@pytest.mark.skipif(not any(map(peers.which, peers.COMPILERS)), reason="there is no C compiler")
def test_the_program_says_what_it_needs_of_a_processor(tmp_path: Path) -> None:
    with pytest.raises(MissingPeer, match=r"^the program in C needs AVX-512"):
        compile_program([], tmp_path, ["-U__AVX512F__"])


def test_each_figure_has_the_goal_that_was_set() -> None:
    found = {
        figure.peer_text or figure.peer: figure.goal and (figure.goal.floor, figure.goal.aim)
        for figure in peers.FIGURES
    }
    assert found == {
        "program in C": (0.4, 0.9),
        "engine in Java": (0.5, 1.5),
        "OpenSpiel rollouts in C++": (5.9, 10),
        "Pgx on the CPU": (45, 80),
        "Pgx, moves drawn quickly": None,
        "OpenSpiel MCTSBot in C++": (5.7, 30),
    }
    assert [(goal.floor, goal.aim) for _, _, *goals in latency.KERNELS for goal in goals] == [
        (5.9, 3), (1.3, 0.2), (23, 10), (1.7, 0.2)
    ]  # fmt: skip


def _rows(absent: Mapping[str, str]) -> dict[str, Row | Absent]:
    names = {name for figure in peers.FIGURES for name in (figure.name, figure.peer)}
    rates = Rates(dict.fromkeys(names - absent.keys(), (3.0, 3.0)) | {peers.IN_C: (6.0, 6.0)})
    return {
        figure.peer_text or figure.peer: peers.figure_row(figure, rates, absent)
        for figure in peers.FIGURES
    }


def test_a_row_holds_the_ratio_to_its_peer() -> None:
    rows = _rows({})
    in_c, java = rows["program in C"], rows["engine in Java"]
    assert isinstance(in_c, Row) and in_c.ratio == 0.5
    assert isinstance(java, Row) and java.ratio == pytest.approx(0.5 * 166_900 / 1_066)
    assert in_c.cells[2:] == (
        "0.50 x program in C", "at least 0.4 (aim 0.9): met, the aim is not"
    )  # fmt: skip


def test_a_row_without_its_peer_says_why() -> None:
    def refused() -> measurement.Workload:
        raise MissingPeer("nobody has it")

    works, absent = peers.available_workloads(
        {peers.PGX: refused, peers.OUR_HEX: lambda: peers.hex_games}
    )
    assert works == {peers.OUR_HEX: peers.hex_games}
    assert absent == {peers.PGX: "not measured: nobody has it"}
    rows = _rows(absent)
    assert [name for name, row in rows.items() if isinstance(row, Absent)] == [peers.PGX]
    assert rows[peers.PGX] == Absent("playouts, Hex 11 x 11, bare native kernel", absent[peers.PGX])
    every = _rows({peers.IN_C: "not measured: there is no C compiler"})
    assert [name for name, row in every.items() if isinstance(row, Absent)] == [
        peers.IN_C, peers.JAVA
    ]  # fmt: skip


def test_without_native_code_every_row_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (peers, latency):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
    assert list(peers.rows()) == [Absent(figure.what, NO_KERNEL) for figure in peers.FIGURES]
    assert {row.why for row in latency.kernel_rows() if isinstance(row, Absent)} == {NO_KERNEL}
    assert len(list(latency.kernel_rows())) == len(latency.KERNELS)


def test_a_kernel_is_made_cold_once_and_then_read(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[tuple[str, ...], str]] = []

    def made(names: tuple[str, ...], cache: str) -> float:
        assert bool(list(Path(cache).iterdir())) == ((names, cache) in asked)
        (Path(cache) / "kept").touch()
        asked.append((names, cache))
        return 9.0 if asked.count((names, cache)) == 1 else 0.5

    monkeypatch.setattr(latency, "_seconds_in_process", made)
    rows = [row for row in latency.kernel_rows() if isinstance(row, Row)]
    assert [row.value for row in rows] == [9.0, 0.5, 9.0, 0.5]
    assert [names for names, _ in asked] == [BASE] * 4 + [()] * 4


def test_the_program_of_a_new_process_can_be_imported() -> None:
    imported, _, _ = latency.BUILD_CODE.partition("print")
    names: dict[str, object] = {}
    exec(imported, names)
    assert names["seconds_to_build"] is latency.seconds_to_build


@pytest.mark.slow
def test_a_kernel_that_is_kept_takes_less_time(tmp_path: Path) -> None:
    first, again = (latency._seconds_in_process(BASE, str(tmp_path)) for _ in range(2))
    assert 0 < 2 * again < first
    assert list(tmp_path.rglob("kernel.py"))


def test_a_search_of_one_simulation_is_so_many_games() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    root = peers._search_bot(64, 1).mcts_search(
        pyspiel.load_game(peers.OPENSPIEL_HEX).new_initial_state()
    )
    lead = root.total_reward * 64  # games won less games lost
    assert root.explore_count == 1 and not root.children
    assert lead == int(lead) and lead % 2 == 0


def test_pgx_plays_whole_games() -> None:
    pytest.importorskip("pgx")
    assert peers.compiled_hex_games(peers.sample_quickly)() == 1024
