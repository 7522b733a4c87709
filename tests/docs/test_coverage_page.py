"""The page on coverage is true: its card gives its report, and its second example what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from kbrules.tools.coverage import ClauseVerdict, Counts
from tests.source_tree import ROOT

PAGE = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
BOX = "format: 1\nid: vale\ntitle: The Vale\nneeds: [base]\ncards: [loners]\n"


def block(mark: str) -> str:
    """The block that a fence opens."""
    found = re.search(rf"{mark}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None, mark
    return found.group(1)


@pytest.fixture()
def vale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "vale" / "rules").mkdir(parents=True)
    (tmp_path / "vale" / "expansion.yaml").write_text(BOX, encoding="utf-8")
    (tmp_path / "vale" / "rules" / "loners.kb").write_text(block("```kb"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "vale"


def test_the_report_shown_is_the_report(vale: Path) -> None:
    command, _, report = block("<!-- report -->\n```").partition("\n")
    words = command.removeprefix("$ kbrules ").split()
    printed = CliRunner().invoke(app, words).stdout
    assert printed.split("\n\n", 1)[1].strip() == report.strip()


def test_the_second_example_is_enough(vale: Path) -> None:
    rules = vale / "rules" / "loners.kb"
    rules.write_text(block("```kb") + block("```kb more"), encoding="utf-8")
    result = CliRunner().invoke(app, ["test", "vale", "--fail-under", "100,100"])
    assert result.exit_code == 0, result.output


def test_every_key_is_told(vale: Path) -> None:
    CliRunner().invoke(app, ["test", "vale", "--coverage-json", "coverage.json"])
    data = json.loads(Path("coverage.json").read_text(encoding="utf-8"))
    file = data["files"][0]
    keys = {*data, *file, *file["of"][0], *Counts.__dataclass_fields__}
    assert [key for key in sorted(keys) if f"`{key}`" not in PAGE] == []
    assert [each.value for each in ClauseVerdict if f"`{each.value}`" not in PAGE] == []
