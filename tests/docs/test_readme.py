"""The README is true: a reader types it from top to bottom in one folder and sees what it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kbrules
from cli.app import app
from kbrules.scenario.examples import run_examples
from kbrules.text import Source
from tests.docs.checkout import MADE, Terminal, checkout
from tests.docs.guide import block_of, blocks, follow
from tests.source_tree import ROOT

PAGE = ROOT / "README.md"
README = PAGE.read_text(encoding="utf-8")


def test_it_can_be_followed_in_one_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout(tmp_path))
    follow(PAGE, Terminal(tmp_path).typed, apart=["cards"])
    drawn = (tmp_path / "board.svg").read_text(encoding="utf-8")
    assert drawn == (ROOT / "docs" / "board.svg").read_text(encoding="utf-8"), (
        "copy the picture that the README draws to docs/board.svg"
    )
    assert "![" in README and "](docs/board.svg)" in README


def test_every_command_of_it_is_run_or_exists() -> None:
    outside = re.sub(r"```.*?```", "", README, flags=re.DOTALL)
    assert not re.search(r"^ {4}", outside, re.MULTILINE), "a block of code that no test runs"
    named = re.findall(r"`(kbrules|make) ([^`]*)`", outside)
    commands = {command.name for command in app.registered_commands}
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {words.split()[0] for program, words in named if program == "make"} <= targets
    asked = {words.split()[0] for program, words in named if program == "kbrules"}
    assert asked - {"--help"} <= commands and len(asked) > 2


def test_it_is_short_and_says_whose_game_it_is() -> None:
    assert len(README.split()) <= 1200
    for said in ("Donald X. Vaccarino", "Queen Games", "not\naffiliated"):
        assert said in README


def test_its_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)", README)
    assert len(links) > 15
    assert [to for to in links if not (ROOT / to).exists()] == []


def test_what_the_first_commands_leave_behind_is_no_source() -> None:
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    typed = "".join(block.text for block in blocks(PAGE) if block.what == "run")
    made = re.findall(r"(?:--svg|--html|new expansion) (\S+)", typed)
    assert set(made) == MADE
    assert {f"/{name}" for name in made} <= {line.rstrip("/") for line in ignored}


def test_the_cards_shown_say_what_the_shipped_ones_say() -> None:
    shown = block_of(PAGE, "cards").text
    for kind, name in (("card", "citizens"), ("location", "paddock")):
        head = f'{kind} {name} "{name.title()}":'
        assert head in shown
        shown = shown.replace(head, head.replace(":", f" replaces {name}:"))
    ruleset = kbrules.load("base", texts=[Source("readme.kb", shown)])
    shipped = kbrules.load("base")
    for name in ("citizens", "paddock"):
        mine, theirs = ruleset.rule(name), shipped.rule(name)
        assert mine is not None and theirs is not None
        assert mine.wording == theirs.wording
        assert [a.span.text for a in mine.awards] == [a.span.text for a in theirs.awards]
        assert [a.span.text.split() for a in mine.actions] == [
            a.span.text.split() for a in theirs.actions
        ]
    ran = [outcome for each, outcome in run_examples(ruleset) if each.rule.id == "citizens"]
    assert [outcome.passed for outcome in ran] == [True]
