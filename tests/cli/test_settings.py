"""Settings count for the files below them, from wherever a command is started."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.workshop.writing import WorkingCopy, Writing
from tests.example_games import DALE

UNUSED = 'define shore "Next to heath.":\n    adjacent(heath)\n'
QUIET = 'ignore = ["unused-define"]\n'


def check(*words: str) -> Result:
    result = CliRunner().invoke(app, ["check", "--samples", "0", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder above two boxes, each with a definition that is never used."""
    monkeypatch.chdir(tmp_path)
    for box in ("orchard", "vale"):
        for name, text in {**DALE, "rules/unused.kb": UNUSED}.items():
            written = text.replace("id: dale", f"id: {box}")
            (tmp_path / box / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / box / name).write_text(written, encoding="utf-8")
    return tmp_path


def warned(output: str) -> list[str]:
    return sorted(
        line.split(":")[0] for line in output.splitlines() if "[KB703]" in line or "KB703 " in line
    )


def test_settings_of_a_box_count_from_outside(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert warned(check("orchard").stdout) == ["orchard/rules/unused.kb"]
    (shelf / "orchard" / "kbrules.toml").write_text(QUIET)
    assert check("orchard").exit_code == 0
    assert check("orchard/rules/unused.kb").exit_code == 0
    assert warned(check("orchard", "vale").stdout) == ["vale/rules/unused.kb"]
    assert warned(check(".").stdout) == ["vale/rules/unused.kb"]
    assert warned(check(".", "--isolated").stdout) == [
        "orchard/rules/unused.kb", "vale/rules/unused.kb",
    ]  # fmt: skip
    monkeypatch.chdir(shelf / "orchard")
    assert check(".").exit_code == 0
    assert "vale/rules/unused.kb:1:8: warning[KB703]" in check("../vale").stdout


def test_the_nearest_settings_count(shelf: Path) -> None:
    (shelf / "pyproject.toml").write_text("[tool.kbrules]\n" + QUIET)
    assert check(".").exit_code == 0
    (shelf / "vale" / "rules" / "kbrules.toml").write_text("")
    assert warned(check(".").stdout) == ["vale/rules/unused.kb"]


def test_options_come_before_settings(shelf: Path) -> None:
    (shelf / "orchard" / "kbrules.toml").write_text('select = ["KB704"]\n')
    assert check("orchard").exit_code == 0
    assert warned(check("orchard", "--select", "KB703").stdout) == ["orchard/rules/unused.kb"]


def test_a_finding_fails_by_the_settings_of_its_file(shelf: Path) -> None:
    (shelf / "orchard" / "kbrules.toml").write_text('fail-level = "error"\n')
    assert check("orchard").exit_code == 0
    assert check("orchard", "--fail-level", "warning").exit_code == 1
    assert check("orchard", "vale").exit_code == 1


def test_settings_that_cannot_be_read_are_reported_from_anywhere(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = shelf / "orchard" / "kbrules.toml"
    broken.write_text("select = 7\n")
    for words in (["orchard"], ["."], ["orchard/rules/unused.kb"]):
        result = check(*words)
        assert (result.exit_code, result.stdout.count("KB729")) == (2, 1), result.stdout
        assert "orchard/kbrules.toml:1:1" in result.stdout
    assert check("vale").exit_code == 1
    assert check("orchard", "--isolated").exit_code == 1
    workspace = Workspace([shelf])
    (finding,) = workspace.findings(shelf / "orchard" / "rules" / "unused.kb")[broken]
    assert finding.code == "KB729"


def test_the_workshop_takes_the_settings_of_the_folder(shelf: Path) -> None:
    page = Writing(WorkingCopy(shelf / "orchard", shelf / "copy"))
    found = page.methods["edit"]({})["findings"]
    assert [each["code"] for each in found["rules/unused.kb"]] == ["KB703"]
    (shelf / "kbrules.toml").write_text(QUIET)
    assert page.methods["edit"]({})["findings"]["rules/unused.kb"] == []
    (shelf / "kbrules.toml").write_text("ignore = 3\n")
    assert "KB729" in str(page.methods["edit"]({})["findings"])
