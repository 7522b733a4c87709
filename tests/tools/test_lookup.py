"""Every word an author may write has a page, and answers wherever one may look it up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from kbrules.game.state import ZONES
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.grammar import keywords
from kbrules.library.boards.positions import MARKS
from kbrules.library.load import load
from kbrules.library.models import Expansion
from kbrules.library.ruleset import Ruleset
from kbrules.library.vocabulary import full_vocabulary
from kbrules.primitives.vocabulary import KINDS
from kbrules.scenario.example_lines import LINES
from kbrules.scenario.models import ScenarioFile
from kbrules.tools.show import entries, page_of
from tests.docs.generated import schema
from tests.source_tree import ROOT

RULES = load()
PAGE = (ROOT / "docs" / "words.md").read_text(encoding="utf-8")


def of_grammar() -> set[str]:
    """The keywords of the grammar; of `before setup` and its like the parts stand for the whole."""
    known = keywords()
    patterns = (*known.headings, *known.openers, *known.inner)
    found = {word for pattern in patterns for word in re.findall(r"[a-z_]+", pattern)}
    return found - {"b", "required", "before", "after", "least", "most"} | {
        "required action", "before setup", "after setup", "at least", "at most",
    }  # fmt: skip


def of_the_language(ruleset: Ruleset) -> set[str]:
    vocabulary = full_vocabulary(ruleset.catalog)
    steps = [step for found in vocabulary.steps.values() for step in found]
    parameters = [parameter for step in steps for parameter in step.parameters]
    found = {*vocabulary.words, *vocabulary.folds, *vocabulary.operators, *vocabulary.steps}
    found |= {*vocabulary.events, *vocabulary.norm_verbs(), *KINDS, *LINES, *MARKS, *ZONES}
    found |= {s.name for s in parameters if s.kind in ("adverb", "phrase")}
    found |= {noun for parameter in parameters for noun in parameter.nouns}
    found |= {name for event in vocabulary.events.values() for name, _ in event.binds}
    found |= {name for parameter in parameters for name, _ in parameter.binds}
    return found | of_grammar()


def of_the_boxes(ruleset: Ruleset) -> set[str]:
    words = tree.Define | tree.Option | tree.Memory
    declared = {d.name.text for d in ruleset.declarations if isinstance(d, words)}
    vocabulary = full_vocabulary(ruleset.catalog)
    return declared | {*vocabulary.constants, *vocabulary.quantities}


def of_files() -> set[str]:
    """Every key that a schema knows."""
    found: set[str] = set()
    for name in ("scenario", "position", "expansion"):
        made = schema(name)
        for each in (made, *made["$defs"].values()):
            found |= each.get("properties", {}).keys()
    return found


WORDS = sorted(of_the_language(RULES) | of_the_boxes(RULES) | of_files())


def test_all_are_asked_for() -> None:
    assert {"theirs", "gives", "+", "freely", "movers", "visited", "legend", "needs"} <= {*WORDS}
    assert {*Expansion.model_fields, *ScenarioFile.model_fields} - {"boxes"} <= {*WORDS}


def test_every_word_has_a_page_that_says_something() -> None:
    known = {each.name: each for each in entries(RULES.catalog, RULES.declarations, RULES.rules)}
    assert [word for word in WORDS if word not in known] == []
    assert [each.name for each in known.values() if not each.page or not each.text] == []


@pytest.mark.parametrize("word", ["theirs", "build", "gives", "+", "freely", "legend", "mine"])
def test_show_and_explain_answer(word: str) -> None:
    page = page_of(RULES, "word", word)
    for command in (["show", "word", word], ["explain", word]):
        result = CliRunner().invoke(app, command)
        assert (result.exit_code, result.output.strip()) == (0, page)


def test_the_printed_pages_have_them_too() -> None:
    files = (ROOT / "docs" / name for name in ("boxes.md", "expansions.md", "scenarios.md"))
    text = PAGE + "".join(file.read_text(encoding="utf-8") for file in files)
    words = of_the_language(RULES) | of_files()
    told = {word for word in words if re.search(rf"(?<![a-z_]){re.escape(word)}(?![a-z_])", text)}
    assert words - told == set()
    declared = [d.name.text for d in RULES.declarations if isinstance(d, tree.Define)]
    assert [name for name in declared if f"`{name}" not in PAGE] == []


def test_a_word_that_there_is_not_leads_to_the_list() -> None:
    result = CliRunner().invoke(app, ["show", "word", "nonsuch"])
    assert "KB413" in result.output and "`show word` lists them" in result.output


@pytest.mark.parametrize(
    ("word", "help"),
    [("enemy", "all other players are `others`"), ("KB759", "`kbrules explain KB759`")],
)
def test_a_word_of_elsewhere_and_a_code_are_answered(word: str, help: str) -> None:
    assert help in CliRunner().invoke(app, ["show", "word", word]).output


def test_a_word_of_events_says_what_they_say_of_it() -> None:
    output = CliRunner().invoke(app, ["show", "word", "here"]).output
    assert "A piece of `actor` went from `origin` to `here`." in output


def said(folder: Path, rule: str) -> list[tuple[str, str]]:
    (folder / "expansion.yaml").write_text("format: 1\nid: fen\ntitle: Fen\nneeds: [base]\n")
    (folder / "fen.kb").write_text(f'rule fen "Fen":\n    "Something."\n    {rule}\n')
    from kbrules.library.load import check_all

    return [(each.code, each.help) for each in check_all(folders=[folder])[1]]


@pytest.mark.parametrize(
    ("rule", "help"),
    [
        ("forbid build on adjacent()", "`adjacent` takes hexes, such as `adjacent(mine)`"),
        ("forbid build on within(mine)", "`within` takes hexes and a number, such as"),
        ("when build: remove mine", "`remove` takes `COUNT [PIECE] from SOURCE`, such as"),
        ("gold 1 per 0 hexes in mine", "leave the number out"),
        ("forbid build on\N{NO-BREAK SPACE}edge", "write a plain blank"),
        ("forbid build on hermit", "did you mean the card `hermits`?"),
        ("forbid build on hermit(mine)", "`kbrules show word` lists all words"),
    ],
)
def test_a_help_can_be_followed(tmp_path: Path, rule: str, help: str) -> None:
    assert help in said(tmp_path, rule)[0][1]


def test_two_folders_of_one_id_are_both_named(tmp_path: Path) -> None:
    from kbrules.library.load import check_all

    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        said(folder, "forbid build on edge")
    found = next(each for each in check_all(folders=folders)[1] if each.code == "KB411")
    assert str(folders[0]) in found.message and str(folders[1]) in found.message and found.help


def test_the_data_of_a_box_under_another_name_is_named(tmp_path: Path) -> None:
    said(tmp_path, "forbid build on edge")
    (tmp_path / "expansion.yaml").rename(tmp_path / "expansion.yml")
    result = CliRunner().invoke(app, ["check", str(tmp_path)])
    assert "KB006" in result.output and "expansion.yml" in result.output
    assert "call it `expansion.yaml`" in result.output


def test_a_rule_that_is_replaced_is_shown_with_the_one_that_took_its_place() -> None:
    result = CliRunner().invoke(app, ["show", "rule", "turn", "--with", "casual"])
    assert "`choosing_turn` takes its place" in result.output
