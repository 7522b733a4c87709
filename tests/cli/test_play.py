"""`play`: games of bots and of people, told, scored and logged; what cannot be is refused."""

from __future__ import annotations

import builtins
import json
import os
import re
from pathlib import Path

import pytest

from kbrules.engine.logs.replay import read_log, replay
from kbrules.engine.matches import play_to_end
from kbrules.engine.setup import choose_table, game_at
from kbrules.game.board import Board
from kbrules.game.moves import MoveSet
from kbrules.tools.bots import BOTS
from tests.cli.program import Program, program_in
from tests.engine.games import base

BOARD_ROWS = 20


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    return program_in(tmp_path, monkeypatch)


def moves_in(path: Path) -> list[str]:
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    return [line["move"] for line in lines if "move" in line]


# Bots


def test_a_game_of_bots_is_told_scored_and_logged(run: Program) -> None:
    result = run("play", "--seed", "7", "--bots", "random", "--players", "3")
    assert (result.exit_code, result.stderr) == (0, "")
    game = game_at(base(), choose_table(base(), 3, 7))
    end = play_to_end(game, 7, [BOTS["random"]] * 3)
    sheet = game.score(end)
    out = result.stdout
    assert len(re.findall(r"^[ \d]\d ", out, re.MULTILINE)) == 2 * BOARD_ROWS
    total = "".join(f"{gold:>6}" for gold in sheet.totals)
    assert re.search(rf"^total +{total.strip()}$", out, re.MULTILINE)
    for line in sheet.lines[1]:
        if line.gold:
            assert f"  b {line.gold:>3}  {game.board.names(line.hexes)[0]}" in out
    log, found = read_log(run.folder / "game.kblog")
    assert log is not None and found == []
    assert replay(base(), log).states[-1] == end
    assert log.header.data["bots"] == ["random"] * 3


def test_every_turn_has_its_line(run: Program) -> None:
    out = run("play", "--seed", "3", "--bots", "random", "--no-log").stdout
    told = re.findall(r"^round +(\d+)  ([ab])  (?:[\w ]+)?: (.*)$", out, re.MULTILINE)
    game = game_at(base(), choose_table(base(), 2, 3))
    built = sum(seat.all.bit_count() for seat in play_to_end(game, 3, [BOTS["random"]] * 2).seats)
    assert [who for _, who, _ in told] == ["a", "b"] * (len(told) // 2)
    assert [int(number) for number, _, _ in told] == [1 + i // 2 for i in range(len(told))]
    hexes = sum(
        len(re.findall(r"\b[a-t]\d+\b", part))
        for _, _, text in told
        for part in re.findall(r"\w+ build((?: [a-t]\d+)+)", text)
    )
    assert hexes == built
    assert sum("the last round" in text for _, _, text in told) == 1
    assert not any("turn end" in text for _, _, text in told)


def test_the_same_seed_is_the_same_game_and_another_is_another(run: Program) -> None:
    one, same, other = (
        run("play", "--bots", "greedy", "--no-log", "--seed", seed).stdout for seed in "778"
    )
    assert one == same != other


def test_without_a_terminal_bots_play(run: Program) -> None:
    assert run("play", "--seed", "1", "--no-log").stdout.startswith("seed 1; a greedy, b greedy;")


def test_quiet_is_the_score_sheet_alone(run: Program) -> None:
    out = run("play", "--seed", "7", "--bots", "random", "--quiet", "--no-log").stdout
    assert out.split("\n")[0].split() == ["a", "b"]
    assert "winner: " in out and "round" not in out and "grass" not in out
    assert list(run.folder.iterdir()) == []


def test_a_named_set_up_and_an_option_reach_the_game(run: Program) -> None:
    result = run(
        "play", "--setup", "first-game", "--option", "null_moves=yes", "--seed", "7", "--quiet"
    )
    assert result.exit_code == 0
    header = json.loads(run.file("game.kblog").splitlines()[0])
    assert header["layout"] == "tavern paddock/oasis farm"
    assert header["options"] == {"null_moves": True}


def test_an_authors_folder_is_played_and_named_in_the_log(run: Program) -> None:
    run.author()
    result = run("play", "--with", "base,mine", "--seed", "5", "--quiet")
    assert result.exit_code == 0, result.stderr
    header = json.loads(run.file("game.kblog").splitlines()[0])
    assert header["boxes"] == ["base", "dale"] and header["folders"] == ["mine"]
    assert str(run.folder) not in run.file("game.kblog")


def test_a_card_that_is_wanted_lies_on_the_table(run: Program) -> None:
    run.author()
    words = ("--with", "mine", "--card", "rowers", "--bots", "random", "--quiet")
    for seed in ("1", "2", "3", "4"):
        sheet = run("play", *words, "--seed", seed, "--no-log")
        assert sheet.exit_code == 0 and "Rowers" in sheet.stdout.split("total")[0], sheet.output
    assert run("play", *words, "--seed", "1").exit_code == 0
    assert run("replay", "game.kblog", "--with", "mine").exit_code == 0
    wrong = run("play", "--with", "mine", "--card", "rower", "--no-log")
    assert wrong.exit_code == 2 and "did you mean `rowers`?" in wrong.output


def test_all_boxes_can_be_played_together(run: Program) -> None:
    assert run("play", "--with", "all", "--seed", "5", "--bots", "random").exit_code == 0


MARKED = """\
define towers "Towers, which are castles.":
    castle
"""


def test_what_a_box_marks_stands_below_every_board(run: Program) -> None:
    folder = run.author()
    with (folder / "expansion.yaml").open("a") as file:
        file.write("marks: {towers: {title: tall towers}}\n")
    (folder / "rules" / "towers.kb").write_text(MARKED)
    words = ("--with", "base,mine", "--seed", "5")
    out = run("play", *words, "--bots", "random").stdout
    game = game_at(base(), choose_table(base(), 2, 5))
    castles = game.board.kinds[game.board.catalog.hex_index("castle")]
    line = f"\ntall towers: {' '.join(game.board.names(castles))}\na: settlement"
    assert castles and out.count(line) == 2
    assert run("replay", "game.kblog", "--with", "base,mine").stdout.count(line) == 1
    typed = run("play", *words, "--bots", "human,random", "--no-log", typed="board\nquit\n")
    assert typed.stdout.count(line) == 2
    assert "tall" not in run("play", *words, "--bots", "random", "--no-log", "--quiet").stdout


# Logs


def test_no_log_is_written_over(run: Program) -> None:
    for _ in range(3):
        assert run("play", "--seed", "7", "--bots", "random", "--quiet").exit_code == 0
    names = sorted(path.name for path in run.folder.iterdir())
    assert names == ["game-2.kblog", "game-3.kblog", "game.kblog"]
    (run.folder / "mine.kblog").write_text("dear to me")
    refused = run("play", "--seed", "7", "--bots", "random", "--log", "mine.kblog")
    assert refused.exit_code == 2 and "KB008" in refused.stderr and refused.stdout == ""
    assert run.file("mine.kblog") == "dear to me"
    forced = run("play", "--seed", "7", "--bots", "random", "--log", "mine.kblog", "--force")
    assert forced.exit_code == 0
    assert run.file("mine.kblog") == run.file("game.kblog")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--players", "9"], "KB009", "2 to 4 players, not 9"),
        (["--players", "5"], "KB009", "add one by `--with crossroads`"),
        (["--players", "-1"], "KB009", "not -1"),
        (["--ruling", "liftfirst=1"], "KB009", "did you mean `lift_first`?"),
        (["--ruling", "zzz=yes"], "KB009", "`kbrules show options` lists all by question"),
        (["--ruling", "lords_of_all=yes"], "KB009", "lords_rank_zero: Does a player without"),
        (["--ruling", "caves_chosen=yes"], "KB009", "add `--with caves`"),
        (["--ruling", "=yes"], "KB009", "there is no option ``"),
        (["--setup", "zzz"], "KB009", "the set-ups are random, first-game"),
        (["--players", "3", "--bots", "random,random"], "KB009", "--players says 3"),
        (["--bots", "greedi"], "KB009", "did you mean `greedy`?"),
        (["--bots", ""], "KB009", "there is no bot ``"),
        (["--setup", "first-gam"], "KB009", "did you mean `first-game`?"),
        (["--with", "bas"], "KB009", "did you mean `base`?"),
        (["--option", "null_move=yes"], "KB009", "did you mean `null_moves`?"),
        (["--option", "null_moves=3"], "KB009", "is yes or no"),
        (["--option", "null_moves"], "KB009", "name=value"),
        (["--option", "null_moves=maybe"], "KB009", "name=value"),
        (["--log", "no/such/folder"], "KB008", "no such folder"),
        (["--log", "."], "KB008", "cannot be written"),
    ],
)
def test_what_cannot_be_is_refused_with_a_code(
    run: Program, words: list[str], code: str, said: str
) -> None:
    result = run("play", "--seed", "7", "--quiet", *words)
    assert result.exit_code == 2
    assert f"error[{code}]" in result.stderr and said in result.stderr
    assert result.stdout == "" and list(run.folder.iterdir()) == []


def test_all_that_is_wrong_with_a_folder_is_said(run: Program) -> None:
    folder = run.author()
    (folder / "rules" / "rowers.kb").write_text("card rowers: gold 1 per hex in myne\nwhat\n")
    result = run("play", "--with", str(folder))
    assert result.exit_code == 2 and result.stderr.count("error[KB") >= 2
    assert "rowers.kb:" in result.stderr


def test_a_full_disk_is_no_traceback(run: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    result = run("play", "--seed", "7", "--bots", "random", "--quiet")
    assert result.exit_code == 2 and "KB008" in result.stderr and "No space" in result.stderr


# People


def person(run: Program, *lines: str, bots: str = "human,random") -> str:
    result = run(
        "play", "--seed", "7", "--bots", bots, "--log", "g", "--force",
        typed="".join(line + "\n" for line in lines),
    )  # fmt: skip
    assert result.exit_code == 0 and result.stderr == ""
    return result.stdout


FIRST = r"  1 mandatory: build on one of (\w+) (\w+)"


def test_a_person_is_shown_the_board_and_numbered_offers(run: Program) -> None:
    out = person(run, "quit")
    assert re.search(FIRST, out)
    assert "a decides, card desert" in out
    assert len(re.findall(r"^[ \d]\d ", out, re.MULTILINE)) == BOARD_ROWS
    assert "the unfinished log is in g" in out


@pytest.mark.parametrize(
    "typed", ["{0}", "1 {0}", "1: {0}", "build {0}", " {0} ", "mandatory: build {0}", "{1}"]
)
def test_a_move_can_be_typed_in_many_ways(run: Program, typed: str) -> None:
    found = re.search(FIRST, person(run, "quit"))
    assert found
    hex = found[2] if "1}" in typed else found[1]
    person(run, typed.format(found[1], found[2]), "quit")
    built = [move for move in moves_in(run.folder / "g") if "build" in move]
    assert built[0] == f"mandatory: build {hex}"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("99", "there is no offer 99; they are 1 to 1"),
        ("0", "there is no offer 0"),
        ("1", "offer 1 needs a hex"),
        ("1 zz9", "is off the board"),
        ("", "type a hex or the number"),
        ("a1 a2", "names two hexes"),
        ("\x1b[2J", r"\x1b[2j"),
        ("why b99", "`b99` is off the board"),
        ("why", "no move was refused"),
        ("why blu", "did you mean `blue`?"),
        ("foo", "write `rule: verb hex`, such as `build d7` (`?` helps)"),
        ("mandatory: buld a1", "there is no verb `buld`; did you mean `build`? (`?` helps)"),
        ("mandatry: build a1", "there is no rule `mandatry`; did you mean `mandatory`?"),
        ("MANDATORY: BUILD zz9", "`zz9` is off the board"),
        ("build " + "a" * 9000, "`aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...` is no hex"),
        ("1 " + "a" * 9000, "`aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...` is not the name of a hex"),
        ("end", "it is required before the turn ends"),
        ("?", "Type what you decide"),
        ("undo", "there is no earlier decision"),
        ("score", "total"),
        ("offers", "mandatory: build"),
    ],
)
def test_whatever_else_is_typed_gets_an_answer_and_changes_nothing(
    run: Program, typed: str, said: str
) -> None:
    before = person(run, "quit")
    log = run.file("g")
    out = person(run, typed, "quit")
    assert out.count(said) > before.count(said)
    assert "\x1b" not in out
    assert run.file("g") == log


def test_a_refusal_names_the_clause_its_place_and_hexes_nearby(run: Program) -> None:
    taken = re.search(FIRST, person(run, "quit"))
    assert taken
    out = person(run, taken[1], f"1 {taken[1]}", "quit")
    assert f"`mandatory: build {taken[1]}` is not legal" in out
    assert re.search(r"occupied: build is forbidden on .* \(.*placement\.kb:\d+\)", out)
    assert re.search(r"the nearest legal hex(es)? (is|are) \w+", out)


def test_why_tells_all_of_the_refusal_before_it(run: Program) -> None:
    taken = re.search(FIRST, person(run, "quit"))
    assert taken
    out = person(run, taken[1], f"1 {taken[1]}", "why", "quit")
    assert "`why` shows all of it" in out
    assert "x forbid of occupied (forbidden)" in out and "occupied   in, " in out
    log = run.file("g")
    again = person(run, taken[1], f"why not build {taken[1]}", "why a", "why \x1b[2J", "quit")
    assert "x forbid of occupied (forbidden)" in again and "a (red) has " in again
    assert r"\x1b" in again and "\x1b" not in again
    assert run.file("g") == log


def test_undo_takes_back_the_decision_the_log_and_the_draws(run: Program) -> None:
    found = re.search(FIRST, person(run, "quit"))
    assert found
    one, other = found[1], found[2]
    person(run, other, "quit")
    expected = run.file("g")
    out = person(run, one, "undo", other, "quit")
    assert run.file("g") == expected
    assert out.count("a decides") == 4


def test_undo_reaches_over_the_turns_of_others(run: Program) -> None:
    """Play on until the second turn, take one decision back, and repeat it."""
    once = person(run, "1", *MIDDLE, "quit")
    assert "round  1  b" in once
    log = run.file("g")
    last = moves_in(run.folder / "g")
    hexes = [move.split()[-1] for move in last if move.startswith("mandatory: build")][:3]
    again = person(run, *hexes, "undo", hexes[2], "quit")
    assert run.file("g") == log
    first, second = re.findall(r"round  1  a .*", again)
    assert first == second == "round  1  a  desert: mandatory build e19 f19 g19; a takes Barn"


MIDDLE = ("e19", "f19", "g19")  # of a wide desert: each leaves a choice


def test_legal_hexes_are_marked_on_the_board(run: Program) -> None:
    out = person(run, "quit")
    offered = re.search(r"  1 mandatory: build on one of ((?:\s*[a-t]\d+)+)", out)
    assert offered and "+ legal now" in out
    row = re.search(r"^19 (.*)$", out, re.MULTILINE)
    assert row and len(row[1].split()) == BOARD_ROWS
    marked = {
        f"{'abcdefghijklmnopqrst'[at]}19" for at, cell in enumerate(row[1].split()) if "+" in cell
    }
    assert marked == {hex for hex in offered[1].split() if hex.endswith("19")} and marked
    assert sum(line.count("+") for line in out.split("+ legal")[0].splitlines()[6:]) == len(
        offered[1].split()
    )


def test_the_board_is_shown_after_ones_own_build(run: Program) -> None:
    boards = person(run, "e19", "offers", "quit").split("\n19 ")[1:]
    assert len(boards) == 2 and "Da" not in boards[0] and " Da" in boards[1].split("\n")[0]
    turn = person(run, *MIDDLE, "quit").split("round  1  a")[0].split("\n19 ")
    assert len(turn) == 1 + 4
    assert turn[-1].split("\n")[0].count("Da") == 3 and "legal now" not in turn[-1]


def test_an_only_choice_is_made_and_told_and_undone(run: Program) -> None:
    out = person(run, "l1", "undo", "quit")
    assert "a: mandatory: build m1, the only choice" in out
    assert moves_in(run.folder / "g") == ["draw desert"] or "build" not in run.file("g")
    assert out.count("a decides, card desert") == 2


def test_a_hint_says_what_a_bot_would_do_and_changes_nothing(run: Program) -> None:
    person(run, "e19", "quit")
    log = run.file("g")
    out = person(run, "e19", "hint", "hint careful", "hint gredy", "quit")
    assert run.file("g") == log
    assert re.search(r"greedy would do `mandatory: build \w+`\. How it decides: ", out)
    assert re.search(r"  a has (\d+) gold then, now (\d+): ", out)
    assert re.search(r"  of \d+ legal moves \d+ pay less at once, and 0 more", out)
    assert "careful would do `mandatory: build " in out
    assert "there is no bot `gredy`; did you mean `greedy`?" in out


def test_the_end_of_what_is_typed_is_the_end_of_the_game(run: Program) -> None:
    out = person(run)
    assert "the unfinished log is in g" in out
    log, found = read_log(run.folder / "g")
    assert log is not None and [finding.code for finding in found] == ["KB510"]
    assert replay(base(), log).findings == ()


def test_an_interrupt_ends_at_once_and_keeps_the_log(
    run: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", interrupt)
    result = run("play", "--seed", "7", "--bots", "human", "--log", "g")
    assert result.exit_code == 130 and "interrupted" in result.stderr
    assert len(run.file("g").splitlines()) >= 3


def test_a_person_can_play_to_the_end(run: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """One who takes the last hex of the first offer, whatever it is."""
    shown: list[str] = []

    def offers(moves: MoveSet, board: Board) -> str:
        group = moves.groups[0]
        shown.append(f"1 {board.names(group.hexes)[-1]}" if group.hexes else "1")
        return ""

    monkeypatch.setattr("cli.session.offers_text", offers)
    monkeypatch.setattr("cli.terminal.Painter.say", lambda *_: None)
    monkeypatch.setattr(builtins, "input", lambda _: shown[-1])
    assert run("play", "--seed", "7", "--bots", "human,greedy").exit_code == 0
    log, found = read_log(run.folder / "game.kblog")
    assert log is not None and found == []
    result = replay(base(), log)
    assert result.findings == () and result.states[-1].is_over


def test_what_lies_on_the_table_says_its_rules(run: Program) -> None:
    words = ("play", "--seed", "3", "--no-log", "--bots", "human,random")
    said = run(*words, typed="rules\nquit\n").stdout
    ruleset = base()
    rules = [rule for id in choose_table(ruleset, 2, 3).cards if (rule := ruleset.rule(id))]
    assert rules and all(" ".join(rule.wording.split()) in " ".join(said.split()) for rule in rules)


# Colours


def test_colours_only_where_they_are_wanted(run: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("play", "--seed", "7", "--bots", "random", "--no-log")
    plain = run(*words).stdout
    assert "\x1b" not in plain
    monkeypatch.setenv("FORCE_COLOR", "1")
    painted = run(*words).stdout
    for kind in base().catalog.hexes[:2]:
        red, green, blue = bytes.fromhex(kind.colour[1:])
        assert f"\x1b[38;2;{red};{green};{blue}m{kind.letter}" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain
    assert "\x1b" not in run(*words, "--no-color").stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run(*words).stdout


def test_help_teaches_by_example(run: Program) -> None:
    out = run("play", "--help").stdout
    for example in ("--players 4 --seed 7", "--bots human,human,random", "--with all"):
        assert f"kbrules play {example}" in " ".join(out.split())
