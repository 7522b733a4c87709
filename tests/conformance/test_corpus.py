"""The corpus: every case holds by both engines, and everything that is shipped is in a case."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from kbrules.library.box import shipped_boxes
from kbrules.library.load import load, needed
from kbrules.library.ruleset import Ruleset
from kbrules.library.store import Files
from kbrules.tools.conform import QUESTIONS, ConformanceFile, ConformanceRunner, read_cases
from tests.conformance.record import FILES, FOLDER, made

UNSEEN = {"blocks_lost"}
"""Options that no case tells apart: what they change is asked about by no question."""
LEAST, LARGEST = 2500, 1024 * 1024


@cache
def cases(name: str) -> ConformanceFile:
    file, found = read_cases(FOLDER / f"{name}.json")
    assert file is not None, found
    return file


def failed(name: str, engine: str) -> list[str]:
    results = [*ConformanceRunner(engine).run(cases(name))]
    assert len(results) == len(cases(name).cases)
    return [f"{each.id}: {dict(each.differences)}" for each in results if not each.passed]


@pytest.mark.parametrize("name", FILES)
def test_the_reference_answers_as_the_cases_do(name: str) -> None:
    assert failed(name, "reference") == []


@pytest.mark.parametrize("name", ["base-games"])
def test_the_kernel_answers_as_the_cases_do(name: str) -> None:
    assert failed(name, "python") == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FILES.keys() - {"base-games"}))
def test_the_kernel_answers_to_all_cases(name: str) -> None:
    assert failed(name, "python") == []


def test_there_are_enough_cases_of_every_sort() -> None:
    every = [case for name in FILES for case in cases(name).cases]
    assert len(every) >= LEAST
    assert len({case.id for case in every}) == len(every)
    asked, found = Counter(c.question for c in every), Counter(c.found for c in every)
    assert min(asked[question] for question in QUESTIONS) >= 100
    assert {*found} == {"print", "twin", "ruling"}


def test_no_file_is_large_and_none_is_unknown() -> None:
    files = {path.stem: path.stat().st_size for path in FOLDER.glob("*.json")}
    assert files.keys() == FILES.keys()
    assert max(files.values()) < LARGEST


@pytest.mark.parametrize("box", shipped_boxes())
def test_everything_shipped_is_in_a_case(box: str) -> None:
    ruleset: Ruleset = load(*needed(Files(), sorted({"base", box}), ()))
    shipped = {*ruleset.catalog.cards} | {tile.id for tile in ruleset.catalog.tiles}
    shipped |= {rule.id for rule in ruleset.rules if rule.actions or rule.awards}
    held = {id for name in FILES for case in cases(name).cases for id in case.holds}
    assert (shipped | {*ruleset.options}) - held == UNSEEN & {*ruleset.options}


def test_a_ruling_is_told_by_every_value_of_its_option() -> None:
    told: dict[str, set[object]] = {}
    for case in cases("rulings").cases:
        for option, value in case.option.items():
            told.setdefault(option, set()).add(value)
    assert {option for option, values in told.items() if len(values) < 2} == set()


def test_positions_need_nothing_but_the_shipped_boxes() -> None:
    tables = [table for name in FILES for table in cases(name).positions.values()]
    assert all({*table.boxes} and {*table.boxes} <= {*shipped_boxes()} for table in tables)


def test_recording_gives_the_file_again() -> None:
    text = (FOLDER / "examples.json").read_text(encoding="utf-8")
    assert made("examples").text() == text
    assert json.loads(text)["format"] == 1


def test_a_changed_answer_is_noticed(tmp_path: Path) -> None:
    data = json.loads((FOLDER / "base-games.json").read_text(encoding="utf-8"))
    asked = {
        question: next(case for case in data["cases"] if question in case)
        for question in ("legal", "refused", "scores", "events")
    }
    move, hexes = next((m, h) for m, h in asked["legal"]["legal"].items() if h)
    asked["legal"]["legal"][move] = hexes[1:]
    asked["scores"]["scores"]["a"]["total"] += 1
    asked["events"]["events"].pop()
    legal = next(iter(asked["refused"]["refused"]))
    asked["refused"]["refused"][legal] = ["no_such_rule"]
    data["cases"] = [*asked.values()]
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(data), encoding="utf-8")
    file, _ = read_cases(changed)
    assert file is not None
    assert [each.passed for each in ConformanceRunner().run(file)] == [False] * len(asked)
