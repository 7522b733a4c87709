"""The action that ignores a warning: afterwards the warning is gone, and nothing else is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kbrules.messages import CODES
from kbrules.tools.explain import example_folder
from kbrules.tools.language_service.answers import CodeAction, edited
from kbrules.tools.language_service.editing import code_actions
from kbrules.tools.language_service.workspace import Workspace


def ignoring(workspace: Workspace, path: Path, code: str) -> Iterator[CodeAction]:
    """The actions that ignore a code in a file."""
    for each in code_actions(workspace, path, 0, len(workspace.text(path))):
        if each.title == f"Ignore {code} here":
            yield each


@pytest.mark.parametrize("code", ["KB703", "KB730", "KB760", "KB770"])
def test_an_ignored_warning_is_gone_wherever_it_stands(code: str) -> None:
    entry = CODES[code]
    with example_folder(entry.wrong) as folder:
        home = folder.resolve()
        workspace = Workspace([home])
        path = home / entry.wrong.files[0].name
        assert code in {each.code for each in workspace.lints(path)[path]}
        action = next(ignoring(workspace, path, code))
        workspace.open_text(path, edited(workspace.source(path), action.edits[path]))
        findings = [*workspace.findings(path).values(), *workspace.lints(path).values()]
        assert code not in {each.code for of in findings for each in of}
        assert not any(workspace.findings(path).values())


@pytest.mark.parametrize("code", ["KB508", "KB700", "KB701"])
def test_what_no_comment_suppresses_is_not_offered_to_be(code: str) -> None:
    entry = CODES[code]
    with example_folder(entry.wrong) as folder:
        workspace, path = (
            Workspace([folder.resolve()]),
            folder.resolve() / entry.wrong.files[0].name,
        )
        assert code in {each.code for each in workspace.lints(path)[path]}
        assert not [*ignoring(workspace, path, code)]
