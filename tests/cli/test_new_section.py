"""`kbrules new section`: a blank map that says what is missing, or nothing at all."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from kbrules.library import reading as resources
from kbrules.library.load import load
from kbrules.tools import new as blank
from tests.cli.test_new import files_in, refused, run

FENS = """\
format: 1
id: fens
title: The Fens
needs: [base]
sections:
  mire:
    map: stand-in
    places: {"1": farm, "2": barn}
    rows: |
"""
ROWS = ["GGGGG WWWWW", "GG1GG WW-WW", *["GGGGG WWKWW"] * 7, "GG2GG WWWWW"]
GENERATED = ["FFFFF TTTTT", "FF1FF TT-TT", *["FFFFF TTKTT"] * 7, "FF2FF TTTTT"]
NOTE = "stand-in maps, not the printed ones"

NO_MAPS = ("--ignore", "KB73")  # the maps are filled in anyhow


def drawn(rows: list[str]) -> str:
    cells = (" ".join(row.replace(" ", "")) for row in rows)
    return "".join(f"      {' ' * (n % 2)}{row}\n" for n, row in enumerate(cells))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, and one more shipped box, whose map is a stand-in."""
    shipped = tmp_path / "shipped"
    for kind in ("rules", "expansions", "schemas"):
        shutil.copytree(resources.data_root(kind), shipped / kind)
    (shipped / "expansions" / "fens.yaml").write_text(FENS + drawn(ROWS))
    monkeypatch.setattr(resources, "_places", lambda kind: [shipped / kind])
    desk = tmp_path / "desk"
    desk.mkdir()
    monkeypatch.chdir(desk)
    return desk


def fill(path: Path, rows: list[str]) -> None:
    """What an author does: the rows of blanks give way to rows of letters."""
    text, count = re.subn(r"(?m)(^ *[?-]( [?-])+\n)+", drawn(rows), path.read_text())
    assert count == 1
    path.write_text(text)


def test_a_blank_says_exactly_what_is_missing(here: Path) -> None:
    made = run("new", "section", "moor")
    assert (made.exit_code, made.stdout.splitlines()[0]) == (0, "written: moor/expansion.yaml")
    assert files_in(here / "moor") == [
        ".schemas/expansion.schema.json", ".schemas/mutants.schema.json",
        ".schemas/position.schema.json",
        ".schemas/scenario.schema.json", ".schemas/texts.schema.json", "expansion.yaml",
    ]  # fmt: skip
    text = (here / "moor" / "expansion.yaml").read_text()
    assert "needs: [base]" in text and "K castle" in text and "replaces" not in text
    checked = run("check", "moor")
    assert checked.exit_code == 1
    assert "error[KB415]: 100 hexes of this map are still to be drawn, in rows 1 to 10" in (
        checked.stdout
    )
    assert "1 finding in 1 file" in checked.stdout


def test_half_a_map_is_told_all_at_once() -> None:
    run("new", "section", "moor")
    fill(Path("moor/expansion.yaml"), ["GGGGG GGGGG", "GGQGG 1?GGG", "GGG", *["??GGG GGGGG"] * 6])
    checked = run("check", "moor")
    codes = re.findall(r"error\[(KB\d+)\]", checked.stdout)
    assert sorted(codes) == ["KB407", "KB407", "KB408", "KB408", "KB415"]
    assert "13 hexes of this map are still to be drawn" in checked.stdout


def test_a_map_that_is_filled_in_is_played_on() -> None:
    run("new", "section", "moor")
    manifest = Path("moor/expansion.yaml")
    text, comment = manifest.read_text(), '# places: {"1": oracle}'
    assert f"    {comment}\n" in text
    manifest.write_text(text.replace(comment, 'places: {"1": farm, "2": barn}'))
    fill(manifest, ROWS)
    assert run("check", "moor", *NO_MAPS).exit_code == 0
    assert "moor" in load(folders=["moor"]).parts.sections


def test_a_stand_in_gives_way_to_the_printed_map() -> None:
    """Two minutes: the skeleton, the letters, a game."""
    assert NOTE in run("show", "section", "mire", "--with", "fens").stdout
    run("new", "section", "mire")
    manifest = Path("mire/expansion.yaml")
    text = manifest.read_text()
    assert "needs: [fens]" in text and "    replaces: stand-in\n" in text
    assert '    places: {"1": farm, "2": barn}\n' in text
    assert "1 of 1, 1 of 2, 48 of G, 42 of W, 7 of K" in re.sub(r"\n +# ", " ", text)
    checked = run("check", "mire")
    assert re.findall(r"error\[(KB\d+)\]", checked.stdout) == ["KB403", "KB403", "KB415"]
    assert "99 hexes of this map" in checked.stdout
    fill(manifest, GENERATED)
    assert run("check", "mire", *NO_MAPS).stdout == "all good: 1 file\n"
    shown = run("show", "section", "mire", "--with", "mire")
    assert "F flower field 48" in shown.stdout and NOTE not in shown.stdout
    assert NOTE in run("show", "section", "mire", "--with", "fens").stdout
    lists = run("show", "section", "--with", "mire").stdout
    assert "stand-in" not in lists
    for seed in range(60):
        words = ("play", "--with", "mire", "--seed", str(seed), "--bots", "random", "--no-log")
        told = run(*words).stdout
        assert "stand-in" not in told
        if "mire" in told.splitlines()[0]:
            return
    raise AssertionError("no game had the map")


def test_what_else_is_said_of_a_stand_in_is_kept(here: Path) -> None:
    box = here.parent / "shipped" / "expansions" / "fens.yaml"
    box.write_text(box.read_text().replace("    places:", "    tasks: 0\n    places:"))
    run("new", "section", "mire")
    assert "    tasks: 0\n" in Path("mire/expansion.yaml").read_text()


# Into an expansion that is there


def test_where_an_expansion_is_the_map_is_added_and_nothing_else_changes() -> None:
    run("new", "expansion", "vale")
    manifest = Path("vale/expansion.yaml")
    manifest.chmod(0o640)
    before = manifest.read_text()
    made = run("new", "section", "moor", "--into", "vale")
    assert made.exit_code == 0, made.output
    after = manifest.read_text()
    head, _, tail = before.partition("sections:\n")
    assert after.startswith(f"{head}sections:\n  moor:\n") and after.endswith(tail)
    assert manifest.stat().st_mode & 0o777 == 0o640
    fill(manifest, [row.replace("1", "G").replace("2", "G") for row in ROWS])
    assert run("check", "vale", *NO_MAPS).exit_code == 0
    assert set(load(folders=["vale"]).parts.sections) >= {"moor", "vale"}


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("last", ["", "\n", "\n\n# mine\n"])
def test_the_first_section_of_an_expansion(last: str, ends: str) -> None:
    Path("expansion.yaml").write_text(
        f"format: 1\nid: vale\ntitle: Vale\nneeds: [base]{last}".replace("\n", ends), newline=""
    )
    assert run("new", "section", "moor").stdout.startswith("written: expansion.yaml\n")
    data = Path("expansion.yaml").read_bytes().decode()
    assert data.count("\n") == data.count(ends) > 15
    assert last.strip() in data
    assert "100 hexes" in run("check").stdout


def test_a_stand_in_is_replaced_in_an_expansion_that_needs_its_box() -> None:
    manifest = Path("expansion.yaml")
    manifest.write_text("format: 1\nid: vale\ntitle: Vale\nneeds: [base]\n")
    result = run("new", "section", "mire")
    refused(result, "KB413")
    assert "add `fens` to `needs`" in result.stderr
    manifest.write_text(manifest.read_text().replace("base", "fens"))
    assert run("new", "section", "mire").exit_code == 0
    fill(manifest, GENERATED)
    assert run("check", ".", *NO_MAPS).exit_code == 0


# Or nothing at all


@pytest.mark.parametrize(
    ("sections", "code"),
    [
        ("sections: {moor: {rows: G}}", "KB008"),
        ("sections: {vale: {rows: G}}", "KB008"),
        ("sections: {}", "KB008"),
        ("sections: []", "KB008"),
        ("sections:\n  moor:\n    rows: G", "KB008"),
        ("sections:\n  'moor': {rows: G}", "KB008"),
    ],
)
def test_an_expansion_that_cannot_take_it_stays_as_it_is(sections: str, code: str) -> None:
    text = f"format: 1\nid: vale\ntitle: Vale\nneeds: [base]\n{sections}\n"
    Path("expansion.yaml").write_text(text)
    refused(run("new", "section", "moor"), code)
    assert Path("expansion.yaml").read_text() == text
    assert files_in(Path()) == ["expansion.yaml"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("farm", "KB411"), ("Moor", "KB009"), ("a/moor", "KB009"), ("", "KB009"),
        ("turned", "KB009"), ("base", "KB009"), ("fens", "KB009"),
    ],
)  # fmt: skip
def test_a_name_that_cannot_be_one(name: str, code: str, here: Path) -> None:
    refused(run("new", "section", "--", name), code)
    assert list(here.iterdir()) == []


def test_what_is_there_stays(here: Path) -> None:
    (here / "moor").write_text("mine")
    refused(run("new", "section", "moor"), "KB008")
    assert (here / "moor").read_text() == "mine"
    refused(run("new", "section", "heath", "--into", "nowhere"), "KB008")
    assert files_in(here) == ["moor"]


def test_nothing_is_half_written(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    run("new", "expansion", "vale")
    before = (here / "vale" / "expansion.yaml").read_text()
    monkeypatch.setattr(blank, "write_atomically", fail)
    refused(run("new", "section", "moor", "--into", "vale"), "KB008")
    assert (here / "vale" / "expansion.yaml").read_text() == before
