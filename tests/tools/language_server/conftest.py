"""One server for many tests, and a fresh expansion for each."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pytest_lsp")

from kbrules.tools.authoring.scaffold import new_expansion
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


@pytest.fixture(scope="session", params=["visual-studio-code", "neovim"])
def shared(request: pytest.FixtureRequest, workspace: Path) -> Iterator[Editor]:
    """An editor like one of these whose server logs nothing, to the very end."""
    log = workspace.parent / f"{request.param}.log"
    with editor(log) as made:
        made.begin([workspace], request.param, options={"showResults": False})
        yield made
    assert log.read_text(encoding="utf-8") == ""


@pytest.fixture
def dale(workspace: Path, pattern: Path) -> Iterator[Path]:
    """A fresh expansion in the open folder; it is gone after the test."""
    folder = workspace / "dale"
    shutil.copytree(pattern, folder)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def desk(shared: Editor, dale: Path) -> Iterator[Editor]:
    """The shared editor with that expansion; its texts are closed after the test."""
    shared.disk(dale / "expansion.yaml")
    yield shared
    for uri in [*shared.versions]:
        shared.close(Path.from_uri(uri) if hasattr(Path, "from_uri") else Path(uri[7:]))
    shared.versions.clear()
    shutil.rmtree(dale, ignore_errors=True)
    shared.disk(dale / "expansion.yaml")
    shared.idle()
    shared.client.diagnostics.clear()
    shared.told.clear()
