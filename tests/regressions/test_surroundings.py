"""What a process may find around it: closed or full streams, no folder, long names, low limits.

Each is told with a code, or the command ends quietly; never by a traceback or as our own fault.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="speaks to a shell of Linux")

COMMANDS = ("--version", "--help", "check", "explain KB201", "show card")
LONG = "x" * 300, "y" * 5000
OURS = "KB901", "Traceback", "Exception ignored", "Fatal"


def ended(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """A line of the shell, `kbrules` in it, run in a folder; nothing in it is a fault of ours."""
    line = line.replace("kbrules", f"{sys.executable} -m kbrules", 1)
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env={"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert not any(word in done.stdout + done.stderr for word in OURS), done
    return done


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_output_is_told(command: str, tmp_path: Path) -> None:
    done = ended(tmp_path, f"kbrules {command} > /dev/full")
    assert done.returncode == 2
    assert "error[KB062]: a file or a standard stream cannot be used: No space" in done.stderr


@pytest.mark.parametrize(
    ("command", "closed"),
    [(command, "<&- >&- 2>&-") for command in COMMANDS]
    + [("explain KB201", one) for one in ("<&-", ">&-", "2>&-")],
)
def test_closed_streams_are_as_empty_ones(command: str, closed: str, tmp_path: Path) -> None:
    assert ended(tmp_path, f"kbrules {command} {closed}").returncode == 0


def test_what_is_printed_gets_into_no_file(tmp_path: Path) -> None:
    """A closed stream leaves its number to the next file that is opened."""
    for closed in ("<&- >&- 2>&-", ">&-"):
        line = f"kbrules play --bots random --seed 1 --force {closed}"
        assert ended(tmp_path, line).returncode == 0
        assert ended(tmp_path, "kbrules replay game.kblog --quiet").returncode == 0


def test_the_exit_code_stays_where_errors_cannot_be_told(tmp_path: Path) -> None:
    for stream in ("2>&-", "2>/dev/full"):
        assert ended(tmp_path, f"kbrules replay nowhere.kblog {stream}").returncode == 2


@pytest.mark.parametrize("command", ["", "check", "show card", "new expansion plum"])
def test_a_deleted_folder_is_told(command: str, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    done = ended(tmp_path, f"cd gone && rmdir ../gone && kbrules {command}")
    assert done.returncode == 2
    assert "error[KB062]: the current folder was deleted\n   help: go to a fol" in done.stderr


@pytest.mark.parametrize("name", LONG, ids=len)
def test_long_names_are_told(name: str, tmp_path: Path) -> None:
    for command in (f"check {name}", f"replay {name}", f"simulate --report {name}"):
        done = ended(tmp_path, f"kbrules {command}")
        assert done.returncode == 2 and "ile name too long" in done.stdout + done.stderr


def test_few_open_files_are_enough_or_told(tmp_path: Path) -> None:
    assert ended(tmp_path, "ulimit -n 20; kbrules check").returncode == 0
    done = ended(tmp_path, "ulimit -n 8; kbrules test --jobs 2")
    assert done.returncode == 2
    assert "Too many open files\n   help: raise the limit of open files" in done.stderr


def test_little_memory_is_told(tmp_path: Path) -> None:
    done = ended(tmp_path, "ulimit -v 60000; kbrules check")
    assert done.returncode == 2
    assert "error[KB061]: there is not enough memory\n   help: ask for less" in done.stderr


@pytest.mark.parametrize("command", ["check", "test", "fmt"])
def test_links_in_a_ring_are_told(command: str, tmp_path: Path) -> None:
    assert ended(tmp_path, "kbrules new expansion plum").returncode == 0
    (tmp_path / "plum" / "rules" / "f.kb").symlink_to("f.kb")
    done = ended(tmp_path, f"kbrules {command} plum")
    assert done.returncode and "plum/rules/f.kb:1:1: error[KB00" in done.stdout + done.stderr


def test_folders_a_thousand_deep_are_no_hindrance(tmp_path: Path) -> None:
    assert ended(tmp_path, "kbrules new expansion plum").returncode == 0
    deep = "cd plum; for i in $(seq 1200); do mkdir d; cd d; done; touch x.kb"
    subprocess.run(["bash", "-c", deep], cwd=tmp_path, check=True)
    try:
        assert ended(tmp_path, "kbrules check plum").returncode == 0
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path / "plum")], check=True)


def test_only_real_path_follows_links() -> None:
    """`Path.resolve` raises RuntimeError at a ring of links, which is no error of the system."""
    root = Path(__file__).parents[2]
    files = [*root.glob("kbrules/**/*.py"), *root.glob("cli/**/*.py")]
    assert len(files) > 50
    assert not [file for file in files if ".resolve()" in file.read_text(encoding="utf-8")]
