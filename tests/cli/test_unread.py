"""Files that nothing reads are told, by `check` and by `test`; so are names of other kinds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from tests.example_games import DALE

SCENARIO = "format: 1\ntitle: Nothing yet\nboard:\n  drawing: |\n    H Ha\nexpect: {over: no}\n"


@pytest.fixture
def dale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An author's folder, seen from the folder above it."""
    monkeypatch.chdir(tmp_path)
    for name, text in {**DALE, "scenarios/first.scenario.yaml": SCENARIO}.items():
        _write(Path("dale") / name, text)
    return Path("dale")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("command", ["check", "test"])
@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("scenarios/second.scenario.yml", "`second.scenario.yaml`"),
        ("scenarios/third.yaml", "`third.scenario.yaml`"),
        ("scenarios/stray.kb", "`rules/`"),
    ],
)
def test_a_file_that_nothing_reads_is_told(command: str, name: str, help: str, dale: Path) -> None:
    text = 'rule more:\n    "More."\n    forbid build on water\n'
    _write(dale / name, text if name.endswith(".kb") else SCENARIO)
    result = CliRunner().invoke(app, [command, "dale"])
    assert result.exit_code == 2
    assert f"KB006]: `dale/{name}`" in result.output and help in result.output


@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("drafts/stray.kb", "`rules/`"),
        ("rules/._dale.kb", "another name"),
        ("rules/.old/dale.kb", "another name"),
        ("rules/../.#dale.kb", "another name"),
    ],
)
def test_a_named_rule_file_that_its_box_does_not_read_is_not_good(
    name: str, help: str, dale: Path
) -> None:
    _write(dale / name, "card  q:")
    result = CliRunner().invoke(app, ["check", f"dale/{name}"])
    assert result.exit_code == 2
    assert f"KB006]: `dale/{name}` is not read" in result.output and help in result.output


@pytest.mark.parametrize("command", ["check", "test"])
def test_other_files_are_nobodys_business(command: str, dale: Path) -> None:
    _write(dale / "notes.yaml", "steps: [buy paper]\n")
    _write(dale / "other.yml", "id: 7\n")
    _write(dale / "rules" / "deep" / "empty.kb", "")
    assert CliRunner().invoke(app, [command, "dale"]).exit_code == 0


def test_two_folders_with_one_id_are_told(dale: Path) -> None:
    shutil.copytree(dale, "vale")
    result = CliRunner().invoke(app, ["check", "dale", "vale"])
    assert result.exit_code == 2 and "two folders have the id `dale`" in result.output
    assert CliRunner().invoke(app, ["check", "vale"]).exit_code == 0
    shutil.move("vale", dale / "older")  # an earlier version, kept to be compared
    assert "two folders" not in CliRunner().invoke(app, ["check", "dale"]).output


@pytest.mark.parametrize(
    "words",
    [
        "show board --svg board.png",
        "show board --png board.svg",
        "show board --html board.pdf",
        "cards --with dale --pdf cards.svg",
        "cards --with dale --svg cards.pdf",
    ],
)
def test_a_picture_is_of_the_kind_its_name_says(words: str, dale: Path) -> None:
    result = CliRunner().invoke(app, words.split())
    assert result.exit_code == 2 and "KB009" in result.output
    assert sorted(path.name for path in Path().iterdir()) == ["dale"]
