"""The commands that are disturbed: what they begin with, what they write, what must hold then."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kbrules.engine.logs.writing import LogFile
from kbrules.tools.docs.site import publish
from tests.faults.forked import Ended, command, names, run
from tests.source_tree import DALE

__all__ = ["CASES", "Case", "Held", "dale"]

UGLY = 'card  rowers "Rowers" :\n  "One gold each."\n  gold 1 per hex in (mine)\n'
KERNEL = """
W = 1
FULL = STATE = 0

def kernel(M: Memory, what: int, n: int, seeds: Memory, out: Memory) -> int:
    return what + 3 * n
"""
Held = Mapping[str, bytes]


@dataclass(frozen=True)
class Case:
    """A command in which something goes wrong.

    prepare: lays a folder. work: what goes wrong, given what is typed. again: what comes next and
    must end with the code `good`. wholes: what of the folder is old or new as one: names of files
    and folders. said: what it says, as far as that is the same every time.
    """

    prepare: Callable[[Path], None]
    work: Callable[[], None]
    again: Callable[[], None]
    wholes: tuple[str, ...] = ()
    typed: str = ""
    good: int = 0
    check: Callable[[Path, Path], None] = field(default=lambda folder, whole: None)
    rows: Callable[[Path], object] = field(default=lambda folder: None)

    def held(self, folder: Path) -> dict[str, Held]:
        """What is in each of the wholes: files by their names."""
        return {name: _held(folder / name) for name in self.wholes}

    def go_on(self, folder: Path) -> Ended:
        """Run the next command."""
        return run(self.again, folder, typed="quit\n" if self.typed else "")


def _held(path: Path) -> Held:
    if path.is_file():
        return {"": path.read_bytes()}
    return {name: (path / name).read_bytes() for name in names(path) if (path / name).is_file()}


def dale(folder: Path) -> None:
    """An expansion of a few things."""
    shutil.copytree(DALE, folder / "dale")


def _ugly(folder: Path) -> None:
    for letter in "abc":
        text = UGLY.replace("rowers", f"rowers_{letter}")
        (folder / f"{letter}.kb").write_text(text, encoding="utf-8")


def _with_old(name: str) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        dale(folder)
        (folder / name).write_text("old\n", encoding="utf-8")

    return prepare


def _old_site(folder: Path) -> None:
    dale(folder)
    publish({"a.html": "old", "b/c.html": "old"}, folder / "site")


def _journal_is_a_beginning(folder: Path, whole: Path) -> None:
    log = folder / "g"
    assert not log.exists() or (whole / "g").read_bytes().startswith(log.read_bytes())


def _games(folder: Path, whole: Path) -> None:
    """The file of games is sound, and what is in it is in the one of the whole run."""
    assert _rows(folder) <= _rows(whole)


def _rows(folder: Path) -> set[tuple[object, ...]]:
    """What lies in the tables of a copy; what a killed writer left beside the file counts."""
    file = folder / "s.sqlite"
    held = file.parent.with_name(f"{file.parent.name}.copy")
    shutil.rmtree(held, ignore_errors=True)
    held.mkdir()
    for each in file.parent.glob(f"{file.name}*"):
        shutil.copy(each, held)
    if not file.exists():
        return set()
    db = sqlite3.connect(held / file.name)
    try:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
        return {
            (table, *row)
            for table in tables - {"spans"}  # how many deals go into one depends on the time
            for row in db.execute(f"SELECT * FROM {table}")
        }
    finally:
        db.close()


def _locked() -> None:
    with LogFile(Path("g")) as log:
        log.write("one\n")
        log.write("two\n")


def _nothing(folder: Path) -> None:
    assert folder.is_dir()


def _compile() -> None:
    from kbrules.kernel.native import jit

    os.environ["XDG_CACHE_HOME"] = "cache"
    assert jit.compile_kernel(KERNEL)(1, 2, 4, 1, 1) == 14


def _twice() -> None:
    """Once for the folder, and once with what is kept there."""
    _compile()
    _compile()


def _case(*words: str, prepare: Callable[[Path], None] = dale, **more: object) -> Case:
    work = command(*words)
    return Case(prepare, work, **{"again": work, **more})  # type: ignore[arg-type]


_SEVEN = ("play", "--seed", "7", "--quiet", "--force")
_DEALS = ("--with", "dale", "--bots", "random", "--into", "s.sqlite", "--jobs", "1")
CASES = {
    "fmt": _case("fmt", prepare=_ugly, wholes=("a.kb", "b.kb", "c.kb")),
    "check": _case(
        "check", "dale", "--samples", "0", "--output-format", "json", "--output-file", "r.json",
        prepare=_with_old("r.json"), wholes=("r.json",), good=1,
    ),
    "play": _case(
        *_SEVEN, "--bots", "random", prepare=_with_old("game.kblog"), wholes=("game.kblog",)
    ),
    "journal": _case(
        "play", "--seed", "7", "--bots", "human,random", "--log", "g",
        typed="e19\nf19\ng19\nquit\n",
        again=command("play", "--continue", "g"), check=_journal_is_a_beginning,
    ),
    "simulate": _case(
        "simulate", "--card", "rowers", "--games", "6", *_DEALS, check=_games, rows=_rows
    ),
    "balance": _case("balance", "rowers", "--games", "4", *_DEALS, check=_games, rows=_rows),
    "docs": _case("docs", "dale", "--output", "site", prepare=_old_site, wholes=("site",)),
    "lock": Case(_nothing, _locked, _locked),
    "kernel": Case(_nothing, _twice, _twice),
}  # fmt: skip
