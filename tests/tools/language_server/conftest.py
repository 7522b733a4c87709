"""One server for many tests, and a fresh expansion for each."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("pytest_lsp")

from kbrules.tools.new import new_expansion
from tests.tools.language_server.editor import Editor, editor


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the shared editor has open."""
    return tmp_path_factory.mktemp("workspace").resolve()


@pytest.fixture(scope="session")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An expansion to be copied."""
    into = tmp_path_factory.mktemp("pattern")
    new_expansion("dale", into)
    return into / "dale"


@pytest.fixture(scope="session")
def servers(workspace: Path) -> Iterator[Callable[[str], Editor]]:
    """Editors like a real one, each with a server that logs nothing, to the very end."""
    with ExitStack() as stack:

        @cache
        def server(kind: str) -> Editor:
            log = workspace.parent / f"{kind}.log"
            stack.callback(_is_empty, log)
            made = stack.enter_context(editor(log))
            made.begin([workspace], kind, options={"showResults": False})
            return made

        yield server


def _is_empty(log: Path) -> None:
    assert log.read_text(encoding="utf-8") == ""


@pytest.fixture
def dale(workspace: Path, pattern: Path) -> Iterator[Path]:
    """A fresh expansion in the open folder; it is gone after the test."""
    folder = workspace / "dale"
    shutil.copytree(pattern, folder)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def desk(servers: Callable[[str], Editor], dale: Path) -> Iterator[Editor]:
    """An editor like VS Code with that expansion."""
    yield from used(servers("visual-studio-code"), dale)


def used(shared: Editor, dale: Path) -> Iterator[Editor]:
    """A shared editor that knows of an expansion, whose texts are closed afterwards."""
    shared.disk(dale / "expansion.yaml")
    yield shared
    for uri in [*shared.versions]:
        shared.close(Path(uri.removeprefix("file://")))
    shared.versions.clear()
    shutil.rmtree(dale, ignore_errors=True)
    shared.disk(dale / "expansion.yaml")
    shared.idle()
    shared.client.diagnostics.clear()
    shared.published.clear()
