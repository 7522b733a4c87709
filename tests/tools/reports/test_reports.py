"""Reports of checks and tests in every form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st
from typer.testing import CliRunner, Result

import kbrules.tools.testing as runner
from cli.app import app
from cli.output import FindingForm, PageForm, ReportForm
from kbrules.scenario.running import Result as CaseResult, run_all
from kbrules.tools.check import CheckResult
from kbrules.tools.reports.charts import Chart, ChartLine, ChartMark
from kbrules.tools.reports.checked import check_report, exit_code, test_report as report_of_tests
from kbrules.tools.reports.page import as_page, as_picture
from kbrules.tools.reports.report import (
    Block,
    Board,
    Figure,
    Findings,
    Form,
    Lines,
    Notes,
    Report,
    ReportTable,
    Sentences,
    Style,
    as_json,
    as_text,
    forms_of,
    render,
)
from tests.collecting import collect
from tests.scenario.test_report import BAD, FILE
from tests.scenario.texts import READ
from tests.tools.reports.findings import HOSTILE, findings, hostile, warning
from tests.tools.reports.test_sarif import VALIDATOR

TABLE = ReportTable(("", "gold"), (("mill", "7"), ("coin", "12")), frozenset({1}))
CHART = Chart("gold", (ChartLine("mill", "Mill", (ChartMark(7, 5, 9, "Mill: 7"),)),))
BLOCKS: list[Block] = [
    Sentences(("It pays 7 gold.", "word " * 30)),
    Lines(("x not here", "+ here"), (Style.bad, Style.good)),
    Figure("Gold", CHART, TABLE, (TABLE,), ("of one game",)),
    Findings(("a.kb:1:2: error[KB030]: it\n    1 | gold 1\n      |      ^\n   help: no",), "two"),
    Notes(("again: kbrules",)),
]
REPORT = Report("Mill", BLOCKS, {"format": 1, "title": "Mühle"}, ["one"], "sum")


class Reader(HTMLParser):
    """The texts of a page, and the names of its elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.elements: list[str] = []
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.elements.append(tag)


def test_the_text_has_every_block_with_an_empty_line_between_two() -> None:
    sentences, lines, table, title, finding, notes = as_text(REPORT).split("\n\n")
    first, *rest = sentences.splitlines()
    assert first == "It pays 7 gold." and max(map(len, rest)) <= 88
    assert rest[1].startswith("  word")
    assert lines.splitlines() == ["x not here", "+ here"]
    assert table.splitlines() == ["      gold", "mill     7", "coin    12"]
    assert title == "two" and finding == BLOCKS[3].texts[0]  # type: ignore[union-attr]
    assert notes == "again: kbrules"


def test_colours_change_nothing_but_the_colours() -> None:
    shown = as_text(REPORT, colour=True)
    plain = re.sub(r"\x1b\[[\d;]*m", "", shown)
    assert [line.rstrip() for line in plain.splitlines()] == as_text(REPORT).splitlines()
    for text in ("\x1b[31mx not here", "\x1b[32m+ here", "\x1b[36m   help:", "\x1b[1mcoin"):
        assert text in shown


def test_the_page_has_every_block() -> None:
    read = Reader(as_page(REPORT))
    text = " ".join(" ".join(read.texts).split())
    for each in ("It pays 7 gold.", "x not here", "Gold", "of one game", "KB030", "again: kbrules"):
        assert each in text
    assert read.elements.count("table") == 1 and read.elements.count("svg") == 2
    assert read.elements.count("tr") == 3 and read.elements.count("h1") == 1


def test_a_board_is_drawn_on_a_page_and_letters_in_a_terminal() -> None:
    board = Board(("1 Ga",), lambda: '<svg><path d="M0 0"/></svg>')
    report = replace(REPORT, blocks=[*BLOCKS, board])
    assert as_text(report).endswith("\n\n1 Ga")
    page = as_page(report)
    assert '<div class="board"><svg><path d="M0 0"/></svg></div>' in page and "1 Ga" not in page
    assert as_picture(report) == board.draw()
    assert as_picture(REPORT).startswith("<svg") and 'aria-label="Mill"' in as_picture(REPORT)
    assert "again: kbrules" in as_picture(REPORT)


def test_the_data_is_ascii() -> None:
    text = as_json(REPORT)
    assert text.isascii() and json.loads(text) == REPORT.data


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), min_size=1))
def test_no_text_is_read_as_markup(text: str) -> None:
    elements = Reader(as_page(Report(text, _with(text), {}))).elements
    assert elements == Reader(as_page(Report("a", _with("a"), {}))).elements
    assert text.strip() in as_text(Report(text, [Lines((text,))], {}))


def _with(text: str) -> list[Block]:
    return [
        Sentences((text,)), Lines((text,)), Notes((text,)), Findings((text,), text),
        ReportTable((text,), ((text,),)),
    ]  # fmt: skip


CHECK_REPORT = CheckResult(
    ("dale/rules/rowers.kb", "dale/fine.kb"), tuple(findings()[:3]), (findings()[3],)
)
HOSTILE_REPORT = CheckResult((HOSTILE,), tuple(hostile()))


def checked(result: CheckResult, form: str, code: int = 1) -> str:
    return render(check_report(result, code), Form(form))


def test_every_form_of_the_command_line_is_there() -> None:
    for report in (check_report(CHECK_REPORT, 1), report_of_tests([], [])):
        assert forms_of(report) == tuple(Form) == get_args(FindingForm)
    assert forms_of(REPORT) == get_args(ReportForm)
    assert {*get_args(PageForm)} < {*Form}


@pytest.mark.parametrize("form", Form)
def test_every_form_tells_every_finding(form: str) -> None:
    text = checked(CHECK_REPORT, form, 2)
    for finding in CHECK_REPORT.all:
        assert finding.code in text and finding.message in text


def test_lines_are_objects_and_the_last_one_sums_up() -> None:
    lines = [json.loads(line) for line in checked(CHECK_REPORT, "jsonl", 2).split("\n")]
    assert [each.pop("kind") for each in lines] == ["finding"] * 4 + ["summary"]
    assert lines[:4] == json.loads(checked(CHECK_REPORT, "json", 2))["findings"]
    assert lines[4] == {"files": 2, "findings": 4, "exit_code": 2}
    assert json.loads(checked(CheckResult(("a.kb",), ()), "jsonl", 0))["exit_code"] == 0


def test_junit_has_one_case_for_each_file() -> None:
    (suite,) = ElementTree.fromstring(checked(CHECK_REPORT, "junit", 2))
    cases = {case.get("file"): case for case in suite}
    assert list(cases) == ["dale/fine.kb", "dale/rules/rowers.kb", "no such.kb"]
    assert [[told.tag for told in case] for case in suite] == [[], ["failure"], ["error"]]
    failure = cases["dale/rules/rowers.kb"].find("failure")
    assert failure is not None and failure.get("type") == "KB201 KB202"
    assert (failure.text or "").count("error[KB") == 3
    counts = {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "3", "failures": "1", "errors": "1", "skipped": "0"}


@pytest.mark.parametrize(("code", "fails"), [(1, True), (0, False)])
def test_junit_fails_by_warnings_where_the_command_does(code: int, fails: bool) -> None:
    (suite,) = ElementTree.fromstring(checked(CheckResult((), (warning(),)), "junit", code))
    (case,) = suite
    assert [told.tag for told in case] == ["failure" if fails else "system-out"]
    assert "warning[KB703]" in (case[0].text or "")


def test_other_readers_of_junit_understand_it(tmp_path: Path) -> None:
    reader = pytest.importorskip("junitparser")
    for report in (CHECK_REPORT, HOSTILE_REPORT, CheckResult((), ())):
        file = tmp_path / "report.xml"
        file.write_text(checked(report, "junit"), encoding="ascii")
        (suite,) = reader.JUnitXml.fromfile(str(file))
        failed = [case for case in suite if not case.is_passed]
        assert len(failed) == len({each.span.source.name for each in report.all})
        assert suite.failures + suite.errors == len(failed)


@pytest.mark.parametrize("form", Form)
def test_hostile_names_and_messages_are_harmless(form: str) -> None:
    text = checked(HOSTILE_REPORT, form)
    assert all(character == "\n" or character.isprintable() for character in text)
    if form == "junit":
        ElementTree.fromstring(text)
    if form == "github":
        lines = text.split("\n")
        assert len(lines) == len(HOSTILE_REPORT.all)
        assert all(line.startswith(("::error file=", "::warning file=")) for line in lines)
    if form == "jsonl":
        assert len(text.split("\n")) == len(HOSTILE_REPORT.all) + 1


# The command


@pytest.fixture
def wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "wrong.kb"
    file.write_text('define near "Near.": adjcent(mine)\n', encoding="utf-8")
    return file


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


@pytest.mark.parametrize("form", [form.value for form in Form if not form.is_for_people])
def test_standard_output_carries_nothing_but_the_report(wrong: Path, form: str) -> None:
    printed = run("check", "wrong.kb", "--output-format", form)
    assert (printed.exit_code, printed.stderr) == (1, "1 finding in 1 file\n")
    filed = run("check", "wrong.kb", "--output-format", form, "--output-file", "report")
    assert (filed.exit_code, filed.stdout, filed.stderr) == (1, "", "1 finding in 1 file\n")
    assert Path("report").read_text(encoding="utf-8") == printed.stdout
    assert "KB201" in printed.stdout


def test_a_report_is_written_as_a_whole_or_not_at_all(wrong: Path) -> None:
    Path("folder").mkdir()
    for place in ("no/such/place", "folder"):
        result = run("check", "wrong.kb", "--output-file", place)
        assert result.exit_code == 2 and "error[KB008]" in result.stderr
    assert sorted(path.name for path in wrong.parent.iterdir()) == ["folder", "wrong.kb"]
    assert run("check", "wrong.kb", "--output-file", "report").stdout == ""
    Path("report").chmod(0o640)
    wrong.write_text('define near "Near.": adjacent(mine)\n', encoding="utf-8")
    assert run("check", "wrong.kb", "--ignore", "KB7", "--output-file", "report").exit_code == 0
    assert Path("report").read_text(encoding="utf-8") == ""
    assert Path("report").stat().st_mode & 0o777 == 0o640


HOSTILE_RESULT = FILE.replace("it holds", "a\\e[31m\\0\\uFFFEb").replace("{title: a", '{title: "a')
HOSTILE_RESULT = HOSTILE_RESULT.replace("b, expect", 'b", expect')


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "two.scenario.yaml").write_text(FILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def report(form: str) -> str:
    collection = collect([Path(".")], files=READ)
    made = report_of_tests(list(run_all(collection)), collection.findings)
    return render(made, Form(form))


def test_lines_come_as_they_are_known(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed when a result is asked for is all that came before it."""
    seen: list[str] = []
    monkeypatch.setattr("typer.echo", lambda text="", **_: seen.append(text))
    before: list[int] = []
    real = runner.run_all

    def slow(items: object) -> Iterator[CaseResult]:
        for result in real(items):  # type: ignore[arg-type]
            before.append(len(seen))
            yield result

    monkeypatch.setattr(runner, "run_all", slow)
    CliRunner().invoke(app, ["test", ".", "--output-format", "jsonl"])
    assert before == [0, 1]
    kinds = [json.loads(line)["kind"] for line in seen if line.startswith("{")]
    assert kinds == ["result", "result", "summary"]


def test_a_file_of_lines_is_the_stream(folder: Path) -> None:
    (folder / "bad.scenario.yaml").write_text(BAD, encoding="utf-8")
    words = ["test", ".", "--output-format", "jsonl"]
    printed = CliRunner().invoke(app, words)
    filed = CliRunner().invoke(app, [*words, "--output-file", "lines"])
    assert printed.exit_code == filed.exit_code == 2 and filed.stdout == ""
    lines = [_timeless(line) for line in printed.stdout.splitlines()]
    assert lines == [_timeless(line) for line in Path("lines").read_text().splitlines()]
    assert [line["kind"] for line in lines] == ["finding", "result", "result", "summary"]
    assert lines[-1] == {
        "kind": "summary", "passed": 1, "failed": 1, "findings": 1, "exit_code": 2,
    }  # fmt: skip


def _timeless(line: str) -> dict[str, object]:
    return {key: value for key, value in json.loads(line).items() if key != "seconds"}


def test_workflow_commands_say_which_scenario(folder: Path) -> None:
    lines = report("github").split("\n")
    assert len(lines) == 2
    for line in lines:
        assert re.match(r"::error file=two\.scenario\.yaml,line=7,col=\d+,endColumn=\d+,", line)
        assert "::it <does> & not: " in line


def test_sarif_says_which_scenario(folder: Path) -> None:
    document = json.loads(report("sarif"))
    assert list(VALIDATOR.iter_errors(document)) == []
    (run,) = document["runs"]
    assert [each["ruleId"] for each in run["results"]] == ["KB505", "KB505"]
    assert run["results"][0]["message"]["text"].startswith("it <does> & not: ")
    assert run["automationDetails"]["id"] == "kbrules/test/"


@pytest.mark.parametrize("form", Form)
def test_hostile_titles_are_harmless(folder: Path, form: str) -> None:
    (folder / "two.scenario.yaml").write_text(HOSTILE_RESULT, encoding="utf-8")
    (folder / "bad.scenario.yaml").write_text(BAD, encoding="utf-8")
    text = report(form)
    assert all(character == "\n" or character.isprintable() for character in text)
    if form == "junit":
        (suite,) = ElementTree.fromstring(text)
        assert suite.get("tests") == str(len(suite))


def test_other_readers_of_junit_understand_tests(folder: Path) -> None:
    reader = pytest.importorskip("junitparser")
    (folder / "bad.scenario.yaml").write_text(BAD, encoding="utf-8")
    (suite,) = reader.JUnitXml.fromstring(report("junit"))
    assert (suite.tests, suite.failures, suite.errors) == (3, 1, 1)
    assert [case.is_passed for case in suite] == [False, True, False]


def test_the_exit_code_is_the_worst_that_happened(folder: Path) -> None:
    collection = collect([Path(".")], files=READ)
    holds, fails = run_all(collection)
    assert [exit_code(results, []) for results in ([holds], [fails], [])] == [0, 1, 0]
    assert exit_code([holds], fails.outcome.diagnostics) == 2
