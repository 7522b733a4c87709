"""`kbrules conform`: what holds, what differs, and files that cannot be used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cli.app import app
from tests.source_tree import ROOT

TABLE = {
    "with": ["base"],
    "players": 2,
    "cards": ["hermits"],
    "board": {"drawing": "G  Ga C\n C  C  Ga\nG  G  G"},
    "turn": {"player": "a", "played": "canyon"},
}
CASE = {
    "id": "areas",
    "position": "small",
    "scores": {"a": {"hermits": 2}},
    "holds": ["hermits"],
    "found": "print",
    "source": "by hand",
}


def run(tmp_path: Path, data: Any, *more: str) -> tuple[str, int]:
    path = tmp_path / "cases.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    done = CliRunner().invoke(app, ["conform", str(path), *more])
    return done.output, done.exit_code


def file_of(case: Any = CASE, table: Any = TABLE) -> Any:
    return {"format": 1, "positions": {"small": table}, "cases": [case]}


def test_what_holds_is_counted_by_both_engines(tmp_path: Path) -> None:
    assert run(tmp_path, file_of()) == ("2 passed: 1 case by reference, python\n", 0)


def test_the_file_on_the_page_holds(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
    text = page.split("```json\n")[1].split("```")[0]
    assert run(tmp_path, text)[1] == 0


def test_what_differs_is_told(tmp_path: Path) -> None:
    case = {**CASE, "scores": {"a": {"hermits": 3}}}
    text, code = run(tmp_path, file_of(case), "--engine", "reference")
    assert code == 1
    assert "FAILED areas by reference\n  a hermits: 2, not 3" in text
    text, code = run(tmp_path, file_of(case), "--output-format", "json")
    told = json.loads(text)
    assert (told["cases"], told["failed"], code) == (2, 2, 1)
    assert told["results"][0]["differences"] == {"a hermits": {"expected": 3, "found": 2}}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("no json", "KB403"),
        ({"format": 2, "positions": {}, "cases": []}, "format"),
        (file_of({**CASE, "position": "elsewhere"}), "no position `elsewhere`"),
        (file_of({**CASE, "legal": {}}), "exactly one of"),
        (file_of(table={**TABLE, "with": ["bsae"]}), "did you mean `base`?"),
    ],
)
def test_a_file_that_cannot_be_used_is_told(tmp_path: Path, data: Any, message: str) -> None:
    text, code = run(tmp_path, data)
    assert code == 2
    assert message in text
    assert "error[KB" in text


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["conform", str(tmp_path / "none.json")])
    assert (done.exit_code, "KB001" in done.output) == (2, True)


def test_a_position_that_cannot_be_laid_fails_its_case(tmp_path: Path) -> None:
    text, code = run(tmp_path, file_of(table={**TABLE, "cards": ["nobody_knows"]}))
    assert code == 1
    assert "nobody_knows" in text
