"""Marks: a box says which sets of its rules a board shows, and each must be a set of hexes."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbrules.library.file_cache import FileCache
from kbrules.library.load import Loaded, load_all
from kbrules.tools.check import FileChecker

BOX = "format: 1\nid: dale\ntitle: The Dale\nneeds: [base]\n"
RULES = """\
option wide = no "A wide shore."

memory trodden: hexes of table "Where somebody stood."
memory visits: number of player "How often."

define shore "Hexes next to water.":
    adjacent(water) & (board if wide otherwise buildable)
define next_to(what: hexes) "Around something.":
    adjacent(what)
define towers "A kind of place.":
    castle
define width "How many there are.":
    count(shore)
"""
FILES = FileCache()


def read(folder: Path, marks: str, rules: str = RULES) -> Loaded:
    (folder / "expansion.yaml").write_text(f"{BOX}marks: {marks}\n")
    (folder / "dale.kb").write_text(rules)
    return load_all(["base"], [folder], files=FILES)


def test_defines_and_memories_are_marks_in_the_order_of_the_box(tmp_path: Path) -> None:
    loaded = read(tmp_path, "{trodden: {}, shore: {title: the shore}, towers: {}}")
    assert loaded.findings == () and loaded.ruleset is not None
    assert [*loaded.ruleset.marks] == ["trodden", "shore", "towers"]
    assert {expr.sort.value for expr in loaded.ruleset.marks.values()} == {"hexes"}


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("shoer", "KB201", "did you mean `shore`?"),
        ("trodde", "KB201", "did you mean `trodden`?"),
        ("nonsense", "KB201", ""),
        ("width", "KB203", "a mark takes hexes, but `width` is a number"),
        ("visits", "KB203", "a mark takes hexes, but `visits` is a number"),
        ("wide", "KB203", "a mark takes hexes, but `wide` is yes or no"),
        ("next_to", "KB204", "next_to"),
    ],
)
def test_what_is_no_set_of_hexes_is_told_at_its_name(
    tmp_path: Path, name: str, code: str, said: str
) -> None:
    loaded = read(tmp_path, f"{{shore: {{}}, {name}: {{}}}}")
    assert loaded.ruleset is None
    (found,) = loaded.findings
    assert (found.code, found.span.text) == (code, name)
    assert found.span.source.name.endswith("expansion.yaml")
    assert said in f"{found.message}; {found.help}"


def test_a_word_that_could_not_be_read_is_not_blamed_on_the_mark(tmp_path: Path) -> None:
    rules = RULES.replace("adjacent(water)", "adjacent(watr)")
    assert [f.span.text for f in read(tmp_path, "{shore: {}}", rules).findings] == ["watr"]
    (tmp_path / "more.kb").write_bytes(b"define crag: \xff\n")
    found = read(tmp_path, "{crag: {}}").findings
    assert [f.code for f in found] == ["KB002"]


def test_check_tells_an_author(tmp_path: Path) -> None:
    read(tmp_path, "{shoer: {}}")
    (told,) = FileChecker().check([tmp_path]).all
    assert (told.code, told.span.line, told.help) == ("KB201", 5, "did you mean `shore`?")
