"""`kbrules simulate`: questions in words, what is told, in which form, and from which file."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from kbrules.tools.simulate.results_file import DealSpan, Store
from tests.source_tree import ROOT
from tests.tools.simulate.small import deals_done, fell


def simulate(*words: str) -> Result:
    """The command in this very process."""
    result = CliRunner().invoke(app, ["simulate", "--jobs", "1", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def told(*words: str) -> str:
    """What it tells about the game of the folder."""
    result = simulate("--with", "fell", *words)
    assert result.exit_code == 0, result.output
    return result.stdout


def data(*words: str) -> dict[str, object]:
    found = json.loads(told(*words, "--output-format", "json"))
    assert isinstance(found, dict)
    return found


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    fell(tmp_path / "fell")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_one_short_command_says_what_a_card_pays(desk: Path) -> None:
    text = told("--card", "Rowers", "--games", "20")
    assert "20 deals for 2 players, each played by random and then by greedy: 40 games." in text
    assert re.search(
        r"^Rowers pays a greedy player \d\.\d\d \(95 %: .* to .*\) gold a game.", text, re.M
    )
    assert re.search(
        r"^The first of 2 random players wins [0-9.]+ % \(95 %: .*\) of the games: ", text, re.M
    )
    for head in ("gold a player and game", "gold by seat", "turns a game", "decisions a turn"):
        assert f"\n\n{head}" in text
    assert [path.suffix for path in desk.iterdir() if path.is_file()] == [".sqlite"]


def test_the_report_says_which_other_cards_lay_on_the_tables(desk: Path) -> None:
    few = ("--bots", "random", "--games", "2")
    drawn = "the cards that its seed draws\n"
    assert f"on each table: {drawn}" in told(*few)
    assert f"on each table: Rowers and {drawn}" in told("--card", "rowers", *few)
    both = told("--card", "rowers", "--without", *few)
    assert f"on each table: the cards of the side and, the same on both sides, {drawn}" in both
    assert data(*few)["other_cards"] == f"on each table: {drawn.strip()}"


def test_every_answer_says_how_to_have_it_again(desk: Path) -> None:
    asked = (
        "--card",
        "gulls",
        "--against-card",
        "rowers",
        "--bots",
        "greedy,random",
        "--seed",
        "5",
    )
    text = told(*asked, "--games", "12", "--games-per-table", "3", "--no-file")
    again = shlex.split(text.split("again: ")[1])
    assert again[:2] == ["kbrules", "simulate"]
    repeated = simulate(*again[2:], "--no-file")
    assert repeated.stdout == text
    assert "seeds 5 to 16; kbrules " in text


def test_the_same_command_goes_on_and_only_what_is_missing_is_played(desk: Path) -> None:
    told("--games", "10")
    (path,) = desk.glob("*.sqlite")
    told("--games", "25")
    told("--games", "5")
    db = sqlite3.connect(path)
    assert db.execute("SELECT min(first), sum(deals) FROM spans").fetchone() == (0, 25)
    db.close()
    assert [*desk.glob("*.sqlite")] == [path]
    told("--games", "5", "--seed", "1")
    assert len([*desk.glob("*.sqlite")]) == 2


def test_a_file_tells_what_it_told_before(desk: Path) -> None:
    text = told("--card", "rowers", "--without", "--games", "12", "--into", "games.sqlite")
    assert simulate("--report", "games.sqlite").stdout == text
    shorter = told("--card", "rowers", "--without", "--games", "6", "--into", "games.sqlite")
    assert "6 deals" in shorter
    assert simulate("--report", "games.sqlite").stdout == text


def test_a_run_that_stopped_early_is_told_again_with_the_same_intervals(desk: Path) -> None:
    """Whoever looked several times has wider ones, wherever they read of it."""
    words = ("--card", "rowers", "--bots", "random", "--until", "0.3", "--into", "games.sqlite")
    text = told(*words)
    assert "% at this look" in text
    again = shlex.split(text.split("again: ")[1])
    assert again[-2:] == ["--until", "0.3"]
    assert simulate(*again[2:], "--no-file").stdout == text
    assert simulate("--report", "games.sqlite").stdout == text
    fixed = told(*words[:-4], "--games", "300", "--into", "games.sqlite")
    assert "% at this look" not in fixed
    assert simulate("--report", "games.sqlite").stdout == fixed
    assert told(*words) == text  # and looks where it looked before
    assert simulate("--report", "games.sqlite").stdout == text


def test_two_sides_are_told_with_their_difference(desk: Path) -> None:
    text = told("--card", "rowers", "--without", "--bots", "random", "--games", "60", "--no-file")
    assert re.search(r"A random player gets 1\.\d\d .* gold more with Rowers than without", text)
    found = data("--card", "rowers", "--without", "--bots", "random", "--games", "60", "--no-file")
    assert found["sides"] == ["without Rowers", "with Rowers"]
    (gold, *_) = found["tables"]  # type: ignore[misc]
    assert [column["side"] for column in gold["columns"]] == [0, 1, -1]
    lines = {line["id"]: line["figures"] for line in gold["lines"]}
    assert lines["rowers"][0] is None and lines["rowers"][2] is None
    before, after, gap = (figure["value"] for figure in lines["total"])
    assert gap == pytest.approx(after - before) == pytest.approx(lines["rowers"][1]["value"])


def test_two_rule_sets_are_compared_on_the_same_tables(desk: Path) -> None:
    fell(desk / "old")
    rules = desk / "old" / "rules" / "fell.kb"
    rules.write_text(rules.read_text().replace("gold 2 per", "gold 1 per"))
    words = ("--card", "watchers", "--against", "old", "--bots", "random", "--games", "20")
    lines = data(*words, "--no-file")["tables"][0]["lines"]  # type: ignore[index]
    (watchers,) = [line["figures"] for line in lines if line["id"] == "watchers"]
    assert watchers[0]["value"] == pytest.approx(watchers[1]["value"] / 2)
    assert watchers[2]["value"] == pytest.approx(watchers[0]["value"])


def test_json_holds_what_the_words_hold(desk: Path) -> None:
    found = data("--card", "rowers", "--games", "12", "--no-file")
    assert (found["format"], found["deals"], found["games"]) == (2, 12, 24)
    assert found["seeds"] == [0, 11] and found["version"] and len(found["rules"]) == 1  # type: ignore[arg-type]
    text = told("--card", "rowers", "--games", "12", "--no-file")
    said = " ".join(found["sentences"])  # type: ignore[arg-type]
    assert " ".join(text.split()).startswith(" ".join(said.split()))
    assert f"again: {found['command']}" in text


def test_a_page_and_a_picture_hold_everything_and_nothing_of_the_authors(desk: Path) -> None:
    rules = desk / "fell" / "rules" / "fell.kb"
    rules.write_text(rules.read_text().replace('"Rowers"', '"<b>Rowers</b> & co"'))
    told("--card", "rowers", "--games", "8", "--html", "page.html", "--svg", "picture.svg")
    page = (desk / "page.html").read_text(encoding="utf-8")
    assert "<b>Rowers" not in page and "&lt;b&gt;Rowers&lt;/b&gt; &amp; co" in page
    assert "default-src" in page and "<script" not in page and " style=" not in page
    picture = ElementTree.parse(desk / "picture.svg")
    words = "".join(picture.getroot().itertext())
    assert "<b>Rowers</b> & co" in words and "kbrules simulate" in words.replace("\n", "")
    for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(svg)


def test_the_page_or_the_picture_may_be_all_that_is_printed(desk: Path) -> None:
    for option, begins in (("--svg", "<svg"), ("--html", "<!")):
        text = told("--games", "4", "--no-file", option, "-")
        assert text.startswith(begins) and text.endswith(">\n") and "\n\ngold" not in text
    assert not (desk / "-").exists()


def test_what_could_not_be_written_is_not_played_for(desk: Path) -> None:
    result = simulate("--with", "fell", "--games", "4", "--html", "nowhere/page.html")
    assert result.exit_code == 2 and [*desk.glob("*.sqlite")] == []


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--card", "rower"), "KB413", "did you mean `rowers`?"),
        (("--card", "nobody"), "KB413", "the cards are `gulls`, `rowers`, `watchers`"),
        (("--players", "7"), "KB009", "2 to 3 players, not 7"),
        (("--players", "0"), "KB009", "2 to 3 players, not 0"),
        (("--bots", "gredy"), "KB009", "did you mean `greedy`?"),
        (("--bots", "mc:0"), "KB009", "can decide nothing"),
        (
            ("--bots", "random,greedy,greedy", "--bots", "greedy,random"),
            "KB009",
            "names 2 players; 3 play",
        ),
        (("--fast", "--bots", "greedy"), "KB009", "plays random games"),
        (("--setup", "nowhere"), "KB009", "no set-up"),
        (("--option", "floods"), "KB009", "not name=value"),
        (("--option", "floods=yes"), "KB009", "no option"),
        (("--against-option", "floods=yes"), "KB009", "no option"),
        (("--grid", "moor=fell"), "KB009", "no grid"),
        (("--without",), "KB009", "without what"),
        (("--card", "rowers", "--without", "--against-card", "gulls"), "KB009", "go together"),
        (("--card", "rowers", "--against-card", "gull"), "KB413", "did you mean `gulls`?"),
        (("--against", "nowhere"), "KB009", "neither a box nor a folder"),
        (("--into", "nowhere/games.sqlite"), "KB008", "cannot be written"),
        (("--into", "fell"), "KB008", "cannot be written"),
        (("--into", "fell/expansion.yaml"), "KB056", "no file of games"),
        (("--html", "nowhere/page.html"), "KB008", "cannot be written"),
        (("--report", "nowhere.sqlite"), "KB001", "does not exist"),
        (("--report", "fell/expansion.yaml"), "KB056", "no file of games"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_a_reason(
    words: tuple[str, ...], code: str, said: str, desk: Path
) -> None:
    result = simulate("--with", "fell", "--games", "2", *words)
    assert result.exit_code == 2, result.output
    assert f"error[{code}]" in result.stderr and said in result.stderr
    assert "Traceback" not in result.output


def test_a_file_that_cannot_be_used_is_refused_with_a_reason(desk: Path) -> None:
    told("--games", "300", "--bots", "random", "--into", "games.sqlite")
    whole = (desk / "games.sqlite").read_bytes()
    (desk / "broken.sqlite").write_bytes(whole[: len(whole) // 2] + bytes(len(whole) // 2))
    db = sqlite3.connect(desk / "other.sqlite")
    db.execute("CREATE TABLE facts (name TEXT, value TEXT)")
    db.execute("INSERT INTO facts VALUES ('format', 'kbrules simulation 2')")
    db.commit()
    db.close()
    for name in ("broken.sqlite", "other.sqlite"):
        for words in (("--into", name, "--with", "fell", "--bots", "random"), ("--report", name)):
            result = simulate(*words, "--games", "300")
            assert (result.exit_code, result.stdout) == (2, ""), result.output
            assert "error[KB056]" in result.stderr and "help:" in result.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk here")
def test_a_full_disk_is_a_reason(desk: Path) -> None:
    result = simulate("--with", "fell", "--games", "2", "--into", "/dev/full")
    assert result.exit_code == 2
    assert "error[KB056]" in result.stderr and "cannot be written" in result.stderr


def test_somebody_elses_games_are_left_alone(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told("--games", "4", "--into", "games.sqlite")
    monkeypatch.setattr(Store, "missing", lambda store, deals: iter([DealSpan(2, 2)]))
    result = simulate("--with", "fell", "--games", "4", "--into", "games.sqlite")
    assert result.exit_code == 2 and "somebody else is playing the same games" in result.stderr
    assert deals_done(desk / "games.sqlite") == 4


def test_no_line_of_progress_gets_into_a_pipe(desk: Path) -> None:
    result = simulate("--with", "fell", "--games", "30", "--into", "games.sqlite")
    assert result.stderr == "the games are in games.sqlite\n"
    assert "\r" not in result.stdout


@pytest.mark.slow
def test_ctrl_c_ends_it_with_a_word_and_the_games_stay(desk: Path) -> None:
    words = [sys.executable, "-m", "kbrules", "simulate", "--with", "fell", "--jobs", "2"]
    where = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [*words, "--games", "1000000", "--into", "games.sqlite"]
    with subprocess.Popen(command, env=where, stderr=subprocess.PIPE, text=True) as process:
        end = time.monotonic() + 60
        while time.monotonic() < end and not deals_done(desk / "games.sqlite"):
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert re.fullmatch(r"interrupted; [\d,]+ games are in games.sqlite, and .*\n", said)
    assert deals_done(desk / "games.sqlite")
