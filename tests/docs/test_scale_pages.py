"""The pages on scale and on the ladder are followed; their tables are what the declarations say."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.tools.simulate.parquet import schema_text
from tests.docs.guide import follow
from tests.source_tree import ROOT

DOCS = ROOT / "docs"


def test_the_page_on_scale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("duckdb", "pandas", "pyarrow"):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    follow(DOCS / "scale.md")


def test_the_page_on_scale_has_the_schema_of_the_files() -> None:
    assert schema_text() in (DOCS / "scale.md").read_text(encoding="utf-8")


def test_the_page_on_the_ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    follow(DOCS / "ladder.md")
