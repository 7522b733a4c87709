"""What is found to be run, by which rules, and what the schema takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from kbrules.library.box import usual_boxes
from kbrules.library.reading import data_root
from kbrules.library.yaml import read_yaml
from kbrules.scenario.examples import examples_of
from kbrules.scenario.reader import parse_scenarios
from kbrules.scenario.running import run_all
from kbrules.scenario.setup import rules_of
from kbrules.text import Source
from tests.collecting import collect
from tests.docs.generated import schema
from tests.scenario.test_expectations import PLAIN, RIGHT
from tests.scenario.test_findings import SHAPES
from tests.scenario.texts import HEAD, READ, unmarked

HERE = Path(__file__).parents[1] / "scenarios"
BOX = "format: 1\nid: dale\ntitle: Dale\nneeds: [base]\ncards: [rowers]\n"
ROWERS = (
    'card rowers "Rowers":\n    "One gold each."\n    gold 1 per hex in mine\n'
    "    example:\n        | .a .a .b\n        gives 2\n"
)
SCENARIO = HEAD + "cards: [rowers]\nexpect: {gold: {a: {rowers: 3}}}\n"


def _author(folder: Path) -> Path:
    """An author's folder with a card of its own."""
    (folder / "rules").mkdir(parents=True)
    (folder / "scenarios").mkdir()
    (folder / "expansion.yaml").write_text(BOX, encoding="utf-8")
    (folder / "rules" / "dale.kb").write_text(ROWERS, encoding="utf-8")
    (folder / "scenarios" / "rowers.scenario.yaml").write_text(SCENARIO, encoding="utf-8")
    return folder


@pytest.mark.parametrize("folder", ["meetings", pytest.param(".", marks=pytest.mark.slow)])
def test_the_scenarios_of_this_repository_hold(folder: str) -> None:
    """All of them are tests of their own, and run once more to be watched by `test_clauses`."""
    collection = collect([HERE / folder], files=READ)
    assert collection.findings == [] and len(collection) >= 9
    failed = [result.outcome.text for result in run_all(collection) if not result.passed]
    assert failed == []


def test_without_a_path_every_example_of_the_shipped_rules_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    collection = collect(files=READ)
    assert collection.findings == []
    cache = rules_of(READ, tuple(usual_boxes()))
    assert len(collection) == len(examples_of(cache.ruleset)) > 20
    assert len({item.id for item in collection}) == len(collection)


def test_in_an_authors_folder_it_comes_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(_author(tmp_path / "dale") / "rules")
    ids = [item.id for item in collect(files=READ)]
    assert sum("rowers" in id for id in ids) == 2
    assert len(ids) == len(collect([data_root("rules")], files=READ)) + 2


@pytest.mark.parametrize("path", ["", "expansion.yaml", "rules", "scenarios/rowers.scenario.yaml"])
def test_a_file_is_run_by_the_rules_of_its_folder(path: str, tmp_path: Path) -> None:
    folder = _author(tmp_path / "dale")
    collection = collect([folder / path], files=READ)
    assert collection.findings == []
    assert len(collection) == (2 if path in ("", "expansion.yaml") else 1)
    assert all(result.passed for result in run_all(collection))
    assert collection.cases[0].cache.ruleset.boxes == ("base", "dale")


def test_a_folder_given_with_the_path_brings_its_cards(tmp_path: Path) -> None:
    folder = _author(tmp_path / "dale")
    loose = tmp_path / "loose.scenario.yaml"
    loose.write_text(SCENARIO, encoding="utf-8")
    alone = collect([loose], files=READ)
    assert [each.code for each in alone.findings] == ["KB413"] and len(alone) == 0
    (helped,) = run_all(collect([loose], folders=[folder], files=READ))
    assert helped.passed, helped.outcome.text


def test_a_loose_rule_file_is_added_to_the_rules(tmp_path: Path) -> None:
    loose = tmp_path / "loose.kb"
    text = 'rule more:\n    "One."\n    gold 1 per hex in mine\n    example "one":\n'
    loose.write_text(text + "        | .a .\n        gives 1\n", encoding="utf-8")
    collection = collect([loose], files=READ)
    assert [item.title for item in collection] == ["more, one"] and collection.findings == []
    assert all(result.passed for result in run_all(collection))


def test_a_file_named_twice_is_run_once(tmp_path: Path) -> None:
    folder = _author(tmp_path / "dale")
    again = folder / "rules" / ".."
    assert len(collect([folder, folder / "rules", folder, again], files=READ)) == 2


def test_what_cannot_be_collected_is_said(tmp_path: Path) -> None:
    folder = _author(tmp_path / "dale")
    (folder / "notes.txt").write_text("x", encoding="utf-8")
    bad = folder / "scenarios" / "bad.scenario.yaml"
    bad.write_text(SCENARIO.replace("cards:", "crads:"), encoding="utf-8")
    paths = [folder, folder / "notes.txt", folder / "nothing.kb"]
    collection = collect(paths, files=READ)
    assert sorted(finding.code for finding in collection.findings) == ["KB001", "KB006", "KB402"]
    assert len(collection) == 2  # the rest is run all the same


def test_rules_with_a_mistake_are_said_once_and_every_test_is_listed(tmp_path: Path) -> None:
    folder = _author(tmp_path / "dale")
    (folder / "rules" / "more.kb").write_text('rule more:\n    "One."\n    permit bild on water\n')
    collection = collect([folder], files=READ)
    assert [finding.code for finding in collection.findings] == ["KB208"]
    assert len(collection) == 0
    assert [each.span.source.name.split("/")[-1] for each in collection.not_run] == [
        "dale.kb",
        "rowers.scenario.yaml",
    ]
    for each in collection.not_run:
        assert (each.code, each.message) == ("KB509", "this is not run: `more` has a mistake")
        assert each.help.startswith("mend KB208 at ") and "more.kb:3 first" in each.help


def test_a_folder_without_a_name_for_its_mistake_is_named_by_the_file(tmp_path: Path) -> None:
    folder = _author(tmp_path / "dale")
    (folder / "expansion.yaml").write_text(BOX.replace("needs", "nedes"), encoding="utf-8")
    collection = collect([folder], files=READ)
    assert {each.message for each in collection.not_run} == {
        "this is not run: `expansion.yaml` has a mistake"
    }


def test_a_box_that_is_not_there_is_said_at_its_name(tmp_path: Path) -> None:
    file = tmp_path / "it.scenario.yaml"
    file.write_text(HEAD + "with: [basee]\nexpect: {over: no}\n", encoding="utf-8")
    (found,) = collect([file], files=READ).findings
    assert (found.code, found.span.text) == ("KB413", "basee")


def test_a_scenario_outside_of_the_folder_it_is_linked_into_is_refused(tmp_path: Path) -> None:
    folder = _author(tmp_path / "dale")
    outside = tmp_path / "outside.scenario.yaml"
    outside.write_text(SCENARIO, encoding="utf-8")
    (folder / "scenarios" / "link.scenario.yaml").symlink_to(outside)
    collection = collect([folder], files=READ)
    assert [finding.code for finding in collection.findings] == ["KB005"]


SHARED = """\
format: 1
title: shared
board: {drawing: "G  Ga G"}
turn: {played: grass}
scenarios:
  - {title: one, expect: {offered: {mandatory: [a1, c1]}}}
  - {title: two, turn: {played: grass, done: [mandatory]}, expect: {offered: {mandatory: none}}}
  - {title: three, expect: {gold: {a: 1}}}
"""


def test_scenarios_of_a_file_share_the_fields_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "it.scenario.yaml"
    file.write_text(SHARED, encoding="utf-8")
    results = list(run_all(collect([file], files=READ)))
    assert [(r.title, r.passed) for r in results] == [
        ("one", True), ("two", True), ("three", False),
    ]  # fmt: skip
    (found,) = results[2].outcome.diagnostics
    assert (found.span.line, found.span.text) == (8, "1")
    assert [result.span.line for result in results] == [6, 7, 8]


def test_two_scenarios_of_one_title_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "it.scenario.yaml"
    file.write_text(SHARED.replace("title: two", "title: one"), encoding="utf-8")
    (found,) = collect([file], files=READ).findings
    assert (found.code, found.span.line) == ("KB403", 7)


def test_a_fault_of_ours_stops_only_the_scenario_it_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("oh")

    file = tmp_path / "it.scenario.yaml"
    file.write_text(SHARED, encoding="utf-8")
    collection = collect([file], files=READ)
    monkeypatch.setattr("kbrules.scenario.running.play_back", broken)
    results = list(run_all(collection))
    assert [r.outcome.diagnostics[0].code for r in results] == ["KB901"] * 3
    assert "RuntimeError" in results[0].outcome.text


OARSMEN = ROWERS.replace("rowers", "oarsmen").replace("in mine", "in mien")


def _with_a_broken_card(folder: Path) -> Path:
    """The author's folder with a second card, which has a mistake, and a scenario of it."""
    folder = _author(folder)
    box = BOX.replace("[rowers]", "[rowers, oarsmen]")
    (folder / "expansion.yaml").write_text(box, encoding="utf-8")
    (folder / "rules" / "oarsmen.kb").write_text(OARSMEN, encoding="utf-8")
    text = SCENARIO.replace("rowers", "oarsmen")
    (folder / "scenarios" / "oarsmen.scenario.yaml").write_text(text, encoding="utf-8")
    return folder


def test_one_broken_card_keeps_no_other_from_being_run(tmp_path: Path) -> None:
    collection = collect([_with_a_broken_card(tmp_path / "dale")], files=READ)
    assert [finding.code for finding in collection.findings] == ["KB201"]
    assert [each.span.source.name.split("/")[-1] for each in collection.not_run] == [
        "oarsmen.kb",
        "oarsmen.scenario.yaml",
    ]
    assert {each.code for each in collection.not_run} == {"KB509"}
    results = list(run_all(collection))
    assert len(results) == 2 and all(result.passed for result in results)


def test_a_card_that_needs_a_broken_word_is_not_run(tmp_path: Path) -> None:
    folder = _with_a_broken_card(tmp_path / "dale")
    text = OARSMEN.replace("in mien", "in wet") + '\ndefine wet "Wet.": adjcent(water)\n'
    (folder / "rules" / "oarsmen.kb").write_text(text, encoding="utf-8")
    collection = collect([folder], files=READ)
    assert [finding.code for finding in collection.findings] == ["KB201"]
    assert len(collection) == 2 and len(collection.not_run) == 2


def test_a_card_without_a_rule_keeps_no_other_from_being_run(tmp_path: Path) -> None:
    folder = _with_a_broken_card(tmp_path / "dale")
    (folder / "rules" / "oarsmen.kb").unlink()
    collection = collect([folder], files=READ)
    assert [finding.code for finding in collection.findings] == ["KB409"]
    assert len(collection) == 2 and len(collection.not_run) == 1


REFERRING = schema("scenario")
WHOLE = {**REFERRING, "$defs": {**REFERRING["$defs"], "position": schema("position")}}
FILES = sorted((Path(__file__).parents[1] / "scenarios").glob("*.scenario.yaml"))
BY_HAND = ("KB412", "either", "one of", "nothing is expected", "2 to 4")  # no schema says these


def _data(text: str) -> Any:
    document, findings = read_yaml(Source("it", text))
    assert document is not None and findings == []
    return document.data


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_our_scenarios_follow_it_and_name_it(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    jsonschema.validate(_data(text), WHOLE)
    modeline = text.partition("\n")[0].partition("$schema=")[2]
    assert json.loads((file.parent / modeline).read_text(encoding="utf-8")) == schema("scenario")


def test_everything_that_may_be_expected_follows_it() -> None:
    jsonschema.validate(_data(PLAIN + RIGHT), WHOLE)


@pytest.mark.parametrize(
    "text", [t for code, t, said in SHAPES if code not in BY_HAND and said not in BY_HAND]
)
def test_a_wrong_shape_does_not(text: str) -> None:
    source, _ = unmarked(text)
    assert parse_scenarios(source)[1]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(_data(source.text), WHOLE)


def test_every_key_is_described() -> None:
    made, shared = schema("scenario"), schema("position")
    tables = [made, *made["$defs"].values(), shared, *shared["$defs"].values()]
    lacking = [
        f"{table.get('title')}.{key}"
        for table in tables
        for key, value in table.get("properties", {}).items()
        if "description" not in value
        and value.get("$ref") != f"position.schema.json#/properties/{key}"
    ]
    assert lacking == []
