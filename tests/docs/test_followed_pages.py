"""The pages on tables and on Python are followed: every command and program of them runs."""

from __future__ import annotations

from pathlib import Path

import pytest

import kbrules
from tests.docs.checkout import checkout
from tests.docs.guide import Block, block_of, blocks, follow, run_python, typed_here
from tests.source_tree import ROOT

DOCS = ROOT / "docs"
NATIVE = [
    block
    for page in ("python.md", "players.md")
    for block in blocks(DOCS / page)
    if block.what == "native"
]


def test_the_page_on_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout(tmp_path))
    monkeypatch.setenv("NO_COLOR", "1")
    follow(DOCS / "tables.md", apart=["replaces"])


def test_a_stand_in_is_replaced_by_the_line_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sections = kbrules.load().parts.sections.values()
    name = next(section.id for section in sections if section.stand_in)
    monkeypatch.chdir(tmp_path)
    _, code = typed_here(f"kbrules new section {name}")
    assert code == 0
    manifest = (tmp_path / name / "expansion.yaml").read_text(encoding="utf-8")
    assert block_of(DOCS / "tables.md", "replaces").text in manifest


def test_the_page_on_perft(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    follow(DOCS / "perft.md")


def test_the_page_on_conformance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout(tmp_path))
    follow(DOCS / "conformance.md")


def test_the_page_on_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    follow(DOCS / "packages.md")


def test_the_page_on_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    follow(DOCS / "python.md", apart=["native"])


@pytest.mark.parametrize("block", NATIVE, ids=lambda block: block.line)
def test_what_needs_the_extra(block: Block) -> None:
    pytest.importorskip("numba")
    run_python(block)


def test_there_is_something_that_needs_the_extra() -> None:
    assert len(NATIVE) == 3


def test_the_page_on_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    follow(DOCS / "players.md", apart=["native"])
