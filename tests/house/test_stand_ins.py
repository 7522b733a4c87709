"""A map that is not the printed one says so, wherever it or what was scored on it is shown."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.app import app
from kbrules.game.board import stand_in_note
from tests.docs.rulebook import boxes_page
from tests.house.test_house import DALE

NOTE = "stand-in maps, not the printed ones: dale"
PLAY = ("play", "--setup", "dale", "--bots", "random", "--seed", "1")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The dale with an invented map, beside one with a printed map."""
    for name, kind in (("vale", "stand-in"), ("dale", "printed")):
        shutil.copytree(DALE, tmp_path / name)
        file = tmp_path / name / "expansion.yaml"
        file.write_text(file.read_text().replace("map: printed", f"map: {kind}"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def out(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, result.output
    return result.stdout


@pytest.mark.parametrize("words", [("board", "dale"), ("section", "dale")])
def test_maps_that_are_shown(words: tuple[str, ...]) -> None:
    assert out("show", *words, "--with", "vale").endswith(f"{NOTE}\n")
    assert "stand-in" not in out("show", *words, "--with", "dale")


def test_lists_of_maps() -> None:
    assert "dale     mill (stand-in map)\n" in out("show", "section", "--with", "vale")
    assert "stand-in" not in out("show", "section", "--with", "dale")


def test_games_say_so_at_the_start_and_below_the_score_sheet() -> None:
    lines = out(*PLAY, "--with", "vale").splitlines()
    told = [number for number, line in enumerate(lines) if line == NOTE]
    end = next(n for n, line in enumerate(lines) if line.startswith(("winner", "shared")))
    assert told[0] < 40 and told[-1] == end + 1
    assert out(*PLAY, "--with", "vale", "--quiet", "--no-log").endswith(f"{NOTE}\n")
    assert "stand-in" not in out(*PLAY, "--with", "dale", "--no-log")


def test_logs_and_their_replays() -> None:
    out(*PLAY, "--with", "vale", "--log", "vale.kblog", "--quiet")
    header = json.loads(Path("vale.kblog").read_text().splitlines()[0])
    assert header["stand_ins"] == ["dale"]
    for more in ((), ("--quiet",), ("--until", "3")):
        assert f"{NOTE}\n" in out("replay", "vale.kblog", "--with", "vale", *more)
    out(*PLAY, "--with", "dale", "--log", "dale.kblog", "--quiet")
    header = json.loads(Path("dale.kblog").read_text().splitlines()[0])
    assert "stand_ins" not in header
    assert "stand-in" not in out("replay", "dale.kblog", "--with", "dale")


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("", f"the log says otherwise: {NOTE}"),
        ('"stand_ins": ["paddock"], ', f"the log says otherwise: {NOTE}"),
        ('"stand_ins": "dale", ', "`stand_ins` must be a list of at most 200 texts"),
    ],
)
def test_a_log_that_does_not_own_up_is_refused(told: str, says: str) -> None:
    out(*PLAY, "--with", "vale", "--log", "vale.kblog", "--quiet")
    log = Path("vale.kblog")
    log.write_text(log.read_text().replace('"stand_ins": ["dale"], ', told, 1))
    result = CliRunner().invoke(app, ["replay", "vale.kblog", "--with", "vale"])
    assert result.exit_code == 2
    assert says in result.stderr


@pytest.mark.parametrize("form", ["full", "json", "junit"])
def test_boards_of_scenarios_that_fail(form: str, here: Path) -> None:
    (here / "vale" / "scenarios" / "wrong.scenario.yaml").write_text(
        "format: 1\ntitle: Wrong\nboard: {sections: [[dale, paddock], [oasis, dale turned]]}\n"
        "turn: {player: a, played: forest}\n"
        "steps:\n  - expect: {offered: {mandatory: [a1]}}\n"
    )
    text = out("test", "vale", "--output-format", form, code=1)
    assert NOTE in text


def test_the_page_of_the_boxes_owns_up() -> None:
    from kbrules.library.load import load

    text = "\n".join(boxes_page())
    for section in load().parts.sections.values():
        told = [line for line in text.splitlines() if stand_in_note(["x"])[:20] in line]
        assert any(f"`{section.id}`" in line for line in told) is section.stand_in
