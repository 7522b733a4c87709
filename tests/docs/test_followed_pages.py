"""Pages are followed to the letter: the README, the guide, tables, Python, scale, coverage."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import kbrules
from cli.app import app
from kbrules.scenario.examples import examples_of, run_example
from kbrules.text import Source
from kbrules.tools.coverage import ClauseVerdict
from kbrules.tools.simulate.parquet import schema_text
from tests.docs.guide import (
    MADE,
    PAGES,
    Block,
    Terminal,
    block_of,
    blocks,
    checkout,
    follow,
    is_shown,
    run_python,
    typed_here,
)
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
    examples = [each for each in examples_of(ruleset) if each.rule.id == "citizens"]
    ran = [run_example(ruleset, each) for each in examples]
    assert [outcome.passed for outcome in ran] == [True]


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_a_page_can_be_followed(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    assert list(blocks(page)) or page.stem == "index"
    follow(page)


def test_what_is_not_seen_is_not_shown() -> None:
    assert is_shown("a\nb", "a\nb\n")
    assert is_shown("a\n...\nd", "a\nb\nc\nd")
    assert is_shown("a\n...", "a\nb")
    assert is_shown("a ... d\ne", "a b c d\ne")
    assert not is_shown("a ... d", "a\nb d")
    assert not is_shown("a\n...\nd", "a\nb\nc")
    assert not is_shown("a.b", "acb")
    assert not is_shown("", "a")


COVERAGE_PAGE = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
BOX = "format: 1\nid: vale\ntitle: The Vale\nneeds: [base]\ncards: [loners]\n"


def block(mark: str) -> str:
    """The block that a fence opens."""
    found = re.search(rf"{mark}\n(.*?)```", COVERAGE_PAGE, re.DOTALL)
    assert found is not None, mark
    return found.group(1)


@pytest.fixture()
def vale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "vale" / "rules").mkdir(parents=True)
    (tmp_path / "vale" / "expansion.yaml").write_text(BOX, encoding="utf-8")
    (tmp_path / "vale" / "rules" / "loners.kb").write_text(block("```kb"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "vale"


def test_the_report_shown_is_the_report(vale: Path) -> None:
    command, _, report = block("<!-- report -->\n```").partition("\n")
    words = command.removeprefix("$ kbrules ").split()
    printed = CliRunner().invoke(app, words).stdout
    assert printed.split("\n\n", 1)[1].strip() == report.strip()


def test_the_second_example_is_enough(vale: Path) -> None:
    rules = vale / "rules" / "loners.kb"
    rules.write_text(block("```kb") + block("```kb more"), encoding="utf-8")
    result = CliRunner().invoke(app, ["test", "vale", "--fail-under", "100,100"])
    assert result.exit_code == 0, result.output


def test_every_key_is_told(vale: Path) -> None:
    CliRunner().invoke(app, ["test", "vale", "--coverage-json", "coverage.json"])
    data = json.loads(Path("coverage.json").read_text(encoding="utf-8"))
    file = data["files"][0]
    keys = {*data, *file, *file["of"][0]}
    assert [key for key in sorted(keys) if f"`{key}`" not in COVERAGE_PAGE] == []
    assert [each.value for each in ClauseVerdict if f"`{each.value}`" not in COVERAGE_PAGE] == []


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
