"""`kbrules cards`: whose cards are printed, where to, and what is said when there are none."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from tests.tools.pictures.with_cairo import needs_cairo

MANIFEST = """\
format: 1
id: dale
title: The Dale & "more" ]]>
needs: [base]
cards: [rowers, loners]
"""
RULES = """\
card rowers "<script>alert(1)</script>":
    "Rühre <b>nichts</b> an & gehe weiter ]]>"
    gold 1 per hex in mine
    example "one of them":
        | .a .
        gives 1

card loners "Loners":
    "Two gold for each that stands alone."
    gold 2 per hex in mine - adjacent(mine)
    example:
        | .a .
        gives 2
"""


def cards(*words: str) -> Result:
    result = CliRunner().invoke(app, ["cards", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture()
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "dale"
    (folder / "rules").mkdir(parents=True)
    (folder / "expansion.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "rules" / "cards.kb").write_text(RULES, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def test_by_default_they_are_those_of_the_folder_we_are_in(home: Path) -> None:
    listed = "loners  Loners (card)\nrowers  <script>alert(1)</script> (card)\n"
    assert cards().stdout == listed
    assert cards("--with", ".").stdout == listed


def test_each_is_a_file_of_its_own_and_its_words_stay_words(home: Path) -> None:
    assert cards("--svg", "out").exit_code == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["loners.svg", "rowers.svg"]
    root = ElementTree.parse("out/rowers.svg").getroot()
    tags = {str(each.tag).rpartition("}")[2] for each in root.iter()}
    assert not tags & {"script", "b"}
    text = "".join("".join(root.itertext()).split())
    for part in ("<script>alert(1)</script>", "Rühre<b>nichts</b>", "&gehe", "]]>", "houserule"):
        assert part in text
    assert 'TheDale&"more"]]>' in text


def test_many_pictures_do_not_go_to_standard_output(home: Path) -> None:
    done = cards("--svg", "-")
    assert done.exit_code == 2 and "KB009" in done.stderr and "name a folder" in done.stderr
    assert not Path("-").exists()


def test_named_ones_may_be_anybodys(home: Path) -> None:
    assert cards("loners", "tavern").stdout.split("\n")[1] == "tavern  Tavern (location)"
    missed = cards("lonres")
    assert missed.exit_code == 2 and "did you mean `loners`?" in missed.stderr


def test_those_of_a_box_are_its_own_alone(home: Path) -> None:
    listed = cards("--with", "nomads").stdout
    assert "families" in listed and "tavern" not in listed and "loners" not in listed


def test_where_there_are_none_one_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    seen = cards("--svg", "out")
    assert seen.exit_code == 2 and "KB007" in seen.stderr and "--with FOLDER" in seen.stderr
    assert list(tmp_path.iterdir()) == []


@needs_cairo
def test_sheets_are_written_on_the_paper_asked_for(home: Path) -> None:
    for words, size in (((), (595.28, 841.89)), (("--paper", "letter"), (612, 792))):
        assert cards("--pdf", "cards.pdf", *words).exit_code == 0
        found = re.findall(rb"/MediaBox \[ ?([\d. ]+?) ?\]", Path("cards.pdf").read_bytes())
        assert [float(n) for n in found[0].split()[2:]] == pytest.approx(size, abs=0.01)
        assert len(found) == 1


def test_without_the_extra_no_sheet_is_written(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    seen = cards("--pdf", "cards.pdf")
    assert seen.exit_code == 2 and "KB045" in seen.stderr
    assert not Path("cards.pdf").exists()


def test_a_place_that_cannot_be_written_is_told(home: Path) -> None:
    assert "KB008" in cards("--svg", "no/such/folder").stderr
    (home / "taken").write_text("")
    assert "KB008" in cards("--svg", "taken").stderr


def test_a_folder_in_the_place_of_a_card_is_told_how_to_name_it(home: Path) -> None:
    said = cards("../dale")
    assert said.exit_code == 2 and "`kbrules cards --with ../dale`" in said.stderr
    assert "--with" not in cards("nobody").stderr
