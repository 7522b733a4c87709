"""Saves are seen, each once, and little is run again for them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from time import perf_counter, sleep

import pytest

import kbrules.library.load as load
import kbrules.library.store as files
from kbrules.project.project import Project
from kbrules.scenario.running import run_all
from kbrules.tools.check import checked
from kbrules.tools.testing import (
    MOST_SCANS,
    SETTLED,
    FileWatcher,
    Request,
    Rerunner,
    RunSummary,
    watched_paths,
    watcher_of,
)
from tests.cli.test_check import BOX, ROWERS, SCENARIO, WORDS
from tests.collecting import collect
from tests.example_games import write_files


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
    hill = dale.parent / "hill"  # it needs a box that is next to it
    needs = "format: 1\nid: hill\ntitle: The Hill\nneeds: [dale]\n"
    write_files(hill, {"expansion.yaml": needs})
    write_files(dale, {"expansion.yaml": "format: 1\nid: dale\ntitle: The Dale\n"})
    assert watched_paths([Path("hill")], []) == [hill, dale]
    monkeypatch.chdir(dale)
    assert dale in watched_paths([], [])


MILLERS = """\
card millers "Millers":
    "One gold for each of your pieces next to another."
    gold 1 per hex in mine & close
    example:
        | Ga Ga G
        |  G  G  G
        gives 2
"""
OTHER = SCENARIO.replace("rowers", "millers").replace("Heath", "Company").replace("Ha Ha", "Ga Ga")
MOVES = """\
format: 1
title: Grass is built on
board: {drawing: "G  Ga H"}
turn: {played: grass}
expect: {offered: {mandatory: [a1]}}
"""
FILES = {
    "expansion.yaml": BOX.replace("[rowers]", "[rowers, millers]"),
    "rules/rowers.kb": ROWERS,
    "rules/millers.kb": MILLERS,
    "rules/words.kb": WORDS,
    "scenarios/pays.scenario.yaml": SCENARIO,
    "scenarios/company.scenario.yaml": OTHER,
    "scenarios/moves.scenario.yaml": MOVES,
}
ALL = 5


@pytest.fixture
def rerun_dale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path / "dale", FILES)
    return Path("dale")


def rerunner() -> Rerunner:
    return Rerunner(Request((Path("dale"),)))


def seen(whole: RunSummary) -> tuple[dict[str, bool], list[tuple[str, str]]]:
    results = {result.id: result.passed for result in whole.results}
    return results, [(each.code, each.message) for each in whole.findings]


def afresh() -> tuple[dict[str, bool], list[tuple[str, str]]]:
    collection = collect([Path("dale")])
    results = {result.id: result.passed for result in run_all(collection)}
    findings = sorted([*collection.findings, *collection.not_run])
    return results, [(each.code, each.message) for each in findings]


def saved(file: Path, old: str, new: str) -> set[Path]:
    """Change a file; the set of what changed."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    return {file.absolute()}


def test_at_first_everything_is_run_and_then_nothing(rerun_dale: Path) -> None:
    testing = rerunner()
    first = testing.test()
    assert first.run == len(first.results) == ALL and seen(first) == afresh()
    assert testing.test().run == 0
    assert seen(testing.test()) == seen(first)


@pytest.mark.parametrize(
    ("name", "old", "new", "run"),
    [
        ("scenarios/moves.scenario.yaml", "[a1]", "[c1]", 1),
        ("rules/rowers.kb", "gold 1", "gold 2", 2),
        ("rules/rowers.kb", "gives 2", "gives 3", 2),
        ("rules/rowers.kb", "card", "# a comment\ncard", 2),
        ("rules/millers.kb", "gold 1", "gold 2", 2),
        ("rules/words.kb", "adjacent(mine)", "mine", ALL),  # boards may show what a word means
        ("expansion.yaml", "title: The Dale", "title: Dale", ALL),
    ],
)
def test_what_depends_on_a_change_is_run_again_and_no_more(
    rerun_dale: Path, name: str, old: str, new: str, run: int
) -> None:
    testing = rerunner()
    testing.test()
    again = testing.test(saved(rerun_dale / name, old, new))
    assert seen(again) == afresh()
    assert again.run == run
    assert len(again.results) == ALL


def test_another_kind_of_rule_may_change_everything(rerun_dale: Path) -> None:
    testing = rerunner()
    testing.test()
    file = rerun_dale / "rules" / "norms.kb"
    file.write_text('rule dry "Dry":\n    "Not on grass."\n    forbid build on grass\n')
    again = testing.test({file.absolute()})
    assert again.run == ALL and seen(again) == afresh()
    assert not seen(again)[0]["dale/scenarios/moves.scenario.yaml::Grass is built on"]


def test_through_all_that_happens_to_files_it_says_what_a_fresh_run_says(rerun_dale: Path) -> None:
    testing = rerunner()
    testing.test()
    rowers, words = rerun_dale / "rules" / "rowers.kb", rerun_dale / "rules" / "words.kb"
    steps = [
        lambda: saved(rowers, "mine & heath", "mine & heth"),  # nothing can be run
        lambda: saved(words, "adjacent(mine)", "adjacent("),
        lambda: saved(words, "adjacent(", "adjacent(mine)"),
        lambda: saved(rowers, "mine & heth", "mine"),
        lambda: rowers.write_text(""),  # half-written
        lambda: rowers.write_text(ROWERS),
        lambda: (rerun_dale / "scenarios" / "moves.scenario.yaml").unlink(),
        lambda: (rerun_dale / "scenarios").rename(rerun_dale / "plays"),
        lambda: rerun_dale.rename("away"),
        lambda: Path("away").rename(rerun_dale),
    ]
    for step in steps:
        step()
        changed = {path.absolute() for path in Path().rglob("*.kb")}
        assert seen(testing.test(changed)) == afresh()


def test_only_the_rules_of_the_folder_are_read_again(
    rerun_dale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A save costs one file read and one joining of rules; shipped examples are not run."""
    testing, project = Rerunner(Request(folders=(rerun_dale,))), Project([Path()])
    monkeypatch.chdir(rerun_dale)
    testing = Rerunner(Request())
    shipped = testing.test().run - ALL
    assert shipped > 50
    checked(project)
    done = _counted(monkeypatch)
    changed = saved(Path("rules/rowers.kb"), "gold 1", "gold 2")
    assert testing.test(changed).run == 2
    assert done == {"read": 1, "joined": 1}
    done.clear()
    assert checked(project.refreshed()).exit_code_at("warning") == 0
    assert done == {"read": 1, "joined": 1}
    done.clear()
    os.utime("scenarios/moves.scenario.yaml")
    assert testing.test({Path("scenarios/moves.scenario.yaml").absolute()}).run == 1
    assert checked(project.refreshed()).exit_code_at("warning") == 0
    assert done == {}


def _counted(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often a rule file is read and rules are joined, from now on."""
    done: dict[str, int] = {}
    parse, join = files.parse_with_tables, load._check_and_compose

    def count(name: str) -> None:
        done[name] = done.get(name, 0) + 1

    monkeypatch.setattr(
        files, "parse_with_tables", lambda *given: (count("read"), parse(*given))[1]
    )
    monkeypatch.setattr(
        load, "_check_and_compose", lambda *given: (count("joined"), join(*given))[1]
    )
    return done
