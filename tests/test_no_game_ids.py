"""The engine is generic: no id of any component occurs in it.

The ids are read from the boxes themselves, so a new box brings its own words to this test.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.source_tree import ROOT, text_files

# Ids that are also ordinary words of programs, each with the sense in which the code says it.
ORDINARY = {
    "nomad": "a kind of declaration of the language",
    "location": "a kind of declaration of the language, and what `show` is asked for",
}

# Every declaration of a component opens a line; a rule or a definition names a sentence instead.
DECLARATION = re.compile(r"^([a-z]+)[ \t]+([a-z][a-z0-9_]*)", re.MULTILINE)
SENTENCES = {"rule", "define", "memory"}
COMPONENTS = ("terrains", "places", "pieces", "tiles", "cards", "tasks", "tokens", "sections")
SHORTEST = 3  # shorter ids are letters on a drawing


def ids_in_rules(text: str) -> set[str]:
    return {name for kind, name in DECLARATION.findall(text) if kind not in SENTENCES}


def ids_in_expansion(data: Any) -> set[str]:
    """Keys of each component table, or what its items are called when it is a list."""
    return {name for table in COMPONENTS for name in _names(data.get(table) or ())}


def _names(table: Any) -> Iterator[str]:
    if isinstance(table, dict):
        yield from (str(key) for key in table)
        return
    for item in table:
        yield str(item.get("id") or item.get("name")) if isinstance(item, dict) else str(item)


def as_words(text: str) -> str:
    """Lower case, with the parts of snake_case, kebab-case and CamelCase set apart."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return re.sub(r"[_-]+", " ", apart).lower()


def finder(ids: set[str]) -> re.Pattern[str]:
    """Matches any id as a whole word, or its plain plural, in a text made of `as_words`."""
    words = sorted({as_words(name) for name in ids if len(name) >= SHORTEST}, reverse=True)
    return re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, words))})(?:s|es)?(?![a-z])")


def _ids_of_the_rules() -> set[str]:
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "rules").rglob("*.kb"))]
    return set().union(*map(ids_in_rules, texts))


def _ids_of_the_boxes() -> set[str]:
    yaml = YAML(typ="safe", pure=True)
    boxes = [yaml.load(path) for path in sorted((ROOT / "expansions").glob("*.yaml"))]
    return set().union(*map(ids_in_expansion, boxes))


SOURCES = {"rules": _ids_of_the_rules, "expansions": _ids_of_the_boxes}


@pytest.mark.parametrize("folder", SOURCES)
def test_no_id_of_the_game_occurs_in_the_code(folder: str) -> None:
    ids = SOURCES[folder]()
    assert len(ids) >= 10, f"hardly an id in {folder}/: {sorted(ids)}"
    forbidden = finder(ids - ORDINARY.keys())
    assert [hit for path, text in _sources() for hit in _hits(forbidden, path, text)] == []


def test_each_ordinary_word_is_an_id_indeed() -> None:
    assert ORDINARY.keys() <= _ids_of_the_rules() | _ids_of_the_boxes()


def _sources() -> list[tuple[str, str]]:
    named = text_files(frozenset({".py", ".lark", ".html", ".css", ".js", ".json", ".md", ".txt"}))
    ours = [each for each in named if "/vendor/" not in each[0]]  # not written by us
    assert ours
    return ours


def _hits(forbidden: re.Pattern[str], path: str, text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        for hit in forbidden.finditer(as_words(line)):
            yield f"{path}:{number}: {hit[0]}"


RULES = """
rule placement:
    "Build beside your own."
    permit build on empty

location tavern "Tavern":
    action: build 1 on empty

card knights "Knights": gold 2
option lords_count_zero = yes "Ranked too."
"""


def test_ids_are_read_from_rules() -> None:
    assert ids_in_rules(RULES) == {"tavern", "knights", "lords_count_zero"}


def test_ids_are_read_from_an_expansion() -> None:
    box = {
        "name": "Box",
        "terrains": {"grass": {"letter": "g"}, "city-hall": None},
        "cards": ["knights", {"id": "lords", "count": 1}],
        "players": {"two": 2},
    }
    assert ids_in_expansion(box) == {"grass", "city-hall", "knights", "lords"}


@pytest.mark.parametrize(
    "text",
    ["castle", "# A Castle!", "castles", "castle_walls", "CastleWalls", "old_castle2", '"CASTLE"'],
)
def test_an_id_is_found_however_it_is_written(text: str) -> None:
    assert list(_hits(finder({"castle", "city_hall"}), "x.py", text))


@pytest.mark.parametrize("text", ["city_hall", "city hall", "city-hall", "CityHall"])
def test_an_id_of_two_words_is_found_too(text: str) -> None:
    assert list(_hits(finder({"castle", "city_hall"}), "x.py", text))


@pytest.mark.parametrize("text", ["newcastle", "city", "hall", "castled"])
def test_other_words_are_not_ids(text: str) -> None:
    assert not list(_hits(finder({"castle", "city_hall"}), "x.py", text))
