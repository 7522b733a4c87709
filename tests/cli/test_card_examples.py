"""`kbrules cards`: which example is printed, and cards in dots."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.app import app
from tests.example_games import DALE, write_files
from tests.tools.pictures.with_cairo import needs_cairo

CARD = """\
card rowers "Rowers":
    "One gold for each of your pieces."
    gold 1 per hex in mine
    example "one of them":
        | Ha H
        gives 1
    example "two of them":
        | Ha Ha
        gives 2
"""


@pytest.fixture(autouse=True)
def dale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of a small game with a card, in which we are."""
    monkeypatch.chdir(tmp_path)
    texts = {**DALE, "rules/rowers.kb": CARD}
    texts["expansion.yaml"] += "cards: [rowers]\n"
    write_files(tmp_path, texts)


def cards(*words: str) -> Result:
    return CliRunner().invoke(app, ["cards", *words])


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ((), "one of them"),
        (("--example", "rowers=1"), "one of them"),
        (("--example", "rowers=2"), "two of them"),
        (("--example", "rowers=two of them"), "two of them"),
        (("rowers", "--example", "rowers=two of them"), "two of them"),
    ],
)
def test_the_example_that_is_asked_for_is_on_the_card(words: tuple[str, ...], shown: str) -> None:
    assert cards(*words, "--svg", "faces").exit_code == 0
    text = Path("faces/rowers.svg").read_text(encoding="utf-8")
    assert [title for title in ("one of them", "two of them") if title in text] == [shown]


@pytest.mark.parametrize(
    ("wish", "said"),
    [("rowers=3", "two of them"), ("rovers=1", "KB413"), ("rowers", "KB009"), ("=1", "KB009")],
)
def test_an_example_that_is_not_there_is_told(wish: str, said: str) -> None:
    result = cards("--example", wish, "--svg", "faces")
    assert result.exit_code == 2 and said in result.stderr
    assert not Path("faces").exists()


@needs_cairo
def test_a_card_in_dots_is_as_large_as_a_printer_needs() -> None:
    assert cards("--png", "faces").exit_code == 0
    data = Path("faces/rowers.png").read_bytes()
    size = [int.from_bytes(data[at : at + 4], "big") for at in (16, 20)]
    assert size == [744, 1039]  # 63 by 88 millimetres, 300 dots to an inch
