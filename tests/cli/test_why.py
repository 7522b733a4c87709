"""`why`: positions of every kind, questions of every kind, and what is said of neither."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from kbrules.library.position import PlayerTurn, Position
from kbrules.tools.positions import PositionRequest, open_position
from tests.engine.games import logged
from tests.example_games import DALE, write_files
from tests.source_tree import ROOT

LOG = logged(7)
DRAWING = "G G C\n Ga C G\nG C Cb\n"
FRAMED = "   a b c\n 1 G G C\n 2  Ga C G\n 3 G C Cb\n"
SCENARIO = """\
format: 1
title: Two huts
board:
  drawing: |
    G  Ga C
     C  G  G
    G  C  Gb
turn: {played: grass}
scenarios:
  - {title: Before, expect: {turn: a}}
  - {title: After, steps: ["mandatory: build b2"], expect: {turn: a}}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "game.kblog").write_text(LOG.text)
    (tmp_path / "board.txt").write_text(DRAWING)
    (tmp_path / "framed.txt").write_text(FRAMED)
    (tmp_path / "first.scenario.yaml").write_text(SCENARIO)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def why(*words: str) -> Result:
    result = CliRunner().invoke(app, ["why", *words], prog_name="kbrules")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def said(*words: str) -> str:
    result = why(*words)
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    return result.stdout


def refused(*words: str) -> str:
    result = why(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


def test_a_refused_hex_shows_the_sentence_its_place_and_its_clauses(folder: Path) -> None:
    out = said("first.scenario.yaml::Before", "why", "not", "a2")
    assert "`mandatory: build a2` is not legal for a (red)" in out
    assert "a2 is canyon, free" in out
    assert "5 | permit build on terrain(played)" in out and "placement.kb:5" in out
    assert "terrain(played)   out, 6 hexes" in out
    assert "played   grass" in out
    assert "the nearest legal hexes are a1, b2" in out
    assert "show the card canyon instead" in out


def test_a_legal_hex_says_what_permits_it(folder: Path) -> None:
    out = said("first.scenario.yaml::Before", "why", "b2")
    assert "is legal" in out and "+ permit of placement" in out
    assert "adjacent(mine)   in, 1 beside b2: b1" in out
    assert "smallest change" not in out


def test_a_scenario_is_looked_at_after_its_steps_or_before(folder: Path) -> None:
    assert "b2 is grass, a settlement of a (red)" in said("first.scenario.yaml::After", "b2")
    out = said("first.scenario.yaml::After", "--at", "0", "b2")
    assert "b2 is grass, free" in out


def test_a_page_says_once_which_position_it_is_about(folder: Path) -> None:
    page = said("game.kblog", "why", "red", "--html", "-")
    title = page.split("<h1>")[1].split("</h1>")[0]
    assert title.startswith("game.kblog") and page.split("<body")[1].count(title) == 1
    assert said("game.kblog", "why", "red").startswith(f"{title}:\n")


def test_gold_is_drawn_and_adds_up(folder: Path) -> None:
    end = LOG.played[-1].transition.state
    sheet = LOG.game.score(end)
    out = said("game.kblog", "why", "red")
    assert f"a (red) has {sheet.totals[0]} gold" in out
    sums = [line.gold for line in sheet.lines[0]]
    assert f"{' + '.join(map(str, sums))} = {sheet.totals[0]}" in out
    line = max(sheet.lines[1], key=lambda line: line.gold)
    out = said("game.kblog", "2", line.rule)
    assert f"pays b (blue) {line.gold} gold" in out
    assert out.count("b*") + out.count(" pays") >= 1


def test_programs_get_the_same_as_data(folder: Path) -> None:
    data = json.loads(said("game.kblog", "--output-format", "json", "why", "red"))
    sheet = LOG.game.score(LOG.played[-1].transition.state)
    assert data["gold"] == sheet.totals[0]
    for rule in data["rules"]:
        parts = [part["gold"] for each in rule["rounds"] for part in each["parts"]]
        assert sum(parts) == rule["gold"]
    data = json.loads(said("board.txt", "--played", "grass", "--output-format", "json", "c3"))
    (move,) = [each for each in data["moves"] if each["move"].startswith("mandatory")]
    assert move["legal"] is False and move["reasons"][0]["at"]["line"] > 0
    assert data["changes"]["found"]


@pytest.mark.parametrize("file", ["board.txt", "framed.txt"])
def test_a_drawing_is_a_position(folder: Path, file: str) -> None:
    out = said(file, "--played", "grass", "why", "a1")
    assert "`mandatory: build a1` is legal" in out
    out = said(file, "--card", "hermits", "--player", "blue", "why", "b", "hermits")
    assert "Hermits pays b (blue) 1 gold" in out


def test_of_a_card_with_two_terrains_one_is_to_be_chosen(folder: Path) -> None:
    (folder / "swamp.txt").write_text("C C\n S S\n")
    out = said("swamp.txt", "--played", "canyon+swamp", "why", "not", "a2")
    assert "a terrain of the cards face up is to be chosen first" in out
    assert out.count("choose swamp") == 1


def test_a_piece_that_cannot_go_anywhere_says_where_it_would(folder: Path) -> None:
    position = "position: {a: {tiles: [paddock]}}\nturn: {played: canyon}\nunchecked: yes\n"
    rows = "    K  K  K K K C\n     K  Ca K K K C\n"
    text = (
        f"format: 1\ntitle: Walled in\nboard:\n  drawing: |\n{rows}{position}expect: {{turn: a}}\n"
    )
    (folder / "walled.scenario.yaml").write_text(text)
    out = said("walled.scenario.yaml", "why", "not", "paddock", "b2")
    assert "`buildable & straight(origin, 2)` is no hex" in out
    assert "this piece has nowhere to go" in out


def test_another_game_is_asked_alike(folder: Path) -> None:
    """Of a set less another it is the other that is to blame, where a hex is in both."""
    file = ROOT / "tests" / "house" / "hex" / "scenarios" / "stones.scenario.yaml"
    out = said(f"{file}::1", "why", "not", "b2")
    assert "x   empty   out, 8 hexes" in out and '"Hexes without a piece."' in out
    assert "x     occupied   in, 1 hex: b2" in out and "x     board" not in out
    assert "remove a stone of a (red) from b2" in out


def test_an_example_is_a_position(folder: Path) -> None:
    rules = str(ROOT / "rules" / "base" / "scoring.kb")
    assert "pays a (red) 6 gold" in said(f"{rules}::knights", "why", "red", "knights")
    assert "pays a (red) 6 gold" in said(f"{rules}::card knights", "why", "red", "knights")


def test_the_piece_of_a_move_is_taken_up_before_the_second_hex_is_asked(folder: Path) -> None:
    rules = str(ROOT / "rules" / "base" / "locations.kb")
    out = said(f"{rules}::harbor", "why", "not", "move", "b1", "a3")
    assert "after `harbor: lift b1`:" in out
    assert "`harbor: move a3` is not legal" in out


def test_the_board_can_be_drawn_to_a_file(folder: Path) -> None:
    said("game.kblog", "why", "red", "--svg", "board.svg")
    assert (folder / "board.svg").read_text().startswith("<svg ")


@pytest.mark.parametrize(
    ("words", "code", "help"),
    [
        (["nothing.kblog", "a1"], "KB001", "`nothing.kblog` does not exist"),
        (["nothing.kblog", "a1"], "KB001", "look for a slip"),
        (["first.scenario.yaml", "a1"], "KB020", "first.scenario.yaml::Before"),
        (["first.scenario.yaml::Bfore", "a1"], "KB020", "did you mean `Before`"),
        (["first.scenario.yaml::After", "--at", "9", "a1"], "KB024", "0 to 1"),
        (["game.kblog", "--at", "99999", "a1"], "KB024", "from 0 to"),
        (["game.kblog", "why"], "KB021", "why not f7"),
        (["board.txt", "z99"], "KB506", ""),
        (["board.txt", "biuld", "a1"], "KB501", "did you mean `build`"),
        (["board.txt", "knights"], "KB021", "`why red knights`"),
        (["board.txt", "orange"], "KB022", "`a` or `red`"),
        (["board.txt", "blu"], "KB022", "did you mean `blue`"),
        (["board.txt", "red", "knights"], "KB023", "in play are none"),
        (["board.txt", "red", "knihgts"], "KB023", "did you mean `knights`"),
        (["board.txt", "--played", "gras", "a1"], "KB413", "did you mean `grass`"),
        (["board.txt", "a1", "b1", "c1"], "KB021", "where from and where to"),
    ],
)
def test_what_cannot_be_answered_is_told_with_a_remedy(
    folder: Path, words: list[str], code: str, help: str
) -> None:
    err = refused(*words)
    assert f"error[{code}]" in err and help in err


def test_a_broken_log_is_told_by_its_own_codes(folder: Path) -> None:
    (folder / "game.kblog").write_text(LOG.text[:3000])
    assert "KB510" in refused("game.kblog", "a1")
    assert said("game.kblog", "--at", "2", "why", "red")


def test_a_drawing_is_laid_as_a_scenario_of_the_same_board(tmp_path: Path) -> None:
    """A card that is dead at once is replaced in the same turn."""
    rows = "Ga C  C  C\n C  C  Cb C\n"
    (tmp_path / "dead.txt").write_text(rows)
    indented = "".join(f"    {line}\n" for line in rows.splitlines())
    (tmp_path / "dead.scenario.yaml").write_text(
        f"format: 1\ntitle: dead\nboard:\n  drawing: |\n{indented}"
        "turn: {player: a, played: grass}\nexpect: {turn: a}\n"
    )
    around = Position(None, turn=PlayerTurn(played=("grass",)), checked=False)
    drawn, _ = open_position(
        PositionRequest(str(tmp_path / "dead.txt"), None, ("base",), (), around)
    )
    laid, _ = open_position(PositionRequest(str(tmp_path / "dead.scenario.yaml")))
    assert drawn is not None and laid is not None
    assert drawn.state == laid.state


def test_a_drawing_in_an_authors_folder_is_judged_by_its_box(tmp_path: Path) -> None:
    home = tmp_path / "dale"
    write_files(home, DALE)
    (home / "board.txt").write_text("H  Ha H\n H  H  H\n")
    found, findings = open_position(PositionRequest(str(home / "board.txt")))
    assert findings == []
    assert found is not None and "dale" in found.game.ruleset.boxes
