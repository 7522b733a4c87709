"""The forms of a test run: a stream of lines, and what services for programs read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import kbrules.tools.testing as runner
from cli.app import app
from kbrules.scenario.collection import collect
from kbrules.scenario.running import Result, run_all
from kbrules.tools.reports.tested import TEST_RENDERERS, exit_code
from tests.scenario.test_report import BAD, FILE
from tests.scenario.texts import CACHES
from tests.tools.reports.test_sarif import VALIDATOR

HOSTILE = FILE.replace("it holds", "a\\e[31m\\0\\uFFFEb").replace("{title: a", '{title: "a')
HOSTILE = HOSTILE.replace("b, expect", 'b", expect')


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "two.scenario.yaml").write_text(FILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def report(form: str) -> str:
    collection = collect([Path(".")], caches=CACHES)
    return TEST_RENDERERS[form](list(run_all(collection)), collection.findings)


def test_lines_come_as_they_are_known(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed when a result is asked for is all that came before it."""
    seen: list[str] = []
    monkeypatch.setattr("typer.echo", lambda text="", **_: seen.append(text))
    before: list[int] = []
    real = runner.run_all

    def slow(items: object) -> Iterator[Result]:
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


@pytest.mark.parametrize("form", TEST_RENDERERS)
def test_hostile_titles_are_harmless(folder: Path, form: str) -> None:
    (folder / "two.scenario.yaml").write_text(HOSTILE, encoding="utf-8")
    (folder / "bad.scenario.yaml").write_text(BAD, encoding="utf-8")
    text = report(form)
    assert all(character == "\n" or character.isprintable() for character in text)
    if form == "junit":
        (suite,) = ElementTree.fromstring(text)
        assert suite.get("tests") == str(len(suite))


def test_other_readers_of_junit_understand_it(folder: Path) -> None:
    reader = pytest.importorskip("junitparser")
    (folder / "bad.scenario.yaml").write_text(BAD, encoding="utf-8")
    (suite,) = reader.JUnitXml.fromstring(report("junit"))
    assert (suite.tests, suite.failures, suite.errors) == (3, 1, 1)
    assert [case.is_passed for case in suite] == [False, True, False]


def test_the_exit_code_is_the_worst_that_happened(folder: Path) -> None:
    collection = collect([Path(".")], caches=CACHES)
    holds, fails = run_all(collection)
    assert [exit_code(results, []) for results in ([holds], [fails], [])] == [0, 1, 0]
    assert exit_code([holds], fails.outcome.diagnostics) == 2
