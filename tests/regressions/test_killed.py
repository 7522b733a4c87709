"""Commands that are killed while they write: the old file or the new one, and nothing beside it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from kbrules.engine.logs.writing import write_atomically
from kbrules.tools.docs.site import publish

UGLY = 'card  rowers "Rowers" :\n  "One gold each."\n  gold 1 per hex in (mine)\n'
KILLED = """
import os, signal, sys
from pathlib import Path
os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
from kbrules.engine.logs.writing import write_atomically
from kbrules.tools.docs.site import publish
place = Path(sys.argv[1])
publish({"a.html": "2"}, place) if sys.argv[2] else write_atomically(place, ["2"])
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nothing is killed like this there")


def kill(place: Path, kind: str) -> None:
    """Write to a place and be killed in the moment in which the new thing takes its place."""
    ended = subprocess.run([sys.executable, "-c", KILLED, str(place), kind], check=False)
    assert ended.returncode == -signal.SIGKILL


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


@pytest.mark.parametrize("name", ["report.json", "n" * 200])
def test_a_killed_writer_leaves_what_the_next_one_removes(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("1", encoding="utf-8")
    kill(path, "")
    assert path.read_text(encoding="utf-8") == "1" and len(names(tmp_path)) == 2
    other = tmp_path / f".{name[:100]}.{os.getpid()}-abc.kbrules-tmp"
    other.touch()  # somebody who writes just now
    write_atomically(path, ["3"])
    assert path.read_text(encoding="utf-8") == "3" and names(tmp_path) == sorted([name, other.name])


def test_a_killed_site_is_the_old_one_or_none(tmp_path: Path) -> None:
    site = tmp_path / "site"
    kill(site, "site")
    assert not site.exists()
    publish({"a.html": "1", "b.html": "1"}, site)
    assert names(tmp_path) == ["site"]
    kill(site, "site")
    assert (site / "a.html").read_text(encoding="utf-8") == "1"
    assert len(names(tmp_path)) == 3  # what was to come, and where the old one was to go
    publish({"a.html": "3"}, site)
    assert names(tmp_path) == ["site"] and not (site / "b.html").exists()


@pytest.mark.parametrize("words", [["fmt"], ["check", "--samples", "0", "--fix"]])
def test_files_are_whole_one_by_one(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / f"{letter}.kb" for letter in "abc"]
    for file in files:
        file.write_text(UGLY.replace("rowers", f"rowers_{file.stem}"), encoding="utf-8")
    replace = os.replace

    def fail(source: str, target: Path) -> None:
        if target.name == "b.kb":
            raise OSError(28, "no space left")
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail)
    monkeypatch.chdir(tmp_path)
    before = files[1].read_text(encoding="utf-8")
    result = CliRunner().invoke(app, words)
    if words == ["fmt"]:
        assert result.exit_code == 2 and "KB008" in result.output
        assert "`b.kb` cannot be written: no space left" in result.output
        assert "changed before it: `a.kb`" in result.output
        assert '"Rowers":' in files[0].read_text(encoding="utf-8")
    assert files[1].read_text(encoding="utf-8") == before
    assert names(tmp_path) == ["a.kb", "b.kb", "c.kb"]
