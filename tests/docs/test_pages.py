"""The pages are up to date, and every snippet in them does what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kbrules.library.load import check_all
from kbrules.text import Source
from kbrules.tools.publishing.docs import pages

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
PAGES = pages()
SNIPPETS = re.findall(r"```kb\n(.*?)```", GUIDE, re.DOTALL)


@pytest.mark.parametrize("name", PAGES)
def test_page_is_what_the_declarations_say(name: str) -> None:
    written = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert written == PAGES[name], "run `python -m kbrules.tools.publishing.docs`"


def test_the_guide_has_snippets() -> None:
    assert len(SNIPPETS) >= 6


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_snippet_checks(snippet: str) -> None:
    _, findings = check_all(["base"], texts=[Source("snippet.kb", snippet)])
    assert findings == []


def test_all_snippets_with_examples_hold() -> None:
    from kbrules.scenario.examples.check import run_examples

    ruleset, findings = check_all(["base"], texts=[Source("guide.kb", "\n".join(SNIPPETS))])
    assert findings == []
    assert ruleset is not None
    ran = {each.rule.id: outcome for each, outcome in run_examples(ruleset)}
    for rule in ("three_friends", "hermits"):
        assert ran[rule].passed, ran[rule].text


def test_the_scenario_shown_holds_and_every_key_is_told(tmp_path: Path) -> None:
    from kbrules.scenario.format.models import ScenarioFile
    from kbrules.scenario.running.collect import collect
    from kbrules.scenario.running.items import run_all
    from kbrules.tools.editors.schemas import schema

    page = PAGES["scenarios.md"]
    shown = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    file = tmp_path / "shown.scenario.yaml"
    file.write_text(shown[0], encoding="utf-8")
    (result,) = run_all(collect([file]))
    assert result.passed, result.outcome.text
    assert {"title", "format", "scenarios"} <= set(ScenarioFile.model_fields)
    tables = [schema("scenario"), *schema("scenario")["$defs"].values()]
    for key in (key for table in tables for key in table.get("properties", ())):
        assert f"| `{key}` | " in page, key
