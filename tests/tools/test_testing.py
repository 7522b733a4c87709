"""Tests of many files: by workers or not, the results are the same, in order."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from jinja2 import UndefinedError
from typer.testing import CliRunner

from cli.app import app
from kbrules.diagnostics import render_full
from kbrules.tools.reports.page import environment
from kbrules.tools.testing import Request, files_of, run_files, useful_processes
from tests.scenario.test_report import BAD, FILE

FILES = {"b.scenario.yaml": FILE, "a.scenario.yaml": FILE, "c.scenario.yaml": BAD}
Told = list[tuple[str, int, bool, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(jobs: int, only: str = "") -> tuple[Told, list[str], list[int]]:
    request = Request((Path("."),), only=only)
    found = [
        (list(f.results), f)
        for f in run_files(request, [file.path for file in files_of(request.project())], jobs)
    ]
    results = [
        (each.id, each.span.line, each.passed, each.outcome.text)
        for file, _ in found
        for each in file
    ]
    findings = [render_full(each) for _, f in found for each in f.findings]
    return results, findings, [f.tests for _, f in found]


@pytest.mark.parametrize("only", ["", "holds", "nothing is called so"])
def test_workers_find_what_this_process_finds(folder: Path, only: str) -> None:
    assert told(2, only) == told(1, only)


def test_the_order_is_that_of_the_files(folder: Path) -> None:
    results, findings, tests = told(2)
    names = [id.partition("::")[0] for id, *_ in results]
    assert names == ["a.scenario.yaml"] * 2 + ["b.scenario.yaml"] * 2
    assert [text.partition(":")[0] for text in findings] == ["c.scenario.yaml"]
    assert tests == [2, 2, 0]


def test_few_files_need_one_worker() -> None:
    assert [useful_processes(files) for files in (0, 1, 39, 40, 200)] == [1, 1, 1, 2, 10]


def test_a_worker_that_is_killed_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbrules.tools.testing._eager_runner", _dies)
    result = CliRunner().invoke(app, ["test", ".", "--jobs", "2"])
    assert result.exit_code == 2 and "KB058" in result.stderr


def _dies(_: Request) -> object:
    os.kill(os.getpid(), signal.SIGKILL)
    return None


def test_text_is_escaped_and_an_unknown_name_is_an_error() -> None:
    made = environment().from_string("<p>{{ text }}</p>")
    assert made.render(text="<b>&\"'") == "<p>&lt;b&gt;&amp;&#34;&#39;</p>"
    with pytest.raises(UndefinedError):
        made.render()


def test_every_template_can_be_read() -> None:
    names = environment().list_templates()
    assert names
    for name in names:
        environment().get_template(name)
