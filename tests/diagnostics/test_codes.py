"""The table of codes: complete, in order, and in one voice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import kbrules.codes
from kbrules.codes import CODES, Code, code

EVERY = pytest.mark.parametrize("entry", CODES.values(), ids=list(CODES))
KINDS = {"rules", "bytes", "link", "expansion", "scenario", "log", "mutants", "arguments", "none"}


def test_codes_are_their_keys_in_order_and_slugs_are_unique() -> None:
    assert [entry.code for entry in CODES.values()] == list(CODES) == sorted(CODES)
    assert len({entry.slug for entry in CODES.values()}) == len(CODES) > 50


def test_no_code_is_entered_twice() -> None:
    folder = Path(kbrules.codes.__file__).parent
    text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    assert sorted(re.findall(r'^ +"(KB\d+)",$', text, re.MULTILINE)) == list(CODES)


@EVERY
def test_an_entry_is_written_as_all_are(entry: Code) -> None:
    assert re.fullmatch(r"KB[0-579]\d\d", entry.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry.slug)
    assert entry.title[0].islower() or entry.title.startswith("`")
    assert not entry.title.endswith(".")
    assert 2 <= len(re.findall(r"[.!?](?: |$)", entry.explanation)) <= 4
    assert entry.explanation.endswith(".") and "  " not in entry.explanation


@EVERY
def test_an_entry_shows_wrong_and_right(entry: Code) -> None:
    assert {entry.wrong.kind, entry.right.kind} <= KINDS
    if entry.wrong.kind != "none":
        assert entry.wrong != entry.right
    if entry.right.kind == "bytes":
        entry.right.text.encode("latin-1")
    if entry.wrong.kind == "bytes":
        assert entry.wrong.text.encode("latin-1")


def test_the_way_in_is_by_code() -> None:
    assert code("KB203").slug == "wrong-sort"
    with pytest.raises(KeyError):
        code("KB999")
    with pytest.raises(TypeError):
        CODES["KB999"] = code("KB203")  # type: ignore[index]


def test_every_code_the_engine_speaks_is_in_the_table() -> None:
    house = Path(kbrules.codes.__file__).parent.parent
    spoken = {
        (found, path.name)
        for path in house.rglob("*.py")
        for found in re.findall(r"\bKB\d{3}\b", path.read_text(encoding="utf-8"))
    }
    assert ("KB401", "yaml.py") in spoken  # the walk reads at all
    assert {(found, name) for found, name in spoken if found not in CODES} == set()
