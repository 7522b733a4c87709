"""Looking for changes: every kind of save is seen, once, and nothing that happens breaks it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kbrules.tools.checking.watch.looking import LONGEST_BURST, Looker, places


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


def looker(folder: Path, *acts: Callable[[], object]) -> Looker:
    """One that does something in each of its pauses, and then nothing more."""
    left = list(acts)
    return Looker([folder], lambda _: left.pop(0)() if left else None)


def names(changed: set[Path]) -> list[str]:
    return sorted(path.name for path in changed)


def test_only_what_can_be_checked_is_looked_at(dale: Path) -> None:
    assert names(set(Looker([dale]).seen)) == ["a.kb", "a.scenario.yaml", "b.kb", "expansion.yaml"]


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
    looking = looker(dale, lambda: act(dale))
    found = names(looking.wait(1))
    assert [name for name in found if name != "expansion.yaml"] == changed
    assert looking.wait(0.2) == set()


def test_a_folder_that_is_gone_and_comes_back(dale: Path) -> None:
    away = dale.with_name("away")
    looking = looker(dale, lambda: dale.rename(away))
    assert len(looking.wait(1)) == 4 and looking.seen == {}
    looking = looker(dale, lambda: away.rename(dale))
    assert len(looking.wait(1)) == 4 and len(looking.seen) == 4


def test_files_that_are_saved_together_are_one_change(dale: Path) -> None:
    saves = [
        lambda n=n: (dale / "rules" / f"{'ab'[n % 2]}.kb").write_text("#" * (n + 3))
        for n in range(6)
    ]
    assert names(looker(dale, *saves).wait(1)) == ["a.kb", "b.kb"]


def test_a_file_that_is_never_finished_is_not_waited_for(dale: Path) -> None:
    written: list[int] = []

    def write() -> None:
        written.append((dale / "rules" / "a.kb").write_text("#" * (len(written) + 3)))

    looking = looker(dale, *[write] * 1000)
    assert names(looking.wait(1)) == ["a.kb"]
    assert len(written) <= LONGEST_BURST + 1


def test_no_pause_is_long_and_looking_takes_little_of_the_time(dale: Path) -> None:
    pauses: list[float] = []
    Looker([dale], pauses.append).wait(0.5)
    assert pauses and min(pauses) >= 0.02


def test_the_folder_of_a_file_is_looked_at_too(dale: Path, monkeypatch) -> None:
    monkeypatch.chdir(dale.parent)
    asked = Path("dale/rules/a.kb")
    assert places([asked], [Path("vale")]) == [
        asked.absolute(), dale, dale.parent / "vale",
    ]  # fmt: skip
    assert dale in places([Path("dale/rules")], [])
    monkeypatch.chdir(dale)
    assert dale in places([], [])
