"""Locks and versions: the same everywhere, sensitive to every change, told in words."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version

import kbrules
from kbrules.library.locks import (
    brief,
    differences,
    differences_from,
    is_brief,
    lock_text,
    locked_file,
    read_lock,
)
from kbrules.library.models import NEED, VERSION, Expansion, Need
from tests.library.written import box, box_in, install


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lock_of(folder: Path, *boxes: str) -> str:
    return lock_text(kbrules.load("base", *boxes, folders=[folder]).contents)


def test_it_is_the_same_wherever_the_folder_lies(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = box_in(here / "mine", "orchard")
    text = lock_of(Path("mine"))
    assert lock_of(mine) == text
    shutil.copytree(mine, here / "some" / "where")
    assert lock_of(Path("some/where")) == text
    monkeypatch.chdir(mine)
    assert lock_of(Path()) == text
    assert str(here) not in text and "mine/" not in text


def test_it_is_the_same_for_an_installed_box(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = lock_of(box_in(here / "mine", "orchard"))
    monkeypatch.syspath_prepend(str(here / "site"))
    install(here / "site", "orchard")
    assert lock_text(kbrules.load("orchard").contents) == text


def test_line_ends_do_not_count(here: Path) -> None:
    mine = box_in(here / "mine", "orchard")
    text = lock_of(mine)
    for file in mine.rglob("*.*"):
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert lock_of(mine) == text


def test_translations_do_not_count(here: Path) -> None:
    mine = box_in(here / "mine", "orchard")
    text = lock_of(mine)
    (mine / "texts").mkdir()
    (mine / "texts" / "de.yaml").write_text("format: 1\ntitle: Obstgarten\n")
    assert lock_of(mine) == text


def test_all_files_of_all_boxes_are_in_it() -> None:
    contents = kbrules.load().contents
    assert set(contents) == {"", *kbrules.load().boxes}
    names = {name for box in contents.values() for name in box.files}
    assert "prelude.kb" in names and "expansion.yaml" in names
    assert all(name == "expansion.yaml" or name.endswith(".kb") for name in names)


def test_what_is_written_is_read(here: Path) -> None:
    contents = kbrules.load("nomads").contents
    Path("kbrules.lock").write_text(lock_text(contents))
    assert read_lock(Path("kbrules.lock")) == (contents, [])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "KB403"),
        ("{", "KB401"),
        ('{"format": 2, "boxes": {}}', "KB403"),
        ('{"format": 1}', "KB412"),
        ('{"format": 1, "boxes": {}, "path": "x"}', "KB402"),
        ('{"format": 1, "boxes": {"a": 1}}', "KB403"),
        ('{"format": 1, "boxes": {"a": {}, "a": {}}}', "KB404"),
        ("[" * 50, "KB406"),
        ('{"format": 1, "boxes": {"a": {"language": 1, "digest": "xyz", "files": {}}}}', "KB403"),
    ],
)
def test_what_is_no_lock(here: Path, text: str, code: str) -> None:
    Path("kbrules.lock").write_text(text)
    lock, found = read_lock(Path("kbrules.lock"))
    assert lock is None and code in {each.code for each in found}


def test_a_box_whose_digest_is_not_that_of_its_files(here: Path) -> None:
    text = json.loads(lock_text(kbrules.load("nomads").contents))
    text["boxes"]["nomads"]["digest"] = "0" * 32
    Path("kbrules.lock").write_text(json.dumps(text, indent=1))
    lock, found = read_lock(Path("kbrules.lock"))
    assert lock is None and [each.code for each in found] == ["KB419"]
    assert "the files of `nomads`" in found[0].message and found[0].span.start


def test_no_lock_at_all(here: Path) -> None:
    lock, found = read_lock(Path("kbrules.lock"))
    assert lock is None and [each.code for each in found] == ["KB001"]


CHANGES = [
    ("rules/orchard.kb", "gold 1 per", "gold 2 per", "`card orchard_rowers` has changed"),
    ("rules/orchard.kb", "gold 1 per", "# a word\n    gold 1 per",
     "only comments or blanks have changed"),
    ("expansion.yaml", "title: The", "title: Our", "`title` has changed"),
    ("expansion.yaml", "version: '1.2'\n", "",
     "the box `orchard` was version 1.2, now it is without a version"),
    ("expansion.yaml", "'1.2'", "'1.3'",
     "the box `orchard` was version 1.2, now it is version 1.3"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "was", "now", "said"), CHANGES)
def test_a_change_is_told_in_words(here: Path, file: str, was: str, now: str, said: str) -> None:
    mine = box_in(here / "mine", "orchard")
    before = kbrules.load("base", folders=[mine]).contents
    path = mine / file
    assert was in path.read_text()
    path.write_text(path.read_text().replace(was, now))
    after = kbrules.load("base", folders=[mine]).contents
    told = differences(before, after)
    assert any(said in line for line in told), told
    assert any(f"`{file}`" in line for line in told)
    assert differences_from(json.loads(json.dumps(brief(before))), after)
    assert differences(before, before) == []


def test_files_and_boxes_that_come_and_go(here: Path) -> None:
    mine = box_in(here / "mine", "orchard")
    before = kbrules.load("base", folders=[mine]).contents
    (mine / "rules" / "more.kb").write_text('define few "Some.": mine\n')
    after = kbrules.load("base", folders=[mine]).contents
    assert differences(before, after) == ["`rules/more.kb` of the box `orchard` 1.2 is new"]
    assert differences(after, before) == ["`rules/more.kb` of the box `orchard` 1.2 is gone"]
    base = kbrules.load("base").contents
    assert differences(before, base) == ["the box `orchard` 1.2 is missing"]
    assert differences(base, before) == ["the box `orchard` 1.2 was not there"]


def test_many_differences_are_cut_short() -> None:
    one, other = kbrules.load("base").contents, kbrules.load().contents
    many = {id: box for id, box in other.items() if id not in one}
    spread = differences({}, {f"{id}{n}": box for id, box in many.items() for n in range(9)})
    assert len(spread) == 13 and spread[-1].startswith("and ")


def test_parts_are_what_begins_at_the_left_edge() -> None:
    text = '# hello\ncard mill "Mill":\n    "x"\n\ndefine near(a): b\noption one = no "?"\n'
    file = locked_file(text)
    assert list(file.parts) == ["card mill", "define near", "option one"]
    assert locked_file(text.replace("# hello", "# bye")).parts == file.parts
    assert list(locked_file("tiles:\n  a: 1\ncards: [b]\n").parts) == ["cards", "tiles"]


@pytest.mark.parametrize(
    "value", [1, [], {}, {"a": 1}, {"a": {"version": 1, "files": {}}},
              {"a": {"version": "", "files": {"x": 1}}}, {"a": {"version": ""}}]
)  # fmt: skip
def test_what_is_no_brief(value: object) -> None:
    assert not is_brief(value)
    assert differences_from(value, {}) == []


NUMBERS = st.integers(0, 12).map(str)
VERSIONS = st.lists(NUMBERS, min_size=1, max_size=4).map(".".join)
CONDITIONS = st.tuples(st.sampled_from([">=", "<", "=="]), st.sampled_from(["", " "]), VERSIONS)
RANGES = st.lists(CONDITIONS.map("".join), min_size=1, max_size=4).map(", ".join)


@given(VERSIONS, RANGES)
def test_a_range_means_what_it_means_to_others(version: str, range: str) -> None:
    assert re.fullmatch(VERSION, version) and re.fullmatch(NEED, f"orchard {range}")
    need = Need.read(f"orchard {range}")
    assert (need.id, need.range) == ("orchard", range)
    assert need.holds(version) is SpecifierSet(range).contains(Version(version))


def test_without_a_range_any_version_will_do() -> None:
    need = Need.read("orchard")
    assert need.holds("") and need.holds("0") and need.holds("7.1")


def test_a_box_without_a_version_counts_as_0() -> None:
    assert Need.read("orchard <1").holds("") and not Need.read("orchard >=0.1").holds("")


@pytest.mark.parametrize(
    "text",
    ["orchard>=1", "orchard 1", "orchard >1", "orchard ~=1", "orchard >=01", "orchard >=1,", "Or",
     "orchard >=1.2.3.4.5", "orchard  >=1", "orchard >=1 <2", "orchard >=1000000"],
)  # fmt: skip
def test_what_is_no_range(text: str) -> None:
    assert re.fullmatch(NEED, text) is None


def test_the_model_takes_both() -> None:
    model: Expansion = box("version: '1.10'\nneeds: [base, 'orchard >=1.2, <2']\n").model
    assert model.version == "1.10"
    assert [need.id for need in model.needed] == ["base", "orchard"]
