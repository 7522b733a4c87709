"""Commands that may not read or write, and are not root: they say so by a code, and go on after."""

from __future__ import annotations

import codecs
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

from tests.faults.cases import dale
from tests.faults.forked import Ended, command, run
from tests.faults.test_full_disk import content, prepared, whole_of
from tests.faults.writers import WRITERS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such rights")

NOBODY = 65534
READERS = {
    "check": ("check", "dale", "--samples", "0"),
    "fmt": ("fmt", "dale"),
    "test": ("test", "dale"),
    "play": ("play", "--with", "dale", "--bots", "random", "--no-log", "--seed", "7"),
    "go on": ("play", "--continue", "a.kblog", "--with", "dale"),
    "usual log": ("play", "--bots", "human,random", "--seed", "7"),
    "replay": ("replay", "a.kblog", "--with", "dale"),
    "simulate": ("simulate", "--with", "dale", "--no-file", "--games", "2"),
    "report": ("simulate", "--report", "s.sqlite"),
    "balance": ("balance", "rowers", "--with", "dale", "--no-file", "--games", "2"),
    "card": ("balance", "dale/rules/dale.kb", "--games", "2"),
    "docs": ("docs", "dale"),
    "coverage": ("docs", "--coverage", "c.json"),
    "cards": ("cards", "--with", "dale"),
    "show": ("show", "card", "rowers", "--with", "dale"),
    "scenario": ("show", "scenario", "dale/scenarios/mill.scenario.yaml"),
    "shown log": ("show", "log", "a.kblog", "--with", "dale"),
    "why": ("why", "a.kblog", "red", "--with", "dale"),
    "diff": ("diff", "dale", "dale", "--positions", "1", "--games", "0"),
    "new": ("new", "section", "north", "--into", "dale"),
    "page": (),
    "cache": ("cache",),
    "clear": ("cache", "--clear"),
}  # fmt: skip
OPEN = {"page", "cache", "clear", "usual log"}
"""Those that do not need what they may not read."""


def as_nobody() -> None:
    """Give up the rights of root, and look for nothing in its home."""
    os.environ["XDG_CACHE_HOME"] = "cache"
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder to which everybody has a way."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    for each in [folder, *folder.rglob("*")]:
        if each.is_dir() and not each.is_symlink():
            each.chmod(0o755)
    shutil.rmtree(folder)


def given_to_nobody(folder: Path, file: int, of_folder: int) -> None:
    """Everything below a folder, and the folder itself, with these rights for its owner."""
    for each in sorted([folder, *folder.rglob("*")], reverse=True):
        if os.getuid() == 0:
            os.chown(each, NOBODY, NOBODY)
        each.chmod(of_folder if each.is_dir() else file)


@pytest.mark.parametrize("name", WRITERS)
def test_nothing_is_written_into_a_folder_that_is_read_only(name: str, place: Path) -> None:
    case = WRITERS[name]
    everything_imported()
    folder, before = prepared(case, place / "work")
    given_to_nobody(folder, 0o444, 0o555)
    ended = run(case.work, folder, as_nobody, case.typed)
    assert ended.code == 2 and ended.is_told, ended
    assert content(folder) == before
    given_to_nobody(folder, 0o644, 0o755)
    went_on = run(case.work, folder, as_nobody, case.typed)
    assert went_on.code == case.good, went_on
    assert content(folder).keys() == whole_of(case, place / "whole").keys()


RIGHTS: dict[str, Callable[[Path], None]] = {
    "no file": lambda folder: given_to_nobody(folder, 0o000, 0o755),
    "no folder": lambda folder: given_to_nobody(folder, 0o644, 0o000),
    "no list": lambda folder: given_to_nobody(folder, 0o644, 0o311),
    "no way": lambda folder: given_to_nobody(folder, 0o644, 0o644),
}


def laid(folder: Path) -> None:
    from tests.engine.games import logged

    everything_imported()
    folder.mkdir()
    dale(folder)
    (folder / "cache" / "kbrules" / "native" / ("0" * 32)).mkdir(parents=True)
    for name in ("a.kblog", "game.kblog"):
        (folder / name).write_text(logged(7).text, encoding="utf-8")
    for name in ("s.sqlite", "c.json"):
        (folder / name).write_text("{}", encoding="utf-8")


@cache
def everything_imported() -> None:
    """The library lies where nobody else may look, perhaps: what a command needs is read before."""
    for package in ("kbrules", "cli"):
        for module in walk_packages(import_module(package).__path__, f"{package}."):
            if ".native." not in module.name:
                with suppress(ImportError):
                    import_module(module.name)
    for name in ("colorsys", "concurrent.futures.process", "rich.progress", "rich.color"):
        import_module(name)
    for encoding in ("utf-8-sig", "us-ascii", "latin-1", "idna"):
        codecs.lookup(encoding)


def read(name: str, folder: Path) -> Ended:
    return run(command(*READERS[name]), folder, as_nobody, "quit\n")


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("rights", RIGHTS)
def test_what_may_not_be_read_is_told(rights: str, name: str, place: Path) -> None:
    folder = place / "work"
    laid(folder)
    RIGHTS[rights](folder)
    folder.chmod(0o755)
    ended = read(name, folder)
    assert not ended.is_a_fault_of_ours, ended
    if rights in ("no file", "no folder") and name not in OPEN:
        assert ended.is_told and ended.code in (1, 2), ended


@pytest.mark.parametrize("name", READERS)
def test_a_folder_that_hides_itself_is_no_fault_of_ours(name: str, place: Path) -> None:
    folder = place / "work"
    laid(folder)
    given_to_nobody(folder, 0o000, 0o000)
    ended = read(name, folder)
    assert not ended.is_a_fault_of_ours, ended
