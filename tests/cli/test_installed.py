"""Installed boxes at the command line: listed, named, refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kbrules.library.box import shipped_boxes
from tests.cli.program import run
from tests.library.written import box_in, install, metadata_in


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages that Python looks into; we are elsewhere."""
    folder, here = tmp_path / "site", tmp_path / "here"
    folder.mkdir()
    here.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.chdir(here)
    monkeypatch.setenv("NO_COLOR", "1")
    return folder


def test_boxes_are_listed_with_where_they_come_from(site: Path) -> None:
    folder = install(site, "orchard")
    listed = run("boxes")
    lines = listed.stdout.splitlines()
    assert (listed.exit_code, len(lines)) == (0, len(shipped_boxes()) + 1)
    assert lines[-1].split() == [
        "orchard", "The", "orchard", "1.2,", "from", "kbrules-orchard", "3.0,", str(folder),
    ]  # fmt: skip
    boxes = json.loads(run("boxes", "--output-format", "json").stdout)["boxes"]
    assert boxes[-1] == {
        "id": "orchard", "title": "The orchard", "kind": "expansion", "version": "1.2",
        "needs": ["base"], "source": "kbrules-orchard 3.0", "place": str(folder),
    }  # fmt: skip
    assert {box["source"] for box in boxes[:-1]} == {"kbrules"}


def test_what_cannot_be_used_is_told_below_the_list(site: Path) -> None:
    install(site, "capitol")
    metadata_in(site, "grove", "cider = grove")
    (install(site, "orchard") / "expansion.yaml").write_text("format: 1\nid: orchard\n")
    listed = run("boxes")
    assert listed.exit_code == 1
    assert [part[:5] for part in listed.stderr.split("error[")[1:]] == ["KB417", "KB416", "KB412"]


@pytest.mark.parametrize(
    "words",
    [
        ("check", "--with", "orchard"),
        ("show", "card", "orchard_rowers", "--with", "orchard"),
        ("cards", "--with", "orchard"),
        ("perft", "--depth", "1", "--with", "orchard"),
    ],
)
def test_commands_take_its_name(site: Path, words: tuple[str, ...]) -> None:
    install(site, "orchard")
    assert run(*words).exit_code == 0, run(*words).output


def test_a_game_is_played_and_replayed_by_its_name(site: Path) -> None:
    install(site, "orchard")
    played = run("play", "--with", "orchard", "--bots", "random", "--seed", "2")
    assert played.exit_code == 0, played.output
    header = json.loads(Path("game.kblog").read_text().splitlines()[0])
    assert (header["boxes"], header["folders"]) == (["base", "orchard"], [])
    assert run("replay", "game.kblog", "--quiet").exit_code == 0
    assert run("show", "log", "game.kblog").exit_code == 0
    mine = box_in(Path("mine"), "orchard")
    assert run("replay", "game.kblog", "--quiet", "--with", str(mine)).exit_code == 0


def test_many_games_are_played_by_its_name(site: Path) -> None:
    install(site, "orchard")
    words = ("--games", "4", "--jobs", "1", "--output-format", "json", "--no-file")
    told = run("simulate", "--with", "orchard", *words)
    assert told.exit_code == 0, told.output
    assert str(site) not in told.stdout


def test_a_scenario_names_it(site: Path) -> None:
    install(site, "orchard")
    Path("one.scenario.yaml").write_text(
        "format: 1\ntitle: It is there\nwith: [orchard]\ncards: [orchard_rowers]\n"
        "board:\n  drawing: |\n    G .a G\n     G G G\n"
        "expect: {gold: {a: {orchard_rowers: 1}}}\n"
    )
    assert run("test", "one.scenario.yaml").exit_code == 0, run("test", "one.scenario.yaml").output
    Path("one.scenario.yaml").write_text(
        "format: 1\ntitle: It is there\nwith: [orchad]\nboard:\n  drawing: |\n    G G\n     G G\n"
        "expect: {gold: {a: {}}}\n"
    )
    told = run("test", "one.scenario.yaml").output
    assert "KB413" in told and "did you mean `orchard`?" in told


def test_a_folder_of_that_name_is_what_is_meant(site: Path) -> None:
    install(site, "orchard", version="1")
    box_in(Path("orchard"), "orchard", version="2")
    box_in(Path("mine"), "dale", needs="'orchard >=2'")
    assert run("show", "card", "orchard_rowers", "--with", "orchard,mine").exit_code == 0
    refused = run("show", "card", "--with", "mine")
    assert refused.exit_code == 2 and "KB418" in refused.stderr
    assert "needs `orchard` >=2; loaded is version 1 of it" in refused.stderr


def test_a_slip_and_a_broken_package_are_told(site: Path) -> None:
    install(site, "orchard")
    metadata_in(site, "grove", "cider = grove")
    slip = run("show", "card", "--with", "orchad")
    assert slip.exit_code == 2 and "did you mean `orchard`?" in slip.stderr
    broken = run("show", "card", "--with", "cider")
    assert broken.exit_code == 2 and "error[KB416]" in broken.stderr
