"""`play` and `replay`: continued games, drafts, line editing, other games, replayed logs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.boxes import with_roots
from cli.session import completions
from kbrules.engine.logs.replay import read_log, replay
from kbrules.game.moves import CHANCE
from kbrules.library.box import shipped_boxes
from tests.cli.program import Program, output_of, program_in
from tests.engine.games import base, logged, table_of
from tests.source_tree import HEX

LOG = logged(7)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    program = program_in(tmp_path, monkeypatch)
    (tmp_path / "game.kblog").write_text(LOG.text)
    return program


def test_the_same_game_shows_its_end(run: Program) -> None:
    result = run("replay", "game.kblog")
    assert (result.exit_code, result.stderr) == (0, "")
    end = LOG.played[-1].transition.state
    totals = LOG.game.score(end).totals
    assert ["total", *map(str, totals)] in [line.split() for line in result.stdout.split("\n")]
    assert f"{len(LOG.played)} moves are as in the log, and the game is over" in result.stdout


def test_quiet_says_only_whether_it_is_the_same(run: Program) -> None:
    out = run("replay", "game.kblog", "-q").stdout
    assert out == f"{len(LOG.played)} moves are as in the log, and the game is over\n"


def test_a_part_of_a_game_shows_the_table_then(run: Program) -> None:
    out = run("replay", "game.kblog", "--until", "3").stdout
    assert "settlement 39 left" in out and "settlement 40 left" in out
    assert "3 moves are as in the log, and the game goes on" in out
    assert run("replay", "game.kblog", "--until", "1").stdout.count("1 move is as") == 1


def test_a_difference_is_shown_and_is_exit_1(run: Program) -> None:
    text = LOG.text.replace('"hash": "', '"hash": "0123', 1)
    assert text != LOG.text
    lines = list(LOG.lines)
    lines[9] = lines[9].replace(lines[9][-35:-3], "0" * 32)
    (run.folder / "game.kblog").write_text("".join(lines))
    result = run("replay", "game.kblog")
    assert result.exit_code == 1
    assert result.stderr.startswith("game.kblog:10:") and "KB511" in result.stderr
    assert "8 moves are as in the log" in result.stdout


def test_a_log_cut_off_is_exit_1_unless_only_the_good_part_is_wanted(run: Program) -> None:
    (run.folder / "game.kblog").write_text(LOG.text[:3000])
    result = run("replay", "game.kblog", "-q")
    assert result.exit_code == 1 and result.stderr.count("error[KB510]") == 1
    assert "up to move" in result.stderr and "moves are as in the log" in result.stdout
    assert run("replay", "game.kblog", "-q", "--until", "2").exit_code == 0


def test_what_cannot_be_played_is_exit_2(run: Program) -> None:
    (run.folder / "bad").write_text("{}\n")
    (run.folder / "other").write_text(LOG.text.replace('"rules": "', '"rules": "0')[:-1])
    other = LOG.text.replace(LOG.text[LOG.text.index('"rules": "') :][10:42], "0" * 32)
    (run.folder / "other").write_text(other)
    for words, code in [
        (("none",), "KB001"),
        (("bad",), "KB510"),
        (("other",), "KB512"),
        (("game.kblog", "--until", "9999"), "KB009"),
        (("game.kblog", "--until", "-1"), "KB009"),
        (("game.kblog", "--with", "dale"), "KB009"),
    ]:
        result = run("replay", *words)
        assert result.exit_code == 2 and f"error[{code}]" in result.stderr, words
        assert result.stdout == ""
    lost = run("replay", "none").stderr
    assert "`none` does not exist" in lost and "help: look for a slip in the path" in lost


def test_an_authors_folder_must_be_given_again(run: Program) -> None:
    folder = run.author("mine")
    assert run("play", "--with", "mine", "--seed", "5", "-q", "--log", "dale.kblog").exit_code == 0
    folder.rename(run.folder / "elsewhere")
    lacking = run("replay", "dale.kblog", "-q")
    assert lacking.exit_code == 2 and "KB512" in lacking.stderr and "`mine`" in lacking.stderr
    assert run("replay", "dale.kblog", "-q", "--with", "elsewhere").exit_code == 0


def test_help_teaches_by_example(run: Program) -> None:
    assert "kbrules replay game.kblog --until 40" in run("replay", "--help").stdout


SEVEN = ("play", "--seed", "7", "--bots", "human,random", "--log", "g")


@pytest.fixture
def run_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    return program_in(tmp_path, monkeypatch)


def typed(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_a_game_goes_on_with_the_same_lines_and_the_same_draws(run_play: Program) -> None:
    run_play(*SEVEN, "--force", typed=typed("e19", "f19", "quit"))
    before = run_play.file("g")
    out = run_play("play", "--continue", "g", typed=typed("g19", "quit"))
    assert out.exit_code == 0 and "round  1  a  desert: mandatory build e19 f19 g19" in out.stdout
    assert run_play.file("g").startswith(before)
    one = [json.loads(line) for line in run_play.file("g").splitlines()]
    run_play(*SEVEN, "--force", typed=typed("e19", "f19", "g19", "quit"))
    other = [json.loads(line) for line in run_play.file("g").splitlines()]
    draws = [[each["move"] for each in game[1:] if each["player"] == "chance"]
             for game in (one, other)]  # fmt: skip
    assert draws[0] == draws[1] and len(draws[0]) >= 3
    assert one[:6] == other[:6]


def test_a_finished_continued_game_has_a_log_that_is_whole(run_play: Program) -> None:
    """Bots alone: what is cut from the log of a whole game is played again by other chance."""
    run_play("play", "--seed", "7", "--bots", "random", "--log", "g", "--quiet")
    lines = run_play.file("g").splitlines(keepends=True)
    (run_play.folder / "g").write_text("".join(lines[:40]))
    assert run_play("play", "--continue", "g", "--quiet").exit_code == 0
    log, found = read_log(run_play.folder / "g")
    assert log is not None and found == [] and log.checksum_holds
    assert run_play.file("g").splitlines(keepends=True)[:40] == lines[:40]
    assert replay(base(), log).findings == ()


def test_undo_reaches_back_over_the_break(run_play: Program) -> None:
    run_play(*SEVEN, "--force", typed=typed("e19", "quit"))
    expected = run_play.file("g")
    run_play(*SEVEN, "--force", typed=typed("e19", "f19", "quit"))
    run_play("play", "--continue", "g", typed=typed("undo", "quit"))
    assert run_play.file("g") == expected


def test_half_a_line_is_dropped_and_told(run_play: Program) -> None:
    run_play(*SEVEN, typed=typed("e19", "f19", "quit"))
    whole = run_play.file("g")
    (run_play.folder / "g").write_text(whole + '{"number": 9, "player": "a", "mo')
    out = run_play("play", "--continue", "g", typed=typed("quit")).stdout
    assert "the log ends in half a line, which is dropped" in out
    assert f"after move {len(whole.splitlines()) - 1}" in out
    assert run_play.file("g") == whole


def test_a_log_of_the_other_line_ends_becomes_one_of_ours(run_play: Program) -> None:
    run_play(*SEVEN, typed=typed("e19", "quit"))
    whole = run_play.file("g")
    (run_play.folder / "g").write_bytes(whole.replace("\n", "\r\n").encode())
    run_play("play", "--continue", "g", typed=typed("quit"))
    assert (run_play.folder / "g").read_bytes() == whole.encode()


def test_a_game_that_is_over_but_for_its_closing_line_is_closed(run_play: Program) -> None:
    run_play("play", "--seed", "7", "--bots", "random", "--log", "g", "--quiet")
    whole = run_play.file("g")
    lines = whole.splitlines(keepends=True)
    (run_play.folder / "g").write_text("".join(lines[:-1]) + lines[-1][:20])
    assert "winner: " in run_play("play", "--continue", "g", "--quiet").stdout
    assert run_play.file("g") == whole


def test_what_cannot_go_on_is_refused_and_left_as_it_is(run_play: Program) -> None:
    run_play("play", "--seed", "7", "--bots", "random", "--log", "g", "--quiet")
    whole = run_play.file("g")
    over = run_play("play", "--continue", "g")
    assert over.exit_code == 2 and re.search(r"game in g is over, and [ab] won", over.stderr)
    assert "kbrules replay g" in over.stderr
    lines = whole.splitlines(keepends=True)
    for text, code in (
        ("".join(lines[:20]) + "{}\n" + lines[20], "KB510"),
        (lines[0] + lines[1].replace('"events": [', '"events": [{"event": "x", "hash": "'
                                     + "0" * 32 + '"}, '), "KB511"),
        (lines[0].replace(lines[0].split('"rules": "')[1][:8], "0" * 8), "KB512"),
        (lines[0][:30], "KB510"),
        ("", "KB510"),
    ):  # fmt: skip
        (run_play.folder / "g").write_text(text)
        result = run_play("play", "--continue", "g", typed=typed("quit"))
        assert result.exit_code == 2 and code in result.stderr, (code, result.output)
        assert run_play.file("g") == text
    assert "KB001" in run_play("play", "--continue", "none").stderr


@pytest.mark.parametrize("word", ["--seed=0", "--players=2", "--bots=greedy", "--log=h", "--force"])
def test_the_log_says_what_is_played(run_play: Program, word: str) -> None:
    run_play(*SEVEN, typed=typed("quit"))
    result = run_play("play", "--continue", "g", word)
    assert result.exit_code == 2 and "`--continue` takes table, seats and log" in result.stderr


def test_the_command_to_go_on_names_the_folder_and_works(run_play: Program) -> None:
    run_play.author("my own")
    words = ("play", "--with", "nomads,my own", "--seed", "7", "--bots", "human,random")
    out = run_play(*words, typed=typed("quit")).stdout
    assert "to go on: kbrules play --continue game.kblog --with 'my own'\n" in out
    again = run_play("play", "--continue", "game.kblog", "--with", "my own", typed=typed("quit"))
    assert again.exit_code == 0 and again.stdout.count("a decides") == 1
    second = run_play(*words, typed=typed("quit")).stdout
    assert "the game in game.kblog was broken off; to go on: kbrules play --continue" in second


# On a terminal

unix = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals")


@unix
def test_a_killed_game_goes_on_and_an_interrupted_one_is_offered(tmp_path: Path) -> None:
    from tests.cli.terminal import Terminal

    with Terminal(tmp_path, "play", "--seed", "7") as first:
        first.wait_for("a decides")
        first.type("e19\n")
        first.wait_for("a decides", 2)
        first.kill()
    log = (tmp_path / "game.kblog").read_text()
    assert "mandatory: build e19" in log.splitlines()[-1]
    with Terminal(tmp_path, "play", "--continue", "game.kblog") as second:
        second.wait_for("a decides")
        assert (tmp_path / "game.kblog").read_text() == log
        second.type("f19\n")
        second.wait_for("a decides", 2)
        second.type("\x03")
        second.wait_for("interrupted")
        shown = second.wait_for("kbrules play --continue game.kblog")
        assert second.end() == 130 and "Traceback" not in shown
    with Terminal(tmp_path, "play", "--continue", "game.kblog") as third:
        third.wait_for("a decides")
        third.type("g19\n")
        third.wait_for("round  1  a  desert: mandatory build e19 f19 g19")


def strikes(out: str) -> list[tuple[str, str]]:
    lines = [line.split(" strikes ") for line in out.splitlines() if " strikes " in line]
    return [(line[0][-1], line[1]) for line in lines]


def test_the_log_holds_the_cards_that_are_left(run_play: Program) -> None:
    words = ("play", "--draft", "3", "--bots", "random", "--seed", "4", "--quiet")
    out = run_play(*words).stdout
    gone = strikes(out)
    assert [player for player, _ in gone] == ["b", "a", "b"]
    log, _ = read_log(run_play.folder / "game.kblog")
    assert log is not None
    assert len(log.header.data["cards"]) == 3
    assert not {card for _, card in gone} & {*log.header.data["cards"]}
    assert run_play("replay", "game.kblog", "--quiet").exit_code == 0
    assert strikes(run_play(*words, "--no-log").stdout) == gone


def test_a_person_is_asked_until_a_card_is_named(run_play: Program) -> None:
    words = ("play", "--draft", "2", "--bots", "human,random", "--seed", "4", "--no-log")
    out = run_play(*words, typed="nothing\n9\n1\nquit\n").stdout
    assert out.count("type a name, or a number from 1 to 4") == 2
    assert [player for player, _ in strikes(out) if player == "a"]
    first = next(
        line.split()[1].rstrip(":") for line in out.splitlines() if line.startswith("  1 ")
    )
    assert f"strikes {first}" in out


@pytest.mark.parametrize("number", ["0", "99"])
def test_what_cannot_be_laid_out_is_said(run_play: Program, number: str) -> None:
    result = run_play("play", "--draft", number, "--bots", "random", "--no-log")
    assert result.exit_code == 2
    assert "KB009" in result.stderr and "a draft lays out 1 to" in result.stderr


def test_only_what_is_legal_is_completed() -> None:
    _, game = table_of(7)
    state = game.start()
    while game.legal_moves(state).player == CHANCE:
        state = game.apply(state, next(iter(game.legal_moves(state))))
    moves = game.legal_moves(state)
    group = moves.groups[0]
    hexes = set(game.board.names(group.hexes))
    first = completions("", moves, game.board)
    assert {group.verb, f"{group.rule}:", "undo", "hint", "why", *hexes} <= set(first)
    assert set(completions(f"{group.verb} ", moves, game.board)) == hexes
    assert set(completions(f"{group.rule}: {group.verb} a", moves, game.board)) == hexes
    assert group.verb in completions(f"{group.rule}: ", moves, game.board)
    assert set(completions("1 ", moves, game.board)) == hexes
    assert completions("nothing ", moves, game.board) == []
    assert "greedy" in completions("hint ", moves, game.board)


@unix
@pytest.mark.skipif(find_spec("prompt_toolkit") is None, reason="the extra `play` is not there")
def test_tab_completes_and_the_arrow_brings_a_line_back(tmp_path: Path) -> None:
    from tests.cli.terminal import Terminal

    with Terminal(tmp_path, "play", "--seed", "7", "--no-log") as terminal:
        terminal.wait_for("a decides")
        terminal.wait_for("\n>")
        terminal.type("scor\t")
        terminal.wait_for("score")
        terminal.type("\r")
        terminal.wait_for("total")
        terminal.type("\x1b[A\r")
        terminal.wait_for("total", 2)
        terminal.wait_for("\n>", 3)
        for _ in range(4):  # one that comes between two prompts may be lost
            terminal.type("\x03")
            with suppress(subprocess.TimeoutExpired):
                terminal.process.wait(10)
                break
        assert terminal.end() == 130 and "Traceback" not in terminal.shown


FOREIGN = re.compile(r"\b(gold|cards?|deck|discard\w*|tiles?|locations?|terrain|total|grass)\b")
ROUND = re.compile(r"^round +(\d+)  ([ab]): (stone build [a-p]\d+|swap .*)$", re.MULTILINE)


def test_a_folder_that_is_a_whole_game_is_played_alone() -> None:
    roots = with_roots([])
    assert roots == with_roots([], [HEX.with_name("dale")]) != []
    assert with_roots([], [HEX]) == []
    assert with_roots(["nomads"], [HEX]) == ["nomads"]


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_bots_play_hex_and_every_turn_is_told(run_play: Program, bot: str) -> None:
    result = run_play("play", "--with", str(HEX), "--bots", bot, "--seed", "4")
    assert (result.exit_code, result.stderr) == (0, "")
    out = result.stdout
    assert not FOREIGN.search(out)
    assert out.startswith(f"seed 4; a {bot}, b {bot}; sections rhombus\n")
    told = ROUND.findall(out)
    lines = [json.loads(line) for line in run_play.file("game.kblog").splitlines()]
    assert [who for _, who, _ in told] == [line["player"] for line in lines[1:-1]]
    assert [int(number) for number, _, _ in told] == [1 + i // 2 for i in range(len(told))]
    winner = told[-1][1]
    assert lines[0]["boxes"] == ["hex"] and lines[-1]["winners"] == [winner]
    sheet = f"            a     b\nVictory     {int(winner == 'a')}     {int(winner == 'b')}\n"
    assert out.endswith(f"\n\n{sheet}winner: {winner}\nlog: game.kblog\n")
    again = run_play("replay", "game.kblog", "--with", str(HEX))
    assert again.exit_code == 0 and sheet in again.stdout and "game is over" in again.stdout


def test_a_person_plays_hex(run_play: Program) -> None:
    typed = "f6\nscore\nend\nf6\nundo\nswap\n?\nquit\n"
    words = ("--with", str(HEX), "--bots", "human,random", "--seed", "2", "--no-log")
    result = run_play("play", *words, "--option", "swapping=yes", typed=typed)
    assert result.exit_code == 0, result.output
    out = result.stdout
    assert not FOREIGN.search(out)
    assert "a decides\n  1 stone: build on one of a1 b1 c1" in out
    assert "Victory     0     0\nlevel: a, b\n" in out and "victory: a" not in out
    assert "stone: it is required before the turn ends" in out
    assert "placement: it is not in `empty`" in out
    assert "whoever is to move joins: a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1\nwith: f11 g11" in out


def test_the_second_player_swaps(run_play: Program) -> None:
    words = ("--with", str(HEX), "--bots", "random,human", "--seed", "2", "--no-log")
    result = run_play("play", *words, "--option", "swapping=yes", typed="2\n1\nquit\n")
    assert re.search(r"^  2 swap: remove on ([a-p]\d+)$", result.stdout, re.MULTILINE)
    assert re.search(r"round  1  b: swap remove (\w+); swap build \1\n", result.stdout)
    assert "whoever is to move joins: f11" not in result.stdout


def test_more_players_than_the_game_has_are_refused_without_advice(run_play: Program) -> None:
    result = run_play("play", "--with", str(HEX), "--players", "3")
    assert result.exit_code == 2
    assert "KB009" in result.stderr and "the game is for 2 players, not 3" in result.stderr
    assert not any(f"`--with {box}`" in result.stderr for box in shipped_boxes())


def test_the_folder_is_good_and_its_scenarios_hold() -> None:
    assert output_of("check", str(HEX)).startswith("all good: 4 files")
    assert re.search(r"(?m)^\d+ passed", output_of("test", str(HEX)))


def test_a_section_of_an_odd_number_of_rows_lies_upright_only() -> None:
    drawn = output_of("show", "section", "rhombus", "--with", str(HEX))
    assert "\n 1 A T T T T T T T T T B - - - - -\n 2  L F F" in drawn
    words = ["show", "section", "rhombus", "--turned", "--with", str(HEX)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert "KB413" in result.stderr and "cannot be turned" in result.stderr
