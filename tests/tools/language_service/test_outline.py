"""Symbols, folding, selections, formatting, colours, and files of translations."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.lang.syntax.parse import parse
from kbrules.project.project import Project
from kbrules.text import Source
from kbrules.tools.check import checked
from kbrules.tools.editors.highlight import TokenKind, rule_tokens
from kbrules.tools.language_service.answers import Refused, SymbolKind
from kbrules.tools.language_service.completing import complete
from kbrules.tools.language_service.editing import format_on_type, format_range, format_text
from kbrules.tools.language_service.navigating import (
    definition,
    document_symbols,
    rename,
    workspace_symbols,
)
from kbrules.tools.language_service.showing import folding, hover, selection_ranges, semantic_tokens
from kbrules.tools.language_service.workspace import Workspace
from tests.tools.language_service.conftest import Typing, applied, written

UGLY = 'card pikes "Pikes":\n    "What."\n    gold   1 per  hex in mine&lake\n\n\n\ndefine a:mine\n'


def test_symbols_of_rules(home: Path, workspace: Workspace) -> None:
    found = document_symbols(workspace, home / "rules/game.kb")
    assert [each.name for each in found] == ["turn", "building", "taking", "ending"]
    building = found[1]
    assert (building.kind, building.detail) == (SymbolKind.RULE, "rule Building")
    assert written(building.place).startswith("rule building") and written(building.place).endswith(
        "offers"
    )
    assert written(building.name_place) == "building"
    assert [each.kind for each in building.children] == [SymbolKind.EXAMPLE]


def test_symbols_of_data(home: Path, workspace: Workspace) -> None:
    found = document_symbols(workspace, home / "expansion.yaml")
    children = {each.name: [inner.name for inner in each.children] for each in found}
    assert children["terrains"] == ["heath", "lake"] and children["cards"] == ["rowers", "anglers"]
    (scenario,) = document_symbols(workspace, home / "scenarios/mill.scenario.yaml")
    assert (scenario.name, scenario.kind) == ("A mill at the lake", SymbolKind.SCENARIO)


def test_symbols_of_the_workspace_have_the_letters_in_order(workspace: Workspace) -> None:
    found = workspace_symbols(workspace, "rwr")
    assert [(each.name, Path(each.place.file).name) for each in found] == [
        ("rowers", "expansion.yaml"), ("rowers", "rowers.kb"),
    ]  # fmt: skip
    assert workspace_symbols(workspace, "zz") == ()
    assert len(workspace_symbols(workspace, "")) > 12


def test_blocks_and_comments_fold(typing: Typing, workspace: Workspace) -> None:
    path, _ = typing(
        "rules/x.kb", "# a\n# b\nrule x:\n    when build:\n        gain 1\n\nrule y:\n    a\n^"
    )
    found = [(e.first_line, e.last_line, e.is_comment) for e in folding(workspace, path)]
    assert found == [(1, 2, True), (3, 5, False), (4, 5, False), (7, 8, False)]


def selected(workspace: Workspace, path: Path, place: int) -> list[str]:
    text = workspace.text(path)
    return [text[start:end].strip() for start, end in selection_ranges(workspace, path, place)]


def test_a_selection_grows(typing: Typing, workspace: Workspace) -> None:
    path, place = typing(
        "rules/x.kb", 'card x:\n    "W."\n    gold 1 per hex in mine & (la^ke - mine)\n'
    )
    texts = selected(workspace, path, place)
    assert texts[:3] == ["lake", "lake - mine", "mine & (lake - mine)"]
    assert texts[-1].startswith("card x:") and "gold 1 per hex in mine & (lake - mine)" in texts
    path, place = typing("expansion.yaml", "tiles:\n  mill: {kind: loc^ation}\n")
    texts = selected(workspace, path, place)
    assert texts[:3] == ["location", "kind: location", "{kind: location}"]


def test_formatting_gives_the_one_style_and_touches_no_other_line(
    typing: Typing, workspace: Workspace
) -> None:
    path, _ = typing("rules/x.kb", UGLY + "^")
    edits = format_text(workspace, path)
    assert all(
        "pikes" not in workspace.text(path)[each.place.start : each.place.end] for each in edits
    )
    applied(workspace, edits)
    assert "gold 1 per hex in mine & lake\n\ndefine a:\n    mine\n" in workspace.text(path)
    assert format_text(workspace, path) == ()
    workspace.open_text(path, "card x\n")
    with pytest.raises(Refused):
        format_text(workspace, path)


def test_a_range_is_formatted_alone(typing: Typing, workspace: Workspace) -> None:
    path, place = typing("rules/x.kb", UGLY.replace("gold", "go^ld"))
    edits = format_range(workspace, path, place, place)
    applied(workspace, edits)
    assert "gold 1 per hex in mine & lake" in workspace.text(path)
    assert "define a:mine" in workspace.text(path)


def test_a_new_line_is_indented(typing: Typing, workspace: Workspace) -> None:
    for text, wanted in (
        ("rule x:\n^", "    "),
        ("rule x:\n    when build:\n^", " " * 8),
        ("rule x:\n    gold 1\n^", "    "),
        ("rule x:\n    gold 1  # why:\n  ^", "    "),
    ):
        path, place = typing("rules/x.kb", text)
        (edit,) = format_on_type(workspace, path, place)
        assert edit.text == wanted
    path, place = typing("expansion.yaml", "tiles:\n^")
    assert [each.text for each in format_on_type(workspace, path, place)] == ["  "]
    assert format_on_type(workspace, *typing("rules/x.kb", "rule x:\n    ^")) == ()


def test_colours_are_those_of_the_one_table_refined_by_sort(
    home: Path, workspace: Workspace
) -> None:
    path = home / "rules/rowers.kb"
    workspace.open_text(
        path, workspace.text(path) + "\ndefine near: adjacent(mine)\n\ndefine b: near\n"
    )
    workspace.findings(path)
    text = workspace.text(path)
    found = semantic_tokens(workspace, path)
    plain = [(k.value, t) for k, t in rule_tokens(text) if k is not TokenKind.BLANK]
    assert [text[each.start : each.end] for each in found] == [t for _, t in plain]
    refined = {
        text[e.start : e.end]: (k, e.kind)
        for (k, _), e in zip(plain, found, strict=True)
        if e.kind != k
    }
    assert refined == {"lake": ("name", "terrain"), "near": ("name", "word")}
    declared = [text[each.start : each.end] for each in found if each.is_declaration]
    assert declared == ["rowers", "hex", "near", "b"]
    assert semantic_tokens(workspace, home / "expansion.yaml") == ()


def test_formatted_texts_mean_the_same(home: Path, workspace: Workspace) -> None:
    for path in sorted(home.rglob("*.kb")):
        assert format_text(workspace, path) == ()
        assert parse(Source("", workspace.text(path)))[1] == []


TEXTS = "format: 1\nrules:\n  rowers:\n    title: Ruderer\n"


@pytest.fixture
def texts(home: Path) -> Path:
    """A file of texts of the game."""
    path = home / "texts" / "de.yaml"
    path.parent.mkdir()
    path.write_text(TEXTS)
    return path


def seen(found: tuple[Diagnostic, ...] | list[Diagnostic]) -> list[tuple[str, str]]:
    return sorted((each.code, each.message) for each in found)


@pytest.mark.parametrize(
    "text", [TEXTS, TEXTS.replace("rowers", "rovers"), TEXTS + "colour: red\n", "format: [", ""]
)
def test_findings_are_those_of_a_check(workspace: Workspace, texts: Path, text: str) -> None:
    workspace.findings(texts)
    workspace.open_text(texts, text)
    found = workspace.findings(texts)[texts]
    assert set(workspace.syntax(texts)) <= set(found)
    texts.write_text(text)
    assert seen(found) == seen([*checked(Project([texts])).findings])
    assert bool(found) is (text != TEXTS)


def test_a_rule_that_goes_breaks_its_text(workspace: Workspace, home: Path, texts: Path) -> None:
    box, path = home / "expansion.yaml", home / "rules/rowers.kb"
    workspace.open_text(path, workspace.text(path).replace("rowers", "oarsmen"))
    workspace.open_text(box, workspace.text(box).replace("rowers", "oarsmen"))
    assert workspace.findings(path)[texts]


def test_ids_of_the_box_are_proposed_where_they_are_keys(typing: Typing, texts: Path) -> None:
    home = texts.parents[1]
    workspace = Workspace([home])
    for text, wanted in (
        ("format: 1\nrules:\n  ro^", "rowers"), ("format: 1\nru^", "rules"),
        ("format: 1\nrules:\n  rowers:\n    w^", "wording"),
    ):  # fmt: skip
        workspace.open_text(texts, text.replace("^", ""))
        found = complete(workspace, texts, text.index("^"))
        assert wanted in [each.label for each in found.proposals]
    free = "format: 1\nterrains:\n  heath: r^"
    workspace.open_text(texts, free.replace("^", ""))
    assert complete(workspace, texts, free.index("^")).proposals == ()


def test_a_card_has_another_name_in_texts_too(
    workspace: Workspace, home: Path, texts: Path
) -> None:
    workspace.open_text(texts, TEXTS + "stamps:\n  rules.rowers: 0f3a9c12\n")
    (place,) = [
        each for each in definition(workspace, texts, TEXTS.index("rowers"))
        if Path(each.file).suffix == ".kb"
    ]  # fmt: skip
    applied(workspace, rename(workspace, Path(place.file), place.start, "oarsmen"))
    text = workspace.text(texts)
    assert "  oarsmen:" in text and "rules.oarsmen: 0f3a9c12" in text and "rowers" not in text


def test_keys_have_a_page_and_tables_an_outline(workspace: Workspace, texts: Path) -> None:
    found = hover(workspace, texts, TEXTS.index("title"))
    assert found is not None and "Its title" in found.markdown
    (table,) = document_symbols(workspace, texts)
    assert [each.name for each in table.children] == ["rowers"]
