"""Files of texts in the editor: what is wrong with them, what can be translated, and names."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.diagnostics import Diagnostic
from kbrules.tools.check import FileChecker
from kbrules.tools.language_service.answers import edited
from kbrules.tools.language_service.completing import complete
from kbrules.tools.language_service.navigating import definition, document_symbols, rename
from kbrules.tools.language_service.showing import hover
from kbrules.tools.language_service.workspace import Workspace
from tests.tools.language_service.conftest import Typing

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
    assert seen(found) == seen([*FileChecker().check([texts]).findings])
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
        assert wanted in [each.label for each in found]
    free = "format: 1\nterrains:\n  heath: r^"
    workspace.open_text(texts, free.replace("^", ""))
    assert complete(workspace, texts, free.index("^")) == ()


def test_a_card_has_another_name_in_texts_too(
    workspace: Workspace, home: Path, texts: Path
) -> None:
    workspace.open_text(texts, TEXTS + "stamps:\n  rules.rowers: 0f3a9c12\n")
    (place,) = [
        each for each in definition(workspace, texts, TEXTS.index("rowers"))
        if each.path.suffix == ".kb"
    ]  # fmt: skip
    edits = rename(workspace, place.path, place.span.start, "oarsmen")
    text = edited(workspace.source(texts), edits[texts])
    assert "  oarsmen:" in text and "rules.oarsmen: 0f3a9c12" in text and "rowers" not in text


def test_keys_have_a_page_and_tables_an_outline(workspace: Workspace, texts: Path) -> None:
    found = hover(workspace, texts, TEXTS.index("title"))
    assert found is not None and "Its title" in found.markdown
    (table,) = document_symbols(workspace, texts)
    assert [each.name for each in table.children] == ["rowers"]
