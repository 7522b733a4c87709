"""CONTRIBUTING, the changelog and the policy of versions say what is so."""

from __future__ import annotations

import re
from importlib.util import find_spec
from inspect import getsource
from pathlib import Path

import pytest
from typer.main import get_command

import kbrules
from cli.app import app
from kbrules.engine.simulation.playthrough import Playthrough
from kbrules.messages import CODES
from tests.docs.guide import Block, blocks
from tests.source_tree import ROOT

PAGE = ROOT / "CONTRIBUTING.md"
CONTRIBUTING = PAGE.read_text(encoding="utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
VERSIONS = (ROOT / "docs" / "versions.md").read_text(encoding="utf-8")
PARTS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
"""The parts of a version, in the order of Keep a Changelog."""
ADDED = [block for block in blocks(PAGE) if block.what == "part"]


@pytest.mark.parametrize("block", ADDED, ids=lambda block: Path(block.of).stem)
def test_the_word_shown_is_the_word_in_the_file(block: Block) -> None:
    assert f"\n{block.text}\n" in (ROOT / block.of).read_text(encoding="utf-8")


def test_a_word_is_shown_in_both_of_its_files() -> None:
    assert [block.of for block in ADDED] == [
        "kbrules/primitives/sets.py",
        "kbrules/kernel/runtime/geometry.py",
    ]
    names = {re.findall(r"^def (\w+)", block.text, re.MULTILINE)[0] for block in ADDED}
    assert len(names) == 1


def test_every_folder_and_target_that_contributors_are_told_of_is_there() -> None:
    paths = set(re.findall(r"`((?:kbrules|cli|rules|expansions|schemas|tests|docs)/[\w/.]*)`",
                           CONTRIBUTING))  # fmt: skip
    paths |= set(re.findall(r"\b(tests/[\w/.]*\w)", CONTRIBUTING))
    assert len(paths) > 20
    assert sorted(path for path in paths if not (ROOT / path).exists()) == []
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(re.findall(r"`make ([a-z-]+)`|^    make ([a-z-]+)", CONTRIBUTING, re.MULTILINE)) <= {
        pair for target in targets for pair in ((target, ""), ("", target))
    }


@pytest.mark.parametrize("text", [CONTRIBUTING, CHANGELOG], ids=["contributing", "changelog"])
def test_links_lead_somewhere(text: str) -> None:
    links = [to for to in re.findall(r"\]\(([^)#]+)", text) if "://" not in to]
    assert links and [to for to in links if not (ROOT / to).exists()] == []


def test_the_changelog_has_the_version_of_the_package_below_what_is_unreleased() -> None:
    heads = re.findall(r"^## \[([^]]+)\]", CHANGELOG, re.MULTILINE)
    assert heads[:2] == ["Unreleased", kbrules.__version__]
    assert len(heads) == len(set(heads))
    for part in CHANGELOG.split("\n## ")[1:]:
        kinds = re.findall(r"^### (.*)$", part, re.MULTILINE)
        assert kinds and kinds == [kind for kind in PARTS if kind in kinds], part[:20]


def test_the_changelog_names_what_is_there() -> None:
    unreleased = CHANGELOG.split("\n## ")[1].split("### Removed")[0]
    named = re.findall(r"`(?:kbrules|Game|Playthrough)\.(?!toml)(\w+)`", unreleased)
    assert len(named) >= 4
    for name in named:
        is_there = f"self.{name}" in getsource(Playthrough) or find_spec(f"kbrules.{name}")
        assert is_there or any(hasattr(owner, name) for owner in (kbrules, kbrules.Game)), name
    assert not hasattr(kbrules.Game, "native_playthrough")


def test_the_upgrade_of_formats_is_not_there_yet_and_the_page_says_so() -> None:
    said = re.sub(r"\s+", " ", VERSIONS)
    assert "`kbrules fmt --upgrade` will rewrite" in said and "it does not exist yet" in said
    fmt = get_command(app).commands["fmt"]  # type: ignore[attr-defined]
    options = {option for parameter in fmt.params for option in parameter.opts}
    assert "--check" in options and "--upgrade" not in options


def test_the_page_names_the_code_for_logs_of_other_rules() -> None:
    assert "KB512" in VERSIONS and CODES["KB512"].slug == "other-rules"
