"""`kbrules cache`: it counts what is kept, removes that and nothing else, or says why not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from kbrules.kernel.native import cached_files


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cached_files, "user_cache_path", lambda *_, **__: tmp_path / "kbrules")
    found = tmp_path / "kbrules" / "native"
    for name in ("ab12" * 8, "cd34" * 8):
        (found / name).mkdir(parents=True)
        (found / name / "kernel.nbc").write_bytes(bytes(1_500_000))
    return found


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["cache", *words])
    return result.exit_code, " ".join(result.output.split())


def test_it_counts_and_removes_what_is_kept(root: Path) -> None:
    assert run() == (0, f"{root}: 2 kernels, 3.0 MB")
    assert run("--clear") == (0, f"removed: 2 kernels from {root}")
    assert run() == (0, f"{root}: 0 kernels, 0.0 MB")
    assert [*root.iterdir()] == []


def test_where_nothing_was_ever_kept_there_is_nothing(root: Path) -> None:
    for folder in root.iterdir():
        (folder / "kernel.nbc").unlink()
        folder.rmdir()
    root.rmdir()
    assert run() == (0, f"{root}: 0 kernels, 0.0 MB")


def test_a_link_is_neither_followed_nor_counted(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine").write_text("mine")
    (root / ("ef56" * 8)).symlink_to(other)
    assert run("--clear") == (0, f"removed: 2 kernels from {root}")
    assert (other / "mine").read_text() == "mine"


def test_what_cannot_be_removed_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(13, os.strerror(13), str(path))

    monkeypatch.setattr(cached_files.shutil, "rmtree", refuse)
    code, output = run("--clear")
    assert code == 2 and "KB008" in output and "Permission denied" in output
    assert run() == (0, f"{root}: 2 kernels, 3.0 MB")
