"""The forms of a check: each tells the same findings, and each is what its readers expect."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from cli.output import Format
from kbrules.tools.check import CheckResult
from kbrules.tools.reports.checked import CHECK_RENDERERS
from kbrules.tools.reports.tested import TEST_RENDERERS
from tests.tools.reports.findings import HOSTILE, findings, hostile, warning

REPORT = CheckResult(
    ("dale/rules/rowers.kb", "dale/fine.kb"), tuple(findings()[:3]), (findings()[3],)
)
HOSTILE_REPORT = CheckResult((HOSTILE,), tuple(hostile()))


def test_every_form_of_the_command_line_is_there() -> None:
    assert list(CHECK_RENDERERS) == list(TEST_RENDERERS) == [form.value for form in Format]


@pytest.mark.parametrize("form", CHECK_RENDERERS)
def test_every_form_tells_every_finding(form: str) -> None:
    text = CHECK_RENDERERS[form](REPORT, 2)
    for finding in REPORT.all:
        assert finding.code in text and finding.message in text


def test_lines_are_objects_and_the_last_one_sums_up() -> None:
    lines = [json.loads(line) for line in CHECK_RENDERERS["jsonl"](REPORT, 2).split("\n")]
    assert [each.pop("kind") for each in lines] == ["finding"] * 4 + ["summary"]
    assert lines[:4] == json.loads(CHECK_RENDERERS["json"](REPORT, 2))
    assert lines[4] == {"files": 2, "findings": 4, "exit_code": 2}
    assert json.loads(CHECK_RENDERERS["jsonl"](CheckResult(("a.kb",), ()), 0))["exit_code"] == 0


def test_junit_has_one_case_for_each_file() -> None:
    (suite,) = ElementTree.fromstring(CHECK_RENDERERS["junit"](REPORT, 2))
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
    (suite,) = ElementTree.fromstring(CHECK_RENDERERS["junit"](CheckResult((), (warning(),)), code))
    (case,) = suite
    assert [told.tag for told in case] == ["failure" if fails else "system-out"]
    assert "warning[KB703]" in (case[0].text or "")


def test_other_readers_of_junit_understand_it(tmp_path: Path) -> None:
    reader = pytest.importorskip("junitparser")
    for report in (REPORT, HOSTILE_REPORT, CheckResult((), ())):
        file = tmp_path / "report.xml"
        file.write_text(CHECK_RENDERERS["junit"](report, 1), encoding="ascii")
        (suite,) = reader.JUnitXml.fromfile(str(file))
        failed = [case for case in suite if not case.is_passed]
        assert len(failed) == len({each.span.source.name for each in report.all})
        assert suite.failures + suite.errors == len(failed)


@pytest.mark.parametrize("form", CHECK_RENDERERS)
def test_hostile_names_and_messages_are_harmless(form: str) -> None:
    text = CHECK_RENDERERS[form](HOSTILE_REPORT, 1)
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


@pytest.mark.parametrize("form", [form.value for form in Format if not form.is_for_people])
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
