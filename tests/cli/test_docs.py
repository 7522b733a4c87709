"""`kbrules docs`: where it writes, and what it says when it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from kbrules.tools.docs.site import MARKER
from tests.source_tree import DALE


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["docs", *words])


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_writes_where_it_is_told_and_again(desk: Path) -> None:
    for _ in range(2):
        ran = run(str(DALE), "--output", "deep/pages")
        assert ran.exit_code == 0, ran.output
        assert ran.stdout.strip().endswith("pages: deep/pages/index.html")
    assert (desk / "deep/pages" / MARKER).is_file()
    assert [path.name for path in (desk / "deep").iterdir()] == ["pages"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no-such-folder"], "KB001"),
        (["--with", "no-such-box"], "KB009"),
        (["--output", "mine"], "KB008"),
        (["--output", "mine/note.txt"], "KB008"),
        (["--output", "mine/note.txt/deeper"], "KB008"),
        (["--output", "loop"], "KB008"),
        (["--output", "x" * 300], "KB008"),
        (["--coverage", "mine"], "KB040"),
        (["--coverage", "/dev/zero"], "KB040"),
        (["--coverage", "nowhere.json"], "KB040"),
        (["--coverage", "mine/note.txt"], "KB040"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(
    desk: Path, words: list[str], said: str
) -> None:
    (desk / "mine").mkdir()
    (desk / "mine" / "note.txt").write_text("mine")
    (desk / "loop").symlink_to("loop")
    ran = run(*words)
    assert ran.exit_code == 2 and f"error[{said}]" in ran.stderr, ran.output
    assert sorted(path.name for path in desk.rglob("*")) == ["loop", "mine", "note.txt"]


def test_a_folder_with_mistakes_is_not_printed(desk: Path) -> None:
    folder = desk / "vale"
    folder.mkdir()
    (folder / "expansion.yaml").write_text("format: 1\nid: vale\ntitle: Vale\nneeds: [base]\n")
    (folder / "vale.kb").write_text('define near "Hexes next to yours.": adjcent(mine)\n')
    ran = run(str(folder))
    assert ran.exit_code == 2 and "error[KB201]" in ran.stderr
    assert not (desk / "site").exists()
