"""`kbrules lock` and `check --locked`; logs and files of games that were played by other boxes."""

from __future__ import annotations

import json
import shutil
import unicodedata
from pathlib import Path

import pytest

from tests.cli.program import run
from tests.library.written import box_in

QUICK = ("--select", "KB77")  # other lints look at many positions


@pytest.fixture(autouse=True)
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a box of ours; we are above it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    return box_in(tmp_path / "mine", "orchard")


def changed(folder: Path) -> None:
    file = folder / "rules" / "orchard.kb"
    file.write_text(file.read_text().replace("gold 1 per", "gold 2 per").replace("One", "Two"))


def test_what_is_locked_is_found_again_and_what_differs_is_refused(
    mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(mine)
    made = run("lock")
    assert made.stdout == "written: kbrules.lock (base 1.0, orchard 1.2)\n"
    assert run("check", ".", "--locked", *QUICK).exit_code == 0
    monkeypatch.chdir(mine.parent)
    assert run("check", "mine", "--locked", *QUICK).exit_code == 0
    changed(mine)
    refused = run("check", "mine", "--locked", *QUICK)
    assert refused.exit_code == 2 and "error[KB419]" in refused.stdout
    said = "`rules/orchard.kb` of the box `orchard` 1.2: `card orchard_rowers` has changed"
    assert said in refused.stdout
    assert run("check", "mine", *QUICK).exit_code == 0


def test_boxes_can_be_locked_without_a_folder() -> None:
    run("lock", "--with", "base")
    assert run("lock", "--with", "nomads").exit_code == 0
    assert run("check", "--locked", "mine", *QUICK).exit_code == 0
    text = Path("kbrules.lock").read_text()
    assert run("lock", "--with", "nomads,base").exit_code == 0
    assert Path("kbrules.lock").read_text() == text


def test_a_lock_that_cannot_be_read_or_written() -> None:
    assert run("lock", "--with", "nomads", "--into", "no/where").exit_code == 2
    Path("mine/kbrules.lock").write_text("{")
    told = run("check", "mine", "--locked", *QUICK)
    assert told.exit_code == 2 and "KB401" in told.stdout
    Path("mine/kbrules.lock").unlink()
    told = run("check", "mine", "--locked", *QUICK)
    assert told.exit_code == 2 and "KB001" in told.stdout
    assert "`kbrules lock` writes it" in told.stdout


def test_boxes_that_are_named_must_be_locked_too() -> None:
    assert run("lock", "--with", "base").exit_code == 0
    assert run("check", "--locked", "--with", "base", *QUICK).exit_code == 0
    box_in(Path("other") / "place", "grove")
    for name in ("nomads", "other/place"):
        refused = run("check", "--locked", "--with", name, *QUICK)
        assert refused.exit_code == 2 and "was not there" in refused.stdout, name


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new package with a box, below the folder that we are in."""
    shutil.rmtree("mine")
    assert run("new", "expansion", "pkg", "--package").exit_code == 0
    return tmp_path / "kbrules-pkg"


def more_gold(project: Path) -> None:
    file = next((project / "kbrules_pkg").rglob("*.kb"))
    text = file.read_text()
    assert "\n    gold " in text
    file.write_text(text.replace("\n    gold ", "\n    gold 2 * "))


def test_the_box_of_a_project_is_locked(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    assert "pkg 0.1.0" in run("lock").stdout
    assert '"pkg"' in Path("kbrules.lock").read_text()
    assert run("check", ".", "--locked", *QUICK).exit_code == 0
    assert run("check", "--locked", *QUICK).exit_code == 0
    more_gold(project)
    for words, folder in [((".",), "."), ((), "."), (("kbrules-pkg",), ".."), ((".",), ".."),
                          ((".",), "kbrules_pkg"), (("kbrules_pkg/rules",), ".")]:  # fmt: skip
        monkeypatch.chdir(project / folder)
        refused = run("check", *words, "--locked", "--exit-zero", *QUICK)
        assert refused.exit_code == 2 and "error[KB419]" in refused.stdout, (words, folder)
        assert "of the box `pkg` 0.1.0" in refused.stdout


def test_a_box_that_is_not_in_the_lock_is_refused(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    assert run("lock", "--with", "base", "--into", "../kbrules.lock").exit_code == 0
    lock = json.loads(Path("../kbrules.lock").read_text())
    del lock["boxes"]["pkg"]
    Path("kbrules.lock").write_text(json.dumps(lock))
    refused = run("check", ".", "--locked", *QUICK)
    assert refused.exit_code == 2 and "the box `pkg` 0.1.0 was not there" in refused.stdout


def test_a_lock_below_the_folder_that_is_checked_is_found(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / "kbrules_pkg")
    assert run("lock").exit_code == 0
    monkeypatch.chdir(project.parent)
    assert run("check", ".", "--locked", *QUICK).exit_code == 0
    more_gold(project)
    assert "KB419" in run("check", ".", "--locked", *QUICK).stdout


def test_the_boxes_of_a_project_need_each_other_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    box_in(Path("mine") / "vale", "vale")
    shutil.rmtree("mine/rules")
    Path("mine/expansion.yaml").unlink()
    box_in(Path("mine") / "grove", "grove")
    manifest = Path("mine/grove/expansion.yaml")
    manifest.write_text(manifest.read_text().replace("needs: [base", "needs: [vale, base"))
    assert "vale" in manifest.read_text()
    assert run("lock").stdout == "written: kbrules.lock (base 1.0, grove 1.2, vale 1.2)\n"
    shutil.copytree("mine/vale", "mine/again")
    assert "KB202" in run("lock").output
    shutil.rmtree("mine/again")
    monkeypatch.chdir("mine/grove")  # the other box is next to it
    assert run("lock").stdout == "written: kbrules.lock (base 1.0, grove 1.2, vale 1.2)\n"
    assert run("check", "--locked", *QUICK).exit_code == 0


def test_two_forms_of_a_name_are_one_name(mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mine)
    apart, together = (
        unicodedata.normalize(form, "rules/bl\u00fcte.kb") for form in ("NFD", "NFC")
    )
    Path(apart).write_text('define far_off "Far.": board - within(mine, 3)\n')
    assert run("lock").exit_code == 0
    Path(apart).rename(together)
    assert run("check", ".", "--locked", *QUICK).exit_code == 0
    lock = Path("kbrules.lock").read_text()
    assert run("lock").exit_code == 0
    assert Path("kbrules.lock").read_text() == lock
    Path(apart).write_text('define near_by "Near.": within(mine, 3)\n')
    assert "`define near_by` is new" in run("check", ".", "--locked", *QUICK).stdout


def test_a_log_of_other_rules_is_refused_with_the_differences(mine: Path) -> None:
    words = ("--with", "mine", "--bots", "random", "--seed", "1")
    assert run("play", *words).exit_code == 0
    assert run("replay", "game.kblog", "--with", "mine", "--quiet").exit_code == 0
    changed(mine)
    manifest = mine / "expansion.yaml"
    manifest.write_text(manifest.read_text().replace("'1.2'", "'1.3'"))
    refused = run("replay", "game.kblog", "--with", "mine", "--quiet")
    assert refused.exit_code != 0 and "KB512" in refused.output
    assert "the box `orchard` was version 1.2, now it is version 1.3" in refused.output
    assert "`rules/orchard.kb` of the box `orchard` 1.3 has changed" in refused.output
    assert "mine" not in Path("game.kblog").read_text().partition("folders")[0]
    without = run("replay", "game.kblog", "--with", "base", "--quiet")
    assert "the box `orchard` 1.2 is missing" in without.output
    assert "name the folder `mine` by `--with`" in without.output


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "--games", "2", "--jobs", "1", "--into", "games.sqlite", "--with", "mine"),
        ("balance", "orchard_rowers", "--with", "mine", "--jobs", "1", "--games", "2",
         "--into", "games.sqlite"),
    ],
)  # fmt: skip
def test_a_file_of_games_by_other_rules_is_refused_with_the_differences(
    mine: Path, words: tuple[str, ...]
) -> None:
    first = run(*words)
    assert first.exit_code in (0, 1), first.output
    changed(mine)
    refused = run(*words)
    assert refused.exit_code == 2 and "KB055" in refused.output, refused.output
    said = " ".join(refused.output.split())
    assert "`rules/orchard.kb` of the box `orchard` 1.2 has changed" in said
