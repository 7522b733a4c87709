"""A folder means the box that it is or contains, in every command."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from kbrules.library.discovery import boxes_at
from tests.example_games import DALE, write_files


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a box in a folder below it."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path / "package" / "inner", DALE)
    write_files(tmp_path, {"loose.kb": "define huddle: mine & adjacent(heath)\n"})
    return Path("package")


def run(*words: str) -> Result:
    return CliRunner().invoke(app, [*words])


def test_the_box_is_found_below_a_folder(package: Path) -> None:
    assert boxes_at(package) == boxes_at(package / "inner") == [package / "inner"]
    assert boxes_at(package / "inner" / "rules") == []
    checked = run("check", "loose.kb", "--with", "package", "--ignore", "KB7")
    assert checked.exit_code == 0, checked.output
    assert run("docs", "package", "--output", "pages").exit_code == 0
    same = run("diff", "package", "package/inner", "--positions", "1", "--games", "0")
    assert same.exit_code == 0, same.output


def test_a_box_is_compared_and_shown_with_its_neighbour(package: Path) -> None:
    hill = "format: 1\nid: hill\ntitle: The Hill\nneeds: [dale]\n"
    write_files(
        Path("hill"), {"expansion.yaml": hill, "rules/far.kb": "define far: heath - mine\n"}
    )
    same = run("diff", "hill/rules/far.kb", "loose.kb", "--positions", "1", "--games", "0")
    assert same.exit_code == 0, same.output
    assert run("docs", "hill", "--output", "pages").exit_code == 0
    shown = run("show", "options", "--with", "hill")
    assert shown.exit_code == 0, shown.output
    assert any(Path("pages").rglob("*dale*"))


@pytest.mark.parametrize(
    "words",
    [("check", "loose.kb", "--with", "package"), ("docs", "package"), ("diff", *2 * ["package"])],
)
def test_several_boxes_below_a_folder_are_listed(words: tuple[str, ...], package: Path) -> None:
    write_files(package / "other", DALE)
    result = run(*words)
    assert result.exit_code == 2
    assert "KB009" in result.output and "several boxes" in result.output
    assert "`package/inner`, `package/other`" in result.output
