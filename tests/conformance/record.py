"""`python -m tests.conformance.record` writes the corpus anew, the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial

from kbrules.tools.conform import ConformanceRunner
from tests.conformance import prints, rulings, twins
from tests.conformance.book import Book, files
from tests.source_tree import ROOT

FOLDER = ROOT / "conformance"
GAMES, SCATTERED, PLAYED = range(12), range(24), range(8)


def _base(book: Book) -> None:
    for seed in GAMES:
        twins.record(book, twins.base_walk(seed), every=11, turns=4)


def _scattered(book: Book) -> None:
    for seed in SCATTERED:
        twins.record(book, twins.boxes_walk(seed, played=False), every=1, turns=1)


def _played(book: Book) -> None:
    for seed in PLAYED:
        twins.record(book, twins.boxes_walk(seed, played=True), every=13, turns=3)


FILES: Mapping[str, Callable[[Book], None]] = {
    "base-games": _base,
    "examples": partial(prints.record, path=ROOT / "rules"),
    "mixed-games": _played,
    "mixed-positions": _scattered,
    "rulings": partial(rulings.record_all, paths=[ROOT / "tests" / "scenarios"]),
    "scenarios": partial(prints.record, path=ROOT / "tests" / "scenarios"),
}


def made(name: str) -> Book:
    """The book of a file; only what the reference answers as was recorded is in it."""
    book = Book()
    FILES[name](book)
    for result in ConformanceRunner(files=files()).run(book.file()):
        if not result.passed:
            print(f"left out: {result.id}: {dict(result.differences)}", file=sys.stderr)
            del book.cases[result.id]
    return book


def main() -> None:
    """Write all files, or those that are named."""
    for name in sys.argv[1:] or FILES:
        book = made(name)
        (FOLDER / f"{name}.json").write_text(book.text(), encoding="utf-8", newline="\n")
        print(f"{name}: {len(book.cases)} cases")


if __name__ == "__main__":
    main()
