"""Testing after a save: little is run again, and the result is that of running everything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import kbrules.library.file_cache as files
import kbrules.library.load as load
from kbrules.scenario.collection import collect
from kbrules.scenario.running import run_all
from kbrules.tools.check import FileChecker
from kbrules.tools.testing import Request, Rerunner, RunSummary
from tests.cli.test_check import BOX, ROWERS, SCENARIO, WORDS

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
def dale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        path = tmp_path / "dale" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
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


def test_at_first_everything_is_run_and_then_nothing(dale: Path) -> None:
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
    dale: Path, name: str, old: str, new: str, run: int
) -> None:
    testing = rerunner()
    testing.test()
    again = testing.test(saved(dale / name, old, new))
    assert seen(again) == afresh()
    assert again.run == run
    assert len(again.results) == ALL


def test_another_kind_of_rule_may_change_everything(dale: Path) -> None:
    testing = rerunner()
    testing.test()
    file = dale / "rules" / "norms.kb"
    file.write_text('rule dry "Dry":\n    "Not on grass."\n    forbid build on grass\n')
    again = testing.test({file.absolute()})
    assert again.run == ALL and seen(again) == afresh()
    assert not seen(again)[0]["dale/scenarios/moves.scenario.yaml::Grass is built on"]


def test_through_all_that_happens_to_files_it_says_what_a_fresh_run_says(dale: Path) -> None:
    testing = rerunner()
    testing.test()
    rowers, words = dale / "rules" / "rowers.kb", dale / "rules" / "words.kb"
    steps = [
        lambda: saved(rowers, "mine & heath", "mine & heth"),  # nothing can be run
        lambda: saved(words, "adjacent(mine)", "adjacent("),
        lambda: saved(words, "adjacent(", "adjacent(mine)"),
        lambda: saved(rowers, "mine & heth", "mine"),
        lambda: rowers.write_text(""),  # half-written
        lambda: rowers.write_text(ROWERS),
        lambda: (dale / "scenarios" / "moves.scenario.yaml").unlink(),
        lambda: (dale / "scenarios").rename(dale / "plays"),
        lambda: dale.rename("away"),
        lambda: Path("away").rename(dale),
    ]
    for step in steps:
        step()
        changed = {path.absolute() for path in Path().rglob("*.kb")}
        assert seen(testing.test(changed)) == afresh()


def test_only_the_rules_of_the_folder_are_read_again(
    dale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A save costs one file read and one joining of rules; shipped examples are not run."""
    testing, checker = Rerunner(Request(folders=(dale,))), FileChecker()
    monkeypatch.chdir(dale)
    testing = Rerunner(Request())
    shipped = testing.test().run - ALL
    assert shipped > 50
    checker.check([Path()])
    done = _counted(monkeypatch)
    changed = saved(Path("rules/rowers.kb"), "gold 1", "gold 2")
    assert testing.test(changed).run == 2
    assert done == {"read": 1, "joined": 1}
    done.clear()
    assert checker.check([Path()]).exit_code == 0
    assert done == {"read": 1, "joined": 1}
    done.clear()
    os.utime("scenarios/moves.scenario.yaml")
    assert testing.test({Path("scenarios/moves.scenario.yaml").absolute()}).run == 1
    assert checker.check([Path()]).exit_code == 0
    assert done == {}


def _counted(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often a rule file is read and rules are joined, from now on."""
    done: dict[str, int] = {}
    parsed, join = files.parsed, load._check_and_compose

    def count(name: str) -> None:
        done[name] = done.get(name, 0) + 1

    monkeypatch.setattr(files, "parsed", lambda source: (count("read"), parsed(source))[1])
    monkeypatch.setattr(
        load, "_check_and_compose", lambda *given: (count("joined"), join(*given))[1]
    )
    return done
