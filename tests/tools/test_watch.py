"""Looking for changes: every kind of save is seen, once, and nothing that happens breaks it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from time import perf_counter, sleep

import pytest

from kbrules.tools.testing import (
    MOST_SCANS,
    SETTLED,
    FileWatcher,
    watched_paths,
    watcher_of,
)


def author(folder: Path) -> Path:
    """An author's folder of four files that matter and two that do not."""
    for name in ("expansion.yaml", "rules/a.kb", "rules/b.kb", "scenarios/a.scenario.yaml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("#\n")
    (folder / "README.md").write_text("#\n")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "c.kb").write_text("#\n")
    return folder


@pytest.fixture
def dale(tmp_path: Path) -> Path:
    return author(tmp_path / "dale")


def watcher(folder: Path, *acts: Callable[[], object]) -> FileWatcher:
    """One that does something in each of its pauses, and then nothing more."""
    left = list(acts)
    return FileWatcher([folder], lambda _: left.pop(0)() if left else None)


def names(changed: set[Path]) -> list[str]:
    return sorted(path.name for path in changed)


def test_only_what_can_be_checked_is_looked_at(dale: Path) -> None:
    assert names({*FileWatcher([dale]).stamps}) == [
        "a.kb",
        "a.scenario.yaml",
        "b.kb",
        "expansion.yaml",
    ]


@pytest.mark.parametrize(
    ("act", "changed"),
    [
        (lambda dale: (dale / "rules/a.kb").write_text("# longer\n"), ["a.kb"]),
        (lambda dale: os.utime(dale / "rules/a.kb", ns=(1, 1)), ["a.kb"]),
        (lambda dale: (dale / "rules/a.kb").unlink(), ["a.kb"]),
        (lambda dale: (dale / "rules/c.kb").write_text("#\n"), ["c.kb"]),
        (lambda dale: (dale / "rules/a.kb").rename(dale / "rules/c.kb"), ["a.kb", "c.kb"]),
        (lambda dale: (dale / "rules/a.kb").replace(dale / "rules/b.kb"), ["a.kb", "b.kb"]),
        (lambda dale: (dale / "rules").rename(dale / "words"), ["a.kb", "a.kb", "b.kb", "b.kb"]),
        (lambda dale: author(dale / "more") / "x", ["a.kb", "a.scenario.yaml", "b.kb"]),
        (lambda dale: (dale / "README.md").write_text("new\n"), []),
        (lambda dale: (dale / ".hidden" / "c.kb").write_text("new\n"), []),
    ],
)
def test_each_change_is_seen_once(
    dale: Path, act: Callable[[Path], object], changed: list[str]
) -> None:
    looking = watcher(dale, lambda: act(dale))
    found = names(looking.wait(1))
    assert [name for name in found if name != "expansion.yaml"] == changed
    assert looking.wait(0.2) == set()


def test_a_folder_that_is_gone_and_comes_back(dale: Path) -> None:
    away = dale.with_name("away")
    looking = watcher(dale, lambda: dale.rename(away))
    assert len(looking.wait(1)) == 4 and looking.stamps == {}
    looking = watcher(dale, lambda: away.rename(dale))
    assert len(looking.wait(1)) == 4 and len(looking.stamps) == 4


def test_files_that_are_saved_together_are_one_change(dale: Path) -> None:
    saves = [
        lambda n=n: (dale / "rules" / f"{'ab'[n % 2]}.kb").write_text("#" * (n + 3))
        for n in range(6)
    ]
    assert names(watcher(dale, *saves).wait(1)) == ["a.kb", "b.kb"]


def test_a_file_that_is_never_finished_is_not_waited_for(dale: Path) -> None:
    written: list[int] = []

    def write() -> None:
        written.append((dale / "rules" / "a.kb").write_text("#" * (len(written) + 3)))

    looking = watcher(dale, *[write] * 1000)
    assert names(looking.wait(1)) == ["a.kb"]
    assert len(written) <= MOST_SCANS + 1


@pytest.mark.parametrize("of", [FileWatcher, watcher_of])
def test_a_half_written_file_is_waited_for(
    dale: Path, of: Callable[[list[Path]], FileWatcher]
) -> None:
    """An editor that writes in two parts is one change; the file is whole when it is told."""
    watcher, whole = of([dale]), "# first\n# second\n"

    def write() -> None:
        with (dale / "rules" / "a.kb").open("w") as file:
            for line in whole.splitlines(keepends=True):
                sleep(SETTLED / 3)
                file.write(line)
                file.flush()

    writer = Thread(target=write)
    writer.start()
    assert names(watcher.wait(5)) == ["a.kb"]
    assert (dale / "rules" / "a.kb").read_text() == whole
    writer.join()


def test_without_the_extra_the_times_are_read(dale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert watcher_of([dale]).pause is not sleep
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    assert watcher_of([dale]).pause is sleep


def test_the_system_ends_a_pause(dale: Path) -> None:
    """A pause of a minute ends with the save, and so does one over a path that is not there."""
    watcher = watcher_of([dale, dale / "gone"])
    watcher.pause(0.1)
    Thread(target=lambda: (sleep(0.2), (dale / "rules" / "a.kb").write_text("new\n"))).start()
    begun = perf_counter()
    watcher.pause(60)
    assert perf_counter() - begun < 30
    assert names(watcher.wait(5)) == ["a.kb"]


def test_no_pause_is_long_and_looking_takes_little_of_the_time(dale: Path) -> None:
    pauses: list[float] = []
    FileWatcher([dale], pauses.append).wait(0.5)
    assert pauses and min(pauses) >= 0.02


def test_the_folder_of_a_file_is_looked_at_too(dale: Path, monkeypatch) -> None:
    monkeypatch.chdir(dale.parent)
    asked = Path("dale/rules/a.kb")
    assert watched_paths([asked], [Path("vale")]) == [
        asked.absolute(), dale, dale.parent / "vale",
    ]  # fmt: skip
    assert dale in watched_paths([Path("dale/rules")], [])
    monkeypatch.chdir(dale)
    assert dale in watched_paths([], [])
