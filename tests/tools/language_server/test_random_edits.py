"""Random edits end in what `kbrules check` says of the same texts on disk, with nothing logged."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from lsprotocol import types

from kbrules.diagnostics import Diagnostic
from kbrules.project.project import Project
from kbrules.tools.check import checked
from kbrules.tools.lint.run import LintSettings
from tests.example_games import write_files
from tests.tools.language_server.editor import Editor, Partial, editor

PIECES = [
    *"(){}[]|:,.#\"'&-+*<>=\n\t 0a",
    *("\r\n", "\r", "    ", "\n    ", "\u2028", "\ufeff", "\x00", "é", "😀", "x" * 200),
    *("mine", "adjacent(", "gold 1", "rule ", "cards: [", "- expect: {", "id: base\n"),
    'card mill "Mill":\n    "It pays."\n    gold 1 per hex in mine\n',
    'example "e":\n        | .a .\n        gives 1\n',
    "define d: mine\n",
]
SETTINGS = ["", 'ignore = ["KB703"]\n', 'select = ["KB703"]\n', "samples = 40\n", "ignore = 3\n"]
DALE = ("dale/rules/dale.kb", "dale/expansion.yaml", "dale/scenarios/first.scenario.yaml")
HILL = {
    "hill/expansion.yaml": (
        "format: 1\nid: hill\ntitle: The Hill\nneeds: [base, dale]\ncards: [sentries]\n"
    ),
    "hill/rules/hill.kb": (
        'card sentries "Sentries":\n    "Two gold for each lone piece."\n'
        "    gold 2 per hex in lone\n"
        "    example:\n        | .a .  .a\n        gives 4\n"
        'define idle "Nobody uses it.":\n    mine & lone\n'
    ),
    "kbrules.toml": SETTINGS[1],
}
"""A box that needs the other one, and settings of both."""
LONE = '\ndefine lone "Pieces that touch no other.":\n    mine - adjacent(mine)\n'
MOST_MEMORY = 300 * 1024  # kB
Place = tuple[str, int, int, str]


class Typist:
    """Edits texts at random, the same for one seed, and sends each edit as a client would."""

    def __init__(self, desk: Editor, paths: list[Path], seed: int) -> None:
        self.desk, self.random = desk, random.Random(seed)
        self.first = {path: path.read_text(encoding="utf-8") for path in paths}
        self.texts = dict(self.first)
        self.before: dict[Path, list[str]] = {path: [] for path in paths}
        for path in paths:
            if path.suffix != ".toml":
                desk.open(path, self.texts[path])

    def edit(self) -> None:
        """One edit of one text."""
        choose, path = self.random, self.random.choice([*self.texts])
        text = self.texts[path]
        if path.suffix == ".toml":
            self._save(path, choose.choice(SETTINGS))
            return
        if self.before[path] and choose.random() < 0.45:
            self._send(path, self.before[path].pop())
            return
        if len(self.before[path]) > 8:  # begin anew, before it is noise all over
            self.before[path].clear()
            self._send(path, self.first[path])
            return
        self.before[path].append(text)
        start = choose.randrange(len(text) + 1)
        end = min(len(text), start + choose.choice([0, 0, 0, 1, 2, 9, 60]))
        self._send(path, text[:start] + self._piece(text) + text[end:], (start, end))

    def _save(self, path: Path, text: str) -> None:
        """Settings are told by the disk."""
        self.texts[path] = text
        path.write_text(text)
        self.desk.disk(path)

    def _piece(self, text: str) -> str:
        choose = self.random
        if choose.random() < 0.3:
            start = choose.randrange(len(text) + 1)
            return text[start : start + choose.randrange(80)]
        return choose.choice(PIECES) if choose.random() < 0.8 else ""

    def _send(self, path: Path, text: str, changed: tuple[int, int] | None = None) -> None:
        old, self.texts[path] = self.texts[path], text
        if changed is None or self.random.random() < 0.3:
            self.desk.write(path, text)
            return
        start, end = changed
        new = text[start : len(text) - (len(old) - end)]
        places = [position(old, offset) for offset in (start, end)]
        if None in places:  # within a pair that ends a line there is no place
            self.desk.write(path, text)
        else:
            self.desk.change(path, Partial(types.Range(*places), new))  # type: ignore[arg-type]


def position(text: str, offset: int) -> types.Position | None:
    """The place of an offset, counted in a slow way."""
    if text[offset - 1 : offset + 1] == "\r\n" and offset:
        return None
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return types.Position(len(before) - 1, len(before[-1].encode("utf-16-le")) // 2)


def all_found(texts: dict[str, str], fresh: Path) -> list[Place]:
    """What `kbrules check` says of texts in a folder where nothing was before."""
    for name, text in texts.items():
        (fresh / name).parent.mkdir(parents=True, exist_ok=True)
        (fresh / name).write_bytes(text.encode())
    found = checked(Project([fresh]), LintSettings()).all
    return sorted(place for each in found for place in placed(each, fresh))


def placed(finding: Diagnostic, folder: Path) -> Iterator[Place]:
    span, path = finding.span, Path(finding.span.source.name).resolve()
    if path.is_relative_to(folder):
        column = span.source.line_text(span.line)[: span.column - 1]
        units = len(column.encode("utf-16-le")) // 2
        yield str(path.relative_to(folder)), span.line - 1, units, finding.code


def shown(desk: Editor, folder: Path, texts: dict[str, str]) -> list[Place]:
    """The findings that the editor shows for the files of a folder."""
    return sorted(
        (name, each.range.start.line, each.range.start.character - mark, str(each.code))
        for name, text in texts.items()
        for each in desk.found(folder / name)
        for mark in [int(text.startswith("\ufeff") and each.range.start.line == 0)]
    )


def memory(desk: Editor) -> int:
    """The memory that the server has now, in kB."""
    assert desk.client._server is not None
    status = Path(f"/proc/{desk.client._server.pid}/status").read_text()
    return int(status[status.index("VmRSS:") :].split()[1])


def run(folder: Path, names: Sequence[str], seed: int, edits: int, every: int) -> None:
    """Edit files of a folder at random; from time to time compare what is shown with a check."""
    log = folder.with_name("log")
    with editor(log) as desk:
        desk.begin([folder])
        typist = Typist(desk, [folder / name for name in names], seed)
        found = 0
        for number in range(1, edits + 1):
            typist.edit()
            if typist.random.random() < 0.05:
                time.sleep(typist.random.random() * 0.2)
            if number % every == 0:
                desk.idle()
                texts = {name: typist.texts[folder / name] for name in names}
                fresh = folder.with_name(f"fresh-{number}") / folder.name
                seen = shown(desk, folder, texts)
                assert seen == all_found(texts, fresh), (seed, number, texts)
                found += len(seen)
                shutil.rmtree(fresh.parent)
                assert memory(desk) < MOST_MEMORY
        print(f"{edits} edits, {found} findings compared, {memory(desk) / 1024:.0f} MB")
        assert found
        assert desk.end() == 0
        assert log.read_text() == ""


@pytest.fixture
def one_box(tmp_path: Path, pattern: Path) -> Path:
    """A workspace with an expansion."""
    folder = tmp_path.resolve() / "one"
    shutil.copytree(pattern, folder / "dale")
    return folder


@pytest.fixture
def two_boxes(one_box: Path) -> Path:
    """The same with another one that needs it, and settings."""
    write_files(one_box, HILL)
    rules = one_box / DALE[0]
    rules.write_text(rules.read_text(encoding="utf-8") + LONE, encoding="utf-8")
    return one_box


def test_some_edits(one_box: Path) -> None:
    run(one_box, DALE, 1, 100, 20)


def test_some_edits_of_two_boxes(two_boxes: Path) -> None:
    run(two_boxes, (*DALE, *HILL), 3, 80, 20)


@pytest.mark.slow
def test_many_edits(one_box: Path) -> None:
    run(one_box, DALE, 7, 10_000, 100)


@pytest.mark.slow
def test_many_edits_of_two_boxes(two_boxes: Path) -> None:
    run(two_boxes, (*DALE, *HILL), 11, 10_000, 100)
