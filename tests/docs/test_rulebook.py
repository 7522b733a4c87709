"""The page of the rule book is complete: items, rules, and the options that answer questions."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from kbrules.lang.syntax import tree
from kbrules.tools.docs.content import Item, items
from kbrules.tools.show import shipped_options
from tests.docs.rulebook import count_scenarios, declarations, place_of
from tests.source_tree import ROOT

SCENARIOS = ROOT / "tests" / "scenarios"
BOOK = items(ROOT / "docs")
ITEMS = [(f"{section}, {name}", item) for section, of in BOOK.items() for name, item in of.items()]
CHAPTERS = ("1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "1.11", "1.12")
LATER = {
    "1.2": {"swamp", "farmland", "water", "mountain", "cave"},
    "1.3": {"location", "castle", "nomad space", "palace", "silo", "capitol", "sections"},
    "1.4": {"nomads", "crossroads", "marshlands", "scouts card", "harvest", "new edition"},
    "1.9": {"bonus tiles", "swamp card", "palace"},
    "1.10": {"farmland", "farm action", "silo"},
    "1.12": {"Capitol", "Caves", "Island", "island scoring", "island and Tower"},
}
"""Items that no tile or card of their name stands for, so that no other test would miss them."""
NAMED = ("card", "task", "location", "nomad", "bonus")


def _references() -> Iterator[str]:
    for _, item in ITEMS:
        yield from item.by


def test_every_chapter_is_there() -> None:
    assert [c for c in CHAPTERS if not any(s.startswith(f"{c} ") for s in BOOK)] == []


@pytest.mark.parametrize("chapter", LATER)
def test_no_item_is_passed_over(chapter: str) -> None:
    section = next(section for section in BOOK if section.startswith(f"{chapter} "))
    assert LATER[chapter] - set(BOOK[section]) == set()


@pytest.mark.parametrize(("name", "item"), ITEMS, ids=[name for name, _ in ITEMS])
def test_an_item_leads_to_who_says_it_and_to_what_checks_it(name: str, item: Item) -> None:
    for reference in item.by:
        place_of(reference)
    assert all(count_scenarios(file, SCENARIOS) for file in item.checked)


@pytest.mark.parametrize(("name", "item"), ITEMS, ids=[name for name, _ in ITEMS])
def test_the_scenarios_of_an_item_speak_of_it(name: str, item: Item) -> None:
    """A tile or card that an item names is named in one of its files."""
    texts = "".join((SCENARIOS / f"{f}.scenario.yaml").read_text("utf-8") for f in item.checked)
    kinds = (reference.partition(" ") for reference in item.by)
    assert [id for kind, _, id in kinds if kind in NAMED and id not in texts] == []


def test_every_declaration_belongs_to_an_item() -> None:
    """What is declared in a box says something of the rule book."""
    said = set(_references())
    rules = [d for d in declarations() if not d.startswith(("word ", "step "))]
    assert len(rules) > 80
    assert [each for each in rules if each not in said] == []


def test_a_reference_to_nothing_is_found() -> None:
    for wrong in ("card nobody", "base: numbers.nothing", "nowhere: numbers", "word nothing"):
        with pytest.raises(KeyError):
            place_of(wrong)


@pytest.mark.parametrize(
    "option", [option for _, option in shipped_options()], ids=lambda option: option.name.text
)
def test_an_option_has_a_question_and_a_section_of_the_rule_book(option: tree.Option) -> None:
    assert option.question.endswith("?")
    assert re.match(r"[0-9]+\.[0-9]+\b", option.source)
