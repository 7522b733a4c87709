"""Definitions, references, other names: across rules, boxes and scenarios."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kbrules.tools.language_service.answers import Place, Refused
from kbrules.tools.language_service.navigating import (
    definition,
    mentions,
    prepare_rename,
    references,
    rename,
)
from kbrules.tools.language_service.workspace import Workspace
from tests.tools.language_service.conftest import Typing, applied, written

WORDS = """
define near "Beside it.":
    adjacent(mine)

define beside(where: hexes) "Beside it.":
    adjacent(where) & near

card pikes "Pikes":
    "One gold for each row, and more beside."
    gold 1 per row in rows if any(mine & row & beside(lake))
    gold 1 per hex in near
    example:
        | Ha H
        gives 3
"""


def at(workspace: Workspace, path: Path, word: str, number: int = 0) -> int:
    """The place of a word in a file."""
    text, found = workspace.text(path), -1
    for _ in range(number + 1):
        found = text.index(word, found + 1)
    return found


def line_of(workspace: Workspace, place: Place) -> int:
    """The line of a place, from 1."""
    return workspace.text(Path(place.file))[: place.start].count("\n") + 1


@pytest.fixture
def rules(home: Path, workspace: Workspace) -> Path:
    path = home / "rules/words.kb"
    workspace.open_text(path, WORDS)
    return path


def test_a_word_is_declared_once_and_used_everywhere(rules: Path, workspace: Workspace) -> None:
    place = at(workspace, rules, "near", 1)
    (declared,) = definition(workspace, rules, place)
    assert (Path(declared.file), line_of(workspace, declared)) == (rules, 2)
    assert [line_of(workspace, each) for each in references(workspace, rules, place)] == [2, 6, 11]


def test_a_card_is_declared_by_its_rule_and_by_its_box(home: Path, workspace: Workspace) -> None:
    scenario = home / "scenarios/mill.scenario.yaml"
    found = definition(workspace, scenario, at(workspace, scenario, "rowers"))
    assert [Path(each.file).name for each in found] == ["rowers.kb", "expansion.yaml"]
    found = references(workspace, scenario, at(workspace, scenario, "rowers"))
    assert sorted(Path(each.file).name for each in found) == [
        "expansion.yaml", "mill.scenario.yaml", "mill.scenario.yaml", "rowers.kb",
    ]  # fmt: skip


def test_a_terrain_is_declared_by_its_box(home: Path, workspace: Workspace) -> None:
    rowers = home / "rules/rowers.kb"
    (found,) = definition(workspace, rowers, at(workspace, rowers, "lake)"))
    assert (Path(found.file).name, written(found)) == ("expansion.yaml", "lake")
    assert definition(workspace, rowers, at(workspace, rowers, "adjacent")) == ()


def test_a_local_name_stays_in_its_sentence(rules: Path, workspace: Workspace) -> None:
    found = references(workspace, rules, at(workspace, rules, "row &"))
    assert [line_of(workspace, each) for each in found] == [10, 10]
    found = references(workspace, rules, at(workspace, rules, "where) &"))
    assert [line_of(workspace, each) for each in found] == [5, 6]


@pytest.mark.parametrize(
    "text",
    [
        "define a:\n    most(count(mine & row) for row in rows if any(lake & row))\n",
        "define a(row: hexes):\n    adjacent(row) - row\n",
        'steps a(row: hexes) "A.":\n    build 1 on row - adjacent(row)\n',
        'card a "A":\n    for row in rows if any(row):\n        gold count(mine & row)\n',
        'card a "A":\n    gold 1 per row in rows if any(row & mine) and all(row)\n',
    ],
)
def test_whatever_binds_a_name_keeps_its_uses(
    text: str, typing: Typing, workspace: Workspace
) -> None:
    path, _ = typing("rules/local.kb", text + "^")
    wanted = [each.start() for each in re.finditer(r"\brow\b", text)]
    for place in wanted:
        found = references(workspace, path, place)
        assert sorted(each.start for each in found) == wanted
    assert [m.name for m in mentions(workspace, path) if m.name == "row" and m.binder < 0] == []


@pytest.mark.parametrize(
    ("name", "word", "files"),
    [
        ("rules/rowers.kb", "rowers", {"rowers.kb", "expansion.yaml", "mill.scenario.yaml"}),
        ("expansion.yaml", "lake", {"rowers.kb", "mill.kb", "expansion.yaml", "words.kb"}),
        ("rules/mill.kb", "mill", {"mill.kb", "expansion.yaml"}),
        ("rules/words.kb", "near", {"words.kb"}),
        ("rules/words.kb", "beside(", {"words.kb"}),
        ("rules/words.kb", "where", {"words.kb"}),
        ("rules/words.kb", "row in", {"words.kb"}),
        ("rules/game.kb", "building", {"game.kb"}),
        ("expansion.yaml", "hut", {"expansion.yaml", "game.kb"}),
        ("expansion.yaml", "yard", {"expansion.yaml"}),
        ("expansion.yaml", "north", {"expansion.yaml"}),
    ],
)
def test_what_is_renamed_everywhere_means_the_same(
    name: str, word: str, files: set[str], home: Path, rules: Path, workspace: Workspace
) -> None:
    box = home / "expansion.yaml"
    workspace.open_text(box, workspace.text(box).replace("[rowers,", "[pikes, rowers,"))
    assert not any(workspace.findings(rules).values())
    before = [each.holds for path in workspace.findings(rules) for each in workspace.examples(path)]
    path = home / name
    edits = rename(workspace, path, at(workspace, path, word), "other_name")
    assert {Path(each.place.file).name for each in edits} == files
    applied(workspace, edits)
    assert not any(workspace.findings(path).values())
    after = [each.holds for path in workspace.findings(rules) for each in workspace.examples(path)]
    assert after == before


def test_a_piece_is_renamed_in_steps_that_name_it(typing: Typing, workspace: Workspace) -> None:
    path, _ = typing("rules/local.kb", 'steps a "A.":\n    remove 1 hut from mine(hut)\n^')
    found = references(workspace, path, workspace.text(path).index("hut from"))
    lines = [each.start for each in found if each.file == str(path)]
    assert lines == [each.start() for each in re.finditer("hut", workspace.text(path))]


def test_a_box_keeps_its_id_when_something_of_that_name_is_renamed(
    home: Path, workspace: Workspace
) -> None:
    box, rowers = home / "expansion.yaml", home / "rules/rowers.kb"
    id = re.search("^id: (.*)$", workspace.text(box), re.MULTILINE)
    assert id is not None
    text = f"define {id[1]}: mine & adjacent(mine)\n"
    workspace.open_text(rowers, workspace.text(rowers) + text)
    edits = rename(workspace, rowers, at(workspace, rowers, f"{id[1]}: mine"), "other_name")
    assert {Path(each.place.file).name for each in edits} == {"rowers.kb"}


def test_the_gold_of_a_rule_that_is_no_card_is_renamed_in_scenarios(
    home: Path, workspace: Workspace
) -> None:
    scenario = home / "scenarios/more.scenario.yaml"
    workspace.open_text(scenario, "expect:\n  gold: {a: {harbour: 2}}\n")
    rowers = home / "rules/rowers.kb"
    text = workspace.text(rowers) + 'scoring harbour "H":\n    gold 1 per hex in mine\n'
    workspace.open_text(rowers, text)
    found = references(workspace, rowers, at(workspace, rowers, "harbour"))
    assert sorted(Path(each.file).name for each in found) == ["more.scenario.yaml", "rowers.kb"]


def test_a_name_that_a_table_composes_keeps_it(typing: Typing, workspace: Workspace) -> None:
    table = 'card on_{kind} "O":\n    gold 1 per hex in {kind}\n    table:\n        | kind |\n'
    path, _ = typing("rules/local.kb", table + "        | lake |\ndefine more: on_lake\n^")
    for word in ("lake |", "on_lake"):
        with pytest.raises(Refused, match="`on_lake` is composed by a table"):
            prepare_rename(workspace, path, workspace.text(path).index(word))


def test_a_name_that_a_table_composes_in_a_sentence_keeps_it(
    typing: Typing, workspace: Workspace
) -> None:
    table = 'card {kind}_card "O":\n    gold near_{kind}\n    table:\n        | kind |\n'
    path, _ = typing("rules/local.kb", table + "        | some |\ndefine near_some: 3\n^")
    with pytest.raises(Refused, match="`near_some` is composed by a table"):
        prepare_rename(workspace, path, workspace.text(path).index("near_some"))


@pytest.mark.parametrize(
    ("word", "name", "reason"),
    [
        ("adjacent", "beside_it", "a word of the language"),
        ("near", "mine", "already means something"),
        ("near", "rowers", "already means something"),
        ("near", "build", "already means something"),
        ("near", "if", "is no name"),
        ("near", "a b", "is no name"),
        ("near", "", "is no name"),
        ("near", "Near", "is no name"),
        ("near", "a{b}", "is no name"),
        ("near", 'a "b": c', "is no name"),
        ('"One', "one", "nothing that has a name"),
    ],
)
def test_a_name_that_cannot_be_is_refused(
    word: str, name: str, reason: str, rules: Path, workspace: Workspace
) -> None:
    with pytest.raises(Refused, match=reason):
        rename(workspace, rules, at(workspace, rules, word), name)


def test_what_comes_with_kbrules_keeps_its_name(tmp_path: Path) -> None:
    path = tmp_path / "single.kb"
    workspace = Workspace([tmp_path])
    workspace.open_text(path, "define a_word: castle\n")
    assert Path(definition(workspace, path, 15)[0].file).name == "base.yaml"
    with pytest.raises(Refused, match="comes with kbrules"):
        prepare_rename(workspace, path, 15)


def test_names_in_a_table_are_told_where_they_are_written(
    typing: Typing, workspace: Workspace
) -> None:
    path, place = typing("rules/more.kb", (
        'card {kind}_card "{title}":\n    "Gold."\n    gold 1 per hex in mine & adjacent({kind})\n'
        "    table:\n        | kind | title |\n        | la^ke | Lakes |\n"
        "        | heath | Heaths |\n"
    ))  # fmt: skip
    (declared,) = definition(workspace, path, place)
    assert Path(declared.file).name == "expansion.yaml"
    assert [m.name for m in mentions(workspace, path)] == [
        "hex",
        "mine",
        "adjacent",
        "lake",
        "heath",
    ]
