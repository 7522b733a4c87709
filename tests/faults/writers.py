"""The other commands that write files; those of `cases` are ended by signals too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.engine.games import logged
from tests.faults.cases import CASES, Case, dale
from tests.faults.forked import command

__all__ = ["WRITERS"]


def _case(*words: str, prepare: Callable[[Path], None] = dale, good: int = 0,
          wholes: tuple[str, ...] = ()) -> Case:  # fmt: skip
    work = command(*words)
    return Case(prepare, work, work, wholes, good=good)


def _old(*files: str) -> Callable[[Path], None]:
    """An expansion, a log, and files with something else in them."""

    def prepare(folder: Path) -> None:
        dale(folder)
        (folder / "a.kblog").write_text(logged(7).text, encoding="utf-8")
        for file in files:
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_text("old\n", encoding="utf-8")

    return prepare


def _twofold(folder: Path) -> None:
    """An expansion with something that can be mended."""
    dale(folder)
    rules = folder / "dale" / "rules" / "dale.kb"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("mine & heath if", "mine & heath & mine if"), encoding="utf-8")


def _cut_off(folder: Path) -> None:
    """The log of a game that was broken off within a line."""
    whole = logged(7)
    text = "".join(whole.lines[:30]) + whole.lines[30][:40]
    (folder / "g").write_text(text.replace('"any"', '"random"'), encoding="utf-8")


def _two(folder: Path) -> None:
    dale(folder)
    (folder / "dale").rename(folder / "old")
    dale(folder)
    rules = folder / "dale" / "rules" / "dale.kb"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("gold 2 per lake", "gold 3 per lake"), encoding="utf-8")


WRITERS = {
    **{name: CASES[name] for name in ("fmt", "check", "play", "journal", "simulate", "balance")},
    "docs": CASES["docs"],
    "go on": _case("play", "--continue", "g", "--quiet", prepare=_cut_off),
    "page": _case("simulate", "--games", "2", "--bots", "random", "--jobs", "1", "--no-file",
                  "--html", "r.html", prepare=_old("r.html"), wholes=("r.html",)),
    "cards": _case("cards", "rowers", "--with", "dale", "--svg", "cards",
                   prepare=_old("cards/rowers.svg"), wholes=("cards/rowers.svg",)),
    "replay": _case("show", "log", "a.kblog", "--html", "r.html", "--svg", "r.svg",
                    prepare=_old("r.html", "r.svg"), wholes=("r.html", "r.svg")),
    "expansion": _case("new", "expansion", "orchard", wholes=("orchard",)),
    "section": _case("new", "section", "north", "--into", "dale", wholes=("dale",)),
    "diff": _case("diff", "old", "dale", "--positions", "48", "--games", "0",
                  "--scenarios", "found", prepare=_two, good=1),
    "coverage": _case("test", "dale", "--coverage-json", "c.json", "--output-format", "junit",
                      "--output-file", "r.xml", prepare=_old("c.json", "r.xml"),
                      wholes=("c.json", "r.xml")),
    "fix": _case("check", "dale", "--samples", "0", "--fix",
                 prepare=_twofold, wholes=("dale",), good=1),
}  # fmt: skip
