"""What commands tell programs is as the schemas in `schemas/output` say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner, Result

from cli.app import app
from kbrules.library.reading import data_root
from kbrules.messages import CODES
from kbrules.tools.explain import played_log
from tests.example_games import DALE

CARD = (
    'card rowers "Rowers":\n    "One gold for each of your pieces."\n    gold 1 per hex in mine\n'
)


@pytest.fixture
def dale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a small game with a card, in which we are."""
    monkeypatch.chdir(tmp_path)
    texts = {**DALE, "rules/rowers.kb": CARD}
    texts["expansion.yaml"] += "cards: [rowers]\n"
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
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
