"""The ladder: paired deals in a file that goes on, and one report in all forms."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.app import program
from tests.tools.simulate.small import fell

ASKED = "random", "greedy", "--games", "12", "--jobs", "1", "--into", "games.sqlite"


def run(*words: str) -> Result:
    return CliRunner().invoke(program(["ladder", "simulate"]), list(words))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return fell(tmp_path / "fell")


def ladder(*words: str) -> Result:
    return run("ladder", *words, "--with", "fell")


@pytest.mark.usefixtures("folder")
def test_every_two_bots_play_each_deal_from_both_seats() -> None:
    found = ladder("random,greedy", "careful:1", "--games", "3", "-j", "1", "--into", "g.sqlite")
    assert found.exit_code == 0, found.output
    told = sqlite3.connect("g.sqlite").execute(
        "SELECT deal, party, bot, count(*), count(DISTINCT player) FROM results GROUP BY 1, 2, 3"
    )
    rows = [*told]
    assert {row[1] for row in rows} == {"random,greedy", "random,careful:1", "greedy,careful:1"}
    assert len(rows) == 3 * 3 * 2 and all(row[3:] == (2, 2) for row in rows)


@pytest.mark.usefixtures("folder")
def test_it_goes_on_where_it_was_and_says_the_same() -> None:
    whole = ladder(*ASKED, "--output-format", "json")
    Path("games.sqlite").unlink()
    assert ladder(*ASKED, "--games", "5").exit_code == 0
    again = ladder(*ASKED, "--output-format", "json")
    assert again.stdout == whole.stdout
    seen = run("ladder", "--report", "games.sqlite", "--output-format", "json")
    assert seen.stdout == whole.stdout


@pytest.mark.usefixtures("folder")
def test_the_report_has_all_forms() -> None:
    forms = "--html", "page.html", "--svg", "chart.svg"
    full = ladder(*ASKED, *forms).stdout
    assert "greedy is stronger than random" in full and "over the next" in full
    assert "again: kbrules ladder random,greedy --with fell --seed 0 --games 12" in full
    data = json.loads(ladder(*ASKED, "--output-format", "json").stdout)
    assert [place["bot"] for place in data["places"]] == ["greedy", "random"]
    assert data["anchor"] == "random" and data["places"][1]["elo"]["value"] == 0
    (met,) = data["meetings"]
    assert met["games"] == 24 and met["wins"] < 12
    for file in ("page.html", "chart.svg"):
        assert "greedy" in Path(file).read_text(encoding="utf-8")


@pytest.mark.usefixtures("folder")
def test_a_file_of_other_games_is_refused() -> None:
    asked = "--with", "fell", "--bots", "random", "--games", "2", "--into", "other.sqlite"
    assert run("simulate", *asked).exit_code == 0
    for words in (("--report", "other.sqlite"), (*ASKED[:-1], "other.sqlite", "--with", "fell")):
        found = run("ladder", *words)
        assert found.exit_code == 2 and "KB05" in found.stderr


@pytest.mark.parametrize("bots", ["random", "random,random", "random,nobody"])
def test_what_is_no_ladder_is_told(bots: str) -> None:
    found = run("ladder", bots, "--games", "2", "--no-file")
    assert found.exit_code == 2 and "KB009" in found.stderr
