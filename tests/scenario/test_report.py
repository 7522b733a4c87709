"""Reports of scenarios, by the command and by the pytest plug-in."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree

import pytest
import typer
from hypothesis import given, strategies as st
from typer.testing import CliRunner

from cli.test import command
from kbrules.scenario.collection import selector
from kbrules.scenario.running import run_all
from kbrules.tools.reports.checked import test_report as report_of_tests
from kbrules.tools.reports.report import Form, render
from tests.collecting import collect
from tests.scenario.texts import READ
from tests.source_tree import ROOT

FILE = """\
format: 1
title: two
board: {drawing: "G  Ga G"}
turn: {played: grass}
scenarios:
  - {title: it holds, expect: {offered: {mandatory: [a1, c1]}}}
  - {title: "it <does> & not", expect: {gold: {a: 1}, offered: {mandatory: [a1]}}}
"""
BAD = FILE.replace("expect", "exspect", 1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "two.scenario.yaml").write_text(FILE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


def _report(form: str, folder: Path, bad: bool = False) -> str:
    if bad:
        (folder / "bad.scenario.yaml").write_text(BAD, encoding="utf-8")
    collection = collect([Path(".")], files=READ)
    report = report_of_tests(list(run_all(collection)), collection.findings)
    return render(report, Form(form))


def test_the_full_report_shows_source_and_board(folder: Path) -> None:
    text = _report("full", folder)
    assert "FAILED two.scenario.yaml::it <does> & not" in text
    assert "two.scenario.yaml:7:76: error[KB505]" in text
    assert "G!" in text and "it holds" not in text.replace(FILE.splitlines()[5], "")


def test_the_concise_report_has_one_line_per_finding(folder: Path) -> None:
    lines = _report("concise", folder, bad=True).splitlines()
    assert [re.split(r"[\[\]]", line)[1] for line in lines] == ["KB402", "KB505", "KB505"]


def test_the_json_report_says_everything(folder: Path) -> None:
    data = json.loads(_report("json", folder, bad=True))
    assert (data["passed"], data["failed"], len(data["findings"])) == (1, 1, 1)
    holds, fails = data["results"]
    assert holds["passed"] and holds["findings"] == [] and holds["line"] == 6
    assert [each["code"] for each in fails["findings"]] == ["KB505", "KB505"]
    assert "expected and found" in fails["text"]


def test_the_junit_report_is_xml_with_the_right_counts(folder: Path) -> None:
    suites = ElementTree.fromstring(_report("junit", folder, bad=True))
    (suite,) = suites
    counts = {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "3", "failures": "1", "errors": "1", "skipped": "0"}
    cases = {case.get("name"): case for case in suite}
    assert list(cases) == ["reading", "it holds", "it <does> & not"]
    assert cases["it holds"].find("failure") is None
    failure = cases["it <does> & not"].find("failure")
    assert failure is not None and "KB505" in (failure.text or "")
    assert cases["it holds"].get("line") == "6"


def test_the_summary_counts(folder: Path) -> None:
    collection = collect([folder], files=READ)
    results = list(run_all(collection))
    assert re.fullmatch(r"1 failed, 1 passed in \d+\.\d\d s", report_of_tests(results, []).summary)
    assert re.fullmatch(r"1 passed in \d+\.\d\d s", report_of_tests(results[:1], []).summary)


# Choosing by name

WORDS = ["tavern", "two in a row", "slow", "x-y"]
Tree = tuple[str, ...]
trees = st.recursive(
    st.sampled_from(WORDS),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner), st.tuples(st.sampled_from(["and", "or"]), inner, inner)
    ),
    max_leaves=8,
)


def _spelt(tree: object) -> str:
    match tree:
        case str():
            return tree
        case ("not", inner):
            return f"not ({_spelt(inner)})"
        case (sign, left, right):
            return f"({_spelt(left)}) {sign} ({_spelt(right)})"
    raise AssertionError(tree)


def _holds(tree: object, id: str) -> bool:
    match tree:
        case str():
            return tree in id
        case ("not", inner):
            return not _holds(inner, id)
        case ("and", left, right):
            return _holds(left, id) and _holds(right, id)
        case ("or", left, right):
            return _holds(left, id) or _holds(right, id)
    raise AssertionError(tree)


@given(trees, st.sets(st.sampled_from(WORDS)))
def test_an_expression_means_what_its_words_say(tree: object, words: set[str]) -> None:
    id = " / ".join(sorted(words))
    assert selector(_spelt(tree))(id.upper()) == _holds(tree, id)


@pytest.mark.parametrize(
    ("expression", "id", "meant"),
    [
        ("a or b and c", "a", True),
        ("a or b and c", "b", False),
        ("not a or b", "b", True),
        ("not a and b", "a b", False),
        ("not not a", "a", True),
    ],
)
def test_not_binds_before_and_before_or(expression: str, id: str, meant: bool) -> None:
    assert selector(expression)(id) is meant


@pytest.mark.parametrize("expression", ["", "and", "a and", "(a", "a)", "a or or b", "not", "()"])
def test_what_is_no_expression_is_refused(expression: str) -> None:
    with pytest.raises(ValueError, match=r"[a-z]"):
        selector(expression)


# The command


def _run(*arguments: str) -> tuple[int, str, str]:
    app = typer.Typer()
    app.command()(command)
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, result.stdout, result.stderr


def test_the_command_tells_by_its_exit_code(folder: Path) -> None:
    assert _run(".")[0] == 1
    code, out, _ = _run(".", "-k", "holds")
    assert code == 0 and re.fullmatch(r"1 passed in .* s\n", out)
    (folder / "bad.scenario.yaml").write_text(BAD, encoding="utf-8")
    code, out, _ = _run(".", "-k", "holds")
    assert code == 2 and "error[KB402]" in out and "1 passed" in out


def test_the_command_refuses_to_run_nothing(folder: Path) -> None:
    code, out, err = _run(".", "-k", "nobody is called so")
    assert (code, out) == (2, "") and "KB007" in err
    (folder / "empty").mkdir()
    assert "KB007" in _run("empty")[2]
    assert "KB009" in _run(".", "-k", "a and")[2]


@pytest.mark.parametrize("form", ["json", "sarif", "junit"])
def test_a_report_for_programs_stands_alone_on_standard_output(form: str, folder: Path) -> None:
    code, out, err = _run(".", "--output-format", form)
    assert code == 1 and re.fullmatch(r"1 failed, 1 passed in .* s\n", err)
    assert ElementTree.fromstring(out) is not None if form == "junit" else json.loads(out)


def test_help_teaches_with_examples() -> None:
    assert "kbrules test my-expansion" in _run("--help")[1]


# Installed, the plug-in comes by itself; naming it as well would register it twice.
NAMED = () if entry_points(group="pytest11", name="kbrules") else ("-p", "kbrules.pytest_plugin")
HOLDS = """\
# yaml-language-server: $schema=scenario.schema.json
title: two
format: 1
board: {drawing: "G  Ga G"}
turn: {played: grass}
scenarios:
  - {title: it holds, expect: {offered: {mandatory: [a1, c1]}}}
  - {title: it does not, expect: {offered: {mandatory: [a1]}}}
"""
SILENT = """\
format: 1
title: two turns
board: {drawing: "G  Ga G  G  G"}
position: {b: {hand: [grass]}}
turn: {played: grass}
seed: 1
steps:
  - build a1
  - build c1
  - build d1
"""
FOREIGN = "scenario:\n  name: of another tool\n  steps: [*nothing]\n"


def _python(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd, capture_output=True, text=True, check=False,
        env={**kept, "PYTHONPATH": path, "PYTEST_ADDOPTS": "-p no:asyncio -p no:pytest-lsp"},
    )  # fmt: skip


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ElementTree.Element]:
    """The output and the JUnit report of a run over scenarios, good, bad and foreign."""
    folder = tmp_path_factory.mktemp("outsider")
    (folder / "good.scenario.yaml").write_text(HOLDS, encoding="utf-8")
    (folder / "bad.scenario.yaml").write_text(HOLDS.replace("board:", "bord:"), encoding="utf-8")
    (folder / "foreign.scenario.yaml").write_text(FOREIGN, encoding="utf-8")
    (folder / "test_own.py").write_text("def test_own():\n    pass\n", encoding="utf-8")
    command = ["-m", "pytest", "-p", "no:cacheprovider", *NAMED, "-rA"]
    command += ["--continue-on-collection-errors", "--junitxml=report.xml", "-W", "error"]
    done = _python(*command, cwd=folder)
    return done.stdout + done.stderr, ElementTree.parse(folder / "report.xml").getroot()[0]


def test_each_scenario_is_a_test(ran: tuple[str, ElementTree.Element]) -> None:
    output, suite = ran
    names = {case.get("name") for case in suite}
    assert {"it holds", "it does not", "test_own"} <= names
    assert "1 failed, 2 passed, 1 error" in output


def test_a_failure_is_our_report_and_no_traceback(ran: tuple[str, ElementTree.Element]) -> None:
    output, suite = ran
    failure = next(case for case in suite if case.get("name") == "it does not").find("failure")
    assert failure is not None and failure.text is not None
    assert "good.scenario.yaml:8:56: error[KB505]" in failure.text
    assert "G!" in failure.text and "Traceback" not in failure.text
    assert "pytest_plugin.py" not in output


def test_the_line_of_the_scenario_is_told(ran: tuple[str, ElementTree.Element]) -> None:
    output, _ = ran
    assert "FAILED good.scenario.yaml::it does not" in output


def test_a_wrong_key_is_told_with_line_and_column(ran: tuple[str, ElementTree.Element]) -> None:
    output, _ = ran
    assert "bad.scenario.yaml:4:1: error[KB402]: `bord` is not a key of this file" in output
    assert "did you mean `board`?" in output


def test_files_of_others_are_left_alone(ran: tuple[str, ElementTree.Element]) -> None:
    output, _ = ran
    assert "foreign" not in output


@pytest.mark.parametrize(("strictly", "came"), [([], 0), (["-W", "error"], 1)])
def test_a_silent_end_is_a_warning_of_python(
    tmp_path: Path, strictly: list[str], came: int
) -> None:
    (tmp_path / "silent.scenario.yaml").write_text(SILENT, encoding="utf-8")
    command = ["-m", "pytest", "-p", "no:cacheprovider", *NAMED, *strictly]
    done = _python(*command, cwd=tmp_path)
    assert done.returncode == came, done.stdout
    assert "silent.scenario.yaml:10:5: warning[KB508]: the turn ends" in done.stdout
    assert ("1 passed, 1 warning" if not came else "1 failed") in done.stdout
    assert "Traceback" not in done.stdout and "pytest_plugin.py" not in done.stdout


def test_nothing_is_loaded_before_a_scenario_is_met(tmp_path: Path) -> None:
    program = (
        "import sys, pytest; before = set(sys.modules); import kbrules.pytest_plugin; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = _python("-c", program, cwd=tmp_path)
    assert done.stdout.split() == ["kbrules", "kbrules.pytest_plugin"], done.stderr
