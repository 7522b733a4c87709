"""A copy of the test box, and a session on it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kbrules.tools.workshop.session import WorkshopSession
from kbrules.tools.workshop.writing import WorkingCopy
from tests.source_tree import ROOT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "tests" / "house" / "dale", tmp_path / "dale"))


@pytest.fixture
def session(folder: Path) -> WorkshopSession:
    return WorkshopSession(WorkingCopy(folder))
