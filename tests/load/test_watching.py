"""Two days of editing before `check --watch`, an edit a minute: it grows no more on the second."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest

from kbrules.project.project import Project
from kbrules.tools.check import checked
from tests.load.programs import CARD, cards_box, environment, program

DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class Holding:
    """What a process holds: MiB in memory, open files and threads."""

    memory: float
    files: int
    threads: int


def holding(process: int) -> Holding:
    """What a process holds now."""
    folder = Path(f"/proc/{process}")
    lines = (folder / "status").read_text().splitlines()
    facts = dict(line.split(":", 1) for line in lines)
    files = min(len(list((folder / "fd").iterdir())) for _ in range(50))  # one may be read just now
    return Holding(int(facts["VmRSS"].split()[0]) / 1024, files, int(facts["Threads"]))


Edit = Callable[[Path], object]


def slip(box: Path) -> None:
    (box / "rules" / "cards_0.kb").write_text("card keeper_0\n", encoding="utf-8")


def mend(box: Path) -> None:
    texts = [CARD.format(number=n, gold=n % 9 + 1) for n in range(50)]
    (box / "rules" / "cards_0.kb").write_text("\n".join(texts), encoding="utf-8")


def add(box: Path) -> None:
    text = 'define more "More.": mine\n'
    (box / "rules" / "more.kb").write_text(text, encoding="utf-8")


def remove(box: Path) -> None:
    (box / "rules" / "more.kb").unlink()


def retitle(box: Path) -> None:
    """Change the manifest: another title each time."""
    manifest = box / "expansion.yaml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("title: Keepers", "title: Keepers of", 1), encoding="utf-8")


def untitle(box: Path) -> None:
    manifest = box / "expansion.yaml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("title: Keepers of", "title: Keepers", 1), encoding="utf-8")


EDITS: tuple[tuple[Edit, str], ...] = (
    (slip, "KB107"), (mend, ""), (add, "KB702"), (remove, ""), (retitle, ""), (untitle, ""),
)  # fmt: skip


def test_nothing_is_kept_of_files_as_they_were(tmp_path: Path) -> None:
    """In this process: the cache holds no more after many edits than after few."""
    box = cards_box(tmp_path, 50)
    project = Project([box])
    kept: list[int] = []
    for _ in range(20):
        for edit, _ in EDITS:
            edit(box)
            project = project.refreshed()
            checked(project)
        kept.append(project.texts.store.count())
    assert kept[3:] == [kept[3]] * len(kept[3:])


@contextmanager
def watched(box: Path) -> Iterator[tuple[int, Callable[[], str]]]:
    """`check --watch` on a box: its process, and what waits for the next report."""
    with (box.parent / "found.txt").open("w") as found:
        child = subprocess.Popen(
            [*program("check", box.name, "--watch", "--output-format", "jsonl")],
            cwd=box.parent,
            env=environment(box.parent),
            stdout=found,
            stderr=subprocess.PIPE,
            text=True,
        )
    lines: Queue[str] = Queue()
    assert child.stderr is not None
    pipe = child.stderr
    Thread(target=lambda: [lines.put(line) for line in pipe], daemon=True).start()
    try:
        yield child.pid, lambda: lines.get(timeout=60)
    finally:
        child.terminate()
        child.wait(30)
        child.stderr.close()


@pytest.mark.slow
def test_a_day_of_edits_leaves_nothing_behind(tmp_path: Path) -> None:
    box = cards_box(tmp_path, 50)
    held: dict[int, Holding] = {}
    with watched(box) as (process, report):
        report()
        for number in range(1, 2 * DAY + 1):
            EDITS[number % len(EDITS) - 1][0](box)
            while "changed" not in report():
                pass
            if number in (DAY, 2 * DAY):
                held[number] = holding(process)
    first, second = held[DAY], held[2 * DAY]
    print(f"after a day {first}, after two {second}")
    found = (tmp_path / "found.txt").read_text(encoding="utf-8")
    assert found.count('"KB107"') >= 2 * DAY // len(EDITS)
    assert second.memory < 1.02 * first.memory
    assert (second.files, second.threads) == (first.files, first.threads)
