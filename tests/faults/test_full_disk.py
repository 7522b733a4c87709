"""Commands that run out of room: they say so by a code, old files stay, and nothing is torn."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli import app
from kbrules.library.load import load
from tests.faults.cases import Case
from tests.faults.forked import Fault, command, names, run
from tests.faults.writers import WRITERS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")

Content = dict[str, bytes]
GROWING = {"g", "s.sqlite"}
"""Files that may stay as far as they came: what is in them is good."""
TOLD = {"journal", "diff"}
"""What may not go on: a log without a header, boards that are there already."""
SIZES = (0, 700, 5_000, 300_000)
MOUNTED = ("journal", "go on", "simulate", "fix")
"""A log, a continued log, a database and rule files on a full disk; the long run has all."""
ON_A_DISK = [
    pytest.param(name, marks=() if name in MOUNTED else pytest.mark.slow) for name in WRITERS
]


def at_most(size: int) -> Fault:
    """No file may be larger; what is written over that fails as on a full disk."""

    def begin() -> None:
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))

    return begin


def prepared(case: Case, place: Path) -> tuple[Path, Content]:
    assert load("base") and app.app  # read here once, and not in each fork
    place.mkdir(parents=True, exist_ok=True)
    case.prepare(place)
    return place, content(place)


def content(folder: Path) -> Content:
    """What is in each file below a folder."""
    files = (name for name in names(folder) if (folder / name).is_file())
    return {name: (folder / name).read_bytes() for name in files}


def strike(case: Case, folder: Path, before: Content, wanted: Content, fault: Fault) -> bool:
    """Run a command that has too little room; whether it could not be done."""
    ended = run(case.work, folder, fault, case.typed)
    assert not ended.is_a_fault_of_ours, ended
    if ended.code == case.good and not ended.is_told:
        return False
    assert ended.code == 2 and ended.is_told, ended
    after = content(folder)
    grown = {name for name in after if name.split("-")[0] in GROWING}
    changed = {name for name in after.keys() | before.keys() if after.get(name) != before.get(name)}
    assert all(after.get(name) == wanted[name] for name in changed - grown), (changed, ended)
    return True


def whole_of(case: Case, place: Path) -> Content:
    folder, _ = prepared(case, place)
    assert run(case.work, folder, typed=case.typed).code == case.good
    return content(folder)


@pytest.mark.parametrize("name", WRITERS)
def test_without_room_it_says_so_and_leaves_what_was(name: str, tmp_path: Path) -> None:
    case = WRITERS[name]
    refused, wanted = 0, whole_of(case, tmp_path / "whole")
    for size in SIZES:
        folder, before = prepared(case, tmp_path / f"{name}-{size}")
        if not strike(case, folder, before, wanted, at_most(size)):
            continue
        refused += 1
        went_on = case.go_on(folder)
        assert went_on.code == case.good or (went_on.is_told and name in TOLD), (size, went_on)
        if name not in TOLD:
            assert names(folder) == names(tmp_path / "whole"), size
    assert refused


@pytest.mark.parametrize(("lines", "of_next"), [(0, 0.0), (0, 0.2), (2, 0.5), (3, 0.5)])
def test_a_log_ends_with_a_whole_line_and_the_old_one_stays_till_then(
    lines: int, of_next: float, tmp_path: Path
) -> None:
    """There is room for so many lines, and for that part of the next one."""
    case = WRITERS["journal"]
    whole = whole_of(case, tmp_path / "whole")["g"].splitlines(keepends=True)
    folder, _ = prepared(case, tmp_path / "killed")
    (folder / "g").write_bytes(b"old\n" * 300)
    before = names(folder)
    words = ("play", "--seed", "7", "--bots", "human,random", "--log", "g", "--force")
    room = len(b"".join(whole[:lines])) + int(len(whole[lines]) * of_next)
    ended = run(command(*words), folder, at_most(room), case.typed)
    assert ended.code == 2 and ended.is_told, ended
    assert (folder / "g").read_bytes() == (b"".join(whole[:lines]) or b"old\n" * 300)
    assert names(folder) == before


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own, which only root can have."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "kbrules-test", str(place)]
    if os.getuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.parametrize("name", ON_A_DISK)
def test_on_a_full_disk_it_is_the_same(name: str, disk: Path, tmp_path: Path) -> None:
    case, refused = WRITERS[name], 0
    wanted = whole_of(case, tmp_path / "whole")
    for left in (0, 8, 64, 512):
        place = disk / str(left)
        folder, before = prepared(case, place)
        fill(disk, left * 1024)
        is_refused = strike(case, folder, before, wanted, lambda: None)
        (disk / "filler").unlink()
        if is_refused:
            refused += 1
            went_on = case.go_on(folder)
            assert went_on.code == case.good or (went_on.is_told and name in TOLD), went_on
        subprocess.run(["rm", "-r", str(place)], check=True)
    assert refused


def fill(disk: Path, left: int) -> None:
    """Leave only so many bytes on a disk."""
    status = os.statvfs(disk)
    with (disk / "filler").open("wb") as file:
        file.write(bytes(max(0, status.f_bavail * status.f_frsize - left)))
