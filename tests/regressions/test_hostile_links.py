"""Links of an author's folder: none leads outside of it, and a ring of them is a finding."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from kbrules.tools.new import new_expansion

Plant = Callable[[Path], object]
CASES: dict[str, tuple[Plant, str]] = {
    "a ring of folders": (lambda home: (home / "self").symlink_to("."), ""),
    "a way up": (lambda home: (home / "rules" / "up").symlink_to("../.."), "KB005"),
    "the whole machine": (lambda home: (home / "rules" / "all").symlink_to("/"), "KB005"),
    "processes": (lambda home: (home / "scenarios" / "proc").symlink_to("/proc"), "KB005"),
    "a file elsewhere": (lambda home: (home / "rules" / "a.kb").symlink_to("/etc/passwd"), "KB005"),
    "a ring of files": (lambda home: _ring(home / "rules" / "a.kb", home / "rules" / "b.kb"), "KB"),
    "a link to itself": (lambda home: _ring(home / "rules" / "a.kb"), "KB"),
    "data elsewhere": (lambda home: _elsewhere(home / "expansion.yaml"), "KB005"),
}  # fmt: skip


def _ring(*files: Path) -> None:
    for file, other in zip(files, (*files[1:], files[0]), strict=True):
        file.symlink_to(other.name)


def _elsewhere(path: Path) -> None:
    path.unlink()
    path.symlink_to("/proc/cpuinfo")


@pytest.mark.parametrize("words", [["check", "--samples", "0"], ["test", "--jobs", "1"]])
def test_a_linked_folder_is_told_in_any_folder(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other").mkdir()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "one.kb").write_text('define shore "Shore.": adjacent(water)\n')
    (tmp_path / "mine" / "linked").symlink_to("../other")
    result = CliRunner().invoke(app, [*words, "mine"])
    assert result.exit_code == 2 and result.output.count("error[KB005]") == 1
    assert "`mine/linked` lies outside of the folder `mine`" in result.output


@pytest.mark.parametrize("case", CASES)
def test_a_link_is_not_followed_outside(case: str, tmp_path: Path) -> None:
    plant, code = CASES[case]
    home = tmp_path / "orchid"
    new_expansion("orchid", tmp_path)
    plant(home)
    for words in (["check", "--samples", "0"], ["fmt", "--check"], ["test", "--jobs", "1"]):
        result = CliRunner().invoke(app, [*words, str(home)])
        assert isinstance(result.exception, SystemExit | None)
        assert "root:x" not in result.output and result.output.count("[KB005]") <= 2
        if words[0] == "check":
            assert f"error[{code}" in result.output if code else result.exit_code == 0
