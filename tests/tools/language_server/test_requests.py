"""Every request, as an editor asks it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from kbrules.tools.language_server.requests import LEGEND
from tests.tools.language_server.conftest import used
from tests.tools.language_server.editor import Editor


@pytest.fixture(params=["visual-studio-code", "neovim"])
def desk(
    request: pytest.FixtureRequest, servers: Callable[[str], Editor], dale: Path
) -> Iterator[Editor]:
    """An editor like one of these."""
    yield from used(servers(request.param), dale)


@pytest.fixture
def rules(desk: Editor, dale: Path) -> Iterator[Path]:
    """The rule file, opened."""
    path = dale / "rules" / "dale.kb"
    desk.open(path)
    yield path


def place(path: Path, before: str, text: str | None = None) -> types.Position:
    """The place behind a piece of a text."""
    whole = path.read_text() if text is None else text
    lines = whole[: whole.index(before) + len(before)].split("\n")
    return types.Position(len(lines) - 1, len(lines[-1]))


def at(desk: Editor, path: Path, before: str) -> tuple[Any, types.Position]:
    return desk.id(path), place(path, before)


def whole(path: Path) -> types.Range:
    return types.Range(types.Position(0, 0), types.Position(len(path.read_text().split("\n")), 0))


def applied(text: str, edits: list[types.TextEdit] | Any) -> str:
    """A text after edits, all of which speak of the text before."""
    lines = text.split("\n")
    starts = [sum(len(each) + 1 for each in lines[:n]) for n in range(len(lines) + 1)]
    for edit in sorted(edits, key=lambda each: each.range.start, reverse=True):
        start, end = (starts[p.line] + p.character for p in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text


def edits_of(edit: types.WorkspaceEdit) -> dict[str, Any]:
    """The edits of each file, in either form."""
    if edit.document_changes is not None:
        return {each.text_document.uri: each.edits for each in edit.document_changes}
    assert edit.changes is not None
    return {**edit.changes}


def test_a_word_has_a_page(desk: Editor, rules: Path) -> None:
    found = desk.ask("text_document_hover", types.HoverParams(*at(desk, rules, "- adja")))
    assert "adjacent" in found.contents.value and found.contents.kind is types.MarkupKind.Markdown
    line = place(rules, "- adja").line
    assert found.range.start == types.Position(line, place(rules, "mine - ").character)
    nothing = types.HoverParams(desk.id(rules), types.Position(1, 0))
    assert desk.ask("text_document_hover", nothing) is None


def test_what_fits_is_proposed_with_its_page(desk: Editor, rules: Path) -> None:
    params = types.CompletionParams(*at(desk, rules, "in mine - adj"))
    found = desk.ask("text_document_completion", params)
    by_label = {each.label: each for each in found.items}
    item = by_label["adjacent"]
    assert item.text_edit.range.end == place(rules, "in mine - adj")
    full = desk.ask("completion_item_resolve", item)
    assert "set" in full.documentation.value or "hexes" in full.documentation.value
    assert [each.sort_text for each in found.items] == sorted(e.sort_text for e in found.items)


def test_snippets_are_for_those_who_take_them(desk: Editor, rules: Path) -> None:
    text = rules.read_text() + "\n"
    desk.write(rules, text)
    end = types.Position(text.count("\n"), 0)
    found = desk.ask("text_document_completion", types.CompletionParams(desk.id(rules), end))
    forms = {each.insert_text_format for each in found.items}
    takes = desk.client.capabilities.text_document.completion.completion_item.snippet_support
    assert (types.InsertTextFormat.Snippet in forms) is bool(takes)
    texts = [each.text_edit.new_text for each in found.items]
    assert any("${1:" in text for text in texts) is bool(takes)
    assert any(text.startswith("card ") for text in texts)


def test_the_arguments_of_a_word_are_told(desk: Editor, rules: Path) -> None:
    params = types.SignatureHelpParams(*at(desk, rules, "touching(mine, "))
    found = desk.ask("text_document_signature_help", params)
    assert found.signatures[0].label.startswith("touching(")
    assert found.active_parameter == 1
    for shape in found.signatures:
        assert all(end <= len(shape.label) for _, end in (p.label for p in shape.parameters))


def test_a_card_is_found_where_it_is_declared_and_used(desk: Editor, dale: Path) -> None:
    path, box, case = (
        dale / "rules/dale.kb", dale / "expansion.yaml", dale / "scenarios/first.scenario.yaml",
    )  # fmt: skip
    desk.open(path)
    desk.open(case)
    params = types.DefinitionParams(*at(desk, case, "cards: [dale_k"))
    uris = {each.uri for each in desk.ask("text_document_definition", params)}
    assert path.as_uri() in uris
    context = types.ReferenceContext(include_declaration=True)
    params = types.ReferenceParams(context=context, text_document=desk.id(path),
                                  position=place(path, "card dale_k"))  # fmt: skip
    found = desk.ask("text_document_references", params)
    assert {each.uri for each in found} == {each.as_uri() for each in (path, box, case)}
    context.include_declaration = False
    fewer = desk.ask("text_document_references", params)
    assert 0 < len(fewer) < len(found)


def test_a_card_has_another_name_everywhere(desk: Editor, dale: Path) -> None:
    path = dale / "rules/dale.kb"
    desk.open(path)
    where = at(desk, path, "card dale_k")
    prepared = desk.ask("text_document_prepare_rename", types.PrepareRenameParams(*where))
    assert prepared.placeholder == "dale_keeper"
    edit = desk.ask("text_document_rename", types.RenameParams(*where, "miller"))
    for change in edit.document_changes or ():
        assert change.text_document.version == desk.versions.get(change.text_document.uri)
    texts = {}
    for uri, edits in edits_of(edit).items():
        file = Path(uri[7:])
        texts[file] = applied(file.read_text(), edits)
        assert "dale_keeper" not in texts[file] and "miller" in texts[file]
    assert len(texts) == 3
    for file, text in texts.items():
        file.write_text(text)
    desk.write(path, texts[path])
    desk.disk(*texts)
    desk.idle()
    assert all(desk.found(file) == [] for file in texts)


def test_what_has_no_other_name_says_why(desk: Editor, rules: Path) -> None:
    where = at(desk, rules, "- adja")
    with pytest.raises(JsonRpcException) as refused:
        desk.ask("text_document_prepare_rename", types.PrepareRenameParams(*where))
    assert refused.value.code == types.LSPErrorCodes.RequestFailed.value and str(refused.value)
    with pytest.raises(JsonRpcException):
        desk.ask("text_document_rename", types.RenameParams(*where, "other"))
    with pytest.raises(JsonRpcException):
        where = at(desk, rules, "card dale_k")
        desk.ask("text_document_rename", types.RenameParams(*where, "not a name!"))


def test_symbols_are_a_tree(desk: Editor, rules: Path) -> None:
    found = desk.ask("text_document_document_symbol", types.DocumentSymbolParams(desk.id(rules)))
    names = {each.name: each for each in found}
    assert {"dale", "dale_keeper"} <= {name.split()[-1] for name in names}
    for symbol in found:
        assert symbol.range.start <= symbol.selection_range.start
        assert symbol.selection_range.end <= symbol.range.end
        assert symbol.children


def test_symbols_of_all_files_are_found_by_a_few_letters(desk: Editor, rules: Path) -> None:
    found = desk.ask("workspace_symbol", types.WorkspaceSymbolParams("keep"))
    assert any(each.location.uri == rules.as_uri() for each in found)
    assert desk.ask("workspace_symbol", types.WorkspaceSymbolParams("qqqqq")) in ([], ())


def decoded(data: Any, text: str) -> list[tuple[str, str]]:
    """Tokens as words of the text with their types."""
    lines, line, column, found = text.split("\n"), 0, 0, []
    for down, right, length, kind, _ in zip(*[iter(data)] * 5, strict=True):
        column = right if down else column + right
        line += down
        found.append((lines[line][column : column + length], LEGEND.token_types[kind]))
    return found


def test_tokens_cover_the_text_and_change_with_it(desk: Editor, rules: Path) -> None:
    text = rules.read_text()
    first = desk.ask(
        "text_document_semantic_tokens_full", types.SemanticTokensParams(desk.id(rules))
    )
    tokens = decoded(first.data, text)
    assert ("adjacent", "function") in tokens and ("card", "keyword") in tokens
    assert any(word.startswith("# What") and kind == "comment" for word, kind in tokens)
    changed = text.replace("gold 3 per", "gold 13 per")
    desk.write(rules, changed)
    params = types.SemanticTokensDeltaParams(desk.id(rules), first.result_id)
    delta = desk.ask("text_document_semantic_tokens_full_delta", params)
    data = [*first.data]
    for edit in delta.edits:
        data[edit.start : edit.start + edit.delete_count] = edit.data or []
    assert decoded(data, changed) == decoded(
        desk.ask(
            "text_document_semantic_tokens_full", types.SemanticTokensParams(desk.id(rules))
        ).data,
        changed,
    )
    params = types.SemanticTokensDeltaParams(desk.id(rules), "of another time")
    assert desk.ask("text_document_semantic_tokens_full_delta", params).data
    line = types.Range(types.Position(12, 0), types.Position(12, 1))
    params = types.SemanticTokensRangeParams(desk.id(rules), line)
    some = decoded(desk.ask("text_document_semantic_tokens_range", params).data, changed)
    assert [word for word, _ in some][:2] == ["card", "dale_keeper"]


def test_blocks_fold(desk: Editor, rules: Path) -> None:
    found = desk.ask("text_document_folding_range", types.FoldingRangeParams(desk.id(rules)))
    lines = rules.read_text().split("\n")
    assert {lines[each.start_line].split()[0] for each in found} >= {"location", "card"}
    assert all(each.start_line < each.end_line < len(lines) for each in found)


def test_selections_grow(desk: Editor, rules: Path) -> None:
    where = place(rules, "- adja")
    params = types.SelectionRangeParams(desk.id(rules), [where, types.Position(1, 0)])
    found, other = desk.ask("text_document_selection_range", params)
    assert other is not None
    ranges = []
    while found is not None:
        ranges.append(found.range)
        found = found.parent
    assert len(ranges) > 3
    for inner, outer in pairwise(ranges):
        assert outer.start <= inner.start and inner.end <= outer.end and inner != outer


def test_a_text_is_given_its_style(desk: Editor, rules: Path) -> None:
    text = rules.read_text()
    untidy = text.replace(
        "gold 3 per hex in mine - adjacent(mine)", "gold 3  per hex in mine-adjacent( mine )"
    )
    options = types.FormattingOptions(4, True)
    desk.write(rules, untidy)
    params = types.DocumentFormattingParams(desk.id(rules), options)
    assert applied(untidy, desk.ask("text_document_formatting", params)) == text
    first = types.Range(types.Position(0, 0), types.Position(3, 0))
    elsewhere = types.DocumentRangeFormattingParams(desk.id(rules), first, options)
    assert not desk.ask("text_document_range_formatting", elsewhere)
    line = place(rules, "gold 3 per").line
    here = types.Range(types.Position(line, 0), types.Position(line, 3))
    params = types.DocumentRangeFormattingParams(desk.id(rules), here, options)
    assert applied(untidy, desk.ask("text_document_range_formatting", params)) == text


def test_a_new_line_is_indented(desk: Editor, rules: Path) -> None:
    text = rules.read_text() + '\ncard mill "Mill":\n'
    desk.write(rules, text)
    end = types.Position(text.count("\n"), 0)
    options = types.FormattingOptions(4, True)
    params = types.DocumentOnTypeFormattingParams(desk.id(rules), end, "\n", options)
    edits = desk.ask("text_document_on_type_formatting", params)
    assert applied(text, edits) == text + "    "


def test_defines_and_examples_have_hints(desk: Editor, rules: Path) -> None:
    text = rules.read_text() + "\ndefine lonely: mine & adjacent(mine)\n"
    desk.write(rules, text)
    end = types.Position(text.count("\n") + 1, 0)
    params = types.InlayHintParams(desk.id(rules), types.Range(types.Position(0, 0), end))
    found = desk.ask("text_document_inlay_hint", params)
    assert any("hexes" in str(each.label) for each in found)
    top = types.Range(types.Position(0, 0), types.Position(1, 0))
    assert not desk.ask("text_document_inlay_hint", types.InlayHintParams(desk.id(rules), top))


def test_a_slip_is_mended_by_an_action(desk: Editor, rules: Path) -> None:
    text = rules.read_text()
    wrong = text.replace("adjacent(mine)", "adjacent(mime)")
    desk.write(rules, wrong)
    desk.until_codes(rules, ["KB201"])
    context = types.CodeActionContext(desk.found(rules))
    params = types.CodeActionParams(desk.id(rules), desk.found(rules)[0].range, context)
    found = desk.ask("text_document_code_action", params)
    action = next(each for each in found if "mine" in each.title)
    assert action.kind == types.CodeActionKind.QuickFix
    assert [each.code for each in action.diagnostics] == ["KB201"]
    assert applied(wrong, edits_of(action.edit)[rules.as_uri()]) == text
    context.only = [types.CodeActionKind.SourceOrganizeImports]
    assert not desk.ask("text_document_code_action", params)


def test_an_action_makes_a_file_where_the_client_can(desk: Editor, rules: Path) -> None:
    facts = {"in": "card dale_keeper", "was": "gold 3 per hex", "now": "gold 2", "reason": ""}
    report = {"survivors": [{**facts, "file": rules.name, "scenario": "title: found\n"}]}
    (rules.parents[1] / "mutants.json").write_text(json.dumps(report))
    context = types.CodeActionContext([])
    where = place(rules, "gold 3")
    params = types.CodeActionParams(desk.id(rules), types.Range(where, where), context)
    (action,) = desk.ask("text_document_code_action", params)
    made, written = action.edit.document_changes
    assert isinstance(made, types.CreateFile) and made.uri == written.text_document.uri
    assert made.uri.endswith("/scenarios/dale_keeper_1.scenario.yaml")
    assert [each.new_text for each in written.edits] == ["title: found\n"]
    assert action.kind == types.CodeActionKind.Refactor


def test_lenses_say_what_came_of_examples(desk: Editor, rules: Path) -> None:
    params = types.CodeLensParams(desk.id(rules))
    found = desk.ask("text_document_code_lens", params)
    titles = [each.command.title for each in found]
    assert titles.count("holds") == 2 and titles.count("Why here") == 2
    wrong = rules.read_text().replace("gives 3", "gives 4")
    desk.write(rules, wrong)
    titles = [each.command.title for each in desk.ask("text_document_code_lens", params)]
    assert titles.count("holds") == 1


def test_files_of_data_are_known_too(desk: Editor, dale: Path) -> None:
    box, case = dale / "expansion.yaml", dale / "scenarios/first.scenario.yaml"
    for path, before in ((box, "nee"), (case, "cards: [dale_k"), (case, "  - exp")):
        desk.open(path)
        assert desk.ask("text_document_hover", types.HoverParams(*at(desk, path, before)))
        params = types.CompletionParams(*at(desk, path, before))
        assert desk.ask("text_document_completion", params).items
        symbols = types.DocumentSymbolParams(desk.id(path))
        assert desk.ask("text_document_document_symbol", symbols)
