"""Hostile links, logs, names, rules and settings are refused early and harm no output."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

import kbrules
from cli.app import app
from kbrules.engine.configuration import Transition
from kbrules.engine.game import Game
from kbrules.engine.logs import writing as files
from kbrules.engine.logs.replay import replay
from kbrules.engine.scoring import Scoring
from kbrules.game.board import MAX_SIDE
from kbrules.game.events import Event
from kbrules.game.moves import Move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.game.view import MoveContext
from kbrules.lang.checker.rules import MAX_STATEMENTS
from kbrules.lang.checker.statements import MAX_BRANCHES, MAX_NESTED_ROUNDS
from kbrules.lang.evaluation import WORK
from kbrules.lang.typed import Rule
from kbrules.library.box import usual_boxes
from kbrules.library.compose import MAX_NORMS
from kbrules.project.project import Project
from kbrules.text import Source
from kbrules.tools import bots as montecarlo
from kbrules.tools.bots import bot_named
from kbrules.tools.check import checked
from kbrules.tools.lint import run as lint_run
from kbrules.tools.lint.run import Settings, settings_of, suppressions_of
from kbrules.tools.lint.sampler import MAX_EVENTS, MAX_MOVES, max_work_of
from kbrules.tools.new import new_expansion
from tests.engine.games import base
from tests.engine.test_replay import LOG, changed, played_again, read
from tests.lang.told import of_checking
from tests.tools.lint.written import warned

Plant = Callable[[Path], object]
CASES: dict[str, tuple[Plant, str]] = {
    "a ring of folders": (lambda home: (home / "self").symlink_to("."), ""),
    "a way up": (lambda home: (home / "rules" / "up").symlink_to("../.."), "KB005"),
    "the whole machine": (lambda home: (home / "rules" / "all").symlink_to("/"), "KB005"),
    "processes": (lambda home: (home / "scenarios" / "proc").symlink_to("/proc"), "KB005"),
    "a file elsewhere": (lambda home: (home / "rules" / "a.kb").symlink_to("/etc/passwd"), "KB005"),
    "a ring of files": (lambda home: _ring(home / "rules" / "a.kb", home / "rules" / "b.kb"), "KB"),
    "a link to itself": (lambda home: _ring(home / "rules" / "a.kb"), "KB"),
    "data elsewhere": (lambda home: _elsewhere(home / "expansion.yaml"), "KB005"),
}  # fmt: skip


def _ring(*files: Path) -> None:
    for file, other in zip(files, (*files[1:], files[0]), strict=True):
        file.symlink_to(other.name)


def _elsewhere(path: Path) -> None:
    path.unlink()
    path.symlink_to("/proc/cpuinfo")


@pytest.mark.parametrize("words", [["check", "--samples", "0"], ["test", "--jobs", "1"]])
def test_a_linked_folder_is_told_in_any_folder(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").mkdir()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "one.kb").write_text('define shore "Shore.": adjacent(water)\n')
    (tmp_path / "mine" / "linked").symlink_to("../other")
    result = CliRunner().invoke(app, [*words, "mine"])
    assert result.exit_code == 2 and result.output.count("error[KB005]") == 1
    assert "`mine/linked` lies outside of the folder `mine`" in result.output


@pytest.mark.parametrize("case", CASES)
def test_a_link_is_not_followed_outside(case: str, tmp_path: Path) -> None:
    plant, code = CASES[case]
    home = tmp_path / "orchid"
    new_expansion("orchid", tmp_path)
    plant(home)
    for words in (["check", "--samples", "0"], ["fmt", "--check"], ["test", "--jobs", "1"]):
        result = CliRunner().invoke(app, [*words, str(home)])
        assert isinstance(result.exception, SystemExit | None)
        assert "root:x" not in result.output and result.output.count("[KB005]") <= 2
        if words[0] == "check":
            assert f"error[{code}" in result.output if code else result.exit_code == 0


SECTION = json.loads(LOG.lines[0])["layout"].split("/")[0].split()[0]
ROW = " ".join([SECTION] * 100)
Change = Callable[[dict[str, Any]], Any]

LOG_CASES: dict[str, tuple[int, Change, str, str]] = {
    "a square table": (
        0, lambda line: line.update(layout="/".join([ROW] * 50)), "KB510",
        "a table has at most 4 x 4 sections, not 50 x 100",
    ),
    "a row of sections": (
        0, lambda line: line.update(layout=" ".join([ROW] * 60)), "KB510",
        "a table has at most 4 x 4 sections, not 1 x 6000",
    ),
    "a line without end": (
        1, lambda line: line.update(move="a" * 1_000_000), "KB510",
        "`move` must be a text of at most 500 characters",
    ),
    "a line of five million letters": (
        1, lambda line: line.update(move="a" * 5_000_000), "KB510",
        "line 2 is longer than 4194304 letters",
    ),
    "a move without end": (
        1, lambda line: line.update(move="build a1 " * 6000), "KB510",
        "`move` must be a text of at most 500 characters",
    ),
    "a move of many words": (
        1, lambda line: line.update(move="build a1 " * 50), "KB501",
        "move 1 cannot be read: a move has at most 20 words, not 100",
    ),
    "a list of cards": (
        0, lambda line: line.update(cards=["c"] * 5000), "KB510",
        "`cards` must be a list of at most 200 texts",
    ),
    "a list of boxes": (
        0, lambda line: line.update(boxes=["b"] * 5000), "KB510",
        "`boxes` must be a list of at most 200 texts",
    ),
    "many options": (
        0, lambda line: line.update(options={f"o{n}": True for n in range(3000)}), "KB510",
        "`options` must be at most 200 names with true, false or a number",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", LOG_CASES)
def test_a_log_that_is_too_large_is_refused_at_once(case: str) -> None:
    line, change, code, message = LOG_CASES[case]
    first = played_again(changed(line, change))[1][0]
    assert first.code == code and message in first.message


@pytest.mark.parametrize(("limit", "most"), [("MAX_LENGTH", 40), ("MAX_BYTES", 100)])
def test_a_log_that_could_not_be_read_again_is_not_written(
    limit: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, limit, most)
    path = tmp_path / "game.kblog"
    with pytest.raises(OSError, match="could not be replayed"):
        files.write_log(path, LOG.lines)
    assert not path.exists()
    with files.LogFile(path) as log:
        log.write("a\n")
        with pytest.raises(OSError, match="could not be replayed"):
            log.write("a" * 101)
    assert path.read_text(encoding="utf-8") == "a\n"


def test_the_largest_table_is_only_another_table() -> None:
    row = " ".join([SECTION] * MAX_SIDE)
    log, _ = read(changed(0, lambda line: line.update(layout="/".join([row] * MAX_SIDE))))
    assert log is not None
    found = replay(base(), log).findings
    assert [each.code for each in found] == ["KB511"] and "sections" not in found[0].message


def test_rules_of_many_boxes_are_not_listed_without_end() -> None:
    names = [f"box{n}" for n in range(150)]
    log, _ = read(changed(0, lambda line: line.update(boxes=names, rules="0" * 32)))
    assert log is not None
    (found,) = replay(base(), log).findings
    assert "138 more" in found.help and len(found.help) < 400


NAMES = {
    "a command of a CI": "x\n::error file=a.py::stolen",
    "a line taken back": "x\r::error::stolen",
    "a script's end": "x</script><script>alert(1)<\\script>",
    "a style's end": "x</style><style>*{}",
    "a text that turns": "x\u202egnp.exe\u2066",
    "a terminal's command": "x\x1b]0;stolen\x07",
    "lines of other kinds": "x\u2028y\u2029z\x85w\x0bv\x0cu",
    "an end of CDATA": "x]]>&lt;!--",
    "quotes": "x'\"`|[y](javascript:alert(1))",
}
TITLES = [name for name in NAMES if name != "quotes"]  # which no text of a rule can have
PLAY = ["play", "--bots", "random", "--seed", "7", "--card", "orchid_keeper", "--log", "LOG"]
COMMANDS = [
    ["check", "--samples", "0"],
    ["check", "--samples", "0", "--output-format", "concise"],
    ["check", "--samples", "0", "--output-format", "github"],
    ["test", "--jobs", "1"],
    ["test", "--jobs", "1", "--output-format", "concise"],
    ["test", "--jobs", "1", "--output-format", "github"],
    ["test", "--jobs", "1", "--output-format", "junit"],
    ["fmt", "--check"],
    ["cards", "--with"],
    ["show", "card", "orchid_keeper", "--with"],
    ["show", "location", "orchid", "--with"],
    [*PLAY, "--force", "--with"],
]  # fmt: skip
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def run(*words: object) -> Result:
    result = CliRunner().invoke(app, [*map(str, words)])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def planted(folder: Path, title: str) -> Path:
    """An expansion with this title wherever one stands, and with tests that fail."""
    home = folder / "orchid"
    new_expansion("orchid", folder)
    value = json.dumps(title)
    for path, *pairs in (
        (
            "expansion.yaml",
            ("title: Orchid}", f"title: {value}}}"),
            ("title: Orchid\n", f"title: {value}\n"),
        ),
        ("scenarios/first.scenario.yaml", ("A pair makes room for a third piece", value)),
        ("rules/orchid.kb", ("gives 3", "gives 4")),
    ):
        text = (home / path).read_text(encoding="utf-8")
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new)
        (home / path).write_text(text, encoding="utf-8")
    return home


def is_harmless(words: list[str], text: str) -> None:
    lines = text.split("\n")
    assert not RAW.search(text.replace("\n", "")), words
    assert not any("stolen" in line and line.startswith("::error::") for line in lines)
    assert not any(line.startswith("::error file=a.py") for line in lines)
    if "junit" in words and text.startswith("<?xml"):
        ElementTree.fromstring(text[: text.rindex(">") + 1])


@pytest.mark.parametrize("name", NAMES)
def test_no_title_upsets_an_output(name: str, tmp_path: Path) -> None:
    home = planted(tmp_path, NAMES[name])
    for words in COMMANDS:
        told = [word.replace("LOG", str(tmp_path / "game.kblog")) for word in words]
        is_harmless(words, run(*told, home).output)
    if (tmp_path / "game.kblog").exists():
        is_harmless(["replay"], run("replay", tmp_path / "game.kblog", "--with", home).output)


@pytest.mark.parametrize("name", NAMES)
def test_no_name_of_a_folder_upsets_an_output(name: str, tmp_path: Path) -> None:
    home = planted(tmp_path, "Orchid")
    told = NAMES[name].replace("/", "\u2215")
    home = home.rename(tmp_path / told)
    log = tmp_path / f"{told}.kblog"
    (home / "rules" / "orchid.kb").rename(home / "rules" / f"{told}.kb")
    for words in COMMANDS:
        is_harmless(words, run(*(str(log) if w == "LOG" else w for w in words), home).output)
    is_harmless(["replay"], run("replay", log, "--with", home).output)
    log.write_text(log.read_text(encoding="utf-8")[:300], encoding="utf-8")
    is_harmless(["replay"], run("replay", log, "--with", home).output)


def ends(folder: Path, tag: str) -> set[int]:
    """How many more ends than beginnings of an element the pages and scripts have."""
    paths = [*folder.rglob("*.html"), *folder.rglob("*.js")]
    texts = [path.read_text(encoding="utf-8").lower() for path in paths]
    return {text.count(f"</{tag}") - text.count(f"<{tag}") for text in texts}


def test_no_title_ends_an_element_of_a_page(tmp_path: Path) -> None:
    title = NAMES["a script's end"] + NAMES["a style's end"]
    home = planted(tmp_path, title)
    result = run("docs", home, "--output", tmp_path / "site")
    assert result.exit_code == 0, result.output
    index = (tmp_path / "site" / "index.js").read_text(encoding="utf-8")
    assert "alert(1)" in index and "<" not in index
    shutil.rmtree(tmp_path / "site" / "vendor")
    assert ends(tmp_path / "site", "script") == ends(tmp_path / "site", "style") == {0}


@pytest.mark.parametrize("norm", ["forbid build on board", "deny build on board"])
def test_one_game_without_an_end_is_enough(
    norm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, play = [0], Game.play

    def counted(game: Game, state: State, move: Move) -> Transition:
        made[0] += 1
        return play(game, state, move)

    monkeypatch.setattr(Game, "play", counted)
    path = tmp_path / "x.kb"
    path.write_text(f'rule still "Still":\n    "Nobody builds."\n    {norm}\n', encoding="utf-8")
    (found,) = warned(path, ["KB752"])
    assert f"did not end in {MAX_MOVES} moves" in found.message
    assert "no further positions were looked at" in found.message
    assert MAX_MOVES <= made[0] <= 3 * MAX_MOVES


LOOP = "    when build:\n        repeat 400 times: gain 1\n"
NESTED = "    when build:\n        repeat 400 times:\n            repeat 20 times: gain 1\n"
MANY = "    when build: gain 1\n" * (MAX_STATEMENTS - 1)


@pytest.mark.parametrize("body", [LOOP, NESTED, MANY], ids=["loop", "nested", "many"])
def test_games_in_which_too_much_happens_end_the_sampling(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, emit = [0], MoveContext.emit

    def counted(context: MoveContext, event: Event) -> None:
        made[0] += 1
        emit(context, event)

    monkeypatch.setattr(MoveContext, "emit", counted)
    path = tmp_path / "x.kb"
    path.write_text(f'rule busy "Busy":\n    "Much happens."\n{body}', encoding="utf-8")
    (found,) = warned(path, ["KB757"])
    assert f"then stopped: games took over {MAX_EVENTS} steps" in found.message
    assert MAX_EVENTS < made[0] < 3 * MAX_EVENTS


@pytest.mark.parametrize(("times", "codes"), [(100, []), (101, ["KB303"])])
def test_loops_in_one_another_have_a_limit(times: int, codes: list[str]) -> None:
    assert MAX_NESTED_ROUNDS == 400 * 100
    text = f"    when build:\n        repeat 400 times:\n            repeat {times} times: gain 1\n"
    found = of_checking(f'rule busy "Busy":\n    "Much happens."\n{text}')
    assert [finding.code for finding in found] == codes


@pytest.mark.parametrize(("more", "codes"), [(0, []), (1, ["KB303"]), (200, ["KB303"])])
def test_there_is_a_limit_to_what_is_chosen_from(more: int, codes: list[str]) -> None:
    head = 'rule busy "Busy":\n    "Much to choose."\n    action:\n'
    blocks = ["either", *["or"] * (MAX_BRANCHES + more - 1)]
    body = "".join(f"        {word}:\n            build 1 on mine\n" for word in blocks)
    assert [finding.code for finding in of_checking(head + body)] == codes


@pytest.mark.parametrize(("more", "codes"), [(0, []), (1, ["KB303"]), (1700, ["KB303"])])
def test_a_rule_has_a_limit(more: int, codes: list[str]) -> None:
    body = "    gold count(mine)\n" * (MAX_STATEMENTS - 1 + more)
    found = of_checking(f'rule crowd "Crowd":\n    "Much gold."\n{body}')
    assert [finding.code for finding in found] == codes


@pytest.mark.parametrize(("more", "codes"), [(0, []), (1, ["KB303"]), (90, ["KB303"])])
def test_all_norms_together_have_a_limit(more: int, codes: list[str], tmp_path: Path) -> None:
    path = tmp_path / "x.kb"
    left = MAX_NORMS - sum(len(rule.norms) for rule in kbrules.load(*usual_boxes()).rules)
    norms = ["    forbid build on water\n"] * (left + more)
    bodies = norms[:80], norms[80:]
    rules = [f'rule r{n} "R":\n    "R."\n{"".join(body)}' for n, body in enumerate(bodies)]
    path.write_text("".join(rules), encoding="utf-8")
    assert [finding.code for finding in checked(Project([path])).findings] == codes


def test_of_many_awards_only_some_positions_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, line = [0], Scoring.line

    def counted(self: Scoring, rule: Rule, *rest: Any) -> Any:
        asked[0] += len(rule.awards)
        return line(self, rule, *rest)

    monkeypatch.setattr(Scoring, "line", counted)
    path = tmp_path / "x.kb"
    body = "    gold most(count(mine & row) for row in rows)\n" * (MAX_STATEMENTS - 1)
    rules = [f'rule r{number} "R":\n    "R."\n{body}' for number in range(4)]
    path.write_text("".join(rules), encoding="utf-8")
    warned(path, ["KB745"])
    assert 20 * 4 * MAX_STATEMENTS < asked[0] < 100 * 4 * MAX_STATEMENTS  # then work is spent


def test_many_comments_are_read_line_by_line_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, says = [0], lint_run._is_code_line

    def counted(source: Source, line: int) -> bool:
        asked[0] += 1
        return says(source, line)

    monkeypatch.setattr(lint_run, "_is_code_line", counted)
    comment = "# kb: ignore[KB703] so\n"
    text = comment * 3000 + 'rule x "X":\n    "x"\n' + comment * 3000 + "\n" + comment
    found = suppressions_of(Source("x.kb", text))
    assert [found[0].lines, found[-1].lines] == [range(3001, len(text.split("\n")) + 1), range(0)]
    assert asked[0] < 20_000


HEAVY = "sum(sum(count(groups(board - mine - row - line)) for row in rows) for line in diagonals)"
WORDY = [
    "    gold sum(longest_way(mine - row) for row in rows)\n" * (MAX_STATEMENTS - 1),
    f"    gold {HEAVY}\n" * 60,
    f"    forbid build on edge if {HEAVY} > 99999\n" * 30,
    f"    when build: gain {HEAVY}\n",
    f"    increase builds by (1 if {HEAVY} > 99999)\n",
]  # fmt: skip


@pytest.mark.parametrize("body", WORDY, ids=["ways", "pay", "norm", "trigger", "quantity"])
def test_what_words_work_out_ends_the_sampling(body: str, tmp_path: Path) -> None:
    path, before = tmp_path / "x.kb", WORK.total
    path.write_text(f'rule busy "Busy":\n    "Much is asked."\n{body}', encoding="utf-8")
    found = warned(path, ["KB757"])
    assert f"then stopped: the words of rules took over {max_work_of(1)} steps" in found[-1].message
    assert max_work_of(1) < WORK.total - before < 1.1 * max_work_of(1)


@pytest.mark.parametrize("bot", ["greedy", "careful", "mc:10", "uct:10"])
def test_bots_end_their_turn_after_a_budget_of_work(bot: str) -> None:
    text = f'rule busy "Busy":\n    "Much is asked."\n{"".join(WORDY[1:])}'
    game = kbrules.new_game(kbrules.load("base", texts=[Source("x.kb", text)]), 2, 1)
    state = game.start()
    while (moves := game.legal_moves(state)).player < 0:
        state = game.apply(state, moves.sample(Random(1, "deck")))
    before = WORK.steps
    assert bot_named(bot)(game, state, moves, Random(1, "bot")) in moves
    assert WORK.steps - before < 1.1 * 10 * montecarlo.MAX_PLAYOUT_WORK


SETTINGS_CASES = {
    "lists": ("a = " + "[" * 900 + "]" * 900, "nested more than 20 deep"),
    "tables": ("a = " + "{a=" * 900 + "1" + "}" * 900, "nested more than 20 deep"),
    "lists over lines": ("a = " + "[\n" * 9000 + "]\n" * 9000, "nested more than 20 deep"),
    "parts of a key": (".".join("a" * 1900) + " = 1", "a key has at most 20 parts"),
    "quoted parts": (".".join(["'a b'", '"c"'] * 200) + " = 1", "a key has at most 20 parts"),
    "parts in a table": ("x = {" + " . ".join("a" * 900) + " = 1}", "a key has at most 20 parts"),
    "a long line": (".".join("a" * 60_000) + " = 1", "is longer than 4000 characters"),
    "a great number": ("samples = " + "9" * 3990, "a number from 0 to"),
}


@pytest.mark.parametrize("case", SETTINGS_CASES)
@pytest.mark.parametrize("name", ["kbrules.toml", "pyproject.toml"])
def test_settings_beyond_a_limit_are_told(
    case: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, message = SETTINGS_CASES[case]
    head = "[tool.kbrules]\n" if name == "pyproject.toml" else ""
    (tmp_path / name).write_text(head + text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    _, (found,) = settings_of(tmp_path)
    assert found.code == "KB729"
    assert message in found.message


def test_brackets_and_dots_in_texts_are_no_depth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ['"""' + "[" * 50 + '"""', "'" + "{" * 50 + "'", '"\\"' + "[" * 50 + '"']
    lines = [f"a{n} = {text} # " + "[" * 50 for n, text in enumerate(texts)]
    versions = "b = [" + ", ".join(f'"{n}.{n}.{n}"' for n in range(50)) + "]"
    text = "\n".join(["[tool.other]", *lines, versions, "[tool.kbrules]", "samples = 7"])
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert settings_of(tmp_path) == (Settings(samples=7), [])
