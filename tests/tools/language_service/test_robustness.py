"""No text makes an answer fail: half-typed, hostile, of another kind than its name says."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from kbrules.diagnostics import render_concise
from kbrules.lang.syntax import parse, split as reuse
from kbrules.lang.syntax.build import Chunk
from kbrules.text import Source, Span
from kbrules.tools.language_service.answers import Place, Refused, TextEdit
from kbrules.tools.language_service.completing import complete
from kbrules.tools.language_service.editing import (
    code_actions,
    format_on_type,
    format_range,
    format_text,
)
from kbrules.tools.language_service.navigating import (
    definition,
    document_symbols,
    references,
    rename,
    workspace_symbols,
)
from kbrules.tools.language_service.showing import (
    folding,
    hover,
    inlay_hints,
    lenses,
    selection_ranges,
    semantic_tokens,
    signature_at,
)
from kbrules.tools.language_service.workspace import Workspace
from tests.tools.language_service.conftest import FOLDER
from tests.tools.language_service.test_workspace import changed

HOSTILE = {
    "empty": "",
    "nul": "\x00",
    "surrogate": "\ud800",
    "mark": "\ufeff",
    "line ends": "card x:\r\n    gold 1\r\n",
    "one long line": "card x: " + "a" * 20_000,
    "parentheses": "define a: " + "(" * 500,
    "deep": "".join(f"{' ' * 4 * n}when build:\n" for n in range(60)),
    "too large": "# " + "x" * 300_000,
    "anchors": "a: &a [*a, *a]\n",
    "tags": "a: !!python/object:os.system {}\n",
    "only a key": "tiles:\n",
    "a list": "- 1\n- [\n",
    "binary": "".join(map(chr, range(256))),
    "table": 'card {a}_x "X":\n    "W."\n    gold 1\n    table:\n        | a |\n        | b |\n',
}


def styled(ask: Callable[..., Sequence[TextEdit]], *given: object) -> Sequence[TextEdit]:
    """What gives a text its style; nothing for one that has none."""
    try:
        return ask(*given)
    except Refused:
        return ()


ANSWERS: dict[str, Callable[[Workspace, Path, int], object]] = {
    "syntax": lambda w, p, _: w.syntax(p),
    "complete": complete,
    "hover": hover,
    "signature": signature_at,
    "findings": lambda w, p, _: w.findings(p),
    "definition": definition,
    "references": references,
    "symbols": lambda w, p, _: document_symbols(w, p),
    "all symbols": lambda w, p, _: workspace_symbols(w, "o"),
    "folding": lambda w, p, _: folding(w, p),
    "selection": selection_ranges,
    "format": lambda w, p, _: styled(format_text, w, p),
    "format range": lambda w, p, at: styled(format_range, w, p, at, at + 9),
    "format typed": format_on_type,
    "tokens": lambda w, p, _: semantic_tokens(w, p),
    "hints": lambda w, p, _: inlay_hints(w, p),
    "actions": lambda w, p, at: code_actions(w, p, at, at + 40),
    "lenses": lambda w, p, _: lenses(w, p),
}


def ask_all(workspace: Workspace, path: Path, at: int) -> dict[str, object]:
    """Every answer at a place."""
    return {name: answer(workspace, path, at) for name, answer in ANSWERS.items()}


def places_of(edits: Sequence[TextEdit]) -> list[Place]:
    return [each.place for each in edits]


def check_edits(workspace: Workspace, edits: Sequence[TextEdit]) -> None:
    """Edits lie in the texts as they are, and do not overlap."""
    for one, other in pairwise(sorted((at.file, at.start, at.end) for at in places_of(edits))):
        assert one[0] != other[0] or one[2] <= other[1]
    for at in places_of(edits):
        assert 0 <= at.start <= at.end <= len(workspace.text(Path(at.file)))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("name", ["rules/rowers.kb", "expansion.yaml", "scenarios/a.scenario.yaml"])
def test_no_text_makes_an_answer_fail(name: str, text: str, home: Path) -> None:
    workspace = Workspace([home])
    path = home / name
    workspace.open_text(path, text)
    for at in {0, len(workspace.text(path)) // 2, len(workspace.text(path)), len(text) + 5}:
        ask_all(workspace, path, at)


def test_files_that_are_not_there_or_of_no_kind(home: Path, workspace: Workspace) -> None:
    for path in (
        home / "no.kb",
        home / "no/expansion.yaml",
        home / "a.txt",
        home,
        Path("nowhere.kb"),
    ):
        ask_all(workspace, path, 3)


@pytest.mark.parametrize("seed", range(3))
def test_random_edits(seed: int, home: Path) -> None:
    chance, workspace = random.Random(seed), Workspace([home])
    texts = dict(FOLDER)
    for _ in range(30):
        name = chance.choice([*FOLDER])
        texts[name] = changed(texts[name], chance, FOLDER[name])
        path = home / name
        workspace.open_text(path, texts[name])
        text = workspace.text(path)
        at = chance.randrange(len(text) + 1)
        answers = ask_all(workspace, path, at)
        assert answers["complete"].place.end == at  # type: ignore[attr-defined]
        for action in code_actions(workspace, path, 0, len(text)):
            check_edits(workspace, action.edits)
        check_edits(workspace, styled(format_text, workspace, path))
        try:
            check_edits(workspace, rename(workspace, path, at, "some_other_name"))
        except Refused as refused:
            assert str(refused)


def places(node: object) -> object:
    """A tree as plain values, with the places of its parts."""
    if isinstance(node, Span):
        return node.start, node.end
    if isinstance(node, tuple):
        return [places(each) for each in node]
    if is_dataclass(node):
        return type(node).__name__, [places(getattr(node, each.name)) for each in fields(node)]
    return node


def test_what_is_typed_again_is_parsed_as_if_it_were_new(home: Path) -> None:
    chance, workspace, path = random.Random(1), Workspace([home]), home / "rules/game.kb"
    text = FOLDER["rules/game.kb"]
    for _ in range(60):
        text = changed(text, chance, FOLDER["rules/game.kb"])
        workspace.open_text(path, text)
        fresh = Workspace([])
        fresh.open_text(path, text)
        syntax = workspace.syntax(path)
        again, new = workspace.rules(path), fresh.rules(path)
        assert places(again.declarations) == places(new.declarations)
        for found in (syntax, again.findings):
            assert [*map(render_concise, found)] == [*map(render_concise, new.findings)]


def test_an_edit_parses_the_declaration_that_changed_and_copies_none(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, path = Workspace([home]), home / "rules/game.kb"
    text = FOLDER["rules/game.kb"]
    workspace.open_text(path, text)
    workspace.syntax(path)
    parsed: list[str] = []
    parse_chunk = parse.parse_chunk

    def counted(chunk: Chunk) -> object:
        parsed.append(chunk.text)
        return parse_chunk(chunk)

    monkeypatch.setattr(parse, "parse_chunk", counted)
    monkeypatch.setattr(reuse.ReadDeclaration, "moved", None)
    start = text.index("\n    ", text.index("\nrule "))
    workspace.open_text(path, text[:start] + " &" + text[start:])
    assert [each.code for each in workspace.syntax(path)] == ["KB101"]
    assert len(parsed) == 1 and parsed[0].startswith("rule ")


def test_offsets_outside_of_a_text_are_no_fault(home: Path, workspace: Workspace) -> None:
    for at in (-5, 10**9):
        ask_all(workspace, home / "rules/rowers.kb", at)
    assert Source("", "a").position(10**9) == (1, 2)
