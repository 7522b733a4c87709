"""The pages are up to date, and every snippet in them does what it says."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kbrules.library.load import check_all
from kbrules.scenario.examples import examples_of, run_example
from kbrules.text import Source
from tests.docs.printed_pages import illustrations, pages
from tests.source_tree import ROOT

GUIDE = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"```kb\n(.*?)```", GUIDE, re.DOTALL)


def test_pages_are_what_the_declarations_say() -> None:
    said = pages()
    assert len(said) >= 8
    written = {name: (ROOT / "docs" / name).read_text(encoding="utf-8") for name in said}
    stale = [name for name, text in said.items() if written[name] != text]
    assert stale == [], "run `python -m tests.docs.printed_pages`"


def test_the_guide_has_snippets() -> None:
    assert len(SNIPPETS) >= 6


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_snippet_checks(snippet: str) -> None:
    _, findings = check_all(["base"], texts=[Source("snippet.kb", snippet)])
    assert findings == []


def test_all_snippets_with_examples_hold() -> None:
    ruleset, findings = check_all(["base"], texts=[Source("guide.kb", "\n".join(SNIPPETS))])
    assert findings == []
    assert ruleset is not None
    ran = {each.rule.id: run_example(ruleset, each) for each in examples_of(ruleset)}
    for rule in ("three_friends", "hermits"):
        assert ran[rule].passed, ran[rule].text


VERBS = ("permit", "forbid", "prefer", "waive", "deny")
PICTURED = {
    verb: text
    for verb, text in re.findall(r"### (\w+)\n\n[^#]*?```kb\n(.*?)```", GUIDE, re.DOTALL)
    if verb in VERBS
}
NORM_FILE = "norm.kb"
NO_NORM = "forbid build on occupied"
"""A norm that the base game has anyway."""


def pictured(verb: str, norm: str | None = None, drawing: str | None = None) -> bool:
    """Whether the picture of a verb holds, perhaps with another norm or another drawing."""
    (said,) = re.findall(rf"^    ({verb} build .*)$", PICTURED[verb], re.MULTILINE)
    text = PICTURED[verb].replace(said, norm or said)
    if drawing is not None:
        text = re.sub(r"(?:        \|.*\n)+", drawing, text)
    ruleset, findings = check_all(["base"], texts=[Source(NORM_FILE, text)])
    assert ruleset is not None and findings == []
    (outcome,) = (
        run_example(ruleset, each)
        for each in examples_of(ruleset)
        if each.rule.span.source.name == NORM_FILE
    )
    return outcome.passed


def drawn(text: str) -> str:
    return "".join(f"        {line}\n" for line in text.splitlines())


@pytest.mark.parametrize("verb", VERBS)
def test_the_picture_of_a_verb_shows_what_is_offered(verb: str) -> None:
    assert pictured(verb)


@pytest.mark.parametrize("verb", VERBS)
def test_nothing_but_the_norm_makes_the_picture(verb: str) -> None:
    assert not pictured(verb, NO_NORM)


def test_the_base_game_alone_offers_what_is_shown_and_all_pictures_are_of_that_position() -> None:
    shown = re.findall(r"<!-- base game alone -->\n```text\n(.*?)```", GUIDE, re.DOTALL)
    assert pictured("permit", NO_NORM, drawn(shown[0]))
    assert not pictured("permit", NO_NORM, drawn(shown[0].replace("C", "G")))
    plain = drawn(shown[0].replace("+", " "))
    for verb in VERBS:
        drawing = re.findall(r"        \|.*", PICTURED[verb].replace("+", " "))
        assert [line.split() for line in drawing] == [line.split() for line in plain.splitlines()]


def hexes_marked(text: str, sign: str = "+") -> set[str]:
    """The hexes of a drawing with a sign, by name."""
    rows = [line.partition("|")[2] for line in text.splitlines() if "|" in line]
    return {
        f"{'abcdefgh'[column]}{number}"
        for number, row in enumerate(rows, 1)
        for column, word in enumerate(row.split())
        if sign in word
    }


@pytest.mark.parametrize("verb", VERBS)
def test_the_picture_shows_what_a_norm_opens_and_closes(verb: str) -> None:
    svg = (ROOT / "docs" / "norms" / f"{verb}.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(svg)
    without, with_norm = svg.split('aria-label="with the norm"')
    shown = re.findall(r"<!-- base game alone -->\n```text\n(.*?)```", GUIDE, re.DOTALL)
    before, after = hexes_marked(shown[0]), hexes_marked(PICTURED[verb])
    label = r"<title>(\w+): [^<]*marked %s"
    assert set(re.findall(label % r"\+", without)) == before
    assert set(re.findall(label % r"\+", with_norm)) == after
    assert set(re.findall(label % "×", svg)) == before - after


def test_a_picture_below_rules_that_draw_nothing_is_told(tmp_path: Path) -> None:
    page = tmp_path / "birds.md"
    page.write_text("```kb\ndefine x: mine\n```\n\n![a bird](bird.svg)\n", encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape("birds.md: nothing can be drawn for bird.svg")):
        list(illustrations(tmp_path))


def test_the_scenario_shown_holds_and_every_key_is_told(tmp_path: Path) -> None:
    from kbrules.scenario.models import ScenarioFile
    from kbrules.scenario.running import run_all
    from tests.collecting import collect
    from tests.docs.generated import schema

    page = pages()["scenarios.md"]
    shown = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    file = tmp_path / "shown.scenario.yaml"
    file.write_text(shown[0], encoding="utf-8")
    (result,) = run_all(collect([file]))
    assert result.passed, result.outcome.text
    assert {"title", "format", "scenarios"} <= set(ScenarioFile.model_fields)
    tables = [schema("scenario"), *schema("scenario")["$defs"].values()]
    for key in (key for table in tables for key in table.get("properties", ())):
        assert f"| `{key}` | " in page, key
