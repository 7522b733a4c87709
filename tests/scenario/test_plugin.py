"""The pytest plug-in, in a pytest of its own: an outsider must not feel it."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.source_tree import ROOT

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
