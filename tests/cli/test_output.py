"""What commands show of how far they are, and what they tell programs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner, Result

from cli import terminal
from cli.app import app
from cli.terminal import Progress
from kbrules.library.reading import data_root
from kbrules.messages import CODES
from kbrules.tools.explain import played_log
from tests.example_games import DALE, write_files

CARD = (
    'card rowers "Rowers":\n    "One gold for each of your pieces."\n    gold 1 per hex in mine\n'
)


@pytest.fixture
def dale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a small game with a card, in which we are."""
    monkeypatch.chdir(tmp_path)
    texts = {**DALE, "rules/rowers.kb": CARD}
    texts["expansion.yaml"] += "cards: [rowers]\n"
    write_files(tmp_path, texts)
    return tmp_path


def run(words: str) -> Result:
    return CliRunner().invoke(app, [*words.split(), "--output-format", "json"])


def told(words: str, schema: str) -> Any:
    """What a command tells, which must fit a schema."""
    result = run(words)
    data = json.loads(result.stdout)
    text = (data_root("schemas") / "output" / f"{schema}.schema.json").read_text(encoding="utf-8")
    Draft202012Validator(json.loads(text)).validate(data)
    return data


def test_explain_tells_codes_and_words() -> None:
    (page,) = told("explain KB201", "explain")["pages"]
    assert (page["id"], page["kind"], page["severity"]) == ("KB201", "code", "error")
    assert page["text"].startswith("KB201 ")
    assert [each["id"] for each in told("explain", "explain")["pages"]] == list(CODES)
    assert told("explain adjacent", "explain")["pages"][0]["id"] == "adjacent"
    assert "KB009" in run("explain nothing_at_all").stderr


def test_show_tells_pages_and_lists() -> None:
    assert "adjacent" in told("show word adjacent", "show")["text"]
    assert "card" in told("show", "show")["text"].splitlines()
    assert "KB009" in run("show log").stderr
    assert "KB009" in run("show board --svg x.svg").stderr


def test_show_tells_scenarios_and_logs(dale: Path) -> None:
    (dale / "game.kblog").write_bytes(played_log().encode())
    assert told("show log game.kblog --at 1 --with .", "show")["text"].startswith(
        "game.kblog, move 1"
    )
    assert "building" in told("show scenario rules", "show")["text"]


def test_cards_tells_the_files_it_wrote(dale: Path) -> None:
    found = told("cards --svg faces", "cards")
    assert found["cards"] == [{"id": "rowers", "title": "Rowers", "kind": "card"}]
    assert [(dale / name).is_file() for name in found["files"]] == [True]


def test_replay_tells_the_score(dale: Path) -> None:
    Path("game.kblog").write_text(played_log(), encoding="utf-8")
    found = told("replay game.kblog --with .", "game")
    assert found["over"] and found["findings"] == [] and len(found["totals"]) == 2
    assert sum(line["gold"][0] for line in found["lines"]) == found["totals"][0]
    part = told("replay game.kblog --with . --until 1", "game")
    assert (part["moves"], part["over"], part["winners"]) == (1, False, [])


def test_play_tells_the_score_and_the_log(dale: Path) -> None:
    found = told("play --with . --bots random --seed 3", "game")
    assert found["over"] and (dale / found["log"]).is_file()
    assert told(f"replay {found['log']} --with .", "game") == found
    assert "KB009" in run("play --with . --bots human,random").stderr


def test_docs_tells_its_files(dale: Path) -> None:
    found = told("docs . --output pages", "docs")
    assert "index.html" in found["files"] and found["pages"] <= len(found["files"])


def test_check_tells_files_and_findings(dale: Path) -> None:
    (dale / "rules" / "rowers.kb").write_text(CARD.replace("mine", "mnie"), encoding="utf-8")
    found = told("check .", "check")
    assert (found["format"], found["files"]) == (1, 3)
    assert "KB201" in [finding["code"] for finding in found["findings"]]


def test_test_tells_results_and_coverage(dale: Path) -> None:
    example = "    example:\n        | .a .\n        gives 2\n"
    (dale / "rules" / "rowers.kb").write_text(CARD + example, encoding="utf-8")
    found = told("test . --jobs 1", "test")
    assert (found["failed"], found["coverage"]) == (1, None)
    codes = [finding["code"] for result in found["results"] for finding in result["findings"]]
    assert codes == ["KB505"]
    coverage = told("test . --coverage --coverage-json c.json", "test")["coverage"]
    text = (data_root("schemas") / "output" / "coverage.schema.json").read_text(encoding="utf-8")
    Draft202012Validator(json.loads(text)).validate(coverage)
    assert json.loads(Path("c.json").read_text(encoding="utf-8")) == coverage


def test_diff_tells_the_version_of_its_format(dale: Path) -> None:
    found = told("diff . . --games 1 --positions 1", "diff")
    assert (found["format"], found["is_exact"]) == (1, True)


def test_perft_tells_counts(dale: Path) -> None:
    assert told("perft --with . --depth 1 --divide", "perft")["counts"][0] == 1


def test_why_tells_moves_and_gold(dale: Path) -> None:
    Path("game.kblog").write_text(played_log(), encoding="utf-8")
    found = told("why game.kblog --with . --at 1 why not a1 --html why.html", "why")
    assert (found["about"], found["moves"][0]["legal"]) == ("moves", False)
    assert '<div class="board"><svg' in Path("why.html").read_text(encoding="utf-8")
    found = told("why game.kblog --with . a", "why")
    assert (found["about"], found["player"]) == ("gold", "a") and "rules" in found


def test_games_tell_their_figures(dale: Path) -> None:
    words = "--with . --games 2 --bots random --jobs 1 --no-file"
    found = told(f"simulate {words}", "simulate")
    assert (found["format"], found["deals"]) == (2, 2) and found["tables"]
    found = told("ladder random greedy --with . --games 1 --jobs 1 --no-file", "ladder")
    assert {place["bot"] for place in found["places"]} == {"random", "greedy"}


def test_lock_and_texts_tell_boxes_and_keys(dale: Path) -> None:
    found = told("lock", "lock")
    assert found["file"] == "kbrules.lock" and [box["id"] for box in found["boxes"]] == ["dale"]
    (dale / "texts").mkdir()
    (dale / "texts" / "de.yaml").write_text("format: 1\ntitle: Tal\n", encoding="utf-8")
    (file,) = told("texts", "texts")["files"]
    assert file["changed"] == ["title"] and "rules.rowers" in file["missing"]
    (file,) = told("texts --stamp", "texts")["files"]
    assert (file["changed"], file["stamped"]) == ([], True)


def test_fmt_tells_the_files_that_change(dale: Path) -> None:
    file = dale / "rules" / "rowers.kb"
    file.write_text(CARD.replace("gold 1", "gold  1"), encoding="utf-8")
    assert told("fmt --check", "fmt")["changed"] == ["rules/rowers.kb"]
    assert "gold  1" in file.read_text(encoding="utf-8")
    assert told("fmt", "fmt")["changed"] == ["rules/rowers.kb"]
    assert file.read_text(encoding="utf-8") == CARD and told("fmt", "fmt")["changed"] == []
    file.write_text("card\n", encoding="utf-8")
    assert told("fmt --check", "fmt")["findings"][0]["code"].startswith("KB1")


class _Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> _Clock:
    made = _Clock()
    monkeypatch.setattr(terminal, "perf_counter", made)
    return made


def test_it_says_how_long_the_rest_takes_at_the_rate_so_far(clock: _Clock) -> None:
    line = Progress("checking")
    line.show(20, 1_200, "positions")  # those of an earlier run took no time of this one
    assert line._line() == "checking 0:00:00 20 of 1,200 positions"
    clock.now += 10
    line.show(100, 1_200, "positions")
    assert line._line() == "checking 0:00:10 100 of 1,200 positions, 0:02:18 left, 8.0 a second"
    clock.now += 18.4
    assert "100 of 1,200 positions, 0:01:59 left, 8.0 a second" in line._line()
    clock.now += 1_000
    assert "0:00:00 left" in line._line()


def test_the_clock_begins_again_with_another_unit_or_with_fewer_done(clock: _Clock) -> None:
    line = Progress("playing")
    line.show(0, 40, "games")
    clock.now += 5
    line.show(1, 40, "games")
    line.show(0, 2, "processes started")
    clock.now += 5
    line.show(9, 40, "games")
    clock.now += 1
    line.show(19, 40, "games")
    assert line._line() == "playing 0:00:11 19 of 40 games, 0:00:02 left, 10.0 a second"
    line.show(0, 40, "games")
    clock.now += 1
    line.show(1, 40, "games")
    assert line._line() == "playing 0:00:12 1 of 40 games, 0:00:39 left, 1.0 a second"


def test_where_nobody_knows_how_much_is_wanted_no_time_is_told(clock: _Clock) -> None:
    line = Progress("counting")
    assert line._line() == "counting 0:00:00"
    line.show(0, None, "sequences")
    clock.now += 2
    line.show(5_000, None, "sequences")
    assert line._line() == "counting 0:00:02 5,000 sequences, 2,500.0 a second"
